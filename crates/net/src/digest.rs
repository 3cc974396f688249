//! A network's identity: SHA-256 of what it is, whatever order its file has.

use sha2::{Digest as _, Sha256};
use std::fmt;

/// SHA-256 of a file's contents: of its words in the header, without the digest itself, and its tensors.
///
/// Words come first, sorted by key, then tensors, sorted by name, each with its type, its shape and its
/// bytes. Every part is preceded by its length in decimal digits and a colon, and a shape is its numbers
/// with commas between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// Sixty-four hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A digest being made.
#[derive(Default)]
pub struct Digesting(Sha256);

impl Digesting {
    /// Adds one part.
    pub fn part(&mut self, bytes: &[u8]) {
        self.0.update(format!("{}:", bytes.len()));
        self.0.update(bytes);
    }

    /// The digest of all parts.
    pub fn end(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_parts_and_their_lengths() {
        let mut digesting = Digesting::default();
        digesting.part(b"game");
        digesting.part(b"go");
        // printf '4:game2:go' | sha256sum
        assert_eq!(
            digesting.end().to_string(),
            "199babfada498fb687b4d2a5a3517c1f3e7c08905a080477a5ff7fc1f268c1c7"
        );
    }
}
