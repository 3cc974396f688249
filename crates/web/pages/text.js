// The text of a file, by the encoding that it has.

// How files in UTF-16 and UTF-8 may begin.
const MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

// Names that programs write and browsers do not know.
const NAMES = { cp936: "gbk", cp949: "euc-kr", cp932: "shift_jis", cp950: "big5" };

// The property CA of a game stands in its first node.
const CA_WITHIN = 4096;

// By the file's mark, else by the CA of a game in SGF, else as UTF-8 where that is what the bytes are, else as
// Latin-1.
export function text_of(bytes) {
  const start = new Uint8Array(bytes.slice(0, CA_WITHIN));
  const mark = MARKS.find(([, mark]) => mark.every((byte, at) => start[at] === byte));
  const decoder = (mark && new TextDecoder(mark[0])) ?? named(start);
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// Nothing where no encoding is named, one that nobody knows, or one in which the name could not be read.
function named(start) {
  const said = /CA\[\s*([^\]\s]*)\s*\]/.exec(new TextDecoder("windows-1252").decode(start));
  if (!said) return null;
  const name = said[1].toLowerCase();
  try {
    const decoder = new TextDecoder(NAMES[name] ?? name);
    return decoder.encoding.startsWith("utf-16") ? null : decoder;
  } catch {
    return null;
  }
}
