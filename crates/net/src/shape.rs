//! A network's shape: how many blocks, channels and planes, and how large each may be.

use thiserror::Error;

/// Channels that one vector holds: every width of a network is a multiple of it.
pub const LANES: usize = 16;

/// Bytes that the numbers of a network's layers may take in its file, 256 MiB: what a file claims is held against it
/// before anything is allocated.
pub const WEIGHT_BYTES_MAX: u64 = 256 << 20;

/// Shape of a network, everything that its weights' sizes follow from.
///
/// The tower is KataGo's of 2019: a 3x3 convolution of the planes, `blocks` residual blocks of two 3x3
/// convolutions each, of which every `pooling_every`-th pools some of its channels over the board and
/// adds what follows from them to the others, then a head that does the same once more.
///
/// # Source
/// Wu 2019, "Accelerating Self-Play Learning in Go" (global pooling, auxiliary heads).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Binary planes of the input, count, 1 to 128.
    pub planes: usize,
    /// Numbers of the input that belong to no point (komi, size), count, 0 to 64.
    pub globals: usize,
    /// Residual blocks, count, 1 to 64.
    pub blocks: usize,
    /// Channels of the trunk, a multiple of 16 up to 512.
    pub channels: usize,
    /// Channels that a pooling block pools, a multiple of 16 below `channels`.
    pub pooled: usize,
    /// Every how many blocks one pools, 0 for none: 3 makes the third, sixth, … pool.
    pub pooling_every: usize,
    /// Channels of each half of the head (the pooled one, that of the points), a multiple of 16.
    pub head: usize,
    /// Units between the pooled head and value, score and pass, a multiple of 16.
    pub hidden: usize,
}

