//! Access control for pages and their buttons.
//!
//! On loopback nobody has to show anything, and anything that a browser sends from another page is
//! refused: by the name under which it found us (a stranger's name that was made to mean 127.0.0.1) and by
//! where it says that it comes from. On other addresses whoever comes shows the token, once: a cookie that
//! no other page can send or read stands for it from then on.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Uri};
use banyan_worker::Token;

/// The cookie that stands for a token that was shown.
const COOKIE_NAME: &str = "banyan";

/// Browsers that have shown the token; the oldest has to show it again.
const BROWSERS_MAX: usize = 256;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The lock of one listener.
#[derive(Debug)]
pub struct Lock {
    is_loopback: bool,
    token: Option<Token>,
    /// Whoever comes has shown a certificate.
    asks_certificate: bool,
    /// This machine's name.
    host: String,
    /// Cookies given out, the latest last; locked for moments.
    cookies: Mutex<VecDeque<String>>,
}

/// Reasons why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// It asks for another machine.
    #[error("this page is not served under that name")]
    Name,
    /// The token is missing.
    #[error("the token is needed")]
    Token,
    /// Another page sent it.
    #[error("another page cannot ask for that")]
    Elsewhere,
    /// A form of another page, perhaps.
    #[error("expected application/json")]
    Form,
}

impl Lock {
    /// The lock for a listener there.
    ///
    /// - `token`: what has to be shown, unless it is on loopback.
    /// - `asks_certificate`: those are let in alone who show a certificate.
    pub fn new(address: SocketAddr, token: Option<Token>, asks_certificate: bool) -> Lock {
        let is_loopback = address.ip().is_loopback();
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let token = token.filter(|_| !is_loopback);
        Lock { is_loopback, token, asks_certificate, host, cookies: Mutex::default() }
    }

    /// Tells whether whoever comes has to show a token.
    pub(crate) fn asks_token(&self) -> bool {
        self.token.is_some()
    }

    /// Checks that a request means this machine, as far as that matters here.
    pub(crate) fn check_name(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let name = host.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
        let name = name.ok_or(Refusal::Name)?.to_ascii_lowercase();
        let address = name.trim_matches(['[', ']']).parse::<IpAddr>().ok();
        let is_local = name == "localhost" || address.is_some_and(|it| it.is_loopback());
        let is_ours = match self.is_loopback {
            true => is_local,
            // Where the token or a certificate guards, a name of another's making leads to a closed door.
            false => {
                let own = name.strip_suffix(".local").unwrap_or(&name);
                let is_guarded = self.asks_token() || self.asks_certificate;
                let is_named = own.eq_ignore_ascii_case(&self.host);
                is_guarded || is_local || address.is_some() || is_named
            }
        };
        if is_ours { Ok(()) } else { Err(Refusal::Name) }
    }

    /// Checks that a request shows what it needs to.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let shown = headers.get(AUTHORIZATION);
        if shown.is_some_and(|shown| token.is_shown_by(shown.as_bytes())) {
            return Ok(());
        }
        let cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = cookie_of(headers).is_some_and(|it| cookies.iter().any(|other| other == it));
        if is_known { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Checks that a request that changes something comes from a page of ours, or from no page at all.
    pub(crate) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(origin) = headers.get(ORIGIN) {
            let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            let is_own = origin.is_some_and(|(_, host)| Some(host) == text(&HOST));
            if !is_own {
                return Err(Refusal::Elsewhere);
            }
        }
        if text(&FETCH_SITE).is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Err(Refusal::Elsewhere);
        }
        let kind = text(&CONTENT_TYPE).unwrap_or_default();
        let is_json = kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
        if is_json { Ok(()) } else { Err(Refusal::Form) }
    }

    /// The cookie for who shows the token; nothing for another.
    pub(crate) fn let_in(&self, shown: &str, is_tls: bool) -> Option<String> {
        let is_right = match &self.token {
            None => true,
            Some(token) => token.is_shown_by(format!("Bearer {}", shown.trim()).as_bytes()),
        };
        if !is_right {
            return None;
        }
        let mut value = String::new();
        for byte in rand::random::<[u8; 24]>() {
            let _ = write!(value, "{byte:02x}");
        }
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        cookies.push_back(value.clone());
        if cookies.len() > BROWSERS_MAX {
            cookies.pop_front();
        }
        let secure = if is_tls { "; Secure" } else { "" };
        Some(format!("{COOKIE_NAME}={value}; Path=/; HttpOnly; SameSite=Strict{secure}"))
    }
}

