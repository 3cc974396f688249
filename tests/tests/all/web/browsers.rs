//! Pages in a real browser: by clicks, as a person would.

use std::time::Duration;

use banyan_lab::processes::{Process, free_address};
use banyan_tests::browser::Browser;
use rustix::process::Signal;
use serde_json::json;

use super::served;

/// What stands above the board's tools.
pub(super) const STATUS: &str = "document.getElementById('status').textContent";

/// Ten thousand values through the page's own stream, as fast as they can be made: whether no more than one in
/// ten was shown, and which was the last.
const FLOOD: &str = "(async () => {
    const { follow } = await import('/wire.js');
    const own = window.EventSource;
    let source;
    window.EventSource = class { constructor() { source = this; } close() {} };
    const seen = [];
    const stop = follow('/flood', (value) => seen.push(value));
    window.EventSource = own;
    for (let count = 0; count < 10000; count++) {
      source.onmessage({ data: String(count) });
      if (count % 100 === 0) await new Promise((go) => setTimeout(go));
    }
    while (seen.at(-1) !== 9999) await new Promise((go) => setTimeout(go, 10));
    stop();
    return [seen.length < 1000, seen.at(-1)];
})()";

/// What happened in the cluster, as its page tells.
const EVENTS: &str = "document.getElementById('events').textContent";

/// A browser that shows the board of a coordinator of its own; also the coordinator's process and its address for
/// workers.
pub(super) fn at_a_board() -> Option<(Browser, Process, String)> {
    let browser = Browser::start()?;
    let (process, address, pages) = served(&[]);
    browser.go(&format!("http://{pages}/"));
    browser.wait(&format!("{STATUS}.startsWith('Go: Black to move')"));
    Some((browser, process, address))
}

/// Two workers, elm and oak, once the page knows of them.
fn two_workers(browser: &Browser, address: &str) -> [Process; 2] {
    let workers = ["elm", "oak"].map(|name| Process::worker(address, name));
    let crew = "document.getElementById('crew').textContent";
    browser.wait(&format!("{crew}.includes('elm') && {crew}.includes('oak')"));
    workers
}

