//! Opening the page to other machines: address, tokens, encryption.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::bail;
use retake_gui::{HostGuard, Opening, Tls, Tokens};

use crate::cli::OpeningArgs;
use crate::output::remark;

/// Decides where the page is served and who is let in.
pub(super) fn opening(args: &OpeningArgs) -> anyhow::Result<(SocketAddr, Opening)> {
    let Some(address) = args.listen else {
        return Ok((SocketAddr::from((Ipv4Addr::LOCALHOST, args.port)), Opening::Machine));
    };
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => {
            remark_if_exposed(key);
            Some(Tls::read(certificate, key)?)
        }
        _ => None,
    };
    if tls.is_none() && !args.insecure && !address.ip().is_loopback() {
        bail!(
            "Without encryption everybody on the way can read along, tokens too. Give --tls-cert \
             and --tls-key, or say --insecure"
        );
    }
    if address.ip().is_unspecified() && args.name.is_empty() {
        bail!("Say by which name or address others open the page, as in: --name robot.local");
    }
    let mut names = args.name.clone();
    if !address.ip().is_unspecified() {
        names.push(match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        });
    }
    let tokens = match &args.token_file {
        Some(file) => Tokens::read(file)?,
        None => Tokens::make()?,
    };
    Ok((address, Opening::Tokens { tokens, names, tls }))
}

/// Says so when everybody on this machine may read a private key.
///
/// A group may: that is how machines share their own certificate.
fn remark_if_exposed(key: &Path) {
    // What cannot be read at all is told by reading it.
    let mode = std::fs::metadata(key).map_or(0, |found| found.mode());
    if mode & 0o007 != 0 {
        let shown = key.display();
        remark(format!("Everybody on this machine may read {shown}. Run: chmod o= {shown}"));
    }
}

/// Says where the page is, with the tokens that were made for it.
pub(super) fn tell(
    args: &OpeningArgs,
    host: &HostGuard,
    opening: &Opening,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let url = host.url();
    writeln!(out, "Page: {url}")?;
    if let (Opening::Tokens { tokens, .. }, None) = (opening, &args.token_file) {
        for (role, token) in tokens.reveal() {
            writeln!(out, "  {:<8} {url}#token={token}", format!("{role}:"))?;
        }
    }
    out.flush()
}
