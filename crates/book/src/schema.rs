//! The tables of a book, and the source's two as views.
//!
//! # Source
//! S10: one table of Black's moves and one of White's, to the 6th move and beyond.

/// Marks a database as a book: "BNYB".
pub const APPLICATION: i64 = 0x424e_5942;

/// The format of the tables. A program refuses a later one.
pub const FORMAT: i64 = 1;

/// The table of games that were imported, by hashes, which books of the first programs lack.
pub const IMPORTED: &str = "CREATE TABLE IF NOT EXISTS imported (game INTEGER PRIMARY KEY)";

/// Contents of a new book.
///
/// Values are of the side to move in their row's position, 0 to 1. Points are counted twice: 2 a win, 1 a draw.
pub const TABLES: &str = "
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,
    position BLOB NOT NULL,
    side INTEGER NOT NULL CHECK (side IN (0, 1)),
    ply INTEGER NOT NULL,
    line TEXT NOT NULL,
    state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    spare_move INTEGER,
    spare_value REAL,
    value REAL NOT NULL CHECK (value BETWEEN 0 AND 1),
    visits INTEGER NOT NULL,
    games INTEGER NOT NULL,
    points INTEGER NOT NULL,
    wanted INTEGER NOT NULL
);
CREATE INDEX nodes_by_hash ON nodes (hash);

CREATE TABLE edges (
    parent INTEGER NOT NULL REFERENCES nodes,
    move INTEGER NOT NULL,
    text TEXT NOT NULL,
    child INTEGER NOT NULL REFERENCES nodes,
    visits INTEGER NOT NULL,
    games INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (parent, move)
) WITHOUT ROWID;

CREATE VIEW moves AS
SELECT parents.side AS side, parents.ply AS ply, parents.line AS position, edges.text AS move,
    CASE WHEN children.side = parents.side THEN children.value ELSE 1 - children.value END AS value,
    edges.visits AS visits, edges.games AS games
FROM edges
JOIN nodes AS parents ON parents.id = edges.parent
JOIN nodes AS children ON children.id = edges.child;

CREATE VIEW black AS SELECT ply, position, move, value, visits, games FROM moves WHERE side = 0;
CREATE VIEW white AS SELECT ply, position, move, value, visits, games FROM moves WHERE side = 1;
";
