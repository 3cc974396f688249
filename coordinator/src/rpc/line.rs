//! A front end's line to the coordinator that serves it: dialled, spoken, and never waited for without
//! a bound.

use std::time::Duration;

use banyan_jobs::limits;
use banyan_jobs::session::{FromFrontEnd, ToFrontEnd, Visitor};
use banyan_proto::wire::sessions_client::SessionsClient;
use banyan_proto::{WireError, sessions, wire};
use banyan_worker::dial::{Address, DialError, HungUp};
use banyan_worker::tls;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Status, Streaming};

/// Asks that wait for the socket: a search, its stop, and the next.
const ASKS_WAITING_MAX: usize = 4;

/// Reasons why a line is no use.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// There is no way to the coordinator.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// The coordinator does not want this front end.
    #[error("the coordinator refused this front end: {0}")]
    Refused(String),
    /// The one that answers serves no front ends.
    #[error("it serves no front ends: start it by `banyan serve`")]
    NoService,
    /// The stream broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The stream broke before it began.
    #[error(transparent)]
    HungUp(#[from] HungUp),
    /// The stream ended without a word.
    #[error("the coordinator closed the connection")]
    Closed,
    /// Nothing was heard for too long.
    #[error("the coordinator has been silent for {:.1} s", .0.as_secs_f32())]
    Silent(Duration),
    /// A message outside its limits.
    #[error("the coordinator sent nonsense: {0}")]
    Wire(#[from] WireError),
    /// A move that the rules forbid, or owners of another board.
    #[error("the coordinator sent a response about another position")]
    OtherPosition,
    /// No thread to be had.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl From<Status> for LineError {
    fn from(status: Status) -> LineError {
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => {
                LineError::Refused(status.message().to_owned())
            }
            Code::Unimplemented => LineError::NoService,
            _ => LineError::Broken(tls::words(&status)),
        }
    }
}

/// An open session with a coordinator.
#[derive(Debug)]
pub(crate) struct Line {
    up: mpsc::Sender<FromFrontEnd>,
    down: Streaming<wire::ToFrontEnd>,
    /// Its thread answers the coordinator's keep-alive while this side says nothing. Dropped last.
    runtime: Runtime,
}

impl Line {
    /// Dials and says hello, within `patience`.
    ///
    /// # Errors
    /// [`LineError`]; all but a refusal may pass with time.
    pub(crate) fn open(
        address: &Address,
        visitor: &Visitor,
        patience: Duration,
    ) -> Result<Line, LineError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let opening = async { timeout(patience, greet(address, visitor)).await };
        let opened = runtime.block_on(opening).map_err(|_| LineError::Silent(patience));
        match opened.flatten() {
            Ok((up, down)) => Ok(Line { up, down, runtime }),
            Err(error) => {
                // A dial that goes on must not be waited for.
                runtime.shutdown_background();
                Err(error)
            }
        }
    }

    /// Says something.
    ///
    /// # Errors
    /// [`LineError::Closed`] when nobody listens any more.
    pub(crate) fn ask(&mut self, message: FromFrontEnd) -> Result<(), LineError> {
        self.up.try_send(message).map_err(|_| LineError::Closed)
    }

    /// The next answer, or nothing when none comes within `patience`.
    ///
    /// # Errors
    /// [`LineError`] when the line is of no more use.
    pub(crate) fn answer(&mut self, patience: Duration) -> Result<Option<ToFrontEnd>, LineError> {
        let down = &mut self.down;
        let next = self.runtime.block_on(async { timeout(patience, down.message()).await });
        match next {
            Err(_) => Ok(None),
            Ok(message) => {
                let message = message?.ok_or(LineError::Closed)?;
                Ok(Some(sessions::decode_to_front_end(message)?))
            }
        }
    }
}

async fn greet(
    address: &Address,
    visitor: &Visitor,
) -> Result<(mpsc::Sender<FromFrontEnd>, Streaming<wire::ToFrontEnd>), LineError> {
    let mut client = SessionsClient::new(address.dial().await?)
        .max_decoding_message_size(limits::MESSAGE_BYTES_MAX)
        .max_encoding_message_size(limits::MESSAGE_BYTES_MAX);
    let (up, outbound) = mpsc::channel(ASKS_WAITING_MAX);
    let _ = up.try_send(FromFrontEnd::Hello(visitor.clone()));
    let outbound = tokio_stream::StreamExt::map(
        ReceiverStream::new(outbound),
        sessions::encode_from_front_end,
    );
    let opened = client.open(address.authorize(Request::new(outbound))).await;
    let opened = opened.map_err(|broken| match address.hung_up(&broken) {
        Some(hung_up) => hung_up.into(),
        None => LineError::from(broken),
    });
    let mut down = opened?.into_inner();
    let first = down.message().await?.ok_or(LineError::Closed)?;
    match sessions::decode_to_front_end(first)? {
        ToFrontEnd::Refused(why) => Err(LineError::Refused(why)),
        ToFrontEnd::Welcome | ToFrontEnd::Response(_) => Ok((up, down)),
    }
}
