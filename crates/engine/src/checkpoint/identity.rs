//! The identity of a checkpoint's search, in words: a person may read them with `head -c 2000`.

use banyan_games::{Color, Move, Record};
use banyan_jobs::profile::fingerprint_of;
use banyan_search::Parameters;
use banyan_search::Searchable;
use serde::{Deserialize, Serialize};

use super::FileError;
use crate::settings::Settings;
use crate::tuning::Tuning;

/// Everything that shapes a tree: where one of these differs, it is another search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    rules: String,
    setup: String,
    moves: String,
    side_to_move: String,
    seed: String,
    parameters: String,
    /// All that decides every bit of a reproducible search; "no" for any other.
    reproducible: String,
}

/// Stands between the numbers of a search and the digest of who judges, where somebody does.
const JUDGE: &str = ", evaluator=";

/// Characters of a text that stand in an error.
const SHOWN_CHARS: usize = 100;

impl Identity {
    /// Identifies the search of a game's last position.
    pub fn of<G: Searchable>(record: &Record<G>, settings: &Settings) -> Identity {
        let position = record.position();
        let stones = |stones: &[(Color, Move)]| {
            let text = |&(color, mv): &(Color, Move)| format!("{color} {}", position.move_text(mv));
            stones.iter().map(text).collect::<Vec<_>>().join(", ")
        };
        Identity {
            rules: position.rules().to_string(),
            setup: stones(record.setup()),
            moves: stones(record.plies()),
            side_to_move: position.side_to_move().to_string(),
            seed: settings.tuning.seed.to_string(),
            parameters: parameters(&settings.tuning),
            reproducible: reproducible::<G>(settings),
        }
    }

    /// Tells whether `found` is of the same search as this.
    pub(super) fn expect(&self, found: &Identity) -> Result<(), FileError> {
        for ((what, expected), (_, found)) in self.words().into_iter().zip(found.words()) {
            if found != expected {
                let (found, expected) = from_the_difference(found, expected);
                return Err(FileError::Foreign { what, found, expected });
            }
        }
        Ok(())
    }

    fn words(&self) -> [(&'static str, &str); 8] {
        let Identity { rules, setup, moves, side_to_move, seed, parameters, reproducible } = self;
        let (parameters, judge) = parameters.split_once(JUDGE).unwrap_or((parameters, "playouts"));
        [
            ("the game", rules.as_str()),
            ("the set-up", setup),
            ("the game so far", moves),
            ("the side to move", side_to_move),
            ("--seed", seed),
            // First, since the numbers follow from who judges.
            ("--evaluator", judge),
            ("--set", parameters),
            ("--reproducible", reproducible),
        ]
    }
}

fn parameters(tuning: &Tuning) -> String {
    let values = Parameters::TABLE.iter().zip(tuning.parameters.values());
    let values = values.map(|(line, value)| format!("{}={value}", line.name));
    let values = values.collect::<Vec<_>>().join(", ");
    let judge = tuning.evaluator.map_or_else(String::new, |digest| format!("{JUDGE}{digest}"));
    format!("{values}{judge}")
}

/// The end of the search, too: its last batches are smaller, and at the end nothing is in flight.
fn reproducible<G: Searchable>(settings: &Settings) -> String {
    if !settings.plan.in_order {
        return "no".to_owned();
    }
    let playouts = settings.limits.playouts.unwrap_or(u64::MAX);
    let (window, sizing) = (settings.plan.window.unwrap_or(0), &settings.plan.sizing);
    let (memory, batch) = (settings.tuning.tree_bytes_max, sizing.playouts.unwrap_or(0));
    let build = fingerprint_of(G::KIND);
    format!(
        "--playouts {playouts}, --window {window}, --mode {:?}, --batch {batch}, \
         --tree-memory {memory}, build {} {build:016x}",
        sizing.wish,
        env!("CARGO_PKG_VERSION"),
    )
}

/// Two texts, long ones from the word on in which they differ, cut to what a line has room for.
fn from_the_difference(a: &str, b: &str) -> (String, String) {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y);
    let same = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let is_short = a.len().max(b.len()) <= SHOWN_CHARS;
    let start = a[..same].rfind(", ").filter(|_| !is_short).map_or(0, |at| at + 2);
    let cut = |text: &str| {
        let rest: String = text[start..].chars().take(SHOWN_CHARS).collect();
        if start > 0 { format!("… {rest}") } else { rest }
    };
    (cut(a), cut(b))
}
