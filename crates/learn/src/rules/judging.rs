//! Rules judged by the solver, on random completions of what they do not care about.

use std::io::Write;

use banyan_games::Rules;
use banyan_rules::Written;

use super::learned::LearnedRule;
use super::options::Checked;
use super::provers::{Demand, Provers, try_rules};
use crate::meter::Meter;

/// Judges a file's rules by the solver, on so many completions of each.
///
/// - `rules`: of the game.
///
/// # Errors
/// In words: rules that are wrong.
pub(super) fn check<R: Written>(
    learned: &[LearnedRule<R>],
    rules: &Rules,
    checked: &Checked,
    provers: &dyn Provers,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let asked = &learned[..checked.rules.map_or(learned.len(), |most| most.min(learned.len()))];
    let texts = asked.iter().map(|it| it.rule.text()).collect::<Result<Vec<_>, _>>()?;
    let Checked { completions, seed, .. } = *checked;
    let demand = Demand { rules, alone: false, completions, drops_wrong: false, seed };
    let meter = Meter::new("trials", texts.len() * demand.trials() as usize);
    let tried = try_rules(&texts, demand, provers, &meter)?;
    drop(meter);
    let (mut wrong, mut agreed, mut open) = (0, 0u64, 0u64);
    for (number, found) in (1..).zip(tried.iter().map(|it| it.judged)) {
        agreed += u64::from(found.agreed);
        open += u64::from(found.open);
        if found.contradicted > 0 {
            wrong += 1;
            writeln!(out, "rule {number} is wrong on {} completions", found.contradicted)?;
        }
    }
    let count = asked.len();
    writeln!(
        out,
        "{count} rules, {agreed} completions agree, {open} given up, {wrong} rules wrong"
    )?;
    anyhow::ensure!(wrong == 0, "{wrong} rules are wrong");
    Ok(())
}
