//! Options on who judges positions.

use std::path::PathBuf;

use banyan_katago::CommandLine;
use clap::{Args, ValueEnum};

/// Options on who judges positions.
#[derive(Clone, Debug, Args)]
pub struct EvaluatorsArgs {
    /// What a leaf of the tree is worth: by playouts, by a network or a static evaluation, or by both.
    /// Where nothing is played out --playouts counts evaluations. Two networks come with the program,
    /// for Go on 7x7 to 19x19 and for Gomoku, freestyle on 15x15 [default: auto].
    #[arg(long, env = "BANYAN_EVALUATOR", value_enum, value_name = "NAME")]
    #[arg(help_heading = "Evaluator")]
    pub evaluator: Option<EvaluatorArg>,
    /// A network that judges, of this game: a file that `banyan model` knows. It is used unless
    /// --evaluator says otherwise.
    #[arg(long, env = "BANYAN_NET", value_name = "FILE", help_heading = "Evaluator")]
    pub net: Option<PathBuf>,
    /// Judge by KataGo in this process: the command that starts its analysis process, in quotes, as
    /// "katago analysis -config analysis.cfg -model model.bin.gz". Workers that were given one judge as
    /// well; without this `--evaluator katago` asks them alone.
    #[arg(long, env = "BANYAN_KATAGO", value_name = "COMMAND", help_heading = "Evaluator")]
    pub katago: Option<CommandLine>,
    /// Share of the evaluator in a position's value, 0 to 1; the rest is that of playouts [default: 1,
    /// and 0.5 for mixed].
    #[arg(long, env = "BANYAN_LAMBDA", value_name = "X", help_heading = "Evaluator")]
    #[arg(allow_negative_numbers = true)]
    pub lambda: Option<f32>,
    /// How a descent chooses among moves: by what playouts count, all moves as first, or by the prior
    /// of each move [default: rave for playouts alone, else puct].
    #[arg(long, env = "BANYAN_SELECTION", value_enum, value_name = "RULE")]
    #[arg(help_heading = "Evaluator")]
    pub selection: Option<SelectionArg>,
}

impl EvaluatorsArgs {
    /// Tells whether something was said of who judges, beside how children are chosen.
    pub fn names_a_judge(&self) -> bool {
        let EvaluatorsArgs { evaluator, net, lambda, katago, selection: _ } = self;
        evaluator.is_some() || net.is_some() || katago.is_some() || lambda.is_some()
    }

    /// Tells whether anything was said.
    pub fn is_asked(&self) -> bool {
        self.names_a_judge() || self.selection.is_some()
    }
}

/// Who judges positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvaluatorArg {
    /// A network where there is one for the game and the board; else the static evaluation of Othello,
    /// Gomoku and Connect6; else playouts, also where --batch, --mode, --policy or --leaf are given.
    Auto,
    /// Playouts alone.
    Playouts,
    /// A network alone.
    Net,
    /// KataGo alone: of this process (--katago), or of workers that have one.
    Katago,
    /// The game's best static evaluation alone, with its priors as the policy; not for Go, which has none.
    Patterns,
    /// A network, or KataGo with --katago, or a static evaluation where there is neither, and playouts.
    Mixed,
}

/// How children are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SelectionArg {
    /// By priors, as AlphaGo Zero.
    Puct,
    /// By UCT with all moves as first.
    Rave,
}
