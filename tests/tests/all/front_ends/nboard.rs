//! `banyan nboard` as NBoard speaks to it.

use banyan_games::Game;
use banyan_games::othello::{Othello, OthelloRules};

use super::conversation;

fn answers(lines: &str) -> Vec<String> {
    let args = ["nboard", "--engine", "alphabeta", "--playouts", "5000", "--threads", "1"];
    conversation::answers(&args, lines)
}

const START: &str = "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]\
                     BO[8 ---------------------------O*------*O--------------------------- *]";

#[test]
fn a_game_is_set_moves_are_played_and_the_engine_answers() {
    let found = answers(&format!(
        "nboard 2\nset depth 10\n{START}B[F5];)\nping 1\nmove D6/0.5/1\nmove C3\nping 2\ngo\nquit\n"
    ));
    assert!(found[0].starts_with("set myname Banyan"), "{found:?}");
    assert_eq!(found[1..3], ["pong 1", "pong 2"]);
    let reply = found[3].strip_prefix("=== ").expect("a move");
    let parts: Vec<&str> = reply.split('/').collect();
    assert_eq!(parts.len(), 3, "{found:?}");
    let mut position = Othello::new(&OthelloRules);
    for mv in ["f5", "d6", "c3"] {
        position.play(position.parse_move(mv).expect("a point"));
    }
    let reply = position.parse_move(parts[0]).expect("a point");
    assert!(position.is_legal(reply), "{found:?}");
    assert!(parts[1].parse::<f64>().is_ok() && parts[2].parse::<f64>().is_ok());
}

#[test]
fn a_hint_ends_when_the_person_goes_on_and_the_engine_does_not_play() {
    let found = answers(&format!("nboard 2\n{START};)\nhint 1\nping 3\ngo\nquit\n"));
    let words: Vec<&str> = found[1].split_whitespace().collect();
    assert_eq!((words[0], words.len()), ("search", 5), "{found:?}");
    assert_eq!(found[3], "pong 3");
    let first = found[4].strip_prefix("=== ").expect("a move");
    assert!(["D3", "C4", "F5", "E6"].contains(&&first[..2]), "{found:?}");
}

#[test]
fn what_cannot_be_understood_is_said_and_forgotten() {
    let found = answers(&format!(
        "nboard 2\nset game nonsense\n{START};)\nmove A1\nmove Z9\nset depth deep\nfly\nping 4\n"
    ));
    for (line, words) in [
        (1, "'nonsense' is no game"),
        (2, "move A1: illegal move a1"),
        (3, "move Z9: "),
        (4, "'deep' is no depth"),
        (5, "does not know 'fly'"),
    ] {
        assert!(found[line].starts_with("status ") && found[line].contains(words), "{found:?}");
    }
    assert_eq!(found[6], "pong 4");
}

#[test]
fn a_forced_pass_is_a_move_and_an_ended_game_has_none() {
    let board = |side| format!("set game (;BO[8 *O------{} {side}];)\n", "-".repeat(56));
    let found = answers(&format!("{}go\nmove PA\nmove C1\ngo\nhint 2\n", board("O")));
    assert!(found[0].starts_with("=== PA"), "{found:?}");
    assert_eq!(found[2..], ["status the game is over"; 2]);
}

#[test]
fn as_many_hints_are_given_as_are_asked_for() {
    for (wanted, given) in [(1, 1), (3, 3), (9, 4)] {
        let told = format!("nboard 2\n{START};)\nset depth 2\nhint {wanted}\n");
        let found = answers(&told);
        let hints: Vec<&str> = found
            .iter()
            .filter_map(|line| line.strip_prefix("search "))
            .map(|it| &it[..2])
            .collect();
        let mut moves = hints.clone();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!((hints.len(), moves.len()), (given, given), "{found:?}");
    }
    let found = answers(&format!("nboard 2\n{START};)\nhint many\n"));
    assert_eq!(found[1], "status 'many' is no number of hints: expected one from 1 on");
}
