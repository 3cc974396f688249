//! `banyan rules facts` and `banyan rules go`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use banyan_ebg::limits::Limits;
use banyan_ebg::proof::Shown;
use banyan_ebg::regression::explain;
use banyan_ebg::resolution::Prover;
use banyan_ebg::theory::{Theory, read_query};
use banyan_games::go::Go;
use banyan_games::{Game, Kind, Move, Record, Rules};
use banyan_records::{diagram, sgf};
use clap::Args;
use serde::Serialize;

use super::efficiency::{Efficiency, ranking};
use super::facts::{NAME, THEORY, facts, killed, point_name};
use super::picture::{LEGEND, board, in_words};

/// A position of a game of Go.
#[derive(Clone, Debug, Args)]
pub struct Position {
    /// A game or a problem of Go.
    #[arg(long, value_name = "FILE")]
    sgf: PathBuf,
    /// The position after so many plies [default: the last].
    #[arg(long = "move", value_name = "N")]
    ply: Option<usize>,
}

/// Options of `banyan rules go`.
#[derive(Clone, Debug, Args)]
pub struct Asked {
    #[command(flatten)]
    position: Position,
    /// Answer with one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The answer of `banyan rules go --json`.
#[derive(Debug, Serialize)]
struct Answer {
    /// Good moves, the most efficient first.
    moves: Vec<Efficiency>,
    /// The clause that explains the best one.
    rule: Option<String>,
    /// The same in words.
    words: Option<String>,
    /// Rows of the board: `X` own, `O` foe, `.` empty, `*` the move, `?` any.
    board: Vec<String>,
    proof: Option<Shown>,
}

impl Position {
    fn record(&self) -> anyhow::Result<Record<Go>> {
        let name = self.sgf.display().to_string();
        let bytes = std::fs::read(&self.sgf).with_context(|| format!("cannot read {name}"))?;
        let kind = Some(Kind::Go);
        let options = sgf::Options { kind, plies: self.ply, ..sgf::Options::default() };
        let game = sgf::read(&bytes, &options).with_context(|| name.clone())?;
        let Rules::Go(rules) = &game.rules else { anyhow::bail!("{name} is no game of Go") };
        game.record::<Go>(rules).with_context(|| name.clone())
    }
}

/// Prints a position as facts, the best of its good moves among them.
///
/// # Errors
/// In words: a file that is no game of Go.
pub fn print_facts(position: &Position, out: &mut impl Write) -> anyhow::Result<()> {
    let (facts, _) = ranked(&position.record()?)?;
    Ok(write!(out, "{facts}")?)
}

/// The facts of a position with the one that names its best move, and its good moves, the best first.
fn ranked(record: &Record<Go>) -> anyhow::Result<(String, Vec<Efficiency>)> {
    let mut facts = facts(record);
    let moves = ranking(record, &good_moves(record, &facts)?);
    if let Some(Efficiency { point, .. }) = moves.first() {
        facts.push_str(&format!("most_efficient({NAME},{point}).\n"));
    }
    Ok((facts, moves))
}

/// Ranks the moves that the theory proves good, and explains the best one.
///
/// # Errors
/// In words: a file that is no game of Go.
pub fn explain_move(asked: &Asked, out: &mut impl Write) -> anyhow::Result<()> {
    let record = asked.position.record()?;
    let answer = answer(&record)?;
    if asked.json {
        return Ok(writeln!(out, "{}", serde_json::to_string(&answer)?)?);
    }
    writeln!(out, "{}\n", diagram::text(&record))?;
    let Some((rule, words)) = answer.rule.zip(answer.words) else {
        return Ok(writeln!(out, "the theory proves no move good here")?);
    };
    for Efficiency { point, learned, pattern } in &answer.moves {
        writeln!(out, "{point}: {learned} points by proof, {:.1} % by shape", 100.0 * pattern)?;
    }
    write!(out, "\n{rule}.\n\n{words}\n{LEGEND}")?;
    answer.board.iter().try_for_each(|row| writeln!(out, "{row}"))?;
    if let Some(proof) = answer.proof {
        write!(out, "\n{}", proof.text())?;
    }
    Ok(())
}

fn answer(record: &Record<Go>) -> anyhow::Result<Answer> {
    let position = record.position();
    let (facts, moves) = ranked(record)?;
    let mut answer = Answer { moves, rule: None, words: None, board: Vec::new(), proof: None };
    let Some(best) = answer.moves.first().map(|best| best.point.clone()) else {
        return Ok(answer);
    };
    let theory = theory(&facts)?;
    let goal = read_query(&format!("best_move({NAME},{best})"))?;
    let explanation = explain(&theory, &goal, Limits::default())?;
    let explanation = explanation.context("a good move is the best of those that there are")?;
    answer.rule = Some(explanation.rule.to_string());
    answer.words = Some(in_words(&explanation.rule));
    answer.board = board(position, position.parse_move(&best)?);
    answer.proof = Some(Shown::new(&explanation.proof, &theory));
    Ok(answer)
}

fn theory(facts: &str) -> anyhow::Result<Theory> {
    Ok(Theory::read(("go.pl", THEORY), ("position", facts))?)
}

/// The moves that the theory proves good, each with the opponent's stones that die of it.
fn good_moves(record: &Record<Go>, facts: &str) -> anyhow::Result<Vec<(Move, u32)>> {
    let (theory, position) = (theory(facts)?, record.position());
    let mut good = Vec::new();
    for point in (0..position.layout().area()).map(Move::point) {
        if !position.is_legal(point) {
            continue;
        }
        let goal = format!("good_move({NAME},{})", point_name(position, point));
        let goal = read_query(&goal)?;
        if Prover::new(&theory, &goal, Limits::default()).next_proof()?.is_some() {
            good.push((point, dying(position, point)));
        }
    }
    Ok(good)
}

/// Stones of the opponent that are taken at once, or stand in blocks beside the move that are dead then.
fn dying(position: &Go, point: Move) -> u32 {
    let mut after = position.clone();
    after.play(point);
    let foe = (!position.side_to_move()).index();
    let taken = position.stones()[foe].minus(after.stones()[foe]);
    let blocks = killed(position, point).into_iter();
    // Both sides may be one block.
    let stones: BTreeSet<Move> = blocks
        .flat_map(|(_, stone)| position.group(stone))
        .filter(|&stone| after.stone(stone).is_some())
        .collect();
    taken.len() + stones.len() as u32
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;
    use banyan_games::go::GoRules;

    use super::*;

    /// Stones that die of Black's move on a board of nine points a side.
    fn dying_of(mv: &str, black: &str, white: &str) -> u32 {
        let rules = GoRules::new(9, 14).expect("a size");
        let empty = Record::<Go>::new(&rules);
        let point = |text: &str| empty.position().parse_move(text).expect("a point");
        let stones: Vec<(Color, Move)> = [(Color::Black, black), (Color::White, white)]
            .into_iter()
            .flat_map(|(color, text)| text.split(' ').map(move |name| (color, point(name))))
            .collect();
        let record = Record::set_up(&rules, &stones, Color::Black).expect("stones");
        dying(record.position(), point(mv))
    }

    #[test]
    fn a_block_beside_a_move_that_lives_does_not_count() {
        // The left block has two eyes, the right one is taken.
        let white = "b9 d9 a8 b8 c8 d8 f9 g9";
        assert_eq!(dying_of("e9", "e8 e7 f8 g8 h9", white), 2);
    }

    #[test]
    fn one_block_on_both_sides_of_a_move_counts_once() {
        let black = "e3 e4 d4 f4 c5 b6 c7 d7 e7 f7 g6 g5";
        assert_eq!(dying_of("e5", black, "d5 d6 e6 f6 f5"), 5);
    }
}
