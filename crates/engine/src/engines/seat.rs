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

/// Room for what a glance remembers, bytes.
const GLANCE_BYTES: usize = 1 << 18;

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
                let own = own.unwrap_or_else(|| (digest, Memory::new(*bytes).resuming()));
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
        let position = record.position();
        if let Seat::Midgame(_) = self.seat {
            return self.seat.search(self.classical, position, moves, &self.until);
        }
        // A memory that resumes would begin as deep as it knows the position, and end before it has a value.
        let digest = self.classical.evaluation_at(position).digest();
        let fresh = Some((digest, Memory::new(GLANCE_BYTES)));
        let mut seat = Seat::Classical(fresh, GLANCE_BYTES);
        seat.search(self.classical, position, moves, &self.until)
    }

    fn best(&mut self, record: &Record<G>, moves: &[Move]) -> Move {
        self.seat.search(self.classical, record.position(), moves, &self.until).best
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::engines::tests::alpha_beta;

    #[test]
    fn a_glance_at_what_is_known_deeply_has_a_value_and_the_best_move_is_the_known_one() {
        let rules = GomokuRules::new(13, 13, Variant::Freestyle).expect("a size");
        let mut record = Record::<Gomoku>::new(&rules);
        for word in ["g7", "h8", "g8", "g9"] {
            let mv = record.position().parse_move(word).expect("a point");
            record.play(mv).expect("legal");
        }
        let classical = alpha_beta();
        let until = Until::stopped_by(Arc::default(), Instant::now() + Duration::from_secs(60));
        let moves = record.candidates();
        let mut seat = Seat::new(false, 1 << 22);
        let long = Until { nodes_max: 40_000, ..until.clone() };
        let deep = seat.search(&classical, record.position(), &moves, &long);
        assert!(deep.depth > 3, "{deep:?}");
        let mut glances = seat.looks(&classical, &until);
        for reply in moves {
            let mut record = record.clone();
            record.play(reply).expect("legal");
            let moves = record.candidates();
            // Of most replies nothing is known but that they are no better than the first.
            let glance = glances.glance(&record, &moves);
            assert!((1..deep.depth).contains(&glance.depth), "{glance:?}");
            if reply == deep.line[0] {
                assert_eq!(glances.best(&record, &moves), deep.line[1]);
            }
        }
    }
}
