//! Threads that try rules, as options of a command.

use std::num::NonZeroUsize;

use banyan_games::Kind;
use banyan_learn::Crew;
use banyan_learn::rules::Provers;
use clap::Args;

#[derive(Clone, Debug, Args)]
pub struct Hands {
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,
}

pub fn call(hands: &Hands, _: Kind) -> anyhow::Result<Box<dyn Provers>> {
    Ok(Box::new(Crew { threads: hands.threads }))
}
