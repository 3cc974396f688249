//! The Go Text Protocol: the whole front end in this process, with an engine of one thread and tiny
//! searches.

mod analysis;

mod bytes;

mod commands;

mod conversations;

mod openings;

use std::io::{BufRead, Write};

use banyan::config::Config;
use banyan::node::Node;
use banyan_cli::options::{Cli, Command};
use banyan_engine::Session;
use banyan_frontends::gtp::{Options, run};
use banyan_games::with_game;
use clap::Parser as _;
use expect_test::Expect;

/// Says `input` to an engine started with these words after `banyan gtp`, and returns all it said.
fn spoken(options: &str, input: impl BufRead + Send + 'static) -> String {
    let mut output = Vec::new();
    speak(options, input, &mut output);
    String::from_utf8(output).expect("text")
}

/// The same, which goes to `output`.
fn speak(options: &str, input: impl BufRead + Send + 'static, output: impl Write) {
    let words = "banyan gtp --threads 1".split(' ').chain(options.split_whitespace());
    let Command::Gtp(args) = Cli::try_parse_from(words).expect("options").command else {
        panic!("not gtp");
    };
    let config = Config::new(&args.engine).expect("a configuration");
    let node = Node::start(&config.setup).expect("a cluster");
    with_game!(&config.search.rules, G, rules => {
        let session = Session::<G>::new(rules, node.cluster().lender(), &config.search.settings).expect("a session");
        run(input, output, session, Options { resign: args.resign.or(Some(0.0)), ..Options::from(&args) })
    })
    .expect("all is taken");
}

/// The answers to a script, without their empty lines.
fn answers(options: &str, script: &str) -> Vec<String> {
    let script: &'static [u8] = script.to_owned().leak().as_bytes();
    let spoken = spoken(options, script);
    let mut answers: Vec<String> = spoken.split("\n\n").map(str::to_owned).collect();
    assert_eq!(answers.pop().as_deref(), Some(""), "the last answer ends with an empty line");
    answers
}

const GO: &str = "--game go --size 9 --playouts 64";
const OTHELLO: &str = "--game othello --playouts 64";
const GOMOKU: &str = "--game gomoku --size 15 --playouts 64";
const CONNECT6: &str = "--game connect6 --playouts 64";

/// Holds a conversation against what it was: what is said stands behind `> `, the answer below it.
///
/// Nothing in it depends on the machine or on time. `UPDATE_EXPECT=1 cargo test` writes down what has
/// changed on purpose; a new conversation needs only what is said.
fn converse(options: &str, expected: &Expect) {
    let said: Vec<&str> = expected
        .data()
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('>'))
        .map(str::trim)
        .collect();
    let options = format!("{options} --reproducible --no-ponder");
    let answers = answers(&options, &format!("{}\n", said.join("\n")));
    assert_eq!(answers.len(), said.len(), "one answer to each line: {answers:#?}");
    let told = said.iter().zip(answers).map(|(line, answer)| format!("> {line}\n{answer}\n"));
    let told: String = told.collect();
    expected.assert_eq(&told.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

/// Each line of the script with the answer that must follow, `line -> answer`; `->` alone stands for
/// an empty success. An answer that ends with `*` may go on.
fn check(options: &str, expected: &str) {
    let lines: Vec<(&str, &str)> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| line.split_once("->").expect("an arrow"))
        .collect();
    let script: String = lines.iter().map(|(line, _)| format!("{}\n", line.trim())).collect();
    let answers = answers(options, &script);
    assert_eq!(answers.len(), lines.len(), "{answers:#?}");
    for ((line, expected), answer) in lines.into_iter().zip(answers) {
        let expected = match expected.trim() {
            "" => "=",
            other => other,
        };
        let answer = answer.replace('\n', "|");
        match expected.strip_suffix('*') {
            Some(start) => assert!(answer.starts_with(start), "{line}: {answer}"),
            None => assert_eq!(answer, expected, "{line}"),
        }
    }
}
