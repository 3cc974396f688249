//! The pages' server: who is let in, what is answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::connect_info::{ConnectInfo, Connected};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HOST, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::{IncomingStream, Listener};
use axum::{Json, Router};
use banyan_games::Kind;
use banyan_jobs::WorkerId;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt as _};

use crate::board::{BoardError, Boards};
use crate::books::ShownBook;
use crate::history::{self, Cores, History};
use crate::learning::{self, Learning};
use crate::lock::{Lock, Refusal};
use crate::machine::{self, Machine};
use crate::pages;
use crate::snapshot::Cluster;

/// Headers of every answer: nothing comes from elsewhere, and nobody frames this.
const HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
];

/// The longest request of a board: a file of a game with long comments, as JSON.
const ASK_BYTES_MAX: usize = 16 << 20;

/// All that pages are served from.
#[derive(Clone)]
pub struct Site {
    /// The coordinator.
    pub cluster: Arc<dyn Cluster>,
    /// Its boards.
    pub boards: Arc<Boards>,
    /// The lock that says who is let in.
    pub lock: Arc<Lock>,
    /// TLS is spoken here.
    pub is_tls: bool,
    /// A loop of learning.
    pub learning: Option<Learning>,
    /// Opening books that can be looked into.
    pub books: Arc<[ShownBook]>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("lock", &self.lock).finish_non_exhaustive()
    }
}

/// [`Site`] with what is measured while it is served.
#[derive(Clone)]
struct Served {
    site: Site,
    /// The cluster as JSON.
    pictures: watch::Receiver<Arc<str>>,
}

/// Answers browsers until the runtime ends.
///
/// - `welcome`: told of each connection that has shown what it needs.
pub async fn serve<L, C>(listener: L, site: Site, welcome: fn(&C))
where
    L: Listener,
    L::Addr: std::fmt::Debug,
    C: for<'a> Connected<IncomingStream<'a, L>> + Clone + Send + Sync + 'static,
{
    let (shows, pictures) = watch::channel("null".into());
    tokio::spawn(watch_over(site.cluster.clone(), shows));
    let lock = site.lock.clone();
    let guard = move |request: Request, next: Next| {
        let lock = lock.clone();
        let request = with_host(request);
        async move {
            if let Err(why) = check(&lock, &request) {
                return refused(why);
            }
            if let Some(ConnectInfo(guest)) = request.extensions().get::<ConnectInfo<C>>() {
                welcome(guest);
            }
            next.run(request).await
        }
    };
    let routes = routes(Served { site, pictures })
        .layer(middleware::from_fn(guard))
        .layer(middleware::map_response(with_headers));
    if let Err(error) =
        axum::serve(listener, routes.into_make_service_with_connect_info::<C>()).await
    {
        tracing::error!("pages are no longer served: {error}");
    }
}

fn routes(served: Served) -> Router {
    Router::new()
        .route("/", get(pages::index))
        .route("/{name}", get(pages::beside))
        .route("/api/about", get(about))
        .route("/api/login", post(login))
        .route("/api/boards", post(open))
        .route("/api/boards/{name}", post(ask).layer(DefaultBodyLimit::max(ASK_BYTES_MAX)))
        .route("/api/boards/{name}/events", get(follow))
        .route("/api/boards/{name}/game.sgf", get(sgf))
        .route("/api/boards/{name}/game.ggf", get(ggf))
        .route("/api/cluster", get(cluster))
        .route("/api/cluster/events", get(follow_cluster))
        .route("/api/workers/{id}/{action}", post(act))
        .route("/api/learning", get(learned))
        .route("/api/learning/game", get(learned_game))
        .route("/api/books", get(books))
        .route("/api/books/{number}", get(book))
        .with_state(served)
}

/// HTTP/2 says beside the path which machine is meant; from here on that stands where HTTP/1 has it.
fn with_host(mut request: Request) -> Request {
    let authority = request.uri().authority().map(|authority| authority.as_str().to_owned());
    if let Some(host) = authority.and_then(|host| HeaderValue::try_from(host).ok()) {
        request.headers_mut().insert(HOST, host);
    }
    request
}

