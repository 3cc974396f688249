//! Jobs that learning asks for: games of self-play, trials of rules, games of classical searches, positions of them.

use banyan_games::connect6::Connect6Rules;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Kind, Move, Record, Rules, with_game};
use banyan_jobs::{
    Alone, Answer, Batch, BatchId, Depths, Evaluate, Growing, Job, Label, Labelling, ModelDigest,
    Play, Practice, Practise, Prepared, Root, RootId, RunError, Trial, Tried, Wanted, fit,
};
use banyan_knowledge::{Evaluators, pattern_files};
use banyan_selfplay::patterns;

const GO7: fit::Board = fit::Board { game: Kind::Go, area: 49 };

const OTHELLO: fit::Board = fit::Board { game: Kind::Othello, area: 64 };

#[test]
fn games_of_self_play_are_those_of_their_seeds_in_every_game() {
    let depths = Depths { full: 4, short: 2, decided: 1, full_permille: 500 };
    let wanted = Wanted { seed: 3, games: 2, depths };
    let play = |judged| Batch {
        id: BatchId(1),
        root: RootId::default(),
        path: Vec::new(),
        job: Job::Play(Play { wanted, judged, cost: 9 }),
    };
    let go = Record::<Go>::new(&GoRules::new(7, 15).expect("a size of Go"));
    let root = Root::of(&go, Color::Black, RootId::default(), Growing::of(Kind::Go));
    let prepared = Prepared::new(&root).expect("a position");
    let tally = prepared.run(&play(false)).expect("games");
    let games = banyan_selfplay::play::<Go>(None, 7, &wanted).expect("games");
    assert_eq!(tally.answer.played(), Some(&games[..]));
    assert_eq!(fit::check(&play(false), &tally.answer, GO7), Ok(()));
    let mut fewer = games.clone();
    fewer.pop();
    let misfit = fit::check(&play(false), &Answer::Played(fewer), GO7).expect_err("one is missing");
    assert_eq!(misfit.to_string(), "holds games that were not asked for: 1 games of 2");
    let nobody = prepared.run(&play(true)).expect_err("no evaluator is here");
    assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(1) });
    let other = Record::<Othello>::new(&OthelloRules);
    let root = Root::of(&other, Color::Black, RootId::default(), Growing::of(Kind::Othello));
    let tally = Prepared::new(&root).expect("a position").run(&play(false)).expect("games");
    let games = banyan_selfplay::play::<Othello>(None, 8, &wanted).expect("games");
    assert_eq!(tally.answer.played(), Some(&games[..]));
    assert_eq!(fit::check(&play(false), &tally.answer, OTHELLO), Ok(()));
    let other = fit::Board { game: Kind::Go, area: 64 };
    assert!(fit::check(&play(false), &tally.answer, other).is_err(), "games of another game");
}

