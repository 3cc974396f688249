//! Settings of one side of a lab match.

use std::fmt;
use std::num::NonZeroU32;

use anyhow::{Context as _, bail};
use banyan_engine::sizing::{Sizing, Wish};
use banyan_games::Kind;
use banyan_knowledge::Policy;
use banyan_search::Parameters;

use super::timing::{self, Timing};

/// The settings of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Playouts a move, where no clock runs.
    pub playouts: u64,
    /// The clock, if one runs.
    pub timing: Option<Timing>,
    /// How playouts choose.
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
    /// Numbers of the search.
    pub parameters: Parameters,
    text: String,
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
            parameters: Parameters::of(kind),
            text: text.to_owned(),
        };
        let mut clock = timing::Words::default();
        for word in text.split_whitespace() {
            let wrong = || format!("'{word}' is no setting: expected NAME=VALUE");
            let (name, value) = word.split_once('=').with_context(wrong)?;
            if !clock.set(name, value).with_context(wrong)? {
                settings.set(name, value).with_context(wrong)?;
            }
        }
        settings.timing = clock.timing()?;
        settings.keep |= settings.timing.is_some() || settings.ponder.is_some();
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        match name {
            "playouts" => self.playouts = value.parse()?,
            "window" => self.window = Some(value.parse()?),
            "policy" => {
                let known = Policy::ALL.into_iter().find(|policy| policy.name() == value);
                self.policy = known.context("policy is uniform or heavy")?;
            }
            "keep" => self.keep = value.parse()?,
            "ties" => self.ties = value.parse()?,
            "ponder" => self.ponder = Some(value.parse()?),
            "batch" => self.sizing.playouts = Some(value.parse()?),
            "mode" => {
                self.sizing.wish = match value {
                    "leaf-parallel" | "flat" => Wish::LeafParallel,
                    "subtree" | "grown" => Wish::Subtree,
                    _ => bail!("mode is leaf-parallel or subtree"),
                }
            }
            _ => self.parameters.set(name, value.parse()?)?,
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
    fn who_ponders_keeps_the_tree() {
        let keeps = |text: &str| Settings::parse(text, Kind::Go).expect("settings").keep;
        assert!(keeps("ponder=8") && keeps("clock=even main=60 rate=9") && !keeps("playouts=9"));
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
            "ponder=0",
            "keep=2",
        ] {
            let refused = Settings::parse(wrong, Kind::Go).expect_err(wrong);
            assert!(refused.to_string().contains(wrong), "{refused}");
        }
    }
}
