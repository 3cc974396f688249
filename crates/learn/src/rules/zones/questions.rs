//! Positions with a chain whose fate is asked: problems from a file, chains of games.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, ensure};
use banyan_games::go::{Fight, Go, GoRules};
use banyan_games::notation::drawn;
use banyan_games::{Color, Game, Kind, Move, Rng, Rules};

use crate::rules::games::{drawn_move, sgf_games};

/// Question of what becomes of a chain, with the position's own side to move.
#[derive(Clone, Debug)]
pub struct Question {
    /// Origin of the question.
    pub name: String,
    /// The position.
    pub position: Go,
    /// A stone of the chain.
    pub target: Move,
}

/// Smaller chains are given up all the time.
const STONES_MIN: usize = 2;

/// Plies between positions of a game that are asked about.
const PLIES_BETWEEN: usize = 10;

/// Reads problems, an empty line between them: a line `# name`, a line `POINT SIDE` (which may go on with the
/// expected status), and the rows of the board, `X` Black, `O` White.
///
/// # Errors
/// The first problem that is none, with its line.
pub fn problems(file: &str, text: &str) -> anyhow::Result<Vec<Question>> {
    let mut questions = Vec::new();
    let mut block: Vec<(usize, &str)> = Vec::new();
    for (at, line) in text.lines().chain([""]).enumerate() {
        if !line.trim().is_empty() {
            block.push((at + 1, line));
        } else if let Some(&(first, _)) = block.first() {
            let lines: Vec<&str> = block.drain(..).map(|(_, line)| line).collect();
            questions.push(problem(&lines).with_context(|| format!("{file}, line {first}"))?);
        }
    }
    ensure!(!questions.is_empty(), "{file} holds no problem");
    Ok(questions)
}

fn problem(lines: &[&str]) -> anyhow::Result<Question> {
    let [name, asked, rows @ ..] = lines else {
        anyhow::bail!("a problem has three lines at least")
    };
    let mut words = asked.split_whitespace();
    let (Some(point), Some(side)) = (words.next(), words.next()) else {
        anyhow::bail!("'{asked}' where a point and a side were expected, such as `D10 white`");
    };
    let side = match side {
        "black" => Color::Black,
        "white" => Color::White,
        other => anyhow::bail!("'{other}' where black or white was expected"),
    };
    let (stones, points) = drawn(&rows.concat());
    let size = points.isqrt();
    ensure!(size * size == points, "the board has {points} points, which is no square");
    let mut position = Go::new(&GoRules::new(size as u32, 15)?);
    position.set_up(&stones, side)?;
    let target = position.parse_move(point)?;
    ensure!(position.stone(target).is_some(), "no stone stands on {point}");
    Ok(Question { name: name.trim_start_matches("# ").to_owned(), position, target })
}

/// Chains of the games in a folder of SGF files.
///
/// # Errors
/// A folder or a file that cannot be read.
pub fn games(folder: &Path) -> anyhow::Result<Vec<Question>> {
    let mut questions = Vec::new();
    for (name, game) in sgf_games(folder, Kind::Go)? {
        let Rules::Go(rules) = &game.rules else { anyhow::bail!("{name} is no game of Go") };
        let record = game.record::<Go>(rules).with_context(|| name.clone())?;
        for ply in (PLIES_BETWEEN..=record.plies().len()).step_by(PLIES_BETWEEN) {
            chains(&format!("{name}, ply {ply}"), record.position_after(ply), &mut questions);
        }
    }
    Ok(questions)
}

/// Chains of games whose moves are drawn by the tree's priors: shapes as they come up, at no cost.
pub fn drawn_games(count: u32, size: u32, seed: u64) -> anyhow::Result<Vec<Question>> {
    let rules = GoRules::new(size, 15)?;
    let mut questions = Vec::new();
    for number in 0..count {
        let mut rng = Rng::from_seed(seed + u64::from(number));
        let mut position = Go::new(&rules);
        for ply in 1..=2 * size * size {
            let Some(mv) = drawn_move(&position, &mut rng) else { break };
            position.play(mv);
            if (ply as usize).is_multiple_of(PLIES_BETWEEN) {
                chains(&format!("drawn game {number}, ply {ply}"), &position, &mut questions);
            }
        }
    }
    Ok(questions)
}

/// Points a side of the board of drawn eye spaces.
const EYE_BOARD: i32 = 13;

