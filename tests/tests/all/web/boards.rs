//! Games on boards, asked for as a page asks.

use banyan_games::Kind;
use banyan_lab::processes::Process;
use banyan_tests::web::{Answer, Events, get, post};
use serde_json::{Value, json};

use super::served;

/// A board of a coordinator, and the scenes that it shows.
struct Board {
    pages: String,
    path: String,
    scenes: Events,
}

impl Board {
    fn open(pages: &str, game: &str) -> Board {
        let opened = post(pages, "/api/boards", &json!({ "game": game }));
        assert_eq!(opened.status, 200, "{opened:?}");
        let path = format!("/api/boards/{}", opened.json()["board"].as_str().expect("a name"));
        let scenes = Events::follow(pages, &format!("{path}/events"));
        Board { pages: pages.to_owned(), path, scenes }
    }

    fn ask(&self, ask: Value) {
        let answer = post(&self.pages, &self.path, &ask);
        assert_eq!(answer.status, 200, "{ask}: {answer:?}");
    }

    /// Returns what is shown once so many plies lead to it and nothing is searched.
    fn at(&mut self, plies: usize) -> Value {
        self.scenes.wait(|scene| scene["plies"]["at"] == plies && scene["task"] == "idle")
    }

    fn sgf(&self) -> String {
        get(&self.pages, &format!("{}/game.sgf", self.path)).body
    }

    fn ggf(&self) -> Answer {
        get(&self.pages, &format!("{}/game.ggf", self.path))
    }
}

fn plies(scene: &Value) -> Vec<String> {
    let line = scene["plies"]["line"].as_array().expect("a list").iter();
    line.map(|ply| ply["text"].as_str().expect("a move").to_owned()).collect()
}

#[test]
fn in_every_game_the_engine_answers_a_move_and_both_are_taken_back() {
    let (_process, _, pages) = served(&[]);
    for kind in Kind::ALL {
        let mut board = Board::open(&pages, kind.name());
        board.ask(json!({ "do": "settings", "engine": "uct", "leaf": "best", "time_ms": null, "playouts": 40 }));
        let scene = board.scenes.wait(|scene| scene["wishes"]["playouts"] == 40);
        let legal = scene["position"]["legal"].as_str().expect("a text").find('1');
        board.ask(json!({ "do": "sides", "black": false, "white": true }));
        board.ask(json!({ "do": "play", "point": legal.expect("a point") }));
        // In Connect6 White plays two stones.
        let answered = if kind == Kind::Connect6 { 3 } else { 2 };
        let scene = board.at(answered);
        assert_eq!(scene["position"]["side"], "black", "{kind}");
        assert!(scene["plies"]["line"][0]["value"].is_number(), "{kind}: its answer was searched");
        board.ask(json!({ "do": "undo" }));
        board.at(0);
    }
}

#[test]
fn variations_stay_and_an_illegal_move_is_said() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "go");
    for point in [40, 41, 42] {
        board.ask(json!({ "do": "play", "point": point }));
    }
    let scene = board.at(3);
    assert_eq!(plies(&scene), ["E5", "F5", "G5"]);
    board.ask(json!({ "do": "play", "point": 40 }));
    let scene = board.scenes.wait(|scene| scene["notice"].is_string());
    assert_eq!(scene["notice"], "illegal move E5");
    board.ask(json!({ "do": "goto", "node": 1 }));
    board.ask(json!({ "do": "play", "point": 50 }));
    let scene = board.at(2);
    assert_eq!(plies(&scene), ["E5", "F4"]);
    assert_eq!(scene["plies"]["line"][1]["is_fork"], true);
    board.ask(json!({ "do": "goto", "node": 3 }));
    assert_eq!(plies(&board.at(3)), ["E5", "F5", "G5"]);
    board.ask(json!({ "do": "goto", "node": 1 }));
    let branches = board.at(1)["plies"]["branches"].as_array().expect("a list").len();
    assert_eq!(branches, 2);
}

