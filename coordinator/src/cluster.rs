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

use banyan_admission::Outcasts;
use banyan_jobs::{Evaluators, Lender, ModelFiles, limits};
use banyan_katago::CommandLine;
use banyan_scheduler::{Auditing, PROBATION};
use tokio::runtime;
use tokio::sync::mpsc;

use self::driver::Driver;
pub(crate) use command::Command;
pub use link::Link;

/// Streams of workers may hold the end of the process back for so long.
const SHUTDOWN_MAX: Duration = Duration::from_millis(200);

/// Parts of this process that work for its cluster.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// Threads that play out; 0 for none.
    pub threads: u32,
    /// Those that these threads have.
    pub evaluators: Evaluators,
    /// The files of models that workers may ask for, by digest.
    pub models: ModelFiles,
    /// Command that starts KataGo, which judges beside them.
    pub katago: Option<CommandLine>,
    /// Who is not let in again.
    pub outcasts: Arc<Outcasts>,
}

/// A running cluster; it stops when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    link: Link,
    runtime: runtime::Handle,
    thread: Option<JoinHandle<()>>,
}

impl Cluster {
    /// Starts the driver and the local threads, and waits until KataGo, if it is asked for, is ready or down.
    ///
    /// - `own`: what of this process works for it.
    /// - `audit_every`: one batch in so many is played again elsewhere and compared; 0 for none.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn start(own: Own, audit_every: u32) -> io::Result<Cluster> {
        let Own { threads, evaluators, models, katago, outcasts } = own;
        let (commands, inbox) = mpsc::channel(limits::EVENTS_WAITING_MAX);
        // Whoever stops it second has nothing to wait for.
        let (stops, stopping) = mpsc::channel(1);
        let link = Link::new(commands, stops, outcasts);
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let auditing = Auditing { every: audit_every, salt: rand::random(), probation: PROBATION };
        let mut driver = Driver::new(link.clone(), auditing, (evaluators, models));
        if threads > 0 {
            driver.start_local(threads)?;
        }
        let katago = katago.map(|command| driver.start_katago(command)).transpose()?;
        let thread = std::thread::Builder::new().name("cluster".to_owned()).spawn(move || {
            runtime.block_on(driver.run(inbox, stopping));
            runtime.shutdown_timeout(SHUTDOWN_MAX);
        })?;
        // A move that is asked for meanwhile would be judged without it.
        if let Some(known) = katago {
            let _ = known.recv();
        }
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
