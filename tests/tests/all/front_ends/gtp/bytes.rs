//! Answers are well-formed, whatever comes in.

use proptest::prelude::*;

use super::*;

/// Words of the protocol and around it, so that lines get past the first word.
const WORDS: &[&str] = &[
    "play",
    "genmove",
    "undo",
    "gg-undo",
    "boardsize",
    "clear_board",
    "komi",
    "get_komi",
    "b",
    "w",
    "black",
    "WHITE",
    "pass",
    "D4",
    "c3",
    "f5",
    "a1",
    "e2",
    "T19",
    "Z99",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "-1",
    "0.5",
    "7.5",
    "1e9",
    "nan",
    "inf",
    "99999999999999999999",
    "dead",
    "alive",
    "seki",
    "fixed_handicap",
    "set_free_handicap",
    "place_free_handicap",
    "final_status_list",
    "showboard",
    "time_settings",
    "time_left",
    "kgs-time_settings",
    "byoyomi",
    "canadian",
    "absolute",
    "none",
    "loadsgf",
    "printsgf",
    "set_game",
    "Go",
    "reg_genmove",
    "kgs-genmove_cleanup",
    "known_command",
    "list_commands",
    "banyan-opening",
    "banyan-opening_play",
    "banyan-opening_genmove",
    "two-fifths",
    "lay",
    "take",
    "offer",
    "stop",
    "# interrupt",
    "\u{7}",
    "é",
    "12",
    "rectangular_boardsize",
    "final_score",
    "lz-analyze",
    "kata-analyze",
    "kata-genmove_analyze",
    "interval",
    "maxmoves",
    "avoid",
    "ownership",
    "rootInfo",
    "true",
    "kata-time_settings",
    "fischer",
    "gogui-analyze_commands",
    "banyan-ownership",
];

fn line() -> impl Strategy<Value = Vec<u8>> {
    let sensible = prop::collection::vec(prop::sample::select(WORDS), 1..5)
        // A file of that name is no business of a test.
        .prop_filter("writes a file", |words| !words.contains(&"printsgf") || words.len() == 1)
        .prop_map(|words| words.join(" ").into_bytes());
    prop_oneof![4 => sensible, 1 => prop::collection::vec(any::<u8>(), 0..40)]
}

fn check_framing(options: &str, lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let mut input = lines.join(&b'\n');
    input.extend(b"\n987 protocol_version\n");
    let said = spoken(options, &*input.leak());
    prop_assert!(said.ends_with("=987 2\n\n"), "{said:?}");
    for answer in said.trim_end_matches('\n').split("\n\n") {
        prop_assert!(answer.starts_with(['=', '?']), "{said:?}");
        prop_assert!(!answer.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_lines_are_answered_in_go(lines in prop::collection::vec(line(), 1..16)) {
        check_framing("--game go --size 5 --playouts 16", &lines)?;
    }

    #[test]
    fn any_lines_are_answered_in_othello(lines in prop::collection::vec(line(), 1..16)) {
        check_framing("--game othello --playouts 16", &lines)?;
    }

    #[test]
    fn any_lines_are_answered_in_gomoku(lines in prop::collection::vec(line(), 1..16)) {
        check_framing("--game gomoku --size 6 --playouts 16", &lines)?;
    }

    #[test]
    fn any_lines_are_answered_in_connect6(lines in prop::collection::vec(line(), 1..16)) {
        check_framing("--game connect6 --size 7 --playouts 16", &lines)?;
    }
}
