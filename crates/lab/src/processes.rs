//! Real processes for end-to-end tests: built first, watched through their logs, ended by their id.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

/// Nothing that a test waits for takes longer on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Path of a binary of ours; all are brought up to date once a test process.
pub fn binary(name: &str) -> PathBuf {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(up_to_date_binaries).join(name)
}

/// Folders that the binaries are built from.
const SOURCES: [&str; 5] = ["crates", "models", "proto", "worker", "coordinator"];

/// Folders in them that are no part of the binaries.
const IGNORED: [&str; 2] = ["tests", "benches"];

/// `cargo test --workspace` has built them already; a test run by itself may find older ones.
fn up_to_date_binaries() -> PathBuf {
    let program = std::env::current_exe().expect("a program has a path");
    let beside = program.parent().expect("a program is in a directory");
    // target/PROFILE/deps/test, or target/PROFILE/banyan-soak.
    let directory = beside.parent().filter(|_| beside.ends_with("deps")).unwrap_or(beside);
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let source = newest_source(workspace);
    let is_old = |name| modified(&directory.join(name)).is_none_or(|built| built < source);
    if is_old("banyan") || is_old("banyan-worker") {
        build(workspace, directory);
    }
    directory.to_owned()
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

fn newest_source(workspace: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut left: Vec<PathBuf> = SOURCES.map(|name| workspace.join(name)).into();
    while let Some(path) = left.pop() {
        newest = newest.max(modified(&path).unwrap_or(newest));
        if let Ok(entries) = std::fs::read_dir(&path) {
            let paths = entries.flatten().map(|entry| entry.path());
            left.extend(paths.filter(|path| !IGNORED.iter().any(|it| path.ends_with(it))));
        }
    }
    newest
}

fn build(workspace: &Path, directory: &Path) {
    let profile = match directory.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut build = Command::new(env!("CARGO"));
    // With the features of a build of the whole workspace, as of its tests: else everything is built again.
    build.args(["build", "--quiet", "--workspace", "--bins", "--profile", profile]);
    build.arg("--manifest-path").arg(workspace.join("Cargo.toml"));
    build.arg("--target-dir").arg(directory.parent().expect("target"));
    let built = build.status().expect("cargo runs");
    assert!(built.success(), "the binaries do not build");
}

/// Ports below those that Linux gives to whoever asks for any (`ip_local_port_range`, from 32768).
const PORTS: std::ops::Range<u32> = 12_000..32_000;

/// A loopback address that is free, and that neither this process nor the kernel gives to anyone else.
pub fn free_address() -> String {
    // Processes of tests that run at once begin at different places.
    static NEXT: OnceLock<AtomicU32> = OnceLock::new();
    let next = NEXT.get_or_init(|| AtomicU32::new(std::process::id().wrapping_mul(997)));
    let ports = std::iter::repeat_with(|| {
        PORTS.start + next.fetch_add(1, Ordering::Relaxed) % PORTS.len() as u32
    });
    let addresses = ports.take(PORTS.len()).map(|port| format!("127.0.0.1:{port}"));
    let mut free = addresses.filter(|address| std::net::TcpListener::bind(address).is_ok());
    free.next().expect("loopback has free ports")
}

/// Path of a program of Debian's; says "skipped" where it is not installed.
pub fn installed(program: &str) -> Option<String> {
    let places = ["/usr/games", "/usr/bin", "/usr/local/bin"];
    let mut paths = places.iter().map(|place| Path::new(place).join(program));
    let found = paths.find(|path| path.exists()).map(|path| path.display().to_string());
    #[expect(clippy::print_stderr, reason = "a person should see that a test did not run")]
    if found.is_none() {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

/// A process of ours; killed when this is dropped.
pub struct Process {
    child: Child,
    log: Log,
}

/// The log of a process so far.
#[derive(Clone, Default)]
struct Log(Arc<(Mutex<Written>, Condvar)>);

#[derive(Default)]
struct Written {
    lines: Vec<String>,
    /// Tells whether the process has closed it.
    is_over: bool,
}

impl Log {
    fn follow(&self, from: impl Read + Send + 'static) {
        let log = self.clone();
        std::thread::spawn(move || {
            let (written, news) = &*log.0;
            let written = || written.lock().expect("no panic under the lock");
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                written().lines.push(line);
                news.notify_all();
            }
            written().is_over = true;
            news.notify_all();
        });
    }

    /// Waits until the process has closed it, which its end does.
    fn wait_for_end(&self, deadline: Instant) {
        let (written, news) = &*self.0;
        let written = written.lock().expect("no panic under the lock");
        let left = deadline.saturating_duration_since(Instant::now());
        let is_open = |written: &mut Written| !written.is_over;
        let waited = news.wait_timeout_while(written, left, is_open);
        let (written, _) = waited.expect("no panic under the lock");
        assert!(written.is_over, "still running: {:#?}", written.lines);
    }
}

impl Process {
    /// Starts a binary of ours with its log followed; standard input and output as `configure` says.
    pub fn start(name: &str, args: &[&str], configure: impl FnOnce(&mut Command)) -> Process {
        Process::run(Command::new(binary(name)), args, configure)
    }

    /// Starts a command with its log followed; standard input and output as `configure` says.
    pub fn run(
        mut command: Command,
        args: &[&str],
        configure: impl FnOnce(&mut Command),
    ) -> Process {
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("NO_COLOR", "1").env_remove("BANYAN_LOG");
        // What is tested here are machines and links, which quick playouts keep busy.
        command.env("BANYAN_POLICY", "uniform");
        configure(&mut command);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let log = Log::default();
        log.follow(child.stderr.take().expect("piped"));
        Process { child, log }
    }

    /// A coordinator that runs `args` and accepts workers on a free port; returns its address too.
    pub fn coordinator(args: &[&str]) -> (Process, String) {
        let args = [args, &["--listen", "127.0.0.1:0"]].concat();
        let process = Process::start("banyan", &args, |_| {});
        let line = process.wait_for_log("--join ");
        let address = line.split("--join ").nth(1).expect("waited for it").trim().to_owned();
        (process, address)
    }

    /// A worker of one thread.
    pub fn worker(address: &str, name: &str) -> Process {
        let args = ["--join", address, "--threads", "1", "--name", name];
        Process::start("banyan-worker", &args, |_| {})
    }

    /// Waits for a line of the log that contains `text`, one already written included.
    pub fn wait_for_log(&self, text: &str) -> String {
        self.wait_for_count(text, 1)
    }

    /// Waits until `count` lines of the log contain `text`, and returns the last of these.
    pub fn wait_for_count(&self, text: &str, count: usize) -> String {
        let (written, news) = &*self.log.0;
        let deadline = Instant::now() + PATIENCE;
        let mut written = written.lock().expect("no panic under the lock");
        loop {
            let Written { lines, is_over } = &*written;
            if let Some(line) = lines.iter().filter(|it| it.contains(text)).nth(count - 1) {
                return line.clone();
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!is_over, "the process has ended without '{text}' in its log: {lines:#?}");
            assert!(!left.is_zero(), "no line with '{text}' in the log: {lines:#?}");
            written = news.wait_timeout(written, left).expect("no panic under the lock").0;
        }
    }

    /// Waits until a signal reaches a handler of its own and would not simply kill it.
    ///
    /// # Panics
    /// When it does not come to that.
    pub fn wait_until_it_catches(&self, signal: Signal) {
        let deadline = Instant::now() + PATIENCE;
        let status = format!("/proc/{}/status", self.id());
        let caught = || {
            let text = std::fs::read_to_string(&status).ok()?;
            let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            u64::from_str_radix(mask.trim(), 16).ok()
        };
        while caught().is_none_or(|mask| mask >> (signal.as_raw() - 1) & 1 == 0) {
            assert!(Instant::now() < deadline, "{signal:?} is not caught");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The log so far; all of it once its end was waited for.
    pub fn log(&self) -> Vec<String> {
        self.log.0.0.lock().expect("no panic under the lock").lines.clone()
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id() as i32).expect("a process has an id");
        kill_process(pid, signal).expect("our own process can be signalled");
    }

    /// Its id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("our own process can be waited for").is_some()
    }

    /// Processor time that it has used so far.
    pub fn cpu(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).expect("our own process is there");
        // User and system time are fields 14 and 15; the name in field 2 may hold anything.
        let fields = stat.rsplit_once(')').expect("a name in brackets").1.split_whitespace();
        let ticks = fields.skip(11).take(2).map(|field| field.parse::<u32>().expect("a number"));
        Duration::from_secs(1) / rustix::param::clock_ticks_per_second() as u32 * ticks.sum()
    }

    /// Waits for its end and the end of its log, so that [`Process::log`] is whole; fails the test when
    /// that takes too long.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        self.log.wait_for_end(deadline);
        loop {
            if let Some(status) = self.child.try_wait().expect("our own process") {
                return status;
            }
            assert!(Instant::now() < deadline, "still running: {:#?}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads all of its standard output, then waits for its end.
    pub fn output(mut self) -> (String, ExitStatus) {
        let mut text = String::new();
        let out = self.child.stdout.take().expect("piped");
        BufReader::new(out).read_to_string(&mut text).expect("our binaries write UTF-8");
        let status = self.wait();
        (text, status)
    }

    /// The one JSON object that it answers.
    pub fn json(self) -> serde_json::Value {
        let log = self.log.clone();
        let (text, status) = self.output();
        let log = || log.0.0.lock().expect("no panic under the lock").lines.clone();
        assert!(status.success(), "{status}: {:#?}", log());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
