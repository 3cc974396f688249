//! Games into a book: their openings with how often each move was played and what came of it, and the places
//! where losers left it, to be looked into first.

use banyan_games::{Color, Listed, Move, Record};

use crate::book::Book;
use crate::error::BookError;
use crate::graph::State;
use crate::place::Place;

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game<G: Listed> {
    /// Its plies.
    pub record: Record<G>,
    /// The winner; nothing for a draw, and nothing at all where nobody knows.
    pub winner: Option<Option<Color>>,
    /// Names of Black and White.
    pub names: [Option<String>; 2],
}

/// Games that count.
#[derive(Clone, Debug, Default)]
pub struct Whose {
    /// Player whose games alone count: those won or drawn come in whole; of those lost only the line up to the
    /// move that left the book.
    pub player: Option<String>,
    /// So many plies of a game come in, count.
    pub plies: usize,
}

/// Result of taking a game into a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Plies that are in the book now.
    pub plies: usize,
    /// Positions that are new.
    pub positions: usize,
    /// Tells whether a place was marked where the loser left the book.
    pub is_departure_marked: bool,
}

/// Takes a game into a book, in memory; [`Book::save`] writes it. Nothing where it is not one that counts.
///
/// # Errors
/// [`BookError::Move`] for a game that does not begin at the start.
pub fn import<G: Listed>(
    book: &mut Book<G>,
    game: &Game<G>,
    whose: &Whose,
) -> Result<Option<Imported>, BookError> {
    if !game.record.setup().is_empty() || game.record.start().key() != book.start_key() {
        let reason = "the game begins from stones on the board: expected the start".to_owned();
        return Err(BookError::Move { number: 1, reason });
    }
    let Some(loser) = game.counts_for(whose) else { return Ok(None) };
    let path = path(book, &game.record, whose.plies);
    let departure = loser.and_then(|loser| departure(book, &path, loser));
    let is_lost = loser.is_some() && whose.player.is_some();
    let taken = match departure.filter(|_| is_lost) {
        Some(at) => (at + 1).min(path.len() - 1),
        None => path.len() - 1,
    };
    let before = book.nodes().len();
    add(book, &path[..=taken], game.winner);
    if let Some(at) = departure
        && let Some(id) = book.graph().find(&path[at].0.key)
        && book.graph().nodes[id].state != State::Proven
    {
        let graph = book.graph_mut();
        graph.nodes[id].wanted += 1;
        graph.changed.insert(id);
    }
    Ok(Some(Imported {
        plies: taken,
        positions: book.nodes().len() - before,
        is_departure_marked: departure.is_some(),
    }))
}

impl<G: Listed> Game<G> {
    /// The side whose loss is to be learned from, if any; nothing at all where the game does not count.
    fn counts_for(&self, whose: &Whose) -> Option<Option<Color>> {
        let loser = self.winner.flatten().map(|winner| !winner);
        let Some(player) = &whose.player else { return Some(loser) };
        let is_own = |side: &Color| self.names[side.index()].as_ref() == Some(player);
        let own = Color::BOTH.into_iter().find(is_own)?;
        match loser {
            Some(loser) if is_own(&loser) => Some(Some(loser)),
            Some(_) => Some(None),
            // Drawn, or nobody knows: good enough where it was drawn.
            None => self.winner.map(|_| own).map(|_| None),
        }
    }
}

/// Places on the way of a game, each with the move played there, in its own image, and by whom.
type Path<G> = Vec<(Place<G>, Option<Move>)>;

fn path<G: Listed>(book: &Book<G>, record: &Record<G>, plies: usize) -> Path<G> {
    let mut path: Path<G> = vec![(Place::start(book.rules()), None)];
    for at in 0..record.plies().len() {
        let (_, mv) = record.plies()[at];
        let (place, _) = path.last().expect("the start at least");
        if mv.is_pass() && record.position_after(at).legal_count() == 1 {
            continue;
        }
        if path.len() > plies {
            break;
        }
        let symmetry = record.position_after(at).key().symmetry;
        let mv = symmetry.image(mv, place.position.size());
        let Some((next, _)) = place.after(mv) else { break };
        path.last_mut().expect("the start at least").1 = Some(mv);
        path.push((next, None));
    }
    path
}

/// The place where the loser left the book: the first at which its move was not in it.
fn departure<G: Listed>(book: &Book<G>, path: &Path<G>, loser: Color) -> Option<usize> {
    let leaves = |(place, mv): &(Place<G>, Option<Move>)| {
        let Some(_) = mv else { return false };
        place.position.side_to_move() == loser
    };
    let is_known = |at: usize| {
        let child = path.get(at + 1).and_then(|(place, _)| book.graph().find(&place.key));
        child.is_some()
    };
    (0..path.len()).filter(|&at| leaves(&path[at])).find(|&at| !is_known(at))
}

