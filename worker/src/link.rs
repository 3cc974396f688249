//! The connection to a coordinator: dialled again, with back-off and jitter, for as long as the worker
//! lives.

use std::collections::HashSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use banyan_jobs::{Evaluators, FromWorker, Profile, ToWorker, limits};
use banyan_proto::wire::cluster_client::ClusterClient;
use banyan_proto::{WireError, decode, encode, wire};
use rand::RngExt;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Status, Streaming};

use crate::dial::{Address, CONNECT_TIME_MAX, DialError, HungUp};
use crate::models::Models;
use crate::pool::{FlushAfter, Sink};
use crate::tls;
use crate::worker::Worker;
use crate::workforce::Workforce;

const BACK_OFF_MIN: Duration = Duration::from_millis(100);
const BACK_OFF_MAX: Duration = Duration::from_secs(5);

/// The last answers of a worker that is drained have so long to be read.
const LAST_ANSWERS_TIME_MAX: Duration = Duration::from_secs(5);

/// A connection that has not begun after so long is given up: the time of dialling, and four times as long as a
/// coordinator waits for the first word.
const OPENING_TIME_MAX: Duration =
    CONNECT_TIME_MAX.saturating_add(limits::HELLO_TIME_MAX.saturating_mul(4));

/// Messages from the pool that wait for the socket; a full channel holds the pool back.
const UP_MESSAGES_MAX: usize = 64;

