//! Bad networks, with real processes on machines of their own: cables cut and mended, links that are
//! long and lossy, a worker that nobody can dial.

use std::time::Duration;

use banyan_lab::processes::Process;
use banyan_tests::machines::{Machine, can_be_made};
use banyan_tests::relay::{self, Fault};

const COORDINATOR: &str = "10.77.0.1";

/// Two machines with a cable, the coordinator's and a worker's; nothing where there can be none.
fn pair() -> Option<[Machine; 2]> {
    let [one, two] = can_be_made().then(|| ["one", "two"].map(Machine::new))?;
    one.join(&two, [("near", "10.77.0.1/24"), ("far", "10.77.0.2/24")]);
    Some([one, two])
}

/// A search on `machine` that waits for its workers.
fn search(machine: &Machine, args: &[&str]) -> Process {
    let listen = format!("{COORDINATOR}:7337");
    let fixed = ["search", "--json", "--threads", "0", "--insecure", "--listen", &listen];
    let coordinator = machine.start("banyan", &[&fixed, args].concat());
    coordinator.wait_for_log("--join");
    coordinator
}

fn worker(machine: &Machine, name: &str) -> Process {
    let address = format!("{COORDINATOR}:7337");
    worker_for(machine, name, &address)
}

fn worker_for(machine: &Machine, name: &str, address: &str) -> Process {
    let args = ["--join", address, "--threads", "1", "--name", name];
    machine.start("banyan-worker", &args)
}

#[test]
fn a_cable_that_is_cut_and_mended_in_mid_search_costs_no_playout() {
    let Some([one, two]) = pair() else { return };
    let coordinator = search(&one, &["--playouts", "1000000", "--min-workers", "2"]);
    let _steady = worker(&one, "steady");
    let cut = worker(&two, "cut");
    coordinator.wait_for_log("the clock starts");
    one.must("ip", "link set near down");
    coordinator.wait_for_log("worker lost");
    one.must("ip", "link set near up");
    cut.wait_for_log("trying again");
    let answer = coordinator.json();
    assert_eq!(answer["playouts"], 1_000_000);
    let batches = &answer["batches"];
    assert!(batches["lost"].as_u64() > Some(0), "it was cut off with batches: {batches}");
}

#[test]
fn a_worker_that_was_cut_off_comes_back_by_itself() {
    let Some([one, two]) = pair() else { return };
    let coordinator = search(&one, &["--time", "10m", "--min-workers", "1"]);
    let cut = worker(&two, "cut");
    coordinator.wait_for_log("the clock starts");
    one.must("ip", "link set near down");
    coordinator.wait_for_log("worker lost");
    // A worker gives a silent coordinator long; the kernel's keepalive may find out before.
    one.must("ip", "link set near up");
    coordinator.wait_for_count("worker joined", 2);
    cut.wait_for_count("working for", 2);
}

#[test]
fn a_long_and_lossy_link_is_filled() {
    let Some([one, two]) = pair() else { return };
    for (machine, end) in [(&one, "near"), (&two, "far")] {
        machine.must("nft", "add table ip bad");
        machine.must("nft", "add chain ip bad in { type filter hook input priority 0 ; }");
        let lose = format!("add rule ip bad in iif {end} numgen random mod 100 < 2 drop");
        machine.must("nft", &lose);
    }
    // The relay stands on the worker's side of the lossy cable.
    std::thread::scope(|scope| {
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        scope.spawn(|| {
            two.enter();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let bound = tokio::net::TcpListener::bind("127.0.0.1:7338").await;
                let listener = bound.expect("a machine of its own");
                let address = format!("{COORDINATOR}:7337");
                let relay = relay::run(listener, address, Fault::Delays(Duration::from_millis(50)));
                tokio::select! { () = relay => {}, _ = stopped => {} }
            });
        });
        // Of a number of playouts no more than a 512th is in flight, unless told otherwise: at this distance a minute.
        let args = ["--playouts", "30000", "--window", "1000", "--min-workers", "1"];
        let coordinator = search(&one, &args);
        let far = worker_for(&two, "far", "127.0.0.1:7338");
        let answer = coordinator.json();
        assert_eq!(answer["playouts"], 30_000);
        assert_eq!(answer["nodes"][0]["name"], "far", "{answer}");
        let batches = &answer["batches"];
        assert_eq!(batches["lost"], 0, "a slow link is no lost one: {batches}; {:#?}", far.log());
        drop(far);
        let _ = stop.send(());
    });
}

#[test]
fn a_worker_behind_nat_dials_out_and_nobody_dials_it() {
    if !can_be_made() {
        return;
    }
    let [one, router, inside] = ["one", "router", "inside"].map(Machine::new);
    one.join(&router, [("near", "10.77.0.1/24"), ("outer", "10.77.0.2/24")]);
    router.join(&inside, [("inner", "192.168.77.1/24"), ("home", "192.168.77.2/24")]);
    inside.must("ip", "route add default via 192.168.77.1");
    router.must("sysctl", "-w net.ipv4.ip_forward=1");
    router.must("nft", "add table ip nat");
    router.must("nft", "add chain ip nat out { type nat hook postrouting priority 100 ; }");
    router.must("nft", "add rule ip nat out oif outer masquerade");
    let coordinator = search(&one, &["--playouts", "50000", "--min-workers", "1"]);
    let _worker = worker(&inside, "inside");
    let answer = coordinator.json();
    assert_eq!(answer["playouts"], 50_000);
    assert_eq!(answer["nodes"][0]["name"], "inside", "{answer}");
}
