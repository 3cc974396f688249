//! `banyan solve` where no cluster helps: the fate of a group of Go, wins by force in games of lines.

pub mod go;

pub mod lines;