/// Reasons why a connection ended.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// There is no way to the coordinator.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// The stream broke.
    #[error("the connection broke: {}", tls::words(.0))]
    Broken(Status),
    /// The stream broke before it began.
    #[error(transparent)]
    HungUp(#[from] HungUp),
    /// A message outside its limits.
    #[error("the coordinator sent nonsense: {0}")]
    Wire(#[from] WireError),
    /// Nothing heard for too long.
    #[error("the coordinator has been silent for {} s", .0.as_secs())]
    Silent(Duration),
    /// The stream ended without a word.
    #[error("the coordinator closed the connection")]
    Closed,
    /// The coordinator does not want this worker, now or later.
    #[error("the coordinator refused this worker: {0}")]
    Refused(String),
    /// No thread to be had.
    #[error("cannot start the playing threads: {0}")]
    Threads(#[from] std::io::Error),
}

/// Joining of a workforce: what it says of itself, and when.
#[derive(Clone, Debug)]
pub struct Joining {
    /// Its profile; threads and evaluators as they are when it joins.
    pub profile: Profile,
    /// As [`Hand::fit`].
    pub fit: watch::Receiver<bool>,
}

/// A hand that works for a coordinator: threads, and what they are good for.
#[derive(Clone, Debug)]
pub struct Hand {
    /// Its profile.
    pub profile: Profile,
    /// Those that roots may name.
    pub evaluators: Evaluators,
    /// The folder for models that come from coordinators; nothing where none are kept.
    pub model_cache: Option<PathBuf>,
    /// Fitness for work: it joins when it is fit, and leaves when it is not, without finishing what it
    /// holds. Written by who knows; its last word stays when that is gone.
    pub fit: watch::Receiver<bool>,
}

impl Hand {
    /// Threads that play out, always fit.
    pub fn playing(profile: Profile, model_cache: Option<PathBuf>) -> Hand {
        let (_, fit) = watch::channel(true);
        Hand { profile, evaluators: Evaluators::default(), model_cache, fit }
    }
}

/// An end of a conversation without an error.
enum Ending {
    /// This worker was told to drain, and has.
    Drained,
    /// It is not fit for work any more.
    Unfit,
    /// The coordinator stops and says so.
    Farewell,
}

impl From<Status> for LinkError {
    fn from(status: Status) -> LinkError {
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => {
                LinkError::Refused(status.message().to_owned())
            }
            _ => LinkError::Broken(status),
        }
    }
}

/// Works for the coordinator at `address` until `drain` resolves, then finishes what it holds.
///
/// # Errors
/// [`LinkError::Refused`] when the coordinator will not have this worker, and [`LinkError::Threads`];
/// every other error is waited out.
pub async fn run(
    address: Address,
    hand: Hand,
    drain: impl Future<Output = ()>,
) -> Result<(), LinkError> {
    let Hand { profile, evaluators, model_cache, fit } = hand;
    let threads = profile.threads;
    let models = match profile.games.is_empty() {
        true => Models::beginning_with(evaluators),
        false => Models::kept_in(model_cache),
    };
    let start = |sink| {
        let worker = Worker::start(threads, FlushAfter::REMOTE, sink)?;
        Ok(Box::new(worker.with_models(models)) as Box<dyn Workforce>)
    };
    join(address, Joining { profile, fit }, start, drain).await
}

/// The same for any workforce.
///
/// - `start`: makes it; its answers go to the sink.
///
/// # Errors
/// As [`run`].
pub async fn join(
    address: Address,
    joining: Joining,
    start: impl FnOnce(Sink) -> std::io::Result<Box<dyn Workforce>>,
    drain: impl Future<Output = ()>,
) -> Result<(), LinkError> {
    let (draining, drained) = watch::channel(false);
    tokio::pin!(drain);
    let (up, answers) = mpsc::channel(UP_MESSAGES_MAX);
    let sink: Sink = Arc::new(move |message| {
        // Who answers may outlive the link, when nobody reads any more.
        let _ = up.blocking_send(message);
    });
    let work = work_for_ever(address, joining, (start(sink)?, answers), drained);
    tokio::pin!(work);
    tokio::select! {
        ended = &mut work => return ended,
        () = &mut drain => {}
    }
    let _ = draining.send(true);
    work.await
}

/// Dials, works, and dials again. Ends when drained or refused.
async fn work_for_ever(
    address: Address,
    mut joining: Joining,
    (mut workforce, mut answers): (Box<dyn Workforce>, mpsc::Receiver<FromWorker>),
    mut draining: watch::Receiver<bool>,
) -> Result<(), LinkError> {
    let mut back_off = BACK_OFF_MIN;
    // Each is said once, however often it is tried again; a conversation begins anew.
    let mut said = HashSet::new();
    while until_fit(&mut joining.fit, &mut draining).await {
        let started = Instant::now();
        let works = (&mut *workforce, &mut answers);
        let ended = converse(&address, &mut joining, works, &mut draining).await;
        workforce.forget_all();
        match ended {
            Ok(Ending::Drained) => return Ok(()),
            Ok(Ending::Unfit) => {}
            Ok(Ending::Farewell) => tracing::info!("the coordinator stops; trying again later"),
            Err(LinkError::Refused(reason)) => return Err(LinkError::Refused(reason)),
            Err(error) if said.insert(error.to_string()) => {
                tracing::warn!("{error}; trying again");
            }
            Err(_) => {}
        }
        if started.elapsed() > BACK_OFF_MAX {
            back_off = BACK_OFF_MIN;
            said.clear();
        }
        wait(back_off, &mut answers, &mut draining).await;
        back_off = (back_off * 2).min(BACK_OFF_MAX);
    }
    Ok(())
}

/// Waits until there is work to be done; returns whether there is, or nothing but a drain.
async fn until_fit(fit: &mut watch::Receiver<bool>, draining: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        biased;
        _ = draining.wait_for(|&draining| draining) => false,
        known = fit.wait_for(|&fit| fit) => known.is_ok_and(|fit| *fit),
    }
}

/// Resolves when a hand is not fit any more.
async fn unfit(fit: &mut watch::Receiver<bool>) {
    if fit.wait_for(|&fit| !fit).await.is_err() {
        std::future::pending().await
    }
}

/// Waits between half of `back_off` and all of it, throwing away late tallies of the lost connection.
async fn wait(
    back_off: Duration,
    answers: &mut mpsc::Receiver<FromWorker>,
    draining: &mut watch::Receiver<bool>,
) {
    let jitter = rand::rng().random_range(0.5..1.0);
    let deadline = Instant::now() + back_off.mul_f64(jitter);
    loop {
        tokio::select! {
            () = sleep_until(deadline) => return,
            _ = draining.changed() => return,
            Some(_late) = answers.recv() => {}
        }
    }
}

