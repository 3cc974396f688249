//! Tells whether an answer can be the one to a job: everything that can be told without running it.

use banyan_games::{Counts, Game as _, Kind, Move, Rules, Terms, with_game};
use banyan_knowledge::Judgement;
use banyan_knowledge::evaluator::VALUE_ONE;
use banyan_search::Subtree;
use banyan_selfplay::patterns::{self, Labelling, Practice};
use banyan_selfplay::{PlayedGame, Wanted};

use crate::answer::{Alone, Answer, Bound, Solved, Tried};
use crate::job::{Batch, Bounds, Evaluate, Grow, Job, Playouts, Solve, Trial};

/// Reasons why an answer cannot be the one to its job; to be read after "its tally of batch 7".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// It answers another kind of job.
    #[error("holds {found} where {asked} was asked for")]
    Kind {
        /// The number that it is.
        found: &'static str,
        /// The number that it should be.
        asked: &'static str,
    },
    /// More playouts or fewer.
    #[error("counts {found} playouts instead of {asked}")]
    Playouts {
        /// Playouts counted.
        found: u32,
        /// Playouts asked for.
        asked: u32,
    },
    /// AMAF counts that nobody asked for, none where somebody did, or those of another board.
    #[error("has other AMAF counts than were asked for")]
    Amaf,
    /// The same of the owners of points.
    #[error("has other owners than were asked for")]
    Owners,
    /// A value that is no share of wins.
    #[error("has a value of {0}, at most {VALUE_ONE}")]
    Value(u16),
    /// A policy of another board.
    #[error("has a policy of {found} moves instead of {asked}")]
    Policy {
        /// Moves with a chance or none.
        found: usize,
        /// Points of the board, and a pass.
        asked: usize,
    },
    /// A move that the board does not have.
    #[error("has a node of {0:?}, which is no point of the board")]
    Outside(Move),
    /// A node with fewer visits than its children together.
    #[error("has {below} visits below a node that has {through}")]
    Visits {
        /// Visits of the children.
        below: u64,
        /// Visits of the node.
        through: u32,
    },
    /// More than so many evaluations can sum up to.
    #[error("sums {visits} evaluations up to {sum}, expected at most 32768 each")]
    Judged {
        /// The sum.
        sum: u64,
        /// Evaluations.
        visits: u32,
    },
    /// Games that cannot be those that were asked for; in words.
    #[error("holds games that were not asked for: {0}")]
    Games(String),
    /// Something that cannot have come of the trial; in words.
    #[error("is not of the trial that was asked for: {0}")]
    Trial(String),
    /// A bound that the subproblem cannot have as its answer.
    #[error("answers {0:?}, which was not asked")]
    Bound(Solved),
}

/// The game and the board that jobs are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Game.
    pub game: Kind,
    /// Points, count.
    pub area: usize,
}

impl Board {
    /// The board of a root.
    pub fn of(rules: &Rules) -> Board {
        let area = with_game!(rules, G, rules => G::new(rules).size().area());
        Board { game: rules.kind(), area }
    }

    /// The game's usual rules on this board, which is square.
    fn rules(self) -> Result<Rules, String> {
        let side = self.area.isqrt() as u32;
        let terms = Terms { width: side, height: side, ..Terms::of(self.game) };
        Rules::new(self.game, terms).map_err(|why| why.to_string())
    }
}

