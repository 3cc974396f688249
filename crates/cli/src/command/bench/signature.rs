//! `banyan bench --signature`: one number for all that the searches do, the tree's and alpha-beta's.
//!
//! Fixed positions of every game are searched in order and in this thread: no cluster, no clock, no
//! channel. So the number is the same on every machine, and a commit that changes it has changed what
//! is played: it owes a match. One that leaves it as it was owes speed alone.

use std::io::Write as _;

use banyan_engine::Playable;
use banyan_engine::search::{Iteration, Plan, Search, Sums};
use banyan_engine::settings::ownership_every;
use banyan_engine::sizing::{Sizing, Wish};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::rng::mix;
use banyan_games::{Game, Kind, Record, Rules, with_game};
use banyan_jobs::{Growing, Prepared, Root, RootId, Workspace};
use banyan_knowledge::evaluation::at_root;
use banyan_knowledge::{Evaluation, Knowledge as _, Policy};
use banyan_search::classical::{self, Found, Horizon, Method, Problem, Watch};
use banyan_search::endgame::Board;
use banyan_search::midgame;
use banyan_search::{Parameters, Tree};
use serde::Serialize;

use super::positions::{self, Position};
use crate::config::{self, Judging};
use crate::options::BenchArgs;
use crate::position::played;

/// Seed of every search.
const SEED: u64 = 1;

/// Ways to make batches: each position is searched once with each.
const BATCHES: [(Wish, u32); 3] =
    [(Wish::LeafParallel, 1), (Wish::LeafParallel, 8), (Wish::Subtree, 64)];

/// The same where leaves are judged.
const JUDGED_BATCHES: [(Wish, u32); 2] = [(Wish::LeafParallel, 1), (Wish::Subtree, 64)];

/// Positions that a search by alpha-beta looks at, about.
const CLASSICAL_NODES: u64 = 20_000;

/// Memory of such a search, bytes: so little that positions push each other out.
const CLASSICAL_BYTES: usize = 1 << 18;

/// Playouts for each evaluation of a search that is judged.
const PLAYOUTS_PER_EVALUATION: u64 = 20;

/// Batches in flight: enough for virtual losses to show.
const BATCHES_IN_FLIGHT: u32 = 8;

/// Results of the searches.
#[derive(Debug, PartialEq, Serialize)]
struct Signature {
    /// Eight hexadecimal digits.
    signature: String,
    games: Vec<Searched>,
}

/// The searches of one game.
#[derive(Debug, PartialEq, Serialize)]
struct Searched {
    game: &'static str,
    digest: String,
    playouts: u64,
    evaluations: u64,
    /// Positions that its classical search looked at.
    positions: u64,
}

/// Writes the signature.
///
/// # Errors
/// A setting that is none.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let parameters = |base| config::parameters(base, &args.engine.set);
    let found = signature(&positions::all()?, parameters)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        writeln!(out, "{}", found.signature)?;
    }
    Ok(())
}

/// Searches every position and folds what it came to, game by game.
fn signature<E>(
    positions: &[Position],
    parameters: impl Fn(Parameters) -> Result<Parameters, E>,
) -> anyhow::Result<Signature>
where
    anyhow::Error: From<E>,
{
    let (mut whole, mut games) = (0, Vec::new());
    for kind in Kind::ALL {
        let (mut digest, mut playouts, mut evaluations, mut looked_at) = (0, 0, 0, 0);
        for position in positions.iter().filter(|position| position.rules.kind() == kind) {
            for batch in BATCHES {
                let parameters = parameters(Parameters::of(kind))?;
                let (found, sums) = search(position, parameters, None, batch)?;
                digest = mix(digest ^ found);
                playouts += sums.playouts;
            }
            if position.policy == Policy::Uniform
                && let Some((found, nodes)) = classical(position)?
            {
                digest = mix(digest ^ found);
                looked_at += nodes;
            }
            // Nothing is played out there, so that a position stands for all policies.
            let judging = config::unasked(&position.rules)?;
            if judging.evaluator.is_none() || position.policy != Policy::Uniform {
                continue;
            }
            for batch in JUDGED_BATCHES {
                let playouts = position.playouts / PLAYOUTS_PER_EVALUATION;
                let position = Position { playouts, ..position.clone() };
                let parameters = parameters(judging.tuned(Parameters::of(kind)))?;
                let (found, sums) = search(&position, parameters, Some(&judging), batch)?;
                digest = mix(digest ^ found);
                evaluations += sums.playouts;
            }
        }
        whole = mix(whole ^ digest);
        let (game, digest) = (kind.name(), format!("{digest:016x}"));
        games.push(Searched { game, digest, playouts, evaluations, positions: looked_at });
    }
    Ok(Signature { signature: format!("{:08x}", whole >> 32), games })
}

