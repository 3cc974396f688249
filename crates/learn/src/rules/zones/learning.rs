//! From proofs to rules: what the solver proves of closed zones, proven anew with anything around them.

use banyan_games::rng::mix;
use banyan_games::{Kind, Rules, Terms};
use banyan_proofs::Effort;
use banyan_proofs::life::rules::{Lessons, Rule, Rules as RulesOfZones};
use banyan_proofs::life::{Learned, judge_with};
use banyan_rules::{Alone, Tried, Written as _};

use super::learned::LearnedRule;
use super::questions::Question;
use crate::meter::Meter;
use crate::rules::asking::{self, Asked};
use crate::rules::options::Settings;
use crate::rules::provers::{
    Demand, Disbelieved, Provers, first_completions, is_tried, keep_believed, try_rules,
};

/// Outcome of the proofs.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Shapes that were proven in the questions, count.
    pub shapes: usize,
    /// Those of them that could not be proven alone: a ko in them, a repetition, too long a proof.
    pub not_alone: usize,
    /// Those that the solver contradicted on a completion.
    pub contradicted: usize,
    /// Rules that were met too seldom.
    pub idle: usize,
    /// The rules.
    pub rules: Vec<LearnedRule>,
}

/// Shapes that are proven anew before it is looked whether there are rules enough.
const CHUNK: usize = 500;

/// Learns rules from questions.
///
/// # Errors
/// What keeps provers from trying them, in words.
pub fn learn(
    questions: &[Question],
    settings: &Settings,
    seed: u64,
    provers: &dyn Provers,
) -> anyhow::Result<Course> {
    let crew = provers.crew();
    let lessons = asking::taught(questions, settings.effort, settings.work_min, crew);
    let found = lessons.into_rules();
    let mut course = Course { shapes: found.len(), ..Course::default() };
    let rules = Rules::new(Kind::Go, Terms::of(Kind::Go))?;
    let completions = first_completions(settings.completions);
    let demand = |number: usize| {
        let seed = seed ^ mix(number as u64);
        Demand { rules: &rules, alone: true, completions, drops_wrong: true, seed }
    };
    let meter = Meter::new("trials", found.len() * demand(0).trials() as usize);
    for (number, chunk) in found.chunks(CHUNK).enumerate() {
        let texts = chunk.iter().map(Rule::text).collect::<Result<Vec<_>, _>>()?;
        let tried = try_rules(&texts, demand(number), provers, &meter)?;
        for (rule, Tried { alone, judged }) in chunk.iter().zip(tried) {
            match alone {
                Alone::Contradicted => course.contradicted += 1,
                _ if judged.contradicted > 0 => course.contradicted += 1,
                // What could hardly be tried is not believed.
                Alone::Proven(proof) if is_tried(judged, completions) => {
                    if course.rules.len() < settings.rules_max {
                        let (rule, from) = (rule.clone(), String::new());
                        let completions = judged.agreed;
                        course.rules.push(LearnedRule { rule, proof, completions, hits: 0, from });
                    }
                }
                Alone::Proven(_) | Alone::Unproven | Alone::Unasked => course.not_alone += 1,
            }
        }
        if course.rules.len() == settings.rules_max {
            break;
        }
    }
    drop(meter);
    asking::count_hits(&mut course.rules, questions, settings.effort, crew);
    let before = course.rules.len();
    course.rules.retain(|learned| learned.hits >= settings.hits_min);
    course.idle = before - course.rules.len();
    let completions = settings.completions;
    let demand =
        Demand { rules: &rules, alone: false, completions, drops_wrong: true, seed: mix(seed) };
    let disbelieved = keep_believed(&mut course.rules, demand, provers)?;
    course.contradicted += disbelieved.contradicted;
    course.not_alone += disbelieved.untried;
    if disbelieved != Disbelieved::default() {
        // Others may be met where these were.
        asking::count_hits(&mut course.rules, questions, settings.effort, crew);
    }
    Ok(course)
}

impl Asked for Question {
    type Rule = Rule;
    type Rules = RulesOfZones;
    type Lessons = Lessons;

    fn name(&self) -> &str {
        &self.name
    }

    fn search(&self, effort: Effort, rules: Option<&RulesOfZones>, lessons: Option<&Lessons>) {
        let learned = Learned { rules, lessons };
        // A chain that cannot be asked about teaches nothing.
        let _ = judge_with(&self.position, self.target, effort, learned);
    }

    fn lessons(work_min: u32) -> Lessons {
        Lessons::new(work_min)
    }

    fn join(lessons: &Lessons, later: Lessons) {
        lessons.join(later);
    }

    fn rules(rules: Vec<Rule>) -> RulesOfZones {
        RulesOfZones::new(rules)
    }

    fn hits(rules: &RulesOfZones) -> Vec<u64> {
        rules.hits()
    }
}
