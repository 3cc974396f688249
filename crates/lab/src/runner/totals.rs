//! Totals of a match: wins, faults, lengths, times, and the table at its end.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::log::{Entrant, GameLine};
use super::points::MatchPoints;
use super::sprt::{Decision, Pentanomial, Sprt};
use super::statistics::{Wdl, elo};
use super::verdict::Reason;

/// The sums over the games so far, from the first engine's view.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Games in which it had Black and White.
    by_color: [Wdl; 2],
    /// Games by who lost them and why; a draw has no loser.
    reasons: BTreeMap<(Option<Entrant>, Reason), u32>,
    points: MatchPoints,
    plies: u64,
    seconds: [f64; 2],
    genmoves: [u64; 2],
    /// Half points of the first engine in pairs of which one game is known.
    half_pairs: HashMap<u32, u32>,
    pairs: Pentanomial,
    sprt: Option<Sprt>,
}

impl Totals {
    /// No games yet.
    pub fn new(sprt: Option<Sprt>) -> Totals {
        Totals { sprt, ..Totals::default() }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameLine) {
        let color = usize::from(game.black == Entrant::Second);
        let wdl = &mut self.by_color[color];
        let (count, half_points) = match game.winner {
            Some(Entrant::First) => (&mut wdl.wins, 2),
            Some(Entrant::Second) => (&mut wdl.losses, 0),
            None => (&mut wdl.draws, 1),
        };
        *count += 1;
        self.points.add(game);
        let loser = game.winner.map(Entrant::other);
        *self.reasons.entry((loser, game.reason)).or_default() += 1;
        self.plies += (game.opening.len() + game.moves.len()) as u64;
        for side in 0..2 {
            self.seconds[side] += game.seconds[side];
            self.genmoves[side] += u64::from(game.genmoves[side]);
        }
        self.add_to_pair(game.game.saturating_sub(1) / 2, half_points);
    }

    fn add_to_pair(&mut self, pair: u32, half_points: u32) {
        match self.half_pairs.remove(&pair) {
            Some(other) => self.pairs[(other + half_points) as usize] += 1,
            None => {
                self.half_pairs.insert(pair, half_points);
            }
        }
    }

    /// All games of the first engine.
    pub fn wdl(&self) -> Wdl {
        let [black, white] = self.by_color;
        Wdl {
            wins: black.wins + white.wins,
            draws: black.draws + white.draws,
            losses: black.losses + white.losses,
        }
    }

    /// The match by points.
    pub fn points(&self) -> &MatchPoints {
        &self.points
    }

    /// Whole pairs by the first engine's points.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// Games that this engine lost for this reason.
    pub fn lost(&self, loser: Entrant, reason: Reason) -> u32 {
        self.reasons.get(&(Some(loser), reason)).copied().unwrap_or(0)
    }

    /// The decision of the sequential test, where there is one.
    pub fn decision(&self) -> Decision {
        self.sprt.map_or(Decision::Open, |sprt| sprt.decide(&self.pairs))
    }

    /// The score so far on one line.
    pub fn running(&self) -> String {
        let wdl = self.wdl();
        let (low, high) = wdl.interval();
        let mut text = format!(
            "+{} ={} -{}  {:.1} % [{:.1}, {:.1}]",
            wdl.wins,
            wdl.draws,
            wdl.losses,
            100.0 * wdl.score(),
            100.0 * low,
            100.0 * high
        );
        if let Some(sprt) = self.sprt {
            text.push_str(&format!("  llr {:.2}", sprt.llr(&self.pairs)));
        }
        text
    }

    fn disputed(&self) -> u32 {
        let disputed = self.reasons.iter().filter(|((_, reason), _)| *reason == Reason::Disputed);
        disputed.map(|(_, count)| count).sum()
    }

    fn seconds_per_move(&self, entrant: Entrant) -> f64 {
        let side = entrant.index();
        self.seconds[side] / self.genmoves[side].max(1) as f64
    }

