//! Self-play: many games at a time, so that their positions are judged together.

use super::game::{PlayedGame, winner_name};
use super::gumbel::Search;
use super::judge::{ByEvaluator, ByKnowledge, Due, Judge};
use super::learned::Learned;
use super::opening::open;
use super::playing::{Depths, Playing};
use anyhow::{Context as _, ensure};
use banyan_games::{Record, Rng};
use banyan_knowledge::Evaluator;

/// Games at a time, where a processor judges them.
const TOGETHER: usize = 64;

/// Games to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Seed of the first game; each other's is one more than that before.
    pub seed: u64,
    /// Games, count, above 0.
    pub games: u32,
    /// Depths to which they are searched.
    pub depths: Depths,
}

impl Wanted {
    /// Seeds of its games.
    pub fn seeds(&self) -> impl ExactSizeIterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.games).map(move |number| first.wrapping_add(number.into()))
    }

    /// Evaluations that it takes, about.
    ///
    /// - `area`: points of the board.
    pub fn cost(&self, area: usize) -> u64 {
        let Depths { full, short, full_permille, .. } = self.depths;
        let full_permille = u64::from(full_permille.min(1000));
        let a_ply = u64::from(full) * full_permille + u64::from(short) * (1000 - full_permille);
        u64::from(self.games) * (area as u64 * a_ply / 1000).max(1)
    }
}

/// Plays games by an evaluator, or by what is known without one; one each, by rising seeds.
///
/// - `size`: points a side.
///
/// # Errors
/// A board that cannot be, or that the evaluator does not know.
pub fn play<G: Learned>(
    evaluator: Option<&dyn Evaluator<G>>,
    size: u32,
    wanted: &Wanted,
) -> anyhow::Result<Vec<PlayedGame>> {
    match evaluator {
        Some(evaluator) => play_by(&mut ByEvaluator::new(evaluator), TOGETHER, size, wanted),
        None => play_by::<G, _>(&mut ByKnowledge, TOGETHER, size, wanted),
    }
}

/// Plays games by a judge; one each, by rising seeds.
///
/// - `together`: games at a time, count, above 0: as many positions are judged together.
/// - `size`: points a side.
///
/// # Errors
/// A board that cannot be, or that the judge does not know.
pub fn play_by<G: Learned, J: Judge<G>>(
    judge: &mut J,
    together: usize,
    size: u32,
    wanted: &Wanted,
) -> anyhow::Result<Vec<PlayedGame>> {
    let mut ended = Vec::new();
    play_each(judge, together, (size, wanted), |game| ended.push(game))?;
    // They end in an order of their own.
    ended.sort_by_key(|game: &PlayedGame| game.seed.wrapping_sub(wanted.seed));
    Ok(ended)
}

/// Tells whether games can be those that were wanted, without playing them again.
///
/// # Errors
/// The first that cannot, in words.
pub fn check<G: Learned>(games: &[PlayedGame], size: u32, wanted: &Wanted) -> anyhow::Result<()> {
    ensure!(games.len() == wanted.games as usize, "{} games of {}", games.len(), wanted.games);
    for (game, seed) in games.iter().zip(wanted.seeds()) {
        ensure!(game.seed == seed, "a game of seed {} instead of {seed}", game.seed);
        ensure!(game.size == size, "a board of {} instead of {size}", game.size);
        let record = game.record::<G>()?;
        check_end(game, &record).with_context(|| format!("the game of seed {seed}"))?;
        let Depths { full, short, decided, .. } = wanted.depths;
        for thought in &game.thoughts {
            // A proof comes in the place of any search.
            let is_last = thought.ply as usize + 1 == game.moves.len();
            let may_be = [full, short, decided];
            let may_be = if is_last { &may_be[..] } else { &may_be[..1] };
            let (ply, visits) = (thought.ply, thought.visits);
            ensure!(
                may_be.contains(&visits),
                "a search at ply {ply} of {visits} visits, not {full}"
            );
        }
    }
    Ok(())
}