/// A shape that no network may have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ShapeError {
    #[error("{what} is {value}, must be {least} to {most}")]
    OutOfRange { what: &'static str, value: usize, least: usize, most: usize },
    #[error("{what} is {value}, must be a multiple of {LANES}")]
    NotWhole { what: &'static str, value: usize },
    #[error("{pooled} of {channels} channels pooled, at least {LANES} must be left")]
    AllPooled { pooled: usize, channels: usize },
    #[error("weights of this shape take {bytes} bytes, at most {WEIGHT_BYTES_MAX}")]
    TooLarge { bytes: u64 },
}

impl Shape {
    /// Shape of a tower of `blocks` x `channels` with the customary rest: a third of the channels
    /// pooled in every third block, 32 channels in each half of the head (16 below 32 channels),
    /// 64 hidden units.
    pub fn tower(blocks: usize, channels: usize, planes: usize, globals: usize) -> Shape {
        let third = (channels / 3).next_multiple_of(LANES);
        let head = if channels < 32 { 16 } else { 32 };
        Shape {
            planes,
            globals,
            blocks,
            channels,
            pooled: third,
            pooling_every: if channels > third { 3 } else { 0 },
            head,
            hidden: 64,
        }
    }

    /// Every number of the shape with its name, as files call it.
    pub fn fields(&self) -> [(&'static str, usize); 8] {
        [
            ("planes", self.planes),
            ("globals", self.globals),
            ("blocks", self.blocks),
            ("channels", self.channels),
            ("pooled", self.pooled),
            ("pooling_every", self.pooling_every),
            ("head", self.head),
            ("hidden", self.hidden),
        ]
    }

    /// A shape of numbers that are asked for by name, unchecked.
    ///
    /// # Errors
    /// The first that `number` gives.
    pub fn from_fields<E>(
        mut number: impl FnMut(&'static str) -> Result<usize, E>,
    ) -> Result<Shape, E> {
        Ok(Shape {
            planes: number("planes")?,
            globals: number("globals")?,
            blocks: number("blocks")?,
            channels: number("channels")?,
            pooled: number("pooled")?,
            pooling_every: number("pooling_every")?,
            head: number("head")?,
            hidden: number("hidden")?,
        })
    }

    /// Tells whether the block of this number, counted from 0, pools.
    pub fn pools(&self, block: usize) -> bool {
        self.pooling_every > 0 && (block + 1).is_multiple_of(self.pooling_every)
    }

    /// Checks each number and the bytes that they come to.
    ///
    /// # Errors
    /// The first number out of its range, with the range.
    pub fn check(&self) -> Result<(), ShapeError> {
        within("planes", self.planes, 1, 128)?;
        within("globals", self.globals, 0, 64)?;
        within("blocks", self.blocks, 1, 64)?;
        within("pooling_every", self.pooling_every, 0, 64)?;
        for (what, value) in [
            ("channels", self.channels),
            ("pooled", self.pooled),
            ("head", self.head),
            ("hidden", self.hidden),
        ] {
            within(what, value, LANES, 512)?;
            if !value.is_multiple_of(LANES) {
                return Err(ShapeError::NotWhole { what, value });
            }
        }
        if self.pooling_every > 0 && self.pooled >= self.channels {
            return Err(ShapeError::AllPooled { pooled: self.pooled, channels: self.channels });
        }
        match self.file_bytes() {
            bytes if bytes > WEIGHT_BYTES_MAX => Err(ShapeError::TooLarge { bytes }),
            _ => Ok(()),
        }
    }

    /// Bytes that the 3x3 convolutions' weights take, the bulk of any network: one a weight.
    pub fn weight_bytes(&self) -> u64 {
        let [planes, blocks, channels] =
            [self.planes, self.blocks, self.channels].map(|n| n as u64);
        let tower = blocks.saturating_mul(2).saturating_mul(channels).saturating_add(planes);
        tower.saturating_mul(channels).saturating_mul(9)
    }

    /// Bytes that the numbers of all layers take in a file: one a weight, four each for an output's bias and multiplier.
    /// Each number of the shape must be within its range.
    fn file_bytes(&self) -> u64 {
        let Shape { planes, globals, blocks, channels, pooled, head, hidden, .. } = *self;
        let pooling = blocks.checked_div(self.pooling_every).unwrap_or(0);
        // Count, inputs, outputs; FEATURES of a pooled channel, POINT and LAST outputs, as `parts` has them.
        let layers = [
            (1, 9 * planes + globals, channels),
            (2 * blocks, 9 * channels, channels),
            (pooling, 3 * pooled, channels - pooled.min(channels)),
            (1, channels, 2 * head),
            (1, 3 * head, head + hidden),
            (1, head, 2),
            (1, hidden, 5),
        ];
        let bytes = layers.map(|(count, inputs, outputs)| count * outputs * (inputs + 8));
        // Globals have biases and multipliers of their own.
        (bytes.iter().sum::<usize>() + 8 * channels) as u64
    }

    /// Multiplications and additions that one evaluation of a board of `points` points takes, count.
    pub fn multiply_adds(&self, points: usize) -> u64 {
        let heads = self.channels * 2 * self.head + self.head * 2;
        points as u64 * (self.weight_bytes() + heads as u64)
    }
}

fn within(what: &'static str, value: usize, least: usize, most: usize) -> Result<(), ShapeError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ShapeError::OutOfRange { what, value, least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn customary_shapes_are_sound() {
        for (blocks, channels) in [(1, 16), (4, 32), (6, 48), (6, 96), (10, 128), (20, 256)] {
            assert_eq!(Shape::tower(blocks, channels, 20, 4).check(), Ok(()));
        }
    }

    #[test]
    fn every_third_block_of_six_pools() {
        let shape = Shape::tower(6, 48, 20, 4);
        let pooling: Vec<usize> = (0..6).filter(|&block| shape.pools(block)).collect();
        assert_eq!(pooling, [2, 5]);
    }

    #[test]
    fn six_blocks_of_48_take_20_million_multiply_adds_on_9x9() {
        let shape = Shape::tower(6, 48, 20, 4);
        assert_eq!(shape.multiply_adds(81), 81 * (9 * 48 * (20 + 12 * 48) + 48 * 64 + 64));
    }

    #[test]
    fn a_shape_is_refused_with_its_value_and_range() {
        let shape = Shape::tower(6, 48, 20, 4);
        let words = |shape: Shape| shape.check().unwrap_err().to_string();
        assert_eq!(words(Shape { blocks: 0, ..shape }), "blocks is 0, must be 1 to 64");
        assert_eq!(
            words(Shape { channels: 40, ..shape }),
            "channels is 40, must be a multiple of 16"
        );
        assert_eq!(
            words(Shape { pooled: 48, ..shape }),
            "48 of 48 channels pooled, at least 16 must be left"
        );
        assert_eq!(
            words(Shape { blocks: 64, channels: 512, ..shape }),
            "weights of this shape take 303243576 bytes, at most 268435456"
        );
        assert!(
            words(Shape::tower(60, 496, 42, 4)).ends_with("269843928 bytes, at most 268435456")
        );
        assert_eq!(Shape::tower(56, 512, 42, 4).check(), Ok(()));
        assert!(words(Shape { channels: usize::MAX, ..shape }).contains("must be 16 to 512"));
    }
}