/// One connection, from dialling to its end.
async fn converse(
    address: &Address,
    Joining { profile, fit }: &mut Joining,
    (worker, answers): (&mut (dyn Workforce + 'static), &mut mpsc::Receiver<FromWorker>),
    draining: &mut watch::Receiver<bool>,
) -> Result<Ending, LinkError> {
    let (up, outbound) = mpsc::channel(UP_MESSAGES_MAX);
    // That the stream has ended is seen where the coordinator is listened to.
    let say = async |message| {
        let sent = timeout(limits::COORDINATOR_SILENCE_MAX, up.send(encode::from_worker(message)));
        let stuck = |_| LinkError::Silent(limits::COORDINATOR_SILENCE_MAX);
        sent.await.map(drop).map_err(stuck)
    };
    let evaluators = match profile.games.is_empty() {
        true => profile.evaluators.clone(),
        false => worker.offers(),
    };
    let threads = worker.threads();
    say(FromWorker::Hello(Profile { threads, evaluators, ..profile.clone() })).await?;
    let (welcome, mut down) = tokio::select! {
        opened = open(address, outbound) => opened?,
        _ = draining.wait_for(|&draining| draining) => return Ok(Ending::Drained),
    };
    tracing::info!(threads, "working for {address}");
    for answer in worker.handle(welcome) {
        say(answer).await?;
    }
    let (mut left, mut released) = (false, false);
    loop {
        // Before the release a batch may still be on its way here.
        if released && worker.held() == 0 && answers.is_empty() {
            break;
        }
        tokio::select! {
            message = timeout(limits::COORDINATOR_SILENCE_MAX, next(&mut down)) => {
                match message.map_err(|_| LinkError::Silent(limits::COORDINATOR_SILENCE_MAX))?? {
                    ToWorker::Refused(reason) => return Err(LinkError::Refused(reason)),
                    ToWorker::Released => released = true,
                    ToWorker::Farewell => return Ok(Ending::Farewell),
                    message => {
                        for answer in worker.handle(message) {
                            say(answer).await?;
                        }
                    }
                }
            }
            Some(answer) = answers.recv() => {
                // What could not be done because it is not fit any more is nobody's fault, and is lent again.
                if *fit.borrow() || !matches!(answer, FromWorker::Failed(..)) {
                    say(answer).await?;
                }
            }
            () = unfit(fit) => return Ok(Ending::Unfit),
            _ = draining.changed(), if !left => {
                left = true;
                say(FromWorker::Draining).await?;
            }
            // A drain ends when the last batch is answered, which wakes nobody here by itself.
            () = sleep(Duration::from_millis(5)), if released => {}
        }
    }
    // The last answers may still wait to be sent, and hanging up would drop them: this side is done, and
    // the coordinator ends the conversation once it has read them.
    drop(up);
    let read = async { while next(&mut down).await.is_ok() {} };
    let _ = timeout(LAST_ANSWERS_TIME_MAX, read).await;
    Ok(Ending::Drained)
}

/// Dials, and begins the conversation: the coordinator's welcome, and what it says from there on.
///
/// Whoever takes the connection and is silent then, such as a tunnel without another end, is not waited for.
async fn open(
    address: &Address,
    outbound: mpsc::Receiver<wire::FromWorker>,
) -> Result<(ToWorker, Streaming<wire::ToWorker>), LinkError> {
    let opened = async {
        let mut client = ClusterClient::new(address.dial().await?)
            .max_decoding_message_size(limits::MESSAGE_BYTES_MAX)
            .max_encoding_message_size(limits::MESSAGE_BYTES_MAX);
        let conversation = address.authorize(Request::new(ReceiverStream::new(outbound)));
        let opened = client.work(conversation).await;
        let opened = opened.map_err(|broken| match address.hung_up(&broken) {
            Some(hung_up) => hung_up.into(),
            None => LinkError::from(broken),
        });
        let mut down = opened?.into_inner();
        match next(&mut down).await? {
            ToWorker::Refused(reason) => Err(LinkError::Refused(reason)),
            welcome => Ok((welcome, down)),
        }
    };
    let silent = |_| LinkError::Silent(OPENING_TIME_MAX);
    timeout(OPENING_TIME_MAX, opened).await.map_err(silent)?
}

async fn next(down: &mut Streaming<wire::ToWorker>) -> Result<ToWorker, LinkError> {
    let message = down.next().await.ok_or(LinkError::Closed)??;
    Ok(decode::to_worker(message)?)
}
