//! Nodes and edges as rows: read, written, and refused where they cannot be.

use std::collections::HashMap;

use banyan_games::key::hash;
use banyan_games::{Color, Game, Move};
use rusqlite::{Connection, Row, params};

use crate::error::BookError;
use crate::file::BookFile;
use crate::graph::{Edge, Graph, Node, State};
use crate::schema::IMPORTED;

/// The columns of a node, in the order in which [`node_of`] reads them.
pub const NODE: &str = "id, hash, position, side, line, state, spare_move, spare_value, value, visits, games, \
                        points, wanted";

/// A node as it is stored, with its row's number; its edges are elsewhere.
///
/// # Errors
/// What cannot be so.
pub fn node_of<G: Game>(start: &G, row: &Row<'_>) -> rusqlite::Result<Result<(i64, Node), String>> {
    let (id, stored): (i64, i64) = (row.get(0)?, row.get(1)?);
    let key: Vec<u8> = row.get(2)?;
    let (side, state): (i64, i64) = (row.get(3)?, row.get(5)?);
    let text: String = row.get(4)?;
    let spare: (Option<u16>, Option<f64>) = (row.get(6)?, row.get(7)?);
    let value: f64 = row.get(8)?;
    let [visits, games, points, wanted] =
        [count(row, 9)?, count(row, 10)?, count(row, 11)?, count(row, 12)?];
    Ok((|| {
        if hash(&key) as i64 != stored {
            return Err(format!("position {id} and its hash differ"));
        }
        let line: Result<Vec<Move>, _> =
            text.split_whitespace().map(|word| start.parse_move(word)).collect();
        let is_value = |value: f64| (0.0..=1.0).contains(&value);
        let spare = spare.0.map(Move).zip(spare.1);
        if let Some((mv, _)) = spare.filter(|(mv, _)| !is_move(start, *mv)) {
            return Err(format!("position {id}: there is no move {}", mv.0));
        }
        if !is_value(value) || spare.is_some_and(|(_, value)| !is_value(value)) {
            return Err(format!("position {id} has the value {value}"));
        }
        Ok((
            id,
            Node {
                key,
                side: if side == 0 { Color::Black } else { Color::White },
                line: line.map_err(|wrong| format!("position {id}: {wrong}"))?,
                state: State::of(state)
                    .ok_or_else(|| format!("position {id} has state {state}"))?,
                spare,
                value,
                visits,
                games,
                points,
                wanted,
                edges: Vec::new(),
                parents: Vec::new(),
            },
        ))
    })())
}

/// A count of a row, which is not less than nothing.
pub fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let stored: i64 = row.get(column)?;
    stored.try_into().map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, stored))
}

/// All nodes and edges, by rows: node `n` of the graph is row `n + 1`.
pub fn load<G: Game>(file: &BookFile, start: &G) -> Result<Graph, BookError> {
    let mut graph = Graph::default();
    let (nodes, edges) = file.asking(|it| {
        // Between the two nobody may write.
        let _look = it.unchecked_transaction()?;
        let mut rows = it.prepare(&format!("SELECT {NODE} FROM nodes ORDER BY id"))?;
        let nodes = rows.query_map([], |row| node_of(start, row))?;
        let nodes: Vec<Result<(i64, Node), String>> = nodes.collect::<rusqlite::Result<_>>()?;
        let mut rows = it.prepare(
            "SELECT parent, child, move, visits, games, points FROM edges ORDER BY parent, move",
        )?;
        let edges = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, edge_of(row)?)))?;
        let edges: Vec<(i64, i64, Edge)> = edges.collect::<rusqlite::Result<_>>()?;
        if it.table_exists(None, "imported")? {
            let mut rows = it.prepare("SELECT game FROM imported")?;
            let games = rows.query_map([], |row| Ok(row.get::<_, i64>(0)? as u64))?;
            graph.imported = games.collect::<rusqlite::Result<_>>()?;
        }
        Ok((nodes, edges))
    })?;
    for (at, node) in nodes.into_iter().enumerate() {
        let (id, node) = node.map_err(|reason| file.damaged(reason))?;
        if id != at as i64 + 1 {
            return Err(file.damaged(format!("position {} is missing", at + 1)));
        }
        if graph.find(&node.key).is_some() {
            return Err(file.damaged(format!("position {id} is there twice")));
        }
        graph.push(node);
    }
    let place = |id: i64| usize::try_from(id - 1).ok();
    for (parent, child, edge) in edges {
        let there = |id: i64| place(id).filter(|&at| at < graph.nodes.len());
        let (Some(from), Some(to)) = (there(parent), there(child)) else {
            return Err(file.damaged(format!("a move leads from {parent} to {child}")));
        };
        if !is_move(start, edge.mv) {
            return Err(file.damaged(format!("position {parent}: there is no move {}", edge.mv.0)));
        }
        graph.nodes[from].edges.push(Edge { child: to, ..edge });
        graph.nodes[to].parents.push(from);
    }
    Ok(graph)
}

