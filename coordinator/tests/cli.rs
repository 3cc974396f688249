//! The command line, and what a settings file and the environment change of it.
//!
//! Since this stands here, `cargo test --workspace` builds the program, which tests elsewhere start.

use std::process::{Command, Output};

fn banyan(args: &[&str], config: Option<&str>, env: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a folder for a file");
    let file = folder.path().join("banyan.toml");
    if let Some(text) = config {
        std::fs::write(&file, text).expect("written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan"));
    command.args(args).current_dir(folder.path()).env("NO_COLOR", "1");
    command.envs(env.iter().copied()).output().expect("it runs")
}

fn answer(output: &Output) -> serde_json::Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text} {}", String::from_utf8_lossy(&output.stderr))
    })
}

fn playouts(output: &Output) -> u64 {
    answer(output)["playouts"].as_u64().expect("a count")
}

/// The keys of an object, in alphabetical order.
fn keys(object: &serde_json::Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

const SEARCH: &[&str] = &["search", "--json", "--threads", "1"];

#[test]
fn what_is_typed_wins_over_the_environment_and_that_over_the_file() {
    let file = Some("playouts = 300\nsize = 5\n");
    let env = [("BANYAN_PLAYOUTS", "200")];
    assert_eq!(playouts(&banyan(SEARCH, file, &[])), 300);
    assert_eq!(playouts(&banyan(SEARCH, file, &env)), 200);
    assert_eq!(playouts(&banyan(&[SEARCH, &["--playouts", "100"]].concat(), file, &env)), 100);
}

#[test]
fn an_option_that_excludes_another_wins_over_it_where_it_weighs_more() {
    // A book that is not there is refused as soon as it is asked for.
    let asks = |typed: &[&str], file, env: &[_]| {
        let output = banyan(&[SEARCH, &["--playouts", "20"], typed].concat(), file, env);
        String::from_utf8_lossy(&output.stderr).contains("there is no book a.book")
    };
    let (book, no_book) = (["--book", "a.book"], ["--no-book"]);
    let (file_book, file_none) = (Some("book = \"a.book\""), Some("no-book = true"));
    let (env_book, env_none) = ([("BANYAN_BOOK", "a.book")], [("BANYAN_NO_BOOK", "true")]);
    for (typed, file, env) in [
        (&book[..], file_none, &[][..]),
        (&book, None, &env_none),
        (&[], file_none, &env_book),
        (&[], file_book, &[("BANYAN_NO_BOOK", "false")]),
    ] {
        assert!(asks(typed, file, env), "{typed:?} {file:?} {env:?}");
    }
    for (typed, file, env) in [
        (&no_book[..], file_book, &[][..]),
        (&no_book, None, &env_book),
        (&[], file_book, &env_none),
    ] {
        assert!(!asks(typed, file, env), "{typed:?} {file:?} {env:?}");
    }
    let output = banyan(&["gtp", "--listen", "0"], Some("remote = \"127.0.0.1:1\""), &[]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && log.contains("workers may join"), "{log}");
}

#[test]
fn a_wrong_settings_file_is_refused_with_the_key() {
    for (text, words) in [
        ("playuots = 3", "'playuots' is no option"),
        ("playouts = [1]", "playouts must be a text, a number or true or false, not a list"),
        ("set = [[1]]", "set must be a text, a number or true or false, or a list of these"),
        ("set = [\"exploration=0.3\", \"nonsense=1\"]", "nonsense"),
        ("playouts =", "banyan.toml"),
        ("playouts = \"many\"", "many"),
    ] {
        let output = banyan(SEARCH, Some(text), &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {log}");
        assert!(log.contains(words), "{text}: {log}");
    }
}

#[test]
fn commands_under_others_read_the_file_too_where_they_read_the_environment() {
    let build = ["book", "build", "--game", "othello", "--positions", "1"];
    let output = banyan(&build, Some("threads = 7000000\nbook = \"o.book\""), &[]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && log.contains("7000000"), "{log}");
    // What is given several times is a list.
    let output = banyan(
        SEARCH,
        Some("set = [\"exploration=0.3\", \"puct_growth=0.1\"]\nplayouts = 50"),
        &[],
    );
    assert_eq!(playouts(&output), 50);
    // An option of theirs alone is one of some command.
    let output = banyan(SEARCH, Some("leaves = 2\nplayouts = 50"), &[]);
    assert_eq!(playouts(&output), 50);
}

#[test]
fn a_settings_file_that_was_named_must_be_there() {
    let output = banyan(SEARCH, None, &[("BANYAN_CONFIG", "nowhere.toml")]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && log.contains("nowhere.toml"), "{log}");
}

#[test]
fn a_game_from_a_file_is_of_the_variant_that_was_asked_for_where_it_says_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.sgf");
    std::fs::write(&file, "(;GM[4]SZ[15];B[hh];W[hi])").expect("a file");
    let named = ["--sgf", file.to_str().expect("UTF-8"), "--no-threats", "--playouts", "20"];
    let evaluator = |rules: &str| {
        let asked = [SEARCH, &["--game", "gomoku", "--rules", rules], &named].concat();
        answer(&banyan(&asked, None, &[]))["evaluator"].clone()
    };
    // The network learned freestyle.
    assert_eq!(evaluator("freestyle"), "net");
    assert_eq!(evaluator("renju"), "patterns");
}

#[test]
fn the_networks_of_the_build_judge_their_boards_unless_playouts_are_asked_for() {
    let evaluator = |more: &[&str]| {
        let asked = [SEARCH, &["--playouts", "20"], more].concat();
        answer(&banyan(&asked, None, &[]))["evaluator"].clone()
    };
    assert_eq!(evaluator(&[]), "net");
    assert_eq!(evaluator(&["--evaluator", "mixed"]), "mixed");
    assert_eq!(evaluator(&["--size", "13"]), "net");
    // It learned on 7x7 to 19x19 and from Go.
    assert_eq!(evaluator(&["--size", "5"]), "playouts");
    assert_eq!(evaluator(&["--game", "hex", "--size", "9"]), "playouts");
    // That of Gomoku learned freestyle on 15x15.
    assert_eq!(evaluator(&["--game", "gomoku", "--no-threats"]), "net");
    assert_eq!(evaluator(&["--game", "gomoku", "--no-threats", "--size", "19"]), "patterns");
    assert_eq!(evaluator(&["--game", "gomoku", "--no-threats", "--rules", "renju"]), "patterns");
    assert_eq!(evaluator(&["--game", "othello"]), "patterns");
    assert_eq!(evaluator(&["--game", "othello", "--evaluator", "mixed"]), "mixed");
    let classical = ["--game", "hex", "--size", "9", "--engine", "alphabeta"];
    assert_eq!(evaluator(&classical), "patterns", "static evaluation, by a classical search");
    // A game from a file has rules of its own.
    let folder = tempfile::tempdir().expect("a folder");
    let judged = |sgf: &str, game: &str| {
        let file = folder.path().join("game.sgf");
        std::fs::write(&file, sgf).expect("a file");
        let named = ["--game", game, "--no-threats", "--sgf", file.to_str().expect("UTF-8")];
        let asked =
            [&["search", "--json", "--threads", "1", "--playouts", "20"][..], &named].concat();
        answer(&banyan(&asked, None, &[]))["evaluator"].clone()
    };
    assert_eq!(judged("(;GM[1]FF[4]SZ[5]KM[7.5];B[cc])", "go"), "playouts");
    assert_eq!(judged("(;GM[1]FF[4]SZ[9]KM[7.5];B[cc])", "go"), "net");
    assert_eq!(judged("(;GM[4]FF[4]SZ[19];B[jj])", "gomoku"), "patterns");
    assert_eq!(judged("(;GM[4]FF[4]SZ[15];B[hh])", "gomoku"), "net");
    // How children are chosen says nothing of who judges.
    assert_eq!(evaluator(&["--leaf", "playout", "--selection", "puct"]), "playouts");
    // What is said of playouts asks for them.
    for playouts in [["--evaluator", "playouts"], ["--batch", "8"], ["--policy", "uniform"]] {
        assert_eq!(evaluator(&playouts), "playouts", "{playouts:?}");
    }
    assert_eq!(evaluator(&["--leaf", "playout"]), "playouts");
    assert_eq!(evaluator(&["--mode", "subtree"]), "playouts");
    assert_eq!(evaluator(&["--mode", "subtree", "--evaluator", "net"]), "net");
}

#[test]
fn heavy_playouts_are_the_default_of_a_search_and_refused_where_there_are_none() {
    let digest = |policy| {
        let more = ["--reproducible", "--playouts", "200", "--policy", policy];
        answer(&banyan(&[SEARCH, &more].concat(), None, &[]))["tree_digest"].clone()
    };
    assert_ne!(digest("heavy"), digest("uniform"));
    assert_eq!(digest("heavy"), digest("heavy"));
    let unasked = ["--reproducible", "--playouts", "200", "--evaluator", "playouts"];
    let unasked = [SEARCH, &unasked].concat();
    assert_eq!(answer(&banyan(&unasked, None, &[]))["tree_digest"], digest("heavy"));
    // What is measured is the machine, unless someone asks for heavy ones.
    let bench = ["bench", "--playouts-only", "--size", "5", "--playouts", "100", "--json"];
    assert_eq!(answer(&banyan(&bench, None, &[]))["policy"], "uniform");
    let heavy = [&bench[..], &["--policy", "heavy"]].concat();
    assert_eq!(answer(&banyan(&heavy, None, &[]))["policy"], "heavy");
    for game in ["othello", "gomoku", "connect6"] {
        let args = [&bench[..3], &["8", "--playouts", "100", "--json", "--game", game]].concat();
        let plies = answer(&banyan(&args, None, &[]))["plies_per_playout"].as_f64();
        assert!(plies > Some(30.0), "{game} is played out, not evaluated: {plies:?}");
    }
    let othello = ["--game", "othello", "--policy", "heavy"];
    let output = banyan(&[SEARCH, &othello].concat(), None, &[]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("othello has no heavy playouts: expected uniform"), "{log}");
}

#[test]
fn every_command_explains_itself() {
    for command in ["search", "gtp", "bench"] {
        let output = banyan(&[command, "--help"], None, &[]);
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stdout);
        for option in ["--listen", "--threads", "--time", "--reproducible", "BANYAN_SEED"] {
            assert!(text.contains(option), "{command}: {option}");
        }
    }
}

