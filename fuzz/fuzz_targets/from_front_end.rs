#![no_main]
//! See `banyan_tests::hostile`.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    (banyan_tests::hostile::door("from_front_end").knock)(bytes);
});
