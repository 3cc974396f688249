//! Messages as the bytes that a stream carries: for measuring what they cost without a socket, for
//! keeping batches in a file, and for tests.

use banyan_jobs::session::{FromFrontEnd, ToFrontEnd};
use banyan_jobs::{BatchId, FromWorker, Tally, ToWorker};
use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint, uint64};

use crate::{WireError, decode, encode, sessions, wire};

/// Field numbers of `cluster.proto` that [`tallies`] writes.
const TALLIES_OF_FROM_WORKER: u32 = 2;
const TALLY_OF_TALLIES: u32 = 1;
const BATCH_OF_TALLY: u32 = 1;

/// Reasons why bytes are no message.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BytesError {
    /// They cannot be read.
    #[error(transparent)]
    Bytes(#[from] prost::DecodeError),
    /// They can, but are outside the limits.
    #[error(transparent)]
    Message(#[from] WireError),
}

/// A message to a worker, encoded.
pub fn of_to_worker(message: ToWorker) -> Vec<u8> {
    encode::to_worker(message).encode_to_vec()
}

/// A message from a worker, decoded.
///
/// # Errors
/// [`BytesError`] for what no honest worker sends.
pub fn read_from_worker(bytes: &[u8]) -> Result<FromWorker, BytesError> {
    Ok(decode::from_worker(wire::FromWorker::decode(bytes)?)?)
}

/// A message from a worker, encoded.
pub fn of_from_worker(message: FromWorker) -> Vec<u8> {
    encode::from_worker(message).encode_to_vec()
}

/// A message to a worker, decoded.
///
/// # Errors
/// [`BytesError`] for what no honest coordinator sends.
pub fn read_to_worker(bytes: &[u8]) -> Result<ToWorker, BytesError> {
    Ok(decode::to_worker(wire::ToWorker::decode(bytes)?)?)
}

/// A message from a front end, encoded.
pub fn of_from_front_end(message: FromFrontEnd) -> Vec<u8> {
    sessions::encode_from_front_end(message).encode_to_vec()
}

/// A message from a front end, decoded.
///
/// # Errors
/// [`BytesError`] for what no honest front end sends.
pub fn read_from_front_end(bytes: &[u8]) -> Result<FromFrontEnd, BytesError> {
    Ok(sessions::decode_from_front_end(wire::FromFrontEnd::decode(bytes)?)?)
}

/// A message to a front end, encoded.
pub fn of_to_front_end(message: ToFrontEnd) -> Vec<u8> {
    sessions::encode_to_front_end(message).encode_to_vec()
}

/// A message to a front end, decoded.
///
/// # Errors
/// [`BytesError`] for what no honest coordinator sends.
pub fn read_to_front_end(bytes: &[u8]) -> Result<ToFrontEnd, BytesError> {
    Ok(sessions::decode_to_front_end(wire::ToFrontEnd::decode(bytes)?)?)
}

/// A tally that is encoded once and sent for many batches.
#[derive(Clone, Debug)]
pub struct TallyBytes(Vec<u8>);

impl TallyBytes {
    /// Encodes all of a tally but its batch.
    pub fn of(tally: Tally) -> TallyBytes {
        let anonymous = FromWorker::Tallies(vec![Tally { batch: BatchId(0), ..tally }]);
        let Some(wire::from_worker::Message::Tallies(mut tallies)) =
            encode::from_worker(anonymous).message
        else {
            return TallyBytes(Vec::new());
        };
        TallyBytes(tallies.tallies.pop().unwrap_or_default().encode_to_vec())
    }
}

/// The message that answers each batch with its tally; takes little more than copying the bytes.
pub fn tallies<'a>(answers: impl IntoIterator<Item = (BatchId, &'a TallyBytes)>) -> Vec<u8> {
    let mut list = Vec::new();
    for (BatchId(batch), TallyBytes(tally)) in answers {
        let id_length = uint64::encoded_len(BATCH_OF_TALLY, &batch);
        encode_key(TALLY_OF_TALLIES, WireType::LengthDelimited, &mut list);
        encode_varint((id_length + tally.len()) as u64, &mut list);
        uint64::encode(BATCH_OF_TALLY, &batch, &mut list);
        list.extend_from_slice(tally);
    }
    let mut message = Vec::with_capacity(list.len() + 12);
    encode_key(TALLIES_OF_FROM_WORKER, WireType::LengthDelimited, &mut message);
    encode_varint(list.len() as u64, &mut message);
    message.extend_from_slice(&list);
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::counts::Asked;
    use banyan_games::{Color, Counts, Outcome};
    use banyan_jobs::Answer;

    fn tally(batch: u64, asked: Asked) -> Tally {
        let mut counts = Counts::new(9, asked);
        counts.add(Outcome::win(Color::Black), 7);
        Tally { batch: BatchId(batch), answer: Answer::Counts(counts) }
    }

    #[test]
    fn tallies_of_bytes_read_as_the_tallies_they_were_made_of() {
        let asked = Asked { amaf: true, ownership: true };
        let wanted = vec![tally(0, asked), tally(1 << 50, Asked::default()), tally(7, asked)];
        let encoded: Vec<TallyBytes> = wanted.iter().cloned().map(TallyBytes::of).collect();
        let bytes = tallies(wanted.iter().map(|tally| tally.batch).zip(&encoded));
        assert_eq!(read_from_worker(&bytes), Ok(FromWorker::Tallies(wanted)));
    }

    #[test]
    fn messages_of_both_directions_read_as_written() {
        let answer = FromWorker::Tallies(vec![tally(3, Asked { amaf: true, ownership: false })]);
        assert_eq!(read_from_worker(&of_from_worker(answer.clone())), Ok(answer));
        assert_eq!(read_to_worker(&of_to_worker(ToWorker::Ping(7))), Ok(ToWorker::Ping(7)));
    }

    #[test]
    fn bytes_that_are_no_message_are_refused() {
        assert!(matches!(read_from_worker(&[0xFF; 5]), Err(BytesError::Bytes(_))));
        assert!(matches!(read_from_worker(&[]), Err(BytesError::Message(WireError::Missing(_)))));
    }
}
