//! Results of games of Othello when both sides play their best.

use std::io::Write as _;
use std::num::NonZeroU64;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use banyan_cli::options::SolveArgs;
use banyan_cli::position::read_sgf;
use banyan_engine::engines::{HelperThreads, Shared};
use banyan_games::othello::Othello;
use banyan_games::{Game, Record, Rules};
use banyan_jobs::WorkerId;
use banyan_records::diagram;
use banyan_records::obf::{self, Problem};
use banyan_search::endgame::{Board, EXACT, Solution, Solver};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

use crate::config;
use crate::node::Node;

/// The answer of `banyan solve --game othello --json`.
#[derive(Debug, Serialize)]
struct SolvedReport {
    positions: Vec<Solved>,
    /// Boards looked at, of all positions.
    nodes: u64,
    seconds: f64,
    cpu_s: f64,
    /// By processor time; nothing where there is none to speak of, as where others solved it.
    nodes_per_s: Option<f64>,
    /// Positions whose file tells another score.
    wrong: usize,
}

/// One position.
#[derive(Debug, Serialize)]
struct Solved {
    /// Its line in the file; 1 for the position of an SGF file.
    number: usize,
    empties: u32,
    side: String,
    /// Discs that the side to move wins by, empty points to the winner; nothing when it was given up.
    score: Option<i32>,
    best: Option<String>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    cpu_s: f64,
    nodes_per_s: Option<f64>,
    /// Workers that solved it, where there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workers: Vec<Share>,
    /// The score by the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
}

/// One worker's part of a position.
#[derive(Debug, Serialize)]
struct Share {
    name: String,
    boards: u64,
}

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let problems = problems(args)?;
    let mut solvers = Solvers::find(args)?;
    let nodes_max = args.nodes.map_or(u64::MAX, NonZeroU64::get);
    let mut out = std::io::stdout().lock();
    let mut positions = Vec::new();
    for problem in &problems {
        let solved = solve(&mut solvers, problem, nodes_max);
        if !args.json {
            write!(out, "{}", text(problem, &solved))?;
        }
        positions.push(solved);
    }
    let answer = SolvedReport::of(positions);
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&answer)?)?,
        false => writeln!(out, "{}", answer.text())?,
    }
    anyhow::ensure!(answer.wrong == 0, "{} scores differ from the file's", answer.wrong);
    Ok(())
}

fn problems(args: &SolveArgs) -> anyhow::Result<Vec<Problem>> {
    match (&args.obf, &args.sgf) {
        (Some(file), _) => {
            let name = file.display();
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            let mut problems = obf::read(&text).with_context(|| name.to_string())?;
            anyhow::ensure!(!problems.is_empty(), "{name} holds no position");
            problems.truncate(args.positions.unwrap_or(usize::MAX));
            Ok(problems)
        }
        (None, Some(file)) => Ok(vec![last_of(file, args)?]),
        (None, None) => anyhow::bail!("solve needs --obf FILE or --sgf FILE for Othello"),
    }
}

fn last_of(file: &Path, args: &SolveArgs) -> anyhow::Result<Problem> {
    let game = read_sgf(file, (args.game, args.rules), None, args.ply)?;
    let Rules::Othello(rules) = &game.rules else { anyhow::bail!("this is no game of Othello") };
    let record: Record<Othello> = game.record(rules).with_context(|| file.display().to_string())?;
    Ok(Problem { line: 1, record, scores: Vec::new() })
}

/// For a table that nothing comes into.
const FINISHED_TABLE_BYTES: usize = 1 << 16;

/// Solvers.
enum Solvers {
    /// Threads of this process, by one table.
    Here(Box<Solver>, HelperThreads),
    /// All threads of a cluster.
    Together(Box<Node>, Shared),
}

impl Solvers {
    fn find(args: &SolveArgs) -> anyhow::Result<Solvers> {
        let setup = config::setup(&args.cluster)?;
        if setup.threads > 0 && setup.listen.is_none() {
            let bytes = usize::try_from(args.table_memory.as_u64()).unwrap_or(usize::MAX);
            let helpers = HelperThreads::of(setup.threads);
            return Ok(Solvers::Here(Box::new(Solver::new(bytes)), helpers));
        }
        let node = super::super::gather(&setup, &args.wait)?;
        let shared = Shared::new(node.cluster().lender());
        Ok(Solvers::Together(Box::new(node), shared))
    }

    /// Processor time of all threads that solve. Of workers it is known as of their last ping.
    fn cpu(&self) -> Duration {
        match self {
            Solvers::Together(node, _) if node.listening().is_some() => {
                let nodes = node.cluster().link().view().nodes();
                nodes.into_iter().map(|(_, node)| node.usage.cpu).sum()
            }
            Solvers::Here(..) | Solvers::Together(..) => cpu_time(),
        }
    }