/// Chains around an eye space of three to eight points that is drawn, with a stone in it now and then, walled
/// in but for a liberty or two: what problems of life and death are about.
pub fn drawn_eyes(count: u32, seed: u64) -> anyhow::Result<Vec<Question>> {
    let rules = GoRules::new(EYE_BOARD as u32, 15)?;
    let mut questions = Vec::new();
    for number in 0..count {
        let mut rng = Rng::from_seed(seed + u64::from(number));
        let (stones, target) = eye_space(&mut rng);
        for side in Color::BOTH {
            let mut position = Go::new(&rules);
            // Where a stone has no liberty there is nothing to ask.
            if position.set_up(&stones, side).is_ok() {
                let name = format!("drawn eye space {number}");
                questions.push(Question { name, position, target });
            }
        }
    }
    Ok(questions)
}

fn eye_space(rng: &mut Rng) -> (Vec<(Color, Move)>, Move) {
    let points = 3 + rng.below(6) as usize;
    // Corners and sides come up as often as the middle.
    let start = |rng: &mut Rng| if rng.below(2) == 0 { 0 } else { rng.below(6) as i32 };
    let mut space = vec![(start(rng), start(rng))];
    while space.len() < points {
        let (row, column) = space[rng.below(space.len() as u32) as usize];
        let (down, right) = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.below(4) as usize];
        let next = (row + down, column + right);
        let is_inside = (0..8).contains(&next.0) && (0..8).contains(&next.1);
        if is_inside && !space.contains(&next) {
            space.push(next);
        }
    }
    let chain = around(&space, &[]);
    let wall = around(&chain, &space);
    let point = |(row, column): (i32, i32)| Move::point((row * EYE_BOARD + column) as usize);
    let mut stones: Vec<(Color, Move)> = Vec::new();
    stones.extend(chain.iter().map(|&at| (Color::Black, point(at))));
    for &at in &wall {
        if rng.below(12) > 0 {
            stones.push((Color::White, point(at)));
        }
    }
    // A second wall, so that the first has a hold.
    let outer = around(&wall, &[chain.clone(), space.clone()].concat());
    stones.extend(outer.iter().filter(|_| rng.below(4) > 0).map(|&at| (Color::White, point(at))));
    for &at in &space {
        match rng.below(10) {
            0 => stones.push((Color::White, point(at))),
            1 => stones.push((Color::Black, point(at))),
            _ => {}
        }
    }
    (stones, point(chain[0]))
}

/// The points around others, diagonals included, but for these and `without`.
fn around(points: &[(i32, i32)], without: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut found = Vec::new();
    for &(row, column) in points {
        for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let at = (row + down, column + right);
            let is_on = (0..EYE_BOARD).contains(&at.0) && (0..EYE_BOARD).contains(&at.1);
            if is_on && ![points, without, &found].iter().any(|them| them.contains(&at)) {
                found.push(at);
            }
        }
    }
    found
}

/// Leaves out questions about a zone that one of `others` is about, whoever moves there.
pub fn without(questions: Vec<Question>, others: &[Question]) -> Vec<Question> {
    let known: HashSet<u64> = others.iter().flat_map(keys).collect();
    let is_new = |it: &Question| keys(it).all(|key| !known.contains(&key));
    questions.into_iter().filter(is_new).collect()
}

/// The keys of a question's zone for both sides to move and to win kos.
fn keys(question: &Question) -> impl Iterator<Item = u64> + use<> {
    let Question { position, target, .. } = question.clone();
    let kos = Color::BOTH.into_iter().flat_map(|side| Color::BOTH.map(|winner| (side, winner)));
    kos.filter_map(move |(side, winner)| {
        let mut position = position.clone();
        position.set_side_to_move(side).ok()?;
        let fight = Fight::new(&position, target, winner).ok()?;
        Some(fight.shape(u32::MAX)?.key())
    })
}

/// Both sides' question about each chain.
fn chains(name: &str, position: &Go, into: &mut Vec<Question>) {
    for chain in position.chains().into_iter().filter(|chain| chain.len() >= STONES_MIN) {
        for side in Color::BOTH {
            let mut position = position.clone();
            if position.set_side_to_move(side).is_ok() {
                let target = chain[0];
                into.push(Question { name: name.to_owned(), position, target });
            }
        }
    }
}
