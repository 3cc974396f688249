//! A position as a book knows it: one for all its symmetric images.

use banyan_games::{Game, Key, Kind, Move, Record, Size, Symmetry};
use banyan_records::passes::is_forced;

/// A position of a book, turned so that its key is packed as it stands, with a line that leads to it.
#[derive(Clone, Debug)]
pub struct Place<G> {
    /// The position; its game may be over.
    pub position: G,
    /// Moves from the start to exactly this image of it. Forced passes are left out.
    pub line: Vec<Move>,
    /// The packed position.
    pub key: Vec<u8>,
}

impl<G: Game> Place<G> {
    /// The start of the game.
    pub fn start(rules: &G::Rules) -> Place<G> {
        let position = G::new(rules);
        let Key { packed, symmetry } = position.key();
        debug_assert_eq!(symmetry, Symmetry::NONE, "its symmetries keep the start as it is");
        Place { position, line: Vec::new(), key: packed }
    }

    /// The place that a line of moves leads to, turned to its own image; nothing where a move is illegal or leads
    /// out of what books hold.
    pub fn after_line(rules: &G::Rules, line: &[Move]) -> Option<Place<G>> {
        let mut position = G::new(rules);
        for &mv in line {
            let is_legal = position.is_legal(mv);
            position = is_legal.then(|| played(&position, mv)).flatten()?;
        }
        Some(Place::of(position, line.to_vec()).0)
    }

    /// The place after a legal move, and how it was turned.
    ///
    /// Nothing where a book holds no such position: after a pass that is not forced, and after captures, since
    /// then the stones do not say what may be played (a ko, a repetition).
    pub fn after(&self, mv: Move) -> Option<(Place<G>, Symmetry)> {
        // A book may be damaged.
        let position = self.position.is_legal(mv).then(|| played(&self.position, mv)).flatten()?;
        let line = self.line.iter().copied().chain([mv]).collect();
        Some(Place::of(position, line))
    }

    fn of(position: G, mut line: Vec<Move>) -> (Place<G>, Symmetry) {
        let Key { packed: key, symmetry } = position.key();
        if symmetry == Symmetry::NONE {
            return (Place { position, line, key }, symmetry);
        }
        let size = position.size();
        line.iter_mut().for_each(|mv| *mv = symmetry.image(*mv, size));
        (Place { position: replay(position.rules(), &line), line, key }, symmetry)
    }

    /// The moves that are worth a place in the book, one of each kind that symmetries make one.
    pub fn moves(&self) -> Vec<(Move, Vec<u8>)> {
        let mut moves = Vec::new();
        if self.position.outcome().is_none() {
            self.position.candidates(&mut moves);
        }
        if let Some(centre) = first_stone(&self.position) {
            moves = vec![centre];
        }
        let mut found: Vec<(Move, Vec<u8>)> = Vec::new();
        for mv in moves {
            if let Some(key) = played(&self.position, mv).map(|next| next.key().packed)
                && !found.iter().any(|(_, other)| *other == key)
            {
                found.push((mv, key));
            }
        }
        found
    }

    /// The line in its people's words.
    pub fn text(&self) -> String {
        let words: Vec<String> = self.line.iter().map(|&mv| self.position.move_text(mv)).collect();
        words.join(" ")
    }
}

/// The key of a game's position, where a book may know it: not after a pass that was not forced, nor where a
/// ko or something else that the stones do not show forbids a move.
pub fn key_of<G: Game>(record: &Record<G>) -> Option<Key> {
    let position = record.position();
    if G::TERRITORY && record.plies().last().is_some_and(|(_, mv)| mv.is_pass()) {
        return None;
    }
    (!G::SUPERKO || is_shown_by_stones(position)).then(|| position.key())
}

/// The centre of an empty board in games of lines: there the first stone goes, as it does in play. Games that are
/// imported may begin elsewhere.
fn first_stone<G: Game>(position: &G) -> Option<Move> {
    let is_of_lines = matches!(G::KIND, Kind::Gomoku | Kind::Connect6);
    let Size { width, height } = position.size();
    let centre = usize::from(height / 2) * usize::from(width) + usize::from(width / 2);
    let centre = Move::point(centre);
    (is_of_lines && count(position) == 0 && position.is_legal(centre)).then_some(centre)
}

fn is_shown_by_stones<G: Game>(position: &G) -> bool {
    let mut stones = Vec::new();
    for point in (0..position.size().area()).map(Move::point) {
        stones.extend(position.stone(point).map(|color| (color, point)));
    }
    let mut fresh = G::new(position.rules());
    fresh.set_up(&stones, position.side_to_move()).is_ok() && fresh.hash() == position.hash()
}