#[test]
fn a_whole_game_is_played_by_clicks_while_one_of_two_workers_dies() {
    let Some((browser, _process, address)) = at_a_board() else { return };
    browser.choose("#game", "hex");
    browser.value("document.getElementById('size').value = 6");
    browser.click("#new");
    browser.wait(&format!("{STATUS}.startsWith('Hex: Black to move')"));
    browser.choose("#level", "p500");
    browser.choose("#sides", "white");
    let [elm, _oak] = two_workers(&browser, &address);
    let free = "[...document.querySelectorAll('.hit')].map((it) => it.dataset.point)\
                .filter((it) => !document.querySelector(`[data-at=\"${it}\"]`))";
    let stones = "document.querySelectorAll('[data-stone]').length";
    let is_over = format!("{STATUS}.includes('wins')");
    for turn in 0..18 {
        if browser.value(&is_over) == true {
            assert!(turn > 2, "nothing was played after a worker's death");
            break;
        }
        // It dies in mid-search.
        let is_fatal = turn == 1;
        browser.choose("#level", if is_fatal { "t1000" } else { "p500" });
        let point = browser.value(&format!("{free}[0]"));
        let point = point.as_str().expect("there is room");
        browser.click(&format!("[data-point=\"{point}\"]"));
        if is_fatal {
            browser.wait(&format!("{STATUS}.includes('White to move, thinking')"));
            // Of a second: by then it holds something that can be lost.
            std::thread::sleep(Duration::from_millis(300));
            elm.signal(Signal::KILL);
        }
        let settled = 2 * (turn + 1);
        browser.wait(&format!("{stones} >= {settled} || {is_over}"));
    }
    browser.wait(&is_over);
    assert!(browser.value("document.querySelectorAll('#graph polyline').length") == 1);
    browser.click("nav a[data-page=cluster]");
    for told in ["elm joined", "oak joined", "elm is gone", "leases lost"] {
        browser.wait(&format!("{EVENTS}.includes('{told}')"));
    }
    browser.wait("document.querySelector('[data-node=elm]').textContent.includes('gone')");
    let oak = browser.value("document.querySelector('[data-node=oak]').className");
    assert_eq!(oak, "", "it is still there");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_node_is_drained_or_banned_by_a_click_and_a_yes() {
    let Some((browser, _process, address)) = at_a_board() else { return };
    let [mut elm, mut oak] = two_workers(&browser, &address);
    browser.click("nav a[data-page=cluster]");
    let [drain, ban] =
        ["[data-node=elm] button:first-of-type", "[data-node=oak] button:last-of-type"];
    browser.wait(&format!("document.querySelector('{drain}') && document.querySelector('{ban}')"));
    browser.click(ban);
    let question = browser.decline();
    assert_eq!(question, "oak is put out at once and not let in again. Ban it?");
    browser.click(drain);
    let question = browser.agree();
    assert_eq!(question, "elm gets no more work, finishes what it holds and leaves. Drain it?");
    assert!(elm.wait().success(), "a drained worker leaves: {:?}", elm.log());
    browser.wait(&format!("{EVENTS}.includes('elm left, its work done')"));
    assert_eq!(browser.value(&format!("{EVENTS}.includes('oak was put out')")), false);
    // The table stands still under a pointer that is on a button.
    browser.click("#limit");
    browser.wait("document.querySelector('[data-node=elm].gone')");
    browser.click(ban);
    browser.agree();
    oak.wait();
    oak.wait_for_log("banned by the operator");
    browser.wait(&format!("{EVENTS}.includes('oak was put out for good: banned by the operator')"));
    browser.click("#limit");
    browser.wait("document.querySelector('[data-node=oak].gone')?.textContent.includes('put out')");
    assert_eq!(browser.value("document.querySelectorAll('#nodes button').length"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_reload_in_mid_search_loses_nothing_and_two_tabs_show_one_board() {
    let Some(browser) = Browser::start() else { return };
    let (_process, _, pages) = served(&[]);
    browser.go(&format!("http://{pages}/"));
    browser.wait(&format!("{STATUS}.startsWith('Go: Black to move')"));
    browser.click("[data-point=\"40\"]");
    browser.wait("document.querySelector('[data-at=\"40\"]')");
    browser.click("#analyze");
    let candidates = "document.querySelectorAll('#candidates tbody tr').length > 4";
    browser.wait(candidates);
    browser.reload();
    browser.wait(&format!("{STATUS}.includes('White to move, analyzing') && {candidates}"));
    let tabs = browser.tabs();
    let second = browser.open_tab();
    browser.go(&format!("http://{pages}/"));
    browser.wait("document.querySelector('[data-at=\"40\"]')");
    browser.click("[data-point=\"41\"]");
    browser.switch_to(&tabs[0]);
    browser.wait("document.querySelector('[data-at=\"41\"]')");
    browser.click("[data-ask=undo]");
    browser.switch_to(&second);
    browser.wait("!document.querySelector('[data-at=\"41\"]')");
    // Both by keys: forth and back along the best line.
    browser.wait("document.querySelectorAll('#pv span').length > 1");
    browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: 'v' }))");
    browser.wait("document.querySelectorAll('[data-stone]').length === 2");
    browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))");
    browser.wait("document.querySelectorAll('[data-stone]').length === 1");
    assert_eq!(browser.value(FLOOD), json!([true, 9_999]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    is_let_in_by_the_token_over_tls(&browser);
}

/// On an open address, as from another machine: over HTTP/2, since browsers speak that where there is TLS.
fn is_let_in_by_the_token_over_tls(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let [certs, token] = ["certs", "token"].map(|name| folder.path().join(name));
    let certs = certs.to_str().expect("UTF-8");
    let made = Process::start("banyan", &["certs", "--host", "localhost", certs], |_| {}).wait();
    assert!(made.success());
    std::fs::write(&token, "0123456789abcdef").expect("written");
    let files = ["coordinator.pem", "coordinator-key.pem"].map(|name| format!("{certs}/{name}"));
    let pages = free_address();
    let port = pages.rsplit(':').next().expect("a port");
    let open = format!("0.0.0.0:{port}");
    let token = token.to_str().expect("UTF-8");
    let args = ["serve", "--threads", "1", "--token-file", token, "--http", &open];
    let tls = ["--tls-cert", &files[0], "--tls-key", &files[1]];
    let (_process, _) = Process::coordinator(&[&args[..], &tls].concat());
    browser.go(&format!("https://localhost:{port}/"));
    browser.wait("!document.getElementById('login').hidden");
    browser.type_into("#token", "0123456789abcdef");
    browser.click("#login button");
    browser.wait(&format!("{STATUS}.startsWith('Go: Black to move')"));
    browser.click("[data-point=\"40\"]");
    browser.wait("document.querySelector('[data-at=\"40\"]')");
    assert_eq!(
        browser.value("performance.getEntriesByType('navigation')[0].nextHopProtocol"),
        "h2"
    );
}
