//! The text of a table of weights.

use std::io::Write;

use banyan_games::go::Trait;

/// Writes lines of a table: factors first, then surroundings, the heaviest first.
pub(super) fn write(
    lines: impl Iterator<Item = (Trait, f64)>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let is_factor = |of: Trait| of.class() > 0;
    let mut lines: Vec<(Trait, f64)> = lines.collect();
    lines.sort_by(|a, b| is_factor(b.0).cmp(&is_factor(a.0)).then(b.1.total_cmp(&a.1)));
    for (of, weight) in lines {
        writeln!(out, "{of} {weight:.3}")?;
    }
    Ok(())
}
