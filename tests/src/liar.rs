//! A worker whose tallies are wrong: it joins, plays what it is lent, and changes what it counted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use banyan_games::Counts;
use banyan_jobs::{
    Answer, BatchId, Bound, Bounds, FromWorker, INFINITE, Job, Proof, Tally, ToWorker,
};
use banyan_proto::wire::cluster_client::ClusterClient;
use banyan_proto::{decode, encode};
use banyan_worker::{FlushAfter, Sink, Worker, Workforce as _};
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;

/// The fault of its tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Every loss is a win.
    Wins,
    /// One tally in so many has a loss as a win: bad memory rather than bad will.
    SometimesWins(u64),
    /// Two thousand million games where some were asked for.
    TooManyGames,
    /// Fewer AMAF counts than the board has points.
    ShortLists,
    /// Everything that is searched is no better for its side to move than was asked about.
    Solutions,
    /// One answer in so many is like that.
    SometimesSolutions(u64),
    /// Every reply to a leaf of a subtree batch loses.
    FalseProofs,
    /// The truth so many times, then every loss is a win.
    WinsLater(u32),
    /// The truth so many times, then searches of games of self-play found something else.
    GamesLater(u32),
}

/// A liar that joins a cluster.
#[derive(Clone, Debug)]
pub struct Liar {
    /// Name that it gives itself.
    pub name: String,
    /// Fault of its tallies.
    pub lie: Lie,
    /// Threads that it claims to have; there is one.
    pub threads: u32,
    /// It leaves after so many tallies.
    pub leaves_after: Option<u32>,
}

/// Bounds of the subproblems that it was lent.
type Asked = Arc<Mutex<HashMap<BatchId, Bounds>>>;

impl Lie {
    /// - `nth`: tallies that it has sent before.
    fn tell(self, tally: &mut Tally, asked: &Asked, nth: u32) {
        let every = match self {
            Lie::Solutions => 1,
            Lie::SometimesSolutions(every) => every,
            _ => 0,
        };
        if every > 0 {
            let bounds = asked.lock().expect("no panic").remove(&tally.batch);
            if tally.batch.number().is_multiple_of(every) {
                no_better(&mut tally.answer, bounds);
            }
            return;
        }
        if let (Lie::FalseProofs, Answer::Subtree(_, subtree)) = (self, &mut tally.answer) {
            let replies = subtree.groups.first().map_or(0, |group| usize::from(group.children));
            subtree.proofs[..replies].fill(Proof::Loss);
        }
        if let (Lie::GamesLater(after), Answer::Played(games)) = (self, &mut tally.answer)
            && nth >= after
        {
            for value in games.iter_mut().flat_map(|game| &mut game.values) {
                *value = if *value < 0 { *value } else { 1000 - *value };
            }
        }
        let Some(counts) = tally.answer.counts_mut() else { return };
        match self {
            Lie::Wins => all_win(counts),
            Lie::SometimesWins(every) if tally.batch.number().is_multiple_of(every) => {
                all_win(counts);
            }
            Lie::TooManyGames => counts.wins = 2_000_000_000,
            Lie::ShortLists => {
                if let Some(amaf) = &mut counts.amaf {
                    amaf.visits.truncate(3);
                    amaf.half_wins.truncate(3);
                }
            }
            Lie::WinsLater(after) if nth >= after => all_win(counts),
            Lie::SometimesWins(_)
            | Lie::Solutions
            | Lie::SometimesSolutions(_)
            | Lie::FalseProofs
            | Lie::WinsLater(_)
            | Lie::GamesLater(_) => {}
        }
    }
}

fn all_win(counts: &mut Counts) {
    counts.wins += counts.losses;
    counts.losses = 0;
}

fn no_better(answer: &mut Answer, asked: Option<Bounds>) {
    if let (Answer::Solved(solved), Some(Bounds { alpha, .. })) = (answer, asked)
        && alpha > -INFINITE
    {
        solved.bound = Bound::AtMost(alpha);
    }
}

/// Starts a liar of one thread; it works until the coordinator at `address` ends the conversation, and
/// then returns the coordinator's last words, if there were any.
pub fn start(address: &str, name: &str, lie: Lie) -> JoinHandle<Option<String>> {
    let liar = Liar { name: name.to_owned(), lie, threads: 1, leaves_after: None };
    let address = address.to_owned();
    std::thread::spawn(move || liar.join(&address).expect("it listens"))
}

impl Liar {
    /// Works until the coordinator at `address` ends the conversation, or it leaves; then returns the
    /// coordinator's last words, if there were any.
    ///
    /// # Errors
    /// When nobody is there.
    pub fn join(&self, address: &str) -> Result<Option<String>, tonic::transport::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(self.work(address))
    }

    async fn work(&self, address: &str) -> Result<Option<String>, tonic::transport::Error> {
        let client = ClusterClient::connect(format!("http://{address}")).await?;
        Ok(converse(client, self).await)
    }
}

async fn converse(mut client: ClusterClient<Channel>, liar: &Liar) -> Option<String> {
    let Liar { name, lie, threads, leaves_after } = liar.clone();
    let (up, outbound) = mpsc::channel(1024);
    let say = |message| {
        // A full channel loses an answer, as a bad link does.
        let _ = up.try_send(encode::from_worker(message));
    };
    say(FromWorker::Hello(banyan_worker::profile(&name, threads)));
    let down = client.work(ReceiverStream::new(outbound)).await;
    // A coordinator that stops just now has nothing to say.
    let mut down = down.ok()?.into_inner();
    let mouth = up.clone();
    let asked = Asked::default();
    let lent = asked.clone();
    let sent = Arc::new(AtomicU32::new(0));
    let counted = sent.clone();
    let sink: Sink = Arc::new(move |mut message| {
        if let FromWorker::Tallies(tallies) = &mut message {
            for tally in tallies {
                lie.tell(tally, &lent, counted.fetch_add(1, Ordering::Relaxed));
            }
        }
        // As above; a liar that leaves must not wait for a stream that nobody reads.
        let _ = mouth.try_send(encode::from_worker(message));
    });
    let mut worker = Worker::start(1, FlushAfter::REMOTE, sink).expect("a thread");
    while let Some(Ok(message)) = down.next().await {
        match decode::to_worker(message).expect("the coordinator is honest") {
            ToWorker::Refused(why) => return Some(why),
            message => {
                if let ToWorker::Lend(lent) = &message {
                    let subproblems = lent.iter().filter_map(|lent| match lent.batch.job {
                        Job::Solve(subproblem) => Some((lent.batch.id, subproblem.bounds)),
                        _ => None,
                    });
                    asked.lock().expect("no panic").extend(subproblems);
                }
                worker.handle(message).into_iter().for_each(say);
            }
        }
        if leaves_after.is_some_and(|after| sent.load(Ordering::Relaxed) >= after) {
            return None;
        }
    }
    None
}