/// Pages themselves hold no secret: they ask for the token.
fn check(lock: &Lock, request: &Request) -> Result<(), Refusal> {
    let (headers, path) = (request.headers(), request.uri().path());
    lock.check_name(headers)?;
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        lock.check_origin(headers)?;
    }
    let is_open = !path.starts_with("/api/") || ["/api/login", "/api/about"].contains(&path);
    if is_open { Ok(()) } else { lock.check_token(headers) }
}

fn refused(why: Refusal) -> Response {
    let status = match why {
        Refusal::Token => StatusCode::UNAUTHORIZED,
        Refusal::Name => StatusCode::MISDIRECTED_REQUEST,
        Refusal::Elsewhere => StatusCode::FORBIDDEN,
        Refusal::Form => StatusCode::UNSUPPORTED_MEDIA_TYPE,
    };
    fault(status, &why.to_string())
}

fn fault(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}

async fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        response.headers_mut().insert(name, value);
    }
    response
}

/// Tells whether games are played here, and whether the token is needed.
async fn about(State(served): State<Served>, request: Request) -> Response {
    let Site { boards, lock, learning, books, .. } = &served.site;
    Json(json!({
        "version": banyan_worker::BUILD,
        "is_let_in": lock.check_token(request.headers()).is_ok(),
        "plays": boards.are_played_on(),
        "learns": learning.is_some(),
        "has_books": !books.is_empty(),
        "games": Kind::ALL.map(|kind| json!({
            "name": kind.name(), "title": kind.title(), "side": kind.side(),
        })),
    }))
    .into_response()
}

#[derive(Deserialize)]
struct Login {
    token: String,
}

async fn login(State(served): State<Served>, body: Bytes) -> Response {
    let shown = serde_json::from_slice::<Login>(&body).map(|login| login.token).unwrap_or_default();
    match served.site.lock.let_in(&shown, served.site.is_tls) {
        Some(cookie) => ([(SET_COOKIE, cookie)], Json(json!({}))).into_response(),
        None => fault(StatusCode::UNAUTHORIZED, "this is not the token of this coordinator"),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    game: String,
}

async fn open(State(served): State<Served>, body: Bytes) -> Response {
    let asked = serde_json::from_slice::<Open>(&body).ok().and_then(|open| open.game.parse().ok());
    let Some(kind) = asked else {
        let expected =
            "expected {\"game\": one of the games} and no more: size and rules are the board's";
        return fault(StatusCode::BAD_REQUEST, expected);
    };
    let name = format!("{:016x}", rand::random::<u64>());
    match served.site.boards.open(name.clone(), kind) {
        Ok(()) => Json(json!({ "board": name })).into_response(),
        Err(why) => fault(status(why), &why.to_string()),
    }
}

const fn status(why: BoardError) -> StatusCode {
    match why {
        BoardError::Gone => StatusCode::NOT_FOUND,
        BoardError::Watched | BoardError::Closed => StatusCode::FORBIDDEN,
        BoardError::Busy | BoardError::Full => StatusCode::TOO_MANY_REQUESTS,
        BoardError::Thread => StatusCode::SERVICE_UNAVAILABLE,
    }
}

async fn ask(
    State(served): State<Served>,
    Path(name): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(why) if why.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let words = format!("too long: expected at most {} MiB", ASK_BYTES_MAX >> 20);
            return fault(why.status(), &words);
        }
        Err(why) => return fault(why.status(), &why.body_text()),
    };
    let asked = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(error) => return fault(StatusCode::BAD_REQUEST, &format!("no request: {error}")),
    };
    match served.site.boards.ask(&name, asked) {
        Ok(()) => Json(json!({})).into_response(),
        Err(why) => fault(status(why), &why.to_string()),
    }
}

async fn follow(State(served): State<Served>, Path(name): Path<String>) -> Response {
    match served.site.boards.screen(&name) {
        Some(screen) => events(screen.follow()).into_response(),
        None => fault(StatusCode::NOT_FOUND, &BoardError::Gone.to_string()),
    }
}

