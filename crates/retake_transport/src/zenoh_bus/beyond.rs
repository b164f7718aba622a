//! The bus beyond this machine: encrypted, with certificates on both sides, and rights by name.
//!
//! As it comes a bus has none of this. Who opens it says so in a file; who comes from outside needs
//! a certificate, and the name in it decides what they may do. Programs of this machine go on as
//! before. Deliberately not here: anything in the open, and passwords.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use retake_msgs::names;
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;
use zenoh::Config;

use super::config;

/// Longest file that says how a bus is opened or reached.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// Longest file of certificates, or of a key.
const MAX_PEM_BYTES: u64 = 1024 * 1024;

/// Why a bus cannot be opened to other machines, or one there not be reached.
#[derive(Debug, Error)]
pub enum BeyondError {
    /// The file cannot be read.
    #[error("Could not read {}: {source}", path.display())]
    Unreadable {
        /// Cause.
        source: std::io::Error,
        /// The file.
        path: PathBuf,
    },
    /// It does not say what it should.
    #[error("{}: {reason}", path.display())]
    Malformed {
        /// What is wrong, and what to do.
        reason: String,
        /// The file.
        path: PathBuf,
    },
}

/// What somebody from outside may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum May {
    /// Hear all topics, and ask how the world is.
    Look,
    /// All that programs of this machine may.
    Everything,
}

/// Where a bus listens beyond loopback, and who may come.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenBus {
    /// Addresses with ports.
    pub listen: Vec<SocketAddr>,
    /// Certificate of the server, with those that vouch for it, as PEM.
    pub certificate: PathBuf,
    /// Its private key, as PEM.
    pub key: PathBuf,
    /// Certificates that vouch for those who come, as PEM.
    pub clients_ca: PathBuf,
    /// What each may do, by the common name of their certificate. Whoever is not here may nothing.
    pub may: BTreeMap<String, May>,
}

/// How to reach a bus on another machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoteBus {
    /// Host and port, as the server's certificate names the host.
    pub connect: String,
    /// Certificates that vouch for the server, as PEM.
    pub ca: PathBuf,
    /// The own certificate, as PEM.
    pub certificate: PathBuf,
    /// Its private key, as PEM.
    pub key: PathBuf,
}

impl OpenBus {
    /// Reads a file; the files that it names are looked for beside it.
    ///
    /// # Errors
    /// [`BeyondError`], with what to do.
    pub fn read(path: &Path) -> Result<Self, BeyondError> {
        let mut open: Self = parse(path)?;
        if open.listen.is_empty() || open.may.is_empty() {
            let reason =
                "\"listen\" needs an address, and \"may\" somebody who may come".to_owned();
            return Err(BeyondError::Malformed { reason, path: path.to_owned() });
        }
        beside(path, [&mut open.certificate, &mut open.key, &mut open.clients_ca])?;
        Ok(open)
    }
}

impl RemoteBus {
    /// Reads a file; the files that it names are looked for beside it.
    ///
    /// # Errors
    /// [`BeyondError`], with what to do.
    pub fn read(path: &Path) -> Result<Self, BeyondError> {
        let mut remote: Self = parse(path)?;
        let has_port = |(host, port): (&str, &str)| !host.is_empty() && port.parse::<u16>().is_ok();
        if !remote.connect.rsplit_once(':').is_some_and(has_port) || remote.connect.contains('/') {
            let reason = format!("\"connect\" is {:?}; write HOST:PORT", remote.connect);
            return Err(BeyondError::Malformed { reason, path: path.to_owned() });
        }
        beside(path, [&mut remote.ca, &mut remote.certificate, &mut remote.key])?;
        Ok(remote)
    }
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, BeyondError> {
    let unreadable = |source| BeyondError::Unreadable { source, path: path.to_owned() };
    let malformed = |reason| BeyondError::Malformed { reason, path: path.to_owned() };
    let mut text = Vec::new();
    // A pipe of the shell may stand here, and no path leads to it. One with a name would keep whoever
    // opens it waiting for its writer.
    let is_pipe = std::fs::metadata(path).map_err(unreadable)?.file_type().is_fifo();
    if is_pipe && path.canonicalize().is_ok() {
        let reason =
            "It is not a regular file but a pipe. Name a file that says how to reach or open a bus";
        return Err(malformed(reason.to_owned()));
    }
    // The bound is on what is read: pipes and devices say nothing of their length.
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        let reason = format!("more than {MAX_FILE_BYTES} bytes are too many for such a file");
        return Err(malformed(format!("{reason}. Name one that says how to reach or open a bus")));
    }
    serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))
}

/// Makes the names of files whole, and sees that they can be read and are no longer than they may.
///
/// They are read by whoever encrypts, whole: what is no file could be without end.
fn beside(path: &Path, files: [&mut PathBuf; 3]) -> Result<(), BeyondError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in files {
        *file = folder.join(&*file);
        let unreadable = |source| BeyondError::Unreadable { source, path: file.clone() };
        // Asked before it is opened, because opening a pipe would wait for its writer.
        let known = std::fs::metadata(&*file).map_err(unreadable)?;
        let wrong = match (known.is_file(), known.len()) {
            (false, _) => "It is no file".to_owned(),
            (true, bytes) if bytes > MAX_PEM_BYTES => {
                format!("It has {bytes} bytes; at most {MAX_PEM_BYTES} are read")
            }
            (true, _) => {
                File::open(&*file).map(drop).map_err(unreadable)?;
                continue;
            }
        };
        let reason = format!("{wrong}. Name a PEM file with certificates or a key");
        return Err(BeyondError::Malformed { reason, path: file.clone() });
    }
    Ok(())
}

