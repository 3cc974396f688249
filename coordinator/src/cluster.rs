//! Drives the scheduler: gives it the clock and the links, and does what it says.
//!
//! One thread with one runtime. The edges (rpc, metrics) run on it too; playouts and the tree never do.
//!
//! Reading order: `command` for what it can be asked, `link` for those who ask, `driver` for the loop
//! around the scheduler, here for its thread.

mod command;

mod link;

mod driver;

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use banyan_jobs::{Evaluators, Lender, limits};
use banyan_scheduler::Auditing;
use tokio::runtime;
use tokio::sync::mpsc;

use self::driver::Driver;
pub(crate) use command::Command;
pub use link::Link;
pub(crate) use link::Watched;

/// Streams of workers may hold the end of the process back for so long.
const SHUTDOWN_MAX: Duration = Duration::from_millis(200);

/// A running cluster; it stops when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    link: Link,
    runtime: runtime::Handle,
    thread: Option<JoinHandle<()>>,
}

impl Cluster {
    /// Starts the driver and the local threads.
    ///
    /// - `threads`: of this process, that play out; 0 for none.
    /// - `audit_every`: one batch in so many is played again elsewhere and compared; 0 for none.
    /// - `evaluators`: those that the local threads have.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn start(threads: u32, audit_every: u32, evaluators: Evaluators) -> io::Result<Cluster> {
        let (commands, inbox) = mpsc::channel(limits::EVENTS_WAITING_MAX);
        // Whoever stops it second has nothing to wait for.
        let (stops, stopping) = mpsc::channel(1);
        let link = Link::new(commands, stops);
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let auditing = Auditing { every: audit_every, salt: rand::random() };
        let mut driver = Driver::new(link.clone(), auditing, evaluators);
        if threads > 0 {
            driver.start_local(threads)?;
        }
        let thread = std::thread::Builder::new().name("cluster".to_owned()).spawn(move || {
            runtime.block_on(driver.run(inbox, stopping));
            runtime.shutdown_timeout(SHUTDOWN_MAX);
        })?;
        Ok(Cluster { link, runtime: handle, thread: Some(thread) })
    }

    /// A way to talk to it.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// The same for searches.
    pub fn lender(&self) -> Arc<dyn Lender> {
        Arc::new(self.link.clone())
    }

    /// Runs a task on the cluster's thread, until it is done or the cluster stops.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    /// The result of a task on the cluster's thread, waited for in the calling one, which must be none of
    /// a runtime.
    pub(crate) fn wait_for<T>(&self, task: impl Future<Output = T>) -> T {
        self.runtime.block_on(task)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A thread that does not hear is left behind: it must not hold the process back.
        let has_heard = self.link.farewell();
        if let Some(thread) = self.thread.take().filter(|_| has_heard) {
            let _ = thread.join();
        }
    }
}
