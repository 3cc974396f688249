//! Tests that need more than one crate, in one program: `cargo test -p banyan-tests NAME` runs a part of it.

mod simulation;

mod hostile;

mod self_play;

mod front_ends;

mod processes;

mod evaluators;

mod faults;

mod network;

mod admission;

mod attack;

mod greeting;

mod reproducible;

mod patterns_farm;

mod rules_farm;

mod checkpoint;

mod models;

mod serve;

mod books;

mod learning;

mod solving;

mod sources;

mod upstream;

mod monitoring;

mod traces;

mod web;

mod openings;

mod gnugo;

mod add_a_game;

mod docs;

mod arrows;
