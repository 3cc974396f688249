//! Lists of numbers as bytes: a varint each, but that a run of zeros is a 0 and the number of zeros after it.
//!
//! Nearly every number of a tally is below 128 and takes a byte, and of the children that a network has given a
//! chance most were never visited: their counts are runs of zeros.

use banyan_jobs::limits::{self, LimitError};
use prost::encoding::{decode_varint, encode_varint};

use crate::WireError;

/// A byte below this ends a number; the others say that it goes on.
const GOES_ON: u8 = 0x80;

/// Numbers that lists may be of.
pub(crate) trait Number: Copy + Into<u64> + TryFrom<u64> {
    /// The largest.
    const MAX: u64;
}

impl Number for u32 {
    const MAX: u64 = u32::MAX as u64;
}

impl Number for u64 {
    const MAX: u64 = u64::MAX;
}

/// The bytes of a list.
pub(crate) fn pack<N: Number>(numbers: &[N]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = numbers;
    while let Some((&number, after)) = rest.split_first() {
        encode_varint(number.into(), &mut bytes);
        rest = after;
        if number.into() == 0 {
            let zeros = after.iter().take_while(|&&it| it.into() == 0).count();
            encode_varint(zeros as u64, &mut bytes);
            rest = &after[zeros..];
        }
    }
    bytes
}

/// The list of at most `max` numbers that the bytes stand for.
pub(crate) fn unpack<N: Number>(
    what: &'static str,
    bytes: &[u8],
    max: usize,
) -> Result<Vec<N>, WireError> {
    let mut numbers: Vec<N> = Vec::with_capacity(max.min(bytes.len()));
    let mut rest = bytes;
    while !rest.is_empty() {
        let found = next(&mut rest)?;
        let too_large = LimitError::TooMany { what, found, max: N::MAX };
        let number = N::try_from(found).map_err(|_| too_large)?;
        let more = if found == 0 { next(&mut rest)? } else { 0 };
        let count = (numbers.len() as u64 + 1).saturating_add(more);
        limits::at_most(what, count, max as u64)?;
        numbers.resize(count as usize, number);
    }
    Ok(numbers)
}

/// Takes a number from the front of the bytes.
fn next(bytes: &mut &[u8]) -> Result<u64, WireError> {
    match *bytes {
        [byte, rest @ ..] if *byte < GOES_ON => {
            *bytes = rest;
            Ok(u64::from(*byte))
        }
        _ => decode_varint(bytes).map_err(|_| WireError::Missing("end of a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers as tallies have them: many zeros, few that are large.
    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let number = prop_oneof![8 => Just(0), 4 => 0..300_u64, 1 => any::<u64>()];
        prop::collection::vec(number, 0..300)
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(numbers in numbers()) {
            prop_assert_eq!(unpack("number", &pack(&numbers), numbers.len()), Ok(numbers.clone()));
            let small: Vec<u32> = numbers.into_iter().map(|it| it as u32).collect();
            prop_assert_eq!(unpack("number", &pack(&small), small.len()), Ok(small));
        }

        #[test]
        fn any_bytes_give_a_list_or_an_error(bytes: Vec<u8>) {
            if let Ok(numbers) = unpack::<u32>("number", &bytes, 40) {
                prop_assert!(numbers.len() <= 40);
            }
        }
    }

    #[test]
    fn a_run_of_zeros_takes_two_numbers() {
        assert_eq!(pack(&[0_u32; 300]), [0, 0xAB, 0x02]);
        assert_eq!(pack(&[7_u32, 0, 0, 0, 128, 0]), [7, 0, 2, 0x80, 0x01, 0, 0]);
        assert_eq!(
            unpack("number", &[7, 0, 2, 0x80, 0x01, 0, 0], 6),
            Ok(vec![7_u32, 0, 0, 0, 128, 0])
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let list = |bytes: &[u8], max| unpack::<u32>("number", bytes, max);
        let too_many = |found, max| Err(LimitError::TooMany { what: "number", found, max }.into());
        assert_eq!(list(&[1, 2, 3], 2), too_many(3, 2));
        assert_eq!(list(&[9, 0, 2], 3), too_many(4, 3));
        let endless = [&[0][..], &[0xFF; 9], &[0x01]].concat();
        assert_eq!(list(&endless, 3), too_many(u64::MAX, 3), "zeros beyond all memory");
        assert_eq!(list(&[0xFF, 0xFF, 0xFF, 0xFF, 0x10], 9), too_many(0x1_0FFF_FFFF, 0xFFFF_FFFF));
        for unended in [&[0xFF; 12][..], &[7, 0x80], &[7, 0], &[0, 0x80]] {
            assert_eq!(
                list(unended, 99),
                Err(WireError::Missing("end of a number")),
                "{unended:?}"
            );
        }
        assert_eq!(list(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 9), Ok(vec![u32::MAX]));
    }
}
