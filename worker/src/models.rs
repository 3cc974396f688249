//! Models that travel: what a worker lacks it asks its coordinator for, part by part, checks, and keeps.
//!
//! Reading order: `fetch` (the parts of one model, pure), `cache` (the folder), `kept` (which are let go), here what
//! follows.

mod cache;

mod fetch;

mod kept;

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use banyan_games::Kind;
use banyan_jobs::{Evaluators, FromWorker, ModelDigest, ModelFiles, ModelPart, Offer, limits};
use banyan_knowledge::network::{NetError, add_network, built_in};
use banyan_knowledge::pattern_files::{self, PatternsError};
use banyan_knowledge::statics::add_static;
use banyan_net::{FileError, Network};

use self::cache::Cache;
pub use self::cache::default_folder;
use self::fetch::{Fetch, FetchError, Step};
use self::kept::Kept;

/// Reasons why a model is not used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Its parts do not make one.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// Its bytes are no network.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its contents are not those that were asked for.
    #[error("its contents have the digest {0}")]
    Digest(ModelDigest),
    /// Its bytes are no tables over patterns.
    #[error(transparent)]
    Patterns(#[from] PatternsError),
    /// It is for another game, board or encoding.
    #[error(transparent)]
    Net(#[from] NetError),
    /// No thread to be had that reads it.
    #[error("cannot start a thread that reads it: {0}")]
    Thread(std::io::Error),
}

/// Bytes of a model that is read at once: what takes longer is read beside the link, whose pings are to be answered.
const READ_AT_ONCE_MAX: usize = 8 << 20;

/// The evaluators of a worker, and how it comes to more.
#[derive(Debug)]
pub struct Models {
    evaluators: Evaluators,
    /// Those of them that came from a coordinator.
    kept: Kept,
    cache: Option<Cache>,
    fetching: Option<Fetch>,
    reading: Option<Reading>,
    /// As [`READ_AT_ONCE_MAX`].
    read_at_once_max: usize,
    /// Those that are fetched next.
    wanted: VecDeque<ModelDigest>,
    /// Those that came and would not do: not asked for again.
    refused: BTreeSet<ModelDigest>,
    /// Files of those that came, where they are passed on; nothing where they are not.
    arrived: Option<ModelFiles>,
}

impl Default for Models {
    fn default() -> Models {
        Models {
            evaluators: Evaluators::default(),
            kept: Kept::default(),
            cache: None,
            fetching: None,
            reading: None,
            read_at_once_max: READ_AT_ONCE_MAX,
            wanted: VecDeque::new(),
            refused: BTreeSet::new(),
            arrived: None,
        }
    }
}

/// A model that is read, of the cache or from the coordinator.
#[derive(Debug)]
struct Reading {
    digest: ModelDigest,
    is_cached: bool,
    read: Receiver<Read>,
}

/// A model's bytes, and the evaluators with it.
#[derive(Debug)]
struct Read {
    bytes: Vec<u8>,
    evaluators: Result<Evaluators, ModelError>,
}

impl Read {
    /// Reads a model, and keeps it in a folder if it will do.
    fn new(
        digest: ModelDigest,
        bytes: Vec<u8>,
        evaluators: Evaluators,
        cache: Option<&Cache>,
    ) -> Read {
        let evaluators = with_model(evaluators, digest, &bytes);
        if let Some(Err(why)) =
            cache.filter(|_| evaluators.is_ok()).map(|it| it.write(digest, &bytes))
        {
            tracing::warn!("the model {digest} is not kept: {why}");
        }
        Read { bytes, evaluators }
    }
}

/// Evaluators, and a model of these bytes.
fn with_model(
    mut evaluators: Evaluators,
    digest: ModelDigest,
    bytes: &[u8],
) -> Result<Evaluators, ModelError> {
    let found = if pattern_files::is_file(bytes) {
        pattern_files::digest(bytes)
    } else {
        let network = Network::read(bytes)?;
        if network.digest() == digest {
            add_network(&mut evaluators, &network)?;
            return Ok(evaluators);
        }
        network.digest()
    };
    if found != digest {
        return Err(ModelError::Digest(found));
    }
    evaluators.add_patterns(digest, pattern_files::read_file(bytes)?);
    Ok(evaluators)
}

impl Models {
    /// These evaluators, and those from a coordinator, kept nowhere.
    pub fn beginning_with(evaluators: Evaluators) -> Models {
        Models { evaluators, ..Models::default() }
    }

    /// The same, which keeps files that come until [`Models::arrivals`] takes them.
    pub fn passing_on(self) -> Models {
        Models { arrived: Some(ModelFiles::default()), ..self }
    }

    /// Files that came since the last call, by digest.
    pub fn arrivals(&mut self) -> ModelFiles {
        self.arrived.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Models of this build, and those from a coordinator, kept in this folder.
    pub fn kept_in(folder: Option<PathBuf>) -> Models {
        let mut evaluators = Evaluators::default();
        for network in Kind::ALL.into_iter().filter_map(built_in) {
            // A test holds that it can be added.
            let _ = add_network(&mut evaluators, &network);
        }
        for kind in Kind::ALL {
            add_static(&mut evaluators, kind);
        }
        Models { evaluators, cache: folder.map(Cache::new), ..Models::default() }
    }

    /// Those at hand.
    pub fn evaluators(&self) -> &Evaluators {
        &self.evaluators
    }

    /// The same as others are told.
    pub fn offers(&self) -> Vec<Offer> {
        Offer::all(&self.evaluators)
    }

    /// Positions are judged by this one: it is let go later than those that nobody asks for.
    pub fn is_of_use(&mut self, digest: ModelDigest) {
        self.kept.is_of_use(digest);
    }

    /// Somebody's positions are to be judged by this one: it is looked for in the cache, then asked for.
    pub fn need(&mut self, digest: ModelDigest) -> Option<FromWorker> {
        if self.evaluators.has(digest) || self.refused.contains(&digest) {
            return None;
        }
        // More could not be offered.
        if self.evaluators.all().len() + self.wanted.len() >= limits::EVALUATORS_MAX {
            let max = limits::EVALUATORS_MAX;
            let why = format!("{max} models are here or on their way, and no more are taken");
            tracing::warn!("the model {digest} is not asked for: {why}");
            self.refused.insert(digest);
            return Some(FromWorker::Unfit(digest, why));
        }
        let fetched = self.fetching.as_ref().map(Fetch::digest);
        if let Some(busy_with) = fetched.or(self.reading.as_ref().map(|reading| reading.digest)) {
            if busy_with != digest && !self.wanted.contains(&digest) {
                self.wanted.push_back(digest);
            }
            return None;
        }
        match self.cache.as_ref().and_then(|cache| cache.read(digest)) {
            Some(bytes) => self.read(digest, bytes, true),
            None => Some(self.fetch(digest)),
        }
    }

    fn fetch(&mut self, digest: ModelDigest) -> FromWorker {
        self.fetching = Some(Fetch::new(digest));
        FromWorker::Want(digest, 0)
    }

    /// Takes a part that came, and says what is wanted next and offered now.
    pub fn take(&mut self, part: ModelPart) -> Vec<FromWorker> {
        let digest = part.digest;
        let fetch = self.fetching.as_mut().filter(|fetch| fetch.digest() == digest);
        let Some(fetch) = fetch else { return Vec::new() };
        let whole = match fetch.take(part) {
            Ok(Step::More(offset)) => return vec![FromWorker::Want(digest, offset)],
            Ok(Step::Whole(bytes)) => Ok(bytes),
            Err(why) => Err(ModelError::from(why)),
        };
        self.fetching = None;
        let said = match whole {
            Ok(bytes) => self.read(digest, bytes, false),
            Err(why) => Some(self.refuse(digest, &why)),
        };
        said.into_iter().chain(self.go_on()).collect()
    }

    /// Says what came of a model that was read beside, once it is.
    pub fn settle(&mut self) -> Vec<FromWorker> {
        let Some(reading) = &self.reading else { return Vec::new() };
        let Reading { digest, is_cached, read } = reading;
        let (digest, is_cached) = (*digest, *is_cached);
        let read = match read.try_recv() {
            Err(TryRecvError::Empty) => return Vec::new(),
            read => read.ok(),
        };
        self.reading = None;
        // A thread that ended without a word has logged why.
        let said = read.map(|read| self.keep(digest, read, is_cached));
        said.into_iter().chain(self.go_on()).collect()
    }

    /// Asks for what is wanted next, as long as nothing is under way.
    fn go_on(&mut self) -> Vec<FromWorker> {
        let mut said = Vec::new();
        while self.fetching.is_none()
            && self.reading.is_none()
            && let Some(next) = self.wanted.pop_front()
        {
            said.extend(self.need(next));
        }
        said
    }

    /// Reads a model, a large one on a thread of its own; says what came of it, where that is known at once.
    fn read(&mut self, digest: ModelDigest, bytes: Vec<u8>, is_cached: bool) -> Option<FromWorker> {
        let cache = self.cache.clone().filter(|_| !is_cached);
        let evaluators = self.evaluators.clone();
        if bytes.len() <= self.read_at_once_max {
            let read = Read::new(digest, bytes, evaluators, cache.as_ref());
            return Some(self.keep(digest, read, is_cached));
        }
        let (done, read) = mpsc::channel();
        let begun = std::thread::Builder::new().name("model".to_owned()).spawn(move || {
            // Who asked for it may be gone.
            let _ = done.send(Read::new(digest, bytes, evaluators, cache.as_ref()));
        });
        if let Err(why) = begun {
            return Some(self.refuse(digest, &ModelError::Thread(why)));
        }
        self.reading = Some(Reading { digest, is_cached, read });
        None
    }

    /// Adds a model that was read, and says whether it will do.
    fn keep(&mut self, digest: ModelDigest, read: Read, is_cached: bool) -> FromWorker {
        let Read { bytes, evaluators } = read;
        match evaluators {
            Ok(evaluators) => {
                if !is_cached {
                    tracing::info!(bytes = bytes.len(), "model {digest} came from the coordinator");
                }
                self.evaluators = evaluators;
                for old in self.kept.add(digest, bytes.len()) {
                    tracing::debug!("the model {old} is let go");
                    self.evaluators.remove(old);
                }
                if let Some(arrived) = &mut self.arrived {
                    arrived.insert(digest, bytes.into());
                }
                FromWorker::Offers(self.offers())
            }
            Err(why) if is_cached => {
                tracing::warn!("the model {digest} of the cache will not do: {why}");
                self.fetch(digest)
            }
            Err(why) => self.refuse(digest, &why),
        }
    }

    fn refuse(&mut self, digest: ModelDigest, why: &ModelError) -> FromWorker {
        tracing::warn!("the model {digest} that the coordinator sent will not do: {why}");
        self.refused.insert(digest);
        FromWorker::Unfit(digest, why.to_string())
    }

    /// The connection is gone, and the rest of a model with it.
    pub fn forget(&mut self) {
        self.fetching = None;
        self.wanted.clear();
        self.refused.clear();
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::Go;
    use banyan_knowledge::Knowledge as _;

    use super::*;

    fn network(seed: u64) -> (ModelDigest, Vec<u8>) {
        let encoding = Go::ENCODING.expect("for networks");
        let network = Network::random_for(&encoding, (1, 16), seed).expect("a small network");
        (network.digest(), network.write().expect("it can be written"))
    }

    fn part(digest: ModelDigest, bytes: &[u8], at: usize, len: usize) -> ModelPart {
        let (offset, total) = (at as u64, bytes.len() as u64);
        ModelPart {
            digest,
            offset,
            total,
            bytes: bytes[at..(at + len).min(bytes.len())].to_vec().into(),
        }
    }

    /// Serves a worker's wishes like a coordinator with these bytes, to their end.
    fn fetched(models: &mut Models, digest: ModelDigest, bytes: &[u8]) -> Option<FromWorker> {
        let mut said = models.need(digest);
        while let Some(FromWorker::Want(wanted, offset)) = said {
            assert_eq!(wanted, digest);
            said = models.take(part(digest, bytes, offset as usize, 1000)).pop();
        }
        said
    }

    fn unfit(said: Option<FromWorker>) -> String {
        match said {
            Some(FromWorker::Unfit(_, why)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_model_comes_part_by_part_and_is_kept_for_the_next_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let (digest, bytes) = network(1);
        let kept = || Models::kept_in(Some(folder.path().join("models")));
        let mut models = kept();
        let Some(FromWorker::Offers(offers)) = fetched(&mut models, digest, &bytes) else {
            panic!("it is taken")
        };
        assert!(offers.iter().any(|it| it.digest == digest && it.game == "go"), "{offers:?}");
        assert_eq!(models.need(digest), None, "it is here");
        let again = kept().need(digest);
        assert!(matches!(again, Some(FromWorker::Offers(_))), "from the cache: {again:?}");
    }

    /// What is said once a model has been read beside.
    fn settled(models: &mut Models) -> Vec<FromWorker> {
        let said = || Some(models.settle()).filter(|said| !said.is_empty());
        let tries = std::iter::repeat_with(said).inspect(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
        });
        tries.take(60_000).flatten().next().expect("it is read")
    }

    #[test]
    fn a_large_model_is_read_beside_the_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let ((digest, bytes), (other, _)) = (network(1), network(2));
        let large = || Models {
            read_at_once_max: bytes.len() - 1,
            ..Models::kept_in(Some(folder.path().join("models")))
        };
        let mut models = large();
        assert_eq!(models.settle(), []);
        assert_eq!(fetched(&mut models, digest, &bytes), None, "nothing is said of it yet");
        assert_eq!((models.need(digest), models.need(other)), (None, None));
        let said = settled(&mut models);
        assert!(
            matches!(said[..], [FromWorker::Offers(_), FromWorker::Want(wanted, 0)] if wanted == other),
            "{said:?}"
        );
        assert_eq!(models.need(digest), None, "it is here");
        let mut again = large();
        assert_eq!(again.need(digest), None, "it is in the cache");
        assert!(matches!(settled(&mut again)[..], [FromWorker::Offers(_)]));
    }

    #[test]
    fn the_networks_of_this_build_need_not_travel() {
        let mut models = Models::kept_in(None);
        let network = built_in(Kind::Go).expect("one of Go");
        assert_eq!(models.need(network.digest()), None);
        assert!(models.offers().iter().any(|it| it.digest == network.digest()));
    }

    #[test]
    fn a_damaged_model_is_refused_in_words_and_not_asked_for_again() {
        let (digest, mut bytes) = network(1);
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let mut models = Models::default();
        let why = unfit(fetched(&mut models, digest, &bytes));
        assert!(why.contains("digest"), "{why}");
        assert_eq!(models.need(digest), None);
        assert!(models.offers().is_empty());
    }

    #[test]
    fn another_model_than_was_asked_for_is_refused_by_its_digest() {
        let ((digest, _), (other, bytes)) = (network(1), network(2));
        let why = unfit(fetched(&mut Models::default(), digest, &bytes));
        assert_eq!(why, format!("its contents have the digest {other}"));
    }

    #[test]
    fn a_damaged_file_of_the_cache_is_asked_for_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let (digest, bytes) = network(1);
        std::fs::write(folder.path().join(format!("{digest}.safetensors")), &bytes[..99])
            .expect("a file");
        let mut models = Models::kept_in(Some(folder.path().to_owned()));
        assert_eq!(models.need(digest), Some(FromWorker::Want(digest, 0)));
    }

    #[test]
    fn tables_over_patterns_travel_as_networks_do() {
        let tables = include_bytes!("../../models/othello.tuples");
        let bytes = pattern_files::file(Kind::Othello, tables);
        let digest = pattern_files::digest(&bytes);
        let mut models = Models::default();
        let Some(FromWorker::Offers(offers)) = fetched(&mut models, digest, &bytes) else {
            panic!("they are taken")
        };
        assert_eq!(
            offers,
            [Offer { game: "othello".to_owned(), digest, name: "patterns".to_owned() }]
        );
        assert!(models.evaluators().patterns(digest).is_some());
        let other = pattern_files::digest(b"other");
        let why = unfit(fetched(&mut Models::default(), other, &bytes));
        assert_eq!(why, format!("its contents have the digest {digest}"));
        let cut = &bytes[..bytes.len() - 1];
        let why = unfit(fetched(&mut Models::default(), pattern_files::digest(cut), cut));
        assert!(why.starts_with("tables over patterns of othello: "), "{why}");
    }

    #[test]
    fn parts_of_what_nobody_asked_for_are_passed_over() {
        let (digest, bytes) = network(1);
        assert_eq!(Models::default().take(part(digest, &bytes, 0, 100)), []);
    }

    #[test]
    fn no_more_models_are_asked_for_than_can_be_offered() {
        let mut models = Models::default();
        let digest = |number: usize| {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&(number as u64).to_le_bytes());
            ModelDigest(bytes)
        };
        assert!(matches!(models.need(digest(0)), Some(FromWorker::Want(_, 0))));
        for number in 1..=limits::EVALUATORS_MAX {
            assert_eq!(models.need(digest(number)), None, "{number} waits");
        }
        let why = unfit(models.need(digest(limits::EVALUATORS_MAX + 1)));
        assert_eq!(why, "1024 models are here or on their way, and no more are taken");
        assert_eq!(models.need(digest(limits::EVALUATORS_MAX + 1)), None, "said once");
    }

    #[test]
    fn what_was_not_of_use_for_long_is_let_go_and_asked_for_again() {
        let mut models = Models::kept_in(None);
        let of_the_build = models.offers().len();
        let (first, bytes) = network(0);
        fetched(&mut models, first, &bytes);
        for number in 1..=80 {
            models.is_of_use(first);
            let (digest, bytes) = network(number);
            let said = fetched(&mut models, digest, &bytes);
            let offers = of_the_build + (number as usize + 1).min(64);
            assert!(matches!(said, Some(FromWorker::Offers(them)) if them.len() == offers));
        }
        assert_eq!(models.need(first), None, "it is there");
        let (second, _) = network(1);
        assert_eq!(models.need(second), Some(FromWorker::Want(second, 0)));
    }

    #[test]
    fn models_that_are_needed_at_once_come_one_after_the_other() {
        let (first, second) = (network(1), network(2));
        let mut models = Models::default();
        assert_eq!(models.need(first.0), Some(FromWorker::Want(first.0, 0)));
        assert_eq!(
            (models.need(second.0), models.need(second.0), models.need(first.0)),
            (None, None, None)
        );
        let said = models.take(part(first.0, &first.1, 0, first.1.len()));
        assert!(
            matches!(said[..], [FromWorker::Offers(_), FromWorker::Want(wanted, 0)] if wanted == second.0),
            "{said:?}"
        );
        let said = models.take(part(second.0, &second.1, 0, second.1.len()));
        assert!(matches!(&said[..], [FromWorker::Offers(offers)] if offers.len() == 2), "{said:?}");
    }
}
