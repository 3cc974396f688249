//! Rules learned by explanation, from examples of the literature.

use banyan_ebg::clause::Clause;
use banyan_ebg::covering::{self, learn};
use banyan_ebg::limits::Limits;
use banyan_ebg::proof::Shown;
use banyan_ebg::regression::explain;
use banyan_ebg::resolution::Prover;
use banyan_ebg::theory::{Query, Theory, read_query};

/// A theory of the folder with its facts.
fn shelved(name: &str) -> Theory {
    let read = |file: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/theories");
        std::fs::read_to_string(format!("{folder}/{file}")).expect(file)
    };
    let (theory, facts) = (format!("{name}.pl"), format!("{name}_facts.pl"));
    Theory::read((&theory, &read(&theory)), (&facts, &read(&facts))).expect(name)
}

fn theory(theory: &str, facts: &str) -> Theory {
    Theory::read(("theory.pl", theory), ("facts.pl", facts)).expect("clauses")
}

fn query(goal: &str) -> Query {
    read_query(goal).expect(goal)
}

fn holds(theory: &Theory, goal: &str) -> bool {
    let proof = Prover::new(theory, &query(goal), Limits::default()).next_proof();
    proof.expect(goal).is_some()
}

fn rule_of(theory: &Theory, goal: &str) -> Clause {
    explain(theory, &query(goal), Limits::default()).expect(goal).expect("a proof").rule
}

fn rule(theory: &Theory, goal: &str) -> String {
    rule_of(theory, goal).to_string()
}

#[test]
fn safe_to_stack_gives_mitchells_rule() {
    let theory = shelved("safe_to_stack");
    assert!(holds(&theory, "safe_to_stack(obj1,obj2)"));
    assert_eq!(
        rule(&theory, "safe_to_stack(obj1,obj2)"),
        "safe_to_stack(X,Y) :- volume(X,V), density(X,D), WX is V*D, type(Y,endtable), WX < 5"
    );
    assert!(!holds(&theory, "safe_to_stack(obj5,obj2)"), "18 is more than 5");
}

#[test]
fn suicide_makes_killer_and_victim_one() {
    let theory = shelved("suicide");
    let expected = "kill(A,A) :- depressed(A), buy(A,W), gun(W)";
    assert_eq!(rule(&theory, "kill(john,john)"), expected);
}

#[test]
fn a_cup_keeps_its_parts_apart_and_loses_its_owner() {
    let expected = "cup(X) :- light(X), has_part(X,P), is_a(P,handle), has_part(X,P2), is_a(P2,bottom), \
                    flat(P2), has_part(X,P3), is_a(P3,concavity), upward_pointing(P3)";
    assert_eq!(rule(&shelved("cup"), "cup(obj1)"), expected);
}

#[test]
fn a_gift_to_oneself_is_told_by_sadness() {
    let theory = shelved("gifts");
    let expected = "gives(P,P,T) :- sad(P), likes(P,T)";
    assert_eq!(rule(&theory, "gives(john,john,chocolate)"), expected);
    // Another proof, another rule.
    let expected = "gives(P,Q,T) :- likes(P,Q), needs(Q,T)";
    assert_eq!(rule(&theory, "gives(john,annie,racket)"), expected);
}

#[test]
fn constants_stay_only_where_a_clause_demands_them() {
    let theory = theory(
        "p(X,Y,Z) :- q(X,Y), r(Z). q(X,red) :- a(X). q(X,X) :- b(X). r(f(W,W)) :- c(W).",
        "a(one). b(two). c(three).",
    );
    assert_eq!(rule(&theory, "p(one,red,f(three,three))"), "p(X,red,f(W,W)) :- a(X), c(W)");
    assert_eq!(rule(&theory, "p(two,two,f(three,three))"), "p(X,X,f(W,W)) :- b(X), c(W)");
}

#[test]
fn facts_of_the_theory_are_demands_and_those_of_examples_are_not() {
    let theory = theory(
        "price(X,P) :- kind(X,K), listed(K,P). cheap(X) :- price(X,P), P =< 10. \
         listed(pen,2). listed(car,9000). operational(kind/2).",
        "kind(thing,pen). kind(other,car).",
    );
    assert_eq!(rule(&theory, "cheap(thing)"), "cheap(X) :- kind(X,pen)");
    assert!(!holds(&theory, "cheap(other)"));
}

