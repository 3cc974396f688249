//! Options on who searches.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use banyan_search::Valuing;
use banyan_search::classical::Horizon;
use clap::{Args, ValueEnum};

use super::words::{HORIZONS, LEAVES, one_of};

/// Options on who searches.
#[derive(Clone, Debug, Args)]
pub struct EnginesArgs {
    /// Engine: a tree of playouts or judgements, or one of the classical searches, for games with an evaluation
    /// (all but go). With those --playouts counts positions and --tree-memory bounds their table.
    /// [default: uct, but for moves played by gtp, nboard and gomocup alphabeta where it is the
    /// stronger: othello, gomoku (but where a network judges, freestyle on 15x15),
    /// connect6 and hex, unless --remote is given or something is asked of the tree, such as
    /// --playouts, --evaluator, --leaf or --set]
    #[arg(long, env = "BANYAN_ENGINE", value_enum, help_heading = "Engine")]
    pub engine: Option<EngineArg>,
    /// The evaluation of a classical engine [default: the one that is named first]. Othello:
    /// patterns (with alphabeta a selective search of its own), stages, v4.7,
    /// v4.7-regions; Gomoku: mix, shapes, windows, s9, s9-cut, runs, runs-cut; Connect6: mix, shapes, s10, tables, td;
    /// Hex: two-distance.
    #[arg(long, env = "BANYAN_EVALUATION", value_name = "NAME", help_heading = "Engine")]
    pub evaluation: Option<String>,
    /// How far a classical engine follows a line: so many plies, or as far as a budget of branches
    /// lasts that is shared among the children of each position.
    #[arg(long, env = "BANYAN_HORIZON", value_parser = one_of(HORIZONS), default_value = "depth")]
    #[arg(help_heading = "Engine")]
    pub horizon: Horizon,
    /// A classical engine goes so deep and no deeper, whatever time that takes unless --time or --playouts
    /// is given too: plies, or branches of the budget. An end of Othello that is further away is not solved.
    #[arg(long, env = "BANYAN_DEPTH", value_name = "N", help_heading = "Engine")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// A classical engine looks at so many moves of each position below the first, those that are ranked best, and at
    /// the others only where all of these lose: deeper, and blind to what the order of moves takes for bad.
    #[arg(long, env = "BANYAN_BEAM", value_name = "N", help_heading = "Engine")]
    pub beam: Option<NonZeroUsize>,
    /// By how much each question of MTD(f) goes beyond the last answer: always by this much of the
    /// evaluation's unit (0 is plain MTD(f)), by a step that adapts, or by the last pass's value (S10)
    /// [default: adaptive].
    #[arg(
        long,
        env = "BANYAN_MTDF_STEP",
        value_name = "0|N|adaptive|last",
        help_heading = "Engine"
    )]
    pub mtdf_step: Option<MtdfStep>,
    /// Gomoku, Connect6: do not look for wins by threats before the search, nor for the other side's after it.
    #[arg(long, env = "BANYAN_NO_THREATS", help_heading = "Engine")]
    pub no_threats: bool,
    /// Go, Gomoku, Connect6: a file of rules, as `banyan rules learn` writes them, by which the fate of a chain, or
    /// wins by threats, are known without being searched to their end [default: those of Connect6 that are built
    /// in].
    #[arg(long, env = "BANYAN_LEARNED_RULES", value_name = "FILE", help_heading = "Engine")]
    #[arg(conflicts_with = "no_learned_rules")]
    pub learned_rules: Option<PathBuf>,
    /// Look for wins by threats without any rule.
    #[arg(long, env = "BANYAN_NO_LEARNED_RULES", help_heading = "Engine")]
    pub no_learned_rules: bool,
    /// A file by which a classical engine of this process evaluates. Connect6: the scores of the fourteen
    /// shapes, a line each such as `L3 1500`, with A, B, segments and scale, and by turn below lines such as
    /// `when moves two`; or what `banyan train patterns` or
    /// `banyan train td` learned; Gomoku: what `banyan train patterns` learned. [default: what is built in]
    #[arg(long, env = "BANYAN_PATTERNS", value_name = "FILE", help_heading = "Engine")]
    pub patterns: Option<PathBuf>,
    /// Value of a leaf of the tree: a playout to the end, the game's best evaluation, or a
    /// playout of some plies and then the evaluation. No network or static evaluation judges the tree
    /// beside it, unless --evaluator says so [default: what plays best where none judges].
    #[arg(long, env = "BANYAN_LEAF", value_parser = one_of(LEAVES), help_heading = "Engine")]
    pub leaf: Option<Valuing>,
}

impl EnginesArgs {
    /// An option that the classical engines alone have, if one was typed.
    pub fn of_classical(&self) -> Option<&'static str> {
        let typed = [
            (self.evaluation.is_some(), "--evaluation"),
            (self.patterns.is_some(), "--patterns"),
            (self.horizon != Horizon::Depth, "--horizon"),
            (self.depth.is_some(), "--depth"),
            (self.beam.is_some(), "--beam"),
        ];
        typed.into_iter().find_map(|(is_typed, option)| is_typed.then_some(option))
    }

    /// Tells whether a classical engine was asked for, or what only evaluations of the game are for: a network has no
    /// part in either.
    pub fn are_asked(&self) -> bool {
        matches!(self.engine, Some(EngineArg::AlphaBeta | EngineArg::Mtdf))
            || self.of_classical().is_some()
            || self.mtdf_step.is_some()
            || self.leaf.is_some()
    }
}

/// The step of MTD(f).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MtdfStep {
    /// Always so much.
    Fixed(i32),
    /// Twice as much after two answers alike, a quarter after two that differ.
    Adaptive,
    /// The value that the last pass found.
    Last,
}

impl FromStr for MtdfStep {
    type Err = String;

    fn from_str(typed: &str) -> Result<MtdfStep, String> {
        match typed {
            "adaptive" => Ok(MtdfStep::Adaptive),
            "last" => Ok(MtdfStep::Last),
            number => match number.parse() {
                Ok(step @ 0..) => Ok(MtdfStep::Fixed(step)),
                _ => Err("expected a number from 0, `adaptive` or `last`".to_owned()),
            },
        }
    }
}

/// The engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Monte Carlo tree search.
    Uct,
    /// Alpha-beta, deeper and deeper.
    #[value(name = "alphabeta")]
    AlphaBeta,
    /// MTD(f), see --mtdf-step.
    Mtdf,
}

impl fmt::Display for EngineArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.to_possible_value();
        f.write_str(word.as_ref().map_or("", |word| word.get_name()))
    }
}
