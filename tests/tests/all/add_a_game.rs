//! `docs/add-a-game.md`: what it prints is what is compiled, and the game that it builds is played.

use std::path::Path;

use banyan_games::hex::{Hex, HexRules};
use banyan_games::{Color, Game, NoObserver, Rng};
use banyan_lab::processes::Process;
use banyan_lab::self_play;
use banyan_tests::front_end::FrontEnd;
use clap::Parser as _;

fn read(path: &str) -> String {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(workspace.join(path));
    text.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A block of code, and the file that the line before it names; its own indentation is taken off.
struct Quoted {
    file: Option<String>,
    code: String,
}

fn quoted(document: &str) -> Vec<Quoted> {
    let (mut blocks, mut before, mut lines) = (Vec::new(), "", document.lines());
    while let Some(line) = lines.next() {
        let marker = line.trim_start();
        if marker.starts_with("```") {
            let indent = line.len() - marker.len();
            let inside = lines.by_ref().take_while(|line| line.trim() != "```");
            let code: Vec<&str> = inside.map(|line| line.get(indent..).unwrap_or("")).collect();
            let file = before.trim().strip_prefix('`').and_then(|it| it.strip_suffix("`:"));
            if marker != "```sh" {
                blocks.push(Quoted { file: file.map(str::to_owned), code: code.join("\n") });
            }
        } else if !marker.is_empty() {
            before = line;
        }
    }
    blocks
}

/// The text without its indentation, so that lines of a block are found wherever they stand.
fn flush(text: &str) -> String {
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn the_document_prints_the_whole_game_and_lines_of_the_other_files() {
    let blocks = quoted(&read("docs/add-a-game.md"));
    let (named, unnamed): (Vec<_>, Vec<_>) = blocks.iter().partition(|it| it.file.is_some());
    let printed: Vec<&str> = unnamed.iter().map(|it| it.code.as_str()).collect();
    let file = read("crates/games/src/hex.rs");
    let (game, _) = file.split_once("#[cfg(test)]").expect("it has tests");
    assert_eq!(printed.join("\n\n"), game.trim_end(), "crates/games/src/hex.rs");
    assert_eq!(named.len(), 9, "blocks that name their file");
    for Quoted { file, code } in named {
        let file = file.as_deref().expect("parted so");
        assert!(flush(&read(file)).contains(&flush(code)), "{file} does not hold:\n{code}");
    }
}

fn hex(side: u32) -> Hex {
    Hex::new(&HexRules::new(side).expect("a size"))
}

/// Black's wins of `games` games in which every legal move is equally likely.
fn wins_move_by_move(side: u32, games: u32, rng: &mut Rng) -> u32 {
    let is_won = |_: &u32| {
        let (mut position, mut moves) = (hex(side), Vec::new());
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        position.outcome().and_then(|end| end.winner()) == Some(Color::Black)
    };
    (0..games).filter(is_won).count() as u32
}

#[test]
fn playouts_end_as_games_played_move_by_move() {
    let mut rng = Rng::from_seed(1);
    for side in [3, 5] {
        let slow = wins_move_by_move(side, 20_000, &mut rng);
        let is_won = |_: &u32| {
            let (outcome, plies) = hex(side).playout(&mut rng, &mut NoObserver);
            assert_eq!(plies, side * side);
            outcome.winner() == Some(Color::Black)
        };
        let fast = (0..20_000).filter(is_won).count() as u32;
        // One standard deviation of the difference is 100 at most.
        assert!(slow.abs_diff(fast) < 450, "{side}: {slow} and {fast}");
    }
}

#[test]
fn a_search_proves_that_black_wins_on_a_small_board() {
    let args = ["search", "--game", "hex", "--size", "3", "--playouts", "50000", "--json"];
    let found = Process::start("banyan", &args, |_| {}).json();
    assert_eq!(found["value"].as_f64(), Some(1.0), "{found}");
    assert!(found["playouts"].as_u64() < Some(50_000), "a proof ends the search: {found}");
}

#[test]
fn more_playouts_play_better() {
    let line = "banyan-lab --game hex --size 5 --games 40 --opening-plies 1 --threads 1 \
                --first playouts=600 --second playouts=12";
    let mut out = Vec::new();
    self_play::run(&self_play::Arguments::parse_from(line.split_whitespace()), &mut out)
        .expect("a match");
    let out = String::from_utf8(out).expect("text");
    let result = out.lines().last().and_then(|line| line.split_once(" %"));
    let percent = result.and_then(|(before, _)| before.split_whitespace().last()?.parse().ok());
    assert!(percent > Some(65.0), "{out}");
}

#[test]
fn a_worker_plays_it_to_the_end_over_gtp() {
    let game = ["--game", "hex", "--size", "4", "--playouts", "2000"];
    let cluster = ["--threads", "0", "--listen", "127.0.0.1:0", "--min-workers", "1"];
    let mut engine = FrontEnd::start(&[&game[..], &cluster].concat());
    let line = engine.process.wait_for_log("--join ");
    let address = line.split("--join ").nth(1).expect("waited for it").trim();
    let _worker = Process::worker(address, "hex");
    let mut position = hex(4);
    while position.outcome().is_none() {
        let mv = engine.ask(&format!("genmove {}", position.side_to_move()));
        let mv = position.parse_move(&mv).expect("a point");
        assert!(position.is_legal(mv), "{mv:?} in {position:?}");
        position.play(mv);
    }
    let winner = position.outcome().expect("the loop has ended");
    assert!(engine.ask("showboard").contains(&format!("over, {winner}")));
}
