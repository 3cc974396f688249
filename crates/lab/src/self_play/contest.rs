//! The match: many games between two settings, some at a time on each thread.

use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use banyan_games::{Color, Game, Rng, with_game};
use banyan_knowledge::Evaluator;
use banyan_search::Searchable;
use clap::Parser;

use super::game::{Foresights, LabGame, Score, open_at_random, turn};
use super::settings::Settings;
use crate::board::Board;
use crate::runner::statistics::{Wdl, elo};

/// Plays a match of the search against itself with other settings, at equal playouts.
///
/// Settings are words NAME=VALUE: playouts, policy, mode (leaf-parallel, subtree), batch, window, and any number of the
/// search that `banyan search --set` knows. For example
/// `--first "mode=subtree" --second "window=1 batch=1 exploration=0.3"`.
///
/// A side has a clock instead of a number of playouts a move, and keeps its tree from move to move,
/// with `clock=adaptive main=60 rate=500` or `clock=even` and so on: 60 seconds, in each of which it makes
/// 500 playouts, however long that takes. `increment=`, `period=` with `stones=`, or `period=` with
/// `periods=` add Fischer time, Canadian overtime or byo-yomi.
///
/// `net=FILE` has leaves judged by a network, `net=built-in` by that of the program, `net=patterns` by the game's best
/// static evaluation; a playout is then an evaluation. `final=visits`, `mean` or `bound` says which move of the root is played.
///
/// `ties=true` plays, of moves that win as often, the one that wins by more, as the engine does in Go.
/// `keep=true` keeps the tree from move to move without a clock. `ponder=8` searches eight replies on the
/// opponent's time, by as many playouts as he thinks, or as many as the clocks' rates say.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-lab", version)]
pub struct Arguments {
    /// Settings whose strength is asked for.
    #[arg(long, default_value = "")]
    first: String,
    /// Settings of the opponent.
    #[arg(long, default_value = "")]
    second: String,
    /// The game.
    #[command(flatten)]
    board: Board,
    /// Games in all, an even number: each opening is played with both colours.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Random plies that each pair of games begins with.
    #[arg(long, default_value_t = 2)]
    opening_plies: u32,
    /// Resign below this value; 0 never resigns.
    #[arg(long, default_value_t = 0.08, value_parser = share)]
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

fn share(typed: &str) -> Result<f64, String> {
    let number = typed.parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Plays the match; running lines and the result go to `out`.
///
/// # Errors
/// Settings or a board that do not exist, in words for people.
pub fn run(arguments: &Arguments, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let rules = arguments.board.rules()?;
    with_game!(&rules, G, rules => run_game::<G>(arguments, rules, out))
}

fn run_game<G: Searchable>(
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
    let board = G::new(rules).size();
    let evaluator = |of: &Settings| -> anyhow::Result<_> {
        of.network.as_ref().map(|network| network.evaluator::<G>(board)).transpose()
    };
    let evaluators = [evaluator(&settings[0])?, evaluator(&settings[1])?];
    let lab = Lab { arguments, rules, settings, evaluators };
    let (endings, results) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for thread in 0..arguments.threads.max(1) {
            let (lab, endings) = (&lab, endings.clone());
            let numbers = (thread..games).step_by(arguments.threads.max(1) as usize);
            scope.spawn(move || {
                lab.play(numbers, |ending| {
                    // The other end listens to the last.
                    let _ = endings.send(ending);
                })
            });
        }
        drop(endings);
        let mut wdl = Wdl::default();
        for ending in results {
            match ending.score {
                Score::Win => wdl.wins += 1,
                Score::Draw => wdl.draws += 1,
                Score::Loss => wdl.losses += 1,
            }
            writeln!(out, "{}{ending}", line(wdl))?;
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

/// The end of a game.
struct Ending {
    score: Score,
    plies: usize,
    /// On the clocks of the first settings' side and of the other, where they run.
    time_left: [Option<Duration>; 2],
    is_lost_on_time: bool,
    foresight: Foresights,
}

impl Ending {
    fn of<G: Searchable>(game: &LabGame<G>, score: Score) -> Ending {
        Ending {
            score,
            plies: game.record().plies().len(),
            time_left: game.time_left(),
            is_lost_on_time: game.is_lost_on_time(),
            foresight: game.foresight(),
        }
    }
}

/// Writes what the clock shows in games on one, and what pondering was worth in games with it.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Foresights { spent, kept } = self.foresight;
        if spent > 0 {
            write!(f, "  pondered {spent}, kept {:.0} %", 100.0 * kept as f64 / spent as f64)?;
        }
        if self.time_left == [None; 2] {
            return Ok(());
        }
        write!(f, "  {} plies, left:", self.plies)?;
        for left in self.time_left {
            match left {
                Some(left) => write!(f, " {:.1} s", left.as_secs_f64())?,
                None => write!(f, " no clock")?,
            }
        }
        if self.is_lost_on_time {
            write!(f, ", lost on time")?;
        }
        Ok(())
    }
}

struct Lab<'a, G: Game> {
    arguments: &'a Arguments,
    rules: &'a G::Rules,
    settings: [Settings; 2],
    evaluators: [Option<Arc<dyn Evaluator<G>>>; 2],
}

impl<G: Searchable> Lab<'_, G> {
    /// Plays the games of these numbers, some at a time.
    fn play(&self, numbers: impl Iterator<Item = u32>, done: impl Fn(Ending)) {
        let mut numbers = numbers.peekable();
        let mut games: Vec<LabGame<G>> = Vec::new();
        while numbers.peek().is_some() || !games.is_empty() {
            let free = self.arguments.together.max(1) - games.len();
            games.extend(numbers.by_ref().take(free).map(|number| self.start(number)));
            turn(&mut games.iter_mut().collect::<Vec<_>>());
            games.retain_mut(|game| match game.score(self.arguments.resign) {
                Some(score) => {
                    done(Ending::of(game, score));
                    false
                }
                None => true,
            });
        }
    }

    fn start(&self, number: u32) -> LabGame<G> {
        let pair = u64::from(number / 2);
        let mut rng = Rng::from_seed(self.arguments.seed ^ pair << 20);
        let record = open_at_random(self.rules, self.arguments.opening_plies, &mut rng);
        let first = if number.is_multiple_of(2) { Color::Black } else { Color::White };
        let seed = rng.bits() ^ u64::from(number);
        let game = LabGame::new(record, first, self.settings.clone(), seed);
        game.judged_by(self.evaluators.clone())
    }
}
