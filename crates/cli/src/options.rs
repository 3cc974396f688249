//! The command line as it is typed. What it says of a search is decided in [`crate::config`].
//!
//! Most options also read an environment variable `BANYAN_…` and a key of `banyan.toml`; what is
//! typed wins over the environment, and that over the file.

mod book;

mod cluster;

mod engines;

mod evaluators;

mod model;

mod unheard;

mod words;

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use banyan_frontends::gtp::DynamicKomi;
use banyan_frontends::opening::Rule;
use banyan_games::gomoku::Variant;
use banyan_games::{Color, Kind, Terms};
use banyan_jobs::Wish;
use banyan_knowledge::Policy;
use banyan_operator::certs::CertsArgs;
use banyan_operator::doctor::DoctorArgs;
use banyan_operator::manual::{CompletionsArgs, ManArgs};
use banyan_operator::parameters::ParamsArgs;
use banyan_operator::slurm::SlurmArgs;
use banyan_operator::top::TopArgs;
use banyan_search::FinalMove;
use banyan_search::time::Sharing;
use banyan_worker::log::LogArgs;
use banyan_worker::typed::{count, duration};
use bytesize::ByteSize;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::file::set_all;

pub use self::book::{
    BookArgs, BookBuildArgs, BookCommand, BookExportArgs, BookFileArgs, BookImportArgs,
    BookProbeArgs, BookShowArgs, ExportFormat, Lot, OpeningArgs, SHIPPED,
};
pub use self::cluster::{ClusterArgs, FarmArgs, JoinArgs, PORT, RemoteArgs, ServeArgs, WaitArgs};
pub use self::engines::{EngineArg, EnginesArgs, MtdfStep};
pub use self::evaluators::{EvaluatorArg, EvaluatorsArgs, SelectionArg};
pub use self::model::{ExportArgs, ModelArgs, ModelCommand, RandomArgs, ShowArgs};
use self::words::one_of;
pub(crate) use self::words::{LEAVES, word_for};

/// One strong game search across many machines.
///
/// With no option at all every command works on this machine's cores alone. With --listen it also
/// takes workers that dial in: `banyan-worker --join HOST:PORT`.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan", version)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// Logs.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The command line to be read. A number below 0 is a value and no option, so that it is refused with the option's name
/// and what was expected.
pub fn command() -> clap::Command {
    let with_values = |arg: clap::Arg, _| {
        let takes_one = arg.get_long().is_some() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_one)
    };
    set_all(Cli::command(), 0, &mut { with_values })
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Search one position: a live progress line, then candidates, the best line, the board, and what
    /// each node did.
    Search(SearchArgs),
    /// Play by the Go Text Protocol on standard input and output, any of the games.
    Gtp(GtpArgs),
    /// Play Othello by the NBoard protocol on standard input and output.
    Nboard(NboardArgs),
    /// Play Gomoku by the Gomocup (Piskvork) protocol on standard input and output.
    Gomocup(GomocupArgs),
    /// Stay up with workers, and let front ends attach: `banyan gtp --remote HOST:PORT`.
    Serve(ServeArgs),
    /// Measure each node: playouts per second, round trip, share of capacity and of work.
    Bench(BenchArgs),
    /// Opening books: made by the cluster, looked at, filled with games, checked.
    Book(BookArgs),
    /// Find out for certain: what becomes of a group of Go, how a game of Othello ends when both sides
    /// play their best, whether a position of Gomoku or Connect6 is won by threats.
    Solve(SolveArgs),
    /// Networks that judge positions: make one to measure with, show one, write one for other programs.
    Model(ModelArgs),
    /// Let networks and tables learn from games against themselves.
    Train(Box<banyan_learn::networks::Arguments<FarmArgs>>),
    /// Rules that explain themselves: learned from proofs, each with what it rests on.
    Rules(Box<banyan_learn::rules::Arguments<FarmArgs>>),
    /// Make certificates for a cluster of one's own, so that workers and coordinator know each other.
    Certs(CertsArgs),
    /// Watch a cluster in a terminal: what its page shows (--http).
    Top(TopArgs),
    /// Find out what would be slow or would fail here: processor, memory, limits, files, the way to a
    /// coordinator.
    Doctor(DoctorArgs),
    /// Start workers by Slurm: write the job script, or submit it.
    Slurm(SlurmArgs),
    /// The numbers of the search that --set changes: default, range and meaning of each.
    Params(ParamsArgs),
    /// Write what a shell reads to complete command lines of banyan, or of banyan-worker.
    Completions(CompletionsArgs),
    /// Write the manual pages of both programs to a folder.
    Man(ManArgs),
}

