//! Conversations: whatever is said to the real front end, each line is answered in the protocol's
//! form, the last one too.

use std::io::Cursor;

use banyan::config::Config;
use banyan::node::Node;
use banyan_cli::options::{Cli, Command};
use banyan_engine::Session;
use banyan_frontends::gtp::{Options, run};
use banyan_games::with_game;
use clap::Parser as _;

const ENGINES: [&str; 5] = [
    "--game go --size 5",
    "--game othello",
    "--game gomoku --size 6",
    "--game connect6 --size 7",
    "--game go --size 2",
];

/// Lines of one conversation: more would only take longer.
const LINES_MAX: usize = 64;

/// The first byte says which engine is spoken to, the rest is what is said.
pub(super) fn converse(bytes: &[u8]) -> bool {
    let Some((&first, said)) = bytes.split_first() else { return false };
    let engine = ENGINES[usize::from(first) % ENGINES.len()];
    let mut lines: Vec<&[u8]> = said.split(|&byte| byte == b'\n').collect();
    lines.retain(|line| !names_a_file(line));
    lines.truncate(LINES_MAX);
    let mut input = lines.join(&b'\n');
    input.extend(b"\n987 protocol_version\n");
    let answers = answers(engine, input);
    let has_quit = lines.iter().any(|line| cleaned(line).contains("quit"));
    assert!(has_quit || answers.ends_with("=987 2\n\n"), "{answers:?}");
    for answer in answers.trim_end_matches('\n').split("\n\n") {
        assert!(answer.starts_with(['=', '?']), "{answers:?}");
        assert!(!answer.contains(|c: char| c.is_control() && c != '\n'), "{answers:?}");
    }
    answers.split("\n\n").any(|answer| answer.starts_with('=') && answer != "=987 2")
}

/// Reading and writing files of any name is no business of a test.
fn names_a_file(line: &[u8]) -> bool {
    cleaned(line).contains("sgf")
}

/// The line once the front end has thrown control characters away.
fn cleaned(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().filter(|c| !c.is_control()).collect()
}

fn answers(engine: &str, input: Vec<u8>) -> String {
    let words = "banyan gtp --threads 1 --playouts 16".split(' ').chain(engine.split(' '));
    let Ok(Cli { command: Command::Gtp(args), .. }) = Cli::try_parse_from(words) else {
        panic!("our own options");
    };
    let config = Config::new(&args.engine).expect("a configuration");
    let node = Node::start(&config.setup).expect("a cluster");
    let mut output = Vec::new();
    with_game!(&config.search.rules, G, rules => {
        let session = Session::<G>::new(rules, node.cluster().lender(), &config.search.settings).expect("a session");
        run(Cursor::new(input), &mut output, session, Options::from(&args))
    })
    .expect("memory takes all");
    String::from_utf8(output).expect("text")
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    [
        "\0boardsize 5\n1 komi 0.5\nplay b c3\ngenmove w\nundo\nfinal_status_list dead\nshowboard",
        "\0fixed_handicap 2\ntime_settings 0 5 1\ntime_left b 3 1\ngenmove w\nkgs-genmove_cleanup b",
        "\0set_free_handicap a1 b2\nplace_free_handicap 3\nplay w pass\nplay b pass\nfinal_score",
        "\0kata-time_settings fischer 5 1\nplay b c3\nkata-genmove_analyze w 1 ownership true\nbanyan-ownership",
        "\0lz-analyze b interval 1 maxmoves 3 avoid b c3,pass 1\nkata-analyze 1 rootInfo true pvVisits true",
        "\x01play b f5\ngenmove w\ngg-undo 2\nreg_genmove b # interrupt\nknown_command undo\nquit",
        "\x02rectangular_boardsize 7 6\nplay b d4\ngenmove w\nlist_commands\nstop",
        "\x02banyan-opening two-fifths\nbanyan-opening_play lay d4 d5 e5\nbanyan-opening_genmove\ngenmove w",
        "\x03kgs-time_settings byoyomi 10 1 3\nplay b d4\ngenmove w\ngenmove w\nset_game Connect6",
        "\x04genmove b\ngenmove w\nplay b a1\nplay w b1\nplay b a2\nfinal_score\ncputime",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}