/// Refuses a game that is not over, or that another side has won.
fn check_end<G: Learned>(game: &PlayedGame, record: &Record<G>) -> anyhow::Result<()> {
    let last = record.plies().last();
    let winner = match G::end_of(record) {
        Some(outcome) => outcome.winner(),
        // Whoever proves a win plays its first move, and knows no other.
        None => {
            let proof = game.thoughts.last().filter(|_| G::ROOT_PROOF > 0);
            let is_proven = proof.is_some_and(|proof| {
                proof.ply as usize + 1 == game.moves.len() && proof.policy.len() == 1
            });
            ensure!(is_proven, "it is not over after {} plies", game.moves.len());
            last.map(|&(color, _)| color)
        }
    };
    let said = winner_name(winner);
    ensure!(game.winner == said, "its winner is {}, said to be {}", said, game.winner);
    Ok(())
}

struct Under<G: Learned> {
    playing: Playing<G>,
    search: Search<G>,
}

fn search<G: Learned>(playing: &mut Playing<G>, scale: f32) -> Search<G> {
    let moves = playing.moves();
    let position = playing.record.position().clone();
    let search = Search::new((position, moves), playing.asked().visits, scale);
    search.with_noise(&mut playing.rng)
}

fn play_each<G: Learned, J: Judge<G>>(
    judge: &mut J,
    together: usize,
    (size, wanted): (u32, &Wanted),
    mut ended: impl FnMut(PlayedGame),
) -> anyhow::Result<()> {
    let mut seeds = wanted.seeds();
    let mut games: Vec<Under<G>> = Vec::new();
    loop {
        for seed in seeds.by_ref().take(together - games.len()) {
            let mut rng = Rng::from_seed(seed);
            let record = open(size, &mut rng)?;
            let mut playing = Playing::new(record, wanted.depths, seed, rng);
            playing.prove();
            if playing.is_over() {
                // A win was proven before the first search.
                ended(playing.end());
                continue;
            }
            let search = search(&mut playing, J::VALUE_SCALE);
            games.push(Under { playing, search });
        }
        if games.is_empty() && seeds.len() == 0 {
            return Ok(());
        }
        let due: Vec<Due<'_, G>> = games.iter().filter_map(|under| under.search.due()).collect();
        let said = judge.judge(&due)?;
        for (under, said) in games.iter_mut().zip(&said) {
            under.search.take(said);
            under.play_when_ready(J::VALUE_SCALE);
        }
        for under in games.extract_if(.., |under| under.playing.is_over()) {
            ended(under.playing.end());
        }
    }
}

