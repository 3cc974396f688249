//! Games into a book: their openings with how often each move was played and what came of it, and the places
//! where losers left it, to be looked into first.

use banyan_games::key::hash;
use banyan_games::{Color, Listed, Move, Record};
use banyan_records::passes::is_forced;

use crate::book::Book;
use crate::error::BookError;
use crate::graph::{Graph, State};
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
    /// Player whose games alone count, named in full or but for a version after a blank: those won or drawn come in
    /// whole; of those lost only the line up to the move that left the book.
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
    /// Tells whether the book had the game already: then it does not count again.
    pub is_known: bool,
}

/// Takes a game into a book, in memory; [`Book::save`] writes it. Nothing where it is not one that counts. A game of
/// the same plies, names and winner as one that was imported before is the same game.
///
/// # Errors
/// [`BookError::Move`] for a game that does not begin at the start.
pub fn import<G: Listed>(
    book: &mut Book<G>,
    game: &Game<G>,
    whose: &Whose,
) -> Result<Option<Imported>, BookError> {
    // Some programs write the stones of the start down.
    if game.record.start().key() != book.start_key() {
        let reason = "the game begins from another position: expected the start".to_owned();
        return Err(BookError::Move { number: 1, reason });
    }
    let Some(loser) = game.counts_for(whose) else { return Ok(None) };
    let game_hash = game.hash();
    if book.graph().imported.contains(&game_hash) {
        return Ok(Some(Imported { is_known: true, ..Imported::default() }));
    }
    let path = path(book, &game.record, whose.plies);
    let departure = loser.and_then(|loser| departure(book, &path, loser));
    let is_lost = loser.is_some() && whose.player.is_some();
    let taken = match departure.filter(|_| is_lost) {
        Some(at) => (at + 1).min(path.len() - 1),
        None => path.len() - 1,
    };
    let before = book.nodes().len();
    let graph = book.graph_mut();
    graph.imported.insert(game_hash);
    graph.changed_imported.push(game_hash);
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
        is_known: false,
    }))
}

impl<G: Listed> Game<G> {
    /// Tells it from other games.
    fn hash(&self) -> u64 {
        let plies = self.record.plies().iter();
        let mut bytes: Vec<u8> =
            plies.flat_map(|&(color, mv)| [color as u8, mv.0 as u8, (mv.0 >> 8) as u8]).collect();
        let winner = self.winner.map(|winner| winner.map(|side| side as u8));
        for word in [Some(&format!("{winner:?}")), self.names[0].as_ref(), self.names[1].as_ref()] {
            bytes.push(0xff);
            bytes.extend(word.map_or(&[][..], |word| word.as_bytes()));
        }
        hash(&bytes)
    }

    /// The side whose loss is to be learned from, if any; nothing at all where the game does not count.
    fn counts_for(&self, whose: &Whose) -> Option<Option<Color>> {
        let loser = self.winner.flatten().map(|winner| !winner);
        let Some(player) = &whose.player else { return Some(loser) };
        let is_own =
            |side: &Color| self.names[side.index()].as_ref().is_some_and(|it| is_of(it, player));
        Color::BOTH.into_iter().find(is_own)?;
        match loser {
            Some(loser) if is_own(&loser) => Some(Some(loser)),
            Some(_) => Some(None),
            // Drawn, or nobody knows: good enough where it was drawn.
            None => self.winner.map(|_| None),
        }
    }
}

