//! Every number that tunes the search: default, domain, meaning, source, in one table.

mod domain;

use domain::Domain::{Count, Limit, Real, Share, Switch};
pub use domain::{Domain, Setting};

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name on the command line: `--set NAME=VALUE`.
    pub name: &'static str,
    /// Its values.
    pub domain: Domain,
    /// Its effect, its unit, and where it comes from.
    pub meaning: &'static str,
}

macro_rules! parameters {
    ($($name:ident: $setting:ty = $default:expr, $domain:expr, $meaning:literal;)*) => {
        /// The tuning of one search. Built by [`Parameters::of`], changed by [`Parameters::set`].
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Parameters {
            $(#[doc = $meaning] pub $name: $setting,)*
        }

        impl Parameters {
            /// Name, domain and meaning of each parameter.
            pub const TABLE: &[Parameter] = &[
                $(Parameter { name: stringify!($name), domain: $domain, meaning: $meaning },)*
            ];

            /// The values of a game that says nothing of its own.
            pub const DEFAULT: Parameters = Parameters { $($name: $default,)* };

            /// The values as numbers, in the order of the table.
            pub fn values(&self) -> [f32; Parameters::TABLE.len()] {
                [$(self.$name.number(),)*]
            }

            /// Changes the parameter of this name in the table to a number of its domain.
            fn put(&mut self, name: &str, number: f32) {
                $(if name == stringify!($name) {
                    self.$name = Setting::of_number(number);
                })*
            }
        }
    };
}

parameters! {
    exploration: f32 = 0.4, Real { min: 0.0, max: 10.0 },
        "Factor before the square root of the UCB term; value units. Source: Kocsis & Szepesvári 2006.";
    first_play_urgency: f32 = 1.0, Real { min: 0.0, max: 100.0 },
        "Value of a child without visits, in place of an infinite one. Source: Wang & Gelly 2007.";
    rave_equivalence: f32 = 1000.0, Real { min: 0.0, max: 1_000_000.0 },
        "Visits of a child at which its own value weighs as much as its AMAF value, where that has many \
         more; 0 turns RAVE off. In Go of 9x9, and times the square of (points / 81) on larger boards. \
         Source: Gelly & Silver 2011; matches for the boards, docs/experiments/go.md.";
    expand_after: u32 = 2, Count { min: 1, max: 1_000_000 },
        "Visits of a leaf, with those in flight, before it gets children. Source: S1; a match of 4 against 1 \
         showed no difference, docs/experiments/go.md.";
    prior_visits: f32 = 0.0, Real { min: 0.0, max: 10_000.0 },
        "AMAF playouts that a game's opinion of a move counts for, where the game has one; without \
         rave_equivalence it is not heard. In Go of 9x9, and times points / 81 on larger boards. \
         Source: Gelly & Silver 2007 for the idea; matches for the value, docs/experiments/go.md.";
    prior_sharpness: f32 = 0.5, Real { min: 0.0, max: 4.0 },
        "Exponent of a move's weight over the mean of all, w: its prior value is w^s / (w^s + 1). \
         Source: matches, docs/experiments/go.md.";
    prior_widening: f32 = 0.0, Real { min: 0.0, max: 1_000_000.0 },
        "Progressive widening: a move w times as likely as the mean of its siblings waits until its node has \
         this / w visits; 0 for all at once. Source: Coulom 2007 for the idea; matches, docs/experiments/go.md.";
    prior_criticality: f32 = 0.0, Real { min: 0.0, max: 20.0 },
        "Go on more than 9x9: a move is likelier by e to the power of this times the criticality of its point, \
         the covariance of holding it at the end and winning; 0 for none. \
         Source: Coulom 2009 for the idea; matches, docs/experiments/go.md.";
    prior_settled: f32 = 0.0, Real { min: 0.0, max: 20.0 },
        "Go on more than 9x9: a move is less likely by e to the power of this times how sure it is who holds \
         its point at the end; 0 for none. Source: matches, docs/experiments/go.md.";
    life_nodes: u32 = 1000, Count { min: 0, max: 10_000 },
        "Go of 9x9 and less: positions that a search for life and death looks into at the root, so that moves \
         by which a chain lives or dies have the highest prior; 0 for none. \
         Source: S5; matches, docs/experiments/go.md.";
    vital_prior: f32 = 0.0, Share { min: 0.0, max: 1.0 },
        "Go where a network judges: the least prior of the root's moves by which a chain lives or dies, as far \
         as life_nodes positions prove it; 0 does not look for them. Source: S5; a match, docs/experiments/go.md.";
    virtual_loss: f32 = 0.1, Real { min: 0.0, max: 100.0 },
        "Provisional losses on a node with T playouts in flight: this times the square root of T. \
         Source: Segal 2010 for the idea; by matches 0 plays as well and 1 far worse, \
         docs/experiments/cluster.md.";
    in_flight_share: f32 = 0.0625, Share { min: 0.001, max: 1.0 },
        "Playouts in flight through the root, as a share of its visits. The floor in_flight_min \
         comes on top. Matches of an eighth against a 32nd and a 64th showed no difference, \
         docs/experiments/cluster.md.";
    subtree_share: f32 = 0.0078, Share { min: 0.00001, max: 1.0 },
        "Playouts of a subtree batch, as a share of the root's visits.";
    subtree_leaf: u32 = 4, Count { min: 1, max: 256 },
        "A node with fewer visits than this many times a subtree batch's playouts is its leaf.";
    leaf_plies: Option<u32> = None, Limit { max: 1000 },
        "Plies of a playout before the position is evaluated instead, in games with an evaluation: 0 \
         evaluates the leaf itself, -1 plays to the end. --leaf sets it. Source: S4.";
    implicit_minimax: f32 = 0.0, Share { min: 0.0, max: 1.0 },
        "Share of a node's value that is minimax over the evaluations of the leaves below it, in games with \
         an evaluation; the rest is the mean of its playouts. Source: Lanctot et al. 2014 for the idea; \
         matches for the value, docs/experiments/search.md.";
    proof_nodes: u32 = 0, Count { min: 0, max: 10_000 },
        "Positions that whoever grows a batch looks into to prove a leaf that is met again: wins by threats \
         in games of lines, the end of Othello; 0 for none. Source: S4; matches, docs/experiments/search.md.";
    solver: bool = true, Switch,
        "1 carries the end of a game up the tree as a proof, as far as it decides (MCTS-Solver); 0 counts it \
         as one more playout. Source: Winands et al. 2008; matches, docs/experiments/go.md.";
    turn_transpositions: bool = false, Switch,
        "1 gives a pair of stones one place in the tree, where a turn is two plies that may be played in \
         any order; 0 gives it one for each order. Source: matches, docs/strength.md.";
    lambda: f32 = 0.0, Share { min: 0.0, max: 1.0 },
        "Share of evaluations in a node's value, the rest is that of playouts: 0 asks no evaluator, 1 plays \
         nothing out, and a visit is an evaluation. --evaluator and --lambda set it. \
         Source: Silver et al. 2016 for the idea.";
    puct: bool = false, Switch,
        "1 chooses children by PUCT, 0 by RAVE. --selection sets it. Source: Silver et al. 2017.";
    puct_exploration: f32 = 0.45, Real { min: 0.0, max: 10.0 },
        "PUCT: factor of prior times the square root of the parent's visits over the child's; value units. \
         Source: Silver et al. 2017 for the idea; matches of 0.3, 0.4, 0.6 and 1.0, docs/experiments/go.md.";
    puct_growth: f32 = 0.2, Real { min: 0.0, max: 10.0 },
        "PUCT: the factor grows by this times the logarithm of the parent's visits over 500, and one. \
         Source: Silver et al. 2018 for the idea.";
    puct_reduction: f32 = 0.1, Real { min: 0.0, max: 10.0 },
        "PUCT: a child without visits is worth what its parent is, less this times the square root of the \
         priors of those with visits; value units. Source: Wu 2019; matches, docs/experiments/search.md.";
    puct_least: f32 = 0.0, Real { min: 0.0, max: 0.05 },
        "PUCT where nothing is played out: a move with a smaller prior is none of a node's children until the node \
         has (0.05 / this)² visits, or all others are proven; the root has every move, and 0 leaves out none. \
         Source: the least exploration term that counts; a match, docs/experiments/search.md.";
    gumbel_visits: u32 = 0, Count { min: 0, max: 10_000 },
        "A search of at most so many evaluations plans the root's: the 16 likeliest moves, and of these the \
         better half again and again; 0 leaves them to the selection, as --reproducible does. \
         Source: Danihelka et al. 2022; matches, docs/experiments/go.md.";
    exclude_bad: bool = false, Switch,
        "Go: 1 takes out of a node's children what reads as bad: a self-atari of several stones that wins nothing, \
         a stone for a chain in atari that is lost all the same, one in an own eye space where it decides nothing. \
         Source: S4; matches, docs/experiments/go.md.";
    in_flight_min: u32 = 16, Count { min: 1, max: 1_000_000 },
        "Playouts that may always be in flight, however few visits the root has; count.";
}

/// Old names that are understood for one release, each with the new one.
const ALIASES: &[(&str, &str)] = &[
    ("pairs_once", "turn_transpositions"),
    ("grown_share", "subtree_share"),
    ("grown_leaf", "subtree_leaf"),
];

/// Ways to value leaves.
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
    pub(crate) const MIXED_PLIES: u32 = 6;

    /// The parameter `leaf_plies` that says so.
    fn leaf_plies(self) -> Option<u32> {
        match self {
            Valuing::Playout => None,
            Valuing::Evaluate => Some(0),
            Valuing::Mixed => Some(Valuing::MIXED_PLIES),
        }
    }
}

