//! Games of the search against itself, and what they teach: each move among all that were possible.

use std::io::Write;

use anyhow::{Context as _, ensure};
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Game, Kind, Move, Record, Rng};
use banyan_knowledge::go::{features, traits};
use banyan_lab::self_play::{LabGame, Settings, open_at_random, turn};
use clap::Args;

use super::fit::Choice;
use super::predict::Lesson;

/// Points for White: with it both sides have to fight.
const KOMI: i16 = 15;

/// Games at a time, whose single playouts are played side by side.
const TOGETHER: usize = 8;

/// A stray is one of so many candidates.
const STRAYS: usize = 10;

/// Moves with fewer percent of a search's visits are not written down.
const PERCENT_MIN: u64 = 1;

/// Options of `play`.
#[derive(Clone, Debug, Args)]
pub(super) struct Play {
    /// How many games.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Points a side.
    #[arg(long, default_value_t = 9)]
    size: u32,
    /// Settings of both sides, as banyan-lab reads it.
    #[arg(long, default_value = "playouts=1000")]
    settings: String,
    /// Random plies that each game begins with.
    #[arg(long, default_value_t = 3)]
    opening_plies: u32,
    /// Resign below this value; 0 never resigns.
    #[arg(long, default_value_t = 0.05)]
    resign: f64,
    /// Share of the plies that are one of the most visited moves by lot, not the best one.
    #[arg(long, default_value_t = 0.0)]
    stray: f64,
    /// Seed of openings, searches and strays.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game, and what was thought of at each ply.
pub(super) struct Played {
    record: Record<Go>,
    /// Moves with their percent of a search's visits; none for plies of the opening.
    thoughts: Vec<Vec<(Move, u32)>>,
}

/// Plays games and writes each as soon as it ends, see [`line`].
pub(super) fn play(play: &Play, out: &mut impl Write) -> anyhow::Result<()> {
    let rules = GoRules::new(play.size, KOMI)?;
    let settings = Settings::parse(&play.settings, Kind::Go)?;
    let mut seeds = 0..play.games;
    let mut games: Vec<Playing> = Vec::new();
    loop {
        let free = TOGETHER - games.len();
        for number in seeds.by_ref().take(free) {
            let mut rng = Rng::from_seed(play.seed ^ u64::from(number) << 20);
            let record: Record<Go> = open_at_random(&rules, play.opening_plies, &mut rng);
            let words = record.plies().iter().map(|&(_, mv)| record.position().move_text(mv));
            let words = std::iter::once(play.size.to_string()).chain(words).collect();
            let sides = [settings.clone(), settings.clone()];
            let game = LabGame::new(record, Color::Black, sides, rng.bits());
            games.push(Playing { game, words, rng });
        }
        if games.is_empty() {
            return Ok(());
        }
        let mut under_way: Vec<_> = games.iter_mut().map(|playing| &mut playing.game).collect();
        turn(&mut under_way);
        games.iter_mut().for_each(|playing| playing.note(play.stray));
        for ended in games.extract_if(.., |playing| playing.game.score(play.resign).is_some()) {
            writeln!(out, "{}", ended.words.join(" "))?;
        }
        out.flush()?;
    }
}

/// A game under way, and its line so far.
///
/// A line is the size of the board and a word for each ply: the move, and behind a slash, where it was
/// thought about, the most visited moves with their percent of all visits: `D4/D4:61,C3:20`.
struct Playing {
    game: LabGame<Go>,
    words: Vec<String>,
    rng: Rng,
}

impl Playing {
    /// Writes down a ply that was just played; at times another move is played in its place.
    fn note(&mut self, stray: f64) {
        if self.game.record().plies().len() < self.words.len() {
            return;
        }
        let position = self.game.record().position();
        let all: u64 = self.game.thought().iter().map(|candidate| candidate.visits).sum();
        let shares = self.game.thought().iter().filter_map(|candidate| {
            let percent = 100 * candidate.visits / all.max(1);
            let text = position.move_text(candidate.mv);
            (percent >= PERCENT_MIN).then(|| format!("{text}:{percent}"))
        });
        let shares = shares.collect::<Vec<_>>().join(",");
        let moves = self.game.thought().iter().take(STRAYS).map(|candidate| candidate.mv);
        let mut moves: Vec<_> = moves.filter(|mv| !mv.is_pass()).collect();
        let is_stray = f64::from(self.rng.below(1 << 16)) < stray * 65536.0;
        if is_stray && !moves.is_empty() {
            let mv = moves.swap_remove(self.rng.below(moves.len() as u32) as usize);
            self.game.stray(mv);
        }
        let plies = self.game.record().plies();
        let played = plies.last().map_or(Move::PASS, |&(_, mv)| mv);
        self.words.push(format!("{}/{shares}", self.game.record().position().move_text(played)));
    }
}

/// Reads a line that [`play`] wrote.
pub(super) fn read(line: &str) -> anyhow::Result<Played> {
    let mut words = line.split_whitespace();
    let size = words.next().context("an empty line")?;
    let size = size.parse().with_context(|| format!("'{size}' is no size of a board"))?;
    let mut record = Record::<Go>::new(&GoRules::new(size, KOMI)?);
    let mut thoughts = Vec::new();
    for word in words {
        let (played, shares) = word.split_once('/').unwrap_or((word, ""));
        let shares = shares.split(',').filter(|share| !share.is_empty());
        let read = |share: &str| -> anyhow::Result<(Move, u32)> {
            let wrong = || format!("'{share}' is no share: expected MOVE:PERCENT");
            let (mv, percent) = share.split_once(':').with_context(wrong)?;
            Ok((record.position().parse_move(mv)?, percent.parse().with_context(wrong)?))
        };
        thoughts.push(shares.map(read).collect::<anyhow::Result<_>>()?);
        let mv = record.position().parse_move(played)?;
        record.play(mv)?;
    }
    ensure!(!record.plies().is_empty(), "a game without a move");
    Ok(Played { record, thoughts })
}

impl Played {
    /// Points a side.
    pub(super) fn side(&self) -> u8 {
        self.record.position().size().width
    }

