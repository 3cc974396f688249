//! The short attacks of `cargo xtask attack`: none gets through.

use banyan_tests::attack::{ATTACKS, Row, be_patient};

#[test]
fn no_short_attack_gets_through() {
    // Who is kept out by a crowd is kept out for longer than this.
    be_patient(5);
    let rows: Vec<Row> =
        ATTACKS.iter().filter(|attack| attack.is_short).map(|attack| attack.run()).collect();
    let through: Vec<String> =
        rows.iter().filter(|row| row.is_through()).map(ToString::to_string).collect();
    assert!(through.is_empty(), "{through:#?}");
    assert!(rows.len() > 10);
}

#[test]
fn every_attack_has_a_name_of_its_own_and_stands_in_the_docs() {
    let docs = include_str!("../../../docs/trust.md");
    for (at, attack) in ATTACKS.iter().enumerate() {
        assert!(ATTACKS[..at].iter().all(|other| other.name != attack.name), "{}", attack.name);
        assert!(docs.contains(&format!("| `{}`: ", attack.name)), "{}", attack.name);
    }
}