#[test]
fn a_bench_answers_with_fixed_keys_and_as_many_rounds_as_asked() {
    let asked = ["bench", "--json", "--game", "othello", "--threads", "1"];
    let found =
        answer(&banyan(&[&asked[..], &["--time", "300ms", "--rounds", "3"]].concat(), None, &[]));
    let expected = [
        "cluster_busy_percent",
        "coordinator_cpu_s",
        "coordinator_cpu_us_per_playout",
        "efficiency",
        "grower_busy_percent",
        "limit",
        "nodes",
        "rounds",
        "search_thread_busy_percent",
        "seconds",
        "spread",
        "total_playouts_per_s",
    ];
    assert_eq!(keys(&found), expected);
    let of_a_node = [
        "alone_playouts_per_s",
        "cpu_percent",
        "cpu_s",
        "evaluations_per_s",
        "name",
        "playouts_per_s",
        "playouts_per_s_per_thread",
        "rtt_ms_p50",
        "rtt_ms_p99",
        "share_of_capacity",
        "share_of_work",
        "spread",
        "threads",
    ];
    assert_eq!(keys(&found["nodes"][0]), of_a_node);
    assert_eq!(keys(&found["spread"]), ["max", "median", "min"]);
    assert_eq!(found["rounds"], 3);
    assert_eq!(found["total_playouts_per_s"], found["spread"]["median"]);
    assert!(found["total_playouts_per_s"].as_f64().expect("a rate") > 0.0, "{found}");
}

