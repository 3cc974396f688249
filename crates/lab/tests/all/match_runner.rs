//! The match runner against engines that break in every way, and against real ones.

use std::path::Path;
use std::process::Command;

use banyan_lab::processes::binary;
use banyan_lab::runner::cli::Arguments;
use banyan_lab::runner::log::{Entrant, GameLine};
use banyan_lab::runner::totals::Totals;
use banyan_lab::runner::verdict::Reason;
use clap::Parser as _;

const FAKE: &str = env!("CARGO_BIN_EXE_banyan-fake-engine");

/// Plays a match; its games, its table and what was printed.
struct Match {
    games: Vec<GameLine>,
    totals: Totals,
    printed: String,
}

fn play(first: &str, second: &str, options: &[&str]) -> Match {
    let folder = tempfile::tempdir().expect("folder");
    let jsonl = folder.path().join("games.jsonl");
    let path = jsonl.to_str().expect("a name");
    play_into(path, first, second, options)
}

fn play_into(jsonl: &str, first: &str, second: &str, options: &[&str]) -> Match {
    let mut printed = Vec::new();
    let totals = arguments(jsonl, first, second, options).run(&mut printed).expect("a match");
    let lines = std::fs::read_to_string(jsonl).expect("games");
    let games = lines.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    Match { games, totals, printed: String::from_utf8(printed).expect("text") }
}

fn arguments(jsonl: &str, first: &str, second: &str, options: &[&str]) -> Arguments {
    let fixed = ["banyan-match", "--first", first, "--second", second, "--jsonl", jsonl];
    Arguments::parse_from(fixed.iter().chain(options))
}

fn fake(options: &str) -> String {
    format!("'{FAKE}' {options}")
}

/// One game of Go in which the first engine, as Black, breaks at its third move.
fn broken(options: &str, more: &[&str]) -> GameLine {
    let mut all = vec!["--games", "1", "--size", "7"];
    all.extend(more);
    let played = play(&fake(options), &fake("--seed 2"), &all);
    played.games.into_iter().next().expect("a game")
}

#[test]
fn an_illegal_move_loses() {
    let game = broken("--fault illegal --at 3", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Illegal));
    assert_eq!((game.result.as_str(), game.moves.len()), ("W+F", 4));
    assert!(game.detail.starts_with("illegal move "), "{}", game.detail);
}

#[test]
fn no_move_at_all_loses() {
    let game = broken("--fault nonsense --at 3", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Illegal));
    assert!(game.detail.starts_with("'forty-two' is not a move"), "{}", game.detail);
}

#[test]
fn a_dead_engine_loses() {
    let game = broken("--fault die --at 3", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Crash));
    assert_eq!(game.detail, "died at 'genmove b' (exit status: 7)");
}

#[test]
fn a_silent_engine_loses() {
    let game = broken("--fault hang --at 3", &["--hang-after", "0.3"]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Hang));
    assert_eq!(game.detail, "no answer to 'genmove b' within 0.3 s");
}

#[test]
fn a_silent_engine_with_a_clock_loses_by_time() {
    let game = broken("--fault hang --at 3", &["--time-settings", "0 1 1"]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Time));
    assert_eq!(game.result, "W+T");
}

#[test]
fn a_slow_engine_loses_by_time_when_its_clock_has_run_out() {
    let clock = ["--time-settings", "2 0 0", "--time-margin", "0"];
    let game = broken("--fault slow --at 2", &clock);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Time));
    // The third move, its second slow one, goes beyond two seconds.
    assert_eq!(game.genmoves[0], 3);
    assert!((1.9..2.9).contains(&game.seconds[0]), "{:?}", game.seconds);
}

#[test]
fn refusing_to_move_or_to_hear_a_legal_move_loses() {
    let game = broken("--fault refuse --at 3", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Refused));
    assert_eq!(game.detail, "'genmove b' was refused: I would rather not");
    let game = broken("--refuse-play 2", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Refused));
    assert!(game.detail.starts_with("'play w "), "{}", game.detail);
}

#[test]
fn resigning_loses_without_fault() {
    let game = broken("--fault resign --at 3", &[]);
    assert_eq!((game.winner, game.reason), (Some(Entrant::Second), Reason::Resigned));
    assert_eq!(game.result, "W+R");
}

#[test]
fn faults_are_told_by_colour_and_engine() {
    let played = play(&fake("--fault die --at 2"), &fake(""), &["--games", "4", "--size", "5"]);
    assert_eq!(played.totals.lost(Entrant::First, Reason::Crash), 4);
    assert_eq!(played.totals.pairs(), &[2, 0, 0, 0, 0]);
    assert_eq!(played.games[1].result, "B+F");
    assert!(played.printed.contains("as white       2      0      0      2    0.0 %"));
}

