//! KataGo's process, played by its stand-in, in every way that it can fail.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Move, Record};
use banyan_katago::{CommandLine, Judged, KataGo, Limits, Model, Notice, Position, Refusal};

const STAND_IN: &str = env!("CARGO_BIN_EXE_banyan-fake-katago");

/// Nothing here takes as long, unless it never ends.
const PATIENCE: Duration = Duration::from_secs(60);

const LIMITS: Limits = Limits {
    start: PATIENCE,
    silence: Duration::from_millis(300),
    back_off_min: Duration::from_millis(1),
    back_off_max: Duration::from_millis(10),
    waiting_max: 1 << 10,
};

/// A process and what it has become.
struct Stage {
    katago: KataGo,
    news: Receiver<Notice>,
}

impl Stage {
    fn new(options: &str) -> Stage {
        Stage::with(&format!("{STAND_IN} {options} analysis"), LIMITS)
    }

    fn with(command: &str, limits: Limits) -> Stage {
        let command: CommandLine = command.parse().expect("a command");
        let (tell, news) = mpsc::channel();
        let tell = move |notice| drop(tell.send(notice));
        Stage { katago: KataGo::start(command, limits, tell).expect("a thread"), news }
    }

    fn ready(&self) -> Model {
        loop {
            if let Notice::Ready(model) = self.news.recv_timeout(PATIENCE).expect("it is ready") {
                return model;
            }
        }
    }

    /// Reason why it is down next.
    fn down(&self) -> String {
        loop {
            if let Notice::Down { why, .. } = self.news.recv_timeout(PATIENCE).expect("it is down")
            {
                return why;
            }
        }
    }

    fn judge(&self, positions: &[Position]) -> Vec<Result<Judged, Refusal>> {
        self.katago.judge(positions.to_vec())
    }
}

/// Positions after one ply and after two, all different.
fn positions(count: usize) -> Vec<Position> {
    let mut record = Record::<Go>::new(&GoRules::new(9, 14).expect("a board"));
    let empty = Position::of(&record, Color::Black);
    record.play(Move::point(40)).expect("a legal ply");
    let second = Position::of(&record, Color::White);
    let paths = (0..40).map(|point| vec![Move::point(point)]);
    let first = paths.clone().map(|path| empty.after(&path));
    first.chain(paths.map(|path| second.after(&path))).take(count).collect()
}

fn all_judged(answers: &[Result<Judged, Refusal>]) -> bool {
    answers.iter().all(Result::is_ok)
}

#[test]
fn many_positions_are_judged_at_once_whatever_the_order_of_the_answers() {
    let (forwards, backwards) = (Stage::new("--preface 3"), Stage::new("--backwards --batch 40"));
    assert_eq!(forwards.ready().name, "stand-in");
    assert_eq!(backwards.ready().batch, 40);
    let positions = positions(80);
    let answers = forwards.judge(&positions);
    assert!(all_judged(&answers));
    assert_eq!(backwards.judge(&positions), answers);
    let values: BTreeSet<u32> = answers.iter().flatten().map(|it| it.winrate.to_bits()).collect();
    assert!(values.len() > 70, "each is about its own position: {}", values.len());
    let judged = answers[0].as_ref().expect("judged");
    assert_eq!((judged.policy.len(), judged.policy[0]), (81, None), "the ply is played");
}

#[test]
fn whatever_breaks_is_told_and_the_next_process_judges() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [
        ("die", "it ended with exit status 7"),
        ("hang", "it has answered nothing for 0.3 s"),
        ("rubbish", "'Segmentation fault' is no line of its protocol"),
        ("impossible", "rawWinrate is 1.5, expected 0 to 1"),
        ("board", "its policy has 5 entries, expected 82"),
    ];
    for (how, why) in words {
        let once = folder.path().join(how);
        let stage = Stage::new(&format!("--break {how} --at 5 --once {}", once.display()));
        stage.ready();
        let answers = stage.judge(&positions(20));
        let down = |answer: &Result<Judged, Refusal>| answer == &Err(Refusal::Down(why.to_owned()));
        assert!(answers.iter().any(down), "{how}: {answers:?}");
        assert_eq!(stage.down(), why);
        stage.ready();
        assert!(all_judged(&stage.judge(&positions(20))), "{how}");
    }
}

