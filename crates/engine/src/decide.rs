//! From a search to a decision: which moves to search, when to pass, when to resign.
//!
//! Pure: a report in, a decision out. Only games of territory, which end by agreement, have anything
//! to decide beyond the best move; elsewhere a pass is a move like any other.
//!
//! How the end of a game of Go is met:
//! - A pass is searched only late, or after the other side's pass, or when nothing else is left.
//! - Whether the game is settled is read from who held each point at the end of the playouts.
//! - A settled game is passed; an unsettled one is played on, unless every move but the pass hurts.
//! - Who will hold a point, as an evaluator says, is what good moves make of it, the next one with them: where the
//!   search finds a pass worse than that move, nothing is settled.
//! - After the other side's pass ours ends the game: it is given when that is a win even if every
//!   point that is not settled were the other side's.

use banyan_games::{Color, Kind, Move, Record, Size};
use banyan_search::Candidate;
use banyan_search::Searchable;

use crate::judgement::{Judgement, judgement, komi, last_judgement};
use crate::report::Report;

/// Values below this are resigned in games of territory, unless told otherwise.
pub const RESIGN_BELOW: f64 = 0.08;

/// No game is resigned on fewer visits of its position.
const RESIGN_VISITS_MIN: u64 = 400;

/// A point is settled when the mean over the playouts' ends is at least so far from 0.
const SETTLED_MIN: f64 = 0.7;

/// Ownership from fewer playouts settles nothing.
const SETTLED_PLAYOUTS_MIN: u64 = 64;

/// A move hurts when its value is this much below the pass's.
const HURTS_BY: f64 = 0.05;

/// After so many times the board's points in plies a pass is taken as soon as it is allowed.
const PLIES_MAX_PER_POINT: usize = 3;

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play this.
    Play(Move),
    /// Give up.
    Resign,
}

/// Below which value to resign: what was asked, or the game's own.
pub fn resign_below<G: Searchable>(asked: Option<f64>) -> f64 {
    asked.unwrap_or(if G::TERRITORY { RESIGN_BELOW } else { 0.0 })
}

/// The moves of `side` that are worth searching, in ascending order, a pass last. Superko is
/// respected. Empty only when the game is over, or when `side` cannot be to move.
pub fn moves_to_search<G: Searchable>(record: &Record<G>, side: Color) -> Vec<Move> {
    let mut moves = candidates(record, side);
    if G::TERRITORY && moves.len() > 1 && !may_pass(record) {
        moves.retain(|mv| !mv.is_pass());
    }
    moves
}

/// The moves of `side` to choose one from that is played: as [`moves_to_search`], but the first stone of a
/// game of lines goes to the centre, which no search of any length could better.
pub fn moves_to_play<G: Searchable>(record: &Record<G>, side: Color) -> Vec<Move> {
    first_stone(record).map_or_else(|| moves_to_search(record, side), |centre| vec![centre])
}

/// The centre of an empty board, in a game of lines.
pub fn first_stone<G: Searchable>(record: &Record<G>) -> Option<Move> {
    let is_of_lines = matches!(G::KIND, Kind::Gomoku | Kind::Connect6);
    let is_empty = record.plies().is_empty() && record.setup().is_empty();
    let Size { width, height } = record.position().size();
    let centre = usize::from(height / 2) * usize::from(width) + usize::from(width / 2);
    let centre = Move::point(centre);
    (is_of_lines && is_empty && record.position().is_legal(centre)).then_some(centre)
}

/// Moves for a side that must take dead stones off the board: the liberties of the enemy's, or any
/// move when none of those can be played; nothing when no dead enemy stone is left.
pub fn cleaning_moves<G: Searchable>(
    record: &Record<G>,
    side: Color,
    dead: &[Move],
) -> Option<Vec<Move>> {
    let position = record.position();
    let enemy: Vec<Move> =
        dead.iter().copied().filter(|&mv| position.stone(mv) == Some(!side)).collect();
    if enemy.is_empty() {
        return None;
    }
    let mut moves = candidates(record, side);
    if moves.len() > 1 {
        moves.retain(|mv| !mv.is_pass());
    }
    let width = usize::from(position.size().width);
    let touches = |mv: &Move| enemy.iter().any(|&stone| are_neighbours(*mv, stone, width));
    let liberties: Vec<Move> = moves.iter().copied().filter(touches).collect();
    Some(if liberties.is_empty() { moves } else { liberties })
}

