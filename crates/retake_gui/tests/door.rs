//! Who is let in when a host opens up, and as what.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, Value};
use retake_gui::{HostOptions, Opening, Role, Tls, Tokens};
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    ArmTwin, PROTOCOL_VERSION, Request, TeachRequest, TimelineEdit, TimelineSettings,
    descriptor_pool, request, teach_request, timeline_edit,
};
use support::{Bench, Got, Page, Scene, bench_with, connect_with};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use tokio_tungstenite::tungstenite;

/// How often what reached the server is let go of while an answer is waited for.
const SOON: Duration = Duration::from_millis(20);

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

/// A host that wants tokens, and the token of each role.
struct Opened {
    bench: Bench,
    tokens: Vec<(Role, String)>,
}

fn opened_with(tls: Option<Tls>, handshake_timeout: Duration) -> Opened {
    let tokens = Tokens::make().unwrap();
    let known = tokens.reveal().map(|(role, token)| (role, token.to_owned())).collect();
    let names = vec!["robot.lab".to_owned()];
    let opening = Opening::Tokens { tokens, names, tls };
    let options = HostOptions { opening, handshake_timeout, ..HostOptions::default() };
    Opened { bench: bench_with(options, Scene::new()), tokens: known }
}

fn opened() -> Opened {
    opened_with(None, HostOptions::default().handshake_timeout)
}

impl Opened {
    fn token(&self, role: Role) -> &str {
        &self.tokens.iter().find(|(known, _)| *known == role).unwrap().1
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let (address, length) = (self.bench.host.address(), body.len());
        let extra: String = headers.iter().map(|(n, v)| format!("{n}: {v}\r\n")).collect();
        self.bench.http(&format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-length: {length}\r\n{extra}\r\n{body}"
        ))
    }

    fn enter(&self, token: &str) -> String {
        self.ask("POST", "/visit", &[], token)
    }

    /// Connects and greets a page with a token.
    async fn page(&self, role: Role) -> (Page, String) {
        let token = format!("Bearer {}", self.token(role));
        let headers = [("authorization", token.as_str())];
        let mut page = connect_with(self.bench.host.address(), &headers, None).await.unwrap();
        page.hello(PROTOCOL_VERSION).await;
        let Got::Said(Body::Welcome(welcome)) = page.next().await else { panic!("no welcome") };
        page.until(|got| matches!(got, Got::Said(Body::Stats(_)))).await;
        (page, welcome.role)
    }
}

fn cookie(answer: &str) -> String {
    let line = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    line.split(';').next().unwrap().to_owned()
}

#[test]
fn without_a_token_nothing_of_the_world_is_served() {
    let opened = opened();
    for path in ["/", "/healthz", "/guide/"] {
        assert!(matches!(status(&opened.bench.get(path)), 200 | 303), "{path}");
    }
    let old = opened_with(None, HostOptions::default().handshake_timeout);
    let old = format!("Bearer {}", old.token(Role::Admin));
    let upgrade = [
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let name = format!("retake-visit-{}", opened.bench.host.address().port());
    let guesses = format!("{name}=; {name}=guess; {name}");
    for path in ["/ws", "/mesh/1", "/mesh/1/texture/0", "/albedo/1", "/sound/1/a.wav"]
        .into_iter()
        .chain(["/plots/layout.json", "/plots/tab/1/a.csv", "/plots/1/a.csv", "/visit"])
    {
        for headers in [
            vec![],
            upgrade.to_vec(),
            vec![("authorization", "Bearer wrong")],
            vec![("authorization", old.as_str())],
            vec![("authorization", "Basic YWRtaW46YWRtaW4=")],
            vec![("cookie", guesses.as_str())],
        ] {
            let answer = opened.ask("GET", path, &headers, "");
            // Wrong tokens are counted; past a number of them nobody is heard.
            assert!(matches!(status(&answer), 401 | 429), "{path} {headers:?}: {answer}");
        }
    }
}

#[test]
fn a_token_is_shown_once_and_a_cookie_stands_for_it() {
    let opened = opened();
    for role in Role::ALL {
        let answer = opened.enter(opened.token(role));
        assert_eq!((status(&answer), body(&answer)), (200, role.name()));
        for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(answer.contains(word), "{answer}");
        }
        let cookie = cookie(&answer);
        assert!(!cookie.contains(opened.token(role)), "the token itself stays with the person");
        let known = [("cookie", cookie.as_str())];
        let answer = opened.ask("GET", "/visit", &known, "");
        assert_eq!((status(&answer), body(&answer)), (200, role.name()));
        assert_eq!(status(&opened.ask("GET", "/plots/layout.json", &known, "")), 200);
        assert_eq!(status(&opened.ask("DELETE", "/visit", &known, "")), 204);
        assert_eq!(status(&opened.ask("GET", "/visit", &known, "")), 401);
    }
}

