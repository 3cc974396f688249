//! A table over line shapes: what each look of eight points on a line is worth to the side to move, learned
//! from games of Banyan against itself.
//!
//! A position is worth the sum over all its lines. The eight points are seen one after the other along each
//! line, the first and the last look with one point beyond the board, so that what stands at a border differs
//! from what has room. A look in which nobody can make six any more is worth nothing.

use std::sync::{Arc, LazyLock};

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::Color;

use crate::digest::Digest;
use crate::line::lines::{Lines, SLANTS, WAYS};

const SIX: usize = Connect6Rules::LENGTH;

/// Points of a look.
pub const POINTS: usize = 8;

/// Different looks, possible ones or not.
pub const LOOKS: usize = 1 << (2 * POINTS);

/// One side's stones on the points of a look, a bit each, and above them the other side's. A point beyond the
/// board is taken by both.
pub type Look = u16;

const ONE_SIDE: u32 = (1 << POINTS) - 1;

/// The look from the other end of its line.
pub fn mirrored(look: Look) -> Look {
    let [own, other] = [look as u8, (look >> POINTS) as u8].map(u8::reverse_bits);
    u16::from(own) | u16::from(other) << POINTS
}

/// The look as the other side has it.
fn turned(look: Look) -> Look {
    look.rotate_left(POINTS as u32)
}

/// Tells whether somebody has a stone there, and somebody who has may still make six.
pub fn matters(look: Look) -> bool {
    let [own, other] = [u32::from(look) & ONE_SIDE, u32::from(look) >> POINTS];
    let border = own & other;
    let windows = || (0..=POINTS - SIX).map(|first| ((1 << SIX) - 1) << first);
    let can = |mine: u32, others: u32| {
        windows().any(|window: u32| others & window == 0 && mine & window != 0)
    };
    border & 0b0111_1110 == 0 && (can(own, other) || can(other, own))
}

/// The looks along all lines of a position, its side to move's stones as the own ones; those that do not
/// matter are left out.
pub fn looks(position: &Connect6) -> Vec<Look> {
    let (lines, mut found) = (Lines::of(position), Vec::new());
    let is_black = position.side_to_move() == Color::Black;
    for (way, line) in (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line))) {
        let along = Along::of(&lines, way, line);
        for start in along.starts() {
            let look = along.look(start);
            let look = if is_black { look } else { turned(look) };
            if matters(look) {
                found.push(look);
            }
        }
    }
    found
}

/// A line with what is beyond its ends, taken by both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    stones: [u64; 2],
    first: usize,
    length: usize,
}

impl Along {
    #[inline(always)]
    pub fn of(lines: &Lines, way: usize, line: usize) -> Along {
        let (stones, outside) = lines.with_border(way, line);
        let first = (!outside).trailing_zeros() as usize;
        Along { stones, first, length: (!outside).count_ones() as usize }
    }

    /// Places at which a look begins, counted as [`crate::line::lines::places`] are.
    fn starts(&self) -> std::ops::Range<usize> {
        match self.length {
            0..SIX => 0..0,
            length => self.first - 1..self.first + length + 2 - POINTS,
        }
    }

    /// Those of them that see this place.
    #[inline(always)]
    pub fn starts_at(&self, place: usize) -> std::ops::Range<usize> {
        let all = self.starts();
        all.start.max((place + 1).saturating_sub(POINTS))..all.end.min(place + 1)
    }

    /// The windows of six that hold this place.
    #[inline(always)]
    pub fn windows_at(&self, place: usize) -> std::ops::Range<usize> {
        match self.length {
            0..SIX => 0..0,
            length => {
                self.first.max((place + 1).saturating_sub(SIX))
                    ..(self.first + length + 1 - SIX).min(place + 1)
            }
        }
    }

    /// By side: its stones in a window.
    #[inline(always)]
    pub fn window(&self, start: usize) -> [u32; 2] {
        self.stones.map(|stones| ((stones >> start) as u32 & ((1 << SIX) - 1)).count_ones())
    }

    /// All windows of six.
    pub fn windows(&self) -> std::ops::Range<usize> {
        match self.length {
            0..SIX => 0..0,
            length => self.first..self.first + length + 1 - SIX,
        }
    }

    /// Black's stones as the own ones.
    #[inline(always)]
    pub fn look(&self, start: usize) -> Look {
        let [black, white] = self.stones.map(|stones| (stones >> start) as u16 & ONE_SIDE as u16);
        black | white << POINTS
    }
}

/// Worth of looks, in thousandths of a logit.
#[derive(Debug)]
pub struct Tables {
    /// By look with Black's stones as the own ones: to Black and to White, each with two stones left in the
    /// turn and with one.
    by_look: Box<[[i16; 4]]>,
    /// Worth of having the move, with two stones left and with one.
    to_move: [i32; 2],
    digest: Digest,
}