/// Chooses from what the search found.
///
/// - `allowed`: the moves that were searched, not empty.
/// - `resign`: value below which to give up, in `0.0..=1.0`; 0 never.
pub fn decide<G: Searchable>(
    record: &Record<G>,
    side: Color,
    report: &Report,
    allowed: &[Move],
    resign: f64,
) -> Decision {
    let Some(best) = report.candidates.first() else {
        return Decision::Play(allowed.first().copied().unwrap_or(Move::PASS));
    };
    if report.visits >= RESIGN_VISITS_MIN && should_resign(record, best, resign) {
        return Decision::Resign;
    }
    if !G::TERRITORY {
        return Decision::Play(best.mv);
    }
    let stone = report.candidates.iter().find(|candidate| !candidate.mv.is_pass());
    let pass = report.candidates.iter().find(|candidate| candidate.mv.is_pass());
    match (stone, pass) {
        (None, _) => Decision::Play(Move::PASS),
        (Some(stone), None) => Decision::Play(stone.mv),
        (Some(stone), Some(pass)) => {
            let passes = |judged: Judgement| {
                let end = End::of(record, side, report, &judged);
                end.should_pass(best.mv.is_pass(), stone, pass)
            };
            let position = record.position();
            // Playouts take what lives in a seki for dead; whoever counts on that looks again.
            let passes =
                passes(judgement(position, report)) && passes(last_judgement(position, report));
            Decision::Play(if passes { Move::PASS } else { stone.mv })
        }
    }
}

/// Counts that decide whether to pass.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The other side passed: a pass ends the game.
    closes: bool,
    /// Every point is held by the same side in nearly all playouts, and counts for it on the board
    /// as it stands but for dead stones: no border is open.
    settled: bool,
    /// A win even if every point that is not settled goes to the other side; where owners are foreseen, one as the
    /// board stands as well.
    won: bool,
    /// Owners are what an evaluator expects, not what playouts came to.
    foreseen: bool,
    /// The game has gone on for too long.
    endless: bool,
}

impl End {
    fn of<G: Searchable>(
        record: &Record<G>,
        side: Color,
        report: &Report,
        judged: &Judgement,
    ) -> End {
        let position = record.position();
        let enough = report.sums.owner_playouts >= SETTLED_PLAYOUTS_MIN;
        let sure = margin_for_sure(position, side, judged);
        let counted = judged.outcome.map(|outcome| i64::from(outcome.margin.0) * sign(side));
        let all_settled = judged.ownership.iter().all(|&held| is_settled(held));
        End {
            closes: was_passed(record),
            settled: enough && all_settled && counted == Some(sure),
            won: enough && sure > 0 && (!report.is_judged || counted > Some(0)),
            foreseen: report.is_judged,
            endless: record.plies().len() > PLIES_MAX_PER_POINT * position.size().area(),
        }
    }

    fn should_pass(self, is_best: bool, stone: &Candidate, pass: &Candidate) -> bool {
        let hurts = stone.value + HURTS_BY < pass.value;
        let is_worse = pass.visits == 0 || pass.value + HURTS_BY < stone.value;
        let settled = self.settled && !(self.foreseen && is_worse);
        self.closes && self.won || settled || self.endless || is_best && hurts
    }
}

fn is_settled(held: f64) -> bool {
    held.abs() >= SETTLED_MIN
}

/// By how much `side` wins at least, in half points: what is not settled counts against it.
fn margin_for_sure<G: Searchable>(position: &G, side: Color, judged: &Judgement) -> i64 {
    let area = judged.ownership.len() as i64;
    let is_own = |&point: &usize| {
        let (held, mv) = (judged.ownership[point], Move::point(point));
        let stays = position.stone(mv) == Some(!side) && !judged.dead.contains(&mv);
        is_settled(held) && (held > 0.0) == (side == Color::Black) && !stays
    };
    let own = (0..judged.ownership.len()).filter(is_own).count() as i64;
    let komi = komi(position).map_or(0, |margin| i64::from(margin.0));
    2 * (own - (area - own)) + komi * sign(side)
}

/// Margins are Black's: this turns them to `side`.
const fn sign(side: Color) -> i64 {
    match side {
        Color::Black => 1,
        Color::White => -1,
    }
}

fn should_resign<G: Searchable>(record: &Record<G>, best: &Candidate, below: f64) -> bool {
    let late = record.plies_from_start() * 4 >= record.position().size().area();
    late && best.visits > 0 && best.value < below
}