#[test]
fn hosts_of_one_name_leave_each_other_their_people() {
    let hosts = [opened(), opened()];
    // A browser keeps one cookie of each name, whatever the port.
    let mut jar = BTreeMap::new();
    for (host, role) in hosts.iter().zip([Role::Editor, Role::Viewer]) {
        let cookie = cookie(&host.enter(host.token(role)));
        let (name, value) = cookie.split_once('=').unwrap();
        jar.insert(name.to_owned(), value.to_owned());
    }
    let sent: Vec<_> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let sent = sent.join("; ");
    let known = [("cookie", sent.as_str())];
    for (host, role) in hosts.iter().zip([Role::Editor, Role::Viewer]) {
        let answer = host.ask("GET", "/visit", &known, "");
        assert_eq!((status(&answer), body(&answer)), (200, role.name()));
    }
    let left = hosts[0].ask("DELETE", "/visit", &known, "");
    assert_eq!(status(&left), 204);
    assert!(jar.contains_key(cookie(&left).trim_end_matches('=')), "{left}");
    assert_eq!(status(&hosts[0].ask("GET", "/visit", &known, "")), 401);
    assert_eq!(status(&hosts[1].ask("GET", "/visit", &known, "")), 200);
}

#[test]
fn a_stale_cookie_that_comes_first_locks_nobody_out() {
    let opened = opened();
    let good = cookie(&opened.enter(opened.token(Role::Editor)));
    let stale = format!("{}=stale", good.split_once('=').unwrap().0);
    let both = format!("{stale}; other=1;{good}");
    let lines = [("cookie", stale.as_str()), ("cookie", good.as_str())];
    for headers in [&[("cookie", both.as_str())][..], &lines] {
        let answer = opened.ask("GET", "/visit", headers, "");
        assert_eq!((status(&answer), body(&answer)), (200, "editor"), "{headers:?}");
    }
    assert_eq!(status(&opened.ask("DELETE", "/visit", &lines, "")), 204);
    assert_eq!(status(&opened.ask("GET", "/visit", &lines, "")), 401);
}

#[test]
fn a_page_is_closed_when_its_visit_ends_and_others_stay() {
    let opened = opened();
    let address = opened.bench.host.address();
    let (leaving, staying) =
        (opened.enter(opened.token(Role::Admin)), opened.enter(opened.token(Role::Admin)));
    let (leaving, staying) = (cookie(&leaving), cookie(&staying));
    let enter = async |cookie: &str| {
        let mut page = connect_with(address, &[("cookie", cookie)], None).await.unwrap();
        page.hello(PROTOCOL_VERSION).await;
        page.until(|got| matches!(got, Got::Said(Body::Stats(_)))).await;
        page
    };
    let mut left = [opened.bench.run(enter(&leaving)), opened.bench.run(enter(&leaving))];
    let mut stays = opened.bench.run(enter(&staying));
    let (mut program, _) = opened.bench.run(opened.page(Role::Admin));
    assert_eq!(status(&opened.ask("DELETE", "/visit", &[("cookie", &leaving)], "")), 204);
    for page in &mut left {
        let farewell = (1008, "The visit has ended".to_owned());
        assert_eq!(opened.bench.run(page.closed()), farewell);
    }
    for page in [&mut stays, &mut program] {
        opened.bench.run(page.watch(&[opened.bench.scene.car]));
        opened.bench.run(page.state());
    }
}

#[test]
fn whoever_tries_tokens_has_to_wait_and_who_is_in_does_not() {
    let opened = opened();
    let cookie = cookie(&opened.enter(opened.token(Role::Viewer)));
    for _ in 0..10 {
        let answer = opened.enter("0000000000000000000000");
        assert_eq!(status(&answer), 401);
        assert_eq!(body(&answer), "A token is needed. Ask whoever started this host");
    }
    let answer = opened.enter(opened.token(Role::Admin)).to_lowercase();
    assert_eq!(status(&answer), 429);
    assert!(answer.contains("retry-after: "), "{answer}");
    assert!(body(&answer).starts_with("too many wrong tokens. try again in "), "{answer}");
    let known = [("cookie", cookie.as_str())];
    assert_eq!(status(&opened.ask("GET", "/visit", &known, "")), 200);
    let long = "x".repeat(3000);
    assert!(matches!(status(&opened.enter(&long)), 401 | 429));
    assert_eq!(status(&opened.enter(&"x".repeat(100_000))), 413);
}

