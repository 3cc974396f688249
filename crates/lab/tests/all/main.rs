//! Matches as they are typed, and engines that break.

mod self_play;

mod match_runner;

mod tune;

mod katago;

mod katago_cluster;

mod soak;
