//! Opening books on pages: which there are, and what one knows after a line of moves.

use std::sync::Arc;

use banyan_book::{BookMove, Page, Reader};
use banyan_engine::Playable;
use banyan_games::{Record, Rules, with_game};
use banyan_records::passes;
use serde::Serialize;

use crate::board::{Position, point};

/// A line is followed for so many moves.
const LINE_MAX: usize = 400;

/// A book that can be looked into.
#[derive(Clone, Debug)]
pub struct ShownBook {
    /// Rules that it is for.
    pub rules: Rules,
    /// The book, open to be read.
    pub reader: Arc<Reader>,
}

/// A book in a list of them.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    title: &'static str,
    rules: String,
    /// Nothing where it cannot be read.
    positions: Option<u64>,
    /// Why not, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What a book knows after a line of moves.
#[derive(Debug, Serialize)]
pub(crate) struct Leaf {
    position: Position,
    /// The line with its forced passes: the points that were played on, nothing for a pass.
    line: Vec<Option<u16>>,
    /// Nothing where the book does not know the position.
    known: Option<Known>,
    /// The best first.
    moves: Vec<Told>,
}

#[derive(Debug, Serialize)]
struct Known {
    /// For the side to move, 0 to 1.
    value: f64,
    /// Searches that went through it.
    visits: u64,
    /// Games that went through it.
    games: u64,
    /// The best move outside the book.
    spare: Option<String>,
}

#[derive(Debug, Serialize)]
struct Told {
    text: String,
    point: Option<u16>,
    /// For the side to move, 0 to 1.
    value: f64,
    visits: u64,
    games: u64,
}

impl ShownBook {
    pub(crate) fn listed(&self) -> Listed {
        let positions = self.reader.positions();
        Listed {
            name: self.reader.name().to_owned(),
            title: self.rules.kind().title(),
            rules: with_game!(&self.rules, _G, rules => rules.to_string()),
            positions: positions.as_ref().ok().copied(),
            error: positions.err().map(|error| error.to_string()),
        }
    }

    /// What the book knows after `moves`, such as `f5 d6`; forced passes may be left out.
    ///
    /// # Errors
    /// Names the first move that cannot be played, or says why the book cannot be read.
    pub(crate) fn leaf(&self, moves: &str) -> Result<Leaf, String> {
        with_game!(&self.rules, G, rules => {
            let record = played::<G>(rules, moves)?;
            let page = self.reader.page(&record).map_err(|error| error.to_string())?;
            Ok(Leaf::of(&record, page))
        })
    }
}

impl Leaf {
    fn of<G: Playable>(record: &Record<G>, page: Option<Page>) -> Leaf {
        let position = record.position();
        let told = |known: &BookMove| Told {
            text: position.move_text(known.mv),
            point: point(known.mv),
            value: known.value,
            visits: known.visits,
            games: known.games,
        };
        let known = page.as_ref().map(|page| Known {
            value: page.node.value,
            visits: page.node.visits,
            games: page.node.games,
            spare: page.outside(record).map(|(mv, _)| position.move_text(mv)),
        });
        Leaf {
            position: Position::of(record),
            line: record.plies().iter().map(|&(_, mv)| point(mv)).collect(),
            known,
            moves: page.iter().flat_map(|page| &page.moves).map(told).collect(),
        }
    }
}

fn played<G: Playable>(rules: &G::Rules, moves: &str) -> Result<Record<G>, String> {
    let mut record = Record::<G>::new(rules);
    for (at, word) in moves.split([' ', ',']).filter(|word| !word.is_empty()).enumerate() {
        let number = at + 1;
        if number > LINE_MAX {
            return Err(format!("a line of more than {LINE_MAX} moves"));
        }
        let wrong = |why: &dyn std::fmt::Display| format!("move {number} of the line: {why}");
        let mv = record.position().parse_move(word).map_err(|error| wrong(&error))?;
        passes::play(&mut record, mv).map_err(|error| wrong(&error))?;
    }
    passes::play_forced(&mut record);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_games::{Game as _, Kind, Terms};

    use super::*;

    fn othello() -> ShownBook {
        let bytes = include_bytes!("../../../models/othello.book");
        let rules = Rules::new(Kind::Othello, Terms::of(Kind::Othello)).expect("usual rules");
        ShownBook { rules, reader: Arc::new(Reader::of_bytes("shipped", bytes).expect("a book")) }
    }

    #[test]
    fn a_book_is_listed_and_its_lines_are_followed_from_move_to_move() {
        let book = othello();
        let listed = book.listed();
        assert!(listed.title == "Othello" && listed.positions > Some(100), "{listed:?}");
        let mut line = Vec::new();
        let mut leaf = book.leaf("").expect("the start");
        assert!(leaf.known.is_some() && leaf.moves.len() == 1, "one of four images: {leaf:?}");
        while let Some(best) = leaf.moves.first() {
            assert!((0.0..=1.0).contains(&best.value), "{best:?}");
            line.push(best.text.clone());
            leaf = book.leaf(&line.join(" ")).expect("a line of the book");
            assert!(leaf.known.is_some(), "{line:?} leads out of the book");
        }
        assert!(line.len() > 3 && leaf.line.len() >= line.len(), "{line:?}");
    }

    #[test]
    fn a_line_that_nobody_can_play_is_named_and_one_that_leaves_the_book_has_no_moves() {
        let book = othello();
        let why = book.leaf("f5 f5").expect_err("played twice");
        assert!(why.starts_with("move 2 of the line: "), "{why}");
        let why = book.leaf("f5,x9").expect_err("no point");
        assert!(why.starts_with("move 2 of the line: "), "{why}");
        let long = "f5 ".repeat(LINE_MAX + 2);
        assert!(book.leaf(&long).is_err());
        // Both sides play what stands first on the board.
        let mut record = Record::<Othello>::new(&OthelloRules);
        let mut line = String::new();
        for _ in 0..8 {
            let mut moves = Vec::new();
            record.position().legal_moves(&mut moves);
            line += &format!("{} ", record.position().move_text(moves[0]));
            record.play(moves[0]).expect("legal");
        }
        let left = book.leaf(&line).expect("moves of Othello");
        assert!(left.known.is_none() && left.moves.is_empty(), "{left:?}");
    }
}
