//! KataGo as what a worker judges positions by: a member of the cluster of its own, which is there while its
//! process is.
//!
//! Playouts are another member of the same machine. So each kind of work has its own measured rate and window,
//! and what KataGo held when it died is lent again as that of any worker that is gone.

use std::future::Future;
use std::sync::Arc;

use banyan_games::Kind;
use banyan_jobs::{Evaluators, Offer, Profile, limits};
use banyan_katago::{CommandLine, KataGo, Limits, Model, Notice};
use banyan_knowledge::evaluator::KATAGO;
use tokio::sync::watch;

use crate::dial::Address;
use crate::link::{self, Hand, LinkError};

/// Starts the process, says in the log what becomes of it, and calls `news` with its network when it is ready
/// and with nothing when it is down.
///
/// # Errors
/// Whatever the operating system says when it has no thread to give.
pub fn start(
    command: CommandLine,
    news: impl Fn(Option<Model>) + Send + 'static,
) -> std::io::Result<Arc<KataGo>> {
    tracing::info!("starting KataGo: {command}");
    let told = move |notice| match notice {
        Notice::Ready(model) => {
            let Model { version, name, batch } = &model;
            tracing::info!(network = name, batch, "KataGo {version} judges positions");
            news(Some(model));
        }
        Notice::Down { why, again_in } => {
            tracing::warn!(
                "KataGo is down: {why}; starting it again in {} s",
                again_in.as_secs_f32()
            );
            news(None);
        }
    };
    Ok(Arc::new(KataGo::start(command, Limits::default(), told)?))
}

/// Makes the profile of a worker with such a network: as many threads as it takes positions at once.
pub fn profile(name: &str, model: &Model) -> Profile {
    let Model { version, name: network, batch } = model;
    let offer = Offer {
        game: Kind::Go.name().to_owned(),
        digest: KATAGO,
        name: format!("{network}, KataGo {version}").chars().take(limits::NAME_CHARS_MAX).collect(),
    };
    let threads = (*batch).clamp(1, limits::THREADS_MAX);
    Profile {
        games: Vec::new(),
        evaluators: vec![offer],
        ..crate::own_profile(&format!("{name}/katago"), threads)
    }
}

/// The process as an evaluator.
pub fn evaluators(katago: Arc<KataGo>) -> Evaluators {
    let mut evaluators = Evaluators::default();
    evaluators.add::<banyan_games::go::Go>(katago);
    evaluators
}

/// Works for the coordinator at `address` whenever the process is there, until `drain` resolves.
///
/// # Errors
/// As [`link::run`].
pub async fn run(
    address: Address,
    name: &str,
    command: CommandLine,
    drain: impl Future<Output = ()>,
) -> Result<(), LinkError> {
    let (tell_fit, fit) = watch::channel(false);
    let (tell_model, mut model) = watch::channel(None);
    let katago = start(command, move |model| {
        tell_fit.send_replace(model.is_some());
        if model.is_some() {
            tell_model.send_replace(model);
        }
    })?;
    tokio::pin!(drain);
    let first = tokio::select! {
        known = model.wait_for(Option::is_some) => known.ok().and_then(|known| known.clone()),
        () = &mut drain => None,
    };
    let Some(first) = first else { return Ok(()) };
    let hand = Hand {
        profile: profile(name, &first),
        evaluators: evaluators(katago),
        model_cache: None,
        fit,
    };
    link::run(address, hand, drain).await
}
