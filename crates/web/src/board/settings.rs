//! Settings of a board's session, by the wishes of its page, and its judge.

use std::collections::BTreeMap;

use banyan_engine::engines::{Choice, Classical};
use banyan_engine::{Playable, Settings};
use banyan_games::Kind;
use banyan_jobs::ModelDigest;
use banyan_knowledge::{Judge, statics};
use banyan_search::classical::{Horizon, Method, Step};
use banyan_search::{FinalMove, Parameters, Valuing};

use super::ask::{Engine, JudgedBy, Leaf, Wishes};

/// Share of a network beside playouts.
const MIXED_SHARE: f32 = 0.5;

/// MTD(f) begins with steps of so much of the evaluation's scale.
const FIRST_STEP: f32 = 0.05;

/// Networks, one a game.
pub type Networks = BTreeMap<Kind, Judge>;

/// Who judges by these rules on this board: the network, else the static evaluation that a tree is better by.
pub(super) fn judge<G: Playable>(networks: &Networks, position: &G) -> Option<ModelDigest> {
    let rules = position.rules().clone().into();
    let network = networks.get(&G::KIND).filter(|network| network.reach.holds(&rules));
    match network {
        None if statics::leads(G::KIND) => statics::digest::<G>(),
        network => network.map(|it| it.digest),
    }
}

/// Makes the settings of a session with these wishes.
///
/// - `judge`: the one for the game and the board.
pub(super) fn settings<G: Playable>(
    wishes: &Wishes,
    tree_bytes_max: usize,
    judge: Option<ModelDigest>,
) -> Settings {
    let mut settings = Settings::of::<G>();
    let valuing = match wishes.leaf {
        Leaf::Best => None,
        Leaf::Playout => Some(Valuing::Playout),
        Leaf::Evaluate => Some(Valuing::Evaluate),
        Leaf::Mixed => Some(Valuing::Mixed),
    };
    if let Some(valuing) = valuing {
        settings.tuning.parameters = Parameters::with_leaves(G::KIND, valuing);
    }
    let share = match wishes.judge {
        JudgedBy::Playouts => 0.0,
        JudgedBy::Mixed => MIXED_SHARE,
        JudgedBy::Auto | JudgedBy::Net => 1.0,
    };
    // A static evaluation is asked by leaves of its own as well.
    let is_kept = |digest: &ModelDigest| {
        let is_asked = wishes.judge != JudgedBy::Auto || wishes.leaf == Leaf::Best;
        share > 0.0 && (is_asked || !statics::is_static(*digest))
    };
    if let Some(digest) = judge.filter(is_kept) {
        settings.tuning.evaluator = Some(digest);
        settings.tuning.parameters.lambda = share;
        settings.tuning.parameters.puct = true;
    }
    settings.tuning.final_move = FinalMove::usual(&settings.tuning.parameters);
    settings.tuning.tree_bytes_max = tree_bytes_max;
    let best = G::evaluations().get(G::SEARCHED_BY);
    let step = best.map_or(1, |best| (FIRST_STEP * best.scale()) as i32);
    let method = match wishes.engine {
        Engine::Uct => None,
        Engine::AlphaBeta => Some(Method::AlphaBeta),
        Engine::Mtdf => Some(Method::Mtdf(Step::Adaptive(step))),
    };
    let classical = method.filter(|_| !G::evaluations().is_empty()).map(|method| Classical {
        method,
        horizon: Horizon::Depth,
        evaluation: G::SEARCHED_BY,
        beam: None,
        model: None,
        is_shareable: true,
        is_implied: false,
    });
    settings.engines = Choice {
        classical,
        looks_for_threats: true,
        threat_rules: None,
        zone_rules: None,
        table_bytes_max: tree_bytes_max,
    };
    settings
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::hex::{Hex, HexRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use banyan_knowledge::Reach;

    use super::*;

    #[test]
    fn a_network_judges_as_the_page_wishes_and_only_where_there_is_one() {
        let net = ModelDigest([7; 32]);
        let of = |digest, reach| Judge { digest, reach };
        let other = ModelDigest([8; 32]);
        let named = Networks::from([
            (Kind::Go, of(net, Reach::SEEN)),
            (Kind::Gomoku, of(other, Reach::SEEN)),
        ]);
        let learned = Networks::from([(Kind::Gomoku, of(other, Reach::Learned(15..=15)))]);
        let go = |side| Go::new(&GoRules::new(side, 15).expect("a size of Go"));
        assert_eq!(judge(&named, &go(9)), Some(net));
        assert_eq!(judge(&named, &go(5)), None, "they judge boards from 7x7 on");
        assert_eq!(judge(&named, &Hex::new(&HexRules::new(11).expect("a size of Hex"))), None);
        let gomoku = |networks, side, variant| {
            judge(networks, &Gomoku::new(&GomokuRules::new(side, side, variant).expect("a size")))
        };
        let patterns = statics::digest::<Gomoku>();
        assert!(patterns.is_some());
        assert_eq!(gomoku(&learned, 15, Variant::Freestyle), Some(other));
        assert_eq!(gomoku(&learned, 20, Variant::Freestyle), patterns, "it has not learned on it");
        assert_eq!(gomoku(&learned, 15, Variant::Renju), patterns, "nor by these rules");
        assert_eq!(gomoku(&named, 20, Variant::Renju), Some(other), "who names one wants it");
        assert_eq!(judge(&named, &Othello::new(&OthelloRules)), statics::digest::<Othello>());
        for (judge, share) in [
            (JudgedBy::Auto, 1.0),
            (JudgedBy::Net, 1.0),
            (JudgedBy::Mixed, 0.5),
            (JudgedBy::Playouts, 0.0),
        ] {
            let wishes = Wishes { judge, ..Wishes::default() };
            let tuning = settings::<Go>(&wishes, 1 << 20, Some(net)).tuning;
            assert_eq!(tuning.parameters.lambda, share, "{judge:?}");
            let is_asked = share > 0.0;
            assert_eq!((tuning.evaluator.is_some(), tuning.parameters.puct), (is_asked, is_asked));
            assert_eq!(tuning.final_move, FinalMove::usual(&tuning.parameters), "{judge:?}");
            let without = settings::<Go>(&wishes, 1 << 20, None).tuning;
            assert_eq!((without.parameters.lambda, without.evaluator), (0.0, None), "{judge:?}");
        }
        let patterns = statics::digest::<Othello>();
        for (leaf, judge, is_asked) in [
            (Leaf::Best, JudgedBy::Auto, true),
            (Leaf::Best, JudgedBy::Playouts, false),
            (Leaf::Evaluate, JudgedBy::Auto, false),
            (Leaf::Evaluate, JudgedBy::Net, true),
        ] {
            let wishes = Wishes { judge, leaf, ..Wishes::default() };
            let tuning = settings::<Othello>(&wishes, 1 << 20, patterns).tuning;
            assert_eq!(tuning.evaluator.is_some(), is_asked, "{leaf:?} {judge:?}");
        }
    }
}
