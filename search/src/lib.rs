//! The UCT tree.