/// The position after a move and a forced pass; nothing where no book holds it.
fn played<G: Game>(position: &G, mv: Move) -> Option<G> {
    if mv.is_pass() {
        return None;
    }
    let mut next = position.clone();
    next.play(mv);
    if count(&next) != count(position) + 1 {
        return None;
    }
    pass_if_forced(&mut next);
    Some(next)
}

fn count<G: Game>(position: &G) -> usize {
    (0..position.size().area()).filter(|&at| position.stone(Move::point(at)).is_some()).count()
}

pub fn pass_if_forced<G: Game>(position: &mut G) {
    if is_forced(position) {
        position.play(Move::PASS);
    }
}

fn replay<G: Game>(rules: &G::Rules, line: &[Move]) -> G {
    let mut position = G::new(rules);
    for &mv in line {
        position.play(mv);
        pass_if_forced(&mut position);
    }
    position
}

#[cfg(test)]
mod tests {
    use banyan_games::Rng;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::hex::{Hex, HexRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    fn after<G: Game>(rules: &G::Rules, moves: &str) -> Place<G> {
        let position = G::new(rules);
        let line: Vec<Move> = moves
            .split_whitespace()
            .map(|word| position.parse_move(word).expect("a move"))
            .collect();
        Place::after_line(rules, &line).expect("legal")
    }

    #[test]
    fn symmetric_lines_and_transpositions_meet_in_one_place() {
        let othello: Vec<_> =
            ["f5", "d3", "c4", "e6"].map(|moves| after::<Othello>(&OthelloRules, moves).key).into();
        assert!(othello.iter().all(|key| *key == othello[0]));
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("rules");
        let [one, two, other] =
            ["h8 h9 i9", "h8 g8 g9", "h8 h9 i8"].map(|moves| after::<Gomoku>(&rules, moves).key);
        assert!(one == two && one != other);
    }

    #[test]
    fn the_two_stones_of_a_turn_may_come_in_any_order_and_a_half_turn_is_no_whole_one() {
        let rules = Connect6Rules::new(19).expect("rules");
        let key = |moves| after::<Connect6>(&rules, moves).key;
        assert_eq!(key("k10 k11 l12"), key("k10 l12 k11"));
        assert_ne!(key("k10 k11")[0], key("k10 k11 l12")[0]);
    }

    #[test]
    fn hex_turns_by_half_a_turn_alone() {
        let rules = HexRules::new(5).expect("rules");
        let key = |moves| after::<Hex>(&rules, moves).key;
        assert_eq!(key("a2"), key("e4"));
        assert_ne!(key("a2"), key("b1"));
    }

    #[test]
    fn positions_after_captures_and_passes_are_in_no_book() {
        let rules = GoRules::new(9, 15).expect("rules");
        // White's stone in the corner has one liberty; taking it leads out of the book.
        let line = ["a2", "a1", "e5", "e4"];
        let mut position = Go::new(&rules);
        for word in line {
            position.play(position.parse_move(word).expect("a move"));
        }
        let place = Place { key: position.key().packed, line: Vec::new(), position };
        let taking = place.position.parse_move("b1").expect("a move");
        assert!(place.position.is_legal(taking) && place.after(taking).is_none());
        assert!(place.moves().iter().all(|(mv, _)| *mv != taking));
        let mut record = Record::<Go>::new(&rules);
        assert!(key_of(&record).is_some());
        record.play(Move::PASS).expect("legal");
        assert!(key_of(&record).is_none());
    }

    /// Random games of every kind: a place's line leads to exactly its position, and its key is its own.
    #[test]
    fn a_place_is_the_image_that_its_line_leads_to() {
        fn walk<G: Game>(rules: &G::Rules, seed: u64) {
            let mut rng = Rng::from_seed(seed);
            let mut place = Place::<G>::start(rules);
            for _ in 0..20 {
                let moves = place.moves();
                let Some((mv, key)) = moves.get(rng.below(moves.len().max(1) as u32) as usize)
                else {
                    break;
                };
                let (next, _) = place.after(*mv).expect("a move of the book");
                assert_eq!(next.key, *key);
                let itself = next.position.key();
                assert_eq!((&itself.packed, itself.symmetry), (&next.key, Symmetry::NONE));
                let again = Place::<G>::after_line(rules, &next.line).expect("legal");
                assert_eq!(again.key, next.key, "{}: {}", G::KIND, next.text());
                place = next;
            }
        }
        for seed in 0..4 {
            walk::<Othello>(&OthelloRules, seed);
            walk::<Go>(&GoRules::new(9, 15).expect("rules"), seed);
            walk::<Gomoku>(&GomokuRules::new(15, 12, Variant::Renju).expect("rules"), seed);
            walk::<Connect6>(&Connect6Rules::new(9).expect("rules"), seed);
            walk::<Hex>(&HexRules::new(7).expect("rules"), seed);
        }
    }
}
