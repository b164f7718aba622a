//! What a host writes into its log when people show tokens. Alone in its program, because a log
//! belongs to all of it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use retake_gui::{HostOptions, Opening, Tokens};
use support::{Scene, bench_with};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Everything that is logged, however unimportant.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn no_token_is_ever_logged() {
    let log = Log::default();
    tracing::subscriber::set_global_default(log.clone()).unwrap();
    let tokens = Tokens::make().unwrap();
    let known: Vec<String> = tokens.reveal().map(|(_, token)| token.to_owned()).collect();
    let opening = Opening::Tokens { tokens, names: Vec::new(), tls: None };
    let bench = bench_with(HostOptions { opening, ..HostOptions::default() }, Scene::new());
    let address = bench.host.address();
    let ask = |method: &str, path: &str, header: &str, body: &str| {
        bench.http(&format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-length: {}\r\n{header}\r\n{body}",
            body.len()
        ))
    };
    let mut secrets = known.clone();
    secrets.push("a-wrong-token-0123456789".to_owned());
    for token in secrets.clone() {
        let entered = ask("POST", "/visit", "", &token);
        let bearer = format!("authorization: Bearer {token}\r\n");
        ask("GET", "/plots/layout.json", &bearer, "");
        ask("GET", &format!("/plots/layout.json?token={token}"), "", "");
        if let Some((_, cookie)) = entered.split_once("set-cookie: ") {
            let cookie = cookie.split(';').next().unwrap();
            ask("GET", "/plots/layout.json", &format!("cookie: {cookie}\r\n"), "");
            secrets.push(cookie.split_once('=').unwrap().1.to_owned());
        }
    }
    assert_eq!(secrets.len(), 2 * known.len() + 1, "who had a token was let in");
    drop(bench);
    let logged = log.0.lock().unwrap();
    assert!(logged.contains("a wrong token was shown"), "{logged}");
    for secret in &secrets {
        assert!(!logged.contains(secret), "{secret} is in the log");
    }
}
