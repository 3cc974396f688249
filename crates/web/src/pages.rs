//! The pages themselves: plain files of this crate's `pages/`, carried in the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "pages/"]
struct Pages;

/// Kinds of files by the endings of their names.
const KINDS: [(&str, &str); 4] = [
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
];

/// The first page.
pub(crate) async fn index() -> Response {
    file("index.html")
}

/// A file beside it.
pub(crate) async fn beside(Path(name): Path<String>) -> Response {
    file(&name)
}

fn file(name: &str) -> Response {
    let kind = KINDS.iter().find(|(ending, _)| name.ends_with(ending));
    match (Pages::get(name), kind) {
        (Some(file), Some((_, kind))) => {
            // A newer program has newer pages.
            ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], file.data).into_response()
        }
        _ => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}
