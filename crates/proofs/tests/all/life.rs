//! Life and death: the problems of `life_and_death.txt`, and the search beside one that looks at
//! everything.

use std::collections::{BTreeMap, HashMap};

use banyan_games::counts::Asked;
use banyan_games::go::shape::{Part, Turn};
use banyan_games::go::{Fate, Fight, Go, GoRules};
use banyan_games::notation::drawn;
use banyan_games::{Color, Counts, Game, Move, Rng};
use banyan_knowledge::Knowledge;
use banyan_knowledge::Policy;
use banyan_proofs::Effort;
use banyan_proofs::life::rules::Lessons;
use banyan_proofs::life::{Learned, Status, judge, judge_with, prove_fight, vital_moves};
use banyan_proofs::proof_number::{ProofTree, Verdict};

/// One problem: a drawing, a stone of the chain in question, who begins, and what becomes of it.
struct Problem {
    name: String,
    position: Go,
    target: Move,
    status: String,
}

/// Reads problems: a line `# name`, a line `POINT SIDE STATUS`, and the rows of the board.
fn problems(text: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let mut lines = block.lines();
        let name = lines.next().expect("a name").trim_start_matches("# ").to_owned();
        let words: Vec<&str> = lines.next().expect("a question").split(' ').collect();
        let first = if words[1] == "black" { Color::Black } else { Color::White };
        let position = position(&lines.collect::<String>(), first);
        let target = position.parse_move(words[0]).expect("a point of the board");
        found.push(Problem { name, position, target, status: words[2].to_owned() });
    }
    found
}

fn all() -> Vec<Problem> {
    problems(include_str!("life_and_death.txt"))
}

/// Enough for eight stones on the second line, where the hardest reply counts; the sum of all takes 92,000.
const EFFORT: Effort = Effort { nodes_max: 60_000, table_bytes: 4 << 20 };

/// Groups on the second line with the first line open: theory knows them, the search gives up on these.
const UNSOLVED_MAX: usize = 6;

#[test]
fn problems_are_solved_as_theory_says() {
    let (mut unsolved, mut solved) = (0, 0);
    for Problem { name, position, target, status } in all() {
        let found = judge(&position, target, EFFORT).expect("a stone");
        if found.status == Status::Unknown {
            unsolved += 1;
            continue;
        }
        let side = position.side_to_move();
        assert_eq!(found.status.name(), status, "{name}, {side} first, after {}", found.nodes);
        solved += 1;
    }
    assert!(solved >= 162 && unsolved <= UNSOLVED_MAX, "{solved} solved, {unsolved} given up");
}

#[test]
fn lessons_that_join_are_those_of_one_search_after_the_other() {
    let effort = Effort { nodes_max: 2_000, table_bytes: 1 << 18 };
    let ask = |problem: &Problem, lessons: &Lessons| {
        let learned = Learned { rules: None, lessons: Some(lessons) };
        judge_with(&problem.position, problem.target, effort, learned).expect("a stone");
    };
    let (at_once, joined) = (Lessons::new(3), Lessons::new(3));
    let mut apart = 0;
    for problem in all().iter().take(60) {
        ask(problem, &at_once);
        let own = Lessons::new(3);
        ask(problem, &own);
        joined.join(own);
        let own = Lessons::new(3);
        ask(problem, &own);
        apart += own.into_rules().len();
    }
    let rules = at_once.into_rules();
    assert!(apart > rules.len() && rules.iter().any(|rule| rule.layouts.len() > 1));
    assert_eq!(joined.into_rules(), rules);
}

#[test]
fn a_shape_that_two_collectors_saw_decided_both_ways_teaches_no_rule() {
    let noted = |verdict, work| {
        let lessons = Lessons::new(1);
        for Problem { position, target, .. } in all() {
            let fight = Fight::new(&position, target, Color::Black).expect("a stone");
            lessons.note(&fight, verdict, work);
        }
        lessons
    };
    let both = noted(Verdict::Proven, 5);
    both.join(noted(Verdict::Refuted, 7));
    assert!(both.into_rules().is_empty());
    let same = noted(Verdict::Proven, 5);
    same.join(noted(Verdict::Proven, 7));
    let rules = same.into_rules();
    assert!(
        !rules.is_empty() && rules.iter().all(|rule| rule.work == 7),
        "the dearer proof counts"
    );
}

