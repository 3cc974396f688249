//! A worker's description of itself when it dials.

use std::sync::OnceLock;

use banyan_games::counts::Asked;
use banyan_games::rng::mix;
use banyan_games::{Counts, Kind, Move, Record, Rules, Terms, with_game};
use banyan_knowledge::{Digest, Evaluators, ModelDigest, Policy, models};
use banyan_search::Searchable;
use banyan_search::{Siblings, Subtree};
use banyan_selfplay::{Depths, Wanted, patterns};

use crate::answer::{Alone, Answer, Tried};
use crate::ids::{BatchId, RootId};
use crate::job::{
    Batch, Bounds, Grow, Job, Label, Labelling, Play, Playouts, Practice, Practise, Solve, Sought,
    Spread, Trial,
};
use crate::root::{Growing, Root};
use crate::run::Prepared;

/// The version of the messages. Both sides must speak the same one.
pub const PROTOCOL_VERSION: u32 = 19;

/// A worker's name and what it can play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// For tables and logs; not unique.
    pub name: String,
    /// Threads that play out.
    pub threads: u32,
    /// The version of the program, for messages to people.
    pub build: String,
    /// The version of the messages.
    pub protocol: u32,
    /// One entry for each game that it plays out; none where it only judges.
    pub games: Vec<GameSupport>,
    /// Evaluators by which it judges positions.
    pub evaluators: Vec<Offer>,
    /// The worker is a coordinator with workers of its own, which spreads one batch at a time over its threads.
    pub spreads: bool,
}

/// An evaluator that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The game's name.
    pub game: String,
    /// Digest by which roots name it.
    pub digest: ModelDigest,
    /// For tables and logs: of a KataGo its network and its release.
    pub name: String,
}

impl Offer {
    /// All of these evaluators, as others are told of them.
    pub fn all(evaluators: &Evaluators) -> Vec<Offer> {
        let offer = |(kind, digest, name): (Kind, ModelDigest, String)| Offer {
            game: kind.name().to_owned(),
            digest,
            name,
        };
        evaluators.all().into_iter().map(offer).collect()
    }
}

impl Profile {
    /// Tells whether it plays out games of this name.
    pub fn plays(&self, game: &str) -> bool {
        self.games.iter().any(|support| support.name == game)
    }

    /// Tells whether it judges positions of this game by this evaluator.
    pub fn judges(&self, game: &str, evaluator: ModelDigest) -> bool {
        self.evaluators.iter().any(|offer| offer.game == game && offer.digest == evaluator)
    }
}

/// One game that a worker knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSupport {
    /// The game's name.
    pub name: String,
    /// A hash over the tallies of fixed batches: equal exactly when both sides play out alike.
    pub fingerprint: u64,
    /// Digest of what it has learned of the game.
    pub models: Digest,
}

/// The games of this build with their fingerprints, for who plays out for another process. Takes some tenths of a
/// second the first time.
pub fn supported_games() -> Vec<GameSupport> {
    let support = |kind| GameSupport {
        fingerprint: fingerprint_of(kind),
        models: models::of_game(kind),
        ..unproven(kind)
    };
    Kind::ALL.into_iter().map(support).collect()
}

/// The games of this build, for who plays out in the process that asks: nobody compares fingerprints there.
pub fn own_games() -> Vec<GameSupport> {
    Kind::ALL.into_iter().map(unproven).collect()
}

fn unproven(kind: Kind) -> GameSupport {
    GameSupport { name: kind.name().to_owned(), fingerprint: 0, models: Digest::EMPTY }
}

/// The fingerprint of a game; worked out once in a process.
pub fn fingerprint_of(kind: Kind) -> u64 {
    static KNOWN: [OnceLock<u64>; Kind::ALL.len()] = [const { OnceLock::new() }; Kind::ALL.len()];
    let play = || with_game!(&sample_rules(kind), G, rules => fingerprint::<G>(rules));
    *KNOWN[kind as usize].get_or_init(play)
}