/// Tells whether a name is a player's, alone or with the version that programs write after theirs.
fn is_of(name: &str, player: &str) -> bool {
    name.strip_prefix(player).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Places on the way of a game, each with the move played there, in its own image, and by whom.
type Path<G> = Vec<(Place<G>, Option<Move>)>;

fn path<G: Listed>(book: &Book<G>, record: &Record<G>, plies: usize) -> Path<G> {
    let mut path: Path<G> = vec![(Place::start(book.rules()), None)];
    for at in 0..record.plies().len() {
        let (_, mv) = record.plies()[at];
        let (place, _) = path.last().expect("the start at least");
        if mv.is_pass() && is_forced(record.position_after(at)) {
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
    let mut before: Option<(usize, &Place<G>, Move)> = None;
    let mut ids = Vec::new();
    for (place, mv) in path {
        let id = graph.at(place);
        if let Some((parent, from, mv)) = before {
            let side = graph.nodes[parent].side;
            // Of moves that symmetry makes one the book has one.
            let known = graph.nodes[parent].edges.iter().find(|edge| edge.child == id);
            let mv = known.map_or(mv, |edge| edge.mv);
            let is_new = graph.link(parent, mv, id);
            if let Some(edge) = graph.edge_mut(parent, mv) {
                edge.games += 1;
                edge.points += points(side);
            }
            if is_new {
                follow(graph, (parent, from), (mv, place));
            }
        }
        let node = &mut graph.nodes[id];
        node.games += counted;
        node.points += counted * points(node.side);
        graph.changed.insert(id);
        before = mv.map(|mv| (id, place, mv));
        ids.push(id);
    }
    // Each of them: what a node is worth may change though what is below it does not.
    for id in ids.into_iter().rev() {
        graph.back_up(id);
    }
}

/// A game's move comes into the book: where a search judged the position by it, that stays until a search values
/// the position after it.
fn follow<G: Listed>(
    graph: &mut Graph,
    (parent, from): (usize, &Place<G>),
    (mv, to): (Move, &Place<G>),
) {
    let is_from_games = graph.find(&to.key).is_some_and(|id| graph.is_from_games(id));
    let node = &mut graph.nodes[parent];
    let Some((spare, value)) = node.spare.filter(|_| node.state == State::Valued) else { return };
    // Its best move outside the book may be this one, or one that symmetry makes one with it.
    if from.after(spare).is_some_and(|(it, _)| it.key != to.key) {
        return;
    }
    if is_from_games {
        node.spare = Some((mv, value));
    } else {
        (node.state, node.spare) = (State::Waiting, None);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::book::{Answer, Valued};
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
    fn a_game_that_is_imported_again_does_not_count_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (game("h8 h9 i9", Color::Black), game("h8 h9 i9", Color::White));
        let named = Game { names: [Some("Ann".to_owned()), None], ..one.clone() };
        for round in 0..2 {
            let mut book = book(&folder);
            for game in [&one, &other, &named] {
                let taken = import(&mut book, game, &ALL).expect("a game").expect("counts");
                assert_eq!(taken.is_known, round == 1);
            }
            book.save().expect("room");
            assert_eq!((book.nodes()[0].games, book.nodes()[0].points), (3, 4));
        }
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
    fn moves_that_symmetry_makes_one_have_one_edge() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        for moves in ["h8 h9 i9", "h8 h9 g9"] {
            import(&mut book, &game(moves, Color::Black), &ALL).expect("a game");
        }
        let id = at_depth(&book, 1);
        let edges = &book.nodes()[book.nodes()[id].edges[0].child].edges;
        assert_eq!((edges.len(), edges[0].games, edges[0].points), (1, 2, 4));
        assert_eq!(crate::check(&book), Vec::new());
    }

    #[test]
    fn the_start_may_be_written_down() {
        use banyan_games::othello::{Othello, OthelloRules};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("o.book");
        let mut book = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
        let plain = Othello::new(&OthelloRules);
        let points = (0..64).map(Move::point);
        let stones: Vec<_> =
            points.filter_map(|at| plain.stone(at).map(|color| (color, at))).collect();
        let begun = |stones: &[(Color, Move)]| {
            let mut record =
                Record::<Othello>::set_up(&OthelloRules, stones, Color::Black).expect("stones");
            let mv = record.candidates()[0];
            record.play(mv).expect("legal");
            super::Game { record, winner: Some(None), names: [None, None] }
        };
        let found = import(&mut book, &begun(&stones), &ALL).expect("the start");
        assert_eq!(found.expect("counts").plies, 1);
        let turned: Vec<_> = stones.iter().map(|&(color, at)| (!color, at)).collect();
        let refused = import(&mut book, &begun(&turned), &ALL).expect_err("another diagonal");
        assert!(refused.to_string().contains("from another position"), "{refused}");
    }

    #[test]
    fn a_player_is_known_with_and_without_a_version() {
        assert!(is_of("Banyan 0.1.0", "Banyan") && is_of("Banyan", "Banyan"));
        assert!(!is_of("Banyans", "Banyan") && !is_of("Banyan", "Banyan 0.1.0"));
    }

    /// The one node whose line is so long.
    fn at_depth(book: &Book<Gomoku>, plies: usize) -> usize {
        let found = book.nodes().iter().position(|node| node.line.len() == plies);
        found.expect("one")
    }

    /// Says what a node is worth, by a move that is not in the book.
    fn judge(book: &mut Book<Gomoku>, id: usize, mv: &str, value: f64) {
        let mv = Gomoku::new(&rules()).parse_move(mv).expect("a move");
        let graph = book.graph_mut();
        graph.nodes[id].state = State::Valued;
        graph.nodes[id].spare = Some((mv, value));
        graph.back_up(id);
    }

    #[test]
    fn what_was_judged_stays_until_a_search_values_the_move_it_was_judged_by() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        import(&mut book, &game("h8 h9 i10 a1", Color::Black), &ALL).expect("a game");
        for (plies, value) in [(0, 0.6), (1, 0.3), (2, 0.7)] {
            let id = at_depth(&book, plies);
            judge(&mut book, id, "o15", value);
        }
        let before = book.nodes().to_vec();
        import(&mut book, &game("h8 h9 i10 a1", Color::White), &ALL).expect("a game");
        let judged = |node: &crate::graph::Node| (node.state, node.spare);
        for (node, before) in book.nodes().iter().zip(&before) {
            assert_eq!(judged(node), judged(before));
        }
        // Another move leaves it too, and so does the move itself: one lost game outweighs no search.
        let key = before[2].key.clone();
        import(&mut book, &game("h8 h9 i10 b2", Color::White), &ALL).expect("a game");
        let there = |book: &Book<Gomoku>| book.graph().find(&key).expect("it");
        assert_eq!(book.nodes()[there(&book)].spare, before[2].spare);
        let line = book.nodes()[there(&book)].line.clone();
        let mut record = Record::<Gomoku>::new(&rules());
        line.iter().chain([&before[2].spare.expect("one").0]).for_each(|&mv| {
            record.play(mv).expect("legal");
        });
        let names = [None, None];
        let (id, played) = (there(&book), record.clone());
        for (winner, mover) in [(Color::White, 0.7), (Color::Black, 0.7)] {
            let spare =
                Game { record: played.clone(), winner: Some(Some(winner)), names: names.clone() };
            import(&mut book, &spare, &ALL).expect("a game");
            let node = &book.nodes()[id];
            assert_eq!((node.state, node.value), (State::Valued, mover));
            assert_eq!(crate::check(&book), Vec::new());
        }
        book.save().expect("room");
        let asked = {
            let mut record = Record::<Gomoku>::new(&rules());
            line.iter().for_each(|&mv| record.play(mv).expect("legal"));
            record
        };
        let path = folder.path().join("a.book");
        let reader = crate::Reader::open::<Gomoku>(&path, &rules()).expect("a book");
        let chosen = reader.choose(&asked, &crate::Variety::NONE, None).expect("a whole book");
        let (chosen, page) = chosen.expect("a move");
        assert_eq!((chosen.value, page.outside(&asked)), (0.7, None));
        // Looked into, both are valued by search: the position after the move, and this one without it.
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 20 };
        let work = loop {
            let work = book.next(&paths).expect("work");
            if work.node == id {
                break work;
            }
        };
        let (after, moves) = work.task.child.clone().expect("the position after the move");
        assert!(!work.task.others.contains(&chosen.mv) && !moves.is_empty());
        let valued =
            |moves: &[Move], value| Some(Valued { best: moves[0], value, is_proven: false });
        let answer =
            Answer { position: valued(&work.task.others, 0.4), child: valued(&moves, 0.45) };
        book.take_in(&work, &answer);
        let child = book.graph().find(&after.key).expect("it");
        let values = [id, child].map(|it| book.nodes()[it].value);
        assert!((values[0] - 0.55).abs() < 1e-9 && values[1] == 0.45, "{values:?}");
        assert_eq!(crate::check(&book), Vec::new());
    }

    #[test]
    fn where_the_position_after_a_judged_move_is_valued_by_itself_it_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        import(&mut book, &game("h8 h9", Color::Black), &ALL).expect("a game");
        let id = at_depth(&book, 2);
        judge(&mut book, id, "o15", 0.7);
        let mut record = Record::<Gomoku>::new(&rules());
        let spare = book.nodes()[id].spare.expect("one").0;
        for &mv in book.nodes()[id].line.clone().iter().chain([&spare]) {
            record.play(mv).expect("legal");
        }
        // Twice as wanted: it is looked into first.
        let lost = Game { record, winner: Some(Some(Color::White)), names: [None, None] };
        import(&mut book, &lost, &ALL).expect("a game");
        let child = at_depth(&book, 3);
        book.graph_mut().nodes[child].wanted = 9;
        let work = book.next(&Paths { costs: Costs::DROP_OUT, plies_max: 20 }).expect("work");
        assert_eq!(work.node, child);
        let best = work.task.others[0];
        let position = Some(Valued { best, value: 0.8, is_proven: false });
        book.take_in(&work, &Answer { position, child: None });
        let node = &book.nodes()[id];
        assert_eq!((node.state, node.spare), (State::Waiting, None));
        assert!((node.value - 0.2).abs() < 1e-9, "{}", node.value);
        assert_eq!(crate::check(&book), Vec::new());
    }

    #[test]
    fn the_move_that_proves_a_position_may_come_into_the_book_by_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        import(&mut book, &game("h8 h9", Color::Black), &ALL).expect("a game");
        let id = at_depth(&book, 2);
        let line = book.nodes()[id].line.clone();
        let graph = book.graph_mut();
        (graph.nodes[id].state, graph.nodes[id].value) = (State::Proven, 1.0);
        let mv = Gomoku::new(&rules()).parse_move("a1").expect("a move");
        graph.nodes[id].spare = Some((mv, 1.0));
        graph.nodes[id].parents.clone().into_iter().for_each(|it| graph.back_up(it));
        let mut record = Record::<Gomoku>::new(&rules());
        for &mv in line.iter().chain([&mv]) {
            record.play(mv).expect("legal");
        }
        let names = [None, None];
        import(&mut book, &Game { record, winner: Some(None), names }, &ALL).expect("a game");
        assert!(book.nodes()[id].has(mv));
        assert_eq!(crate::check(&book), Vec::new());
    }

    #[test]
    fn a_node_that_only_games_judged_is_judged_anew_where_a_game_goes_beyond_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = book(&folder);
        for name in ["Ann", "Bob", "Carl"] {
            let names = [Some(name.to_owned()), None];
            let won = Game { names, ..game("h8 h9", Color::Black) };
            import(&mut book, &won, &ALL).expect("a game");
        }
        let first = at_depth(&book, 2);
        assert!(book.nodes()[first].value > 0.8);
        // The node beyond it is worth one half, and was made so.
        let drawn = Game { winner: Some(None), ..game("h8 h9 i10 a1", Color::Black) };
        import(&mut book, &drawn, &ALL).expect("a game");
        assert_eq!(crate::check(&book), Vec::new());
        let id = book.nodes().iter().position(|node| node.line.len() == 2).expect("one");
        assert_eq!(book.nodes()[id].value, 0.5);
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
