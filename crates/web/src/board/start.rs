//! Start of a game on a page: rules, stones, plies of a file.

use banyan_engine::Playable;
use banyan_games::go::GoRules;
use banyan_games::{Color, Kind, Move, Record, Rules, Terms, with_game};
use banyan_knowledge::judges::size_of;
use banyan_records::sgf::{SgfError, TreePly};
use banyan_records::{ggf, sgf};

use super::ask::{Opening, Side};
use super::tree::NODES_MAX;

/// Plies that a file may bring: the start is kept beside them.
const PLIES_MAX: usize = NODES_MAX - 1;

/// A game to begin with.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub rules: Rules,
    pub setup: Vec<(Color, Move)>,
    /// The side to move first, where there are stones.
    pub side: Color,
    pub plies: Vec<TreePly>,
    /// What the file says of the game besides.
    pub header: sgf::Header,
    /// Notice to give about it.
    pub notice: Option<String>,
}

impl Start {
    /// A new game by rules.
    pub fn of(rules: Rules) -> Start {
        let (setup, plies, header) = (Vec::new(), Vec::new(), sgf::Header::default());
        Start { rules, setup, side: Color::Black, plies, header, notice: None }
    }

    /// The game that was asked for.
    ///
    /// # Errors
    /// Says what is no game, or no board of it.
    pub fn asked(opening: &Opening) -> Result<Start, String> {
        let kind = opening.kind()?;
        let mut terms = Terms { variant: opening.variant()?, ..Terms::of(kind) };
        if let Some([width, height]) = opening.sides(kind)? {
            terms = Terms { width, height, ..terms };
        }
        if let Some(komi) = opening.komi {
            terms.komi = GoRules::komi_from_points(komi).map_err(|error| error.to_string())?;
        }
        Ok(Start::of(Rules::new(kind, terms).map_err(|error| error.to_string())?))
    }

    /// The game of a file: SGF with its variations, or GGF.
    ///
    /// - `shown`: the game that is meant where the file does not say, and its variant.
    ///
    /// # Errors
    /// Names the place in the file that is wrong.
    pub fn loaded(text: &str, shown: &Rules) -> Result<Start, String> {
        let is_ggf = text.contains("GM[Othello]");
        if is_ggf {
            let record = ggf::read(text).map_err(|error| error.to_string())?;
            let property = |key| ggf::property(text, key).map(str::to_owned);
            let (black, white, date) = (property("PB"), property("PW"), property("DT"));
            let result = ggf::result(text);
            let header = sgf::Header { black, white, result, date, comment: None };
            return Ok(Start { header, ..Start::after(&record, line(record.plies())) });
        }
        // A text is decoded already, whatever its CA says: a mark goes before that.
        let text = &format!("\u{feff}{text}");
        let variant = match shown {
            Rules::Gomoku(rules) => Some(rules.variant()),
            _ => None,
        };
        // What the file says goes first: a page may show another game when a file is dropped on it.
        let kind = Some(shown.kind());
        let said = sgf::Options { kind_unsaid: kind, variant, ..sgf::Options::default() };
        let meant = sgf::Options { kind, ..said.clone() };
        // Where it names none, the format means Go.
        let plain = sgf::Options { kind_unsaid: None, ..said.clone() };
        let (game, options) = match sgf::read(text.as_bytes(), &said) {
            Ok(game) => (game, said),
            // It is not the game meant either: chess is no Go on a board of 8x8.
            Err(SgfError::UnknownGame { at, number }) => {
                let games = Kind::ALL.map(Kind::title).join(", ");
                return Err(format!("{at}: GM[{number}] is none of the games here: {games}"));
            }
            Err(_) => match sgf::read(text.as_bytes(), &meant) {
                Ok(game) => (game, meant),
                Err(why) => {
                    (sgf::read(text.as_bytes(), &plain).map_err(|_| why.to_string())?, plain)
                }
            },
        };
        with_game!(&game.rules, G, rules => {
            let record = game.record::<G>(rules).map_err(|error| error.to_string())?;
            let main = line(record.plies());
            let (plies, notice) = match variations::<G>(text, &options, rules) {
                Ok(plies) => (plies, None),
                Err(why) => (main, Some(format!("the main line alone is shown: {why}"))),
            };
            let sgf::SgfGame { black, white, result, date, .. } = game.clone();
            let header = sgf::Header { black, white, result, date, comment: None };
            Ok(Start { header, notice, ..Start::after(&record, plies) })
        })
    }

