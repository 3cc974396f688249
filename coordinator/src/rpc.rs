//! The edge where workers and front ends dial in: the only place of the coordinator that knows the wire.
//!
//! Who gets through the door is [`banyan_admission`]'s business.
//!
//! Reading order: here what a worker says, and in `sessions` what a front end does. `line` is the other end of that.

mod sessions;

mod line;

pub(crate) mod simulated;

pub(crate) use line::Line;
pub use line::LineError;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use banyan_admission::{Guest, Identity, Locks, Strangers, descriptors, door};
use banyan_games::Kind;
use banyan_jobs::profile::{PROTOCOL_VERSION, supported_games};
use banyan_jobs::{FromWorker, GameSupport, Profile, ToWorker, WorkerId, limits};
use banyan_proto::wire::cluster_server::{Cluster, ClusterServer};
use banyan_proto::wire::sessions_server::SessionsServer;
use banyan_proto::{decode, encode, wire};
use banyan_scheduler::Event;
use banyan_web::snapshot::BANNED;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::service::interceptor::InterceptedService;
use tonic::{Request, Response, Status, Streaming};
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_reflection::server::v1::{ServerReflection, ServerReflectionServer};

use self::sessions::SessionService;
use crate::cluster::{Command, Link};
use crate::seats::{Serving, SessionSlots};

/// Accepts workers, and front ends where they are served, until the runtime ends.
pub(crate) async fn serve(
    listener: TcpListener,
    locks: Locks,
    edge: Edge,
    serving: Option<Serving>,
) {
    let strangers = Strangers::new(descriptors::strangers_max(), edge.link.refused().clone());
    let has_sessions = serving.is_some();
    let sessions_service = serving.map(|serving| {
        let slots = SessionSlots::new(serving, edge.link.attached().clone());
        let service = SessionsServer::new(SessionService { link: edge.link.clone(), slots })
            .max_decoding_message_size(limits::MESSAGE_BYTES_MAX)
            .max_encoding_message_size(limits::MESSAGE_BYTES_MAX);
        InterceptedService::new(service, locks.guard.clone())
    });
    let service = ClusterServer::new(edge)
        .max_decoding_message_size(limits::MESSAGE_BYTES_MAX)
        .max_encoding_message_size(limits::MESSAGE_BYTES_MAX);
    let server = tonic::transport::Server::builder()
        .http2_keepalive_interval(Some(limits::COORDINATOR_SILENCE_MAX / 4))
        .http2_keepalive_timeout(Some(limits::COORDINATOR_SILENCE_MAX))
        .initial_stream_window_size(limits::STREAM_WINDOW_BYTES)
        .initial_connection_window_size(limits::STREAM_WINDOW_BYTES)
        .max_concurrent_streams(limits::STREAMS_PER_CONNECTION_MAX)
        .max_frame_size(limits::FRAME_BYTES_MAX)
        .add_service(health(has_sessions).await)
        .add_optional_service(sessions_service)
        .add_service(InterceptedService::new(reflection(), locks.guard.clone()))
        .add_service(InterceptedService::new(service, locks.guard));
    let incoming = door::open(listener, locks.tls, strangers);
    if let Err(error) = server.serve_with_incoming(incoming).await {
        tracing::error!("workers can no longer join: {error}");
    }
}

/// Says whether this process lives, to anybody: probes have no token.
async fn health(has_sessions: bool) -> HealthServer<impl Health> {
    let (reporter, service) = tonic_health::server::health_reporter();
    reporter.set_serving::<ClusterServer<Edge>>().await;
    if has_sessions {
        reporter.set_serving::<SessionsServer<SessionService>>().await;
    }
    service
}

/// Tells whoever may join what can be said here.
fn reflection() -> ServerReflectionServer<impl ServerReflection> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(banyan_proto::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()
        .expect("descriptors that the build made")
}

/// The cluster's side of each worker's connection, and who is let in.
pub(crate) struct Edge {
    link: Link,
    kind: Option<Kind>,
}

type Outbound = Pin<Box<dyn Stream<Item = Result<wire::ToWorker, Status>> + Send>>;

#[tonic::async_trait]
impl Cluster for Edge {
    type WorkStream = Outbound;

    async fn work(
        &self,
        request: Request<Streaming<wire::FromWorker>>,
    ) -> Result<Response<Outbound>, Status> {
        let guest = request.extensions().get::<Arc<Guest>>().cloned();
        let mut up = request.into_inner();
        let profile = hello(&mut up).await?;
        if let Some(guest) = &guest {
            guest.welcome();
        }
        let (down, messages) = mpsc::channel(limits::OUTBOUND_MESSAGES_MAX);
        let identity = guest.as_ref().map(|guest| guest.identity(&profile.name));
        // The cluster's own thread does not wait for fingerprints.
        let ours = tokio::task::spawn_blocking(supported_games).await;
        let ours = ours.map_err(|_| Status::internal("no fingerprints to be had"))?;
        match self.admit(&ours, &profile, identity.as_ref()) {
            Err(reason) => {
                refuse(guest.as_deref(), &format!("worker {:?}: {reason}", profile.name));
                let _ = down.try_send(ToWorker::Refused(reason));
            }
            Ok(()) => {
                let _ = down.try_send(ToWorker::Welcome);
                let worker = self.link.next_worker();
                tracing::info!(name = profile.name, threads = profile.threads, "worker joined");
                let ends = (self.link.clone(), down.downgrade());
                self.link.send(Command::Connected(worker, profile, identity, down)).await;
                tokio::spawn(listen_to(worker, up, ends));
            }
        }
        let encoded = ReceiverStream::new(messages).map(|message| Ok(encode::to_worker(message)));
        Ok(Response::new(Box::pin(encoded)))
    }
}

