//! One thread's classical search, with the memory that it goes by.

use banyan_games::{Move, Record};
use banyan_knowledge::Digest;
use banyan_search::Searchable;
use banyan_search::classical::{Found, Memory, Problem, search};
use banyan_search::midgame;

use super::Classical;
use super::replies::Looks;
use super::until::Until;

/// Positions of a glance, about.
const GLANCE_NODES: u64 = 1_000;

/// The memory of a search.
#[derive(Debug)]
pub(super) enum Seat {
    /// Memory of a classical one, with the evaluation that it is of, once there is one; so many bytes.
    Classical(Option<(Digest, Memory)>, usize),
    /// Memory of the one by tables over patterns.
    Midgame(midgame::Memory),
}

impl Seat {
    /// Nothing yet, with room of so many bytes.
    pub fn new(by_patterns: bool, bytes: usize) -> Seat {
        match by_patterns {
            true => Seat::Midgame(midgame::Memory::new(bytes)),
            false => Seat::Classical(None, bytes),
        }
    }

    /// Tells whether it is of the search by tables over patterns.
    pub fn is_by_patterns(&self) -> bool {
        matches!(self, Seat::Midgame(_))
    }

    /// Searches a position whose game goes on, by what it remembers, for as long as `until` says.
    pub fn search<G: Searchable>(
        &mut self,
        classical: &Classical,
        position: &G,
        moves: &[Move],
        until: &Until,
    ) -> Found {
        let mut watch = until.clone();
        match (self, classical.searches_by_patterns(position)) {
            (Seat::Midgame(memory), Some(board)) => {
                let question = midgame::Question { board, moves, depth_max: u32::MAX };
                midgame::search(memory, &question, &mut watch)
            }
            (Seat::Classical(kept, bytes), _) => {
                let evaluation = classical.evaluation_at(position);
                let digest = evaluation.digest();
                let own = kept.take().filter(|(of, _)| *of == digest);
                let own = own.unwrap_or_else(|| (digest, Memory::new(*bytes)));
                let (_, memory) = kept.insert(own);
                let problem = Problem {
                    position,
                    moves,
                    evaluation: &*evaluation,
                    method: classical.method,
                    horizon: classical.horizon,
                    depth_max: u32::MAX,
                };
                search(memory, &problem, &mut watch)
            }
            (Seat::Midgame(_), None) => unreachable!("a seat is of the game's own search"),
        }
    }

    /// The same as one that glances at positions.
    pub fn looks<'a>(&'a mut self, classical: &'a Classical, until: &Until) -> Glances<'a> {
        Glances { seat: self, classical, until: Until { nodes_max: GLANCE_NODES, ..until.clone() } }
    }
}

/// A seat that glances at positions.
pub(super) struct Glances<'a> {
    seat: &'a mut Seat,
    classical: &'a Classical,
    until: Until,
}

impl<G: Searchable> Looks<G> for Glances<'_> {
    fn glance(&mut self, record: &Record<G>, moves: &[Move]) -> Found {
        self.seat.search(self.classical, record.position(), moves, &self.until)
    }
}
