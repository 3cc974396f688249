//! A learned clause in words, and the points that it rests on as a board.

use banyan_ebg::clause::{Clause, Goal, Literal};
use banyan_games::go::{Fight, Go};
use banyan_games::{Game, Move};

use super::facts::{flanks, line_behind};

/// Meaning of a literal of the theory, in words.
fn words(literal: &Literal) -> Option<&'static str> {
    let Goal::Call(term) = &literal.goal else { return None };
    let (name, arguments) = term.parts()?;
    let first = arguments.first().and_then(|it| it.parts()).map_or("", |(name, _)| name);
    Some(match (name, first) {
        ("legal", _) => "the rules allow the move",
        ("not_ko_banned", _) => "no ko forbids it: it brings no earlier position back",
        ("extends_straight", _) => "it goes straight on from two of one's own stones",
        ("splits_opponent_in_two", _) => {
            "it splits the opponent in two, left and right of that line"
        }
        ("captures", _) => "it takes a string of the opponent",
        ("killed_if_played", "left_block") => "after it the left block dies",
        ("killed_if_played", _) => "after it the right block dies",
        ("rescued_if_played", _) => "after it one's own block lives",
        ("most_efficient", _) => "of all good moves it is the most efficient",
        // Names a colour, demands nothing.
        ("opponent", _) => "",
        _ => return None,
    })
}

/// The clause as a sentence a person would say; literals that have no words stand as they are.
pub fn in_words(rule: &Clause) -> String {
    let name_of = |variable| rule.name_of(variable);
    let said = rule.body.iter().map(|literal| {
        words(literal).map_or_else(|| format!("`{}`", literal.text(&name_of)), String::from)
    });
    let said: Vec<String> = said.filter(|text| !text.is_empty()).collect();
    format!("A move is best if\n- {}.\n", said.join(",\n- "))
}

/// A kind of point, by its sign.
pub const LEGEND: &str = "X own  O foe  . empty  * the move  ? any\n";

/// The points that decide what becomes of blocks beside a move: own, foe, empty; all others are `?`.
pub fn board(position: &Go, mv: Move) -> Vec<String> {
    let own = position.side_to_move();
    let mut after = position.clone();
    after.play(mv);
    let side = position.layout().side();
    let mut signs = vec!['?'; side * side];
    let mut show = |point: usize| {
        signs[point] = match position.stone(Move::point(point)) {
            Some(color) if color == own => 'X',
            Some(_) => 'O',
            None => '.',
        }
    };
    for block in flanks(position, mv).into_iter().flatten() {
        position.group(block).into_iter().filter_map(Move::index).for_each(&mut show);
        let zone = Fight::new(&after, block, own).ok().and_then(|fight| fight.zone());
        for bit in zone.into_iter().flat_map(|zone| (zone.inside | zone.wall).iter()) {
            show(position.layout().point(bit));
        }
    }
    line_behind(position, mv).into_iter().filter_map(Move::index).for_each(&mut show);
    if let Some(point) = mv.index() {
        signs[point] = '*';
    }
    let row = |row: &[char]| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
    signs.chunks(side).map(row).collect()
}
