//! A conversation with `banyan` over its standard input and output.

use std::io::Write as _;
use std::process::{Command, Stdio};

use banyan_lab::processes::binary;

/// Answers to some lines, a line each.
pub fn answers(args: &[&str], lines: impl AsRef<[u8]>) -> Vec<String> {
    let mut child = Command::new(binary("banyan"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("a pipe").write_all(lines.as_ref()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}