#[test]
fn engines_that_agree_on_the_score_are_believed() {
    let passes = |score| fake(&format!("--fault pass --score {score}"));
    let played = play(&passes("B+1.5"), &passes("B+3.5"), &["--games", "2"]);
    assert_eq!((played.games[0].reason, played.games[0].result.as_str()), (Reason::Score, "B+1.5"));
    assert_eq!(played.games[0].winner, Some(Entrant::First));
    assert_eq!(played.games[1].winner, Some(Entrant::Second));
    // The first engine is believed: 1.5 for Black, who is the second one in the other game.
    let [one, other] = &played.games[..] else { panic!("two games") };
    assert_eq!((one.points, one.margin), ([1.0, 0.0], Some(1.5)));
    assert_eq!((other.points, other.margin), ([0.0, 1.0], Some(-3.5)));
    let line =
        "match points: first 1, second 1; margin of first -2 in 2 games; second wins by the margin";
    assert!(played.printed.contains(line), "{}", played.printed);
}

#[test]
fn where_engines_disagree_our_own_count_decides() {
    let passes = |score| fake(&format!("--fault pass --score {score}"));
    let played = play(&passes("B+1.5"), &passes("W+3.5"), &["--games", "1"]);
    let game = &played.games[0];
    assert_eq!((game.reason, game.result.as_str()), (Reason::Disputed, "W+7.5"));
    assert_eq!(game.detail, "black says B+1.5, white says W+3.5; counted W+7.5");
    assert!(played.printed.contains("disputed scores: 1"));
}

#[test]
fn a_referee_is_believed_before_the_engines() {
    let passes = |score| fake(&format!("--fault pass --score {score}"));
    let referee = fake("--score B+20");
    let options = ["--games", "1", "--referee", &referee];
    let played = play(&passes("W+1"), &passes("W+1"), &options);
    assert_eq!(played.games[0].result, "B+20");
    assert_eq!(played.games[0].detail, "referee B+20");
    let unsure = fake("--score perhaps");
    let options = ["--games", "1", "--referee", &unsure];
    let played = play(&passes("W+1"), &passes("W+1"), &options);
    assert_eq!(played.games[0].result, "W+1");
    assert!(played.games[0].detail.starts_with("referee said 'perhaps'"));
}

#[test]
fn every_game_is_played_to_its_end_by_the_rules() {
    for game in ["othello", "gomoku", "connect6"] {
        let engine = |seed| fake(&format!("--game {game} --seed {seed}"));
        let options = ["--game", game, "--games", "4", "--concurrency", "2"];
        let played = play(&engine(1), &engine(2), &options);
        assert_eq!(played.games.len(), 4);
        assert!(played.games.iter().all(|game| game.reason == Reason::Rules), "{game}");
    }
}

#[test]
fn forced_passes_of_othello_work_with_both_conventions() {
    let engine = |options| fake(&format!("--game othello {options}"));
    let options = ["--game", "othello", "--games", "30", "--random-opening-plies", "10"];
    let played = play(&engine(""), &engine("--deaf-to-passes --seed 2"), &options);
    let clean = |game: &&GameLine| game.reason == Reason::Rules;
    assert_eq!(played.games.iter().filter(clean).count(), 30, "{}", played.printed);
    let passes = played.games.iter().filter(|game| game.moves.contains(&"pass".to_owned()));
    assert!(passes.count() >= 5, "random games of Othello have passes");
}

#[test]
fn openings_are_played_with_both_colours() {
    let options = ["--games", "4", "--size", "5", "--random-opening-plies", "3", "--seed", "9"];
    let mut games = play(&fake("--fault resign"), &fake(""), &options).games;
    games.sort_by_key(|game| game.game);
    assert_eq!(games[0].opening.len(), 3);
    assert_eq!(games[0].opening, games[1].opening);
    assert_ne!(games[0].opening, games[2].opening);
    assert_eq!([games[0].black, games[1].black], [Entrant::First, Entrant::Second]);
}

#[test]
fn a_test_that_decides_ends_the_match() {
    let options = ["--games", "400", "--size", "5", "--sprt", "0,200"];
    let played = play(&fake("--fault resign"), &fake(""), &options);
    assert!(played.games.len() < 100, "{} games", played.games.len());
    assert!(played.printed.contains("H0 accepted"), "{}", played.printed);
}

#[test]
fn a_match_is_resumed_where_it_stopped_and_no_other() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("games.jsonl");
    let jsonl = path.to_str().expect("a name");
    let (first, second) = (fake("--fault resign"), fake(""));
    let begun = play_into(jsonl, &first, &second, &["--games", "2"]);
    let more = ["--games", "6", "--resume", "--keep-engines"];
    let played = play_into(jsonl, &first, &second, &more);
    assert_eq!(played.games.len(), 6);
    assert_eq!(played.games[..2], begun.games[..]);
    assert_eq!(played.totals.wdl().games(), 6);
    let refused = |options: &[&str], second: &str| {
        let run = arguments(jsonl, &first, second, options).run(&mut Vec::new());
        format!("{:#}", run.expect_err("refused"))
    };
    assert!(refused(&more, &first).contains("game 1 is of another match: its second engine: "));
    let blitz = [&more[..], &["--time-settings", "9 0 0"]].concat();
    let why = refused(&blitz, &second);
    assert!(why.contains("its terms: ") && why.ends_with(", time settings 9 0 0"), "{why}");
    let fewer = refused(&["--games", "4", "--resume"], &second);
    assert!(fewer.ends_with("game 5 is there: expected at most --games 4"), "{fewer}");
    let endless = refused(&["--hang-after", "1e19"], &second);
    assert!(endless.starts_with("--hang-after 1"), "{endless}");
    assert!(refused(&["--games", "6"], &second).contains("exists"));
}

