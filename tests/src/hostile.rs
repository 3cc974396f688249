//! Hostile input: each way in, as a function that any bytes may be given to.
//!
//! `fuzz/` gives them what libFuzzer thinks of, `tests/all/hostile.rs` a corpus and thousands of changed
//! copies of it. What they promise: no panic, no endless wait, and whatever is let in can be worked
//! with.

mod checkpoint;

mod gtp;

mod sessions;

mod sgf;

mod wire;

/// One way in.
#[derive(Clone, Copy, Debug)]
pub struct Door {
    /// The name of the fuzz target and of its folder under `fuzz/corpus`.
    pub name: &'static str,
    /// Gives bytes to it; returns whether they were let in.
    ///
    /// Panics exactly when a promise is broken.
    pub knock: fn(&[u8]) -> bool,
    /// Inputs that are let in, to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const DOORS: &[Door] = &[
    Door { name: "from_worker", knock: wire::from_worker, seeds: wire::seeds_from_worker },
    Door { name: "to_worker", knock: wire::to_worker, seeds: wire::seeds_to_worker },
    Door {
        name: "from_front_end",
        knock: sessions::from_front_end,
        seeds: sessions::seeds_from_front_end,
    },
    Door {
        name: "to_front_end",
        knock: sessions::to_front_end,
        seeds: sessions::seeds_to_front_end,
    },
    Door { name: "gtp", knock: gtp::converse, seeds: gtp::seeds },
    Door { name: "checkpoint", knock: checkpoint::read, seeds: checkpoint::seeds },
    Door { name: "sgf", knock: sgf::read, seeds: sgf::seeds },
];

/// The door of this name.
///
/// # Panics
/// Panics when there is none.
pub fn door(name: &str) -> Door {
    let found = DOORS.iter().find(|door| door.name == name);
    *found.unwrap_or_else(|| panic!("no door '{name}'"))
}
