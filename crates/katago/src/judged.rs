//! The judgement of KataGo's network on a position.

/// A position judged, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Chance that the side to move wins, 0 to 1.
    pub winrate: f32,
    /// Points by which it is expected to win.
    pub lead: f32,
    /// Chance of each point to be the best ply, rows from the top; nothing where it is illegal.
    pub policy: Vec<Option<f32>>,
    /// The same of a pass.
    pub pass: f32,
    /// Owner that each point will have, from -1 (the other side) to 1 (the side to move), rows from the top.
    pub ownership: Vec<f32>,
}

impl Judged {
    /// The legal point of the highest likelihood; nothing where there is none.
    pub fn likeliest(&self) -> Option<usize> {
        let likely = |&(_, share): &(usize, &Option<f32>)| share.is_some();
        let points = self.policy.iter().enumerate().filter(likely);
        points.max_by(|(_, a), (_, b)| a.partial_cmp(b).expect("numbers")).map(|(point, _)| point)
    }
}
