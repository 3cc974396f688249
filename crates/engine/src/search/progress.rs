//! State of a search, to be gone on with by another process.

use banyan_games::Move;
use banyan_jobs::limits::{self, LimitError, at_most, equal};
use banyan_jobs::sums::OWNERSHIP_ONE;
use banyan_jobs::{Batch, BatchId};
use banyan_search::{Image, Path, Searchable, Word};

use super::{Flight, Search, Sums};
use crate::sizing::Size;

/// All that a search knows beyond its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The tree.
    pub image: Image,
    /// The search's own counts.
    pub progress: Progress,
}

/// Counts of a search beside its tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Batches made, those in flight with them.
    pub batches: u64,
    /// Size of the last one.
    pub size: Size,
    /// Sums so far.
    pub sums: Sums,
    /// Batches in flight, in the order of making. Only of a search that merges in that order: it has
    /// to see them again; any other makes new ones.
    pub flights: Vec<Airborne>,
    /// Playouts made to be sure of what was claimed.
    pub made_sure: u64,
    /// The way to a node whose judgement is the next batch to be made.
    pub asking: Option<Vec<Move>>,
}

/// A batch in flight.
#[derive(Clone, Debug, PartialEq)]
pub struct Airborne {
    /// The batch; its number counts from the search's first.
    pub batch: Batch,
    /// Nodes of its path that are in the tree, the root with them; the rest was folded meanwhile.
    pub nodes: usize,
}

/// Reasons why a search cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgressError {
    /// Counts that cannot be, or that do not belong together.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A batch in flight that the tree did not make.
    #[error("batch {0} in flight is not one of this search")]
    Flight(u64),
}

/// A search makes far fewer batches in its life; the numbers of this many and as many more are names.
const BATCHES_MAX: u64 = 1 << 38;

/// Nor does it make nearly so many playouts to be sure of claims.
const PLAYOUTS_SURE_MAX: u64 = 1 << 48;

impl<G: Searchable> Search<G> {
    /// The search as it stands now, in a copy that can be written down elsewhere.
    pub fn standing(&self) -> Standing {
        let airborne = |(number, flight): (&u64, &Flight)| {
            let batch = flight.batch.clone()?;
            let id = BatchId::new(Default::default(), number - self.first_number);
            Some(Airborne { batch: Batch { id, ..batch }, nodes: flight.path.len() })
        };
        let mut image = self.tree.image();
        // Judgements on their way that nobody waits for after a restart are asked for again.
        for flight in self.flights.values().filter(|it| it.playouts == 0 && it.batch.is_none()) {
            image.forget_asking(&flight.path);
        }
        let moves = |path: &Path| path[1..].iter().map(|&node| self.tree.move_into(node)).collect();
        Standing {
            image,
            progress: Progress {
                batches: self.next_number - self.first_number,
                size: self.size,
                sums: self.sums.clone(),
                flights: self.flights.iter().filter_map(airborne).collect(),
                made_sure: self.made_sure,
                asking: self.asking.as_ref().map(moves),
            },
        }
    }

    /// Goes on where a search of the same plan stood, whose tree this one has; returns the batches that
    /// must be lent again.
    ///
    /// # Errors
    /// [`ProgressError`] when it does not fit the tree or the plan; the search is then of no use.
    pub fn resume(&mut self, progress: Progress) -> Result<Vec<Batch>, ProgressError> {
        let Progress { batches, size, sums, flights, made_sure, asking } = progress;
        at_most("playouts to be sure", made_sure, PLAYOUTS_SURE_MAX)?;
        at_most("batches", batches, BATCHES_MAX)?;
        at_most(
            "playouts of a batch",
            size.playouts.into(),
            limits::PLAYOUTS_PER_BATCH_MAX.into(),
        )?;
        at_most("batches in flight", flights.len() as u64, limits::BATCHES_IN_FLIGHT_MAX as u64)?;
        let in_flight = flights.iter().map(|it| u64::from(self.visits_of(&it.batch.job))).sum();
        at_most("playouts in flight", in_flight, u32::MAX.into())?;
        let visits = self.tree.visits(self.tree.root());
        equal("playouts counted", sums.playouts, visits)?;
        let owners_max = visits.saturating_mul(OWNERSHIP_ONE);
        at_most("playouts with owners", sums.owner_playouts, owners_max)?;
        equal("points with owners", sums.ownership.len() as u64, self.sums.ownership.len() as u64)?;
        for held in &sums.ownership {
            at_most("playouts of an owner", held.unsigned_abs(), owners_max)?;
        }
        at_most("moves with scores", sums.scores.len() as u64, sums.ownership.len() as u64 + 1)?;
        sums.scores.iter().try_for_each(|scores| scores.check(visits))?;
        self.next_number = self.first_number + batches;
        self.made = sums.playouts + in_flight;
        (self.size, self.sums, self.made_sure) = (size, sums, made_sure);
        if let Some(moves) = asking {
            let path = self.tree.path_of(&moves);
            equal("plies to a node to be judged", path.len() as u64, moves.len() as u64 + 1)?;
            self.asking = Some(path);
        }
        flights.into_iter().map(|airborne| self.put_up_again(airborne)).collect()
    }

    /// Puts a batch in flight as it was when it was made.
    fn put_up_again(&mut self, airborne: Airborne) -> Result<Batch, ProgressError> {
        let Airborne { batch, nodes } = airborne;
        let nth = batch.id.number();
        let wrong = ProgressError::Flight(nth);
        let number = self.first_number + nth;
        let is_next = self.flights.last_key_value().is_none_or(|(&last, _)| number > last);
        let is_own = self.plan.in_order && is_next && number < self.next_number;
        if !is_own || nodes == 0 || nodes > batch.path.len() + 1 || !self.is_playable(&batch.path) {
            return Err(wrong);
        }
        let path = self.tree.path_of(&batch.path[..nodes - 1]);
        if path.len() != nodes {
            return Err(wrong);
        }
        let visits = self.visits_of(&batch.job);
        self.tree.add_virtual_loss(&path, visits);
        self.in_flight += visits;
        self.judging += u32::from(visits == 0);
        let id = BatchId::new(self.root.session, number);
        let batch = Batch { id, root: self.root, ..batch };
        let flight = Flight {
            path,
            nodes: batch.path.len() + 1,
            playouts: visits,
            word: Word::Peer,
            batch: Some(batch.clone()),
        };
        self.flights.insert(number, flight);
        Ok(batch)
    }

    fn is_playable(&self, path: &[Move]) -> bool {
        let mut position = self.position.clone();
        path.iter().all(|&mv| {
            let is_legal = position.is_legal(mv);
            if is_legal {
                position.play(mv);
            }
            is_legal
        })
    }
}