#[test]
fn games_are_set_up_loaded_and_saved() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "go");
    // The engine does not go on with a game that was loaded, and a long comment is no fault.
    board.ask(json!({ "do": "sides", "black": false, "white": true }));
    let comment = "a ".repeat(1_500_000);
    let game = format!("(;GM[1]SZ[7]KM[5.5]PB[Ann]RE[W+R]C[{comment}];B[dd];W[cc];B[ee])");
    board.ask(json!({ "do": "load", "text": game }));
    let scene = board.at(3);
    assert_eq!(scene["sides"], json!([false, false]));
    assert_eq!(scene["position"]["rules"], "go 7x7, komi 5.5");
    assert_eq!(scene["position"]["komi"], 5.5);
    let saved = board.sgf();
    assert!(saved.contains("SZ[7]") && saved.contains(";B[dd];W[cc];B[ee]"), "{saved}");
    assert!(saved.contains("PB[Ann]") && saved.contains("RE[W+R]"), "{saved}");
    board.ask(json!({ "do": "play", "point": 0 }));
    board.at(4);
    let saved = board.sgf();
    assert!(saved.contains("PB[Ann]") && !saved.contains("RE["), "it goes on: {saved}");
    let stones = format!("X{}O", ".".repeat(47));
    board.ask(json!({ "do": "setup", "stones": stones, "side": "white" }));
    let scene = board.scenes.wait(|scene| scene["position"]["stones"] == *stones);
    assert_eq!(scene["position"]["side"], "white");
    // Two stones on no liberty cannot stand, and the board stays as it is.
    board.ask(json!({ "do": "load", "text": "no game" }));
    let scene = board.scenes.wait(|scene| scene["notice"].is_string());
    assert_eq!(scene["position"]["stones"], *stones);
    let ggf = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------\
               ------------------- *]B[F5]W[D6];)";
    board.ask(json!({ "do": "load", "text": ggf }));
    let scene = board.at(2);
    assert_eq!(
        (&scene["position"]["game"], plies(&scene)),
        (&json!("othello"), vec!["f5".to_owned(), "d6".to_owned()])
    );
    board.ask(json!({ "do": "new", "game": "chess" }));
    let scene = board.scenes.wait(|scene| scene["notice"].is_string());
    assert_eq!(scene["notice"], "'chess' is no game");
    for (asked, notice) in [
        (json!({ "do": "load", "text": "(;GM[3]SZ[8];B[ee])" }), "GM[3] is none of the games here"),
        (json!({ "do": "new", "game": "go", "size": 2.5 }), "not played on a board of size 2.5"),
    ] {
        board.ask(asked);
        let is_told =
            |scene: &Value| scene["notice"].as_str().is_some_and(|it| it.contains(notice));
        board.scenes.wait(is_told);
    }
}

#[test]
fn an_analysis_tells_candidates_lines_and_owners_until_it_is_stopped() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "go");
    board.ask(json!({ "do": "analyze", "on": true }));
    let is_rich = |scene: &Value| {
        let thought = &scene["thought"];
        thought["visits"].as_u64() > Some(500)
            && thought["owners"].as_array().map(Vec::len) == Some(81)
    };
    let scene = board.scenes.wait(is_rich);
    let best = &scene["thought"]["candidates"][0];
    assert!(
        best["prior"].as_f64() > Some(0.0) && best["line"].as_array().expect("a line").len() > 1
    );
    let first = &scene["thought"]["pv"][0];
    assert_eq!(first["stones"].as_str().expect("a board").matches('X').count(), 1, "{first}");
    // Whoever comes in the midst of it sees the same.
    let mut second = Events::follow(&pages, &format!("{}/events", board.path));
    assert_eq!(second.one_more()["task"], "analysis");
    board.ask(json!({ "do": "stop" }));
    let scene = board.scenes.wait(|scene| scene["task"] == "idle");
    assert!(scene["plies"]["start"].is_number(), "the position's worth is noted");
}

#[test]
fn a_review_searches_every_position_and_a_board_that_nobody_looks_at_makes_room() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "hex");
    board.ask(json!({ "do": "new", "game": "hex", "size": 4 }));
    board.scenes.wait(|scene| scene["position"]["width"] == 4);
    for point in [5, 6] {
        board.ask(json!({ "do": "play", "point": point }));
    }
    board.at(2);
    board.ask(json!({ "do": "review" }));
    let is_whole = |scene: &Value| {
        let line = scene["plies"]["line"].as_array().expect("a list");
        scene["task"] == "idle"
            && line.len() == 2
            && line.iter().all(|ply| ply["value"].is_number())
    };
    board.scenes.wait(is_whole);
    // Eight boards there may be: those after them take the places of these.
    for _ in 0..12 {
        assert_eq!(post(&pages, "/api/boards", &json!({ "game": "hex" })).status, 200);
    }
    assert_eq!(post(&pages, &board.path, &json!({ "do": "undo" })).status, 200, "it is looked at");
    for wrong in [json!({ "do": "fly" }), json!({ "do": "play", "point": -1 }), json!(7)] {
        assert_eq!(post(&pages, &board.path, &wrong).status, 400, "{wrong}");
    }
    assert_eq!(post(&pages, "/api/boards/0", &json!({ "do": "undo" })).status, 404);
}

