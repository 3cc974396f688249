//! The Gomocup protocol (Piskvork's), spoken on two streams: a manager says what was played, the engine
//! answers with points.
//!
//! A manager may stop the whole process (SIGSTOP) while the other side thinks; nothing here minds.
//! Reading order: the words (`text`), what is told of time and memory (`info`), who tells it
//! (`manager`), what is remembered (`engine`), the commands, the opening by which one side lays stones
//! and the other takes its pick (`swap2`).
//!
//! # Source
//! The protocol's description by its author and the tournament's judge.

mod text;

mod info;

mod manager;

mod engine;

mod commands;

mod swap2;

use std::io::{self, BufRead, Write};

use crate::lines::Lines;
use engine::Engine;
use manager::Manager;

pub use engine::{MakeSession, Options};

/// Answers lines until `END` or the end of the input.
///
/// # Errors
/// What writing says, or the operating system when it has no thread to give.
pub fn run(
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    options: Options,
) -> io::Result<()> {
    let manager = Manager::new(Lines::read("gomocup input", input)?);
    let mut engine = Engine::new(manager, options)?;
    while let Some(line) = engine.manager.next() {
        if line.eq_ignore_ascii_case("END") {
            break;
        }
        if let Some(answer) = answer(&mut engine, &line)? {
            writeln!(output, "{answer}")?;
        }
        output.flush()?;
        engine.session.show();
    }
    Ok(())
}

/// The answer to a line; nothing to one that only tells.
fn answer(engine: &mut Engine, line: &str) -> io::Result<Option<String>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let answered = match word.to_uppercase().as_str() {
        "START" => commands::start(engine, rest, text::side(rest).map(|side| (side, side))),
        "RECTSTART" => commands::start(engine, rest, text::sides(rest)),
        "RESTART" => commands::restart(engine),
        "BEGIN" => commands::begin(engine),
        "TURN" => commands::turn(engine, rest),
        "PLAY" => commands::play_as_told(engine, rest),
        "BOARD" => commands::board(engine),
        "TAKEBACK" => commands::take_back(engine, rest),
        "SWAP2BOARD" => swap2::board(engine),
        "INFO" => {
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            engine.note(key, value.trim())?;
            return Ok(None);
        }
        "ABOUT" => Ok(commands::about()),
        // What ends the thinking under way has nothing to say to an engine at rest.
        "YXSTOP" => return Ok(None),
        _ => return Ok(Some(format!("UNKNOWN {}", text::shortened(word)))),
    };
    Ok(Some(answered.unwrap_or_else(|fault| format!("ERROR {fault}"))))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use banyan_engine::request::Request;
    use banyan_engine::{Session, Settings};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::looking::Looking;

    #[test]
    fn whoever_looks_on_sees_every_game_in_every_session() {
        let (seen, plies) = channel();
        let make_session = move |rules: &GomokuRules, settings: &Settings| {
            let search = |_: Request<Gomoku>| unreachable!("nothing is searched");
            let mut session = Session::searched_by(rules, search, settings)?;
            session.show_to(Box::new(Looking(seen.clone())));
            Ok(session)
        };
        let options = Options {
            rules: GomokuRules::new(15, 15, Variant::Freestyle).expect("rules"),
            make_session: Box::new(make_session),
            settings: Settings::of::<Gomoku>(),
            asked_time: None,
        };
        let said = "START 15\nPLAY 7,7\nINFO max_memory 1000000\nRESTART\nEND\n";
        run(said.as_bytes(), io::sink(), options).expect("nothing to be written in vain");
        // Less memory is another session, which begins without a stone.
        assert_eq!(plies.into_iter().collect::<Vec<_>>(), [0, 0, 1, 0, 1, 0]);
    }
}
