//! A board that only looks on: the game that a front end plays, and what its engine thinks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_engine::{Onlooker, Playable, Report};
use banyan_games::{Move, Record};
use banyan_records::{ggf, sgf};

use super::ask::Wishes;
use super::scene::{self, Plies, Position, Scene, Task, Thought};
use super::screen::{Files, Screen};

/// Between two scenes of a search.
const INTERVAL: Duration = Duration::from_millis(150);

/// Shows a front end's game on a screen.
#[derive(Debug)]
pub struct Mirror {
    screen: Arc<Screen>,
    /// Values of the game's positions to Black, the start first.
    values: Vec<Option<f64>>,
    /// The plies that these belong to.
    plies: Vec<(banyan_games::Color, Move)>,
    last: Option<Instant>,
    /// The best move of the last of these positions, once it was searched.
    best: Option<Move>,
}

impl Mirror {
    /// A mirror of what is to come.
    pub fn new(screen: Arc<Screen>) -> Mirror {
        Mirror { screen, values: Vec::new(), plies: Vec::new(), last: None, best: None }
    }

    /// Forgets what is no longer of this game.
    fn follow<G: Playable>(&mut self, record: &Record<G>) {
        let plies = record.plies();
        let same = self.plies.iter().zip(plies).take_while(|(a, b)| a == b).count();
        self.values.truncate(same + 1);
        // The best move is worth what the position was.
        let is_played = |&(_, mv): &(banyan_games::Color, Move)| self.best == Some(mv);
        if same == self.plies.len() && plies.get(same).is_some_and(is_played) {
            self.values.extend(self.values.last().copied());
        }
        self.values.resize(plies.len() + 1, None);
        if self.plies != plies {
            self.best = None;
        }
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
        if let Some(report) = report
            && let Some(black) = scene::noted(report, position.side_to_move())
        {
            self.values[record.plies().len()] = Some(black);
            self.best = report.candidates.first().map(|best| best.mv);
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
            has_judge: false,
            thought: report.map(|report| Thought::of(position, report)),
            notice: None,
        });
    }
}
