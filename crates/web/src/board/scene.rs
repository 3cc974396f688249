//! A board as its page draws it: position, plies, and what the search says, as JSON.
//!
//! A scene is whole: who comes later, or missed some, needs no other.

use banyan_engine::Playable;
use banyan_engine::report::{Module, Report};
use banyan_games::line::Threat;
use banyan_games::{Color, Game, Move, Outcome, Record, Rules, Size};
use banyan_search::Proof;
use serde::Serialize;

use super::ask::{Side, Wishes};
use super::tree::MoveTree;

/// Candidates that are told.
const CANDIDATES_MAX: usize = 24;

/// A board.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    pub(super) position: Position,
    pub(super) plies: Plies,
    pub(super) task: Task,
    /// People play here; otherwise they only look on.
    pub(super) is_mine: bool,
    /// Sides that the engine plays: Black, White.
    pub(super) sides: [bool; 2],
    pub(super) wishes: Wishes,
    /// Evaluations that the game has: without them there are playouts alone.
    pub(super) has_evaluation: bool,
    /// There is a network or a static evaluation for the game, its rules and the board.
    pub(super) has_judge: bool,
    pub(super) thought: Option<Thought>,
    /// Notice of what could not be done, in words.
    pub(super) notice: Option<String>,
}

/// Current task of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Task {
    /// Nothing.
    Idle,
    /// Searching until it is told to stop.
    Analysis,
    /// Finding a move to play.
    Move,
    /// Searching one position after the other.
    Review,
}

/// Stones and rules.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Position {
    game: &'static str,
    title: &'static str,
    rules: String,
    /// Points for White, of Go.
    komi: Option<f64>,
    /// The name of the rule, of Gomoku.
    variant: Option<&'static str>,
    width: u8,
    height: u8,
    columns: Vec<String>,
    rows: Vec<String>,
    /// A letter a point: `X` black, `O` white, `.` empty.
    stones: String,
    side: Side,
    /// The result, once the game is over.
    over: Option<String>,
    last: Option<u16>,
    /// A `1` where the side to move may play, else `0`.
    legal: String,
    can_pass: bool,
    /// In games of lines, what a stone of Black and of White would do: a digit a point, 0 nothing, 1 builds,
    /// 2 threatens, 3 wins.
    threats: Option<[String; 2]>,
}

/// The line of plies that is shown, and where it branches.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Plies {
    line: Vec<Ply>,
    /// Number of them that have been played in the position shown.
    at: usize,
    /// Value of the start to Black.
    start: Option<f64>,
    /// Other ways to go on from the position shown.
    branches: Vec<Ply>,
}

#[derive(Clone, Debug, Serialize)]
struct Ply {
    node: usize,
    side: Side,
    text: String,
    /// Black's share of wins after it, 0 to 1.
    value: Option<f64>,
    /// There are other plies in its place.
    is_fork: bool,
}

/// Findings of the search.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Thought {
    module: &'static str,
    visits: u64,
    playouts: u64,
    positions: u64,
    seconds: f64,
    /// Playouts, or positions, a second.
    rate: f64,
    /// Nothing was played out: playouts are evaluations.
    is_judged: bool,
    /// Black's share of wins, 0 to 1.
    black: f64,
    /// That says enough to be noted beside the ply.
    is_noted: bool,
    depth: Option<u32>,
    score: Option<i32>,
    candidates: Vec<Candidate>,
    pv: Vec<Step>,
    /// A point each, from -100 (White's) to 100 (Black's); empty where nobody looked.
    owners: Vec<i8>,
}

#[derive(Clone, Debug, Serialize)]
struct Candidate {
    text: String,
    point: Option<u16>,
    visits: u64,
    /// For the side to move, 0 to 1.
    value: f64,
    prior: f64,
    /// `win`, `loss` or `draw`, where it is proven.
    proof: Option<&'static str>,
    /// Points by which the side to move wins in the mean.
    score: Option<f64>,
    line: Vec<Step>,
}

#[derive(Clone, Debug, Serialize)]
struct Step {
    text: String,
    point: Option<u16>,
    side: Side,
    /// The board after it; of the best line alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    stones: Option<String>,
}

