//! The program `banyan-worker`, and its threads.

mod cli;

mod dropping;

mod roots;

mod together;
