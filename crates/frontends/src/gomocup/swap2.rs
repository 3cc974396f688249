//! The opening swap2 in this protocol's words, which say the stones that lie and not who decided what.
//!
//! What is decided is the work of [`crate::opening`].

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Move, Record};

use super::engine::Engine;
use super::text::{self, Fault};
use crate::opening::choice::{self, Opinion, Thinker};
use crate::opening::{Decision, Opening, Rule};

/// `SWAP2BOARD` and the lines up to `DONE`: the decision that falls to us once these stones lie. Where
/// a colour is taken, White by playing her move, Black by `SWAP`.
pub(super) fn board(engine: &mut Engine) -> Result<String, Fault> {
    let stones = engine.stones()?;
    engine.ready()?;
    let points: Vec<Move> = stones.iter().map(|stone| stone.point).collect();
    let (opening, record) = opened(engine.rules(), &points)?;
    let size = engine.rules().size();
    match choice::choose(&opening, &record, engine) {
        Some(Decision::Lay(points)) => Ok(points.map(|mv| text::point(mv, size)).join(" ")),
        Some(Decision::Take(color)) => {
            *engine.session.record_mut() = record;
            if color == Color::Black { Ok("SWAP".to_owned()) } else { engine.move_of_our_own() }
        }
        _ => Err(Fault::NoOpening(size)),
    }
}

/// The opening of a game in which these stones lie.
fn opened(rules: &GomokuRules, points: &[Move]) -> Result<(Opening, Record<Gomoku>), Fault> {
    let (mut opening, mut record) = (Opening::new(Rule::Swap2), Record::new(rules));
    let decisions = match *points {
        [] => vec![],
        [a, b, c] => vec![Decision::Lay([a, b, c])],
        [a, b, c, d, e] => vec![Decision::Lay([a, b, c]), Decision::Add([d, e])],
        _ => return Err(Fault::Swap2(points.len())),
    };
    decisions.into_iter().try_for_each(|decision| opening.decide(decision, &mut record))?;
    Ok((opening, record))
}

impl Thinker<Gomoku> for Engine {
    fn think(&mut self, record: &Record<Gomoku>, among: Vec<Move>, parts: u32) -> Opinion {
        let before = std::mem::replace(self.session.record_mut(), record.clone());
        let report = Engine::think(self, among, parts);
        *self.session.record_mut() = before;
        let best = report.candidates.first();
        let any = || record.candidates().first().copied().unwrap_or(Move::PASS);
        best.map_or_else(
            || Opinion { mv: any(), value: 0.5 },
            |best| Opinion { mv: best.mv, value: best.value },
        )
    }
}
