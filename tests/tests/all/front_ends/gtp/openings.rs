//! Openings in which sides are swapped, as a controller speaks of them.

use expect_test::expect;

use super::{GOMOKU, answers, converse};

#[test]
fn a_swap_is_played_by_the_controllers_decisions() {
    converse(
        GOMOKU,
        &expect![[r#"
            > banyan-opening
            = over
            > banyan-opening SWAP
            = first lay
            > play b h8
            ? the opening is not over: expected lay and three points
            > genmove b
            ? the opening is not over: expected lay and three points
            > banyan-opening_play lay h8 h9
            ? syntax error: expected lay and three points
            > banyan-opening_play lay h8 h9 h9
            ? illegal decision: illegal move h9
            > banyan-opening_play lay h8 h9 j10
            = second take
            > undo
            ? cannot undo
            > banyan-opening_play offer a1 b1
            ? illegal decision: the opening asks for something else: expected take black or take white
            > banyan-opening_play take white
            = over
            > banyan-opening_genmove
            ? nothing to decide in the opening: expected an ordinary move
            > play w j9
            =
            > undo
            =
            > undo
            ? cannot undo
            > play w j8
            =
            > clear_board
            =
            > banyan-opening
            = first lay
            > banyan-opening none
            = over
            > play b h8
            =
            > undo
            =
            > banyan-opening three
            ? syntax error: expected none, swap, swap2 or two-fifths
        "#]],
    );
}

#[test]
fn a_board_that_is_too_small_to_open_on_is_named() {
    converse(
        "--game gomoku --size 5 --playouts 64 --opening swap",
        &expect![[r#"
            > banyan-opening
            = first lay
            > banyan-opening_genmove
            ? no three stones to open with are known for a board of 5: expected a larger one
            > banyan-opening_play lay a1 b1 c3
            = second take
        "#]],
    );
}

#[test]
fn of_two_fifth_moves_one_is_kept() {
    converse(
        "--game gomoku --rules renju --playouts 64 --opening two-fifths",
        &expect![[r#"
            > banyan-opening_play lay h8 h9 h10
            = second take
            > banyan-opening_play take b
            = white play
            > play w h7
            =
            > banyan-opening
            = black offer
            > undo
            =
            > banyan-opening
            = white play
            > play w h6
            =
            > play b g6
            ? the opening is not over: expected offer and two points
            > banyan-opening_play offer g6 i6
            ? illegal decision: g6 and i6 are one move by a symmetry of the board: expected two that differ
            > banyan-opening_play offer g6 i5
            = white keep
            > banyan-opening_play keep h1
            ? illegal decision: h1 was not offered: expected g6 or i5
            > banyan-opening_play keep i5
            = over
            > play b a1
            ? illegal move: it is white's turn, not black's
            > play w g5
            =
        "#]],
    );
}

#[test]
fn the_engine_decides_for_whoever_is_to_decide() {
    for (rule, last) in [("swap", "over"), ("swap2", "over"), ("two-fifths", "white play")] {
        let options = format!("{GOMOKU} --opening {rule}");
        let script =
            "banyan-opening_genmove\nbanyan-opening\nbanyan-opening_genmove\nbanyan-opening\n";
        let answers = answers(&options, script);
        assert!(answers[0].starts_with("= lay ") && answers[0].split(' ').count() == 5);
        assert!(answers[1].starts_with("= second take"), "{answers:?}");
        assert!(["= take black", "= take white"].contains(&answers[2].as_str()), "{answers:?}");
        assert_eq!(answers[3], format!("= {last}"));
    }
}

#[test]
fn an_opening_that_is_loaded_is_over() {
    let file = tempfile::NamedTempFile::new().expect("a place");
    std::fs::write(file.path(), "(;GM[4]SZ[15];B[h8];W[h9])").expect("written");
    let load = format!(
        "loadsgf {}\nbanyan-opening\nundo\nclear_board\nbanyan-opening",
        file.path().display()
    );
    let answers = answers(&format!("{GOMOKU} --opening swap"), &load);
    assert_eq!(answers, ["=", "= over", "=", "=", "= first lay"]);
}

#[test]
fn other_games_have_no_such_opening() {
    converse(
        "--game connect6 --playouts 64",
        &expect![[r#"
            > banyan-opening
            ? unknown command
        "#]],
    );
}
