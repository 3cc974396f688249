//! A match of two networks at equal visits: the gate of a generation.
//!
//! Each opening is played twice with colours exchanged. Searches have no noise, so chance is in the
//! openings alone, and the same seed gives the same match.

use super::sizes::Sizes;
use crate::gate::Tally;
use banyan_games::{Color, Outcome, Record, Rng};
use banyan_lab::runner::sprt::{Decision, Sprt};
use banyan_selfplay::Learned;
use banyan_selfplay::gumbel::Search;
use banyan_selfplay::judge::{Due, Judge, Said};
use banyan_selfplay::opening::open;

/// Pairs of games at a time.
const TOGETHER: usize = 32;

/// Terms of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// Points a side of the boards, one after the other.
    pub sizes: Sizes,
    /// Visits a move of either side, count.
    pub visits: u32,
    /// Pairs of games at most, count.
    pub pairs: u32,
    /// Seed of the openings.
    pub seed: u64,
    /// Test that stops the match early.
    pub sprt: Sprt,
}

/// Two games from one opening: the first judge is Black in the first.
struct Pair<G: Learned> {
    games: [Game<G>; 2],
}

struct Game<G: Learned> {
    record: Record<G>,
    first: Color,
    search: Search<G>,
}

impl<G: Learned> Game<G> {
    fn new(record: Record<G>, first: Color, visits: u32, scale: f32) -> Game<G> {
        let search = search(&record, visits, scale);
        Game { record, first, search }
    }

    /// Number of the judge whose search is under way.
    fn turn(&self) -> usize {
        usize::from(self.record.position().side_to_move() != self.first)
    }

    fn outcome(&self) -> Option<Outcome> {
        G::end_of(&self.record)
    }

    fn take(&mut self, said: &Said, visits: u32, scale: f32) {
        self.search.take(said);
        if self.search.due().is_some() {
            return;
        }
        let best = self.search.end().best.expect("a search of a position has a best move");
        self.record.play(best).expect("a candidate is legal");
        if self.outcome().is_none() {
            self.search = search(&self.record, visits, scale);
        }
    }

    /// Half points of the game for the first judge: 0, 1 or 2.
    fn half_points(&self) -> Option<usize> {
        Some(match self.outcome()?.winner() {
            None => 1,
            Some(winner) if winner == self.first => 2,
            Some(_) => 0,
        })
    }
}

fn search<G: Learned>(record: &Record<G>, visits: u32, scale: f32) -> Search<G> {
    Search::new((record.position().clone(), record.candidates()), visits, scale)
}

/// Plays a match until its test is decided or all pairs are played.
///
/// # Errors
/// A board that cannot be, or that a judge does not know.
pub fn play<G: Learned, J: Judge<G>>(
    judges: &mut [J; 2],
    terms: &Terms,
    mut told: impl FnMut(&Tally),
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let (mut begun, mut pairs) = (0, Vec::<Pair<G>>::new());
    while terms.sprt.decide(&tally.pairs) == Decision::Open {
        while pairs.len() < TOGETHER && begun < terms.pairs {
            pairs.push(pair(terms, begun, J::VALUE_SCALE)?);
            begun += 1;
        }
        if pairs.is_empty() {
            break;
        }
        for (number, judge) in judges.iter_mut().enumerate() {
            step(judge, number, &mut pairs, terms.visits)?;
        }
        // In the order of their openings, so that which ends first changes nothing.
        while pairs.first().is_some_and(Pair::is_over) {
            tally.add(pairs.remove(0).half_points());
            told(&tally);
        }
    }
    Ok(tally)
}

fn pair<G: Learned>(terms: &Terms, number: u32, scale: f32) -> anyhow::Result<Pair<G>> {
    let mut rng = Rng::from_seed(terms.seed ^ u64::from(number) << 32);
    let record = open(terms.sizes.of(number.into()), &mut rng)?;
    let game = |first| Game::new(record.clone(), first, terms.visits, scale);
    Ok(Pair { games: Color::BOTH.map(game) })
}

/// One evaluation of every game whose turn is this judge's.
fn step<G: Learned, J: Judge<G>>(
    judge: &mut J,
    number: usize,
    pairs: &mut [Pair<G>],
    visits: u32,
) -> anyhow::Result<()> {
    let mut games: Vec<&mut Game<G>> = pairs
        .iter_mut()
        .flat_map(|pair| &mut pair.games)
        .filter(|game| game.outcome().is_none() && game.turn() == number)
        .collect();
    let due: Vec<Due<'_, G>> = games.iter().filter_map(|game| game.search.due()).collect();
    let said = judge.judge(&due)?;
    for (game, said) in games.iter_mut().zip(&said) {
        game.take(said, visits, J::VALUE_SCALE);
    }
    Ok(())
}

impl<G: Learned> Pair<G> {
    fn is_over(&self) -> bool {
        self.games.iter().all(|game| game.outcome().is_some())
    }

    /// Half points of both games for the first judge.
    fn half_points(&self) -> [usize; 2] {
        self.games.each_ref().map(|game| game.half_points().unwrap_or(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::go::Go;

    /// Likes to play anywhere, or only to pass.
    struct Simple {
        passes: bool,
    }

    impl<G: Learned> Judge<G> for Simple {
        const VALUE_SCALE: f32 = 0.1;

        fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>> {
            let logit = |is_pass: bool| if is_pass == self.passes { 9.0 } else { 0.0 };
            let said = |due: &Due<'_, G>| Said {
                value: 0.5,
                logits: due.moves.iter().map(|mv| logit(mv.is_pass())).collect(),
            };
            Ok(due.iter().map(said).collect())
        }
    }

    fn terms(pairs: u32) -> Terms {
        let sprt = "0,100".parse().unwrap();
        Terms { sizes: "7".parse().unwrap(), visits: 2, pairs, seed: 1, sprt }
    }

    #[test]
    fn who_plays_beats_who_passes_and_the_test_stops_the_match() {
        let judges = &mut [Simple { passes: false }, Simple { passes: true }];
        let tally = play::<Go, _>(judges, &terms(200), |_| ()).unwrap();
        assert!(tally.games.score() > 0.8, "{tally:?}");
        assert!(tally.games.games() < 400, "{tally:?}");
    }

    #[test]
    fn a_judge_against_itself_shares_the_points_of_each_opening() {
        let judges = &mut [Simple { passes: false }, Simple { passes: false }];
        let tally = play::<Go, _>(judges, &terms(3), |_| ()).unwrap();
        assert_eq!(tally.pairs, [0, 0, 3, 0, 0]);
        assert_eq!(tally.games.games(), 6);
    }
}
