//! Words after an analysis command, and their meaning.

use std::time::Duration;

use banyan_engine::Playable;
use banyan_games::{Color, Move, Record};

use crate::gtp::args::Args;
use crate::gtp::reply::Fault;

/// Between two lines, unless something else is asked for.
const INTERVAL: Duration = Duration::from_secs(1);

/// Between two lines at least, whatever is asked for.
const INTERVAL_MIN: Duration = Duration::from_millis(10);

/// And at most.
const INTERVAL_MAX: Duration = Duration::from_secs(3600);

const EXPECTED: &str = "[COLOR] [CENTISECONDS] and pairs such as interval 50, minmoves 3, maxmoves 9, \
                        avoid b C3,D4 1, allow w E5 1, rootInfo true, ownership true, pvVisits true";

/// The program whose format is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Whole numbers of ten thousand.
    LeelaZero,
    /// Fractions, and more of them.
    KataGo,
}

/// The contents that an analysis is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub dialect: Dialect,
    /// The side to move.
    pub color: Color,
    /// Between two lines.
    pub interval: Duration,
    /// Show so many moves even without visits.
    pub moves_min: usize,
    /// Show no more than so many.
    pub moves_max: usize,
    /// Say how the position as a whole stands.
    pub root_info: bool,
    /// Say who will hold each point.
    pub ownership: bool,
    /// Say the visits of each ply of a line.
    pub pv_visits: bool,
    avoided: Vec<Move>,
    /// Nothing else, where anything is here.
    only: Vec<Move>,
}

impl Asked {
    /// Reads the words of a command in the position that `record` stands at.
    ///
    /// The color and the number of centiseconds may be left out. What is avoided or allowed must be a
    /// move of the side to move, and holds for the position itself.
    pub fn read<G: Playable>(
        record: &Record<G>,
        args: &Args<'_>,
        dialect: Dialect,
    ) -> Result<Asked, Fault> {
        let mut asked = Asked {
            dialect,
            color: record.position().side_to_move(),
            interval: INTERVAL,
            moves_min: 0,
            moves_max: usize::MAX,
            root_info: false,
            ownership: false,
            pv_visits: false,
            avoided: Vec::new(),
            only: Vec::new(),
        };
        let mut words = Words { args, at: 0 };
        if let Ok(color) = args.color(0) {
            asked.color = color;
            words.at += 1;
        }
        if let Ok(centiseconds) = words.number() {
            asked.interval = interval(centiseconds);
        }
        while let Some(word) = words.next() {
            asked.take(word, &mut words, record)?;
        }
        Ok(asked)
    }

    /// Takes a word and what belongs to it.
    fn take<G: Playable>(
        &mut self,
        word: &str,
        words: &mut Words<'_>,
        record: &Record<G>,
    ) -> Result<(), Fault> {
        match word {
            "interval" => self.interval = interval(words.number()?),
            "minmoves" => self.moves_min = words.number()? as usize,
            "maxmoves" => self.moves_max = words.number()? as usize,
            "avoid" => self.avoided.extend(words.moves(self.color, record)?),
            "allow" => self.only.extend(words.moves(self.color, record)?),
            "rootInfo" => self.root_info = words.truth()?,
            "ownership" => self.ownership = words.truth()?,
            "pvVisits" => self.pv_visits = words.truth()?,
            // What else may be asked for and is not known here.
            "ownershipStdev"
            | "movesOwnership"
            | "movesOwnershipStdev"
            | "pvEdgeVisits"
            | "noResultValue" => {
                words.truth()?;
            }
            _ => return Err(Fault::Syntax(EXPECTED)),
        }
        Ok(())
    }

    /// Tells whether a move of the position is to be searched.
    pub fn allows(&self, mv: Move) -> bool {
        !self.avoided.contains(&mv) && (self.only.is_empty() || self.only.contains(&mv))
    }

    /// Lines that are worth following.
    pub fn lines(&self) -> usize {
        self.moves_max
    }

