//! Messages of front ends and the coordinator to each other, from the wire and to it. Any bytes give a
//! message within the limits or a [`WireError`], never a panic.

use std::num::NonZeroU32;
use std::time::Duration;

use banyan_games::{Move, Size};
use banyan_jobs::session::{
    Candidate, Claim, FinalMove, FromFrontEnd, Purpose, SearchEnd, SearchRequest, SearchResponse,
    ToFrontEnd, Visitor,
};
use banyan_jobs::{Plan, Proof, Scores, Sizing, Sums, Wish, limits};

use crate::decode::{at_most, one_move, policy, proof, root, text};
use crate::{WireError, encode, wire};
use wire::from_front_end::Message as Up;
use wire::to_front_end::Message as Down;

/// A message from a front end.
///
/// # Errors
/// [`WireError`]; the stream should be closed with it.
pub fn decode_from_front_end(message: wire::FromFrontEnd) -> Result<FromFrontEnd, WireError> {
    Ok(match message.message.ok_or(WireError::Missing("content"))? {
        Up::Hello(wire::Visitor { name, build, version }) => FromFrontEnd::Hello(Visitor {
            name: text(&name, limits::NAME_CHARS_MAX),
            build: text(&build, limits::NAME_CHARS_MAX),
            version,
        }),
        Up::Search(found) => FromFrontEnd::Search(Box::new(decode_request(found)?)),
        Up::Stop(wire::Stop { number }) => FromFrontEnd::Stop(number),
    })
}

/// A message from the coordinator to a front end.
///
/// # Errors
/// [`WireError`]; the stream should be closed with it.
pub fn decode_to_front_end(message: wire::ToFrontEnd) -> Result<ToFrontEnd, WireError> {
    Ok(match message.message.ok_or(WireError::Missing("content"))? {
        Down::Welcome(wire::Welcome {}) => ToFrontEnd::Welcome,
        Down::Refused(wire::Refused { reason }) => ToFrontEnd::Refused(text(&reason, 300)),
        Down::Response(found) => ToFrontEnd::Response(Box::new(decode_response(found)?)),
    })
}

fn decode_request(request: wire::SearchRequest) -> Result<SearchRequest, WireError> {
    let wire::SearchRequest {
        number,
        root: position,
        pondering,
        weight,
        policy: chosen,
        seed,
        playouts,
        time_ns,
        mode,
        batch,
        window,
        in_order,
        ownership_every,
        allowed,
        final_move: best,
        digest,
    } = request;
    at_most("weight", weight as usize, limits::WEIGHT_MAX as usize)?;
    at_most("allowed moves", allowed.len(), Size::AREA_MAX + 1)?;
    let batch_max = limits::PLAYOUTS_PER_BATCH_MAX as usize;
    at_most("playouts of a batch", batch.unwrap_or(1) as usize, batch_max)?;
    let time = time_ns.map(Duration::from_nanos);
    let seconds = time.map_or(0, |time| time.as_secs());
    at_most("seconds of a search", seconds as usize, limits::SEARCH_TIME_MAX.as_secs() as usize)?;
    if playouts == Some(0) || batch == Some(0) || window == Some(0) {
        return Err(WireError::Missing("playout"));
    }
    let wish = match wire::Mode::try_from(mode) {
        Ok(wire::Mode::Auto) => Wish::Auto,
        Ok(wire::Mode::LeafParallel) => Wish::LeafParallel,
        Ok(wire::Mode::Subtree) => Wish::Subtree,
        Err(_) => return Err(WireError::Unknown { what: "mode", found: mode.into() }),
    };
    let plan = Plan {
        policy: policy(chosen)?,
        seed,
        playouts_max: playouts,
        sizing: Sizing { wish, playouts: batch },
        window,
        in_order,
        ownership_every,
        replies: None,
    };
    let purpose = if pondering { Purpose::Pondering } else { Purpose::Thinking };
    let weight = NonZeroU32::new(weight).ok_or(WireError::Missing("weight"))?;
    Ok(SearchRequest {
        number,
        root: root(position.ok_or(WireError::Missing("root"))?)?,
        claim: Claim { purpose, weight, ..Claim::default() },
        plan,
        time,
        allowed: moves(allowed)?,
        final_move: final_move(best)?,
        digest,
    })
}

