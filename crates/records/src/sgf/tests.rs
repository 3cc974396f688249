//! Whole files: as servers and programs write them, broken ones, and our own read back.

use banyan_games::{
    Color, Game, IllegalMove, Kind, Listed, Move, Record, Rng, Rules, Size, with_game,
};
use proptest::prelude::*;

use super::*;

fn game(text: &str) -> SgfGame {
    read(text.as_bytes(), &Options::default()).expect("a game")
}

fn refused(text: &str) -> String {
    refused_with(text, &Options::default())
}

fn refused_with(text: &str, options: &Options) -> String {
    read(text.as_bytes(), options).expect_err("refused").to_string()
}

/// Plays the file's moves; the number of plies and the final position's hash.
fn replay(game: &SgfGame) -> Result<(usize, u64), SgfError> {
    with_game!(&game.rules, G, rules => {
        let record = game.record::<G>(rules)?;
        Ok((record.plies().len(), record.position().hash()))
    })
}

fn go_komi(text: &str) -> i16 {
    match game(text).rules {
        Rules::Go(go) => go.komi(),
        other => panic!("{other:?}"),
    }
}

const FOX: &str = "(;GM[1]FF[4]  SZ[19]  GN[]  DT[2019-08-04]  PB[芈昱廷]  PW[申真谞]  BR[9段]  WR[9段]\
    KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RN[3]RE[B+R]TM[3600]TC[3]TT[60]AP[foxwq]RL[0]\n\
    ;B[pd];W[dp];B[pp];W[dd];B[qq])";

#[test]
fn a_game_of_the_fox_server_is_read() {
    let game = game(FOX);
    assert_eq!(game.black.as_deref(), Some("芈昱廷"));
    assert_eq!(game.result.as_deref(), Some("B+R"));
    assert_eq!(go_komi(FOX), 15);
    assert_eq!(game.plies[0], (Color::Black, Move::point(3 * 19 + 15)));
    assert_eq!(replay(&game).expect("legal").0, 5);
}

fn tree(text: &str) -> SgfTree {
    read_tree(text.as_bytes(), &Options::default()).expect("a game")
}

/// The game with its variations, written again.
fn rewritten(text: &str) -> String {
    let tree = tree(text);
    with_game!(&tree.game.rules, G, rules => {
        let (start, plies) = tree.played::<G>(rules).expect("legal");
        write_tree(&start, &plies, &Header::default())
    })
}

#[test]
fn variations_are_read_and_written_as_they_were() {
    let moves = ";B[cc](;W[gg];B[cg](;W[gc])(;W[ee]))(;W[ee];B[gg])";
    let tree = tree(&format!("(;GM[1]SZ[9]{moves})"));
    let told: Vec<usize> = tree.plies.iter().map(|ply| ply.before).collect();
    assert_eq!(told, [0, 1, 2, 3, 3, 1, 6]);
    assert_eq!(tree.game.plies.len(), 4, "the main line");
    let written = rewritten(&format!("(;GM[1]SZ[9]{moves})"));
    assert!(written.replace('\n', "").ends_with(&format!("{moves})")), "{written}");
    assert_eq!(rewritten(&written), written);
    // Variations from the first move on, and none at all.
    for moves in ["(;B[cc])(;B[gg];W[])", ";B[cc];W[gg]", ""] {
        let written = rewritten(&format!("(;GM[1]SZ[9]{moves})")).replace('\n', "");
        assert!(written.ends_with(&format!("]{moves})")), "{written}");
    }
}

#[test]
fn a_node_of_more_plies_than_a_game_has_is_refused_before_they_are_played() {
    let endless = format!("(;GM[1]SZ[9];B{})", "[]".repeat(game::NODES_MAX + 1));
    let refused = [
        read(endless.as_bytes(), &Options::default()).map(drop),
        read_tree(endless.as_bytes(), &Options::default()).map(drop),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(SgfError::TooManyNodes { .. })), "{refused:?}");
    }
}

#[test]
fn who_resigns_makes_no_ply() {
    let text = "(;FF[4]GM[11]SZ[13]RE[B];W[mf];B[gg];W[resign])";
    assert_eq!(game(text).plies.len(), 2);
}

#[test]
fn passes_are_put_in_and_left_out_in_variations_too() {
    // White can turn nothing after Black's first move, and the first variation says nothing of it; nobody can
    // after the second.
    let text = "(;GM[2]AB[aa][ah]AW[ba][bh]PL[B](;B[ca];B[ch])(;B[ca];W[];B[ch];W[]))";
    let written = tree(text);
    let (_, plies) = with_game!(&written.game.rules, G, rules => {
        let (_, plies) = written.played::<G>(rules).unwrap_or_else(|error| panic!("{error}"));
        ((), plies)
    });
    assert_eq!(plies[1].mv, Move::PASS, "{plies:?}");
    assert_eq!(plies.len(), 6);
}