/// Points a side of the boards of fingerprints, at most: small ones are soon played out.
const SAMPLE_SIDE_MAX: u32 = 9;

fn sample_rules(kind: Kind) -> Rules {
    let side = kind.side().min(SAMPLE_SIDE_MAX);
    let terms = Terms { width: side, height: side, ..Terms::of(kind) };
    Rules::new(kind, terms).expect("every game is played on such a board")
}

/// A hash over the answers to each kind of job, by each policy, from the start position.
fn fingerprint<G: Searchable>(rules: &G::Rules) -> u64 {
    let record = Record::<G>::new(rules);
    let growing = Growing::of(G::KIND);
    let side = record.position().side_to_move();
    let root = Root::of(&record, side, RootId::default(), growing);
    let prepared = Prepared::new(&root).expect("the start is a position");
    let hash = |hash, job| {
        let batch = Batch { id: BatchId::default(), root: root.id, path: Vec::new(), job };
        // What a game cannot do all its builds agree on.
        prepared.run(&batch).map_or(hash, |tally| hash_answer(hash, tally.answer))
    };
    let asked = Asked { amaf: true, ownership: true };
    let by_policy = |policy| {
        let playouts = Playouts { count: 48, policy, seed: 1, asked };
        let grow = Grow { playouts, floor: 1, known: Box::default(), judged: false, spread: None };
        let spread = Grow { spread: Some(Spread { parts: 2, playouts: 16 }), ..grow.clone() };
        [Job::LeafParallel(playouts), Job::Subtree(grow), Job::Subtree(spread)]
    };
    let solve =
        |sought| Job::Solve(Solve { sought, bounds: Bounds::below(2), nodes_max: 20_000, cost: 1 });
    let solves = [Sought::Score, Sought::Value { evaluation: 0, depth: 3 }].map(solve);
    let depths = Depths { full: 4, short: 2, decided: 1, full_permille: 500 };
    let wanted = Wanted { seed: 1, games: 1, depths };
    let play = Job::Play(Play { wanted, judged: false, cost: 1 });
    let trial = Trial::sample(G::KIND).map(Job::Try);
    let plies = patterns::usual_plies(G::KIND).map(|plies| plies.min(3));
    let practise = plies.map(|plies| {
        let practice = Practice { seed: 1, games: 1, plies, solve_from: 8, evaluation: 0 };
        Job::Practise(Practise::new(G::KIND, practice, false))
    });
    let by_policy = Policy::ALL.into_iter().flat_map(by_policy);
    let other = by_policy.chain(solves).chain([play]).chain(trial).chain(practise).fold(0, hash);
    let job = Job::Label(Label::new(SAMPLE_LABELS, false));
    let path = threatening::<G>(rules);
    let labelled = Batch { id: BatchId::default(), root: root.id, path, job };
    prepared.run(&labelled).map_or(other, |tally| hash_answer(other, tally.answer))
}

/// Positions of searches in a fingerprint: some of them undecided, so that how long they were searched shows.
const SAMPLE_LABELS: Labelling = Labelling { seed: 1, count: 2, from: 0, evaluation: 0 };

/// Moves of which Black's are stones side by side, which threaten something in a game of lines.
fn threatening<G: Searchable>(rules: &G::Rules) -> Vec<Move> {
    const PLIES: usize = 6;
    let (mut position, mut moves, mut stones) = (G::new(rules), Vec::new(), [0, 0]);
    let width = usize::from(position.size().width);
    while moves.len() < PLIES {
        let side = position.side_to_move().index();
        let (row, apart) = [(width / 2, 1), (0, 3)][side];
        let mv = Move::point(row * width + 2 + apart * stones[side]);
        if !position.is_legal(mv) {
            break;
        }
        position.play(mv);
        stones[side] += 1;
        moves.push(mv);
    }
    moves
}

