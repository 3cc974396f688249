//! `banyan rules` over a cluster: trials of rules are jobs like any other.

use std::io::Write;

use banyan_cli::options::FarmArgs;
use banyan_games::{Kind, Rules};
use banyan_jobs::{Job, Trial, Tried};
use banyan_learn::Crew;
use banyan_learn::rules::{self, Arguments, Provers};

use super::farm::{self, Farm, Ground};
use crate::config;
use crate::node::Setup;

/// Runs a command; what it says goes to `out`.
///
/// # Errors
/// In words for people.
pub(super) fn run(args: &Arguments<FarmArgs>, out: &mut impl Write) -> anyhow::Result<()> {
    rules::run(args, &call, out)
}

/// Calls those who try rules: a cluster where this process listens for workers, else its threads alone.
fn call(args: &FarmArgs, game: Kind) -> anyhow::Result<Box<dyn Provers>> {
    let setup = config::setup(&args.cluster)?;
    let crew = farm::crew(&setup);
    if setup.listen.is_none() {
        farm::check_alone(&setup)?;
        return Ok(Box::new(crew));
    }
    let setup = Setup { kind: Some(game), ..setup };
    Ok(Box::new(ProvingFarm { farm: Farm::start(&setup, &args.wait, None)?, crew }))
}

/// A cluster that tries rules.
struct ProvingFarm {
    farm: Farm,
    crew: Crew,
}

impl Provers for ProvingFarm {
    fn results(
        &self,
        rules: &Rules,
        trials: &[Trial],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Tried>> {
        let jobs = trials.iter().cloned().map(|trial| Job::Try(trial).into()).collect();
        let ground = Ground { rules, evaluator: None };
        let answers = self.farm.work(ground, jobs, done, |_, _| 1)?;
        Ok(answers.iter().filter_map(|answer| answer.tried().cloned()).collect())
    }

    fn crew(&self) -> Crew {
        self.crew
    }

    fn told(&self) -> Option<String> {
        self.farm.by()
    }
}
