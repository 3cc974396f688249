//! The program `banyan-worker`, and its threads.

mod cli;

mod dropping;

mod link;

mod roots;

mod together;
