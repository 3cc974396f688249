//! Files that are false, and disks that cannot be written.

use std::panic::catch_unwind;
use std::process::Command;

use banyan_games::Rng;
use banyan_lab::processes::{Process, binary};

use super::{Attack, Seen};
use crate::hostile::door;

/// Changed copies of checkpoints.
const COPIES: u32 = 400;

pub(super) const FALSE_CHECKPOINTS: Attack = Attack {
    name: "false-checkpoints",
    what: "400 checkpoints with false contents and a valid checksum",
    expected: "each is refused or gone on with, no panic",
    is_short: true,
    act: || {
        let door = door("checkpoint");
        let seeds = (door.seeds)();
        let mut rng = Rng::from_seed(26);
        let (mut taken, mut panics) = (0, 0);
        for copy in 0..COPIES {
            let mut bytes = seeds[copy as usize % seeds.len()].clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len() as u32) as usize;
                bytes[at] ^= 1 << rng.below(8);
            }
            match catch_unwind(|| (door.knock)(&bytes)) {
                Ok(is_taken) => taken += u32::from(is_taken),
                Err(_) => panics += 1,
            }
        }
        let text =
            format!("{taken} gone on with, {} refused, {panics} panics", COPIES - taken - panics);
        Seen::new(panics == 0 && taken < COPIES, text)
    },
};

pub(super) const READ_ONLY: Attack = Attack {
    name: "read-only",
    what: "the disk of the checkpoint is remounted read-only in the middle of a search",
    expected: "the search ends with its answer and says why nothing more is written",
    is_short: true,
    act: || {
        // Long enough for a checkpoint before and one after.
        // While a file is being written it is busy.
        let after = "sleep 1; until mount -o remount,ro \"$D\"; do sleep 0.05; done 2>/dev/null";
        on_a_disk("size=64m", after, |error, answered, left_behind| {
            let told = error.contains("cannot be written");
            let text =
                format!("answered: {answered}, told: {told}, {left_behind} files left behind");
            Seen::new(answered && told, text)
        })
    },
};

pub(super) const FULL_DISK: Attack = Attack {
    name: "full-disk",
    what: "the disk of the checkpoint is full at the start",
    expected: "the search is refused at once with the reason, and nothing half written is left behind",
    is_short: true,
    act: || {
        on_a_disk("size=16k", "true", |error, answered, left_behind| {
            let told = error.contains("No space left on device");
            let text =
                format!("answered: {answered}, told: {told}, {left_behind} files left behind");
            Seen::new(!answered && told && left_behind == 0, text)
        })
    },
};

/// A search with a checkpoint on a disk in memory, in a mount namespace of its own; `after` is done while
/// it runs.
fn on_a_disk(options: &str, after: &str, judge: impl Fn(&str, bool, usize) -> Seen) -> Seen {
    let can = Command::new("unshare").args(["-m", "true"]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        return Seen::skipped("mount namespaces need root and util-linux");
    }
    let program = binary("banyan").display().to_string();
    let script = format!(
        "D=$(mktemp -d); mount -t tmpfs -o {options} tmpfs \"$D\" || exit 77; \
         {program} search --json --size 9 --policy uniform --threads 1 --time 3s \
         --checkpoint \"$D/it\" --checkpoint-every 300ms & P=$!; {after}; wait $P; E=$?; \
         echo; echo left $(ls -A \"$D\" | grep -c partial); umount \"$D\"; rmdir \"$D\"; exit $E"
    );
    let run = Process::run(Command::new("unshare"), &["-m", "sh", "-c", &script], |_| {});
    let (text, error, status) = output_and_log(run);
    if status == Some(77) {
        return Seen::skipped("no disk can be mounted");
    }
    let left = text.lines().find_map(|line| line.strip_prefix("left "));
    let left = left.and_then(|count| count.trim().parse().ok()).unwrap_or(usize::MAX);
    judge(&error, text.contains("\"best\""), left)
}

fn output_and_log(mut process: Process) -> (String, String, Option<i32>) {
    use std::io::Read as _;
    let mut text = String::new();
    let mut out = process.child().stdout.take().expect("piped");
    out.read_to_string(&mut text).expect("UTF-8");
    let status = process.wait();
    (text, process.log().join("\n"), status.code())
}