impl Command {
    /// The options of a searching command.
    pub fn engine(&self) -> Option<&EngineArgs> {
        match self {
            Command::Search(args) => Some(&args.engine),
            Command::Gtp(args) => Some(&args.engine),
            Command::Nboard(args) => Some(&args.engine),
            Command::Gomocup(args) => Some(&args.engine),
            Command::Bench(args) => Some(&args.engine),
            _ => None,
        }
    }
}

/// Options of `banyan search`.
#[derive(Clone, Debug, Args)]
pub struct SearchArgs {
    /// Moves before the search, such as "e5 c3".
    #[arg(long, env = "BANYAN_MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Search a position of this SGF file; its size is taken, and its komi where it says one.
    #[arg(long, env = "BANYAN_SGF", value_name = "FILE", conflicts_with = "moves")]
    pub sgf: Option<PathBuf>,
    /// The position after so many plies of the SGF file [default: the last].
    #[arg(long = "move", env = "BANYAN_MOVE", value_name = "N", requires = "sgf")]
    pub ply: Option<usize>,
    /// Answer with one JSON object instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
    /// Keep the search in this file while it goes on, and go on with what it holds: the same command
    /// again finishes what was broken off. --playouts and --time count what is in it. A file of
    /// another search is refused.
    #[arg(long, env = "BANYAN_CHECKPOINT", value_name = "FILE", help_heading = "Checkpoint")]
    pub checkpoint: Option<PathBuf>,
    /// Write it so often, and at the end. Each time the search stands still for as long as it takes to
    /// copy the tree in memory.
    #[arg(long, env = "BANYAN_CHECKPOINT_EVERY", value_name = "TIME", default_value = "60s")]
    #[arg(value_parser = duration, help_heading = "Checkpoint")]
    pub checkpoint_every: Duration,
    /// The game and the search.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The opening book.
    #[command(flatten)]
    pub opening_book: OpeningArgs,
}

