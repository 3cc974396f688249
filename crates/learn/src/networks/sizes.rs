//! Boards of which sizes are learned on.

use banyan_games::Kind;
use std::fmt;
use std::str::FromStr;

/// Points a side of boards that take turns; one size or several, each as often as it is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<u32>);

/// Least and most points a side of a board that a network may look at.
const SIDES: std::ops::RangeInclusive<u32> = 7..=19;

impl Sizes {
    /// The board that a game is played on where nobody says otherwise.
    pub fn usual(game: Kind) -> Sizes {
        Sizes(vec![game.side()])
    }

    /// The size of the board of this number.
    pub fn of(&self, number: u64) -> u32 {
        self.0[(number % self.0.len() as u64) as usize]
    }

    /// Games of a shard of this number: fewer where the board is larger, so that shards take as long.
    ///
    /// - `games`: on the smallest board.
    pub fn games(&self, number: u64, games: u64) -> u64 {
        let least = u64::from(self.0.iter().copied().min().unwrap_or(1));
        let side = u64::from(self.of(number));
        // Games are longer and evaluations dearer: each as the points are.
        (games * least.pow(4) / side.pow(4)).max(1)
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&sizes.join(","))
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let wrong = |part: &str| {
            format!(
                "{part:?}: must be sizes of boards from {} to {} with commas between them",
                SIDES.start(),
                SIDES.end()
            )
        };
        let size = |part: &str| {
            let side = part.trim().parse().ok().filter(|side| SIDES.contains(side));
            side.ok_or_else(|| wrong(part))
        };
        text.split(',').map(size).collect::<Result<_, _>>().map(Sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_take_turns_and_larger_ones_have_fewer_games() {
        let sizes: Sizes = "9,13, 19".parse().unwrap();
        assert_eq!((0..4).map(|number| sizes.of(number)).collect::<Vec<_>>(), [9, 13, 19, 9]);
        assert_eq!(
            (0..3).map(|number| sizes.games(number, 200)).collect::<Vec<_>>(),
            [200, 45, 10]
        );
        assert_eq!(sizes.to_string(), "9,13,19");
        let words = "9,21".parse::<Sizes>().unwrap_err();
        assert_eq!(words, "\"21\": must be sizes of boards from 7 to 19 with commas between them");
        assert!("".parse::<Sizes>().is_err());
    }
}