#[test]
fn only_known_names_and_own_pages_are_heard() {
    let opened = opened();
    let port = opened.bench.host.address().port();
    let token = opened.token(Role::Admin);
    let ask = |host: &str, origin: &str| {
        status(&opened.bench.http(&format!(
            "POST /visit HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{origin}\
             content-length: {}\r\n\r\n{token}",
            token.len()
        )))
    };
    assert_eq!(ask(&format!("robot.lab:{port}"), ""), 200);
    assert_eq!(ask(&format!("127.0.0.1:{port}"), ""), 200);
    assert_eq!(ask(&format!("evil.example:{port}"), ""), 403);
    assert_eq!(ask("robot.lab", ""), 403, "another port");
    let own = format!("origin: http://robot.lab:{port}\r\n");
    assert_eq!(ask(&format!("robot.lab:{port}"), &own), 200);
    for origin in ["null", "http://evil.example", &format!("https://robot.lab:{port}")] {
        let origin = format!("origin: {origin}\r\n");
        assert_eq!(ask(&format!("robot.lab:{port}"), &origin), 403, "{origin}");
    }
    assert_eq!(status(&opened.ask("POST", "/ws", &[], "")), 405);
    assert_eq!(status(&opened.ask("PUT", "/visit", &[], "")), 405);
}

/// Every request that a page can make, as the schema names it, and the least role that may.
const REQUESTS: [(Role, &str); 26] = [
    (Role::Viewer, "physics"),
    (Role::Viewer, "browse_signals"),
    (Role::Viewer, "measure_plot"),
    (Role::Viewer, "describe_type"),
    (Role::Viewer, "findings"),
    (Role::Viewer, "library"),
    (Role::Viewer, "look_back"),
    (Role::Editor, "control"),
    (Role::Editor, "command"),
    (Role::Editor, "undo_redo"),
    (Role::Editor, "discard"),
    (Role::Editor, "set_plot_layout"),
    (Role::Editor, "load_plot_layout"),
    (Role::Editor, "keep_plot_run"),
    (Role::Editor, "clear_plots"),
    (Role::Editor, "load_plot_run"),
    (Role::Editor, "playback"),
    (Role::Editor, "timeline_edit"),
    (Role::Editor, "teach"),
    (Role::Admin, "undo_settings"),
    (Role::Admin, "log_start"),
    (Role::Admin, "log_stop"),
    (Role::Admin, "save_profiles"),
    (Role::Admin, "save_world"),
    (Role::Admin, "publish"),
    (Role::Admin, "call"),
];

/// Requests of which more than their kind counts.
fn special() -> Vec<(Role, request::Request)> {
    use request::Request as Asked;
    use teach_request::What;
    let settings = timeline_edit::Edit::Settings(TimelineSettings::default());
    let limits = TimelineEdit { edit: Some(settings), ..TimelineEdit::default() };
    let teach =
        |what| Asked::Teach(Box::new(TeachRequest { what: Some(what), ..TeachRequest::default() }));
    vec![
        (Role::Admin, Asked::TimelineEdit(limits)),
        (Role::Editor, teach(What::Arm(ArmTwin { arm: false }))),
        (Role::Admin, teach(What::Arm(ArmTwin { arm: true }))),
        (Role::Admin, teach(What::Save(Default::default()))),
        (Role::Viewer, teach(What::Show(Default::default()))),
        (Role::Viewer, teach(What::List(Default::default()))),
        (Role::Viewer, teach(What::Check(Default::default()))),
    ]
}

/// Makes an empty request of a kind.
fn empty(kind: &str) -> request::Request {
    let request = descriptor_pool().get_message_by_name("retake.msgs.Request").unwrap();
    let mut message = DynamicMessage::new(request.clone());
    let field = request.get_field_by_name(kind).unwrap();
    let Kind::Message(inner) = field.kind() else { panic!("{kind} is no request") };
    message.set_field(&field, Value::Message(DynamicMessage::new(inner)));
    Request::decode(message.encode_to_vec().as_slice()).unwrap().request.unwrap()
}