/// Options of `banyan gtp`.
#[derive(Clone, Debug, Args)]
pub struct GtpArgs {
    /// Resign when the value of the best move falls below this; 0 never resigns [default: 0.08 in Go,
    /// never in the other games].
    #[arg(long, env = "BANYAN_RESIGN", value_name = "VALUE", value_parser = book::share)]
    pub resign: Option<f64>,
    /// How a clock is spent on the moves of a game.
    #[arg(long, env = "BANYAN_CLOCK", value_parser = one_of(words::CLOCKS))]
    #[arg(default_value = "adaptive")]
    pub clock: Sharing,
    /// By which komi moves of a handicap game of Go are searched: its own, or as if White had been given
    /// more points, fewer as the game goes on. Analyses are always under its own.
    #[arg(long, env = "BANYAN_DYNAMIC_KOMI", value_parser = one_of(words::KOMIS))]
    #[arg(default_value = "none")]
    pub dynamic_komi: DynamicKomi,
    /// Write what was thought about each move as a line of JSON to standard error, instead of a line of
    /// the log: its value and visits, whether the opponent's reply was foreseen, and what was carried
    /// over.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
    /// Gomoku: how a game is opened, by the commands banyan-opening, banyan-opening_play and
    /// banyan-opening_genmove (docs/interfaces.md).
    #[arg(long, env = "BANYAN_OPENING", value_parser = one_of(words::OPENINGS))]
    #[arg(default_value = "none", value_name = "RULE")]
    pub opening: Rule,
    /// The game and the search.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The opening book.
    #[command(flatten)]
    pub opening_book: OpeningArgs,
    /// A cluster elsewhere.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// Options of `banyan nboard`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(|arg| without(arg, NBOARD_VOID)))]
pub struct NboardArgs {
    /// The search; the game is always Othello.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The opening book.
    #[command(flatten)]
    pub opening_book: OpeningArgs,
    /// A cluster elsewhere.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// Options of `banyan gomocup`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(|arg| without(arg, GOMOCUP_VOID)))]
pub struct GomocupArgs {
    /// The search; the game is always Gomoku. The manager's INFO on time, memory and rules comes before
    /// what is said here.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The opening book.
    #[command(flatten)]
    pub opening_book: OpeningArgs,
}

/// Options of `banyan solve`.
#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    /// The game: go (what becomes of a group), othello (by how much the game is won), gomoku or connect6
    /// (whether the side to move wins by threats).
    #[arg(long, env = "BANYAN_GAME", default_value_t = Kind::Go)]
    pub game: Kind,
    /// Gomoku, Connect6: the position after these moves, such as "h8 h9 i9".
    #[arg(long, env = "BANYAN_MOVES", default_value = "", hide_default_value = true)]
    #[arg(conflicts_with = "sgf")]
    pub moves: String,
    /// Gomoku, Connect6: points a side, or WIDTHxHEIGHT [default: gomoku 15, connect6 19].
    #[arg(long, env = "BANYAN_SIZE", value_name = "N")]
    pub size: Option<BoardSize>,
    /// Gomoku: freestyle, standard or renju.
    #[arg(long, env = "BANYAN_RULES", default_value_t = Variant::Freestyle, value_name = "RULES")]
    pub rules: Variant,
    /// The position is the last one of this SGF file.
    #[arg(long, env = "BANYAN_SGF", value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// The position after so many plies of the SGF file [default: the last].
    #[arg(long = "move", env = "BANYAN_MOVE", value_name = "N", requires = "sgf")]
    pub ply: Option<usize>,
    /// Go: a stone of the group in question, such as D4.
    #[arg(long, value_name = "POINT")]
    pub target: Option<String>,
    /// Go: who begins [default: the side to move].
    #[arg(long, value_parser = one_of(words::SIDES), value_name = "SIDE")]
    pub side: Option<Color>,
    /// Othello: every position of this OBF file, a line each: 64 squares from a1 (X black, O white,
    /// - empty), the side to move, and if known the score of each move after `;`.
    #[arg(long, value_name = "FILE", conflicts_with = "sgf")]
    pub obf: Option<PathBuf>,
    /// Othello: only so many positions of the OBF file, its first.
    #[arg(long, value_name = "N", requires = "obf")]
    pub positions: Option<usize>,
    /// Give up after so many positions: in Go for each outcome of a ko [default: go 1000000, gomoku
    /// and connect6 200000, othello never].
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,
    /// Go, Gomoku, Connect6: a file of rules, as `banyan rules learn` writes them, by which positions are known without
    /// being searched to their end [default: none].
    #[arg(long, env = "BANYAN_LEARNED_RULES", value_name = "FILE")]
    pub learned_rules: Option<PathBuf>,
    /// Othello: memory for the table that the threads of this process share. Where workers solve, each thread has a
    /// small one of its own.
    #[arg(long, default_value = "256MiB", value_name = "BYTES")]
    pub table_memory: ByteSize,
    /// Othello: the threads and workers that solve each position together.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Workers to wait for.
    #[command(flatten)]
    pub wait: WaitArgs,
    /// Answer with one JSON object instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
}

/// Options of `banyan bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Answer with one JSON object instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
    /// Measure in so many rounds, which take --time together [default time: 5s]; what is printed are
    /// their medians. Before them comes a second to warm up, and a second for each node alone where
    /// there are several; --playouts bounds all of it.
    #[arg(long, env = "BANYAN_ROUNDS", default_value = "5", value_name = "N")]
    pub rounds: NonZeroU32,
    /// One thread's bare playouts from the start position, or with --net its bare evaluations: no tree,
    /// no cluster.
    #[arg(long, env = "BANYAN_PLAYOUTS_ONLY")]
    pub playouts_only: bool,
    /// One number that stands for all that searches by playouts and by evaluated leaves do: fixed
    /// positions of every game, searched in this thread. It changes when a move may change, and never
    /// with the machine. Of the options --set alone changes it.
    #[arg(long, env = "BANYAN_SIGNATURE", conflicts_with = "playouts_only")]
    pub signature: bool,
    /// The coordinator's own limit: so many made-up workers answer every batch with a tally played
    /// before. Included are descents, merging, scheduling and encoding and decoding every message;
    /// playouts and sockets are not. Batches are leaf-parallel ones of 8 playouts, or with --mode subtree of
    /// 1000, unless --batch says how many.
    #[arg(long, env = "BANYAN_SIMULATED_WORKERS", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4096))]
    #[arg(conflicts_with_all = ["playouts_only", "signature"], help_heading = "Simulated workers")]
    pub simulated_workers: Option<u16>,
    /// They answer after this.
    #[arg(long, env = "BANYAN_LATENCY", default_value = "5ms", value_name = "TIME")]
    #[arg(value_parser = duration, help_heading = "Simulated workers")]
    pub latency: Duration,
    /// Hand messages over as they are, without encoding and decoding them.
    #[arg(long, env = "BANYAN_IN_PROCESS", help_heading = "Simulated workers")]
    pub in_process: bool,
    /// The game and the search.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Options of every searching command.
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// The game: go, othello, gomoku, connect6 or hex.
    #[arg(long, env = "BANYAN_GAME", default_value_t = Kind::Go, help_heading = "Game")]
    pub game: Kind,
    /// Points a side, or WIDTHxHEIGHT [default: go 9, othello 8, gomoku 15, connect6 19,
    /// hex 11].
    #[arg(long, env = "BANYAN_SIZE", value_name = "N", help_heading = "Game")]
    pub size: Option<BoardSize>,
    /// Points for White in Go, a multiple of a half.
    #[arg(long, env = "BANYAN_KOMI", default_value_t = 7.5, allow_negative_numbers = true)]
    #[arg(value_name = "POINTS", help_heading = "Game")]
    pub komi: f64,
    /// Gomoku: freestyle (five or more win), standard (exactly five) or renju (Black may make no double
    /// three, double four or six).
    #[arg(long, env = "BANYAN_RULES", default_value_t = Variant::Freestyle, help_heading = "Game")]
    #[arg(value_name = "RULES")]
    pub rules: Variant,

