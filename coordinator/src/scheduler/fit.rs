//! Whether a tally can be the answer to a batch: everything that can be told without running it.

use banyan_games::Move;
use banyan_jobs::{Batch, Mode, Subtree, Tally};

/// What is wrong with a tally of `batch` on a board of `area` points, as far as that can be told.
///
/// # Errors
/// In words, with the values.
pub(super) fn check(batch: &Batch, tally: &Tally, area: usize) -> Result<(), String> {
    let id = batch.id;
    let (asked, found) = match batch.mode {
        Mode::Solve(_) => (0, tally.counts.playouts()),
        Mode::Flat | Mode::Grown { .. } => (batch.playouts, tally.counts.playouts()),
    };
    if asked != found {
        return Err(format!("its tally of batch {id} counts {found} playouts instead of {asked}"));
    }
    let amaf = tally.counts.amaf.as_ref().map(|amaf| (amaf.visits.len(), amaf.half_wins.len()));
    if amaf != batch.asked.amaf.then_some((2 * area, 2 * area)) {
        return Err(format!("its tally of batch {id} has other AMAF counts than were asked for"));
    }
    if tally.grown.is_some() != matches!(batch.mode, Mode::Grown { .. }) {
        return Err(format!("its tally of batch {id} is not of the batch's mode"));
    }
    match (&batch.mode, &tally.solved) {
        (Mode::Solve(question), Some(solved)) if solved.fits(question) => {}
        (Mode::Flat | Mode::Grown { .. }, None) => {}
        (_, solved) => {
            return Err(format!("its tally of batch {id} answers {solved:?}, which was not asked"));
        }
    }
    if let Some(grown) = &tally.grown {
        check_families(grown, asked, area)
            .map_err(|why| format!("its tally of batch {id}: {why}"))?;
    }
    let owners = tally.counts.ownership.as_ref().map(Vec::len);
    if owners != batch.asked.ownership.then_some(area) {
        return Err(format!("its tally of batch {id} has other owners than were asked for"));
    }
    Ok(())
}

/// Whether every move is one of the board, and no family has more visits than its parent.
fn check_families(grown: &Subtree, playouts: u32, area: usize) -> Result<(), String> {
    let outside = |mv: &&Move| mv.index().is_some_and(|point| point >= area);
    if let Some(mv) = grown.moves.iter().find(outside) {
        return Err(format!("{mv:?} is no point of the board"));
    }
    let mut first = 0;
    for family in &grown.families {
        let visits = &grown.visits[first..first + usize::from(family.children)];
        first += visits.len();
        let below = visits.iter().map(|&visits| u64::from(visits)).sum::<u64>();
        let through = family.parent.map_or(playouts, |parent| grown.visits[parent as usize]);
        if below > u64::from(through) {
            return Err(format!("{below} visits below a node that has {through}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use banyan_games::counts::Asked;
    use banyan_games::{Color, Counts};
    use banyan_jobs::{Bound, Family, Known, Proof, Solved, Solving, Sought, Window};

    use super::super::tests::{batch, tally};
    use super::*;

    const AREA: usize = 49;

    fn grown_batch() -> Batch {
        Batch { mode: Mode::Grown { floor: 2, known: Box::new(Known::default()) }, ..batch(1) }
    }

    /// Two children of the leaf, and two of the first of them; with so many visits.
    fn subtree(visits: [u32; 4]) -> Subtree {
        let family = |parent, side| Family { parent, side, children: 2 };
        Subtree {
            families: vec![family(None, Color::White), family(Some(0), Color::Black)],
            moves: [0, 48, 7, 8].map(Move::point).to_vec(),
            visits: visits.to_vec(),
            half_wins: vec![0; 4],
            amaf_visits: vec![0; 4],
            amaf_half_wins: vec![0; 4],
            proofs: vec![Proof::Open; 4],
        }
    }

    fn grown_tally(grown: Subtree) -> Tally {
        Tally { grown: Some(Box::new(grown)), ..tally(1) }
    }

    fn refusal(batch: &Batch, tally: &Tally) -> String {
        check(batch, tally, AREA).expect_err("it does not fit")
    }

    #[test]
    fn an_answer_that_was_not_asked_for_or_does_not_fit_the_question_is_refused() {
        let window = Window { alpha: 2, beta: 4 };
        let question = Solving { sought: Sought::Score, window, nodes_max: 1000 };
        let batch = Batch { mode: Mode::Solve(question), ..batch(1) };
        let answer = |bound| Tally {
            counts: Counts::default(),
            solved: Some(Solved { bound, nodes: 1000 }),
            ..tally(1)
        };
        let fits = |tally: &Tally| check(&batch, tally, AREA).is_ok();
        assert!(fits(&answer(Bound::AtLeast(4))) && fits(&answer(Bound::AtMost(2))));
        assert!(fits(&answer(Bound::Exact(3))) && !fits(&answer(Bound::Exact(4))));
        assert!(fits(&answer(Bound::Unknown)));
        assert!(!fits(&answer(Bound::AtLeast(3))) && !fits(&answer(Bound::AtMost(3))));
        let too_soon = Solved { bound: Bound::Unknown, nodes: 999 };
        assert!(!fits(&Tally { solved: Some(too_soon), ..answer(Bound::Unknown) }));
        assert!(!fits(&Tally { solved: None, ..answer(Bound::Unknown) }));
        assert!(!fits(&Tally { counts: tally(1).counts, ..answer(Bound::AtLeast(4)) }));
        assert!(check(&super::super::tests::batch(1), &answer(Bound::AtLeast(4)), AREA).is_err());
    }

    #[test]
    fn what_was_asked_for_fits() {
        assert_eq!(check(&batch(1), &tally(1), AREA), Ok(()));
        assert_eq!(check(&grown_batch(), &grown_tally(subtree([3, 1, 2, 0])), AREA), Ok(()));
    }

    #[test]
    fn a_tally_of_the_other_mode_does_not_fit() {
        let grown = grown_tally(subtree([0; 4]));
        for refused in [refusal(&batch(1), &grown), refusal(&grown_batch(), &tally(1))] {
            assert!(refused.ends_with("is not of the batch's mode"), "{refused}");
        }
    }

    #[test]
    fn counts_that_were_not_asked_for_do_not_fit() {
        let more = Batch { playouts: 5, ..batch(1) };
        assert!(refusal(&more, &tally(1)).ends_with("counts 4 playouts instead of 5"));
        let asked = |amaf, ownership| Batch { asked: Asked { amaf, ownership }, ..batch(1) };
        assert!(refusal(&asked(true, false), &tally(1)).contains("other AMAF counts"));
        assert!(refusal(&asked(false, true), &tally(1)).contains("other owners"));
    }

    #[test]
    fn a_family_has_no_more_visits_than_its_parent() {
        let below_leaf = grown_tally(subtree([3, 2, 0, 0]));
        let refused = refusal(&grown_batch(), &below_leaf);
        assert!(refused.ends_with("5 visits below a node that has 4"), "{refused}");
        let below_child = grown_tally(subtree([1, 3, 1, 1]));
        let refused = refusal(&grown_batch(), &below_child);
        assert!(refused.ends_with("2 visits below a node that has 1"), "{refused}");
    }

    #[test]
    fn a_move_outside_the_board_does_not_fit() {
        let mut outside = subtree([0; 4]);
        outside.moves[3] = Move::point(AREA);
        let refused = refusal(&grown_batch(), &grown_tally(outside));
        assert!(refused.ends_with("is no point of the board"), "{refused}");
    }
}