#[test]
fn a_proof_that_rests_on_what_is_not_declared_gives_way_to_one_that_does_not() {
    let text = "bird(X) :- has(X,feathers). bird(X) :- lays_eggs(X), flies(X). \
                operational(lays_eggs/1). operational(flies/1).";
    let both = theory(text, "has(tweety,feathers). lays_eggs(tweety). flies(tweety).");
    assert_eq!(rule(&both, "bird(tweety)"), "bird(X) :- lays_eggs(X), flies(X)");
    let one = theory(text, "has(tweety,feathers). lays_eggs(tweety).");
    let why = explain(&one, &query("bird(tweety)"), Limits::default()).expect_err("has/2");
    assert!(why.to_string().starts_with("facts.pl:1:1: ") && why.to_string().contains("has/2"));
}

#[test]
fn a_negation_is_told_by_what_is_operational() {
    let text = "safe(X) :- thing(X), \\+ fragile(X). fragile(X) :- material(X,glass). \
                fragile(X) :- part(X,P), \\+ sturdy(P). sturdy(P) :- material(P,steel). \
                operational(thing/1). operational(material/2). operational(part/2).";
    let theory =
        theory(text, "thing(box). material(box,wood). part(box,lid). material(lid,steel).");
    let expected =
        "safe(X) :- thing(X), \\+ material(X,glass), \\+ (part(X,P), \\+ material(P,steel))";
    assert_eq!(rule(&theory, "safe(box)"), expected);
}

#[test]
fn within_a_negation_a_heads_constant_is_a_condition() {
    let theory = theory(
        "ok(X,Y) :- pair(X,Y), \\+ bad(X,Y). bad(left,Y) :- old(Y). bad(Z,Z). \
         operational(pair/2). operational(old/1).",
        "pair(right,one). old(one).",
    );
    let expected = "ok(X,Y) :- pair(X,Y), \\+ (X = left, old(Y)), \\+ (Y = X)";
    assert_eq!(rule(&theory, "ok(right,one)"), expected);
}

#[test]
fn every_reply_is_regressed_through_and_there_is_no_other() {
    let theory = shelved("replies");
    assert!(holds(&theory, "caught(fox1)"));
    assert!(!holds(&theory, "caught(fox2)"));
    let expected = "caught(Fox) :- escape(Fox,Hole), dog(Dog), guards(Dog,Hole), escape(Fox,Hole2), \
                    filled(Hole2), \\+ (escape(Fox,Hole3), Hole3 \\= Hole, Hole3 \\= Hole2)";
    let rule = rule_of(&theory, "caught(fox1)");
    assert_eq!(rule.to_string(), expected);
    let covers = |goal| covering::covers(&theory, &rule, &query(goal), Limits::default());
    assert_eq!(covers("caught(fox1)"), Ok(true));
    assert_eq!(covers("caught(fox2)"), Ok(false), "its hole is not stopped");
}

#[test]
fn no_reply_at_all_is_a_condition_too() {
    let theory = shelved("replies");
    assert_eq!(rule(&theory, "caught(fox3)"), "caught(Fox) :- \\+ escape(Fox,Hole)");
}

#[test]
fn branches_contribute_the_one_that_was_proven() {
    let theory = theory(
        "p(X) :- (a(X), b(X) ; c(X)), d(X). operational(b/1). operational(c/1). \
                         operational(d/1). operational(a/1).",
        "c(k). d(k).",
    );
    assert_eq!(rule(&theory, "p(k)"), "p(X) :- c(X), d(X)");
}

#[test]
fn each_example_that_no_rule_covers_gives_one() {
    let theory = shelved("safe_to_stack");
    let goals =
        ["safe_to_stack(obj1,obj2)", "safe_to_stack(obj3,obj4)", "safe_to_stack(obj5,obj2)"];
    let learned = learn(&theory, &goals.map(query), Limits::default()).expect("rules");
    assert_eq!(learned.rules.len(), 1, "the second is covered by the first's rule");
    assert_eq!(learned.rules[0].covers, [0, 1]);
    assert_eq!(learned.unexplained, [2]);
    let gifts = shelved("gifts");
    let goals = ["gives(john,john,chocolate)", "gives(john,annie,racket)"].map(query);
    let learned = learn(&gifts, &goals, Limits::default()).expect("rules");
    assert_eq!(learned.rules.len(), 2);
}

