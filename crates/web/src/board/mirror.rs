//! A board that only looks on: the game that a front end plays, and what its engine thinks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_engine::{Onlooker, Playable, Report};
use banyan_games::{Color, Move, Record, Rules};
use banyan_records::{ggf, sgf};

use super::ask::Wishes;
use super::scene::{self, Plies, Position, Scene, Task, Thought};
use super::screen::{Files, Screen};

/// Between two scenes of a search.
const INTERVAL: Duration = Duration::from_millis(150);

/// Board, variant, stones and first side of a game.
#[derive(Clone, Debug, PartialEq)]
struct Start {
    rules: Rules,
    setup: Vec<(Color, Move)>,
    side: Color,
}

impl Start {
    fn of<G: Playable>(record: &Record<G>) -> Start {
        let start = record.start();
        let rules: Rules = start.rules().clone().into();
        let rules = rules.with_komi(0.0).unwrap_or(rules);
        Start { rules, setup: record.setup().to_vec(), side: start.side_to_move() }
    }
}

/// Shows a front end's game on a screen.
#[derive(Debug)]
pub struct Mirror {
    screen: Arc<Screen>,
    /// Values of the game's positions to Black, the start first.
    values: Vec<Option<f64>>,
    /// Where the game begins that these belong to, komi apart, and its plies.
    start: Option<Start>,
    plies: Vec<(Color, Move)>,
    /// The rules between two searches, which may go by another komi.
    rules: Option<Rules>,
    last: Option<Instant>,
    /// The best move of the last of these positions, once it was searched.
    best: Option<Move>,
}

impl Mirror {
    /// A mirror of what is to come.
    pub fn new(screen: Arc<Screen>) -> Mirror {
        let (values, plies) = (Vec::new(), Vec::new());
        Mirror { screen, values, start: None, plies, rules: None, last: None, best: None }
    }

    /// Tells whether a game is the one that is shown; forgets that one where it begins otherwise.
    fn is_shown<G: Playable>(&mut self, record: &Record<G>, is_searched: bool) -> bool {
        let start = Some(Start::of(record));
        if self.start != start {
            (self.start, self.best) = (start, None);
            self.values.clear();
            self.plies.clear();
            self.rules = None;
        }
        let rules = Some(record.start().rules().clone().into());
        let is_same = is_searched || self.rules == rules;
        if !is_searched {
            self.rules = rules;
        }
        is_same && self.plies == record.plies()
    }

    /// Forgets what is no longer of this game.
    fn follow<G: Playable>(&mut self, record: &Record<G>) {
        let plies = record.plies();
        let same = self.plies.iter().zip(plies).take_while(|(a, b)| a == b).count();
        self.values.truncate(same + 1);
        // The best move is worth what the position was.
        let is_played = |&(_, mv): &(Color, Move)| self.best == Some(mv);
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
        let is_shown = self.is_shown(record, report.is_some());
        // What was thought of a position stays to be seen until the game goes on.
        if report.is_none() && self.last.is_some() && is_shown {
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
            ggf: ggf::write(record, &sgf::Header::default()).map(Into::into),
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

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};

    use super::*;

    fn go(size: u32, komi: i16) -> Record<Go> {
        Record::new(&GoRules::new(size, komi).expect("a size of Go"))
    }

    #[test]
    fn another_board_is_another_game_and_another_komi_in_a_search_is_none() {
        let mut mirror = Mirror::new(Arc::new(Screen::default()));
        let (small, large) = (go(9, 15), go(19, 15));
        assert!(!mirror.is_shown(&small, false), "the first that is seen");
        assert!(mirror.is_shown(&small, false));
        mirror.values = vec![Some(0.7)];
        assert!(mirror.is_shown(&go(9, -30), true), "a search under another komi");
        assert!(mirror.is_shown(&small, false));
        assert!(!mirror.is_shown(&go(9, 13), false), "its komi is another now");
        assert_eq!(mirror.values, [Some(0.7)]);
        assert!(!mirror.is_shown(&large, false), "a larger board");
        assert!(mirror.values.is_empty());
        let points = large.position().handicap_points(2).expect("there is room");
        let stones: Vec<_> = points.into_iter().map(|point| (Color::Black, point)).collect();
        let handicap =
            Record::<Go>::set_up(large.start().rules(), &stones, Color::White).expect("free");
        assert!(!mirror.is_shown(&handicap, false), "stones lie on it");
    }
}
