//! A board that keeps what heavy playouts ask for: chains with their liberties, and the code of the
//! eight points around each point.
//!
//! Points are bits of sets as in [`banyan_kernels::bits`], moved down by a row and a column, so that the
//! points around a point of the board always have a place, if only off the board.

use super::pattern::{self, AROUND, ORTHOGONAL};
use banyan_games::go::{Go, Points};
use banyan_games::types::Color;
use banyan_kernels::bits::{Bits, Layout};

/// Stones that hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chain<const W: usize> {
    pub(super) stones: Bits<W>,
    pub(super) liberties: Bits<W>,
    /// Liberties, count.
    pub(super) breath: u16,
    /// Stones, count.
    pub(super) size: u16,
}

impl<const W: usize> Chain<W> {
    const NONE: Chain<W> =
        Chain { stones: Bits::EMPTY, liberties: Bits::EMPTY, breath: 0, size: 0 };

    pub(super) fn is_in_atari(&self) -> bool {
        self.breath == 1
    }
}

/// The board; `N` is 64 · `W`, the bits of a set.
#[derive(Clone, Debug)]
pub(super) struct Board<const W: usize, const N: usize> {
    pub(super) layout: Layout,
    pub(super) stones: [Bits<W>; 2],
    pub(super) empty: Bits<W>,
    /// Surroundings of each point of the board, see [`pattern`].
    codes: [u16; N],
    /// The name of the chain of each stone.
    names: [u16; N],
    /// Chains by name.
    chains: [Chain<W>; N],
    /// Every point that is the last liberty of a chain, and some that no longer are.
    choke: Bits<W>,
    /// The point that may not be retaken at once.
    pub(super) ko: Option<usize>,
    /// The stone of the last ply.
    pub(super) last: Option<usize>,
    /// The stone of the ply before it; nothing at the start of a playout.
    pub(super) before: Option<usize>,
    /// Points whose weight may have changed since this was last emptied.
    pub(super) touched: Bits<W>,
}

impl<const W: usize, const N: usize> Board<W, N> {
    /// The board of a position.
    #[inline(always)]
    pub(super) fn new(game: &Go) -> Board<W, N> {
        let layout = game.layout();
        let pad = padding(layout);
        let inner = |set: &Points| set.up(pad as u32).narrow::<W>();
        let stones = game.stones().map(|stones| inner(&stones));
        let mut board = Board {
            layout,
            stones,
            empty: inner(layout.full()).minus(stones[0] | stones[1]),
            codes: [0; N],
            names: [0; N],
            chains: [Chain::NONE; N],
            choke: Bits::EMPTY,
            ko: game.ko().map(|bit| bit + pad),
            last: game.last().map(|bit| bit + pad),
            before: None,
            touched: inner(layout.full()),
        };
        board.codes[..].copy_from_slice(&pattern::empty_codes(layout)[..N]);
        for color in Color::BOTH {
            board.set_up(color);
        }
        board
    }

    #[inline(always)]
    fn set_up(&mut self, color: Color) {
        let mut left = self.stones[color.index()];
        while let Some(name) = left.lowest() {
            let stones = Bits::one(name).flood(left, self.stride());
            left = left.minus(stones);
            let liberties = stones.neighbours(self.stride()) & self.empty;
            let chain = Chain {
                stones,
                liberties,
                breath: liberties.len() as u16,
                size: stones.len() as u16,
            };
            self.chains[name] = chain;
            if chain.is_in_atari() {
                self.choke |= liberties;
            }
            for stone in stones.iter() {
                self.names[stone] = name as u16;
                self.code_stone(stone, color);
            }
        }
    }

    pub(super) fn stride(&self) -> u32 {
        self.layout.stride()
    }

    /// The bit of this board for a point `0..area`.
    pub(super) fn vertex(&self, point: usize) -> usize {
        self.layout.bit(point) + padding(self.layout)
    }

    /// The point `0..area` of a bit of this board.
    pub(super) fn point(&self, vertex: usize) -> usize {
        self.layout.point(vertex - padding(self.layout))
    }

    /// The eight points around a point, in the order of codes.
    #[inline(always)]
    pub(super) fn around(&self, v: usize) -> [usize; AROUND] {
        let s = self.stride() as usize;
        [v - s - 1, v - s, v - s + 1, v - 1, v + 1, v + s - 1, v + s, v + s + 1]
    }

    #[inline(always)]
    pub(super) fn code(&self, v: usize) -> u16 {
        self.codes[v]
    }

    /// The chain of the stone on `v`.
    #[inline(always)]
    pub(super) fn chain(&self, v: usize) -> &Chain<W> {
        &self.chains[usize::from(self.names[v])]
    }

    /// The four points next to `v` with what stands there, as in a code.
    #[inline(always)]
    pub(super) fn near(&self, v: usize) -> [(usize, u16); 4] {
        let around = self.around(v);
        let code = self.codes[v];
        let [above, left, right, below] = ORTHOGONAL;
        [
            (around[above], pattern::at(code, above)),
            (around[left], pattern::at(code, left)),
            (around[right], pattern::at(code, right)),
            (around[below], pattern::at(code, below)),
        ]
    }

    /// The points within a row and a column of `v`, itself with them.
    #[inline(always)]
    pub(super) fn square(&self, v: usize) -> Bits<W> {
        self.squares(Bits::one(v))
    }

    #[inline(always)]
    pub(super) fn squares(&self, set: Bits<W>) -> Bits<W> {
        let row = set | set.up(1) | set.down(1);
        row | row.up(self.stride()) | row.down(self.stride())
    }

    /// Tells whether `v` may be the last liberty of a chain; false is certain.
    #[inline(always)]
    pub(super) fn may_choke(&self, v: usize) -> bool {
        self.choke.contains(v)
    }

