//! From wins, draws and losses to a score, its interval and a difference in Elo.

/// The two-sided 95 % point of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Wdl {
    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// (wins + ½ draws) / games in `0..=1`; ½ without games.
    pub fn score(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The Wilson 95 % interval of the score; `0..=1` without games.
    pub fn interval(self) -> (f64, f64) {
        wilson(self.score(), f64::from(self.games()))
    }
}

/// Wilson's 95 % interval of a share `share` seen in `trials` trials.
///
/// (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). A draw counts as half a win; games with draws
/// vary less than this takes them to, so the interval is then too wide, never too narrow.
///
/// # Source
/// Wilson 1927.
pub fn wilson(share: f64, trials: f64) -> (f64, f64) {
    if trials <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z_95 * Z_95;
    let middle = share + z2 / (2.0 * trials);
    let spread = share * (1.0 - share) / trials + z2 / (4.0 * trials * trials);
    let half_width = Z_95 * spread.max(0.0).sqrt();
    let scale = 1.0 + z2 / trials;
    let (low, high) = ((middle - half_width) / scale, (middle + half_width) / scale);
    // At the ends the formula gives exactly 0 and 1; rounding would make a finite Elo of them.
    (if share <= 0.0 { 0.0 } else { low }, if share >= 1.0 { 1.0 } else { high })
}

/// The Elo difference that a score stands for: 400 log₁₀(s / (1 − s)); infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that an Elo difference promises: 1 / (1 + 10^(−elo/400)).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-5
    }

    #[test]
    fn wilson_agrees_with_numbers_worked_out_by_hand() {
        // 8 of 10: z² = 3.84146; middle 0.8 + 0.192073 = 0.992073;
        // √(0.016 + 0.0096036) = 0.160011, times z = 0.313617; scale 1.384146.
        let (low, high) = wilson(0.8, 10.0);
        assert!(close(low, 0.490_16) && close(high, 0.943_32), "{low} {high}");
        // 0 of 20: the lower end is 0, the upper z² / (n + z²) = 3.84146 / 23.84146.
        let (low, high) = wilson(0.0, 20.0);
        assert!(close(low, 0.0) && close(high, 0.161_13), "{low} {high}");
        assert_eq!(wilson(0.5, 0.0), (0.0, 1.0));
        assert_eq!((wilson(0.0, 10.0).0, wilson(1.0, 10.0).1), (0.0, 1.0));
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert!(elo(0.5) == 0.0 && elo(0.5).is_sign_positive(), "no -0");
        // 400 log₁₀ 3 = 190.8485.
        assert!((elo(0.75) - 190.848_5).abs() < 1e-3);
        assert!(close(expected_score(elo(0.64)), 0.64));
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn a_draw_is_half_a_win() {
        let wdl = Wdl { wins: 3, draws: 2, losses: 5 };
        assert_eq!(wdl.games(), 10);
        assert!(close(wdl.score(), 0.4));
        assert!(close(Wdl::default().score(), 0.5));
    }
}
