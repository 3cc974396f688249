//! Which evaluator judges by which rules: networks where they learned, static evaluations where they lead.

use std::ops::RangeInclusive;

use banyan_games::{Game as _, Rules, Size, with_game};
use banyan_net::input::{SIDE_MAX, SIDE_MIN};

use crate::evaluator::ModelDigest;
use crate::network;

/// Rules and boards that an evaluator is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All of its game.
    All,
    /// Boards whose sides have so many points.
    Sides(RangeInclusive<u8>),
    /// The same, by the rules that networks learn by alone.
    Learned(RangeInclusive<u8>),
    /// What KataGo takes: see [`KATAGO_SIDE_MAX`] and [`KATAGO_KOMI_MAX`].
    KataGo,
}

/// Points on a side of the largest board that KataGo judges, as it is published.
pub const KATAGO_SIDE_MAX: u8 = 19;

/// The largest komi that KataGo takes in a query, for either side, in half points.
pub const KATAGO_KOMI_MAX: u16 = 300;

impl Reach {
    /// All that a network can see.
    pub const SEEN: Reach = Reach::Sides(SIDE_MIN as u8..=SIDE_MAX as u8);

    /// Tells whether it is asked by these rules.
    pub fn holds(&self, rules: &Rules) -> bool {
        let Size { width, height } = size_of(rules);
        let fits = |sides: &RangeInclusive<u8>| sides.contains(&width) && sides.contains(&height);
        match self {
            Reach::All => true,
            Reach::Sides(sides) => fits(sides),
            Reach::Learned(sides) => network::is_learned(rules) && fits(sides),
            Reach::KataGo => match rules {
                Rules::Go(go) => {
                    fits(&(1..=KATAGO_SIDE_MAX)) && go.komi().unsigned_abs() <= KATAGO_KOMI_MAX
                }
                _ => false,
            },
        }
    }
}

/// The board that is played on by these rules.
pub fn size_of(rules: &Rules) -> Size {
    with_game!(rules, G, rules => G::new(rules).size())
}

/// An evaluator, and where it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// Its digest.
    pub digest: ModelDigest,
    /// What it is asked about.
    pub reach: Reach,
}

/// The first of some judges that is asked by these rules.
pub fn first(judges: &[Judge], rules: &Rules) -> Option<ModelDigest> {
    judges.iter().find(|judge| judge.reach.holds(rules)).map(|judge| judge.digest)
}

#[cfg(test)]
mod tests {
    use banyan_games::go::GoRules;
    use banyan_games::gomoku::{GomokuRules, Variant};

    use super::*;

    #[test]
    fn the_first_that_knows_rules_and_board_judges() {
        let judge = |byte, reach| Judge { digest: ModelDigest([byte; 32]), reach };
        let judges =
            [judge(1, Reach::Learned(15..=15)), judge(2, Reach::SEEN), judge(3, Reach::All)];
        let gomoku = |side, variant| -> Rules {
            GomokuRules::new(side, side, variant).expect("a size").into()
        };
        let asked = |rules: &Rules| first(&judges, rules).map(|digest| digest.0[0]);
        assert_eq!(asked(&gomoku(15, Variant::Freestyle)), Some(1));
        assert_eq!(asked(&gomoku(15, Variant::Renju)), Some(2), "it has not learned these rules");
        assert_eq!(asked(&gomoku(19, Variant::Freestyle)), Some(2), "nor this board");
        assert_eq!(asked(&gomoku(5, Variant::Freestyle)), Some(3), "no network sees this board");
        let katago = |size, komi| {
            let rules: Rules = GoRules::new(size, komi).expect("a board").into();
            Reach::KataGo.holds(&rules)
        };
        assert!(katago(5, 15) && katago(19, -300) && !katago(21, 15) && !katago(9, 301));
        assert!(!Reach::KataGo.holds(&gomoku(15, Variant::Renju)));
        let small: Rules = GoRules::new(5, 15).expect("a size").into();
        assert_eq!(first(&judges[..2], &small), None);
    }
}
