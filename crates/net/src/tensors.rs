//! Named tensors and words in one file: safetensors, with a digest of the contents in its header.
//!
//! Knows nothing of networks. Bounds come first: what a header claims is held against the bytes that are
//! there before anything is allocated for it.

use crate::digest::{Digest, Digesting};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use std::collections::BTreeMap;
use thiserror::Error;

/// Bytes that a file may have, 257 MiB: the most that weights may take, and a header.
pub const FILE_BYTES_MAX: u64 = crate::shape::WEIGHT_BYTES_MAX + HEADER_BYTES_MAX;

/// Bytes that a file's header may have, 1 MiB: a network of 64 blocks needs 60 KiB.
pub const HEADER_BYTES_MAX: u64 = 1 << 20;

/// Key of the digest in the header.
const DIGEST: &str = "digest";

/// Bytes before the header: its length.
const PREFIX: usize = 8;

/// A file that is not what it should be.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum TensorsError {
    #[error("{bytes} bytes, at most {most}")]
    TooLong { bytes: u64, most: u64 },
    #[error("cut short: {found} bytes, the header alone takes {wanted}")]
    Cut { found: u64, wanted: u64 },
    #[error("{found} bytes are more or fewer than its header tells of: cut short, or damaged")]
    Length { found: u64 },
    #[error("header of {claimed} bytes, at most {HEADER_BYTES_MAX}: no safetensors file of ours")]
    Header { claimed: u64 },
    #[error("not a sound safetensors file: {0}")]
    Format(#[from] SafeTensorError),
    #[error("the header says nothing of {key}")]
    NoWord { key: String },
    #[error("{key} is {found:?}, must be a whole number")]
    NotNumber { key: String, found: String },
    #[error("no tensor {name}")]
    NoTensor { name: String },
    #[error("tensor {name} is {found}, must be {wanted}")]
    Kind { name: String, found: String, wanted: String },
    #[error("tensor {name} is {found}, at most {most} tensors: it is one too many")]
    Extra { name: String, found: String, most: usize },
    #[error("contents have digest {found}, the header says {claimed}: the file is damaged")]
    Digest { found: Digest, claimed: String },
}

/// Type, shape and bytes of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tensor {
    kind: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// A type of numbers that tensors may have.
pub trait Number: Copy {
    /// Its name in files.
    const KIND: Dtype;
    /// Its bytes, the lowest first.
    fn put(self, bytes: &mut Vec<u8>);
    /// The numbers that these bytes are.
    fn all(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! number {
    ($type:ty, $kind:ident) => {
        impl Number for $type {
            const KIND: Dtype = Dtype::$kind;

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn all(bytes: &[u8]) -> Vec<$type> {
                let chunks = bytes.as_chunks::<{ size_of::<$type>() }>().0;
                chunks.iter().map(|&bytes| <$type>::from_le_bytes(bytes)).collect()
            }
        }
    };
}

number!(u8, U8);
number!(i8, I8);
number!(i16, I16);
number!(i32, I32);
number!(f32, F32);

/// Words and tensors on their way to a file.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    words: BTreeMap<String, String>,
    tensors: BTreeMap<String, Tensor>,
}

impl Writer {
    /// Adds a word to the header.
    pub fn word(&mut self, key: &str, value: impl ToString) {
        self.words.insert(key.to_owned(), value.to_string());
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// If there are not as many numbers as the shape says.
    pub fn tensor<N: Number>(&mut self, name: &str, shape: &[usize], numbers: &[N]) {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "{name} of shape {shape:?}");
        let mut bytes = Vec::with_capacity(size_of_val(numbers));
        numbers.iter().for_each(|number| number.put(&mut bytes));
        let tensor = Tensor { kind: N::KIND, shape: shape.to_vec(), bytes };
        self.tensors.insert(name.to_owned(), tensor);
    }

    /// Digest of all that was added.
    pub fn digest(&self) -> Digest {
        let tensors = self.tensors.iter();
        digest(
            self.words.iter().map(|(key, value)| (key.as_str(), value.as_str())),
            tensors
                .map(|(name, tensor)| (name.as_str(), tensor.kind, &*tensor.shape, &*tensor.bytes)),
        )
    }

