//! A game as the search sees it: what it is tuned by, and what searches of its own prove of a position.
//!
//! Nothing else in this crate asks which game it is. A game that says nothing here is searched by the
//! defaults, and nothing is proven of it but the end of the game.
//!
//! # Source
//! S4 for solvers in front of Monte Carlo; Winands, Björnsson & Saito 2008 for what the tree makes of it.

mod go;

mod othello;

mod gomoku;

mod connect6;

mod hex;

pub mod turns;

#[cfg(test)]
mod tests;

use banyan_games::line::Threat;
use banyan_games::{Kind, Move, Outcome, Size};
use banyan_knowledge::Knowledge;
use banyan_proofs::{Effort, life, threats};

use crate::endgame::Board;
use crate::parameters::{Parameters, Valuing};

/// A game as a search needs it, beyond its rules and what is known of single positions.
pub trait Searchable: Knowledge {
    /// Valuing of leaves where nobody says otherwise.
    const VALUING: Valuing = Valuing::Playout;

    /// Tells whether alpha-beta by the best evaluation chooses better moves than the tree, in the same time.
    const ALPHA_BETA_LEADS: bool = false;

    /// Points of the board that the parameters are for, where they are not for every board alike.
    const TUNED_ON: Option<u32> = None;

    /// The parameters for leaves that are valued like this.
    fn tuning(valuing: Valuing) -> Parameters {
        Parameters::DEFAULT.valued_by(valuing)
    }

    /// The factor by which a board is larger than the one that the parameters are for: where there are more moves,
    /// each has fewer visits of its own, and what is known without them has to last longer. 1 on smaller boards.
    ///
    /// # Source
    /// Matches, docs/strength.md.
    fn board_scale(size: Size) -> f32 {
        Self::TUNED_ON.map_or(1.0, |points| (size.area() as f32 / points as f32).max(1.0))
    }

    /// The outcome when both sides play their best, if at most about `nodes_max` positions show it.
    ///
    /// The position must not have ended; by how much it is won is not said.
    fn proven(&self, nodes_max: u64) -> Option<Outcome> {
        let _ = nodes_max;
        None
    }

    /// Moves that decide for certain what becomes of something, the greatest first: in Go the life of a
    /// chain.
    ///
    /// - `nodes_max`: positions looked into for all of them together.
    /// - `rules`: fights that they know are not searched.
    fn vital_moves(&self, nodes_max: u64, rules: Option<&life::rules::Rules>) -> Vec<Move> {
        let _ = (nodes_max, rules);
        Vec::new()
    }

    /// The stones among `dead`, whole groups, that nobody can take: neither side has a move there that it would not
    /// rather leave. Empty where the game has no such thing.
    ///
    /// - `nodes_max`: positions looked into for all of them together.
    fn in_seki(&self, dead: &[Move], nodes_max: u64) -> Vec<Move> {
        let _ = (dead, nodes_max);
        Vec::new()
    }

    /// The position as the solver of endgames sees it, in the game that has one.
    fn endgame(&self) -> Option<Board> {
        None
    }

    /// Tells whether a search that time alone bounds looks for wins of the other side by threats after its own move,
    /// where there is a threat: where that gains more (matches, docs/strength.md) than the time that it takes.
    const FEARS_THREATS: bool = false;

    /// Looks for a win of the side to move by threats, for as long as `goes_on` (asked with the positions
    /// so far) says so; nothing where the game has no such search.
    ///
    /// - `rules`: positions that they know are not searched.
    fn win_by_threats(
        &self,
        effort: Effort,
        rules: Option<&threats::rules::Rules>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<threats::ThreatsFound> {
        let _ = (effort, rules, goes_on);
        None
    }

    /// The effect of a stone of each side on each point, by [`Color::index`](banyan_games::Color::index): for
    /// people who look at the board, in games of lines.
    fn threats(&self) -> Option<[Vec<Threat>; 2]> {
        None
    }

    /// The moves after which the other side, which could win by threats if it were to move, can not;
    /// nothing when it could not, or when `nodes_max` positions do not show how.
    ///
    /// Every legal move that is left out loses by force.
    fn answers_to_threats(&self, nodes_max: u64) -> Option<Vec<Move>> {
        let _ = nodes_max;
        None
    }
}

impl Parameters {
    /// The defaults for a game.
    pub fn of(kind: Kind) -> Parameters {
        let Tuning { valuing, parameters } = Tuning::of(kind);
        parameters(valuing)
    }

    /// The defaults for a game whose leaves are valued like this.
    pub fn with_leaves(kind: Kind, valuing: Valuing) -> Parameters {
        (Tuning::of(kind).parameters)(valuing)
    }
}

/// Parameters of one game.
struct Tuning {
    valuing: Valuing,
    parameters: fn(Valuing) -> Parameters,
}

impl Tuning {
    /// The one place of the search where a kind becomes a type.
    fn of(kind: Kind) -> Tuning {
        match kind {
            Kind::Go => Tuning::of_game::<banyan_games::go::Go>(),
            Kind::Othello => Tuning::of_game::<banyan_games::othello::Othello>(),
            Kind::Gomoku => Tuning::of_game::<banyan_games::gomoku::Gomoku>(),
            Kind::Connect6 => Tuning::of_game::<banyan_games::connect6::Connect6>(),
            Kind::Hex => Tuning::of_game::<banyan_games::hex::Hex>(),
        }
    }

    fn of_game<G: Searchable>() -> Tuning {
        Tuning { valuing: G::VALUING, parameters: G::tuning }
    }
}