    /// Forgets `v` if it is the last liberty of none.
    #[inline(always)]
    pub(super) fn check_choke(&mut self, v: usize) {
        if !self.choke.contains(v) {
            return;
        }
        for (near, what) in self.near(v) {
            let is_stone = what == pattern::OWN || what == pattern::FOE;
            if is_stone && self.chain(near).is_in_atari() {
                return;
            }
        }
        self.choke = self.choke.minus(Bits::one(v));
    }

    /// The liberties that a stone of `color` on the empty `v` would have with its chain, and the
    /// stones of that chain.
    #[inline(always)]
    pub(super) fn after(&self, color: Color, v: usize) -> (Bits<W>, Bits<W>) {
        let stone = Bits::one(v);
        let mut stones = stone;
        let mut liberties = stone.neighbours(self.stride()) & self.empty;
        let mut captured = Bits::EMPTY;
        for (near, what) in self.near(v) {
            if what == pattern::stone(color) {
                stones |= self.chain(near).stones;
                liberties |= self.chain(near).liberties;
            } else if what == pattern::stone(!color) && self.chain(near).is_in_atari() {
                captured |= self.chain(near).stones;
            }
        }
        if !captured.is_empty() {
            liberties |= stones.neighbours(self.stride()) & captured;
        }
        (liberties.minus(stone), stones)
    }

    /// Puts a stone on the empty `v`; the move must be legal.
    #[inline(always)]
    pub(super) fn play(&mut self, color: Color, v: usize) {
        let stone = Bits::one(v);
        self.touched |= self.square(v);
        self.empty = self.empty.minus(stone);
        self.stones[color.index()] |= stone;
        let near = self.near(v);
        self.code_stone(v, color);
        self.join(color, v, &near);
        let mut captured = Bits::EMPTY;
        for (foe, what) in near {
            if what == pattern::stone(!color) {
                captured |= self.choke_chain(!color, foe, v);
            }
        }
        let own = self.chain(v);
        let is_lonely = own.size == 1 && own.is_in_atari();
        if own.is_in_atari() {
            let last = own.liberties;
            self.choke |= last;
            self.touched |= last;
        }
        self.ko = captured.lowest().filter(|_| is_lonely && captured.len() == 1);
        self.before = self.last.replace(v);
    }

    /// A pass.
    pub(super) fn pass(&mut self) {
        self.ko = None;
        self.before = self.last.take();
    }

    /// Makes the new stone on `v` one chain with those of its side next to it.
    #[inline(always)]
    fn join(&mut self, color: Color, v: usize, near: &[(usize, u16); 4]) {
        let stone = Bits::one(v);
        let mut name = v;
        let mut chain = Chain {
            stones: stone,
            liberties: stone.neighbours(self.stride()) & self.empty,
            breath: 0,
            size: 1,
        };
        self.names[v] = v as u16;
        for &(own, what) in near {
            let other_name = usize::from(self.names[own]);
            if what != pattern::stone(color) || other_name == name {
                continue;
            }
            let other = self.chains[other_name];
            let (kept, renamed) = if other.size > chain.size {
                (other_name, chain.stones)
            } else {
                (name, other.stones)
            };
            for stone in renamed.iter() {
                self.names[stone] = kept as u16;
            }
            name = kept;
            chain.stones |= other.stones;
            chain.liberties |= other.liberties;
            chain.size += other.size;
        }
        chain.liberties = chain.liberties.minus(stone);
        chain.breath = chain.liberties.len() as u16;
        self.chains[name] = chain;
    }

    /// Takes the liberty `v` from the chain of `color` on `foe`; returns the stones this took off.
    #[inline(always)]
    fn choke_chain(&mut self, color: Color, foe: usize, v: usize) -> Bits<W> {
        let chain = &mut self.chains[usize::from(self.names[foe])];
        if !chain.liberties.contains(v) {
            return Bits::EMPTY;
        }
        chain.liberties = chain.liberties.minus(Bits::one(v));
        chain.breath -= 1;
        match chain.breath {
            0 => {
                let stones = chain.stones;
                self.remove_virtual_loss(color, stones);
                stones
            }
            1 => {
                let last = chain.liberties;
                self.choke |= last;
                self.touched |= last;
                Bits::EMPTY
            }
            _ => Bits::EMPTY,
        }
    }

    #[inline(always)]
    fn remove_virtual_loss(&mut self, color: Color, stones: Bits<W>) {
        self.stones[color.index()] = self.stones[color.index()].minus(stones);
        self.empty |= stones;
        self.touched |= self.squares(stones);
        for v in stones.iter() {
            self.code_stone(v, color);
        }
        for v in stones.iter() {
            for (near, what) in self.near(v) {
                if what == pattern::stone(!color) {
                    self.give_breath(near, v);
                }
            }
        }
    }

    #[inline(always)]
    fn give_breath(&mut self, stone: usize, v: usize) {
        let chain = &mut self.chains[usize::from(self.names[stone])];
        if chain.liberties.contains(v) {
            return;
        }
        if chain.is_in_atari() {
            self.touched |= chain.liberties;
        }
        chain.liberties |= Bits::one(v);
        chain.breath += 1;
    }

    /// Adds a stone to the codes around it, or takes it out.
    #[inline(always)]
    fn code_stone(&mut self, v: usize, color: Color) {
        for (place, near) in self.around(v).into_iter().enumerate() {
            self.codes[near] ^= pattern::placed(pattern::stone(color), AROUND - 1 - place);
        }
    }
}

/// Bits from a bit of a position to the same point's bit here.
fn padding(layout: Layout) -> usize {
    layout.stride() as usize + 1
}
