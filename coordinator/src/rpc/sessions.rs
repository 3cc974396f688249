//! Where front ends attach: one stream is one session.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use banyan_jobs::limits;
use banyan_jobs::session::{Answer, Ask, SESSIONS_VERSION, Visitor};
use banyan_proto::wire::sessions_server::Sessions;
use banyan_proto::{sessions, wire};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use super::strangers::Guest;
use crate::cluster::Link;
use crate::serve::{Host, Job, Seats};

/// The services' side of `banyan serve`.
pub(super) struct Desk {
    pub(super) link: Link,
    pub(super) seats: Seats,
}

type Outbound = Pin<Box<dyn Stream<Item = Result<wire::Answer, Status>> + Send>>;

#[tonic::async_trait]
impl Sessions for Desk {
    type OpenStream = Outbound;

    async fn open(
        &self,
        request: Request<Streaming<wire::Ask>>,
    ) -> Result<Response<Outbound>, Status> {
        let guest = request.extensions().get::<Arc<Guest>>().cloned();
        let mut asks = request.into_inner();
        let visitor = hello(&mut asks).await?;
        if let Some(guest) = guest {
            guest.welcome();
        }
        let (down, answers) = mpsc::channel(limits::ANSWERS_WAITING_MAX);
        let began = self.begin(&visitor, down.clone());
        let _ = match began {
            Ok(orders) => {
                tracing::info!(name = visitor.name, "front end attached");
                let welcome = down.try_send(Answer::Welcome);
                tokio::spawn(listen_to(visitor, asks, orders));
                welcome
            }
            Err(reason) => {
                tracing::warn!(name = visitor.name, "front end refused: {reason}");
                down.try_send(Answer::Refused(reason))
            }
        };
        let encoded = ReceiverStream::new(answers).map(|it| Ok(sessions::encode_answer(it)));
        Ok(Response::new(Box::pin(encoded)))
    }
}

impl Desk {
    /// Seats a front end; the reason why not is for people.
    fn begin(
        &self,
        visitor: &Visitor,
        answers: mpsc::Sender<Answer>,
    ) -> Result<mpsc::Sender<Job>, String> {
        if visitor.version != SESSIONS_VERSION {
            return Err(format!(
                "it speaks version {} of sessions (build {}), this coordinator {SESSIONS_VERSION} \
                 (build {})",
                visitor.version,
                visitor.build,
                banyan_worker::BUILD
            ));
        }
        let (orders, inbox) = mpsc::channel(limits::ORDERS_WAITING_MAX);
        let seat = self.seats.take()?;
        let host = Host { seat, lender: Arc::new(self.link.clone()), answers };
        let no_thread = |error| format!("there is no thread for it: {error}");
        host.start(inbox).map_err(no_thread)?;
        Ok(orders)
    }
}

async fn hello(asks: &mut Streaming<wire::Ask>) -> Result<Visitor, Status> {
    let late = |_| Status::deadline_exceeded("no hello in time");
    let first = timeout(limits::HELLO_TIME_MAX, asks.message()).await.map_err(late)??;
    let first = first.ok_or_else(|| Status::invalid_argument("the stream ended before a hello"))?;
    match sessions::decode_ask(first) {
        Ok(Ask::Hello(visitor)) => Ok(visitor),
        Ok(_) => Err(Status::invalid_argument("the first message must be a hello")),
        Err(wrong) => Err(Status::invalid_argument(wrong.to_string())),
    }
}

/// Passes on what a front end asks for until its stream ends; a search under way ends with it.
async fn listen_to(visitor: Visitor, mut asks: Streaming<wire::Ask>, orders: mpsc::Sender<Job>) {
    let name = visitor.name;
    let mut under_way = (0, Arc::new(AtomicBool::new(false)));
    // A front end that left and a link that broke look alike, and are treated alike.
    while let Ok(Some(ask)) = asks.message().await {
        match sessions::decode_ask(ask) {
            Ok(Ask::Search(order)) => {
                under_way.1.store(true, Ordering::Relaxed);
                under_way = (order.number, Arc::new(AtomicBool::new(false)));
                let job = Job { order: *order, stop: under_way.1.clone() };
                if orders.try_send(job).is_err() {
                    tracing::warn!(name, "front end put out: it asks before it is answered");
                    break;
                }
            }
            Ok(Ask::Stop(number)) => {
                under_way.1.fetch_or(number == under_way.0, Ordering::Relaxed);
            }
            Ok(Ask::Hello(_)) => {
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