    fn write_scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "first      games   wins  draws losses   score   95 % interval")?;
        let [black, white] = self.by_color;
        for (name, wdl) in [("all", self.wdl()), ("as black", black), ("as white", white)] {
            let (low, high) = wdl.interval();
            writeln!(
                f,
                "{name:<9} {:>6} {:>6} {:>6} {:>6}  {:>5.1} %  {:>5.1} .. {:.1} %",
                wdl.games(),
                wdl.wins,
                wdl.draws,
                wdl.losses,
                100.0 * wdl.score(),
                100.0 * low,
                100.0 * high
            )?;
        }
        let (low, high) = self.wdl().interval();
        let [middle, low, high] = [self.wdl().score(), low, high].map(elo);
        writeln!(f, "elo of first: {middle:+.0} [{low:+.0}, {high:+.0}]")?;
        writeln!(f, "{}", self.points)
    }

    fn write_reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nlost by   resigned  score  rules disputed   time   hang  crash illegal refused"
        )?;
        for loser in Entrant::BOTH {
            let of = |reason| self.lost(loser, reason);
            let [time, hang, crash, illegal, refused] = Reason::FAULTS.map(of);
            let (resigned, score) = (of(Reason::Resigned), of(Reason::Score));
            let (rules, disputed) = (of(Reason::Rules), of(Reason::Disputed));
            writeln!(
                f,
                "{:<9} {resigned:>8} {score:>6} {rules:>6} {disputed:>8} {time:>6} {hang:>6} \
                 {crash:>6} {illegal:>7} {refused:>7}",
                loser.name()
            )?;
        }
        let limit = self.reasons.get(&(None, Reason::PlyLimit)).copied().unwrap_or(0);
        writeln!(
            f,
            "disputed scores: {}; games cut at the limit of plies: {limit}",
            self.disputed()
        )
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_scores(f)?;
        self.write_reasons(f)?;
        let games = f64::from(self.wdl().games().max(1));
        writeln!(
            f,
            "mean plies: {:.1}; seconds per move: first {:.3}, second {:.3}",
            self.plies as f64 / games,
            self.seconds_per_move(Entrant::First),
            self.seconds_per_move(Entrant::Second)
        )?;
        let Some(sprt) = self.sprt else { return Ok(()) };
        let (low, high) = sprt.bounds();
        let decision = match self.decision() {
            Decision::Open => "not decided".to_owned(),
            Decision::H0 => format!("H0 accepted: elo {} rather than {}", sprt.elo0, sprt.elo1),
            Decision::H1 => format!("H1 accepted: elo {} rather than {}", sprt.elo1, sprt.elo0),
        };
        let (llr, pairs) = (sprt.llr(&self.pairs), self.pairs);
        writeln!(f, "sprt: llr {llr:.2} in [{low:.2}, {high:.2}], pairs {pairs:?}; {decision}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::tests::line;
    use super::*;

    #[test]
    fn games_are_counted_by_colour_reason_and_pair() {
        let mut totals = Totals::new(None);
        // Games 1 and 2 are a pair: two wins of first. 3 and 4: a draw and a loss. 5: half a pair.
        totals.add(&line(1, Some(Entrant::First), Reason::Resigned));
        totals.add(&line(4, Some(Entrant::Second), Reason::Illegal));
        totals.add(&line(2, Some(Entrant::First), Reason::Disputed));
        totals.add(&line(3, None, Reason::PlyLimit));
        totals.add(&line(5, Some(Entrant::Second), Reason::Score));
        assert_eq!(totals.wdl(), Wdl { wins: 2, draws: 1, losses: 2 });
        assert_eq!(totals.by_color[0], Wdl { wins: 1, draws: 1, losses: 1 });
        assert_eq!(totals.pairs(), &[0, 1, 0, 0, 1]);
        assert_eq!(totals.lost(Entrant::First, Reason::Illegal), 1);
        assert_eq!(totals.disputed(), 1);
        let table = totals.to_string();
        assert!(table.contains("all            5      2      1      2   50.0 %"), "{table}");
        assert!(
            table.contains("mean plies: 50.0; seconds per move: first 0.200, second 0.400"),
            "{table}"
        );
    }

    #[test]
    fn a_match_without_games_has_a_table_too() {
        let table = Totals::new("0,10".parse().ok()).to_string();
        assert!(table.contains("llr 0.00 in [-2.94, 2.94]"), "{table}");
    }
}
