//! Analysis as interfaces hold it: the stream is read as Sabaki and GoGui read it.

use std::io::{BufReader, PipeWriter, Write as _, pipe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use expect_test::expect;

use super::*;

/// Nothing that is waited for takes longer, on a busy machine.
const BOUND: Duration = Duration::from_secs(30);

/// An engine that is spoken to line by line.
struct Conversation {
    input: PipeWriter,
    said: Receiver<u8>,
    engine: std::thread::JoinHandle<()>,
}

/// Sends every byte as soon as it is written.
struct Wire(Sender<u8>);

impl std::io::Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            self.0.send(byte).map_err(std::io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Conversation {
    fn with(options: &'static str) -> Conversation {
        let (reader, input) = pipe().expect("a pipe");
        let (wire, said) = channel();
        let engine = std::thread::spawn(move || speak(options, BufReader::new(reader), Wire(wire)));
        Conversation { input, said, engine }
    }

    fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).expect("it listens");
    }

    /// The next line of the engine.
    fn line(&self) -> String {
        let mut line = Vec::new();
        loop {
            match self.said.recv_timeout(BOUND).expect("it goes on speaking") {
                b'\n' => return String::from_utf8(line).expect("text"),
                byte => line.push(byte),
            }
        }
    }

    /// Says a line and reads the answer to it, without the empty line.
    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.answer()
    }

    fn answer(&self) -> String {
        let mut answer = self.line();
        loop {
            match self.line() {
                line if line.is_empty() => return answer,
                line => answer = format!("{answer}\n{line}"),
            }
        }
    }

    fn quit(mut self) {
        assert_eq!(self.ask("quit"), "=");
        self.engine.join().expect("it ends");
    }
}

/// One candidate as Sabaki reads it: keys with a value each, then the line.
#[derive(Debug)]
struct Variation {
    mv: String,
    visits: u64,
    winrate: f64,
    pv: Vec<String>,
}

/// Sabaki cuts the owners off, cuts a line at each `info`, and drops a part that does not end with moves;
/// before those it reads pairs of words.
fn variations(line: &str) -> Vec<Variation> {
    assert!(line.starts_with("info move "), "{line}");
    let line = line.split(" ownership ").next().unwrap_or_default();
    line.split("info ").skip(1).map(|part| variation(part.trim())).collect()
}

fn variation(part: &str) -> Variation {
    let (pairs, line) = part.split_once(" pv ").expect("a part without moves is dropped");
    let words: Vec<&str> = pairs.split(' ').collect();
    assert!(words.len().is_multiple_of(2), "{part}");
    let pair = |key: &str| words.chunks(2).find(|pair| pair[0] == key).map(|pair| pair[1]);
    let value = |key: &str| pair(key).unwrap_or_else(|| panic!("no {key}: {part}"));
    let pv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    assert!(pv.iter().all(|word| is_vertex(word)), "moves stand last: {part}");
    Variation {
        mv: value("move").to_owned(),
        visits: value("visits").parse().expect("a count"),
        winrate: value("winrate").parse().expect("a number"),
        pv,
    }
}

fn is_vertex(word: &str) -> bool {
    let column = word.starts_with(|c: char| c.is_ascii_uppercase() && c != 'I');
    word == "pass" || column && word[1..].parse::<u32>().is_ok_and(|row| (1..=25).contains(&row))
}

fn check_variations(found: &[Variation], winrate_max: f64) {
    assert!(found[0].visits > 0, "{found:?}");
    for variation in found {
        assert_eq!(variation.mv, variation.pv[0], "{variation:?}");
        assert!((0.0..=winrate_max).contains(&variation.winrate), "{variation:?}");
    }
    // The move that would be played, then the others by visits; one seldom tried is not played.
    let [best, others @ ..] = found else { panic!("no variation") };
    assert!(others.windows(2).all(|pair| pair[0].visits >= pair[1].visits), "{found:?}");
    assert!(others.iter().all(|other| 7 * best.visits >= other.visits), "{found:?}");
}

#[test]
fn as_sabaki_analyzes() {
    let mut sabaki = Conversation::with("--game go --size 9");
    assert_eq!(sabaki.ask("1 play B E5"), "=1");
    for (number, command) in [(2, "analyze W 10"), (3, "lz-analyze W 10"), (4, "lz-analyze 10")] {
        sabaki.say(&format!("{number} {command}"));
        assert_eq!(sabaki.line(), format!("={number}"));
        let (first, second) = (variations(&sabaki.line()), variations(&sabaki.line()));
        check_variations(&first, 10_000.0);
        check_variations(&second, 10_000.0);
        let visits = |found: &[Variation]| found.iter().map(|v| v.visits).sum::<u64>();
        assert!(visits(&second) > visits(&first), "{second:?}");
        // Sabaki asks for the protocol's version to end an analysis.
        sabaki.say(&format!("1{number} protocol_version"));
        while !sabaki.line().is_empty() {}
        assert_eq!(sabaki.answer(), format!("=1{number} 2"));
    }
    sabaki.quit();
}

