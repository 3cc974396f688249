//! Settings that a manager tells by `INFO`: time, memory, rules. Keys that change nothing here are passed
//! over.

use std::time::Duration;

use banyan_games::Kind;
use banyan_games::gomoku::Variant;
use banyan_search::time::{Clock, GameLength, TimeControl};

/// Milliseconds that mean no limit.
const UNLIMITED_MS: i64 = i32::MAX as i64;

/// Parts of the memory that the manager allows, of which tree and tables get one: the program itself, its threads, and
/// a copy while the tree is made smaller need the rest.
const MEMORY_PARTS: usize = 4;

/// `INFO rule` is a set of bits.
const RULE_EXACTLY_FIVE: u32 = 1;
const RULE_RENJU: u32 = 4;

/// All that was told so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    /// For a turn.
    turn: Option<Duration>,
    /// For a match, and what is left of it.
    left: Option<Duration>,
    /// For the process and its children, bytes.
    memory: Option<usize>,
}

impl Info {
    /// Takes over one key; returns the rules if that is what it tells. What cannot be understood is passed
    /// over: nothing may be answered to `INFO`.
    pub fn note(&mut self, key: &str, value: &str) -> Option<Variant> {
        let number = value.parse::<i64>().ok();
        let time = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        match (key.to_lowercase().as_str(), number) {
            ("timeout_turn", Some(ms)) => self.turn = Some(time(ms)),
            ("timeout_match", Some(ms)) => self.left = (ms > 0).then(|| time(ms)),
            ("time_left", Some(ms)) => self.left = (ms < UNLIMITED_MS).then(|| time(ms)),
            ("max_memory", Some(bytes)) => {
                self.memory = usize::try_from(bytes).ok().filter(|&it| it > 0)
            }
            ("rule", Some(rule)) => return variant(rule),
            _ => {}
        }
        None
    }

    /// The time for the next turn; nothing where the manager limits nothing.
    ///
    /// - `area`: points of the board.
    pub fn budget(&self, area: usize, stones: usize) -> Option<Duration> {
        let length = GameLength::of(Kind::Gomoku, area);
        let turn = self.turn.map(|period| {
            let control = TimeControl::Canadian { main: Duration::ZERO, period, stones: 1 };
            Clock::new(control).budget(length, stones)
        });
        let game =
            self.left.map(|main| Clock::new(TimeControl::Absolute { main }).budget(length, stones));
        turn.into_iter().chain(game).min()
    }

    /// The memory that tree and tables must keep to, bytes, where that is less than `most`, which they
    /// may have now.
    pub fn memory_below(&self, most: usize) -> Option<usize> {
        let part = self.memory? / MEMORY_PARTS;
        (part < most).then_some(part)
    }
}

/// Rules by the judge's bits; nothing for what Banyan does not play (a continuous game, Caro).
fn variant(rule: i64) -> Option<Variant> {
    match u32::try_from(rule).ok()? {
        0 => Some(Variant::Freestyle),
        RULE_EXACTLY_FIVE => Some(Variant::Standard),
        RULE_RENJU => Some(Variant::Renju),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: usize = 225;

    #[test]
    fn a_turn_keeps_to_its_own_time_and_to_its_share_of_the_match() {
        let mut info = Info::default();
        assert_eq!(info.budget(AREA, 0), None);
        info.note("timeout_turn", "1000");
        let turn = info.budget(AREA, 0).expect("a limit");
        assert!((Duration::from_millis(500)..Duration::from_secs(1)).contains(&turn), "{turn:?}");
        info.note("time_left", "5000");
        assert!(info.budget(AREA, 0).expect("a limit") < Duration::from_millis(200));
        info.note("time_left", "2147483647");
        assert_eq!(info.budget(AREA, 0), Some(turn));
        info.note("timeout_turn", "0");
        assert!(info.budget(AREA, 0).expect("a limit") < Duration::from_millis(50));
        info.note("time_left", "-20");
        assert!(info.budget(AREA, 0).expect("a limit") < Duration::from_millis(50));
    }

    #[test]
    fn rules_are_bits_and_what_means_nothing_is_passed_over() {
        let mut info = Info::default();
        let rules = ["0", "1", "4", "2", "9", "x"].map(|rule| info.note("rule", rule));
        let [free, exact, renju, others @ ..] = rules;
        assert_eq!(free, Some(Variant::Freestyle));
        assert_eq!((exact, renju), (Some(Variant::Standard), Some(Variant::Renju)));
        assert_eq!(others, [None; 3]);
        for (key, value) in [("evaluate", "3,4"), ("folder", "/tmp"), ("max_memory", "0"), ("", "")]
        {
            info.note(key, value);
        }
        assert_eq!(info, Info::default());
    }
}
