//! Players of the games of classical searches that tables over patterns learn from: threads of this process, or the
//! workers of a cluster.

use std::sync::Arc;

use banyan_games::{Kind, Move, Rules};
use banyan_knowledge::{Patterns, pattern_files};
use banyan_selfplay::patterns::{self, Labelling, Practice};

use crate::crew::Crew;
use crate::meter::Meter;

/// A game, and what is wanted of its searches.
#[derive(Clone, Debug)]
pub struct GameToLabel {
    /// Its moves from the empty board, after none of which it is over.
    pub moves: Vec<Move>,
    /// The positions.
    pub labelling: Labelling,
}

/// Plays games, and takes positions of their searches; each is the same whoever does.
pub trait Practisers: Sync {
    /// Jobs that are best given out at a time.
    fn jobs_at_once(&self) -> usize;

    /// The games of each of these, as bytes.
    ///
    /// # Errors
    /// What keeps them from being played, in words.
    fn play(&self, rules: &Rules, parts: &[Practice]) -> anyhow::Result<Vec<Vec<u8>>>;

    /// Positions of the searches of each of these games of lines, with what other searches say of them, as the bytes
    /// of records.
    ///
    /// - `done`: told of each that was made.
    ///
    /// # Errors
    /// What keeps them from being made, in words.
    fn label(
        &self,
        rules: &Rules,
        parts: &[GameToLabel],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Vec<u8>>>;

    /// Threads of this process, for matches.
    fn crew(&self) -> Crew;

    /// Tells who did what since this was last asked, in words; nothing where it is this process alone.
    fn told(&self) -> Option<String> {
        None
    }
}

/// Tables that games are played by.
#[derive(Clone, Debug)]
pub struct Model {
    /// What they are.
    pub patterns: Patterns,
    /// Contents of their file.
    pub contents: Arc<[u8]>,
}

impl Model {
    /// Tables of a game, as `banyan train patterns` writes them.
    ///
    /// # Errors
    /// In words: contents that are none.
    pub fn read(game: Kind, contents: Vec<u8>) -> anyhow::Result<Model> {
        let patterns = pattern_files::read(game, &contents)?;
        Ok(Model { patterns, contents: contents.into() })
    }
}

/// Calls those who play the games of a game by tables, or by what is built in; by options that say who they are.
pub type Call<'a, H> = &'a dyn Fn(&H, Kind, Option<&Model>) -> anyhow::Result<Box<dyn Practisers>>;

/// Jobs of a thread between two writes.
const JOBS_A_THREAD: usize = 2;

/// Threads of this process.
#[derive(Clone, Debug)]
pub struct Alone {
    /// They.
    pub crew: Crew,
    /// Tables that they play by; nothing for what is built in.
    pub patterns: Option<Patterns>,
}

impl Practisers for Alone {
    fn jobs_at_once(&self) -> usize {
        JOBS_A_THREAD * self.crew.threads.get()
    }

    fn play(&self, rules: &Rules, parts: &[Practice]) -> anyhow::Result<Vec<Vec<u8>>> {
        let one = |part: &Practice, _: &mut _| patterns::play(rules, self.patterns.as_ref(), part);
        self.crew.map(parts, 0, &Meter::silent(), one).into_iter().collect()
    }

    fn label(
        &self,
        rules: &Rules,
        parts: &[GameToLabel],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Vec<u8>>> {
        let one = |GameToLabel { moves, labelling }: &GameToLabel, _: &mut _| {
            let labels = patterns::label(rules, self.patterns.as_ref(), moves, labelling);
            done();
            labels
        };
        self.crew.map(parts, 0, &Meter::silent(), one).into_iter().collect()
    }

    fn crew(&self) -> Crew {
        self.crew
    }
}
