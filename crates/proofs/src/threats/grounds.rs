//! Grounds of a proof by threats: the points that it plays on, and the windows in which its answers stand.

use std::collections::BTreeSet;

use banyan_games::line::{LineRules, Window, Windows};
use banyan_games::{Color, Move};
use rustc_hash::FxHashMap;

use crate::effort::Effort;
use crate::proof_number::{AndOr, ProofTree, Proved, Verdict, prove};

/// Positions of a proof at most, count: what is longer is seldom met again.
const PROOF_MAX: usize = 400;

/// An attack whose proof can be played through.
pub(super) trait Grounded<R>: AndOr {
    /// Returns the side to move.
    fn color(&self) -> Color;

    /// Has `grounds` rest on what decides here, besides the moves of the proof.
    fn rest_on(&self, proof: &ProofTree, grounds: &mut Grounds<R>);
}

/// Collects what a proof rests on, while it is played through.
#[derive(Clone, Debug)]
pub struct Grounds<R> {
    /// The board with nothing shut.
    windows: Windows<R>,
    attacker: Color,
    /// All points of the proof.
    points: BTreeSet<Move>,
    /// Number of answers that stand in a window at once before a stone of the attacker does.
    answers: FxHashMap<Window, u8>,
}

impl<R: LineRules> Grounds<R> {
    /// Makes the grounds of a proof that begins on this board, on which the attacker's stones alone stand.
    pub fn new(windows: Windows<R>, attacker: Color) -> Grounds<R> {
        let (points, answers) = (BTreeSet::new(), FxHashMap::default());
        Grounds { windows, attacker, points, answers }
    }

    /// Rests on a point too.
    pub fn rest_on(&mut self, points: impl IntoIterator<Item = Move>) {
        self.points.extend(points);
    }

    /// Plays a move of either side.
    pub fn play(&mut self, color: Color, mv: Move) {
        self.points.insert(mv);
        self.windows.put(color, mv);
        if color == self.attacker {
            return;
        }
        for window in self.windows.through(mv) {
            if let Some(stones) = self.windows.stones_alone(color, window) {
                let most = self.answers.entry(window).or_default();
                *most = stones.max(*most);
            }
        }
    }

    /// Takes the last move back.
    pub fn take(&mut self, color: Color, mv: Move) {
        self.windows.take(color, mv);
    }

    /// Plays a line that begins with the attacker, and takes it back.
    pub fn play_through(&mut self, line: &[Move]) {
        let sides = [self.attacker, !self.attacker].into_iter().cycle();
        let plies: Vec<(Color, Move)> = sides.zip(line.iter().copied()).collect();
        plies.iter().for_each(|&(color, mv)| self.play(color, mv));
        plies.iter().rev().for_each(|&(color, mv)| self.take(color, mv));
    }

    /// Proves an attack, and plays the proof through; nothing where it does not win, or is seen to without any rule.
    pub(super) fn prove(&mut self, attack: &impl Grounded<R>, effort: Effort) -> Option<Proved> {
        let proved = prove(attack, (effort.nodes_max, effort.table_bytes), PROOF_MAX)?;
        let is_rule = proved.verdict == Verdict::Proven && !proved.tree.is_empty();
        is_rule.then(|| self.play_proof(attack, &proved.tree))?;
        Some(proved)
    }

    fn play_proof(&mut self, attack: &impl Grounded<R>, proof: &ProofTree) {
        attack.rest_on(proof, self);
        let color = attack.color();
        for (mv, below) in &proof.moves {
            let mut next = attack.clone();
            next.play(*mv);
            self.play(color, *mv);
            self.play_proof(&next, below);
            self.take(color, *mv);
        }
    }

    /// Returns the side whose proof it is.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The points of the proof.
    pub fn points(&self) -> &BTreeSet<Move> {
        &self.points
    }

    /// Windows with answers in them, and how many; the attacker's stones of the beginning are in none.
    pub fn answers(&self) -> impl Iterator<Item = (Window, u8)> {
        self.answers.iter().map(|(&window, &answers)| (window, answers))
    }

    /// The points of a window.
    pub fn points_of(&self, window: Window) -> impl Iterator<Item = Move> + use<R> {
        self.windows.points(window)
    }
}