fn decode_response(response: wire::SearchResponse) -> Result<SearchResponse, WireError> {
    let wire::SearchResponse {
        number,
        candidates,
        pv,
        visits,
        playouts,
        taken_back,
        owner_playouts,
        ownership,
        elapsed_ns,
        end,
        scores,
    } = response;
    at_most("candidates", candidates.len(), Size::AREA_MAX + 1)?;
    at_most("plies of a line", pv.len(), limits::PATH_PLIES_MAX)?;
    at_most("owners", ownership.len(), Size::AREA_MAX)?;
    at_most("moves with scores", scores.len(), Size::AREA_MAX + 1)?;
    let scores =
        scores.into_iter().map(|it| decode_scores(it, playouts)).collect::<Result<_, _>>()?;
    Ok(SearchResponse {
        number,
        candidates: candidates.into_iter().map(candidate).collect::<Result<_, _>>()?,
        pv: moves(pv)?,
        visits,
        sums: Sums { playouts, taken_back, owner_playouts, ownership, scores },
        elapsed: Duration::from_nanos(elapsed_ns),
        end: end.map(|wire::SearchEnd { digest }| SearchEnd { digest }),
    })
}

fn candidate(candidate: wire::Candidate) -> Result<Candidate, WireError> {
    let wire::Candidate { r#move, visits, value, prior, proof: bits } = candidate;
    for share in [value, prior] {
        if !(0.0..=1.0).contains(&share) {
            return Err(WireError::Share { what: "value or prior", found: share });
        }
    }
    let wrong = |_| WireError::Unknown { what: "proof", found: bits.into() };
    let proof = proof(u8::try_from(bits).map_err(wrong)?)?;
    Ok(Candidate { mv: one_move(r#move)?, visits, value, prior, proof })
}

/// Decodes the scores of a search of `all` playouts.
fn decode_scores(scores: wire::Scores, all: u64) -> Result<Scores, WireError> {
    let wire::Scores { r#move, playouts, margin_sum } = scores;
    let scores = Scores { mv: one_move(r#move)?, playouts, margin_sum };
    scores.check(all)?;
    Ok(scores)
}

fn final_move(best: i32) -> Result<FinalMove, WireError> {
    match wire::FinalMove::try_from(best) {
        Ok(wire::FinalMove::Visits) => Ok(FinalMove::Visits),
        Ok(wire::FinalMove::Mean) => Ok(FinalMove::Mean),
        Ok(wire::FinalMove::LowerBound) => Ok(FinalMove::Bound),
        Err(_) => Err(WireError::Unknown { what: "final move", found: best.into() }),
    }
}

fn moves(numbers: Vec<u32>) -> Result<Vec<Move>, WireError> {
    numbers.into_iter().map(one_move).collect()
}

/// A message from a front end.
pub fn encode_from_front_end(message: FromFrontEnd) -> wire::FromFrontEnd {
    let message = match message {
        FromFrontEnd::Hello(Visitor { name, build, version }) => {
            Up::Hello(wire::Visitor { name, build, version })
        }
        FromFrontEnd::Search(request) => Up::Search(encode_request(*request)),
        FromFrontEnd::Stop(number) => Up::Stop(wire::Stop { number }),
    };
    wire::FromFrontEnd { message: Some(message) }
}

/// A message to a front end.
pub fn encode_to_front_end(message: ToFrontEnd) -> wire::ToFrontEnd {
    let message = match message {
        ToFrontEnd::Welcome => Down::Welcome(wire::Welcome {}),
        ToFrontEnd::Refused(reason) => Down::Refused(wire::Refused { reason }),
        ToFrontEnd::Response(response) => Down::Response(encode_response(*response)),
    };
    wire::ToFrontEnd { message: Some(message) }
}

fn encode_request(request: SearchRequest) -> wire::SearchRequest {
    let SearchRequest {
        number,
        root,
        // What a cluster is lent comes by another door.
        claim: Claim { purpose, weight, is_lent_on: _ },
        plan,
        time,
        allowed,
        final_move,
        digest,
    } = request;
    // The claim alone says that it ponders; all replies are then searched.
    let Plan { policy, seed, playouts_max, sizing, window, in_order, ownership_every, replies: _ } =
        plan;
    let Sizing { wish, playouts: batch } = sizing;
    let mode = match wish {
        Wish::Auto => wire::Mode::Auto,
        Wish::LeafParallel => wire::Mode::LeafParallel,
        Wish::Subtree => wire::Mode::Subtree,
    };
    wire::SearchRequest {
        number,
        root: Some(encode::root(&root)),
        // Idle work is a coordinator's own; of a front end's nothing but thinking comes first.
        pondering: purpose != Purpose::Thinking,
        weight: weight.get(),
        policy: encode::policy(policy).into(),
        seed,
        playouts: playouts_max,
        time_ns: time.map(|time| time.as_nanos() as u64),
        mode: mode.into(),
        batch,
        window,
        in_order,
        ownership_every,
        allowed: numbers(allowed),
        final_move: match final_move {
            FinalMove::Visits => wire::FinalMove::Visits,
            FinalMove::Mean => wire::FinalMove::Mean,
            FinalMove::Bound => wire::FinalMove::LowerBound,
        }
        .into(),
        digest,
    }
}

fn encode_response(response: SearchResponse) -> wire::SearchResponse {
    let SearchResponse { number, candidates, pv, visits, sums, elapsed, end } = response;
    let Sums { playouts, taken_back, owner_playouts, ownership, scores } = sums;
    let scored = |Scores { mv, playouts, margin_sum }| wire::Scores {
        r#move: mv.0.into(),
        playouts,
        margin_sum,
    };
    let candidate = |Candidate { mv, visits, value, prior, proof }: Candidate| wire::Candidate {
        r#move: mv.0.into(),
        visits,
        value,
        prior,
        proof: Proof::bits(proof).into(),
    };
    wire::SearchResponse {
        number,
        candidates: candidates.into_iter().map(candidate).collect(),
        pv: numbers(pv),
        visits,
        playouts,
        taken_back,
        owner_playouts,
        ownership,
        elapsed_ns: elapsed.as_nanos() as u64,
        end: end.map(|SearchEnd { digest }| wire::SearchEnd { digest }),
        scores: scores.into_iter().map(scored).collect(),
    }
}

fn numbers(moves: Vec<Move>) -> Vec<u32> {
    moves.into_iter().map(|mv| mv.0.into()).collect()
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;
    use banyan_games::connect6::Connect6Rules;
    use banyan_jobs::{Digest, Growing, Root, RootId};
    use banyan_knowledge::Policy;

    use super::*;

    fn request() -> SearchRequest {
        let rules = Connect6Rules::new(7).expect("a size of Connect6");
        SearchRequest {
            number: 9,
            root: Root {
                id: RootId::default(),
                rules: rules.into(),
                setup: Vec::new(),
                first: Color::Black,
                plies: vec![(Color::Black, Move::point(24))],
                side_to_move: Color::White,
                growing: Growing::of(banyan_games::Kind::Connect6),
                models: Digest(7),
            },
            claim: Claim {
                purpose: Purpose::Pondering,
                weight: NonZeroU32::new(7).expect("7"),
                ..Claim::default()
            },
            plan: Plan {
                policy: Policy::Heavy,
                seed: u64::MAX,
                playouts_max: Some(1),
                sizing: Sizing { wish: Wish::Subtree, playouts: Some(3) },
                window: Some(4),
                in_order: true,
                ownership_every: 2,
                replies: None,
            },
            time: Some(Duration::from_nanos(5)),
            allowed: vec![Move::PASS, Move::point(2)],
            final_move: FinalMove::Mean,
            digest: true,
        }
    }

    fn response() -> SearchResponse {
        let proofs = [Proof::Open, Proof::Win, Proof::Loss, Proof::Draw];
        let candidate = |proof| Candidate {
            mv: Move::point(4),
            visits: 1 << 40,
            value: 0.25,
            prior: 1.0,
            proof,
        };
        SearchResponse {
            number: 9,
            candidates: proofs.map(candidate).to_vec(),
            pv: vec![Move::point(4), Move::PASS],
            visits: u64::MAX,
            sums: Sums {
                playouts: 3,
                taken_back: 2,
                owner_playouts: 1,
                ownership: vec![-1, 1],
                scores: vec![Scores { mv: Move::PASS, playouts: 2, margin_sum: -9 }],
            },
            elapsed: Duration::from_nanos(12_345_678_901),
            end: Some(SearchEnd { digest: Some(0) }),
        }
    }

    #[test]
    fn every_message_reads_back_as_written() {
        let visitor = Visitor { name: "attic".to_owned(), build: "1.2".to_owned(), version: 3 };
        let plan = Plan::of(Policy::Uniform);
        let open = SearchRequest {
            plan,
            time: None,
            claim: Claim::default(),
            final_move: FinalMove::Bound,
            ..request()
        };
        for message in [
            FromFrontEnd::Hello(visitor),
            FromFrontEnd::Stop(4),
            FromFrontEnd::Search(Box::new(request())),
            FromFrontEnd::Search(Box::new(open)),
        ] {
            assert_eq!(decode_from_front_end(encode_from_front_end(message.clone())), Ok(message));
        }
        let under_way = SearchResponse { end: None, ..response() };
        for message in [
            ToFrontEnd::Welcome,
            ToFrontEnd::Refused("no session slot".to_owned()),
            ToFrontEnd::Response(Box::new(response())),
            ToFrontEnd::Response(Box::new(under_way)),
        ] {
            assert_eq!(decode_to_front_end(encode_to_front_end(message.clone())), Ok(message));
        }
    }

    #[test]
    fn what_is_beyond_a_limit_is_refused() {
        for change in [
            (|request| request.weight = 0) as fn(&mut wire::SearchRequest),
            |request| request.weight = 101,
            |request| request.batch = Some(0),
            |request| request.batch = Some(u32::MAX),
            |request| request.window = Some(0),
            |request| request.playouts = Some(0),
            |request| request.time_ns = Some(u64::MAX),
            |request| request.mode = 3,
            |request| request.policy = -1,
            |request| request.root = None,
            |request| request.allowed = vec![1; 627],
            |request| request.allowed = vec![70_000],
        ] {
            let mut request = encode_request(request());
            change(&mut request);
            let message = wire::FromFrontEnd { message: Some(Up::Search(request)) };
            assert!(decode_from_front_end(message.clone()).is_err(), "{message:?}");
        }
        for change in [
            (|response| response.candidates[0].value = 1.5) as fn(&mut wire::SearchResponse),
            |response| response.candidates[0].value = f64::NAN,
            |response| response.candidates[0].prior = -0.1,
            |response| response.candidates[0].proof = 4,
            |response| response.candidates[0].r#move = 1 << 16,
            |response| response.candidates = vec![wire::Candidate::default(); 627],
            |response| response.pv = vec![0; 2049],
            |response| response.ownership = vec![0; 626],
        ] {
            let mut response = encode_response(response());
            change(&mut response);
            let message = wire::ToFrontEnd { message: Some(Down::Response(response)) };
            assert!(decode_to_front_end(message.clone()).is_err(), "{message:?}");
        }
    }

    #[test]
    fn a_candidate_with_a_share_outside_0_to_1_is_refused_with_its_number() {
        for (share, said) in [(1.5, "1.5"), (-0.25, "-0.25"), (f64::NAN, "NaN")] {
            let mut sent = encode_response(response());
            sent.candidates[1].value = share;
            let refused = decode_response(sent).expect_err("no share").to_string();
            assert_eq!(refused, format!("{said} is no value or prior: expected 0 to 1"));
        }
    }
}