/// Tells whether `answer` can be the one to a batch's job on this board.
///
/// # Errors
/// [`Misfit`] says what is wrong with it.
pub fn check(batch: &Batch, answer: &Answer, board: Board) -> Result<(), Misfit> {
    let Batch { job, path, .. } = batch;
    let area = board.area;
    match (job, answer) {
        (Job::LeafParallel(asked), Answer::Counts(counts)) => check_counts(asked, counts, area),
        (Job::Subtree(Grow { playouts, judged, .. }), Answer::Subtree(counts, subtree)) => {
            check_counts(playouts, counts, area)?;
            check_siblings(subtree, playouts.count, area)?;
            check_judged(subtree, if *judged { playouts.count } else { 0 })
        }
        (Job::Solve(subproblem), Answer::Solved(solved)) => {
            if fits(subproblem, solved) {
                Ok(())
            } else {
                Err(Misfit::Bound(*solved))
            }
        }
        (Job::Evaluate(asked), Answer::Judged(judgement)) => {
            check_judgement(*asked, judgement, area)
        }
        (Job::Play(play), Answer::Played(games)) => {
            check_games(games, board, &play.wanted).map_err(Misfit::Games)
        }
        (Job::Practise(practise), Answer::Practised(games)) => {
            check_practised(games, board, &practise.practice).map_err(Misfit::Games)
        }
        (Job::Label(label), Answer::Labelled(positions)) => {
            check_labelled(positions, board, (path, &label.labelling)).map_err(Misfit::Games)
        }
        (Job::Try(trial), Answer::Tried(tried)) => check_tried(trial, tried).map_err(Misfit::Trial),
        (
            Job::LeafParallel(_)
            | Job::Subtree(_)
            | Job::Solve(_)
            | Job::Evaluate(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_),
            _,
        ) => Err(Misfit::Kind { found: found(answer), asked: asked(job) }),
    }
}

/// Tells in words why games cannot be those that were wanted.
fn check_games(games: &[PlayedGame], board: Board, wanted: &Wanted) -> Result<(), String> {
    let size = board.area.isqrt() as u32;
    let usual = Rules::new(board.game, Terms::of(board.game)).map_err(|why| why.to_string())?;
    with_game!(&usual, G, _rules => banyan_selfplay::check::<G>(games, size, wanted))
        .map_err(|why| format!("{why:#}"))
}

/// Tells in words why games of classical searches cannot be those that were wanted.
fn check_practised(games: &[u8], board: Board, practice: &Practice) -> Result<(), String> {
    patterns::check(&board.rules()?, games, practice).map_err(|why| format!("{why:#}"))
}

/// Tells in words why positions of classical searches cannot be those that were wanted.
fn check_labelled(
    positions: &[u8],
    board: Board,
    (game, labelling): (&[Move], &Labelling),
) -> Result<(), String> {
    let checked = patterns::check_labels(&board.rules()?, positions, game, labelling);
    checked.map_err(|why| format!("{why:#}"))
}

/// Tells in words why this cannot have come of a trial.
fn check_tried(trial: &Trial, tried: &Tried) -> Result<(), String> {
    let (asked, total) = (trial.completions, tried.judged.total());
    if total > asked {
        return Err(format!("{total} completions instead of {asked}"));
    }
    let is_alone = tried.alone != Alone::Unasked;
    if trial.alone != is_alone {
        return Err(format!("proven alone: {is_alone}, asked for: {}", trial.alone));
    }
    if matches!(tried.alone, Alone::Unproven | Alone::Contradicted) && total > 0 {
        return Err(format!("{total} completions of a rule that is not proven alone"));
    }
    Ok(())
}

fn asked(job: &Job) -> &'static str {
    match job {
        Job::LeafParallel(_) => "counts alone",
        Job::Subtree(_) => "a subtree",
        Job::Solve(_) => "a bound",
        Job::Evaluate(_) => "a judgement",
        Job::Play(_) => "games",
        Job::Try(_) => "a trial",
        Job::Practise(_) => "games of classical searches",
        Job::Label(_) => "positions of classical searches",
    }
}

fn found(answer: &Answer) -> &'static str {
    match answer {
        Answer::Counts(_) => "counts alone",
        Answer::Subtree(..) => "a subtree",
        Answer::Solved(_) => "a bound",
        Answer::Judged(_) => "a judgement",
        Answer::Played(_) => "games",
        Answer::Tried(_) => "a trial",
        Answer::Practised(_) => "games of classical searches",
        Answer::Labelled(_) => "positions of classical searches",
    }
}

