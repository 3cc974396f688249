//! Lists of small numbers as bytes: one varint a number, just as a packed field has them.
//!
//! Nearly every number of a tally is below 128 and takes a byte. Generated code reads such a list
//! number by number into memory that grows on the way; here it is measured first, and then copied.

use banyan_jobs::limits::{self, LimitError};

use crate::WireError;

/// A byte below this ends a number; the others say that it goes on.
const GOES_ON: u8 = 0x80;

/// The bytes of a list.
pub(crate) fn pack(numbers: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        prost::encoding::encode_varint(number.into(), &mut bytes);
    }
    bytes
}

/// The list of at most `max` numbers that the bytes stand for.
pub(crate) fn unpack(what: &'static str, bytes: &[u8], max: usize) -> Result<Vec<u32>, WireError> {
    let count = bytes.iter().filter(|&&byte| byte < GOES_ON).count();
    limits::at_most(what, count as u64, max as u64)?;
    if count == bytes.len() {
        return Ok(bytes.iter().map(|&byte| byte.into()).collect());
    }
    let mut numbers = Vec::with_capacity(count);
    let (mut number, mut shift) = (0u64, 0);
    for &byte in bytes {
        number |= u64::from(byte % GOES_ON) << shift;
        shift += 7;
        let too_many = LimitError::TooMany { what, found: number, max: u32::MAX.into() };
        if byte < GOES_ON {
            numbers.push(u32::try_from(number).map_err(|_| too_many)?);
            (number, shift) = (0, 0);
        } else if shift > 28 {
            return Err(too_many.into());
        }
    }
    if shift == 0 { Ok(numbers) } else { Err(WireError::Missing("end of a number")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(numbers: Vec<u32>, small: Vec<u8>) {
            let small: Vec<u32> = small.into_iter().map(|n| u32::from(n % 128)).collect();
            for numbers in [numbers, small] {
                let bytes = pack(&numbers);
                prop_assert_eq!(unpack("number", &bytes, numbers.len()), Ok(numbers));
            }
        }

        #[test]
        fn any_bytes_give_a_list_or_an_error(bytes: Vec<u8>) {
            if let Ok(numbers) = unpack("number", &bytes, 40) {
                prop_assert!(numbers.len() <= 40);
            }
        }
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let too_many = unpack("number", &[1, 2, 3], 2);
        assert_eq!(too_many, Err(LimitError::TooMany { what: "number", found: 3, max: 2 }.into()));
        let beyond = unpack("number", &[0xFF, 0xFF, 0xFF, 0xFF, 0x10], 9);
        assert!(matches!(beyond, Err(WireError::Limit(LimitError::TooMany { .. }))), "{beyond:?}");
        let endless = unpack("number", &[0xFF; 9], 9);
        assert!(
            matches!(endless, Err(WireError::Limit(LimitError::TooMany { .. }))),
            "{endless:?}"
        );
        assert_eq!(unpack("number", &[7, 0x80], 9), Err(WireError::Missing("end of a number")));
        assert_eq!(unpack("number", &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 9), Ok(vec![u32::MAX]));
    }
}
