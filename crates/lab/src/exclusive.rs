//! Files that one process at a time adds lines to.

use std::fs::{File, TryLockError};
use std::io;

/// Takes the right to write a file. The system takes it back from a process that ends in any way.
///
/// # Errors
/// Another process has it.
pub(crate) fn locked(file: File) -> io::Result<File> {
    match file.try_lock() {
        // Some network file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing this file"))
        }
    }
}