fn add<G: Listed>(
    book: &mut Book<G>,
    path: &[(Place<G>, Option<Move>)],
    winner: Option<Option<Color>>,
) {
    let graph = book.graph_mut();
    let points = |side: Color| match winner {
        Some(Some(winner)) => 2 * u64::from(winner == side),
        Some(None) => 1,
        None => 0,
    };
    // A game that nobody knows the end of shows what is played, and not what it is worth.
    let counted = u64::from(winner.is_some());
    let mut before: Option<(usize, Move)> = None;
    let mut last = 0;
    for (place, mv) in path {
        let id = graph.at(place);
        if let Some((parent, mv)) = before {
            let side = graph.nodes[parent].side;
            graph.link(parent, mv, id);
            if let Some(edge) = graph.edge_mut(parent, mv) {
                edge.games += 1;
                edge.points += points(side);
            }
            let node = &mut graph.nodes[parent];
            // Its best move outside the book may be this one, or one that symmetry makes one with it.
            if node.state == State::Valued {
                node.state = State::Waiting;
                node.spare = None;
            }
        }
        let node = &mut graph.nodes[id];
        node.games += counted;
        node.points += counted * points(node.side);
        graph.changed.insert(id);
        before = mv.map(|mv| (id, mv));
        last = id;
    }
    graph.nodes[last].value = graph.backed_up(last);
    for parent in graph.nodes[last].parents.clone() {
        graph.back_up(parent);
    }
}

/// Legal moves, counted.
trait LegalCount {
    fn legal_count(&self) -> usize;
}

impl<G: banyan_games::Game> LegalCount for G {
    fn legal_count(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::choice::{Costs, Paths};

    fn rules() -> GomokuRules {
        GomokuRules::new(15, 15, Variant::Freestyle).expect("rules")
    }

    fn game(moves: &str, winner: Color) -> Game<Gomoku> {
        let mut record = Record::<Gomoku>::new(&rules());
        for word in moves.split_whitespace() {
            let mv = record.position().parse_move(word).expect("a move");
            record.play(mv).expect("legal");
        }
        let names = [Some("Banyan".to_owned()), Some("other".to_owned())];
        Game { record, winner: Some(Some(winner)), names }
    }

    fn book(folder: &tempfile::TempDir) -> Book<Gomoku> {
        Book::open(&folder.path().join("a.book"), &rules()).expect("a book")
    }

    const ALL: Whose = Whose { player: None, plies: 20 };

    #[test]
    fn games_meet_in_one_line_whichever_way_they_were_turned() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        let [one, two] = ["h8 h9 i9 g7", "h8 g8 g9 i7"];
        import(&mut book, &game(one, Color::Black), &ALL).expect("a game");
        let found = import(&mut book, &game(two, Color::White), &ALL).expect("a game");
        assert_eq!(found.expect("counts").positions, 0);
        let nodes = book.nodes();
        assert_eq!((nodes.len(), nodes[0].games, nodes[0].points), (5, 2, 2));
        assert_eq!((nodes[0].edges[0].games, nodes[0].edges[0].points), (2, 2));
        assert_eq!(crate::check(&book), Vec::new());
    }

    #[test]
    fn the_place_where_the_loser_left_is_looked_into_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        let drawn = Game { winner: Some(None), ..game("h8 h9 i9 g7", Color::Black) };
        import(&mut book, &drawn, &ALL).expect("a game");
        // Black follows the book for one move, and then leaves it.
        let lost = game("h8 h9 a1 b2 c3 d4", Color::White);
        let whose = Whose { player: Some("Banyan".to_owned()), plies: 20 };
        let found = import(&mut book, &lost, &whose).expect("a game").expect("counts");
        // Of a lost game the line up to the move that left comes in.
        assert_eq!((found.plies, found.positions, found.is_departure_marked), (3, 1, true));
        let wanted = book.nodes().iter().find(|node| node.wanted > 0).expect("one");
        assert_eq!(wanted.line.len(), 2);
        let line = wanted.line.clone();
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 20 };
        assert_eq!(book.next(&paths).expect("work").task.place.line, line);
    }

    #[test]
    fn of_others_games_nothing_is_taken_where_a_player_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        let whose = Whose { player: Some("somebody".to_owned()), plies: 20 };
        assert_eq!(import(&mut book, &game("h8 h9", Color::Black), &whose).expect("fine"), None);
        assert_eq!(book.nodes().len(), 1);
    }
}