#[test]
fn as_lizzie_asks_for_owners() {
    let mut lizzie = Conversation::with("--game go --size 9");
    lizzie.say("7 kata-analyze b interval 10 maxmoves 4 rootInfo true ownership true");
    assert_eq!(lizzie.line(), "=7");
    let line = lizzie.line();
    let found = variations(line.split(" rootInfo ").next().expect("the first part"));
    check_variations(&found, 1.0);
    assert!(found.len() <= 4, "{line}");
    let (rest, owners) = line.split_once(" ownership ").expect("owners");
    let owners: Vec<f64> = owners.split(' ').map(|held| held.parse().expect("a number")).collect();
    assert_eq!(owners.len(), 81);
    assert!(owners.iter().all(|held| (-1.0..=1.0).contains(held)));
    let root = rest.split_once(" rootInfo ").expect("the root").1;
    let words: Vec<&str> = root.split(' ').collect();
    assert_eq!(
        [words[0], words[2], words[4], words[6]],
        ["visits", "utility", "winrate", "scoreLead"]
    );
    lizzie.say("8 name");
    while !lizzie.line().is_empty() {}
    assert_eq!(lizzie.answer(), "=8 Banyan");
    lizzie.quit();
}

#[test]
fn whatever_is_said_ends_an_analysis_at_once() {
    for (said, answered) in [("", None), ("# hello", None), ("2 play b D4", Some("=2"))] {
        let mut engine = Conversation::with("--game go --size 19 --time 1h");
        engine.say("1 lz-analyze b 150");
        assert_eq!(engine.line(), "=1");
        assert!(engine.line().starts_with("info move "), "the search is under way");
        let spoken = Instant::now();
        engine.say(said);
        assert_eq!(engine.line(), "", "the next line is more than a second away");
        assert!(spoken.elapsed() < Duration::from_secs(1), "{:?}", spoken.elapsed());
        if let Some(answered) = answered {
            assert_eq!(engine.answer(), answered);
        }
        engine.quit();
    }
}

#[test]
fn a_move_is_generated_with_its_analysis_and_played() {
    for command in ["genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"] {
        let mut engine = Conversation::with("--game go --size 9 --time 500ms");
        engine.say(&format!("5 {command} b 10"));
        // Said while it thinks, it waits.
        engine.say("6 undo");
        let answer = engine.answer();
        let mut lines = answer.lines();
        assert_eq!(lines.next(), Some("=5"));
        let last = lines.next_back().and_then(|line| line.strip_prefix("play "));
        let mv = last.expect("the move is the last line");
        assert!(is_vertex(mv), "{mv}");
        let analysis: Vec<&str> = lines.collect();
        assert!(!analysis.is_empty(), "half a second has room for lines");
        assert!(analysis.iter().all(|line| !variations(line).is_empty()));
        assert_eq!(engine.answer(), "=6");
        assert_eq!(engine.ask("7 undo"), "?7 cannot undo");
        engine.quit();
    }
}

#[test]
fn a_move_that_is_generated_with_its_analysis_is_one_of_those_allowed() {
    for command in ["genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"] {
        let script = format!(
            "{command} b 10 allow b A1,A2 1\nundo\n{command} b 10 avoid b E5 1\nundo\n\
             play b e5\nplay w pass\n{command} b 10 allow b J9,pass 1 avoid b J9,pass 1\n"
        );
        let said = answers(GO, &script);
        let played = |answer: &str| answer.lines().last().map(str::to_owned).unwrap_or_default();
        assert!(["play A1", "play A2"].contains(&played(&said[0]).as_str()), "{}", said[0]);
        assert!(played(&said[2]).starts_with("play ") && played(&said[2]) != "play E5");
        assert!(said[6].starts_with("? "), "{}", said[6]);
    }
}

