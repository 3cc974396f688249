//! Life and death of a chain in Go, by proof-number search on its local fight (S5).
//!
//! Who moves first matters: the question is always what becomes of the chain with the position's own
//! side to move. Kos: the fight is searched twice, once with each side winning every ko; where that
//! decides, the answer is ko.

pub mod rules;
pub mod seki;

use banyan_games::go::{Fate, Fight, FightError, Go};
use banyan_games::{Game, Move};

use crate::effort::Effort;
use crate::proof_number::{
    AndOr, Estimate, Player, ProofTree, Replies, Solution, Verdict, prove, solve,
};
use rules::{Lessons, Rules};

/// The fate of a chain in its fight.
///
/// The fight ends at the chains around it: those with three liberties outside and more are taken for alive, though they
/// may be weak themselves; and a chain that has more than two dozen empty points to run to has got away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It lives, whoever wins a ko; also in seki.
    Alive,
    /// It is taken, whoever wins a ko.
    Dead,
    /// The winner of a ko decides.
    Ko,
    /// The search gave up.
    Unknown,
}

impl Status {
    /// The word for programs: `alive`, `dead`, `ko` or `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Alive => "alive",
            Status::Dead => "dead",
            Status::Ko => "ko",
            Status::Unknown => "unknown",
        }
    }
}

/// The answer about one chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Its fate.
    pub status: Status,
    /// Best play, the first move first; for a ko the line in which the side to move wins it.
    pub line: Vec<Move>,
    /// Positions looked into, count.
    pub nodes: u64,
}

/// A second or two: what a person waits for.
pub const EFFORT: Effort = Effort { nodes_max: 1_000_000, table_bytes: 64 << 20 };

/// Memory for the short searches of [`vital_moves`], which must not take longer to clear than to fill.
const VITAL_TABLE_BYTES: usize = 1 << 16;

/// The fate of the chain on `target` when the side to move begins.
///
/// # Errors
/// [`FightError`] where no stone stands.
pub fn judge(position: &Go, target: Move, effort: Effort) -> Result<Judgement, FightError> {
    judge_with(position, target, effort, Learned::default())
}

/// Rules that a search uses, and where it writes down what it proves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned<'r> {
    /// Rules that it may use.
    pub rules: Option<&'r Rules>,
    /// Collector of proofs.
    pub lessons: Option<&'r Lessons>,
}

/// As [`judge`], with rules.
///
/// # Errors
/// [`FightError`] where no stone stands.
pub fn judge_with(
    position: &Go,
    target: Move,
    effort: Effort,
    learned: Learned<'_>,
) -> Result<Judgement, FightError> {
    let mover = position.side_to_move();
    let own = Fight::new(position, target, mover)?;
    let other = Fight::new(position, target, !mover)?;
    let defends = own.defender() == mover;
    let favoured = look(own, effort, learned);
    // Who fails although he wins every ko fails.
    let fails = if defends { Verdict::Proven } else { Verdict::Refuted };
    if favoured.verdict == Some(fails) || favoured.verdict.is_none() {
        return Ok(answer(favoured, None));
    }
    Ok(answer(favoured, Some(look(other, effort, learned))))
}

/// A move by which a chain lives or dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vital {
    /// The move, of the side whose turn it is.
    pub mv: Move,
    /// A stone of the chain: an own one that is saved or a foe's that is taken.
    pub target: Move,
    /// Stones of the chain, count.
    pub stones: u32,
}

/// Smaller chains are not asked about: single stones are given up all the time.
const STONES_MIN: usize = 2;

/// Two questions about a chain, each with either side winning kos.
const SEARCHES_A_CHAIN: u64 = 4;

