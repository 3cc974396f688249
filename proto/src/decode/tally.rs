//! Tallies: what came of batches.

use banyan_games::{Amaf, Color, Counts, Size};
use banyan_jobs::limits;
use banyan_jobs::sums::MARGIN_MAX;
use banyan_jobs::{
    Alone, Answer, BatchId, Bound, INFINITE, Judged, PlayedGame, Proof, Siblings, Solved, Subtree,
    Tally, Tried,
};
use banyan_knowledge::evaluator::{SCORE_ONE, VALUE_ONE};
use banyan_knowledge::{Chance, Judgement};

use super::{at_most, exactly, one_move, proof};
use crate::error::WireError;
use crate::numbers::{Number, unpack};
use crate::wire;

pub(super) fn tally(tally: wire::Tally) -> Result<Tally, WireError> {
    use wire::tally::Answer as From;
    let wire::Tally { batch, answer } = tally;
    let answer = match answer.ok_or(WireError::Missing("answer"))? {
        From::Counts(sums) => Answer::Counts(counts(sums)?),
        From::Subtree(wire::SubtreeCounts { counts: sums, subtree: below }) => {
            let counts = counts(sums.ok_or(WireError::Missing("counts"))?)?;
            let below = below.ok_or(WireError::Missing("subtree"))?;
            let below = subtree(below, counts.playouts())?;
            Answer::Subtree(counts, Box::new(below))
        }
        From::Solved(found) => Answer::Solved(solved(found)?),
        From::Judged(judgement) => Answer::Judged(judged(judgement)?),
        From::Played(games) => Answer::Played(played(&games)?),
        From::Tried(found) => Answer::Tried(tried(found)?),
        From::Practised(wire::Practised { games }) => {
            at_most("bytes of games", games.len(), limits::PRACTICE_BYTES_MAX)?;
            Answer::Practised(games)
        }
        From::Labelled(wire::Labelled { positions }) => {
            at_most("bytes of positions", positions.len(), limits::PRACTICE_BYTES_MAX)?;
            Answer::Labelled(positions)
        }
    };
    Ok(Tally { batch: BatchId(batch), answer })
}

fn played(played: &wire::Played) -> Result<Vec<PlayedGame>, WireError> {
    at_most("games of a batch", played.games.len(), limits::GAMES_PER_BATCH_MAX as usize)?;
    let unread = |why: serde_json::Error| WireError::Game(why.to_string());
    let game = |text: &String| serde_json::from_str(text).map_err(unread);
    played.games.iter().map(game).collect()
}

fn tried(tried: wire::Tried) -> Result<Tried, WireError> {
    let wire::Tried { alone, proof, agreed, contradicted, open } = tried;
    at_most("bytes of a proof", proof.len(), limits::PROOF_BYTES_MAX)?;
    let most = limits::COMPLETIONS_PER_TRIAL_MAX as usize;
    for count in [agreed, contradicted, open] {
        at_most("completions of a trial", count as usize, most)?;
    }
    let unknown = |_| WireError::Unknown { what: "proof of a rule alone", found: alone.into() };
    let alone = match wire::Alone::try_from(alone).map_err(unknown)? {
        wire::Alone::Unasked => Alone::Unasked,
        wire::Alone::Unproven => Alone::Unproven,
        wire::Alone::Contradicted => Alone::Contradicted,
        wire::Alone::Proven => Alone::Proven(proof),
    };
    Ok(Tried { alone, judged: Judged { agreed, contradicted, open } })
}

fn judged(judgement: wire::Judged) -> Result<Judgement, WireError> {
    let wire::Judged { value, policy, score, ownership } = judgement;
    at_most("value of a judgement", value as usize, VALUE_ONE.into())?;
    at_most("moves of a policy", policy.len(), Size::AREA_MAX + 1)?;
    at_most("points with owners", ownership.len(), Size::AREA_MAX)?;
    let score_max = SCORE_ONE as usize * MARGIN_MAX as usize;
    at_most("score", score.unwrap_or(0).unsigned_abs() as usize, score_max)?;
    Ok(Judgement {
        value: value as u16,
        policy: policy.into_iter().map(Chance).collect(),
        score,
        ownership: ownership.into_iter().map(u8::cast_signed).collect(),
    })
}

fn counts(counts: wire::Counts) -> Result<Counts, WireError> {
    let wire::Counts {
        wins,
        draws,
        losses,
        margin_sum,
        plies,
        amaf_visits,
        amaf_half_wins,
        ownership,
    } = counts;
    let playouts = [wins, draws, losses].into_iter().map(u64::from).sum::<u64>();
    at_most("playouts of a tally", playouts as usize, limits::PLAYOUTS_PER_BATCH_MAX as usize)?;
    at_most("margin sum", margin_sum.unsigned_abs() as usize, (playouts * MARGIN_MAX) as usize)?;
    let amaf_visits = unpack("number of AMAF entries", &amaf_visits, 2 * Size::AREA_MAX)?;
    let amaf_half_wins = unpack("number of AMAF entries", &amaf_half_wins, 2 * Size::AREA_MAX)?;
    at_most("points with owners", ownership.len(), Size::AREA_MAX)?;
    for (&visits, &half_wins) in amaf_visits.iter().zip(&amaf_half_wins) {
        at_most("playouts of an AMAF entry", visits as usize, playouts as usize)?;
        at_most("half wins of an AMAF entry", half_wins as usize, 2 * visits as usize)?;
    }
    for &held in &ownership {
        at_most("playouts of an owner", held.unsigned_abs() as usize, playouts as usize)?;
    }
    if amaf_visits.len() != amaf_half_wins.len() {
        return Err(WireError::Missing("AMAF entry"));
    }
    let amaf = Amaf { visits: amaf_visits, half_wins: amaf_half_wins };
    let amaf = (!amaf.visits.is_empty()).then_some(amaf);
    let ownership = (!ownership.is_empty()).then_some(ownership);
    Ok(Counts { wins, draws, losses, margin_sum, plies, amaf, ownership })
}

