//! Points, sizes and errors as they are written: `x,y` from 0, the column first.

use banyan_games::record::IllegalMove;
use banyan_games::{Move, RulesError, SetupError, Size};

use crate::opening::OpeningError;

/// A fault of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("there is no board yet: expected START or RECTSTART first")]
    NoBoard,
    #[error("the game is over")]
    Over,
    #[error("'{0}' is no size: expected a number such as 15, or 20,15 after RECTSTART")]
    Size(String),
    #[error("no three stones to open with are known for a board of {0}: expected a larger one")]
    NoOpening(Size),
    #[error("'{text}' is no point of this board: expected x,y from 0,0 to {},{}", .size.width - 1, .size.height - 1)]
    Point { text: String, size: Size },
    #[error("'{0}' is no stone: expected x,y,1 for one's own or x,y,2 for the other side's")]
    Stone(String),
    #[error("a stone on the board has no side that is known here: expected 1 or 2 after its point")]
    Field,
    #[error("there is no stone on {0}")]
    NoStone(String),
    #[error("{0} stones: expected 0, 3 or 5")]
    Swap2(usize),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// Texts come from strangers: an error repeats at most this much of one.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

/// A stone of a `BOARD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stone {
    pub point: Move,
    /// Nothing where it is not said.
    pub whose: Option<Whose>,
}

/// Owner of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Own,
    Other,
}

pub(super) fn point(mv: Move, size: Size) -> String {
    let (index, width) = (usize::from(mv.0), usize::from(size.width));
    format!("{},{}", index % width, index / width)
}

pub(super) fn read_point(text: &str, size: Size) -> Result<Move, Fault> {
    let wrong = || Fault::Point { text: shortened(text), size };
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (x, y) = (number(x)?, number(y)?);
    if x >= usize::from(size.width) || y >= usize::from(size.height) {
        return Err(wrong());
    }
    Ok(Move::point(y * usize::from(size.width) + x))
}

/// `x,y` or `x,y,f`.
pub(super) fn stone(line: &str, size: Size) -> Result<Stone, Fault> {
    let fields: Vec<&str> = line.split(',').collect();
    let (point, whose) = match fields[..] {
        [x, y] => (format!("{x},{y}"), None),
        [x, y, whose] => (format!("{x},{y}"), Some(whose.trim())),
        _ => return Err(Fault::Stone(shortened(line))),
    };
    let whose = match whose {
        None => None,
        Some("1") => Some(Whose::Own),
        Some("2") => Some(Whose::Other),
        Some(_) => return Err(Fault::Stone(shortened(line))),
    };
    Ok(Stone { point: read_point(&point, size)?, whose })
}

pub(super) fn side(text: &str) -> Option<u32> {
    text.parse().ok()
}

pub(super) fn sides(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once(',')?;
    side(width.trim()).zip(side(height.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 15, height: 10 };

    #[test]
    fn points_are_column_and_row_from_zero() {
        assert_eq!(read_point("14, 9", SIZE), Ok(Move::point(149)));
        assert_eq!(point(Move::point(149), SIZE), "14,9");
        for wrong in ["15,0", "0,10", "-1,0", "3", "a,b", "", "1,2,3"] {
            let refused = read_point(wrong, SIZE).expect_err(wrong).to_string();
            assert!(refused.ends_with("expected x,y from 0,0 to 14,9"), "{refused}");
        }
    }

    #[test]
    fn stones_may_leave_out_whose_they_are() {
        let read = |line| stone(line, SIZE).map(|stone| stone.whose);
        assert_eq!(read("1,2"), Ok(None));
        assert_eq!(read("1,2,1"), Ok(Some(Whose::Own)));
        assert_eq!(read("1,2, 2"), Ok(Some(Whose::Other)));
        for wrong in ["1", "1,2,3", "1,2,3,4", "1,2,"] {
            assert!(matches!(stone(wrong, SIZE), Err(Fault::Stone(_))), "{wrong}");
        }
    }
}
