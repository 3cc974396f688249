//! Rules judged by the solver, on random completions of what they do not care about.

use std::io::Write;

use banyan_games::Rng;

use super::options::Checked;
use crate::crew::{self, Crew};

/// Verdicts of the solver on completions of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Completions on which it found the same, count.
    pub agreed: u32,
    /// Completions on which it found the contrary, count.
    pub contradicted: u32,
    /// Completions on which it gave up, count.
    pub open: u32,
}

/// Judges a file's rules: `judge` asks the solver about one of them on so many completions.
///
/// # Errors
/// In words: rules that are wrong.
pub fn check<R>(
    rules: &[R],
    checked: &Checked,
    judge: impl Fn(&R, u32, &mut Rng) -> Judged + Sync,
    out: &mut impl Write,
) -> anyhow::Result<()>
where
    R: Sync,
{
    let (mut wrong, mut agreed, mut open) = (0, 0u64, 0u64);
    let asked = &rules[..checked.rules.map_or(rules.len(), |most| most.min(rules.len()))];
    let bar = crew::bar("rules", asked.len());
    let judge = |rule: &R, rng: &mut Rng| judge(rule, checked.completions, rng);
    let all = Crew::of(checked.threads).map(asked, checked.seed, &bar, judge);
    bar.finish_and_clear();
    for (number, found) in all.into_iter().enumerate() {
        agreed += u64::from(found.agreed);
        open += u64::from(found.open);
        if found.contradicted > 0 {
            wrong += 1;
            writeln!(out, "rule {} is wrong on {} completions", number + 1, found.contradicted)?;
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