    /// Think so long: 10s, 500ms, 2m [default: 10s unless --playouts is given].
    #[arg(long, env = "BANYAN_TIME", value_name = "TIME", value_parser = duration)]
    #[arg(help_heading = "Effort")]
    pub time: Option<Duration>,
    /// Stop after so many playouts: 1000, 500k, 10M.
    #[arg(long, env = "BANYAN_PLAYOUTS", value_name = "N", help_heading = "Effort")]
    #[arg(value_parser = count)]
    pub playouts: Option<u64>,

    /// Think on the opponent's time too, whatever the game is timed by [default: when a clock runs].
    #[arg(long, env = "BANYAN_PONDER", help_heading = "Effort", conflicts_with = "no_ponder")]
    pub ponder: bool,
    /// Do not think on the opponent's time.
    #[arg(long, env = "BANYAN_NO_PONDER", help_heading = "Effort")]
    pub no_ponder: bool,
    /// On the opponent's time, search his likeliest replies, so many.
    #[arg(long, env = "BANYAN_PONDER_TOP", value_name = "N", default_value = "8")]
    #[arg(help_heading = "Effort")]
    pub ponder_top: NonZeroU32,

    /// Threads and workers.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Workers to wait for.
    #[command(flatten)]
    pub wait: WaitArgs,