#[test]
fn an_engine_that_cannot_play_is_found_before_the_match() {
    let run = |first: &str, options: &[&str]| {
        let run = arguments("/no/such/folder/x", first, &fake(""), options).run(&mut Vec::new());
        format!("{:#}", run.expect_err("refused"))
    };
    assert!(run("/no/such/engine", &[]).starts_with("the first engine cannot play: cannot start"));
    assert!(run("sh -c 'exit 3'", &[]).starts_with("the first engine cannot play: died at 'name'"));
    assert!(run(&fake(""), &["--size", "99"]).starts_with("go is not played on a board of 99x99"));
    let why = run(&fake(""), &["--referee", "/no/such/referee"]);
    assert!(why.starts_with("the referee cannot count: cannot start"), "{why}");
    let why = run(&fake("--game othello"), &["--game", "othello", "--referee", &fake("")]);
    assert_eq!(why, "--referee counts games of Go: othello needs none");
}

#[test]
fn games_are_written_as_sgf_that_reads_back() {
    let folder = tempfile::tempdir().expect("folder");
    let options = ["--games", "1", "--sgf-dir", folder.path().to_str().expect("a name")];
    play(&fake("--fault resign --at 4"), &fake(""), &options);
    let bytes = std::fs::read(folder.path().join("game-00001.sgf")).expect("a file");
    let game = banyan_records::sgf::read(&bytes, &banyan_records::sgf::Options::default())
        .expect("a game");
    assert_eq!(game.plies.len(), 6);
    assert_eq!(game.result.as_deref(), Some("W+R"));
    assert_eq!(game.black.as_deref(), Some("fake 1"));
}

/// The program's path where it is installed.
fn installed(name: &str) -> Option<String> {
    let found = ["/usr/games", "/usr/bin", "/usr/local/bin"]
        .map(|folder| format!("{folder}/{name}"))
        .into_iter()
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        let _ = Command::new("echo").arg(format!("skipped: {name} not installed")).status();
    }
    found
}

#[test]
fn handicaps_are_set_up_by_both_engines_and_kept_in_the_record() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let sgf_dir = folder.to_str().expect("a name");
    let options = ["--games", "1", "--size", "9", "--handicap", "3", "--random-opening-plies", "2"];
    let options = [options.as_slice(), &["--sgf-dir", sgf_dir]].concat();
    let engine = binary("banyan");
    let engine = format!("'{}' gtp --size 9 --threads 1 --playouts 50", engine.display());
    let played = play(&engine, &engine, &options);
    assert!(!Reason::FAULTS.contains(&played.games[0].reason), "{}", played.printed);
    let bytes = std::fs::read(folder.join("game-00001.sgf")).expect("a file");
    let game = banyan_records::sgf::read(&bytes, &banyan_records::sgf::Options::default())
        .expect("a game");
    assert_eq!(game.setup.len(), 3);
    assert_eq!(game.plies.first().map(|&(color, _)| color), Some(banyan_games::Color::White));
}

#[test]
fn a_handicap_that_the_board_has_no_points_for_is_refused() {
    let run = |options: &[&str]| {
        let run = arguments("/no/such/folder/x", &fake(""), &fake(""), options);
        format!("{:#}", run.run(&mut Vec::new()).expect_err("refused"))
    };
    let said = run(&["--size", "9", "--handicap", "12"]);
    assert!(said.starts_with("--handicap 12: expected 2 to 9"), "{said}");
    assert!(run(&["--game", "othello", "--handicap", "2"]).contains("--handicap 2"));
}

#[test]
fn gnugo_plays_a_whole_game_without_fault() {
    let Some(gnugo) = installed("gnugo") else {
        return;
    };
    let level = |n: u32| {
        format!("{gnugo} --mode gtp --level {n} --chinese-rules --positional-superko --seed {n}")
    };
    let referee = level(1);
    let options = ["--games", "1", "--size", "7", "--referee", &referee];
    let played = play(&level(1), &level(0), &options);
    assert!(!Reason::FAULTS.contains(&played.games[0].reason), "{}", played.printed);
}

#[test]
fn rhino_plays_othello_without_fault() {
    let Some(rhino) = installed("gtp-rhino") else {
        return;
    };
    let engine = |seed: u32| format!("{rhino} --level=1 --rand={seed}");
    let options = ["--game", "othello", "--games", "4", "--random-opening-plies", "6"];
    let played = play(&engine(3), &engine(4), &options);
    assert!(played.games.iter().all(|game| game.reason == Reason::Rules), "{}", played.printed);
}
