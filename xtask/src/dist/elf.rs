//! Tells whether a program needs anything of the system that runs it, by the table at the front of its file.

use anyhow::{Context as _, bail};

/// The kind of a segment that names the loader of libraries.
const INTERPRETER: u32 = 3;

/// Tells whether a program of 64 bits needs no loader, and so no libraries.
///
/// # Errors
/// Where these are not the bytes of one.
pub fn is_static(bytes: &[u8]) -> anyhow::Result<bool> {
    let is_small_endian_64 = bytes.get(..6).is_some_and(|it| it == b"\x7fELF\x02\x01");
    if !is_small_endian_64 {
        bail!("this is no program for Linux of 64 bits");
    }
    let number = |at: usize, length: usize| -> anyhow::Result<usize> {
        let field = bytes.get(at..at + length).context("the program's file is cut short")?;
        Ok(field.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    };
    let (table, each, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for segment in 0..count {
        if number(table.saturating_add(segment * each), 4)? == INTERPRETER as usize {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The front of a file, and a table of segments of these kinds.
    fn program(segments: &[u32]) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(64, 0);
        (bytes[32], bytes[54], bytes[56]) = (64, 56, segments.len() as u8);
        for kind in segments {
            bytes.extend(kind.to_le_bytes());
            bytes.resize(bytes.len() + 52, 0);
        }
        bytes
    }

    #[test]
    fn a_program_that_names_a_loader_is_not_static() {
        assert!(is_static(&program(&[1, 1, 2])).expect("a program"));
        assert!(!is_static(&program(&[1, INTERPRETER])).expect("a program"));
        let ours = std::fs::read(std::env::current_exe().expect("this test")).expect("readable");
        assert!(
            !is_static(&ours).expect("a program"),
            "tests are linked to the system's libraries"
        );
    }

    #[test]
    fn what_is_no_program_or_is_cut_short_is_refused() {
        for bytes in [&b""[..], b"#!/bin/sh", &program(&[1])[..66], &program(&[1])[..40]] {
            assert!(is_static(bytes).is_err(), "{bytes:?}");
        }
    }
}
