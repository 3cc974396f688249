//! Home of a front end's searches: a cluster of its own, or one that is served elsewhere.

use std::io;

use banyan_cli::options::{
    EngineArg, EngineArgs, EvaluatorArg, EvaluatorsArgs, OpeningArgs, RemoteArgs,
};
use banyan_engine::{Playable, Session, Settings};

use crate::config::{self, Config};
use crate::node::Node;
use crate::remote::{Away, Remote};

/// A place to think, and who is told when the process ends.
pub(super) enum Home {
    /// This process is the coordinator.
    Here(Node),
    /// Another one is.
    There(Box<Remote>),
}

impl Home {
    /// The home that was asked for.
    ///
    /// # Errors
    /// What keeps the cluster from starting, or the one elsewhere from being reached.
    pub(super) fn find(
        engine: &EngineArgs,
        remote: &RemoteArgs,
        book: &OpeningArgs,
    ) -> anyhow::Result<(Config, Home)> {
        let Some(address) = config::remote_address(remote, &engine.cluster)? else {
            let mut config = Config::to_play(engine)?;
            config.open_by(book)?;
            let node = super::gather(&config.setup, &config.wait)?;
            return Ok((config, Home::Here(node)));
        };
        // Another process's workers play out for us, and answer no subproblems.
        if let Some(asked @ (EngineArg::AlphaBeta | EngineArg::Mtdf)) = engine.engines.engine {
            anyhow::bail!(
                "--engine {asked} searches on this machine: expected --engine uct with --remote"
            );
        }
        let EvaluatorsArgs { evaluator, katago, .. } = &engine.evaluators;
        if katago.is_some() || *evaluator == Some(EvaluatorArg::Katago) {
            anyhow::bail!(
                "KataGo judges for the cluster of one program, not for those that --remote serves: expected \
                 --evaluator auto, net or playouts with --remote, or --listen ADDR:PORT in its place"
            );
        }
        let mut config = Config::elsewhere(engine)?;
        config.open_by(book)?;
        let text = address.to_string();
        let (name, weight) = (remote.name(), remote.weight());
        let dialled = Remote::dial(address, &name, weight, config.setup.clone());
        let dialled = dialled.map_err(|why| anyhow::anyhow!("cannot think with {text}: {why}"))?;
        Ok((config, Home::There(Box::new(dialled))))
    }

    /// A session there, and what is to be done when the process ends.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub(super) fn session<G: Playable>(
        self,
        rules: &G::Rules,
        settings: &Settings,
    ) -> io::Result<(Session<G>, Option<Node>)> {
        match self {
            Home::Here(node) => {
                let mut session = Session::new(rules, node.cluster().lender(), settings)?;
                node.show(&mut session);
                Ok((session, Some(node)))
            }
            Home::There(remote) => {
                if settings.engines.zone_rules.is_some() {
                    tracing::warn!(
                        "--learned-rules of go are not asked where another machine searches"
                    );
                }
                let mut away = Away::new(*remote);
                let search = move |request| away.search(request);
                Ok((Session::searched_by(rules, search, settings)?, None))
            }
        }
    }
}