#[test]
fn sides_that_disagree_after_two_passes_play_on() {
    let text = |moves: &str| format!("(;GM[1]SZ[9];B[ee];W[cc]{moves})");
    for (moves, plies) in [
        (";B[];W[];B[gg];W[cg]", 5),
        (";B[];W[];W[cg]", 4),
        // A third pass says nothing.
        (";B[];W[];B[];W[cg];B[gg]", 5),
        (";B[];W[];B[gg];W[];B[];W[cg]", 6),
        (";B[];W[];B[]", 4),
    ] {
        assert_eq!(replay(&game(&text(moves))).expect("legal").0, plies, "{moves}");
    }
    // Plies are counted as the file counts them.
    for (plies, kept) in [(3, 3), (4, 4), (5, 4), (6, 5)] {
        let options = Options { plies: Some(plies), ..Options::default() };
        let game = read(text(";B[];W[];B[gg];W[cg]").as_bytes(), &options).expect("a game");
        assert_eq!(replay(&game).expect("legal").0, kept, "after ply {plies}");
    }
    let refused = replay(&game(&text(";B[];W[];B[gg];W[gg]"))).expect_err("taken").to_string();
    assert!(refused.contains("ply 6 by white: illegal move G3"), "{refused}");
}

#[test]
fn a_pass_after_which_stones_follow_ends_no_line_of_a_tree() {
    let rewritten = |moves: &str| rewritten(&format!("(;GM[1]SZ[9]{moves})")).replace('\n', "");
    for (moves, expected) in [
        (";B[ee];W[cc];B[];W[];B[gg];W[cg]", ";B[ee];W[cc];B[];B[gg];W[cg]"),
        (";B[ee];W[];B[](;W[gg])(;B[cg])", ";B[ee];W[](;W[gg])(;B[cg])"),
        (";B[ee];W[];B[](;W[];B[cg])(;B[])", ";B[ee];W[];B[cg]"),
        // Where none follow it stays, and so does one that ends nothing.
        (";B[ee];W[](;B[])(;B[gg])", ";B[ee];W[](;B[])(;B[gg])"),
    ] {
        let written = rewritten(moves);
        assert!(written.ends_with(&format!("]{expected})")), "{moves}: {written}");
    }
}

#[test]
fn an_illegal_ply_of_a_variation_is_named_with_its_place() {
    let tree = tree("(;GM[1]SZ[9];B[ee]\n(;W[cc])\n(;W[gg];B[gg]))");
    let refused = with_game!(&tree.game.rules, G, rules => {
        tree.played::<G>(rules).map(drop).expect_err("taken").to_string()
    });
    assert!(refused.contains("line 3"), "{refused}");
}

#[test]
fn a_handicap_game_starts_from_its_stones_with_white_to_move() {
    let game = game("(;GM[1]SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee];B[cc];W[tt];B[])");
    assert_eq!(game.setup.len(), 2);
    assert_eq!(game.side_to_move, Color::White);
    assert_eq!(game.plies[2], (Color::White, Move::PASS));
    assert_eq!(replay(&game).expect("legal").0, 4);
}

#[test]
fn handicap_stones_that_are_only_counted_are_put_on_their_points() {
    let counted = game("(;GM[1]SZ[19]HA[4])");
    assert_eq!(counted.setup.len(), 4);
    assert_eq!(counted.side_to_move, Color::White);
    assert_eq!(go_komi("(;GM[1]SZ[19]HA[4])"), 1);
    let unsaid = Options { komi_unsaid: Some(-1), ..Options::default() };
    for (text, halves) in [("SZ[9]", -1), ("SZ[9]KM[5.5]", 11), ("SZ[19]HA[4]", 1)] {
        let read = read(format!("(;GM[1]{text})").as_bytes(), &unsaid).expect("a game");
        assert!(matches!(read.rules, Rules::Go(go) if go.komi() == halves), "{text}");
    }
    let played = game("(;GM[1]SZ[19]HA[2];B[pd];B[dp];W[dd])");
    assert!(played.setup.is_empty());
    assert_eq!(replay(&played).expect("legal").0, 3);
    // Nor where none of the plies is wanted.
    let start = Options { plies: Some(0), ..Options::default() };
    let start = read("(;GM[1]SZ[19]HA[2];B[pd];B[dp];W[dd])".as_bytes(), &start).expect("a game");
    assert!(start.setup.is_empty() && start.plies.is_empty());
    assert_eq!(start.side_to_move, Color::Black);
    assert_eq!(
        refused("(;GM[1]SZ[19]HA[200])"),
        "line 1, column 16: HA[200]: expected what a board of size 19 has room for"
    );
}

