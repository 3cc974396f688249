//! Endgames solved and positions searched by several workers, as a user would have it done.

use banyan_lab::processes::Process;
use serde_json::Value;

/// FFO 40: 20 points are left, and Black wins by 38 with a2.
const FFO_40: &str = "(;FF[4]GM[2]SZ[8]AB[h1][h2][c3][d3][h3][c4][g4][h4][g5][h5][h6][h7]\
    AW[a1][d1][e1][f1][g1][b2][c2][d2][e2][f2][g2][a3][b3][e3][f3][g3][a4][b4][d4][e4][f4][a5][b5][c5][d5][e5][f5][d6][e6][f6][g6][e7]\
    PL[B])";

/// Searches the position with so many threads of its own and two workers.
fn solve_with_two_workers(more: &[&str]) -> (Value, Vec<Process>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ffo40.sgf");
    std::fs::write(&file, FFO_40).expect("a folder of our own");
    let sgf = ["--sgf", file.to_str().expect("UTF-8")];
    let search = ["search", "--game", "othello", "--json", "--threads", "0", "--min-workers", "2"];
    let (coordinator, address) = Process::coordinator(&[&search, &sgf[..], more].concat());
    let workers = ["one", "two"].map(|name| Process::worker(&address, name));
    (coordinator.json(), workers.into())
}

#[test]
fn two_workers_solve_an_endgame_together() {
    let (answer, _workers) = solve_with_two_workers(&["--time", "60s", "--audit", "5"]);
    assert_eq!(answer["decided_by"]["module"], "solver", "{answer}");
    assert_eq!((&answer["decided_by"]["score"], &answer["best"]), (&38.into(), &"a2".into()));
    assert_eq!(answer["value"], 1.0);
    // Best play to the last point, in which every line keeps the score.
    assert!(answer["pv"].as_array().expect("a line").len() >= 20, "{}", answer["pv"]);
    let nodes = answer["nodes"].as_array().expect("nodes");
    let work: Vec<u64> = nodes.iter().filter_map(|node| node["playouts"].as_u64()).collect();
    assert!(work.len() == 2 && work.iter().all(|&boards| boards > 1_000_000), "{nodes:?}");
    let batches = &answer["batches"];
    assert!(batches["audited"].as_u64() > Some(0), "{batches}");
    assert_eq!(batches["disputed"], 0, "the same question has the same answer everywhere");
}

#[test]
fn an_endgame_that_cannot_be_solved_in_time_is_left_to_the_engine() {
    let (answer, _workers) = solve_with_two_workers(&["--time", "300ms"]);
    assert_eq!(answer["decided_by"]["module"], "uct", "{answer}");
    assert!(answer["playouts"].as_u64() > Some(0), "{answer}");
}

/// Searches the start of a game to its end, by so many workers and no thread of the coordinator's own.
fn search_with(workers: &[&str], more: &[&str]) -> (Value, Vec<Process>) {
    let count = workers.len().to_string();
    let search = ["search", "--json", "--threads", "0", "--min-workers", &count];
    let (coordinator, address) = Process::coordinator(&[&search, more].concat());
    let workers: Vec<Process> =
        workers.iter().map(|name| Process::worker(&address, name)).collect();
    (coordinator.json(), workers)
}

#[test]
fn workers_share_a_classical_search_and_answer_alike() {
    let (two, four) = (&["one", "two"][..], &["one", "two", "three", "four"][..]);
    // Othello's search by patterns has no others to share with.
    for (game, evaluation, engine, workers) in [
        ("othello", "stages", "alphabeta", two),
        ("gomoku", "shapes", "mtdf", four),
        ("connect6", "shapes", "mtdf", four),
    ] {
        let more = ["--game", game, "--engine", engine, "--evaluation", evaluation];
        let more = [&more[..], &["--no-threats", "--audit", "5", "--time"]].concat();
        let (answer, _workers) = search_with(workers, &[&more[..], &["3s"]].concat());
        assert_eq!(answer["decided_by"]["module"], engine, "{answer}");
        let nodes = answer["nodes"].as_array().expect("nodes");
        let work: Vec<u64> = nodes.iter().filter_map(|node| node["playouts"].as_u64()).collect();
        assert_eq!(work.len(), workers.len(), "{nodes:?}");
        assert!(work.iter().all(|&positions| positions > 1000), "{nodes:?}");
        let batches = &answer["batches"];
        assert!(batches["audited"].as_u64() > Some(0), "{batches}");
        assert_eq!(batches["disputed"], 0, "the same question has the same answer everywhere");
        let number = |key: &str| batches[key].as_u64().expect("a count");
        assert_eq!(number("sent"), number("answered") + number("lost") + number("dead"));
    }
}

#[test]
fn too_few_workers_are_not_asked_where_few_moves_are_looked_at() {
    let more = ["--game", "gomoku", "--engine", "alphabeta", "--no-threats", "--time", "1s"];
    let (answer, _workers) = search_with(&["one", "two"], &more);
    assert_eq!(answer["decided_by"]["module"], "alphabeta", "{answer}");
    assert!(answer["decided_by"]["positions"].as_u64() > Some(1000), "{answer}");
    let nodes = answer["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().all(|node| node["playouts"] == 0), "{nodes:?}");
}

#[test]
fn a_lone_worker_searches_where_the_coordinator_has_no_thread() {
    let more = ["--game", "othello", "--engine", "alphabeta", "--evaluation", "stages"];
    let more = [&more[..], &["--time", "1s"]].concat();
    let (answer, _worker) = search_with(&["one"], &more);
    assert!(answer["nodes"][0]["playouts"].as_u64() > Some(1000), "{answer}");
}
