//! Provers of rules: threads of this process, or the workers of a cluster.

use anyhow::bail;
use banyan_games::rng::mix;
use banyan_games::{Kind, Rules};
use banyan_rules::{Alone, Judged, TEXT_MAX, Trial, Tried, Written};

use super::learned::LearnedRule;
use crate::crew::Crew;
use crate::meter::Meter;

/// Tries rules; what comes of a trial does not depend on who makes it.
pub trait Provers: Sync {
    /// Results of trials, in their order.
    ///
    /// - `rules`: of the game.
    /// - `done`: told of each that was made.
    ///
    /// # Errors
    /// What keeps them from being made, in words.
    fn results(
        &self,
        rules: &Rules,
        trials: &[Trial],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Tried>>;

    /// Threads of this process, for what is not worth sending.
    fn crew(&self) -> Crew;

    /// Tells who tried rules so far, in words; nothing where it is this process alone.
    fn told(&self) -> Option<String> {
        None
    }
}

/// Calls those who try rules of a game, by options that say who they are; or says what keeps them from coming, in words.
pub type Call<'a, H> = &'a dyn Fn(&H, Kind) -> anyhow::Result<Box<dyn Provers>>;

impl Provers for Crew {
    fn results(
        &self,
        rules: &Rules,
        trials: &[Trial],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Tried>> {
        let made = self.map(trials, 0, &Meter::silent(), |trial, _| {
            let result = trial.run(rules);
            done();
            result
        });
        made.into_iter().collect()
    }

    fn crew(&self) -> Crew {
        *self
    }
}

/// Completions of one trial: some tenths of a second of a thread.
pub const COMPLETIONS_PER_TRIAL: u32 = 100;

/// Demands on the trials of some rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand<'a> {
    /// Of the game.
    pub rules: &'a Rules,
    /// Prove each with nothing around it first, and drop those that cannot be.
    pub alone: bool,
    /// Completions of each, count.
    pub completions: u32,
    /// Try what was contradicted in its first trial no further.
    pub drops_wrong: bool,
    /// Seed of what is drawn.
    pub seed: u64,
}

impl Demand<'_> {
    /// Trials that it takes for a rule, count.
    pub fn trials(&self) -> u64 {
        u64::from(self.completions.div_ceil(COMPLETIONS_PER_TRIAL).max(1))
    }
}

/// Tries rules, each as text, on as many completions as are wanted, by as many trials as that takes.
///
/// - `meter`: where trials that are done, or need not be made any more, are counted.
///
/// # Errors
/// What keeps trials from being made, in words.
pub(super) fn try_rules(
    texts: &[String],
    demand: Demand<'_>,
    provers: &dyn Provers,
    meter: &Meter,
) -> anyhow::Result<Vec<Tried>> {
    let Demand { rules, alone, completions, drops_wrong, seed } = demand;
    if let Some(at) = texts.iter().position(|text| text.len() > TEXT_MAX) {
        bail!("rule {} is a text of {} bytes, at most {TEXT_MAX}", at + 1, texts[at].len());
    }
    let first = completions.min(COMPLETIONS_PER_TRIAL);
    let seed_of = |at: usize| mix(seed ^ mix(at as u64));
    let trial = |(at, rule): (usize, &String)| Trial {
        rule: rule.clone(),
        alone,
        completions: first,
        seed: seed_of(at),
    };
    let trials: Vec<Trial> = texts.iter().enumerate().map(trial).collect();
    let mut tried = provers.results(rules, &trials, &|| meter.add(1))?;
    let more = (0..tried.len()).flat_map(|at| {
        let is_wrong = drops_wrong && tried[at].judged.contradicted > 0;
        let parts = if is_wrong || is_dropped(&tried[at]) { 0 } else { demand.trials() - 1 };
        meter.add((demand.trials() - 1 - parts) as usize);
        (1..=parts).map(move |part| (at, part))
    });
    let more: Vec<(usize, u64)> = more.collect();
    let part = |&(at, part): &(usize, u64)| Trial {
        rule: texts[at].clone(),
        alone: false,
        completions: COMPLETIONS_PER_TRIAL.min(completions - part as u32 * COMPLETIONS_PER_TRIAL),
        seed: mix(seed_of(at) ^ part),
    };
    let trials: Vec<Trial> = more.iter().map(part).collect();
    let parts = provers.results(rules, &trials, &|| meter.add(1))?;
    for ((at, _), part) in more.into_iter().zip(parts) {
        tried[at].judged += part.judged;
    }
    Ok(tried)
}

/// Completions of the trials that rules pass while they are learned: what is wrong for the most part fails at once.
const FIRST_COMPLETIONS: u32 = 20;

/// Completions of the first trials, where so many are wanted in the end.
pub(super) fn first_completions(wanted: u32) -> u32 {
    wanted.min(FIRST_COMPLETIONS)
}

/// Rules that were not believed in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Disbelieved {
    /// Those that the solver contradicted on a completion.
    pub contradicted: usize,
    /// Those that could hardly be tried.
    pub untried: usize,
}

