//! Lines of a front end: of a bounded length, whatever their bytes.

use std::io::{self, BufRead, Read};

use crossbeam_channel::{Receiver, bounded};

/// The longest line, in bytes: many times a whole game's moves.
pub(crate) const LINE_BYTES_MAX: usize = 64 << 10;

/// Lines that wait while a move is searched. Front ends send a few and then wait themselves; where more
/// come, the reader waits.
const LINES_WAITING_MAX: usize = 1024;

/// Starts a thread that reads on while a move is searched. The channel closes at the end of the input. A
/// line that is too long comes cut, what is no text in it as replacement characters.
pub(crate) fn read(
    name: &str,
    mut input: impl BufRead + Send + 'static,
) -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(LINES_WAITING_MAX);
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut bytes = Vec::new();
        // An input that cannot be read any more is an input that has ended.
        while let Ok(Some(_)) = next(&mut input, &mut bytes) {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// Reads up to a line's end; says whether some of it had to be left out, or nothing at the end.
pub(crate) fn next(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Option<bool>> {
    bytes.clear();
    let mut limited = input.by_ref().take(LINE_BYTES_MAX as u64);
    if limited.read_until(b'\n', bytes)? == 0 {
        return Ok(None);
    }
    let is_cut = bytes.len() == LINE_BYTES_MAX && bytes.last() != Some(&b'\n');
    if is_cut {
        input.skip_until(b'\n')?;
    }
    Ok(Some(is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_bytes_that_are_no_text_nor_a_line_that_never_ends_end_the_input() {
        let mut bytes = b"one\n\xff\xfetwo\n".to_vec();
        bytes.extend(vec![b'x'; 3 * LINE_BYTES_MAX]);
        bytes.extend(b"\nlast");
        let lines = read("test input", io::Cursor::new(bytes)).expect("a thread");
        let lines: Vec<String> = lines.into_iter().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("one\n", "\u{fffd}\u{fffd}two\n"));
        assert_eq!((lines[2].len(), lines[3].as_str()), (LINE_BYTES_MAX, "last"));
    }
}
