//! The numbers that are tuned, as a file has them.

use std::collections::BTreeSet;

/// The name that no number has, since it stands for the file that a template becomes.
pub const FILE: &str = "file";

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, as `{name}` in commands and templates.
    pub name: String,
    /// Its value at the beginning.
    pub start: f64,
    /// Its bounds.
    pub bounds: [f64; 2],
    /// How far both sides stand from the middle.
    pub step: Step,
    /// Digits behind the point that it is written with.
    digits: usize,
}

/// A distance from the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Added or taken off.
    Add(f64),
    /// Multiplied or divided by; for numbers above 0 whose order of magnitude is what matters.
    Factor(f64),
}

/// A fault in a file of parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParametersError {
    /// A line that is none.
    #[error(
        "line {line}: '{text}': expected a name, a start, a least and a largest value with no more digits behind the \
         point, and a step such as 0.05 or *1.3"
    )]
    Malformed {
        /// Its number, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// A line whose numbers contradict each other.
    #[error("line {line}: {name}: {reason}")]
    Value {
        /// Its number, from 1.
        line: usize,
        /// The parameter.
        name: String,
        /// The fault.
        reason: String,
    },
    /// No line.
    #[error("the file holds no parameter")]
    Empty,
}

impl Parameter {
    /// Reads a file: `NAME START LEAST LARGEST STEP` a line; a step with a `*` before it is a factor. What follows a
    /// `#` is for people. A number is written with as many digits behind the point as its start has.
    ///
    /// # Errors
    /// [`ParametersError`] with the line.
    pub fn read(text: &str) -> Result<Vec<Parameter>, ParametersError> {
        let mut found: Vec<Parameter> = Vec::new();
        let mut names = BTreeSet::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let parameter = Parameter::of_line(text).ok_or_else(|| ParametersError::Malformed {
                line,
                text: text.chars().take(60).collect(),
            })?;
            let name = parameter.name.clone();
            let fault = |reason: &str| {
                let (name, reason) = (name.clone(), reason.to_owned());
                ParametersError::Value { line, name, reason }
            };
            parameter.check().map_err(fault)?;
            if !names.insert(name.clone()) {
                return Err(fault("it is there already: expected each name once"));
            }
            found.push(parameter);
        }
        if found.is_empty() { Err(ParametersError::Empty) } else { Ok(found) }
    }

    fn of_line(text: &str) -> Option<Parameter> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[name, start, least, largest, step] = words.as_slice() else { return None };
        let number = |word: &str| word.parse().ok().filter(|it: &f64| it.is_finite());
        let step = match step.strip_prefix('*') {
            Some(factor) => Step::Factor(number(factor)?),
            None => Step::Add(number(step)?),
        };
        let digits = |word: &str| word.split_once('.').map_or(0, |(_, digits)| digits.len());
        // Digits are counted: no number is written as 1e-3, and no bound finer than the start.
        let is_plain = |word: &&str| !word.contains(['e', 'E']);
        let own = digits(start);
        if ![start, least, largest].iter().all(is_plain) || own < digits(least).max(digits(largest))
        {
            return None;
        }
        let name = name.to_owned();
        let bounds = [number(least)?, number(largest)?];
        Some(Parameter { name, start: number(start)?, bounds, step, digits: own })
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        if !self.name.chars().all(is_word) || self.name == FILE {
            return Err("expected a name of letters, digits, '_' and '-' that is not 'file'");
        }
        let [least, largest] = self.bounds;
        if !(least..=largest).contains(&self.start) || least >= largest {
            return Err("expected a start between the least and the largest value");
        }
        match self.step {
            Step::Add(step) if step < 0.1_f64.powi(self.digits as i32) * 0.999 => Err(
                "expected a step of one in the last digit of its start at least: write the start with more digits",
            ),
            Step::Factor(factor) if factor <= 1.0 => Err("expected a factor above 1"),
            Step::Factor(_) if least <= 0.0 => {
                Err("expected a least value above 0, since its step is a factor")
            }
            _ => Ok(()),
        }
    }

    /// The value so many steps from another, within the bounds.
    pub fn moved(&self, from: f64, steps: f64) -> f64 {
        let moved = match self.step {
            Step::Add(step) => from + steps * step,
            Step::Factor(factor) => from * factor.powf(steps),
        };
        let [least, largest] = self.bounds;
        moved.clamp(least, largest)
    }

    /// All that its line says, in one form.
    pub fn line(&self) -> String {
        let [start, least, largest] =
            [self.start, self.bounds[0], self.bounds[1]].map(|it| self.text(it));
        let step = match self.step {
            Step::Add(step) => step.to_string(),
            Step::Factor(factor) => format!("*{factor}"),
        };
        format!("{} {start} {least} {largest} {step}", self.name)
    }

    /// A value as the engine reads it.
    pub fn text(&self, value: f64) -> String {
        format!("{value:.*}", self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_line_for_each_number() {
        let text =
            "# for people\nL3 1500 1 100000 *1.35 # three\n\nc 0.45 0.1 2 0.05\nd 0.0 -9 9 0.1\n";
        let found = Parameter::read(text).expect("parameters");
        assert_eq!((found[0].name.as_str(), found[0].step), ("L3", Step::Factor(1.35)));
        assert_eq!(found[0].text(1500.4), "1500");
        assert_eq!(found[0].line(), "L3 1500 1 100000 *1.35");
        assert_eq!(found[1].line(), "c 0.45 0.10 2.00 0.05");
        let again: Vec<String> = found.iter().map(Parameter::line).collect();
        assert_eq!(Parameter::read(&again.join("\n")).expect("parameters"), found);
        assert_eq!((found[1].text(0.4567), found[1].step), ("0.46".to_owned(), Step::Add(0.05)));
    }

    #[test]
    fn numbers_move_by_their_steps_and_stay_within_their_bounds() {
        let found = Parameter::read("a 100 1 150 *1.2\nb 5.0 0 6 0.5").expect("parameters");
        assert!((found[0].moved(100.0, 2.0) - 144.0).abs() < 1e-9);
        assert!((found[0].moved(144.0, -2.0) - 100.0).abs() < 1e-9);
        assert_eq!((found[0].moved(100.0, 9.0), found[1].moved(5.0, -1.0)), (150.0, 4.5));
        assert_eq!((found[1].moved(5.0, 9.0), found[1].moved(5.0, -99.0)), (6.0, 0.0));
    }

    #[test]
    fn a_line_that_cannot_be_used_is_refused_with_its_number() {
        let refused = |text: &str| Parameter::read(text).expect_err("refused").to_string();
        assert!(
            refused("a 1.0 0 2 0.1\nb 1 2 3").starts_with("line 2: 'b 1 2 3': expected a name")
        );
        assert!(refused("a x 0 2 0.1").starts_with("line 1: 'a x 0 2 0.1': expected"));
        assert!(refused("a 3 0 2 0.1").contains("a: expected a start between"));
        assert!(refused("a 1 0 2 0").contains("a step of one in the last digit"));
        assert!(refused("a 5 0 9 0.1").contains("write the start with more digits"));
        assert!(refused("a 1e-3 0 1 0.1").contains("line 1: 'a 1e-3 0 1 0.1': expected a name"));
        assert!(refused("a 1 0.5 9 1").contains("with no more digits behind the point"));
        assert!(refused("a 1 1 2 *1").contains("a factor above 1"));
        assert!(refused("a 1 0 2 *2").contains("a least value above 0"));
        assert!(refused("{a} 1 0 2 1").contains("expected a name of letters"));
        assert!(refused("file 1 0 2 1").contains("that is not 'file'"));
        assert!(refused("a 1 0 2 1\na 1 0 2 1").starts_with("line 2: a: it is there already"));
        assert_eq!(refused("# nothing"), "the file holds no parameter");
    }
}
