//! Pages: what is served to whom, games on boards by requests, and the same by a real browser.

mod boards;

mod browsers;

mod browsers_records;

use banyan_lab::processes::{Process, free_address};
use banyan_tests::web::{get, post, request};
use rustix::process::Signal;
use serde_json::json;

/// A coordinator of one thread with pages; its process, the address for workers, that of the pages.
fn served(more: &[&str]) -> (Process, String, String) {
    let pages = free_address();
    let args = [&["serve", "--threads", "1", "--http", &pages], more].concat();
    let (process, address) = Process::coordinator(&args);
    (process, address, pages)
}

#[test]
fn pages_come_from_this_process_alone_and_say_so() {
    let (_process, _, pages) = served(&[]);
    for (path, kind) in [
        ("/", "text/html"),
        ("/style.css", "text/css"),
        ("/app.js", "text/javascript"),
        ("/text.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let answer = get(&pages, path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(&format!("content-type: {kind}")), "{answer:?}");
        assert!(answer.head.contains("content-security-policy: default-src 'self'"), "{answer:?}");
        let hosts = answer.body.replace("http://www.w3.org/2000/svg", "");
        assert!(!hosts.contains("http://") && !hosts.contains("https://"), "{path} names a host");
    }
    let asked = request(&pages, "HEAD /", &[], "");
    assert_eq!((asked.status, &*asked.body), (200, ""), "{asked:?}");
    for path in ["/nothing.html", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/api/nothing"] {
        assert_eq!(get(&pages, path).status, 404, "{path}");
    }
}

#[test]
fn what_another_page_sends_is_refused_and_so_is_another_name() {
    let (_process, _, pages) = served(&[]);
    let body = json!({ "game": "go" }).to_string();
    let sent = |headers: &[&str]| request(&pages, "POST /api/boards", headers, &body).status;
    let (json, own) = ("Content-Type: application/json", format!("Origin: http://{pages}"));
    assert_eq!(sent(&[json, &own]), 200);
    assert_eq!(sent(&[json, "Origin: http://evil.example"]), 403);
    assert_eq!(sent(&[json, "Origin: null"]), 403);
    assert_eq!(sent(&[json, "Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(sent(&["Content-Type: text/plain", &own]), 415);
    assert_eq!(sent(&[json, "Host: evil.example"]), 421);
    assert_eq!(request(&pages, "GET /api/cluster", &["Host: evil.example"], "").status, 421);
}

#[test]
fn on_an_open_address_the_token_is_asked_for_once() {
    let (folder, pages) = (tempfile::tempdir().expect("a folder"), free_address());
    let port = pages.rsplit(':').next().expect("a port").to_owned();
    let open = format!("0.0.0.0:{port}");
    let refused = Process::start("banyan", &["serve", "--threads", "1", "--http", &open], |_| {});
    refused.wait_for_log("anybody could play and ban there");
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef").expect("written");
    let token = token.to_str().expect("UTF-8");
    let args = ["serve", "--threads", "1", "--token-file", token, "--http", &open];
    let (_process, _) = Process::coordinator(&args);
    assert_eq!(get(&pages, "/").status, 200, "the page itself asks for it");
    assert_eq!(get(&pages, "/api/about").json()["is_let_in"], false);
    for path in ["/api/cluster", "/api/cluster/events", "/api/boards/x/events", "/api/learning"] {
        assert_eq!(get(&pages, path).status, 401, "{path}");
    }
    assert_eq!(post(&pages, "/api/login", &json!({ "token": "0123456789abcdeX" })).status, 401);
    let answer = post(&pages, "/api/login", &json!({ "token": "0123456789abcdef" }));
    let cookie = answer.head.split("set-cookie: ").nth(1).expect("a cookie");
    let cookie = format!("Cookie: {}", cookie.split(';').next().expect("a pair"));
    assert_eq!(request(&pages, "GET /api/cluster", &[&cookie], "").status, 200);
    let shown = "Authorization: Bearer 0123456789abcdef";
    assert_eq!(request(&pages, "GET /api/cluster", &[shown], "").status, 200);
}

#[test]
fn a_node_is_drained_or_banned_by_a_button() {
    let (process, address, pages) = served(&[]);
    let [mut drained, mut banned] = ["elm", "oak"].map(|name| Process::worker(&address, name));
    for worker in [&drained, &banned] {
        worker.wait_for_log("working for");
    }
    let mut events = banyan_tests::web::Events::follow(&pages, "/api/cluster/events");
    let picture = events.wait(|picture| picture["nodes"].as_array().map(Vec::len) == Some(3));
    let id = |name: &str| {
        let nodes = picture["nodes"].as_array().expect("a list");
        let node = nodes.iter().find(|node| node["name"] == name).expect("it is there");
        node["id"].as_str().expect("a number").to_owned()
    };
    let order = |name: &str, action: &str| {
        post(&pages, &format!("/api/workers/{}/{action}", id(name)), &json!({}))
    };
    assert_eq!(order("local", "ban").status, 409, "that would be this process itself");
    assert_eq!(order("elm", "promote").status, 409);
    assert_eq!(post(&pages, "/api/workers/99/ban", &json!({})).status, 409);
    assert_eq!(order("elm", "drain").status, 200);
    assert!(drained.wait().success(), "a drained worker leaves: {:?}", drained.log());
    assert_eq!(order("oak", "ban").status, 200);
    banned.wait();
    banned.wait_for_log("banned by the operator");
    let again = Process::worker(&address, "oak");
    again.wait_for_log("it was banned by the operator");
    process.wait_for_log("worker put out: banned by the operator");
    let text = |picture: &serde_json::Value| picture["events"].to_string();
    let told = events.wait(|picture| text(picture).contains("oak was put out for good"));
    assert!(text(&told).contains("elm left, its work done"), "{told}");
}

#[test]
fn a_folder_that_is_none_is_not_shown_as_one_of_learning() {
    let pages = free_address();
    let args = ["serve", "--http", &pages, "--learning", "/nowhere"];
    let output =
        std::process::Command::new(banyan_lab::processes::binary("banyan")).args(args).output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("--learning /nowhere: expected a folder of `banyan train`"), "{said}");
}

#[test]
fn a_program_s_game_is_watched_and_takes_no_moves() {
    let pages = free_address();
    let args = ["gtp", "--size", "5", "--threads", "1", "--playouts", "200", "--http", &pages];
    let mut engine = Process::start("banyan", &args, |command| {
        command.stdin(std::process::Stdio::piped());
    });
    engine.wait_for_log("pages are at http://");
    let mut events = banyan_tests::web::Events::follow(&pages, "/api/boards/watched/events");
    let mut input = engine.child().stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"play b c3\ngenmove w\n").expect("it reads");
    let scene = events.wait(|scene| scene["plies"]["at"] == 2);
    assert_eq!(scene["is_mine"], false);
    assert!(scene["plies"]["line"][0]["value"].is_number(), "the position was searched: {scene}");
    assert_eq!(
        scene["plies"]["line"][1]["value"], scene["plies"]["line"][0]["value"],
        "its best move"
    );
    assert_eq!(get(&pages, "/api/about").json()["plays"], false);
    let play = json!({ "do": "play", "point": 0 });
    assert_eq!(post(&pages, "/api/boards/watched", &play).status, 403);
    assert_eq!(post(&pages, "/api/boards", &json!({ "game": "go" })).status, 403);
    engine.signal(Signal::TERM);
    drop(input);
}

#[test]
fn games_of_other_protocols_are_watched_as_they_are_played() {
    for (protocol, said, plies) in [
        ("gomocup", "START 15\nINFO max_memory 8000000\nPLAY 7,7\n", 1),
        ("nboard", "nboard 2\nmove F5\nmove D6\n", 2),
    ] {
        let pages = free_address();
        let args = [protocol, "--threads", "1", "--http", &pages];
        let mut engine = Process::start("banyan", &args, |command| {
            command.stdin(std::process::Stdio::piped());
        });
        engine.wait_for_log("pages are at http://");
        let mut events = banyan_tests::web::Events::follow(&pages, "/api/boards/watched/events");
        let mut input = engine.child().stdin.take().expect("piped");
        std::io::Write::write_all(&mut input, said.as_bytes()).expect("it reads");
        events.wait(|scene| scene["plies"]["at"] == plies);
    }
}

#[test]
fn top_shows_the_cluster_as_its_page_does() {
    let (_process, address, pages) = served(&[]);
    let worker = Process::worker(&address, "elm");
    worker.wait_for_log("working for");
    let mut events = banyan_tests::web::Events::follow(&pages, "/api/cluster/events");
    events.wait(|picture| picture["nodes"].as_array().map(Vec::len) == Some(2));
    let top = Process::start("banyan", &["top", "--once", "--at", &pages], |_| {});
    let (text, status) = top.output();
    assert!(status.success(), "{text}");
    for words in ["nothing is searched now", "local", "elm", "elm joined with one thread"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let mut nowhere = Process::start("banyan", &["top", "--at", "127.0.0.1:1"], |_| {});
    assert_eq!(nowhere.wait().code(), Some(2));
    nowhere.wait_for_log("error: cannot reach the pages at 127.0.0.1:1");
}

#[test]
fn the_doctor_finds_a_coordinator_and_says_what_is_wrong_with_the_way_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [right, wrong] = ["right", "wrong"].map(|name| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("0123456789abcdef{name}")).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    });
    let (_process, address) =
        Process::coordinator(&["serve", "--threads", "1", "--token-file", &right]);
    let visit = |more: &[&str]| {
        let args = [&["doctor", "--quick", "--join"], more].concat();
        Process::start("banyan", &args, |_| {}).output()
    };
    let (text, status) = visit(&[&address, "--token-file", &right]);
    assert!(status.success() && text.contains("would let a worker in from here"), "{text}");
    let (text, status) = visit(&[&address, "--token-file", &wrong]);
    assert!(!status.success() && text.contains("it does not let workers in from here"), "{text}");
    let (text, status) = visit(&["127.0.0.1:1"]);
    assert!(!status.success() && text.contains("is a coordinator there (--listen)"), "{text}");
}
