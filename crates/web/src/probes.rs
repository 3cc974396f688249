//! Requests of machines: `/metrics`, and whether the process lives (`/health`, `/healthz`) and can take work
//! (`/readyz`).

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::Listener;
use banyan_worker::Token;

use crate::metrics::{self, Format};
use crate::snapshot::Cluster;

/// Answers scrapers and probes until the runtime ends.
///
/// - `token`: what whoever wants metrics must show, as workers do; health is anybody's to ask for.
pub async fn serve<L>(listener: L, cluster: Arc<dyn Cluster>, token: Option<Token>)
where
    L: Listener,
    L::Addr: std::fmt::Debug,
{
    let routes = routes(cluster.clone(), token).merge(health(cluster));
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::error!("metrics are no longer served: {error}");
    }
}

fn routes(cluster: Arc<dyn Cluster>, token: Option<Token>) -> Router {
    let metrics = get(metrics).with_state(cluster);
    let metrics = metrics.layer(middleware::from_fn(move |request: Request, next: Next| {
        let is_allowed = shows(&token, request.headers());
        async move {
            match is_allowed {
                true => next.run(request).await,
                false => StatusCode::UNAUTHORIZED.into_response(),
            }
        }
    }));
    Router::new().route("/metrics", metrics)
}

/// Routes the requests of probes, who have no token.
fn health(cluster: Arc<dyn Cluster>) -> Router {
    let lives = || async { "ok\n" };
    Router::new()
        .route("/health", get(lives))
        .route("/healthz", get(lives))
        .route("/readyz", get(ready))
        .with_state(cluster)
}

fn shows(token: &Option<Token>, headers: &HeaderMap) -> bool {
    let Some(token) = token else { return true };
    headers.get(AUTHORIZATION).is_some_and(|shown| token.is_shown_by(shown.as_bytes()))
}

async fn metrics(State(cluster): State<Arc<dyn Cluster>>, headers: HeaderMap) -> Response {
    let format = Format::asked(&headers);
    let text = metrics::write(&cluster.snapshot(), format);
    ([(CONTENT_TYPE, format.content_type())], text).into_response()
}

async fn ready(State(cluster): State<Arc<dyn Cluster>>) -> Response {
    match cluster.readiness() {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}