/// A learned rule is a clause that can be read again, and proves its example from facts alone.
#[test]
fn a_learned_rule_read_again_proves_its_example() {
    for (name, goal) in [
        ("safe_to_stack", "safe_to_stack(obj1,obj2)"),
        ("suicide", "kill(john,john)"),
        ("cup", "cup(obj1)"),
        ("gifts", "gives(john,john,chocolate)"),
        ("replies", "caught(fox1)"),
    ] {
        let rule = rule(&shelved(name), goal);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/theories");
        let facts = std::fs::read_to_string(format!("{folder}/{name}_facts.pl")).expect(name);
        let alone = theory(&format!("{rule}."), &facts);
        assert!(holds(&alone, goal), "{rule}");
    }
}

#[test]
fn a_proof_shows_clauses_and_every_reply() {
    let theory = shelved("replies");
    let proofs = Prover::new(&theory, &query("caught(fox1)"), Limits::default()).next_proof();
    let text = Shown::new(&proofs.expect("an answer").expect("a proof")[0], &theory).text();
    let expected = "\
caught(fox1)  [by replies.pl:2:1]
  forall(escape(fox1,_1), stopped(_1))  [2 ways]
    escape(fox1,north)  [reply]
      escape(fox1,north)  [fact, replies_facts.pl:2:1]
      stopped(north)  [by replies.pl:4:1]
        dog(rex)  [fact, replies_facts.pl:1:1]
        guards(rex,north)  [fact, replies_facts.pl:3:1]
    escape(fox1,south)  [reply]
      escape(fox1,south)  [fact, replies_facts.pl:2:22]
      stopped(south)  [by replies.pl:5:1]
        filled(south)  [fact, replies_facts.pl:3:22]
";
    assert_eq!(text, expected);
}

#[test]
fn a_refuted_goal_shows_what_each_way_fails_at() {
    let theory = theory(
        "lost(P) :- \\+ saved(P). saved(P) :- reply(P,R), works(R).",
        "reply(p,one). reply(p,two). works(three).",
    );
    let proofs = Prover::new(&theory, &query("lost(p)"), Limits::default()).next_proof();
    let text = Shown::new(&proofs.expect("an answer").expect("a proof")[0], &theory).text();
    for line in ["reply(p,one)  [holds]", "works(one)  [fails]", "reply(p,two)  [holds]"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn comparisons_and_equality_are_prologs() {
    let empty = theory("one(1).", "two(2).");
    for goal in [
        "1 < 2",
        "2 >= 2",
        "2 =< 2.5",
        "3 =:= 3.0",
        "3 =\\= 4",
        "X = f(Y), Y = 1, X == f(1)",
        "f(X) \\= g(X)",
        "\\+ X \\= 3",
        "X \\== Y",
        "one(X), two(Y), Z is X + Y, Z =:= 3",
        "\\+ 3 = 3.0",
        "\\+ X = f(X)",
        "[1,2|T] = [A,B,3], T = [3]",
        "forall(one(X), X < 2)",
        "(fail ; true)",
        "'two words' \\= two_words",
    ] {
        assert!(holds(&empty, goal), "{goal}");
    }
    for goal in ["2 < 1", "a = b", "X \\= Y", "1 == 1.0", "fail", "forall(two(X), X < 2)"] {
        assert!(!holds(&empty, goal), "{goal}");
    }
}

#[test]
fn all_proofs_are_found_one_after_the_other() {
    let theory = theory("q(X,Y) :- p(X), p(Y), X < Y.", "p(1). p(3). p(2).");
    let goal = query("q(X,Y)");
    let mut prover = Prover::new(&theory, &goal, Limits::default());
    let mut found = Vec::new();
    while prover.next_proof().expect("an answer").is_some() {
        let values: Vec<String> =
            prover.values().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        found.push(values.join(" "));
    }
    assert_eq!(found, ["X=1 Y=3", "X=1 Y=2", "X=2 Y=3"]);
}
