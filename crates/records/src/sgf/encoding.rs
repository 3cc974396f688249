//! From bytes to text.
//!
//! The whole file is decoded before it is parsed: in Shift_JIS and GB18030 the second byte of a
//! letter can be a bracket or a backslash.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes at the start of a file in which CA is looked for: it belongs to the first node.
const CA_WITHIN: usize = 4096;

/// The file's text by its byte order mark, else as UTF-8 where that can be nothing else, else by CA, else as UTF-8 where
/// that is what the bytes are, else in the format's default, Latin-1. Bytes that make no sense become U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or_else(|| (without_mark(bytes), 0));
    let (text, _malformed) = encoding.decode_without_bom_handling(&bytes[mark..]);
    text
}

fn without_mark(bytes: &[u8]) -> &'static Encoding {
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    // A program that writes UTF-8 under another name would lose brackets to letters of two bytes. Letters of two bytes
    // in UTF-8 may be others in truth, those of three hardly.
    if is_utf8 && bytes.iter().any(|&byte| byte >= 0xe0) {
        return UTF_8;
    }
    declared(bytes).unwrap_or(if is_utf8 { UTF_8 } else { WINDOWS_1252 })
}

/// The encoding that CA names, if it names one. An encoding whose ASCII is not ASCII cannot be.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(CA_WITHIN)];
    let start = head.windows(3).position(|window| window == b"CA[")? + 3;
    let length = head[start..].iter().position(|&byte| byte == b']')?;
    let label = head[start..start + length].trim_ascii();
    let named = Encoding::for_label(label).or_else(|| alias(label))?;
    named.is_ascii_compatible().then_some(named)
}

/// Names that programs write and the Encoding Standard does not list.
fn alias(label: &[u8]) -> Option<&'static Encoding> {
    let known: [(&[u8], &'static Encoding); 4] = [
        (b"cp936", encoding_rs::GBK),
        (b"cp949", encoding_rs::EUC_KR),
        (b"cp932", encoding_rs::SHIFT_JIS),
        (b"cp950", encoding_rs::BIG5),
    ];
    let found = known.iter().find(|(name, _)| label.eq_ignore_ascii_case(name));
    found.map(|&(_, encoding)| encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_in(label: &str, name: &[u8]) -> String {
        let mut file = format!("(;GM[1]CA[{label}]PB[").into_bytes();
        file.extend_from_slice(name);
        file.extend_from_slice(b"];B[aa])");
        let text = decode(&file).into_owned();
        let start = text.find("PB[").expect("PB") + 3;
        text[start..text.find("];").expect("end")].to_owned()
    }

    #[test]
    fn every_servers_encoding_is_read() {
        assert_eq!(name_in("UTF-8", "古力".as_bytes()), "古力");
        assert_eq!(name_in("GB18030", b"\xb9\xc5\xc1\xa6"), "古力");
        assert_eq!(name_in("gb2312", b"\xb9\xc5\xc1\xa6"), "古力");
        assert_eq!(name_in("Shift_JIS", b"\x88\xe4\x8e\x52"), "井山");
        assert_eq!(name_in("EUC-KR", b"\xc0\xcc\xbc\xbc\xb5\xb9"), "이세돌");
        assert_eq!(name_in("cp949", b"\xc0\xcc"), "이");
        assert_eq!(name_in("ISO-8859-1", b"M\xfcller"), "Müller");
        assert_eq!(name_in("unheard-of", b"M\xfcller"), "Müller");
    }

    #[test]
    fn a_file_in_utf8_that_says_something_else_loses_no_bracket() {
        let name = "芈昱廷";
        assert_eq!(name_in("gb2312", name.as_bytes()), name);
        // One letter of two bytes may be GBK.
        assert_eq!(name_in("gb2312", b"\xd2\xbb"), "一");
    }

    #[test]
    fn a_bracket_inside_a_shift_jis_letter_does_not_close_the_value() {
        // U+30BE is 0x83 0x5D, whose second byte is ']'; U+30BD is 0x83 0x5C, a backslash.
        assert_eq!(name_in("Shift_JIS", b"\x83\x5d\x83\x5c"), "ゾソ");
    }

    #[test]
    fn byte_order_marks_are_obeyed_and_removed() {
        assert_eq!(decode(b"\xef\xbb\xbf(;)"), "(;)");
        assert_eq!(decode(b"\xff\xfe(\0;\0)\0"), "(;)");
        assert_eq!(decode(b"(;PB[\xc3\xa9])"), "(;PB[é])");
    }
}
