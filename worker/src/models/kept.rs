//! Which of the models that came are kept: those that were of use last.

use banyan_jobs::ModelDigest;

/// Models that are kept at most: more than a training uses by turns, and few enough that a worker which outlives
/// thousands of its generations does not grow.
const COUNT_MAX: usize = 64;

/// Bytes of their files at most, together.
const BYTES_MAX: usize = 512 << 20;

/// So many are kept however large they are: a match of two networks uses both by turns.
const COUNT_MIN: usize = 2;

/// Models that came from a coordinator, the one that was of use last behind all others.
#[derive(Debug, Default)]
pub(super) struct Kept(Vec<(ModelDigest, usize)>);

impl Kept {
    /// A root names it.
    pub(super) fn is_of_use(&mut self, digest: ModelDigest) {
        if let Some(at) = self.0.iter().position(|&(held, _)| held == digest) {
            self.0[at..].rotate_left(1);
        }
    }

    /// Adds one whose file has so many bytes; returns those that are let go for it.
    pub(super) fn add(&mut self, digest: ModelDigest, bytes: usize) -> Vec<ModelDigest> {
        self.0.retain(|&(held, _)| held != digest);
        self.0.push((digest, bytes));
        let most = self.0.len().saturating_sub(COUNT_MIN);
        let is_too_much = |gone: &usize| {
            let kept = &self.0[*gone..];
            kept.len() > COUNT_MAX
                || kept.iter().map(|&(_, bytes)| bytes).sum::<usize>() > BYTES_MAX
        };
        let gone = (0..most).take_while(is_too_much).count();
        self.0.drain(..gone).map(|(digest, _)| digest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u8) -> ModelDigest {
        ModelDigest([number; 32])
    }

    #[test]
    fn those_that_were_of_use_last_are_kept() {
        let mut kept = Kept::default();
        for number in 0..COUNT_MAX as u8 {
            assert_eq!(kept.add(digest(number), 1), []);
        }
        kept.is_of_use(digest(0));
        kept.is_of_use(digest(200));
        assert_eq!(kept.add(digest(100), 1), [digest(1)]);
        assert_eq!(kept.add(digest(2), 1), [], "it was there");
        assert_eq!(kept.add(digest(101), 1), [digest(3)]);
    }

    #[test]
    fn large_ones_are_few() {
        let mut kept = Kept::default();
        let third = BYTES_MAX / 3;
        for number in 0..3 {
            assert_eq!(kept.add(digest(number), third), []);
        }
        assert_eq!(kept.add(digest(3), third), [digest(0)]);
        // Two of any size, and no more.
        assert_eq!(kept.add(digest(4), 2 * BYTES_MAX), [digest(1), digest(2)]);
        assert_eq!(kept.add(digest(5), 2 * BYTES_MAX), [digest(3)]);
    }
}
