# The daily commands, for those who have `just`; `cargo xtask` does the work, and needs nothing else.

set positional-arguments

[private]
default:
    @just --list --unsorted

# formatting and lints, as CI asks for them
check:
    cargo xtask check

# every test
test *options:
    cargo xtask test "$@"

# simulated clusters; BANYAN_SIM_SEEDS=10000 for more of them
sim *options:
    cargo xtask sim "$@"

# benchmarks of the tree and of playouts
bench:
    cargo xtask bench

# a peer's command and one of ours in turn, and their ratio: just versus --help
versus *options:
    cargo xtask versus "$@"

# two GTP engines against each other: just match --help
match *options:
    cargo xtask match "$@"

# settings of the search against each other at equal playouts: just lab --help
lab *options:
    cargo xtask lab "$@"

# numbers of an engine tuned by games against itself: just tune --help
tune *options:
    cargo xtask tune "$@"

# liars, strangers and bad links against a cluster: just attack --list
attack *options:
    cargo xtask attack "$@"

# licences, bans and sources of dependencies
deny:
    cargo xtask deny

# packages of both programs: just dist --help
dist *options:
    cargo xtask dist "$@"

# the code of proto/src/generated anew, after a change of cluster.proto
proto:
    cargo xtask proto
