//! What the evaluation learned, as text and as tables.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::io::Read as _;
use std::str::FromStr;

use flate2::read::GzDecoder;

use crate::line::lines::LOOKS;

use super::head::Head;
use super::mixed::Mixed;
use super::sizes::{BOTH, CHANNELS, Row};

/// Numbers of vectors are at most so large: a point's fit in 16 bits together.
pub const NUMBER_MAX: i16 = 3_000;

/// Vectors and layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// What a point's numbers begin with.
    pub bias: [i16; CHANNELS],
    /// Vectors of what nothing else is known of, by [kind](Mixed::kind_of).
    pub kinds: Vec<Row>,
    /// Vectors of what was seen often enough, by what stands for [all that look alike](Mixed::alike).
    pub looks: BTreeMap<u16, Row>,
    /// The layers after the sums, by [number](Mixed::head).
    pub heads: Vec<Head>,
}

/// Says whose numbers follow.
const HEAD: &str = "head";

/// The line with which those of a head end.
const LAST_OF_HEAD: &str = "value";

/// A text that is no such model.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum LearnedError {
    /// It is of another game, or of another version.
    #[error("'{found}': expected '{expected}', of this game and version")]
    Title {
        /// The line that stands there.
        found: String,
        /// That of the game.
        expected: &'static str,
    },
    /// A line, of which this is the beginning, that is none of a model.
    #[error("'{0}' is no line of weights")]
    Line(String),
    /// It ends too soon.
    #[error(
        "no line '{expected}' of head {head}: expected one of each head; is the file cut short?"
    )]
    Cut {
        /// The number of the head, from 0.
        head: usize,
        /// The line that is missing.
        expected: &'static str,
    },
}

/// As much of a line as an error tells.
fn beginning(line: &str) -> String {
    line.chars().take(80).collect()
}

impl Learned {
    /// The vector of what stands around a point.
    pub fn row<G: Mixed>(&self, look: u16) -> &Row {
        self.looks.get(&G::alike(look)).unwrap_or(&self.kinds[G::kind_of(look)])
    }

    /// A line of words for each part: its name, a number where there are several, and what it holds; `%` begins a
    /// remark. Vectors are in hundredths. After `head N` come the layers of that head; of the first without.
    pub fn text<G: Mixed>(&self) -> String {
        let mut text = format!("{}\n", G::TITLE);
        let mut line = |name: &str, number: Option<usize>, words: String| {
            let number = number.map_or_else(String::new, |number| format!(" {number}"));
            writeln!(text, "{name}{number} {words}").expect("a string takes all");
        };
        line("bias", None, words(&self.bias));
        for (number, row) in self.kinds.iter().enumerate() {
            line("shape", Some(number), words(row));
        }
        for (&look, row) in &self.looks {
            line("look", Some(usize::from(look)), words(row));
        }
        for (number, head) in self.heads.iter().enumerate() {
            if number > 0 {
                line(HEAD, None, number.to_string());
            }
            let Head { first, first_bias, second, second_bias, last, direct, bias, of_shapes } =
                head;
            for (number, weights) in first.iter().enumerate() {
                line("first", Some(number), words(weights));
            }
            line("first-bias", None, words(first_bias));
            for (number, weights) in second.iter().enumerate() {
                line("second", Some(number), words(weights));
            }
            line("second-bias", None, words(second_bias));
            line("last", None, words(last));
            line("direct", None, words(direct));
            line(LAST_OF_HEAD, None, words(&[*bias, *of_shapes]));
        }
        text
    }

    /// That of this build.
    pub fn built_in<G: Mixed>() -> Learned {
        Learned::parse::<G>(&unpacked(G::PACKED)).expect("a test reads it")
    }

    /// Nothing yet: all is 0.
    fn zero<G: Mixed>() -> Learned {
        Learned {
            bias: [0; CHANNELS],
            kinds: vec![[0; BOTH]; G::KINDS],
            looks: BTreeMap::new(),
            heads: vec![Head::ZERO; G::HEADS],
        }
    }

