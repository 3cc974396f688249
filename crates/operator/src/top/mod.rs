//! `banyan top`: the page of a cluster in a terminal.
//!
//! Reading order: `source` (the page's values, over HTTP), `view` (what is drawn of them), then here the
//! keys and the clock.

mod source;

mod view;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use banyan_worker::Token;
use banyan_worker::typed::duration;
use clap::Args;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind};

use source::Source;
use view::View;

/// Options of `banyan top`.
#[derive(Clone, Debug, Args)]
pub struct TopArgs {
    /// The pages of a coordinator: where its --http listens.
    #[arg(long = "at", env = "BANYAN_PAGES", value_name = "HOST:PORT")]
    #[arg(default_value = "127.0.0.1:8080")]
    pub at: String,
    /// The file with the token, where the pages ask for one; without it the variable BANYAN_TOKEN is looked
    /// at.
    #[arg(long, env = "BANYAN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Look so often.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "500ms")]
    pub every: Duration,
    /// Write what there is to see once, and end.
    #[arg(long)]
    pub once: bool,
}

/// Columns of what is written once.
const COLUMNS: u16 = 110;
/// Rows of the same.
const ROWS: u16 = 32;

/// Shows the cluster until `q` is pressed.
///
/// # Errors
/// Says what keeps the pages from being read, or the terminal from being drawn on.
pub fn run(args: &TopArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let source = Source::new(&args.at, Token::find(args.token_file.as_deref())?)?;
    // Before the terminal is taken: what is wrong is said as every command says it.
    let mut view = View::new(source.read()?);
    if args.once {
        return Ok(out.write_all(view.text(COLUMNS, ROWS).as_bytes())?);
    }
    let mut terminal = ratatui::try_init().context("cannot draw on this terminal: try --once")?;
    let ended = watch(&source, &mut view, args.every, &mut terminal);
    ratatui::restore();
    ended
}

fn watch(
    source: &Source,
    view: &mut View,
    every: Duration,
    terminal: &mut ratatui::DefaultTerminal,
) -> anyhow::Result<()> {
    loop {
        terminal.draw(|frame| view.draw(frame))?;
        if event::poll(every)?
            && let Event::Key(key) = event::read()?
            && key.kind == KeyEventKind::Press
        {
            match key.code {
                KeyCode::Char('q') | KeyCode::Esc => return Ok(()),
                KeyCode::Down | KeyCode::Char('j') => view.select(1),
                KeyCode::Up | KeyCode::Char('k') => view.select(-1),
                // Neither can be taken back: first it is asked.
                KeyCode::Char('d') => view.ask("drain"),
                KeyCode::Char('b') => view.ask("ban"),
                KeyCode::Char('y') => confirm(source, view),
                _ => view.forget_question(),
            }
            continue;
        }
        match source.read() {
            Ok(picture) => view.see(picture),
            Err(error) => view.complain(format!("{error:#}; trying again")),
        }
    }
}

/// Does what was asked about.
fn confirm(source: &Source, view: &mut View) {
    let Some((id, action)) = view.answer() else { return };
    if let Err(error) = source.order(&id, action) {
        view.complain(format!("{error:#}"));
    }
}
