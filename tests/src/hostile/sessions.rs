//! Both directions of a front end's conversation: an order is searched as the server would, a finding is
//! taken as a front end would.

use std::time::Duration;

use banyan::remote;
use banyan::serve::Wanted;
use banyan_engine::growth::Growth;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Move, Record, with_game};
use banyan_jobs::session::{Answer, Ask, Candidate, FinalMove, Finding, Order, SearchEnd, Visitor};
use banyan_jobs::{Growing, Plan, Proof, Root, Scores, Sizing, Sums, Wish};
use banyan_knowledge::Policy;
use banyan_proto::bytes;
use banyan_search::Searchable;
use banyan_search::Tree;

/// Descents of a search that was let in.
const DESCENTS: u32 = 16;

/// A front end's message: whether it is an order, or one of the smaller ones, that can be obeyed.
pub(super) fn ask(bytes: &[u8]) -> bool {
    let Ok(ask) = bytes::read_ask(bytes) else { return false };
    assert_eq!(bytes::read_ask(&bytes::of_ask(ask.clone())).as_ref(), Ok(&ask));
    match ask {
        Ask::Search(order) => {
            let rules = order.root.rules.clone();
            with_game!(&rules, G, _rules => search::<G>(&order))
        }
        Ask::Hello(_) | Ask::Stop(_) => true,
    }
}

/// The coordinator's message, to a front end that plays Gomoku.
pub(super) fn finding(bytes: &[u8]) -> bool {
    let Ok(answer) = bytes::read_finding(bytes) else { return false };
    assert_eq!(bytes::read_finding(&bytes::of_finding(answer.clone())).as_ref(), Ok(&answer));
    match answer {
        Answer::Finding(finding) => remote::report(&gomoku(), Color::Black, *finding).is_ok(),
        Answer::Welcome | Answer::Refused(_) => true,
    }
}

/// Whether the order was one; a few steps of it are made.
fn search<G: Searchable>(order: &Order) -> bool {
    let Ok(Wanted { record, plan }) = Wanted::<G>::of(order) else { return false };
    let Root { id, side_to_move: side, growing, .. } = order.root;
    let mut position = record.position().clone();
    position.set_side_to_move(side).expect("it was checked");
    let mut allowed = order.allowed.clone();
    if allowed.is_empty() {
        position.candidates(&mut allowed);
    }
    let mut tree = Tree::new(growing.parameters, growing.seed, 1 << 20, !side);
    tree.allow_at_root(side, &allowed);
    let mut growth = Growth::new(tree, id, position, plan, 0);
    for _ in 0..DESCENTS {
        let _ = growth.step();
    }
    assert_eq!(growth.end().0.unobserved_total(), 0);
    true
}

fn gomoku() -> Record<Gomoku> {
    Record::new(&GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku"))
}

fn order<G: Searchable>(record: &Record<G>) -> Order {
    let side = record.position().side_to_move();
    let root = Root::of(record, side, Default::default(), Growing::of(G::KIND));
    Order {
        plan: Plan {
            seed: 5,
            playouts_max: Some(1_000),
            ownership_every: 8,
            ..Plan::of(Policy::Uniform)
        },
        time: Some(Duration::from_secs(2)),
        digest: true,
        ..Order::of(3, root)
    }
}

/// A hello, orders of two games, one with all that can be fixed, and a stop.
pub(super) fn seeds_ask() -> Vec<Vec<u8>> {
    let visitor = Visitor { name: "attic".to_owned(), build: "1".to_owned(), version: 1 };
    let mut go = Record::<Go>::new(&GoRules::new(5, 15).expect("a size of Go"));
    go.play(Move::point(12)).expect("legal");
    let fixed = Order {
        allowed: vec![Move::point(1), Move::point(7)],
        plan: Plan {
            sizing: Sizing { wish: Wish::LeafParallel, playouts: Some(8) },
            window: Some(64),
            in_order: true,
            ..order(&gomoku()).plan
        },
        final_move: FinalMove::Mean,
        ..order(&gomoku())
    };
    let orders = [order(&go), order(&gomoku()), fixed].map(|order| Ask::Search(Box::new(order)));
    let asks = [Ask::Hello(visitor), Ask::Stop(3)].into_iter().chain(orders);
    asks.map(bytes::of_ask).collect()
}

/// A finding under way and a last one.
pub(super) fn seeds_finding() -> Vec<Vec<u8>> {
    let candidate = |point: usize, visits, proof| Candidate {
        mv: Move::point(point),
        visits,
        value: 0.5,
        prior: 0.04,
        proof,
    };
    let finding = Finding {
        number: 3,
        candidates: vec![candidate(12, 90, Proof::Open), candidate(3, 9, Proof::Win)],
        pv: vec![Move::point(12), Move::point(3)],
        visits: 100,
        sums: Sums {
            playouts: 100,
            taken_back: 8,
            owner_playouts: 16,
            ownership: vec![-16; 25],
            scores: vec![Scores { mv: Move::point(12), playouts: 90, margin_sum: -300 }],
        },
        elapsed: Duration::from_millis(70),
        end: None,
    };
    let last = Finding { end: Some(SearchEnd { digest: Some(7) }), ..finding.clone() };
    let answers = [finding, last].map(|finding| Answer::Finding(Box::new(finding)));
    answers.into_iter().map(bytes::of_finding).collect()
}