/// A setting that does not fit the table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParametersError {
    /// No such parameter.
    #[error("unknown parameter '{name}'{}", hint(name))]
    Unknown {
        /// The name that was asked.
        name: String,
    },
    /// Not one value for each.
    #[error("{found} parameters: expected {expected}")]
    Number {
        /// Values that there are, count.
        found: usize,
        /// Values that there should be, count.
        expected: usize,
    },
    /// No value of its domain.
    #[error("{name}={value}: expected {expected}")]
    Refused {
        /// The parameter.
        name: &'static str,
        /// The value that was asked.
        value: f32,
        /// Values that there are to choose from.
        expected: Domain,
    },
}

/// Names what may have been meant, and where all of them stand.
fn hint(name: &str) -> String {
    let names = Parameters::TABLE.iter().map(|line| line.name);
    let nearest = names.map(|other| (changes(name, other), other)).min();
    match nearest {
        Some((changes, other)) if changes <= 1 + name.chars().count() / 3 => {
            format!(": a similar one is '{other}'; `banyan params` lists them all")
        }
        _ => ": `banyan params` lists them all".to_owned(),
    }
}

/// Letters to put in, take out or exchange to make one text of the other, or to write on at its end: the
/// beginning of a name is near to it.
fn changes(typed: &str, name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (at, letter) in typed.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, &other) in name.iter().enumerate() {
            let exchanged = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.into_iter().min().unwrap_or(0)
}

