//! The file that KataGo's analysis process is started with, as we need it.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// Chosen settings of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Positions that are judged at once: what an accelerator takes in one go.
    pub batch: NonZeroU32,
    /// Points on a side of the largest board, 2 to 19: smaller ones cost as much as this one.
    pub side: u8,
}

/// Reasons why the file was not written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Something of this name is there.
    #[error("{0} is there already; give --force to write over it")]
    Exists(PathBuf),
    /// The system's reason.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
}

impl Config {
    /// The text of the file.
    pub fn text(self) -> String {
        let Config { batch, side } = self;
        format!(
            "\
# KataGo as a judge of single positions for Banyan: one visit a query, many queries at once.
# katago analysis -config THIS -model MODEL.bin.gz

# Positions judged at once. On an accelerator 32 to 256, on processors about the number of cores.
numAnalysisThreads = {batch}
nnMaxBatchSize = {batch}
numSearchThreadsPerAnalysisThread = 1
maxVisits = 1

# The largest board; smaller ones cost as much as this one, on processors at least.
maxBoardXSizeForNNBuffer = {side}
maxBoardYSizeForNNBuffer = {side}

# What is said is said for the side to move.
reportAnalysisWinratesAs = SIDETOMOVE

# The same position gets the same answer on the same machine: no turning of the board by chance.
nnRandomize = false
rootNumSymmetriesToSample = 1
wideRootNoise = 0.0

# Every position is a leaf of a search, none its root.
conservativePass = false
rootPolicyOptimism = 1.0

# Positions that are met again are not judged again: 2^20 answers, about 2 GB on 19x19 when full.
nnCacheSizePowerOfTwo = 20
nnMutexPoolSizePowerOfTwo = 14

# A query's own tree is one node.
nodeTableShardsPowerOfTwo = 8

logToStderr = true
logAllRequests = false
logAllResponses = false
logErrorsAndWarnings = false
"
        )
    }

    /// Writes the file; over another one only where `force` says so.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn write(self, path: &Path, force: bool) -> Result<(), ConfigError> {
        let mut options = OpenOptions::new();
        match force {
            true => options.write(true).create(true).truncate(true),
            false => options.write(true).create_new(true),
        };
        let written =
            options.open(path).and_then(|mut file| file.write_all(self.text().as_bytes()));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ConfigError::Exists(path.to_owned()),
            _ => ConfigError::Write(path.to_owned(), error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: Config = Config { batch: NonZeroU32::new(24).expect("above 0"), side: 13 };

    #[test]
    fn as_many_positions_are_analysed_as_fit_a_batch() {
        let text = CONFIG.text();
        assert!(
            text.contains("\nnumAnalysisThreads = 24\n")
                && text.contains("\nnnMaxBatchSize = 24\n")
        );
        assert!(text.contains("\nmaxBoardYSizeForNNBuffer = 13\n"));
        let settings = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        settings.for_each(|line| assert!(line.contains(" = "), "{line}"));
    }

    #[test]
    fn a_file_that_is_there_is_kept_unless_forced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("analysis.cfg");
        std::fs::write(&path, "mine").expect("a file");
        let refused = CONFIG.write(&path, false).expect_err("it is there");
        assert!(
            refused
                .to_string()
                .ends_with("analysis.cfg is there already; give --force to write over it")
        );
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "mine");
        CONFIG.write(&path, true).expect("forced");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), CONFIG.text());
        let nowhere = folder.path().join("no/such/folder");
        assert!(
            CONFIG
                .write(&nowhere, false)
                .expect_err("no folder")
                .to_string()
                .starts_with("cannot write")
        );
    }
}
