//! A cluster drawn with letters.

use banyan_web::history::{NodePicture, Picture, SearchPicture};
use ratatui::Frame;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::bar;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Row, Sparkline, Table, TableState, Wrap};

/// Points of a node's graph: the last quarter of a minute.
const GRAPH: usize = 16;

/// A cluster, and what is done about it.
pub(super) struct View {
    picture: Picture,
    /// The node that is chosen, among those listed.
    chosen: usize,
    /// Action that waits to be confirmed: the node's number, its name, the action.
    question: Option<(String, String, &'static str)>,
    fault: Option<String>,
}

impl View {
    pub fn new(picture: Picture) -> View {
        View { picture, chosen: 0, question: None, fault: None }
    }

    pub fn see(&mut self, picture: Picture) {
        self.picture = picture;
        self.fault = None;
        self.go_on(0);
    }

    pub fn complain(&mut self, fault: String) {
        self.fault = Some(fault);
    }

    /// Goes on to another node, and does nothing to the one that was asked about.
    pub fn select(&mut self, by: isize) {
        self.forget_question();
        self.go_on(by);
    }

    fn go_on(&mut self, by: isize) {
        let last = self.picture.nodes.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    /// Asks whether the chosen node is to be drained or banned; nothing can be done about others.
    pub fn ask(&mut self, action: &'static str) {
        let node = self.picture.nodes.get(self.chosen);
        let node = node.filter(|node| node.is_present && !node.is_local);
        self.question = node.map(|node| (node.id.clone(), node.name.clone(), action));
    }

    pub fn forget_question(&mut self) {
        self.question = None;
    }

    /// The node's number and what is to be done, once it is confirmed.
    pub fn answer(&mut self) -> Option<(String, &'static str)> {
        self.question.take().map(|(id, _, action)| (id, action))
    }

    /// All of it as text, without colours.
    pub fn text(&mut self, columns: u16, rows: u16) -> String {
        let mut terminal = ratatui::Terminal::new(TestBackend::new(columns, rows)).expect("memory");
        terminal.draw(|frame| self.draw(frame)).expect("memory is drawn on");
        lines(terminal.backend().buffer())
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let nodes = self.picture.nodes.len() as u16 + 3;
        let areas = Layout::vertical([
            Constraint::Length(4),
            Constraint::Length(2),
            Constraint::Length(nodes.min(frame.area().height / 2)),
            Constraint::Min(3),
            Constraint::Length(1),
        ]);
        let [head, limit, nodes, below, foot] = areas.areas(frame.area());
        self.draw_head(frame, head);
        let words = match &self.picture.limit {
            Some(limit) if !self.picture.searches.is_empty() => format!("limit: {limit}"),
            _ => "nothing is searched now".to_owned(),
        };
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), limit);
        self.draw_nodes(frame, nodes);
        let [left, right] =
            Layout::horizontal([Constraint::Percentage(45), Constraint::Percentage(55)])
                .areas(below);
        self.draw_searches(frame, left);
        self.draw_events(frame, right);
        self.draw_foot(frame, foot);
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let Picture { rate, threads, search_busy, cluster_busy, totals, nodes, .. } = &self.picture;
        let mut present = nodes.iter().filter(|node| node.is_present).peekable();
        let is_judged = present.peek().is_some() && present.all(|node| node.is_judging);
        let unit = if is_judged { "evaluations" } else { "playouts" };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let line = Line::from(vec![
            Span::styled(format!("{} {unit}/s", short(*rate)), bold),
            Span::raw(format!(
                "  {threads} threads  {} playouts  search thread {:.0} %  cluster thread {:.0} %",
                short(totals.playouts as f64),
                100.0 * search_busy,
                100.0 * cluster_busy,
            )),
        ]);
        let [words, graph] =
            Layout::vertical([Constraint::Length(1), Constraint::Length(3)]).areas(area);
        frame.render_widget(Paragraph::new(line), words);
        let points: Vec<u64> = self.picture.graph.iter().map(|&rate| u64::from(rate)).collect();
        let points = &points[points.len().saturating_sub(graph.width.into())..];
        frame.render_widget(Sparkline::default().data(points).style(Color::Cyan), graph);
    }

    fn draw_nodes(&self, frame: &mut Frame<'_>, area: Rect) {
        let columns = columns(area.width);
        let head = Row::new(columns.iter().map(|column| column.head));
        let rows = self.picture.nodes.iter().map(|node| row(node, &columns));
        let widths = columns.iter().map(|column| match column.kind {
            Cell::Name => Constraint::Min(column.width),
            _ => Constraint::Length(column.width),
        });
        let table = Table::new(rows, widths)
            .header(head.style(Style::new().add_modifier(Modifier::DIM)))
            .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
            .block(Block::new().title("nodes"));
        let mut state = TableState::default().with_selected(Some(self.chosen));
        frame.render_stateful_widget(table, area, &mut state);
    }

