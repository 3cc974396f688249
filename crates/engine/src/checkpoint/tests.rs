//! Files: read back as written, refused when anything is wrong, and never half of one.

use banyan_games::go::{Go, GoRules};
use banyan_games::{Game, Record, Rng};
use banyan_jobs::{Growing, Plan, Prepared, Root, RootId, Sizing, Wish};
use banyan_search::Tree;

use super::*;
use crate::question::Limits;
use crate::search::Iteration;
use crate::tuning::Tuning;

/// A reproducible search, but for what is said otherwise.
fn reproducible(window: u32, wish: Wish, batch: u32) -> Settings {
    let sizing = Sizing { wish, playouts: Some(batch) };
    with_plan(|plan| Plan { in_order: true, window: Some(window), sizing, ..plan })
}

/// A search of some effort.
fn plain() -> Settings {
    Settings {
        limits: Limits { playouts: Some(100_000), ..Limits::default() },
        ..Settings::of::<Go>()
    }
}

fn with_plan(change: impl FnOnce(Plan) -> Plan) -> Settings {
    Settings { plan: change(plain().plan), ..plain() }
}

fn with_batches_of(playouts: u32) -> Settings {
    let sizing = Sizing { playouts: Some(playouts), ..Sizing::default() };
    with_plan(|plan| Plan { sizing, ..plan })
}

fn with_tuning(change: impl FnOnce(&mut Tuning)) -> Settings {
    let mut settings = plain();
    change(&mut settings.tuning);
    settings
}

fn record() -> Record<Go> {
    Record::new(&GoRules::new(5, 15).expect("a size of Go"))
}

fn prepared(settings: &Settings) -> Prepared {
    let Tuning { parameters, seed, evaluator, .. } = settings.tuning;
    let growing = Growing { parameters, seed, evaluator };
    let record = record();
    let side = record.position().side_to_move();
    Prepared::new(&Root::of(&record, side, RootId::default(), growing)).expect("the start")
}

fn search_of(tree: Tree, settings: &Settings) -> Search<Go> {
    let plan = settings.plan(&record(), Limits::default());
    Search::new(tree, RootId::default(), record().position().clone(), plan, 0)
}

/// A search after `batches` batches, some of them in flight.
fn grown(settings: &Settings, batches: usize) -> Search<Go> {
    let record = record();
    let side = record.position().side_to_move();
    let mut tree = Tree::new(settings.tuning.parameters, settings.tuning.seed, 1 << 22, !side);
    tree.allow_at_root(side, &record.candidates());
    let mut search = search_of(tree, settings);
    go_on(&mut search, settings, batches);
    search
}

/// The loop of a search thread whose workers answer at once.
fn go_on(search: &mut Search<Go>, settings: &Settings, batches: usize) {
    let prepared = prepared(settings);
    for _ in 0..batches {
        while search.has_room(u32::MAX) {
            if let Iteration::Batch(batch) = search.iterate() {
                search.take(None, prepared.run(&batch).expect("our own batch"));
                if !settings.plan.in_order {
                    break;
                }
            }
        }
        search.merge_next();
    }
}

fn bytes_of(search: &Search<Go>, settings: &Settings) -> Vec<u8> {
    written(search, &record(), settings).expect("memory takes all")
}

fn read_back(bytes: &[u8], settings: &Settings) -> Result<Resumed, FileError> {
    read(bytes, bytes.len() as u64, &record(), settings)
}

fn refused(bytes: &[u8], settings: &Settings) -> String {
    read_back(bytes, settings).expect_err("not to be gone on from").to_string()
}

#[test]
fn a_search_reads_back_as_it_stood() {
    let settings = with_batches_of(1);
    for batches in [0, 1, 500] {
        let search = grown(&settings, batches);
        let resumed = read_back(&bytes_of(&search, &settings), &settings).expect("our own bytes");
        assert_eq!(resumed.tree.image(), search.tree.image());
        assert_eq!(resumed.tree.image().owners.playouts > 0, batches > 0);
        assert_eq!(resumed.progress, search.standing().progress);
    }
}

