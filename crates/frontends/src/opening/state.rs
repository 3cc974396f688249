//! State of an opening: who is to decide what, and what a decision does to the game.

use banyan_engine::Playable;
use banyan_games::record::IllegalMove;
use banyan_games::{Color, Move, Record};

use super::decision::{Decision, Party, Rule, Step};
use super::symmetry;

/// Reasons why a decision does not stand. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// It is not what the opening asks for.
    #[error("the opening asks for something else: expected {expected}")]
    Unexpected {
        /// The decision that it asks for.
        expected: String,
    },
    /// A stone that cannot be played.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// Two fifth moves of which a symmetry of the board makes one.
    #[error(
        "{first} and {second} are one move by a symmetry of the board: expected two that differ"
    )]
    Symmetric {
        /// The first point in words.
        first: String,
        /// The second point in words.
        second: String,
    },
    /// White keeps what Black did not offer.
    #[error("{point} was not offered: expected {} or {}", offered[0], offered[1])]
    NotOffered {
        /// The point in words.
        point: String,
        /// The points that were.
        offered: [String; 2],
    },
}

/// Decisions so far, as far as they matter for what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begun,
    /// Three stones lie, or five.
    Laid(Party),
    /// In an opening that goes on, Black and White are known.
    Taken,
    Offered([Move; 2]),
    Over,
}

/// One game's opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    rule: Rule,
    stage: Stage,
    /// The colour of the first party, once it is known.
    first: Option<Color>,
}

impl Opening {
    /// The opening of a game without a stone.
    pub fn new(rule: Rule) -> Opening {
        let stage = if rule == Rule::None { Stage::Over } else { Stage::Begun };
        Opening { rule, stage, first: None }
    }

    /// The same rule where the game is past its opening.
    pub fn ended(self) -> Opening {
        Opening { stage: Stage::Over, ..self }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The next step in a game of so many plies.
    pub fn step(&self, plies: usize) -> Step {
        match self.stage {
            Stage::Begun => Step::Lay,
            Stage::Laid(Party::Second) if self.rule == Rule::Swap2 => Step::TakeOrAdd,
            Stage::Laid(party) => Step::Take(party),
            Stage::Taken if plies < 4 => Step::Fourth,
            Stage::Taken => Step::Offer,
            Stage::Offered(points) => Step::Keep(points),
            Stage::Over => Step::Over,
        }
    }

    /// The player that decides or plays next, and what, in a few words: `second take`, `black offer`,
    /// `over`.
    pub fn status(&self, plies: usize) -> &'static str {
        match self.step(plies) {
            Step::Lay => "first lay",
            Step::TakeOrAdd => "second take or add",
            Step::Take(Party::First) => "first take",
            Step::Take(Party::Second) => "second take",
            Step::Fourth => "white play",
            Step::Offer => "black offer",
            Step::Keep(_) => "white keep",
            Step::Over => "over",
        }
    }

    /// Tells whether decisions were made, which cannot be taken back.
    pub fn has_decided(&self) -> bool {
        // Where an opening ended by decisions, colours were taken.
        !matches!(self.stage, Stage::Begun | Stage::Over) || self.first.is_some()
    }

    /// The colour of a party, once it is known.
    pub fn color(&self, party: Party) -> Option<Color> {
        match party {
            Party::First => self.first,
            Party::Second => self.first.map(|first| !first),
        }
    }

    /// Makes a decision of the party whose step it is, and plays the stones that it puts on the board.
    ///
    /// # Errors
    /// [`OpeningError`]; opening and record are as before.
    pub fn decide<G: Playable>(
        &mut self,
        decision: Decision,
        record: &mut Record<G>,
    ) -> Result<(), OpeningError> {
        let step = self.step(record.plies().len());
        let position = record.position();
        match (step, decision) {
            (Step::Lay, Decision::Lay(points)) => {
                *record = with_stones(record, &points)?;
                self.stage = Stage::Laid(Party::Second);
            }
            (Step::TakeOrAdd, Decision::Add(points)) => {
                *record = with_stones(record, &points)?;
                self.stage = Stage::Laid(Party::First);
            }
            (Step::TakeOrAdd, Decision::Take(color)) => self.take(Party::Second, color),
            (Step::Take(party), Decision::Take(color)) => self.take(party, color),
            (Step::Offer, Decision::Offer(points)) => {
                check_offer(record, points)?;
                self.stage = Stage::Offered(points);
            }
            (Step::Keep(offered), Decision::Keep(point)) => {
                if !offered.contains(&point) {
                    let point = position.move_text(point);
                    let offered = offered.map(|mv| position.move_text(mv));
                    return Err(OpeningError::NotOffered { point, offered });
                }
                *record = with_stones(record, &[point])?;
                self.stage = Stage::Over;
            }
            _ => return Err(OpeningError::Unexpected { expected: step.wanted(position) }),
        }
        Ok(())
    }

    fn take(&mut self, party: Party, color: Color) {
        self.first = Some(if party == Party::First { color } else { !color });
        self.stage = if self.rule == Rule::TwoFifths { Stage::Taken } else { Stage::Over };
    }
}

/// The game with these stones more.
pub(super) fn with_stones<G: Playable>(
    record: &Record<G>,
    points: &[Move],
) -> Result<Record<G>, IllegalMove> {
    let mut record = record.clone();
    points.iter().try_for_each(|&point| record.play(point))?;
    Ok(record)
}

