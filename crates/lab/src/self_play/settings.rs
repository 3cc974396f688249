//! Settings of one side of a lab match.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use banyan_engine::sizing::{Sizing, Wish};
use banyan_games::{Kind, Size};
use banyan_knowledge::network::{Net, built_in};
use banyan_knowledge::statics::Static;
use banyan_knowledge::{Evaluator, Knowledge, Policy};
use banyan_net::Network;
use banyan_search::{FinalMove, Parameters};

use super::timing::{self, Timing};

/// The settings of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Playouts a move, where no clock runs.
    pub playouts: u64,
    /// The clock, if one runs.
    pub timing: Option<Timing>,
    /// Policy by which playouts choose.
    pub policy: Policy,
    /// At most so many playouts in flight, fewer while the tree is small; nothing lets the tree decide.
    pub window: Option<u32>,
    /// Leaf-parallel or subtree batches, and how large.
    pub sizing: Sizing,
    /// Tells whether the tree is kept from move to move. It always is where a clock runs.
    pub keep: bool,
    /// So many replies are searched while the opponent thinks; nothing for a side that waits.
    pub ponder: Option<NonZeroU32>,
    /// Tells whether of moves that win as often the one is played that wins by more.
    pub ties: bool,
    /// Choice of the root's move to play; nothing for what is usual with these numbers of the search.
    pub final_move: Option<FinalMove>,
    /// The network that judges leaves in place of playouts, if one does.
    pub network: Option<NetworkFile>,
    /// Numbers of the search.
    pub parameters: Parameters,
    text: String,
}

/// What judges leaves in place of playouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkFile {
    /// The network that is in the program.
    BuiltIn,
    /// The game's best static evaluation.
    Patterns,
    /// A network in a file.
    At(PathBuf),
}

impl NetworkFile {
    /// The evaluator that judges positions by it.
    ///
    /// # Errors
    /// A file that cannot be read or holds no network of this game; a game without one in the program; a board
    /// that it did not learn on.
    pub fn evaluator<G: Knowledge>(&self, board: Size) -> anyhow::Result<Arc<dyn Evaluator<G>>> {
        let network = match self {
            NetworkFile::Patterns => {
                let judge = Static::<G>::built_in();
                let judge =
                    judge.with_context(|| format!("{} has no static evaluation", G::KIND))?;
                return Ok(Arc::new(judge));
            }
            NetworkFile::BuiltIn => built_in(G::KIND)
                .with_context(|| format!("the program has no network of {}", G::KIND))?,
            NetworkFile::At(path) => {
                Network::load(path).with_context(|| format!("'{}'", path.display()))?
            }
        };
        let (Size { width, height }, (least, most)) = (board, network.about().sides);
        if !network.about().knows(width.into(), height.into()) {
            bail!(
                "the network learned on sides of {least} to {most} points, not on {width}x{height}"
            );
        }
        Ok(Arc::new(Net::new::<G>(&network)?))
    }
}

impl Settings {
    /// Reads words `NAME=VALUE` apart from the defaults of a game.
    ///
    /// # Errors
    /// A word that is no setting, or a value that it cannot have.
    pub fn parse(text: &str, kind: Kind) -> anyhow::Result<Settings> {
        let mut settings = Settings {
            playouts: 20_000,
            timing: None,
            policy: Policy::Uniform,
            window: None,
            sizing: Sizing { wish: Wish::LeafParallel, ..Sizing::default() },
            keep: false,
            ponder: None,
            ties: false,
            network: None,
            final_move: None,
            parameters: Parameters::of(kind),
            text: text.to_owned(),
        };
        let mut clock = timing::Words::default();
        for word in text.split_whitespace() {
            let wrong = || format!("'{word}' is no setting: expected NAME=VALUE");
            let (name, value) = word.split_once('=').with_context(wrong)?;
            if !clock.set(name, value).with_context(wrong)? {
                settings.set(name, value).with_context(|| format!("'{word}'"))?;
            }
        }
        settings.judge_alone()?;
        settings.timing = clock.timing()?;
        settings.keep |= settings.timing.is_some() || settings.ponder.is_some();
        Ok(settings)
    }

    /// A network judges every leaf; without one nobody judges.
    fn judge_alone(&mut self) -> anyhow::Result<()> {
        let lambda = self.parameters.lambda;
        match self.network {
            None if lambda > 0.0 => bail!("lambda={lambda}: nobody judges without net=FILE"),
            Some(_) if lambda > 0.0 && lambda < 1.0 => {
                bail!("lambda={lambda}: with net=FILE nothing is played out, so it is 1")
            }
            Some(_) => self.parameters.lambda = 1.0,
            None => {}
        }
        Ok(())
    }

    /// Choice of the root's move to play.
    pub fn final_move(&self) -> FinalMove {
        self.final_move.unwrap_or(FinalMove::usual(&self.parameters))
    }

    fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        match name {
            "playouts" => {
                let playouts = value.parse::<NonZeroU64>();
                self.playouts = playouts.context("expected a whole number from 1 on")?.get();
            }
            "window" => self.window = Some(value.parse::<NonZeroU32>()?.get()),
            "policy" => {
                let known = Policy::ALL.into_iter().find(|policy| policy.name() == value);
                self.policy = known.context("policy is uniform or heavy")?;
            }
            "keep" => self.keep = value.parse()?,
            "ties" => self.ties = value.parse()?,
            "ponder" => self.ponder = Some(value.parse()?),
            "final" => {
                self.final_move = Some(match value {
                    "visits" => FinalMove::Visits,
                    "mean" => FinalMove::Mean,
                    "bound" => FinalMove::Bound,
                    _ => bail!("final is visits, mean or bound"),
                });
            }
            "net" => {
                self.network = Some(match value {
                    "built-in" => NetworkFile::BuiltIn,
                    "patterns" => NetworkFile::Patterns,
                    path => NetworkFile::At(path.into()),
                });
                self.parameters.puct = true;
            }
            "batch" => self.sizing.playouts = Some(value.parse::<NonZeroU32>()?.get()),
            "mode" => {
                self.sizing.wish = match value {
                    "leaf-parallel" | "flat" => Wish::LeafParallel,
                    "subtree" | "grown" => Wish::Subtree,
                    _ => bail!("mode is leaf-parallel or subtree"),
                }
            }
            _ => self.parameters.set(name, value.parse().context("expected a number")?)?,
        }
        Ok(())
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.text.is_empty() { "the defaults" } else { &self.text };
        match self.timing {
            Some(_) => write!(f, "{text}"),
            None => write!(f, "{text}, {} playouts a move", self.playouts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        for (text, words) in [
            ("playouts=0", "'playouts=0': expected a whole number from 1 on"),
            ("exploration=abc", "'exploration=abc': expected a number"),
            ("playouts", "'playouts' is no setting: expected NAME=VALUE"),
        ] {
            let refused = Settings::parse(text, Kind::Go).expect_err(text);
            assert!(format!("{refused:#}").starts_with(words), "{refused:#}");
        }
    }

    #[test]
    fn who_ponders_keeps_the_tree() {
        let keeps = |text: &str| Settings::parse(text, Kind::Go).expect("settings").keep;
        assert!(keeps("ponder=8") && keeps("clock=even main=60 rate=9") && !keeps("playouts=9"));
    }

    #[test]
    fn a_network_judges_all_leaves_of_its_side() {
        let settings = Settings::parse("puct_growth=0.1 net=built-in", Kind::Go).expect("settings");
        let Parameters { lambda, puct, puct_growth, .. } = settings.parameters;
        assert_eq!((lambda, puct, puct_growth), (1.0, true, 0.1));
        let network = settings.network.expect("a network");
        assert!(network.evaluator::<banyan_games::go::Go>(Size::square(9)).is_ok());
        let refused = network
            .evaluator::<banyan_games::hex::Hex>(Size::square(9))
            .expect_err("none in the program");
        assert!(refused.to_string().contains("hex"), "{refused}");
        let missing = NetworkFile::At("/nowhere".into());
        let refused =
            missing.evaluator::<banyan_games::go::Go>(Size::square(9)).expect_err("no file");
        assert!(refused.to_string().contains("/nowhere"), "{refused}");
        let small = NetworkFile::BuiltIn.evaluator::<banyan_games::go::Go>(Size::square(5));
        assert!(small.expect_err("too small").to_string().contains("not on 5x5"));
        let patterns = Settings::parse("net=patterns", Kind::Hex).expect("settings");
        let patterns = patterns.network.expect("an evaluation");
        assert!(patterns.evaluator::<banyan_games::hex::Hex>(Size::square(9)).is_ok());
        assert!(patterns.evaluator::<banyan_games::go::Go>(Size::square(9)).is_err());
        for wrong in ["lambda=1", "lambda=0.5 net=built-in"] {
            assert!(Settings::parse(wrong, Kind::Go).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_settings_and_nothing_else_is() {
        let text =
            "policy=heavy window=64 batch=8 mode=subtree playouts=500 exploration=0.7 keep=true";
        let settings = Settings::parse(text, Kind::Go).expect("all of them exist");
        assert_eq!((settings.playouts, settings.window), (500, Some(64)));
        assert_eq!(settings.sizing.playouts, Some(8));
        assert_eq!(settings.sizing.wish, Wish::Subtree);
        assert_eq!(settings.policy, Policy::Heavy);
        assert_eq!(settings.parameters.exploration, 0.7);
        assert!(settings.keep && settings.ponder.is_none());
        for wrong in [
            "window",
            "window=many",
            "speed=1",
            "mode=best",
            "policy=light",
            "exploration=-1",
            "final=best",
            "ponder=0",
            "window=0",
            "batch=0",
            "playouts=0",
            "keep=2",
        ] {
            let refused = Settings::parse(wrong, Kind::Go).expect_err(wrong);
            assert!(refused.to_string().contains(wrong), "{refused}");
        }
    }
}
