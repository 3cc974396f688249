//! What the evaluation learned, as text and as tables.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::str::FromStr;

use crate::gomoku::shapes::{LOOKS, Shape, Table};
use crate::line::lines::BESIDE;

use super::head::Head;
use super::sizes::{BOTH, CHANNELS, Row};

/// The first line.
const TITLE: &str = "mix 1";

/// Numbers of vectors are at most so large: a point's fit in 16 bits together.
pub const NUMBER_MAX: i16 = 3_000;

/// Vectors and layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// What a point's numbers begin with.
    pub bias: [i16; CHANNELS],
    /// Vectors of what nothing else is known of, by the shape that a stone would make there.
    pub shapes: [Row; Shape::COUNT],
    /// Vectors of what was seen often enough, of a look and its mirror image alike: by the lesser of the two.
    pub looks: BTreeMap<u16, Row>,
    /// The layers after the sums.
    pub head: Head,
}

/// What stands around a point, seen from the other end of the line.
pub fn mirrored(look: u16) -> u16 {
    (0..BESIDE).fold((0, look), |(mirrored, left), _| (3 * mirrored + left % 3, left / 3)).0
}

/// The shape that a stone would make on a line where five or more win.
pub fn shape_of(look: u16) -> Shape {
    Table::of(true).shape_in(look)
}

impl Learned {
    /// The vector of what stands around a point.
    pub fn row(&self, look: u16) -> &Row {
        let known = self.looks.get(&look.min(mirrored(look)));
        known.unwrap_or(&self.shapes[shape_of(look) as usize])
    }

    /// A line of words for each part: its name, a number where there are several, and what it holds; `%` begins a
    /// remark. Vectors are in hundredths.
    pub fn text(&self) -> String {
        let mut text = format!("{TITLE}\n");
        let mut line = |name: &str, number: Option<usize>, words: String| {
            let number = number.map_or_else(String::new, |number| format!(" {number}"));
            writeln!(text, "{name}{number} {words}").expect("a string takes all");
        };
        line("bias", None, words(&self.bias));
        for (number, row) in self.shapes.iter().enumerate() {
            line("shape", Some(number), words(row));
        }
        for (&look, row) in &self.looks {
            line("look", Some(usize::from(look)), words(row));
        }
        let Head { first, first_bias, second, second_bias, last, direct, bias, of_shapes } =
            &self.head;
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
        line("value", None, words(&[*bias, *of_shapes]));
        text
    }

    /// Reads such a text; what no line speaks of is 0. The error is the first line that cannot be read.
    pub fn parse(text: &str) -> Result<Learned, String> {
        let mut learned = Learned {
            bias: [0; CHANNELS],
            shapes: [[0; BOTH]; Shape::COUNT],
            looks: BTreeMap::new(),
            head: Head::ZERO,
        };
        let mut lines = lines_of(text);
        let title = lines.next().unwrap_or_default();
        if title != TITLE {
            return Err(title.to_owned());
        }
        for line in lines {
            learned.read(line).ok_or(line)?;
        }
        Ok(learned)
    }

    /// Tells whether a text begins as such a text does.
    pub fn is_text(text: &str) -> bool {
        lines_of(text).next() == Some(TITLE)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let head = &mut self.head;
        let (name, words) = line.split_once(' ')?;
        match name {
            "bias" => self.bias = small(words)?,
            "first-bias" => head.first_bias = finite(words)?,
            "second-bias" => head.second_bias = finite(words)?,
            "last" => head.last = finite(words)?,
            "direct" => head.direct = finite(words)?,
            "value" => [head.bias, head.of_shapes] = finite(words)?,
            _ => {
                let (number, words) = words.split_once(' ')?;
                let number: usize = number.parse().ok()?;
                match name {
                    "shape" => *self.shapes.get_mut(number)? = small(words)?,
                    "first" => *head.first.get_mut(number)? = finite(words)?,
                    "second" => *head.second.get_mut(number)? = finite(words)?,
                    "look" => {
                        let look = u16::try_from(number).ok().filter(|_| number < LOOKS)?;
                        let look = Some(look).filter(|&look| look <= mirrored(look))?;
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

/// The same, to be looked up.
#[derive(Debug)]
pub(super) struct Model {
    pub bias: [i16; CHANNELS],
    rows: Box<[Row]>,
    pub head: Head,
}

impl Model {
    pub fn new(learned: &Learned) -> Model {
        let rows = (0..LOOKS as u16).map(|look| *learned.row(look)).collect();
        Model { bias: learned.bias, rows, head: learned.head.clone() }
    }

    /// The vectors of what stands around a point on a line, as Black sees it and as White does.
    #[inline(always)]
    pub fn rows_of(&self, looks: [u16; 2]) -> [&Row; 2] {
        looks.map(|look| &self.rows[usize::from(look)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_a_wrong_line_is_named() {
        let mut learned = Learned::parse(TITLE).expect("a title");
        learned.bias[3] = -7;
        learned.shapes[11][31] = 3_000;
        learned.looks.insert(4, [5; BOTH]);
        learned.head.first[31][2] = 0.1;
        learned.head.second[9][15] = -1.5e-7;
        learned.head.of_shapes = 0.3;
        assert_eq!(Learned::parse(&learned.text()), Ok(learned.clone()));
        assert_eq!(learned.row(4 * 3u16.pow(8)), &[5; BOTH], "mirror images are alike");
        for wrong in [
            "bias 1",
            "look 59049 0",
            "look 59048 0",
            "shape 12 1",
            "value 1 inf",
            "value 1 2 3",
            "nothing 1 2",
            "bias 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 3001",
        ] {
            let text = format!("% a remark\n{TITLE}\nvalue 1 2\n{wrong}\n");
            assert_eq!(Learned::parse(&text).expect_err(wrong), wrong);
        }
        assert_eq!(Learned::parse("mix 2\n").expect_err("another version"), "mix 2");
    }

    #[test]
    fn a_look_mirrored_twice_is_itself() {
        assert!((0..LOOKS as u16).all(|look| mirrored(mirrored(look)) == look));
        assert_eq!(mirrored(1), 3u16.pow(BESIDE as u32 - 1));
    }
}
