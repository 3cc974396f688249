//! A real browser, driven by WebDriver: Debian's Chromium and its driver, where they are installed.
//!
//! Of the protocol only what the tests here need: one session, tabs, clicks, keys, dialogs, scripts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, free_address, installed};
use serde_json::{Value, json};

/// A browser with one window. It ends when this is dropped.
pub struct Browser {
    driver: Child,
    address: String,
    session: String,
}

impl Browser {
    /// Starts one; says "skipped" where there is none.
    pub fn start() -> Option<Browser> {
        let (program, _) = (installed("chromedriver")?, installed("chromium")?);
        let address = free_address();
        let port = address.rsplit(':').next().expect("a port");
        let mut driver = Command::new(program);
        driver.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = driver.spawn().expect("it starts");
        let mut browser = Browser { driver, address, session: String::new() };
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect(&browser.address).is_err() {
            assert!(Instant::now() < deadline, "the driver does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1300,1000",
        ];
        let wanted = json!({
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
            // Certificates of one's own are signed by nobody that it knows.
            "acceptInsecureCerts": true,
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": wanted } });
        let begun = browser.call("POST", "/session", &wanted);
        browser.session = begun["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    /// One exchange with the driver; its value.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.try_call(method, path, body);
        assert!(value["error"].is_null(), "{method} {path}: {value}");
        value
    }

    /// One exchange with the driver; its value, or the error that it tells.
    fn try_call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut socket = TcpStream::connect(&self.address).expect("the driver listens");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        socket.write_all(format!("{head}{body}").as_bytes()).expect("it reads");
        let mut answer = BufReader::new(socket);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).expect("it answers");
            let line = line.trim().to_lowercase();
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().expect("a number");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).expect("as long as it said");
        let answer: Value = serde_json::from_slice(&text).expect("JSON");
        answer["value"].clone()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Goes to a page.
    pub fn go(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// Clicks where an element is, as a person would: what lies above it gets the click.
    pub fn click(&self, css: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < deadline, "{css} is drawn anew without end");
            let path = format!("/session/{}/element/{}/click", self.session, self.element(css));
            let clicked = self.try_call("POST", &path, &json!({}));
            // A table may be drawn anew between the two calls.
            if clicked["error"] != "stale element reference" {
                assert!(clicked["error"].is_null(), "{css}: {clicked}");
                return;
            }
        }
    }

    /// Says yes to the question of a dialog that is open, and returns that question.
    pub fn agree(&self) -> String {
        self.answer("accept")
    }

    /// Says no to the question of a dialog that is open, and returns that question.
    pub fn decline(&self) -> String {
        self.answer("dismiss")
    }

    fn answer(&self, how: &str) -> String {
        let path = format!("/session/{}/alert/text", self.session);
        let question = self.call("GET", &path, &Value::Null);
        self.post(&format!("/alert/{how}"), &json!({}));
        question.as_str().expect("a text").to_owned()
    }

    /// The driver's name of an element.
    fn element(&self, css: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": css }));
        let id = found.as_object().and_then(|found| found.values().next()).expect("an element");
        id.as_str().expect("a name").to_owned()
    }

    /// The value of a script's expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression})");
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Types into a field, as a person would; into one for files, a path.
    pub fn type_into(&self, css: &str, text: &str) {
        self.post(&format!("/element/{}/value", self.element(css)), &json!({ "text": text }));
    }

    /// Presses keys one after the other, as fast as they go; those that are no letters as WebDriver numbers them.
    pub fn press(&self, keys: &str) {
        let both = |key: char| ["keyDown", "keyUp"].map(|way| json!({ "type": way, "value": key }));
        let strokes: Vec<Value> = keys.chars().flat_map(both).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// Chooses from a list, as a person would.
    pub fn choose(&self, css: &str, value: &str) {
        let chosen = format!(
            "(() => {{ const it = document.querySelector('{css}'); it.value = '{value}'; \
             it.dispatchEvent(new Event('change')); return it.value; }})()"
        );
        assert_eq!(self.value(&chosen), value, "{css}");
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(&format!("!!({expression})")) != true {
            let page = "document.querySelector('main:not([hidden])')?.innerText";
            assert!(Instant::now() < deadline, "never: {expression}\n{}", self.value(page));
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The tabs that are open.
    pub fn tabs(&self) -> Vec<Value> {
        let path = format!("/session/{}/window/handles", self.session);
        self.call("GET", &path, &Value::Null).as_array().expect("a list").clone()
    }

    /// Opens another tab and goes there.
    pub fn open_tab(&self) -> Value {
        let opened = self.post("/window/new", &json!({ "type": "tab" }));
        self.switch_to(&opened["handle"]);
        opened["handle"].clone()
    }

    /// Goes to a tab.
    pub fn switch_to(&self, tab: &Value) {
        self.post("/window", &json!({ "handle": tab }));
    }

    /// Returns what pages complained of: errors of scripts, and what a policy forbade.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("a list").iter();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its end closes the browser as well; a driver that is killed alone would leave it behind.
        if !self.session.is_empty() && !std::thread::panicking() {
            let path = format!("/session/{}", self.session);
            self.call("DELETE", &path, &Value::Null);
        } else if let Ok(mut socket) = TcpStream::connect(&self.address) {
            let end = format!(
                "DELETE /session/{} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                self.session, self.address
            );
            let _ = socket.write_all(end.as_bytes());
            let _ = socket.read(&mut [0; 64]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