fn check_counts(asked: &Playouts, counts: &Counts, area: usize) -> Result<(), Misfit> {
    if counts.playouts() != asked.count {
        return Err(Misfit::Playouts { found: counts.playouts(), asked: asked.count });
    }
    let amaf = counts.amaf.as_ref().map(|amaf| (amaf.visits.len(), amaf.half_wins.len()));
    if amaf != asked.asked.amaf.then_some((2 * area, 2 * area)) {
        return Err(Misfit::Amaf);
    }
    let owners = counts.ownership.as_ref().map(Vec::len);
    if owners != asked.asked.ownership.then_some(area) {
        return Err(Misfit::Owners);
    }
    Ok(())
}

fn check_judgement(asked: Evaluate, judgement: &Judgement, area: usize) -> Result<(), Misfit> {
    let Judgement { value, policy, score, ownership } = judgement;
    if *value > VALUE_ONE {
        return Err(Misfit::Value(*value));
    }
    if policy.len() != area + 1 {
        return Err(Misfit::Policy { found: policy.len(), asked: area + 1 });
    }
    let has_owners = score.is_some() || !ownership.is_empty();
    if (has_owners && !asked.ownership) || ![0, area].contains(&ownership.len()) {
        return Err(Misfit::Owners);
    }
    Ok(())
}

/// Tells whether every move is one of the board, and no siblings have more visits than their parent.
fn check_siblings(grown: &Subtree, playouts: u32, area: usize) -> Result<(), Misfit> {
    let outside = |mv: &&Move| mv.index().is_some_and(|point| point >= area);
    if let Some(&mv) = grown.moves.iter().find(outside) {
        return Err(Misfit::Outside(mv));
    }
    let mut first = 0;
    for siblings in &grown.groups {
        let visits = &grown.visits[first..first + usize::from(siblings.children)];
        first += visits.len();
        let below = visits.iter().map(|&visits| u64::from(visits)).sum::<u64>();
        let through = siblings.parent.map_or(playouts, |parent| grown.visits[parent as usize]);
        if below > u64::from(through) {
            return Err(Misfit::Visits { below, through });
        }
    }
    Ok(())
}

/// Tells whether no sum of evaluations is more than its visits can have.
///
/// - `evaluations`: those of the batch, 0 where it is played out.
fn check_judged(grown: &Subtree, evaluations: u32) -> Result<(), Misfit> {
    let visits = |at: usize| if evaluations > 0 { grown.visits[at] } else { 0 };
    let below = grown.judged.iter().enumerate().map(|(at, &sum)| (sum, visits(at)));
    let mut all = below.chain([(grown.leaf_judged, evaluations)]);
    let misfit = all.find(|&(sum, visits)| sum > u64::from(visits) * u64::from(VALUE_ONE));
    misfit.map_or(Ok(()), |(sum, visits)| Err(Misfit::Judged { sum, visits }))
}

