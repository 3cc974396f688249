//! From proofs to rules: what the solver proves of closed zones, proven anew with anything around them.

use banyan_games::Rng;
use banyan_games::rng::mix;
use banyan_proofs::Effort;
use banyan_proofs::life::rules::{Lessons, Rule, Rules};
use banyan_proofs::life::{Learned, judge_with, prove_fight, solve_fight};

use super::completion::{Completion, alone, completion};
use super::learned::{LearnedRule, proof_text};
use super::questions::Question;
use crate::crew;
use crate::rules::judging::Judged;
use crate::rules::options::Settings;

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

/// Positions of a proof that is written down, count.
const PROOF_MAX: usize = 400;

/// Effort for a proof of one shape alone.
const ALONE: Effort = Effort { nodes_max: 50_000, table_bytes: 1 << 20 };

/// Completions that are drawn for each that fits, at most.
const DRAWN_MAX: u32 = 40;

/// Shapes that are proven anew before it is looked whether there are rules enough.
const CHUNK: usize = 500;

/// Learns rules from questions.
pub fn learn(questions: &[Question], settings: &Settings, seed: u64) -> Course {
    let lessons = Lessons::new(settings.work_min);
    let learned = Learned { rules: None, lessons: Some(&lessons) };
    for Question { position, target, .. } in questions {
        // A chain whose fate is not found out teaches what was found on the way.
        let _ = judge_with(position, *target, settings.effort, learned);
    }
    let found = lessons.into_rules();
    let mut course = Course { shapes: found.len(), ..Course::default() };
    let bar = crew::bar("shapes", found.len());
    for (number, chunk) in found.chunks(CHUNK).enumerate() {
        let believe = |rule: &Rule, rng: &mut Rng| believed(rule, settings.completions, rng);
        let beliefs = settings.crew.map(chunk, seed ^ mix(number as u64), &bar, believe);
        for belief in beliefs {
            match belief {
                Belief::Proven(_) if course.rules.len() == settings.rules_max => {}
                Belief::Proven(rule) => course.rules.push(*rule),
                Belief::NotAlone => course.not_alone += 1,
                Belief::Contradicted => course.contradicted += 1,
            }
        }
        if course.rules.len() == settings.rules_max {
            break;
        }
    }
    bar.finish_and_clear();
    count_hits(&mut course.rules, questions, settings.effort);
    let before = course.rules.len();
    course.rules.retain(|learned| learned.hits >= settings.hits_min);
    course.idle = before - course.rules.len();
    course
}

enum Belief {
    Proven(Box<LearnedRule>),
    NotAlone,
    Contradicted,
}

/// Proves a rule alone, and on completions.
fn believed(rule: &Rule, completions: u32, rng: &mut Rng) -> Belief {
    let Some(on) = alone(rule.shape()) else { return Belief::NotAlone };
    let Some((verdict, proof)) = prove_fight(on.fight.clone(), ALONE, PROOF_MAX) else {
        return Belief::NotAlone;
    };
    if verdict != rule.verdict {
        return Belief::Contradicted;
    }
    let found = judged(rule, completions, rng);
    if found.contradicted > 0 {
        return Belief::Contradicted;
    }
    // What could hardly be tried is not believed.
    if 2 * found.agreed < completions {
        return Belief::NotAlone;
    }
    let proof = proof_text(&proof, &on);
    let (rule, completions, from) = (rule.clone(), found.agreed, String::new());
    Belief::Proven(Box::new(LearnedRule { rule, proof, completions, hits: 0, from }))
}

/// Asks the solver about a rule on so many random completions of what the rule does not care about.
pub fn judged(rule: &Rule, completions: u32, rng: &mut Rng) -> Judged {
    let mut judged = Judged::default();
    for drawn in 0..completions.saturating_mul(DRAWN_MAX) {
        if judged.agreed + judged.contradicted + judged.open == completions {
            break;
        }
        // From an empty board around it to a full one.
        let percent = 8 * (drawn % 10);
        let layout = &rule.layouts[drawn as usize / 10 % rule.layouts.len()];
        let Some(Completion { fight, .. }) = completion(layout, percent, rng) else {
            continue;
        };
        match solve_fight(fight, ALONE, Learned::default()).verdict {
            None => judged.open += 1,
            Some(verdict) if verdict == rule.verdict => judged.agreed += 1,
            Some(_) => judged.contradicted += 1,
        }
    }
    judged
}

/// Searches the questions again with the rules, to see how often each is met.
fn count_hits(learned: &mut [LearnedRule], questions: &[Question], effort: Effort) {
    let rules = Rules::new(learned.iter().map(|it| it.rule.clone()).collect());
    let mut hits = vec![0; learned.len()];
    for Question { name, position, target } in questions {
        let with = Learned { rules: Some(&rules), lessons: None };
        let _ = judge_with(position, *target, effort, with);
        for (at, now) in rules.hits().into_iter().enumerate() {
            if now > hits[at] && learned[at].from.is_empty() {
                learned[at].from.clone_from(name);
            }
            hits[at] = now;
        }
    }
    learned.iter_mut().zip(hits).for_each(|(learned, hits)| learned.hits = hits);
}
