//! Scripts on file systems of their own, in a namespace that ends with them.

use std::path::Path;
use std::process::{Command, Output};

use banyan_lab::processes::binary;

/// Runs a shell script that may mount at `$PLACE`, a folder, and calls the program `$BANYAN`; nothing where this
/// machine does not let it, which is said.
pub fn run(script: &str, place: &Path) -> Option<Output> {
    let may = Command::new("unshare").args(["--mount", "true"]).status();
    if !may.is_ok_and(|status| status.success()) {
        #[expect(clippy::print_stderr, reason = "a person should see that a test did not run")]
        {
            eprintln!("skipped: mount namespaces need root and util-linux");
        }
        return None;
    }
    std::fs::create_dir(place).expect("a folder in it");
    let output = Command::new("unshare")
        .args(["--mount", "sh", "-c", script])
        .env("PLACE", place)
        .env("BANYAN", binary("banyan"))
        .output();
    Some(output.expect("unshare was there a moment ago"))
}
