//! The top: which command a line names, by the table from which `list_commands` and `known_command`
//! read, and those commands that concern no game.

use banyan_engine::Playable;
use banyan_games::Kind;
use rustix::time::{ClockId, clock_gettime};

use super::args::Args;
use super::engine::Engine;
use super::input::Line;
use super::reply::{Fault, Feed, Reply};
use super::{analysis, files, gogui, moves, opening, scoring, setup, timing};

/// Does what a line says. What comes of it before the end goes to `feed`.
pub(super) fn answer<G: Playable>(
    engine: &mut Engine<G>,
    line: &Line,
    feed: &mut Feed<'_>,
) -> Reply {
    engine.line = line.number;
    if line.is_cut {
        return Err(Fault::LineTooLong);
    }
    let command = find::<G>(&line.command).ok_or(Fault::UnknownCommand)?;
    command.run(engine, &Args::new(&line.rest), feed)
}

/// One line of the table.
struct Command<G: Playable> {
    name: &'static str,
    needs: Needs,
    run: Run<G>,
}

/// The function behind a command.
enum Run<G: Playable> {
    /// It has its answer when it is done.
    Whole(fn(&mut Engine<G>, &Args<'_>) -> Reply),
    /// Lines of its answer come while it goes on.
    Live(fn(&mut Engine<G>, &Args<'_>, &mut Feed<'_>) -> Reply),
}

impl<G: Playable> Command<G> {
    const fn whole(
        name: &'static str,
        needs: Needs,
        run: fn(&mut Engine<G>, &Args<'_>) -> Reply,
    ) -> Command<G> {
        Command { name, needs, run: Run::Whole(run) }
    }

    const fn live(
        name: &'static str,
        run: fn(&mut Engine<G>, &Args<'_>, &mut Feed<'_>) -> Reply,
    ) -> Command<G> {
        Command { name, needs: Needs::Nothing, run: Run::Live(run) }
    }

    /// Does what the command says.
    fn run(&self, engine: &mut Engine<G>, args: &Args<'_>, feed: &mut Feed<'_>) -> Reply {
        match self.run {
            Run::Whole(run) => run(engine, args),
            Run::Live(run) => run(engine, args, feed),
        }
    }
}

/// A property that a game must have for a command to make sense.
#[derive(Clone, Copy, Debug)]
enum Needs {
    Nothing,
    /// A game that is scored by who holds each point: komi, handicap, dead stones.
    Territory,
    /// Boards that need not be square.
    Rectangles,
    /// Openings in which sides are swapped.
    Openings,
}

impl Needs {
    fn met_by<G: Playable>(self) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Territory => G::TERRITORY,
            Needs::Rectangles | Needs::Openings => G::KIND == Kind::Gomoku,
        }
    }
}

/// A handle for the table, which differs by the type of its functions.
struct Table<G>(std::marker::PhantomData<G>);

impl<G: Playable> Table<G> {
    const ALL: &'static [Command<G>] = {
        use Needs::{Nothing, Openings, Rectangles, Territory};
        let (whole, live) = (Command::<G>::whole, Command::<G>::live);
        &[
            whole("protocol_version", Nothing, protocol_version),
            whole("name", Nothing, name),
            whole("version", Nothing, version),
            whole("known_command", Nothing, known_command),
            whole("list_commands", Nothing, list_commands),
            whole("quit", Nothing, quit),
            whole("stop", Nothing, nothing),
            whole("gogui-interrupt", Nothing, nothing),
            whole("cputime", Nothing, cputime),
            whole("list_games", Nothing, list_games),
            whole("set_game", Nothing, set_game),
            whole("boardsize", Nothing, setup::boardsize),
            whole("rectangular_boardsize", Rectangles, setup::boardsize),
            whole("clear_board", Nothing, setup::clear_board),
            whole("komi", Territory, setup::komi),
            whole("get_komi", Territory, setup::get_komi),
            whole("fixed_handicap", Territory, setup::fixed_handicap),
            whole("place_free_handicap", Territory, setup::place_free_handicap),
            whole("set_free_handicap", Territory, setup::set_free_handicap),
            whole("play", Nothing, moves::play),
            whole("undo", Nothing, moves::undo),
            whole("gg-undo", Nothing, moves::gg_undo),
            whole("genmove", Nothing, moves::genmove),
            whole("reg_genmove", Nothing, moves::reg_genmove),
            whole("banyan-opening", Openings, opening::opening),
            whole("banyan-opening_play", Openings, opening::play),
            whole("banyan-opening_genmove", Openings, opening::genmove),
            whole("kgs-genmove_cleanup", Territory, moves::genmove_cleanup),
            live("analyze", analysis::lz_analyze),
            live("lz-analyze", analysis::lz_analyze),
            live("kata-analyze", analysis::kata_analyze),
            live("genmove_analyze", analysis::lz_genmove_analyze),
            live("lz-genmove_analyze", analysis::lz_genmove_analyze),
            live("kata-genmove_analyze", analysis::kata_genmove_analyze),
            whole("kgs-game_over", Nothing, game_over),
            whole("time_settings", Nothing, timing::time_settings),
            whole("kgs-time_settings", Nothing, timing::kgs_time_settings),
            whole("kata-time_settings", Nothing, timing::kata_time_settings),
            whole("kata-list_time_settings", Nothing, timing::kata_list_time_settings),
            whole("time_left", Nothing, timing::time_left),
            whole("final_score", Nothing, scoring::final_score),
            whole("final_status_list", Territory, scoring::final_status_list),
            whole("banyan-ownership", Territory, gogui::ownership),
            whole("gogui-analyze_commands", Nothing, analyze_commands),
            whole("showboard", Nothing, setup::showboard),
            whole("loadsgf", Nothing, files::loadsgf),
            whole("printsgf", Nothing, files::printsgf),
        ]
    };
}

/// The commands that this game has.
fn all<G: Playable>() -> impl Iterator<Item = &'static Command<G>> {
    Table::<G>::ALL.iter().filter(|command| command.needs.met_by::<G>())
}

/// The command of this name, if this game has it.
fn find<G: Playable>(name: &str) -> Option<&'static Command<G>> {
    all::<G>().find(|command| command.name == name)
}

fn nothing<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(String::new())
}

fn game_over<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    engine.expect_no_reply();
    Ok(String::new())
}

fn protocol_version<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok("2".to_owned())
}

fn name<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok("Banyan".to_owned())
}

fn version<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

fn known_command<G: Playable>(_: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let name = args.word(0).ok_or(Fault::Syntax("the name of a command"))?;
    Ok(find::<G>(name).is_some().to_string())
}

fn list_commands<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(all::<G>().map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

fn analyze_commands<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(gogui::offered(|name| find::<G>(name).is_some()))
}

fn quit<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    engine.quit();
    Ok(String::new())
}

/// Seconds of processor time of this process; what workers elsewhere used is not in it.
fn cputime<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Ok(format!("{:.3}", used.tv_sec as f64 + used.tv_nsec as f64 / 1e9))
}

fn list_games<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
    Ok(G::KIND.title().to_owned())
}

/// A process plays one game from its start to its end.
fn set_game<G: Playable>(_: &mut Engine<G>, args: &Args<'_>) -> Reply {
    if args.rest().eq_ignore_ascii_case(G::KIND.title()) {
        Ok(String::new())
    } else {
        Err(Fault::OtherGame(G::KIND.title()))
    }
}
