//! Screen of a board: the latest scene, which any number of pages follow.
//!
//! Nothing queues: a page that is slow sees the newest scene next, however many there were in between.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::scene::Scene;

/// The latest scene of a board.
#[derive(Debug)]
pub struct Screen {
    /// As JSON.
    scenes: watch::Sender<Arc<str>>,
    /// The game as files; written by the board's thread, locked for a copy.
    files: Mutex<Files>,
}

/// A game as the files that it can be saved as.
#[derive(Clone, Debug)]
pub struct Files {
    /// With all variations.
    pub sgf: Arc<str>,
    /// The line that is shown, of Othello.
    pub ggf: Option<Arc<str>>,
}

impl Default for Screen {
    fn default() -> Screen {
        let files = Files { sgf: "".into(), ggf: None };
        Screen { scenes: watch::Sender::new("null".into()), files: Mutex::new(files) }
    }
}

impl Screen {
    pub(super) fn show(&self, scene: &Scene) {
        let text = serde_json::to_string(scene).expect("plain values");
        self.scenes.send_if_modified(|shown| {
            let is_new = **shown != *text;
            if is_new {
                *shown = text.into();
            }
            is_new
        });
    }

    pub(super) fn keep(&self, files: Files) {
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
    }

    /// The scenes from now on, the latest first.
    pub fn follow(&self) -> watch::Receiver<Arc<str>> {
        self.scenes.subscribe()
    }

    /// Pages that follow.
    pub fn followers(&self) -> usize {
        self.scenes.receiver_count()
    }

    /// The game as files.
    pub fn files(&self) -> Files {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