/// Tries rules that passed their first trials on as many completions as are wanted in the end, and leaves out those that
/// are not believed; a rule says afterwards on how many completions it was proven.
///
/// # Errors
/// What keeps trials from being made, in words.
pub(super) fn keep_believed<R: Written>(
    learned: &mut Vec<LearnedRule<R>>,
    demand: Demand<'_>,
    provers: &dyn Provers,
) -> anyhow::Result<Disbelieved> {
    let mut left_out = Disbelieved::default();
    if demand.completions <= FIRST_COMPLETIONS {
        return Ok(left_out);
    }
    let texts = learned.iter().map(|it| it.rule.text()).collect::<Result<Vec<_>, _>>()?;
    let meter = Meter::new("last trials", texts.len() * demand.trials() as usize);
    let tried = try_rules(&texts, demand, provers, &meter)?;
    drop(meter);
    let mut found = tried.iter().map(|it| it.judged);
    learned.retain_mut(|learned| {
        let judged = found.next().unwrap_or_default();
        let is_right = judged.contradicted == 0;
        let is_believed = is_right && is_tried(judged, demand.completions);
        left_out.contradicted += usize::from(!is_right);
        left_out.untried += usize::from(is_right && !is_believed);
        learned.completions = judged.agreed;
        is_believed
    });
    Ok(left_out)
}

/// Tells whether a rule that was to be proven alone was not.
fn is_dropped(tried: &Tried) -> bool {
    matches!(tried.alone, Alone::Unproven | Alone::Contradicted)
}

/// Tells whether a rule was tried on as many completions as make it believed: half of those that were wanted.
pub(super) fn is_tried(judged: Judged, completions: u32) -> bool {
    2 * u64::from(judged.agreed) >= u64::from(completions)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use banyan_games::Terms;

    use super::*;

    /// A rule that is its name.
    #[derive(Clone, Debug, PartialEq)]
    struct Named(String);

    impl Written for Named {
        type Line = String;

        fn line(&self) -> String {
            self.0.clone()
        }

        fn of_line(line: String) -> anyhow::Result<Named> {
            Ok(Named(line))
        }
    }

    /// Contradicts rules named wrong once, gives open ones up, agrees with the others; counts completions.
    #[derive(Default)]
    struct ByName(Mutex<Vec<(String, u32)>>);

    impl Provers for ByName {
        fn results(
            &self,
            _: &Rules,
            trials: &[Trial],
            _: &(dyn Fn() + Sync),
        ) -> anyhow::Result<Vec<Tried>> {
            let result = |trial: &Trial| {
                let count = trial.completions;
                let name: String = serde_json::from_str(&trial.rule)?;
                let judged = match name.as_str() {
                    "wrong" => Judged { agreed: count - 1, contradicted: 1, open: 0 },
                    "open" => Judged { open: count, ..Judged::default() },
                    _ => Judged { agreed: count, ..Judged::default() },
                };
                self.0.lock().expect("one thread").push((name, count));
                Ok(Tried { alone: Alone::Unasked, judged })
            };
            trials.iter().map(result).collect()
        }

        fn crew(&self) -> Crew {
            Crew::of(None)
        }
    }

    fn learned(name: &str) -> LearnedRule<Named> {
        let (proof, from) = (String::new(), String::new());
        LearnedRule { rule: Named(name.to_owned()), proof, completions: 20, hits: 3, from }
    }

    #[test]
    fn what_is_wrong_or_can_hardly_be_tried_is_not_believed_in_the_end() {
        let rules = Rules::new(Kind::Connect6, Terms::of(Kind::Connect6)).expect("its usual ones");
        let demand = |completions| Demand {
            rules: &rules,
            alone: false,
            completions,
            drops_wrong: true,
            seed: 1,
        };
        let begun = ["right", "wrong", "open", "true"].map(learned);
        let (mut kept, provers) = (begun.to_vec(), ByName::default());
        let left_out = keep_believed(&mut kept, demand(1000), &provers).expect("trials");
        assert_eq!(left_out, Disbelieved { contradicted: 1, untried: 1 });
        assert_eq!(kept.len(), 2);
        assert_eq!([&kept[0].rule.0, &kept[1].rule.0], ["right", "true"]);
        assert!(kept.iter().all(|it| it.completions == 1000), "{kept:?}");
        let tried = provers.0.lock().expect("one thread");
        let completions = |wanted: &str| -> u32 {
            tried.iter().filter(|(name, _)| name == wanted).map(|(_, count)| count).sum()
        };
        assert_eq!([completions("right"), completions("wrong")], [1000, 100]);

        let (mut few, untried) = (begun.to_vec(), ByName::default());
        let left_out = keep_believed(&mut few, demand(20), &untried).expect("no trials");
        assert_eq!(
            (left_out, few.len()),
            (Disbelieved::default(), 4),
            "the first trials were these"
        );
        assert!(untried.0.lock().expect("one thread").is_empty());
    }
}
