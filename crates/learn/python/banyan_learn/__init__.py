"""Training of Banyan's networks, outside the cluster: what Rust reads is written here."""