#[test]
fn a_problem_with_rectangles_and_a_told_side_is_set_up() {
    let game = game("(;SZ[9];AB[aa:cc]AW[dd:ed][ii];AE[bb]PL[W];W[bb])");
    assert_eq!(game.setup.len(), 8 + 3);
    assert_eq!(game.side_to_move, Color::White);
    assert!(!game.setup.contains(&(Color::Black, Move::point(10))));
}

#[test]
fn othello_may_leave_out_its_forced_passes() {
    let record = record_with_a_pass();
    let with = write_sgf(&record, &Header::default());
    let pass = with.find("[]").expect("a pass is written");
    let without = format!("{}{}", &with[..pass - 2], &with[pass + 2..]);
    let (long, short) = (game(&with), game(&without));
    assert_eq!(long.plies.len(), short.plies.len() + 1);
    assert_eq!(replay(&long), replay(&short));
}

fn record_with_a_pass() -> Record<banyan_games::othello::Othello> {
    for seed in 0.. {
        let record = random_record(&Default::default(), seed, 60);
        let passes = record.plies().iter().filter(|ply| ply.1.is_pass()).count();
        if passes == 1 && record.plies().last().is_some_and(|ply| !ply.1.is_pass()) {
            return record;
        }
    }
    unreachable!()
}

#[test]
fn othello_in_its_own_notation_is_read() {
    let game = game("(;GM[2]SZ[8];B[f5];W[d6];B[C3])");
    assert_eq!(game.plies[0].1, Move::point(4 * 8 + 5));
    assert_eq!(replay(&game).expect("legal").0, 3);
}

#[test]
fn a_file_that_names_no_game_is_of_the_one_that_is_meant() {
    let unsaid = Options { kind_unsaid: Some(Kind::Gomoku), ..Options::default() };
    let kind = |text: &str| read(text.as_bytes(), &unsaid).expect("a game").rules.kind();
    assert_eq!(kind("(;SZ[15];B[hh])"), Kind::Gomoku);
    assert_eq!(kind("(;GM[1]SZ[15];B[hh])"), Kind::Go);
}

#[test]
fn gomoku_and_connect6_are_told_by_number_or_by_the_caller() {
    let gomoku = game("(;GM[4]SZ[15:13];B[hh];W[ii])");
    assert_eq!(gomoku.rules.kind(), Kind::Gomoku);
    let connect6 = game("(;GM[511]SZ[19];B[JJ];W[IIKK];B[HH];B[GG])");
    assert_eq!(connect6.rules.kind(), Kind::Connect6);
    assert_eq!(replay(&connect6).expect("legal").0, 5);
    let asked = Options { kind: Some(Kind::Connect6), ..Options::default() };
    for number in ["", "GM[1]", "GM[4]", "GM[77]"] {
        let text = format!("(;{number}SZ[19];B[jj];W[ii];W[kk])");
        let read = read(text.as_bytes(), &asked).expect("a game");
        assert_eq!(read.rules.kind(), Kind::Connect6, "{number}");
    }
    assert_eq!(
        refused_with("(;GM[2];B[dc])", &asked),
        "line 1, column 5: the file holds a game of othello, not of connect6"
    );
    assert_eq!(
        refused("(;GM[77])"),
        "line 1, column 5: GM[77] is a game that is not known here: say which one with --game"
    );
}

#[test]
fn a_position_in_the_middle_is_the_one_after_that_many_plies() {
    let after = |plies| Options { plies: Some(plies), ..Options::default() };
    let text = "(;SZ[9]AB[aa];W[bb];B[cc];AB[dd];W[q!])";
    let at = |plies| read(text.as_bytes(), &after(plies)).expect("a game");
    assert_eq!((at(0).setup.len(), at(0).plies.len()), (1, 0));
    assert_eq!(at(1).plies, [(Color::White, Move::point(10))]);
    assert_eq!(at(2).plies.len(), 2);
    assert_eq!(
        refused_with("(;SZ[9];B[aa])", &after(3)),
        "the main line has 1 plies, asked for the position after ply 3"
    );
}

