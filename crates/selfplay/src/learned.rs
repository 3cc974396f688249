//! A game that networks learn by self-play: how its games begin, what is known without searching on, how they
//! end.

use super::ending::{self, Ending};
use banyan_games::connect6::Connect6;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_games::{Outcome, Record, Rng, Rules, Terms};
use banyan_search::Searchable;

/// Customary komi of Go, in half points.
pub(crate) const KOMI: i16 = 15;

/// Games of Go of which one has a komi far from the customary, count.
const ODD_KOMI: u32 = 5;

/// A game that networks learn by self-play.
pub trait Learned: Searchable {
    /// Plies at the beginning that are drawn evenly among the candidates; the number is drawn as well, from
    /// none to this. Games of territory have openings of their own.
    const DRAWN_PLIES_MAX: u32 = 6;

    /// Positions that a proof may look into at each leaf of a search; 0 for none.
    const LEAF_PROOF: u64 = 0;

    /// Positions that a win by threats may take at the root of a search; 0 where nobody looks for one.
    const ROOT_PROOF: u64 = 0;

    /// The rules of a game of self-play.
    ///
    /// - `size`: points a side.
    /// - `komi`: half points for White, where the game has a komi.
    ///
    /// # Errors
    /// A board that the game is not played on.
    fn rules_of(size: u32, komi: i16) -> anyhow::Result<Self::Rules> {
        let terms = Terms { width: size, height: size, komi, ..Terms::of(Self::KIND) };
        let rules = Rules::new(Self::KIND, terms)?;
        Ok(Self::Rules::try_from(rules).unwrap_or_else(|_| unreachable!("rules are of their kind")))
    }

    /// Half points for White; 0 in games without komi.
    fn komi_of(rules: &Self::Rules) -> i16 {
        let _ = rules;
        0
    }

    /// Komi of a game, drawn by lot.
    fn draw_komi(rng: &mut Rng) -> i16 {
        let _ = rng;
        0
    }

    /// Outcome of a game, by its rules or by its length; nothing while it goes on.
    fn end_of(record: &Record<Self>) -> Option<Outcome> {
        record.position().outcome()
    }

    /// Settles who holds what after the last position, in games of territory.
    fn settle(last: &Self, rng: &mut Rng) -> Ending {
        let _ = (last, rng);
        Ending::default()
    }
}

impl Learned for Go {
    fn komi_of(rules: &GoRules) -> i16 {
        rules.komi()
    }

    /// 7 or 7½ points in most games, within six points of it in the others.
    fn draw_komi(rng: &mut Rng) -> i16 {
        match rng.below(ODD_KOMI) {
            0 => KOMI - 12 + rng.below(25) as i16,
            _ => KOMI - rng.below(2) as i16,
        }
    }

    fn end_of(record: &Record<Go>) -> Option<Outcome> {
        ending::outcome(record)
    }

    fn settle(last: &Go, rng: &mut Rng) -> Ending {
        ending::settle(last, rng)
    }
}

impl Learned for Othello {
    const DRAWN_PLIES_MAX: u32 = 10;
    const LEAF_PROOF: u64 = 200;
}

impl Learned for Gomoku {
    const LEAF_PROOF: u64 = 50;
    const ROOT_PROOF: u64 = 1000;
}

impl Learned for Connect6 {
    const LEAF_PROOF: u64 = 20;
    const ROOT_PROOF: u64 = 300;
}

impl Learned for Hex {
    const DRAWN_PLIES_MAX: u32 = 2;
}
