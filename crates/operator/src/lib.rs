//! Help for people who run Banyan, beside playing: `parameters` (the numbers of the search, explained),
//! `manual` (pages and completions made from the command lines), `certs` (keys and certificates for a
//! cluster), `doctor` (what would be slow or fail here), `top` (a cluster in a terminal), `slurm` (workers
//! as jobs of a batch system).

pub mod parameters;

pub mod manual;

pub mod certs;

pub mod doctor;

pub mod top;

pub mod slurm;
