//! Tests that `docs/sources.md` is true of the repository: every source has rows, every row names code that is
//! there, and nothing that a source names is missing.

use std::path::Path;

use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_knowledge::Knowledge;

const PAGE: &str = include_str!("../../../docs/sources.md");

/// The cells of the table's rows.
fn rows() -> Vec<Vec<&'static str>> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| S"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn every_source_has_its_methods_in_the_table() {
    let rows = rows();
    assert!(rows.iter().all(|row| row.len() == 4), "four cells a row");
    for number in 1..=10 {
        let source = format!("S{number}");
        assert!(rows.iter().any(|row| row[0] == source), "{source} is in no row");
    }
}

#[test]
fn every_method_names_code_that_is_there_or_says_that_it_is_not_built() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for row in rows() {
        let paths: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
        assert!(paths.is_empty() == row[2].starts_with("not built"), "{}: {}", row[1], row[2]);
        for path in paths {
            assert!(root.join(path).exists(), "{}: there is no {path}", row[1]);
        }
    }
}

/// Methods that the sources name, by words that the table must have; none of them may be "not built".
const NAMED: &[(&str, &[&str])] = &[
    ("S1", &["Monte Carlo evaluation", "UCT", "highest mean"]),
    ("S2", &["work by capacity"]),
    ("S3", &["likely replies only"]),
    ("S4", &["static analysis and local reading", "playouts with knowledge", "solvers in front"]),
    ("S5", &["AND/OR search"]),
    ("S6", &["SLD resolution", "regression", "covering", "AND node", "IGE = LTE ∪ PTE"]),
    (
        "S7",
        &[
            "minimax, alpha-beta",
            "MTD(f)",
            "transposition table",
            "history table, killers",
            "iterative deepening",
            "node budget instead of depth; fixed depth",
            "backtracking with undo",
            "best first",
            "A*",
            "AO*",
            "beam search",
            "hill climbing",
            "breadth first",
            "dynamic programming",
            "fuzzy decision",
        ],
    ),
    (
        "S8",
        &[
            "3·a1 + 7·a2",
            "stable discs, parity, mobility",
            "exact at the end",
            "passes",
            "regions that the opponent cannot enter",
            "match points 1, ½, 0; disc difference",
        ],
    ),
    ("S9", &["any size", "the matrix", "lossy cut", "threat sequences", "opening rules"]),
    ("S10", &["14 shapes", "adaptive step", "opening book", "own good games", "TD(λ)"]),
];

#[test]
fn no_method_that_a_source_names_is_missing_from_the_table() {
    let rows = rows();
    for (source, methods) in NAMED {
        for method in *methods {
            let row = rows.iter().find(|row| row[0].contains(source) && row[1].contains(method));
            let row = row.unwrap_or_else(|| panic!("{source}: {method} is in no row"));
            assert!(!row[2].starts_with("not built"), "{source}: {method}");
        }
    }
}

/// The evaluations that the table names are those of their games.
#[test]
fn evaluations_that_the_table_names_are_there() {
    let names = Othello::evaluations().iter().map(|it| it.name().to_owned());
    let names = names.chain(Gomoku::evaluations().iter().map(|it| it.name().to_owned()));
    let names = names.chain(Connect6::evaluations().iter().map(|it| it.name().to_owned()));
    let names: Vec<String> =
        names.chain(Hex::evaluations().iter().map(|it| it.name().to_owned())).collect();
    let mut told = 0;
    for row in rows().iter().filter(|row| row[3].contains("the evaluation")) {
        let words = row[3].split('`').skip(1).step_by(2);
        for name in words.filter(|word| !word.starts_with("--") && !word.contains(' ')) {
            assert!(
                names.iter().any(|it| it == name),
                "{}: there is no evaluation '{name}'",
                row[1]
            );
            told += 1;
        }
    }
    assert!(told > 6, "{told}");
}
