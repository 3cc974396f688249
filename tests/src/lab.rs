//! The lab: two settings of the search play each other at equal playouts, in one process, without a
//! clock, a cluster or a protocol.
//!
//! For questions of the kind "what does a playout lose when 64 are in flight". Many games go on at a
//! time, so that single playouts of several games are played side by side: a sequential search costs
//! no more than a parallel one. A match is a pure function of its arguments.
//!
//! Reading order: `settings` (what can be set), `game` (one game), here the match.

mod game;

mod settings;

use std::io::Write;

use anyhow::Context as _;
use banyan_games::{Color, Game, Rng, with_game};
use clap::Parser;

use crate::board::Board;
use crate::runner::statistics::{Wdl, elo};
pub(crate) use game::{LabGame, open_at_random, turn};
pub use settings::Settings;

/// Plays a match of the search against itself with other settings, at equal playouts.
///
/// Settings are words NAME=VALUE: playouts, policy, mode (flat, grown), batch, window, and any number of the
/// search that `banyan search --set` knows. For example
/// `--first "mode=grown" --second "window=1 batch=1 exploration=0.3"`.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-lab", version)]
pub struct Arguments {
    /// Settings whose strength is asked for.
    #[arg(long, default_value = "")]
    first: String,
    /// Settings of the opponent.
    #[arg(long, default_value = "")]
    second: String,
    /// What is played.
    #[command(flatten)]
    board: Board,
    /// Games in all, an even number: each opening is played with both colours.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Random plies that each pair of games begins with.
    #[arg(long, default_value_t = 2)]
    opening_plies: u32,
    /// Resign below this value; 0 never resigns.
    #[arg(long, default_value_t = 0.08)]
    resign: f64,
    /// Seed of openings and searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: u32,
    /// Games at a time on each thread.
    #[arg(long, default_value_t = 16)]
    together: usize,
}

/// Plays the match; running lines and the result go to `out`.
///
/// # Errors
/// Settings or a board that do not exist, in words for people.
pub fn run(arguments: &Arguments, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let rules = arguments.board.rules()?;
    with_game!(&rules, G, rules => run_game::<G>(arguments, rules, out))
}

fn run_game<G: Game>(
    arguments: &Arguments,
    rules: &G::Rules,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let parse = |text: &str, of: &str| {
        Settings::parse(text, G::KIND).with_context(|| format!("cannot read the {of} settings"))
    };
    let settings = [parse(&arguments.first, "first")?, parse(&arguments.second, "second")?];
    writeln!(out, "first: {}\nsecond: {}", settings[0], settings[1])?;
    let games = arguments.games.next_multiple_of(2);
    let lab = Lab { arguments, rules, settings };
    let (wins, results) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for thread in 0..arguments.threads.max(1) {
            let (lab, wins) = (&lab, wins.clone());
            let numbers = (thread..games).step_by(arguments.threads.max(1) as usize);
            scope.spawn(move || {
                lab.play::<G>(numbers, |score| {
                    // The other end listens to the last.
                    let _ = wins.send(score);
                })
            });
        }
        drop(wins);
        let mut wdl = Wdl::default();
        for score in results {
            match score {
                Score::Win => wdl.wins += 1,
                Score::Draw => wdl.draws += 1,
                Score::Loss => wdl.losses += 1,
            }
            writeln!(out, "{}", line(wdl))?;
        }
        Ok(())
    })
}

/// Score, Wilson interval and Elo of the first settings.
fn line(wdl: Wdl) -> String {
    let (low, high) = wdl.interval();
    format!(
        "+{} ={} -{}  {:.1} % [{:.1}, {:.1}]  Elo {:+.0} [{:+.0}, {:+.0}]",
        wdl.wins,
        wdl.draws,
        wdl.losses,
        100.0 * wdl.score(),
        100.0 * low,
        100.0 * high,
        elo(wdl.score()),
        elo(low),
        elo(high)
    )
}

/// A game as the first settings see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    Win,
    Draw,
    Loss,
}

struct Lab<'a, R> {
    arguments: &'a Arguments,
    rules: &'a R,
    settings: [Settings; 2],
}

impl<R> Lab<'_, R> {
    /// Plays the games of these numbers, some at a time.
    fn play<G: Game<Rules = R>>(&self, numbers: impl Iterator<Item = u32>, done: impl Fn(Score)) {
        let mut numbers = numbers.peekable();
        let mut games: Vec<LabGame<G>> = Vec::new();
        while numbers.peek().is_some() || !games.is_empty() {
            let free = self.arguments.together.max(1) - games.len();
            games.extend(numbers.by_ref().take(free).map(|number| self.start(number)));
            turn(&mut games.iter_mut().collect::<Vec<_>>());
            games.retain_mut(|game| match game.score(self.arguments.resign) {
                Some(score) => {
                    done(score);
                    false
                }
                None => true,
            });
        }
    }

    fn start<G: Game<Rules = R>>(&self, number: u32) -> LabGame<G> {
        let pair = u64::from(number / 2);
        let mut rng = Rng::from_seed(self.arguments.seed ^ pair << 20);
        let record = open_at_random(self.rules, self.arguments.opening_plies, &mut rng);
        let first = if number.is_multiple_of(2) { Color::Black } else { Color::White };
        LabGame::new(record, first, self.settings.clone(), rng.bits() ^ u64::from(number))
    }
}