    /// The file, the same for the same contents.
    ///
    /// # Errors
    /// Does not happen for tensors that could be added.
    pub fn end(mut self) -> Result<Vec<u8>, TensorsError> {
        self.word(DIGEST, self.digest());
        let mut views = Vec::with_capacity(self.tensors.len());
        for (name, tensor) in &self.tensors {
            views.push((name, TensorView::new(tensor.kind, tensor.shape.clone(), &tensor.bytes)?));
        }
        let plain = safetensors::serialize(views, None)?;
        Ok(with_words(&plain, &self.words))
    }
}

/// The file with words in its header, sorted: the library's own come in another order each time.
fn with_words(plain: &[u8], words: &BTreeMap<String, String>) -> Vec<u8> {
    let (prefix, rest) = plain.split_first_chunk::<PREFIX>().expect("a file has a prefix");
    let (header, tensors) = rest.split_at(u64::from_le_bytes(*prefix) as usize);
    let words = serde_json::json!(words).to_string();
    let header = String::from_utf8_lossy(header);
    let header = header.trim_end().trim_start_matches('{');
    let comma = if header == "}" { "" } else { "," };
    let mut header = format!("{{\"__metadata__\":{words}{comma}{header}").into_bytes();
    header.resize(header.len().next_multiple_of(PREFIX), b' ');
    [&(header.len() as u64).to_le_bytes(), header.as_slice(), tensors].concat()
}

/// Words and tensors of a file whose bounds and digest have been checked.
#[derive(Debug)]
pub struct Reader<'a> {
    words: BTreeMap<String, String>,
    tensors: SafeTensors<'a>,
    digest: Digest,
}

impl<'a> Reader<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with its length, its header or its digest.
    pub fn new(bytes: &'a [u8]) -> Result<Reader<'a>, TensorsError> {
        Reader::within(FILE_BYTES_MAX, bytes)
    }

    /// Reads a file that may have so many bytes.
    ///
    /// # Errors
    /// As [`Reader::new`].
    pub fn within(bytes_max: u64, bytes: &'a [u8]) -> Result<Reader<'a>, TensorsError> {
        check_bounds(bytes, bytes_max)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|wrong| match wrong {
            SafeTensorError::MetadataIncompleteBuffer => {
                TensorsError::Length { found: bytes.len() as u64 }
            }
            other => other.into(),
        })?;
        let words = header.metadata().clone().unwrap_or_default();
        let mut words: BTreeMap<String, String> = words.into_iter().collect();
        let no_digest = || TensorsError::NoWord { key: DIGEST.to_owned() };
        let claimed = words.remove(DIGEST).ok_or_else(no_digest)?;
        let tensors = SafeTensors::deserialize(bytes)?;
        let found = digest_of(&words, &tensors);
        if found.to_string() != claimed {
            return Err(TensorsError::Digest { found, claimed });
        }
        Ok(Reader { words, tensors, digest: found })
    }

    /// Digest of the contents.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// A word of the header.
    ///
    /// # Errors
    /// If it is not there.
    pub fn word(&self, key: &str) -> Result<&str, TensorsError> {
        let word = self.words.get(key).map(String::as_str);
        word.ok_or_else(|| TensorsError::NoWord { key: key.to_owned() })
    }

    /// A whole number of the header.
    ///
    /// # Errors
    /// If it is not there, or no number.
    pub fn number<N: std::str::FromStr>(&self, key: &str) -> Result<N, TensorsError> {
        let found = self.word(key)?;
        found
            .parse()
            .map_err(|_| TensorsError::NotNumber { key: key.to_owned(), found: found.to_owned() })
    }

    /// Numbers of a tensor of this shape.
    ///
    /// # Errors
    /// If it is not there, or of another type or shape.
    pub fn tensor<N: Number>(&self, name: &str, shape: &[usize]) -> Result<Vec<N>, TensorsError> {
        let tensor = self.tensors.tensor(name);
        let tensor = tensor.map_err(|_| TensorsError::NoTensor { name: name.to_owned() })?;
        if (tensor.dtype(), tensor.shape()) != (N::KIND, shape) {
            let found = words_of(tensor.dtype(), tensor.shape());
            let wanted = words_of(N::KIND, shape);
            return Err(TensorsError::Kind { name: name.to_owned(), found, wanted });
        }
        Ok(N::all(tensor.data()))
    }

    /// Checks that the file holds so many tensors and no more.
    ///
    /// # Errors
    /// The last tensor by name, if there are more.
    pub fn at_most(&self, most: usize) -> Result<(), TensorsError> {
        if self.tensors.len() <= most {
            return Ok(());
        }
        let last = self.tensors.iter().max_by(|one, other| one.0.cmp(other.0));
        let (name, found) = last.map_or(Default::default(), |(name, tensor)| {
            (name.to_owned(), words_of(tensor.dtype(), tensor.shape()))
        });
        Err(TensorsError::Extra { name, found, most })
    }
}

/// Holds the lengths that a file claims against the bytes that are there.
fn check_bounds(bytes: &[u8], bytes_max: u64) -> Result<(), TensorsError> {
    let found = bytes.len() as u64;
    if found > bytes_max {
        return Err(TensorsError::TooLong { bytes: found, most: bytes_max });
    }
    let Some(prefix) = bytes.first_chunk::<PREFIX>() else {
        return Err(TensorsError::Cut { found, wanted: PREFIX as u64 });
    };
    match u64::from_le_bytes(*prefix) {
        claimed if claimed > HEADER_BYTES_MAX => Err(TensorsError::Header { claimed }),
        claimed if claimed + PREFIX as u64 > found => {
            Err(TensorsError::Cut { found, wanted: claimed + PREFIX as u64 })
        }
        _ => Ok(()),
    }
}