    fn draw_searches(&self, frame: &mut Frame<'_>, area: Rect) {
        let mut lines: Vec<Line<'_>> = self
            .picture
            .searches
            .iter()
            .flat_map(|search| {
                let SearchPicture { session, purpose, game, .. } = search;
                let claim = format!(
                    "weight {}  {:.0} %  {} open",
                    search.weight,
                    100.0 * search.part,
                    short(search.open_playouts as f64)
                );
                [format!("session {session}  {purpose}  {game}"), claim].map(Line::from)
            })
            .collect();
        let totals = &self.picture.totals;
        lines.push(Line::from(format!(
            "leases {}, lost {}, lent again {}",
            short(totals.leases as f64),
            totals.lost,
            totals.again
        )));
        lines.push(Line::from(format!(
            "audits {}, of these not equal {}; put out for good {}",
            short(totals.audited as f64),
            totals.disputed,
            self.picture.liars
        )));
        let block = Block::new().title("searches");
        let wrap = Wrap { trim: true };
        frame.render_widget(Paragraph::new(lines).block(block).wrap(wrap), area);
    }

    fn draw_events(&self, frame: &mut Frame<'_>, area: Rect) {
        let lines: Vec<Line<'_>> = self
            .picture
            .events
            .iter()
            .map(|event| {
                let color = match event.kind.as_str() {
                    "join" => Color::Green,
                    "bad" => Color::Red,
                    _ => Color::Yellow,
                };
                let at = event.at;
                let clock = format!("{}:{:02}:{:02}  ", at / 3600, at / 60 % 60, at % 60);
                Line::from(vec![Span::raw(clock), Span::styled(event.text.as_str(), color)])
            })
            .collect();
        let block = Block::new().title("what happened");
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn draw_foot(&self, frame: &mut Frame<'_>, area: Rect) {
        let words = match (&self.fault, &self.question) {
            // What a key would do is to be seen, whatever else there is to say.
            (_, Some((_, name, action))) => Span::styled(
                format!("{action} {name}? y for yes, any other key for no"),
                Color::Yellow,
            ),
            (Some(fault), None) => Span::styled(fault.clone(), Color::Red),
            (None, None) => Span::styled(
                "q quit  ↑↓ choose a node  d drain it  b ban it",
                Style::new().add_modifier(Modifier::DIM),
            ),
        };
        frame.render_widget(Paragraph::new(words), area);
    }
}

/// What stands in a column of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Name,
    Threads,
    Rate,
    Graph,
    Capacity,
    Work,
    Busy,
    RoundTrip,
    InFlight,
    State,
}

/// A column of the nodes.
#[derive(Clone, Copy, Debug)]
struct Column {
    kind: Cell,
    head: &'static str,
    width: u16,
}

/// The columns for which there is room, a letter between two: graphs go first, then what is in flight.
fn columns(room: u16) -> Vec<Column> {
    let column = |kind, head, width| Column { kind, head, width };
    let mut columns = vec![
        column(Cell::Name, "node", 12),
        column(Cell::Threads, "threads", 7),
        column(Cell::Rate, "playouts/s", 10),
        column(Cell::Graph, "", GRAPH as u16),
        column(Cell::Capacity, "capacity", 8),
        column(Cell::Work, "work", 6),
        column(Cell::Busy, "busy", 6),
        column(Cell::RoundTrip, "rtt ms", 11),
        column(Cell::InFlight, "in flight", 11),
        column(Cell::State, "", 9),
    ];
    for last in [Cell::Graph, Cell::InFlight, Cell::Threads] {
        let taken = columns.iter().map(|column| column.width + 1).sum::<u16>();
        if taken > room + 1 {
            columns.retain(|column| column.kind != last);
        }
    }
    columns
}

fn row(node: &NodePicture, columns: &[Column]) -> Row<'static> {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let state = match () {
        () if node.quarantined.is_some() => "put out",
        () if !node.is_present => "gone",
        () if node.is_draining => "draining",
        () if !node.is_trusted => "probation",
        () if node.is_local => "local",
        () => "",
    };
    let [median, worst] = node.round_trip;
    let cell = |column: &Column| match column.kind {
        Cell::Name => node.name.clone(),
        Cell::Threads => node.threads.to_string(),
        Cell::Rate => short(node.rate),
        Cell::Graph => graph(&node.graph),
        Cell::Capacity => percent(node.capacity),
        Cell::Work => percent(node.share),
        Cell::Busy => percent(node.busy),
        Cell::RoundTrip if node.is_local => String::new(),
        Cell::RoundTrip => format!("{median:.1}/{worst:.1}"),
        Cell::InFlight => {
            format!("{} of {}", short(f64::from(node.in_flight)), short(f64::from(node.window)))
        }
        Cell::State => state.to_owned(),
    };
    let row = Row::new(columns.iter().map(cell));
    match state {
        "put out" => row.style(Color::Red),
        "gone" => row.style(Style::new().add_modifier(Modifier::DIM)),
        _ => row,
    }
}

