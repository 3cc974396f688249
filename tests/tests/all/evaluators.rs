//! Networks as a user has them: made, shown, written for others, and searched with.

use std::path::Path;

use banyan_lab::processes::Process;
use serde_json::Value;

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The JSON that a command answers with.
fn json(command: &str) -> Value {
    Process::start("banyan", &words(command), |_| {}).json()
}

/// The words of a command that is refused.
fn refusal(command: &str) -> String {
    let mut process = Process::start("banyan", &words(command), |_| {});
    assert!(!process.wait().success(), "{command}");
    process.log().join("\n")
}

/// A command that does its work and says nothing.
fn succeed(command: &str) {
    let mut process = Process::start("banyan", &words(command), |_| {});
    assert!(process.wait().success(), "{command}: {:?}", process.log());
}

/// A network of chance weights for a game.
fn network(folder: &Path, game: &str) -> String {
    let file = folder.join(format!("{game}.safetensors"));
    let file = file.to_str().expect("UTF-8").to_owned();
    let command = format!(
        "model random --force --blocks 1 --channels 16 --game {game} --seed 3 --out {file}"
    );
    succeed(&command);
    file
}

#[test]
fn a_network_is_made_shown_and_written_for_other_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "go");
    let shown = json(&format!("model show --json {file}"));
    assert_eq!((&shown["game"], &shown["blocks"]), (&"go".into(), &1.into()), "{shown}");
    assert_eq!(shown["digest"].as_str().map(str::len), Some(64), "{shown}");
    let onnx = folder.path().join("go.onnx");
    let command = format!("model export --positions 9 --onnx {} {file}", onnx.display());
    succeed(&command);
    assert!(std::fs::metadata(&onnx).expect("written").len() > 10_000);
    assert!(folder.path().join("go.outputs.safetensors").exists());
}

#[test]
fn a_network_is_held_to_positions_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "go");
    let games = folder.path().join("games");
    std::fs::create_dir(&games).expect("a folder of our own");
    let sgf = |name: &str, text: &str| std::fs::write(games.join(name), text).expect("written");
    sgf("a.sgf", "(;GM[1]SZ[9]KM[7.5];B[ee];W[ce];B[gc])");
    sgf("b.sgf", "(;GM[1]SZ[9]KM[5.5];B[cc];W[])");
    let (onnx, games) = (folder.path().join("go.onnx"), games.display());
    let command = format!("model export --force --games {games} --onnx {} {file}", onnx.display());
    let positions = || {
        let outputs = folder.path().join("go.outputs.safetensors");
        let bytes = std::fs::read(outputs).expect("written");
        // A file begins with the length of its header.
        let length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
        let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
        header["value"]["shape"][0].as_u64().expect("a tensor named in test_vector.rs")
    };
    succeed(&command);
    assert_eq!(positions(), 5);
    succeed(&format!("{command} --positions 2"));
    assert_eq!(positions(), 2);
    let refused = refusal(&format!("{command} --size 13"));
    assert!(
        refused.contains("a.sgf: a game on 9x9: expected 13x13, or another --size"),
        "{refused}"
    );
    // Where one of the two files is there, neither is written.
    std::fs::remove_file(&onnx).expect("it was written");
    let refused = refusal(&command.replace("--force ", ""));
    assert!(refused.contains("go.outputs.safetensors is there already"), "{refused}");
    assert!(!onnx.exists());
    sgf("c.sgf", "(;GM[2]SZ[8])");
    let refused = refusal(&command);
    assert!(refused.contains("c.sgf: a game of othello: expected go"), "{refused}");
}

#[test]
fn a_search_by_a_network_counts_evaluations_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in ["go", "othello", "gomoku", "connect6", "hex"] {
        let file = network(folder.path(), game);
        let search = format!("search --json --threads 1 --playouts 60 --game {game}");
        let answer = json(&format!("{search} --engine uct --no-threats --net {file}"));
        assert_eq!(answer["evaluator"], "net", "{answer}");
        assert_eq!((&answer["visits"], &answer["playouts"]), (&60.into(), &60.into()), "{answer}");
        let nodes = answer["nodes"].as_array().expect("nodes");
        let judged = nodes.iter().filter_map(|it| it["playouts"].as_u64()).sum::<u64>();
        // Go ends by two passes, also a ply after any move: an ended game is a visit that nobody judges.
        let ended = if game == "go" { 20 } else { 0 };
        assert!((60 - ended..=60).contains(&judged), "{answer}");
    }
    let file = network(folder.path(), "go");
    let mixed = json(&format!(
        "search --json --threads 1 --playouts 200 --evaluator mixed --lambda 0.3 --net {file}"
    ));
    assert_eq!((&mixed["evaluator"], &mixed["visits"]), (&"mixed".into(), &200.into()));
    let plain =
        json("search --json --threads 1 --playouts 200 --evaluator playouts --selection puct");
    assert_eq!((&plain["evaluator"], &plain["visits"]), (&"playouts".into(), &200.into()));
}