/// Tells whether the bound says something of the subproblem's bounds, or the search cost what it might.
fn fits(subproblem: &Solve, solved: &Solved) -> bool {
    let Bounds { alpha, beta } = subproblem.bounds;
    match solved.bound {
        Bound::Exact(value) => alpha < value && value < beta,
        Bound::AtLeast(value) => value >= beta,
        Bound::AtMost(value) => value <= alpha,
        Bound::Unknown => solved.nodes >= subproblem.nodes_max,
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::counts::Asked;
    use banyan_games::{Amaf, Color};
    use banyan_knowledge::{Chance, Policy};
    use banyan_search::{Known, Proof, Siblings};

    use super::*;
    use crate::job::Sought;

    const BOARD: Board = Board { game: Kind::Go, area: 49 };

    const AREA: usize = BOARD.area;

    const PLAYOUTS: Playouts = Playouts {
        count: 4,
        policy: Policy::Uniform,
        seed: 1,
        asked: Asked { amaf: false, ownership: false },
    };

    const SUBPROBLEM: Solve = Solve {
        sought: Sought::Score,
        bounds: Bounds { alpha: 2, beta: 4 },
        nodes_max: 1000,
        cost: 1,
    };

    fn check(job: &Job, answer: &Answer, board: Board) -> Result<(), Misfit> {
        let (id, root) = Default::default();
        super::check(&Batch { id, root, path: Vec::new(), job: job.clone() }, answer, board)
    }

    fn flat(playouts: Playouts) -> Job {
        Job::LeafParallel(playouts)
    }

    fn grow() -> Job {
        Job::Subtree(Grow {
            playouts: PLAYOUTS,
            floor: 2,
            known: Box::new(Known::default()),
            judged: false,
            spread: None,
        })
    }

    fn counts() -> Counts {
        Counts { wins: 1, losses: 3, ..Counts::default() }
    }

    /// Two children of the leaf, and two of the first of them; with so many visits.
    fn subtree(visits: [u32; 4]) -> Subtree {
        let siblings = |parent, side| Siblings { parent, side, children: 2, is_partial: false };
        Subtree {
            groups: vec![siblings(None, Color::White), siblings(Some(0), Color::Black)],
            moves: [0, 48, 7, 8].map(Move::point).to_vec(),
            visits: visits.to_vec(),
            half_wins: vec![0; 4],
            amaf_visits: vec![0; 4],
            amaf_half_wins: vec![0; 4],
            proofs: vec![Proof::Open; 4],
            priors: vec![0; 4],
            judged: vec![0; 4],
            leaf_judged: 0,
        }
    }

    fn grown(subtree: Subtree) -> Answer {
        Answer::Subtree(counts(), Box::new(subtree))
    }

    fn solved(bound: Bound, nodes: u32) -> Answer {
        Answer::Solved(Solved { bound, nodes })
    }

    fn refusal(job: &Job, answer: &Answer) -> String {
        check(job, answer, BOARD).expect_err("it does not fit").to_string()
    }

    #[test]
    fn an_answer_that_was_not_asked_for_or_does_not_fit_the_subproblem_is_refused() {
        let fits =
            |bound, nodes| check(&Job::Solve(SUBPROBLEM), &solved(bound, nodes), BOARD).is_ok();
        assert!(fits(Bound::AtLeast(4), 9) && fits(Bound::AtMost(2), 9));
        assert!(fits(Bound::Exact(3), 9) && !fits(Bound::Exact(4), 9));
        assert!(fits(Bound::Unknown, 1000) && !fits(Bound::Unknown, 999));
        assert!(!fits(Bound::AtLeast(3), 9) && !fits(Bound::AtMost(3), 9));
        let refused = refusal(&Job::Solve(SUBPROBLEM), &solved(Bound::Unknown, 999));
        assert!(refused.ends_with("which was not asked"), "{refused}");
    }

    #[test]
    fn what_was_asked_for_fits() {
        assert_eq!(check(&flat(PLAYOUTS), &Answer::Counts(counts()), BOARD), Ok(()));
        assert_eq!(check(&grow(), &grown(subtree([3, 1, 2, 0])), BOARD), Ok(()));
        let asked = Playouts { asked: Asked { amaf: true, ownership: true }, ..PLAYOUTS };
        let amaf = Some(Amaf::new(AREA));
        let all = Counts { amaf, ownership: Some(vec![0; AREA]), ..counts() };
        assert_eq!(check(&flat(asked), &Answer::Counts(all), BOARD), Ok(()));
    }

    #[test]
    fn an_answer_to_another_kind_of_job_does_not_fit_whatever_it_holds() {
        let evaluate = Job::Evaluate(Evaluate { ownership: false });
        let jobs = [flat(PLAYOUTS), grow(), Job::Solve(SUBPROBLEM), evaluate];
        let answers = [
            Answer::Counts(counts()),
            grown(subtree([0; 4])),
            solved(Bound::AtLeast(4), 9),
            Answer::Judged(judgement()),
        ];
        let words = ["counts alone", "a subtree", "a bound", "a judgement"];
        for (job, asked) in jobs.iter().zip(words) {
            for (answer, found) in answers.iter().zip(words).filter(|(_, found)| *found != asked) {
                let refused = refusal(job, answer);
                assert_eq!(refused, format!("holds {found} where {asked} was asked for"));
            }
        }
    }

    #[test]
    fn counts_that_were_not_asked_for_do_not_fit() {
        let answer = Answer::Counts(counts());
        let more = flat(Playouts { count: 5, ..PLAYOUTS });
        assert!(refusal(&more, &answer).ends_with("counts 4 playouts instead of 5"));
        let asked =
            |amaf, ownership| flat(Playouts { asked: Asked { amaf, ownership }, ..PLAYOUTS });
        assert!(refusal(&asked(true, false), &answer).contains("other AMAF counts"));
        assert!(refusal(&asked(false, true), &answer).contains("other owners"));
    }

    fn judgement() -> Judgement {
        Judgement { policy: vec![Chance::NONE; AREA + 1], ..Judgement::default() }
    }

    #[test]
    fn a_judgement_of_another_board_or_of_more_than_was_asked_does_not_fit() {
        let job = |ownership| Job::Evaluate(Evaluate { ownership });
        assert_eq!(check(&job(false), &Answer::Judged(judgement()), BOARD), Ok(()));
        let all = Judgement { score: Some(9), ownership: vec![1; AREA], ..judgement() };
        assert_eq!(check(&job(true), &Answer::Judged(all.clone()), BOARD), Ok(()));
        assert!(refusal(&job(false), &Answer::Judged(all)).contains("other owners"));
        let short = Judgement { policy: vec![Chance::NONE; AREA], ..judgement() };
        assert!(refusal(&job(false), &Answer::Judged(short)).contains("49 moves instead of 50"));
        let sure = Judgement { value: VALUE_ONE + 1, ..judgement() };
        assert!(refusal(&job(false), &Answer::Judged(sure)).contains("at most 32768"));
    }

    #[test]
    fn siblings_have_no_more_visits_than_their_parent() {
        let refused = refusal(&grow(), &grown(subtree([3, 2, 0, 0])));
        assert!(refused.ends_with("5 visits below a node that has 4"), "{refused}");
        let refused = refusal(&grow(), &grown(subtree([1, 3, 1, 1])));
        assert!(refused.ends_with("2 visits below a node that has 1"), "{refused}");
    }

    #[test]
    fn no_sum_of_evaluations_is_more_than_its_visits_allow() {
        let judging = match grow() {
            Job::Subtree(grow) => Job::Subtree(Grow { judged: true, ..grow }),
            other => other,
        };
        let mut full = subtree([3, 1, 2, 0]);
        full.judged = [3, 1, 2, 0].map(|visits| visits << 15).to_vec();
        full.leaf_judged = 4 << 15;
        assert_eq!(check(&judging, &grown(full.clone()), BOARD), Ok(()));
        let refused = refusal(&grow(), &grown(full.clone()));
        assert!(refused.starts_with("sums 0 evaluations up to"), "{refused}");
        full.judged[3] = 1;
        let refused = refusal(&judging, &grown(full));
        assert_eq!(refused, "sums 0 evaluations up to 1, expected at most 32768 each");
        let leaf = Subtree { leaf_judged: (4 << 15) + 1, ..subtree([0; 4]) };
        assert!(refusal(&judging, &grown(leaf)).starts_with("sums 4 evaluations up to 131073"));
    }

    #[test]
    fn a_move_outside_the_board_does_not_fit() {
        let mut outside = subtree([0; 4]);
        outside.moves[3] = Move::point(AREA);
        let refused = refusal(&grow(), &grown(outside));
        assert!(refused.ends_with("is no point of the board"), "{refused}");
    }
}
