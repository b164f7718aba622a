//! A bus that is open beyond this machine: encrypted, with certificates, and rights by name.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use retake_msgs::{
    Clock, StatisticsRequest, Time, UserCmdReply, WorldControl, WorldStatistics, names,
};
use retake_transport::typed::{self, Publisher};
use retake_transport::{
    Bus, BusError, CallError, Delivery, Handler, Message, Name, OpenBus, RemoteBus, Responder,
    ServiceTypes, ZenohBus,
};
use serde_json::json;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);
/// For what is never answered: long enough for an answer, on any machine.
const SHORT: Duration = Duration::from_secs(3);

/// Somebody who vouches for others.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(params, key).unwrap();
        let file = folder.join(format!("{name}.pem"));
        fs::write(&file, issuer.pem()).unwrap();
        Self { issuer, file }
    }

    /// Writes a certificate and its key; returns their files.
    fn vouch(&self, folder: &Path, name: &str, hosts: &[&str]) -> (PathBuf, PathBuf) {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let files =
            (folder.join(format!("{name}.cert.pem")), folder.join(format!("{name}.key.pem")));
        fs::write(&files.0, certificate.pem()).unwrap();
        fs::write(&files.1, key.serialize_pem()).unwrap();
        files
    }
}

/// An open server with two services and a topic, and those who come.
struct Site {
    folder: TempDir,
    server: Arc<ZenohBus>,
    port: u16,
    authority: Authority,
    _services: Vec<retake_transport::Guard>,
}

impl Site {
    fn open() -> Self {
        Self::open_as("127.0.0.1")
    }

    /// Opens a server whose certificate is for a host of that name.
    fn open_as(host: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let authority = Authority::new(folder.path(), "lab");
        let (certificate, key) = authority.vouch(folder.path(), "server", &[host]);
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = json!({
            "listen": [SocketAddr::from((Ipv4Addr::LOCALHOST, port))],
            "certificate": certificate,
            "key": key,
            "clients_ca": authority.file,
            "may": { "ann": "everything", "hall": "look" },
        });
        let path = folder.path().join("open.json");
        fs::write(&path, file.to_string()).unwrap();
        let open = OpenBus::read(&path).unwrap();
        let server = Arc::new(ZenohBus::listen_opened(0, Some(&open)).unwrap());
        let services = vec![
            serve::<StatisticsRequest, WorldStatistics>(server.as_ref(), &names::stats_get("w")),
            serve::<WorldControl, UserCmdReply>(server.as_ref(), &names::control("w")),
        ];
        Self { folder, server, port, authority, _services: services }
    }

    /// Writes the file of somebody who comes with a certificate of `authority`.
    fn remote(&self, authority: &Authority, name: &str) -> RemoteBus {
        let (certificate, key) = authority.vouch(self.folder.path(), name, &["whoever"]);
        let file = json!({
            "connect": format!("127.0.0.1:{}", self.port),
            "ca": self.authority.file,
            "certificate": certificate,
            "key": key,
        });
        let path = self.folder.path().join(format!("{name}.json"));
        fs::write(&path, file.to_string()).unwrap();
        RemoteBus::read(&path).unwrap()
    }
}

fn serve<Q: typed::Typed, R: typed::Typed>(bus: &dyn Bus, name: &str) -> retake_transport::Guard {
    let types = ServiceTypes { request: Q::full_name(), reply: R::full_name() };
    let handler: Handler = Arc::new(|_: Message, responder: Responder| {
        responder.answer(R::default().encode_to_vec());
    });
    bus.serve(&Name::new(name).unwrap(), types, handler).unwrap()
}

fn look(bus: &dyn Bus, timeout: Duration) -> Result<WorldStatistics, CallError> {
    typed::call(bus, &names::stats_get("w"), &StatisticsRequest {}, timeout)
}

fn act(bus: &dyn Bus, timeout: Duration) -> Result<UserCmdReply, CallError> {
    typed::call(bus, &names::control("w"), &WorldControl::default(), timeout)
}

/// Publishes until somebody has heard it, and returns whether that was so in time.
fn is_heard(from: &dyn Bus, by: &dyn Bus, patience: Duration) -> bool {
    let (tell, heard) = mpsc::channel();
    let _listening = typed::subscribe(by, "/clock", move |_: Clock| {
        // Whoever heard enough does not listen any more.
        tell.send(()).ok();
    })
    .unwrap();
    let publisher = Publisher::new(from, "/clock", Delivery::All).unwrap();
    let clock = Clock { sim: Some(Time { sec: 1, nsec: 0 }) };
    let start = std::time::Instant::now();
    while start.elapsed() < patience {
        publisher.publish(&clock).unwrap();
        if heard.recv_timeout(Duration::from_millis(100)).is_ok() {
            return true;
        }
    }
    false
}

