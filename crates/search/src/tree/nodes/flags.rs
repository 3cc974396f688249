//! Flags of a node, in one byte.

use banyan_games::Color;

use crate::tree::proof::Proof;

/// The side that moved into the node, what is proven of it and on whose word, and whether it may be chosen at the
/// root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    pub const WHITE: u8 = 1;
    pub const PROOF_SHIFT: u8 = 1;
    pub const PROOF_MASK: u8 = 0b110;
    pub const BANNED: u8 = 0b1000;
    /// Merged from elsewhere, and no descent has asked the rules yet.
    pub const DOUBT: u8 = 0b1_0000;
    /// An evaluator was asked about it, or is being asked.
    pub const ASKED: u8 = 0b10_0000;
    /// Its proof rests on a peer's word; at a child of the root: would, if that were taken.
    pub const CLAIMED: u8 = 0b100_0000;
    /// Its children are a peer's list, which may leave some out.
    pub const LISTED: u8 = 0b1000_0000;

    /// The flags that a tree's digest counts: not whose word something is.
    pub fn counted(self) -> u8 {
        self.0 & !(Flags::CLAIMED | Flags::LISTED)
    }

    pub fn of_mover(mover: Color) -> Flags {
        Flags(match mover {
            Color::Black => 0,
            Color::White => Flags::WHITE,
        })
    }

    pub fn mover(self) -> Color {
        if self.0 & Flags::WHITE == 0 { Color::Black } else { Color::White }
    }

    pub fn proof(self) -> Proof {
        Proof::from_bits((self.0 & Flags::PROOF_MASK) >> Flags::PROOF_SHIFT)
    }

    pub fn with_proof(self, proof: Proof) -> Flags {
        Flags((self.0 & !Flags::PROOF_MASK) | (proof.bits() << Flags::PROOF_SHIFT))
    }

    #[inline(always)]
    pub fn is_proof(self, proof: Proof) -> bool {
        self.0 & Flags::PROOF_MASK == proof.bits() << Flags::PROOF_SHIFT
    }

    #[inline(always)]
    pub fn is_banned(self) -> bool {
        self.0 & Flags::BANNED != 0
    }

    pub fn is_doubtful(self) -> bool {
        self.0 & Flags::DOUBT != 0
    }

    pub fn with_doubt(self, doubt: bool) -> Flags {
        Flags(if doubt { self.0 | Flags::DOUBT } else { self.0 & !Flags::DOUBT })
    }

    pub fn is_asked(self) -> bool {
        self.0 & Flags::ASKED != 0
    }

    pub fn with_asked(self, asked: bool) -> Flags {
        Flags(if asked { self.0 | Flags::ASKED } else { self.0 & !Flags::ASKED })
    }

    pub fn is_claimed(self) -> bool {
        self.0 & Flags::CLAIMED != 0
    }

    pub fn with_claim(self, claimed: bool) -> Flags {
        Flags(if claimed { self.0 | Flags::CLAIMED } else { self.0 & !Flags::CLAIMED })
    }

    pub fn is_listed(self) -> bool {
        self.0 & Flags::LISTED != 0
    }

    pub fn with_list(self, listed: bool) -> Flags {
        Flags(if listed { self.0 | Flags::LISTED } else { self.0 & !Flags::LISTED })
    }

    /// Tells whether all that could follow is met elsewhere. Such a node is banned and in doubt, as no other is: who
    /// asks the rules before he bans leaves none.
    pub fn is_pruned(self) -> bool {
        self.is_banned() && self.is_doubtful()
    }

    pub fn pruned(self) -> Flags {
        self.with_ban(true).with_doubt(true)
    }

    pub fn with_ban(self, banned: bool) -> Flags {
        Flags(if banned { self.0 | Flags::BANNED } else { self.0 & !Flags::BANNED })
    }
}