    /// Seed of everything random.
    #[arg(long, env = "BANYAN_SEED", default_value_t = 1, help_heading = "Search")]
    pub seed: u64,
    /// The same seed gives the same tree, bit for bit, on any workers. Needs --playouts.
    #[arg(long, env = "BANYAN_REPRODUCIBLE", help_heading = "Search", requires = "playouts")]
    pub reproducible: bool,
    /// At most so many playouts in flight at once; fewer while the tree is small, unless reproducible
    /// [default: as many as workers and tree can use, with --playouts a 512th of them or two batches a
    /// thread; 256 when reproducible, 8 where nothing is played out].
    #[arg(long, env = "BANYAN_WINDOW", value_name = "N", help_heading = "Search")]
    pub window: Option<NonZeroU32>,
    /// Lend leaf-parallel batches, all of whose playouts start at one leaf, or subtree batches, for which
    /// the worker grows a private tree under the leaf. By default single playouts, as long as this process
    /// can make them as fast as the workers play them out, else subtree batches [default: auto].
    #[arg(long, env = "BANYAN_MODE", value_parser = one_of(words::MODES), help_heading = "Search")]
    pub mode: Option<Wish>,
    /// Playouts in a batch; it is leaf-parallel unless --mode is subtree, or nothing is played out: a leaf
    /// is judged once, so that a batch of several evaluations is a subtree [default: 8 for --mode
    /// leaf-parallel and when reproducible, otherwise single playouts, or subtrees that grow with the tree].
    #[arg(long, env = "BANYAN_BATCH", value_name = "N", help_heading = "Search")]
    pub batch: Option<NonZeroU32>,
    /// How playouts choose their moves; heavy ones know shapes and captures in Go, and in Gomoku and
    /// Connect6 take a win, stop one, and keep Black of Renju from forbidden points [default: heavy in
    /// Go, uniform in other games, and uniform in any for bench].
    #[arg(long, env = "BANYAN_POLICY", value_parser = one_of(words::POLICIES))]
    #[arg(help_heading = "Search")]
    pub policy: Option<Policy>,
    /// Play the root move with most visits, with the highest mean, or with the highest lower bound of it;
    /// in a game of Go that is decided, of moves that win as often, the one that wins by most points
    /// [default: bound where evaluations are all that counts, else visits].
    #[arg(long, env = "BANYAN_FINAL_MOVE", value_parser = one_of(words::FINAL_MOVES))]
    #[arg(help_heading = "Search")]
    pub final_move: Option<FinalMove>,
    /// Memory for the tree.
    #[arg(long, env = "BANYAN_TREE_MEMORY", default_value = "1GiB", value_name = "BYTES")]
    #[arg(help_heading = "Search", value_parser = bytes)]
    pub tree_memory: ByteSize,
    /// The engine, and what it searches by.
    #[command(flatten)]
    pub engines: EnginesArgs,
    /// Who judges positions.
    #[command(flatten)]
    pub evaluators: EvaluatorsArgs,
    /// Change a number of the search: NAME=VALUE, several times. `--set help` lists them, as
    /// `banyan params` does.
    #[arg(long = "set", env = "BANYAN_SET", value_name = "NAME=VALUE", value_delimiter = ',')]
    #[arg(help_heading = "Search")]
    pub set: Vec<String>,
}

/// `9` or `15x20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl BoardSize {
    /// The terms with this board.
    pub fn of(self, terms: Terms) -> Terms {
        Terms { width: self.width, height: self.height, ..terms }
    }
}

impl std::str::FromStr for BoardSize {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardSize, String> {
        let wrong = |_| format!("'{text}' is no size: expected a number such as 9, or 15x20");
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let side = |side: &str| side.trim().parse().map_err(wrong);
        Ok(BoardSize { width: side(width)?, height: side(height)? })
    }
}

/// Options of other commands that have nothing to say where the game is fixed, and nobody thinks on the opponent's time.
const NBOARD_VOID: &[&str] = &["game", "size", "komi", "rules", "ponder", "ponder_top"];
const GOMOCUP_VOID: &[&str] = &["game", "komi", "ponder", "ponder_top"];

