//! Attachment of front ends: one stream is one session.

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use banyan_admission::Guest;
use banyan_jobs::limits;
use banyan_jobs::session::{FromFrontEnd, SESSIONS_VERSION, ToFrontEnd, Visitor};
use banyan_proto::wire::sessions_server::Sessions;
use banyan_proto::{sessions, wire};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use super::refuse;
use crate::cluster::Link;
use crate::seats::{ORDER_TIME_MAX, SessionSlots};
use crate::serve::{Asked, Host};

/// The services' side of `banyan serve`.
pub(super) struct SessionService {
    pub(super) link: Link,
    pub(super) slots: SessionSlots,
}

type Outbound = Pin<Box<dyn Stream<Item = Result<wire::ToFrontEnd, Status>> + Send>>;

#[tonic::async_trait]
impl Sessions for SessionService {
    type OpenStream = Outbound;

    async fn open(
        &self,
        request: Request<Streaming<wire::FromFrontEnd>>,
    ) -> Result<Response<Outbound>, Status> {
        let guest = request.extensions().get::<Arc<Guest>>().cloned();
        let mut up = request.into_inner();
        let visitor = hello(&mut up).await?;
        if let Some(guest) = &guest {
            guest.welcome();
        }
        let (down, answers) = mpsc::channel(limits::RESPONSES_WAITING_MAX);
        let began = self.begin(&visitor, down.clone());
        let _ = match began {
            Ok((requests, given_away)) => {
                tracing::info!(name = visitor.name, "front end attached");
                let welcome = down.try_send(ToFrontEnd::Welcome);
                let asks = Asks { up, given_away, has_asked: false };
                tokio::spawn(listen_to(visitor, asks, requests));
                welcome
            }
            Err(reason) => {
                refuse(guest.as_deref(), &format!("front end {:?}: {reason}", visitor.name));
                down.try_send(ToFrontEnd::Refused(reason))
            }
        };
        let encoded = ReceiverStream::new(answers).map(|it| Ok(sessions::encode_to_front_end(it)));
        Ok(Response::new(Box::pin(encoded)))
    }
}

impl SessionService {
    /// Gives a front end a session slot; the reason why not is for people.
    fn begin(
        &self,
        visitor: &Visitor,
        answers: mpsc::Sender<ToFrontEnd>,
    ) -> Result<(mpsc::Sender<Asked>, CancellationToken), String> {
        if visitor.version != SESSIONS_VERSION {
            return Err(format!(
                "it speaks version {} of sessions (build {}), this coordinator {SESSIONS_VERSION} \
                 (build {})",
                visitor.version,
                visitor.build,
                banyan_worker::BUILD
            ));
        }
        let (requests, inbox) = mpsc::channel(limits::REQUESTS_WAITING_MAX);
        let slot = self.slots.take(&visitor.name)?;
        let given_away = slot.given_away();
        let host = Host { slot, lender: Arc::new(self.link.clone()), answers };
        let no_thread = |error| format!("there is no thread for it: {error}");
        host.start(inbox).map_err(no_thread)?;
        Ok((requests, given_away))
    }
}

/// Requests of a front end.
struct Asks {
    up: Streaming<wire::FromFrontEnd>,
    /// Its seat is another's.
    given_away: CancellationToken,
    has_asked: bool,
}

impl Asks {
    /// The next message; nothing when there will be none, or its seat is another's, or it has asked for
    /// nothing for too long. A front end that left and a link that broke look alike, and are treated alike.
    async fn next(&mut self) -> Option<wire::FromFrontEnd> {
        let has_asked = self.has_asked;
        let too_long = async {
            match has_asked {
                true => pending().await,
                false => sleep(ORDER_TIME_MAX).await,
            }
        };
        tokio::select! {
            ask = self.up.message() => ask.ok().flatten(),
            () = self.given_away.cancelled() => None,
            () = too_long => None,
        }
    }
}

async fn hello(up: &mut Streaming<wire::FromFrontEnd>) -> Result<Visitor, Status> {
    let late = |_| Status::deadline_exceeded("no hello in time");
    let first = timeout(limits::HELLO_TIME_MAX, up.message()).await.map_err(late)??;
    let first = first.ok_or_else(|| Status::invalid_argument("the stream ended before a hello"))?;
    match sessions::decode_from_front_end(first) {
        Ok(FromFrontEnd::Hello(visitor)) => Ok(visitor),
        Ok(_) => Err(Status::invalid_argument("the first message must be a hello")),
        Err(wrong) => Err(Status::invalid_argument(wrong.to_string())),
    }
}

/// Passes on what a front end asks for until its stream ends; a search under way ends with it.
async fn listen_to(visitor: Visitor, mut asks: Asks, requests: mpsc::Sender<Asked>) {
    let name = visitor.name;
    let mut under_way = (0, Arc::new(AtomicBool::new(false)));
    while let Some(ask) = asks.next().await {
        match sessions::decode_from_front_end(ask) {
            Ok(FromFrontEnd::Search(request)) => {
                asks.has_asked = true;
                under_way.1.store(true, Ordering::Relaxed);
                under_way = (request.number, Arc::new(AtomicBool::new(false)));
                let asked = Asked { request: *request, stop: under_way.1.clone() };
                if requests.try_send(asked).is_err() {
                    tracing::warn!(name, "front end put out: it asks before it is answered");
                    break;
                }
            }
            Ok(FromFrontEnd::Stop(number)) => {
                under_way.1.fetch_or(number == under_way.0, Ordering::Relaxed);
            }
            Ok(FromFrontEnd::Hello(_)) => {
                tracing::warn!(name, "front end put out: a second hello on one stream");
                break;
            }
            Err(wrong) => {
                tracing::warn!(name, "front end put out: it sent nonsense: {wrong}");
                break;
            }
        }
    }
    under_way.1.store(true, Ordering::Relaxed);
    tracing::info!(name, "front end left");
}