impl Position {
    pub fn of<G: Playable>(record: &Record<G>) -> Position {
        let position = record.position();
        let size = position.size();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut legal = vec![b'0'; size.area()];
        moves.iter().filter_map(|mv| mv.index()).for_each(|at| legal[at] = b'1');
        let is_over = position.outcome();
        let rules: Rules = position.rules().clone().into();
        let (komi, variant) = match rules {
            Rules::Go(rules) => (Some(f64::from(rules.komi()) / 2.0), None),
            Rules::Gomoku(rules) => (None, Some(rules.variant().name())),
            _ => (None, None),
        };
        Position {
            game: G::KIND.name(),
            title: G::KIND.title(),
            rules: position.rules().to_string(),
            komi,
            variant,
            width: size.width,
            height: size.height,
            columns: (0..size.width).map(|at| G::NOTATION.column(at).to_string()).collect(),
            rows: (0..size.height).map(|at| G::NOTATION.row(at, size).to_string()).collect(),
            stones: stones(position),
            side: position.side_to_move().into(),
            over: is_over.map(|outcome| result::<G>(outcome)),
            last: record.plies().last().and_then(|&(_, mv)| point(mv)),
            legal: String::from_utf8(legal).expect("digits"),
            can_pass: moves.contains(&Move::PASS),
            threats: position.threats().filter(|_| is_over.is_none()).map(|it| it.map(digits)),
        }
    }
}

fn digits(threats: Vec<Threat>) -> String {
    let digit = |threat: Threat| match threat {
        Threat::Nothing => '0',
        Threat::Builds => '1',
        Threat::Threatens => '2',
        Threat::Wins => '3',
    };
    threats.into_iter().map(digit).collect()
}

/// Names the result of a game, for people.
fn result<G: Game>(outcome: Outcome) -> String {
    let is_counted = G::TERRITORY || G::KIND == banyan_games::Kind::Othello;
    match outcome.winner() {
        None => "a draw".to_owned(),
        Some(winner) if is_counted => {
            let by = outcome.margin.as_points().abs();
            format!("{winner} wins by {by}")
        }
        Some(winner) => format!("{winner} wins"),
    }
}

pub(crate) fn stones<G: Game>(position: &G) -> String {
    let stone = |at| match position.stone(Move::point(at)) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    (0..position.size().area()).map(stone).collect()
}

pub(crate) fn point(mv: Move) -> Option<u16> {
    mv.index().and_then(|at| u16::try_from(at).ok())
}

impl Plies {
    pub fn of<G: Game>(position: &G, tree: &MoveTree) -> Plies {
        let ply = |number: usize| {
            let node = tree.node(number).expect("a ply of the tree");
            let siblings = tree.node(node.parent).map_or(0, |parent| parent.children.len());
            Ply {
                node: number,
                side: node.color.into(),
                text: position.move_text(node.mv),
                value: node.value,
                is_fork: siblings > 1,
            }
        };
        let start = tree.node(tree.at()).expect("the ply that is shown");
        Plies {
            line: tree.shown().into_iter().map(ply).collect(),
            at: tree.played().len(),
            start: tree.node(0).and_then(|start| start.value),
            branches: start.children.iter().map(|&child| ply(child)).collect(),
        }
    }

    /// A game without variations of which nobody noted values.
    pub fn line<G: Game>(record: &Record<G>, values: &[Option<f64>]) -> Plies {
        let ply = |(number, &(color, mv)): (usize, &(Color, Move))| Ply {
            node: number + 1,
            side: color.into(),
            text: record.position().move_text(mv),
            value: values.get(number + 1).copied().flatten(),
            is_fork: false,
        };
        Plies {
            line: record.plies().iter().enumerate().map(ply).collect(),
            at: record.plies().len(),
            start: values.first().copied().flatten(),
            branches: Vec::new(),
        }
    }
}

impl Thought {
    /// - `position`: the one that was searched.
    pub fn of<G: Playable>(position: &G, report: &Report) -> Thought {
        let side = position.side_to_move();
        let explanation = report.explanation;
        let seconds = report.elapsed.as_secs_f64();
        let is_tree = explanation.module == Module::Uct;
        let new = report.sums.playouts.saturating_sub(report.before.playouts);
        let done = if is_tree { new } else { explanation.positions };
        let told = report.candidates.iter().take(CANDIDATES_MAX).enumerate();
        Thought {
            module: explanation.module.name(),
            visits: report.visits,
            playouts: report.sums.playouts,
            positions: explanation.positions,
            seconds,
            rate: done as f64 / seconds.max(1e-3),
            is_judged: report.is_judged,
            black: black(report, side),
            is_noted: noted(report, side).is_some(),
            depth: explanation.depth,
            score: explanation.score,
            candidates: told
                .map(|(number, candidate)| Candidate {
                    text: position.move_text(candidate.mv),
                    point: point(candidate.mv),
                    visits: candidate.visits,
                    value: candidate.value,
                    prior: candidate.prior,
                    proof: proof(candidate.proof),
                    score: report.sums.score(candidate.mv, side),
                    line: report.lines.get(number).map_or_else(Vec::new, |line| {
                        let moves: Vec<Move> = line.iter().map(|&(mv, _)| mv).collect();
                        steps(position, &moves, false)
                    }),
                })
                .collect(),
            pv: steps(position, &report.pv, true),
            owners: owners(report, position.size()),
        }
    }
}

