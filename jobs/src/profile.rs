//! What a worker says of itself when it dials.

use banyan_games::counts::Asked;
use banyan_games::rng::mix;
use banyan_games::{Counts, Game, Kind, Policy, Rng, Rules, with_game};
use banyan_games::{
    connect6::Connect6Rules, go::GoRules, gomoku::GomokuRules, othello::OthelloRules,
};

/// The version of the messages. Both sides must speak the same one.
pub const PROTOCOL_VERSION: u32 = 1;

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
    /// One entry for each game it knows.
    pub games: Vec<GameSupport>,
}

/// One game that a worker knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSupport {
    /// The game's name.
    pub name: String,
    /// A hash over the tally of a fixed batch: equal exactly when both sides play out alike.
    pub fingerprint: u64,
}

/// The games of this build with their fingerprints. Takes a few milliseconds.
pub fn supported_games() -> Vec<GameSupport> {
    let support = |kind: Kind| GameSupport {
        name: kind.name().to_owned(),
        fingerprint: with_game!(&sample_rules(kind), G, rules => fingerprint::<G>(rules)),
    };
    Kind::ALL.into_iter().map(support).collect()
}

fn sample_rules(kind: Kind) -> Rules {
    let fits = "sample sizes are played on";
    match kind {
        Kind::Go => GoRules::new(9, 15).expect(fits).into(),
        Kind::Othello => OthelloRules.into(),
        Kind::Gomoku => GomokuRules::new(9, 9, Default::default()).expect(fits).into(),
        Kind::Connect6 => Connect6Rules::new(9).expect(fits).into(),
    }
}

/// A hash over what sixteen playouts from the start position count.
fn fingerprint<G: Game>(rules: &G::Rules) -> u64 {
    let position = G::new(rules);
    let mut counts = Counts::new(position.size().area(), Asked { amaf: true, ownership: true });
    position.playouts(Policy::Uniform, 16, &mut Rng::from_seed(1), &mut counts);
    let Counts { wins, draws, losses, margin_sum, plies, amaf, ownership } = counts;
    let amaf = amaf.unwrap_or_default();
    let totals = [u64::from(wins), u64::from(draws), u64::from(losses), margin_sum as u64, plies];
    let by_point = amaf.visits.iter().chain(&amaf.half_wins).map(|&n| u64::from(n));
    let owners = ownership.unwrap_or_default().into_iter().map(|n| n as u64);
    totals.into_iter().chain(by_point).chain(owners).fold(0, |hash, n| mix(hash ^ n))
}
