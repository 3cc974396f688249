//! Result of the game, and its dead stones.

use banyan_engine::Playable;
use banyan_games::Move;

use super::args::Args;
use super::engine::Engine;
use super::reply::{Fault, Reply};

/// The score, with dead stones taken off where the game knows such.
pub(super) fn final_score<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    engine.expect_no_reply();
    let outcome = match G::TERRITORY {
        true => engine.judge().outcome,
        false => engine.record().position().outcome(),
    };
    Ok(outcome.ok_or(Fault::NotOver)?.to_string())
}

/// `final_status_list dead|alive|seki`: one group a line. Stones in seki are listed as alive.
pub(super) fn final_status_list<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let dead = match args.word(0) {
        Some("dead") => true,
        Some("alive") => false,
        Some("seki") => return Ok(String::new()),
        _ => return Err(Fault::Syntax("dead, alive or seki")),
    };
    engine.expect_no_reply();
    let judged = engine.judge().dead.clone();
    let position = engine.record().position();
    let mut groups = Vec::new();
    for point in (0..position.size().area()).map(Move::point) {
        let group = position.group(point);
        // Each group once, by the first of its points.
        if group.iter().min() == Some(&point) && judged.contains(&point) == dead {
            let named: Vec<_> = group.into_iter().map(|mv| position.move_text(mv)).collect();
            groups.push(named.join(" "));
        }
    }
    Ok(groups.join("\n"))
}
