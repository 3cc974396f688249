//! A position of Go as facts for the domain theory `theories/go.pl`.

use std::fmt::Write as _;

use banyan_games::go::Go;
use banyan_games::{Color, Game, Move, Record};
use banyan_proofs::Effort;
use banyan_proofs::life::{Status, judge};

/// The domain theory of Go.
pub const THEORY: &str = include_str!("../../../theories/go.pl");

/// The name of the position in its facts.
pub const NAME: &str = "b";

/// A second for a board full of questions: each is short, or given up.
const EFFORT: Effort = Effort { nodes_max: 20_000, table_bytes: 1 << 20 };

/// Directions with what they do to row and column; rows count from the top.
const DIRECTIONS: [(&str, i32, i32); 4] =
    [("north", -1, 0), ("east", 0, 1), ("south", 1, 0), ("west", 0, -1)];

/// A point beside another; nothing beyond the edge.
fn beside(position: &Go, point: Move, (rows, columns): (i32, i32)) -> Option<Move> {
    let side = position.layout().side() as i32;
    let point = point.index()? as i32;
    let (row, column) = (point / side + rows, point % side + columns);
    let on_board = (0..side).contains(&row) && (0..side).contains(&column);
    on_board.then(|| Move::point((row * side + column) as usize))
}

/// A point as a constant of the theory: `d4`.
pub fn point_name(position: &Go, point: Move) -> String {
    position.move_text(point).to_lowercase()
}

/// The facts of a record's position, and what the solver says of blocks beside each legal move.
pub fn facts(record: &Record<Go>) -> String {
    let position = record.position();
    let side = position.side_to_move();
    let name = |point: Move| point_name(position, point);
    let mut text = format!("% {side} to move, after {} plies.\n", record.plies().len());
    let mut fact = |fact: String| writeln!(text, "{fact}.").expect("a string grows");
    fact(format!("to_move({NAME},{side})"));
    fact(format!("opponent({NAME},{})", !side));
    let points = (0..position.layout().area()).map(Move::point);
    for point in points.clone() {
        for (direction, rows, columns) in DIRECTIONS {
            if let Some(next) = beside(position, point, (rows, columns)) {
                fact(format!("step({direction},{},{})", name(point), name(next)));
            }
        }
    }
    for chain in position.chains() {
        let color = position.stone(chain[0]).expect("a chain has stones");
        let string = format!("string_{}", name(chain[0]));
        fact(format!("string({NAME},{string},{color})"));
        for &point in &chain {
            fact(format!("stone({NAME},{},{color})", name(point)));
            fact(format!("in_string({NAME},{string},{})", name(point)));
        }
        for liberty in liberties(position, &chain) {
            fact(format!("liberty({NAME},{string},{})", name(liberty)));
        }
    }
    for point in points.filter(|&point| position.is_legal(point)) {
        fact(format!("legal({NAME},{})", name(point)));
        if record.is_legal(point) {
            fact(format!("not_ko_banned({NAME},{},history({NAME}))", name(point)));
        }
        fates(position, point).into_iter().for_each(&mut fact);
    }
    text
}

fn liberties(position: &Go, chain: &[Move]) -> Vec<Move> {
    let near = chain.iter().flat_map(|&point| {
        DIRECTIONS.iter().filter_map(move |&(_, r, c)| beside(position, point, (r, c)))
    });
    let mut free: Vec<Move> = near.filter(|&point| position.stone(point).is_none()).collect();
    free.sort();
    free.dedup();
    free
}

/// The direction in which a move goes on in a line of two own stones at least, the first of these: where a move has
/// stones of the opponent on both sides of one, it goes on in no other but the opposite.
fn heading(position: &Go, point: Move) -> Option<usize> {
    let own = position.side_to_move();
    (0..DIRECTIONS.len()).find(|&direction| {
        let behind = behind(position, point, direction);
        behind.is_some_and(|two| two.iter().all(|&it| position.stone(it) == Some(own)))
    })
}

/// The next two points against a direction.
fn behind(position: &Go, point: Move, direction: usize) -> Option<[Move; 2]> {
    let (_, rows, columns) = DIRECTIONS[direction];
    let one = beside(position, point, (-rows, -columns))?;
    Some([one, beside(position, one, (-rows, -columns))?])
}

/// The two own stones that a move goes straight on from; none where there are not two.
pub fn line_behind(position: &Go, point: Move) -> Vec<Move> {
    let direction = heading(position, point);
    direction.and_then(|it| behind(position, point, it)).into_iter().flatten().collect()
}

/// The opponent's stones to the left and to the right of a move that goes on in a line.
pub fn flanks(position: &Go, point: Move) -> Option<[Move; 2]> {
    let direction = heading(position, point)?;
    let flank = |turn: usize| {
        let (_, rows, columns) = DIRECTIONS[(direction + turn) % DIRECTIONS.len()];
        let stone = beside(position, point, (rows, columns))?;
        (position.stone(stone) == Some(!position.side_to_move())).then_some(stone)
    };
    Some([flank(3)?, flank(1)?])
}

/// Blocks beside a move that are dead once it is played and the other side is to move, each with a stone of it.
pub fn killed(position: &Go, point: Move) -> Vec<(&'static str, Move)> {
    let mut after = position.clone();
    after.play(point);
    let is_dead = |stone: Move| {
        // A block that is taken by the move itself does not stand any more.
        let status = || judge(&after, stone, EFFORT).map(|found| found.status);
        after.stone(stone).is_none() || status() == Ok(Status::Dead)
    };
    let flanks = flanks(position, point).into_iter().flatten();
    let blocks = ["left_block", "right_block"].into_iter().zip(flanks);
    blocks.filter(|&(_, stone)| is_dead(stone)).collect()
}

/// Facts by the solver on the blocks beside a move once it is played and the other side is to move.
fn fates(position: &Go, point: Move) -> Vec<String> {
    let own = position.side_to_move();
    let mut after = position.clone();
    after.play(point);
    let name = point_name(position, point);
    let status = |target: Move| judge(&after, target, EFFORT).map(|found| found.status);
    let killed = killed(position, point)
        .into_iter()
        .map(|(block, _)| format!("killed_if_played({block}({NAME},{name}),{name},{})", !own));
    let mut facts: Vec<String> = killed.collect();
    if takes(position, &after, own) && status(point) == Ok(Status::Alive) {
        facts.push(format!("rescued_if_played(own_block({NAME},{name}),{name})"));
    }
    facts
}

/// Tells whether the other side has lost stones.
fn takes(before: &Go, after: &Go, own: Color) -> bool {
    let foe = (!own).index();
    after.stones()[foe].len() < before.stones()[foe].len()
}
