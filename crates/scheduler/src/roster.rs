//! The workers that are there, and which of them has most room for work.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use banyan_jobs::WorkerId;

use super::member::{Fill, Member};

/// Members by id, and those with room by how full they are.
///
/// Members change through this alone, so that the order is always true: finding the emptiest of
/// hundreds is a step, not a walk over all of them for each message.
#[derive(Debug, Default)]
pub(super) struct Roster {
    members: BTreeMap<WorkerId, Entry>,
    roomy: BTreeSet<(Fill, WorkerId)>,
}

#[derive(Debug)]
struct Entry {
    member: Member,
    /// Under what it stands in `roomy`; nothing when it does not.
    room: Option<Fill>,
}

impl Roster {
    pub(super) fn insert(&mut self, id: WorkerId, member: Member) {
        self.members.insert(id, Entry { member, room: None });
        self.change(id, |_| ());
    }

    pub(super) fn remove(&mut self, id: WorkerId) -> Option<Member> {
        let Entry { member, room } = self.members.remove(&id)?;
        if let Some(room) = room {
            self.roomy.remove(&(room, id));
        }
        Some(member)
    }

    /// In the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = (WorkerId, &Member)> {
        self.members.iter().map(|(&id, entry)| (id, &entry.member))
    }

    /// Changes one member; nothing when it is not there.
    pub(super) fn change<R>(
        &mut self,
        id: WorkerId,
        change: impl FnOnce(&mut Member) -> R,
    ) -> Option<R> {
        let entry = self.members.get_mut(&id)?;
        let changed = change(&mut entry.member);
        file(&mut self.roomy, id, entry);
        Some(changed)
    }

    /// Changes every member, in the order in which they came.
    pub(super) fn change_all(&mut self, mut change: impl FnMut(WorkerId, &mut Member)) {
        for (&id, entry) in &mut self.members {
            change(id, &mut entry.member);
            file(&mut self.roomy, id, entry);
        }
    }

    /// The emptiest worker with room worth a message, of those fuller than `after`.
    pub(super) fn roomiest(&self, after: Option<(Fill, WorkerId)>) -> Option<(Fill, WorkerId)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.roomy.range((from, Bound::Unbounded)).next().copied()
    }
}

/// Puts a member where it belongs among those with room.
fn file(roomy: &mut BTreeSet<(Fill, WorkerId)>, id: WorkerId, entry: &mut Entry) {
    let room = entry.member.room();
    if room == entry.room {
        return;
    }
    if let Some(old) = entry.room {
        roomy.remove(&(old, id));
    }
    if let Some(new) = room {
        roomy.insert((new, id));
    }
    entry.room = room;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, tests::profile};
    use std::time::Duration;

    #[test]
    fn workers_with_room_come_emptiest_first_and_full_ones_not_at_all() {
        let mut roster = Roster::default();
        for id in 0..4 {
            let member = Member::new(
                Duration::ZERO,
                profile(&["gomoku"]),
                Origin::Remote,
                crate::Auditing::default(),
            );
            roster.insert(WorkerId(id), member);
        }
        // Each has a window of two batches of 4: 8 playouts.
        for (id, batches) in [(0, 1), (1, 2), (3, 1)] {
            for number in 0..batches {
                let batch = crate::tests::batch(10 * id + number);
                roster.change(WorkerId(id), |member| member.lent(Duration::ZERO, &batch));
            }
        }
        let mut order = Vec::new();
        let mut last = None;
        while let Some(next) = roster.roomiest(last) {
            order.push(next.1.0);
            last = Some(next);
        }
        assert_eq!(order, [2, 0, 3]);
        roster.remove(WorkerId(2));
        assert_eq!(roster.roomiest(None).map(|(_, id)| id), Some(WorkerId(0)));
    }
}
