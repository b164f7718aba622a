//! Who is let in, and as what.
//!
//! A host that listens on this machine only lets everybody on it in: what a program of another user
//! could do, it could do to the host's files as well. A host that opens up to other machines asks for
//! a [`Tokens`] once, and knows the visitor by a cookie from then on; programs send the token with each
//! request. What can be had without a token is the page itself, which is the same everywhere, and the
//! guide: nothing of the world.

mod role;
mod secret_file;
mod throttle;
mod tls;
mod tokens;
mod visits;

use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderName};
use retake_transport::callers::{Ports, leads_here, leads_to};

pub use role::{NoSuchRole, Role};
pub use tls::{Tls, TlsError};
pub use tokens::{Tokens, TokensError};

use crate::lock::locked;
use throttle::Throttle;
pub(super) use visits::Stay;
use visits::Visits;

/// Cookie that stands for a token that was shown; the port follows, as cookies know none and hosts
/// of one name would take each other's away.
const COOKIE_NAME: &str = "retake-visit-";

/// Who gets the cookie back: this host alone, and no script of its page.
const COOKIE_TERMS: &str = "Path=/; HttpOnly; SameSite=Strict";

/// How far a host opens up.
#[derive(Clone, Debug, Default)]
pub enum Opening {
    /// To everybody on this machine.
    #[default]
    Machine,
    /// To whoever has a token.
    Tokens {
        /// What lets people in.
        tokens: Tokens,
        /// Names and addresses by which they will open the page, besides those of this machine.
        names: Vec<String>,
        /// Encrypts what is said; without it everybody on the way can read along.
        tls: Option<Tls>,
    },
}

/// Decides who is let in.
pub(super) struct Door {
    opening: Opening,
    port: u16,
    visits: Mutex<Visits>,
    throttle: Mutex<Throttle>,
}

/// As what somebody was let in, and for how long.
#[derive(Clone)]
pub(super) struct Admitted {
    pub(super) role: Role,
    pub(super) stay: Stay,
}

impl Admitted {
    /// Lets somebody stay as long as they like.
    fn for_good(role: Role) -> Self {
        Self { role, stay: Stay::default() }
    }
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// No token was shown, or none that is known.
    NoToken,
    /// Too many wrong ones were.
    Wait(Duration),
}

impl Door {
    pub(super) fn new(opening: Opening, port: u16) -> Self {
        Self { opening, port, visits: Mutex::default(), throttle: Mutex::default() }
    }

    /// Says whether a Host header names this host.
    pub(super) fn is_ours(&self, host: &str) -> bool {
        let ports = Ports::Only { port: self.port, usual: self.usual_port() };
        leads_here(host, ports) || self.names().iter().any(|name| leads_to(host, name, ports))
    }

    /// Returns how addresses of this host begin.
    pub(super) fn scheme(&self) -> &'static str {
        if self.tls().is_some() { "https://" } else { "http://" }
    }

    fn usual_port(&self) -> u16 {
        if self.tls().is_some() { 443 } else { 80 }
    }

    /// Returns the address of the page, as others write it.
    pub(super) fn url(&self, address: SocketAddr) -> String {
        match self.names().first() {
            Some(name) => format!("{}{name}:{}/", self.scheme(), self.port),
            None => format!("{}{address}/", self.scheme()),
        }
    }

    pub(super) fn tls(&self) -> Option<&Tls> {
        match &self.opening {
            Opening::Machine => None,
            Opening::Tokens { tls, .. } => tls.as_ref(),
        }
    }

    fn names(&self) -> &[String] {
        match &self.opening {
            Opening::Machine => &[],
            Opening::Tokens { names, .. } => names,
        }
    }

    /// Finds out as what a request comes: by its cookie, or by a token that it carries.
    ///
    /// # Errors
    /// [`Closed`] when it is not let in.
    pub(super) fn admit(&self, headers: &HeaderMap, from: IpAddr) -> Result<Admitted, Closed> {
        let Opening::Tokens { .. } = &self.opening else {
            return Ok(Admitted::for_good(Role::Admin));
        };
        if let Some(token) = bearer(headers) {
            return self.try_token(token, from).map(Admitted::for_good);
        }
        let (mut visits, now) = (locked(&self.visits), Instant::now());
        self.visits_of(headers).find_map(|name| visits.find(name, now)).ok_or(Closed::NoToken)
    }

    /// Takes a token; returns the role and the cookie that stands for it from now on.
    ///
    /// # Errors
    /// [`Closed`] when it is wrong, or too many were.
    pub(super) fn enter(&self, token: &str, from: IpAddr) -> Result<(Role, String), Closed> {
        let role = self.try_token(token, from)?;
        let visit = locked(&self.visits).begin(role, Instant::now());
        let visit = visit.map_err(|cause| {
            tracing::error!(%cause, "nobody can be let in");
            Closed::NoToken
        })?;
        let secure = if self.tls().is_some() { "; Secure" } else { "" };
        Ok((role, format!("{}={visit}; {COOKIE_TERMS}{secure}", self.cookie_name())))
    }

    /// Ends the visit of a request, and all that goes on by it; returns the cookie that says so.
    pub(super) fn leave(&self, headers: &HeaderMap) -> String {
        let mut visits = locked(&self.visits);
        self.visits_of(headers).for_each(|name| visits.end(name));
        format!("{}=; {COOKIE_TERMS}; Max-Age=0", self.cookie_name())
    }

    fn cookie_name(&self) -> String {
        format!("{COOKIE_NAME}{}", self.port)
    }

    /// Lists the visits that the cookies of a request name: a stale one may come first.
    fn visits_of<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> + use<'a> {
        let name = self.cookie_name();
        // What is no text is no visit.
        let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let cookies = lines.flat_map(|line| line.split(';')).filter_map(|one| one.split_once('='));
        cookies.filter(move |(known, _)| known.trim() == name).map(|(_, visit)| visit.trim())
    }

    fn try_token(&self, token: &str, from: IpAddr) -> Result<Role, Closed> {
        let Opening::Tokens { tokens, .. } = &self.opening else { return Ok(Role::Admin) };
        let now = Instant::now();
        if let Some(wait) = locked(&self.throttle).wait(from, now) {
            return Err(Closed::Wait(wait));
        }
        tokens.role_of(token).ok_or_else(|| {
            locked(&self.throttle).wrong(from, now);
            tracing::warn!(%from, "a wrong token was shown");
            Closed::NoToken
        })
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, &AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // What is no text is no token.
    headers.get(name)?.to_str().ok()
}