#[test]
fn a_position_that_it_will_not_judge_leaves_the_process_as_it_is() {
    for (how, why) in [("error", "komi: Must be"), ("rules", "rules: Rules converted")] {
        let stage = Stage::new(&format!("--break {how} --at 3"));
        stage.ready();
        let answers = stage.judge(&positions(4));
        assert!(all_judged(&answers[..2]), "{how}: {answers:?}");
        for answer in &answers[2..] {
            let refused = answer.as_ref().expect_err("refused");
            assert!(
                matches!(refused, Refusal::Position(words) if words.starts_with(why)),
                "{refused}"
            );
        }
        assert!(stage.news.try_recv().is_err(), "nothing happened to the process");
    }
    let stage = Stage::new("");
    stage.ready();
    let large =
        Position { rules: GoRules::new(21, 14).expect("a board"), ..positions(1).remove(0) };
    let refused = stage.judge(&[large]).remove(0).expect_err("a board that it does not have");
    assert!(
        refused.to_string().ends_with("boardXSize: Must provide an integer from 2 to 19"),
        "{refused}"
    );
}

#[test]
fn an_old_release_and_a_command_that_is_none_are_told() {
    assert_eq!(
        Stage::new("--version 1.14.1").down(),
        "it is version 1.14.1, expected 1.15 or later"
    );
    let nowhere = Stage::with("/nowhere/katago analysis", LIMITS).down();
    assert!(nowhere.starts_with("cannot start /nowhere/katago: No such file"), "{nowhere}");
    let mistyped = Stage::new("--vershun 1").down();
    assert!(
        mistyped.contains("exit status 2; its last words: ") && mistyped.contains("--help"),
        "{mistyped}"
    );
}

#[test]
fn a_slow_one_is_waited_for() {
    let stage = Stage::new("--break slow --slow-ms 100");
    stage.ready();
    assert!(all_judged(&stage.judge(&positions(4))), "each within the time, not all");
}

#[test]
fn who_is_forgotten_is_not_answered() {
    let stage = Stage::new("--delay-ms 20");
    stage.ready();
    let (answer, answers) = mpsc::channel();
    let ask = |position, name: u32| {
        let answer = answer.clone();
        let answered = move |_| {
            let _ = answer.send(name);
        };
        stage.katago.ask(position, Box::new(answered))
    };
    let [first, second] = &positions(2)[..] else { panic!("two") };
    let ticket = ask(first.clone(), 1);
    stage.katago.forget(ticket);
    ask(second.clone(), 2);
    assert_eq!(answers.recv_timeout(PATIENCE), Ok(2));
}

#[test]
fn the_process_is_gone_with_its_handle() {
    let stage = Stage::new("--break hang");
    stage.ready();
    let (answer, answers) = mpsc::channel::<()>();
    stage.katago.ask(positions(1).remove(0), Box::new(move |_| drop(answer)));
    let begun = std::time::Instant::now();
    drop(stage);
    assert!(begun.elapsed() < PATIENCE && answers.recv().is_err());
}

#[test]
fn a_process_is_stopped_although_others_hold_its_handle_and_wait() {
    let command = format!("{STAND_IN} --break hang analysis");
    let stage = Stage::with(&command, Limits::default());
    stage.ready();
    let (answer, answers) = mpsc::channel::<()>();
    stage.katago.ask(positions(1).remove(0), Box::new(move |_| drop(answer)));
    let begun = std::time::Instant::now();
    stage.katago.stop();
    assert!(begun.elapsed() < PATIENCE && answers.recv().is_err());
    stage.katago.stop();
    let stopped = Err(Refusal::Down("it is being stopped".to_owned()));
    assert_eq!(stage.judge(&positions(2)), [stopped.clone(), stopped]);
}
