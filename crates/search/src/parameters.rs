//! Every number that tunes the search: default, range, meaning, source, in one table.

use banyan_games::Kind;

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name on the command line: `--set NAME=VALUE`.
    pub name: &'static str,
    /// Smallest allowed value.
    pub min: f32,
    /// Largest allowed value.
    pub max: f32,
    /// What it does, in which unit, and where it comes from.
    pub meaning: &'static str,
}

macro_rules! parameters {
    ($($name:ident: $default:literal, $min:literal ..= $max:literal, $meaning:literal;)*) => {
        /// The tuning of one search. Built by [`Parameters::of`], changed by [`Parameters::set`].
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Parameters {
            $(#[doc = $meaning] pub $name: f32,)*
        }

        impl Parameters {
            /// Name, range and meaning of each parameter.
            pub const TABLE: &[Parameter] = &[
                $(Parameter { name: stringify!($name), min: $min, max: $max, meaning: $meaning },)*
            ];

            const DEFAULT: Parameters = Parameters { $($name: $default,)* };

            /// The parameter of this name.
            pub fn get(&self, name: &str) -> Option<f32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    exploration: 0.4, 0.0 ..= 10.0,
        "Factor before the square root of the UCB term; value units. Source: Kocsis & Szepesvári 2006.";
    first_play_urgency: 1.0, 0.0 ..= 100.0,
        "Value of a child without visits, in place of an infinite one. Source: Wang & Gelly 2007.";
    rave_equivalence: 1000.0, 0.0 ..= 1000000.0,
        "Visits of a child at which its own value weighs as much as its AMAF value, where that has many \
         more; 0 turns RAVE off. In Go of 9x9, and times the square of (points / 81) on larger boards. \
         Source: Gelly & Silver 2011; matches for the boards, docs/strength.md.";
    expand_after: 2.0, 1.0 ..= 1000000.0,
        "Visits of a leaf, with those in flight, before it gets children. Source: S1; a match of 4 against 1 \
         showed no difference, docs/performance.md.";
    prior_visits: 0.0, 0.0 ..= 10000.0,
        "AMAF playouts that a game's opinion of a move counts for, where the game has one; without \
         rave_equivalence it is not heard. In Go of 9x9, and times points / 81 on larger boards. \
         Source: Gelly & Silver 2007 for the idea; matches for the value, docs/strength.md.";
    prior_sharpness: 0.5, 0.0 ..= 4.0,
        "Exponent of a move's weight over the mean of all, w: its prior value is w^s / (w^s + 1). \
         Source: matches, docs/strength.md.";
    prior_widening: 0.0, 0.0 ..= 1000000.0,
        "Progressive widening: a move w times as likely as the mean of its family waits until its node has \
         this / w visits; 0 for all at once. Source: Coulom 2007 for the idea; matches, docs/strength.md.";
    prior_criticality: 0.0, 0.0 ..= 20.0,
        "Go on more than 9x9: a move is likelier by e to the power of this times the criticality of its point, \
         the covariance of holding it at the end and winning; 0 for none. \
         Source: Coulom 2009 for the idea; matches, docs/strength.md.";
    prior_settled: 0.0, 0.0 ..= 20.0,
        "Go on more than 9x9: a move is less likely by e to the power of this times how sure it is who holds \
         its point at the end; 0 for none. Source: matches, docs/strength.md.";
    life_nodes: 1000.0, 0.0 ..= 10000.0,
        "Go of 9x9 and less: positions that a search for life and death looks into at the root, so that moves \
         by which a chain lives or dies are believed in first; 0 for none. \
         Source: S5; matches, docs/strength.md.";
    virtual_loss: 0.1, 0.0 ..= 100.0,
        "Provisional losses on a node with T playouts in flight: this times the square root of T. \
         Source: Segal 2010 for the idea; by matches 0 plays as well and 1 far worse, \
         docs/performance.md.";
    in_flight_share: 0.0625, 0.001 ..= 1.0,
        "Playouts in flight through the root, as a share of its visits. The floor in_flight_min \
         comes on top. Matches of an eighth against a 32nd and a 64th showed no difference, \
         docs/performance.md.";
    grown_share: 0.0078, 0.00001 ..= 1.0,
        "Playouts of a grown batch, as a share of the root's visits.";
    grown_leaf: 4.0, 1.0 ..= 256.0,
        "A node with fewer visits than this many times a grown batch's playouts is its leaf.";
    leaf_plies: -1.0, -1.0 ..= 1000.0,
        "Plies of a playout before the position is evaluated instead, in games with an evaluation: 0 \
         evaluates the leaf itself, -1 plays to the end. --leaf sets it. Source: S4.";
    implicit_minimax: 0.0, 0.0 ..= 1.0,
        "Share of a node's value that is minimax over the evaluations of the leaves below it, in games with \
         an evaluation; the rest is the mean of its playouts. Source: Lanctot et al. 2014 for the idea; \
         matches for the value, docs/strength.md.";
    proof_nodes: 0.0, 0.0 ..= 10000.0,
        "Positions that whoever grows a batch looks into to prove a leaf that is met again: wins by threats \
         in games of lines, the end of Othello; 0 for none. Source: S4; matches, docs/strength.md.";
    solver: 1.0, 0.0 ..= 1.0,
        "1 carries the end of a game up the tree as a proof, as far as it decides (MCTS-Solver); 0 counts it \
         as one more playout. Source: Winands et al. 2008; matches, docs/strength.md.";
    pairs_once: 0.0, 0.0 ..= 1.0,
        "1 gives a pair of stones one place in the tree, where a turn is two plies that may be played in \
         any order; 0 gives it one for each order. Source: matches, docs/strength.md.";
    in_flight_min: 16.0, 1.0 ..= 1000000.0,
        "Playouts that may always be in flight, however few visits the root has; count.";
}

/// How leaves get their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Valuing {
    /// Playouts to the end of the game.
    Playout,
    /// The static evaluation.
    Evaluate,
    /// Playouts cut short, and then evaluated.
    Mixed,
}

impl Valuing {
    /// Plies of a playout that is cut short.
    pub(crate) const MIXED_PLIES: f32 = 6.0;

    /// The parameter `leaf_plies` that says so.
    fn leaf_plies(self) -> f32 {
        match self {
            Valuing::Playout => -1.0,
            Valuing::Evaluate => 0.0,
            Valuing::Mixed => Valuing::MIXED_PLIES,
        }
    }
}

/// A setting that does not fit the table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParametersError {
    /// No such parameter.
    #[error("unknown parameter '{name}': expected one of {}", names())]
    Unknown {
        /// What was asked.
        name: String,
    },
    /// Not one value for each.
    #[error("{found} parameters: expected {expected}")]
    Number {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Outside its range.
    #[error("parameter {name} = {value} is out of range: expected {min} to {max}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was asked.
        value: f32,
        /// Smallest allowed.
        min: f32,
        /// Largest allowed.
        max: f32,
    },
}

fn names() -> String {
    let names: Vec<_> = Parameters::TABLE.iter().map(|p| p.name).collect();
    names.join(", ")
}

impl Parameters {
    /// The defaults for a game.
    pub fn of(kind: Kind) -> Parameters {
        let valuing = match kind {
            Kind::Othello | Kind::Gomoku | Kind::Connect6 => Valuing::Evaluate,
            _ => Valuing::Playout,
        };
        Parameters::with_leaves(kind, valuing)
    }

    /// The defaults for a game whose leaves are valued like this.
    pub fn with_leaves(kind: Kind, valuing: Valuing) -> Parameters {
        let pairs_once = if kind == Kind::Connect6 { 1.0 } else { 0.0 };
        let base = Parameters { pairs_once, ..Parameters::DEFAULT.valued_by(valuing) };
        match (kind, valuing) {
            (Kind::Go, _) => {
                let base = Parameters { prior_criticality: 5.0, prior_settled: 1.5, ..base };
                Parameters { exploration: 0.02, prior_visits: 50.0, ..base }
            }
            (Kind::Gomoku | Kind::Connect6, Valuing::Playout) => {
                Parameters { rave_equivalence: 300.0, ..base }
            }
            (Kind::Othello, Valuing::Evaluate) => {
                let base = Parameters { exploration: 0.2, prior_sharpness: 1.0, ..base };
                let base = Parameters { proof_nodes: 500.0, ..base };
                Parameters { prior_visits: 20.0, implicit_minimax: 0.3, ..base }
            }
            (Kind::Gomoku, Valuing::Evaluate) => {
                let base = Parameters { exploration: 0.05, proof_nodes: 50.0, ..base };
                Parameters { prior_visits: 100.0, implicit_minimax: 0.3, ..base }
            }
            (Kind::Connect6, Valuing::Evaluate) => {
                let base = Parameters { exploration: 0.1, ..base };
                Parameters { prior_visits: 100.0, implicit_minimax: 0.3, ..base }
            }
            (Kind::Othello | Kind::Gomoku | Kind::Connect6, _) => {
                Parameters { rave_equivalence: 0.0, ..base }
            }
            _ => base,
        }
    }

    /// These parameters with leaves valued in another way.
    pub fn valued_by(self, valuing: Valuing) -> Parameters {
        Parameters { leaf_plies: valuing.leaf_plies(), ..self }
    }

    /// Plies after which a playout is evaluated; nothing when it goes to the end.
    pub(crate) fn plies_to_evaluation(&self) -> Option<u32> {
        (self.leaf_plies >= 0.0).then_some(self.leaf_plies as u32)
    }

    /// Playouts that may be in flight through a root of so many visits, count.
    pub fn in_flight_max(&self, visits: u64) -> u32 {
        let share = visits as f64 * f64::from(self.in_flight_share);
        (f64::from(self.in_flight_min) + share) as u32
    }

    /// Playouts of a grown batch in a tree whose root has so many visits, count.
    pub fn grown_max(&self, visits: u64) -> f64 {
        visits as f64 * f64::from(self.grown_share)
    }

    /// The values in the order of the table.
    pub fn values(&self) -> [f32; Parameters::TABLE.len()] {
        std::array::from_fn(|index| self.get(Self::TABLE[index].name).expect("in the table"))
    }

    /// The parameters with these values, in the order of the table.
    ///
    /// # Errors
    /// [`ParametersError`] for a value out of its range, or for too few or too many of them.
    pub fn from_values(values: &[f32]) -> Result<Parameters, ParametersError> {
        let (found, expected) = (values.len(), Self::TABLE.len());
        if found != expected {
            return Err(ParametersError::Number { found, expected });
        }
        let mut parameters = Self::DEFAULT;
        for (line, &value) in Self::TABLE.iter().zip(values) {
            parameters.set(line.name, value)?;
        }
        Ok(parameters)
    }

    /// Changes one parameter.
    ///
    /// # Errors
    /// [`ParametersError`] names the parameters there are, or the range.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), ParametersError> {
        let unknown = || ParametersError::Unknown { name: name.chars().take(40).collect() };
        let line = Self::TABLE.iter().find(|p| p.name == name).ok_or_else(unknown)?;
        if !(line.min..=line.max).contains(&value) {
            let Parameter { name, min, max, .. } = *line;
            return Err(ParametersError::Range { name, value, min, max });
        }
        *self.slot(name).ok_or_else(unknown)? = value;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_of_every_game_is_in_its_range() {
        for kind in Kind::ALL {
            let mut parameters = Parameters::of(kind);
            for line in Parameters::TABLE {
                let value = parameters.get(line.name).expect("in the table");
                assert_eq!(parameters.set(line.name, value), Ok(()), "{kind} {}", line.name);
            }
        }
    }

    #[test]
    fn more_may_be_in_flight_as_the_root_is_visited() {
        let base = Parameters::of(Kind::Go);
        let parameters = Parameters { in_flight_min: 16.0, in_flight_share: 0.125, ..base };
        assert_eq!(parameters.in_flight_max(0), 16);
        assert_eq!(parameters.in_flight_max(800), 116);
        assert_eq!(parameters.in_flight_max(u64::MAX), u32::MAX);
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        let mut parameters = Parameters::of(Kind::Go);
        let refused = parameters.set("exploration", -1.0).expect_err("negative");
        assert_eq!(
            refused.to_string(),
            "parameter exploration = -1 is out of range: expected 0 to 10"
        );
        assert!(parameters.set("exploration", f32::NAN).is_err());
        assert!(parameters.set("explore", 1.0).is_err());
    }
}
