//! Self-play: many games at a time, so that their positions are judged together.

use super::game::PlayedGame;
use super::gumbel::Search;
use super::judge::{Due, Judge};
use super::opening::open;
use super::playing::{Depths, Playing};
use banyan_games::Rng;

/// Games at a time.
const TOGETHER: usize = 64;

struct Under {
    playing: Playing,
    search: Search,
}

fn search(playing: &mut Playing, scale: f32) -> Search {
    let moves = playing.record.candidates();
    let position = playing.record.position().clone();
    let search = Search::new((position, moves), playing.asked().visits, scale);
    search.with_noise(&mut playing.rng)
}

/// Plays games with seeds from `seeds`, each handed to `ended` as soon as it is over.
///
/// # Errors
/// A board that cannot be; the first error of `ended`.
pub fn play<J: Judge>(
    judge: &mut J,
    (size, depths): (u32, Depths),
    mut seeds: impl Iterator<Item = u64>,
    mut ended: impl FnMut(PlayedGame) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut games: Vec<Under> = Vec::new();
    loop {
        for seed in seeds.by_ref().take(TOGETHER - games.len()) {
            let mut rng = Rng::from_seed(seed);
            let record = open(size, &mut rng)?;
            let mut playing = Playing::new(record, depths, seed, rng);
            let search = search(&mut playing, J::VALUE_SCALE);
            games.push(Under { playing, search });
        }
        if games.is_empty() {
            return Ok(());
        }
        let due: Vec<Due<'_>> = games.iter().filter_map(|under| under.search.due()).collect();
        let said = judge.judge(&due)?;
        for (under, said) in games.iter_mut().zip(&said) {
            under.search.take(said);
            under.play_when_ready(J::VALUE_SCALE);
        }
        for under in games.extract_if(.., |under| under.playing.is_over()) {
            ended(under.playing.end())?;
        }
    }
}

impl Under {
    fn play_when_ready(&mut self, scale: f32) {
        if self.search.due().is_none() {
            let searched = self.search.end();
            self.playing.take(&searched);
            if !self.playing.is_over() {
                self.search = search(&mut self.playing, scale);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::judge::ByPlayouts;

    fn games(seeds: std::ops::Range<u64>) -> Vec<PlayedGame> {
        let depths = Depths { full: 6, short: 3, decided: 2, full_share: 0.5 };
        let mut games = Vec::new();
        play(&mut ByPlayouts::new(seeds.start), (7, depths), seeds, |game| {
            games.push(game);
            Ok(())
        })
        .unwrap();
        games
    }

    #[test]
    fn the_same_seeds_play_the_same_games_and_each_can_be_replayed() {
        let played = games(5..8);
        assert_eq!(played, games(5..8));
        assert_eq!(played.len(), 3);
        let (mut searches, mut plies) = (0, 0);
        for game in &played {
            let record = game.record().unwrap();
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
}