#[test]
fn moves_that_decide_a_problem_are_found_whoever_begins() {
    let effort = Effort { nodes_max: 2_000, table_bytes: 1 << 16 };
    let status = |position: &Go, target| judge(position, target, effort).expect("a stone").status;
    let mut decided = 0;
    for Problem { name, position, target, .. } in all() {
        let mut other = position.clone();
        other.set_side_to_move(!position.side_to_move()).expect("either side");
        let vital: Vec<_> = vital_moves(&position, 40_000, None);
        let chain = position.chains().into_iter().find(|c| c.contains(&target)).expect("a chain");
        let found = vital.iter().find(|vital| chain.contains(&vital.target));
        let is_own = position.stone(target) == Some(position.side_to_move());
        let statuses = (status(&position, target), status(&other, target));
        let decides = match is_own {
            true => statuses == (Status::Alive, Status::Dead),
            false => statuses == (Status::Dead, Status::Alive),
        };
        if chain.len() < 2 || statuses.0 == Status::Unknown || statuses.1 == Status::Unknown {
            continue;
        }
        assert_eq!(found.is_some(), decides, "{name}: {statuses:?}, {vital:?}");
        if let Some(vital) = found {
            decided += 1;
            let mut next = position.clone();
            next.play(vital.mv);
            // It stays decided: what the move did the other side cannot undo.
            let after = if is_own { Status::Alive } else { Status::Dead };
            assert_eq!(status(&next, target), after, "{name}");
        }
    }
    assert!(decided >= 30, "{decided}");
}

/// Walks through a proof: the winner has one move, the loser all of his, and it ends with the fate.
fn follow(fight: &Fight, proof: &ProofTree, (dies, path): (bool, &mut Vec<u64>)) -> usize {
    if let Some(fate) = fight.fate() {
        assert_eq!((fate == Fate::Dead, proof.is_empty()), (dies, true));
        return 1;
    }
    if path.contains(&fight.hash()) {
        let saved = fight.ko_winner() == fight.defender();
        assert_eq!((saved, proof.is_empty()), (!dies, true));
        return 1;
    }
    let mut moves = Vec::new();
    fight.moves(&mut moves);
    let wins = (fight.side_to_move() == fight.defender()) != dies;
    assert_eq!(proof.moves.len(), if wins { 1 } else { moves.len() });
    path.push(fight.hash());
    let mut positions = 1;
    for (mv, below) in &proof.moves {
        assert!(moves.contains(mv));
        let mut next = fight.clone();
        next.play(*mv);
        positions += follow(&next, below, (dies, path));
    }
    path.pop();
    positions
}

#[test]
fn a_proof_that_is_handed_out_answers_every_reply() {
    let mut proofs = 0;
    for Problem { name, position, target, .. } in all().into_iter().step_by(3) {
        let fight = Fight::new(&position, target, position.side_to_move()).expect("a stone");
        let effort = Effort { nodes_max: 1_000, table_bytes: 1 << 18 };
        let Some((verdict, proof)) = prove_fight(fight.clone(), effort, 2_000) else { continue };
        let found = follow(&fight, &proof, (verdict == Verdict::Proven, &mut Vec::new()));
        assert_eq!(found, proof.len(), "{name}");
        proofs += 1;
    }
    assert!(proofs >= 20, "{proofs}");
}

/// Every position that a fight can reach, with what follows from each.
struct Everything {
    states: Vec<Fight>,
    moves: Vec<Vec<usize>>,
    fates: Vec<Option<Fate>>,
    attacks: Vec<bool>,
}

