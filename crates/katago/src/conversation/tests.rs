use banyan_games::Color;
use banyan_games::go::GoRules;
use serde_json::{Value, json};

use super::*;

const LIMITS: Limits = Limits {
    start: Duration::from_secs(9),
    silence: Duration::from_secs(3),
    back_off_min: Duration::from_secs(1),
    back_off_max: Duration::from_secs(4),
    waiting_max: 8,
};

const VERSION: &str = r#"{"action":"query_version","id":"version","version":"1.16.0"}"#;
const MODELS: &str = r#"{"id":"models","models":[{"internalName":"b6","maxBatchSize":1}]}"#;

/// A conversation, its clock, and the numbers of the positions that the process was asked about.
struct Stage {
    conversation: Conversation,
    now: Duration,
    asked: Vec<String>,
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl Stage {
    fn new() -> Stage {
        Stage { conversation: Conversation::new(LIMITS), now: Duration::ZERO, asked: Vec::new() }
    }

    /// One whose process is ready.
    fn ready() -> Stage {
        let mut stage = Stage::new();
        stage.does(Event::Tick);
        stage.does(line(VERSION));
        stage.does(line(MODELS));
        stage
    }

    /// Returns what follows, lines about positions left out.
    fn does(&mut self, event: Event) -> Vec<Action> {
        let mut actions = self.conversation.handle(self.now, event);
        let asked = |action: &mut Action| match action {
            Action::Write(line) => number(line),
            _ => None,
        };
        self.asked.extend(
            actions
                .extract_if(.., |action| asked(action).is_some())
                .filter_map(|mut it| asked(&mut it)),
        );
        actions
    }

    fn ask(&mut self, ticket: u64) -> Vec<Action> {
        self.does(Event::Ask(Ticket(ticket), Box::new(position())))
    }

    fn later(&mut self, by: u64) -> Vec<Action> {
        self.now += seconds(by);
        self.does(Event::Tick)
    }
}

/// The number of a position that a line asks about.
fn number(line: &str) -> Option<String> {
    let query: Value = serde_json::from_str(line).expect("JSON");
    query.get("boardXSize")?;
    Some(query["id"].as_str().expect("a text").to_owned())
}

fn position() -> Position {
    let rules = GoRules::new(2, 0).expect("a board");
    Position { rules, stones: Vec::new(), first: Color::Black, plies: Vec::new() }
}

fn line(text: &str) -> Event {
    Event::Line(text.to_owned())
}

fn answer(number: &str, winrate: f64) -> Event {
    let answer = json!({
        "id": number,
        "rootInfo": { "rawWinrate": winrate, "rawLead": 0 },
        "policy": [0, 0, 0, 0, 1],
        "ownership": [0, 0, 0, 0],
    });
    Event::Line(answer.to_string())
}

/// Returns who is answered, and with which chance to win; nothing where refused.
fn answers(actions: &[Action]) -> Vec<(u64, Option<f32>)> {
    let told = |action: &Action| match action {
        Action::Answer(ticket, judged) => {
            Some((ticket.0, judged.as_ref().ok().map(|it| it.winrate)))
        }
        _ => None,
    };
    actions.iter().filter_map(told).collect()
}

/// Returns why the process was given up, and after how many seconds it is started again.
fn down(actions: &[Action]) -> Option<(&str, u64)> {
    assert_eq!(
        actions.contains(&Action::Stop),
        actions.iter().any(|it| matches!(it, Action::Notice(_)))
    );
    actions.iter().find_map(|action| match action {
        Action::Notice(Notice::Down { why, again_in }) => Some((why.as_str(), again_in.as_secs())),
        _ => None,
    })
}

#[test]
fn the_process_is_started_and_asked_who_it_is() {
    let mut stage = Stage::new();
    let actions = stage.does(Event::Tick);
    assert!(matches!(&actions[..], [Action::Start, Action::Write(_)]), "{actions:?}");
    assert_eq!(stage.does(line(VERSION)), [Action::Write(query::models())]);
    let model = Model { version: "1.16.0".to_owned(), name: "b6".to_owned(), batch: 1 };
    assert_eq!(stage.does(line(MODELS)), [Action::Notice(Notice::Ready(model))]);
}

#[test]
fn positions_wait_until_it_is_ready_and_answers_may_come_in_any_order() {
    let mut stage = Stage::new();
    stage.does(Event::Tick);
    stage.ask(10);
    stage.ask(11);
    assert!(stage.asked.is_empty());
    stage.does(line(VERSION));
    stage.does(line(MODELS));
    let [first, second] = &stage.asked.clone()[..] else { panic!("{:?}", stage.asked) };
    assert_eq!(answers(&stage.does(answer(second, 0.25))), [(11, Some(0.25))]);
    assert_eq!(answers(&stage.does(answer(first, 0.75))), [(10, Some(0.75))]);
    assert_eq!(stage.does(answer(first, 0.5)), [], "answered once");
}

#[test]
fn no_more_are_open_than_two_batches() {
    let mut stage = Stage::ready();
    (0..4).for_each(|ticket| assert_eq!(stage.ask(ticket), []));
    assert_eq!(stage.asked.len(), 2);
    let first = stage.asked[0].clone();
    stage.does(answer(&first, 0.5));
    assert_eq!(stage.asked.len(), 3);
}

#[test]
fn more_than_may_wait_are_refused() {
    let mut stage = Stage::ready();
    (0..10).for_each(|ticket| assert_eq!(stage.ask(ticket), []));
    assert_eq!(stage.ask(10), [Action::Answer(Ticket(10), Err(Refusal::Full(8)))]);
}

#[test]
fn a_position_that_nobody_waits_for_is_not_asked_about_nor_answered() {
    let mut stage = Stage::ready();
    (0..3).for_each(|ticket| drop(stage.ask(ticket)));
    stage.does(Event::Forget(Ticket(0)));
    stage.does(Event::Forget(Ticket(2)));
    for number in stage.asked.clone() {
        let answered = answers(&stage.does(answer(&number, 0.5)));
        assert!(answered.iter().all(|&(ticket, _)| ticket == 1), "{answered:?}");
    }
    assert_eq!(stage.asked.len(), 2);
}

#[test]
fn when_it_dies_those_who_wait_are_told_and_it_is_started_again() {
    let mut stage = Stage::ready();
    (0..3).for_each(|ticket| drop(stage.ask(ticket)));
    let actions = stage.does(Event::Ended("it was killed by signal 9".to_owned()));
    assert_eq!(answers(&actions), [(0, None), (1, None), (2, None)]);
    assert_eq!(down(&actions), Some(("it was killed by signal 9", 1)));
    let refused = stage.ask(4);
    assert!(matches!(&refused[..], [Action::Answer(_, Err(Refusal::Down(_)))]), "{refused:?}");
    assert_eq!(stage.later(0), []);
    assert_eq!(stage.later(1)[0], Action::Start);
}

#[test]
fn it_is_given_longer_each_time_and_forgiven_when_it_has_worked() {
    let mut stage = Stage::new();
    let mut pauses = Vec::new();
    for _ in 0..4 {
        stage.later(4);
        let actions = stage.does(Event::Ended("no".to_owned()));
        pauses.extend(down(&actions).map(|(_, pause)| pause));
    }
    assert_eq!(pauses, [1, 2, 4, 4]);
    stage.later(4);
    stage.does(line(VERSION));
    stage.does(line(MODELS));
    stage.later(5);
    assert_eq!(down(&stage.does(Event::Ended("no".to_owned()))), Some(("no", 1)));
}

#[test]
fn one_that_hangs_is_found_by_its_silence() {
    let mut stage = Stage::ready();
    assert_eq!(stage.later(100), [], "who is asked nothing may be silent");
    stage.ask(0);
    stage.ask(1);
    assert_eq!(stage.later(2), []);
    let first = stage.asked[0].clone();
    stage.does(answer(&first, 0.5));
    assert_eq!(stage.later(2), []);
    let actions = stage.later(2);
    assert_eq!(down(&actions), Some(("it has answered nothing for 3 s", 1)));
    assert_eq!(answers(&actions), [(1, None)]);
}

#[test]
fn an_answer_that_is_lost_while_others_come_is_missed() {
    let mut stage = Stage::ready();
    stage.ask(0);
    let down_after = (1..20).find_map(|ticket| {
        stage.ask(ticket);
        let newest = stage.asked.last().expect("it asks at once").clone();
        stage.does(answer(&newest, 0.5));
        let actions = stage.later(1);
        down(&actions).map(|(why, _)| (why.to_owned(), ticket))
    });
    let why = "it has answered others and not one position for 12 s".to_owned();
    assert_eq!(down_after, Some((why, 13)));
}

#[test]
fn one_that_never_says_who_it_is_is_given_up() {
    let mut stage = Stage::new();
    stage.does(Event::Tick);
    assert_eq!(stage.later(9), []);
    assert_eq!(down(&stage.later(1)), Some(("it has not said who it is within 9 s", 1)));
}

#[test]
fn an_old_version_is_refused_by_its_number() {
    for version in ["1.14.1", "1", "", "newest", "0.99.0"] {
        let mut stage = Stage::new();
        stage.does(Event::Tick);
        let said = json!({ "id": "version", "version": version }).to_string();
        let actions = stage.does(line(&said));
        let words = format!("it is version {version}, expected 1.15 or later");
        assert_eq!(down(&actions), Some((words.as_str(), 1)));
    }
    assert!(["1.15.0", "1.16.3-beta", "2.0"].into_iter().all(is_new_enough));
}

#[test]
fn rubbish_is_passed_over_before_the_first_answer_and_not_afterwards() {
    let mut stage = Stage::new();
    stage.does(Event::Tick);
    assert_eq!(stage.does(line("Welcome to machine 7!")), []);
    stage.does(line(VERSION));
    stage.does(line(MODELS));
    stage.ask(0);
    let actions = stage.does(line("Segmentation fault"));
    assert_eq!(down(&actions), Some(("'Segmentation fault' is no line of its protocol", 1)));
    assert_eq!(answers(&actions), [(0, None)]);
    let mut stage = Stage::new();
    stage.does(Event::Tick);
    let given_up = (0..=PREFACE_LINES_MAX).any(|_| down(&stage.does(line("la la"))).is_some());
    assert!(given_up, "nothing but rubbish");
}

#[test]
fn numbers_that_cannot_be_are_rubbish() {
    let mut stage = Stage::ready();
    stage.ask(0);
    let number = stage.asked[0].clone();
    let actions = stage.does(answer(&number, 7.5));
    assert_eq!(down(&actions), Some(("rawWinrate is 7.5, expected 0 to 1", 1)));
}

#[test]
fn a_position_that_it_refuses_is_refused_and_the_others_are_judged() {
    let mut stage = Stage::ready();
    stage.ask(0);
    stage.ask(1);
    let [first, second] = &stage.asked.clone()[..] else { panic!("two") };
    let error = json!({ "id": first, "field": "boardXSize", "error": "from 2 to 19" });
    let why = Refusal::Position("boardXSize: from 2 to 19".to_owned());
    assert_eq!(stage.does(line(&error.to_string())), [Action::Answer(Ticket(0), Err(why))]);
    assert_eq!(answers(&stage.does(answer(second, 0.5))), [(1, Some(0.5))]);
}

#[test]
fn an_answer_by_other_rules_will_not_do() {
    let mut stage = Stage::ready();
    stage.ask(0);
    let number = stage.asked[0].clone();
    let odd = json!({ "id": number, "field": "colour", "warning": "unused" });
    assert_eq!(stage.does(line(&odd.to_string())), []);
    let other = json!({ "id": number, "field": "rules", "warning": "converted to territory" });
    assert_eq!(stage.does(line(&other.to_string())), []);
    let why = Refusal::Position("rules: converted to territory".to_owned());
    assert_eq!(stage.does(answer(&number, 0.5)), [Action::Answer(Ticket(0), Err(why))]);
}

#[test]
fn who_does_not_understand_us_is_given_up() {
    let mut stage = Stage::ready();
    stage.ask(0);
    let actions = stage.does(line(r#"{"error":"Could not parse input as json"}"#));
    assert_eq!(down(&actions), Some(("it said: Could not parse input as json", 1)));
}
