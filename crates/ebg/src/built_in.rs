//! Predicates that need no clause: comparisons, equality, arithmetic.

use std::cmp::Ordering;

use crate::arithmetic::evaluate;
use crate::bindings::Bindings;
use crate::term::Term;

/// Proves a literal of a built-in predicate, binding what it binds; nothing for other predicates.
///
/// # Errors
/// In words: arithmetic on what has no value.
pub fn prove(bindings: &mut Bindings, term: &Term) -> Option<Result<bool, String>> {
    let (name, arguments) = term.parts()?;
    Some(match (name, arguments) {
        ("true", []) => Ok(true),
        ("fail" | "false", []) => Ok(false),
        ("=", [one, other]) => Ok(bindings.unify(one, other)),
        ("\\=", [one, other]) => {
            let mark = bindings.mark();
            let alike = bindings.unify(one, other);
            bindings.undo(mark);
            Ok(!alike)
        }
        ("==", [one, other]) => Ok(bindings.is_same(one, other)),
        ("\\==", [one, other]) => Ok(!bindings.is_same(one, other)),
        ("is", [left, right]) => {
            evaluate(bindings, right).map(|value| bindings.unify(left, &value.term()))
        }
        (_, [left, right]) => {
            let holds = comparison(name)?;
            let numbers = evaluate(bindings, left)
                .and_then(|left| evaluate(bindings, right).map(|right| (left, right)));
            numbers.map(|(left, right)| left.compared(right).is_some_and(holds))
        }
        _ => return None,
    })
}

fn comparison(name: &str) -> Option<fn(Ordering) -> bool> {
    Some(match name {
        "<" => Ordering::is_lt,
        ">" => Ordering::is_gt,
        "=<" => Ordering::is_le,
        ">=" => Ordering::is_ge,
        "=:=" => Ordering::is_eq,
        "=\\=" => Ordering::is_ne,
        _ => return None,
    })
}
