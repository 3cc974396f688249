//! Numbers in clauses: whole ones of 64 bits and those with a fraction.

use std::cmp::Ordering;

use crate::bindings::Bindings;
use crate::term::{Term, shorten};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
}

/// Operations within each other, count; beyond, an expression has no value.
const NESTED_MAX: usize = 1000;

impl Number {
    /// The number as a term.
    pub fn term(self) -> Term {
        match self {
            Number::Integer(number) => Term::Integer(number),
            Number::Real(number) => Term::Real(number),
        }
    }

    fn real(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Real(number) => number,
        }
    }

    /// Compares two numbers; nothing where one of them is none.
    pub fn compared(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Integer(one), Number::Integer(other)) => Some(one.cmp(&other)),
            _ => self.real().partial_cmp(&other.real()),
        }
    }
}

/// The value of an expression.
///
/// # Errors
/// In words: a variable without a value, something that is no number, an operation without a result.
pub fn evaluate(bindings: &Bindings, term: &Term) -> Result<Number, String> {
    evaluate_within(bindings, term, NESTED_MAX)
}

fn evaluate_within(bindings: &Bindings, term: &Term, levels: usize) -> Result<Number, String> {
    if levels == 0 {
        return Err(format!("operations are nested more than {NESTED_MAX} deep"));
    }
    // Few bindings may stand for an expression that takes ages.
    if !bindings.may_compare() {
        return Err("it has too many operations".to_owned());
    }
    let inner = |term: &Term| evaluate_within(bindings, term, levels - 1);
    match bindings.walk(term) {
        Term::Integer(number) => Ok(Number::Integer(number)),
        Term::Real(number) => Ok(Number::Real(number)),
        Term::Variable(_) => Err("a variable in it has no value yet".to_owned()),
        Term::Compound(name, arguments) => match &*arguments {
            [one] => one_number(&name, inner(one)?),
            [one, other] => two_numbers(&name, inner(one)?, inner(other)?),
            _ => {
                let told = shorten(bindings.resolve(term).to_string());
                Err(format!("`{told}` is no number"))
            }
        },
    }
}

fn one_number(name: &str, number: Number) -> Result<Number, String> {
    let out_of_range = || "the value is out of range".to_owned();
    let whole = |value: f64| {
        let fits = value.abs() < i64::MAX as f64;
        fits.then_some(Number::Integer(value as i64)).ok_or_else(out_of_range)
    };
    match (name, number) {
        ("-", Number::Integer(it)) => {
            it.checked_neg().map(Number::Integer).ok_or_else(out_of_range)
        }
        ("-", Number::Real(it)) => Ok(Number::Real(-it)),
        ("+", it) => Ok(it),
        ("abs", Number::Integer(it)) => {
            it.checked_abs().map(Number::Integer).ok_or_else(out_of_range)
        }
        ("abs", Number::Real(it)) => Ok(Number::Real(it.abs())),
        ("sqrt", it) if it.real() >= 0.0 => Ok(Number::Real(it.real().sqrt())),
        ("sqrt", _) => Err("a negative number has no square root".to_owned()),
        // Not every whole number of 64 bits is one with a fraction.
        ("floor" | "ceiling" | "round", it @ Number::Integer(_)) => Ok(it),
        ("floor", it) => whole(it.real().floor()),
        ("ceiling", it) => whole(it.real().ceil()),
        ("round", it) => whole(it.real().round()),
        _ => Err(format!("there is no function {name}/1")),
    }
}

fn two_numbers(name: &str, one: Number, other: Number) -> Result<Number, String> {
    match (one, other) {
        (Number::Integer(one), Number::Integer(other)) => two_integers(name, one, other),
        (one, other) => two_reals(name, one.real(), other.real()),
    }
}

fn two_integers(name: &str, one: i64, other: i64) -> Result<Number, String> {
    let zero = ["/", "//", "mod", "rem"].contains(&name) && other == 0;
    if zero {
        return Err("division by zero".to_owned());
    }
    let value = match name {
        "+" => one.checked_add(other),
        "-" => one.checked_sub(other),
        "*" => one.checked_mul(other),
        // As in most Prologs: whole where it comes out even.
        "/" if other != -1 && one.checked_rem(other) != Some(0) => {
            return Ok(Number::Real(one as f64 / other as f64));
        }
        "/" | "//" => one.checked_div(other),
        // The sign is the divisor's.
        "mod" => one.checked_rem(other).map(|rest| match rest != 0 && (rest < 0) != (other < 0) {
            true => rest + other,
            false => rest,
        }),
        "rem" => one.checked_rem(other),
        "min" => Some(one.min(other)),
        "max" => Some(one.max(other)),
        "**" | "^" if other >= 0 => {
            u32::try_from(other).ok().and_then(|other| one.checked_pow(other))
        }
        "**" | "^" => return two_reals(name, one as f64, other as f64),
        _ => return Err(format!("there is no function {name}/2")),
    };
    value.map(Number::Integer).ok_or_else(|| "the value is out of range".to_owned())
}

fn two_reals(name: &str, one: f64, other: f64) -> Result<Number, String> {
    let value = match name {
        "+" => one + other,
        "-" => one - other,
        "*" => one * other,
        "/" if other == 0.0 => return Err("division by zero".to_owned()),
        "/" => one / other,
        "min" => one.min(other),
        "max" => one.max(other),
        "**" | "^" => one.powf(other),
        "//" | "mod" | "rem" => return Err(format!("{name}/2 takes whole numbers")),
        _ => return Err(format!("there is no function {name}/2")),
    };
    match value.is_finite() {
        true => Ok(Number::Real(value)),
        false => Err("the value is out of range".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::Goal;
    use crate::theory::read_query;

    fn value(text: &str) -> Result<Number, String> {
        let query = read_query(&format!("x is {text}")).expect("a goal");
        let Goal::Call(term) = &query.goals[0].goal else { panic!("a comparison") };
        evaluate(&Bindings::within(1_000), &term.parts().expect("is/2").1[1])
    }

    #[test]
    fn expressions_have_the_values_that_prolog_gives_them() {
        for (text, expected) in [
            ("2 + 3 * 4", Number::Integer(14)),
            ("(2 + 3) * 4", Number::Integer(20)),
            ("10 - 3 - 2", Number::Integer(5)),
            ("2 * 0.25", Number::Real(0.5)),
            ("7 / 2", Number::Real(3.5)),
            ("8 / 2", Number::Integer(4)),
            ("-7 // 2", Number::Integer(-3)),
            ("-7 mod 2", Number::Integer(1)),
            ("2 ^ 3 ^ 2", Number::Integer(512)),
            ("- (3)", Number::Integer(-3)),
            ("max(2, abs(-5))", Number::Integer(5)),
            ("floor(-2.5)", Number::Integer(-3)),
            ("floor(9007199254740993)", Number::Integer(9_007_199_254_740_993)),
            ("ceiling(-9007199254740993)", Number::Integer(-9_007_199_254_740_993)),
            ("round(9223372036854775807)", Number::Integer(i64::MAX)),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, expected) in [
            ("1 / 0", "division by zero"),
            ("X + 1", "no value yet"),
            ("red", "`red` is no number"),
            ("9223372036854775807 + 1", "out of range"),
            ("(-9223372036854775807 - 1) / -1", "out of range"),
            ("7.5 mod 2", "whole numbers"),
            ("half(3)", "half/1"),
        ] {
            let why = value(text).expect_err(text);
            assert!(why.contains(expected), "{text}: {why}");
        }
    }
}
