//! Games of lines: heavy playouts overlook no win and keep to the rules, and every move has a prior.

use banyan_games::connect6::Connect6Rules;
use banyan_games::counts::{Asked, Collector};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::line::{LineRules, Position};
use banyan_games::{Color, Counts, Game, Move, Observer, Outcome, Rng};
use banyan_knowledge::{Knowledge, Policy};

/// A position after random plies on up to half of the points.
fn some_way_on<R: LineRules>(rules: &R, rng: &mut Rng) -> Position<R> {
    let (mut position, mut moves) = (Position::new(rules), Vec::new());
    for _ in 0..rng.below(rules.size().area() as u32 / 2) {
        moves.clear();
        position.legal_moves(&mut moves);
        if !moves.is_empty() {
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    position
}

/// One heavy playout, whose plies are counted one by one.
fn watch<R: LineRules>(position: &Position<R>, rng: &mut Rng, counts: &mut Counts)
where
    Position<R>: Knowledge,
{
    let mut collector = Collector::new(counts, position.size().area());
    let (outcome, plies) = position.playout_by(Policy::Heavy, rng, &mut collector);
    counts.add(outcome, plies);
}

fn assert_batch_counts_its_playouts<R: LineRules>(rules: &R, rng: &mut Rng)
where
    Position<R>: Knowledge,
{
    let position = some_way_on(rules, rng);
    for (amaf, ownership) in [(false, false), (true, false), (false, true), (true, true)] {
        for count in [0, 1, 40] {
            let mut batch = Counts::new(rules.size().area(), Asked { amaf, ownership });
            let mut singles = batch.clone();
            let mut again = rng.clone();
            position.playouts_by(Policy::Heavy, count, rng, &mut batch);
            for _ in 0..count {
                watch(&position, &mut again, &mut singles);
            }
            assert_eq!(batch, singles, "{count} from {position:?}");
            assert_eq!(rng.clone().bits(), again.bits());
        }
    }
}

#[test]
fn a_batch_counts_what_its_heavy_playouts_one_by_one_would() {
    let mut rng = Rng::from_seed(3);
    for variant in Variant::ALL {
        for (width, height) in [(5, 5), (9, 7), (15, 15), (25, 20)] {
            let rules = GomokuRules::new(width, height, variant).expect("fits");
            assert_batch_counts_its_playouts(&rules, &mut rng);
        }
    }
    for size in [6, 19, 25] {
        assert_batch_counts_its_playouts(&Connect6Rules::new(size).expect("fits"), &mut rng);
    }
}

/// Asks of every ply of a heavy playout whether a win was taken, and one of the other side stopped.
struct Attentive<R: LineRules> {
    position: Position<R>,
    wins: u32,
    stops: u32,
}

impl<R: LineRules> Attentive<R> {
    /// The points on which a stone of `side` would win.
    fn wins_of(&self, side: Color) -> Vec<Move> {
        let points = (0..self.position.size().area()).map(Move::point);
        let stones: Vec<_> = points
            .clone()
            .filter_map(|point| self.position.stone(point).map(|color| (color, point)))
            .collect();
        let mut turned = self.position.clone();
        turned.set_up(&stones, side).expect("it stood");
        let is_win = |&point: &Move| {
            let mut next = turned.clone();
            next.is_legal(point) && {
                next.play(point);
                next.outcome() == Some(Outcome::win(side))
            }
        };
        points.filter(is_win).collect()
    }
}

impl<R: LineRules> Observer for Attentive<R> {
    const WANTS_OWNERS: bool = false;

    fn played(&mut self, color: Color, point: Move) {
        assert_eq!(self.position.side_to_move(), color);
        assert!(self.position.is_legal(point), "{point:?} in {:?}", self.position);
        let (own, other) = (self.wins_of(color), self.wins_of(!color));
        let other: Vec<_> = other.into_iter().filter(|&mv| self.position.is_legal(mv)).collect();
        if !own.is_empty() {
            assert!(own.contains(&point), "a win was overlooked: {:?}", self.position);
            self.wins += 1;
        } else if R::STONES_A_TURN == 1 && !other.is_empty() {
            assert!(other.contains(&point), "a win was let be: {:?}", self.position);
            self.stops += 1;
        }
        self.position.play(point);
    }

    fn ended(&mut self, outcome: Outcome, _: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.position.outcome(), Some(outcome));
    }
}

fn plays_attentively<R: LineRules>(rules: &R, games: u32)
where
    Position<R>: Knowledge,
{
    let (mut rng, mut wins, mut stops) = (Rng::from_seed(6), 0, 0);
    for _ in 0..games {
        let position = some_way_on(rules, &mut rng);
        let mut attentive = Attentive { position: position.clone(), wins: 0, stops: 0 };
        position.heavy_playout(&mut rng, &mut attentive);
        wins += attentive.wins;
        stops += attentive.stops;
    }
    assert!(wins > games / 4, "{wins} wins in {games} games of {rules}");
    assert!(stops > games / 2 || R::STONES_A_TURN > 1, "{stops} stops in {games} games of {rules}");
}

#[test]
fn heavy_playouts_take_a_win_stop_one_and_keep_to_the_rules() {
    for variant in Variant::ALL {
        for (width, height, games) in [(9, 7, 12), (15, 15, 8), (25, 20, 2)] {
            plays_attentively(&GomokuRules::new(width, height, variant).expect("fits"), games);
        }
    }
    for (size, games) in [(10, 12), (19, 4), (25, 2)] {
        plays_attentively(&Connect6Rules::new(size).expect("fits"), games);
    }
}

/// A point that makes five is believed in most, and what is no move here no more than the least.
#[test]
fn every_move_that_a_liar_could_name_has_a_prior() {
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let stones = ["h8 i8 j8 k8", "a1 c1 e1 g1"];
    let position = Gomoku::with_stones(&rules, stones, Color::Black).expect("free points");
    let all: Vec<Move> = (0..=u16::MAX).map(Move).collect();
    let mut weights = Vec::new();
    position.priors(&all, &mut weights);
    assert_eq!(weights.len(), all.len());
    assert!(weights.iter().all(|&weight| weight > 0.0 && weight.is_finite()));
    let best = weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("some").0;
    let five = ["g8", "l8"].map(|text| position.parse_move(text).expect("a point"));
    assert!(five.contains(&Move(best as u16)), "{best}");
    let least = weights.iter().copied().fold(f32::INFINITY, f32::min);
    let taken = usize::from(position.parse_move("h8").expect("a point").0);
    assert!(
        weights[taken] == least && weights[225] == least,
        "what is no move is hardly believed in"
    );
}