#[test]
fn a_trial_of_a_rule_is_made_by_the_rules_of_its_root() {
    let batch = |trial: Trial| Batch {
        id: BatchId(1),
        root: RootId::default(),
        path: Vec::new(),
        job: Job::Try(trial),
    };
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let connect6 = Connect6Rules::new(19).expect("a size");
    let rules: [Rules; 3] =
        [GoRules::new(9, 15).expect("a size").into(), gomoku.into(), connect6.into()];
    for rules in rules {
        let game = rules.kind();
        let root = with_game!(&rules, G, rules => {
            let record = Record::<G>::new(rules);
            Root::of(&record, Color::Black, RootId::default(), Growing::of(game))
        });
        let prepared = Prepared::new(&root).expect("a position");
        let trial = Trial { completions: 5, ..Trial::sample(game).expect("a sample") };
        let tally = prepared.run(&batch(trial.clone())).expect("it is tried");
        let tried = tally.answer.tried().expect("a trial");
        assert_eq!(Ok(tried.clone()), trial.run(&rules).map_err(|why| why.to_string()));
        assert_eq!((tried.judged.agreed, tried.judged.contradicted), (5, 0), "{game}");
        assert_eq!(matches!(tried.alone, Alone::Proven(_)), game == Kind::Go);
        let (asked, board) = (batch(trial.clone()), fit::Board::of(&rules));
        assert_eq!(fit::check(&asked, &tally.answer, board), Ok(()));
        let misfit = |change: fn(&mut Tried)| {
            let mut other = tried.clone();
            change(&mut other);
            let misfit = fit::check(&asked, &Answer::Tried(other), board);
            misfit.expect_err("it does not fit").to_string()
        };
        assert!(misfit(|tried| tried.judged.open += 1).ends_with("6 completions instead of 5"));
        if game == Kind::Go {
            let words = misfit(|tried| tried.alone = Alone::Unproven);
            assert!(words.ends_with("5 completions of a rule that is not proven alone"), "{words}");
            assert!(misfit(|tried| tried.alone = Alone::Unasked).contains("proven alone: false"));
        } else {
            assert!(misfit(|tried| tried.alone = Alone::Contradicted).contains("alone: true"));
        }
        let nonsense = Trial { rule: "{}".to_owned(), ..trial };
        let why = prepared.run(&batch(nonsense)).expect_err("no rule").to_string();
        assert!(why.starts_with("batch 1: no trial of a rule: missing field"), "{why}");
    }
    let othello = Record::<Othello>::new(&OthelloRules);
    let root = Root::of(&othello, Color::Black, RootId::default(), Growing::of(Kind::Othello));
    let prepared = Prepared::new(&root).expect("a position");
    let why =
        prepared.run(&batch(Trial::sample(Kind::Go).expect("a sample"))).expect_err("Othello");
    assert!(why.to_string().ends_with("rules of othello are not learned"), "{why}");
}

#[test]
fn whoever_changes_a_rule_is_contradicted() {
    let rules = Rules::from(Connect6Rules::new(19).expect("a size"));
    let trial = Trial::sample(Kind::Connect6).expect("a sample");
    // Without the four stones in a column the two in the row win nothing.
    let rule = trial.rule.replace("??X?????", "??.?????");
    let tried = Trial { rule, completions: 10, ..trial }.run(&rules).expect("it is tried");
    assert!(tried.judged.contradicted > 0, "{tried:?}");
}

#[test]
fn games_of_classical_searches_are_those_of_their_seeds_by_what_is_named() {
    let practice = Practice { seed: 3, games: 2, plies: 2, solve_from: 6, evaluation: 0 };
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let connect6 = Connect6Rules::new(19).expect("a size");
    let rules: [Rules; 3] = [OthelloRules.into(), gomoku.into(), connect6.into()];
    for rules in rules {
        let game = rules.kind();
        let batch = |practice: Practice, judged| Batch {
            id: BatchId(1),
            root: RootId::default(),
            path: Vec::new(),
            job: Job::Practise(Practise::new(game, practice, judged)),
        };
        let root = with_game!(&rules, G, rules => {
            let record = Record::<G>::new(rules);
            Root::of(&record, Color::Black, RootId::default(), Growing::of(game))
        });
        let prepared = Prepared::new(&root).expect("a position");
        let both = batch(practice, false);
        let tally = prepared.run(&both).expect("games");
        let games = tally.answer.practised().expect("games").to_vec();
        assert_eq!(games, patterns::play(&rules, None, &practice).expect("games"));
        let ones = [3, 4].map(|seed| {
            let one = Practice { seed, games: 1, ..practice };
            prepared.run(&batch(one, false)).expect("a game")
        });
        let ones: Vec<u8> =
            ones.iter().flat_map(|it| it.answer.practised().expect("a game").to_vec()).collect();
        assert_eq!(ones, games, "{game}");
        let board = fit::Board::of(&rules);
        assert_eq!(fit::check(&both, &tally.answer, board), Ok(()));
        let misfit = |games: &[u8]| {
            let answer = Answer::Practised(games.to_vec());
            fit::check(&both, &answer, board).expect_err("it does not fit").to_string()
        };
        assert!(misfit(&[]).ends_with("0 games of 2"));
        assert!(misfit(&games[..games.len() - 1]).ends_with("game 2 is cut short"));
        if game == Kind::Othello {
            let mut other = games.clone();
            other[2] ^= 1;
            assert!(misfit(&other).ends_with("game 1 ends otherwise than it says"));
            // A game of no plies has no end that anybody could search for.
            let none = [0, 0, 0, 0, 0, 0];
            assert!(misfit(&none).ends_with("game 1 is no game of Othello"));
        }
        let nobody = prepared.run(&batch(practice, true)).expect_err("no tables are named");
        assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(1) });
        if game != Kind::Othello {
            let unknown = batch(Practice { evaluation: 99, ..practice }, false);
            let why = prepared.run(&unknown).expect_err("no such evaluation").to_string();
            assert!(why.contains("no evaluation 99: "), "{why}");
        }
    }
    let tables = include_bytes!("../../../models/othello.tuples");
    let tables = pattern_files::read(Kind::Othello, tables).expect("tables");
    let (digest, mut evaluators) = (ModelDigest([7; 32]), Evaluators::default());
    evaluators.add_patterns(digest, tables);
    let record = Record::<Othello>::new(&OthelloRules);
    let growing = Growing { evaluator: Some(digest), ..Growing::of(Kind::Othello) };
    let root = Root::of(&record, Color::Black, RootId::default(), growing);
    let prepared = Prepared::with(&root, &evaluators).expect("a position");
    let job = Job::Practise(Practise::new(Kind::Othello, practice, true));
    let named = Batch { id: BatchId(1), root: root.id, path: Vec::new(), job };
    let tally = prepared.run(&named).expect("games by the tables that are named");
    let built_in = patterns::play(&OthelloRules.into(), None, &practice).expect("games");
    assert_eq!(tally.answer.practised(), Some(&built_in[..]), "they are those of the build");
    let job = Job::Evaluate(Evaluate { ownership: false });
    let judge = Batch { id: BatchId(2), root: root.id, path: Vec::new(), job };
    let nobody = prepared.run(&judge).expect_err("tables judge no leaves");
    assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(2) });
}

