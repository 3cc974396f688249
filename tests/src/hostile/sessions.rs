//! Both directions of a front end's conversation: a request is searched as the server would, a response is
//! taken as a front end would.

use std::collections::BTreeSet;
use std::time::Duration;

use banyan::remote;
use banyan::serve::Wanted;
use banyan_engine::Playable;
use banyan_engine::search::Search;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Move, Record, with_game};
use banyan_jobs::session::{
    Candidate, FinalMove, FromFrontEnd, SearchEnd, SearchRequest, SearchResponse, ToFrontEnd,
    Visitor,
};
use banyan_jobs::{Growing, Plan, Proof, Root, Scores, Sizing, Sums, Wish};
use banyan_knowledge::Policy;
use banyan_proto::bytes;
use banyan_search::Tree;

/// Descents of a search that was let in.
const DESCENTS: u32 = 16;

/// A front end's message: whether it is a request, or one of the smaller ones, that can be obeyed.
pub(super) fn from_front_end(bytes: &[u8]) -> bool {
    let Ok(message) = bytes::read_from_front_end(bytes) else { return false };
    assert_eq!(
        bytes::read_from_front_end(&bytes::of_from_front_end(message.clone())).as_ref(),
        Ok(&message)
    );
    match message {
        FromFrontEnd::Search(request) => {
            let rules = request.root.rules.clone();
            with_game!(&rules, G, _rules => search::<G>(&request))
        }
        FromFrontEnd::Hello(_) | FromFrontEnd::Stop(_) => true,
    }
}

/// The coordinator's message, to a front end that plays Gomoku.
pub(super) fn to_front_end(bytes: &[u8]) -> bool {
    let Ok(message) = bytes::read_to_front_end(bytes) else { return false };
    assert_eq!(
        bytes::read_to_front_end(&bytes::of_to_front_end(message.clone())).as_ref(),
        Ok(&message)
    );
    match message {
        ToFrontEnd::Response(response) => {
            remote::report(&gomoku(), Color::Black, *response).is_ok()
        }
        ToFrontEnd::Welcome | ToFrontEnd::Refused(_) => true,
    }
}

/// Tells whether the request was one; a few steps of it are made.
fn search<G: Playable>(request: &SearchRequest) -> bool {
    let Ok(Wanted { record, plan }) = Wanted::<G>::of(request, &BTreeSet::new()) else {
        return false;
    };
    let Root { id, side_to_move: side, growing, .. } = request.root;
    let mut position = record.position().clone();
    position.set_side_to_move(side).expect("it was checked");
    let mut allowed = request.allowed.clone();
    if allowed.is_empty() {
        position.candidates(&mut allowed);
    }
    let mut tree = Tree::new(growing.parameters, growing.seed, 1 << 20, !side);
    tree.allow_at_root(side, &allowed);
    let mut search = Search::new(tree, id, position, plan, 0);
    for _ in 0..DESCENTS {
        let _ = search.iterate();
    }
    assert_eq!(search.end().0.unobserved_total(), 0);
    true
}

fn gomoku() -> Record<Gomoku> {
    Record::new(&GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku"))
}

fn request<G: Playable>(record: &Record<G>) -> SearchRequest {
    let side = record.position().side_to_move();
    let root = Root::of(record, side, Default::default(), Growing::of(G::KIND));
    SearchRequest {
        plan: Plan {
            seed: 5,
            playouts_max: Some(1_000),
            ownership_every: 8,
            ..Plan::of(Policy::Uniform)
        },
        time: Some(Duration::from_secs(2)),
        digest: true,
        ..SearchRequest::of(3, root)
    }
}

/// A hello, requests of two games, one with all that can be fixed, and a stop.
pub(super) fn seeds_from_front_end() -> Vec<Vec<u8>> {
    let visitor = Visitor { name: "attic".to_owned(), build: "1".to_owned(), version: 1 };
    let mut go = Record::<Go>::new(&GoRules::new(5, 15).expect("a size of Go"));
    go.play(Move::point(12)).expect("legal");
    let fixed = SearchRequest {
        allowed: vec![Move::point(1), Move::point(7)],
        plan: Plan {
            sizing: Sizing { wish: Wish::LeafParallel, playouts: Some(8) },
            window: Some(64),
            in_order: true,
            ..request(&gomoku()).plan
        },
        final_move: FinalMove::Mean,
        ..request(&gomoku())
    };
    let requests = [request(&go), request(&gomoku()), fixed]
        .map(|request| FromFrontEnd::Search(Box::new(request)));
    let asks = [FromFrontEnd::Hello(visitor), FromFrontEnd::Stop(3)].into_iter().chain(requests);
    asks.map(bytes::of_from_front_end).collect()
}

/// A response under way and a last one.
pub(super) fn seeds_to_front_end() -> Vec<Vec<u8>> {
    let candidate = |point: usize, visits, proof| Candidate {
        mv: Move::point(point),
        visits,
        value: 0.5,
        prior: 0.04,
        proof,
    };
    let response = SearchResponse {
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
    let last = SearchResponse { end: Some(SearchEnd { digest: Some(7) }), ..response.clone() };
    let answers = [response, last].map(|response| ToFrontEnd::Response(Box::new(response)));
    answers.into_iter().map(bytes::of_to_front_end).collect()
}
