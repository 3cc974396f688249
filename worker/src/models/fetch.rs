//! The parts of one model, in order, until it is whole.

use banyan_jobs::{ModelDigest, ModelPart, limits};

/// Reasons why parts make no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Larger than any may be.
    #[error("it has {found} bytes, at most {max} are taken", max = limits::MODEL_BYTES_MAX)]
    Large {
        /// Bytes that it says it has.
        found: u64,
    },
    /// It changed its size under way.
    #[error("it has {found} bytes, and had {before} before")]
    Total {
        /// Now.
        found: u64,
        /// Before.
        before: u64,
    },
    /// Not the part that was asked for.
    #[error("a part begins at byte {found}, {expected} was asked for")]
    Offset {
        /// Byte at which it begins.
        found: u64,
        /// Byte at which it should.
        expected: u64,
    },
    /// A part without a byte before the end.
    #[error("a part is empty at byte {at} of {total}")]
    Empty {
        /// Byte at which it stands.
        at: u64,
        /// Bytes of the whole model.
        total: u64,
    },
}

/// Step that follows from a part.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The part from this byte on is wanted.
    More(u64),
    /// All bytes are there.
    Whole(Vec<u8>),
}

/// A model that is on its way.
#[derive(Debug)]
pub(super) struct Fetch {
    digest: ModelDigest,
    total: Option<u64>,
    bytes: Vec<u8>,
}

impl Fetch {
    pub(super) fn new(digest: ModelDigest) -> Fetch {
        Fetch { digest, total: None, bytes: Vec::new() }
    }

    pub(super) fn digest(&self) -> ModelDigest {
        self.digest
    }

    /// Takes the next part. Memory grows by what came, not by what is announced.
    ///
    /// # Errors
    /// [`FetchError`]; the model is given up.
    pub(super) fn take(&mut self, part: ModelPart) -> Result<Step, FetchError> {
        let ModelPart { digest: _, offset, total, bytes } = part;
        if total > limits::MODEL_BYTES_MAX {
            return Err(FetchError::Large { found: total });
        }
        let before = *self.total.get_or_insert(total);
        if before != total {
            return Err(FetchError::Total { found: total, before });
        }
        let expected = self.bytes.len() as u64;
        if offset != expected {
            return Err(FetchError::Offset { found: offset, expected });
        }
        if bytes.is_empty() {
            return Err(FetchError::Empty { at: offset, total });
        }
        self.bytes.extend_from_slice(&bytes);
        let held = self.bytes.len() as u64;
        if held > total {
            return Err(FetchError::Total { found: held, before: total });
        }
        Ok(match held == total {
            true => Step::Whole(std::mem::take(&mut self.bytes)),
            false => Step::More(held),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: ModelDigest = ModelDigest([3; 32]);

    fn part(offset: u64, total: u64, bytes: &[u8]) -> ModelPart {
        ModelPart { digest: DIGEST, offset, total, bytes: bytes.to_vec().into() }
    }

    #[test]
    fn parts_in_order_make_the_whole() {
        let mut fetch = Fetch::new(DIGEST);
        assert_eq!(fetch.take(part(0, 5, b"ab")), Ok(Step::More(2)));
        assert_eq!(fetch.take(part(2, 5, b"cde")), Ok(Step::Whole(b"abcde".to_vec())));
    }

    #[test]
    fn what_cannot_be_is_refused_in_words() {
        let refused = |parts: &[ModelPart]| {
            let mut fetch = Fetch::new(DIGEST);
            let taken = parts.iter().map(|part| fetch.take(part.clone()));
            taken.last().expect("a part").expect_err("it cannot be").to_string()
        };
        let large = refused(&[part(0, u64::MAX, b"a")]);
        assert!(large.starts_with("it has 18446744073709551615 bytes, at most "), "{large}");
        assert_eq!(
            refused(&[part(0, 5, b"ab"), part(2, 6, b"c")]),
            "it has 6 bytes, and had 5 before"
        );
        assert_eq!(refused(&[part(1, 5, b"ab")]), "a part begins at byte 1, 0 was asked for");
        assert_eq!(refused(&[part(0, 5, b"")]), "a part is empty at byte 0 of 5");
        assert_eq!(refused(&[part(0, 1, b"ab")]), "it has 2 bytes, and had 1 before");
    }
}