fn search(
    position: &Position,
    parameters: Parameters,
    judging: Option<&Judging>,
    batch: (Wish, u32),
) -> anyhow::Result<(u64, Sums)> {
    let evaluator = judging.and_then(|it| it.evaluator);
    let evaluators = judging.map(|it| it.evaluators.clone()).unwrap_or_default();
    with_game!(&position.rules, G, rules => {
        let record = played::<G>(rules, position.moves)?;
        let side = record.position().side_to_move();
        let growing = Growing { parameters, seed: SEED, evaluator };
        let root = Root::of(&record, side, RootId::default(), growing);
        // So little memory that large trees are compacted on the way.
        let mut tree = Tree::new(parameters, SEED, Tree::BYTES_MIN, !side);
        let mut moves = record.candidates();
        if G::TERRITORY && evaluator.is_some() {
            moves.clear();
            record.position().legal_moves(&mut moves);
            moves.retain(|&mv| record.is_legal(mv));
        }
        tree.allow_at_root(side, &moves);
        let plan = plan::<G>(position, batch);
        let search = Search::new(tree, root.id, record.position().clone(), plan, 0);
        grow(search, &Prepared::with(&root, &evaluators)?)
    })
}

/// Searches a position as the game's alpha-beta does where nothing is asked for, and folds what it came to, with the
/// positions that it looked at; nothing where no evaluation is searched by.
fn classical(position: &Position) -> anyhow::Result<Option<(u64, u64)>> {
    with_game!(&position.rules, G, rules => {
        let record = played::<G>(rules, position.moves)?;
        let found = match position.rules {
            Rules::Othello(ref rules) => by_patterns(rules, position.moves)?,
            _ => match G::evaluations().get(G::SEARCHED_BY) {
                Some(evaluation) => by_evaluation(&record, &*at_root(evaluation, record.position())),
                None => return Ok(None),
            },
        };
        let line = found.line.iter().map(|mv| u64::from(mv.0));
        let numbers = [found.value as u64, u64::from(found.depth), found.nodes];
        Ok(Some((line.chain(numbers).fold(0, |digest, number| mix(digest ^ number)), found.nodes)))
    })
}

fn by_evaluation<G: Playable>(record: &Record<G>, evaluation: &dyn Evaluation<G>) -> Found {
    let problem = Problem {
        position: record.position(),
        moves: &record.candidates(),
        evaluation,
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max: u32::MAX,
    };
    classical::search(&mut classical::Memory::new(CLASSICAL_BYTES), &problem, &mut Enough)
}

/// The same in Othello, which has a search of its own.
fn by_patterns(rules: &OthelloRules, moves: &str) -> anyhow::Result<Found> {
    let record = played::<Othello>(rules, moves)?;
    let (board, moves) = (Board::from(record.position()), record.candidates());
    let question = midgame::Question { board, moves: &moves, depth_max: u32::MAX };
    Ok(midgame::search(&mut midgame::Memory::new(CLASSICAL_BYTES), &question, &mut Enough))
}

/// Ends a search that has looked at enough.
struct Enough;

impl Watch for Enough {
    fn goes_on(&mut self, nodes: u64) -> bool {
        nodes < CLASSICAL_NODES
    }
}

fn plan<G: Playable>(position: &Position, (wish, batch): (Wish, u32)) -> Plan {
    Plan {
        seed: SEED,
        playouts_max: Some(position.playouts),
        sizing: Sizing { wish, playouts: Some(batch) },
        window: Some(batch * BATCHES_IN_FLIGHT),
        in_order: true,
        ownership_every: ownership_every::<G>(),
        ..Plan::of(position.policy)
    }
}