#[test]
fn errors_name_the_place_and_the_value() {
    for (text, message) in [
        ("(;SZ[1O])", "line 1, column 5: SZ[1O]: expected a size such as 19 or 19:13"),
        (
            "(;SZ[19:13])",
            "line 1, column 5: go is not played on a board of 19x13: expected a square board",
        ),
        (
            "(;SZ[52])",
            "line 1, column 5: go is not played on a board of 52x52: expected a square of 2 to 25",
        ),
        (
            "(;KM[six])",
            "line 1, column 5: KM[six]: expected a multiple of a half point, such as 7.5",
        ),
        (
            "(;SZ[9]\n;B[aa]\n;W[zz])",
            "line 3, column 3: W[zz]: expected a point of the board of size 9",
        ),
        ("(;SZ[9]PL[?])", "line 1, column 10: PL[?]: expected B or W"),
        (
            "(;SZ[9];B[aa];AW[bb])",
            "line 1, column 17: AW puts or takes stones after ply 1: only possible before the first",
        ),
        (
            "(;SZ[9];B[aa]",
            "line 1, column 14: expected ';', '(', ')' or a property, found the end of the file",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
}

#[test]
fn an_illegal_move_names_its_ply_and_place() {
    let twice = game("(;SZ[9];B[aa]\n;W[aa])");
    let error = replay(&twice).expect_err("illegal");
    assert_eq!(error.to_string(), "line 2, column 3: ply 2 by white: illegal move A9");
    assert!(matches!(error, SgfError::Illegal { source: IllegalMove::Illegal(_), ply: 2, .. }));
    let crowded = game("(;SZ[2]AB[aa][ab][ba][bb]PL[W])");
    let error = replay(&crowded).expect_err("no liberty").to_string();
    assert!(error.starts_with("line 1, column 10: the group at"), "{error}");
}

/// A game of random candidate moves, at most `plies` of them.
fn random_record<G: Game>(rules: &G::Rules, seed: u64, plies: u32) -> Record<G> {
    let mut rng = Rng::from_seed(seed);
    let mut record = Record::new(rules);
    for _ in 0..plies {
        let moves = record.candidates();
        if moves.is_empty() {
            break;
        }
        record.play(moves[rng.below(moves.len() as u32) as usize]).expect("a candidate is legal");
    }
    record
}

fn reads_back<G: Listed>(rules: &G::Rules, seed: u64, plies: u32) {
    let record: Record<G> = random_record(rules, seed, plies);
    let header = Header {
        black: Some(r"a]b\c:d é".to_owned()),
        white: None,
        comment: Some("two\nlines]".to_owned()),
        ..Header::default()
    };
    let text = write_sgf(&record, &header);
    let game = read(text.as_bytes(), &Options::default()).expect(&text);
    assert_eq!(game.rules, rules.clone().into());
    assert_eq!(game.black, header.black);
    let again = game.record::<G>(rules).expect(&text);
    assert_eq!(again.plies(), record.plies());
    assert_eq!(again.position().hash(), record.position().hash());
}

fn rules_of_all() -> impl Strategy<Value = Rules> {
    use banyan_games::{connect6::*, go::*, gomoku::*, hex::*, othello::*};
    prop_oneof![
        (2u32..=25, -2000i16..=2000)
            .prop_map(|(n, komi)| GoRules::new(n, komi).expect("ok").into()),
        Just(OthelloRules.into()),
        (5u32..=25, 5u32..=25, 0..3usize).prop_map(|(w, h, variant)| {
            GomokuRules::new(w, h, Variant::ALL[variant]).expect("ok").into()
        }),
        (6u32..=25).prop_map(|n| Connect6Rules::new(n).expect("ok").into()),
        (2u32..=25).prop_map(|n| HexRules::new(n).expect("ok").into()),
    ]
}

/// Reads and, where that works, replays: nothing may panic.
fn swallow(bytes: &[u8]) {
    if let Ok(game) = read(bytes, &Options::default()) {
        let _ = replay(&game);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_reads_back(rules in rules_of_all(), seed: u64, plies in 0u32..120) {
        with_game!(&rules, G, known => reads_back::<G>(known, seed, plies));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        swallow(&bytes);
        let mut begun = b"(;GM[1]SZ[9]".to_vec();
        begun.extend(bytes);
        swallow(&begun);
    }

    #[test]
    fn no_text_of_the_formats_own_letters_panics(text in r"[\[\]\\();:abtBWAEGMSZHKPL0-9]{0,60}") {
        swallow(format!("(;{text})").as_bytes());
        swallow(format!("(;GM[511]{text})").as_bytes());
    }

    #[test]
    fn no_damaged_file_panics(
        from in 0usize..FOX.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..8),
        dropped in 0usize..8,
    ) {
        let mut damaged = FOX.as_bytes().to_vec();
        let to = (from + dropped).min(damaged.len());
        damaged.splice(from..to, bytes);
        swallow(&damaged);
    }
}

#[test]
fn a_set_up_position_reads_back() {
    let rules = banyan_games::go::GoRules::new(9, 15).expect("rules");
    let size = Size::square(9);
    let stones = [(Color::Black, Move::point(0)), (Color::White, Move::point(size.area() - 1))];
    let mut record: Record<banyan_games::go::Go> =
        Record::set_up(&rules, &stones, Color::White).expect("set up");
    record.play(Move::point(40)).expect("legal");
    let game = game(&write_sgf(&record, &Header::default()));
    assert_eq!(game.side_to_move, Color::White);
    let again = game.record::<banyan_games::go::Go>(&rules).expect("legal");
    assert_eq!(again.position().hash(), record.position().hash());
}