impl Everything {
    /// Nothing when there are more than `states_max`.
    fn of(fight: &Fight, states_max: usize) -> Option<Everything> {
        let mut numbers = HashMap::from([(fight.hash(), 0)]);
        let mut left = vec![0];
        let mut all = Everything {
            states: vec![fight.clone()],
            moves: vec![Vec::new()],
            fates: vec![None],
            attacks: vec![false],
        };
        while let Some(at) = left.pop() {
            let state = all.states[at].clone();
            all.fates[at] = state.fate();
            all.attacks[at] = state.side_to_move() != state.defender();
            if all.fates[at].is_some() {
                continue;
            }
            let mut moves = Vec::new();
            state.moves(&mut moves);
            for mv in moves {
                let mut next = state.clone();
                next.play(mv);
                let new = numbers.len();
                let number = *numbers.entry(next.hash()).or_insert(new);
                if number == new {
                    all.moves.push(Vec::new());
                    all.fates.push(None);
                    all.attacks.push(false);
                    all.states.push(next);
                    left.push(number);
                }
                all.moves[at].push(number);
            }
            if numbers.len() > states_max {
                return None;
            }
        }
        Some(all)
    }

    /// The states from which whoever `attacks` (or does not) can force `goal`: the least set, so that
    /// going round for ever does not reach it.
    fn can_force(&self, goal: Fate) -> Vec<bool> {
        let wanted_by_attacker = goal == Fate::Dead;
        let mut reached: Vec<bool> = self.fates.iter().map(|&fate| fate == Some(goal)).collect();
        loop {
            let mut changed = false;
            for at in 0..reached.len() {
                if reached[at] || self.fates[at].is_some() {
                    continue;
                }
                let mut next = self.moves[at].iter().map(|&next| reached[next]);
                let own = self.attacks[at] == wanted_by_attacker;
                reached[at] = if own { next.any(|it| it) } else { next.all(|it| it) };
                changed |= reached[at];
            }
            if !changed {
                return reached;
            }
        }
    }

    /// What becomes of each position.
    fn outcomes(&self) -> Vec<Fate> {
        let first = &self.states[0];
        // Going round for ever is good for the ko winner.
        let (goal, other) = match first.ko_winner() == first.defender() {
            true => (Fate::Dead, Fate::Alive),
            false => (Fate::Alive, Fate::Dead),
        };
        let forced = self.can_force(goal).into_iter();
        forced.map(|is_forced| if is_forced { goal } else { other }).collect()
    }
}

#[test]
fn the_search_agrees_with_a_look_at_every_position() {
    let mut compared = 0;
    for Problem { name, position, target, .. } in all() {
        let fates: Option<Vec<Fate>> = Color::BOTH
            .into_iter()
            .map(|winner| {
                let fight = Fight::new(&position, target, winner).expect("a stone");
                Everything::of(&fight, 20_000).map(|all| all.outcomes()[0])
            })
            .collect();
        let Some(fates) = fates else { continue };
        let expected = match fates[..] {
            [Fate::Dead, Fate::Dead] => Status::Dead,
            [Fate::Alive, Fate::Alive] => Status::Alive,
            _ => Status::Ko,
        };
        let found = judge(&position, target, EFFORT).expect("a stone").status;
        assert_eq!(found, expected, "{name}, {} first", position.side_to_move());
        compared += 1;
    }
    assert!(compared >= 40, "{compared} problems are small enough");
}

fn position(rows: &str, side: Color) -> Go {
    let (stones, points) = drawn(rows);
    let mut position = Go::new(&GoRules::new(points.isqrt() as u32, 15).expect("a size of Go"));
    position.set_up(&stones, side).expect("stones");
    position
}

#[test]
fn a_group_lives_by_the_last_liberty_outside_of_a_wall_that_shares_others() {
    let race = position(
        "X . O X . . .
         X O O X . . .
         X O X . . . .
         X O . . . . .
         X O X . . . .
         X O O X . . .
         X . O X . . .",
        Color::Black,
    );
    let [group, outside] = ["A4", "C4"].map(|it| race.parse_move(it).expect("a point"));
    let found = judge(&race, group, EFFORT).expect("a stone");
    assert_eq!((found.status, found.line.first()), (Status::Alive, Some(&outside)));
}

