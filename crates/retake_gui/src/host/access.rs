//! Which requests are heard: those that name this host, of programs and of pages that it served.
//!
//! The Host header keeps out names that a foreign site points at 127.0.0.1 (DNS rebinding); the
//! Origin header keeps out the WebSockets and requests of foreign pages.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use retake_transport::callers::Caller;

use super::door::Door;
use super::visit;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// A refusal: status and a line for people.
pub(super) type Refusal = (StatusCode, String);

/// Checks what every request must satisfy.
pub(super) fn check_request(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    door: &Door,
) -> Result<(), Refusal> {
    if uri.authority().is_some() {
        return Err(refusal(StatusCode::BAD_REQUEST, "This is not a proxy"));
    }
    let caller = Caller::new(values(headers, &HOST), values(headers, &ORIGIN))
        .map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    if !door.is_ours(caller.host) {
        return Err(refusal(StatusCode::FORBIDDEN, "Open the page by its own address"));
    }
    if caller.origin.is_some_and(|origin| !is_own_page(origin, door)) {
        return Err(refusal(StatusCode::FORBIDDEN, "Pages of other sites are refused"));
    }
    if is_part_of_foreign_page(headers) {
        return Err(refusal(StatusCode::FORBIDDEN, "Pages of other sites are refused"));
    }
    match *method {
        Method::GET => Ok(()),
        // Coming and leaving is all that is not said over the WebSocket.
        Method::POST | Method::DELETE if uri.path() == visit::PATH => Ok(()),
        _ => Err(refusal(StatusCode::METHOD_NOT_ALLOWED, "Only GET is understood")),
    }
}

/// Says whether a browser asks for a picture, a script and the like for the page of another site.
///
/// Such requests have no Origin. A link that a person follows is none of them.
fn is_part_of_foreign_page(headers: &HeaderMap) -> bool {
    let is = |name: &HeaderName, value: &str| values(headers, name).any(|v| v == Some(value));
    let foreign = is(&SEC_FETCH_SITE, "cross-site") || is(&SEC_FETCH_SITE, "same-site");
    foreign && !is(&SEC_FETCH_MODE, "navigate")
}

fn refusal(status: StatusCode, text: &str) -> Refusal {
    (status, text.to_owned())
}

fn is_own_page(origin: &str, door: &Door) -> bool {
    origin.strip_prefix(door.scheme()).is_some_and(|host| door.is_ours(host))
}

fn values<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = Option<&'a str>> + use<'a> {
    headers.get_all(name).into_iter().map(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::door::Opening;

    fn check(method: Method, uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        match check_request(
            &method,
            &uri.parse().unwrap(),
            &map,
            &Door::new(Opening::Machine, 8642),
        ) {
            Ok(()) => 200,
            Err((status, _)) => status.as_u16(),
        }
    }

    #[test]
    fn only_our_own_address_and_pages_are_let_in() {
        let host = ("host", "127.0.0.1:8642");
        for (headers, status) in [
            (vec![host], 200),
            (vec![("host", "localhost:8642")], 200),
            (vec![("host", "[::1]:8642")], 200),
            (vec![], 400),
            (vec![host, host], 400),
            (vec![("host", "127.0.0.1")], 403),
            (vec![("host", "127.0.0.1:8643")], 403),
            (vec![("host", "127.0.0.1:86420")], 403),
            (vec![("host", "127.0.0.1.evil.example:8642")], 403),
            (vec![("host", "evil.example:8642")], 403),
            (vec![("host", "localhost.:8642")], 403),
            (vec![("host", "LOCALHOST:8642 ")], 403),
            (vec![("host", "192.168.1.5:8642")], 403),
            (vec![("host", "")], 403),
            (vec![host, ("origin", "http://127.0.0.1:8642")], 200),
            (vec![host, ("origin", "http://localhost:8642")], 200),
            (vec![host, ("origin", "http://[::1]:8642")], 200),
            (vec![host, ("origin", "null")], 403),
            (vec![host, ("origin", "")], 403),
            (vec![host, ("origin", "https://127.0.0.1:8642")], 403),
            (vec![host, ("origin", "http://127.0.0.1:9999")], 403),
            (vec![host, ("origin", "http://127.0.0.1")], 403),
            (vec![host, ("origin", "http://127.0.0.1:8642.evil.example")], 403),
            (vec![host, ("origin", "http://localhost.evil.example:8642")], 403),
            (vec![host, ("origin", "http://192.168.1.5:8642")], 403),
            (vec![host, ("origin", "file://")], 403),
            (
                vec![host, ("origin", "http://127.0.0.1:8642"), ("origin", "http://evil.example")],
                400,
            ),
        ] {
            assert_eq!(check(Method::GET, "/ws", &headers), status, "{headers:?}");
        }
    }

    #[test]
    fn parts_of_foreign_pages_are_refused_and_links_are_followed() {
        let host = ("host", "127.0.0.1:8642");
        for (site, mode, status) in [
            ("same-origin", "no-cors", 200),
            ("none", "navigate", 200),
            ("cross-site", "navigate", 200),
            ("cross-site", "no-cors", 403),
            // Another port of this machine.
            ("same-site", "no-cors", 403),
            ("cross-site", "cors", 403),
        ] {
            let headers = [host, ("sec-fetch-site", site), ("sec-fetch-mode", mode)];
            assert_eq!(check(Method::GET, "/plots/a/b.png", &headers), status, "{site} {mode}");
        }
    }

    #[test]
    fn nothing_but_get_and_no_proxying() {
        let host = [("host", "127.0.0.1:8642")];
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD] {
            assert_eq!(check(method, "/", &host), 405);
        }
        assert_eq!(check(Method::GET, "http://evil.example/", &host), 400);
    }
}
