//! Theories that are not as they should be: what is said of them, and where.

use banyan_ebg::limits::Limits;
use banyan_ebg::regression::explain;
use banyan_ebg::resolution::Prover;
use banyan_ebg::theory::{Theory, read_query};

fn refusal(text: &str) -> String {
    Theory::read(("t.pl", text), ("f.pl", "")).expect_err(text).to_string()
}

/// Answer to a goal within limits: yes, no, or why neither.
fn answer(text: &str, goal: &str, limits: Limits) -> Result<bool, String> {
    let theory = Theory::read(("t.pl", text), ("f.pl", "")).expect(text);
    let found = Prover::new(&theory, &read_query(goal).expect(goal), limits).next_proof();
    found.map(|proof| proof.is_some()).map_err(|why| why.to_string())
}

#[test]
fn a_text_that_is_no_theory_is_refused_with_its_place() {
    for (text, expected) in [
        ("p(X) :- q(X).\nq(a).\nr(X) :- q(X),", "t.pl:3:14: the end of the file where a term"),
        (
            "p(a).\nq(b)",
            "t.pl:2:5: the file ends within the clause that begins in line 2, column 1",
        ),
        ("p(a). q(b) r(c).", "t.pl:1:12: `r` where an operator or the full stop"),
        ("p(a,).", "t.pl:1:5: `)` where a term was expected"),
        ("p(a b).", "t.pl:1:5: `b` where `,` or `)` was expected"),
        ("p([a,b).", "t.pl:1:7: `)` where `,`, `|` or `]` was expected"),
        ("p(a).\n/* open", "t.pl:2:1: the comment that begins here is not ended"),
        ("p('a).\n", "t.pl:1:3: the quote that begins here is not ended"),
        ("p(\"a\").", "t.pl:1:3: `\"` is no character of a clause"),
        ("X :- p.", "t.pl:1:1: the variable X cannot be the head"),
        ("3.", "t.pl:1:1: the number 3 cannot be the head"),
        ("a < b.", "t.pl:1:1: </2 is built in"),
        ("p :- X.", "t.pl:1:6: the variable X cannot be proven"),
        ("p :- q, !.", "t.pl:1:9: the cut is not known"),
        ("p :- (a -> b ; c).", "t.pl:1:7: `->` is not known"),
        (":- dynamic(p/1).", "t.pl:1:1: directives are not known"),
        ("operational(p).", "t.pl:1:13: `operational(…)` takes a predicate"),
        ("p(99999999999999999999).", "too large a number"),
    ] {
        let found = refusal(text);
        assert!(found.contains(expected), "{text:?}: {found}");
    }
}

#[test]
fn deep_and_long_texts_are_refused_and_harm_nobody() {
    for text in [
        format!("p({}a{}).", "f(".repeat(100_000), ")".repeat(100_000)),
        format!("p([{}a]).", "a,".repeat(100_000)),
        format!("p(1{}).", "+1".repeat(100_000)),
        format!("p :- {}q.", "(".repeat(100_000)),
        format!("p :- {}q.", "\\+ ".repeat(100_000)),
    ] {
        assert!(refusal(&text).contains("more than 400 terms within each other"));
    }
}

#[test]
fn endless_recursion_is_said_in_words() {
    let limits = Limits::default();
    let why = answer("p(X) :- p(X).", "p(a)", limits).expect_err("endless");
    assert!(why.starts_with("t.pl:1:9: no proof within a depth of 1000 clauses"), "{why}");
    assert!(why.contains("calls itself without end"), "{why}");
    let why = answer("p(X) :- p(f(X)).", "p(a)", limits).expect_err("endless");
    assert!(why.contains("depth of 1000"), "{why}");
    let why = answer("p :- q, p. p :- q, p. q. q.", "p", limits).expect_err("endless");
    assert!(why.contains("no proof within 1000000 steps"), "{why}");
    let why = answer("p :- \\+ q. q :- q.", "p", limits).expect_err("endless");
    assert!(why.contains("depth of 1000"), "{why}");
    let why = answer("p :- \\+ p.", "p", limits).expect_err("endless");
    assert!(why.contains("negations within each other"), "{why}");
}

#[test]
fn a_negation_that_cannot_be_written_names_the_predicate_to_declare() {
    let learned = |clauses: &str, facts: &str, goal: &str| {
        let text = format!("operational(move/2). {clauses}");
        let theory = Theory::read(("t.pl", &text), ("f.pl", facts)).expect("a theory");
        let goal = read_query(goal).expect(goal);
        explain(&theory, &goal, Limits::default()).expect_err(&text).to_string()
    };
    let facts = "move(a,b). move(b,c). move(c,d).";
    for (clauses, goal, named) in [
        ("win(P) :- move(P,Q), \\+ win(Q).", "win(c)", "win("),
        ("win(P) :- forall(move(P,Q), lose(Q)). lose(P) :- \\+ win(P).", "win(b)", "lose("),
        ("win(P) :- move(P,Q), \\+ lose(Q). lose(P) :- move(P,Q), lose(Q).", "win(c)", "lose("),
        // Each of two clauses twice: neither negations nor clauses may go on doubling.
        (
            "win(P) :- move(P,Q), \\+ win(Q), \\+ win(Q). win(P) :- move(P,Q), \\+ win(Q), \\+ win(Q).",
            "win(c)",
            "win(",
        ),
    ] {
        let why = learned(clauses, facts, goal);
        assert!(why.contains(&format!("the negation of `{named}")), "{why}");
        assert!(why.contains("declare its predicate operational"), "{why}");
    }
}

