//! How long to think.
