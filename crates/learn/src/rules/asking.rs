//! Questions that a solver is asked while rules are learned, by all threads: what comes of them does not depend on how
//! many there are.

use banyan_proofs::Effort;

use super::learned::LearnedRule;
use crate::crew::Crew;
use crate::meter::Meter;

/// Question that a solver is asked.
pub(super) trait Asked: Sync {
    /// Rule that a solver's proofs teach.
    type Rule: Clone + Sync;
    /// Rules as a search uses them.
    type Rules;
    /// Collector of proofs.
    type Lessons: Send;

    /// Its name.
    fn name(&self) -> &str;

    /// Has the solver look for an answer.
    fn search(&self, effort: Effort, rules: Option<&Self::Rules>, lessons: Option<&Self::Lessons>);

    /// A collector of proofs that took at least so many positions.
    fn lessons(work_min: u32) -> Self::Lessons;

    /// Takes note of what was collected after this.
    fn join(lessons: &Self::Lessons, later: Self::Lessons);

    /// Rules ready to be used.
    fn rules(rules: Vec<Self::Rule>) -> Self::Rules;

    /// Uses of each rule so far.
    fn hits(rules: &Self::Rules) -> Vec<u64>;
}

/// Parts of the questions for each thread: some, since not all take as long.
const PARTS_A_THREAD: usize = 8;

/// The questions in their order, in parts for threads.
fn parts<Q>(questions: &[Q], crew: Crew) -> Vec<&[Q]> {
    let count = PARTS_A_THREAD * crew.threads.get();
    questions.chunks(questions.len().div_ceil(count).max(1)).collect()
}

/// Lessons from searches of the questions; one without an answer teaches what was found on the way.
pub(super) fn taught<Q: Asked>(
    questions: &[Q],
    effort: Effort,
    work_min: u32,
    crew: Crew,
) -> Q::Lessons {
    let meter = Meter::new("questions asked", questions.len());
    let taught = crew.map(&parts(questions, crew), 0, &Meter::silent(), |part, _| {
        let lessons = Q::lessons(work_min);
        for question in *part {
            question.search(effort, None, Some(&lessons));
            meter.add(1);
        }
        lessons
    });
    let all = Q::lessons(work_min);
    taught.into_iter().for_each(|later| Q::join(&all, later));
    all
}

/// Searches the questions with the rules that they taught, to see how often each is used, and where first.
pub(super) fn count_hits<Q: Asked>(
    learned: &mut [LearnedRule<Q::Rule>],
    questions: &[Q],
    effort: Effort,
    crew: Crew,
) {
    let meter = Meter::new("questions asked with the rules", questions.len());
    let rules: Vec<Q::Rule> = learned.iter().map(|it| it.rule.clone()).collect();
    let counted = crew.map(&parts(questions, crew), 0, &Meter::silent(), |part, _| {
        let ready = Q::rules(rules.clone());
        let (mut hits, mut first) = (vec![0; rules.len()], vec![None; rules.len()]);
        for question in *part {
            question.search(effort, Some(&ready), None);
            for ((before, first), now) in hits.iter_mut().zip(&mut first).zip(Q::hits(&ready)) {
                if now > *before {
                    first.get_or_insert(question.name());
                }
                *before = now;
            }
            meter.add(1);
        }
        (hits, first)
    });
    learned.iter_mut().for_each(|learned| learned.hits = 0);
    for (hits, first) in counted {
        for ((learned, hits), first) in learned.iter_mut().zip(hits).zip(first) {
            learned.hits += hits;
            if let Some(name) = first.filter(|_| learned.from.is_empty()) {
                name.clone_into(&mut learned.from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A question by its number: it teaches that number, and uses rules that divide it.
    struct Number(u64, String);

    impl Asked for Number {
        type Rule = u64;
        type Rules = Vec<(u64, AtomicU64)>;
        type Lessons = RefCell<Vec<u64>>;

        fn name(&self) -> &str {
            &self.1
        }

        fn search(&self, _: Effort, rules: Option<&Self::Rules>, lessons: Option<&Self::Lessons>) {
            for (rule, used) in rules.into_iter().flatten() {
                used.fetch_add(self.0.is_multiple_of(*rule).into(), Ordering::Relaxed);
            }
            if let Some(lessons) = lessons {
                lessons.borrow_mut().push(self.0);
            }
        }

        fn lessons(_: u32) -> Self::Lessons {
            RefCell::default()
        }

        fn join(lessons: &Self::Lessons, later: Self::Lessons) {
            lessons.borrow_mut().extend(later.into_inner());
        }

        fn rules(rules: Vec<u64>) -> Self::Rules {
            rules.into_iter().map(|rule| (rule, AtomicU64::new(0))).collect()
        }

        fn hits(rules: &Self::Rules) -> Vec<u64> {
            rules.iter().map(|(_, used)| used.load(Ordering::Relaxed)).collect()
        }
    }

    const EFFORT: Effort = Effort { nodes_max: 1, table_bytes: 1 };

    const COUNT: u64 = 200;

    fn questions() -> Vec<Number> {
        (1..=COUNT).map(|number| Number(number, number.to_string())).collect()
    }

    #[test]
    fn lessons_of_all_threads_come_in_the_order_of_the_questions() {
        for threads in [1, 3, 300] {
            let lessons = taught(&questions(), EFFORT, 1, Crew::of(NonZeroUsize::new(threads)));
            assert_eq!(lessons.into_inner(), (1..=COUNT).collect::<Vec<_>>(), "{threads}");
        }
    }

    #[test]
    fn hits_and_where_the_first_was_are_the_same_on_any_number_of_threads() {
        for threads in [1, 3, 300] {
            let mut learned = [100, 7, 1_000, 1].map(|rule| LearnedRule {
                rule,
                proof: String::new(),
                completions: 0,
                hits: 77,
                from: String::new(),
            });
            count_hits(&mut learned, &questions(), EFFORT, Crew::of(NonZeroUsize::new(threads)));
            let found = learned.map(|it| (it.hits, it.from));
            let expected = [(2, "100"), (28, "7"), (0, ""), (200, "1")];
            assert_eq!(found, expected.map(|(hits, from)| (hits, from.to_owned())), "{threads}");
        }
    }
}