    /// A game that goes on from where a record began.
    fn after<G: Playable>(record: &Record<G>, plies: Vec<TreePly>) -> Start {
        let start = record.start();
        let rules = start.rules().clone().into();
        let (setup, side) = (record.setup().to_vec(), start.side_to_move());
        Start { rules, setup, side, plies, header: sgf::Header::default(), notice: None }
    }

    /// The same rules with other stones.
    ///
    /// # Errors
    /// Says how many letters there should be.
    pub fn set_up(rules: Rules, stones: &str, side: Side) -> Result<Start, String> {
        let mut setup = Vec::new();
        let (letters, points) = (stones.chars().count(), size_of(&rules).area());
        if letters != points {
            return Err(format!("{letters} letters: expected {points}, X, O or . for each point"));
        }
        for (at, letter) in stones.chars().enumerate() {
            match letter {
                'X' => setup.push((Color::Black, Move::point(at))),
                'O' => setup.push((Color::White, Move::point(at))),
                '.' => {}
                other => return Err(format!("'{other}' is no stone: expected X, O or .")),
            }
        }
        let side = side.into();
        if setup.is_empty() && side == Color::White {
            return Err("Black begins on an empty board".to_owned());
        }
        Ok(Start { setup, side, ..Start::of(rules) })
    }

    /// The position before the first ply.
    ///
    /// # Errors
    /// Names the stone that cannot stand.
    pub fn record<G: Playable>(&self, rules: &G::Rules) -> Result<Record<G>, String> {
        Record::set_up(rules, &self.setup, self.side).map_err(|error| error.to_string())
    }
}

/// All plies of a file.
///
/// # Errors
/// Says what keeps a variation from being played.
fn variations<G: Playable>(
    text: &str,
    options: &sgf::Options,
    rules: &G::Rules,
) -> Result<Vec<TreePly>, String> {
    let tree = sgf::read_tree(text.as_bytes(), options).map_err(|error| error.to_string())?;
    if tree.plies.len() > PLIES_MAX {
        return Err(format!(
            "the file has {} plies with its variations, a board keeps {PLIES_MAX}",
            tree.plies.len()
        ));
    }
    tree.played::<G>(rules).map(|(_, plies)| plies).map_err(|error| error.to_string())
}

