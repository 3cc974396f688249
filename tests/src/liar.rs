//! A worker whose tallies are wrong: it joins, plays what it is lent, and changes what it counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use banyan_games::Counts;
use banyan_jobs::{Answer, BatchId, Bound, Bounds, FromWorker, INFINITE, Job, Tally, ToWorker};
use banyan_proto::wire::cluster_client::ClusterClient;
use banyan_proto::{decode, encode};
use banyan_worker::{FlushAfter, Sink, Worker};
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

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
    /// Whatever is searched is no better for its side to move than was asked about.
    Solutions,
}

/// Bounds of the subproblems that it was lent.
type Asked = Arc<Mutex<HashMap<BatchId, Bounds>>>;

impl Lie {
    fn tell(self, tally: &mut Tally, asked: &Asked) {
        if self == Lie::Solutions {
            let bounds = asked.lock().expect("no panic").remove(&tally.batch);
            return no_better(&mut tally.answer, bounds);
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
            Lie::SometimesWins(_) | Lie::Solutions => {}
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
    let (address, name) = (address.to_owned(), name.to_owned());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(work(&address, &name, lie))
    })
}

async fn work(address: &str, name: &str, lie: Lie) -> Option<String> {
    let client = ClusterClient::connect(format!("http://{address}")).await;
    let (up, outbound) = mpsc::channel(64);
    let say = |message| {
        // A full channel loses an answer, as a bad link does.
        let _ = up.try_send(encode::from_worker(message));
    };
    say(FromWorker::Hello(banyan_worker::profile(name, 1)));
    let down = client.expect("it listens").work(ReceiverStream::new(outbound)).await;
    let mut down = down.expect("the hello is a good one").into_inner();
    let mouth = up.clone();
    let asked = Asked::default();
    let lent = asked.clone();
    let sink: Sink = Arc::new(move |mut message| {
        if let FromWorker::Tallies(tallies) = &mut message {
            tallies.iter_mut().for_each(|tally| lie.tell(tally, &lent));
        }
        let _ = mouth.blocking_send(encode::from_worker(message));
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
    }
    None
}
