//! Options of `banyan rules learn --game`, `show`, `check` and `measure`, whatever the game.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use banyan_proofs::Effort;
use clap::Args;

/// Where questions come from.
#[derive(Clone, Debug, Args)]
pub struct Source {
    /// Folder of SGF files: all chains of their positions are asked about, in games of lines the positions.
    #[arg(long, value_name = "DIR")]
    pub(super) sgf: Option<PathBuf>,
    /// File of problems (docs/rules.md).
    #[arg(long, value_name = "FILE")]
    pub(super) problems: Option<PathBuf>,
    /// Games that are drawn by the tree's priors, count: questions without any file.
    #[arg(long, value_name = "N")]
    pub(super) drawn: Option<u32>,
    /// Go: eye spaces that are drawn, count: problems without any file.
    #[arg(long, value_name = "N")]
    pub(super) eyes: Option<u32>,
    /// Leave out zones that the problems of this file are about; in games of lines their positions.
    #[arg(long, value_name = "FILE")]
    pub(super) except: Option<PathBuf>,
    /// Points a side of the boards of drawn games, in games of lines of problems too [default: go 9, gomoku 15,
    /// connect6 19].
    #[arg(long, value_name = "N")]
    pub(super) size: Option<u32>,
    /// Seed of whatever is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Positions looked into for a question, in Go for each of its two searches, count.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
}

/// How rules of a game are learned.
#[derive(Clone, Debug, Args)]
pub struct Lesson {
    #[command(flatten)]
    pub(super) source: Source,
    /// File that rules are written to.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Positions that a proof must have taken to become a rule, count [default: go 20, games of lines 4].
    #[arg(long, value_name = "N")]
    pub(super) work_min: Option<u32>,
    /// Rules at most: in Go those with the dearest proofs, in games of lines those that saved most.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub(super) rules_max: usize,
    /// Random completions on which each rule is proven anew before it is believed, count: first on twenty, and what is
    /// left in the end on all.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) completions: u32,
    /// How often a rule must be met on what it was learned from, or it is dropped, count [default: go 0, games of
    /// lines 1].
    #[arg(long, value_name = "N")]
    pub(super) hits_min: Option<u64>,
}

/// Options of `banyan rules show`.
#[derive(Clone, Debug, Args)]
pub struct Shown {
    /// File of rules.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// File that the page is written to [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
}

/// Options of `banyan rules check`.
#[derive(Clone, Debug, Args)]
pub struct Checked {
    /// File of rules.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Random completions of each rule, count.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) completions: u32,
    /// Rules that are checked, from the first on [default: all].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub(super) rules: Option<usize>,
    /// Seed of what is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

/// Options of `banyan rules measure`.
#[derive(Clone, Debug, Args)]
pub struct Measured {
    /// File of rules.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) source: Source,
    /// Answer with one JSON object instead of text.
    #[arg(long)]
    pub(super) json: bool,
}

impl Source {
    /// Effort for each question.
    pub(super) fn effort(&self) -> Effort {
        Effort { nodes_max: self.nodes, table_bytes: 1 << 20 }
    }
}

/// Settings by which rules are learned from questions.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Effort for each question.
    pub effort: Effort,
    /// Positions that a proof must have taken: cheaper ones cost more to look up than they save.
    pub work_min: u32,
    /// Rules at most: in Go those with the dearest proofs, in games of lines those that saved most.
    pub rules_max: usize,
    /// Completions on which each is proven anew, count.
    pub completions: u32,
    /// Hits that a rule must have on what it was learned from: one with fewer costs more than it saves.
    pub hits_min: u64,
}

impl Lesson {
    /// The first option that was typed and says something of a game alone.
    pub(super) fn of_a_game(&self) -> Option<&'static str> {
        let Lesson { source, out, work_min, hits_min, .. } = self;
        let Source { sgf, problems, drawn, eyes, except, size, .. } = source;
        let typed = [
            ("--sgf", sgf.is_some()),
            ("--problems", problems.is_some()),
            ("--drawn", drawn.is_some()),
            ("--eyes", eyes.is_some()),
            ("--except", except.is_some()),
            ("--size", size.is_some()),
            ("--out", out.is_some()),
            ("--work-min", work_min.is_some()),
            ("--hits-min", hits_min.is_some()),
        ];
        typed.into_iter().find(|(_, is_typed)| *is_typed).map(|(option, _)| option)
    }

    /// Settings of the lesson, where a game has these defaults.
    pub(super) fn settings(&self, work_min: u32, hits_min: u64) -> Settings {
        Settings {
            effort: self.source.effort(),
            work_min: self.work_min.unwrap_or(work_min),
            rules_max: self.rules_max,
            completions: self.completions,
            hits_min: self.hits_min.unwrap_or(hits_min),
        }
    }

    /// File that rules go to.
    ///
    /// # Errors
    /// Where nothing was said.
    pub(super) fn to(&self) -> anyhow::Result<&Path> {
        self.out.as_deref().context("--out FILE says where rules go")
    }
}
