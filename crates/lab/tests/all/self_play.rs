//! Matches between settings of the search are pure functions of their arguments.

use banyan_lab::self_play::{Arguments, run};
use clap::Parser as _;

fn play(game: &str, first: &str) -> String {
    play_against(game, first, "playouts=60 window=1 batch=1")
}

fn play_against(game: &str, first: &str, second: &str) -> String {
    let words = ["banyan-lab", "--game", game, "--games", "4", "--threads", "1", "--together", "3"];
    let settings = ["--first", first, "--second", second];
    let mut out = Vec::new();
    let arguments = Arguments::parse_from(words.into_iter().chain(settings));
    run(&arguments, &mut out).expect("all of it exists");
    String::from_utf8(out).expect("text")
}

#[test]
fn a_match_is_played_to_its_end_and_again_in_the_same_way() {
    for game in ["go", "othello", "gomoku", "connect6"] {
        let ties = "playouts=60 window=1 batch=1 ties=true";
        for first in ["playouts=60 window=16 batch=2", "playouts=60 mode=subtree", ties] {
            let text = play(game, first);
            let last = text.lines().last().expect("a line a game");
            let games: u32 = last
                .split(['+', '=', '-', ' '])
                .filter_map(|n| n.parse::<u32>().ok())
                .take(3)
                .sum();
            assert_eq!(games, 4, "{game}, {first}: {last}");
            assert_eq!(play(game, first), text, "{game}, {first}");
        }
    }
}

#[test]
fn more_playouts_win() {
    let text = play("go", "playouts=1500 window=1 batch=1");
    assert!(
        text.trim_end().lines().last().expect("a line a game").starts_with("+4 =0 -0"),
        "{text}"
    );
}

#[test]
fn a_match_on_clocks_is_played_again_in_the_same_way_and_nobody_is_late() {
    let sides = ["clock=adaptive", "clock=even"];
    for game in ["go", "othello", "gomoku", "connect6"] {
        for time in ["main=20", "main=2 increment=0.3", "main=2 period=2 stones=5"] {
            let [first, second] =
                sides.map(|side| format!("{side} {time} rate=60 window=1 batch=1"));
            let text = play_against(game, &first, &second);
            assert_eq!(text.matches("plies, left:").count(), 4, "{game}, {time}: {text}");
            assert!(!text.contains("lost on time"), "{game}, {time}: {text}");
            assert_eq!(play_against(game, &first, &second), text, "{game}, {time}");
        }
    }
}

#[test]
fn more_time_wins() {
    let side = |main| format!("clock=adaptive main={main} rate=500 window=1 batch=1");
    let text = play_against("go", &side(60), &side(2));
    let last = text.trim_end().lines().last().expect("a line a game");
    assert!(last.starts_with("+4 =0 -0"), "{text}");
}

#[test]
fn who_ponders_wins() {
    let text = play_against("go", "playouts=500 ponder=8", "playouts=100 keep=true");
    let last = text.trim_end().lines().last().expect("a line a game");
    assert!(last.starts_with("+4 =0 -0"), "{text}");
}

#[test]
fn who_ponders_keeps_a_part_of_it_and_a_match_is_played_again_in_the_same_way() {
    let (first, second) = ("playouts=100 ponder=8", "playouts=100 keep=true");
    for game in ["go", "othello", "gomoku", "connect6"] {
        let text = play_against(game, first, second);
        let kept = |line: &str| -> Option<u32> {
            line.split_once(", kept ")?.1.split_once(" %")?.0.parse().ok()
        };
        let kept: Vec<u32> = text.lines().filter_map(kept).collect();
        assert_eq!(kept.len(), 4, "{game}: {text}");
        assert!(kept.iter().all(|kept| (1..=100).contains(kept)), "{game}: {text}");
        assert_eq!(play_against(game, first, second), text, "{game}");
    }
}
