//! The evaluations of Gomoku: by the shapes that stones would make, by what its windows could become, and
//! by the document's line matrices.

use std::sync::{Arc, LazyLock};

use banyan_games::Move;
use banyan_games::gomoku::Gomoku;

use crate::digest::Digest;
use crate::evaluation::{Evaluation, Ranked, unless_urgent};
use crate::line::mix::Stored;

use super::by_shapes::Shapes;
use super::mix::Mix;
use super::s9::S9;
use super::weights::Weights;
use super::windows;

/// The evaluations of Gomoku, the best for a position as it stands first, then the best once all is quiet.
pub(super) static ALL: LazyLock<[Arc<dyn Evaluation<Gomoku>>; 7]> = LazyLock::new(|| {
    [
        Arc::new(Shapes::new(Weights::learned_shared())),
        Arc::new(Mix::of(Stored::built_in())),
        Arc::new(Windows),
        Arc::new(S9::PLAIN),
        Arc::new(S9::WITH_CUT),
        Arc::new(S9::RUNS),
        Arc::new(S9::RUNS_WITH_CUT),
    ]
});

/// By what the windows could become.
#[derive(Debug)]
struct Windows;

impl Evaluation<Gomoku> for Windows {
    fn name(&self) -> &str {
        "windows"
    }

    fn digest(&self) -> Digest {
        Digest::EMPTY.and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        40.0
    }

    fn value(&self, position: &Gomoku) -> i32 {
        windows::value(position)
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        windows::rank_all(position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        unless_urgent((position, moves), windows::urgent, windows::value)
    }
}
