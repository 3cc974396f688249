//! Networks as evaluators: whatever game has an encoding may be judged by one.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use banyan_games::connect6::Connect6;
use banyan_games::go::Go;
use banyan_games::gomoku::{Gomoku, Variant};
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_games::{Color, Kind, Move, Rules, Size};
use banyan_net::fixed::{exp, ownership};
use banyan_net::{Evaluator as Computer, Network, Output, Scratch, Unfit, Vectors};

use crate::evaluation_cache::{OF_PROCESS, Seen};
use crate::evaluator::{Chance, Evaluator, EvaluatorError, Judgement, ModelDigest, Query};
use crate::evaluators::Evaluators;
use crate::knowledge::Knowledge;
use crate::planes::{self, Input, Planes};

/// A network that judges the positions of one game, exactly.
pub struct Net {
    digest: ModelDigest,
    computer: Computer,
}

/// Reasons why a network cannot judge a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// It is for something else.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// It names a game that is not here.
    #[error("network for '{0}', which is no game of this program")]
    UnknownGame(String),
    /// Nobody has said how the game's positions become planes.
    #[error("there is no encoding of {0} for networks")]
    NoEncoding(Kind),
}

/// Memory that a thread keeps from evaluation to evaluation. It changes no judgement.
#[derive(Default)]
struct Room {
    scratch: Scratch,
    planes: Vec<Planes>,
    /// What the planes say, by query.
    seen: Vec<Seen>,
    /// Queries whose judgements nobody has kept.
    due: Vec<usize>,
    outputs: Vec<Output>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

impl Net {
    /// A network made ready for this machine.
    ///
    /// # Errors
    /// [`NetError`] where it is for another game or encoding.
    pub fn new<G: Knowledge>(network: &Network) -> Result<Net, NetError> {
        let encoding = G::ENCODING.ok_or(NetError::NoEncoding(G::KIND))?;
        network.check_for(&encoding)?;
        let computer = Computer::new(network, Vectors::fastest());
        Ok(Net { digest: network.digest(), computer })
    }
}

/// Makes a network ready for the game that it names, and puts it with the others.
///
/// # Errors
/// [`NetError`] for a game that is not here, or another encoding.
pub fn add_network(evaluators: &mut Evaluators, network: &Network) -> Result<Kind, NetError> {
    let name = &network.about().game;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    let kind = kind.ok_or_else(|| NetError::UnknownGame(name.chars().take(40).collect()))?;
    match kind {
        Kind::Go => evaluators.add::<Go>(Arc::new(Net::new::<Go>(network)?)),
        Kind::Othello => evaluators.add::<Othello>(Arc::new(Net::new::<Othello>(network)?)),
        Kind::Gomoku => evaluators.add::<Gomoku>(Arc::new(Net::new::<Gomoku>(network)?)),
        Kind::Connect6 => evaluators.add::<Connect6>(Arc::new(Net::new::<Connect6>(network)?)),
        Kind::Hex => evaluators.add::<Hex>(Arc::new(Net::new::<Hex>(network)?)),
    }
    Ok(kind)
}

/// Tells whether networks learn by these rules: of Gomoku by those of freestyle alone.
pub fn is_learned(rules: &Rules) -> bool {
    !matches!(rules, Rules::Gomoku(rules) if rules.variant() != Variant::Freestyle)
}

/// The network for a game that is part of this build, if there is one.
pub fn built_in(kind: Kind) -> Option<Network> {
    let bytes: Option<&[u8]> = match kind {
        Kind::Go => Some(include_bytes!("../../../models/go.safetensors")),
        Kind::Gomoku => Some(include_bytes!("../../../models/gomoku.safetensors")),
        Kind::Othello | Kind::Connect6 | Kind::Hex => None,
    };
    bytes.map(|bytes| Network::read(bytes).expect("a file that a test has read"))
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl<G: Knowledge> Evaluator<G> for Net {
    fn name(&self) -> &str {
        "net"
    }

    fn digest(&self) -> ModelDigest {
        self.digest
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn evaluate(
        &self,
        queries: &[Query<'_, G>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError> {
        ROOM.with_borrow_mut(|room| {
            look(self.digest, queries, room)?;
            judgements.resize_with(queries.len(), Judgement::default);
            room.due.clear();
            let is_due = |&at: &usize| !OF_PROCESS.get(room.seen[at], &mut judgements[at]);
            room.due.extend((0..queries.len()).filter(is_due));
            if let Err(refused) = self.compute(room) {
                judgements.clear();
                return Err(refused);
            }
            for (&at, output) in room.due.iter().zip(&room.outputs) {
                judge(queries[at].position, (&room.planes[at], output), &mut judgements[at]);
                OF_PROCESS.put(room.seen[at], &judgements[at]);
            }
            Ok(())
        })
    }
}

fn cannot(reason: String) -> EvaluatorError {
    EvaluatorError { evaluator: "net".to_owned(), reason }
}

/// Makes planes of positions.
fn look<G: Knowledge>(
    network: ModelDigest,
    queries: &[Query<'_, G>],
    room: &mut Room,
) -> Result<(), EvaluatorError> {
    if let Some(query) = queries.iter().find(|it| !planes::is_board(it.position.size())) {
        let Size { width, height } = query.position.size();
        return Err(cannot(format!("a board of {width}x{height} is too small")));
    }
    room.planes.resize_with(room.planes.len().max(queries.len()), Planes::default);
    room.seen.clear();
    for (query, planes) in queries.iter().zip(room.planes.iter_mut()) {
        query.position.encode(planes);
        room.seen.push(Seen::of(network, query.position.side_to_move(), planes));
    }
    Ok(())
}

impl Net {
    fn compute(&self, room: &mut Room) -> Result<(), EvaluatorError> {
        let Room { scratch, planes, due, outputs, .. } = room;
        if due.is_empty() {
            return Ok(());
        }
        let count = self.computer.shape().planes;
        let inputs: Vec<Input<'_>> = due.iter().map(|&at| planes[at].input(count)).collect();
        self.computer
            .evaluate(scratch, &inputs, outputs)
            .map_err(|refused| cannot(refused.to_string()))
    }
}

/// Turns an output into the judgement of a position, from Black's point of view.
fn judge<G: Knowledge>(
    position: &G,
    (planes, output): (&Planes, &Output),
    judgement: &mut Judgement,
) {
    let is_black = position.side_to_move() == Color::Black;
    let value = output.value() as u16;
    judgement.value = if is_black { value } else { crate::evaluator::VALUE_ONE - value };
    judgement.score = G::TERRITORY.then_some(if is_black { output.score } else { -output.score });
    judgement.ownership.clear();
    if G::TERRITORY {
        let own = |&logit: &i32| (ownership(logit) * 127 / 32_768) as i8;
        let black = |held: i8| if is_black { held } else { -held };
        let points = (0..output.ownership.len()).map(|at| &output.ownership[planes.point(at)]);
        judgement.ownership.extend(points.map(own).map(black));
    }
    put_policy(position, (planes, output), &mut judgement.policy);
}

/// Shares of the candidates alone: what the network says of other moves is left out.
fn put_policy<G: Knowledge>(
    position: &G,
    (planes, output): (&Planes, &Output),
    policy: &mut Vec<Chance>,
) {
    let area = position.size().area();
    let mut moves = Vec::with_capacity(area + 1);
    position.candidates(&mut moves);
    let at = |point| output.policy[planes.point(point)];
    let logit = |mv: &Move| mv.index().map_or(output.pass, at);
    let most = moves.iter().map(logit).max().unwrap_or(0);
    let weight = |mv: &Move| exp(logit(mv).saturating_sub(most));
    let sum: u64 = moves.iter().map(|mv| u64::from(weight(mv))).sum();
    policy.clear();
    policy.resize(area + 1, Chance::NONE);
    for mv in moves {
        policy[mv.index().unwrap_or(area)] = Chance::of(weight(&mv) as f32 / sum as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planes::Encoding;
    use banyan_games::go::GoRules;
    use banyan_games::gomoku::GomokuRules;
    use banyan_games::{Game as _, Move};

    /// What a network says that keeps nothing.
    fn anew<G: Knowledge>(net: &Net, position: &G) -> Judgement {
        let (mut room, mut judgement) = (Room::default(), Judgement::default());
        look(net.digest, &[Query::of(position)], &mut room).unwrap();
        room.due.push(0);
        net.compute(&mut room).unwrap();
        judge(position, (&room.planes[0], &room.outputs[0]), &mut judgement);
        judgement
    }

    fn net<G: Knowledge>() -> Net {
        let network = Network::random_for(&G::ENCODING.unwrap(), (1, 16), 1).unwrap();
        Net::new::<G>(&network).unwrap()
    }

    /// Has positions judged together, and holds each to what the network says anew.
    fn hold<G: Knowledge>(net: &Net, positions: &[&G]) -> Vec<Judgement> {
        let queries: Vec<Query<'_, G>> = positions.iter().map(|it| Query::of(*it)).collect();
        let mut judgements = Vec::new();
        net.evaluate(&queries, &mut judgements).unwrap();
        let wanted: Vec<Judgement> = positions.iter().map(|it| anew(net, *it)).collect();
        assert_eq!(judgements, wanted);
        judgements
    }

    /// A position after these points of the middle row.
    fn after(columns: &[usize]) -> Gomoku {
        let mut position = Gomoku::new(&GomokuRules::new(15, 15, Variant::Freestyle).unwrap());
        columns.iter().for_each(|column| position.play(Move::point(7 * 15 + column)));
        position
    }

    #[test]
    fn a_judgement_is_the_same_whether_it_was_kept_or_not() {
        let net = net::<Gomoku>();
        let all = [&[7, 8, 9][..], &[9, 8, 7], &[7, 8], &[5, 6, 7, 8], &[7, 6, 5, 8]].map(after);
        for asked in [&[0, 2][..], &[1, 3, 2, 4], &[4], &[3, 0, 1, 2], &[2, 2]] {
            hold(&net, &asked.iter().map(|&at| &all[at]).collect::<Vec<_>>());
        }
        let mut planes = Planes::default();
        all[1].encode(&mut planes);
        // By another order of moves it was this position.
        let kept = Seen::of(net.digest, all[0].side_to_move(), &planes);
        assert!(OF_PROCESS.get(kept, &mut Judgement::default()));
    }

    #[test]
    fn a_network_of_an_earlier_encoding_sees_the_planes_of_its_own() {
        let ours = Go::ENCODING.unwrap();
        let before = ours.earlier().next().unwrap();
        let planes = before.planes;
        let network = Network::random_for(&before, (1, 16), 1).unwrap();
        let net = Net::new::<Go>(&network).unwrap();
        let mut position = Go::new(&GoRules::new(9, 15).unwrap());
        [40, 41, 31, 32].map(Move::point).into_iter().for_each(|mv| position.play(mv));
        let mut seen = Planes::default();
        position.encode(&mut seen);
        assert!(seen.planes[planes..].iter().any(|plane| plane.points().next().is_some()));
        seen.planes.truncate(planes);
        let mut outputs = Vec::new();
        net.computer
            .evaluate(&mut Scratch::default(), &[seen.input(planes)], &mut outputs)
            .unwrap();
        let mut judgement = Judgement::default();
        judge(&position, (&seen, &outputs[0]), &mut judgement);
        assert_eq!(hold(&net, &[&position]), [judgement]);
        // What nobody ever made is refused.
        let strange = Network::random_for(&Encoding { version: 0, ..before }, (1, 16), 1).unwrap();
        let refused = Net::new::<Go>(&strange).unwrap_err().to_string();
        assert_eq!(refused, "network for encoding 0 of go, this program makes 2");
    }

    #[test]
    fn who_is_to_move_is_told_apart_where_planes_do_not_say_it() {
        // Without komi a stone of Black's, White to move, looks as one of White's does after a pass.
        let net = net::<Go>();
        let mut white_to_move = Go::new(&GoRules::new(9, 0).unwrap());
        let mut black_to_move = white_to_move.clone();
        white_to_move.play(Move::point(40));
        black_to_move.play(Move::PASS);
        black_to_move.play(Move::point(40));
        let [one, other] = [&white_to_move, &black_to_move].map(|position| {
            let mut planes = Planes::default();
            position.encode(&mut planes);
            (planes, hold(&net, &[position]))
        });
        assert_eq!(one.0, other.0);
        assert_ne!(one.1, other.1);
    }
}
