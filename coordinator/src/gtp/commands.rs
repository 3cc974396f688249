//! The table of commands, from which `list_commands` and `known_command` read, and those commands
//! that concern no game.

use banyan_games::{Game, Kind};
use rustix::time::{ClockId, clock_gettime};

use super::args::Args;
use super::engine::Engine;
use super::reply::{Answer, Fault};
use super::{clocks, files, moves, scoring, setup};

/// One line of the table.
pub(super) struct Command<G: Game> {
    pub name: &'static str,
    needs: Needs,
    pub run: fn(&mut Engine<G>, &Args<'_>) -> Answer,
}

/// What a command asks of a game to make sense.
#[derive(Clone, Copy, Debug)]
enum Needs {
    Nothing,
    /// A game that is scored by who holds each point: komi, handicap, dead stones.
    Territory,
    /// Boards that need not be square.
    Rectangles,
}

impl Needs {
    fn met_by<G: Game>(self) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Territory => G::TERRITORY,
            Needs::Rectangles => G::KIND == Kind::Gomoku,
        }
    }
}

/// A handle for the table, which differs by the type of its functions.
struct Table<G>(std::marker::PhantomData<G>);

impl<G: Game> Table<G> {
    const ALL: &'static [Command<G>] = {
        use Needs::{Nothing, Rectangles, Territory};
        &[
            Command { name: "protocol_version", needs: Nothing, run: protocol_version },
            Command { name: "name", needs: Nothing, run: name },
            Command { name: "version", needs: Nothing, run: version },
            Command { name: "known_command", needs: Nothing, run: known_command },
            Command { name: "list_commands", needs: Nothing, run: list_commands },
            Command { name: "quit", needs: Nothing, run: quit },
            Command { name: "stop", needs: Nothing, run: nothing },
            Command { name: "gogui-interrupt", needs: Nothing, run: nothing },
            Command { name: "cputime", needs: Nothing, run: cputime },
            Command { name: "list_games", needs: Nothing, run: list_games },
            Command { name: "set_game", needs: Nothing, run: set_game },
            Command { name: "boardsize", needs: Nothing, run: setup::boardsize },
            Command { name: "rectangular_boardsize", needs: Rectangles, run: setup::boardsize },
            Command { name: "clear_board", needs: Nothing, run: setup::clear_board },
            Command { name: "komi", needs: Territory, run: setup::komi },
            Command { name: "get_komi", needs: Territory, run: setup::get_komi },
            Command { name: "fixed_handicap", needs: Territory, run: setup::fixed_handicap },
            Command {
                name: "place_free_handicap",
                needs: Territory,
                run: setup::place_free_handicap,
            },
            Command { name: "set_free_handicap", needs: Territory, run: setup::set_free_handicap },
            Command { name: "play", needs: Nothing, run: moves::play },
            Command { name: "undo", needs: Nothing, run: moves::undo },
            Command { name: "gg-undo", needs: Nothing, run: moves::gg_undo },
            Command { name: "genmove", needs: Nothing, run: moves::genmove },
            Command { name: "reg_genmove", needs: Nothing, run: moves::reg_genmove },
            Command { name: "kgs-genmove_cleanup", needs: Territory, run: moves::genmove_cleanup },
            Command { name: "kgs-game_over", needs: Nothing, run: nothing },
            Command { name: "time_settings", needs: Nothing, run: clocks::time_settings },
            Command { name: "kgs-time_settings", needs: Nothing, run: clocks::kgs_time_settings },
            Command { name: "time_left", needs: Nothing, run: clocks::time_left },
            Command { name: "final_score", needs: Nothing, run: scoring::final_score },
            Command {
                name: "final_status_list",
                needs: Territory,
                run: scoring::final_status_list,
            },
            Command { name: "showboard", needs: Nothing, run: setup::showboard },
            Command { name: "loadsgf", needs: Nothing, run: files::loadsgf },
            Command { name: "printsgf", needs: Nothing, run: files::printsgf },
        ]
    };
}

/// The commands that this game has.
fn all<G: Game>() -> impl Iterator<Item = &'static Command<G>> {
    Table::<G>::ALL.iter().filter(|command| command.needs.met_by::<G>())
}

/// The command of this name, if this game has it.
pub(super) fn find<G: Game>(name: &str) -> Option<&'static Command<G>> {
    all::<G>().find(|command| command.name == name)
}

fn nothing<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok(String::new())
}

fn protocol_version<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok("2".to_owned())
}

fn name<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok("Banyan".to_owned())
}

fn version<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

fn known_command<G: Game>(_: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let name = args.word(0).ok_or(Fault::Syntax("the name of a command"))?;
    Ok(find::<G>(name).is_some().to_string())
}

fn list_commands<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok(all::<G>().map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

fn quit<G: Game>(engine: &mut Engine<G>, _: &Args<'_>) -> Answer {
    engine.quit();
    Ok(String::new())
}

/// Seconds of processor time of this process; what workers elsewhere used is not in it.
fn cputime<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Ok(format!("{:.3}", used.tv_sec as f64 + used.tv_nsec as f64 / 1e9))
}

fn list_games<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok(title(G::KIND).to_owned())
}

/// A process plays one game from its start to its end.
fn set_game<G: Game>(_: &mut Engine<G>, args: &Args<'_>) -> Answer {
    if args.rest().eq_ignore_ascii_case(title(G::KIND)) {
        Ok(String::new())
    } else {
        Err(Fault::OtherGame(title(G::KIND)))
    }
}

/// A game's name as programs for several games write it.
const fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Go => "Go",
        Kind::Othello => "Othello",
        Kind::Gomoku => "Gomoku",
        Kind::Connect6 => "Connect6",
    }
}
