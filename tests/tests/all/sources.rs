//! Tests that `docs/sources.md` is true of the repository: every source has rows, every row names code or says
//! that there is none.

use std::path::Path;

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
