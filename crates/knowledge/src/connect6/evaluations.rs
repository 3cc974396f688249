//! The evaluations of Connect6: by scores of shapes that were tuned, by what stands around points, by the source's
//! scores or by others, by tables over line shapes, and by the network of TD learning.

use std::sync::{Arc, LazyLock};

use banyan_games::Move;
use banyan_games::connect6::Connect6;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::lines::Lines;
use crate::line::mix::Stored;

use super::by_scores::ByScores;
use super::by_tables::ByTables;
use super::mix::Mix;
use super::order;
use super::scores::Scores;
use super::tables::{self, Tables};
use super::td::Td;

/// The evaluations of Connect6, the best for a position as it stands first, then the best once all is quiet.
pub(super) static ALL: LazyLock<[Arc<dyn Evaluation<Connect6>>; 5]> = LazyLock::new(|| {
    [
        Arc::new(ByScores::tuned()),
        Arc::new(Mix::of(Stored::built_in())),
        Arc::new(ByScores::of_source(Scores::of_source().clone())),
        Arc::new(ByLooks::new(Tables::learned().clone())),
        Arc::new(Td::built_in()),
    ]
});

/// Tables over line shapes, learned.
#[derive(Debug)]
pub(super) struct ByLooks {
    tables: Arc<Tables>,
    digest: Digest,
}

impl ByLooks {
    /// By these tables.
    pub fn new(tables: Arc<Tables>) -> ByLooks {
        let digest = tables.digest().and_digest(order::model()).and(TABLES.as_bytes());
        ByLooks { tables, digest }
    }
}

const TABLES: &str = "tables";

impl Evaluation<Connect6> for ByLooks {
    fn name(&self) -> &str {
        TABLES
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn scale(&self) -> f32 {
        tables::LOGIT
    }

    fn value(&self, position: &Connect6) -> i32 {
        self.tables.value(position, &self.tables.sums(&Lines::of(position)))
    }

    fn rank(&self, position: &Connect6, moves: &mut [Ranked]) {
        order::rank(&Lines::of(position), position, moves);
    }

    fn quiescence_value(&self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        ByTables::of(&self.tables, position).quiescence_value(position, moves)
    }

    fn forced(&self, position: &Connect6, moves: &mut Vec<Move>) {
        ByTables::of(&self.tables, position).forced(position, moves);
    }

    /// Chosen by matches: docs/strength.md.
    fn late_moves(&self) -> Option<LateMoves> {
        Some(LateMoves { reduced_after: 6, pruned_after: 14, pruned_after_a_ply: 4 })
    }

    fn accumulator(&self, position: &Connect6) -> Option<Box<dyn Accumulator<Connect6> + '_>> {
        Some(Box::new(ByTables::of(&self.tables, position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Color;
    use banyan_games::connect6::Connect6Rules;

    #[test]
    fn other_scores_make_another_evaluation_beside_the_one_that_comes_along() {
        let text = include_str!("patterns.txt");
        let dear = text.replace("L3 1500 ", "L3 9000 ");
        let dear = ByScores::of_source(Scores::read(&dear).expect("a whole file"));
        let again = ByScores::of_source(Scores::read(text).expect("a whole file"));
        assert_eq!(again.digest(), ALL[2].digest());
        assert_ne!(dear.digest(), ALL[2].digest());
        let rules = Connect6Rules::new(19).expect("a size");
        let stones = ["h8 i8 j8", "a1 c1"];
        let position = Connect6::with_stones(&rules, stones, Color::White).expect("free points");
        assert!(dear.value(&position) < ALL[2].value(&position));
        let mut values = Vec::new();
        dear.evaluate_many(&[&position, &position], &mut values);
        assert_eq!(values, [dear.value(&position); 2]);
    }
}
