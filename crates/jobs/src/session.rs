//! Messages between a front end and the coordinator that serves it, and a session's claim on the cluster.

use std::num::NonZeroU32;
use std::time::Duration;

use banyan_games::Move;
use banyan_knowledge::Policy;
/// The parts of responses that the search defines.
pub use banyan_search::{Candidate, FinalMove};

use crate::plan::Plan;
use crate::root::Root;
use crate::sums::Sums;

/// The version of these messages. Both sides must speak the same one.
pub const SESSIONS_VERSION: u32 = 2;

/// The purpose of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// Somebody waits for the answer.
    #[default]
    Thinking,
    /// Nobody does: it gets what thinking leaves.
    Pondering,
    /// Work that can wait for as long as anybody plays, such as a book's: it gets what these two leave.
    Idle,
}

impl Purpose {
    /// Its word in metrics, traces and on pages.
    pub const fn word(self) -> &'static str {
        match self {
            Purpose::Thinking => "thinking",
            Purpose::Pondering => "pondering",
            Purpose::Idle => "idle",
        }
    }
}

/// A session's claim on the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Its purpose.
    pub purpose: Purpose,
    /// Its part beside others of the same purpose is in proportion to this.
    pub weight: NonZeroU32,
    /// The work is of a coordinator that this cluster works for: it goes to no worker which is a cluster itself, so
    /// that it never goes in a circle.
    pub is_lent_on: bool,
}

impl Default for Claim {
    /// Thinking, weight 1, and this cluster's own.
    fn default() -> Claim {
        Claim { purpose: Purpose::Thinking, weight: NonZeroU32::MIN, is_lent_on: false }
    }
}

/// From a front end.
#[derive(Clone, Debug, PartialEq)]
pub enum FromFrontEnd {
    /// The first message of a stream.
    Hello(Visitor),
    /// Search; the search before is over, or ends now.
    Search(Box<SearchRequest>),
    /// End the search of this number soon.
    Stop(u32),
}

/// A front end's description of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// For logs; not unique.
    pub name: String,
    /// The version of the program, for messages to people.
    pub build: String,
    /// The version of the messages.
    pub version: u32,
}

/// A search that a front end wants. Game, parameters and final move stay the same in a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Its responses carry this.
    pub number: u32,
    /// The position; the root's own number is not looked at.
    pub root: Root,
    /// Its claim on the cluster.
    pub claim: Claim,
    /// Plan of the search; no replies are singled out.
    pub plan: Plan,
    /// Stop after so long.
    pub time: Option<Duration>,
    /// The moves allowed at the root; empty for all candidates.
    pub allowed: Vec<Move>,
    /// Rule that chooses the root child to play.
    pub final_move: FinalMove,
    /// Hash the tree at the end.
    pub digest: bool,
}

impl SearchRequest {
    /// A search of a position without a limit, as everything is unless told otherwise.
    pub fn of(number: u32, root: Root) -> SearchRequest {
        SearchRequest {
            number,
            root,
            claim: Claim::default(),
            plan: Plan::of(Policy::Uniform),
            time: None,
            allowed: Vec::new(),
            final_move: FinalMove::Visits,
            digest: false,
        }
    }
}

/// To a front end.
#[derive(Clone, Debug, PartialEq)]
pub enum ToFrontEnd {
    /// The hello was accepted.
    Welcome,
    /// The session is over, or never began; the text is for people.
    Refused(String),
    /// State of a search, under way or ended.
    Response(Box<SearchResponse>),
}

/// State of a search, under way or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResponse {
    /// Number of the search.
    pub number: u32,
    /// Candidates at the root, best first.
    pub candidates: Vec<Candidate>,
    /// The most visited line.
    pub pv: Vec<Move>,
    /// Playouts through the root.
    pub visits: u64,
    /// The search's own sums.
    pub sums: Sums,
    /// Time since it began.
    pub elapsed: Duration,
    /// Set on the last one.
    pub end: Option<SearchEnd>,
}

/// Numbers that only the end of a search knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEnd {
    /// Hash of the tree, where it was asked for.
    pub digest: Option<u64>,
}