/// Refuses what was typed and would be ignored: the options that [`without`] hides. What stands in the
/// environment or in `banyan.toml` is meant for other commands too and does no harm.
///
/// # Errors
/// Names the option and the game that the command is for.
pub fn refuse_void(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    if let Some(("rules", typed)) = matches.subcommand()
        && let Some(("learn", typed)) = typed.subcommand()
    {
        return refuse_void_of_lessons(typed);
    }
    unheard::refuse(matches)?;
    match matches.subcommand() {
        Some(("gtp" | "nboard", typed)) => unheard::refuse_certificate(typed)?,
        Some(("serve", typed)) => refuse_unheard_of_join(typed)?,
        _ => {}
    }
    let (name, typed, void, game) = match matches.subcommand() {
        Some((name @ "nboard", typed)) => (name, typed, NBOARD_VOID, "Othello"),
        Some((name @ "gomocup", typed)) => (name, typed, GOMOCUP_VOID, "Gomoku"),
        _ => return Ok(()),
    };
    let is_typed = |id: &&str| typed.value_source(id) == Some(ValueSource::CommandLine);
    match void.iter().copied().find(is_typed) {
        Some(id @ ("ponder" | "ponder_top")) => {
            let option = id.replace('_', "-");
            anyhow::bail!(
                "banyan {name} takes no --{option}: it never thinks on the opponent's time"
            )
        }
        Some(id) => anyhow::bail!("banyan {name} takes no --{id}: it always plays {game}"),
        None => Ok(()),
    }
}

/// Refuses what was typed for the coordinator that `banyan serve` works for, where it works for none.
fn refuse_unheard_of_join(typed: &clap::ArgMatches) -> anyhow::Result<()> {
    if typed.value_source("join").is_some() {
        return Ok(());
    }
    let is_typed = |id: &&str| typed.value_source(id) == Some(ValueSource::CommandLine);
    let ids = ["tls_ca", "tls_name", "join_token_file", "join_tls_cert", "name"];
    if let Some(id) = ids.into_iter().find(is_typed) {
        let option = id.replace('_', "-");
        let hint = match id {
            "tls_ca" => ", or --tls-client-ca, which signed the workers' certificates",
            _ => "",
        };
        anyhow::bail!("--{option} is for --join: expected --join HOST:PORT with it{hint}");
    }
    Ok(())
}

/// Options of `banyan rules learn` that are about proofs from a theory alone.
const THEORY_ALONE: [&str; 3] = ["depth", "steps", "json"];
/// The same about rules of a game, which has more that need not be looked for here: those without a default.
const GAME_ALONE: [&str; 4] = ["seed", "nodes", "rules_max", "completions"];

fn refuse_void_of_lessons(typed: &clap::ArgMatches) -> anyhow::Result<()> {
    let is_typed = |id: &&str| typed.value_source(id) == Some(ValueSource::CommandLine);
    let option = |id: &str| id.replace('_', "-");
    if is_typed(&"game") {
        return match THEORY_ALONE.into_iter().find(|id| is_typed(id)) {
            Some(id) => {
                anyhow::bail!("--{} is about proofs from a theory: --theory names it", option(id))
            }
            None => Ok(()),
        };
    }
    let farm = FarmArgs::augment_args(clap::Command::new("learn"));
    let of_clusters: Vec<&str> = farm.get_arguments().map(|it| it.get_id().as_str()).collect();
    match GAME_ALONE.into_iter().chain(of_clusters).find(|id| is_typed(id)) {
        Some(id) => {
            anyhow::bail!("--{} is about rules of a game: --game says of which", option(id))
        }
        None => Ok(()),
    }
}

/// `500MB`, `2GiB`, or a plain number of bytes.
///
/// # Errors
/// Says what is no size, and what was expected.
pub(crate) fn bytes(text: &str) -> Result<ByteSize, String> {
    text.parse().map_err(|_| format!("'{text}' is no size: expected one such as 500MB or 2GiB"))
}

