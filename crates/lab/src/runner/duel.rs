//! One game: the runner keeps the board and the clocks, and asks the engines in turn.

use std::time::{Duration, Instant};

use banyan_games::{Color, Kind, Move, Record};
use banyan_knowledge::Knowledge;

use super::clock::{Clock, FlagFall, TimeSettings};
use super::engine::{Engine, EngineError};
use super::scoring;
use super::terms::{Terms, letter, play_command};
use super::verdict::{Reason, Verdict};

/// A finished game.
#[derive(Debug)]
pub struct Played<G: Knowledge> {
    /// Its moves, the opening with them, without an illegal last one.
    pub record: Record<G>,
    /// Verdict on it.
    pub verdict: Verdict,
    /// Seconds that each side took for its moves, indexed by [`Color::index`].
    pub seconds: [f64; 2],
    /// Moves that each side was asked for.
    pub genmoves: [u32; 2],
}

/// A step of the game, or the verdict that a failure of one side brings.
type Step<T> = Result<T, Verdict>;

/// Plays one game from `opening`, whose moves must be legal; `engines` are Black's and White's.
pub fn play<G: Knowledge>(
    terms: &Terms<G>,
    opening: &[Move],
    engines: [&mut Engine; 2],
) -> Played<G> {
    let clock = terms.time.and_then(TimeSettings::clock);
    let mut duel = Duel {
        terms,
        engines,
        clocks: [clock.clone(), clock],
        record: terms.start(),
        seconds: [0.0; 2],
        genmoves: [0; 2],
    };
    let verdict = duel.run(opening).unwrap_or_else(|failure| failure);
    Played { record: duel.record, verdict, seconds: duel.seconds, genmoves: duel.genmoves }
}

struct Duel<'a, G: Knowledge> {
    terms: &'a Terms<G>,
    engines: [&'a mut Engine; 2],
    clocks: [Option<Clock>; 2],
    record: Record<G>,
    seconds: [f64; 2],
    genmoves: [u32; 2],
}

impl<G: Knowledge> Duel<'_, G> {
    fn run(&mut self, opening: &[Move]) -> Step<Verdict> {
        for color in Color::BOTH {
            self.start(color)?;
        }
        for &mv in opening {
            let command = self.play_command(mv);
            for color in Color::BOTH {
                self.tell(color, &command)?;
            }
            self.add(mv)?;
        }
        loop {
            if let Some(outcome) = self.record.position().outcome() {
                let record = &self.record;
                return Ok(match G::KIND {
                    Kind::Go => scoring::score(self.terms, record, &mut self.engines, outcome),
                    _ => Verdict::ended(outcome, Reason::Rules, String::new()),
                });
            }
            if self.record.plies().len() >= self.terms.plies_max {
                let detail = format!("no end within {} plies", self.terms.plies_max);
                let (winner, outcome) = (None, None);
                return Ok(Verdict { winner, reason: Reason::PlyLimit, outcome, detail });
            }
            if self.pass_is_forced() {
                self.pass()?;
            } else if let Some(verdict) = self.ply()? {
                return Ok(verdict);
            }
        }
    }

    fn start(&mut self, color: Color) -> Step<()> {
        for command in self.terms.start_commands() {
            self.tell(color, &command)?;
        }
        if let Some(time) = self.terms.time {
            let settings = format!("time_settings {} {} {}", time.main, time.overtime, time.stones);
            self.tell_if_known(color, &settings)?;
        }
        Ok(())
    }

    /// Asks the side to move for its ply; a verdict if it resigned.
    fn ply(&mut self) -> Step<Option<Verdict>> {
        let color = self.record.position().side_to_move();
        let text = self.genmove(color)?;
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Some(Verdict::lost(color, Reason::Resigned, String::new())));
        }
        let mv = self.record.position().parse_move(&text);
        let mv = mv.map_err(|error| illegal(color, error.to_string()))?;
        let command = self.play_command(mv);
        self.add(mv)?;
        self.tell(!color, &command)?;
        Ok(None)
    }

    fn genmove(&mut self, color: Color) -> Step<String> {
        let side = color.index();
        let mut bound = self.terms.hang_after;
        let mut flag_first = false;
        if let Some(clock) = &self.clocks[side] {
            let (seconds, stones) = clock.time_left();
            flag_first = clock.bound() + self.terms.time_margin <= bound;
            bound = bound.min(clock.bound() + self.terms.time_margin);
            self.tell_if_known(color, &format!("time_left {} {seconds} {stones}", letter(color)))?;
        }
        let asked = Instant::now();
        let answer = self.engines[side].ask(&format!("genmove {}", letter(color)), bound);
        let taken = asked.elapsed();
        self.seconds[side] += taken.as_secs_f64();
        self.genmoves[side] += 1;
        match answer {
            Err(EngineError::Hung { .. }) if flag_first => Err(out_of_time(color, taken)),
            Err(error) => Err(Verdict::failed(color, &error)),
            Ok(text) => {
                let spent = self.spend(color, taken.saturating_sub(self.terms.time_margin));
                spent.map(|()| text).map_err(|FlagFall| out_of_time(color, taken))
            }
        }
    }

    fn spend(&mut self, color: Color, time: Duration) -> Result<(), FlagFall> {
        self.clocks[color.index()].as_mut().map_or(Ok(()), |clock| clock.spend(time))
    }

    /// Tells whether the side to move can only pass and the rules make nothing of it. In Go a pass is a
    /// decision, and two of them end the game.
    fn pass_is_forced(&self) -> bool {
        let mut moves = Vec::new();
        self.record.position().legal_moves(&mut moves);
        G::KIND != Kind::Go && moves == [Move::PASS]
    }

    /// Plays a forced pass without asking for it. Some engines must be told of it, others find it
    /// themselves and refuse to hear of it: both may.
    fn pass(&mut self) -> Step<()> {
        let command = self.play_command(Move::PASS);
        for color in Color::BOTH {
            self.tell_if_known(color, &command)?;
        }
        self.add(Move::PASS)
    }

    fn play_command(&self, mv: Move) -> String {
        let position = self.record.position();
        play_command(position, position.side_to_move(), mv)
    }

    fn add(&mut self, mv: Move) -> Step<()> {
        let color = self.record.position().side_to_move();
        self.record.play(mv).map_err(|error| illegal(color, error.to_string()))
    }

    fn tell(&mut self, color: Color, command: &str) -> Step<()> {
        let told = self.engines[color.index()].ask(command, self.terms.hang_after);
        told.map(drop).map_err(|error| Verdict::failed(color, &error))
    }

    /// Tells an engine what it may refuse to know.
    fn tell_if_known(&mut self, color: Color, command: &str) -> Step<()> {
        match self.engines[color.index()].ask(command, self.terms.hang_after) {
            Ok(_) | Err(EngineError::Refused { .. }) => Ok(()),
            Err(error) => Err(Verdict::failed(color, &error)),
        }
    }
}

fn illegal(color: Color, detail: String) -> Verdict {
    Verdict::lost(color, Reason::Illegal, detail)
}

fn out_of_time(color: Color, taken: Duration) -> Verdict {
    let detail = format!("the flag fell {:.2} s into the move", taken.as_secs_f64());
    Verdict::lost(color, Reason::Time, detail)
}
