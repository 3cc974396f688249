//! Proofs as text, by points of a rule.

use banyan_games::Move;
use banyan_proofs::proof_number::ProofTree;

/// A proof as text: a move and, in parentheses, what follows from it: `b1 (a1: c1; pass: a1)`.
pub fn proof_text(proof: &ProofTree, name: &impl Fn(Move) -> String) -> String {
    let replies = proof.moves.iter().map(|(mv, below)| match below.is_empty() {
        true => name(*mv),
        false => format!("{} ({})", name(*mv), proof_text(below, name)),
    });
    replies.collect::<Vec<_>>().join("; ")
}

/// The name of a point of a shape: columns are letters from `a`, rows numbers from 1 at the top; a point outside
/// of it is `away`.
pub fn place_name(row: i32, column: i32) -> String {
    match u8::try_from(column) {
        Ok(column) if row >= 0 && column < 26 => {
            format!("{}{}", char::from(b'a' + column), row + 1)
        }
        _ => "away".to_owned(),
    }
}