#[test]
fn variations_are_loaded_and_saved_and_games_of_othello_as_ggf_too() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "go");
    let moves = ";B[ee](;W[cc])(;W[gg];B[cc])";
    board.ask(json!({ "do": "load", "text": format!("(;GM[1]SZ[9]{moves})") }));
    assert_eq!(plies(&board.at(2)), ["E5", "C7"], "the main line is shown");
    board.ask(json!({ "do": "goto", "node": 4 }));
    assert_eq!(plies(&board.at(3)), ["E5", "G3", "C7"]);
    board.ask(json!({ "do": "play", "point": 0 }));
    board.at(4);
    let saved = board.sgf().replace('\n', "");
    assert!(saved.ends_with(";B[ee](;W[cc])(;W[gg];B[cc];W[aa]))"), "{saved}");
    assert_eq!((board.ggf().status, board.ggf().json()["error"].is_string()), (404, true));
    let othello = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------\
                   ------------------- *]B[F5]W[D6];)";
    board.ask(json!({ "do": "load", "text": othello }));
    board.at(2);
    let saved = board.ggf();
    assert!(saved.head.contains("banyan.ggf"), "{saved:?}");
    assert!(saved.body.starts_with("(;GM[Othello]") && saved.body.contains("*]B[F5]W[D6];)"));
}

#[test]
fn a_board_of_lines_tells_what_a_stone_would_do_and_others_do_not() {
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "gomoku");
    let stones: String =
        (0..225).map(|at| if (100..104).contains(&at) { 'X' } else { '.' }).collect();
    board.ask(json!({ "do": "setup", "stones": stones, "side": "white" }));
    let scene = board.scenes.wait(|scene| scene["position"]["stones"] == *stones);
    let black = scene["position"]["threats"][0].as_str().expect("a digit a point");
    assert_eq!(
        (&black[99..105], &scene["position"]["threats"][1].as_str().expect("one")[99..105]),
        ("300003", "000000")
    );
    board.ask(json!({ "do": "new", "game": "hex" }));
    board
        .scenes
        .wait(|scene| scene["position"]["game"] == "hex" && scene["position"]["threats"].is_null());
}

#[test]
fn a_network_is_chosen_on_the_page_where_there_is_one_for_the_board() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/go.safetensors");
    // The network of Go comes with the program.
    let (_process, _, pages) = served(&[]);
    let mut board = Board::open(&pages, "go");
    let settings = |judge: &str| {
        json!({ "do": "settings", "engine": "uct", "leaf": "best", "judge": judge, "time_ms": null,
                "playouts": 20 })
    };
    let scene = board.scenes.wait(|scene| scene["has_judge"] == true);
    assert_eq!(scene["wishes"]["judge"], "auto");
    let mut priors = Vec::new();
    for judge in ["playouts", "net"] {
        board.ask(settings(judge));
        board.scenes.wait(|scene| scene["wishes"]["judge"] == judge);
        board.ask(json!({ "do": "analyze", "on": true }));
        let is_searched = |scene: &Value| scene["thought"]["visits"].as_u64() > Some(40);
        let scene = board.scenes.wait(is_searched);
        priors.push(scene["thought"]["candidates"][0]["prior"].clone());
        board.ask(json!({ "do": "stop" }));
        board.scenes.wait(|scene| scene["task"] == "idle");
    }
    assert_ne!(priors[0], priors[1], "the network has priors of its own");
    board.ask(json!({ "do": "new", "game": "go", "size": 5 }));
    board.scenes.wait(|scene| scene["position"]["width"] == 5 && scene["has_judge"] == false);
    board.ask(settings("net"));
    let scene = board.scenes.wait(|scene| scene["notice"].is_string());
    assert!(
        scene["notice"]
            .as_str()
            .expect("a text")
            .starts_with("there is no network for go on this board")
    );
    let args = ["serve", "--threads", "1", "--http", "127.0.0.1:0", "--net", net, "--net", net];
    let refused = Process::start("banyan", &args, |_| {});
    refused.wait_for_log("a second network for go: expected one a game");
}