    /// Reads such a text; what no line speaks of is 0, but each head has its last line.
    ///
    /// # Errors
    /// [`LearnedError`] names the line, or what is missing.
    pub fn parse<G: Mixed>(text: &str) -> Result<Learned, LearnedError> {
        let mut learned = Learned::zero::<G>();
        let mut lines = lines_of(text);
        let title = lines.next().unwrap_or_default();
        if title != G::TITLE {
            return Err(LearnedError::Title { found: beginning(title), expected: G::TITLE });
        }
        let (mut head, mut is_whole) = (0, vec![false; G::HEADS]);
        for line in lines {
            let read = learned.read::<G>(line, &mut head);
            read.ok_or_else(|| LearnedError::Line(beginning(line)))?;
            is_whole[head] |= line.starts_with(LAST_OF_HEAD);
        }
        match is_whole.iter().position(|is_whole| !is_whole) {
            Some(head) => Err(LearnedError::Cut { head, expected: LAST_OF_HEAD }),
            None => Ok(learned),
        }
    }

    /// - `at`: the head that layers are of, which a line may change.
    fn read<G: Mixed>(&mut self, line: &str, at: &mut usize) -> Option<()> {
        let head = &mut self.heads[*at];
        let (name, words) = line.split_once(' ')?;
        match name {
            HEAD => *at = words.parse().ok().filter(|&number| number < G::HEADS)?,
            "bias" => self.bias = small(words)?,
            "first-bias" => head.first_bias = finite(words)?,
            "second-bias" => head.second_bias = finite(words)?,
            "last" => head.last = finite(words)?,
            "direct" => head.direct = finite(words)?,
            LAST_OF_HEAD => [head.bias, head.of_shapes] = finite(words)?,
            _ => {
                let (number, words) = words.split_once(' ')?;
                let number: usize = number.parse().ok()?;
                match name {
                    "shape" => *self.kinds.get_mut(number)? = small(words)?,
                    "first" => *head.first.get_mut(number)? = finite(words)?,
                    "second" => *head.second.get_mut(number)? = finite(words)?,
                    "look" => {
                        let look = u16::try_from(number).ok().filter(|_| number < LOOKS)?;
                        let look = Some(look).filter(|&look| look == G::alike(look))?;
                        self.looks.insert(look, small(words)?);
                    }
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

/// Lines that say something.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty())
}

fn words<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// Just so many numbers.
fn numbers<T: FromStr + Copy + Default, const N: usize>(words: &str) -> Option<[T; N]> {
    let mut numbers = [T::default(); N];
    let mut words = words.split(' ');
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

fn small<const N: usize>(words: &str) -> Option<[i16; N]> {
    let is_small = |number: &i16| (-NUMBER_MAX..=NUMBER_MAX).contains(number);
    numbers(words).filter(|numbers: &[i16; N]| numbers.iter().all(is_small))
}

fn finite<const N: usize>(words: &str) -> Option<[f32; N]> {
    numbers(words).filter(|numbers: &[f32; N]| numbers.iter().all(|number| number.is_finite()))
}

/// A text that was packed by gzip and comes with the program.
fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).expect("a packed text");
    text
}

/// The same, to be looked up.
#[derive(Debug)]
pub(crate) struct Model {
    pub bias: [i16; CHANNELS],
    /// Numbers of vectors, by look.
    numbers: Box<[u16]>,
    rows: Box<[Row]>,
    pub heads: Vec<Head>,
}

impl Model {
    /// The model of a text that begins as such texts do; nothing of any other text.
    pub fn of_text<G: Mixed>(text: &str) -> Option<Result<Model, LearnedError>> {
        lines_of(text).next().filter(|title| title.starts_with("mix "))?;
        Some(Learned::parse::<G>(text).map(|learned| Model::new::<G>(&learned)))
    }

    /// The model of what was learned.
    pub fn new<G: Mixed>(learned: &Learned) -> Model {
        let Learned { bias, kinds, looks, heads } = learned;
        let rows = kinds.iter().chain(looks.values()).copied().collect();
        let mut known = vec![None; LOOKS];
        for (number, &look) in (kinds.len() as u16..).zip(looks.keys()) {
            known[usize::from(look)] = Some(number);
        }
        let numbers = (0..LOOKS as u16).map(|look| {
            let look = G::alike(look);
            *known[usize::from(look)].get_or_insert_with(|| G::kind_of(look) as u16)
        });
        Model { bias: *bias, numbers: numbers.collect(), rows, heads: heads.clone() }
    }

    /// The vectors of what stands around a point on a line, as Black sees it and as White does.
    #[inline(always)]
    pub fn rows_of(&self, looks: [u16; 2]) -> [&Row; 2] {
        looks.map(|look| &self.rows[usize::from(self.numbers[usize::from(look)])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::connect6::Connect6;
    use banyan_games::gomoku::Gomoku;

    fn written_and_read<G: Mixed>() -> Learned {
        let mut learned = Learned::zero::<G>();
        learned.bias[3] = -7;
        learned.kinds[11][31] = 3_000;
        learned.looks.insert(4, [5; BOTH]);
        for (number, head) in learned.heads.iter_mut().enumerate() {
            head.first[31][2] = 0.1;
            head.second[9][15] = -1.5e-7;
            head.of_shapes = 0.3 + number as f32;
        }
        assert_eq!(Learned::parse::<G>(&learned.text::<G>()), Ok(learned.clone()));
        assert_eq!(learned.row::<G>(4 * 3u16.pow(8)), &[5; BOTH], "mirror images are alike");
        learned
    }

    #[test]
    fn what_is_written_is_read_and_a_wrong_line_is_named() {
        let (one, two) = (written_and_read::<Gomoku>(), written_and_read::<Connect6>());
        assert_eq!((one.heads.len(), two.heads.len()), (1, 2));
        for wrong in [
            "bias 1",
            "look 59049 0",
            "look 59048 0",
            "shape 12 1",
            "head 1",
            "value 1 inf",
            "value 1 2 3",
            "nothing 1 2",
            "bias 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 3001",
        ] {
            let text = format!("% a remark\n{}\nvalue 1 2\n{wrong}\n", Gomoku::TITLE);
            let line = Err(LearnedError::Line(wrong.to_owned()));
            assert_eq!(Learned::parse::<Gomoku>(&text), line);
        }
        let look = format!("look {} {}", 4 * 3u16.pow(8), ["0"; BOTH].join(" "));
        let text = format!("{}\n{look}\n", Gomoku::TITLE);
        let said = Learned::parse::<Gomoku>(&text).expect_err("another look stands for it");
        assert_eq!(said.to_string(), format!("'{look}' is no line of weights"));
    }

    #[test]
    fn a_text_that_is_cut_short_is_refused_wherever_that_is() {
        let text = written_and_read::<Connect6>().text::<Connect6>();
        let lines: Vec<&str> = text.lines().collect();
        for kept in 1..lines.len() {
            let cut = lines[..kept].join("\n");
            let first_head_ends = lines[..kept].iter().any(|line| line.starts_with(LAST_OF_HEAD));
            let head = usize::from(first_head_ends);
            let error = Err(LearnedError::Cut { head, expected: LAST_OF_HEAD });
            assert_eq!(Learned::parse::<Connect6>(&cut), error, "{kept}");
        }
    }

    #[test]
    fn another_game_s_or_version_s_text_is_refused_by_its_title() {
        let said = |text: &str| Model::of_text::<Connect6>(text).map(|read| read.err());
        assert!(said("weights").is_none(), "no such text at all");
        assert_eq!(said(&Learned::zero::<Connect6>().text::<Connect6>()), Some(None));
        for other in ["mix 1", Gomoku::TITLE] {
            let error = LearnedError::Title { found: other.to_owned(), expected: Connect6::TITLE };
            assert_eq!(said(other), Some(Some(error)));
        }
    }
}
