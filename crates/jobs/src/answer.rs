//! Answers: what came back for a batch, one kind for each kind of job.

use banyan_games::Counts;
use banyan_knowledge::Judgement;
pub use banyan_rules::{Alone, Judged, Tried};
use banyan_search::Subtree;
pub use banyan_search::parallel::Bound;
use banyan_selfplay::PlayedGame;

use crate::ids::BatchId;
use crate::job::{NODES_PER_PLAYOUT, labels_cost, practice_cost, trial_cost};

/// The counts that came back for one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The batch.
    pub batch: BatchId,
    /// The answer to its job.
    pub answer: Answer,
}

/// The kinds of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Sums over leaf-parallel playouts.
    Counts(Counts),
    /// Sums over the playouts of a private tree, and what its most visited nodes counted.
    Subtree(Counts, Box<Subtree>),
    /// The finding of a search instead of playouts.
    Solved(Solved),
    /// An evaluator's judgement of the leaf.
    Judged(Judgement),
    /// Games of self-play, by rising seeds.
    Played(Vec<PlayedGame>),
    /// What came of a trial.
    Tried(Tried),
    /// Games of classical searches, as bytes, by rising seeds.
    Practised(Vec<u8>),
    /// Positions of classical searches with what they are worth, as bytes.
    Labelled(Vec<u8>),
}

/// A search's finding about a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// By how much it is so, or not.
    pub bound: Bound,
    /// Positions looked at.
    pub nodes: u32,
}

impl Answer {
    /// Its sums, where playouts were made.
    #[inline]
    pub fn counts(&self) -> Option<&Counts> {
        match self {
            Answer::Counts(counts) | Answer::Subtree(counts, _) => Some(counts),
            _ => None,
        }
    }

    /// Its sums, to be changed.
    pub fn counts_mut(&mut self) -> Option<&mut Counts> {
        match self {
            Answer::Counts(counts) | Answer::Subtree(counts, _) => Some(counts),
            _ => None,
        }
    }

    /// The nodes of a private tree, where one was grown.
    #[inline]
    pub fn subtree(&self) -> Option<&Subtree> {
        match self {
            Answer::Subtree(_, subtree) => Some(subtree),
            _ => None,
        }
    }

    /// The finding of a search, where one was asked for.
    pub fn solved(&self) -> Option<Solved> {
        match self {
            Answer::Solved(solved) => Some(*solved),
            _ => None,
        }
    }

    /// Returns an evaluator's judgement, where one was asked.
    pub fn judged(&self) -> Option<&Judgement> {
        match self {
            Answer::Judged(judgement) => Some(judgement),
            _ => None,
        }
    }

    /// Games of self-play, where some were asked for.
    pub fn played(&self) -> Option<&[PlayedGame]> {
        match self {
            Answer::Played(games) => Some(games),
            _ => None,
        }
    }

    /// What came of a trial, where one was asked for.
    pub fn tried(&self) -> Option<&Tried> {
        match self {
            Answer::Tried(tried) => Some(tried),
            _ => None,
        }
    }

    /// Games of classical searches as bytes, where some were asked for.
    pub fn practised(&self) -> Option<&[u8]> {
        match self {
            Answer::Practised(games) => Some(games),
            _ => None,
        }
    }

    /// Positions of classical searches as bytes, where some were asked for.
    pub fn labelled(&self) -> Option<&[u8]> {
        match self {
            Answer::Labelled(positions) => Some(positions),
            _ => None,
        }
    }

    /// Playouts that were made.
    #[inline]
    pub fn playouts(&self) -> u32 {
        self.counts().map_or(0, Counts::playouts)
    }

    /// Evaluations that it tells of: of leaves, not those of self-play.
    pub fn evaluations(&self) -> u32 {
        match self {
            Answer::Judged(_) => 1,
            Answer::Subtree(counts, grown) if grown.is_judged() => counts.playouts(),
            _ => 0,
        }
    }

    /// Work that was done for it: playouts, evaluations, or positions looked at.
    pub fn work(&self) -> u32 {
        match self {
            Answer::Counts(counts) | Answer::Subtree(counts, _) => counts.playouts(),
            Answer::Solved(solved) => solved.nodes,
            Answer::Judged(_) => 1,
            Answer::Played(games) => games.iter().map(PlayedGame::cost).sum(),
            Answer::Tried(tried) => tried.judged.total().saturating_add(1),
            Answer::Practised(games) => practice_cost(games.len()),
            Answer::Labelled(positions) => labels_cost(positions.len()),
        }
    }

    /// Rough cost, in playouts.
    pub fn cost(&self) -> u32 {
        match self {
            Answer::Solved(solved) => solved.nodes.div_ceil(NODES_PER_PLAYOUT),
            Answer::Tried(tried) => trial_cost(tried.judged.total()),
            _ => self.work(),
        }
    }
}