const fn proof(proof: Proof) -> Option<&'static str> {
    match proof {
        Proof::Open => None,
        Proof::Win => Some("win"),
        Proof::Loss => Some("loss"),
        Proof::Draw => Some("draw"),
    }
}

/// Fewer visits say too little about a position to be noted beside its ply.
const NOTED_VISITS_MIN: u64 = 30;

/// What Black is worth by this report, where it says enough to be noted beside the ply.
pub(super) fn noted(report: &Report, side: Color) -> Option<f64> {
    let best = report.candidates.first()?;
    let is_searched = report.visits >= NOTED_VISITS_MIN || report.explanation.score.is_some();
    (is_searched || best.proof != Proof::Open).then(|| black(report, side))
}

/// Returns the value of a searched position to Black, 0 to 1.
fn black(report: &Report, side: Color) -> f64 {
    let value = report.candidates.first().map_or(0.5, |best| best.value);
    if side == Color::Black { value } else { 1.0 - value }
}

/// The plies of a line, as far as they can be played.
fn steps<G: Game>(position: &G, moves: &[Move], with_stones: bool) -> Vec<Step> {
    let mut position = position.clone();
    let mut steps = Vec::new();
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        let (text, side) = (position.move_text(mv), position.side_to_move().into());
        position.play(mv);
        let stones = with_stones.then(|| stones(&position));
        steps.push(Step { text, point: point(mv), side, stones });
    }
    steps
}

fn owners(report: &Report, size: Size) -> Vec<i8> {
    let playouts = report.sums.owner_playouts as f64;
    if playouts == 0.0 || report.sums.ownership.len() != size.area() {
        return Vec::new();
    }
    let share = |&held: &i64| (100.0 * held as f64 / playouts).round().clamp(-100.0, 100.0) as i8;
    report.sums.ownership.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::hex::{Hex, HexRules};

    use super::*;

    #[test]
    fn a_position_tells_what_was_chosen_about_its_rules() {
        let go = GoRules::new(7, 11).expect("a board");
        let go = Position::of::<Go>(&Record::new(&go));
        assert_eq!((go.komi, go.variant), (Some(5.5), None));
        let gomoku = GomokuRules::new(15, 15, Variant::Renju).expect("a board");
        let gomoku = Position::of::<Gomoku>(&Record::new(&gomoku));
        assert_eq!((gomoku.komi, gomoku.variant), (None, Some("renju")));
        let hex = HexRules::new(5).expect("a board");
        let hex = Position::of::<Hex>(&Record::new(&hex));
        assert_eq!((hex.komi, hex.variant), (None, None));
    }

    #[test]
    fn what_is_proven_is_noted_however_few_visits_it_took() {
        let best = |proof| banyan_search::Candidate {
            mv: Move::point(0),
            visits: 9,
            value: 0.25,
            prior: 0.5,
            proof,
        };
        let report =
            |visits, proof| Report { visits, candidates: vec![best(proof)], ..Report::default() };
        assert_eq!(noted(&report(29, Proof::Open), Color::Black), None);
        assert_eq!(noted(&report(30, Proof::Open), Color::Black), Some(0.25));
        assert_eq!(noted(&report(9, Proof::Loss), Color::White), Some(0.75));
        assert_eq!(noted(&Report { visits: 99, ..Report::default() }, Color::Black), None);
    }

    #[test]
    fn a_thought_tells_whether_its_playouts_are_evaluations() {
        let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a board"));
        for is_judged in [false, true] {
            let report = Report { is_judged, ..Report::default() };
            assert_eq!(Thought::of(record.position(), &report).is_judged, is_judged);
        }
    }
}
