//! Games as numbers to fit a network to: one row for each full search.
//!
//! A file of rows is safetensors, made from one shard for one encoding, and may be thrown away: it follows
//! from the shard, whose digest is the header's word `shard`. `n` rows of a board of `a` points:
//!
//! | tensor | is |
//! |---|---|
//! | `planes` u8 `[n, planes, ⌈a/8⌉]` | bits of each plane, the first point in the lowest bit |
//! | `globals` i16 `[n, globals]` | in 1/256 |
//! | `policy` i16 `[n, a + 1]` | shares of moves, a pass last |
//! | `outcome` u8 `[n]` | 0 the side to move won, 1 nobody, 2 lost; of Go by the points once dead stones are off |
//! | `score` i16 `[n]` | half points that it won by |
//! | `ownership` i8 `[n, a]` | 1 its own at the end, -1 the other's, 0 nobody's |
//! | `value` i16 `[n]` | of the search, 0 to 1000 |
//! | `game` i32 `[n]` | number of the game, drawn by its seed: it is held out where sixteen divides it |

use super::shard;
use crate::files::put;
use anyhow::Context as _;
use banyan_games::Color;
use banyan_knowledge::planes::Encoding;
use banyan_knowledge::planes::Planes;
use banyan_net::tensors::Writer;
use banyan_selfplay::{Learned, PlayedGame};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Version of the files; those of another are made anew.
pub(super) const VERSION: &str = "4";

/// Extension of a file of rows.
pub const EXTENSION: &str = "rows";

/// Bytes of a header that are read.
const HEADER_MAX: u64 = 1 << 16;

/// Tells whether a file of rows is there that this version made of a shard.
///
/// # Errors
/// A shard that is none.
pub fn is_current(shard: &Path, path: &Path) -> anyhow::Result<bool> {
    let header = || {
        let mut file = File::open(path).ok()?;
        let mut length = [0; 8];
        file.read_exact(&mut length).ok()?;
        let length = u64::from_le_bytes(length);
        let mut header = Vec::new();
        file.take(length.min(HEADER_MAX)).read_to_end(&mut header).ok()?;
        serde_json::from_slice::<serde_json::Value>(&header).ok()
    };
    let words = header().map(|header| header["__metadata__"].clone());
    match words.filter(|words| words["version"] == VERSION) {
        Some(words) => Ok(words["shard"] == shard::digest_of(shard)?),
        None => Ok(false),
    }
}

/// Rows under way.
#[derive(Default)]
struct Rows {
    planes: Vec<u8>,
    globals: Vec<i16>,
    policy: Vec<i16>,
    outcome: Vec<u8>,
    score: Vec<i16>,
    ownership: Vec<i8>,
    value: Vec<i16>,
    game: Vec<i32>,
}

impl Rows {
    fn add<G: Learned>(&mut self, game: &PlayedGame, room: &mut Planes) -> anyhow::Result<()> {
        let record = game.record::<G>()?;
        let area = record.position().size().area();
        let owner = |letter| match letter {
            b'B' => 1,
            b'W' => -1,
            _ => 0,
        };
        let mut owners: Vec<i8> = game.ownership.bytes().map(owner).collect();
        // Nobody's, where the game has no territory.
        owners.resize(area, 0);
        let black = game.learned_outcome::<G>().context("a checked game has a winner")?;
        for thought in &game.thoughts {
            let position = record.position_after(thought.ply as usize);
            let is_black = position.side_to_move() == Color::Black;
            position.encode(room);
            self.put_planes(room);
            let start = self.policy.len();
            self.policy.resize(start + owners.len() + 1, 0);
            for &(code, share) in &thought.policy {
                let point = usize::from(code);
                let at = if point < area { room.point(point) } else { point };
                self.policy[start + at] = share as i16;
            }
            let sign = if is_black { 1 } else { -1 };
            let value = if is_black { black } else { 1.0 - black };
            self.outcome.push(2 - (2.0 * value) as u8);
            self.score.push((sign * game.margin) as i16);
            self.ownership.extend(owners.iter().map(|owner| sign as i8 * owner));
            self.value.push(game.values[thought.ply as usize]);
            self.game.push(game.lot() as i32);
        }
        Ok(())
    }

    fn put_planes(&mut self, room: &Planes) {
        let points = room.width * room.height;
        self.planes.extend(room.planes.iter().flat_map(|plane| plane.bytes(points)));
        self.globals.extend_from_slice(&room.globals);
    }

