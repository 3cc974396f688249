//! The board before the first move: size, komi, handicap.

use banyan_engine::Playable;
use banyan_games::{Color, Move, Record, Rules};
use banyan_records::diagram;

use super::args::Args;
use super::engine::Engine;
use super::reply::{Fault, Reply};

/// `boardsize N` or `boardsize X Y`: a new game on another board.
pub(super) fn boardsize<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    const EXPECTED: &str = "one or two numbers of points";
    let width: u32 = args.number(0, EXPECTED)?;
    let height = match args.word(1) {
        Some(_) => args.number(1, EXPECTED)?,
        None => width,
    };
    let rules = rules(engine).with_size(width, height).map_err(Fault::Size)?;
    engine.begin(Record::new(&own::<G>(rules)));
    Ok(String::new())
}

pub(super) fn clear_board<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    let rules = engine.record().start().rules().clone();
    engine.begin(Record::new(&rules));
    Ok(String::new())
}

/// `komi F`, at any moment: the game goes on under it.
pub(super) fn komi<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let komi = args.number(0, "a komi such as 7.5")?;
    let rules = own::<G>(rules(engine).with_komi(komi).map_err(Fault::Komi)?);
    let record = engine.record().under(&rules).expect("a komi forbids no move");
    engine.replace(record);
    Ok(String::new())
}

pub(super) fn get_komi<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    match rules(engine) {
        Rules::Go(rules) => Ok(format!("{:.1}", f64::from(rules.komi()) / 2.0)),
        _ => Err(Fault::UnknownCommand),
    }
}

/// `fixed_handicap N`: stones on the star points, as many as the board has for so large a handicap.
pub(super) fn fixed_handicap<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let count: u32 = args.number(0, "a number of stones")?;
    let points = engine.record().position().handicap_points(count);
    place(engine, &points.ok_or(Fault::Stones(count as usize))?)
}

/// `place_free_handicap N`: stones where we like them, fewer than N if we have no better place.
pub(super) fn place_free_handicap<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let count: u32 = args.number(0, "a number of stones")?;
    let position = engine.record().position();
    let most = count.min(position.size().area() as u32 - 1);
    let points = (2..=most).rev().find_map(|stones| position.handicap_points(stones));
    place(engine, &points.ok_or(Fault::Stones(count as usize))?)
}

/// `set_free_handicap V V ...`: stones where Black wants them.
pub(super) fn set_free_handicap<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let position = engine.record().position();
    let named = |word| match position.parse_move(word) {
        Ok(mv) if mv.is_pass() => Err(Fault::Vertices("a pass is no stone".to_owned())),
        Ok(mv) => Ok(mv),
        Err(wrong) => Err(Fault::Vertices(wrong.to_string())),
    };
    let points: Vec<Move> = args.words().map(named).collect::<Result<_, _>>()?;
    if points.len() < 2 || points.len() >= position.size().area() {
        return Err(Fault::Stones(points.len()));
    }
    place(engine, &points)?;
    Ok(String::new())
}

pub(super) fn showboard<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(format!("\n{}", diagram::text(engine.record())))
}

/// Sets up Black's handicap stones and answers where they are.
fn place<G: Playable>(engine: &mut Engine<G>, points: &[Move]) -> Reply {
    let position = engine.record().position();
    let mut board = (0..position.size().area()).map(Move::point);
    if board.any(|point| position.stone(point).is_some()) {
        return Err(Fault::BoardNotEmpty);
    }
    let named: Vec<String> = points.iter().map(|&mv| position.move_text(mv)).collect();
    let stones: Vec<_> = points.iter().map(|&mv| (Color::Black, mv)).collect();
    engine.begin(Record::set_up(position.rules(), &stones, Color::White)?);
    Ok(named.join(" "))
}

fn rules<G: Playable>(engine: &Engine<G>) -> Rules {
    engine.record().start().rules().clone().into()
}

/// Rules of this game, from which they were changed.
fn own<G: Playable>(rules: Rules) -> G::Rules {
    G::Rules::try_from(rules).expect("a change of size or komi does not change the game")
}
