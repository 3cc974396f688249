//! Options whose value is one of a few words: the words, what they mean, and what help says of them.

use banyan_book::Costs;
use banyan_frontends::gtp::DynamicKomi;
use banyan_frontends::opening::Rule;
use banyan_games::Color;
use banyan_jobs::Wish;
use banyan_knowledge::Policy;
use banyan_search::classical::Horizon;
use banyan_search::time::Sharing;
use banyan_search::{FinalMove, Valuing};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// One of the words of an option.
#[derive(Debug)]
pub struct Word<T> {
    name: &'static str,
    /// Its old name, which still means it.
    alias: Option<&'static str>,
    means: T,
    help: &'static str,
}

impl<T> Word<T> {
    const fn new(name: &'static str, means: T, help: &'static str) -> Word<T> {
        Word { name, alias: None, means, help }
    }

    const fn once(mut self, alias: &'static str) -> Word<T>
    where
        T: Copy,
    {
        self.alias = Some(alias);
        self
    }

    fn is(&self, typed: &str) -> bool {
        self.name == typed || self.alias == Some(typed)
    }
}

/// Ways to spread the playouts of a batch.
pub const MODES: &[Word<Wish>] = &[
    Word::new("auto", Wish::Auto, "As measured: leaf-parallel for small clusters, else subtrees"),
    Word::new("leaf-parallel", Wish::LeafParallel, "All from one leaf; also: flat").once("flat"),
    Word::new("subtree", Wish::Subtree, "By a private tree of the worker; also: grown")
        .once("grown"),
];

/// Ways to choose the moves of playouts.
pub const POLICIES: &[Word<Policy>] = &[
    Word::new("uniform", Policy::Uniform, "Every candidate move is equally likely"),
    Word::new(
        "heavy",
        Policy::Heavy,
        "Moves are drawn by what the game knows of them: better, and five to twenty times as slow. \
         Othello and Hex have none",
    ),
];

/// Ways to choose the root move that is played.
pub const FINAL_MOVES: &[Word<FinalMove>] = &[
    Word::new("visits", FinalMove::Visits, "The one with most visits"),
    Word::new("mean", FinalMove::Mean, "The one with the highest mean"),
    Word::new(
        "bound",
        FinalMove::Bound,
        "Of those with 15 % of the most visits the one with the highest mean less 0.45 over the root of its visits",
    ),
];

/// Ways to value a leaf.
pub const LEAVES: &[Word<Valuing>] = &[
    Word::new("playout", Valuing::Playout, "A playout"),
    Word::new("evaluate", Valuing::Evaluate, "An evaluation"),
    Word::new("mixed", Valuing::Mixed, "A short playout and an evaluation"),
];

/// Limits of a line of a classical search.
pub const HORIZONS: &[Word<Horizon>] = &[
    Word::new("depth", Horizon::Depth, "Plies"),
    Word::new("branches", Horizon::Branches, "A budget of branches"),
];

/// By what a book's next position is chosen.
pub const COSTS: &[Word<Costs>] = &[
    Word::new(
        "drop-out",
        Costs::DROP_OUT,
        "A ply costs as much as losing a twentieth of the value: good lines are followed deep",
    ),
    Word::new(
        "least-cost",
        Costs::LEAST_COST,
        "Plies are cheap, and another move at a position costs more with each that was tried there",
    ),
];

/// Ways to spend a clock.
pub const CLOCKS: &[Word<Sharing>] = &[
    Word::new(
        "adaptive",
        Sharing::Adaptive,
        "More where more is undecided, less where nothing can change",
    ),
    Word::new("even", Sharing::Even, "The same for each move that may still have to be played"),
];

/// By which komi a handicap game is searched.
pub const KOMIS: &[Word<DynamicKomi>] = &[
    Word::new(
        "linear",
        DynamicKomi::Linear,
        "Seven points for each handicap stone beyond the first, fewer with each ply",
    ),
    Word::new("none", DynamicKomi::None, "The game's own"),
];

/// Ways to open a game of Gomoku.
pub const OPENINGS: &[Word<Rule>] = &[
    Word::new(Rule::None.name(), Rule::None, "Black begins, and nobody has a choice of sides"),
    Word::new(
        Rule::Swap.name(),
        Rule::Swap,
        "One side lays three stones, the other takes the colour that it likes",
    ),
    Word::new(
        Rule::Swap2.name(),
        Rule::Swap2,
        "As swap; or the other side lays two stones more and leaves the choice of colours",
    ),
    Word::new(
        Rule::TwoFifths.name(),
        Rule::TwoFifths,
        "As swap; then White plays the fourth stone, Black offers two points for the fifth, and White \
         says which of them is played",
    ),
];

/// The sides.
pub const SIDES: &[Word<Color>] =
    &[Word::new("black", Color::Black, "Black"), Word::new("white", Color::White, "White")];

/// Reads one of these words as what it means; help lists them.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [Word<T>],
) -> impl TypedValueParser<Value = T> {
    let possible = words.iter().map(|word| {
        let value = PossibleValue::new(word.name).help(word.help);
        word.alias.map_or(value.clone(), |alias| value.alias(alias))
    });
    PossibleValuesParser::new(possible).map(|typed| {
        let word = words.iter().find(|word| word.is(&typed));
        word.expect("the parser lets no other pass").means
    })
}

/// The word that means this; nothing where none does.
pub fn word_for<T: PartialEq>(words: &[Word<T>], meaning: &T) -> &'static str {
    words.iter().find(|word| word.means == *meaning).map_or("", |word| word.name)
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    fn mode(typed: &str) -> Option<Wish> {
        let arg = Arg::new("mode").value_parser(one_of(MODES));
        let found = Command::new("banyan").arg(arg).try_get_matches_from(["banyan", typed]);
        found.ok().and_then(|found| found.get_one("mode").copied())
    }

    #[test]
    fn old_names_of_modes_mean_the_new_ones() {
        assert_eq!([mode("leaf-parallel"), mode("flat")], [Some(Wish::LeafParallel); 2]);
        assert_eq!([mode("subtree"), mode("grown")], [Some(Wish::Subtree); 2]);
        assert_eq!(mode("grows"), None);
    }
}
