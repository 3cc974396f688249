//! Commands, and what each does.

use banyan_games::{Color, Move};

use super::engine::Engine;
use super::text::{self, Fault, Stone, Whose};

/// `START SIDE` or `RECTSTART WIDTH,HEIGHT`: a game on another board.
pub(super) fn start(
    engine: &mut Engine,
    rest: &str,
    sides: Option<(u32, u32)>,
) -> Result<String, Fault> {
    engine.start(sides.ok_or_else(|| Fault::Size(text::shortened(rest)))?)?;
    Ok("OK".to_owned())
}

/// `RESTART`: another game on the same board.
pub(super) fn restart(engine: &mut Engine) -> Result<String, Fault> {
    engine.restart()?;
    Ok("OK".to_owned())
}

/// `BEGIN`: the first move is ours.
pub(super) fn begin(engine: &mut Engine) -> Result<String, Fault> {
    engine.restart()?;
    engine.move_of_our_own()
}

/// `TURN x,y`: the other side has played there; our move.
pub(super) fn turn(engine: &mut Engine, rest: &str) -> Result<String, Fault> {
    play(engine, rest)?;
    engine.move_of_our_own()
}

/// `PLAY x,y`: the manager's own choice of our move.
pub(super) fn play_as_told(engine: &mut Engine, rest: &str) -> Result<String, Fault> {
    let point = play(engine, rest)?;
    Ok(text::point(point, engine.size()))
}

fn play(engine: &mut Engine, rest: &str) -> Result<Move, Fault> {
    engine.ready()?;
    let point = text::read_point(rest, engine.size())?;
    engine.session.record_mut().play(point)?;
    Ok(point)
}

/// `BOARD` and the lines up to `DONE`: a position, in which it is our move.
pub(super) fn board(engine: &mut Engine) -> Result<String, Fault> {
    let stones = engine.stones()?;
    engine.ready()?;
    let count = |whose| stones.iter().filter(|stone| stone.whose == Some(whose)).count();
    let own = if count(Whose::Own) < count(Whose::Other) { Color::White } else { Color::Black };
    let colored = |stone: &Stone| match stone.whose {
        Some(Whose::Own) => Ok((own, stone.point)),
        Some(Whose::Other) => Ok((!own, stone.point)),
        None => Err(Fault::Field),
    };
    let stones = stones.iter().map(colored).collect::<Result<Vec<_>, _>>()?;
    engine.set_up(&stones, own)?;
    engine.move_of_our_own()
}

/// `TAKEBACK x,y`: that stone was never played.
pub(super) fn take_back(engine: &mut Engine, rest: &str) -> Result<String, Fault> {
    engine.ready()?;
    let point = text::read_point(rest, engine.size())?;
    let record = engine.session.record_mut();
    if record.plies().last().is_some_and(|&(_, last)| last == point) {
        record.undo();
        return Ok("OK".to_owned());
    }
    let mut stones = [record.setup(), record.plies()].concat();
    let place = stones.iter().position(|&(_, stone)| stone == point);
    let (color, _) = stones.remove(place.ok_or_else(|| Fault::NoStone(rest.to_owned()))?);
    engine.set_up(&stones, color)?;
    Ok("OK".to_owned())
}

/// `ABOUT`: who we are.
pub(super) fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("name=\"Banyan\", version=\"{version}\", author=\"the Banyan authors\", country=\"\"")
}
