//! Options on who searches.

use std::fmt;
use std::path::PathBuf;

use banyan_search::Valuing;
use banyan_search::classical::Horizon;
use clap::{Args, ValueEnum};

use super::words::{HORIZONS, LEAVES, one_of};

/// Options on who searches.
#[derive(Clone, Debug, Args)]
pub struct EnginesArgs {
    /// Engine: a tree of playouts or one of the classical searches, for games with an evaluation
    /// (all but go). With those --playouts counts positions and --tree-memory bounds their table.
    /// [default: uct, but for moves played by gtp, nboard and gomocup alphabeta where it is the
    /// stronger: othello, gomoku and connect6, unless something is asked of the tree, such as
    /// --playouts, --ponder, --leaf or --set]
    #[arg(long, env = "BANYAN_ENGINE", value_enum, help_heading = "Engine")]
    pub engine: Option<EngineArg>,
    /// The evaluation of a classical engine [default: the game's best, which is named first]. Othello:
    /// stages, v4.7, patterns (a selective search of its own with alphabeta); Gomoku: shapes, windows, s9, s9-cut; Connect6: s10.
    #[arg(long, env = "BANYAN_EVALUATION", value_name = "NAME", help_heading = "Engine")]
    pub evaluation: Option<String>,
    /// How far a classical engine follows a line: so many plies, or as far as a budget of branches
    /// lasts that is shared among the children of each position.
    #[arg(long, env = "BANYAN_HORIZON", value_parser = one_of(HORIZONS), default_value = "depth")]
    #[arg(help_heading = "Engine")]
    pub horizon: Horizon,
    /// Gomoku, Connect6: do not look for wins by threats before the search.
    #[arg(long, env = "BANYAN_NO_THREATS", help_heading = "Engine")]
    pub no_threats: bool,
    /// Connect6: a file with the scores of the fourteen shapes, a line each such as `L3 1500`; for the
    /// classical engines of this process. [default: crates/knowledge/src/connect6/patterns.txt, built in]
    #[arg(long, env = "BANYAN_PATTERNS", value_name = "FILE", help_heading = "Engine")]
    pub patterns: Option<PathBuf>,
    /// Value of a leaf of the tree: a playout to the end, the game's best evaluation, or a
    /// playout of some plies and then the evaluation [default: what plays best; playout where there
    /// is no evaluation].
    #[arg(long, env = "BANYAN_LEAF", value_parser = one_of(LEAVES), help_heading = "Engine")]
    pub leaf: Option<Valuing>,
}

/// The engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Monte Carlo tree search.
    Uct,
    /// Alpha-beta, deeper and deeper.
    #[value(name = "alphabeta")]
    AlphaBeta,
    /// MTD(f) with an adaptive step.
    Mtdf,
}

impl fmt::Display for EngineArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.to_possible_value();
        f.write_str(word.as_ref().map_or("", |word| word.get_name()))
    }
}
