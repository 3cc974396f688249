//! Every bound on what is held or accepted, each with its reason.
//!
//! Decoding checks what peers send against these; what we send ourselves is asserted.

use std::time::Duration;

/// Bytes of one message on the wire. 512 tallies with AMAF counts of a 19x19 board take about 2 MiB.
pub const MESSAGE_BYTES_MAX: usize = 4 << 20;

/// Bytes that may be under way on a connection without a word from the other side: a few messages, so
/// that nobody waits for leave to send.
pub const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// Bytes of one frame: a message fits one, or a receiver wakes for each part of it.
pub const FRAME_BYTES_MAX: u32 = 1 << 18;

/// Batches in one message.
pub const BATCHES_PER_MESSAGE_MAX: usize = 256;

/// Tallies in one message: as many as batches could have come in one.
pub const TALLIES_PER_MESSAGE_MAX: usize = 512;

/// Playouts of one batch. Who makes batches keeps them to some milliseconds of work; this many are
/// that for the cheapest games only.
pub const PLAYOUTS_PER_BATCH_MAX: u32 = 1 << 16;

/// Parts in flight of a subtree batch that is spread: two for each thread of a worker.
pub const PARTS_MAX: u32 = 2 * THREADS_MAX;

/// Playouts through the leaf of a subtree batch so far: who has more is no leaf.
pub const KNOWN_VISITS_MAX: u32 = 1 << 24;

/// Groups of siblings in a subtree batch and in its tally: the leaf's, and those of the few nodes worth a look.
pub const GROUPS_MAX: usize = 16;

/// The same where an evaluator judges: each node that was judged, since what is left out is judged again.
pub const JUDGED_GROUPS_MAX: usize = 128;

/// Nodes of a worker's private tree, as memory: 32 MiB a thread.
pub const PRIVATE_TREE_BYTES_MAX: usize = 32 << 20;

/// Ends of the bounds of a subproblem for a score, either way: one beyond the discs of Othello's board.
pub const SCORE_BOUND_MAX: i32 = 65;

/// Games of self-play of one batch: with all that was thought of them they fit in a message.
pub const GAMES_PER_BATCH_MAX: u32 = 64;

/// Visits of one search of self-play.
pub const SELFPLAY_VISITS_MAX: u32 = banyan_selfplay::game::VISITS_MAX;

/// Completions of one trial of a rule: some seconds of a thread.
pub const COMPLETIONS_PER_TRIAL_MAX: u32 = 1000;

/// Bytes of a rule as text. As many as there may be batches in a message fit it.
pub const RULE_BYTES_MAX: usize = banyan_rules::TEXT_MAX;

/// Bytes of a proof as text: that of a rule has some hundred positions at most.
pub const PROOF_BYTES_MAX: usize = 1 << 16;

/// Plies of one search in games of classical searches: more than there is time for in thousands of games.
pub const PRACTICE_PLIES_MAX: u32 = 20;

/// Empty points from which games of Othello against oneself are solved: seconds a game.
pub const PRACTICE_SOLVE_MAX: u32 = 24;

/// Bytes of the games of one batch of classical searches, 64 of Connect6, none longer than 150 plies; and of its
/// positions with the moves that lead there.
pub const PRACTICE_BYTES_MAX: usize = 1 << 17;

/// Positions of searches of one batch.
pub const LABELS_PER_BATCH_MAX: u32 = banyan_selfplay::patterns::LABELS_MAX;

/// Plies that a subproblem may look ahead: more than there is ever time for.
pub const SOLVING_DEPTH_MAX: u32 = 128;

/// Positions that a subproblem may cost: some seconds of a thread.
pub const SOLVING_NODES_MAX: u32 = 1 << 26;

/// Plies from a root to a leaf. A uniform game on the largest board ends before twice its area.
pub const PATH_PLIES_MAX: usize = 2048;

/// Plies of a game before its root, setup stones not counted.
pub const ROOT_PLIES_MAX: usize = 4096;

/// Characters of a worker's name, which stands in tables and metrics.
pub const NAME_CHARS_MAX: usize = 64;

/// Threads of one worker.
pub const THREADS_MAX: u32 = 4096;

/// Games a profile may list; more than there are is nonsense.
pub const GAMES_MAX: usize = 64;

/// Evaluators a profile may list, far more than those of a build and what a worker keeps of what came.
pub const EVALUATORS_MAX: usize = 1024;

/// Bytes of a model that travels: weights of the largest network that is read, and its header.
pub const MODEL_BYTES_MAX: u64 = 257 << 20;

/// Bytes of a model in one message: small beside what may be under way, so that work is not held up.
pub const MODEL_PART_BYTES_MAX: usize = 1 << 18;

/// Roots a worker keeps ready: the current one and the last of each session, and what its cluster lends on.
pub const ROOTS_HELD_MAX: usize = 256;

/// Roots of another coordinator that a cluster lends on.
pub const ROOTS_LENT_ON_MAX: usize = 128;

/// Workers on one coordinator.
pub const WORKERS_MAX: usize = 4096;

/// Messages under way to one worker, whose queue takes memory only for those that are there. After a
/// link has stalled, as many answers come at once as were in flight, and each is answered with more work.
pub const OUTBOUND_MESSAGES_MAX: usize = 8192;