    fn write(
        &self,
        (encoding, shard): (&Encoding<'_>, &str),
        area: usize,
    ) -> anyhow::Result<Vec<u8>> {
        let n = self.outcome.len();
        let mut writer = Writer::default();
        writer.word("format", "banyan-rows");
        writer.word("version", VERSION);
        writer.word("encoding", encoding.version);
        writer.word("shard", shard);
        writer.tensor("planes", &[n, encoding.planes, area.div_ceil(8)], &self.planes);
        writer.tensor("globals", &[n, encoding.globals], &self.globals);
        writer.tensor("policy", &[n, area + 1], &self.policy);
        writer.tensor("outcome", &[n], &self.outcome);
        writer.tensor("score", &[n], &self.score);
        writer.tensor("ownership", &[n, area], &self.ownership);
        writer.tensor("value", &[n], &self.value);
        writer.tensor("game", &[n], &self.game);
        Ok(writer.end()?)
    }
}

/// The encoding by which a game's positions become planes.
///
/// # Errors
/// A game whose positions do not.
pub fn encoding<G: Learned>() -> anyhow::Result<Encoding<'static>> {
    G::ENCODING.with_context(|| format!("there is no encoding of {} for networks", G::KIND))
}

/// Makes the file of rows of a shard; returns how many rows there are.
///
/// # Errors
/// A shard that is none, games that are not of one size, a file that cannot be written.
pub fn export<G: Learned>(from: &Path, to: &Path) -> anyhow::Result<usize> {
    let encoding = encoding::<G>()?;
    // Of a shard that is replaced meanwhile the rows are made anew the next time.
    let digest = shard::digest_of(from)?;
    let (_, games) = shard::read(from)?;
    let size = games.first().context("a shard without games")?.size;
    let (mut rows, mut room) = (Rows::default(), Planes::default());
    for (number, game) in games.iter().enumerate() {
        anyhow::ensure!(game.size == size, "games of {size} and {} points a side", game.size);
        rows.add::<G>(game, &mut room)
            .with_context(|| format!("game {} of {}", number + 1, from.display()))?;
    }
    put(to, &rows.write((&encoding, &digest), (size * size) as usize)?)?;
    Ok(rows.outcome.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Kind;
    use banyan_games::go::Go;
    use banyan_knowledge::go::planes::ENCODING;
    use banyan_net::tensors::Reader;
    use banyan_selfplay::game::Thought;

    #[test]
    fn rows_of_a_game_by_hand() {
        let game = PlayedGame {
            size: 7,
            komi: 15,
            seed: 1,
            opening: 0,
            moves: vec![24, 0, 49],
            values: vec![500, 300, 700],
            thoughts: vec![
                Thought { ply: 1, visits: 8, policy: vec![(0, 6000), (49, 4000)] },
                Thought { ply: 2, visits: 8, policy: vec![(49, 10_000)] },
            ],
            // Black wins by the points, whatever both thought of dead stones when they passed.
            winner: "W".to_owned(),
            margin: 20,
            ownership: "W".to_owned() + &"B".repeat(47) + ".",
        };
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("0.games.gz"), folder.path().join("0.rows"));
        shard::write(&from, &shard::Header::new(Kind::Go, "heavy", "", 0), &[game]).unwrap();
        assert_eq!(export::<Go>(&from, &to).unwrap(), 2);
        let is_current = |path: &Path| is_current(&from, path).unwrap();
        assert!(is_current(&to) && !is_current(&from) && !is_current(&folder.path().join("none")));
        let bytes = std::fs::read(&to).unwrap();
        let reader = Reader::new(&bytes).unwrap();
        // White is to move first: Black's win is its loss.
        assert_eq!(reader.tensor::<u8>("outcome", &[2]).unwrap(), [2, 0]);
        assert_eq!(reader.tensor::<i16>("score", &[2]).unwrap(), [-20, 20]);
        assert_eq!(reader.tensor::<i16>("value", &[2]).unwrap(), [300, 700]);
        let owners = reader.tensor::<i8>("ownership", &[2, 49]).unwrap();
        assert_eq!((owners[0], owners[1], owners[48]), (1, -1, 0));
        assert_eq!((owners[49], owners[50], owners[97]), (-1, 1, 0));
        let policy = reader.tensor::<i16>("policy", &[2, 50]).unwrap();
        assert_eq!((policy[0], policy[49], policy[99]), (6000, 4000, 10_000));
        let planes = reader.tensor::<u8>("planes", &[2, ENCODING.planes, 7]).unwrap();
        // Plane 2 holds the foe's stones: Black's in the middle, bit 0 of byte 3.
        assert_eq!(planes[14..21], [0, 0, 0, 1, 0, 0, 0]);
        let globals = reader.tensor::<i16>("globals", &[2, ENCODING.globals]).unwrap();
        assert_eq!((globals[0], globals[4]), (120, -120));
    }
}