/// Plies without variations.
fn line(plies: &[(Color, Move)]) -> Vec<TreePly> {
    let plies = plies.iter().enumerate();
    plies.map(|(before, &(color, mv))| TreePly { before, color, mv }).collect()
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;

    fn asked(game: &str, size: Option<f64>) -> Result<Start, String> {
        let (game, komi, rules) = (game.to_owned(), None, None);
        Start::asked(&Opening { game, size, height: None, komi, rules })
    }

    #[test]
    fn every_game_can_be_asked_for_and_a_wrong_board_is_refused() {
        for kind in Kind::ALL {
            assert_eq!(asked(kind.name(), None).expect("a game").rules.kind(), kind);
        }
        assert_eq!(asked("chess", None).expect_err("none of ours"), "'chess' is no game");
        for (size, words) in [
            (30.0, "go is not played on a board of 30x30: expected a square of 2 to 25"),
            (0.0, "go is not played on a board of 0x0: expected a square of 2 to 25"),
            (2.5, "go is not played on a board of size 2.5: expected a whole number, such as 9"),
            (-9.0, "go is not played on a board of size -9: expected a whole number, such as 9"),
        ] {
            assert_eq!(asked("go", Some(size)).expect_err("no size"), words);
        }
    }

    #[test]
    fn a_board_may_have_another_height() {
        let (game, size, height) = ("gomoku".to_owned(), Some(15.0), Some(12.0));
        let asked = Start::asked(&Opening { game, size, height, komi: None, rules: None });
        let wanted = GomokuRules::new(15, 12, Variant::Freestyle).expect("a size");
        assert_eq!(asked.expect("a board").rules, wanted.into());
    }

    #[test]
    fn names_date_and_result_of_a_file_are_kept() {
        let go = asked("go", None).expect("a game").rules;
        let text = "(;GM[1]SZ[9]PB[Ann]PW[Bob]RE[W+R]DT[2020-01-02];B[ee];W[cc])";
        let header = Start::loaded(text, &go).expect("a game").header;
        let found = [header.black, header.white, header.result, header.date];
        assert_eq!(found.map(Option::unwrap_or_default), ["Ann", "Bob", "W+R", "2020-01-02"]);
        let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
        let text = format!("(;GM[Othello]PB[Ann]PW[Bob]RE[-10]DT[2014]{board}B[F5];)");
        let header = Start::loaded(&text, &go).expect("a game").header;
        let found = [header.black, header.white, header.result, header.date];
        assert_eq!(found.map(Option::unwrap_or_default), ["Ann", "Bob", "W+10", "2014"]);
    }

    #[test]
    fn black_begins_on_an_empty_board() {
        let rules = asked("go", Some(7.0)).expect("a board").rules;
        let set_up = |stones: &str, side| Start::set_up(rules.clone(), stones, side);
        let empty = ".".repeat(49);
        let why = set_up(&empty, Side::White).expect_err("nobody has moved");
        assert_eq!(why, "Black begins on an empty board");
        assert!(set_up(&empty, Side::Black).is_ok());
        assert!(set_up(&empty.replacen('.', "X", 1), Side::White).is_ok());
        for stones in ["X".to_owned(), ".".repeat(50)] {
            let why = set_up(&stones, Side::Black).expect_err("another board's");
            assert!(why.ends_with("letters: expected 49, X, O or . for each point"), "{why}");
        }
    }

    #[test]
    fn files_are_read_as_the_game_that_they_say() {
        let [go_9, othello] =
            ["go", "othello"].map(|name| asked(name, None).expect("a board").rules);
        let go = Start::loaded("(;GM[1]SZ[9];B[ee];W[cc])", &othello).expect("a game");
        assert_eq!((go.rules.kind(), go.plies.len()), (Kind::Go, 2));
        let chess = Start::loaded("(;GM[3]SZ[8];B[ee])", &go_9).expect_err("none of these");
        assert!(chess.starts_with("line 1, column 5: GM[3] is none of the games here"), "{chess}");
        let text = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------\
                    ------------------- *]B[F5]W[D6];)";
        let othello = Start::loaded(text, &go_9).expect("a game");
        assert_eq!((othello.rules.kind(), othello.plies.len()), (Kind::Othello, 2));
        let varied = Start::loaded("(;GM[1]SZ[9];B[ee](;W[cc])(;W[gg];B[cc]))", &go_9);
        let varied = varied.expect("a game");
        assert_eq!((varied.plies.len(), varied.plies[2].before, varied.notice), (4, 1, None));
        // The sides passed, disagreed and played on: the page shows what they came to.
        let resumed = Start::loaded("(;GM[1]SZ[9];B[ee];W[];B[];W[cc];B[gg])", &go_9);
        let resumed = resumed.expect("a game");
        let line: Vec<usize> = resumed.plies.iter().map(|ply| ply.before).collect();
        assert_eq!((line, resumed.notice), (vec![0, 1, 2, 3], None));
        let wrong = Start::loaded("(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee]))", &go_9).expect("a line");
        let notice = wrong.notice.expect("something is wrong");
        assert!(notice.starts_with("the main line alone is shown: line 1"), "{notice}");
        assert_eq!(wrong.plies.len(), 2);
        let many = format!("(;GM[1]SZ[9]{})", "(;B[aa])".repeat(NODES_MAX));
        let notice = Start::loaded(&many, &go_9).expect("a line").notice.expect("too many");
        assert!(notice.ends_with("4096 plies with its variations, a board keeps 4095"), "{notice}");
        // What it does not say is as on the page.
        let renju = asked("gomoku", None).expect("a board").rules;
        let Rules::Gomoku(gomoku) = &renju else { panic!("not Gomoku") };
        let renju = GomokuRules::new(15, 15, Variant::Renju).expect("a board");
        assert_ne!(*gomoku, renju);
        let unsaid = Start::loaded("(;SZ[15];B[hh];W[hi])", &renju.clone().into()).expect("a game");
        assert_eq!((unsaid.rules, unsaid.plies.len()), (renju.into(), 2));
        let go_19 = Start::loaded("(;SZ[19];B[pd];W[dp])", &othello.rules).expect("a game");
        assert_eq!((go_19.rules.kind(), go_19.plies.len()), (Kind::Go, 2));
        let white = Start::loaded("(;GM[4]SZ[15];W[hh];B[hi])", &go_9).expect("a game");
        let Rules::Gomoku(rules) = &white.rules else { panic!("not Gomoku") };
        let record = white.record::<Gomoku>(rules).expect("an empty board");
        assert_eq!(record.start().side_to_move(), Color::White);
        // What it says of its encoding was true of the file.
        let text = "(;GM[1]SZ[9]CA[GB18030]PB[芈昱廷]KM[6.5];B[ee])";
        let Rules::Go(rules) = Start::loaded(text, &go_9).expect("a game").rules else {
            panic!("not Go")
        };
        assert_eq!(rules.komi(), 13);
        let wrong = Start::loaded("(;GM[1]SZ[9];B[ee];W[ee])", &go_9).expect_err("illegal");
        assert!(wrong.contains("line 1"), "{wrong}");
    }
}
