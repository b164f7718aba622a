//! Files that say who may come in: tokens, certificates with their keys, and how a bus is opened.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use retake_gui::{Tls, TlsError, Tokens, TokensError};
use retake_transport::{BeyondError, OpenBus, RemoteBus};

use super::{Verdict, ensure, seen};
use crate::samples::texts;

/// A certificate that vouches for itself, and its key. Made for this file alone.
const PEM: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIBPKBYtcheFo0S+MtJFVgBslksMgLmsPeb7VQDTDUig4
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBVTCCAQegAwIBAgIUWnil+j8M9yxEE6HDFz1DreqAkuEwBQYDK2VwMBQxEjAQ
BgNVBAMMCWxvY2FsaG9zdDAgFw0yNjExMTgwNTA1MzdaGA8yMTI2MTAyNTA1MDUz
N1owFDESMBAGA1UEAwwJbG9jYWxob3N0MCowBQYDK2VwAyEAqh08+HGAboLlSCyG
qO7azG7l2E5TQ0ac6UxXTFJL+pOjaTBnMB0GA1UdDgQWBBSXG72ql44I+g7NbcVP
sd19nNy+OjAfBgNVHSMEGDAWgBSXG72ql44I+g7NbcVPsd19nNy+OjAPBgNVHRMB
Af8EBTADAQH/MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAFBgMrZXADQQC7UA8kN/5Y
5HQvqfyBWffSZal8MDGB1d8fNnF07BjHvtK8ZDtxoxaUlHW7eAxFRIwgJn0CGMJZ
gcIJ4VyTi0kO
-----END CERTIFICATE-----
";

const OPEN_BUS: &str = r#"{"listen": ["192.0.2.1:7447", "[::1]:7447"], "certificate": "in",
  "key": "in", "clients_ca": "in", "may": {"ann": "everything", "bob": "look"}}"#;

const REMOTE_BUS: &str =
    r#"{"connect": "robot.example:7447", "ca": "in", "certificate": "in", "key": "in"}"#;

pub(super) fn token_samples() -> Vec<Vec<u8>> {
    texts(&[
        "# who may come in\nadmin 3f2a9c0d5b7e1846aa00\neditor 0123456789abcdef0123 # Ann\n\n\
         viewer ~!@$%^&*()_+-=[]{}|;\n",
        "viewer aaaaaaaaaaaaaaaa\r\nviewer bbbbbbbbbbbbbbbbb\r\n",
    ])
}

pub(super) fn certificate_samples() -> Vec<Vec<u8>> {
    texts(&[PEM])
}

pub(super) fn bus_samples() -> Vec<Vec<u8>> {
    texts(&[OPEN_BUS])
}

pub(super) fn remote_samples() -> Vec<Vec<u8>> {
    texts(&[REMOTE_BUS])
}

/// Puts an input into a file that nobody else can read, and hands that to a reader.
fn with_file<T>(input: &[u8], read: impl FnOnce(&Path) -> T) -> Result<T, String> {
    let failed = |error: std::io::Error| format!("the test itself failed: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join("in");
    fs::write(&file, input).map_err(failed)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(read(&file))
}

/// Fails unless an error names the file.
fn named(error: &impl ToString, path: &Path) -> Result<(), String> {
    let text = error.to_string();
    let folder = path.parent().unwrap_or(path).to_string_lossy().into_owned();
    ensure(text.contains(&folder), || format!("an error that names no file: {text:?}"))
}

pub(super) fn read_tokens(input: &[u8]) -> Verdict {
    with_file(input, |file| {
        let tokens = match Tokens::read(file) {
            Ok(tokens) => tokens,
            Err(error) => {
                told_no_token(input, &error)?;
                return named(&error, file).map(|()| seen(false));
            }
        };
        let lines = tokens.reveal().map(|(role, token)| format!("{role} {token}\n"));
        let written: String = lines.collect();
        fs::write(file, &written).map_err(|error| error.to_string())?;
        let again = Tokens::read(file).map_err(|error| format!("{written} is refused: {error}"))?;
        let same = again.reveal().eq(tokens.reveal());
        ensure(same, || format!("{written} read back as something else"))?;
        Ok(seen(true))
    })?
}

/// Fails when an error tells a word of the file that could be a token.
fn told_no_token(input: &[u8], error: &TokensError) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let said = error.to_string();
    let mut secrets = text.split_whitespace().filter(|word| word.len() >= 16);
    let told = secrets.find(|word| said.contains(*word));
    told.map_or(Ok(()), |word| Err(format!("the error tells {word:?}: {said}")))
}

pub(super) fn read_certificates(input: &[u8]) -> Verdict {
    with_file(input, |file| match Tls::read(file, file) {
        Ok(_) => Ok(seen(true)),
        Err(TlsError::Pair(error)) => {
            ensure(!error.to_string().is_empty(), || "refused without a word".to_owned())?;
            Ok(seen(false))
        }
        Err(error) => named(&error, file).map(|()| seen(false)),
    })?
}

pub(super) fn read_open_bus(input: &[u8]) -> Verdict {
    with_file(input, |file| match OpenBus::read(file) {
        Ok(open) => {
            let somebody = !open.listen.is_empty() && !open.may.is_empty();
            ensure(somebody, || "a bus for nobody was taken".to_owned())?;
            readable([&open.certificate, &open.key, &open.clients_ca])
        }
        Err(error) => refused(&error, file),
    })?
}

pub(super) fn read_remote_bus(input: &[u8]) -> Verdict {
    with_file(input, |file| match RemoteBus::read(file) {
        Ok(remote) => readable([&remote.ca, &remote.certificate, &remote.key]),
        Err(error) => refused(&error, file),
    })?
}

fn readable(files: [&PathBuf; 3]) -> Verdict {
    let gone = files.into_iter().find(|file| fs::metadata(file).is_err());
    gone.map_or(Ok(seen(true)), |file| Err(format!("{} is not there", file.display())))
}

fn refused(error: &BeyondError, file: &Path) -> Verdict {
    match error {
        // A file that it names may lie anywhere.
        BeyondError::Unreadable { .. } => Ok(seen(false)),
        BeyondError::Malformed { path, .. } if path != file => Ok(seen(false)),
        BeyondError::Malformed { .. } => named(error, file).map(|()| seen(false)),
    }
}
