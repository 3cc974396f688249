//! The models of a build: what each game's knowledge was learned from, as digests.

use banyan_games::Kind;
use banyan_games::connect6::Connect6;
use banyan_games::go::Go;
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;

use crate::digest::Digest;
use crate::knowledge::Knowledge;

/// The models that this build uses for a game where nobody names others.
pub fn of_game(kind: Kind) -> Digest {
    match kind {
        Kind::Go => Go::models(),
        Kind::Othello => Othello::models(),
        Kind::Gomoku => Gomoku::models(),
        Kind::Connect6 => Connect6::models(),
        Kind::Hex => Hex::models(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_know_something_have_digests_of_their_own() {
        let all = Kind::ALL.map(of_game);
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{}", Kind::ALL[at]);
        }
        assert_eq!(of_game(Kind::Hex), Digest::EMPTY, "nothing is known of Hex");
    }
}
