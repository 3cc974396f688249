//! PyTorch in a process of its own: fits networks, and evaluates them where a graphics card does it better.
//!
//! What is said between the two stands in `python/banyan_learn/infer.py`.

use anyhow::{Context as _, ensure};
use banyan_games::Move;
use banyan_knowledge::planes::Planes;
use banyan_net::Shape;
use banyan_selfplay::Learned;
use banyan_selfplay::judge::{Due, Judge, Said};
use clap::Args;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where PyTorch is, and what it computes on.
#[derive(Clone, Debug, Args)]
pub struct Torch {
    /// Python with what crates/learn/python/requirements.txt names [default: python3].
    #[arg(long, value_name = "FILE")]
    pub python: Option<PathBuf>,
    /// Folder of the Python package banyan_learn [default: crates/learn/python].
    #[arg(long, value_name = "DIR")]
    pub package: Option<PathBuf>,
    /// What PyTorch computes on: cpu, cuda, cuda:1, or auto, a graphics card where it sees one [default: auto].
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
}

impl Torch {
    /// Tells whether somebody said anything of it.
    pub fn is_given(&self) -> bool {
        self.python.is_some() || self.package.is_some() || self.device.is_some()
    }

    /// The program.
    pub fn program(&self) -> &Path {
        self.python.as_deref().unwrap_or(Path::new("python3"))
    }

    fn folder(&self) -> &Path {
        self.package.as_deref().unwrap_or(Path::new("crates/learn/python"))
    }

    /// What may be amiss where a module ended badly, in words that follow others; nothing where all seems to be there.
    pub fn hint(&self) -> String {
        let folder = self.folder();
        match folder.join("banyan_learn").is_dir() {
            true => String::new(),
            false => format!(
                "; there is no banyan_learn in {}: expected --package DIR, crates/learn/python of the sources",
                folder.display()
            ),
        }
    }

    /// A module of the package, with the device among its arguments.
    pub fn command(&self, module: &str) -> Command {
        let device = self.device.as_deref().unwrap_or("auto");
        let mut command = Command::new(self.program());
        // PyTorch may be where the caller's path says.
        let before = std::env::var_os("PYTHONPATH").unwrap_or_default();
        let others = std::env::split_paths(&before).filter(|it| !it.as_os_str().is_empty());
        let folders = [self.folder().to_owned()].into_iter().chain(others);
        let path = std::env::join_paths(folders).unwrap_or_else(|_| self.folder().into());
        command.env("PYTHONPATH", path).args(["-m", module, "--device", device]);
        command
    }
}

/// The process's first message.
#[derive(Debug, Deserialize)]
struct Hello {
    format: String,
    version: u32,
    planes: usize,
    globals: usize,
}

const FORMAT: &str = "banyan-infer";

const VERSION: u32 = 2;

/// One of a logit's unit in replies.
const LOGIT_ONE: f32 = 1024.0;

/// One of a value's unit in replies.
const VALUE_ONE: f32 = 32_767.0;

/// A process that was told to end is given so long.
const PATIENCE: Duration = Duration::from_secs(3);

/// A process that evaluates a network for many threads; ends with the last of its handles.
#[derive(Clone, Debug)]
pub struct Inference(Arc<Running>);

#[derive(Debug)]
struct Running {
    python: PathBuf,
    /// Planes that the network sees, count.
    planes: usize,
    child: Mutex<Child>,
    /// Nothing once it is to end.
    to: Mutex<Option<ChildStdin>>,
    waiting: Arc<Mutex<Waiting>>,
}

