//! Options as what they mean for a cluster: threads, addresses, locks; refused with the broken relation named.
//!
//! What they mean for a search is decided in [`banyan_cli::config`].

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::PathBuf;
use std::sync::Arc;

use banyan_admission::{Security, TlsFiles};
use banyan_book::Reader;
use banyan_cli::command::book::rules_of;
use banyan_cli::config::{
    EvaluatorsError, Judging, Networks, OpeningError, SearchConfig, SearchConfigError, networks,
    opening, shipped_books,
};
use banyan_cli::options::{
    ClusterArgs, EngineArgs, OpeningArgs, PORT, RemoteArgs, ServeArgs, WaitArgs,
};
use banyan_games::{Rules, with_game};
use banyan_jobs::{Evaluators, ModelFiles, limits};
use banyan_knowledge::evaluator::KATAGO;
use banyan_web::ShownBook;
use banyan_worker::dial::{Address, DialError};
use banyan_worker::token::TokenError;
use banyan_worker::{Token, tls};

use crate::node::Setup;
use crate::seats::Serving;
use crate::site::Pages;
use crate::upstream::Join;

/// Address on which `banyan serve` listens unless told otherwise.
const SERVED_AT: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, PORT));

/// Everything a searching command needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// Subject and settings of the search.
    pub search: SearchConfig,
    /// Threads and address.
    pub setup: Setup,
    /// Workers to wait for.
    pub wait: WaitArgs,
}

/// A relation that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The search.
    #[error(transparent)]
    Search(#[from] SearchConfigError),
    /// An evaluator.
    #[error(transparent)]
    Evaluators(#[from] EvaluatorsError),
    /// Too many threads.
    #[error("{0} threads are too many: at most {max}", max = limits::THREADS_MAX)]
    Threads(u32),
    /// An open door.
    #[error(
        "{0} can be reached from other machines, and anybody could join or attach: \
         give --token-file or --tls-client-ca, listen on 127.0.0.1, or say --insecure"
    )]
    Open(SocketAddr),
    /// Metrics for anybody.
    #[error(
        "metrics at {0} can be read from other machines by anybody: give --token-file, which \
         scrapers must then show, serve them on 127.0.0.1, or say --insecure"
    )]
    OpenMetrics(SocketAddr),
    /// Pages for anybody.
    #[error(
        "pages at {0} can be seen from other machines, and anybody could play and ban there: give \
         --token-file, which browsers must then show, or --tls-client-ca, serve them on 127.0.0.1, or \
         say --insecure"
    )]
    OpenPages(SocketAddr),
    /// A book to open by, or to be shown.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// No folder to show.
    #[error("--learning {}: expected a folder of `banyan train`", .0.display())]
    Learning(PathBuf),
    /// A book that grows.
    #[error("{0:#}")]
    Book(anyhow::Error),
    /// No address, or a file that cannot be read.
    #[error(transparent)]
    Address(#[from] DialError),
    /// A token that is none.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl Config {
    /// Checks what was typed.
    ///
    /// # Errors
    /// [`ConfigError`] names the value and what was expected.
    pub fn new(args: &EngineArgs) -> Result<Config, ConfigError> {
        Config::elsewhere(args)?.with_a_judge()
    }

    /// The same for a search on another coordinator's cluster.
    ///
    /// # Errors
    /// As [`Config::new`].
    pub fn elsewhere(args: &EngineArgs) -> Result<Config, ConfigError> {
        Config::of(SearchConfig::new(args)?, args)
    }

    /// The same for who plays moves: where nothing was said of the engine or the tree, whoever plays
    /// best searches.
    ///
    /// # Errors
    /// As [`Config::new`].
    pub fn to_play(args: &EngineArgs) -> Result<Config, ConfigError> {
        Config::of(SearchConfig::to_play(args)?, args)?.with_a_judge()
    }

    /// Refuses a search by KataGo where none can be.
    fn with_a_judge(self) -> Result<Config, ConfigError> {
        let Config { search, setup, .. } = &self;
        let is_missing = setup.katago.is_none() && setup.listen.is_none();
        match search.judging.evaluator {
            Some(KATAGO) if is_missing => Err(EvaluatorsError::NoKataGo.into()),
            _ => Ok(self),
        }
    }

    /// Opens by the book that was asked for, and shows it on pages; before the cluster is started.
    ///
    /// # Errors
    /// [`ConfigError::Opening`] for what is no whole book of these rules.
    pub fn open_by(&mut self, args: &OpeningArgs) -> Result<(), ConfigError> {
        let rules = &self.search.rules;
        self.search.settings.book = opening(args, rules)?;
        if let (Some(pages), Some(opening)) = (&mut self.setup.pages, &self.search.settings.book) {
            let shown = ShownBook { rules: rules.clone(), reader: opening.book().clone() };
            let is_shipped = |it: &ShownBook| {
                it.reader.name() == shown.reader.name() && it.rules.kind() == rules.kind()
            };
            pages.books.retain(|it| !is_shipped(it));
            pages.books.insert(0, shown);
        }
        Ok(())
    }

    fn of(search: SearchConfig, args: &EngineArgs) -> Result<Config, ConfigError> {
        let Judging { evaluators, models, katago, .. } = search.judging.clone();
        let kind = Some(args.game);
        let setup = Setup { kind, evaluators, models, katago, ..setup(&args.cluster)? };
        Ok(Config { search, setup, wait: args.wait.clone() })
    }
}

fn shown((rules, reader): (Rules, Reader)) -> ShownBook {
    ShownBook { rules, reader: Arc::new(reader) }
}

