//! Questions as lines of KataGo's analysis protocol.
//!
//! # Source
//! KataGo's own description, `docs/Analysis_Engine.md` of its repository.

use banyan_games::Color;
use banyan_games::notation::Notation;
use serde::Serialize;
use serde_json::{Value, json};

use crate::position::Position;

/// The name of the question for the version.
pub(crate) const VERSION: &str = "version";
/// The name of the question for the network.
pub(crate) const MODELS: &str = "models";

/// The line that asks how new the program is.
pub(crate) fn version() -> String {
    json!({ "id": VERSION, "action": "query_version" }).to_string()
}

/// The line that asks which network it has.
pub(crate) fn models() -> String {
    json!({ "id": MODELS, "action": "query_models" }).to_string()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    id: String,
    board_x_size: u8,
    board_y_size: u8,
    komi: f64,
    rules: Value,
    initial_stones: Vec<(&'static str, String)>,
    initial_player: &'static str,
    moves: Vec<(&'static str, String)>,
    max_visits: u32,
    include_policy: bool,
    include_ownership: bool,
    override_settings: Value,
}

/// The line that asks for one visit to a position: what the network says of it.
pub(crate) fn analyse(id: u64, position: &Position) -> String {
    let size = position.rules.size();
    let told = |(color, mv)| (letter(color), Notation::Go.format(mv, position.size()));
    let mut turn = !position.first;
    let plies = position.plies.iter().map(|&mv| {
        turn = !turn;
        (turn, mv)
    });
    let query = Query {
        id: id.to_string(),
        board_x_size: size,
        board_y_size: size,
        komi: f64::from(position.rules.komi()) / 2.0,
        rules: rules(),
        moves: plies.map(told).collect(),
        initial_stones: position.stones.iter().copied().map(told).collect::<Vec<_>>(),
        initial_player: letter(position.first),
        max_visits: 1,
        include_policy: true,
        include_ownership: true,
        override_settings: settings(),
    };
    serde_json::to_string(&query).expect("texts and numbers")
}

/// Our rules of Go in KataGo's words.
fn rules() -> Value {
    json!({
        "ko": "POSITIONAL",
        "scoring": "AREA",
        "tax": "NONE",
        "suicide": false,
        "hasButton": false,
        "whiteHandicapBonus": "0",
        "friendlyPassOk": false,
    })
}

/// Returns what must hold for us to understand the answer, whatever the file says that KataGo was started with.
fn settings() -> Value {
    json!({ "reportAnalysisWinratesAs": "SIDETOMOVE" })
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Move;
    use banyan_games::go::GoRules;

    use super::*;

    #[test]
    fn a_position_is_one_line_with_rules_stones_and_plies() {
        let position = Position {
            rules: GoRules::new(9, 13).expect("a board"),
            stones: vec![(Color::White, Move::point(8))],
            first: Color::White,
            plies: vec![Move::point(0), Move::PASS],
        };
        let line = analyse(17, &position);
        assert!(!line.contains('\n'));
        let query: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(query["id"], "17");
        assert_eq!(query["komi"], 6.5);
        assert_eq!((&query["boardXSize"], &query["boardYSize"]), (&json!(9), &json!(9)));
        assert_eq!(query["initialStones"], json!([["W", "J9"]]));
        assert_eq!(query["initialPlayer"], "W");
        assert_eq!(query["moves"], json!([["W", "A9"], ["B", "pass"]]));
        assert_eq!(
            (&query["rules"]["ko"], &query["rules"]["suicide"]),
            (&json!("POSITIONAL"), &json!(false))
        );
        assert_eq!(query["maxVisits"], 1);
    }
}
