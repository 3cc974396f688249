//! Ctrl-C and SIGTERM: the first asks for an orderly end, the second ends the process at once.

use tokio::signal::unix::{SignalKind, signal};

/// Calls `stop` at the first of the two signals.
///
/// # Errors
/// Whatever the operating system says when signals or threads are not to be had.
pub fn on_stop(stop: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            let waited = wait_for_two(stop).await;
            if let Err(error) = waited {
                tracing::warn!("cannot listen for signals: {error}");
            }
        });
    })?;
    Ok(())
}

async fn wait_for_two(stop: impl FnOnce()) -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    stop();
    tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    std::process::exit(130);
}