/// Adds to a server's configuration what `open` asks for.
pub(super) fn open_up(config: &mut Config, open: &OpenBus) -> zenoh::Result<()> {
    let mut endpoints: Vec<String> = serde_json::from_str(&config.get_json("listen/endpoints")?)?;
    endpoints.extend(open.listen.iter().map(|address| format!("tls/{address}")));
    let tls = json!({
        "root_ca_certificate": open.clients_ca,
        "listen_certificate": open.certificate,
        "listen_private_key": open.key,
        "enable_mtls": true,
        "close_link_on_expiration": true,
    });
    insert(config, "listen/endpoints", &json!(endpoints))?;
    insert(config, "transport/link/protocols", &json!(["tcp", "tls"]))?;
    insert(config, "transport/link/tls", &tls)?;
    insert(config, "access_control", &access(open))
}

/// Makes the configuration of a client of a bus on another machine.
pub(super) fn client(remote: &RemoteBus) -> zenoh::Result<Config> {
    let mut config = config::client_of(&format!("tls/{}", remote.connect))?;
    let tls = json!({
        "root_ca_certificate": remote.ca,
        "connect_certificate": remote.certificate,
        "connect_private_key": remote.key,
        "enable_mtls": true,
        "verify_name_on_connect": true,
        "close_link_on_expiration": true,
    });
    insert(&mut config, "transport/link/protocols", &json!(["tls"]))?;
    insert(&mut config, "transport/link/tls", &tls)?;
    Ok(config)
}

fn insert(config: &mut Config, key: &str, value: &Value) -> zenoh::Result<()> {
    config.insert_json5(key, &value.to_string())
}

/// Every key of the bus. What begins with `@` is meant by no wildcard.
const ALL_KEYS: [&str; 5] =
    ["**", "retake/@topic/**", "retake/@service/**", "retake/@client/**", "retake/@type/*"];

const ALL_MESSAGES: [&str; 9] = [
    "put",
    "delete",
    "declare_subscriber",
    "query",
    "declare_queryable",
    "reply",
    "liveliness_token",
    "declare_liveliness_subscriber",
    "liveliness_query",
];

/// Says who may what; nobody else may anything.
fn access(open: &OpenBus) -> Value {
    let of = |wanted: May| -> Vec<&String> {
        open.may.iter().filter(|(_, may)| **may == wanted).map(|(name, _)| name).collect()
    };
    let (all, look) = (of(May::Everything), of(May::Look));
    // Links without encryption end at loopback, where nobody is asked who they are.
    let mut subjects = vec![json!({ "id": "here", "link_protocols": ["tcp"] })];
    let mut policies = vec![json!({ "rules": ["everything"], "subjects": ["here"] })];
    if !all.is_empty() {
        subjects.push(json!({ "id": "all", "cert_common_names": all, "link_protocols": ["tls"] }));
        policies.push(json!({ "rules": ["everything"], "subjects": ["all"] }));
    }
    if !look.is_empty() {
        subjects
            .push(json!({ "id": "look", "cert_common_names": look, "link_protocols": ["tls"] }));
        let rules = ["come", "listen", "ask", "hear"];
        policies.push(json!({ "rules": rules, "subjects": ["look"] }));
    }
    json!({
        "enabled": true,
        "default_permission": "deny",
        "rules": rules(),
        "subjects": subjects,
        "policies": policies,
    })
}

fn rules() -> Value {
    let rule = |id: &str, flows: &[&str], messages: &[&str], keys: Value| json!({ "id": id, "flows": flows, "messages": messages, "key_exprs": keys, "permission": "allow" });
    let listens = ["declare_subscriber", "declare_liveliness_subscriber", "liveliness_query"];
    let hears = ["put", "delete", "reply", "liveliness_token", "declare_queryable"];
    json!([
        rule("everything", &["ingress", "egress"], &ALL_MESSAGES, json!(ALL_KEYS)),
        rule("come", &["ingress"], &["liveliness_token"], json!(["retake/@client/**"])),
        rule("listen", &["ingress"], &listens, json!(ALL_KEYS)),
        rule("ask", &["ingress"], &["query"], json!(questions())),
        rule("hear", &["egress"], &hears, json!(ALL_KEYS)),
    ])
}

/// The services that say how a world is and change nothing.
fn questions() -> Vec<String> {
    let any = "*";
    let services = [
        names::SERVER_INFO.to_owned(),
        names::stats_get(any),
        names::state(any),
        names::scene(any),
        names::contacts(any),
        names::findings(any),
        names::hash(any),
        names::physics(any),
        names::history_get(any),
        names::timeline_get(any),
        names::introspection_items(any),
    ];
    let keys = services.iter().map(|service| format!("retake/service{service}"));
    keys.chain(["retake/@type/*".to_owned()]).collect()
}