async fn follow_cluster(State(served): State<Served>) -> Response {
    events(served.pictures).into_response()
}

/// The latest of what is told, and whatever comes after it; one that is slow misses some.
fn events(told: watch::Receiver<Arc<str>>) -> impl IntoResponse {
    let event = |text: Arc<str>| Ok::<_, std::convert::Infallible>(Event::default().data(&*text));
    let events: std::pin::Pin<Box<dyn Stream<Item = _> + Send>> =
        Box::pin(WatchStream::new(told).map(event));
    Sse::new(events).keep_alive(KeepAlive::default())
}

async fn sgf(State(served): State<Served>, Path(name): Path<String>) -> Response {
    let files = served.site.boards.screen(&name).map(|screen| screen.files());
    match files {
        Some(files) => file("application/x-go-sgf; charset=utf-8", "banyan.sgf", &files.sgf),
        None => fault(StatusCode::NOT_FOUND, &BoardError::Gone.to_string()),
    }
}

async fn ggf(State(served): State<Served>, Path(name): Path<String>) -> Response {
    let files = served.site.boards.screen(&name).map(|screen| screen.files());
    match files.map(|files| files.ggf) {
        Some(Some(ggf)) => file("text/plain; charset=utf-8", "banyan.ggf", &ggf),
        Some(None) => fault(StatusCode::NOT_FOUND, "GGF is for games of Othello"),
        None => fault(StatusCode::NOT_FOUND, &BoardError::Gone.to_string()),
    }
}

/// A file for whoever saves it.
fn file(kind: &'static str, name: &str, text: &str) -> Response {
    let place = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, place)], text.to_owned())
        .into_response()
}

async fn cluster(State(served): State<Served>) -> Response {
    let text = served.pictures.borrow().to_string();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn act(State(served): State<Served>, Path((id, action)): Path<(u64, String)>) -> Response {
    let cluster = &served.site.cluster;
    let done = match action.as_str() {
        "drain" => cluster.drain(WorkerId(id)),
        "ban" => cluster.ban(WorkerId(id)),
        _ => Err(format!("'{action}' is neither drain nor ban")),
    };
    match done {
        Ok(()) => Json(json!({})).into_response(),
        Err(why) => fault(StatusCode::CONFLICT, &why),
    }
}

async fn learned(State(served): State<Served>) -> Response {
    match served.site.learning {
        Some(Learning { folder, .. }) => read(move || learning::read(&folder)).await,
        None => no_learning(),
    }
}

#[derive(Deserialize)]
struct Seen {
    seen: Option<String>,
}

async fn learned_game(State(served): State<Served>, Query(Seen { seen }): Query<Seen>) -> Response {
    match served.site.learning {
        Some(learning) => read(move || learning.game(seen.as_deref())).await,
        None => no_learning(),
    }
}

fn no_learning() -> Response {
    fault(StatusCode::NOT_FOUND, "no folder of learning is shown here (--learning)")
}

async fn books(State(served): State<Served>) -> Response {
    let books = served.site.books.clone();
    read(move || Ok(books.iter().map(ShownBook::listed).collect::<Vec<_>>())).await
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    moves: String,
}

async fn book(
    State(served): State<Served>,
    Path(number): Path<usize>,
    Query(line): Query<Line>,
) -> Response {
    let Some(book) = served.site.books.get(number).cloned() else {
        return fault(StatusCode::NOT_FOUND, &format!("there is no book {number}"));
    };
    read(move || book.leaf(&line.moves)).await
}

/// What is read from a disk, beside those who are answered meanwhile: whoever writes a book locks it for moments.
async fn read<T: Serialize + Send + 'static>(
    reads: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(reads).await {
        Ok(Ok(found)) => Json(found).into_response(),
        Ok(Err(why)) => fault(StatusCode::BAD_REQUEST, &why),
        Err(_) => fault(StatusCode::INTERNAL_SERVER_ERROR, "the answer was given up"),
    }
}