    /// The move that every search but those of passes found, among all that were possible.
    pub(super) fn choices(&self) -> impl Iterator<Item = Choice> {
        let thoughts = self.thoughts.iter().enumerate();
        thoughts.filter_map(|(index, thought)| {
            let &(best, _) = thought.first()?;
            let candidates = traits(self.record.position_after(index));
            let chosen = candidates.iter().position(|candidate| candidate.mv == best)?;
            let traits = candidates.into_iter().map(|candidate| candidate.traits).collect();
            Some(Choice { chosen, traits })
        })
    }

    /// Every search with its shares.
    pub(super) fn lessons(&self) -> impl Iterator<Item = Lesson> {
        let thoughts = self.thoughts.iter().enumerate().filter(|(_, thought)| !thought.is_empty());
        thoughts.map(|(index, thought)| {
            let position = self.record.position_after(index);
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            let all: u32 = thought.iter().map(|&(_, percent)| percent).sum();
            let share = |mv: &Move| {
                let found = thought.iter().find(|(other, _)| other == mv);
                found.map_or(0.0, |&(_, percent)| percent as f32 / all as f32)
            };
            let shares = moves.iter().map(share).collect();
            Lesson { features: features(position, &moves), shares }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(stray: f64) -> Vec<String> {
        let play = Play {
            games: 2,
            size: 5,
            settings: "playouts=20".to_owned(),
            opening_plies: 2,
            resign: 0.0,
            stray,
            seed: 3,
        };
        let mut text = Vec::new();
        super::play(&play, &mut text).expect("a small board");
        String::from_utf8(text).expect("text").lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_played_is_read_again_with_what_was_thought() {
        for line in played(0.3) {
            let game = read(&line).expect("our own line");
            assert_eq!(game.thoughts.len(), game.record.plies().len());
            let opening = game.thoughts.iter().take_while(|thought| thought.is_empty()).count();
            assert_eq!(opening, 2, "{line}");
            let lessons: Vec<_> = game.lessons().collect();
            assert_eq!(lessons.len(), game.thoughts.len() - 2);
            for lesson in lessons {
                assert!((lesson.shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                assert_eq!(lesson.features.len(), lesson.shares.len());
            }
        }
    }

    #[test]
    fn a_stray_is_not_the_best_move_at_times() {
        let is_stray = |word: &str| {
            let (move_played, thought) = word.split_once('/')?;
            Some(!thought.starts_with(&format!("{move_played}:")))
        };
        let strays = |stray| {
            let lines = played(stray);
            lines
                .iter()
                .flat_map(|line| line.split(' '))
                .filter_map(is_stray)
                .filter(|&is| is)
                .count()
        };
        assert_eq!(strays(0.0), 0);
        assert!(strays(0.5) > 0);
    }

    #[test]
    fn a_broken_line_is_refused_with_what_is_wrong() {
        for (line, expected) in [
            ("", "an empty line"),
            ("x A1", "'x' is no size"),
            ("9 A1/B2", "'B2' is no share"),
            ("9 A1/B2:x", "'B2:x' is no share"),
            ("9 Z9", "Z9"),
            ("9", "without a move"),
        ] {
            let refused = read(line).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(refused.contains(expected), "{line}: {refused}");
        }
    }
}
