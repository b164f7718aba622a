//! Who may connect: this machine's programs, and pages of this machine or of named sites.
//!
//! The Host header keeps out names that a foreign site points at 127.0.0.1 (DNS rebinding); the
//! Origin header keeps out the pages of foreign sites.

use retake_transport::callers::{Caller, Ports, leads_here};
use tokio_tungstenite::tungstenite::http::header::{HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use tokio_tungstenite::tungstenite::http::{HeaderMap, HeaderName, StatusCode};

/// Port that goes without saying in addresses of a WebSocket.
const USUAL_PORT: u16 = 80;

/// A refusal: status and a line for people.
type Refusal = (StatusCode, String);

/// Who may connect to a server.
pub(crate) struct Access {
    /// Port that it listens on.
    pub(crate) port: u16,
    /// Sites whose pages may connect, besides those of this machine: `https://site.example`.
    pub(crate) origins: Vec<String>,
    /// Protocols that a client must choose from; empty when it need not.
    pub(crate) protocols: &'static [&'static str],
}

impl Access {
    /// Lets a client in, with the protocol that is spoken, or says why not.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<Option<&'static str>, Refusal> {
        let caller = Caller::new(values(headers, &HOST), values(headers, &ORIGIN))
            .map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
        if !leads_here(caller.host, Ports::Only { port: self.port, usual: USUAL_PORT }) {
            let text = "Connect by an address of this machine";
            return Err((StatusCode::FORBIDDEN, text.to_owned()));
        }
        if caller.origin.is_some_and(|origin| !self.is_welcome(origin)) {
            let text = "Pages of other sites are refused. Name the site with --bridge-origin";
            return Err((StatusCode::FORBIDDEN, text.to_owned()));
        }
        self.protocol(headers)
    }

    /// Says whether the pages of a site may connect.
    fn is_welcome(&self, origin: &str) -> bool {
        let local = origin.split_once("://").is_some_and(|(_, host)| leads_here(host, Ports::Any));
        local || self.origins.iter().any(|known| known == origin)
    }

    fn protocol(&self, headers: &HeaderMap) -> Result<Option<&'static str>, Refusal> {
        if self.protocols.is_empty() {
            return Ok(None);
        }
        let asked = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
        let asked = asked.filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
        let asked: Vec<&str> = asked.map(str::trim).collect();
        let spoken = self.protocols.iter().find(|known| asked.contains(known));
        spoken.map(|known| Some(*known)).ok_or_else(|| {
            let text = "No protocol that is spoken here was asked for";
            (StatusCode::BAD_REQUEST, text.to_owned())
        })
    }
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

    fn check(headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        let origins = vec!["https://app.example".to_owned()];
        let access = Access { port: 9090, origins, protocols: &[] };
        access.check(&map).map_or_else(|(status, _)| status.as_u16(), |_| 101)
    }

    #[test]
    fn only_this_machine_and_named_sites_are_let_in() {
        let host = ("host", "127.0.0.1:9090");
        for (headers, status) in [
            (vec![host], 101),
            (vec![("host", "localhost:9090")], 101),
            (vec![], 400),
            (vec![host, host], 400),
            (vec![("host", "127.0.0.1")], 403),
            (vec![("host", "127.0.0.1:9091")], 403),
            (vec![("host", "127.0.0.1.evil.example:9090")], 403),
            (vec![("host", "evil.example:9090")], 403),
            (vec![host, ("origin", "http://localhost:3000")], 101),
            (vec![host, ("origin", "http://127.0.0.1")], 101),
            (vec![host, ("origin", "https://app.example")], 101),
            (vec![host, ("origin", "https://app.example.evil")], 403),
            (vec![host, ("origin", "http://localhost.evil.example")], 403),
            (vec![host, ("origin", "http://localhost:3000.evil.example")], 403),
            (vec![host, ("origin", "null")], 403),
            (vec![host, ("origin", "")], 403),
        ] {
            assert_eq!(check(&headers), status, "{headers:?}");
        }
    }

    #[test]
    fn a_protocol_must_be_asked_for_when_there_is_one() {
        let access = Access { port: 1, origins: Vec::new(), protocols: &["a.v2", "a.v1"] };
        let asked = |text: &str| {
            let mut map = HeaderMap::new();
            map.append("host", "localhost:1".parse().unwrap());
            map.append("sec-websocket-protocol", text.parse().unwrap());
            access.check(&map).ok().flatten()
        };
        assert_eq!(asked("b, a.v1"), Some("a.v1"));
        assert_eq!(asked("a.v1,a.v2"), Some("a.v2"));
        assert_eq!(asked("b"), None);
    }
}