impl<G: Learned> Under<G> {
    fn play_when_ready(&mut self, scale: f32) {
        if self.search.due().is_none() {
            let searched = self.search.end();
            self.playing.take(&searched);
            self.playing.prove();
            if !self.playing.is_over() {
                self.search = search(&mut self.playing, scale);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::connect6::Connect6;
    use banyan_games::go::Go;
    use banyan_games::gomoku::Gomoku;
    use banyan_games::hex::Hex;
    use banyan_games::othello::Othello;
    use banyan_knowledge::go::planes::ENCODING;
    use banyan_knowledge::network::Net;
    use banyan_net::Network;

    use super::*;

    fn wanted(seed: u64, games: u32) -> Wanted {
        let depths = Depths { full: 6, short: 3, decided: 2, full_permille: 500 };
        Wanted { seed, games, depths }
    }

    #[test]
    fn the_same_seeds_play_the_same_games_and_each_can_be_replayed() {
        let played = play::<Go>(None, 7, &wanted(5, 3)).unwrap();
        assert_eq!(played, play::<Go>(None, 7, &wanted(5, 3)).unwrap());
        check::<Go>(&played, 7, &wanted(5, 3)).unwrap();
        let (mut searches, mut plies) = (0, 0);
        for game in &played {
            let record = game.record::<Go>().unwrap();
            assert_eq!(record.plies().len(), game.moves.len());
            searches += game.thoughts.len();
            plies += game.moves.len();
            for thought in &game.thoughts {
                let all: u32 = thought.policy.iter().map(|&(_, share)| u32::from(share)).sum();
                assert!((9_900..=10_100).contains(&all), "{all}");
                assert_eq!(thought.visits, 6);
            }
        }
        assert!(searches > 0 && searches < plies, "{searches} of {plies}");
    }

    fn plays_by_the_same_seeds<G: Learned>(size: u32) -> Vec<PlayedGame> {
        let played = play::<G>(None, size, &wanted(5, 4)).unwrap();
        check::<G>(&played, size, &wanted(5, 4)).unwrap();
        let alone = (5..9).map(|seed| play::<G>(None, size, &wanted(seed, 1)).unwrap().remove(0));
        assert_eq!(played, alone.collect::<Vec<_>>());
        for game in &played {
            assert_eq!((game.komi, game.margin, game.ownership.as_str()), (0, 0, ""));
            assert_eq!(game.record::<G>().unwrap().plies().len(), game.moves.len());
        }
        played
    }

    #[test]
    fn every_game_is_played_and_a_proven_win_ends_it() {
        plays_by_the_same_seeds::<Othello>(8);
        plays_by_the_same_seeds::<Hex>(7);
        plays_by_the_same_seeds::<Connect6>(19);
        let games = plays_by_the_same_seeds::<Gomoku>(15);
        let proven = |game: &PlayedGame| {
            let record = game.record::<Gomoku>().unwrap();
            let last = game.thoughts.last().unwrap();
            let is_last = last.ply as usize + 1 == game.moves.len();
            let is_only = last.policy == [(*game.moves.last().unwrap(), 10_000)];
            record.position().outcome().is_none() && is_last && is_only
        };
        assert!(games.iter().any(proven), "{games:?}");
    }

    #[test]
    fn a_game_is_the_same_in_any_company() {
        let network = Network::random_for(&ENCODING, (1, 16), 4).unwrap();
        let net = Net::new::<Go>(&network).unwrap();
        for evaluator in [None, Some(&net as &dyn Evaluator<Go>)] {
            let together = play(evaluator, 7, &wanted(9, 3)).unwrap();
            let alone = (9..12).map(|seed| play(evaluator, 7, &wanted(seed, 1)).unwrap().remove(0));
            assert_eq!(together, alone.collect::<Vec<_>>());
        }
    }

    #[test]
    fn games_that_were_not_wanted_are_told_apart() {
        let played = play::<Go>(None, 7, &wanted(5, 2)).unwrap();
        let refused = |games: &[PlayedGame], size, wanted| {
            check::<Go>(games, size, &wanted).unwrap_err().to_string()
        };
        assert_eq!(refused(&played[..1], 7, wanted(5, 2)), "1 games of 2");
        assert_eq!(refused(&played, 7, wanted(6, 2)), "a game of seed 5 instead of 6");
        assert_eq!(refused(&played, 9, wanted(5, 2)), "a board of 7 instead of 9");
        let mut false_move = played.clone();
        let first = false_move[1].moves[0];
        false_move[1].moves.insert(0, first);
        false_move[1].values.insert(0, -1);
        assert!(check::<Go>(&false_move, 7, &wanted(5, 2)).is_err());
        let [mut cut, mut turned, mut deep] = [played.clone(), played.clone(), played];
        let one = &mut cut[0];
        one.thoughts.retain(|thought| thought.ply < 2);
        one.moves.truncate(2);
        one.values.truncate(2);
        let why = |games: &[PlayedGame]| {
            format!("{:#}", check::<Go>(games, 7, &wanted(5, 2)).unwrap_err())
        };
        assert_eq!(why(&cut), "the game of seed 5: it is not over after 2 plies");
        let winner = if turned[1].winner == "B" { "W" } else { "B" };
        let was = std::mem::replace(&mut turned[1].winner, winner.to_owned());
        let said = format!("the game of seed 6: its winner is {was}, said to be {winner}");
        assert_eq!(why(&turned), said);
        deep[0].thoughts[0].visits = 6000;
        assert!(why(&deep).ends_with("of 6000 visits, not 6"));
    }

    #[test]
    fn a_games_cost_is_about_its_evaluations() {
        let wanted = wanted(1, 10);
        // 4.5 evaluations a ply on average, 49 plies.
        assert_eq!(wanted.cost(49), 10 * 220);
    }
}
