//! The games of a match, several at a time.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use banyan_games::{Color, Kind, Record};
use banyan_knowledge::Knowledge;

use super::duel::{Played, play};
use super::engine::{Engine, EngineError};
use super::log::{Entrant, GameLine};
use super::openings::Openings;
use super::terms::Terms;
use super::verdict::{Reason, Verdict};

/// A match: what is played, by whom, how often.
#[derive(Clone, Debug)]
pub struct Plan<G: Knowledge> {
    /// Terms that every game has in common.
    pub terms: Terms<G>,
    /// Command lines of first and second.
    pub commands: [String; 2],
    /// First plies.
    pub openings: Openings,
    /// Games in all, of which odd ones have first as Black.
    pub games: u32,
    /// Games at a time.
    pub concurrency: usize,
    /// Engines stay from game to game, and are told to clear their board.
    pub keep_engines: bool,
}

/// Tells whether more games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Start the next game.
    Play,
    /// Finish those that run.
    Stop,
}

impl<G: Knowledge> Plan<G> {
    /// The entrant that has Black in a game.
    pub fn black(&self, game: u32) -> Entrant {
        if game % 2 == 1 { Entrant::First } else { Entrant::Second }
    }

    /// The opening of a game as its people write it.
    pub fn opening_text(&self, game: u32) -> Vec<String> {
        let start = G::new(&self.terms.rules);
        self.opening(game).into_iter().map(|mv| start.move_text(mv)).collect()
    }

    fn opening(&self, game: u32) -> Vec<banyan_games::Move> {
        self.openings.of_pair((game - 1) / 2, &self.terms.start())
    }

    /// Starts an engine, asks its name and sets it up for the game, to find what is misspelt before
    /// a whole match is lost by it.
    ///
    /// # Errors
    /// What the engine cannot do.
    pub fn probe(&self, entrant: Entrant) -> Result<String, EngineError> {
        self.probe_command(&self.commands[entrant.index()])
    }

    /// The same of any engine, such as the referee.
    pub fn probe_command(&self, command: &str) -> Result<String, EngineError> {
        let bound: Duration = self.terms.hang_after;
        let mut engine = Engine::start(command)?;
        let name = engine.ask("name", bound)?;
        let version = engine.ask("version", bound).unwrap_or_default();
        for command in self.terms.start_commands() {
            engine.ask(&command, bound)?;
        }
        engine.quit();
        Ok(format!("{name} {version}").trim().to_owned())
    }

    /// Plays every game but those in `done`, and hands each to `each` as it ends.
    pub fn run(&self, done: &[u32], mut each: impl FnMut(GameLine, &Record<G>) -> Next) {
        let games: VecDeque<u32> = (1..=self.games).filter(|game| !done.contains(game)).collect();
        // Games not yet started; emptied to stop. Taken from by the players, emptied by this thread.
        let waiting = Mutex::new(games);
        let (sender, ended) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency {
                let (waiting, sender) = (&waiting, sender.clone());
                scope.spawn(move || self.play_waiting(waiting, &sender));
            }
            drop(sender);
            for (line, record) in ended {
                if each(line, &record) == Next::Stop
                    && let Ok(mut waiting) = waiting.lock()
                {
                    waiting.clear();
                }
            }
        });
    }

    fn play_waiting(&self, waiting: &Mutex<VecDeque<u32>>, ended: &Sender<(GameLine, Record<G>)>) {
        let mut kept = [None, None];
        loop {
            let next = waiting.lock().ok().and_then(|mut games| games.pop_front());
            let Some(game) = next else { break };
            let (line, record) = self.play_game(game, &mut kept);
            if ended.send((line, record)).is_err() {
                break;
            }
        }
        kept.into_iter().flatten().for_each(Engine::quit);
    }

    fn play_game(&self, game: u32, kept: &mut [Option<Engine>; 2]) -> (GameLine, Record<G>) {
        let played = match self.seat(kept) {
            Ok(mut engines) => {
                let played = self.play_seated(game, &mut engines);
                self.unseat(engines, played.verdict.reason, kept);
                played
            }
            Err((entrant, error)) => self.unplayed(game, entrant, &error),
        };
        (self.line(game, &played), played.record)
    }

    /// Both engines, those of the last game where they are kept.
    fn seat(&self, kept: &mut [Option<Engine>; 2]) -> Result<[Engine; 2], (Entrant, EngineError)> {
        let mut take = |entrant: Entrant| match kept[entrant.index()].take() {
            Some(engine) => Ok(engine),
            None => Engine::start(&self.commands[entrant.index()]).map_err(|e| (entrant, e)),
        };
        Ok([take(Entrant::First)?, take(Entrant::Second)?])
    }

    /// Engines of a game with a fault are not trusted with another.
    fn unseat(&self, engines: [Engine; 2], reason: Reason, kept: &mut [Option<Engine>; 2]) {
        let sound = engines.iter().all(Engine::is_sound);
        if self.keep_engines && sound && !Reason::FAULTS.contains(&reason) {
            *kept = engines.map(Some);
        } else {
            engines.into_iter().for_each(Engine::quit);
        }
    }

    fn play_seated(&self, game: u32, engines: &mut [Engine; 2]) -> Played<G> {
        let [first, second] = engines;
        let seats = match self.black(game) {
            Entrant::First => [first, second],
            Entrant::Second => [second, first],
        };
        play(&self.terms, &self.opening(game), seats)
    }

    /// A game that `entrant` lost because its engine could not be started.
    fn unplayed(&self, game: u32, entrant: Entrant, error: &EngineError) -> Played<G> {
        let color = if self.black(game) == entrant { Color::Black } else { Color::White };
        Played {
            record: self.terms.start(),
            verdict: Verdict::failed(color, error),
            seconds: [0.0; 2],
            genmoves: [0; 2],
        }
    }

    fn line(&self, game: u32, played: &Played<G>) -> GameLine {
        let black = self.black(game);
        // Indexed by entrant where the game's own figures are indexed by colour.
        let [first, second] = match black {
            Entrant::First => [0, 1],
            Entrant::Second => [1, 0],
        };
        let opening = self.opening_text(game);
        let start = played.record.start();
        let moves = played.record.plies().iter().skip(opening.len());
        let has_margins = matches!(G::KIND, Kind::Go | Kind::Othello);
        let winner = played.verdict.winner.map(|color| match color {
            Color::Black => black,
            Color::White => black.other(),
        });
        GameLine {
            game,
            rules: self.terms.rules.to_string(),
            terms: self.terms.words(),
            commands: self.commands.clone(),
            black,
            opening,
            moves: moves.map(|&(_, mv)| start.move_text(mv)).collect(),
            result: played.verdict.result(),
            winner,
            points: Entrant::BOTH.map(|entrant| match winner {
                None => 0.5,
                Some(winner) => f64::from(u8::from(winner == entrant)),
            }),
            margin: played.verdict.outcome.filter(|_| has_margins).map(|outcome| {
                let black_won_by = outcome.margin.as_points();
                if black == Entrant::First { black_won_by } else { -black_won_by }
            }),
            reason: played.verdict.reason,
            detail: played.verdict.detail.clone(),
            seconds: [played.seconds[first], played.seconds[second]],
            genmoves: [played.genmoves[first], played.genmoves[second]],
        }
    }
}