/// So many of these are a logit.
pub const LOGIT: f32 = 1000.0;

/// Sums of a position: to Black and to White, each with two stones left in the turn and with one.
pub(super) type Sums = [i32; 4];

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// A line that is none.
    #[error(
        "line {line}: '{text}': expected a look of {POINTS} points (x own, o the other side's, . empty, | \
         beyond the board) or to-move, and two whole numbers"
    )]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The text that stands there.
        text: String,
    },
    /// Lines that are missing.
    #[error("{found} of {expected} looks: is the file cut short?")]
    Cut {
        /// Looks that are there.
        found: usize,
        /// Looks that it says there are.
        expected: usize,
    },
    /// It ends too soon.
    #[error("no line to-move, or no end of the last line: is the file cut short?")]
    Short,
}

/// The first word of a file of tables.
pub const HEADER: &str = "connect6-tables";

const TEXT: &str = include_str!("tables.txt");

static LEARNED: LazyLock<Arc<Tables>> =
    LazyLock::new(|| Arc::new(Tables::read(TEXT).expect("the table is tested to be readable")));

/// Tables as [`Tables::read`] reads them; looks that are worth nothing are left out.
///
/// - `to_move`: what the move is worth, with two stones left in the turn and with one, thousandths.
/// - `worths`: the same of looks.
pub fn text(to_move: [i16; 2], worths: impl Iterator<Item = (Look, [i16; 2])>) -> String {
    let lines: Vec<String> = worths
        .filter(|(_, worth)| *worth != [0; 2])
        .map(|(look, [two, one])| format!("{} {two} {one}\n", name_of(look)))
        .collect();
    let ([two, one], count) = (to_move, lines.len());
    format!("{HEADER}\nto-move {two} {one}\nlooks {count}\n{}", lines.concat())
}

impl Tables {
    /// The learned tables.
    pub fn learned() -> &'static Arc<Tables> {
        &LEARNED
    }

    /// The contents.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Worth of a look with two stones left in the turn and with one, thousandths.
    pub fn worth(&self, look: Look) -> [i16; 2] {
        let [two, one, ..] = self.by_look[usize::from(look)];
        [two, one]
    }

    /// Worth of having the move, with two stones left and with one, thousandths.
    pub fn to_move(&self) -> [i32; 2] {
        self.to_move
    }

    /// Reads [`HEADER`], then lines of `LOOK TWO ONE`, a look or its mirror image once, worth so many
    /// thousandths with two stones left in the turn and with one; `to-move TWO ONE` is what the move is worth.
    /// `looks N` says how many looks there are, which files of earlier programs do not. `%` begins a remark; what is not
    /// named is worth 0.
    ///
    /// # Errors
    /// The first line that cannot be read; or that some are missing.
    pub fn read(text: &str) -> Result<Tables, TablesError> {
        let digest = Digest::EMPTY.and(text.as_bytes());
        let by_look = vec![[0; 4]; LOOKS].into_boxed_slice();
        let mut tables = Tables { by_look, to_move: [0; 2], digest };
        let (mut found, mut expected, mut is_move_known) = (0, None, false);
        for (at, line) in text.lines().enumerate() {
            if line.starts_with('%') || line.trim().is_empty() || line.trim() == HEADER {
                continue;
            }
            let malformed = || TablesError::Malformed { line: at + 1, text: line.to_owned() };
            if let Some(count) = line.strip_prefix("looks ") {
                expected = Some(count.trim().parse().map_err(|_| malformed())?);
                continue;
            }
            tables.line(line).ok_or_else(malformed)?;
            let is_move = line.starts_with("to-move");
            is_move_known |= is_move;
            found += usize::from(!is_move);
        }
        match expected.filter(|&expected| expected != found) {
            Some(expected) => Err(TablesError::Cut { found, expected }),
            None if !is_move_known || !text.ends_with('\n') => Err(TablesError::Short),
            None => Ok(tables),
        }
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let [name, two, one] = line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        let worth: [i16; 2] = [two.parse().ok()?, one.parse().ok()?];
        if name == "to-move" {
            self.to_move = worth.map(i32::from);
            return Some(());
        }
        let look = look_of(name)?;
        for look in [look, mirrored(look)] {
            for (at, worth) in worth.into_iter().enumerate() {
                self.by_look[usize::from(look)][at] = worth;
                self.by_look[usize::from(turned(look))][2 + at] = worth;
            }
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn add(&self, sums: &mut Sums, look: Look) {
        for (sum, worth) in sums.iter_mut().zip(self.by_look[usize::from(look)]) {
            *sum += i32::from(worth);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&self, sums: &mut Sums, look: Look) {
        for (sum, worth) in sums.iter_mut().zip(self.by_look[usize::from(look)]) {
            *sum -= i32::from(worth);
        }
    }

    /// The sums of a whole position.
    pub(super) fn sums(&self, lines: &Lines) -> Sums {
        let mut sums = [0; 4];
        for (way, line) in (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line))) {
            let along = Along::of(lines, way, line);
            along.starts().for_each(|start| self.add(&mut sums, along.look(start)));
        }
        sums
    }

    /// Value for the side to move, of the sums of its position.
    pub(super) fn value(&self, position: &Connect6, sums: &Sums) -> i32 {
        let turn = usize::from(Connect6Rules::STONES_A_TURN - position.plies_left());
        sums[2 * position.side_to_move().index() + turn] + self.to_move[turn]
    }
}

