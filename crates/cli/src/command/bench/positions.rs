//! The positions of `banyan bench --signature`: each game several plies in, where its rules matter.

use banyan_games::connect6::Connect6Rules;
use banyan_games::go::GoRules;
use banyan_games::gomoku::{GomokuRules, Variant};
use banyan_games::hex::HexRules;
use banyan_games::othello::OthelloRules;
use banyan_games::{Rules, RulesError};
use banyan_knowledge::Policy;

/// A position and how long it is searched.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The game and its rules.
    pub rules: Rules,
    /// The plies before it, as `--moves` takes them.
    pub moves: &'static str,
    /// Policy of the playouts.
    pub policy: Policy,
    /// Playouts of one search of it.
    pub playouts: u64,
}

/// Playouts of a search: enough for a tree that outgrows its memory, few enough for a signature
/// within seconds.
const PLAYOUTS: u64 = 8_000;

/// Playouts of a search on a board of 19x19, where one takes ten times as long.
const PLAYOUTS_LARGE: u64 = 2_000;

/// Heavy playouts of a search: one takes up to forty times as long as a uniform one.
const PLAYOUTS_HEAVY: u64 = 1_000;

/// Every position, one game after the other.
pub(super) fn all() -> Result<Vec<Position>, RulesError> {
    let mut all = Vec::new();
    let mut add = |rules: &Rules, (policy, playouts): (Policy, u64), games: &[&'static str]| {
        let position = |&moves| Position { rules: rules.clone(), moves, policy, playouts };
        all.extend(games.iter().map(position));
    };
    let uniform = (Policy::Uniform, PLAYOUTS);
    let heavy = (Policy::Heavy, PLAYOUTS_HEAVY);
    let go = GoRules::new(9, 15)?.into();
    add(&go, uniform, GO_9);
    add(&GoRules::new(13, 15)?.into(), uniform, GO_13);
    add(&GoRules::new(19, 13)?.into(), (Policy::Uniform, PLAYOUTS_LARGE), GO_19);
    add(&go, heavy, GO_9);
    add(&OthelloRules::new(8)?.into(), uniform, OTHELLO);
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle)?.into();
    add(&gomoku, uniform, GOMOKU);
    add(&GomokuRules::new(15, 15, Variant::Standard)?.into(), uniform, GOMOKU_EXACTLY);
    add(&gomoku, heavy, GOMOKU);
    let connect6 = Connect6Rules::new(19)?.into();
    add(&connect6, uniform, CONNECT6);
    add(&connect6, heavy, CONNECT6);
    add(&HexRules::new(11)?.into(), uniform, HEX);
    Ok(all)
}

const GO_9: &[&str] = &[
    // A fight in contact.
    "e5 e3 g4 f3 c4 g3 h3 h2 d3 d2",
    // A pass, a capture, and a ko that may not be taken back at once.
    "d4 e4 c5 f5 d6 e6 pass d5 e5",
    // The end of a game: dame, eyes and stones in atari.
    "c5 e6 d6 d2 f6 g3 c2 f5 e5 e4 e7 c3 e3 d4 f4 g5 g6 g4 d3 c4 f3 b3 g2 f2 h5 e2 h4 b5 h3 f4 h2 \
     b6 c7 b7 b8 a8 a7 c8 d8 b9 c9 b8 e1 d1 b4 d5",
];

const GO_13: &[&str] = &["d4 k10 k4 d10 c8 f11 g4 j3 j4 h3 k3 g3 f3"];

const GO_19: &[&str] = &["q16 d4 q3 d17 r9 c10 o3 r17 q17 r16 r15"];

const OTHELLO: &[&str] = &[
    "f5 d6 c3 d3 c4",
    // White must pass.
    "f5 f4 c3 c4 b3 b2 c2 d2 a1 c6 e1 a2 c1 g5 a4 e2 b1 b4 a3",
    // Fourteen empty squares: near enough to the end for proofs.
    "d3 e3 f2 c6 f6 c2 c3 e6 c1 g6 e7 f7 c5 b2 c4 f3 a1 f1 d6 b3 d2 b5 g5 g4 g3 h3 f8 b1 c7 e2 h5 \
     c8 d1 e8 h4 h6 d8 g8 f4 f5 a2 d7 g7 e1 a5 h8",
];

const GOMOKU: &[&str] = &[
    "h8 i9 h9 h10 g8 i8 i10 f7 j11 g11",
    // Black has an open three, and White four of her own to watch.
    "h8 h7 i8 g7 g8 f7 k10 l11 j6 e5",
    // White has a four with one end open, which must be stopped.
    "h8 i9 h9 h10 g8 j8 g11 k7",
];

const GOMOKU_EXACTLY: &[&str] = &[
    // G8 would make six in a row, which wins nothing.
    "d8 d2 e8 e2 f8 h2 h8 k2 i8 n2",
];

const CONNECT6: &[&str] = &[
    "k10 j10 l11 k11 k9",
    // Black has put the first stone of a turn.
    "k10 j10 l11 k11 k9 l9 j11 m12 k8 k7",
    // White has four in a row with one end open, which must be stopped.
    "k10 l11 m12 l9 j11 n13 o14",
];

const HEX: &[&str] = &["f6 d7 e5 f4 g4 d5"];

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, with_game};
    use banyan_knowledge::{Knowledge, Policy};

    #[test]
    fn every_game_is_searched_with_each_kind_of_playouts_that_it_has() {
        let all = super::all().expect("sizes that are played on");
        for kind in Kind::ALL {
            let searched =
                |policy| all.iter().any(|it| it.rules.kind() == kind && it.policy == policy);
            let rules = &all.iter().find(|it| it.rules.kind() == kind).expect("a position").rules;
            let has_heavy = with_game!(rules, G, _rules => G::HEAVY);
            assert!(searched(Policy::Uniform), "{}", kind.name());
            assert_eq!(searched(Policy::Heavy), has_heavy, "{}", kind.name());
        }
    }
}