/// Help leaves out those options of other commands that have nothing to say, and with `--ponder` its opposite, which says
/// what is so anyway.
fn without(option: clap::Arg, void: &[&str]) -> clap::Arg {
    let id = option.get_id().as_str();
    let is_void = void.contains(&id) || id == "no_ponder" && void.contains(&"ponder");
    if is_void { option.hide(true) } else { option }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lesson_would_ignore_is_refused() {
        let theory = "banyan rules learn --theory t.pl --facts f.pl --positives p.pl";
        for (more, words) in [
            ("--threads 1", "--threads is about rules of a game: --game says of which"),
            ("--listen 7411", "--listen is about rules of a game: --game says of which"),
            ("--rules-max 3", "--rules-max is about rules of a game: --game says of which"),
        ] {
            assert_eq!(refused(&format!("{theory} {more}")).as_deref(), Some(words));
        }
        let game = "banyan rules learn --game go --eyes 3 --out f.rules";
        let words = "--depth is about proofs from a theory: --theory names it";
        assert_eq!(refused(&format!("{game} --depth 3")).as_deref(), Some(words));
        assert_eq!(refused(&format!("{theory} --depth 3 --json")), None);
        assert_eq!(refused(&format!("{game} --threads 1 --seed 3")), None);
    }

    fn refused(typed: &str) -> Option<String> {
        let matches = Cli::command().get_matches_from(typed.split(' '));
        refuse_void(&matches).err().map(|error| error.to_string())
    }

    #[test]
    fn a_share_is_from_0_to_1() {
        let said =
            |typed: &str| Cli::try_parse_from(typed.split(' ')).err().map(|it| it.to_string());
        for wrong in ["8", "-0.1", "nan", "a"] {
            let words = said(&format!("banyan gtp --resign={wrong}")).expect("out of range");
            assert!(words.contains("expected a number from 0 to 1"), "{words}");
        }
        assert_eq!(said("banyan gtp --resign 0.08"), None);
    }

    #[test]
    fn what_would_be_ignored_is_refused() {
        let words = "banyan nboard takes no --game: it always plays Othello";
        assert_eq!(refused("banyan nboard --game go").as_deref(), Some(words));
        let words = "banyan gomocup takes no --komi: it always plays Gomoku";
        assert_eq!(refused("banyan gomocup --komi 3").as_deref(), Some(words));
        let words = "banyan gomocup takes no --ponder-top: it never thinks on the opponent's time";
        assert_eq!(refused("banyan gomocup --ponder-top 3").as_deref(), Some(words));
        assert_eq!(refused("banyan nboard --no-ponder"), None);
        let words = "--tls-ca is for --remote: expected --remote HOST:PORT with it";
        assert_eq!(refused("banyan gtp --tls-ca ca.pem").as_deref(), Some(words));
        assert_eq!(refused("banyan gtp --tls-ca ca.pem --remote a:1"), None);
        let shown = "banyan gtp --remote a:1 --tls-cert c.pem --tls-key k.pem";
        let words = "--tls-cert is shown by TLS alone, which --tls-ca asks for: expected --tls-ca FILE with --remote";
        assert_eq!(refused(shown).as_deref(), Some(words));
        assert_eq!(refused(&format!("{shown} --tls-ca ca.pem")), None);
        for option in ["tls-ca ca.pem", "tls-name a", "join-token-file t", "name here"] {
            let words = refused(&format!("banyan serve --{option}")).expect("nobody is joined");
            let name = option.split(' ').next().expect("a name");
            assert!(words.starts_with(&format!("--{name} is for --join: expected")), "{words}");
            assert_eq!(refused(&format!("banyan serve --join a:1 --{option}")), None);
        }
        for taken in
            ["banyan nboard --threads 2", "banyan gomocup --size 15", "banyan gtp --game go"]
        {
            assert_eq!(refused(taken), None, "{taken}");
        }
    }
}