fn hash_answer(hash: u64, answer: Answer) -> u64 {
    match answer {
        Answer::Counts(counts) => hash_counts(hash, counts),
        Answer::Subtree(counts, subtree) => hash_subtree(hash_counts(hash, counts), *subtree),
        Answer::Solved(solved) => mix(hash ^ u64::from(solved.nodes)),
        // Networks come with roots, not with builds.
        Answer::Judged(_) => hash,
        Answer::Practised(bytes) | Answer::Labelled(bytes) => {
            bytes.into_iter().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)))
        }
        Answer::Tried(Tried { alone, judged }) => {
            let numbers = [judged.agreed, judged.contradicted, judged.open].map(u64::from);
            let proof = if let Alone::Proven(proof) = alone { proof } else { String::new() };
            let bytes = proof.into_bytes().into_iter().map(u64::from);
            numbers.into_iter().chain(bytes).fold(hash, |hash, n| mix(hash ^ n))
        }
        Answer::Played(games) => games.iter().fold(hash, |hash, game| {
            let moves = game.moves.iter().map(|&mv| u64::from(mv));
            let shares = game.thoughts.iter().flat_map(|thought| &thought.policy);
            let shares = shares.map(|&(_, share)| u64::from(share));
            moves.chain(shares).fold(hash, |hash, n| mix(hash ^ n))
        }),
    }
}

fn hash_subtree(hash: u64, subtree: Subtree) -> u64 {
    let Subtree {
        groups,
        moves,
        visits,
        half_wins,
        amaf_visits,
        amaf_half_wins,
        proofs,
        priors,
        judged: _,
        leaf_judged: _,
    } = subtree;
    let groups = groups.into_iter().map(|siblings| {
        let Siblings { parent, side, children, is_partial } = siblings;
        let parent = parent.map_or(u64::MAX, u64::from);
        mix(parent) ^ u64::from(is_partial) << 32 ^ u64::from(children) << 1 ^ side.index() as u64
    });
    let moves = moves.into_iter().map(|mv| u64::from(mv.0));
    let sums = [visits, half_wins, amaf_visits, amaf_half_wins].into_iter().flatten();
    let proofs = proofs.into_iter().map(|proof| proof as u64);
    let priors = priors.into_iter().map(u64::from);
    let numbers = groups.chain(moves).chain(sums.map(u64::from)).chain(proofs).chain(priors);
    numbers.fold(hash, |hash, n| mix(hash ^ n))
}

fn hash_counts(hash: u64, counts: Counts) -> u64 {
    let Counts { wins, draws, losses, margin_sum, plies, amaf, ownership } = counts;
    let amaf = amaf.unwrap_or_default();
    let totals = [u64::from(wins), u64::from(draws), u64::from(losses), margin_sum as u64, plies];
    let by_point = amaf.visits.iter().chain(&amaf.half_wins).map(|&n| u64::from(n));
    let owners = ownership.unwrap_or_default().into_iter().map(|n| n as u64);
    totals.into_iter().chain(by_point).chain(owners).fold(hash, |hash, n| mix(hash ^ n))
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_selfplay::patterns::line_games::Recorded;

    use super::*;

    /// A job that is refused would change no fingerprint, nor would a longer search of what is won either way.
    #[test]
    fn fingerprints_of_games_of_lines_have_an_undecided_position_of_a_search_in_them() {
        for kind in [Kind::Gomoku, Kind::Connect6] {
            let rules = sample_rules(kind);
            let path = with_game!(&rules, G, rules => threatening::<G>(rules));
            assert_eq!(path.len(), 6, "{kind}");
            let bytes = patterns::label(&rules, None, &path, &SAMPLE_LABELS).expect("positions");
            let labels = with_game!(&rules, G, rules => Recorded::read_all(&bytes, &G::new(rules)));
            let values =
                labels.expect("records").into_iter().map(|it| it.plies[it.plies.len() - 1].value);
            assert!(values.into_iter().any(|value| value.abs() < 600), "{kind}: all are decided");
        }
    }
}