/// The last points of a curve as bars of eighths.
fn graph(points: &[u32]) -> String {
    let set = [
        " ",
        bar::ONE_EIGHTH,
        bar::ONE_QUARTER,
        bar::THREE_EIGHTHS,
        bar::HALF,
        bar::FIVE_EIGHTHS,
        bar::THREE_QUARTERS,
        bar::SEVEN_EIGHTHS,
        bar::FULL,
    ];
    let points = &points[points.len().saturating_sub(GRAPH)..];
    let most = points.iter().copied().max().unwrap_or(0).max(1);
    points.iter().map(|&point| set[(8 * point as usize).div_ceil(most as usize)]).collect()
}

/// 1234567 is `1.23M`.
fn short(count: f64) -> String {
    for (unit, size) in [("G", 1e9), ("M", 1e6), ("k", 1e3)] {
        if count >= size {
            let digits = 2usize.saturating_sub((count / size).log10() as usize);
            return format!("{:.digits$}{unit}", count / size);
        }
    }
    format!("{count:.0}")
}

fn lines(buffer: &Buffer) -> String {
    let area = buffer.area;
    let line = |y| {
        let cells = (0..area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    let text: String = (0..area.height).map(line).collect();
    text.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(name: &str, is_present: bool) -> serde_json::Value {
        json!({
            "id": "4", "name": name, "threads": 8, "work": "plays out", "is_local": false,
            "is_present": is_present, "is_trusted": true, "is_draining": false, "quarantined": null,
            "rate": 45_600.0, "graph": [0, 10, 20], "playouts": 900, "in_flight": 60, "window": 64,
            "capacity": 0.25, "share": 0.24, "busy": 0.97, "round_trip": [0.31, 4.0],
        })
    }

    fn view() -> View {
        let picture = json!({
            "nodes": [node("elm", true), node("oak", false)],
            "searches": [{ "session": "7", "game": "go 9x9, komi 7.5", "purpose": "thinking", "weight": 1, "part": 1.0,
                "open_playouts": 1_500 }],
            "events": [{ "at": 3_671, "kind": "leave", "text": "oak is gone" }],
            "rate": 45_600.0, "graph": [1, 2, 3], "threads": 8,
            "limit": "the workers: they are busy 97 % of the time; more of them would add",
            "search_busy": 0.11, "cluster_busy": 0.05, "joined": 2, "refused": 0, "attached": 1, "liars": 0,
            "totals": { "playouts": 1_234_567, "leases": 900, "lost": 3, "again": 2, "dropped": 0,
                "audited": 4, "disputed": 0 },
        });
        View::new(serde_json::from_value(picture).expect("a picture"))
    }

    #[test]
    fn a_cluster_is_seen_at_a_glance() {
        let text = view().text(110, 24);
        for words in [
            "45.6k playouts/s  8 threads  1.23M playouts",
            "limit: the workers: they are busy 97 %",
            "elm",
            "25 %",
            "24 %",
            "97 %",
            "0.3/4.0",
            "60 of 64",
            "session 7  thinking  go 9x9, komi 7.5",
            "weight 1  100 %  1.50k open",
            "leases 900, lost 3, lent again 2",
            "1:01:11  oak is gone",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let oak = text.lines().find(|line| line.starts_with("oak")).expect("a row");
        assert!(oak.ends_with("gone"), "{oak}");
    }

    #[test]
    fn on_a_narrow_terminal_columns_are_left_out_and_none_is_cut() {
        let text = view().text(80, 24);
        for words in ["playouts/s capacity", "0.3/4.0", "out for good 0", "1.50k open"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let oak = text.lines().find(|line| line.starts_with("oak")).expect("a row");
        assert!(oak.ends_with("gone") && !text.contains("60 of 64"), "{text}");
    }

    #[test]
    fn where_all_nodes_judge_they_make_evaluations() {
        let mut view = view();
        view.picture.nodes.iter_mut().for_each(|node| node.is_judging = true);
        assert!(view.text(110, 24).contains("45.6k evaluations/s"));
    }

    #[test]
    fn where_nothing_is_searched_nothing_limits_it() {
        let mut view = view();
        view.picture.searches.clear();
        assert!(view.text(110, 24).contains("nothing is searched now"));
    }

    #[test]
    fn a_node_is_drained_only_when_that_is_confirmed_and_it_is_there() {
        let mut view = view();
        view.ask("drain");
        assert!(view.text(110, 24).contains("drain elm? y for yes"));
        view.forget_question();
        assert_eq!(view.answer(), None);
        view.ask("ban");
        assert_eq!(view.answer(), Some(("4".to_owned(), "ban")));
        view.select(1);
        view.ask("ban");
        assert_eq!(view.answer(), None, "oak is gone");
        view.select(9);
        view.select(-9);
        view.ask("ban");
        view.complain("cannot reach it".to_owned());
        assert!(view.text(110, 24).contains("ban elm? y for yes"), "a key is not pressed blindly");
        view.select(1);
        assert_eq!(view.answer(), None, "any other key is a no, arrows too");
        view.select(-1);
        view.complain("cannot reach it".to_owned());
        assert!(view.text(110, 24).contains("cannot reach it"));
    }

    #[test]
    fn a_small_terminal_shows_what_it_can() {
        for (columns, rows) in [(1, 1), (20, 5), (80, 3)] {
            view().text(columns, rows);
        }
    }
}