/// Events waiting for the scheduler: a few from each worker of a large cluster.
pub const EVENTS_WAITING_MAX: usize = 8192;

/// Batches of one session in flight: windows of a large cluster at a batch a playout.
pub const BATCHES_IN_FLIGHT_MAX: usize = 1 << 16;

/// Front ends that one coordinator serves at a time, at most; `--sessions` says how many it does.
pub const SESSIONS_MAX: u32 = 60;

/// The largest number of a session, all bits set: a batch's name has 24 bits for it.
pub const SESSION_ID_MAX: u32 = (1 << 24) - 1;

/// The largest weight of a session: beside it others still get a percent.
pub const WEIGHT_MAX: u32 = 100;

/// No search of a front end lasts longer: whoever wants more asks again.
pub const SEARCH_TIME_MAX: Duration = Duration::from_secs(366 * 24 * 3600);

/// Searches of one session that wait: one may come while the last one ends.
pub const REQUESTS_WAITING_MAX: usize = 1;

/// Responses that wait for a front end to read them: a second's worth. A last one waits for room.
pub const RESPONSES_WAITING_MAX: usize = 10;

/// Audits of one session that are open at once; with this many the workers have more to do than compare.
pub const AUDITS_OPEN_MAX: usize = 1024;

/// Batches that the coordinator plays itself at once, each on a thread of its own.
pub const QUESTIONS_OPEN_MAX: usize = 2;

/// Bytes of merged tallies that a session keeps, should one have to be taken back: more than an audit
/// takes to find who always lies.
pub const MERGED_BYTES_MAX: usize = 64 << 20;

/// A worker not heard of for so long is gone: three pings, and a second for a busy machine.
pub const SILENCE_MAX: Duration = Duration::from_millis(1900);

/// Between two pings to a worker.
pub const PING_INTERVAL: Duration = Duration::from_millis(300);

/// A stranger has so long to say hello.
pub const HELLO_TIME_MAX: Duration = Duration::from_secs(5);

/// Connections from one address that have not said yet who they are: as many workers as a scheduler of
/// jobs may start at once behind one address. When one more comes the oldest goes.
pub const STRANGERS_PER_ADDRESS_MAX: usize = 128;

/// Connections from everywhere that have not said yet who they are; more are closed at once.
pub const STRANGERS_MAX: usize = 1024;

/// Streams that one connection may have open: a worker has one, a health probe a few.
pub const STREAMS_PER_CONNECTION_MAX: u32 = 16;

/// A worker gives a silent coordinator so long before it dials again: a coordinator may be stopped by
/// a judge while its opponent thinks, and its workers should still be there afterwards.
pub const COORDINATOR_SILENCE_MAX: Duration = Duration::from_secs(20);

/// No lease lasts shorter, however fast the worker.
pub const LEASE_MIN: Duration = Duration::from_secs(2);

const _: () = assert!(BATCHES_PER_MESSAGE_MAX * RULE_BYTES_MAX < MESSAGE_BYTES_MAX);
const _: () = assert!(TALLIES_PER_MESSAGE_MAX >= BATCHES_PER_MESSAGE_MAX);
// A root that is lent from is never forgotten for another's; the last two are the solver's.
const _: () = assert!(2 * SESSIONS_MAX as usize + 2 <= ROOTS_LENT_ON_MAX);
const _: () = assert!(2 * SESSIONS_MAX as usize + 2 + ROOTS_LENT_ON_MAX <= ROOTS_HELD_MAX);
// A worker is found silent before its leases would run out one by one.
const _: () = assert!(SILENCE_MAX.as_millis() < LEASE_MIN.as_millis());
const _: () = assert!(SILENCE_MAX.as_millis() > 3 * PING_INTERVAL.as_millis());

const _: () = assert!(MODEL_PART_BYTES_MAX < STREAM_WINDOW_BYTES as usize);
// What an honest worker answers always fits.
const _: () = assert!(
    LABELS_PER_BATCH_MAX as usize * banyan_selfplay::patterns::line_games::RECORD_BYTES_MAX
        <= PRACTICE_BYTES_MAX
);

/// A number or a list that cannot be what it says it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// Outside its limit.
    #[error("{what}: {found}, at most {max}")]
    TooMany {
        /// Name of the quantity.
        what: &'static str,
        /// Amount found.
        found: u64,
        /// The limit.
        max: u64,
    },
    /// Does not fit what it stands beside.
    #[error("{what}: {found} instead of {expected}")]
    Unequal {
        /// Name of the quantity.
        what: &'static str,
        /// Number found.
        found: u64,
        /// Number that it should be.
        expected: u64,
    },
}

/// # Errors
/// [`LimitError::TooMany`] when `found` is above `max`.
pub fn at_most(what: &'static str, found: u64, max: u64) -> Result<(), LimitError> {
    if found <= max { Ok(()) } else { Err(LimitError::TooMany { what, found, max }) }
}

/// # Errors
/// [`LimitError::Unequal`] when they are not the same.
pub fn equal(what: &'static str, found: u64, expected: u64) -> Result<(), LimitError> {
    if found == expected { Ok(()) } else { Err(LimitError::Unequal { what, found, expected }) }
}
