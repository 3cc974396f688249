//! Where a game on a page begins: rules, stones, plies of a file.

use banyan_games::go::GoRules;
use banyan_games::{Color, Game as _, Kind, Move, Record, Rules, Terms, with_game};
use banyan_records::{ggf, sgf};
use banyan_search::Searchable;

use super::ask::{Opening, Side};

/// A game to begin with.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub rules: Rules,
    pub setup: Vec<(Color, Move)>,
    /// Who is to move first, where there are stones.
    pub side: Color,
    pub plies: Vec<(Color, Move)>,
}

impl Start {
    /// A new game by rules.
    pub fn of(rules: Rules) -> Start {
        Start { rules, setup: Vec::new(), side: Color::Black, plies: Vec::new() }
    }

    /// The game that was asked for.
    ///
    /// # Errors
    /// Says what is no game, or no board of it.
    pub fn asked(opening: &Opening) -> Result<Start, String> {
        let kind = opening.kind()?;
        let mut terms = Terms { variant: opening.variant()?, ..Terms::of(kind) };
        if let Some(side) = opening.size {
            terms = Terms { width: side, height: side, ..terms };
        }
        if let Some(komi) = opening.komi {
            terms.komi = GoRules::komi_from_points(komi).map_err(|error| error.to_string())?;
        }
        Ok(Start::of(Rules::new(kind, terms).map_err(|error| error.to_string())?))
    }

    /// The game of a file: SGF, or GGF.
    ///
    /// - `kind`: the game that is meant where the file does not say.
    ///
    /// # Errors
    /// Names the place in the file that is wrong.
    pub fn loaded(text: &str, kind: Kind) -> Result<Start, String> {
        let is_ggf = text.contains("GM[Othello]");
        if is_ggf {
            let record = ggf::read(text).map_err(|error| error.to_string())?;
            return Ok(Start {
                rules: record.start().rules().clone().into(),
                setup: record.setup().to_vec(),
                side: record.start().side_to_move(),
                plies: record.plies().to_vec(),
            });
        }
        let asked = |kind| sgf::Options { kind, ..sgf::Options::default() };
        // What the file says goes first: a page may show another game when a file is dropped on it.
        let game = sgf::read(text.as_bytes(), &asked(None))
            .or_else(|_| sgf::read(text.as_bytes(), &asked(Some(kind))))
            .map_err(|error| error.to_string())?;
        with_game!(&game.rules, G, rules => {
            let record = game.record::<G>(rules).map_err(|error| error.to_string())?;
            Ok(Start {
                rules: game.rules.clone(),
                setup: record.setup().to_vec(),
                side: record.start().side_to_move(),
                plies: record.plies().to_vec(),
            })
        })
    }

    /// The same rules with other stones.
    ///
    /// # Errors
    /// Says how many letters there should be.
    pub fn set_up(rules: Rules, stones: &str, side: Side) -> Result<Start, String> {
        let mut setup = Vec::new();
        for (at, letter) in stones.chars().enumerate() {
            match letter {
                'X' => setup.push((Color::Black, Move::point(at))),
                'O' => setup.push((Color::White, Move::point(at))),
                '.' => {}
                other => return Err(format!("'{other}' is no stone: expected X, O or .")),
            }
        }
        Ok(Start { rules, setup, side: side.into(), plies: Vec::new() })
    }

    /// The position before the first ply.
    ///
    /// # Errors
    /// Names the stone that cannot stand.
    pub fn record<G: Searchable>(&self, rules: &G::Rules) -> Result<Record<G>, String> {
        match self.setup.is_empty() {
            true => Ok(Record::new(rules)),
            false => {
                Record::set_up(rules, &self.setup, self.side).map_err(|error| error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(game: &str, size: Option<u32>) -> Result<Start, String> {
        let (game, komi, rules) = (game.to_owned(), None, None);
        Start::asked(&Opening { game, size, komi, rules })
    }

    #[test]
    fn every_game_can_be_asked_for_and_a_wrong_board_is_refused() {
        for kind in Kind::ALL {
            assert_eq!(asked(kind.name(), None).expect("a game").rules.kind(), kind);
        }
        assert_eq!(asked("chess", None).expect_err("none of ours"), "'chess' is no game");
        assert!(asked("go", Some(30)).expect_err("too large").contains("30x30"));
    }

    #[test]
    fn files_are_read_as_the_game_that_they_say() {
        let go = Start::loaded("(;GM[1]SZ[9];B[ee];W[cc])", Kind::Othello).expect("a game");
        assert_eq!((go.rules.kind(), go.plies.len()), (Kind::Go, 2));
        let text = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------\
                    ------------------- *]B[F5]W[D6];)";
        let othello = Start::loaded(text, Kind::Go).expect("a game");
        assert_eq!((othello.rules.kind(), othello.plies.len()), (Kind::Othello, 2));
        let wrong = Start::loaded("(;GM[1]SZ[9];B[ee];W[ee])", Kind::Go).expect_err("illegal");
        assert!(wrong.contains("line 1"), "{wrong}");
    }
}
