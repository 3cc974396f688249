//! Deciders of a move: the tree, a classical search, or the solver near the end of Othello.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use banyan_lab::processes::binary;
use serde_json::Value;

fn banyan(args: &[&str]) -> Output {
    Command::new(binary("banyan")).args(args).output().expect("it runs")
}

fn answer(args: &[&str]) -> Value {
    let output = banyan(args);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn refused(args: &[&str]) -> String {
    let output = banyan(args);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const SEARCH: [&str; 6] = ["search", "--game", "othello", "--threads", "1", "--json"];

/// A game of Othello with twelve points left.
const LATE: &str = "d3 c5 f6 f5 e6 e3 c3 f3 c4 b4 c6 c2 d2 b6 g5 b3 b5 a6 c1 d6 c7 d8 f4 f2 e2 f1 \
                    e1 g4 c8 e7 d7 e8 f7 b8 h3 d1 g1 g6 a5 a3 f8 g8 b1 a4 h6 h4 h5 g2";

#[test]
fn classical_engines_keep_their_limit_and_say_who_decided() {
    for engine in ["alphabeta", "mtdf"] {
        for more in [&[][..], &["--evaluation", "v4.7"], &["--horizon", "branches"]] {
            let asked = [&SEARCH[..], &["--engine", engine, "--playouts", "20000"], more].concat();
            let found = answer(&asked);
            assert_eq!(found["decided_by"]["module"], engine);
            let positions = found["decided_by"]["positions"].as_u64().expect("a count");
            assert!((2_000..=21_100).contains(&positions), "{found}");
            assert!(found["decided_by"]["depth"].as_u64() > Some(3), "{found}");
            let old_name = &found["decided_by"]["draft"];
            assert_eq!(&found["decided_by"]["depth"], old_name, "it stays for a release");
            assert_eq!(found["pv"][0], found["best"]);
            assert!(["d3", "c4", "f5", "e6"].contains(&found["best"].as_str().expect("a move")));
        }
    }
}

#[test]
fn a_depth_ends_a_classical_search_and_steps_of_mtdf_are_as_asked() {
    let depth = |more: &[&str]| {
        let found = answer(&[&SEARCH[..], more].concat())["decided_by"].clone();
        (found["depth"].as_u64(), found["score"].as_i64(), found["passes"].as_u64())
    };
    for depth_asked in ["1", "7"] {
        let (found, ..) = depth(&["--engine", "alphabeta", "--depth", depth_asked]);
        assert_eq!(found, depth_asked.parse().ok());
    }
    let by_step = ["0", "150", "adaptive", "last"].map(|step| {
        let asked =
            ["--engine", "mtdf", "--evaluation", "stages", "--depth", "5", "--mtdf-step", step];
        let (found, score, passes) = depth(&asked);
        assert_eq!(found, Some(5), "{step}");
        (score, passes.expect("a count"))
    });
    assert!(by_step.iter().all(|(score, _)| *score == by_step[0].0), "{by_step:?}");
    assert_ne!(by_step[0].1, by_step[1].1, "a step changes what is asked: {by_step:?}");
    let othello = ["search", "--game", "othello"];
    let log = refused(&[&othello[..], &["--depth", "3"]].concat());
    assert!(log.contains("--depth is not for --engine uct: expected --engine alphabeta"), "{log}");
    let alphabeta = ["--engine", "alphabeta", "--mtdf-step", "0"];
    let log = refused(&[&othello[..], &alphabeta].concat());
    assert!(log.contains("expected --engine mtdf"), "{log}");
    let log = refused(&[&othello[..], &["--engine", "mtdf", "--mtdf-step", "-3"]].concat());
    assert!(log.contains("-3"), "{log}");
}

#[test]
fn engines_say_by_how_many_threads_they_searched_and_one_finds_the_same_each_time() {
    let by = |threads: &str, more: &[&str]| {
        let asked = ["search", "--game", "othello", "--no-book", "--json", "--threads", threads];
        answer(&[&asked[..], more].concat())["decided_by"].clone()
    };
    let open = ["--engine", "alphabeta", "--moves", "f5 d6 c3 d3 c4 f4", "--depth"];
    let to = |threads, depth| by(threads, &[&open[..], &[depth]].concat());
    assert_eq!(to("3", "15")["threads"], 3);
    assert_eq!(to("3", "4")["threads"], 1, "that takes less time than to begin a thread");
    let alone = to("1", "13");
    assert_eq!((&alone, &alone["threads"]), (&to("1", "13"), &1.into()));
    // Eighteen points left.
    let plies: Vec<&str> = LATE.split_whitespace().take(42).collect();
    let late = ["--time", "60s", "--moves", &plies.join(" ")];
    let [alone, helped] = ["1", "3"].map(|threads| by(threads, &late));
    assert_eq!((&alone["module"], &alone["threads"]), (&"solver".into(), &1.into()));
    assert_eq!((&helped["score"], &helped["threads"]), (&alone["score"], &3.into()));
}

#[test]
fn leaves_are_valued_as_asked() {
    let of = |leaf: &[&str]| {
        let asked = ["--playouts", "3000", "--reproducible"];
        answer(&[&SEARCH[..], &asked, leaf].concat())["tree_digest"].clone()
    };
    let [playout, evaluate, mixed] =
        ["playout", "evaluate", "mixed"].map(|leaf| of(&["--leaf", leaf]));
    assert!(playout != evaluate && evaluate != mixed && mixed != playout);
    let unjudged = of(&["--evaluator", "playouts"]);
    assert_eq!(unjudged, evaluate, "of leaves that nobody judges, the default plays best");
    assert_ne!(of(&[]), unjudged, "the static evaluation judges");
    assert_eq!(of(&["--leaf", "playout", "--set", "leaf_plies=6"]), mixed);
}

#[test]
fn every_engine_plays_the_end_exactly() {
    let solved = ["uct", "alphabeta", "mtdf"].map(|engine| {
        let asked = ["--moves", LATE, "--time", "5s", "--engine", engine];
        let found = answer(&[&SEARCH[..], &asked].concat());
        assert_eq!(found["decided_by"]["module"], "solver", "{engine}: {found}");
        let seconds = found["seconds"].as_f64().expect("a time");
        assert!(seconds < 3.0, "{found}");
        (found["decided_by"]["score"].as_i64(), found["best"].clone(), found["pv"].clone())
    });
    assert_eq!(solved[0], solved[1]);
    assert_eq!(solved[0], solved[2]);
    assert!(solved[0].0.expect("a score") % 2 == 0);
}

#[test]
fn an_engine_or_evaluation_that_a_game_has_not_is_refused_with_what_there_is() {
    for asked in [["--engine", "mtdf"], ["--leaf", "mixed"]] {
        let log = refused(&[&["search", "--game", "go"], &asked[..]].concat());
        let words = format!("go has no evaluation, which {} needs", asked.join(" "));
        assert!(log.contains(&words), "{log}");
    }
    let log = refused(&["bench", "--game", "othello", "--engine", "alphabeta"]);
    assert!(log.contains("expected --engine uct"), "{log}");
    let asked = ["search", "--game", "othello", "--engine", "alphabeta", "--evaluation", "best"];
    let log = refused(&asked);
    let names = "expected patterns or stages or v4.7 or v4.7-regions";
    assert!(log.contains(&format!("othello has no evaluation 'best': {names}")), "{log}");
}

/// Deciders of the moves that were asked for.
fn deciders(args: &[&str], commands: &str) -> Vec<String> {
    let mut child = Command::new(binary("banyan"))
        .args(["gtp", "--threads", "1", "--json", "--no-threats"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("a pipe").write_all(commands.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stderr).expect("text");
    let thoughts = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    thoughts.filter_map(|it| it["decided_by"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_stronger_engine_plays_unless_something_is_asked_of_the_tree() {
    let time = ["--time", "50ms"];
    for (game, player) in [
        ("go", "uct"),
        ("othello", "alphabeta"),
        ("gomoku", "uct"),
        ("connect6", "alphabeta"),
        ("hex", "alphabeta"),
    ] {
        let args = [&["--game", game][..], &time].concat();
        // The first stone in games of lines needs no engine.
        let before = match game {
            "gomoku" => "play b h8\nplay w g7\n",
            "connect6" => "play b k10\nplay w l11\nplay w m12\n",
            _ => "",
        };
        let commands = |last: &str| format!("{before}{last}\n");
        assert_eq!(deciders(&args, &commands("genmove b")), [player], "{game}");
        // What is looked on while it thinks is played by the same.
        let looked_on = commands("lz-genmove_analyze b 20");
        assert_eq!(deciders(&args, &looked_on), [player], "{game}");
    }
    // The tree plays what a network judges: Gomoku's learned on 15x15 alone.
    let moves = "clear_board\nplay b h8\nplay w j9\ngenmove b\n";
    let commands = format!("{moves}boardsize 19\n{moves}boardsize 15\n{moves}");
    let gomoku = [&["--game", "gomoku"][..], &time].concat();
    assert_eq!(deciders(&gomoku, &commands), ["uct", "alphabeta", "uct"]);
    let othello = ["--game", "othello"];
    for more in [&["--playouts", "300"][..], &["--time", "50ms", "--leaf", "playout"]] {
        assert_eq!(deciders(&[&othello[..], more].concat(), "genmove b\n"), ["uct"], "{more:?}");
    }
    let asked = [&othello[..], &["--playouts", "300", "--engine", "mtdf"]].concat();
    assert_eq!(deciders(&asked, "genmove b\n"), ["mtdf"]);
}

#[test]
fn a_classical_engine_plays_a_whole_game_by_gtp() {
    let mut child = Command::new(binary("banyan"))
        .args(["gtp", "--game", "othello", "--engine", "mtdf", "--playouts", "300"])
        .args(["--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let game = "genmove b\ngenmove w\n".repeat(34) + "final_score\nquit\n";
    child.stdin.take().expect("a pipe").write_all(game.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<&str> = text.split("\n\n").map(str::trim).collect();
    assert!(answers.iter().all(|answer| !answer.starts_with('?')), "{text}");
    let discs = answers.iter().filter(|answer| answer.len() == 4).count();
    assert!((50..=60).contains(&discs), "{text}");
    assert!(text.contains("= B+") || text.contains("= W+") || text.contains("= 0"), "{text}");
}

/// Eight empty points; and the same with a score that it has not.
const PROBLEM: &str = "OOOOOOOOXXXXXXXXOOOXXOOOOXXOOXXOXXOOXXOOOXXXOOXXOOXXOX----XX---- X";

fn solve(text: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("problems.obf");
    std::fs::write(&file, text).expect("written");
    let file = file.to_str().expect("a path");
    banyan(&[&["solve", "--game", "othello", "--obf", file], more].concat())
}

#[test]
fn problems_of_a_file_are_solved_and_compared_with_what_it_says() {
    let found: Value =
        serde_json::from_slice(&solve(PROBLEM, &["--json"]).stdout).expect("an answer");
    let [first] = found["positions"].as_array().expect("a list").as_slice() else {
        panic!("{found}")
    };
    let score = first["score"].as_i64().expect("solved");
    assert_eq!((&first["empties"], &first["line"][0]), (&8.into(), &first["best"]));
    let best = first["best"].as_str().expect("a move");
    let right = solve(&format!("{PROBLEM}; {best}:{score:+};"), &[]);
    assert!(right.status.success());
    let text = String::from_utf8_lossy(&right.stdout);
    assert!(text.contains("0 of 1 known scores differ"), "{text}");
    let wrong = solve(&format!("{PROBLEM}; {best}:{:+};", score + 2), &[]);
    assert_eq!(wrong.status.code(), Some(2));
    let text = String::from_utf8_lossy(&wrong.stdout);
    assert!(text.contains(&format!("but the file says {:+}", score + 2)), "{text}");
}

#[test]
fn a_solver_that_gives_up_says_so_and_a_wrong_file_is_refused_with_its_line() {
    let start = "---------------------------OX------XO--------------------------- X";
    let text = String::from_utf8(solve(start, &["--nodes", "50000"]).stdout).expect("text");
    assert!(text.contains("60 empty points: black to move is not solved: try more --nodes"));
    assert!(text.contains("0 of 1 positions solved"), "{text}");
    let log = String::from_utf8(solve("\nX O", &[]).stderr).expect("text");
    assert!(log.contains("line 2: 1 squares: expected 64"), "{log}");
    let log = refused(&["solve", "--game", "othello"]);
    assert!(log.contains("--obf FILE or --sgf FILE"), "{log}");
}

#[test]
fn a_game_that_is_over_is_solved_by_a_cluster_too() {
    let full = format!("{} X", "X".repeat(64));
    for more in [&["--threads", "1"][..], &["--threads", "1", "--listen", "127.0.0.1:0"]] {
        let text = String::from_utf8(solve(&full, more).stdout).expect("text");
        assert!(text.contains("0 empty points: black to move +64"), "{text}");
    }
}

#[test]
fn rules_are_learned_only_for_a_file_that_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    std::fs::write(&notes, "mine").expect("written");
    for place in [folder.path(), &notes] {
        let place = place.to_str().expect("a path");
        let log = refused(&["rules", "learn", "--game", "gomoku", "--drawn", "2", "--out", place]);
        let words = "it would be written over: expected a file of rules, or another name";
        assert!(log.contains(words) && log.contains(place), "{log}");
    }
    assert_eq!(std::fs::read_to_string(&notes).expect("it is there"), "mine");
}

#[test]
fn a_solver_refuses_options_of_other_games() {
    for (args, words) in [
        (["--game", "gomoku", "--obf", "x.obf"], "gomoku has no --obf: expected --game othello"),
        (["--game", "othello", "--target", "d4"], "othello has no --target: expected --game go"),
        (["--game", "connect6", "--side", "white"], "connect6 has no --side: expected --game go"),
    ] {
        let log = refused(&[&["solve"], &args[..]].concat());
        assert!(log.contains(words), "{log}");
    }
}

#[test]
fn shapes_of_connect6_are_scored_by_a_file_and_a_wrong_one_is_refused_with_its_line() {
    let shapes = include_str!("../../../../crates/knowledge/src/connect6/patterns.txt");
    let folder = std::env::temp_dir().join(format!("banyan-patterns-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("patterns.txt");
    let path = file.to_str().expect("a name");
    let search = |more: &[&str]| {
        let asked =
            ["search", "--game", "connect6", "--threads", "1", "--json", "--playouts", "3000"];
        let engine = ["--engine", "alphabeta", "--moves", "k10 l11 k12"];
        [&asked[..], &engine, more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let of = |args: Vec<String>| answer(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let score = |args| of(args)["decided_by"]["score"].as_i64().expect("a score");
    std::fs::write(&file, shapes.replace("L2 400", "L2 4000")).expect("written");
    assert_ne!(score(search(&["--patterns", path])), score(search(&["--evaluation", "s10"])));
    std::fs::write(&file, format!("{shapes}when moves one\nL2 4000\nwhen moves two\nL2 4000\n"))
        .expect("written");
    assert_ne!(score(search(&["--patterns", path])), score(search(&["--evaluation", "s10"])));
    std::fs::write(&file, shapes).expect("written");
    assert_eq!(score(search(&["--patterns", path])), score(search(&["--evaluation", "s10"])));
    assert_ne!(score(search(&[])), score(search(&["--evaluation", "s10"])));
    std::fs::write(&file, shapes.replace("L2 400", "L2 many")).expect("written");
    let args = search(&["--patterns", path]);
    let refusal = banyan(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let text = String::from_utf8_lossy(&refusal.stderr).into_owned();
    assert!(!refusal.status.success());
    assert!(text.contains("line 13: score 'many' of L2: expected a whole number from 0"), "{text}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn hex_is_searched_by_two_distances() {
    for engine in ["alphabeta", "mtdf"] {
        let asked = ["search", "--game", "hex", "--size", "5", "--threads", "1", "--json"];
        let by = ["--engine", engine, "--evaluation", "two-distance", "--depth", "3"];
        let found = answer(&[&asked[..], &by].concat());
        assert_eq!(found["decided_by"]["module"], engine, "{found}");
        assert_eq!(found["best"], "c3", "the middle of a small board wins: {found}");
    }
    let log = refused(&["search", "--game", "hex", "--engine", "mtdf", "--evaluation", "stages"]);
    assert!(log.contains("hex has no evaluation 'stages': expected two-distance"), "{log}");
}

#[test]
fn a_beam_goes_deeper_by_as_many_positions() {
    let asked = ["search", "--game", "othello", "--threads", "1", "--json", "--playouts", "20000"];
    let by = ["--engine", "alphabeta", "--evaluation", "v4.7", "--moves", "f5 d6 c3"];
    let depth = |more: &[&str]| {
        answer(&[&asked[..], &by, more].concat())["decided_by"]["depth"].as_u64().expect("a depth")
    };
    let (whole, narrow) = (depth(&[]), depth(&["--beam", "3"]));
    assert!(narrow > whole, "{narrow} {whole}");
    let log = refused(&[&asked[..], &["--beam", "3"]].concat());
    assert!(log.contains("--beam is not for --engine uct: expected --engine alphabeta"), "{log}");
    let log = refused(&[&asked[..], &by, &["--beam", "3", "--horizon", "branches"]].concat());
    assert!(log.contains("--beam is not for --horizon branches"), "{log}");
    let log = refused(&[&asked[..], &by, &["--beam", "0"]].concat());
    assert!(log.contains("'0' for '--beam <N>'"), "{log}");
}

#[test]
fn games_of_lines_are_searched_by_every_engine() {
    let gomoku =
        ["mix", "shapes", "windows", "s9", "runs"].map(|evaluation| ("gomoku", evaluation));
    let connect6 = ["mix", "shapes", "s10"].map(|evaluation| ("connect6", evaluation));
    for (game, evaluation) in gomoku.into_iter().chain(connect6) {
        for engine in ["alphabeta", "mtdf"] {
            let moves = if game == "gomoku" { "h8 i9 g7" } else { "k10 l11 k12" };
            let asked = ["search", "--game", game, "--threads", "1", "--json", "--moves", moves];
            let by = ["--engine", engine, "--evaluation", evaluation, "--playouts", "4000"];
            let found = answer(&[&asked[..], &by].concat());
            assert_eq!(found["decided_by"]["module"], engine, "{found}");
            assert!(found["decided_by"]["depth"].as_u64() > Some(1), "{found}");
        }
    }
}
