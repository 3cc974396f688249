//! A model, and where it comes from.

use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::digest::Digest;

use super::learned::{Learned, Model};
use super::mixed::Mixed;

/// The model of this build, which is read when it is asked for first, or one of a text.
#[derive(Debug)]
pub(crate) struct Stored<G> {
    of: PhantomData<fn() -> G>,
    model: OnceLock<Model>,
    digest: Digest,
}

impl<G: Mixed> Stored<G> {
    /// That of this build.
    pub fn built_in() -> Stored<G> {
        Stored { of: PhantomData, model: OnceLock::new(), digest: Stored::<G>::digest_of_build() }
    }

    /// A model of this text.
    pub fn of(model: Model, text: &str) -> Stored<G> {
        let digest = Digest::EMPTY.and(text.as_bytes());
        Stored { of: PhantomData, model: OnceLock::from(model), digest }
    }

    /// The identity of the contents.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The identity of what this build has learned.
    pub fn digest_of_build() -> Digest {
        Digest::EMPTY.and(G::PACKED)
    }

    /// The model.
    pub fn get(&self) -> &Model {
        self.model.get_or_init(|| Model::new::<G>(&Learned::built_in::<G>()))
    }
}
