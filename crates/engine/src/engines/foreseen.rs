//! Results of a classical search on the opponent's time.

use banyan_games::Move;
use banyan_search::Searchable;
use banyan_search::classical::Found;
use banyan_search::ponder::Foresight;

use super::replies::Reply;
use super::seat::Seat;

/// Results of a search on the opponent's time.
#[derive(Debug, Default)]
pub(super) struct Pondered {
    /// Seats that searched, the first of them with the session's own memory.
    pub seats: Vec<Seat>,
    /// Findings of those seats.
    pub foreseen: Vec<Foreseen>,
}

/// Finding about the position after a reply.
#[derive(Clone, Debug)]
pub(super) struct Foreseen {
    /// The first ply of the reply.
    mv: Move,
    /// The hash of the position.
    hash: u64,
    /// Our moves there.
    moves: Vec<Move>,
    /// The deepest look, until it is recalled.
    found: Option<Found>,
    /// Positions of all looks.
    nodes: u64,
    /// Index of the seat that searched it.
    seat: usize,
}

impl Pondered {
    /// Recalls what was found of a position, by its hash and our moves there, and which of the seats did; only once.
    pub fn recall(&mut self, hash: u64, moves: &[Move]) -> Option<(usize, Option<Found>)> {
        let foreseen = self.foreseen.iter_mut().find(|it| it.hash == hash)?;
        let found = foreseen.found.take()?;
        Some((foreseen.seat, (foreseen.moves == moves).then_some(found)))
    }

    /// Worth of the search now that this is the reply; nothing where there was none.
    pub fn foresight(&self, reply: Move) -> Option<Foresight> {
        let kept = self.foreseen.iter().find(|it| it.mv == reply).map(|it| it.nodes);
        let before = |kept| self.foreseen.iter().filter(|it| it.nodes > kept).count();
        (!self.foreseen.is_empty()).then(|| Foresight {
            // Replies that were searched alike share a rank.
            rank: kept.map(|kept| 1 + before(kept)),
            spent: self.foreseen.iter().map(|it| it.nodes).sum(),
            kept: kept.unwrap_or(0),
        })
    }
}

impl Foreseen {
    /// Keeps what a seat found of a reply; nothing where it never looked.
    pub fn of<G: Searchable>(reply: Reply<G>, seat: usize) -> Option<Foreseen> {
        let Reply { mv, record, moves, found, nodes, .. } = reply;
        let hash = record.position().hash();
        found.is_some().then_some(Foreseen { mv, hash, moves, found, nodes, seat })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreseen(point: u16, nodes: u64, seat: usize) -> Foreseen {
        let found = Found {
            best: Move(point),
            value: 0,
            line: vec![Move(point)],
            depth: 5,
            is_exact: false,
            nodes,
            passes: 1,
        };
        let (mv, hash, moves) = (Move(point), u64::from(point), vec![Move(point)]);
        Foreseen { mv, hash, moves, found: Some(found), nodes, seat }
    }

    #[test]
    fn what_was_foreseen_is_recalled_once_and_for_the_same_moves() {
        let foreseen = [(1, 100, 0), (2, 300, 1), (3, 50, 1), (4, 50, 1)]
            .map(|(mv, nodes, seat)| foreseen(mv, nodes, seat));
        let foreseen = Vec::from(foreseen);
        let mut pondered = Pondered { seats: Vec::new(), foreseen };
        assert!(pondered.recall(9, &[Move(9)]).is_none());
        let (seat, found) = pondered.recall(2, &[Move(2)]).expect("it was foreseen");
        assert_eq!((seat, found.expect("the same moves").best), (1, Move(2)));
        assert!(pondered.recall(2, &[Move(2)]).is_none(), "once");
        let (seat, found) = pondered.recall(1, &[Move(1), Move(5)]).expect("it was foreseen");
        assert_eq!((seat, found), (0, None), "of other moves nothing was said");
        let foresight = |reply| pondered.foresight(Move(reply)).expect("something was");
        assert_eq!(foresight(1), Foresight { rank: Some(2), spent: 500, kept: 100 });
        for alike in [3, 4] {
            assert_eq!(foresight(alike), Foresight { rank: Some(3), spent: 500, kept: 50 });
        }
        assert_eq!(foresight(7), Foresight { rank: None, spent: 500, kept: 0 });
        assert_eq!(Pondered::default().foresight(Move(1)), None);
    }
}