    /// Solves a position; who looked at how many boards of it comes with the answer.
    fn solve(
        &mut self,
        record: &Record<Othello>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> (Option<Solution>, Vec<(WorkerId, u64)>) {
        match self {
            Solvers::Here(solver, helpers) => {
                let board = Board::from(record.position());
                (solver.solve_helped(helpers, board, EXACT, goes_on), Vec::new())
            }
            // Nothing is left to share.
            Solvers::Together(..) if record.position().outcome().is_some() => {
                let board = Board::from(record.position());
                (Solver::new(FINISHED_TABLE_BYTES).solve(board, EXACT, goes_on), Vec::new())
            }
            Solvers::Together(_, shared) => {
                let side = record.position().side_to_move();
                let found = shared.solve(record, side, &record.candidates(), goes_on);
                (found.solution.filter(|_| found.is_exact), found.settlement.played)
            }
        }
    }

    fn name(&self, worker: WorkerId) -> String {
        match self {
            Solvers::Here(..) => String::new(),
            Solvers::Together(node, _) => node.cluster().link().name_of(worker),
        }
    }
}

fn solve(solvers: &mut Solvers, problem: &Problem, nodes_max: u64) -> Solved {
    let position = problem.record.position();
    let board = Board::from(position);
    let (started, cpu) = (Instant::now(), solvers.cpu());
    let mut nodes = 0;
    let (found, by) = solvers.solve(&problem.record, &mut |so_far| {
        nodes = so_far;
        so_far < nodes_max
    });
    let (time, cpu) = (started.elapsed(), solvers.cpu().saturating_sub(cpu));
    let nodes = found.as_ref().map_or(nodes, |found| found.nodes);
    let workers = by.into_iter().map(|(id, boards)| Share { name: solvers.name(id), boards });
    let workers = workers.collect();
    let line = found.as_ref().map_or(Vec::new(), |found| texts(&problem.record, found));
    Solved {
        number: problem.line,
        empties: board.empties().count_ones(),
        side: position.side_to_move().to_string(),
        score: found.as_ref().map(|found| found.score),
        best: line.first().cloned(),
        line,
        nodes,
        seconds: time.as_secs_f64(),
        cpu_s: cpu.as_secs_f64(),
        nodes_per_s: rate(nodes, cpu.as_secs_f64()),
        workers,
        expected: problem.scores.iter().map(|&(_, score)| score).max(),
    }
}

fn texts(record: &Record<Othello>, found: &Solution) -> Vec<String> {
    found.line.iter().map(|&mv| record.position().move_text(mv)).collect()
}

/// Processor time of this process, whose busy threads are solvers'.
fn cpu_time() -> Duration {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}

/// Less processor time than this says nothing about speed.
const CPU_MIN: f64 = 1e-5;

fn rate(nodes: u64, seconds: f64) -> Option<f64> {
    (seconds >= CPU_MIN).then(|| nodes as f64 / seconds)
}

/// Nothing, or the speed after these words.
fn rate_text(words: &str, nodes_per_s: Option<f64>, of: &str) -> String {
    nodes_per_s.map_or(String::new(), |rate| format!("{words}{rate:.0} a second of {of}"))
}

impl SolvedReport {
    fn of(positions: Vec<Solved>) -> SolvedReport {
        let nodes = positions.iter().map(|it| it.nodes).sum();
        let cpu_s = positions.iter().map(|it| it.cpu_s).sum();
        SolvedReport {
            nodes,
            seconds: positions.iter().map(|it| it.seconds).sum(),
            cpu_s,
            nodes_per_s: rate(nodes, cpu_s),
            wrong: positions.iter().filter(|it| it.is_wrong()).count(),
            positions,
        }
    }

    fn text(&self) -> String {
        let SolvedReport { positions, nodes, seconds, cpu_s, nodes_per_s, wrong } = self;
        let known = positions.iter().filter(|it| it.expected.is_some()).count();
        let solved = positions.iter().filter(|it| it.score.is_some()).count();
        format!(
            "{solved} of {} positions solved, {nodes} boards in {seconds:.2} s, {cpu_s:.2} s of \
             processor time{}; {wrong} of {known} known scores differ",
            positions.len(),
            rate_text(", ", *nodes_per_s, "it")
        )
    }
}

impl Solved {
    fn is_wrong(&self) -> bool {
        matches!((self.score, self.expected), (Some(score), Some(expected)) if score != expected)
    }
}

fn text(problem: &Problem, solved: &Solved) -> String {
    let Solved { number, empties, side, nodes, seconds, nodes_per_s, .. } = solved;
    let said = match (solved.score, solved.expected) {
        (None, _) => "is not solved: try more --nodes".to_owned(),
        (Some(score), Some(expected)) if score != expected => {
            format!("{score:+}, but the file says {expected:+}")
        }
        (Some(score), _) => format!("{score:+}"),
    };
    let part = |share: &Share| {
        let percent = 100.0 * share.boards as f64 / (*nodes).max(1) as f64;
        format!(", {} {percent:.0} %", share.name)
    };
    let workers: String = solved.workers.iter().map(part).collect();
    format!(
        "{}\n\nposition {number}, {empties} empty points: {side} to move {said}\nline: {}\n\
         {nodes} boards in {seconds:.2} s{}{workers}\n\n",
        diagram::text(&problem.record),
        solved.line.join(" "),
        rate_text(", ", *nodes_per_s, "processor time")
    )
}