#[test]
fn each_role_may_do_what_it_says() {
    let opened = opened();
    let plain = REQUESTS.iter().map(|(role, kind)| (*role, empty(kind)));
    let all: Vec<_> = plain.chain(special()).collect();
    for role in Role::ALL {
        let (mut page, told) = opened.bench.run(opened.page(role));
        assert_eq!(told, role.name());
        for (id, (needed, asked)) in all.iter().enumerate() {
            let request_id = id as u64;
            let request = Request { request_id, request: Some(asked.clone()) };
            opened.bench.run(page.say(Said::Request(request)));
            let is_reply = |got: &Got| matches!(got, Got::Said(Body::Reply(reply)) if reply.request_id == request_id);
            // What is let through is answered by a server, or waits for one that is none here.
            let reply = loop {
                let coming = async { tokio::time::timeout(SOON, page.until(is_reply)).await };
                match opened.bench.run(coming) {
                    Ok(Got::Said(Body::Reply(reply))) => break reply,
                    Ok(other) => panic!("{other:?} is no reply"),
                    Err(_) => opened.bench.requests.try_iter().for_each(drop),
                }
            };
            let refusal = format!("You are here as {role}; this takes the role {needed}");
            assert_eq!(reply.message == refusal, role < *needed, "{asked:?}: {}", reply.message);
            assert_eq!(reply.message.starts_with("You are here as"), role < *needed, "{asked:?}");
        }
    }
}

#[test]
fn the_roles_of_all_requests_are_tested() {
    let request = descriptor_pool().get_message_by_name("retake.msgs.Request").unwrap();
    let kinds = request.fields().filter(|field| field.containing_oneof().is_some());
    let kinds: BTreeSet<String> = kinds.map(|field| field.name().to_owned()).collect();
    let tested: BTreeSet<String> = REQUESTS.iter().map(|(_, kind)| (*kind).to_owned()).collect();
    assert_eq!(kinds, tested);
}

#[test]
fn a_page_without_a_token_gets_no_session() {
    let opened = opened();
    match opened.bench.run(opened.bench.connect(None)).err() {
        Some(tungstenite::Error::Http(answer)) => assert_eq!(answer.status(), 401),
        other => panic!("{other:?}"),
    }
}

/// A certificate for the host, and who trusts it.
struct Certificate {
    _folder: TempDir,
    certificate: PathBuf,
    key: PathBuf,
}

