//! Pages in a real browser: positions that people put up, files, and going through games.

use std::path::Path;

use banyan_tests::browser::Browser;

use super::browsers::{STATUS, at_a_board};

/// Each stone that is drawn: its letter, then its point.
const STONES: &str = "[...document.querySelectorAll('[data-stone]')]\
                      .map((it) => it.dataset.stone + it.dataset.at).join(' ')";

const ESCAPE: &str = "\u{e00c}";
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";

/// What the link with this id leads to.
fn saved(browser: &Browser, link: &str) -> String {
    let text = format!("fetch(document.getElementById('{link}').href).then((it) => it.text())");
    browser.value(&text).as_str().expect("a text").to_owned()
}

/// Chooses a file with this text, which lies in `folder`.
fn load(browser: &Browser, folder: &Path, text: &str) {
    let path = folder.join("game.sgf");
    std::fs::write(&path, text).expect("written");
    browser.type_into("#file", path.to_str().expect("UTF-8"));
}

fn is_drawn(browser: &Browser, stones: &str) {
    browser.wait(&format!("{STONES} === '{stones}'"));
}

#[test]
fn positions_are_put_up_by_clicks_and_games_are_loaded_and_saved() {
    let Some((browser, _process, _)) = at_a_board() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    a_position_is_put_up(&browser);
    one_that_cannot_stand_is_left_to_be_mended(&browser);
    games_come_from_files_and_go_into_files(&browser, folder.path());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn a_position_is_put_up(browser: &Browser) {
    browser.value("document.getElementById('size').value = 5");
    browser.click("#new");
    browser.wait("document.querySelectorAll('.hit').length === 25");
    browser.click("#edit");
    for (stone, points) in [("X", &[6, 12][..]), ("O", &[8]), (".", &[12])] {
        browser.click(&format!("[name=stone][value=\"{stone}\"]"));
        points.iter().for_each(|point| browser.click(&format!("[data-point=\"{point}\"]")));
    }
    browser.choose("#mover", "white");
    browser.click("#edit-done");
    let is_begun = |side: &str| {
        let status = format!("{STATUS}.startsWith('Go: {side} to move')");
        browser.wait(&format!("{status} && document.getElementById('editor').hidden"));
    };
    is_begun("White");
    is_drawn(browser, "X6 O8");
    let sgf = saved(browser, "save");
    assert!(sgf.contains("SZ[5]") && sgf.ends_with("AB[bb]AW[db]PL[W])\n"), "{sgf}");
    browser.click("[data-point=\"12\"]");
    is_drawn(browser, "X6 O8 O12");
    browser.click("[data-ask=undo]");
    is_drawn(browser, "X6 O8");
    // The same stones, and the other side to move.
    browser.click("#edit");
    browser.choose("#mover", "black");
    browser.click("#edit-done");
    is_begun("Black");
    is_drawn(browser, "X6 O8");
    // Nothing changed at all.
    browser.click("#edit");
    browser.click("#edit-done");
    is_begun("Black");
}

fn one_that_cannot_stand_is_left_to_be_mended(browser: &Browser) {
    browser.click("#edit");
    browser.click("#edit-clear");
    for (stone, point) in [("O", 1), ("O", 5), ("X", 0)] {
        browser.click(&format!("[name=stone][value={stone}]"));
        browser.click(&format!("[data-point=\"{point}\"]"));
    }
    browser.click("#edit-done");
    browser.wait("document.getElementById('notice').textContent");
    is_drawn(browser, "X0 O1 O5");
    browser.press(ESCAPE);
    is_drawn(browser, "X6 O8");
}

fn games_come_from_files_and_go_into_files(browser: &Browser, folder: &Path) {
    let game = ";B[ee](;W[cc];B[gc])(;W[gg]))";
    load(browser, folder, &format!("(;GM[1]SZ[9]KM[5.5]{game}"));
    is_drawn(browser, "O20 X24 X40");
    let moves = browser.value("document.getElementById('moves').innerText.trim()");
    assert_eq!(moves, "1 E5 2 C7 3 G7");
    let sgf = saved(browser, "save").replace('\n', "");
    assert!(sgf.contains("SZ[9]KM[5.5]") && sgf.ends_with(game), "{sgf}");
    assert_eq!(browser.value("document.getElementById('save-ggf').hidden"), true);
    let ggf = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------\
               ------------------- *]B[F5]W[D6];)";
    browser.value(&format!(
        "(() => {{ const dataTransfer = new DataTransfer(); \
         dataTransfer.items.add(new File(['{ggf}'], 'game.ggf')); \
         dispatchEvent(new DragEvent('drop', {{ dataTransfer, cancelable: true }})); }})()"
    ));
    browser.wait(&format!("{STATUS}.startsWith('Othello: Black to move')"));
    assert!(saved(browser, "save-ggf").contains("B[F5]W[D6]"));
    assert_eq!(browser.value("document.getElementById('save-ggf').hidden"), false);
}