/// A list with a number for each child.
fn for_each_child<N: Number>(bytes: &[u8], children: usize) -> Result<Vec<N>, WireError> {
    let list = unpack("number of children", bytes, children)?;
    exactly("children of a subtree", list.len(), children)?;
    Ok(list)
}

pub(super) fn subtree(subtree: wire::Subtree, playouts: u32) -> Result<Subtree, WireError> {
    let wire::Subtree {
        parents,
        sizes,
        moves,
        visits,
        half_wins,
        amaf_visits,
        amaf_half_wins,
        proofs,
        mut priors,
        judged,
        leaf_judged,
    } = subtree;
    at_most("groups of siblings", parents.len(), limits::JUDGED_GROUPS_MAX)?;
    let groups = groups(&parents, &sizes)?;
    let children = groups.iter().map(|siblings| usize::from(siblings.children)).sum();
    let moves: Vec<u32> = for_each_child(&moves, children)?;
    let visits = for_each_child(&visits, children)?;
    let half_wins = for_each_child(&half_wins, children)?;
    let amaf_visits = for_each_child(&amaf_visits, children)?;
    let amaf_half_wins = for_each_child(&amaf_half_wins, children)?;
    let judged: Vec<u64> = for_each_child(&judged, children)?;
    for (visits, half_wins) in [(&visits, &half_wins), (&amaf_visits, &amaf_half_wins)] {
        for (&visits, &half_wins) in visits.iter().zip(half_wins) {
            at_most("visits of a child", visits as usize, playouts as usize)?;
            at_most("half wins of a child", half_wins as usize, 2 * visits as usize)?;
        }
    }
    passed_through(&groups, &visits, playouts)?;
    let moves = moves.into_iter().map(one_move).collect::<Result<_, _>>()?;
    let proofs = match proofs.len() {
        0 => vec![Proof::Open; children],
        found => {
            exactly("proofs of a subtree", found, children)?;
            proofs.into_iter().map(proof).collect::<Result<_, _>>()?
        }
    };
    if !priors.is_empty() {
        exactly("priors of a subtree", priors.len(), children)?;
    }
    priors.resize(children, 0);
    let sums = judged.iter().zip(&visits).map(|(&sum, &visits)| (sum, visits));
    for (sum, visits) in sums.chain([(leaf_judged, playouts)]) {
        let most = u64::from(visits) * u64::from(VALUE_ONE);
        limits::at_most("sum of evaluations", sum, most)?;
    }
    Ok(Subtree {
        groups,
        moves,
        visits,
        half_wins,
        amaf_visits,
        amaf_half_wins,
        proofs,
        priors,
        judged,
        leaf_judged,
    })
}

/// Groups of siblings of which each but the first has a parent among the children before it.
fn groups(parents: &[u32], sizes: &[u32]) -> Result<Vec<Siblings>, WireError> {
    exactly("sizes of groups of siblings", sizes.len(), parents.len())?;
    let mut groups = Vec::with_capacity(parents.len());
    let mut before = 0;
    for (&parent, &size) in parents.iter().zip(sizes) {
        let children = u64::from(size / 4);
        if children == 0 {
            return Err(WireError::Missing("number of siblings"));
        }
        at_most("children of siblings", children as usize, Size::AREA_MAX + 1)?;
        at_most("parent of siblings", parent as usize, before)?;
        if (parent == 0) != groups.is_empty() {
            return Err(WireError::Unknown { what: "parent of siblings", found: parent.into() });
        }
        let side = if size & 1 == 0 { Color::Black } else { Color::White };
        groups.push(Siblings {
            parent: parent.checked_sub(1),
            side,
            children: children as u16,
            is_partial: size & 2 != 0,
        });
        before += children as usize;
    }
    Ok(groups)
}

/// Checks that every playout of a child passed through its parent, and through the root first.
fn passed_through(groups: &[Siblings], visits: &[u32], root: u32) -> Result<(), WireError> {
    let mut first = 0;
    for siblings in groups {
        let children = &visits[first..first + usize::from(siblings.children)];
        first += children.len();
        let parent = siblings.parent.map_or(root, |child| visits[child as usize]);
        let sum: u64 = children.iter().map(|&visits| u64::from(visits)).sum();
        at_most("visits of siblings", sum as usize, parent as usize)?;
    }
    Ok(())
}

fn solved(answer: wire::Solved) -> Result<Solved, WireError> {
    let wire::Solved { bound, value, nodes } = answer;
    at_most("value", value.unsigned_abs() as usize, INFINITE as usize)?;
    let bound = match wire::Bound::try_from(bound) {
        Ok(wire::Bound::Unknown) => Bound::Unknown,
        Ok(wire::Bound::Exact) => Bound::Exact(value),
        Ok(wire::Bound::AtLeast) => Bound::AtLeast(value),
        Ok(wire::Bound::AtMost) => Bound::AtMost(value),
        Err(_) => return Err(WireError::Unknown { what: "bound", found: bound.into() }),
    };
    Ok(Solved { bound, nodes })
}