/// Tells whether both points may be played, and are two moves and not one.
fn check_offer<G: Playable>(record: &Record<G>, points: [Move; 2]) -> Result<(), OpeningError> {
    for point in points {
        with_stones(record, &[point])?;
    }
    let position = record.position();
    if symmetry::are_one(position, points[0], points[1]) {
        let [first, second] = points.map(|mv| position.move_text(mv));
        return Err(OpeningError::Symmetric { first, second });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    fn record() -> Record<Gomoku> {
        Record::new(&GomokuRules::new(15, 15, Variant::Renju).expect("rules"))
    }

    /// A game opened by these words, each of which must stand; `play` is an ordinary move.
    fn opened(rule: Rule, words: &[&str]) -> (Opening, Record<Gomoku>) {
        let (mut opening, mut record) = (Opening::new(rule), record());
        for words in words {
            match words.strip_prefix("play ") {
                Some(point) => {
                    let mv = record.position().parse_move(point).expect("a point");
                    record.play(mv).expect("legal");
                }
                None => decide(&mut opening, &mut record, words).expect(words),
            }
        }
        (opening, record)
    }

    fn decide(
        opening: &mut Opening,
        record: &mut Record<Gomoku>,
        words: &str,
    ) -> Result<(), OpeningError> {
        let decision = Decision::parse(words, record.position()).expect(words);
        opening.decide(decision, record)
    }

    fn refused(rule: Rule, words: &[&str], last: &str) -> String {
        let (mut opening, mut record) = opened(rule, words);
        let (before, plies) = (opening, record.plies().to_vec());
        let error = decide(&mut opening, &mut record, last).expect_err(last);
        assert_eq!((opening, record.plies()), (before, &plies[..]), "nothing has changed");
        error.to_string()
    }

    #[test]
    fn without_a_rule_there_is_nothing_to_decide() {
        let opening = Opening::new(Rule::None);
        assert_eq!(opening.step(0), Step::Over);
        assert!(!opening.has_decided());
        let expected = "the opening asks for something else: expected an ordinary move";
        assert_eq!(refused(Rule::None, &[], "take black"), expected);
    }

    #[test]
    fn a_swap_is_three_stones_and_a_colour() {
        let (opening, record) = opened(Rule::Swap, &["lay h8 h9 j10"]);
        assert_eq!(opening.step(3), Step::Take(Party::Second));
        let colors: Vec<Color> = record.plies().iter().map(|&(color, _)| color).collect();
        assert_eq!(colors, [Color::Black, Color::White, Color::Black]);
        for (word, second) in [("take black", Color::Black), ("take white", Color::White)] {
            let (opening, _) = opened(Rule::Swap, &["lay h8 h9 j10", word]);
            assert_eq!(opening.step(3), Step::Over);
            assert_eq!(opening.color(Party::Second), Some(second));
            assert_eq!(opening.color(Party::First), Some(!second));
        }
        let asked = "the opening asks for something else: expected take black or take white";
        assert_eq!(refused(Rule::Swap, &["lay h8 h9 j10"], "add a1 b1"), asked);
    }

    #[test]
    fn swap2_leaves_the_choice_to_the_first_party_after_two_stones_more() {
        let (opening, record) = opened(Rule::Swap2, &["lay h8 h9 j10", "add g7 f6"]);
        assert_eq!(record.plies().len(), 5);
        assert_eq!(opening.step(5), Step::Take(Party::First));
        let (opening, _) = opened(Rule::Swap2, &["lay h8 h9 j10", "add g7 f6", "take white"]);
        assert_eq!(
            (opening.step(5), opening.color(Party::First)),
            (Step::Over, Some(Color::White))
        );
        let asked = "the opening asks for something else: expected take black or take white";
        assert_eq!(refused(Rule::Swap2, &["lay h8 h9 j10", "add g7 f6"], "add a1 b1"), asked);
    }

    #[test]
    fn of_two_fifth_moves_one_is_played() {
        let words = ["lay h8 h9 j10", "take white", "play g7", "offer f6 k8"];
        let (opening, record) = opened(Rule::TwoFifths, &words);
        assert_eq!(record.plies().len(), 4, "what is offered does not lie on the board");
        assert!(matches!(opening.step(4), Step::Keep(_)));
        let kept = [&words[..], &["keep k8"]].concat();
        let (opening, record) = opened(Rule::TwoFifths, &kept);
        assert_eq!(opening.step(5), Step::Over);
        let (color, mv) = record.plies()[4];
        assert_eq!((color, record.position().move_text(mv).as_str()), (Color::Black, "k8"));
        let asked = "a1 was not offered: expected f6 or k8";
        assert_eq!(refused(Rule::TwoFifths, &words, "keep a1"), asked);
        let asked = "the opening asks for something else: expected an ordinary move of white";
        assert_eq!(refused(Rule::TwoFifths, &words[..2], "offer f6 k8"), asked);
    }

    #[test]
    fn fifth_moves_that_are_one_by_a_symmetry_are_refused() {
        // All four stones in the middle column: left and right of it are the same.
        let words = ["lay h8 h9 h10", "take black", "play h7"];
        let expected =
            "g6 and i6 are one move by a symmetry of the board: expected two that differ";
        assert_eq!(refused(Rule::TwoFifths, &words, "offer g6 i6"), expected);
        assert!(refused(Rule::TwoFifths, &words, "offer g6 g6").starts_with("g6 and g6 are one"));
        assert!(refused(Rule::TwoFifths, &words, "offer g6 h8").starts_with("illegal move h8"));
        let (opening, _) = opened(Rule::TwoFifths, &[&words[..], &["offer g6 i5"]].concat());
        assert!(matches!(opening.step(4), Step::Keep(_)));
    }

    #[test]
    fn stones_on_one_point_are_refused() {
        assert_eq!(refused(Rule::Swap, &[], "lay h8 h8 j10"), "illegal move h8");
        assert_eq!(refused(Rule::Swap2, &["lay h8 h9 j10"], "add a1 j10"), "illegal move j10");
    }
}
