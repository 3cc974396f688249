//! A GTP engine that plays at random and, at a move of its choice, breaks in one way.

use std::io::{BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use banyan_games::{Color, Kind, Move, Record, Rng, Rules, Terms, with_game};
use banyan_knowledge::Knowledge;
use clap::{Parser, ValueEnum};

/// A way to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fault {
    /// Answers with a point that is taken, or outside the board.
    Illegal,
    /// Answers with no move at all.
    Nonsense,
    /// Refuses to move.
    Refuse,
    /// Never answers.
    Hang,
    /// Ends without a word to GTP.
    Die,
    /// Answers after a second.
    Slow,
    /// Resigns.
    Resign,
    /// Passes, in Go.
    Pass,
}

/// The engine's command line.
#[derive(Clone, Debug, Parser)]
pub struct Arguments {
    /// go, othello, gomoku, connect6 or hex.
    #[arg(long, default_value = "go")]
    game: Kind,
    /// Seed of its moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The fault.
    #[arg(long)]
    fault: Option<Fault>,
    /// From which of its own moves on, counted from 1.
    #[arg(long, default_value_t = 1)]
    at: u32,
    /// The answer to final_score; by default it does not know the command.
    #[arg(long)]
    score: Option<String>,
    /// Refuses to hear of passes and finds them itself, as some programs of Othello do.
    #[arg(long)]
    deaf_to_passes: bool,
    /// Refuses every move of its opponent from this one on, counted from 1.
    #[arg(long)]
    refuse_play: Option<u32>,
}

impl Arguments {
    /// Answers commands until `quit` or the end of the input.
    ///
    /// # Errors
    /// Reading, writing, or a board size that the game does not have.
    pub fn run(&self, input: &mut impl BufRead, output: &mut impl Write) -> anyhow::Result<()> {
        let mut line = String::new();
        let mut size = self.game.side();
        // Every board size begins a game of its own type of rules.
        loop {
            let rules = self.rules(size)?;
            let next = with_game!(rules, G, rules => {
                let mut engine = FakeEngine::<G>::new(self, rules);
                engine.run(input, output, &mut line)?
            });
            match next {
                Some(asked) => size = asked,
                None => return Ok(()),
            }
        }
    }

    fn rules(&self, size: u32) -> anyhow::Result<Rules> {
        let usual = Terms::of(self.game);
        Ok(Rules::new(self.game, Terms { width: size, height: size, ..usual })?)
    }
}

struct FakeEngine<'a, G: Knowledge> {
    arguments: &'a Arguments,
    record: Record<G>,
    rng: Rng,
    genmoves: u32,
    plays: u32,
}

impl<'a, G: Knowledge> FakeEngine<'a, G> {
    fn new(arguments: &'a Arguments, rules: G::Rules) -> FakeEngine<'a, G> {
        let rng = Rng::from_seed(arguments.seed);
        FakeEngine { arguments, record: Record::new(&rules), rng, genmoves: 0, plays: 0 }
    }

    /// Until another board is asked for (its size) or the end.
    fn run(
        &mut self,
        input: &mut impl BufRead,
        output: &mut impl Write,
        line: &mut String,
    ) -> anyhow::Result<Option<u32>> {
        loop {
            line.clear();
            if input.read_line(line)? == 0 {
                return Ok(None);
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let answer = self.answer(&words);
            match &answer {
                Ok(text) => write!(output, "= {text}\n\n")?,
                Err(text) => write!(output, "? {text}\n\n")?,
            }
            output.flush()?;
            match words[..] {
                ["quit", ..] => return Ok(None),
                ["boardsize", size] => return Ok(size.parse().ok()),
                _ => {}
            }
        }
    }

    fn answer(&mut self, words: &[&str]) -> Result<String, String> {
        match words {
            ["name"] => Ok("fake".to_owned()),
            ["version"] => Ok("1".to_owned()),
            ["boardsize", _] | ["komi", _] | ["quit"] => Ok(String::new()),
            ["clear_board"] => {
                self.record = Record::new(&self.record.start().rules().clone());
                (self.genmoves, self.plays) = (0, 0);
                Ok(String::new())
            }
            ["play", color, mv] => self.play(color, mv),
            ["genmove", _] => self.genmove(),
            ["final_score"] => self.arguments.score.clone().ok_or("cannot score".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn play(&mut self, color: &str, text: &str) -> Result<String, String> {
        self.plays += 1;
        if self.arguments.refuse_play.is_some_and(|from| self.plays >= from) {
            return Err("illegal move".to_owned());
        }
        let mv = self.record.position().parse_move(text).map_err(|error| error.to_string())?;
        if mv.is_pass() && self.arguments.deaf_to_passes {
            return Err("syntax error".to_owned());
        }
        let color = if color == "b" { Color::Black } else { Color::White };
        let side = self.record.position().side_to_move();
        if self.arguments.deaf_to_passes && side != color {
            self.record.play(Move::PASS).map_err(|error| error.to_string())?;
        }
        self.record.play_as(color, mv).map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    fn genmove(&mut self) -> Result<String, String> {
        self.genmoves += 1;
        let fault = self.arguments.fault.filter(|_| self.genmoves >= self.arguments.at);
        match fault {
            Some(Fault::Illegal) => return Ok(self.illegal()),
            Some(Fault::Nonsense) => return Ok("forty-two".to_owned()),
            Some(Fault::Refuse) => return Err("I would rather not".to_owned()),
            Some(Fault::Resign) => return Ok("resign".to_owned()),
            Some(Fault::Hang) => sleep(Duration::from_secs(3600)),
            Some(Fault::Die) => std::process::exit(7),
            Some(Fault::Slow) => sleep(Duration::from_secs(1)),
            Some(Fault::Pass) => {
                self.record.play(Move::PASS).map_err(|error| error.to_string())?;
                return Ok("pass".to_owned());
            }
            None => {}
        }
        self.pass_if_deaf();
        let moves = self.record.candidates();
        let mv = moves[self.rng.below(moves.len() as u32) as usize];
        let text = self.record.position().move_text(mv);
        self.record.play(mv).map_err(|error| error.to_string())?;
        Ok(text)
    }

    /// Nobody told this engine that its opponent had to pass.
    fn pass_if_deaf(&mut self) {
        let mut moves = Vec::new();
        self.record.position().legal_moves(&mut moves);
        if self.arguments.deaf_to_passes && moves == [Move::PASS] {
            let passed = self.record.play(Move::PASS);
            debug_assert!(passed.is_ok());
        }
    }

    fn illegal(&self) -> String {
        match self.record.plies().last() {
            Some(&(_, mv)) => self.record.position().move_text(mv),
            None => "z99".to_owned(),
        }
    }
}
