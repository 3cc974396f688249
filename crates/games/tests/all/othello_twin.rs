//! Othello against a slow twin: an array of points and loops over eight directions.

use banyan_games::counts::{Asked, Collector};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Counts, Game, Margin, Move, Observer, Outcome, Rng};

#[derive(Clone)]
struct Twin {
    points: [Option<Color>; 64],
    side: Color,
}

impl Twin {
    fn start() -> Twin {
        let mut points = [None; 64];
        points[3 * 8 + 3] = Some(Color::White);
        points[3 * 8 + 4] = Some(Color::Black);
        points[4 * 8 + 3] = Some(Color::Black);
        points[4 * 8 + 4] = Some(Color::White);
        Twin { points, side: Color::Black }
    }

    fn random(rng: &mut Rng) -> Twin {
        let density = rng.below(65);
        let points = std::array::from_fn(|point| {
            // Without any disc a setup would keep those of the start.
            let taken = point == 0 || rng.below(64) < density;
            taken.then(|| Color::BOTH[rng.below(2) as usize])
        });
        Twin { points, side: Color::BOTH[rng.below(2) as usize] }
    }

    fn as_position(&self) -> Othello {
        let stones: Vec<(Color, Move)> = (0..64)
            .filter_map(|point| self.points[point].map(|color| (color, Move::point(point))))
            .collect();
        let mut position = Othello::new(&OthelloRules);
        position.set_up(&stones, self.side).expect("free points");
        position
    }

    fn turned_in_direction(&self, side: Color, point: usize, down: i32, right: i32) -> Vec<usize> {
        let mut turned = Vec::new();
        let (mut row, mut column) = (point as i32 / 8 + down, point as i32 % 8 + right);
        while (0..8).contains(&row) && (0..8).contains(&column) {
            let next = (row * 8 + column) as usize;
            match self.points[next] {
                None => return Vec::new(),
                Some(color) if color == side => return turned,
                Some(_) => turned.push(next),
            }
            row += down;
            column += right;
        }
        Vec::new()
    }

    fn turned(&self, side: Color, point: usize) -> Vec<usize> {
        let mut turned = Vec::new();
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
        {
            turned.extend(self.turned_in_direction(side, point, down, right));
        }
        turned
    }

    fn placements(&self, side: Color) -> Vec<Move> {
        (0..64)
            .filter(|&p| self.points[p].is_none() && !self.turned(side, p).is_empty())
            .map(Move::point)
            .collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        let placements = self.placements(self.side);
        if placements.is_empty() && !self.placements(!self.side).is_empty() {
            return vec![Move::PASS];
        }
        placements
    }

    fn play(&mut self, mv: Move) {
        if let Some(point) = mv.index() {
            for turned in self.turned(self.side, point) {
                self.points[turned] = Some(self.side);
            }
            self.points[point] = Some(self.side);
        }
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.legal_moves().is_empty() {
            return None;
        }
        let of = |owner| self.points.iter().filter(|&&point| point == owner).count() as i32;
        let (black, white) = (of(Some(Color::Black)), of(Some(Color::White)));
        let margin = match black.cmp(&white) {
            std::cmp::Ordering::Greater => black + of(None) - white,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => black - white - of(None),
        };
        Some(Outcome { margin: Margin::points(margin) })
    }
}

fn assert_same(position: &Othello, twin: &Twin) {
    for point in 0..64 {
        assert_eq!(position.stone(Move::point(point)), twin.points[point]);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, twin.legal_moves());
    for mv in (0..300).chain(65_000..=u16::MAX).map(Move) {
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv:?}");
    }
    assert_eq!(position.outcome(), twin.outcome());
    assert_eq!(position.side_to_move(), twin.side);
    assert_eq!(position.hash(), twin.as_position().hash());
}

/// Plays both to the end and returns how many passes there were.
fn play_out(mut position: Othello, mut twin: Twin, rng: &mut Rng) -> usize {
    let mut passes = 0;
    loop {
        assert_same(&position, &twin);
        let moves = twin.legal_moves();
        if moves.is_empty() {
            return passes;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        passes += usize::from(mv.is_pass());
        position.play(mv);
        twin.play(mv);
    }
}

#[test]
fn every_position_of_random_games_is_the_twins() {
    let mut rng = Rng::from_seed(1);
    let passes: usize =
        (0..150).map(|_| play_out(Othello::new(&OthelloRules), Twin::start(), &mut rng)).sum();
    assert!(passes > 50, "{passes} passes");
}

#[test]
fn every_position_after_a_random_setup_is_the_twins() {
    let mut rng = Rng::from_seed(2);
    for _ in 0..300 {
        let twin = Twin::random(&mut rng);
        play_out(twin.as_position(), twin, &mut rng);
    }
}

/// Replays a playout in the twin, which says whether each disc was legal and when the game is over.
struct Replay {
    twin: Twin,
    plies: u32,
    ended: Option<Outcome>,
}

impl Replay {
    fn pass_if_forced(&mut self) {
        if self.twin.legal_moves() == [Move::PASS] {
            self.twin.play(Move::PASS);
            self.plies += 1;
        }
    }
}

impl Observer for Replay {
    const WANTS_OWNERS: bool = true;

    fn played(&mut self, color: Color, point: Move) {
        self.pass_if_forced();
        assert_eq!(color, self.twin.side);
        assert!(self.twin.legal_moves().contains(&point));
        self.twin.play(point);
        self.plies += 1;
    }

    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.twin.outcome(), Some(outcome));
        assert!((0..64).all(|point| owner(point) == self.twin.points[point]));
        assert!(self.ended.replace(outcome).is_none());
    }
}

fn assert_playout_is_legal(start: Twin, rng: &mut Rng) {
    let mut replay = Replay { twin: start.clone(), plies: 0, ended: None };
    let (outcome, plies) = start.as_position().playout(rng, &mut replay);
    assert_eq!((replay.ended, replay.plies), (Some(outcome), plies));
}

#[test]
fn every_ply_of_a_playout_is_legal_and_it_ends_when_the_game_does() {
    let mut rng = Rng::from_seed(3);
    for _ in 0..500 {
        assert_playout_is_legal(Twin::start(), &mut rng);
        assert_playout_is_legal(Twin::random(&mut rng), &mut rng);
    }
}

/// One playout, whose plies are counted one by one.
fn watch(position: &Othello, rng: &mut Rng, counts: &mut Counts) {
    let area = position.size().area();
    let mut collector = Collector::new(counts, area);
    let (outcome, plies) = position.clone().playout(rng, &mut collector);
    counts.add(outcome, plies);
}

#[test]
fn a_batch_counts_what_its_playouts_one_by_one_would() {
    let mut rng = Rng::from_seed(4);
    let starts = (0..40).map(|_| Twin::random(&mut rng).as_position());
    let positions: Vec<Othello> = starts.chain([Twin::start().as_position()]).collect();
    for (seed, position) in positions.iter().enumerate() {
        for count in [0, 1, 2, 3, 8, 9, 16, 17, 100] {
            for (amaf, ownership) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut batch = Counts::new(64, Asked { amaf, ownership });
                let mut singles = batch.clone();
                let mut rng = Rng::from_seed(seed as u64);
                let mut again = rng.clone();
                position.playouts(count, &mut rng, &mut batch);
                for _ in 0..count {
                    watch(position, &mut again, &mut singles);
                }
                assert_eq!(batch, singles, "{count} from {position:?}");
                assert_eq!(rng.bits(), again.bits());
            }
        }
    }
}
