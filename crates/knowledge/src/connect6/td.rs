//! The network 64-18-1 of S10: how many shapes of eight kinds each side has, and from that the chance that
//! Black wins.
//!
//! It does not see whose turn it is, as the source has it, and its view never flips.
//!
//! # Source
//! S10. The document does not say which 8 of the 14 shapes are seen; here those between one stone and six that
//! tell most: [`SEEN`].

use banyan_games::connect6::Connect6;
use banyan_games::game::Game as _;
use banyan_games::types::Color;

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::line::LOGIT;

use super::patterns::Pattern;
use super::value::shapes;

/// The shapes that are seen.
const SEEN: [Pattern; 8] = [
    Pattern::L5,
    Pattern::L4,
    Pattern::D4,
    Pattern::L3,
    Pattern::S3,
    Pattern::D3,
    Pattern::L2,
    Pattern::D2,
];

/// Units a shape and side: one for each count, 0 to 2, and one for 3 and more.
const UNITS: usize = 4;

/// Inputs: Black's shapes, then White's.
pub const INPUTS: usize = 2 * SEEN.len() * UNITS;

/// Units between.
pub const HIDDEN: usize = 18;

/// The inputs of a position that are 1; the others are 0.
pub type Inputs = [usize; 2 * SEEN.len()];

/// Counts the shapes of each kind that each side has, Black first, in the order of their names.
pub fn shape_counts(position: &Connect6) -> [[u32; Pattern::COUNT]; 2] {
    let mut counts = [[0; Pattern::COUNT]; 2];
    for line in position.lines() {
        let [black, white] = line.stones;
        for (counts, stones) in counts.iter_mut().zip([(black, white), (white, black)]) {
            shapes(stones, line.length, &mut |pattern| counts[pattern as usize] += 1);
        }
    }
    counts
}

/// The inputs of a position.
pub fn inputs(position: &Connect6) -> Inputs {
    let counts = shape_counts(position);
    std::array::from_fn(|at| {
        let count = counts[at / SEEN.len()][SEEN[at % SEEN.len()] as usize];
        at * UNITS + (count as usize).min(UNITS - 1)
    })
}

/// The same with colours swapped.
pub fn swapped(inputs: &Inputs) -> Inputs {
    let half = SEEN.len();
    std::array::from_fn(|at| match at < half {
        true => inputs[at + half] - half * UNITS,
        false => inputs[at - half] + half * UNITS,
    })
}

/// Outputs of the units for a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Said {
    /// The hidden units, each in 0..1.
    pub hidden: [f64; HIDDEN],
    /// The chance that Black wins, in 0..1.
    pub chance: f64,
}

/// Numbers that a network has: for each hidden unit its weights by input, then its bias; then the output's
/// weights by hidden unit, and its bias.
pub const WEIGHTS: usize = HIDDEN * (INPUTS + 1) + HIDDEN + 1;

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// See [`WEIGHTS`].
    pub weights: Box<[f64]>,
}

/// Start of the output's weights.
const OUTPUT: usize = HIDDEN * (INPUTS + 1);

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

impl Network {
    /// Evaluates a position with these inputs.
    pub fn said(&self, inputs: &Inputs) -> Said {
        let hidden = std::array::from_fn(|unit| {
            let row = &self.weights[unit * (INPUTS + 1)..][..INPUTS + 1];
            sigmoid(row[INPUTS] + inputs.iter().map(|&at| row[at]).sum::<f64>())
        });
        let row = &self.weights[OUTPUT..];
        let sum: f64 = hidden.iter().zip(row).map(|(unit, weight)| unit * weight).sum();
        Said { hidden, chance: sigmoid(sum + row[HIDDEN]) }
    }

    /// Adds the slope of the output by each weight to `slopes`.
    ///
    /// With s = y(1 − y): s by the output's bias, s·h by its weights, s·v·h(1 − h) by a hidden bias and by the
    /// weights of inputs that are 1.
    ///
    /// # Source
    /// S10.
    pub fn add_slopes(&self, inputs: &Inputs, slopes: &mut [f64]) {
        let Said { hidden, chance } = self.said(inputs);
        let s = chance * (1.0 - chance);
        slopes[OUTPUT + HIDDEN] += s;
        for (unit, h) in hidden.into_iter().enumerate() {
            slopes[OUTPUT + unit] += s * h;
            let slope = s * self.weights[OUTPUT + unit] * h * (1.0 - h);
            let row = &mut slopes[unit * (INPUTS + 1)..][..INPUTS + 1];
            row[INPUTS] += slope;
            inputs.iter().for_each(|&at| row[at] += slope);
        }
    }

    /// Reads [`HEADER`] and as many numbers as there are [`WEIGHTS`]; `%` begins a remark.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn read(text: &str) -> Result<Network, NetworkError> {
        let lines = text.lines().filter(|line| !line.starts_with('%') && line.trim() != HEADER);
        let words = lines.flat_map(str::split_whitespace);
        let number = |word: &str| {
            let number = word.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| NetworkError::Number(word.chars().take(40).collect()))
        };
        let weights = words.map(number).collect::<Result<Box<[f64]>, _>>()?;
        match weights.len() {
            WEIGHTS => Ok(Network { weights }),
            found => Err(NetworkError::Count(found)),
        }
    }

    /// The text that [`Network::read`] reads, a line for each unit.
    pub fn text(&self) -> String {
        let (rows, output) = self.weights.split_at(OUTPUT);
        let line = |row: &[f64]| {
            row.iter().map(|weight| format!("{weight:.6}")).collect::<Vec<_>>().join(" ")
        };
        let lines: Vec<String> = rows.chunks(INPUTS + 1).chain([output]).map(line).collect();
        format!("{HEADER}\n{}\n", lines.join("\n"))
    }
}

