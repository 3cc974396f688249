//! Proofs as trees: a clause at each node, one child for each literal of its body; at AND nodes one for
//! each reply.

use serde::Serialize;

use crate::theory::{ClauseId, Theory};

/// The proof of one literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Literal that was proven, with the values found.
    pub goal: String,
    /// Way in which it was proven.
    pub step: Step,
}

/// Way in which a literal was proven.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// By a clause, and proofs of its body; a fact has none.
    Clause(ClauseId, Vec<Proof>),
    /// By itself: arithmetic and comparisons.
    BuiltIn,
    /// By the branch of this number, and proofs of its literals.
    Branch(usize, Vec<Proof>),
    /// All ways to prove the contrary fail.
    Refuted(Vec<Refutation>),
    /// For each way in which the condition holds.
    Every(Vec<Reply>),
}

/// One way to meet a condition, and the proof of what follows then.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Proofs of the condition's literals.
    pub condition: Vec<Proof>,
    /// Proofs of what has to hold then.
    pub then: Vec<Proof>,
}

/// A way to prove something that fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// A literal or a clause's head.
    pub what: String,
    /// Way in which it fails.
    pub end: End,
}

/// Failure of a way to prove something.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It does not hold.
    Fails,
    /// It holds, and what should hold beside it fails.
    Holds(Vec<Refutation>),
    /// It would follow by this clause, whose body fails.
    By(ClauseId, Vec<Refutation>),
}

/// A proof as JSON has it.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The literal.
    goal: String,
    /// `rule`, `fact`, `built-in`, `branch`, `negation` or `every`; within negations `fails`, `holds` and
    /// `rule`; one of the ways of `every` is a `reply`.
    by: &'static str,
    /// The clause as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    /// File, line and column of the clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// Proofs that it rests on.
    children: Vec<Shown>,
}

impl Shown {
    /// A proof whose clauses are those of `theory`.
    pub fn new(proof: &Proof, theory: &Theory) -> Shown {
        let all = |proofs: &[Proof]| proofs.iter().map(|it| Shown::new(it, theory)).collect();
        let goal = proof.goal.clone();
        match &proof.step {
            Step::Clause(id, body) => {
                let is_fact = theory.clause(*id).body.is_empty();
                let by = if is_fact { "fact" } else { "rule" };
                Shown::by_clause((goal, by), *id, theory, all(body))
            }
            Step::BuiltIn => Shown::plain(goal, "built-in", Vec::new()),
            Step::Branch(_, body) => Shown::plain(goal, "branch", all(body)),
            Step::Refuted(ways) => Shown::plain(goal, "negation", refuted(ways, theory)),
            Step::Every(replies) => {
                let replies = replies.iter().map(|reply| {
                    let said: Vec<&str> =
                        reply.condition.iter().map(|proof| proof.goal.as_str()).collect();
                    let mut children: Vec<Shown> = all(&reply.condition);
                    children.extend(reply.then.iter().map(|it| Shown::new(it, theory)));
                    Shown::plain(said.join(", "), "reply", children)
                });
                Shown::plain(goal, "every", replies.collect())
            }
        }
    }

    fn plain(goal: String, by: &'static str, children: Vec<Shown>) -> Shown {
        Shown { goal, by, clause: None, place: None, children }
    }

    fn by_clause(
        (goal, by): (String, &'static str),
        id: ClauseId,
        theory: &Theory,
        children: Vec<Shown>,
    ) -> Shown {
        let clause = theory.clause(id);
        let (clause, place) = (clause.to_string(), clause.place.to_string());
        Shown { goal, by, clause: Some(clause), place: Some(place), children }
    }

    /// The proof as an indented text, a line for each node.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, text: &mut String, level: usize) {
        let said = match (&self.place, self.by) {
            (Some(place), "fact") => format!("fact, {place}"),
            (Some(place), _) => format!("by {place}"),
            (None, "built-in") => "built in".to_owned(),
            (None, "negation") => "every way to prove the contrary fails".to_owned(),
            (None, "every") => format!("{} ways", self.children.len()),
            (None, by) => by.to_owned(),
        };
        text.push_str(&format!("{}{}  [{said}]\n", "  ".repeat(level), self.goal));
        self.children.iter().for_each(|child| child.write(text, level + 1));
    }
}

fn refuted(ways: &[Refutation], theory: &Theory) -> Vec<Shown> {
    let shown = ways.iter().map(|way| {
        let what = way.what.clone();
        match &way.end {
            End::Fails => Shown::plain(what, "fails", Vec::new()),
            End::Holds(rest) => Shown::plain(what, "holds", refuted(rest, theory)),
            End::By(id, body) => {
                Shown::by_clause((what, "rule"), *id, theory, refuted(body, theory))
            }
        }
    });
    shown.collect()
}