/// The look in letters.
pub fn name_of(look: Look) -> String {
    let letter = |at: usize| match (look >> at & 1, look >> (at + POINTS) & 1) {
        (0, 0) => '.',
        (1, 0) => 'x',
        (0, _) => 'o',
        (_, _) => '|',
    };
    (0..POINTS).map(letter).collect()
}

fn look_of(name: &str) -> Option<Look> {
    if name.len() != POINTS {
        return None;
    }
    name.bytes().enumerate().try_fold(0, |look, (at, letter)| {
        let both = match letter {
            b'.' => 0,
            b'x' => 1,
            b'o' => 1 << POINTS,
            b'|' => 1 | 1 << POINTS,
            _ => return None,
        };
        Some(look | both << at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(name: &str) -> Look {
        look_of(name).expect("a look")
    }

    #[test]
    fn looks_are_named_mirrored_and_matter_while_six_can_be_made() {
        for name in ["..xxx...", "|.xo....", "........"] {
            assert_eq!(name_of(look(name)), name);
        }
        assert_eq!(name_of(mirrored(look("|.xo...."))), "....ox.|");
        for (name, expected) in
            [("..xxx...", true), ("........", false), ("..xo....", false), ("o.x.....", true)]
        {
            assert_eq!(matters(look(name)), expected, "{name}");
        }
        assert!(!matters(look("...|....")), "no border runs through the middle of a line");
    }

    #[test]
    fn a_value_is_the_sum_of_what_is_seen_and_of_the_move() {
        let text = "% remark\nconnect6-tables\nto-move 30 7\n...x.... 100 10\n...o.... -1 -2\n";
        let tables = Tables::read(text).expect("tables");
        let rules = Connect6Rules::new(19).expect("a size");
        // In the middle of the board a stone is the fourth point, or the fifth, of two looks on each line.
        for (stones, side, expected) in [
            (["k10", ""], Color::Black, 830),
            (["k10", ""], Color::White, 22),
            (["", ""], Color::Black, 7),
        ] {
            let position = Connect6::with_stones(&rules, stones, side).expect("free");
            let sums = tables.sums(&Lines::of(&position));
            assert_eq!(tables.value(&position, &sums), expected, "{stones:?} {side}");
            let seen = looks(&position);
            assert_eq!(seen.len(), if stones[0].is_empty() { 0 } else { 4 * POINTS });
        }
    }

    #[test]
    fn tables_that_were_cut_are_refused() {
        let whole = format!("{HEADER}\nto-move 30 7\nlooks 2\n...x.... 100 10\n...o.... -1 -2\n");
        assert!(Tables::read(&whole).is_ok());
        let refused = |text: &str| Tables::read(text).expect_err("cut").to_string();
        let words = "1 of 2 looks: is the file cut short?";
        assert_eq!(refused(whole.strip_suffix("...o.... -1 -2\n").expect("the last line")), words);
        let old = whole.replace("looks 2\n", "");
        assert!(Tables::read(&old).is_ok());
        for cut in [HEADER, "", &old[..old.len() - 1], &whole[..whole.len() - 1]] {
            assert!(refused(cut).ends_with("is the file cut short?"), "{cut}");
        }
    }

    #[test]
    fn a_broken_line_is_named_and_what_comes_along_can_be_read() {
        for broken in ["...x... 1 2", "...x.... 1", "...y.... 1 2", "...x.... 1 x"] {
            let text = format!("{HEADER}\n{broken}\n");
            let error = Tables::read(&text).expect_err("refused").to_string();
            assert!(error.starts_with(&format!("line 2: '{broken}'")), "{error}");
        }
        assert!(Tables::learned().by_look.iter().flatten().any(|&worth| worth != 0));
    }
}