#[test]
fn a_bench_for_people_ends_with_what_limits_the_cluster() {
    let output =
        banyan(&["bench", "--threads", "1", "--time", "200ms", "--rounds", "2"], None, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    for words in ["node ", "local ", "total ", "medians of 2 rounds", "coordinator: search thread"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().last().expect("lines").starts_with("limit: "), "{text}");
}

#[test]
fn a_bench_of_simulated_workers_answers_with_fixed_keys() {
    let leaves = &["--mode", "leaf-parallel"][..];
    for carrier in [leaves, &["--in-process", "--mode", "leaf-parallel"], &[]] {
        let asked =
            ["bench", "--simulated-workers", "8", "--latency", "2ms", "--time", "1s", "--json"];
        let found = answer(&banyan(&[&asked[..], carrier].concat(), None, &[]));
        let expected = [
            "batch",
            "cluster_busy_percent",
            "cluster_us_per_batch",
            "grower_busy_percent",
            "grower_us_per_batch",
            "latency_ms",
            "limit",
            "merged_batches_per_s",
            "merged_playouts_per_s",
            "mode",
            "search_thread_busy_percent",
            "search_thread_us_per_batch",
            "simulated_workers",
        ];
        assert_eq!(keys(&found), expected);
        if carrier.is_empty() {
            // Untold, the search chooses.
            assert_eq!(found["mode"], "subtree", "{found}");
            continue;
        }
        assert_eq!((&found["mode"], &found["batch"]), (&"leaf-parallel".into(), &8.into()));
        let [playouts, batches] = ["merged_playouts_per_s", "merged_batches_per_s"]
            .map(|key| found[key].as_f64().expect("a rate"));
        assert!(batches > 0.0 && (playouts / batches - 8.0).abs() < 1e-6, "{found}");
    }
}

#[test]
fn a_number_that_a_search_does_not_ask_is_told_of() {
    let said = |more: &[&str]| {
        let args = [SEARCH, &["--playouts", "20", "--set", "exploration=0.5"], more].concat();
        let output = banyan(&args, None, &[]);
        assert!(output.status.success(), "{more:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let told = "--set exploration changes nothing here: children are chosen by PUCT";
    assert!(said(&[]).contains(told), "{}", said(&[]));
    let heard = said(&["--evaluator", "playouts"]);
    assert!(!heard.contains("--set exploration"), "{heard}");
}

#[test]
fn a_signature_is_eight_digits_and_follows_the_settings() {
    let [plain, tuned] = [&[][..], &["--set", "exploration=0.5"]]
        .map(|more| banyan(&[&["bench", "--signature"], more].concat(), None, &[]).stdout)
        .map(|line| String::from_utf8(line).expect("text"));
    let number = plain.trim_end();
    assert!(number.len() == 8 && number.chars().all(|c| c.is_ascii_hexdigit()), "{plain}");
    assert_ne!(plain, tuned);
    let found = answer(&banyan(&["bench", "--signature", "--seed", "9", "--json"], None, &[]));
    assert_eq!(keys(&found), ["games", "signature"]);
    assert_eq!(
        found["signature"], number,
        "it is the search that counts, not what is searched for"
    );
    assert_eq!(found["games"].as_array().expect("a list").len(), 5);
    assert_eq!(
        keys(&found["games"][0]),
        ["digest", "evaluations", "game", "playouts", "positions"]
    );
}

#[test]
fn what_cannot_be_served_or_attached_to_is_refused_before_anything_starts() {
    for (args, words) in [
        (&["serve", "--sessions", "0"][..], "0 is not in 1..="),
        (&["serve", "--listen", "0.0.0.0:0"], "anybody could join or attach"),
        (&["serve", "--threads", "100000"], "100000 threads are too many"),
        (&["serve", "--game", "go"], "unexpected argument '--game'"),
        (&["gtp", "--remote", "elm:x"], "'elm:x' is no address: expected HOST:PORT"),
        (&["gtp", "--remote", "a:1", "--listen", "127.0.0.1:0"], "cannot be used with"),
        (&["gtp", "--remote", "a:1", "--metrics", "127.0.0.1:0"], "cannot be used with"),
        (
            &["serve", "--join", "a:1", "--join-tls-cert", "c.pem", "--join-tls-key", "k.pem"],
            "--tls-ca <FILE>",
        ),
        (&["gtp", "--remote", "a:1", "--weight", "101"], "101 is not in 1..=100"),
        (&["nboard", "--remote", "a:1", "--tls-ca", "/nonexistent.pem"], "/nonexistent.pem"),
    ] {
        let output = banyan(args, None, &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {log}");
        assert!(log.contains(words), "{args:?}: {log}");
    }
}

#[test]
fn help_does_not_offer_what_a_fixed_game_leaves_no_choice_of() {
    for (command, fixed, open) in [
        ("nboard", &["--game", "--size", "--komi", "--rules"][..], &["--time", "--threads"][..]),
        ("gomocup", &["--game", "--komi"], &["--time", "--size", "--rules"]),
        ("gtp", &[], &["--game", "--size", "--komi", "--rules", "--opening"]),
    ] {
        let output = banyan(&[command, "--help"], None, &[]);
        let help = String::from_utf8_lossy(&output.stdout).into_owned();
        let offers = |option: &str| help.contains(&format!("{option} <"));
        assert!(fixed.iter().all(|option| !offers(option)), "{command}: {help}");
        assert!(open.iter().all(|option| offers(option)), "{command}: {help}");
    }
}

#[test]
fn an_opening_is_refused_for_a_game_that_has_none() {
    let output = banyan(&["gtp", "--game", "hex", "--opening", "swap2"], None, &[]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    let words = "--opening swap2 is a rule of gomoku: expected --game gomoku, not hex";
    assert!(log.contains(words), "{log}");
}

/// Returns the words of a command that fails, line by line; nothing of it is a line of the log.
fn last_words(args: &[&str]) -> String {
    let output = banyan(args, None, &[]);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {words}");
    assert!(words.starts_with("error: ") && !words.contains("ERROR"), "{args:?}: {words}");
    words
}

#[test]
fn errors_have_one_form_and_say_nothing_twice() {
    for (args, words) in [
        (&["search", "--size", "30"][..], "error: go is not played on a board of 30x30"),
        (&["search", "--moves", "d4 d4"], "error: --moves, number 2: illegal move D4\n"),
        (&["search", "--set", "explore=1"], "a similar one is 'exploration'"),
        (&["search", "--set", "exploration"], "'exploration' is no setting: expected NAME=VALUE"),
        (&["search", "--listen", "127.0.0.1:99999"], "'99999' is no port from 0 to 65535"),
        (&["search", "--playouts", "many"], "such as 1000, 500k or 10M"),
        (&["gtp", "--remote", "elm:x"], "error: 'elm:x' is no address: expected HOST:PORT such as"),
        (&["search", "--seed", "x"], "expected a whole number"),
        (&["search", "--tree-memory", "1X"], "'1X' is no size: expected one such as 500MB or 2GiB"),
        (&["search", "--lambda", "-0.1"], "-0.1"),
        (&["bench", "--time", "0s"], "--time 0s: nothing can be measured"),
        (&["bench", "--playouts-only", "--time", "0s"], "--time 0s: nothing can be measured"),
        (
            &["bench", "--playouts-only", "--evaluator", "net", "--time", "0s"],
            "--time 0s: nothing can be measured",
        ),
        (
            &["bench", "--simulated-workers", "2", "--time", "0s"],
            "--time 0s: nothing can be measured",
        ),
        (
            &["gtp", "--remote", "127.0.0.1:1", "--game", "othello", "--engine", "mtdf"],
            "--engine mtdf searches on this machine: expected --engine uct with --remote",
        ),
        (
            &["gtp", "--remote", "127.0.0.1:1", "--evaluator", "katago"],
            "KataGo judges for the cluster of one program, not for those that --remote serves: expected \
             --evaluator auto, net or playouts with --remote, or --listen ADDR:PORT in its place",
        ),
        (
            &["search", "--katago", "k", "--komi", "200", "--playouts", "1"],
            "KataGo takes a komi of -150 to 150, not 200",
        ),
        (&["gtp", "--book-margin", "-1"], "'--book-margin <VALUE>': expected a number from 0 to 1"),
        (&["search", "--mtdf-step", "-1"], "expected a number from 0, `adaptive` or `last`"),
        (&["train", "td", "--dir", "a", "--lambda", "-1"], "'-1' for '--lambda"),
        (
            &["train", "patterns", "--game", "othello", "--dir", "a", "--step", "-1"],
            "'-1' for '--step <STEP>': expected a number above 0",
        ),
        (&["train", "run", "--dir", "a", "--sprt", "-5,35,1"], "'-5,35,1' for '--sprt"),
    ] {
        let said = last_words(args);
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let json = banyan(&["search", "--size", "30", "--log-format", "json"], None, &[]);
    let line: serde_json::Value = serde_json::from_slice(&json.stderr).expect("a line of the log");
    assert_eq!(line["level"], "ERROR");
}

#[test]
fn nothing_is_written_over_what_is_no_output_and_what_would_be_ignored_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("Unicode").to_owned();
    let (dir, book, history) = (path(""), path("a.book"), path("loop.json"));
    let built = ["book", "build", "--game", "gomoku", "--book", &book, "--time", "1s"];
    let built = banyan(&[&built[..], &["--playouts", "100", "--threads", "1"]].concat(), None, &[]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    std::fs::write(&history, "[]").expect("written");
    let plot = ["train", "plot", "--dir", &dir, "--to"];
    for (args, words) in [
        (&["book", "export", "--book", &book, "--out", &book][..], "would be written over"),
        (&["book", "build", "--game", "gomoku", "--book", "shipped"], "part of the program"),
        (&[&plot[..], &[&history]].concat(), "loop.json is no drawing, and would be written over"),
        (&["train", "gate", "--dir", &dir], "generation 0 has no network yet"),
        (&["train", "fit", "--dir", &dir, "--shape", "4"], "must be BLOCKSxCHANNELS"),
        (&["train", "run", "--dir", &dir, "--percent", "nan"], "must be a number from 0 to 100"),
        (&["train", "run", "--dir", &dir, "--pairs", "0"], "0 is not in 1.."),
        (&["train", "selfplay", "--dir", &dir, "--threads", "0"], "--threads 0 leaves nobody"),
        (&["train", "patterns", "--dir", &dir, "--step", "nan"], "expected a number above 0"),
        (
            &["search", "--game", "othello", "--engine", "alphabeta", "--checkpoint", &book],
            "--checkpoint keeps a tree",
        ),
    ] {
        let output = banyan(args, None, &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {log}");
        assert!(log.contains(words), "{args:?}: {log}");
    }
    assert_eq!(std::fs::read_to_string(&history).expect("it"), "[]");
    assert!(banyan(&["book", "check", "--book", &book], None, &[]).status.success());
    // A book that no game came into is not left behind.
    let (new, bad) = (path("new.book"), path("bad.sgf"));
    std::fs::write(&bad, "(;GM[1]SZ[9]KM[7.5];B[aa];W[aa])").expect("written");
    let output = banyan(&["book", "import", "--book", &new, &bad], None, &[]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("no game could be taken") && log.contains("bad.sgf: "), "{log}");
    assert!(!folder.path().join("new.book").exists());
    // A drawing may be drawn again.
    let drawing = path("a.svg");
    let drawn = || banyan(&[&plot[..], &[&drawing]].concat(), None, &[]).status;
    assert!(drawn().success() && drawn().success());
}

#[test]
fn what_nobody_searched_is_no_best_move() {
    for (more, words) in [
        (&["--threads", "1", "--time", "0s"][..], "0 playouts in "),
        (&["--threads", "0", "--time", "10ms"], "no worker is there: expected --threads 1 or more"),
    ] {
        for form in [&[][..], &["--json"]] {
            let output = banyan(&[&["search", "--size", "9"], more, form].concat(), None, &[]);
            assert!(output.stdout.is_empty(), "{output:?}");
            assert_eq!(output.status.code(), Some(2));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.starts_with("error: nothing was searched"), "{said}");
            assert!(said.contains(words), "{said}");
        }
    }
}

#[test]
fn counts_and_addresses_are_typed_as_people_say_them() {
    assert_eq!(playouts(&banyan(&[SEARCH, &["--playouts", "1k"]].concat(), None, &[])), 1_000);
    for listen in ["0", "localhost:0", "127.0.0.1:0"] {
        let args = [SEARCH, &["--playouts", "200", "--listen", listen]].concat();
        let output = banyan(&args, None, &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(log.contains("banyan-worker --join 127.0.0.1:"), "{listen}: {log}");
    }
    let said = last_words(&["search", "--playouts", "200", "--listen", ":0"]);
    assert!(said.contains("0.0.0.0:0 can be reached from other machines"), "{said}");
}

#[test]
fn an_answer_says_whose_a_percentage_is_what_was_counted_and_has_colours_where_they_are_asked_for()
{
    let args = ["search", "--threads", "1", "--size", "5", "--playouts", "500", "--moves", "c3"];
    let plain = String::from_utf8(banyan(&args, None, &[]).stdout).expect("text");
    assert!(plain.contains(" % for white)") && plain.contains("score   (for white)"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(plain.contains("500 playouts in "), "{plain}");
    let judged = ["search", "--threads", "1", "--game", "othello", "--playouts", "500"];
    let judged = String::from_utf8(banyan(&judged, None, &[]).stdout).expect("text");
    assert!(judged.contains("500 evaluations in ") && judged.contains("evaluations/s"), "{judged}");
    let env = [("NO_COLOR", ""), ("CLICOLOR_FORCE", "1")];
    let coloured = String::from_utf8(banyan(&args, None, &env).stdout).expect("text");
    assert!(coloured.contains("\u{1b}[1mX\u{1b}[0m"), "{coloured}");
}

#[test]
fn parameters_manuals_and_completions_are_written() {
    let table = banyan(&["params"], None, &[]);
    let help = banyan(&["search", "--set", "help"], None, &[]);
    assert!(table.status.success() && table.stdout == help.stdout);
    let lines = answer(&banyan(&["params", "--game", "hex", "--json"], None, &[]));
    assert_eq!(keys(&lines[0]), ["default", "meaning", "name", "range"]);
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8");
    assert!(banyan(&["man", name], None, &[]).status.success());
    for page in ["banyan.1", "banyan-search.1", "banyan-model-show.1", "banyan-worker.1"] {
        assert!(folder.path().join(page).exists(), "{page}");
    }
    for shell in ["bash", "zsh", "fish"] {
        for program in ["banyan", "banyan-worker"] {
            let script = banyan(&["completions", shell, "--program", program], None, &[]).stdout;
            let script = String::from_utf8(script).expect("text");
            assert!(script.contains("token-file"), "{shell} {program}");
        }
    }
}
