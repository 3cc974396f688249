//! The identity of what was learned: two machines may answer each other's questions where it is the same.

use std::fmt;

use banyan_games::rng::mix;

/// 64 bits that stand for the contents of a model, or of several.
///
/// Against accidents, not against attacks: whoever wants to can make two models with the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(pub u64);

impl Digest {
    /// Digest of nothing.
    pub const EMPTY: Digest = Digest(0);

    /// This and more contents; where one part ends and the next begins matters.
    pub fn and(self, bytes: &[u8]) -> Digest {
        let start = mix(self.0 ^ mix(bytes.len() as u64));
        Digest(bytes.chunks(8).fold(start, |digest, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            mix(digest ^ u64::from_le_bytes(word))
        }))
    }

    /// This and more numbers.
    pub fn and_numbers(self, numbers: impl IntoIterator<Item = i32>) -> Digest {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(i32::to_le_bytes).collect();
        self.and(&bytes)
    }

    /// This and another one.
    pub fn and_digest(self, other: Digest) -> Digest {
        self.and(&other.0.to_le_bytes())
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_their_order_and_their_bounds_make_a_digest() {
        let of = |parts: &[&str]| {
            parts.iter().fold(Digest::EMPTY, |digest, part| digest.and(part.as_bytes()))
        };
        let all = [of(&[]), of(&[""]), of(&["a"]), of(&["a\0"]), of(&["a", ""]), of(&["", "a"])];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{at}");
        }
        assert_eq!(of(&["L3 1500", "x"]), of(&["L3 1500", "x"]));
        assert_ne!(Digest::EMPTY.and_numbers([1, 2]), Digest::EMPTY.and_numbers([2, 1]));
    }
}
