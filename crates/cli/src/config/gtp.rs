//! A session of GTP, as it was typed and as it is meant.

use std::sync::Arc;

use banyan_engine::Limits;
use banyan_frontends::gtp::{Options, Ponder};

use crate::options::GtpArgs;

impl From<&GtpArgs> for Options {
    fn from(args: &GtpArgs) -> Options {
        Options {
            stopping: Arc::default(),
            resign: args.resign,
            explicit: Limits {
                time: args.engine.time,
                playouts: args.engine.playouts,
                depth: args.engine.engines.depth,
            },
            sharing: args.clock,
            ponder: match (args.engine.ponder, args.engine.no_ponder) {
                (true, _) => Ponder::Always,
                (false, true) => Ponder::Never,
                (false, false) => Ponder::OnClock,
            },
            ponder_top: args.engine.ponder_top,
            dynamic_komi: args.dynamic_komi,
            json: args.json,
            opening: args.opening,
        }
    }
}