/// The loop of the search thread in a reproducible search: fill the window, merge the oldest, and again.
fn grow<G: Playable>(mut search: Search<G>, prepared: &Prepared) -> anyhow::Result<(u64, Sums)> {
    let mut space = Workspace::default();
    while !search.is_finished() {
        // The cluster's window is whatever the plan's is.
        while search.has_room(u32::MAX) {
            match search.iterate() {
                Iteration::Batch(batch) => {
                    for tally in prepared.run_all(&[&batch], &mut space) {
                        search.take(None, tally?);
                    }
                }
                Iteration::Counted => {}
                Iteration::Complete | Iteration::Awaited => break,
            }
        }
        search.merge_next();
    }
    let (tree, sums) = search.end();
    Ok((sums.ownership.iter().fold(tree.digest(), |digest, &held| mix(digest ^ held as u64)), sums))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The real positions, searched so briefly that a test may do it often.
    fn brief(tune: impl Fn(&mut Parameters)) -> Signature {
        let mut positions = positions::all().expect("sizes that are played on");
        positions.iter_mut().for_each(|position| position.playouts = 500);
        let parameters = |mut parameters| {
            tune(&mut parameters);
            Ok::<_, Infallible>(parameters)
        };
        signature(&positions, parameters).expect("legal moves")
    }

    #[test]
    fn the_signature_is_the_same_every_time() {
        let found = brief(|_| {});
        assert_eq!(found, brief(|_| {}));
        assert_eq!(found.signature.len(), 8);
        assert!(found.games.iter().all(|game| game.playouts > 0), "{found:?}");
        let judged = found.games.iter().filter(|game| game.evaluations > 0);
        assert_eq!(
            judged.map(|game| game.game).collect::<Vec<_>>(),
            ["go", "othello", "gomoku", "connect6"]
        );
        let looked_at = found.games.iter().filter(|game| game.positions > 0);
        assert_eq!(
            looked_at.map(|game| game.game).collect::<Vec<_>>(),
            ["othello", "gomoku", "connect6", "hex"]
        );
    }

    /// Held to the searches themselves: a number that is said to change nothing leaves every bit of a tree as it was.
    #[test]
    fn numbers_that_are_said_to_change_nothing_do_not() {
        let mut tried = 0;
        for position in positions::all().expect("sizes that are played on") {
            let kind = position.rules.kind();
            let is_asked = position.policy == Policy::Uniform && kind != Kind::Hex;
            let is_small = banyan_knowledge::judges::size_of(&position.rules).area() <= 225;
            if !is_asked || !is_small {
                continue;
            }
            let unasked = config::unasked(&position.rules).expect("built in");
            let position = Position { playouts: 24, ..position };
            for judging in [None, unasked.evaluator.is_some().then_some(&unasked)] {
                let base = Parameters::of(kind);
                let base = judging.map_or(base, |it| it.tuned(base));
                let digest = |parameters| {
                    search(&position, parameters, judging, BATCHES[0]).expect("legal moves").0
                };
                let plain = digest(base);
                for line in Parameters::TABLE.iter().filter(|it| base.unheard(it.name).is_some()) {
                    for value in [0.0, 0.03, 1.0, 3.0].into_iter().filter(|&it| line.domain.has(it))
                    {
                        let mut changed = base;
                        changed.set(line.name, value).expect("of its domain");
                        if changed.unheard(line.name).is_some() {
                            assert_eq!(digest(changed), plain, "{kind}: {}={value}", line.name);
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert!(tried > 100, "{tried}");
    }

    #[test]
    fn the_signature_changes_with_a_tuning_parameter() {
        let [plain, tuned] = [brief(|_| {}), brief(|tuned| tuned.exploration += 1.0)];
        assert_ne!(plain.signature, tuned.signature);
        for (plain, tuned) in plain.games.iter().zip(&tuned.games) {
            assert_ne!(plain.digest, tuned.digest, "{}", plain.game);
        }
        let judged = brief(|tuned| tuned.puct_exploration += 1.0);
        for (plain, tuned) in plain.games.iter().zip(&judged.games) {
            let is_judged = plain.evaluations > 0;
            assert_eq!(plain.digest != tuned.digest, is_judged, "{}", plain.game);
        }
    }
}