/// Tells whether a pass is worth a thought at all. Stones of both sides that were set up may be of any part of a game.
fn may_pass<G: Searchable>(record: &Record<G>) -> bool {
    let late = record.plies().len() * 2 >= record.position().size().area();
    let of_both = |sides: [Color; 2]| {
        sides.iter().all(|side| record.setup().iter().any(|(color, _)| color == side))
    };
    was_passed(record) || late || of_both([Color::Black, Color::White])
}

fn was_passed<G: Searchable>(record: &Record<G>) -> bool {
    record.plies().last().is_some_and(|(_, mv)| mv.is_pass())
}

/// Like [`Record::candidates`], for either side.
fn candidates<G: Searchable>(record: &Record<G>, side: Color) -> Vec<Move> {
    let mut position = record.position().clone();
    if position.side_to_move() == side {
        return record.candidates();
    }
    let mut moves = Vec::new();
    if position.set_side_to_move(side).is_ok() {
        position.candidates(&mut moves);
        moves.retain(|&mv| !repeats(record, &position, mv));
    }
    moves
}

fn repeats<G: Searchable>(record: &Record<G>, position: &G, mv: Move) -> bool {
    if !G::SUPERKO || mv.is_pass() {
        return false;
    }
    let mut next = position.clone();
    next.play(mv);
    let hash = next.stones_hash();
    (0..=record.plies().len()).any(|plies| record.position_after(plies).stones_hash() == hash)
}

