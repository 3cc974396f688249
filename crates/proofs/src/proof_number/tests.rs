use super::*;

/// Nim with heaps: who takes the last stone wins; the prover is the one who moves first.
#[derive(Clone)]
struct Nim {
    heaps: Vec<u16>,
    to_move: Player,
}

impl AndOr for Nim {
    fn verdict(&self) -> Option<Verdict> {
        let over = self.heaps.iter().all(|&heap| heap == 0);
        let loses = match self.to_move {
            Player::Prover => Verdict::Refuted,
            Player::Refuter => Verdict::Proven,
        };
        over.then_some(loses)
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        for (heap, &stones) in self.heaps.iter().enumerate() {
            moves.extend((1..=stones).map(|taken| Move(heap as u16 * 16 + taken)));
        }
    }

    fn play(&mut self, mv: Move) {
        self.heaps[usize::from(mv.0 / 16)] -= mv.0 % 16;
        self.to_move = match self.to_move {
            Player::Prover => Player::Refuter,
            Player::Refuter => Player::Prover,
        };
    }

    fn hash(&self) -> u64 {
        let heaps = self.heaps.iter().fold(1, |hash, &heap| hash * 17 + u64::from(heap));
        banyan_games::rng::mix(heaps * 2 + u64::from(self.to_move == Player::Prover))
    }

    fn repetition(&self) -> Verdict {
        Verdict::Refuted
    }
}

fn nim(heaps: &[u16]) -> Nim {
    Nim { heaps: heaps.to_vec(), to_move: Player::Prover }
}

#[test]
fn nim_is_won_by_who_can_leave_a_xor_of_nothing() {
    for a in 0..6 {
        for b in 0..6 {
            for c in 1..6 {
                let solution = solve(&nim(&[a, b, c]), 1_000_000, 1 << 20);
                let expected = if a ^ b ^ c == 0 { Verdict::Refuted } else { Verdict::Proven };
                assert_eq!(solution.verdict, Some(expected), "{a} {b} {c}");
            }
        }
    }
}

/// Numbers are taken by two plies a turn from a heap; who takes the last wins.
#[derive(Clone)]
struct Pairs {
    left: u16,
    plies: u16,
}

impl AndOr for Pairs {
    fn verdict(&self) -> Option<Verdict> {
        let last = match (self.plies + 3) / 2 % 2 {
            0 => Verdict::Refuted,
            _ => Verdict::Proven,
        };
        (self.left == 0).then_some(last)
    }

    fn to_move(&self) -> Player {
        if (self.plies / 2).is_multiple_of(2) { Player::Prover } else { Player::Refuter }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        moves.extend((1..=self.left.min(2)).map(Move));
    }

    fn play(&mut self, mv: Move) {
        self.left -= mv.0;
        self.plies += 1;
    }

    fn hash(&self) -> u64 {
        banyan_games::rng::mix(u64::from(self.left) << 16 | u64::from(self.plies))
    }

    fn repetition(&self) -> Verdict {
        Verdict::Refuted
    }
}

impl Pairs {
    fn proven(&self) -> bool {
        let next = |mv| Pairs { left: self.left - mv, plies: self.plies + 1 };
        let mut children = (1..=self.left.min(2)).map(next);
        match (self.verdict(), self.to_move()) {
            (Some(verdict), _) => verdict == Verdict::Proven,
            (None, Player::Prover) => children.any(|child| child.proven()),
            (None, Player::Refuter) => children.all(|child| child.proven()),
        }
    }
}

#[test]
fn a_player_may_have_two_plies_in_a_row() {
    let mut proven = 0;
    for left in 1..14 {
        let start = Pairs { left, plies: 0 };
        let expected = if start.proven() { Verdict::Proven } else { Verdict::Refuted };
        assert_eq!(solve(&start, 1_000_000, 1 << 20).verdict, Some(expected), "{left}");
        proven += u32::from(start.proven());
    }
    assert!((2..12).contains(&proven), "{proven}");
}

#[test]
fn the_line_is_one_that_wins() {
    let mut position = nim(&[3, 4, 5]);
    let solution = solve(&position, 1_000_000, 1 << 20);
    for (ply, &mv) in solution.line.iter().enumerate() {
        let xor = position.heaps.iter().fold(0, |xor, &heap| xor ^ heap);
        assert_eq!(xor != 0, ply % 2 == 0, "the winner leaves nothing after each of his plies");
        position.play(mv);
    }
    assert_eq!(position.verdict(), Some(Verdict::Proven));
}

#[test]
fn a_small_table_and_few_nodes_cost_an_answer_and_nothing_else() {
    let position = nim(&[4, 4, 3, 3]);
    assert_eq!(solve(&position, 1_000_000, 1 << 13).verdict, Some(Verdict::Refuted));
    let few = solve(&position, 10, 1 << 20);
    assert_eq!((few.verdict, few.line), (None, Vec::new()));
    assert!(few.nodes <= 11);
}

#[test]
fn numbers_are_the_least_of_one_side_and_the_sum_or_the_largest_of_the_other() {
    let child = |phi, delta| {
        let numbers = Numbers { phi, delta };
        Child { mv: Move::PASS, position: (), hash: 0, numbers }
    };
    let children = [child(3, 5), child(4, 2), child(1, 7)];
    assert_eq!(weighed(&children, Replies::Sum), Numbers { phi: 2, delta: 8 });
    assert_eq!(weighed(&children, Replies::Hardest), Numbers { phi: 2, delta: 6 });
    assert_eq!(most_promising(&children), (1, 5));
    let lost = [child(0, INFINITE), child(0, INFINITE)];
    for replies in [Replies::Sum, Replies::Hardest] {
        assert_eq!(weighed(&lost, replies), Numbers { phi: INFINITE, delta: 0 });
    }
}
