//! What the host serves: the page's files, the guide, meshes, sounds, and the WebSocket.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};

use super::door::Admitted;
use super::hub::Hub;
use super::{access, guide, mesh, plot_files, session, sound, visit};

/// Longest message from a page: a table of a run is one.
const MAX_PAGE_MESSAGE: usize = retake_msgs::MAX_MESSAGE_BYTES;

/// Longest body of a request: a token is all that is sent so.
const MAX_BODY: usize = 4 * 1024;

const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; \
         worker-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Makes the routes.
pub(super) fn router(hub: &Arc<Hub>) -> Router {
    Router::new()
        .merge(world(hub))
        .route(visit::PATH, get(visit::show).post(visit::enter).delete(visit::leave))
        .route("/guide", get(guide::serve_start))
        .route("/guide/", get(guide::serve_start))
        .route("/guide/{page}", get(guide::serve_page))
        .route("/guide/img/{picture}", get(guide::serve_picture))
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(page_file)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(hub), guard))
        .with_state(Arc::clone(hub))
}

/// Makes the routes that tell something of the world: for those who are let in.
fn world(hub: &Arc<Hub>) -> Router<Arc<Hub>> {
    Router::new()
        .route("/ws", get(open_session))
        .route("/mesh/{entity}", get(mesh::serve))
        .route("/mesh/{entity}/texture/{number}", get(mesh::serve_texture))
        .route("/albedo/{entity}", get(mesh::serve_albedo))
        .route("/sound/{player}/{name}", get(sound::serve))
        .route("/plots/layout.json", get(plot_files::serve_layout))
        .route("/plots/tab/{tab}/{file}", get(plot_files::serve_tab))
        .route("/plots/{plot}/{file}", get(plot_files::serve_plot))
        .route_layer(middleware::from_fn_with_state(Arc::clone(hub), visit::check))
}

/// Refuses foreign requests before anything else looks at them, and labels every answer.
async fn guard(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let checked =
        access::check_request(request.method(), request.uri(), request.headers(), &hub.door);
    let mut response = match checked {
        Ok(()) => run_in_time(&hub, request, next).await,
        Err((StatusCode::METHOD_NOT_ALLOWED, text)) => {
            (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET")], text).into_response()
        }
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Hands a request on; one with a body has as long for it as for its head.
async fn run_in_time(hub: &Hub, request: Request, next: Next) -> Response {
    if request.method() == Method::GET {
        return next.run(request).await;
    }
    let answered = tokio::time::timeout(hub.options.handshake_timeout, next.run(request)).await;
    answered.unwrap_or_else(|_| {
        let text = "The request took too long";
        (StatusCode::REQUEST_TIMEOUT, [(CONNECTION, "close")], text).into_response()
    })
}

async fn open_session(
    State(hub): State<Arc<Hub>>,
    Extension(admitted): Extension<Admitted>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(place) = Arc::clone(&hub.places).try_acquire_owned() else {
        let limit = hub.options.max_clients;
        let text = format!("{limit} pages are connected already. Close one of them");
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_PAGE_MESSAGE).max_frame_size(MAX_PAGE_MESSAGE);
    upgrade.on_upgrade(move |socket| session::run(hub, socket, admitted, place))
}

async fn page_file(uri: Uri) -> Response {
    let Some(file) = retake_page::file(uri.path().trim_start_matches('/')) else {
        return (StatusCode::NOT_FOUND, "There is no such file").into_response();
    };
    let caching = match file.immutable {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers = [(CONTENT_TYPE, file.content_type), (CACHE_CONTROL, caching)];
    let body = match file.bytes {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    (headers, body).into_response()
}
