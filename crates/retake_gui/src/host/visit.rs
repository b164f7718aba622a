//! Coming and leaving: a page shows its token once, and asks as what it was let in.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::{RETRY_AFTER, SET_COOKIE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::door::Closed;
use super::hub::Hub;

/// Where one comes and leaves.
pub(super) const PATH: &str = "/visit";
/// Longest token that is looked at.
const MAX_TOKEN: usize = 1024;

/// Address that a request comes from.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Says as what the page was let in.
pub(super) async fn show(
    State(hub): State<Arc<Hub>>,
    Extension(Peer(from)): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    match hub.door.admit(&headers, from) {
        Ok(admitted) => admitted.role.name().into_response(),
        Err(closed) => closed.into_response(),
    }
}

/// Lets a page in that shows a token, which is the body.
pub(super) async fn enter(
    State(hub): State<Arc<Hub>>,
    Extension(Peer(from)): Extension<Peer>,
    token: Bytes,
) -> Response {
    let token = std::str::from_utf8(&token).unwrap_or("").trim();
    if token.len() > MAX_TOKEN {
        return Closed::NoToken.into_response();
    }
    match hub.door.enter(token, from) {
        Ok((role, cookie)) => ([(SET_COOKIE, cookie)], role.name()).into_response(),
        Err(closed) => closed.into_response(),
    }
}

/// Ends a visit.
pub(super) async fn leave(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> Response {
    ([(SET_COOKIE, hub.door.leave(&headers))], StatusCode::NO_CONTENT).into_response()
}

/// Lets nobody through who has no token; says to whatever follows as what the others come.
pub(super) async fn check(
    State(hub): State<Arc<Hub>>,
    Extension(Peer(from)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    match hub.door.admit(request.headers(), from) {
        Ok(admitted) => {
            request.extensions_mut().insert(admitted);
            next.run(request).await
        }
        Err(closed) => closed.into_response(),
    }
}

impl IntoResponse for Closed {
    fn into_response(self) -> Response {
        match self {
            Self::NoToken => {
                let text = "A token is needed. Ask whoever started this host";
                (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")], text).into_response()
            }
            Self::Wait(wait) => {
                let secs = wait.as_secs() + 1;
                let text = format!("Too many wrong tokens. Try again in {secs} s");
                let after = [(RETRY_AFTER, secs.to_string())];
                (StatusCode::TOO_MANY_REQUESTS, after, text).into_response()
            }
        }
    }
}