/// Settings of a cluster of one's own.
///
/// # Errors
/// [`ConfigError`] names the value and what was expected.
pub fn setup(args: &ClusterArgs) -> Result<Setup, ConfigError> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = args.threads.unwrap_or_else(cores);
    if threads > limits::THREADS_MAX {
        return Err(ConfigError::Threads(threads));
    }
    let security = security(args)?;
    let asks_token = security.token.is_some();
    let asks =
        asks_token || security.tls.as_ref().is_some_and(|tls| tls.client_authority.is_some());
    let is_open = |address: &SocketAddr| !address.ip().is_loopback() && !args.insecure;
    if let Some(address) = args.listen.filter(is_open).filter(|_| !asks) {
        return Err(ConfigError::Open(address));
    }
    if let Some(address) = args.metrics.filter(is_open).filter(|_| !asks_token) {
        return Err(ConfigError::OpenMetrics(address));
    }
    if let Some(address) = args.http.filter(is_open).filter(|_| !asks) {
        return Err(ConfigError::OpenPages(address));
    }
    let page = |address| Pages {
        address,
        tree_bytes_max: None,
        learning: None,
        books: shipped_books().into_iter().map(shown).collect(),
        networks: BTreeMap::new(),
    };
    Ok(Setup {
        threads,
        listen: args.listen,
        security,
        metrics: args.metrics,
        pages: args.http.map(page),
        kind: None,
        serving: None,
        audit_every: args.audit,
        evaluators: Evaluators::default(),
        models: ModelFiles::default(),
        katago: None,
        outcasts: Arc::default(),
    })
}

/// The cluster that `banyan serve` starts.
///
/// # Errors
/// [`ConfigError`] names the value and what was expected.
pub fn serving(args: &ServeArgs) -> Result<Setup, ConfigError> {
    let listen = args.cluster.listen.unwrap_or(SERVED_AT);
    let cluster = ClusterArgs { listen: Some(listen), ..args.cluster.clone() };
    let tree_bytes_max = usize::try_from(args.tree_memory.as_u64()).unwrap_or(usize::MAX);
    let mut setup = setup(&cluster)?;
    let networks = networks(&args.nets)?;
    let digests = networks.evaluators.all().into_iter().map(|(_, digest, _)| digest).collect();
    let serving =
        Serving { sessions_max: args.sessions, tree_bytes_max, evaluators: Arc::new(digests) };
    if let Some(pages) = &mut setup.pages {
        pages.tree_bytes_max = Some(tree_bytes_max);
        if let Some(folder) = args.learning.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(ConfigError::Learning(folder.clone()));
        }
        pages.learning = args.learning.clone();
        if let Some(file) = &args.book {
            let rules = rules_of(file).map_err(ConfigError::Book)?;
            let reader = with_game!(&rules, G, rules => Reader::open::<G>(file, rules));
            pages.books.insert(0, shown((rules, reader.map_err(OpeningError::from)?)));
        }
        pages.networks = networks.of_games;
    }
    let Networks { evaluators, models, .. } = networks;
    Ok(Setup { serving: Some(serving), evaluators, models, ..setup })
}

/// Returns the address of the coordinator that was named by `--remote`, and how to speak with it.
///
/// # Errors
/// [`ConfigError`] for what is no address or no token, and for files that cannot be read.
pub fn remote_address(
    args: &RemoteArgs,
    cluster: &ClusterArgs,
) -> Result<Option<Address>, ConfigError> {
    let Some(remote) = &args.remote else { return Ok(None) };
    let identity = cluster.tls_cert.clone().zip(cluster.tls_key.clone());
    let tls = tls_files((&args.tls_ca, &args.tls_name), identity);
    let token = Token::find(cluster.token_file.as_deref())?;
    Ok(Some(Address::new(remote, token, tls)?))
}

/// The coordinator that was named by `--join`, for which the cluster of `serving` works.
///
/// # Errors
/// As [`remote_address`].
pub fn joining(args: &ServeArgs, serving: &Setup) -> Result<Option<Join>, ConfigError> {
    let ServeArgs { cluster, join, .. } = args;
    let Some(there) = &join.join else { return Ok(None) };
    let identity = join.join_tls_cert.clone().zip(join.join_tls_key.clone());
    let tls = tls_files((&join.tls_ca, &join.tls_name), identity);
    let token_file = join.join_token_file.as_ref().or(cluster.token_file.as_ref());
    let address = Address::new(there, Token::find(token_file.map(PathBuf::as_path))?, tls)?;
    Ok(Some(Join { address, name: join.name(), evaluators: serving.evaluators.clone() }))
}

/// Returns the files for TLS with a coordinator elsewhere, where that is asked for.
///
/// - `identity`: the certificate to show, and its key.
fn tls_files(
    (authority, server_name): (&Option<PathBuf>, &Option<String>),
    identity: Option<(PathBuf, PathBuf)>,
) -> Option<tls::TlsFiles> {
    let server_name = server_name.clone();
    let authority = authority.clone()?;
    Some(tls::TlsFiles { authority, identity, server_name })
}

/// A token is looked for only by who listens: a variable meant for workers must not stop a search.
fn security(args: &ClusterArgs) -> Result<Security, ConfigError> {
    let is_open = |address: Option<SocketAddr>| address.is_some_and(|it| !it.ip().is_loopback());
    let is_open = is_open(args.metrics) || is_open(args.http);
    if args.listen.is_none() && !is_open {
        return Ok(Security::default());
    }
    let token = Token::find(args.token_file.as_deref())?;
    let files = args.tls_cert.clone().zip(args.tls_key.clone());
    let client_authority = args.tls_client_ca.clone();
    let tls = files.map(|(certificate, key)| TlsFiles { certificate, key, client_authority });
    Ok(Security { token, tls })
}
