//! Game records: what is read is written and read again as the same game.

use banyan_games::{Kind, with_game};
use banyan_records::sgf::{Header, Options, SgfGame, read as read_sgf, write_sgf};
use banyan_search::Searchable;

/// The first byte says which game is asked for, if any; the rest is the file.
pub(super) fn read(bytes: &[u8]) -> bool {
    let Some((&first, file)) = bytes.split_first() else { return false };
    let kind = Kind::ALL.get(usize::from(first) % (Kind::ALL.len() + 1)).copied();
    let Ok(game) = read_sgf(file, &Options { kind, ..Options::default() }) else { return false };
    with_game!(&game.rules, G, rules => is_written_back::<G>(&game, rules))
}

/// Tells whether the file's moves can be played; if so, what is written of them is the same game.
fn is_written_back<G: Searchable>(game: &SgfGame, rules: &G::Rules) -> bool {
    let Ok(record) = game.record::<G>(rules) else { return false };
    let text = write_sgf(&record, &Header::default());
    let asked = Options { kind: Some(G::KIND), ..Options::default() };
    let again = read_sgf(text.as_bytes(), &asked).unwrap_or_else(|e| panic!("{e}: {text}"));
    let again = again.record::<G>(rules).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(again.plies(), record.plies(), "{text}");
    assert_eq!(again.position().hash(), record.position().hash(), "{text}");
    true
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    [
        &b"\x00(;GM[1]FF[4]SZ[9]KM[5.5]HA[2]AB[gc][cg]PL[W]C[a \\] b];W[ee];B[cc](;W[tt];B[])(;W[dd]))"[..],
        b"\x00(;SZ[9]AB[aa:cc]AW[dd:ed][ii];AE[bb]PL[W];W[ff])",
        b"\x01(;GM[2]SZ[8];B[f5];W[d6];B[C3])",
        b"\x02(;GM[4]SZ[15:13];B[hh];W[ii])",
        b"\x03(;GM[511]SZ[19];B[JJ];W[IIKK];B[HH];B[GG])",
        b"\x04(;GM[1]CA[GB18030]SZ[19]KM[375]HA[0]PB[\xdc\xc7\xd6\xb6];B[pd];W[dp])",
    ]
    .map(<[u8]>::to_vec)
    .into()
}
