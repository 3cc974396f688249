//! A relay that stands between a worker and its coordinator, and is a bad link: what comes in at one end
//! goes out at the other late, slowly, not for a while, never, or until the link breaks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

/// Pieces under way in one direction; a full link holds the sender back.
const PIECES_MAX: usize = 4096;

/// Bytes read at once.
const PIECE_BYTES: usize = 1 << 16;

/// Fault of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Everything arrives so much later.
    Delays(Duration),
    /// So many bytes a second pass, each way.
    Throttles(u32),
    /// After so many bytes nothing passes for a while, then everything does.
    Stalls(usize, Duration),
    /// After so many bytes nothing passes any more; the connection stays open.
    BlackHoles(usize),
    /// After so many bytes the connection is cut off with a reset.
    Resets(usize),
}

/// Passes every connection of `listener` on to `address`, until the runtime ends.
pub async fn run(listener: TcpListener, address: String, fault: Fault) {
    while let Ok((near, _)) = listener.accept().await {
        let Ok(far) = TcpStream::connect(&address).await else { continue };
        for socket in [&near, &far] {
            let _ = socket.set_nodelay(true);
            if matches!(fault, Fault::Resets(_)) {
                let _ = socket.set_zero_linger();
            }
        }
        let passed = Arc::new(AtomicUsize::new(0));
        let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
        tokio::spawn(pass(near_in, far_out, fault, passed.clone()));
        tokio::spawn(pass(far_in, near_out, fault, passed));
    }
}

/// Ends when one side closes, and closes the other.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    to: impl AsyncWrite + Unpin + Send + 'static,
    fault: Fault,
    passed: Arc<AtomicUsize>,
) {
    let (pieces, under_way) = mpsc::channel(PIECES_MAX);
    tokio::spawn(deliver(under_way, to, fault));
    let mut buffer = vec![0; PIECE_BYTES];
    let mut has_stalled = false;
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let so_far = passed.fetch_add(length, Ordering::Relaxed) + length;
        let delay = match fault {
            Fault::Delays(delay) => delay,
            Fault::Resets(after) if so_far > after => return,
            Fault::BlackHoles(after) if so_far > after => continue,
            Fault::Stalls(after, pause) if so_far > after && !has_stalled => {
                has_stalled = true;
                sleep(pause).await;
                Duration::ZERO
            }
            _ => Duration::ZERO,
        };
        if pieces.send((Instant::now() + delay, buffer[..length].to_vec())).await.is_err() {
            break;
        }
    }
}

async fn deliver(
    mut pieces: mpsc::Receiver<(Instant, Vec<u8>)>,
    mut to: impl AsyncWrite + Unpin,
    fault: Fault,
) {
    while let Some((due, piece)) = pieces.recv().await {
        sleep_until(due).await;
        if let Fault::Throttles(bytes_per_s) = fault {
            sleep(Duration::from_secs(1).mul_f64(piece.len() as f64 / f64::from(bytes_per_s)))
                .await;
        }
        if to.write_all(&piece).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
