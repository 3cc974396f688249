//! The network's output for a position.

use crate::fixed::{VALUE_ONE, softmax};

/// Judgement of one position, in whole numbers, from the side to move's point of view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Logit of each point, rows from the top, in 1/4096; legal or not.
    pub policy: Vec<i32>,
    /// Logit of a pass, in 1/4096.
    pub pass: i32,
    /// Logits of win, draw and loss, in 1/4096.
    pub outcome: [i32; 3],
    /// Points that the side to move is expected to win by, in 1/256.
    pub score: i32,
    /// Logit of each point's ownership, in 1/4096, above 0 for the side to move's own;
    /// [`crate::fixed::ownership`] makes a value of it.
    pub ownership: Vec<i32>,
}

impl Output {
    /// Shares of win, draw and loss, in 1/32768, each rounded down.
    pub fn shares(&self) -> [i32; 3] {
        softmax(self.outcome)
    }

    /// Wins and half the draws, 0 to 32,768, in 1/32768.
    pub fn value(&self) -> i32 {
        let [win, draw, loss] = self.shares();
        // What rounding down took from the three goes back in proportion.
        let all = (win + draw + loss).max(1);
        ((2 * win + draw) * (VALUE_ONE / 2) + all / 2) / all
    }

    /// Point of the largest policy logit, the first of several, passes left out.
    pub fn likeliest(&self) -> usize {
        let most = self.policy.iter().copied().max();
        self.policy.iter().position(|&logit| Some(logit) == most).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sure_win_is_worth_one_and_a_draw_half() {
        let value = |outcome| Output { outcome, ..Output::default() }.value();
        assert_eq!(value([1 << 20, 0, 0]), VALUE_ONE);
        assert_eq!(value([0, 1 << 20, 0]), VALUE_ONE / 2);
        assert_eq!(value([0, 0, 1 << 20]), 0);
        assert_eq!(value([77, 77, 77]), VALUE_ONE / 2);
    }
}
