//! KataGo in this process: a member of the cluster while its process is there, and who stands in for it.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use banyan_games::Kind;
use banyan_jobs::{Evaluators, Offer, Profile, WorkerId};
use banyan_katago::{CommandLine, KataGo, Model};
use banyan_knowledge::evaluator::KATAGO;
use banyan_scheduler::{Event, Origin};
use banyan_worker::{FlushAfter, Sink, Worker, katago};

use super::Driver;
use super::workers::Outbound;
use crate::cluster::command::Command;

/// A KataGo that is put out, for a position that it refuses, judges again after so long.
const PUT_OUT_FOR: Duration = Duration::from_secs(2);

/// KataGo's process, and the member that it is.
#[derive(Default)]
pub(super) struct Judge {
    process: Option<Arc<KataGo>>,
    /// Its network, while the process is there.
    model: Option<Model>,
    member: Option<WorkerId>,
    put_out_at: Option<Instant>,
}

impl Judge {
    /// Ends the process, and with it the waiting of the threads that hold it too.
    pub(super) fn stop(&self) {
        if let Some(process) = &self.process {
            process.stop();
        }
    }

    /// A member of the cluster was put out.
    pub(super) fn put_out(&mut self, worker: WorkerId) {
        if self.member == Some(worker) {
            self.member = None;
            self.put_out_at = Some(Instant::now());
        }
    }
}

impl Driver {
    /// Starts KataGo, which judges for this cluster from when it is ready. What is returned tells when it is
    /// known for the first time whether it is.
    pub(in crate::cluster) fn start_katago(
        &mut self,
        command: CommandLine,
    ) -> std::io::Result<mpsc::Receiver<()>> {
        let link = self.link.clone();
        let (tell, known) = mpsc::channel();
        let news = move |model| {
            link.order(Command::Judge(model));
            let _ = tell.send(());
        };
        self.judge.process = Some(katago::start(command, news)?);
        Ok(known)
    }

    /// KataGo is ready, or down.
    pub(super) fn judge(&mut self, model: Option<Model>) {
        if let Some(member) = self.judge.member.take() {
            self.happen(Event::Left(member));
        }
        self.judge.put_out_at = None;
        self.judge.model.clone_from(&model);
        let (Some(model), Some(process)) = (model, self.judge.process.clone()) else { return };
        let profile = katago::profile("local", &model);
        match self.join_locally(profile, katago::evaluators(process), Origin::Local) {
            Ok(member) => self.judge.member = Some(member),
            Err(error) => tracing::error!("KataGo is ready, and no thread to be had: {error}"),
        }
    }

    /// Lets KataGo judge again some time after it was put out: what it refused was one position, not all.
    pub(super) fn reinstate_judge(&mut self) {
        if self.judge.put_out_at.is_some_and(|at| at.elapsed() >= PUT_OUT_FOR) {
            tracing::info!("KataGo is asked again");
            let model = self.judge.model.clone();
            self.judge(model);
        }
    }

    /// Tells whether there is a KataGo of this process's own, and it is known to be down.
    pub(super) fn is_judge_down(&self) -> bool {
        self.judge.process.is_some() && self.judge.member.is_none()
    }

    /// Lets threads of this process join the cluster.
    pub(super) fn join_locally(
        &mut self,
        profile: Profile,
        evaluators: Evaluators,
        origin: Origin,
    ) -> std::io::Result<WorkerId> {
        let id = self.link.next_worker();
        let link = self.link.clone();
        let sink: Sink = Arc::new(move |message| link.said(id, message));
        let worker = Worker::start(profile.threads, FlushAfter::LOCAL, sink)?;
        self.workers.insert(id, Outbound::Local(Box::new(worker.with_evaluators(evaluators))));
        self.happen(Event::Joined(id, profile, origin));
        Ok(id)
    }

    /// Lets playouts of this process stand in for KataGo where nobody judges by it: weaker, and a move in time.
    pub(super) fn stand_in(&mut self) {
        tracing::warn!(
            "no KataGo answers: one thread of this process judges by playouts until one does"
        );
        let offer = Offer {
            game: Kind::Go.name().to_owned(),
            digest: KATAGO,
            name: "playouts, for want of KataGo".to_owned(),
        };
        let profile = Profile {
            games: Vec::new(),
            evaluators: vec![offer],
            ..banyan_worker::own_profile("stand-in", 1)
        };
        let mut evaluators = Evaluators::default();
        evaluators
            .add::<banyan_games::go::Go>(Arc::new(banyan_knowledge::Playouts { digest: KATAGO }));
        match self.join_locally(profile, evaluators, Origin::StandIn) {
            Ok(member) => self.stand_in = Some(member),
            Err(error) => tracing::error!("no KataGo is there, and no thread to be had: {error}"),
        }
    }

    /// Shows the stand-in out once somebody else judges.
    pub(super) fn relieve_stand_in(&mut self) {
        let Some(stand_in) = self.stand_in else { return };
        let now = self.started.elapsed();
        if self.scheduler.has_judge_but(stand_in, (Kind::Go, KATAGO), now) {
            self.stand_in = None;
            self.happen(Event::Left(stand_in));
        }
    }
}
