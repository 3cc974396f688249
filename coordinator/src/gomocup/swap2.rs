//! The opening swap2 in this protocol's words, which say the stones that lie and not who decided what.
//!
//! What is decided is the work of [`crate::opening`].

use std::io::Write;

use banyan_games::gomoku::Gomoku;
use banyan_games::{Color, Move, Record};

use super::Gomocup;
use super::text::{self, Fault};
use crate::opening::choice::{self, Thinker, Thought};
use crate::opening::{Decision, Opening, Rule};

impl<W: Write> Gomocup<W> {
    /// The decision that falls to us once these stones lie: where a colour is taken, White by playing
    /// her move, Black by `SWAP`.
    pub(super) fn swap2_board(&mut self) -> Result<String, Fault> {
        let stones = self.stones()?;
        self.ready()?;
        let points: Vec<Move> = stones.iter().map(|stone| stone.point).collect();
        let (opening, record) = self.opened(&points)?;
        match choice::choose(&opening, &record, self) {
            Some(Decision::Lay(points)) => {
                let size = self.rules.size();
                Ok(points.map(|mv| text::point(mv, size)).join(" "))
            }
            Some(Decision::Take(color)) => {
                *self.session.record_mut() = record;
                if color == Color::Black { Ok("SWAP".to_owned()) } else { self.move_of_our_own() }
            }
            _ => Err(Fault::Size(self.rules.size().to_string())),
        }
    }

    /// The opening of a game in which these stones lie.
    fn opened(&self, points: &[Move]) -> Result<(Opening, Record<Gomoku>), Fault> {
        let (mut opening, mut record) = (Opening::new(Rule::Swap2), Record::new(&self.rules));
        let decisions = match *points {
            [] => vec![],
            [a, b, c] => vec![Decision::Lay([a, b, c])],
            [a, b, c, d, e] => vec![Decision::Lay([a, b, c]), Decision::Add([d, e])],
            _ => return Err(Fault::Swap2(points.len())),
        };
        decisions.into_iter().try_for_each(|decision| opening.decide(decision, &mut record))?;
        Ok((opening, record))
    }
}

impl<W: Write> Thinker<Gomoku> for Gomocup<W> {
    fn think(&mut self, record: &Record<Gomoku>, among: Vec<Move>, parts: u32) -> Thought {
        let before = std::mem::replace(self.session.record_mut(), record.clone());
        let report = Gomocup::think(self, among, parts);
        *self.session.record_mut() = before;
        let best = report.candidates.first();
        let any = || record.candidates().first().copied().unwrap_or(Move::PASS);
        best.map_or_else(
            || Thought { mv: any(), value: 0.5 },
            |best| Thought { mv: best.mv, value: best.value },
        )
    }
}
