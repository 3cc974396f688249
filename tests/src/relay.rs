//! A relay that makes a link long: what comes in at one end goes out at the other after a fixed time.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// Pieces under way in one direction; a full link holds the sender back.
const PIECES_MAX: usize = 4096;

/// Passes every connection of `listener` on to `address`, `delay` each way, until the runtime ends.
pub async fn run(listener: TcpListener, address: String, delay: Duration) {
    while let Ok((near, _)) = listener.accept().await {
        let Ok(far) = TcpStream::connect(&address).await else { continue };
        for socket in [&near, &far] {
            let _ = socket.set_nodelay(true);
        }
        let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
        tokio::spawn(pass(near_in, far_out, delay));
        tokio::spawn(pass(far_in, near_out, delay));
    }
}

/// Ends when one side closes, and closes the other.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    to: impl AsyncWrite + Unpin + Send + 'static,
    delay: Duration,
) {
    let (pieces, under_way) = mpsc::channel(PIECES_MAX);
    tokio::spawn(deliver(under_way, to));
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if pieces.send((Instant::now() + delay, buffer[..length].to_vec())).await.is_err() {
            break;
        }
    }
}

async fn deliver(mut pieces: mpsc::Receiver<(Instant, Vec<u8>)>, mut to: impl AsyncWrite + Unpin) {
    while let Some((due, piece)) = pieces.recv().await {
        sleep_until(due).await;
        if to.write_all(&piece).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
