//! Whole conversations, as controllers hold them.

use std::io::{BufReader, Write as _};
use std::time::{Duration, Instant};

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game as _, Move, Record, Rng};
use expect_test::expect;

use super::*;

#[test]
fn as_gogui_speaks() {
    converse(
        GO,
        &expect![[r#"
            > protocol_version
            = 2
            > list_commands
            = protocol_version
            name
            version
            known_command
            list_commands
            quit
            stop
            gogui-interrupt
            cputime
            list_games
            set_game
            boardsize
            clear_board
            komi
            get_komi
            fixed_handicap
            place_free_handicap
            set_free_handicap
            play
            undo
            gg-undo
            genmove
            reg_genmove
            kgs-genmove_cleanup
            analyze
            lz-analyze
            kata-analyze
            genmove_analyze
            lz-genmove_analyze
            kata-genmove_analyze
            kgs-game_over
            time_settings
            kgs-time_settings
            kata-time_settings
            kata-list_time_settings
            time_left
            final_score
            final_status_list
            banyan-ownership
            gogui-analyze_commands
            showboard
            loadsgf
            printsgf
            > name
            = Banyan
            > version
            = VERSION
            > gogui-interrupt
            =
            > boardsize 9
            =
            > clear_board
            =
            > komi 6.5
            =
            > time_settings 600 60 10
            =
            > play b E5
            =
            > genmove w
            = F4
            > undo
            =
            > undo
            =
            > fixed_handicap 2
            = C3 G7
            > time_left w 600 0
            =
            > genmove w
            = D4
            > final_status_list dead
            =
            > final_score
            = W+5.5
            > quit
            =
        "#]],
    );
}

#[test]
fn as_sabaki_speaks() {
    converse(
        GO,
        &expect![[r#"
            > 0 name
            =0 Banyan
            > 1 version
            =1 VERSION
            > 2 protocol_version
            =2 2
            > 3 showboard
            =3
               A B C D E F G H J
             9 . . . . . . . . . 9
             8 . . . . . . . . . 8
             7 . . . . . . . . . 7
             6 . . . . . . . . . 6
             5 . . . . . . . . . 5
             4 . . . . . . . . . 4
             3 . . . . . . . . . 3
             2 . . . . . . . . . 2
             1 . . . . . . . . . 1
               A B C D E F G H J
            go 9x9, komi 7.5; 0 plies, black to move
            > 4 boardsize 9
            =4
            > 5 komi 6.5
            =5
            > 6 clear_board
            =6
            > 7 set_free_handicap C3 G7
            =7
            > 8 play W E5
            =8
            > 9 genmove B
            =9 D7
            > 10 undo
            =10
            > 11 undo
            =11
            > 12 play W D5
            =12
            > 13 protocol_version
            =13 2
            > 14 quit
            =14
        "#]],
    );
}

#[test]
fn as_kgs_gtp_speaks() {
    converse(
        GO,
        &expect![[r#"
            > name
            = Banyan
            > version
            = VERSION
            > boardsize 9
            =
            > komi 7.5
            =
            > clear_board
            =
            > kgs-time_settings byoyomi 600 30 5
            =
            > time_left black 600 0
            =
            > time_left white 600 0
            =
            > genmove b
            = D5
            > play w pass
            =
            > time_left black 30 5
            =
            > time_left white 550 0
            =
            > genmove b
            = F6
            > undo
            =
            > final_status_list dead
            =
            > kgs-game_over
            =
            > quit
            =
        "#]],
    );
}

#[test]
fn as_othello_programs_speak() {
    converse(
        OTHELLO,
        &expect![[r#"
            > list_games
            = Othello
            > set_game Othello
            =
            > boardsize 8
            =
            > clear_board
            =
            > play b f5
            =
            > genmove w
            = d6
            > undo
            =
            > play w d6
            =
            > play w c3
            ? illegal move: it is black's turn, not white's
            > genmove w
            ? illegal move: it is black's turn, not white's
            > play b pass
            ? illegal move pass
            > genmove b
            = c4
            > time_settings 600 0 0
            =
            > genmove w
            = f4
            > quit
            =
        "#]],
    );
}

#[test]
fn as_gomoku_and_connect6_are_spoken_stone_by_stone() {
    converse(
        GOMOKU,
        &expect![[r#"
            > boardsize 15
            =
            > clear_board
            =
            > play b h8
            =
            > play b h9
            ? illegal move: it is white's turn, not black's
            > genmove b
            ? illegal move: it is white's turn, not black's
            > genmove w
            = g7
            > play b pass
            ? illegal move pass
        "#]],
    );
    converse(
        CONNECT6,
        &expect![[r#"
            > play b k10
            =
            > genmove b
            ? illegal move: it is white's turn, not black's
            > play w a1
            =
            > genmove w
            = a2
            > play w a3
            ? illegal move: it is black's turn, not white's
            > undo
            =
            > play w a2
            =
            > genmove b
            = a3
            > genmove b
            = a4
            > genmove b
            ? illegal move: it is white's turn, not black's
        "#]],
    );
}

/// Plays at random to the end; returns the plies without the forced passes, and how many those were.
fn without_passes(seed: u64) -> (Vec<String>, usize) {
    let mut rng = Rng::from_seed(seed);
    let mut record = Record::<Othello>::new(&OthelloRules);
    let mut moves = Vec::new();
    while record.position().outcome().is_none() {
        moves.clear();
        record.position().legal_moves(&mut moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        record.play(mv).expect("legal");
    }
    let text =
        |&(color, mv): &(Color, Move)| format!("{color} {}", record.position().move_text(mv));
    let plies: Vec<String> =
        record.plies().iter().filter(|(_, mv)| !mv.is_pass()).map(text).collect();
    let passes = record.plies().len() - plies.len();
    (plies, passes)
}

#[test]
fn forced_passes_of_othello_may_be_left_out_and_are_undone_with_their_move() {
    let (plies, passes) = (0..)
        .map(without_passes)
        .find(|(plies, passes)| *passes >= 2 && plies.len() > 50)
        .expect("some game has two passes");
    assert!(passes >= 2);
    let mut script: String = plies.iter().map(|ply| format!("play {ply}\n")).collect();
    script.push_str("final_score\ngenmove b\nplay w pass\nundo\nundo\n");
    script.push_str(&format!("gg-undo {}\nshowboard\nundo\n", plies.len()));
    let answers = answers(OTHELLO, &script);
    let (played, after) = answers.split_at(plies.len());
    assert!(played.iter().all(|answer| answer == "="), "{played:?}");
    assert!(after[0].starts_with("= "), "{after:?}");
    assert_eq!(after[1..6], ["= pass", "=", "=", "=", "="]);
    assert!(after[6].contains("othello 8x8; 0 plies, black to move"), "{}", after[6]);
    assert_eq!(after[7], "? cannot undo");
}

#[test]
fn every_game_is_played_to_its_end() {
    for (options, plies) in [
        ("--game go --size 5 --playouts 200", 80),
        // Sixty discs, and a forced pass before each at the most.
        ("--game othello --playouts 32", 120),
        ("--game gomoku --size 6 --playouts 32", 36),
    ] {
        let script: String = (0..plies)
            .map(|ply| format!("genmove {}\n", ["b", "w"][ply % 2]))
            .chain(["final_score\n".to_owned(), "showboard\n".to_owned()])
            .collect();
        let answers = answers(options, &script);
        assert!(answers[plies].starts_with("= "), "{options}: {answers:#?}");
        assert!(answers[plies + 1].contains("over, "), "{options}: {}", answers[plies + 1]);
        let stones = answers.iter().take_while(|answer| *answer != "= pass").count();
        assert!(stones >= 10, "{options}: passed after {stones} stones");
    }
}

#[test]
fn tiny_searches_do_not_pass_in_the_opening() {
    let script = "genmove b\ngenmove w\n".repeat(15);
    let answers = answers("--game go --size 9 --playouts 200", &script);
    assert!(!answers.contains(&"= pass".to_owned()), "{answers:?}");
}

#[test]
fn a_board_that_no_network_sees_is_played_on_as_well() {
    let answers =
        answers("--game go --playouts 50", "boardsize 5\ngenmove b\nboardsize 9\ngenmove b\n");
    let is_move = |answer: &str| answer.starts_with("= ") && answer.len() == 4;
    assert!(is_move(&answers[1]) && is_move(&answers[3]), "{answers:?}");
}

#[test]
fn a_request_to_stop_is_obeyed_and_the_move_still_answered() {
    for request in ["stop\n", "# interrupt\n"] {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let started = Instant::now();
        writer.write_all(format!("1 genmove b\n{request}2 name\n").as_bytes()).expect("room");
        // The writer stays open: what ends the search is the request alone.
        let asked = std::thread::spawn(move || spoken("--time 1h", BufReader::new(reader)));
        writer.write_all(b"3 quit\n").expect("room");
        let said = asked.join().expect("answered");
        assert!(started.elapsed() < Duration::from_secs(10));
        let mut answers: Vec<&str> = said.split("\n\n").collect();
        answers.retain(|answer| *answer != "=");
        assert!(answers[0].starts_with("=1 ") && answers[0].len() <= 5, "{answers:?}");
        assert_eq!(answers[1..], ["=2 Banyan", "=3", ""]);
        drop(writer);
    }
}

#[test]
fn commands_sent_during_a_search_are_answered_after_it() {
    let script = "1 genmove b\n2 name\n3 showboard\n4 genmove w\n5 version\n6 quit\n";
    let answers = answers(GO, script);
    let ids: Vec<&str> = answers.iter().map(|answer| &answer[..2]).collect();
    assert_eq!(ids, ["=1", "=2", "=3", "=4", "=5", "=6"]);
    assert!(answers[2].contains("1 plies"));
}