/// Keeps the last minute of a cluster, and tells how it looks.
async fn watch_over(cluster: Arc<dyn Cluster>, shows: watch::Sender<Arc<str>>) {
    let (mut history, began) = (History::default(), Instant::now());
    let mut ticks = tokio::time::interval(history::INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut before = (Machine::now(), machine::process_time(), Instant::now());
    let count = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut cores = Cores::default();
    loop {
        ticks.tick().await;
        let snapshot = cluster.snapshot();
        history.take(began.elapsed(), &snapshot);
        if before.2.elapsed() > Duration::from_secs(3) {
            let now = (Machine::now(), machine::process_time(), Instant::now());
            let own = now.1.saturating_sub(before.1).as_secs_f64();
            let own = own / before.2.elapsed().as_secs_f64() / count as f64;
            let all = now.0.zip(before.0).map_or(own, |(now, then)| now.busy_since(&then));
            (cores, before) = (Cores { all: all.max(own), own }, now);
        }
        let picture = history.picture(&snapshot, cores);
        let text = serde_json::to_string(&picture).expect("plain values");
        if shows.send(text.into()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Events while nobody reads, and how long each is: more than any socket holds.
    const SENT: usize = 20_000;
    const LENGTH: usize = 8_192;

    #[test]
    fn the_machine_that_is_meant_is_found_where_either_protocol_says_it() {
        let asked = |uri: &str, host: Option<&str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(host) = host {
                request = request.header(HOST, host);
            }
            let request = with_host(request.body(Default::default()).expect("a request"));
            request.headers().get(HOST).map(|host| host.to_str().expect("a text").to_owned())
        };
        assert_eq!(asked("/", Some("localhost:1")).as_deref(), Some("localhost:1"));
        assert_eq!(asked("https://localhost:1/", None).as_deref(), Some("localhost:1"));
        let both = asked("https://evil.example/", Some("localhost:1"));
        assert_eq!(both.as_deref(), Some("evil.example"), "the address goes before the header");
        assert_eq!(asked("/", None), None);
    }

    #[test]
    fn who_asks_only_whether_a_page_is_there_is_let_in_and_who_changes_something_shows_json() {
        let lock = Lock::new("127.0.0.1:8080".parse().expect("an address"), None, false);
        let asked = |method: Method| {
            let request = Request::builder().method(method).uri("/").header(HOST, "localhost:8080");
            check(&lock, &request.body(Default::default()).expect("a request"))
        };
        for method in [Method::GET, Method::HEAD] {
            assert_eq!(asked(method.clone()), Ok(()), "{method}");
        }
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            assert_eq!(asked(method.clone()), Err(Refusal::Form), "{method}");
        }
    }

    /// A page that does not read for a while is sent what its socket held, and then the newest: nothing queues
    /// for it here, however many events there are.
    #[tokio::test]
    async fn a_slow_reader_goes_on_with_the_newest_event() {
        let (shows, told) = watch::channel(Arc::<str>::from("first"));
        let follow = move || std::future::ready(events(told.clone()));
        let routes = Router::new().route("/events", get(follow));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let mut page = TcpStream::connect(address).await.expect("it listens");
        let head = b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n";
        page.write_all(head).await.expect("it reads");
        let mut read = Vec::new();
        while !String::from_utf8_lossy(&read).contains("data: first") {
            assert!(page.read_buf(&mut read).await.expect("it answers") > 0);
        }
        for number in 0..SENT {
            let text = format!("{number} {}", "x".repeat(LENGTH));
            shows.send(text.into()).expect("somebody follows");
            tokio::task::yield_now().await;
        }
        read.clear();
        let last = format!("data: {} ", SENT - 1);
        let (mut count, mut tail) = (0, String::new());
        while !tail.contains(&last) {
            let length = page.read_buf(&mut read).await.expect("it goes on");
            assert!(length > 0, "the stream has ended");
            count += length;
            tail = tail.split_off(tail.len().saturating_sub(last.len()));
            tail += &String::from_utf8_lossy(&std::mem::take(&mut read));
        }
        assert!(count < SENT * LENGTH / 2, "{count} bytes were kept for a page that did not read");
    }
}