#[test]
fn who_has_a_certificate_may_what_its_name_may() {
    let site = Site::open();
    let server = site.server.as_ref();

    let ann = ZenohBus::connect_beyond(&site.remote(&site.authority, "ann")).unwrap();
    look(&ann, PATIENCE).unwrap();
    act(&ann, PATIENCE).unwrap();
    assert!(is_heard(server, &ann, PATIENCE));
    assert!(is_heard(&ann, server, PATIENCE));

    let hall = ZenohBus::connect_beyond(&site.remote(&site.authority, "hall")).unwrap();
    look(&hall, PATIENCE).unwrap();
    assert!(is_heard(server, &hall, PATIENCE));
    assert!(act(&hall, SHORT).is_err(), "who may look cannot act");
    assert!(!is_heard(&hall, server, SHORT), "nor be heard");

    // Known to the authority, and to nobody here.
    let eve = ZenohBus::connect_beyond(&site.remote(&site.authority, "eve")).unwrap();
    assert!(look(&eve, SHORT).is_err());
    assert!(act(&eve, SHORT).is_err());
    assert!(!is_heard(server, &eve, SHORT));

    // Who is on this machine goes on as before.
    let local = ZenohBus::connect(site.server.address()).unwrap();
    look(&local, PATIENCE).unwrap();
    act(&local, PATIENCE).unwrap();
    assert!(is_heard(server, &local, PATIENCE));
}

#[test]
fn who_is_not_trusted_is_not_connected() {
    let site = Site::open();
    let folder = site.folder.path();
    let stranger = Authority::new(folder, "stranger");
    let ann = site.remote(&site.authority, "ann");

    let refused = |remote: &RemoteBus| match ZenohBus::connect_beyond(remote) {
        Ok(bus) => {
            // With TLS 1.3 a client learns of its refusal only afterwards.
            assert!(look(&bus, SHORT).is_err() && !bus.is_connected());
        }
        Err(error) => assert!(matches!(error, BusError::Unreachable { .. }), "{error}"),
    };
    // A certificate by another authority, under a name that may everything.
    refused(&site.remote(&stranger, "ann"));
    // A server that another authority vouches for.
    refused(&RemoteBus { ca: stranger.file.clone(), ..ann });
    // A server under a name that its certificate does not have, which else is as it should be.
    let renamed = Site::open_as("robot.lab");
    refused(&renamed.remote(&renamed.authority, "ann"));
    // Nothing is said in the open.
    let in_the_open = std::net::SocketAddrV4::new(Ipv4Addr::LOCALHOST, site.port);
    assert!(matches!(ZenohBus::connect(in_the_open), Err(BusError::Unreachable { .. })));
    // And who is trusted still comes in.
    let ann = ZenohBus::connect_beyond(&site.remote(&site.authority, "ann")).unwrap();
    look(&ann, PATIENCE).unwrap();
}

#[test]
fn files_that_say_too_little_or_too_much_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bus.json");
    let there = folder.path().join("there.pem");
    fs::write(&there, "").unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(&path, text).unwrap();
        let error = OpenBus::read(&path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("bus.json"), "{error}");
    };
    check("{", "EOF while parsing");
    check(
        r#"{"listen":["0.0.0.0:1"],"certificate":"a","key":"b","clients_ca":"c"}"#,
        "missing field `may`",
    );
    check(
        r#"{"listen":[],"certificate":"a","key":"b","clients_ca":"c","may":{"a":"look"}}"#,
        "\"listen\" needs an address",
    );
    check(
        r#"{"listen":["tcp/0.0.0.0:1"],"certificate":"a","key":"b","clients_ca":"c","may":{}}"#,
        "invalid socket address",
    );
    check(r#"{"mode":"peer"}"#, "unknown field `mode`");
    check(&" ".repeat(70_000), "more than 65536 bytes are too many for such a file");
    let text = r#"{"listen":["0.0.0.0:1"],"certificate":"there.pem","key":"gone.pem","clients_ca":"c","may":{"a":"look"}}"#;
    fs::write(&path, text).unwrap();
    let error = OpenBus::read(&path).unwrap_err().to_string();
    assert!(error.starts_with("Could not read ") && error.contains("gone.pem"), "{error}");
    fs::write(&path, r#"{"connect":"tcp/a:1","ca":"a","certificate":"a","key":"a"}"#).unwrap();
    let error = RemoteBus::read(&path).unwrap_err().to_string();
    assert!(error.contains("\"connect\" is \"tcp/a:1\"; write HOST:PORT"), "{error}");
}

#[test]
fn files_without_end_are_refused_with_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("long.pem");
    fs::File::create(&long).unwrap().set_len(1024 * 1024 + 1).unwrap();
    fs::write(folder.path().join("a.pem"), "").unwrap();
    let path = folder.path().join("bus.json");
    let hint = "Name a PEM file with certificates or a key";
    let long =
        format!("{}: It has 1048577 bytes; at most 1048576 are read. {hint}", long.display());
    let endless = format!("/dev/zero: It is no file. {hint}");
    for (bad, expected) in [("long.pem", &long), ("/dev/zero", &endless)] {
        for place in 0..3 {
            let mut names = ["a.pem"; 3];
            names[place] = bad;
            let [first, second, third] = names;
            let open = format!(
                r#"{{"listen":["0.0.0.0:1"],"certificate":"{first}","key":"{second}","clients_ca":"{third}","may":{{"a":"look"}}}}"#
            );
            fs::write(&path, open).unwrap();
            assert_eq!(&OpenBus::read(&path).unwrap_err().to_string(), expected);
            let remote = format!(
                r#"{{"connect":"a:1","ca":"{first}","certificate":"{second}","key":"{third}"}}"#
            );
            fs::write(&path, remote).unwrap();
            assert_eq!(&RemoteBus::read(&path).unwrap_err().to_string(), expected);
        }
    }
    let endless = OpenBus::read(Path::new("/dev/zero")).unwrap_err().to_string();
    assert_eq!(
        endless,
        "/dev/zero: more than 65536 bytes are too many for such a file. Name one that says how to \
         reach or open a bus"
    );
}