fn words_of(kind: Dtype, shape: &[usize]) -> String {
    format!("{kind:?} {shape:?}")
}

fn digest_of(words: &BTreeMap<String, String>, tensors: &SafeTensors<'_>) -> Digest {
    let mut tensors: Vec<_> = tensors.iter().collect();
    tensors.sort_by(|one, other| one.0.cmp(other.0));
    digest(
        words.iter().map(|(key, value)| (key.as_str(), value.as_str())),
        tensors.iter().map(|(name, tensor)| (*name, tensor.dtype(), tensor.shape(), tensor.data())),
    )
}

/// Digest of words and tensors, both sorted.
fn digest<'a>(
    words: impl Iterator<Item = (&'a str, &'a str)>,
    tensors: impl Iterator<Item = (&'a str, Dtype, &'a [usize], &'a [u8])>,
) -> Digest {
    let mut digesting = Digesting::default();
    for (key, value) in words {
        digesting.part(key.as_bytes());
        digesting.part(value.as_bytes());
    }
    for (name, kind, shape, bytes) in tensors {
        let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
        digesting.part(name.as_bytes());
        digesting.part(format!("{kind:?}").as_bytes());
        digesting.part(shape.join(",").as_bytes());
        digesting.part(bytes);
    }
    digesting.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small() -> Vec<u8> {
        let mut writer = Writer::default();
        writer.word("game", "go");
        writer.tensor("a", &[2, 1], &[1i32, -2]);
        writer.tensor("b", &[1], &[1.5f32]);
        writer.end().unwrap()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = small();
        let reader = Reader::new(&bytes).unwrap();
        assert_eq!(reader.word("game").unwrap(), "go");
        assert_eq!(reader.tensor::<i32>("a", &[2, 1]).unwrap(), [1, -2]);
        assert_eq!(reader.tensor::<f32>("b", &[1]).unwrap(), [1.5]);
        assert_eq!(small(), bytes, "the same contents, the same file");
    }

    #[test]
    fn what_is_not_as_asked_for_is_said_with_both() {
        let bytes = small();
        let reader = Reader::new(&bytes).unwrap();
        let words = |error: TensorsError| error.to_string();
        assert_eq!(words(reader.word("blocks").unwrap_err()), "the header says nothing of blocks");
        assert_eq!(
            words(reader.number::<u32>("game").unwrap_err()),
            "game is \"go\", must be a whole number"
        );
        assert_eq!(words(reader.tensor::<i8>("c", &[1]).unwrap_err()), "no tensor c");
        assert_eq!(
            words(reader.tensor::<i8>("a", &[2]).unwrap_err()),
            "tensor a is I32 [2, 1], must be I8 [2]"
        );
        assert!(words(reader.at_most(1).unwrap_err()).starts_with("tensor b is F32 [1]"));
    }

    #[test]
    fn a_file_that_ends_within_its_tensors_is_said_to_be_cut_short() {
        let bytes = small();
        let words = Reader::new(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        let expected =
            format!("{} bytes are more or fewer than its header tells of", bytes.len() - 1);
        assert!(words.starts_with(&expected), "{words}");
    }

    #[test]
    fn a_header_that_claims_100_gigabytes_is_refused_before_it_is_believed() {
        let mut bytes = small();
        bytes[..8].copy_from_slice(&100_000_000_000u64.to_le_bytes());
        let words = Reader::new(&bytes).unwrap_err().to_string();
        assert!(words.starts_with("header of 100000000000 bytes, at most 1048576"), "{words}");
    }

    #[test]
    fn a_tensor_that_claims_100_gigabytes_is_refused_before_it_is_believed() {
        let header =
            br#"{"a":{"dtype":"I8","shape":[100000000000],"data_offsets":[0,100000000000]}}"#;
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_slice(), &[0; 8]].concat();
        let words = Reader::new(&bytes).unwrap_err().to_string();
        assert!(words.contains("bytes are more or fewer than its header tells of"), "{words}");
    }

    proptest! {
        #[test]
        fn a_file_cut_anywhere_is_refused(length in 0..small().len()) {
            prop_assert!(Reader::new(&small()[..length]).is_err());
        }

        #[test]
        fn a_file_with_any_bit_turned_is_refused(byte in 0..small().len(), bit in 0..8u32) {
            let mut bytes = small();
            bytes[byte] ^= 1 << bit;
            // Padding may turn into other white space; everything else is part of the digest.
            let padding = bytes[byte].is_ascii_whitespace() || small()[byte] == b' ';
            prop_assert!(padding || Reader::new(&bytes).is_err());
        }

        #[test]
        fn any_bytes_are_a_file_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Reader::new(&bytes);
        }
    }
}