/// Tells whether a number is a point of the board; whether it is free is not asked.
fn is_move<G: Game>(start: &G, mv: Move) -> bool {
    mv.index().is_some_and(|at| at < start.size().area())
}

fn edge_of(row: &Row<'_>) -> rusqlite::Result<Edge> {
    let (visits, games, points) = (count(row, 3)?, count(row, 4)?, count(row, 5)?);
    Ok(Edge { mv: Move(row.get(2)?), child: 0, visits, games, points })
}

/// Writes all that changed, whole or not at all.
pub fn save<G: Game>(file: &BookFile, start: &G, graph: &mut Graph) -> Result<(), BookError> {
    file.asking(|it| {
        // Dropped without a commit, it takes everything back.
        let change =
            rusqlite::Transaction::new_unchecked(it, rusqlite::TransactionBehavior::Immediate)?;
        for &id in &graph.changed {
            save_node(&change, start, id, &graph.nodes[id])?;
        }
        let by_parent = by_parent(graph);
        for (parent, moves) in by_parent {
            for edge in &graph.nodes[parent].edges {
                if moves.contains(&edge.mv) {
                    save_edge(&change, start, parent, edge)?;
                }
            }
        }
        if !graph.changed_imported.is_empty() {
            change.execute_batch(IMPORTED)?;
            let mut row = change.prepare("INSERT OR IGNORE INTO imported VALUES (?)")?;
            for &game in &graph.changed_imported {
                row.execute([game as i64])?;
            }
        }
        change.commit()
    })?;
    graph.changed_imported.clear();
    graph.changed.clear();
    graph.changed_edges.clear();
    Ok(())
}

fn by_parent(graph: &Graph) -> HashMap<usize, Vec<Move>> {
    let mut moves: HashMap<usize, Vec<Move>> = HashMap::new();
    for &(parent, mv) in &graph.changed_edges {
        moves.entry(parent).or_default().push(mv);
    }
    moves
}

fn save_node<G: Game>(
    change: &Connection,
    start: &G,
    id: usize,
    node: &Node,
) -> rusqlite::Result<()> {
    let line: Vec<String> = node.line.iter().map(|&mv| start.move_text(mv)).collect();
    let mut row = change.prepare_cached(
        "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, spare_move = excluded.spare_move,
            spare_value = excluded.spare_value, value = excluded.value, visits = excluded.visits,
            games = excluded.games, points = excluded.points, wanted = excluded.wanted",
    )?;
    row.execute(params![
        id as i64 + 1,
        hash(&node.key) as i64,
        node.key,
        node.side as i64,
        node.line.len() as i64,
        line.join(" "),
        node.state as i64,
        node.spare.map(|(mv, _)| mv.0),
        node.spare.map(|(_, value)| value),
        node.value,
        node.visits as i64,
        node.games as i64,
        node.points as i64,
        node.wanted as i64,
    ])?;
    Ok(())
}

fn save_edge<G: Game>(
    change: &Connection,
    start: &G,
    parent: usize,
    edge: &Edge,
) -> rusqlite::Result<()> {
    let mut row = change.prepare_cached(
        "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (parent, move) DO UPDATE SET visits = excluded.visits, games = excluded.games,
            points = excluded.points",
    )?;
    row.execute(params![
        parent as i64 + 1,
        edge.mv.0,
        start.move_text(edge.mv),
        edge.child as i64 + 1,
        edge.visits as i64,
        edge.games as i64,
        edge.points as i64,
    ])?;
    Ok(())
}
