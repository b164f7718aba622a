//! What keeps a program from starting is said in a line; what comes in from files and other machines
//! is only text, and only from those who may.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use support::Sandbox;

const WORLD: &str = "<sdf version='1.11'><world name='w'>
  <model name='box'><pose>1 0 0 0 0 0</pose><link name='l'/></model></world></sdf>";

#[test]
fn a_home_that_cannot_be_written_is_said_in_one_line() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let file = sandbox.write("file", "");
    // Read-only by nature, so that the test holds for those who may write everywhere, too.
    for home in ["/sys", "/proc/self", &file] {
        let mut command = sandbox.command(&["server", &world, "--bus-port", "0"]);
        let output = command.env("XDG_RUNTIME_DIR", home).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("retake: Could not use the runtime folder: "), "{said}");
        assert!(said.contains(home), "{said}");
    }
}

#[test]
fn too_few_handles_are_said_in_one_line() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let _server = sandbox.start(&["server", &world, "--bus-port", "0", "--paused"]);
    for arguments in [&["server", "--bus-port", "0"][..], &["world", "stats"]] {
        let mut shell = Command::new("bash");
        shell.args(["-c", "ulimit -n 20; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_retake")]);
        shell.args(arguments).env("XDG_RUNTIME_DIR", sandbox.folder.path());
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains("only 20 files may be open at once here"), "{said}");
        assert!(said.trim_end().ends_with("ulimit -n 64"), "{said}");
    }
}

#[test]
fn where_hardly_a_file_may_be_open_that_is_said_and_nothing_panics() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let alone = ["run", &world, "--headless", "--iterations", "20"];
    for limit in [6, 7, 8, 12, 14, 16, 20, 24] {
        for arguments in [&alone[..], &["world", "stats"]] {
            let mut shell = Command::new("bash");
            let script = format!("ulimit -n {limit}; exec \"$@\"");
            shell.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_retake")]);
            shell.args(arguments).env("XDG_RUNTIME_DIR", sandbox.folder.path());
            let output = shell.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            if output.status.code() == Some(0) {
                assert!(limit > 12 && arguments == alone, "{limit} {arguments:?}: {said}");
                continue;
            }
            let ended = (output.status.code(), said.lines().count());
            assert_eq!(ended, (Some(1), 1), "{limit} {arguments:?}: {said}");
            let known = said.contains("Raise the limit: ulimit -n 64")
                || said.contains("No Retake server is running");
            assert!(known, "{limit} {arguments:?}: {said}");
        }
    }
}

#[test]
fn a_second_server_on_one_file_is_told_who_has_it() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let first = sandbox.start(&["server", &world, "--bus-port", "0", "--paused"]);
    // By another name of the same file.
    let folder = sandbox.folder.path();
    std::os::unix::fs::symlink(&world, folder.join("link.sdf")).unwrap();
    let link = folder.join("link.sdf").display().to_string();
    let second = sandbox.retake(&["server", &link, "--bus-port", "0"]);
    let told = format!(
        "{link} is served by process {} already. End that one, or start this one too with --also: \
         then whoever saves second is refused\n",
        first.id()
    );
    assert_eq!((second.code, second.stderr.trim_start_matches("retake: ")), (1, told.as_str()));
    // The first is not disturbed, and when it ends the file is free.
    sandbox.retake(&["world", "save"]).success();
    drop(first);
    let _second = sandbox.start(&["server", &link, "--bus-port", "0", "--paused"]);
}

#[test]
fn of_two_servers_on_one_file_the_second_to_save_is_told() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let serve = || sandbox.start(&["server", &world, "--bus-port", "0", "--paused", "--also"]);
    let (first, second) = (serve(), serve());
    let ids = [first.id().to_string(), second.id().to_string()];
    for (id, x) in ids.iter().zip(["2", "3"]) {
        let to = ["entity", "move", "box", "--to", x, "0", "0", "--server", id];
        sandbox.retake(&to).success();
    }
    sandbox.retake(&["world", "save", "--server", &ids[0]]).success();
    let saved = fs::read_to_string(&world).unwrap();
    let refused = sandbox.retake(&["world", "save", "--server", &ids[1]]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("was changed by someone else"), "{}", refused.stderr);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&world).unwrap(), saved);
}

/// Characters that a terminal does not show but obey.
fn steers(c: char) -> bool {
    let turns = ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
    (c.is_control() && c != '\n') || turns
}

/// Nothing steers a terminal, and no line is endless.
fn assert_tame(text: &str) {
    assert!(!text.chars().any(steers), "{:?}", text.chars().take(400).collect::<String>());
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest < 20_000, "a line of {widest} characters");
}

