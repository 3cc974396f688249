//! The rules that are part of this build.

use std::sync::{Arc, LazyLock};

use banyan_games::Kind;
use banyan_proofs::threats::rules::Rules;

use super::learning::compiled;
use crate::rules::file;

/// Rules of Connect6; `models/README.md` says what made them.
static CONNECT6: LazyLock<Arc<Rules>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../../models/connect6.rules.gz");
    let text = file::unpacked(bytes).expect("a file that a test has read");
    let learned = file::parse(&text, Kind::Connect6).expect("a file that a test has read");
    Arc::new(compiled(&learned))
});

/// Rules about wins by threats of a game that are part of this build, if there are such.
pub fn built_in(kind: Kind) -> Option<Arc<Rules>> {
    (kind == Kind::Connect6).then(|| CONNECT6.clone())
}