#[test]
fn positions_of_searches_are_those_of_the_game_that_the_path_is() {
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let connect6 = Connect6Rules::new(19).expect("a size");
    let rules: [Rules; 2] = [gomoku.into(), connect6.into()];
    for rules in rules {
        let game = rules.kind();
        let labelling = Labelling { seed: 7, count: 3, from: 1, evaluation: 0 };
        let path = vec![Move(112), Move(128)];
        let batch = |labelling: Labelling, judged| Batch {
            id: BatchId(1),
            root: RootId::default(),
            path: path.clone(),
            job: Job::Label(Label::new(labelling, judged)),
        };
        let root = with_game!(&rules, G, rules => {
            let record = Record::<G>::new(rules);
            Root::of(&record, Color::Black, RootId::default(), Growing::of(game))
        });
        let prepared = Prepared::new(&root).expect("a position");
        let asked = batch(labelling, false);
        let answer = prepared.run(&asked).expect("positions").answer;
        let positions = answer.labelled().expect("positions");
        let expected = patterns::label(&rules, None, &path, &labelling).expect("positions");
        assert_eq!(positions, expected);
        let board = fit::Board::of(&rules);
        assert_eq!(fit::check(&asked, &answer, board), Ok(()));
        let cut = Answer::Labelled(positions[..positions.len() - 1].to_vec());
        let why = fit::check(&asked, &cut, board).expect_err("it is cut short").to_string();
        assert!(why.ends_with("game 3 is cut short"), "{why}");
        let other = Batch { path: vec![Move(113), Move(128)], ..asked.clone() };
        let why = fit::check(&other, &answer, board).expect_err("another game").to_string();
        assert!(why.ends_with("position 1 is one of another game"), "{why}");
        let games = Answer::Practised(positions.to_vec());
        let why = fit::check(&asked, &games, board).expect_err("another kind").to_string();
        assert!(why.contains("positions of classical searches"), "{why}");
        let nobody = prepared.run(&batch(labelling, true)).expect_err("no tables are named");
        assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(1) });
        let beyond = Labelling { from: 3, ..labelling };
        let why = prepared.run(&batch(beyond, false)).expect_err("two plies").to_string();
        assert!(why.ends_with("positions after 3 plies of a game of 2"), "{why}");
    }
}