#[test]
fn static_evaluations_judge_too_and_the_same_on_any_threads() {
    for game in ["othello", "gomoku", "connect6", "hex"] {
        let search =
            format!("search --json --no-book --evaluator patterns --game {game} --playouts 400");
        let answer = json(&format!("{search} --threads 1"));
        assert_eq!((&answer["evaluator"], &answer["visits"]), (&"patterns".into(), &400.into()));
        assert_eq!(answer["decided_by"]["module"], "uct", "{answer}");
        let [one, three] = [1, 3].map(|threads| {
            let answer = json(&format!("{search} --reproducible --threads {threads}"));
            answer["tree_digest"].as_str().expect("asked for").to_owned()
        });
        assert_eq!(one, three, "{game}");
    }
    let mixed = json(
        "search --json --no-book --evaluator patterns --lambda 0.5 --game othello --playouts 400",
    );
    assert_eq!(mixed["evaluator"], "mixed", "{mixed}");
}

#[test]
fn static_evaluations_are_asked_of_workers() {
    let options = "--json --no-book --evaluator patterns --game othello --playouts 2000";
    let search = format!("search {options} --threads 0 --min-workers 1");
    let (coordinator, address) = Process::coordinator(&words(&search));
    let _worker = Process::worker(&address, "elm");
    let answer = coordinator.json();
    assert_eq!(answer["nodes"][0]["name"], "elm", "{answer}");
    assert!(answer["nodes"][0]["playouts"].as_u64() > Some(1000), "{answer}");
}

#[test]
fn a_reproducible_search_by_a_network_gives_one_tree_on_any_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "go");
    let search = format!("search --json --reproducible --playouts 150 --net {file}");
    let digests = [1, 2, 3].map(|threads| {
        let answer = json(&format!("{search} --threads {threads}"));
        answer["tree_digest"].as_str().expect("asked for").to_owned()
    });
    assert_eq!(digests, [&digests[0]; 3].map(Clone::clone));
}

#[test]
fn a_bench_by_a_network_says_evaluations_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "go");
    // Long enough for some pongs, by which a worker says how full its batches are.
    let bench = format!("bench --json --threads 1 --rounds 1 --time 1500ms --net {file}");
    let answer = json(&bench);
    let node = &answer["nodes"][0];
    assert!(node["evaluations_per_s"].as_f64() > Some(100.0), "{answer}");
    // One by one, eight fit.
    assert!(node["batch_fill"].as_f64() >= Some(0.125), "{answer}");
    let mixed = json(&format!("{bench} --evaluator mixed --policy heavy"));
    let [evaluations, all] =
        ["evaluations_per_s", "playouts_per_s"].map(|key| mixed["nodes"][0][key].as_f64());
    assert!(Some(0.0) < evaluations && evaluations < all, "{mixed}");
    let played = json("bench --json --threads 1 --rounds 1 --time 300ms");
    let node = &played["nodes"][0];
    assert_eq!((&node["evaluations_per_s"], &node["batch_fill"]), (&0.0.into(), &Value::Null));
}

#[test]
fn made_up_workers_judge_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "go");
    let bench = format!("bench --json --simulated-workers 8 --latency 2ms --time 1s --net {file}");
    for (mode, batch) in [("subtree", 16), ("leaf-parallel", 1)] {
        let answer = json(&format!("{bench} --mode {mode} --batch {batch}"));
        assert_eq!((&answer["mode"], &answer["batch"]), (&mode.into(), &batch.into()), "{answer}");
        assert!(answer["merged_batches_per_s"].as_f64() > Some(0.0), "{answer}");
    }
}

/// Sizes of batches change with the tree, and each has its tallies.
#[test]
fn made_up_workers_answer_batches_of_all_sizes() {
    let answer = json("bench --json --simulated-workers 4 --latency 5ms --time 1s");
    assert_eq!(answer["mode"], "subtree", "{answer}");
    // 4,000 a second where each size was played anew.
    assert!(answer["merged_playouts_per_s"].as_f64() > Some(10_000.0), "{answer}");
}

#[test]
fn what_cannot_judge_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = network(folder.path(), "othello");
    let go = network(folder.path(), "go");
    let gomoku = network(folder.path(), "gomoku");
    let cut = folder.path().join("cut.safetensors");
    let bytes = std::fs::read(&go).expect("just written");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a folder of our own");
    for (options, said) in [
        (format!("--net {file}"), "network for othello, the game is go"),
        (
            format!("--net {}", cut.display()),
            "bytes are more or fewer than its header tells of: cut short",
        ),
        ("--net /nowhere/net".to_owned(), "/nowhere/net: cannot read the network"),
        ("--evaluator net --game hex".to_owned(), "no network for hex is built in"),
        (format!("--net {go} --size 5"), "7x7 to 25x25, not 5x5"),
        // The static evaluation could, but somebody was named.
        (format!("--net {gomoku} --game gomoku --size 5"), "7x7 to 25x25, not 5x5"),
        (
            "--game gomoku --size 5 --evaluator net".to_owned(),
            "7x7 to 25x25, not 5x5: expected --evaluator auto or playouts",
        ),
        (format!("--net {go} --lambda 2"), "--lambda 2: expected a share from 0 to 1"),
        (
            "--evaluator playouts --lambda 0.5".to_owned(),
            "expected --evaluator net, patterns or mixed",
        ),
        (
            "--evaluator patterns".to_owned(),
            "there is no static evaluation of go: expected --evaluator net",
        ),
        (
            format!("--evaluator patterns --net {go}"),
            "--net with --evaluator patterns: expected one of both",
        ),
        ("--set lambda=1".to_owned(), "there is nobody to judge"),
        ("--evaluator katago".to_owned(), "no KataGo can be there: expected --katago COMMAND"),
    ] {
        let refused = refusal(&format!("search --playouts 9 {options}"));
        assert!(refused.contains(said), "{options}: {refused}");
    }
}