impl Parameters {
    /// These parameters with leaves valued in another way.
    pub fn valued_by(self, valuing: Valuing) -> Parameters {
        Parameters { leaf_plies: valuing.leaf_plies(), ..self }
    }

    /// Tells whether a search of Go looks for moves of the root by which a chain lives or dies: where playouts
    /// judge not on large boards, where most chains decide nothing (matches).
    pub fn asks_for_vital_moves(&self, is_large: bool) -> bool {
        let Parameters { puct, vital_prior, prior_visits, life_nodes, lambda, .. } = *self;
        let listens = if puct { vital_prior > 0.0 } else { prior_visits > 0.0 };
        life_nodes > 0 && listens && (puct || (lambda == 0.0 && !is_large))
    }

    /// Tells why a parameter changes nothing beside the others; nothing where it does.
    pub fn unheard(&self, name: &str) -> Option<&'static str> {
        let (is_judged, is_all_judged) = (self.lambda > 0.0, self.lambda >= 1.0);
        let name = ALIASES.iter().find(|(old, _)| *old == name).map_or(name, |&(_, new)| new);
        let by_rave = "children are chosen by PUCT: expected --selection rave with it";
        let by_playouts = "an evaluator judges: expected --evaluator playouts with it";
        match name {
            "exploration" if self.puct => {
                Some("children are chosen by PUCT, which has puct_exploration")
            }
            "first_play_urgency" if self.puct => {
                Some("children are chosen by PUCT, which has puct_reduction")
            }
            "prior_sharpness" | "prior_widening" if self.puct => Some(by_rave),
            // Playouts beside it listen to them.
            "rave_equivalence" | "prior_visits" if self.puct && is_all_judged => Some(by_rave),
            "prior_criticality" | "prior_settled" | "implicit_minimax" | "exclude_bad"
                if is_judged =>
            {
                Some(by_playouts)
            }
            "implicit_minimax" if self.puct => Some(by_rave),
            "leaf_plies" | "expand_after" if is_all_judged => {
                Some("nothing is played out: expected --evaluator playouts with it")
            }
            "life_nodes" if self.puct && self.vital_prior == 0.0 => {
                Some("its moves have no prior: expected vital_prior above 0 with it")
            }
            "puct_exploration" | "puct_growth" | "puct_reduction" | "puct_least"
            | "vital_prior"
                if !self.puct =>
            {
                Some("children are chosen by RAVE: expected --selection puct with it")
            }
            "puct_least" | "gumbel_visits" if !is_all_judged => {
                Some("leaves are played out: expected an evaluator alone with it")
            }
            _ => None,
        }
    }

    /// Playouts that may be in flight through a root of so many visits, count.
    pub fn in_flight_max(&self, visits: u64) -> u32 {
        let share = visits as f64 * f64::from(self.in_flight_share);
        (f64::from(self.in_flight_min) + share) as u32
    }

    /// Playouts of a subtree batch in a tree whose root has so many visits, count.
    pub fn grown_max(&self, visits: u64) -> f64 {
        visits as f64 * f64::from(self.subtree_share)
    }

    /// The parameters with these values, in the order of the table.
    ///
    /// # Errors
    /// [`ParametersError`] for a value outside its domain, or for too few or too many of them.
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
    /// [`ParametersError`] names the parameters there are, or what this one may be.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), ParametersError> {
        let unknown = || ParametersError::Unknown { name: name.chars().take(40).collect() };
        let alias = ALIASES.iter().find(|(old, _)| *old == name);
        let new = alias.map_or(name, |&(_, new)| new);
        let line = Self::TABLE.iter().find(|line| line.name == new).ok_or_else(unknown)?;
        if !line.domain.has(value) {
            let Parameter { name, domain: expected, .. } = *line;
            return Err(ParametersError::Refused { name, value, expected });
        }
        self.put(line.name, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Kind;

    use super::*;

    #[test]
    fn every_default_of_every_game_is_of_its_domain() {
        for kind in Kind::ALL {
            let parameters = Parameters::of(kind);
            let mut again = Parameters::DEFAULT;
            for (line, value) in Parameters::TABLE.iter().zip(parameters.values()) {
                assert_eq!(again.set(line.name, value), Ok(()), "{kind} {}", line.name);
            }
            assert_eq!(again, parameters, "{kind}");
        }
    }

    #[test]
    fn more_may_be_in_flight_as_the_root_is_visited() {
        let base = Parameters::of(Kind::Go);
        let parameters = Parameters { in_flight_min: 16, in_flight_share: 0.125, ..base };
        assert_eq!(parameters.in_flight_max(0), 16);
        assert_eq!(parameters.in_flight_max(800), 116);
        assert_eq!(parameters.in_flight_max(u64::MAX), u32::MAX);
    }

    #[test]
    fn a_value_of_another_domain_is_refused_with_what_was_expected() {
        let mut parameters = Parameters::of(Kind::Go);
        let before = parameters;
        for (name, value, expected) in [
            ("solver", 0.5, "0 or 1"),
            ("turn_transpositions", 2.0, "0 or 1"),
            ("life_nodes", 0.5, "a whole number from 0 to 10000"),
            ("leaf_plies", -0.5, "a whole number from 0 to 1000, or -1 for none"),
            ("leaf_plies", -2.0, "a whole number from 0 to 1000, or -1 for none"),
            ("implicit_minimax", 1.5, "a share from 0 to 1"),
            ("exploration", -1.0, "a number from 0 to 10"),
            ("exploration", f32::NAN, "a number from 0 to 10"),
            ("in_flight_min", f32::INFINITY, "a whole number from 1 to 1000000"),
        ] {
            let refused = parameters.set(name, value).expect_err("of another domain");
            assert_eq!(refused.to_string(), format!("{name}={value}: expected {expected}"));
        }
        assert!(parameters.set("explore", 1.0).is_err());
        assert_eq!(parameters, before);
    }

    #[test]
    fn an_unknown_name_is_refused_with_a_similar_one() {
        let refused = |name| { Parameters::DEFAULT }.set(name, 1.0).expect_err(name).to_string();
        for (name, meant) in
            [("explore", "exploration"), ("pror_visits", "prior_visits"), ("solvr", "solver")]
        {
            let words = format!("unknown parameter '{name}': a similar one is '{meant}'; ");
            assert!(refused(name).starts_with(&words), "{}", refused(name));
        }
        assert_eq!(refused("speed"), "unknown parameter 'speed': `banyan params` lists them all");
    }

    #[test]
    fn an_old_name_is_understood() {
        for &(old, new) in ALIASES {
            assert!(Parameters::TABLE.iter().any(|line| line.name == new), "{new}");
            assert!(Parameters::TABLE.iter().all(|line| line.name != old), "{old}");
        }
        let mut parameters = Parameters::DEFAULT;
        parameters.set("pairs_once", 1.0).expect("an alias");
        assert!(parameters.turn_transpositions);
    }

    #[test]
    fn numbers_that_a_search_does_not_ask_are_known() {
        let base = Parameters::of(Kind::Go);
        let judged = Parameters { lambda: 1.0, puct: true, ..base };
        let unheard = |parameters: Parameters| {
            let names = Parameters::TABLE.iter().map(|line| line.name);
            names.filter(|name| parameters.unheard(name).is_some()).collect::<Vec<_>>()
        };
        let of_playouts = [
            "exploration",
            "first_play_urgency",
            "rave_equivalence",
            "expand_after",
            "prior_visits",
            "prior_sharpness",
            "prior_widening",
            "prior_criticality",
            "prior_settled",
            "life_nodes",
            "leaf_plies",
            "implicit_minimax",
            "exclude_bad",
        ];
        assert_eq!(unheard(judged), of_playouts);
        let of_puct = [
            "vital_prior",
            "puct_exploration",
            "puct_growth",
            "puct_reduction",
            "puct_least",
            "gumbel_visits",
        ];
        assert_eq!(unheard(base), of_puct);
        let beside = Parameters { lambda: 0.0, ..judged };
        assert!(beside.unheard("prior_visits").is_none(), "criticality listens");
        assert!(base.unheard("no_such").is_none());
    }

    #[test]
    fn numbers_on_the_wire_are_the_parameters_again_or_refused() {
        let parameters = Parameters { solver: false, leaf_plies: Some(6), ..Parameters::DEFAULT };
        let mut values = parameters.values();
        assert_eq!(Parameters::from_values(&values), Ok(parameters));
        assert!(Parameters::from_values(&values[1..]).is_err());
        let solver = Parameters::TABLE.iter().position(|line| line.name == "solver");
        values[solver.expect("in the table")] = 0.5;
        assert!(Parameters::from_values(&values).is_err());
    }
}