#[test]
fn names_with_codes_marks_and_markup_are_shown_as_text() {
    let sandbox = Sandbox::new();
    let markup = "&lt;img src=x onerror=alert(1)&gt;";
    let long = "n".repeat(1 << 20);
    let model = |name: &str| format!("<model name='{name}'><link name='l'/></model>");
    let models = model(markup) + &model("&#x9b;31m&#x202e;live") + &model(&long);
    let text = format!("<sdf version='1.11'><world name='w'>{models}</world></sdf>");
    let world = sandbox.write("world.sdf", &text);
    // Names that would change how text is shown are left out, and named as text.
    let refused = sandbox.retake(&["server", &world, "--bus-port", "0"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("\\u{9b}31m\\u{202e}live"), "{}", refused.stderr);
    assert_tame(&refused.stderr);
    let _server = sandbox.start(&["server", &world, "--bus-port", "0", "--paused", "--keep-going"]);
    // Markup is a name as any other; what a client says of its edit is only text.
    let name = "<img src=x onerror=alert(1)>";
    let call = r#"{"description":"\u001b[2Jevil\u202e","author":"\u009b31m",
        "moveEntity":{"entity":{"name":"<img src=x onerror=alert(1)>"},"position":{"x":2}}}"#;
    sandbox.retake(&["service", "call", "/world/w/user_command", call]).success();
    assert!(sandbox.retake(&["entity", "list"]).success().contains(name));
    let history = sandbox.retake(&["history"]).success();
    assert!(history.contains("\\u{1b}[2Jevil\\u{202e}, by \\u{9b}31m"), "{history}");
    let json = sandbox.retake(&["history", "--format", "json"]).success();
    assert!(json.contains("\\u001b[2Jevil\\u202e"), "{json}");
    let unknown = sandbox.retake(&["entity", "move", "\u{1b}[2J", "--to", "1", "0", "0"]).stderr;
    assert!(unknown.contains("\\u{1b}[2J"), "{unknown}");
    [history, json, unknown].iter().for_each(|text| assert_tame(text));
}

/// Somebody who vouches for others, in a folder.
struct Authority<'a> {
    folder: &'a Path,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl<'a> Authority<'a> {
    fn new(folder: &'a Path, name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        fs::write(folder.join(format!("{name}.pem")), issuer.pem()).unwrap();
        Self { folder, issuer }
    }

    /// Writes `NAME.cert.pem` and `NAME.key.pem`.
    fn vouch(&self, name: &str, host: &str) {
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        fs::write(self.folder.join(format!("{name}.cert.pem")), certificate.pem()).unwrap();
        fs::write(self.folder.join(format!("{name}.key.pem")), key.serialize_pem()).unwrap();
    }
}

/// Writes the file by which somebody reaches the bus at a port.
fn card(folder: &Path, name: &str, port: u16) -> String {
    let path: PathBuf = folder.join(format!("{name}.json"));
    let text = format!(
        r#"{{"connect":"127.0.0.1:{port}","ca":"lab.pem",
            "certificate":"{name}.cert.pem","key":"{name}.key.pem"}}"#
    );
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn an_open_bus_serves_those_whose_certificates_may() {
    let sandbox = Sandbox::new();
    let folder = sandbox.folder.path();
    let lab = Authority::new(folder, "lab");
    lab.vouch("server", "127.0.0.1");
    for name in ["ann", "hall", "eve"] {
        lab.vouch(name, "anywhere");
    }
    Authority::new(folder, "stranger").vouch("mallory", "anywhere");
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let open = sandbox.write(
        "open.json",
        &format!(
            r#"{{"listen":["127.0.0.1:{port}"],"certificate":"server.cert.pem",
                "key":"server.key.pem","clients_ca":"lab.pem",
                "may":{{"ann":"everything","mallory":"everything","hall":"look"}}}}"#
        ),
    );
    let world = sandbox.write("world.sdf", WORLD);
    let _server =
        sandbox.start(&["server", &world, "--bus-port", "0", "--paused", "--bus-open", &open]);

    // Another machine knows nothing of the runtime folder.
    let elsewhere = Sandbox::new();
    let as_whom = |name: &str, words: &[&str]| {
        let card = card(folder, name, port);
        elsewhere.retake(&[words, &["--server", &card]].concat())
    };
    let act = ["entity", "move", "box", "--to", "5", "0", "0"];
    let stats = ["world", "stats"];
    assert!(as_whom("ann", &stats).success().contains("world             w"));
    as_whom("ann", &act).success();
    assert!(as_whom("hall", &stats).success().contains("world             w"));
    for (name, words) in [
        ("hall", act.as_slice()),
        ("eve", stats.as_slice()),
        ("mallory", stats.as_slice()),
        ("mallory", act.as_slice()),
    ] {
        let refused = as_whom(name, words);
        assert_eq!(refused.code, 1, "{name} {words:?}: {}", refused.stdout);
    }
    // A file that opens without certificates is refused before anything listens.
    let bare = sandbox.write("bare.json", r#"{"listen":["0.0.0.0:1"],"may":{"a":"look"}}"#);
    let refused = sandbox.retake(&["server", &world, "--bus-port", "0", "--bus-open", &bare]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("missing field `certificate`"), "{}", refused.stderr);
    assert_eq!(refused.stderr.lines().count(), 1);
}
