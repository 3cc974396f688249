//! Opening books as people and programs use them: made, asked, played by, grown by a server, killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use banyan_book::{Book, Reader, check};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_lab::processes::{PATIENCE, Process, binary, free_address};
use rustix::process::Signal;

use banyan_tests::front_end::FrontEnd;
use banyan_tests::web::get;
use serde_json::Value;

use crate::front_ends::conversation;

/// A position is valued in a moment, and so is a table cleared.
const QUICK: [&str; 6] = ["--depth", "1", "--threads", "1", "--tree-memory", "16MiB"];

fn banyan(args: &[&str]) -> (String, String, bool) {
    let output = Command::new(binary("banyan")).args(args).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.success())
}

fn done(args: &[&str]) -> String {
    let (out, error, is_done) = banyan(args);
    assert!(is_done, "{args:?}: {error}");
    out
}

/// A book of so many positions, valued in a moment.
fn book(folder: &Path, game: &str, positions: &str) -> String {
    let file = folder.join(format!("{game}.book")).display().to_string();
    let build = ["book", "build", "--game", game, "--book", &file, "--positions", positions];
    let said = done(&[&build[..], &QUICK].concat());
    assert!(said.contains(" looked into in "), "{said}");
    file
}

fn probed(file: &str, moves: &str) -> serde_json::Value {
    let said = done(&["book", "probe", "--book", file, "--moves", moves, "--json"]);
    serde_json::from_str(&said).expect("JSON")
}

#[test]
fn a_book_is_looked_into_on_the_pages_of_a_server_and_of_a_front_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = book(folder.path(), "othello", "20");
    let pages = free_address();
    let args = ["--threads", "1", "--http", &pages, "--book", &file];
    let (process, _) =
        Process::coordinator(&[&["serve", "--leaf-time", "10s"], &args[..]].concat());
    let names = |books: &Value| -> Vec<String> {
        let books = books.as_array().expect("a list").iter();
        books.map(|book| format!("{}: {}", book["title"], book["name"]).replace('"', "")).collect()
    };
    let found = names(&get(&pages, "/api/books").json());
    assert_eq!(found[0], format!("Othello: {file}"));
    assert_eq!(
        found[1..],
        ["Go", "Othello", "Gomoku", "Connect6"].map(|it| format!("{it}: shipped"))
    );
    for line in ["", "f5", "f5 d6"] {
        let leaf = get(&pages, &format!("/api/books/0?moves={}", line.replace(' ', "%20"))).json();
        let told = leaf["moves"].as_array().expect("moves").iter();
        let told: Vec<_> = told.map(|it| (it["text"].clone(), it["value"].clone())).collect();
        let known = probed(&file, line);
        let known = known["moves"].as_array().expect("moves").iter();
        let known: Vec<_> = known.map(|it| (it["move"].clone(), it["value"].clone())).collect();
        assert_eq!(told, known, "after '{line}'");
        let stones = leaf["position"]["stones"].as_str().expect("a board");
        let count = stones.chars().filter(|&it| it != '.').count();
        assert_eq!(count, 4 + line.split_whitespace().count());
    }
    let refused = get(&pages, "/api/books/0?moves=a1");
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("move 1 of the line: "), "{}", refused.body);
    assert_eq!(get(&pages, "/api/books/9").status, 404);
    drop(process);

    let pages = free_address();
    let args = ["--game", "othello", "--threads", "1", "--http", &pages, "--book", &file];
    let engine = Process::start("banyan", &[&["gtp"], &args[..]].concat(), |command| {
        command.stdin(Stdio::piped());
    });
    engine.wait_for_log("pages are at http://");
    assert_eq!(names(&get(&pages, "/api/books").json())[0], format!("Othello: {file}"));
}

#[test]
fn a_book_is_built_probed_shown_exported_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = book(folder.path(), "othello", "20");
    let found = probed(&file, "");
    let moves = found["moves"].as_array().expect("moves");
    let keys: Vec<&String> = moves[0].as_object().expect("a move").keys().collect();
    assert_eq!((found.as_object().expect("an object").len(), moves.len()), (1, 1));
    assert_eq!(keys, ["games", "move", "value", "visits"]);
    assert_eq!(probed(&file, "f5 d6 c3 d3 c4 f4 f6 g5"), serde_json::json!({ "moves": [] }));
    let shown = done(&["book", "show", "--book", &file]);
    assert!(shown.contains("   a b c d e f g h") && shown.contains("value 0."), "{shown}");
    assert!(done(&["book", "check", "--book", &file]).ends_with("whole\n"));
    let sgf = done(&["book", "export", "--book", &file]);
    assert!(sgf.starts_with("(;FF[4]") && sgf.contains("C[value "), "{sgf}");
    let lines = done(&["book", "export", "--book", &file, "--format", "lines"]);
    assert!(lines.lines().count() > 10, "{lines}");
}