/// Moves without which a chain's fate is another one: it is alive when its side begins and dead when the
/// other does, whoever wins kos, both proven. The largest chains first.
///
/// - `nodes_max`: positions looked into for all chains together.
/// - `rules`: fights that they know are not searched.
pub fn vital_moves(position: &Go, nodes_max: u64, rules: Option<&Rules>) -> Vec<Vital> {
    let side = position.side_to_move();
    let mut passed = position.clone();
    if passed.set_side_to_move(!side).is_err() {
        return Vec::new();
    }
    let mut chains = position.chains();
    chains.retain(|chain| chain.len() >= STONES_MIN);
    let each = nodes_max / (SEARCHES_A_CHAIN * chains.len().max(1) as u64);
    let effort = Effort { nodes_max: each, table_bytes: VITAL_TABLE_BYTES };
    let learned = Learned { rules, lessons: None };
    let mut vital: Vec<Vital> = chains
        .iter()
        .filter_map(|chain| {
            let target = chain[0];
            let (begun, waited) = match position.stone(target)? == side {
                true => (Status::Alive, Status::Dead),
                false => (Status::Dead, Status::Alive),
            };
            // What the other side does to it is the shorter question, more often answered with no.
            let after = judge_with(&passed, target, effort, learned).ok()?;
            let mut found = (after.status == waited)
                .then(|| judge_with(position, target, effort, learned).ok())??;
            // A rule that knows the fight as it stands says who wins, not by which move.
            if found.status == begun && found.line.is_empty() {
                found = judge(position, target, effort).ok()?;
            }
            let mv = *found.line.first().filter(|mv| !mv.is_pass())?;
            (found.status == begun).then_some(Vital { mv, target, stones: chain.len() as u32 })
        })
        .collect();
    vital.sort_by_key(|vital| (std::cmp::Reverse(vital.stones), vital.target));
    vital
}

fn look(fight: Fight, effort: Effort, learned: Learned<'_>) -> Solution {
    solve(&Capture { fight, learned }, effort.nodes_max, effort.table_bytes)
}

/// Finds the verdict on a fight, and the proof of it; nothing where the search gives up, or the proof has more than
/// `positions_max` positions. Proven: the chain is taken.
pub fn prove_fight(
    fight: Fight,
    effort: Effort,
    positions_max: usize,
) -> Option<(Verdict, ProofTree)> {
    let capture = Capture { fight, learned: Learned::default() };
    let proved = prove(&capture, (effort.nodes_max, effort.table_bytes), positions_max)?;
    Some((proved.verdict, proved.tree))
}

/// Finds what becomes of a fight.
pub fn solve_fight(fight: Fight, effort: Effort, learned: Learned<'_>) -> Solution {
    look(fight, effort, learned)
}

/// Joins the search in which the side to move wins kos and the one in which it does not.
fn answer(favoured: Solution, other: Option<Solution>) -> Judgement {
    let of = |verdict| match verdict {
        Some(Verdict::Proven) => Status::Dead,
        Some(Verdict::Refuted) => Status::Alive,
        None => Status::Unknown,
    };
    let nodes = favoured.nodes + other.as_ref().map_or(0, |other| other.nodes);
    let first = of(favoured.verdict);
    let second = other.as_ref().map_or(first, |other| of(other.verdict));
    let status = match (first, second) {
        (Status::Unknown, _) | (_, Status::Unknown) => Status::Unknown,
        (first, second) if first == second => first,
        _ => Status::Ko,
    };
    // What also works when kos are lost is the better line.
    let line = match other {
        Some(other) if status == first => other.line,
        _ => favoured.line,
    };
    let line = if status == Status::Unknown { Vec::new() } else { line };
    Judgement { status, line, nodes }
}

/// A fight with the goal to take the chain.
#[derive(Clone)]
struct Capture<'r> {
    fight: Fight,
    learned: Learned<'r>,
}

impl AndOr for Capture<'_> {
    const REPLIES: Replies = Replies::Hardest;

    fn verdict(&self) -> Option<Verdict> {
        self.fight.fate().map(|fate| match fate {
            Fate::Dead => Verdict::Proven,
            Fate::Alive => Verdict::Refuted,
        })
    }

    fn to_move(&self) -> Player {
        let defends = self.fight.side_to_move() == self.fight.defender();
        if defends { Player::Refuter } else { Player::Prover }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.fight.moves(moves);
    }

    fn play(&mut self, mv: Move) {
        self.fight.play(mv);
    }

    fn hash(&self) -> u64 {
        self.fight.hash()
    }

    /// Goes on for ever: as with a ko, for its winner.
    fn repetition(&self) -> Verdict {
        let saved = self.fight.ko_winner() == self.fight.defender();
        if saved { Verdict::Refuted } else { Verdict::Proven }
    }

    fn known(&self) -> Option<Verdict> {
        self.learned.rules?.verdict(&self.fight)
    }

    fn solved(&self, verdict: Verdict, work: u32) {
        if let Some(lessons) = self.learned.lessons {
            lessons.note(&self.fight, verdict, work);
        }
    }

    /// A chain with many liberties is far from being taken.
    fn estimate(&self) -> Estimate {
        Estimate { proof: self.fight.liberties().max(1), disproof: 1 }
    }
}