#[test]
fn terms_that_grow_without_end_are_said_in_words_that_end() {
    let limits = Limits { steps: 10_000, ..Limits::default() };
    for (theory, goal) in [
        ("big(X) :- big(f(X,X)).", "big(a)"),
        ("p(X) :- p([X|X]).", "p(a)"),
        ("d(X,f(X,X)). n(X) :- d(X,Y), n(Y).", "n(a)"),
        ("p :- \\+ big(a). big(X) :- big(f(X,X)).", "p"),
    ] {
        let why = answer(theory, goal, limits).expect_err(theory);
        assert!(why.contains("grew until 1000000 parts of them had been compared"), "{why}");
        assert!(why.len() < 1_000 && why.starts_with("t.pl:1:"), "{why}");
    }
    let sum = "s(0,1). s(N,Y+Y) :- N > 0, M is N - 1, s(M,Y). p :- s(60,X), 0 < X.";
    let why = answer(sum, "p", limits).expect_err("ages");
    assert!(why.contains("grew until 1000000 parts of them had been compared"), "{why}");
    let doubled = "n(0,a). n(N,Y) :- N > 0, M is N - 1, n(M,X), d(X,Y). d(X,f(X,X)).";
    assert_eq!(answer(doubled, "n(12,X)", Limits::default()), Ok(true));
    // The term of a rule is written whole or not at all.
    let theory = Theory::read(("t.pl", doubled), ("f.pl", "")).expect("a theory");
    let learned = |goal: &str| explain(&theory, &read_query(goal).expect(goal), Limits::default());
    let rule = learned("n(8,X)").expect("a rule").expect("a proof").rule.to_string();
    assert_eq!(rule.matches('a').count(), 256, "{rule}");
    let why = learned("n(15,X)").expect_err("too large").to_string();
    assert!(why.contains("a rule for n/2 would hold a term of more than 20000 parts"), "{why}");
}

#[test]
fn recursion_that_ends_is_followed_and_a_proof_beside_an_endless_branch_found() {
    let count = "n(0). n(X) :- X > 0, Y is X - 1, n(Y).";
    assert_eq!(answer(count, "n(900)", Limits::default()), Ok(true));
    assert_eq!(answer(count, "n(2000)", Limits { depth: 5000, ..Limits::default() }), Ok(true));
    let left = "up(X,Y) :- up(X,Z), parent(Z,Y). up(X,Y) :- parent(X,Y). parent(a,b). parent(b,c).";
    assert_eq!(answer(left, "up(a,c)", Limits { depth: 50, ..Limits::default() }), Ok(true));
    let chain = "reach(X,Y) :- next(X,Y). reach(X,Y) :- next(X,Z), reach(Z,Y). p :- \\+ reach(0,none). \
                 next(X,Y) :- X < 60, Y is X + 1.";
    assert_eq!(answer(chain, "p", Limits::default()), Ok(true));
}

#[test]
fn an_unknown_predicate_is_named_with_its_place_and_a_likely_one() {
    let why = answer("p(X) :- wieght(X,W). weight(a,1).", "p(a)", Limits::default());
    let why = why.expect_err("unknown");
    assert!(why.starts_with("t.pl:1:9: unknown predicate wieght/2"), "{why}");
    assert!(why.ends_with("; there is weight/2"), "{why}");
    let why = answer("p(a).", "q(a)", Limits::default()).expect_err("unknown");
    assert!(why.starts_with("goal:1:1: unknown predicate q/1"), "{why}");
    assert_eq!(answer("p(X) :- q(X). operational(q/1).", "p(a)", Limits::default()), Ok(false));
}

#[test]
fn arithmetic_without_a_value_names_the_literal() {
    let why = answer("p(X) :- Y < X.", "p(1)", Limits::default()).expect_err("no value");
    assert_eq!(why, "t.pl:1:9: `_1 < 1`: a variable in it has no value yet");
    let why = answer("p(X) :- X > red.", "p(1)", Limits::default()).expect_err("no number");
    assert!(why.contains("`red` is no number"), "{why}");
}

#[test]
fn any_text_is_read_or_refused() {
    let words = [
        "p", "(", ")", "X", ",", ".", " ", ":-", "\\+", "[", "|", "]", "1", "'", "%", "\n", "-",
        "é",
    ];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push_str(words[(state >> 33) as usize % words.len()]);
        }
        drop(Theory::read(("t.pl", &text), ("f.pl", "")));
    }
}
