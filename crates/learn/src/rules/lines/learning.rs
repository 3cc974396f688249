//! From proofs to rules: what a win by threats rests on, proven anew with anything around it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use banyan_games::line::{Position, Windows};
use banyan_games::rng::mix;
use banyan_games::{Color, Game as _, Rng};
use banyan_proofs::Effort;
use banyan_proofs::threats::explain::{Explainer, Explanation, Unexplained};
use banyan_proofs::threats::lessons::{Example, Learned, Lessons};
use banyan_proofs::threats::rules::{Rule, Rules};
use banyan_rules::Written as _;
use banyan_rules::proof_text::{place_name, proof_text};

use super::questions::{Question, Taught};
use crate::meter::Meter;
use crate::rules::asking::{self, Asked};
use crate::rules::learned::{self, LearnedRule};
use crate::rules::options::Settings;
use crate::rules::provers::{
    Demand, Disbelieved, Provers, first_completions, is_tried, keep_believed, try_rules,
};

impl learned::Rule for Rule {
    fn work(&self) -> u32 {
        self.work
    }
}

/// Outcome of the proofs.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Positions that were won in the questions, count.
    pub won: usize,
    /// Those of them that a rule explained already, when their turn came.
    pub known: usize,
    /// Those that have no rule, in the order of [`banyan_proofs::threats::explain::Unexplained`].
    pub unexplained: [usize; 3],
    /// Rules that the solver contradicted on a completion.
    pub contradicted: usize,
    /// Rules that could hardly be tried.
    pub untried: usize,
    /// Rules that were met too seldom, or saved less than others.
    pub idle: usize,
    /// The rules.
    pub rules: Vec<LearnedRule<Rule>>,
}

/// Examples that are looked at before those rules are used that they taught.
const CHUNK: usize = 100;

/// Learns rules of a game, on boards of these rules, from questions.
///
/// # Errors
/// What keeps provers from trying them, in words.
pub fn learn<R: Taught>(
    questions: &[Question<R>],
    rules: &R,
    (settings, seed): (&Settings, u64),
    provers: &dyn Provers,
) -> anyhow::Result<Course> {
    let crew = provers.crew();
    let lessons = asking::taught(questions, settings.effort, settings.work_min, crew);
    let examples = lessons.into_examples();
    let mut course = Course { won: examples.len(), ..Course::default() };
    let (explainer, mut seen) = (Explainer::<R>::new(), BTreeSet::new());
    let (rules, completions) = (rules.clone().into(), first_completions(settings.completions));
    let meter = Meter::new("wins explained", examples.len());
    for (number, chunk) in examples.chunks(CHUNK).enumerate() {
        let known = compiled(&course.rules);
        let explain = |example: &Example, _: &mut Rng| explained(example, &known, &explainer);
        let explained = crew.map(chunk, seed, &meter, explain);
        let fresh: Vec<_> = explained
            .into_iter()
            .filter_map(|explained| match explained {
                Explained::Known => {
                    course.known += 1;
                    None
                }
                Explained::Not(why) => {
                    course.unexplained[why as usize] += 1;
                    None
                }
                Explained::By(rule, proof) => {
                    let is_new = rule.work >= settings.work_min && seen.insert(rule.cells.clone());
                    course.known += usize::from(!is_new);
                    is_new.then_some((*rule, proof))
                }
            })
            .collect();
        let seed = seed ^ mix(number as u64);
        let texts = fresh.iter().map(|(rule, _)| rule.text()).collect::<Result<Vec<_>, _>>()?;
        let demand = Demand { rules: &rules, alone: false, completions, drops_wrong: true, seed };
        let tried = try_rules(&texts, demand, provers, &Meter::silent())?;
        for ((rule, proof), found) in fresh.into_iter().zip(tried.iter().map(|it| it.judged)) {
            if found.contradicted > 0 {
                course.contradicted += 1;
            } else if !is_tried(found, completions) {
                course.untried += 1;
            } else {
                let (completions, from) = (found.agreed, String::new());
                course.rules.push(LearnedRule { rule, proof, completions, hits: 0, from });
            }
        }
    }
    drop(meter);
    asking::count_hits(&mut course.rules, questions, settings.effort, crew);
    let before = course.rules.len();
    course.rules.retain(|learned| learned.hits >= settings.hits_min);
    keep_most_useful(&mut course.rules, settings.rules_max);
    course.idle = before - course.rules.len();
    let demand = Demand {
        rules: &rules,
        alone: false,
        completions: settings.completions,
        drops_wrong: true,
        seed: mix(seed),
    };
    let disbelieved = keep_believed(&mut course.rules, demand, provers)?;
    course.contradicted += disbelieved.contradicted;
    course.untried += disbelieved.untried;
    if disbelieved != Disbelieved::default() {
        // Others may be met where these were.
        asking::count_hits(&mut course.rules, questions, settings.effort, crew);
    }
    Ok(course)
}

/// Keeps so many rules, those that saved most, in their order.
fn keep_most_useful(rules: &mut Vec<LearnedRule<Rule>>, count: usize) {
    let mut kept: Vec<usize> = (0..rules.len()).collect();
    kept.sort_by_key(|&at| Reverse(rules[at].saved()));
    kept.truncate(count);
    kept.sort_unstable();
    *rules = kept.into_iter().map(|at| rules[at].clone()).collect();
}

/// Rules as a search uses them.
pub fn compiled(rules: &[LearnedRule<Rule>]) -> Rules {
    Rules::new(rules.iter().map(|learned| learned.rule.clone()).collect())
}

/// An example, looked at.
enum Explained {
    /// A rule explains it already.
    Known,
    /// It has no rule.
    Not(Unexplained),
    /// A rule, with its proof as text.
    By(Box<Rule>, String),
}

fn explained<R: Taught>(example: &Example, known: &Rules, explainer: &Explainer<R>) -> Explained {
    if is_known::<R>(example, known) {
        return Explained::Known;
    }
    match explainer.rule(example) {
        Err(why) => Explained::Not(why),
        Ok(Explanation { rule, proof }) => {
            let proof = proof_text(&proof, &|mv| {
                let (row, column) = explainer.place(mv);
                place_name(row.into(), column.into())
            });
            Explained::By(Box::new(rule), proof)
        }
    }
}

/// Tells whether a rule says already who wins.
fn is_known<R: Taught>(example: &Example, known: &Rules) -> bool {
    let Ok(rules) = R::on(example.size) else { return false };
    let stones = Color::BOTH.into_iter().flat_map(|color| example.points(color));
    let stones: Vec<_> = stones.collect();
    let mut position = Position::<R>::new(&rules);
    position.set_up(&stones, example.attacker).is_ok()
        && known.matching(&Windows::of(&position), example.attacker, &[]).is_some()
}

impl<R: Taught> Asked for Question<R> {
    type Rule = Rule;
    type Rules = Rules;
    type Lessons = Lessons;

    fn name(&self) -> &str {
        &self.name
    }

    fn search(&self, effort: Effort, rules: Option<&Rules>, lessons: Option<&Lessons>) {
        R::search(&self.position, effort, Learned { rules, lessons }, &mut |_| true);
    }

    fn lessons(work_min: u32) -> Lessons {
        Lessons::new(work_min)
    }

    fn join(lessons: &Lessons, later: Lessons) {
        lessons.join(later);
    }

    fn rules(rules: Vec<Rule>) -> Rules {
        Rules::new(rules)
    }

    fn hits(rules: &Rules) -> Vec<u64> {
        rules.hits()
    }
}