/// Threads that wait, by their requests.
#[derive(Debug, Default)]
struct Waiting {
    next: u32,
    replies: HashMap<u32, Sender<Vec<u8>>>,
    has_ended: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inference {
    /// Starts a process that evaluates the network of a file.
    ///
    /// - `weights`: as [`banyan_net::Trained::write`] has them.
    ///
    /// # Errors
    /// A program that cannot be started or says something else; its own words are on standard error.
    pub fn start(torch: &Torch, weights: &Path, shape: &Shape) -> anyhow::Result<Inference> {
        let mut command = torch.command("banyan_learn.infer");
        command.arg("--weights").arg(weights).stdin(Stdio::piped()).stdout(Stdio::piped());
        let python = torch.program().to_owned();
        let mut child =
            command.spawn().with_context(|| format!("cannot run {}", python.display()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are pipes");
        };
        let waiting = Arc::default();
        let (child, to) = (Mutex::new(child), Mutex::new(Some(to)));
        let planes = shape.planes;
        let running = Running { python, planes, child, to, waiting: Arc::clone(&waiting) };
        let mut from = BufReader::with_capacity(1 << 20, from);
        let found = running.greeted(&mut from, &torch.hint())?;
        let wanted = (FORMAT, VERSION, shape.planes, shape.globals);
        ensure!(
            (found.format.as_str(), found.version, found.planes, found.globals) == wanted,
            "{} said {found:?}, expected {wanted:?}",
            running.python.display()
        );
        std::thread::Builder::new()
            .name("inference".to_owned())
            .spawn(move || hand_out(from, &waiting))?;
        Ok(Inference(Arc::new(running)))
    }

    /// Has it read its file of weights again; what is asked afterwards is judged by them.
    ///
    /// # Errors
    /// A process that has ended.
    pub fn renew(&self) -> anyhow::Result<()> {
        self.write(&[0; 4], &[])
    }

    fn write(&self, head: &[u32; 4], request: &[u8]) -> anyhow::Result<()> {
        let head: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut to = lock(&self.0.to);
        let ended = || self.0.ended();
        let to = to.as_mut().with_context(ended)?;
        to.write_all(&head).and_then(|()| to.write_all(request)).with_context(ended)
    }

    /// Has a request answered; waits for it.
    ///
    /// - `request`: bits of planes, then globals, of `count` positions.
    fn ask(
        &self,
        request: &[u8],
        count: usize,
        (width, height): (usize, usize),
    ) -> anyhow::Result<Vec<u8>> {
        let ended = || self.0.ended();
        let (reply, answered) = channel();
        let number = {
            let mut waiting = lock(&self.0.waiting);
            ensure!(!waiting.has_ended, ended());
            waiting.next = waiting.next.wrapping_add(1);
            let number = waiting.next;
            waiting.replies.insert(number, reply);
            number
        };
        self.write(&[number, count as u32, width as u32, height as u32], request)?;
        answered.recv().with_context(ended)
    }
}

impl Running {
    fn ended(&self) -> String {
        format!("{} has ended in the middle of a request", self.python.display())
    }

    fn greeted(&self, from: &mut BufReader<ChildStdout>, hint: &str) -> anyhow::Result<Hello> {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let python = self.python.display();
        ensure!(
            !line.is_empty(),
            "{python} evaluates nothing: it ended before it said a word{hint}"
        );
        let refused = || format!("{python} evaluates nothing: it said {line:?}");
        serde_json::from_str(&line).with_context(refused)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // At the end of its input it says what it has done, and ends.
        drop(lock(&self.to).take());
        let asked = Instant::now();
        while matches!(child.try_wait(), Ok(None)) && asked.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Gives replies to those who wait, until there are no more.
fn hand_out(mut from: BufReader<ChildStdout>, waiting: &Mutex<Waiting>) {
    let mut next = || -> std::io::Result<(u32, Vec<u8>)> {
        let mut head = [0; 8];
        from.read_exact(&mut head)?;
        let [number, bytes] = [0, 4].map(|at| {
            u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes are four"))
        });
        let mut reply = Vec::new();
        from.by_ref().take(bytes.into()).read_to_end(&mut reply)?;
        Ok((number, reply))
    };
    while let Ok((number, reply)) = next() {
        if let Some(who) = lock(waiting).replies.remove(&number) {
            let _ = who.send(reply);
        }
    }
    let mut waiting = lock(waiting);
    waiting.has_ended = true;
    waiting.replies.clear();
}

/// Judges positions by a process.
pub struct ByInference<'a> {
    inference: &'a Inference,
    planes: Vec<Planes>,
    request: Vec<u8>,
}

impl ByInference<'_> {
    /// Room for its requests.
    pub fn new(inference: &Inference) -> ByInference<'_> {
        ByInference { inference, planes: Vec::new(), request: Vec::new() }
    }
}

impl<G: Learned> Judge<G> for ByInference<'_> {
    const VALUE_SCALE: f32 = 0.6;

    fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>> {
        let Some(first) = due.first() else { return Ok(Vec::new()) };
        let size = first.position.size();
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let points = width * height;
        self.planes.resize_with(self.planes.len().max(due.len()), Planes::default);
        let seen = &mut self.planes[..due.len()];
        due.iter().zip(&mut *seen).for_each(|(due, planes)| due.position.encode(planes));
        self.request.clear();
        let count = self.inference.0.planes;
        let planes = seen.iter().flat_map(|seen| seen.input(count).planes);
        self.request.extend(planes.flat_map(|plane| plane.bytes(points)));
        let globals = seen.iter().flat_map(|seen| &seen.globals);
        self.request.extend(globals.flat_map(|number| number.to_le_bytes()));
        let reply = self.inference.ask(&self.request, due.len(), (width, height))?;
        let bytes = 2 * (points + 2);
        ensure!(
            reply.len() == due.len() * bytes,
            "a reply of {} bytes, expected {} for {} positions",
            reply.len(),
            due.len() * bytes,
            due.len()
        );
        let replies = reply.chunks_exact(bytes);
        Ok(due
            .iter()
            .zip(seen.iter().zip(replies))
            .map(|(due, (seen, reply))| said(&due.moves, seen, reply))
            .collect())
    }
}

/// Reads a reply: logits of points and of a pass, then the value.
fn said(moves: &[Move], planes: &Planes, reply: &[u8]) -> Said {
    let number = |at: usize| f32::from(i16::from_le_bytes([reply[2 * at], reply[2 * at + 1]]));
    let points = planes.width * planes.height;
    let place = |mv: &Move| mv.index().map_or(points, |point| planes.point(point));
    Said {
        value: number(points + 1) / VALUE_ONE,
        logits: moves.iter().map(|mv| number(place(mv)) / LOGIT_ONE).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_logits_of_points_and_of_a_pass_and_then_the_value() {
        let planes = Planes { width: 2, height: 2, ..Planes::default() };
        let reply: Vec<u8> =
            [1024i16, -2048, 0, 512, 256, 24_575].iter().flat_map(|it| it.to_le_bytes()).collect();
        let found = said(&[Move(1), Move::PASS, Move(3)], &planes, &reply);
        assert_eq!(found.logits, [-2.0, 0.25, 0.5]);
        assert!((found.value - 0.75).abs() < 1e-4, "{}", found.value);
        let turned = Planes { is_turned: true, ..planes };
        assert_eq!(said(&[Move(2)], &turned, &reply).logits, [-2.0]);
    }
}