#[test]
fn a_reproducible_search_goes_on_bit_for_bit_with_what_was_in_flight() {
    for (wish, batch) in [(Wish::LeafParallel, 8), (Wish::Subtree, 8), (Wish::Auto, 1)] {
        let settings = reproducible(64, wish, batch);
        let mut search = grown(&settings, 300);
        let bytes = bytes_of(&search, &settings);
        let Resumed { tree, progress, .. } = read_back(&bytes, &settings).expect("our own bytes");
        assert!(progress.flights.len() > 3, "{wish:?}: some must be in flight");
        let mut resumed = search_of(tree, &settings);
        let again = resumed.resume(progress).expect("tried");
        for batch in again {
            let tally = prepared(&settings).run(&batch).expect("our own batch");
            assert!(resumed.take(None, tally));
        }
        go_on(&mut search, &settings, 300);
        go_on(&mut resumed, &settings, 300);
        assert_eq!(resumed.tree.digest(), search.tree.digest(), "{wish:?}");
        assert_eq!(resumed.sums(), search.sums());
        assert_eq!(resumed.next_number(), search.next_number());
    }
}

#[test]
fn any_truncation_and_any_changed_byte_is_refused() {
    let settings = reproducible(16, Wish::Subtree, 8);
    let bytes = bytes_of(&grown(&settings, 2), &settings);
    let search = Identity::of(&record(), &settings);
    let refused_at_once = |bytes: &[u8]| {
        let found = format::read(bytes, bytes.len() as u64, &search);
        found.expect_err("not what was written").to_string()
    };
    let mut rng = Rng::from_seed(1);
    for at in 0..bytes.len() {
        let words = refused_at_once(&bytes[..at]);
        assert!(words.contains("ends in the middle") || words.contains("is no checkpoint"));
        let mut changed = bytes.clone();
        changed[at] ^= 1 + rng.below(255) as u8;
        refused_at_once(&changed);
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(refused(&longer, &settings).starts_with("goes on for 1 bytes"));
}

#[test]
fn what_is_wrong_is_said_with_what_was_found_and_expected() {
    let plain = plain();
    let bytes = bytes_of(&grown(&plain, 3), &plain);
    let seed = refused(&bytes, &with_tuning(|tuning| tuning.seed = 77));
    assert!(seed.contains("--seed is '1' there and '77' here"), "{seed}");
    let explores = with_tuning(|tuning| tuning.parameters.exploration = 0.5);
    let set = refused(&bytes, &explores);
    assert!(set.contains("exploration=0.02") && set.contains("exploration=0.5"), "{set}");
    let judged = with_tuning(|tuning| {
        tuning.evaluator = Some(banyan_jobs::ModelDigest([7; 32]));
        tuning.parameters.lambda = 1.0;
    });
    let judge = refused(&bytes, &judged);
    assert!(judge.contains("--evaluator is 'playouts' there and '0707"), "{judge}");
    let reproducible = refused(&bytes, &reproducible(256, Wish::Auto, 8));
    assert!(reproducible.contains("--reproducible is 'no' there"), "{reproducible}");
    let mut moved = record();
    moved.play(banyan_games::Move(3)).expect("legal");
    let moved = read(&bytes[..], bytes.len() as u64, &moved, &plain).expect_err("another position");
    assert!(moved.to_string().contains("'' there and 'black D5' here"), "{moved}");
    assert!(refused(b"GIF89a", &plain).contains("it begins with 'GIF89a'"));
    let newer = refused(b"banyan checkpoint 7\n", &plain);
    assert!(newer.contains("format 7, and this build reads format 6"), "{newer}");
    let older = refused(b"banyan checkpoint 4\n", &plain);
    assert!(older.contains("format 4, and this build reads format 6"), "{older}");
}

/// A search that is not reproducible may be given more time, other threads, more memory.
#[test]
fn effort_may_change_from_run_to_run() {
    let before = plain();
    let bytes = bytes_of(&grown(&before, 3), &before);
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    for more in [
        Settings { limits, ..plain() },
        with_plan(|_| Plan { window: Some(9), ..with_batches_of(2).plan }),
        with_tuning(|tuning| tuning.tree_bytes_max = 2 << 20),
        with_plan(|plan| Plan { sizing: Sizing { wish: Wish::Subtree, playouts: None }, ..plan }),
    ] {
        assert!(read_back(&bytes, &more).is_ok(), "{more:?}");
    }
}

#[test]
fn a_name_is_one_processs_and_a_file_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("long.search");
    let place = Place::open(&name).expect("a folder of ours");
    assert!(matches!(Place::open(&name), Err(FileError::Taken)));
    let write = |text: &'static [u8]| {
        move |to: &mut std::io::BufWriter<File>| std::io::Write::write_all(to, text)
    };
    assert_eq!(place.replace(write(b"first")).expect("written"), 5);
    let failed = place.replace(|to| {
        std::io::Write::write_all(to, b"half of it")?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(failed.is_err());
    assert_eq!(std::fs::read(&name).expect("readable"), b"first");
    place.replace(write(b"second")).expect("written");
    drop(place);
    assert_eq!(std::fs::read(&name).expect("readable"), b"second");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("readable").collect();
    assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
    assert!(matches!(Place::open(folder.path()), Err(FileError::Kind)));
}

/// The figures of docs/performance.md. Nothing is played out: only the tree's size matters.
#[test]
#[ignore = "takes 4 GiB of memory and 1 GiB of disk; prints what a tree of 1 GiB costs"]
#[expect(clippy::print_stderr, reason = "figures for a person")]
fn what_a_gibibyte_costs() {
    let settings = plain();
    let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
    let position = record.position().clone();
    let tuning = &settings.tuning;
    let mut tree = Tree::new(tuning.parameters, 1, tuning.tree_bytes_max, !position.side_to_move());
    tree.allow_at_root(position.side_to_move(), &record.candidates());
    let mut rng = Rng::from_seed(1);
    let mut playouts = 0;
    while !tree.is_full() {
        let mut leaf = position.clone();
        let (banyan_search::Descent::Leaf(path) | banyan_search::Descent::Ended(path, _)) =
            tree.descend(&mut leaf, 0);
        let wins = rng.below(2);
        let counts = banyan_games::Counts { wins, losses: 1 - wins, ..Default::default() };
        tree.merge(&path, &counts);
        playouts += 1;
    }
    let nodes = tree.nodes();
    let plan = settings.plan(&record, Limits::default());
    let mut search = Search::new(tree, RootId::default(), position, plan, 0);
    let sums = banyan_jobs::Sums { playouts, ownership: vec![0; 81], ..Default::default() };
    search.resume(Progress { sums, ..Progress::default() }).expect("counts that fit");
    let clock = std::time::Instant::now();
    let standing = search.standing();
    eprintln!("{nodes} nodes, {playouts} playouts: copied in {:.3?}", clock.elapsed());
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::open(&folder.path().join("search")).expect("a folder of ours");
    let written = Written { standing, elapsed: Duration::ZERO };
    let identity = Identity::of(&record, &settings);
    let clock = std::time::Instant::now();
    let bytes = place.replace(|to| format::write(to, &identity, &written)).expect("room");
    eprintln!("{bytes} bytes written and synced in {:.3?}", clock.elapsed());
    let clock = std::time::Instant::now();
    let file = File::open(place.file()).expect("there");
    let bytes = BufReader::with_capacity(format::CHUNK_BYTES, file);
    let length = place.file().metadata().expect("there").len();
    let resumed = read(bytes, length, &record, &settings).expect("our own file");
    eprintln!("read and checked in {:.3?}", clock.elapsed());
    assert_eq!(resumed.tree.digest(), search.tree.digest());
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_also_where_it_leads_to_no_file_yet() {
    let folder = tempfile::tempdir().expect("a folder");
    let [link, target] = ["link", "target"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("target", &link).expect("a link");
    let place = Place::open(&link).expect("a folder of ours");
    assert_eq!(place.file(), target);
}