fn certificate() -> Certificate {
    let folder = TempDir::new().unwrap();
    let made = rcgen::generate_simple_self_signed(["robot.lab".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    Certificate { _folder: folder, certificate, key }
}

async fn ask_encrypted(address: SocketAddr, trusted: &Path, request: &str) -> String {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(trusted).unwrap()).unwrap();
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("robot.lab").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; 512];
    let read = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

#[test]
fn an_encrypted_host_says_nothing_in_the_open() {
    let files = certificate();
    let tls = Tls::read(&files.certificate, &files.key).unwrap();
    let opened = opened_with(Some(tls), HostOptions::default().handshake_timeout);
    let address = opened.bench.host.address();
    assert_eq!(opened.bench.host.url(), format!("https://robot.lab:{}/", address.port()));
    let plain = opened.bench.get("/");
    assert!(!plain.contains("HTTP/1.1 200"), "{plain}");
    let host = format!("host: robot.lab:{}\r\n", address.port());
    let encrypted =
        |request: String| opened.bench.run(ask_encrypted(address, &files.certificate, &request));
    assert_eq!(status(&encrypted(format!("GET / HTTP/1.1\r\n{host}\r\n"))), 200);
    let token = opened.token(Role::Admin);
    let entering =
        format!("POST /visit HTTP/1.1\r\n{host}content-length: {}\r\n\r\n{token}", token.len());
    let entered = encrypted(entering);
    assert!(entered.contains("; Secure"), "{entered}");
    let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                   sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let opening = format!(
        "GET /ws HTTP/1.1\r\n{host}{upgrade}origin: https://robot.lab:{}\r\ncookie: {}\r\n\r\n",
        address.port(),
        cookie(&entered)
    );
    assert_eq!(status(&encrypted(opening.clone())), 101);
    assert_eq!(status(&encrypted(opening.replace("https:", "http:"))), 403);
}

#[test]
fn a_greeting_that_never_ends_is_cut_off() {
    let files = certificate();
    let tls = Tls::read(&files.certificate, &files.key).unwrap();
    let opened = opened_with(Some(tls), Duration::from_millis(50));
    // Half of a greeting; the host ends the connection, and reading does.
    let answer = opened.bench.http("\u{16}\u{3}\u{1}");
    assert!(!answer.contains("HTTP"), "{answer}");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tokens");
    let check = |text: &str, expected: &str| {
        fs::write(&file, text).unwrap();
        private(&file);
        let error = Tokens::read(&file).err().unwrap().to_string();
        assert_eq!(error, expected.replace("FILE", &file.display().to_string()), "{text:?}");
    };
    let example = "Write a role and a token, as in: editor 3f2a…";
    check("", "There is no token, in FILE. Write a role and a token on a line, as in: admin 3f2a…");
    check("# all\n\nadmin", &format!("FILE:3: 1 words. {example}"));
    check(
        "boss 0123456789abcdef",
        &format!("FILE:1: \"boss\" is no role. Known: viewer, editor, admin. {example}"),
    );
    // Turned around, the token is not told.
    let unknown = "the first word is no role, and so long that it is not shown";
    check("0123456789abcdef admin", &format!("FILE:1: {unknown}. {example}"));
    check("admin short", &format!("FILE:1: a token has 16 to 256 plain characters. {example}"));
    fs::write(&file, "viewer 0123456789abcdef # for guests\nadmin fedcba9876543210\n").unwrap();
    private(&file);
    let read = Tokens::read(&file).unwrap();
    let known: Vec<_> = read.reveal().collect();
    assert_eq!(known, [(Role::Viewer, "0123456789abcdef"), (Role::Admin, "fedcba9876543210")]);
    assert_eq!(format!("{read:?}"), "2 tokens", "no log has them");
    fs::write(&file, "viewer 0123456789abcdef\nadmin 0123456789abcdef\n").unwrap();
    let twice = Tokens::read(&file).err().unwrap().to_string();
    assert!(twice.contains(":2: this token stands on an earlier line too"), "{twice}");
    let missing = folder.path().join("missing");
    assert!(
        Tokens::read(&missing)
            .err()
            .unwrap()
            .to_string()
            .starts_with("The tokens cannot be read: ")
    );
    let files = certificate();
    let swapped = Tls::read(&files.key, &files.certificate).err().unwrap().to_string();
    assert!(swapped.starts_with("The certificate cannot be read: there is none, in "), "{swapped}");
    let other = certificate();
    let pair = Tls::read(&files.certificate, &other.key).err().unwrap().to_string();
    assert!(pair.starts_with("Certificate and key cannot be used together: "), "{pair}");
}

#[test]
fn files_without_end_are_refused_with_the_limit() {
    let folder = TempDir::new().unwrap();
    let (file, limit) = (folder.path().join("long"), 1024 * 1024);
    // Comments only: nothing but the length is wrong with it.
    fs::write(&file, "#".repeat(limit + 1)).unwrap();
    private(&file);
    let shown = file.display();
    let files = certificate();
    let tokens = |file: &Path| Tokens::read(file).err().unwrap().to_string();
    let certificate = |file: &Path| Tls::read(file, &files.key).err().unwrap().to_string();
    let key = |file: &Path| Tls::read(&files.certificate, file).err().unwrap().to_string();
    let hint = "Name one with a role and a token on each line";
    let long = format!("{shown} has more than {limit} bytes, which no");
    assert_eq!(tokens(&file), format!("{long} file of tokens has. {hint}"));
    let hint = "Name a PEM file with the";
    assert_eq!(certificate(&file), format!("{long} certificate has. {hint} certificate"));
    assert_eq!(key(&file), format!("{long} key has. {hint} key"));
    fs::write(&file, "#".repeat(limit)).unwrap();
    assert!(tokens(&file).starts_with("There is no token, in "), "so many bytes are read");
    // What says nothing of its length is ended as well.
    let endless = Path::new("/dev/zero");
    assert!(certificate(endless).contains("more than 1048576 bytes"));
    assert!(key(endless).contains("more than 1048576 bytes"));
}

#[cfg(unix)]
fn private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    let exposed = Tokens::read(file).err().unwrap().to_string();
    let expected =
        format!("Others on this machine can read the tokens. Run: chmod 600 {}", file.display());
    assert_eq!(exposed, expected);
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn beyond_loopback_a_host_without_tokens_does_not_start() {
    use retake_gui::{Feed, FeedLink, Host};
    let link = FeedLink::new(Arc::new(Feed::new(Scene::new().view())), |_, _| {});
    let open = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let error = Host::bind(open, Arc::new(link), HostOptions::default()).err().unwrap();
    assert!(error.to_string().contains("--tls-cert and --tls-key, or --insecure"), "{error}");
}
