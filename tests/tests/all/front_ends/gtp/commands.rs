//! Each command: what it answers and what it refuses.

use std::collections::HashSet;

use expect_test::expect;

use super::*;

#[test]
fn a_program_says_who_it_is_and_what_it_knows() {
    converse(
        GO,
        &expect![[r#"
            > protocol_version
            = 2
            > name
            = Banyan
            > 12 version
            =12 VERSION
            > known_command genmove
            = true
            > known_command lz-analyze
            = true
            > known_command
            ? syntax error: expected the name of a command
            > frobnicate 1 2
            ? unknown command
            > 7
            ?7 unknown command
            > stop
            =
            > kgs-game_over
            =
            > quit
            =
        "#]],
    );
}

#[test]
fn processor_time_is_told_in_seconds() {
    let told = answers(GO, "cputime\n").remove(0);
    let seconds: f64 = told.trim_start_matches("= ").parse().expect("a number");
    assert!((0.0..36_000.0).contains(&seconds), "{told}");
}

#[test]
fn nothing_is_answered_after_quit() {
    assert_eq!(answers(GO, "1 quit\n2 name\n"), ["=1"]);
}

#[test]
fn what_is_listed_is_known_and_listed_once() {
    for (options, has_komi, has_rectangles) in [
        (GO, true, false),
        (OTHELLO, false, false),
        (GOMOKU, false, true),
        (CONNECT6, false, false),
    ] {
        let listed = answers(options, "list_commands\n").remove(0);
        let names: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        for name in ["play", "genmove", "undo", "quit", "showboard", "final_score", "time_left"] {
            assert!(names.contains(&name), "{options}: {name}");
        }
        for name in ["komi", "get_komi", "fixed_handicap", "final_status_list"] {
            assert_eq!(names.contains(&name), has_komi, "{options}: {name}");
        }
        assert_eq!(names.contains(&"rectangular_boardsize"), has_rectangles, "{options}");
        let asked: String = names.iter().map(|name| format!("known_command {name}\n")).collect();
        assert!(answers(options, &asked).iter().all(|answer| answer == "= true"));
    }
}

#[test]
fn a_command_of_another_game_is_unknown() {
    converse(
        OTHELLO,
        &expect![[r#"
            > komi 6.5
            ? unknown command
            > final_status_list dead
            ? unknown command
        "#]],
    );
}

#[test]
fn boards_are_as_large_as_the_game_allows() {
    converse(
        GO,
        &expect![[r#"
            > boardsize 13
            =
            > play b N13
            =
            > boardsize 9 9
            =
            > play b N13
            ? syntax error: 'N13' is outside the board of size 9
            > boardsize 9 13
            ? unacceptable size: go is not played on a board of 9x13: expected a square board
            > boardsize 1
            ? unacceptable size: go is not played on a board of 1x1: expected a square of 2 to 25
            > boardsize 26
            ? unacceptable size: go is not played on a board of 26x26: expected a square of 2 to 25
            > boardsize -9
            ? syntax error: expected one or two numbers of points
            > boardsize
            ? syntax error: expected one or two numbers of points
            > boardsize 99999999999
            ? syntax error: expected one or two numbers of points
        "#]],
    );
    converse(
        OTHELLO,
        &expect![[r#"
            > boardsize 8
            =
            > boardsize 10
            ? unacceptable size: othello is not played on a board of 10x10: expected 8x8
        "#]],
    );
    converse(
        GOMOKU,
        &expect![[r#"
            > boardsize 20
            =
            > rectangular_boardsize 10 12
            =
            > play b j12
            =
        "#]],
    );
    converse(
        CONNECT6,
        &expect![[r#"
            > boardsize 19
            =
            > boardsize 5
            ? unacceptable size: connect6 is not played on a board of 5x5: expected a square of 6 to 25
        "#]],
    );
}

#[test]
fn komi_is_set_at_any_moment_and_the_game_goes_on() {
    converse(
        GO,
        &expect![[r#"
            > komi 6.5
            =
            > get_komi
            = 6.5
            > fixed_handicap 2
            = C3 G7
            > play w E5
            =
            > komi -0.5
            =
            > get_komi
            = -0.5
            > play b E5
            ? illegal move E5
            > undo
            =
            > play w E5
            =
            > komi 0.3
            ? unacceptable komi: komi 0.3 is out of range: expected a multiple of 0.5 from -1000 to 1000
            > komi nan
            ? unacceptable komi: komi NaN is out of range: expected a multiple of 0.5 from -1000 to 1000
            > komi x
            ? syntax error: expected a komi such as 7.5
        "#]],
    );
}

#[test]
fn moves_are_played_and_refused_for_a_reason() {
    converse(
        GO,
        &expect![[r#"
            > play b d4
            =
            > play WHITE E5
            =
            > play black E5
            ? illegal move E5
            > play black pass
            =
            > play black PASS
            =
            > play red D5
            ? syntax error: expected a color: b, w, black or white
            > play b
            ? syntax error: expected a vertex such as D4, or pass
            > play b I5
            ? syntax error: 'I5' is outside the board of size 9
            > play b D55
            ? syntax error: 'D55' is outside the board of size 9
            > play b 5D
            ? syntax error: '5D' is not a move: expected a letter and a number such as D4, or pass
            > play
            ? syntax error: expected a color: b, w, black or white
        "#]],
    );
}

#[test]
fn superko_is_refused_by_name() {
    converse(
        GO,
        &expect![[r#"
            > play b B4
            =
            > play w C4
            =
            > play b A3
            =
            > play w D3
            =
            > play b B2
            =
            > play w C2
            =
            > play b C3
            =
            > play w B3
            =
            > play b C3
            ? illegal move C3
            > play b pass
            =
            > play b C3
            ? illegal move C3: it repeats an earlier position (superko)
        "#]],
    );
}

#[test]
fn undo_takes_back_to_the_start_and_no_further() {
    converse(
        GO,
        &expect![[r#"
            > undo
            ? cannot undo
            > play b C3
            =
            > play w D3
            =
            > play b E3
            =
            > gg-undo 4
            ? cannot undo
            > gg-undo 2
            =
            > play w D3
            =
            > gg-undo
            =
            > undo
            =
            > undo
            ? cannot undo
            > gg-undo 0
            =
            > gg-undo x
            ? syntax error: expected a number of moves
            > gg-undo 99999999999999999999999
            ? syntax error: expected a number of moves
        "#]],
    );
}

#[test]
fn a_stone_after_two_passes_goes_on_and_is_undone_as_it_was_played() {
    converse(
        GO,
        &expect![[r#"
            > play b E5
            =
            > play w pass
            =
            > play b pass
            =
            > play w pass
            =
            > play w D5
            =
            > undo
            =
            > undo
            =
            > genmove w
            = pass
            > undo
            =
            > play w D5
            =
            > gg-undo 4
            =
            > undo
            ? cannot undo
        "#]],
    );
}

#[test]
fn a_generated_move_is_played_and_a_tried_one_is_not() {
    converse(
        GO,
        &expect![[r#"
            > reg_genmove b
            = D5
            > undo
            ? cannot undo
            > genmove b
            = D5
            > undo
            =
            > undo
            ? cannot undo
            > genmove w
            = D6
            > genmove w
            = F4
            > genmove
            ? syntax error: expected a color: b, w, black or white
        "#]],
    );
}

#[test]
fn handicaps_need_an_empty_board_and_a_number_that_fits() {
    converse(
        GO,
        &expect![[r#"
            > fixed_handicap 1
            ? invalid number of stones: 1
            > fixed_handicap 10
            ? invalid number of stones: 10
            > fixed_handicap 4
            = C3 G7 C7 G3
            > fixed_handicap 2
            ? board not empty
            > undo
            ? cannot undo
            > clear_board
            =
            > place_free_handicap 80
            = C3 G7 C7 G3 C5 G5 E3 E7 E5
            > clear_board
            =
            > place_free_handicap 81
            = C3 G7 C7 G3 C5 G5 E3 E7 E5
            > clear_board
            =
            > place_free_handicap 1
            ? invalid number of stones: 1
            > set_free_handicap D4
            ? invalid number of stones: 1
            > set_free_handicap D4 D4
            ? bad vertex list: cannot put a black stone on D4: the point is taken or outside the board
            > set_free_handicap D4 pass
            ? bad vertex list: a pass is no stone
            > set_free_handicap D4 Z4
            ? bad vertex list: 'Z4' is outside the board of size 9
            > set_free_handicap D4 E4 F4
            =
            > set_free_handicap D4 E4 F4
            ? board not empty
            > play w D4
            ? illegal move D4
            > genmove w
            = E7
        "#]],
    );
}

#[test]
fn clocks_are_set_in_every_way() {
    converse(
        GO,
        &expect![[r#"
            > time_settings 60 0 0
            =
            > time_left b 60 0
            =
            > time_settings 0 5 1
            =
            > time_settings 60 30 25
            =
            > time_left w 12.5 3
            =
            > time_settings 0 0 0
            =
            > time_settings 0 1 0
            =
            > time_left b 3 2
            =
            > time_settings 60
            ? syntax error: expected main time, byo-yomi time and byo-yomi stones
            > kgs-time_settings none
            =
            > kgs-time_settings absolute 300
            =
            > kgs-time_settings byoyomi 300 10 5
            =
            > kgs-time_settings canadian 300 30 25
            =
            > kgs-time_settings canadian 300 30
            ? syntax error: expected none, absolute M, byoyomi M T PERIODS or canadian M T STONES
            > kgs-time_settings fischer 1 2
            ? syntax error: expected none, absolute M, byoyomi M T PERIODS or canadian M T STONES
            > time_left green 1 2
            ? syntax error: expected a color: b, w, black or white
        "#]],
    );
}

#[test]
fn a_side_whose_time_is_up_moves_all_the_same() {
    check(GO, "time_left b -5 0 ->\ngenmove b -> = *");
}

/// Without a clock each of these searches would take the default ten seconds.
#[test]
fn a_running_clock_bounds_a_search_that_nothing_else_does() {
    let started = std::time::Instant::now();
    let answers = answers(
        "--game go --size 9",
        "time_settings 0 1 1\ngenmove b\ntime_left w 0 0\ngenmove w\ntime_left b 0.2 0\ngenmove b\n",
    );
    assert!(answers.iter().all(|answer| answer.starts_with('=')), "{answers:?}");
    assert!(started.elapsed() < std::time::Duration::from_secs(9), "{:?}", started.elapsed());
}

#[test]
fn the_winner_of_a_board_with_walls_is_counted() {
    let moves: String = (1..=9)
        .map(|row| format!("play b E{row}\nplay w F{row}\n"))
        .chain(["play b J9\nplay w A1\nplay w A2\n".to_owned()])
        .collect();
    let script = format!(
        "komi 5.5\n{moves}final_score\nfinal_status_list dead\nfinal_status_list alive\n\
         final_status_list seki\nfinal_status_list maybe\nshowboard\n"
    );
    let answers = answers(GO, &script);
    let after = &answers[answers.len() - 6..];
    // 45 to 36 points, less komi.
    assert_eq!(after[0], "= B+3.5");
    assert_eq!(after[1], "= J9\nA2 A1");
    assert_eq!(after[2].lines().count(), 2);
    assert_eq!(after[3], "=");
    assert!(after[4].starts_with("? syntax error"));
    assert!(after[5].starts_with("=\n   A B C D E F G H J\n 9 . . . . X O . . X 9\n"));
    assert!(after[5].ends_with("go 9x9, komi 5.5; 21 plies, black to move"));
}

#[test]
fn cleaning_up_takes_dead_stones_before_it_passes() {
    let walls: String = (1..=9).map(|row| format!("play b E{row}\nplay w F{row}\n")).collect();
    let dead = "play w A1\nplay w pass\nplay b pass\n";
    let script = format!("{walls}{dead}kgs-genmove_cleanup b\nkgs-genmove_cleanup b\n{}", {
        "final_status_list dead\nkgs-genmove_cleanup b\nkgs-genmove_cleanup w\n"
    });
    let answers = answers(GO, &script);
    let mut first: Vec<&str> = answers[21..23].iter().map(String::as_str).collect();
    first.sort_unstable();
    assert_eq!(first, ["= A2", "= B1"]);
    assert_eq!(answers[23..], ["=", "= pass", "= pass"]);
}

/// Four black stones and three white ones share C1 and C2, and have no eyes.
const SEKI: &str = "w B1, b A1, w B2, b A2, w B3, b A3, w C4, b A4, w C5, b B4, w C6, b B5, w C7, b B6, \
    w C8, b B7, w C9, b B8, w D4, b B9, w E1, b A6, w E2, b C3, w E3, b D1, w E4, b D2, \
    w G3, b D3, w G7, w F5, w H5, w F8, w F2, w H2, w H8, w F6, w F4, w D6, w D8, w E7, \
    w E5, w G5, w J4, w J6, w G8, w G2, w H6, w H4, w G6, w G4, w F7, w F3, w E8, w D5";

#[test]
fn stones_in_seki_are_counted_and_left_alone() {
    let plies = SEKI.split(", ").chain(["b pass", "w pass"]);
    let stones: String = plies.map(|ply| format!("play {ply}\n")).collect();
    let ends =
        "final_score\nfinal_status_list dead\nkgs-genmove_cleanup w\nkgs-genmove_cleanup b\n";
    let answers = answers(GO, &format!("komi -42.5\n{stones}{ends}"));
    assert_eq!(answers[answers.len() - 4..], ["= B+1.5", "=", "= pass", "= pass"]);
}

/// Whether the game is lost is not asked while the board is cleared.
#[test]
fn cleaning_up_is_not_given_up() {
    let walls: String = (1..=9).map(|row| format!("play b E{row}\nplay w F{row}\n")).collect();
    let walls = format!("komi 80\n{walls}play b D5\nplay w A1\nplay b D4\n");
    let options = "--game go --size 9 --playouts 500 --resign 1";
    let after = |end: &str| answers(options, &format!("{walls}{end}")).pop().expect("an answer");
    assert_eq!(after("genmove b\n"), "= resign");
    let cleaned = after("play w pass\nplay b pass\nkgs-genmove_cleanup b\n");
    assert!(["= A2", "= B1"].contains(&cleaned.as_str()), "{cleaned}");
}

#[test]
fn a_score_needs_an_end_in_games_without_territory() {
    converse(
        OTHELLO,
        &expect![[r#"
            > final_score
            ? cannot score: the game is not over
        "#]],
    );
    converse(
        GOMOKU,
        &expect![[r#"
            > play b a1
            =
            > play w a2
            =
            > play b b1
            =
            > play w b2
            =
            > play b c1
            =
            > play w c2
            =
            > play b d1
            =
            > play w d2
            =
            > play b e1
            =
            > final_score
            = B+1
            > genmove w
            = pass
            > play w e2
            ? illegal move e2
            > undo
            =
            > undo
            =
            > play b f1
            =
            > final_score
            ? cannot score: the game is not over
        "#]],
    );
}

#[test]
fn only_the_process_s_own_game_can_be_set() {
    converse(
        OTHELLO,
        &expect![[r#"
            > list_games
            = Othello
            > set_game Othello
            =
            > set_game Go
            ? unsupported game: this process plays Othello
            > set_game
            ? unsupported game: this process plays Othello
        "#]],
    );
    converse(
        GO,
        &expect![[r#"
            > list_games
            = Go
            > set_game go
            =
        "#]],
    );
}

#[test]
fn games_are_written_to_files_and_read_back() {
    let directory = std::env::temp_dir().join(format!("banyan gtp {}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("a game.sgf").display().to_string();
    check(
        GO,
        &format!(
            "komi 6.5 ->
             play b D4 ->
             play w E5 ->
             play b F6 ->
             printsgf -> = (;FF[4]*
             printsgf {file} ->
             boardsize 19 ->
             loadsgf {file} 3 ->
             get_komi -> = 6.5
             play b F6 ->
             play w F6 -> ? illegal move F6
             gg-undo 3 ->
             undo -> ? cannot undo
             loadsgf {file} ->
             undo ->
             loadsgf {file} 1 ->
             undo -> ? cannot undo
             loadsgf {file} 9 -> ? cannot load file: *
             loadsgf {file}x -> ? cannot load file: *
             loadsgf -> ? syntax error: expected the name of a file
             printsgf {file}/x -> ? cannot save file: *"
        ),
    );
    check(OTHELLO, &format!("loadsgf {file} -> ? cannot load file: *"));
    std::fs::remove_dir_all(directory).expect("removed");
}

#[test]
fn a_record_in_which_the_sides_played_on_is_loaded() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("on.sgf");
    std::fs::write(&file, "(;SZ[9];B[ee];W[cc];B[];W[];B[gg];W[cg])").expect("written");
    let file = file.display();
    check(
        GO,
        &format!(
            "loadsgf {file} ->
             play b G3 -> ? illegal move G3
             loadsgf {file} 6 ->
             play b C3 ->
             play w C3 -> ? illegal move C3
             loadsgf {file} 5 ->
             genmove b -> = pass"
        ),
    );
}

#[test]
fn a_record_that_says_nothing_of_rules_leaves_those_of_the_command_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let game = |name: &str, rules: &str| {
        let file = directory.path().join(name);
        // Black has f8, g8, h7 and h6: h8 makes two threes.
        let plies = "B[fh];W[aa];B[gh];W[ac];B[hi];W[oo];B[hj];W[oa]";
        std::fs::write(&file, format!("(;FF[4]GM[4]SZ[15]{rules};{plies})")).expect("written");
        file.display().to_string()
    };
    let (silent, free) = (game("silent.sgf", ""), game("free.sgf", "RU[freestyle]"));
    let options = format!("{GOMOKU} --rules renju");
    check(
        &options,
        &format!(
            "loadsgf {silent} ->
             play b h8 -> ? illegal move h8
             loadsgf {free} ->
             play b h8 ->"
        ),
    );
    check(GOMOKU, &format!("loadsgf {silent} ->\nplay b h8 ->"));
    let file = directory.path().join("go.sgf");
    std::fs::write(&file, "(;FF[4]GM[1]SZ[9];B[ee])").expect("written");
    check(GO, &format!("komi 5.5 ->\nloadsgf {} ->\nget_komi -> = 5.5", file.display()));
}

#[test]
fn a_game_that_white_begins_on_an_empty_board_is_searched() {
    let directory = tempfile::tempdir().expect("a directory");
    for (options, text) in
        [(GOMOKU, "(;FF[4]GM[4]SZ[15];W[hh];B[ii])"), (GO, "(;FF[4]GM[1]SZ[9]PL[W];W[ee];B[cc])")]
    {
        let file = directory.path().join("white.sgf");
        std::fs::write(&file, text).expect("written");
        let engine = "--engine uct --no-threats";
        let options = format!("{options} {engine}");
        let answers = answers(&options, &format!("loadsgf {}\ngenmove w\n", file.display()));
        assert_eq!(answers[0], "=", "{text}");
        assert!(answers[1].len() >= 4 && answers[1] != "= pass", "{text}: {answers:?}");
    }
    // Another komi changes no side.
    let file = directory.path().join("go.sgf");
    std::fs::write(&file, "(;FF[4]GM[1]SZ[9]PL[W])").expect("written");
    let script = format!("loadsgf {}\nkomi 6.5\nshowboard\n", file.display());
    let shown = answers(GO, &script).pop().expect("a board");
    assert!(shown.contains("komi 6.5; 0 plies, white to move"), "{shown}");
}

#[test]
fn no_number_of_stones_is_too_large_for_a_clock() {
    for stones in [1u32 << 30, u32::MAX] {
        check(
            GO,
            &format!(
                "time_settings 0 10 {stones} ->
                 genmove b -> = *
                 kgs-time_settings canadian 0 10 {stones} ->
                 genmove w -> = *"
            ),
        );
    }
}
