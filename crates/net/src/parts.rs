//! A network's layers by name, whatever stands for a layer: sizes, whole numbers, floats, packed weights.
//!
//! The one place that knows which layers there are. Reading, writing, drawing and packing weights all
//! go through [`Parts::turn`].

use crate::shape::Shape;

/// One thing for each layer of a network: `C` for a convolution, `D` for a dense layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts<C, D> {
    /// 3x3 convolution, planes to channels.
    pub input: C,
    /// Globals to channels, added to the sums of `input`.
    pub globals: D,
    /// Residual blocks, first to last.
    pub blocks: Vec<Block<C, D>>,
    /// 1x1 convolution, channels to twice `head`: the first half is pooled, the second the points'.
    pub head: C,
    /// Pooled head to the points' half, added to its sums.
    pub head_pool: D,
    /// 1x1 convolution, the points' half to two: policy and ownership.
    pub points: C,
    /// Pooled head to hidden units.
    pub hidden: D,
    /// Hidden units to pass, win, draw, loss and score, in this order.
    pub last: D,
}

/// The layers of a residual block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<C, D> {
    /// 3x3 convolution, channels to channels.
    pub first: C,
    /// Pooled channels of `first` to its other channels, added to their sums; in pooling blocks only.
    pub pool: Option<D>,
    /// 3x3 convolution, channels to channels, added to the trunk.
    pub second: C,
}

/// Sizes of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvShape {
    /// Channels in, count.
    pub inputs: usize,
    /// Channels out, count.
    pub outputs: usize,
    /// Points on a side of the kernel: 3 or 1.
    pub side: usize,
    /// Largest value that an input can have: 1 for planes, 255 for channels.
    pub reach: i32,
}

/// Sizes of a dense layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseShape {
    /// Numbers in, count.
    pub inputs: usize,
    /// Numbers out, count.
    pub outputs: usize,
    /// Largest absolute value that an input can have.
    pub reach: i32,
}

/// Pooled features of one channel: mean, mean by the board's size, largest.
pub const FEATURES: usize = 3;

/// Numbers that come from the last layer: pass, win, draw, loss, score.
pub const LAST: usize = 5;

/// Numbers a point: policy, ownership.
pub const POINT: usize = 2;

/// Makes one layer out of another, knowing its name.
pub trait Turn<C, D> {
    /// A convolution afterwards.
    type Conv;
    /// A dense layer afterwards.
    type Dense;
    /// A reason not to.
    type Error;

    /// Turns the convolution called `name`.
    ///
    /// # Errors
    /// As the implementation says.
    fn conv(&mut self, name: &str, conv: &C) -> Result<Self::Conv, Self::Error>;

    /// Turns the dense layer called `name`.
    ///
    /// # Errors
    /// As the implementation says.
    fn dense(&mut self, name: &str, dense: &D) -> Result<Self::Dense, Self::Error>;
}

impl Parts<ConvShape, DenseShape> {
    /// Sizes of every layer of a network of this shape.
    pub fn of(shape: &Shape) -> Self {
        let Shape { planes, globals, channels, pooled, head, hidden, .. } = *shape;
        let conv = |inputs, outputs, side| ConvShape { inputs, outputs, side, reach: 255 };
        let pool = |from, outputs| DenseShape { inputs: FEATURES * from, outputs, reach: 4500 };
        Parts {
            input: ConvShape { reach: 1, ..conv(planes, channels, 3) },
            globals: DenseShape { inputs: globals, outputs: channels, reach: 1 << 15 },
            blocks: (0..shape.blocks)
                .map(|block| Block {
                    first: conv(channels, channels, 3),
                    pool: shape.pools(block).then(|| pool(pooled, channels - pooled)),
                    second: conv(channels, channels, 3),
                })
                .collect(),
            head: conv(channels, 2 * head, 1),
            head_pool: pool(head, head),
            points: conv(head, POINT, 1),
            hidden: pool(head, hidden),
            last: DenseShape { inputs: hidden, outputs: LAST, reach: 255 },
        }
    }
}

/// All of a network's layers, turned.
pub type Turned<T, C, D> = Parts<<T as Turn<C, D>>::Conv, <T as Turn<C, D>>::Dense>;

impl<C, D> Parts<C, D> {
    /// Turns every layer, in the order in which an evaluation needs them.
    ///
    /// # Errors
    /// The first that `turn` gives.
    pub fn turn<T: Turn<C, D>>(&self, turn: &mut T) -> Result<Turned<T, C, D>, T::Error> {
        let input = turn.conv("input", &self.input)?;
        let globals = turn.dense("globals", &self.globals)?;
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for (number, block) in self.blocks.iter().enumerate() {
            let name = |layer| format!("blocks.{number}.{layer}");
            blocks.push(Block {
                first: turn.conv(&name("first"), &block.first)?,
                pool: match &block.pool {
                    Some(pool) => Some(turn.dense(&name("pool"), pool)?),
                    None => None,
                },
                second: turn.conv(&name("second"), &block.second)?,
            });
        }
        Ok(Parts {
            input,
            globals,
            blocks,
            head: turn.conv("head", &self.head)?,
            head_pool: turn.dense("head_pool", &self.head_pool)?,
            points: turn.conv("points", &self.points)?,
            hidden: turn.dense("hidden", &self.hidden)?,
            last: turn.dense("last", &self.last)?,
        })
    }
}