/// Counts somebody who is not let in and says why, the same once a minute, however often it dials.
fn refuse(guest: Option<&Guest>, why: &str) {
    match guest {
        Some(guest) => guest.refuse(why),
        None => tracing::warn!("connection refused: {why}"),
    }
}

impl Edge {
    /// Lets in workers that know the game `kind`, or any of ours.
    pub(crate) fn new(link: Link, kind: Option<Kind>) -> Edge {
        // Fingerprints take some tenths of a second, as long as it takes the first worker to come.
        let worked_out = std::thread::Builder::new().name("fingerprints".to_owned());
        if let Err(error) = worked_out.spawn(supported_games) {
            tracing::debug!("fingerprints are worked out when the first worker comes: {error}");
        }
        Edge { link, kind }
    }

    /// Checks that a worker can play for this coordinator; the reason why not is for people.
    fn admit(
        &self,
        ours: &[GameSupport],
        profile: &Profile,
        identity: Option<&Identity>,
    ) -> Result<(), String> {
        if profile.protocol != PROTOCOL_VERSION {
            return Err(format!(
                "it speaks protocol {} (build {}), this coordinator {PROTOCOL_VERSION} (build {})",
                profile.protocol,
                profile.build,
                banyan_worker::BUILD
            ));
        }
        let judges = |game: &str| profile.evaluators.iter().any(|offer| offer.game == game);
        let knows = |kind: Kind| profile.plays(kind.name()) || judges(kind.name());
        if let Some(kind) = self.kind.filter(|&kind| !knows(kind)) {
            return Err(format!("it does not play {kind}"));
        }
        for ours in ours {
            let Some(theirs) = profile.games.iter().find(|game| game.name == ours.name) else {
                continue;
            };
            let (name, build, own) = (&ours.name, &profile.build, banyan_worker::BUILD);
            if theirs.models != ours.models {
                return Err(format!(
                    "its models of {name} (build {build}) are {}, this coordinator's (build {own}) {}",
                    theirs.models, ours.models
                ));
            }
            if theirs.fingerprint != ours.fingerprint {
                return Err(format!(
                    "its playouts of {name} (build {build}) differ from this coordinator's (build \
                     {own})"
                ));
            }
        }
        if let Some(why) = identity.and_then(|identity| self.link.refusal(identity)) {
            return Err(match why.as_str() {
                BANNED => format!("it was {BANNED}"),
                why => format!("its tallies were found to be wrong: {why}"),
            });
        }
        if self.link.present() >= limits::WORKERS_MAX {
            return Err(format!("there are {} workers already", limits::WORKERS_MAX));
        }
        Ok(())
    }
}

async fn hello(up: &mut Streaming<wire::FromWorker>) -> Result<Profile, Status> {
    let late = |_| Status::deadline_exceeded("no hello in time");
    let first = timeout(limits::HELLO_TIME_MAX, up.message()).await.map_err(late)??;
    let first = first.ok_or_else(|| Status::invalid_argument("the stream ended before a hello"))?;
    match decode::from_worker(first) {
        Ok(FromWorker::Hello(profile)) => Ok(profile),
        Ok(_) => Err(Status::invalid_argument("the first message must be a hello")),
        Err(wrong) => Err(Status::invalid_argument(wrong.to_string())),
    }
}

/// Between two looks at whether a worker that says nothing was put out.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Passes on what a worker says until its stream ends, or it is put out: then nobody has its other end any more.
async fn listen_to(
    worker: WorkerId,
    mut up: Streaming<wire::FromWorker>,
    (link, down): (Link, mpsc::WeakSender<ToWorker>),
) {
    let mut looks = tokio::time::interval(LOOK_INTERVAL);
    loop {
        let message = tokio::select! {
            message = up.message() => message,
            _ = looks.tick() => match down.upgrade() {
                Some(_) => continue,
                None => return,
            },
        };
        if down.upgrade().is_none() {
            return;
        }
        let message = match message {
            Ok(Some(message)) => message,
            // A worker that left and a link that broke look alike, and are treated alike.
            Ok(None) | Err(_) => break,
        };
        match decode::from_worker(message) {
            Ok(message) => {
                if !link.send(Command::Event(Event::Said(worker, message))).await {
                    return;
                }
            }
            Err(wrong) => {
                let name = link.name_of(worker);
                tracing::error!(name, "worker put out: it sent nonsense: {wrong}");
                break;
            }
        }
    }
    link.send(Command::Event(Event::Left(worker))).await;
}