#[test]
fn fights_of_equal_shapes_have_equal_fates() {
    let mut fates: HashMap<(Vec<Part>, Turn), (Fate, Fight)> = HashMap::new();
    let (mut compared, mut rng) = (0, Rng::from_seed(11));
    // A stone is taken, and the point where it stood played again.
    let mut positions: Vec<Go> = [
        ". O . . X O .
         O . . . X O .
         X X X X X O .
         O O O O O . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
        "X O . . X O .
         X X X X X O .
         X X X X X O .
         O O O O O . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    ]
    .map(|rows| position(rows, Color::White))
    .into();
    for game in 0..200 {
        let mut position = Go::new(&GoRules::new(5 + game % 3, 15).expect("a size of Go"));
        for _ in 0..position.size().area() / 2 + rng.below(8) as usize {
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            if position.outcome().is_some() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        positions.push(position);
    }
    for (index, position) in positions.into_iter().enumerate() {
        let states_max = if index < 2 { 30_000 } else { 2_000 };
        for (chain, winner) in
            position.chains().iter().flat_map(|chain| Color::BOTH.map(|color| (chain[0], color)))
        {
            let fight = Fight::new(&position, chain, winner).expect("a stone");
            let Some(all) = Everything::of(&fight, states_max) else { continue };
            let open = |&(at, _): &(usize, Fate)| all.fates[at].is_none();
            for (at, fate) in all.outcomes().into_iter().enumerate().filter(open) {
                let state = &all.states[at];
                let Some(shape) = state.shape(10) else { continue };
                let before = fates.entry((shape.parts(), shape.turn));
                let (before, other) = before.or_insert_with(|| (fate, state.clone()));
                assert_eq!(*before, fate, "{other:?} and {state:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 3_000 && fates.len() > 500, "{compared} of {}", fates.len());
}

/// Prints how often heavy playouts get the fate of a chain wrong, where both sides know the right move.
///
/// `cargo test --release -p banyan-proofs --test all life::playouts_and -- --ignored --nocapture`
#[test]
#[ignore = "two minutes; prints what docs/experiments/go.md says of life and death in playouts"]
#[expect(clippy::print_stdout, reason = "a table for people")]
fn playouts_and_life_and_death() {
    const PLAYOUTS: u32 = 2000;
    let mut errors: BTreeMap<(Status, &str), Vec<f64>> = BTreeMap::new();
    for Problem { name, position, target, status } in all() {
        let mut other = position.clone();
        other.set_side_to_move(!position.side_to_move()).expect(&name);
        let [found, of_other] =
            [&position, &other].map(|side| judge(side, target, EFFORT).expect("a stone"));
        if found.status.name() != status || found.status == Status::Ko {
            continue;
        }
        let is_urgent = found.status != of_other.status && of_other.status != Status::Unknown;
        let mut settled = position.clone();
        if let Some(&first) = found.line.first().filter(|_| is_urgent) {
            settled.play(first);
        }
        let mut counts = Counts::new(settled.size().area(), Asked { amaf: false, ownership: true });
        settled.playouts_by(Policy::Heavy, PLAYOUTS, &mut Rng::from_seed(1), &mut counts);
        let owned = counts.ownership.expect("it was asked for")[target.index().expect("a point")];
        let fight = Fight::new(&position, target, Color::Black).expect("a stone");
        let owned = if fight.defender() == Color::Black { owned } else { -owned };
        let alive = (1.0 + f64::from(owned) / f64::from(PLAYOUTS)) / 2.0;
        let error = if found.status == Status::Alive { 1.0 - alive } else { alive };
        let when = if is_urgent { "by the last stone" } else { "whoever begins" };
        errors.entry((found.status, when)).or_default().push(error);
    }
    for ((status, when), errors) in errors {
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        println!("{} {when}: mean error {mean:.3} of {} positions", status.name(), errors.len());
    }
}