fn are_neighbours(a: Move, b: Move, width: usize) -> bool {
    let (Some(a), Some(b)) = (a.index(), b.index()) else { return false };
    let (row, column) = ((a / width).abs_diff(b / width), (a % width).abs_diff(b % width));
    row + column == 1
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use std::time::Duration;

    use crate::judgement::tests::SEKI;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::notation::drawn;
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_jobs::Sums;
    use banyan_search::Proof;

    use super::*;

    /// Black left of the wall, White right of it; 5x5, komi half a point.
    const WALLS: &str = "b C1, w D1, b C2, w D2, b C3, w D3, b C4, w D4, b C5, w D5";

    fn played(moves: &str) -> Record<Go> {
        let mut record = Record::<Go>::new(&GoRules::new(5, 1).expect("rules"));
        for ply in moves.split(", ") {
            let (color, text) = ply.split_once(' ').expect("a color and a move");
            let color = if color == "b" { Color::Black } else { Color::White };
            let mv = record.position().parse_move(text).expect("a move");
            record.play_as(color, mv).expect("legal");
        }
        record
    }

    fn candidate(text: &str, visits: u64, value: f64) -> Candidate {
        let mv = played("b A1").position().parse_move(text).expect("a move");
        Candidate { mv, visits, value, prior: 0.1, proof: Proof::Open }
    }

    /// A report in which the columns A to E are held as given, in hundredths for Black.
    fn report(candidates: &[Candidate], columns: [i64; 5]) -> Report {
        let ownership = (0..25).map(|point| columns[point % 5]).collect();
        Report {
            candidates: candidates.to_vec(),
            pv: Vec::new(),
            visits: 1000,
            sums: Sums { playouts: 1000, owner_playouts: 100, ownership, ..Sums::default() },
            elapsed: Duration::ZERO,
            ..Report::default()
        }
    }

    fn decided(record: &Record<Go>, side: Color, report: &Report) -> String {
        match decide(record, side, report, &[Move::PASS], RESIGN_BELOW) {
            Decision::Play(mv) => record.position().move_text(mv),
            Decision::Resign => "resign".to_owned(),
        }
    }

    const SETTLED: [i64; 5] = [95, 95, 99, -99, -99];

    #[test]
    fn a_pass_is_searched_late_or_after_a_pass_and_not_before() {
        let passes = |moves| moves_to_search(&played(moves), Color::Black).contains(&Move::PASS);
        assert!(!passes("b C3, w D4"));
        assert!(passes("b C3, w pass"));
        assert!(!passes(WALLS));
        assert!(passes(&format!("{WALLS}, b A1, w E5, b B1")));
    }

    #[test]
    fn a_settled_game_is_passed_even_where_the_search_likes_a_stone() {
        let found = report(&[candidate("A1", 900, 0.99), candidate("pass", 50, 0.98)], SETTLED);
        assert_eq!(decided(&played(WALLS), Color::Black, &found), "pass");
    }

    /// The owner of a point that is still to be filled is foreseen by whoever expects that it will be.
    #[test]
    fn what_an_evaluator_foresees_is_not_passed_where_the_pass_is_worse_than_a_stone() {
        let decided = |pass: (u64, f64), is_judged| {
            let candidates = [candidate("A1", 900, 0.95), candidate("pass", pass.0, pass.1)];
            let found = Report { is_judged, ..report(&candidates, SETTLED) };
            decided(&played(WALLS), Color::Black, &found)
        };
        for (pass, expected) in [((9, 0.6), "A1"), ((0, 0.5), "A1"), ((9, 0.93), "pass")] {
            assert_eq!(decided(pass, true), expected, "{pass:?}");
            assert_eq!(decided(pass, false), "pass", "playouts: {pass:?}");
        }
    }

    /// By playouts four black stones in a seki are dead, and White wins by six points; they live, and it loses.
    #[test]
    fn nobody_passes_for_a_win_that_counts_stones_in_seki_as_dead() {
        let (stones, _) = drawn(SEKI);
        let rules = GoRules::new(9, -90).expect("rules");
        let mut record = Record::<Go>::set_up(&rules, &stones, Color::Black).expect("a position");
        record.play(Move::PASS).expect("legal");
        let ownership = (0..81).map(|point| match (point / 9, point % 9) {
            (0..6, 0..2) | (6..9, 0) => 99,
            _ => -99,
        });
        let stone = Candidate { mv: Move::point(8), ..candidate("A1", 900, 0.99) };
        let mut found = report(&[stone, candidate("pass", 90, 0.98)], SETTLED);
        found.sums.ownership = ownership.collect();
        assert_eq!(decided(&record, Color::White, &found), "J9");
        // Without those of Black it is as playouts say.
        let dead = ["C3", "D3", "D2", "D1"].map(|text| record.position().parse_move(text).unwrap());
        let stones: Vec<_> = stones.into_iter().filter(|(_, mv)| !dead.contains(mv)).collect();
        let mut record = Record::<Go>::set_up(&rules, &stones, Color::Black).expect("a position");
        record.play(Move::PASS).expect("legal");
        assert_eq!(decided(&record, Color::White, &found), "pass");
    }

    #[test]
    fn in_a_position_that_was_set_up_a_pass_is_searched_unless_it_is_a_handicap() {
        let (stones, _) = drawn(SEKI);
        let rules = GoRules::new(9, 15).expect("rules");
        let may_pass = |stones: &[(Color, Move)]| {
            let record = Record::<Go>::set_up(&rules, stones, Color::Black).expect("a position");
            moves_to_search(&record, Color::Black).contains(&Move::PASS)
        };
        assert!(may_pass(&stones));
        let black: Vec<_> =
            stones.into_iter().filter(|(color, _)| *color == Color::Black).collect();
        assert!(!may_pass(&black[..4]));
    }

    #[test]
    fn an_unsettled_game_is_not_passed_though_the_search_likes_the_pass() {
        let open = [95, 95, 40, -99, -99];
        let found = report(&[candidate("pass", 900, 0.60), candidate("A1", 90, 0.58)], open);
        assert_eq!(decided(&played(WALLS), Color::Black, &found), "A1");
        let hurting = report(&[candidate("pass", 900, 0.60), candidate("A1", 90, 0.30)], open);
        assert_eq!(decided(&played(WALLS), Color::Black, &hurting), "pass");
    }

    #[test]
    fn an_open_border_is_closed_before_the_pass() {
        // Without D5 the points E1 to E4 still are White's, but E5 and D5 are nobody's.
        let open = played(WALLS.strip_suffix(", w D5").expect("the last ply"));
        let found = report(&[candidate("D5", 900, 0.2), candidate("pass", 90, 0.19)], SETTLED);
        assert_eq!(decided(&open, Color::White, &found), "D5");
    }

    #[test]
    fn too_few_playouts_settle_nothing() {
        let mut found = report(&[candidate("pass", 9, 0.60), candidate("A1", 9, 0.59)], SETTLED);
        found.sums.owner_playouts = 16;
        assert_eq!(decided(&played(WALLS), Color::Black, &found), "A1");
    }

    #[test]
    fn after_a_pass_ours_is_given_when_it_wins_for_sure() {
        let passed = played(&format!("{WALLS}, b pass"));
        // White: 10 points of 25 are settled its own; with half a point of komi that loses.
        let candidates = [candidate("E5", 900, 0.70), candidate("pass", 90, 0.50)];
        assert_eq!(
            decided(&passed, Color::White, &report(&candidates, [95, 95, 50, -99, -99])),
            "E5"
        );
        // 15 of 25: 5 points, and komi.
        let found = report(&candidates, [50, -95, -95, -99, -99]);
        assert_eq!(decided(&passed, Color::White, &found), "pass");
        // Before the other side's pass there may be more to win.
        assert_eq!(decided(&played(WALLS), Color::White, &found), "E5");
    }

    /// Column C is Black's if it plays there, and nobody's as the board stands, which White's komi wins.
    #[test]
    fn after_a_pass_what_an_evaluator_foresees_is_no_win_before_it_is_on_the_board() {
        let passed =
            played("b B1, w D1, b B2, w D2, b B3, w D3, b B4, w D4, b B5, w D5, b A1, w pass");
        let candidates = [candidate("C3", 900, 0.70), candidate("pass", 90, 0.69)];
        let found = report(&candidates, [95, 95, 95, -95, -95]);
        assert_eq!(decided(&passed, Color::Black, &found), "pass");
        let foreseen = Report { is_judged: true, ..found };
        assert_eq!(decided(&passed, Color::Black, &foreseen), "C3");
    }

    #[test]
    fn a_lost_game_is_resigned_late_and_on_enough_visits() {
        let mut found = report(&[candidate("A1", 900, 0.05)], [0; 5]);
        assert_eq!(decided(&played(WALLS), Color::Black, &found), "resign");
        assert_eq!(decided(&played("b C3, w D4"), Color::Black, &found), "A1");
        found.visits = RESIGN_VISITS_MIN - 1;
        assert_eq!(decided(&played(WALLS), Color::Black, &found), "A1");
    }

    #[test]
    fn only_games_of_territory_are_resigned_unless_asked() {
        assert_eq!(resign_below::<Go>(None), RESIGN_BELOW);
        assert_eq!(resign_below::<Othello>(None), 0.0);
        assert_eq!(resign_below::<Othello>(Some(0.2)), 0.2);
        let record = Record::<Othello>::new(&OthelloRules);
        assert_eq!(moves_to_search(&record, Color::Black).len(), 4);
        assert!(moves_to_search(&record, Color::White).is_empty());
    }

    #[test]
    fn a_search_without_a_playout_still_gives_a_legal_move() {
        let record = played("b C3, w D4");
        let allowed = moves_to_search(&record, Color::Black);
        let decision = decide(&record, Color::Black, &report(&[], [0; 5]), &allowed, 0.5);
        assert_eq!(decision, Decision::Play(allowed[0]));
    }

    #[test]
    fn a_move_out_of_turn_respects_superko() {
        // White took the ko at B3. After Black's pass it is White's turn; asked for Black all the
        // same, C3 would bring back the stones of before.
        let record = played("b B4, w C4, b A3, w D3, b B2, w C2, b C3, w B3, b pass");
        let retake = record.position().parse_move("C3").expect("a move");
        let mut position = record.position().clone();
        position.set_side_to_move(Color::Black).expect("Go lets either side play");
        assert!(position.is_legal(retake), "it must be superko alone that forbids it");
        let moves = moves_to_search(&record, Color::Black);
        assert!(!moves.contains(&retake));
        assert!(moves.contains(&record.position().parse_move("E1").expect("a move")));
    }

    #[test]
    fn the_first_stone_of_a_game_of_lines_is_the_centre() {
        let gomoku =
            Record::<Gomoku>::new(&GomokuRules::new(15, 15, Variant::Freestyle).expect("a size"));
        let moves = moves_to_play(&gomoku, Color::Black);
        assert_eq!(moves, [gomoku.position().parse_move("h8").expect("a move")]);
        let connect6 = Record::<Connect6>::new(&Connect6Rules::new(19).expect("a size"));
        let moves = moves_to_play(&connect6, Color::Black);
        assert_eq!(moves, [Move::point(9 * 19 + 9)]);
        let mut begun = gomoku.clone();
        begun.play(Move::point(0)).expect("legal");
        assert!(moves_to_play(&begun, Color::White).len() > 1);
        let go = Record::<Go>::new(&GoRules::new(5, 1).expect("rules"));
        assert!(moves_to_play(&go, Color::Black).len() > 1);
    }

    #[test]
    fn cleaning_up_plays_at_dead_stones_and_ends_when_there_are_none() {
        let record = played(&format!("{WALLS}, b E5, w A1"));
        let named = |text: &str| record.position().parse_move(text).expect("a move");
        let moves = cleaning_moves(&record, Color::Black, &[named("A1")]).expect("a dead stone");
        assert_eq!(moves, [named("A2"), named("B1")]);
        assert_eq!(cleaning_moves(&record, Color::Black, &[named("E5")]), None);
        assert_eq!(cleaning_moves(&record, Color::Black, &[]), None);
    }
}
