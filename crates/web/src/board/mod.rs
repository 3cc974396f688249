//! Boards on pages: games that people play and look into, each with a thread of its own.
//!
//! Reading order: `ask` (what a page may ask), `tree` (the plies with their variations), `start` (where a
//! game begins), `scene` (what is shown) on a `screen`, `settings` of a session and the `onlooker` of its
//! searches, `player` (the thread), `mirror` (a board that looks on at a front end's game), and here all boards
//! of a process.

pub mod ask;

mod tree;

mod start;

mod scene;

mod screen;

mod settings;

mod onlooker;

mod player;

mod mirror;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use banyan_games::Kind;
use banyan_jobs::Lender;
use crossbeam_channel::{Sender, TrySendError, bounded};

pub use mirror::Mirror;
pub(crate) use scene::{Position, point, stones};
pub use screen::{Files, Screen};

use ask::Ask;
use player::Means;
pub use player::RulesOf;
pub use settings::Networks;

/// Requests that wait while a board's thread is busy; it looks at them many times a second.
const ASKS_WAITING_MAX: usize = 64;

/// Boards of a process at a time.
const BOARDS_MAX: usize = 8;

/// The name of the board that shows a front end's game.
pub const WATCHED: &str = "watched";

/// A board. Its thread ends when this is dropped.
#[derive(Clone, Debug)]
struct Board {
    screen: Arc<Screen>,
    /// Nothing for one that only looks on.
    asks: Option<Sender<Ask>>,
    used: Instant,
}

/// Reasons why a request is not taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It has gone, or never was.
    #[error("there is no such board: it was closed, or the coordinator was started anew")]
    Gone,
    /// Nobody can play there.
    #[error("this board shows a program's game, and takes no moves")]
    Watched,
    /// Too many requests at once.
    #[error("the board is busy: try again")]
    Busy,
    /// Too many boards.
    #[error("there are {BOARDS_MAX} boards, and somebody looks at each: close one first")]
    Full,
    /// No board can be had here.
    #[error("no games are played here: this process shows one of its own")]
    Closed,
    /// The system has no thread to give.
    #[error("there is no thread for a board")]
    Thread,
}

/// All boards of a process.
pub struct Boards {
    /// By name; locked for moments.
    boards: Mutex<BTreeMap<String, Board>>,
    /// Nothing where no games are played.
    means: Option<Means>,
}

impl std::fmt::Debug for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boards").finish_non_exhaustive()
    }
}

impl Boards {
    /// Boards on which games are played.
    ///
    /// - `tree_bytes_max`: memory for all their trees together, bytes.
    /// - `networks`: those that judge here, one a game.
    /// - `threat_rules`: rules by which wins by threats are known sooner, by game.
    pub fn playing(
        lender: Arc<dyn Lender>,
        tree_bytes_max: usize,
        networks: Networks,
        threat_rules: RulesOf,
    ) -> Boards {
        let tree_bytes_max = tree_bytes_max / BOARDS_MAX;
        let means = Means { lender, tree_bytes_max, networks: Arc::new(networks), threat_rules };
        Boards { boards: Mutex::default(), means: Some(means) }
    }

    /// One board that looks on, and its screen.
    pub fn watching() -> (Boards, Arc<Screen>) {
        let screen = Arc::<Screen>::default();
        let board = Board { screen: screen.clone(), asks: None, used: Instant::now() };
        let boards = BTreeMap::from([(WATCHED.to_owned(), board)]);
        (Boards { boards: Mutex::new(boards), means: None }, screen)
    }

    /// Tells whether games are played here.
    pub fn are_played_on(&self) -> bool {
        self.means.is_some()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Board>> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new board under this name; where there are too many, one that nobody looks at makes room.
    ///
    /// # Errors
    /// [`BoardError`] where there can be none.
    pub fn open(&self, name: String, kind: Kind) -> Result<(), BoardError> {
        let means = self.means.clone().ok_or(BoardError::Closed)?;
        let mut boards = self.all();
        if boards.len() >= BOARDS_MAX {
            let unused = boards.iter().filter(|(_, board)| board.screen.followers() == 0);
            let oldest = unused.min_by_key(|(_, board)| board.used).map(|(name, _)| name.clone());
            boards.remove(&oldest.ok_or(BoardError::Full)?);
        }
        let (asks, inbox) = bounded(ASKS_WAITING_MAX);
        let screen = Arc::<Screen>::default();
        let shown = screen.clone();
        let thread = std::thread::Builder::new().name("board".to_owned());
        let thread =
            thread.spawn(move || player::play(player::first(kind), &means, &inbox, &shown));
        thread.map_err(|_| BoardError::Thread)?;
        boards.insert(name, Board { screen, asks: Some(asks), used: Instant::now() });
        Ok(())
    }

    /// Passes a request on.
    ///
    /// # Errors
    /// [`BoardError`] where nobody takes it.
    pub fn ask(&self, name: &str, ask: Ask) -> Result<(), BoardError> {
        let mut boards = self.all();
        let board = boards.get_mut(name).ok_or(BoardError::Gone)?;
        board.used = Instant::now();
        let asks = board.asks.as_ref().ok_or(BoardError::Watched)?;
        asks.try_send(ask).map_err(|error| match error {
            TrySendError::Full(_) => BoardError::Busy,
            TrySendError::Disconnected(_) => BoardError::Gone,
        })
    }

    /// Returns the screen of a board.
    pub fn screen(&self, name: &str) -> Option<Arc<Screen>> {
        self.all().get(name).map(|board| board.screen.clone())
    }
}