    /// The position with the right side to move.
    pub fn position<G: Playable>(&self, record: &Record<G>) -> G {
        let mut position = record.position().clone();
        let turned = position.set_side_to_move(self.color);
        debug_assert!(turned.is_ok(), "asked before");
        position
    }
}

fn interval(centiseconds: f64) -> Duration {
    let seconds = (centiseconds / 100.0).clamp(0.0, INTERVAL_MAX.as_secs_f64());
    Duration::from_secs_f64(seconds).max(INTERVAL_MIN)
}

/// The words that are left.
struct Words<'a> {
    args: &'a Args<'a>,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.args.word(self.at);
        self.at += usize::from(word.is_some());
        word
    }

    /// A number of 0 or more; nothing is taken where none stands.
    fn number(&mut self) -> Result<f64, Fault> {
        let number: f64 = self.args.number(self.at, EXPECTED)?;
        if number.is_nan() || number < 0.0 {
            return Err(Fault::Syntax(EXPECTED));
        }
        self.at += 1;
        Ok(number)
    }

    fn truth(&mut self) -> Result<bool, Fault> {
        match self.next() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(Fault::Syntax(EXPECTED)),
        }
    }

    /// `COLOR V,V,V [DEPTH]`; a depth beyond the position itself is not looked at.
    fn moves<G: Playable>(&mut self, color: Color, record: &Record<G>) -> Result<Vec<Move>, Fault> {
        const OTHER: &str = "moves of the side to move after avoid or allow";
        if self.args.color(self.at)? != color {
            return Err(Fault::Syntax(OTHER));
        }
        self.at += 1;
        let list = self.next().ok_or(Fault::Syntax(EXPECTED))?;
        // A depth may follow.
        let _ = self.number();
        let position = record.position();
        list.split(',').map(|word| Ok(position.parse_move(word)?)).collect()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};

    use super::*;

    fn read(words: &str) -> Result<Asked, Fault> {
        let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
        Asked::read(&record, &Args::new(words), Dialect::KataGo)
    }

    fn mv(text: &str) -> Move {
        Go::new(&GoRules::new(9, 15).expect("a size of Go")).parse_move(text).expect("a move")
    }

    #[test]
    fn color_and_interval_may_be_left_out_or_said_in_two_ways() {
        for words in ["w 50", "white interval 50", "W interval 50"] {
            let asked = read(words).expect("known");
            assert_eq!((asked.color, asked.interval), (Color::White, Duration::from_millis(500)));
        }
        let asked = read("25").expect("known");
        assert_eq!((asked.color, asked.interval), (Color::Black, Duration::from_millis(250)));
        assert_eq!(read("").expect("known").interval, INTERVAL);
        assert_eq!(read("b 0").expect("known").interval, INTERVAL_MIN);
        assert_eq!(read("b 1e99").expect("known").interval, INTERVAL_MAX);
    }

    #[test]
    fn moves_are_avoided_and_allowed() {
        let asked = read("b 50 avoid b C3,pass 1 avoid b D4").expect("known");
        assert!(!asked.allows(mv("C3")) && !asked.allows(mv("D4")) && !asked.allows(Move::PASS));
        assert!(asked.allows(mv("E5")));
        let asked = read("allow b C3,D4 1 maxmoves 3").expect("known");
        assert!(asked.allows(mv("C3")) && !asked.allows(mv("E5")));
        assert_eq!(asked.moves_max, 3);
    }

    #[test]
    fn pairs_are_read_and_unknown_ones_refused() {
        let asked = read("b rootInfo true ownership true pvVisits true minmoves 2").expect("known");
        assert!(asked.root_info && asked.ownership && asked.pv_visits);
        assert_eq!(asked.moves_min, 2);
        assert!(!read("b ownership false movesOwnership true").expect("known").ownership);
        for wrong in [
            "b interval",
            "b -5",
            "b nan",
            "b ownership maybe",
            "b frobnicate 3",
            "b avoid w C3 1",
            "b avoid b Z99 1",
            "b allow",
            "red 50",
        ] {
            assert!(matches!(read(wrong), Err(Fault::Syntax(_) | Fault::Move(_))), "{wrong}");
        }
    }
}
