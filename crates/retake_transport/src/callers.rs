//! Who asks a server of this machine over HTTP, as far as the headers tell that browsers set
//! themselves.
//!
//! The Host header keeps out names that a foreign site points at 127.0.0.1 (DNS rebinding); the
//! Origin header tells the pages of foreign sites. What each server makes of it is its own affair,
//! and so is HTTP: here are only the texts of the two headers.

use thiserror::Error;

/// Names of this machine that a browser may use.
pub const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Why it cannot be said who asks: a bad request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CallerError {
    /// There is no Host header.
    #[error("The Host header is missing")]
    NoHost,
    /// A header is there more than once, so that others may have looked at another one.
    #[error("A header is there twice")]
    Twice,
    /// A header has bytes that are no text.
    #[error("A header is not text")]
    NotText,
}

/// Where a request was sent to, and by which page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller<'a> {
    /// Name and port that the request was sent to.
    pub host: &'a str,
    /// Site whose page asks, as in `http://localhost:3000`; programs that are no browsers send none.
    pub origin: Option<&'a str>,
}

impl<'a> Caller<'a> {
    /// Takes all values of the Host and Origin headers, each none when it is no text.
    ///
    /// # Errors
    /// [`CallerError`] when there is no Host, several of one, or one that is no text.
    pub fn new(
        hosts: impl Iterator<Item = Option<&'a str>>,
        origins: impl Iterator<Item = Option<&'a str>>,
    ) -> Result<Self, CallerError> {
        let host = only(hosts)?.ok_or(CallerError::NoHost)?;
        Ok(Self { host, origin: only(origins)? })
    }
}

/// Ports that an address may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ports {
    /// Any, or none.
    Any,
    /// This one; an address without a port has the usual one, which browsers leave out.
    Only {
        /// The port.
        port: u16,
        /// The one that goes without saying.
        usual: u16,
    },
}

/// Says whether an address, as in a Host header or behind the `://` of an Origin, is that of a name.
pub fn leads_to(address: &str, name: &str, ports: Ports) -> bool {
    let Some(rest) = address.strip_prefix(name) else { return false };
    match (ports, rest.strip_prefix(':')) {
        (Ports::Any, None) => rest.is_empty(),
        (Ports::Any, Some(digits)) => {
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        }
        (Ports::Only { port, usual }, None) => rest.is_empty() && port == usual,
        (Ports::Only { port, .. }, Some(digits)) => digits == port.to_string(),
    }
}

/// Says whether an address is one of this machine's own.
pub fn leads_here(address: &str, ports: Ports) -> bool {
    OWN_NAMES.into_iter().any(|name| leads_to(address, name, ports))
}

fn only<'a>(
    mut values: impl Iterator<Item = Option<&'a str>>,
) -> Result<Option<&'a str>, CallerError> {
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.map(Some).ok_or(CallerError::NotText),
        (Some(_), Some(_)) => Err(CallerError::Twice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_header_is_there_once_and_is_text() {
        let caller = |hosts: &[Option<&'static str>], origins: &[Option<&'static str>]| {
            Caller::new(hosts.iter().copied(), origins.iter().copied())
        };
        let (host, page) = (Some("localhost:1"), Some("null"));
        assert_eq!(caller(&[host], &[]), Ok(Caller { host: "localhost:1", origin: None }));
        assert_eq!(caller(&[host], &[page]), Ok(Caller { host: "localhost:1", origin: page }));
        assert_eq!(caller(&[], &[page]), Err(CallerError::NoHost));
        assert_eq!(caller(&[host, host], &[]), Err(CallerError::Twice));
        assert_eq!(caller(&[host], &[page, page]), Err(CallerError::Twice));
        assert_eq!(caller(&[None], &[]), Err(CallerError::NotText));
        assert_eq!(caller(&[host], &[None]), Err(CallerError::NotText));
    }

    #[test]
    fn an_address_is_its_name_and_port_and_nothing_that_looks_like_it() {
        let only = Ports::Only { port: 8642, usual: 80 };
        for (address, at_port, anywhere) in [
            ("127.0.0.1:8642", true, true),
            ("localhost:8642", true, true),
            ("[::1]:8642", true, true),
            ("localhost", false, true),
            ("localhost:3000", false, true),
            ("localhost:86420", false, true),
            ("localhost:08642", false, true),
            ("localhost:", false, false),
            ("localhost:+8642", false, false),
            ("localhost:8642.evil.example", false, false),
            ("localhost.evil.example:8642", false, false),
            ("localhost@evil.example:8642", false, false),
            ("localhost.:8642", false, false),
            ("127.0.0.10:8642", false, false),
            ("127.0.0.1:8642 ", false, false),
            ("evil.example:8642", false, false),
            ("192.168.1.5:8642", false, false),
            ("::1:8642", false, false),
            ("", false, false),
        ] {
            assert_eq!(leads_here(address, only), at_port, "{address:?} at the port");
            assert_eq!(leads_here(address, Ports::Any), anywhere, "{address:?} at any port");
        }
        let usual = Ports::Only { port: 80, usual: 80 };
        assert!(leads_here("localhost", usual) && leads_here("localhost:80", usual));
        assert!(
            leads_to("robot.lab:8642", "robot.lab", only) && !leads_here("robot.lab:8642", only)
        );
    }
}