#[test]
fn moves_of_the_book_are_played_without_a_search_and_the_answer_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = book(folder.path(), "othello", "12");
    let best = probed(&file, "")["moves"][0]["move"].as_str().expect("a move").to_owned();
    let gtp = ["gtp", "--game", "othello", "--depth", "2", "--threads", "1", "--book", &file];
    let mut child = Command::new(binary("banyan"));
    child.args(gtp).arg("--json").stdin(std::process::Stdio::piped());
    child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"genmove b\nquit\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let (said, thought) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert!(said.expect("text").starts_with(&format!("= {best}\n")));
    let thought = thought.expect("text");
    assert!(thought.contains(r#""decided_by":"book""#), "{thought}");
    let nboard = ["nboard", "--depth", "2", "--threads", "1", "--book", &file];
    let start = "set game (;GM[Othello]BO[8 ---------------------------O*------*O---------------------------\
                 *];)\n";
    let found = conversation::answers(&nboard, format!("nboard 2\n{start}go\nquit\n"));
    assert!(found[1].starts_with(&format!("=== {}/", best.to_uppercase())), "{found:?}");
    let searched = ["search", "--game", "othello", "--depth", "2", "--threads", "1", "--json"];
    let by = |more: &[&str]| {
        let said = done(&[&searched[..], more].concat());
        let answer: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        answer["decided_by"]["module"].as_str().expect("a module").to_owned()
    };
    assert_eq!(by(&["--engine", "alphabeta", "--book", &file]), "book");
    assert_eq!(by(&["--engine", "alphabeta"]), "alphabeta");
    assert_eq!(by(&["--engine", "alphabeta", "--no-book"]), "alphabeta");
}

#[test]
fn where_a_book_ends_its_best_move_is_played_unless_a_search_would_think_longer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.book").display().to_string();
    let build = ["book", "build", "--game", "othello", "--book", &file, "--positions", "1"];
    done(&[&build[..], &["--leaf-time", "150ms"], &QUICK[2..]].concat());
    let by = |limits: &[&str]| {
        let search = ["search", "--game", "othello", "--threads", "1", "--json", "--book", &file];
        let said = done(&[&search[..], limits].concat());
        let answer: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        answer["decided_by"]["module"].as_str().expect("a module").to_owned()
    };
    assert_eq!(probed(&file, ""), serde_json::json!({ "moves": [] }));
    assert_eq!(by(&["--engine", "alphabeta", "--time", "100ms"]), "book");
    assert_eq!(by(&["--engine", "alphabeta", "--time", "10s", "--depth", "2"]), "alphabeta");
    assert_eq!(by(&["--engine", "alphabeta", "--depth", "2"]), "alphabeta");
    // What was valued to a depth may be worth less than any search.
    done(&[&build[..], &["--leaf-time", "1s"], &QUICK].concat());
    assert_eq!(by(&["--engine", "alphabeta", "--time", "100ms", "--moves", "f5"]), "alphabeta");
}

#[test]
fn gomocups_manager_is_answered_by_the_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("g.book").display().to_string();
    let games = folder.path().join("a.sgf").display().to_string();
    std::fs::write(&games, "(;GM[4]SZ[15]RE[W+];B[hh];W[hg];B[aa];W[gg])").expect("a file");
    done(&["book", "import", "--book", &file, &games]);
    let gomocup = ["gomocup", "--depth", "1", "--threads", "1", "--book", &file];
    let found = conversation::answers(&gomocup, "START 15\nTURN 7,7\nEND\n");
    assert_eq!(found, ["OK", "7,6"]);
    let refused = banyan(&["gomocup", "--size", "20", "--book", &file]).1;
    assert!(refused.contains("is a book of gomoku 15x15"), "{refused}");
}

#[test]
fn games_of_files_come_into_a_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    let board = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    write("a.ggf", &format!("(;GM[Othello]PB[me]PW[you]RE[+4.00]{board}B[F5]W[D6]B[C3]W[D3];)\n"));
    write("b.sgf", "(;GM[2]FF[4]SZ[8]PB[you]PW[me]RE[B+2];B[fe];W[ff];B[ef];W[fd])");
    write("c.sgf", "(;GM[1]FF[4]SZ[9]KM[7.5]RE[B+2];B[ee];W[cc])");
    let file = folder.path().join("o.book").display().to_string();
    let games = folder.path().display().to_string();
    let (said, warned, _) = banyan(&["book", "import", "--book", &file, &games]);
    assert!(said.starts_with("2 games, 7 new positions of 8, 2 places marked"), "{said}");
    assert!(said.ends_with("1 refused\n") && warned.contains("a game of go 9x9"), "{warned}");
    let found = probed(&file, "");
    assert_eq!(found["moves"][0]["games"], 2);
    assert_eq!(probed(&file, "f5")["moves"].as_array().expect("moves").len(), 2);
    // What was only played is valued by the next build, the losers' places first.
    let build = ["book", "build", "--game", "othello", "--book", &file, "--positions", "12"];
    done(&[&build[..], &QUICK].concat());
    assert!(done(&["book", "check", "--book", &file]).ends_with("whole\n"));
}

