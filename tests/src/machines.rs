//! Machines that are network namespaces, joined by virtual cables: what a test does to a cable, no other
//! test sees.
//!
//! Needs root, `ip` and `nft`; where they are missing a test says "skipped".

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use banyan_lab::processes::{Process, binary};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// One machine: a name, gone when this is dropped.
#[derive(Debug)]
pub struct Machine(String);

/// Tells whether machines can be made here; says "skipped" where not.
pub fn can_be_made() -> bool {
    let works = Machine::make("probe").is_some_and(|machine| machine.runs("nft", "list ruleset"));
    #[expect(clippy::print_stderr, reason = "a person should see that a test did not run")]
    if !works {
        eprintln!("skipped: network namespaces need root, iproute2 and nftables");
    }
    works
}

impl Machine {
    /// A machine without cables.
    ///
    /// # Panics
    /// Where there can be none: ask [`can_be_made`] first.
    pub fn new(name: &str) -> Machine {
        Machine::make(name).expect("network namespaces can be made")
    }

    fn make(name: &str) -> Option<Machine> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let machine = Machine(format!("banyan{}-{number}-{name}", std::process::id()));
        let made = run("ip", &format!("netns add {}", machine.0));
        (made && machine.runs("ip", "link set lo up")).then_some(machine)
    }

    /// Joins two machines by a cable; `ends` are the names of its ends and their addresses.
    pub fn join(&self, other: &Machine, ends: [(&str, &str); 2]) {
        let [(near, near_address), (far, far_address)] = ends;
        let (here, there) = (&self.0, &other.0);
        let cable = format!("link add {near} netns {here} type veth peer name {far} netns {there}");
        assert!(run("ip", &cable), "{cable}");
        for (machine, end, address) in [(self, near, near_address), (other, far, far_address)] {
            machine.must("ip", &format!("address add {address} dev {end}"));
            machine.must("ip", &format!("link set {end} up"));
        }
    }

    /// Runs a program on this machine to its end.
    ///
    /// # Panics
    /// When it fails.
    pub fn must(&self, program: &str, args: &str) {
        assert!(self.runs(program, args), "{}: {program} {args}", self.0);
    }

    fn runs(&self, program: &str, args: &str) -> bool {
        run("ip", &format!("netns exec {} {program} {args}", self.0))
    }

    /// Starts a binary of ours on this machine.
    pub fn start(&self, name: &str, args: &[&str]) -> Process {
        Process::run(self.command(&binary(name)), args, |_| {})
    }

    /// A program to be started on this machine.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.0]).arg(program);
        command
    }

    /// Moves the calling thread, and those that it will start, to this machine, for good.
    ///
    /// # Panics
    /// When the kernel refuses: ask [`can_be_made`] first.
    pub fn enter(&self) {
        let space = std::fs::File::open(format!("/run/netns/{}", self.0)).expect("it is there");
        let network = Some(LinkNameSpaceType::Network);
        move_into_link_name_space(std::os::fd::AsFd::as_fd(&space), network).expect("root may");
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        run("ip", &format!("netns delete {}", self.0));
    }
}

fn run(program: &str, args: &str) -> bool {
    let output = Command::new(program).args(args.split_whitespace()).output();
    output.is_ok_and(|output| output.status.success())
}