fn cookie_of(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().expect("a value")))
            .collect()
    }

    fn lock(address: &str, token: bool) -> Lock {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "0123456789abcdef").expect("written");
        let token = token.then(|| Token::find(Some(file.path())).expect("long enough"));
        Lock::new(address.parse().expect("an address"), token.flatten(), false)
    }

    #[test]
    fn on_loopback_a_name_of_elsewhere_is_refused() {
        let lock = lock("127.0.0.1:8080", false);
        for (host, is_ours) in [
            ("127.0.0.1:8080", true),
            ("localhost:9000", true),
            ("[::1]:8080", true),
            ("evil.example:8080", false),
            ("192.168.1.1:8080", false),
            ("", false),
        ] {
            let checked = lock.check_name(&headers(&[("host", host)]));
            assert_eq!(checked.is_ok(), is_ours, "{host}");
        }
        assert_eq!(lock.check_name(&HeaderMap::new()), Err(Refusal::Name));
        assert!(!self::lock("127.0.0.1:1", true).asks_token(), "loopback needs no lock");
    }

    #[test]
    fn an_open_address_without_a_token_is_reached_by_number_or_by_its_own_name_alone() {
        let lock = lock("0.0.0.0:8080", false);
        let own = format!("{}.local:8080", lock.host);
        for own in [own.to_ascii_uppercase(), own.to_ascii_lowercase(), own] {
            assert!(lock.check_name(&headers(&[("host", &own)])).is_ok(), "{own}");
        }
        assert!(lock.check_name(&headers(&[("host", "192.168.1.1:8080")])).is_ok());
        let named = headers(&[("host", "evil.example")]);
        assert!(lock.check_name(&named).is_err());
        let address = "0.0.0.0:8080".parse().expect("an address");
        assert!(Lock::new(address, None, true).check_name(&named).is_ok(), "certificates guard it");
    }

    #[test]
    fn who_shows_the_token_gets_a_cookie_and_others_do_not() {
        let lock = lock("0.0.0.0:8080", true);
        assert_eq!(lock.check_token(&HeaderMap::new()), Err(Refusal::Token));
        assert_eq!(lock.let_in("0123456789abcdeX", false), None);
        let cookie = lock.let_in(" 0123456789abcdef\n", false).expect("the token");
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        let pair = cookie.split(';').next().expect("a pair");
        let sent = format!("other=1; {pair}");
        assert!(lock.check_token(&headers(&[("cookie", &sent)])).is_ok());
        assert!(lock.check_token(&headers(&[("cookie", "banyan=00")])).is_err());
        let shown = headers(&[("authorization", "Bearer 0123456789abcdef")]);
        assert!(lock.check_token(&shown).is_ok());
        assert!(lock.let_in("0123456789abcdef", true).expect("the token").ends_with("; Secure"));
    }

    #[test]
    fn what_another_page_sends_is_refused() {
        let lock = lock("127.0.0.1:8080", false);
        let json = ("content-type", "application/json; charset=utf-8");
        let own = [("host", "localhost:1"), ("origin", "http://localhost:1"), json];
        assert!(lock.check_origin(&headers(&own)).is_ok());
        assert!(
            lock.check_origin(&headers(&[("host", "localhost:1"), json])).is_ok(),
            "no browser"
        );
        for origin in ["http://evil.example", "http://localhost:2", "null"] {
            let sent = headers(&[("host", "localhost:1"), ("origin", origin), json]);
            assert_eq!(lock.check_origin(&sent), Err(Refusal::Elsewhere), "{origin}");
        }
        let across = headers(&[("host", "localhost:1"), ("sec-fetch-site", "cross-site"), json]);
        assert_eq!(lock.check_origin(&across), Err(Refusal::Elsewhere));
        let form = headers(&[("host", "localhost:1"), ("content-type", "text/plain")]);
        assert_eq!(lock.check_origin(&form), Err(Refusal::Form));
    }
}