/// The first word of a file with a network.
pub const HEADER: &str = "connect6-td-64-18-1";

/// A text that holds no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Not a number.
    #[error("'{0}' is no number")]
    Number(String),
    /// Too many, or too few.
    #[error("{WEIGHTS} weights expected, found {0}")]
    Count(usize),
}

/// The evaluation by a network.
#[derive(Debug)]
pub(super) struct Td {
    network: Network,
    digest: Digest,
}

const NAME: &str = "td";

impl Td {
    /// By this network, read from this text.
    pub fn read(text: &str) -> Result<Td, NetworkError> {
        let digest = Digest::EMPTY.and(text.as_bytes()).and(NAME.as_bytes());
        Ok(Td { network: Network::read(text)?, digest })
    }

    /// By the network that comes along.
    pub fn built_in() -> Td {
        Td::read(include_str!("td.txt")).expect("a test reads it")
    }
}

impl Evaluation<Connect6> for Td {
    fn name(&self) -> &str {
        NAME
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn scale(&self) -> f32 {
        LOGIT
    }

    /// The log-odds of the output, for the side to move.
    fn value(&self, position: &Connect6) -> i32 {
        let chance = self.network.said(&inputs(position)).chance.clamp(1e-9, 1.0 - 1e-9);
        let black = f64::from(LOGIT) * libm::log(chance / (1.0 - chance));
        let black = libm::round(black) as i32;
        if position.side_to_move() == Color::Black { black } else { -black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::connect6::Connect6Rules;

    fn network(weight: impl Fn(usize) -> f64) -> Network {
        Network { weights: (0..WEIGHTS).map(weight).collect() }
    }

    #[test]
    fn counts_of_shapes_are_one_hot() {
        let rules = Connect6Rules::new(19).expect("a size");
        let stones = ["h8 i8 j8", "a1 c1"];
        let position = Connect6::with_stones(&rules, stones, Color::White).expect("free points");
        let inputs = inputs(&position);
        let unit = |side: usize, shape: Pattern| {
            let at = side * SEEN.len() + SEEN.iter().position(|&it| it == shape).expect("seen");
            inputs[at] - at * UNITS
        };
        assert_eq!((unit(0, Pattern::L3), unit(1, Pattern::L3)), (1, 0));
        assert_eq!((unit(0, Pattern::D2), unit(1, Pattern::D2)), (0, 1));
        assert_eq!((INPUTS, HIDDEN, inputs.len()), (64, 18, 16));
        let again = swapped(&swapped(&inputs));
        assert_eq!(again, inputs);
        let turned = Connect6::with_stones(&rules, ["a1 c1", "h8 i8 j8"], Color::White);
        assert_eq!(super::inputs(&turned.expect("free points")), swapped(&inputs));
    }

    #[test]
    fn what_a_small_network_says_is_what_a_hand_computes() {
        // Only the first hidden unit sees something: its bias is 0.5, and the first input that is 1 adds 1.
        let inputs: Inputs = std::array::from_fn(|at| at * UNITS);
        let network = network(|at| match at {
            0 => 1.0,
            INPUTS => 0.5,
            OUTPUT => 2.0,
            at if at == OUTPUT + HIDDEN => -1.0,
            _ => 0.0,
        });
        let said = network.said(&inputs);
        let h = 1.0 / (1.0 + (-1.5f64).exp());
        assert!((said.hidden[0] - h).abs() < 1e-12 && (said.hidden[1] - 0.5).abs() < 1e-12);
        let y = 1.0 / (1.0 + (1.0 - 2.0 * h).exp());
        assert!((said.chance - y).abs() < 1e-12);
        let mut slopes = vec![0.0; WEIGHTS];
        network.add_slopes(&inputs, &mut slopes);
        let s = y * (1.0 - y);
        for (at, expected) in [
            (OUTPUT + HIDDEN, s),
            (OUTPUT, s * h),
            (OUTPUT + 1, s * 0.5),
            (INPUTS, s * 2.0 * h * (1.0 - h)),
            (0, s * 2.0 * h * (1.0 - h)),
            (1, 0.0),
        ] {
            assert!((slopes[at] - expected).abs() < 1e-12, "{at}: {} {expected}", slopes[at]);
        }
    }

    #[test]
    fn slopes_are_those_of_small_changes() {
        let network = network(|at| ((at * 37 % 101) as f64 - 50.0) / 60.0);
        let inputs: Inputs = std::array::from_fn(|at| at * UNITS + at % UNITS);
        let mut slopes = vec![0.0; WEIGHTS];
        network.add_slopes(&inputs, &mut slopes);
        for at in [0, 5, INPUTS, 3 * (INPUTS + 1) + 9, OUTPUT + 4, OUTPUT + HIDDEN] {
            let mut changed = network.clone();
            changed.weights[at] += 1e-6;
            let slope = (changed.said(&inputs).chance - network.said(&inputs).chance) / 1e-6;
            assert!((slope - slopes[at]).abs() < 1e-6, "{at}: {slope} {}", slopes[at]);
        }
    }

    #[test]
    fn a_network_is_read_as_it_was_written_and_others_are_refused_in_words() {
        let network = network(|at| (at % 7) as f64 / 4.0);
        assert_eq!(Network::read(&network.text()), Ok(network.clone()));
        let refused = |text: &str| Network::read(text).expect_err("none").to_string();
        assert_eq!(refused("1 2 3"), "1189 weights expected, found 3");
        assert_eq!(refused(&network.text().replacen("0.250000", "x", 1)), "'x' is no number");
        assert_eq!(Td::built_in().name(), "td");
    }
}