#[test]
fn what_cannot_be_analyzed_is_refused_or_waited_out() {
    converse(
        GO,
        &expect![[r#"
            > lz-analyze b 10 avoid b Z99 1
            ? syntax error: 'Z99' is outside the board of size 9
            > lz-analyze b frobnicate
            ? syntax error: expected [COLOR] [CENTISECONDS] and pairs such as interval 50, minmoves 3, maxmoves 9, avoid b C3,D4 1, allow w E5 1, rootInfo true, ownership true, pvVisits true
            > lz-genmove_analyze b 10 frobnicate
            ? syntax error: expected [COLOR] [CENTISECONDS] and pairs such as interval 50, minmoves 3, maxmoves 9, avoid b C3,D4 1, allow w E5 1, rootInfo true, ownership true, pvVisits true
            > lz-analyze b 10
            =
            > play b pass
            =
            > play w pass
            =
            > lz-analyze b 10
            =
            > 1 lz-genmove_analyze b 10
            =1
            play pass
        "#]],
    );
    converse(
        OTHELLO,
        &expect![[r#"
            > lz-analyze w 10
            ? illegal move: it is black's turn, not white's
        "#]],
    );
    converse(
        GOMOKU,
        &expect![[r#"
            > lz-analyze b 10 allow b A1 1 avoid b A1 1
            ? cannot analyze: no move is left to choose from
        "#]],
    );
}

#[test]
fn other_games_are_analyzed_too() {
    for options in ["--game othello", "--game gomoku", "--game connect6"] {
        let mut engine = Conversation::with(options);
        engine.say("1 kata-analyze 10 ownership true");
        assert_eq!(engine.line(), "=1");
        let line = engine.line();
        assert!(line.starts_with("info move "), "{options}: {line}");
        assert!(!line.contains("ownership"), "nobody owns a point of {options}");
        engine.say("");
        while !engine.line().is_empty() {}
        engine.quit();
    }
}

/// A type that GoGui knows, a label, and a command that the engine has.
#[test]
fn gogui_finds_what_it_is_offered() {
    const TYPES: &[&str] = &["dboard", "plist", "varc", "string", "hstring"];
    for (options, has_owners) in [(GO, true), (OTHELLO, false)] {
        let offered = answers(options, "gogui-analyze_commands\n").remove(0);
        assert_eq!(offered.contains("dboard/Ownership/banyan-ownership"), has_owners);
        for line in offered.trim_start_matches("= ").lines() {
            let parts: Vec<&str> = line.split('/').collect();
            assert!(parts.len() == 3 && TYPES.contains(&parts[0]), "{line}");
            let name = parts[2].split(' ').next().expect("a command");
            let known = answers(options, &format!("known_command {name}\n"));
            assert_eq!(known, ["= true"], "{line}");
        }
    }
}

#[test]
fn owners_are_drawn_row_by_row_from_the_top() {
    let walls: String = (1..=9)
        .map(|column| {
            let name = b"ABCDEFGHJ"[column - 1] as char;
            format!("play b {name}5\nplay w {name}4\n")
        })
        .collect();
    let owners = answers(GO, &format!("{walls}banyan-ownership\n")).pop().expect("an answer");
    let rows: Vec<Vec<f64>> = owners
        .trim_start_matches("= ")
        .lines()
        .map(|row| row.split(' ').map(|held| held.parse().expect("a number")).collect())
        .collect();
    assert_eq!((rows.len(), rows[0].len()), (9, 9));
    assert!(rows[..5].iter().flatten().all(|&held| held > 0.3), "{rows:?}");
    assert!(rows[5..].iter().flatten().all(|&held| held < -0.3), "{rows:?}");
}

#[test]
fn a_handicap_game_is_searched_as_if_white_had_more_points() {
    let winrate = |options: &str| -> u32 {
        let script = "komi 0.5\nfixed_handicap 6\nlz-genmove_analyze w 1\n";
        let options = format!("--size 9 --policy uniform --playouts 20000 {options}");
        let said = spoken(&options, script.as_bytes());
        let (best, _) = said.rsplit_once(" order 0 ").expect("a line of analysis");
        let (_, rate) = best.rsplit_once("winrate ").expect("a winrate");
        rate.split(' ').next().and_then(|rate| rate.parse().ok()).expect("a number")
    };
    let (lent, own) = (winrate("--dynamic-komi linear"), winrate(""));
    // Six stones: 35 points of 81.
    assert!(own < 2000 && lent > own + 2000, "{lent} and {own} of 10,000");
}

/// White must pass.
const FORCED: [&str; 19] = [
    "f5", "f4", "c3", "c4", "b3", "b2", "c2", "d2", "a1", "c6", "e1", "a2", "c1", "g5", "a4", "e2",
    "b1", "b4", "a3",
];

#[test]
fn a_move_after_a_forced_pass_that_was_not_sent_is_found_with_an_analysis_too() {
    let plies: String = (FORCED.iter().zip(["b", "w"].iter().cycle()))
        .map(|(point, side)| format!("play {side} {point}\n"))
        .collect();
    for command in ["genmove", "lz-genmove_analyze", "kata-genmove_analyze"] {
        let said = answers(OTHELLO, &format!("{plies}{command} b\nshowboard\n"));
        let (answer, shown) = (&said[FORCED.len()], &said[FORCED.len() + 1]);
        assert!(answer.starts_with('='), "{command}: {answer}");
        assert!(shown.contains("21 plies, white to move"), "{command}: {shown}");
    }
}

#[test]
fn where_no_move_can_be_chosen_an_analysis_of_one_is_refused_at_once() {
    let said = answers(GOMOKU, "banyan-opening swap2\nlz-genmove_analyze b 10\ngenmove b\n");
    assert!(said[1].starts_with("? ") && said[1] == said[2], "{said:?}");
}
