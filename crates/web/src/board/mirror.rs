//! A board that only looks on: the game that a front end plays, and what its engine thinks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_engine::{Onlooker, Playable, Report};
use banyan_games::Record;
use banyan_records::{ggf, sgf};

use super::ask::Wishes;
use super::scene::{self, Plies, Position, Scene, Task, Thought};
use super::screen::{Files, Screen};

/// Between two scenes of a search.
const INTERVAL: Duration = Duration::from_millis(150);

/// Fewer visits say too little about a position to be noted beside its ply.
const NOTED_VISITS_MIN: u64 = 30;

/// Shows a front end's game on a screen.
#[derive(Debug)]
pub struct Mirror {
    screen: Arc<Screen>,
    /// Values of the game's positions to Black, the start first.
    values: Vec<Option<f64>>,
    /// The plies that these belong to.
    plies: Vec<(banyan_games::Color, banyan_games::Move)>,
    last: Option<Instant>,
}

impl Mirror {
    /// A mirror of what is to come.
    pub fn new(screen: Arc<Screen>) -> Mirror {
        Mirror { screen, values: Vec::new(), plies: Vec::new(), last: None }
    }

    /// Forgets what is no longer of this game.
    fn follow<G: Playable>(&mut self, record: &Record<G>) {
        let same = self.plies.iter().zip(record.plies()).take_while(|(a, b)| a == b).count();
        self.values.truncate(same + 1);
        self.values.resize(record.plies().len() + 1, None);
        self.plies = record.plies().to_vec();
    }
}

impl<G: Playable> Onlooker<G> for Mirror {
    fn look(&mut self, record: &Record<G>, report: Option<&Report>) {
        // What was thought of a position stays to be seen until the game goes on.
        if report.is_none() && self.last.is_some() && self.plies == record.plies() {
            return;
        }
        let is_last = report.is_none_or(|report| report.ended.is_some());
        if !is_last && self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        self.follow(record);
        let position = record.position();
        if let Some(report) = report.filter(|report| report.visits >= NOTED_VISITS_MIN) {
            let value = scene::black(report, position.side_to_move());
            self.values[record.plies().len()] = Some(value);
        }
        self.screen.keep(Files {
            sgf: sgf::write_sgf(record, &sgf::Header::default()).into(),
            ggf: ggf::write(record).map(Into::into),
        });
        self.screen.show(&Scene {
            position: Position::of(record),
            plies: Plies::line(record, &self.values),
            task: if is_last { Task::Idle } else { Task::Move },
            is_mine: false,
            sides: [false, false],
            wishes: Wishes::default(),
            has_evaluation: false,
            has_network: false,
            thought: report.map(|report| Thought::of(position, report)),
            notice: None,
        });
    }
}