#[test]
fn a_review_marks_mistakes_and_held_arrow_keys_end_on_the_right_ply() {
    let Some((browser, _process, _)) = at_a_board() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    mistakes_are_marked(&browser, folder.path());
    held_keys_go_where_they_lead(&browser, folder.path());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Black has won at b3, and throws it away at a4.
fn mistakes_are_marked(browser: &Browser, folder: &Path) {
    load(browser, folder, "(;GM[11]SZ[4];B[b3];W[c2];B[a4];W[b2])");
    browser.wait(&format!("{STATUS}.startsWith('Hex: Black to move')"));
    let points = "document.querySelector('#graph polyline').getAttribute('points')\
                  .split(' ').filter((it) => it)";
    assert_eq!(browser.value(&format!("{points}.length")), 0);
    browser.click("[data-ask=review]");
    browser.wait(&format!("{points}.length === 5"));
    // Black's alone is sure: what a busy machine does not prove in time may leave White a little to lose.
    let blunders = "[...document.querySelectorAll('#graph .blunder')].map((it) => it.textContent)";
    let last = browser.value(&format!("{blunders}.at(-1)"));
    assert!(last.as_str().is_some_and(|it| it.starts_with("a4 lost ")), "{last}");
    let marked = "[...document.querySelectorAll('#moves .blunder')].at(-1)?.textContent";
    assert_eq!(browser.value(marked), "3 a4");
}

/// Keys come faster than what is shown after each.
fn held_keys_go_where_they_lead(browser: &Browser, folder: &Path) {
    // Black and White in turn, on every second row: nothing is taken.
    let ply = |at: usize| {
        let side = ['B', 'W'][at % 2];
        let [column, row] = [at % 9, at / 9 * 2].map(|place| (b'a' + place as u8) as char);
        format!(";{side}[{column}{row}]")
    };
    load(browser, folder, &format!("(;GM[1]SZ[9]{})", (0..40).map(ply).collect::<String>()));
    browser.wait(&format!("{STONES}.split(' ').length === 40"));
    let held = |ways: &[(&str, usize)]| -> String {
        ways.iter().map(|(key, times)| key.repeat(*times)).collect()
    };
    // Each ends beyond where any of its keys led before: what is lost is missed there, what is too much at the next.
    for (ways, ply) in [
        (&[(LEFT, 10), (RIGHT, 5), (LEFT, 15)][..], 20),
        (&[(LEFT, 5), (RIGHT, 3), (LEFT, 8)], 10),
        (&[(RIGHT, 4), (LEFT, 2), (RIGHT, 20)], 32),
        (&[(LEFT, 30)], 2),
    ] {
        browser.press(&held(ways));
        let shown = "document.querySelectorAll('[data-stone]').length";
        browser.wait(&format!("{shown} === {ply}"));
    }
}

#[test]
fn the_tree_of_a_book_is_unfolded_and_a_line_of_it_opened_on_a_board() {
    let Some((browser, _process, _)) = at_a_board() else { return };
    browser.click("header a[data-page=books]");
    browser.wait("document.querySelectorAll('#book option').length === 4");
    browser.choose("#book", "1");
    let branch = |depth: usize| format!("#book-tree {}summary", "details > ".repeat(depth));
    for depth in 1..=3 {
        browser.wait(&format!("document.querySelector('{}') !== null", branch(depth)));
        browser.click(&branch(depth));
        let on_board = "document.querySelectorAll('#book-board [data-stone]').length";
        browser.wait(&format!("{on_board} === {}", 4 + depth));
    }
    browser.click("#books nav [data-back='2']");
    browser.wait("document.querySelectorAll('#book-board [data-stone]').length === 6");
    browser.click("#book-open");
    browser.wait(&format!("{STATUS}.startsWith('Othello: Black to move')"));
    browser.wait("document.querySelectorAll('#goban [data-stone]').length === 6");
}
