//! `banyan gomocup` as a manager speaks to it.

use super::conversation;

fn answers(lines: &str) -> Vec<String> {
    let args = ["gomocup", "--playouts", "500", "--threads", "1"];
    conversation::answers(&args, lines)
}

fn point(text: &str) -> (u32, u32) {
    let (x, y) = text.split_once(',').expect("x,y");
    (x.parse().expect("a column"), y.parse().expect("a row"))
}

#[test]
fn a_game_is_begun_played_taken_back_and_ended() {
    let found = answers(
        "START 20\r\nINFO timeout_turn 1000\r\nINFO timeout_match 100000\r\nINFO max_memory 83886080\r\n\
         INFO game_type 1\r\nINFO rule 0\r\nINFO folder C:\\\r\nINFO time_left 90000\r\n\r\nBEGIN\r\n\
         TURN 0,19\r\nTAKEBACK 0,19\r\nABOUT\r\nFLY now\r\nRESTART\r\nEND\r\n",
    );
    assert_eq!(found[0], "OK");
    let (x, y) = point(&found[1]);
    assert!(x < 20 && y < 20);
    let reply = point(&found[2]);
    assert!(reply != (x, y) && reply != (0, 19), "{found:?}");
    assert_eq!(found[3], "OK");
    assert!(found[4].starts_with("name=\"Banyan\", version=\""), "{found:?}");
    assert_eq!(found[5..], ["UNKNOWN FLY", "OK"]);
}

#[test]
fn a_board_is_answered_at_once_with_the_winning_point_or_the_saving_one() {
    // Own stones 3,3 to 6,3 with 2,3 shut: five at 7,3. The same with the sides exchanged must be shut.
    let win =
        "START 15\nBOARD\n2,3,2\n3,3,1\n9,9,2\n4,3,1\n9,11,2\n5,3,1\n11,9,2\n6,3,1\nDONE\nEND\n";
    assert_eq!(answers(win), ["OK", "7,3"]);
    let shut = "START 15\nBOARD\n3,3,2\n2,3,1\n4,3,2\n9,9,1\n5,3,2\n9,11,1\n6,3,2\nDONE\nEND\n";
    assert_eq!(answers(shut), ["OK", "7,3"]);
}

#[test]
fn rules_are_told_by_info_and_kept() {
    // A double three at 7,7, forbidden to Black in Renju.
    let stones = "5,7,2\n0,0,1\n6,7,2\n0,2,1\n7,8,2\n0,4,1\n7,9,2\n0,6,1\n";
    let game =
        |rule| format!("START 15\nINFO rule {rule}\nBOARD\n{stones}14,14,2\nDONE\nTURN 7,7\nEND\n");
    let free = answers(&game(0));
    let is_blocked = free[1] == "7,7";
    assert!(is_blocked || free.iter().all(|line| !line.starts_with("ERROR")), "{free:?}");
    let renju = answers(&game(4));
    let is_blocked = renju[1] == "7,7";
    assert!(is_blocked || renju[2].starts_with("ERROR illegal move"), "{renju:?}");
}

#[test]
fn swap2_lays_three_stones_chooses_and_goes_on() {
    let found = answers("START 15\nSWAP2BOARD\nDONE\nEND\n");
    let points: Vec<_> = found[1].split(' ').map(point).collect();
    assert!(points.len() == 3 && points[0] != points[1] && points[1] != points[2], "{found:?}");
    for told in ["7,0\n8,1\n10,3\n", "7,0,2\n8,1,2\n10,3,2\n", "7,0\n8,1\n10,3\n1,1\n2,5\n"] {
        let found = answers(&format!("START 15\nSWAP2BOARD\n{told}DONE\nEND\n"));
        let is_move = |text: &str| text.split_once(',').is_some() && point(text).0 < 15;
        assert!(found[1] == "SWAP" || is_move(&found[1]), "{found:?}");
    }
}

#[test]
fn what_is_wrong_is_said_and_the_game_goes_on() {
    let found = answers(
        "BEGIN\nSTART 3\nSTART\nRECTSTART 20,16\nTURN 20,3\nBOARD\n1,1,7\n2,2,1\nDONE\nTAKEBACK 4,4\n\
         SWAP2BOARD\n1,1\nDONE\nBEGIN\nEND\n",
    );
    let expected = [
        "ERROR there is no board yet: expected START or RECTSTART first",
        "ERROR gomoku is not played on a board of 3x3: expected 5 to 25 a side",
        "ERROR '' is no size: expected a number such as 15, or 20,15 after RECTSTART",
        "OK",
        "ERROR '20,3' is no point of this board: expected x,y from 0,0 to 19,15",
        "ERROR '1,1,7' is no stone: expected x,y,1 for one's own or x,y,2 for the other side's",
        "ERROR there is no stone on 4,4",
        "ERROR 1 stones: expected 0, 3 or 5",
    ];
    assert_eq!(found[..8], expected);
    assert!(point(&found[8]).0 < 20);
}

#[test]
fn a_board_that_is_too_small_to_open_on_is_named() {
    let found = answers("START 5\nSWAP2BOARD\nDONE\nEND\n");
    let words =
        "ERROR no three stones to open with are known for a board of 5: expected a larger one";
    assert_eq!(found, ["OK", words]);
}

#[test]
fn bytes_that_are_no_text_are_an_unknown_command_and_the_game_goes_on() {
    let args = ["gomocup", "--playouts", "500", "--threads", "1"];
    let answers = conversation::answers(&args, b"\xff\xfe 1\nSTART 15\nBEGIN\nEND\n");
    assert!(answers[0].starts_with("UNKNOWN"), "{answers:?}");
    assert_eq!(answers[1], "OK");
    let (x, y) = point(answers.last().expect("a point"));
    assert!(x < 15 && y < 15, "{answers:?}");
}