#[test]
fn a_book_whose_writer_is_killed_twenty_times_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = book(folder.path(), "gomoku", "3");
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("rules");
    let path = Path::new(&file);
    let reader = Reader::open::<Gomoku>(path, &rules).expect("a book");
    let mut before = reader.positions().expect("a count");
    drop(reader);
    for _ in 0..20 {
        let build = ["book", "build", "--game", "gomoku", "--book", &file];
        let build = [&build[..], &QUICK].concat();
        let mut writer = Process::start("banyan", &build, |command| {
            command.env_remove("BANYAN_POLICY");
        });
        // It writes all the time from then on; where in a write it is hit is chance.
        let began = Instant::now();
        let mut seen = before;
        while seen < before + 3 {
            assert!(began.elapsed() < PATIENCE, "{:#?}", writer.log());
            let reader = Reader::open::<Gomoku>(path, &rules).expect("whole while it is written");
            seen = reader.positions().expect("a count");
        }
        writer.signal(Signal::KILL);
        writer.wait();
        let book = Book::<Gomoku>::open(path, &rules).expect("nobody writes it");
        assert_eq!(check(&book), Vec::new());
        let after = book.nodes().len() as u64;
        assert!(after >= seen, "{after} after {seen}");
        before = after;
    }
}

#[test]
fn shipped_books_are_whole_small_and_played_by_when_asked() {
    let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
    let mut bytes = 0;
    for (game, name) in
        [("othello", "othello"), ("gomoku", "gomoku"), ("connect6", "connect6"), ("go", "go9")]
    {
        let path = models.join(name).with_extension("book");
        bytes += std::fs::metadata(&path).expect("a file").len();
        let file = path.display().to_string();
        assert!(done(&["book", "check", "--book", &file]).ends_with("whole\n"), "{file}");
        let gtp = ["gtp", "--game", game, "--playouts", "1", "--threads", "1", "--book", "shipped"];
        let mut child = Command::new(binary("banyan"));
        // White's reply to the first stone, where that is a move of the book.
        let first = probed(&file, "")["moves"][0]["move"].as_str().expect("a move").to_owned();
        child.args(gtp).arg("--json").stdin(std::process::Stdio::piped());
        child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
        let mut child = child.spawn().expect("it runs");
        let mut input = child.stdin.take().expect("a pipe");
        let lines = format!("play b {first}\ngenmove w\nquit\n");
        std::io::Write::write_all(&mut input, lines.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let thought = String::from_utf8(output.stderr).expect("text");
        assert!(thought.contains(r#""decided_by":"book""#), "{game}: {thought}");
    }
    assert!(bytes <= 2 << 20, "{bytes} bytes");
    let (_, refused, _) = banyan(&["gtp", "--game", "go", "--size", "13", "--book", "shipped"]);
    assert!(refused.contains("no book of go 13x13"), "{refused}");
}

#[test]
fn a_server_lets_its_book_grow_while_nobody_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = book(folder.path(), "othello", "2");
    let address = free_address();
    let serve = ["serve", "--listen", &address, "--threads", "1", "--book", &file];
    let server = Process::start("banyan", &[&serve[..], &["--leaf-time", "10ms"]].concat(), |_| {});
    server.wait_for_log("it grows while nobody plays");
    let (second, error, _) = banyan(&["book", "build", "--game", "othello", "--book", &file]);
    assert!(error.contains("another process is writing this book"), "{second}{error}");
    let began = Instant::now();
    while probed(&file, "f5")["moves"].as_array().expect("moves").len() < 2 {
        assert!(began.elapsed() < PATIENCE, "{:#?}", server.log());
    }
    // As long as anybody plays it does not grow: what it has looked into is told when it stops.
    let mut player = FrontEnd::start(&["--size", "9", "--time", "60s", "--remote", &address]);
    player.process.wait_for_log("thinking with");
    assert!(!server.log().iter().any(|line| line.contains("positions looked into")));
    player.say("genmove b");
    server.wait_for_log("positions looked into");
}
