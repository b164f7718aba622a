//! Where the page is served, and who is let in.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// Where the page is served, and who is let in.
#[derive(Args, Clone)]
pub(crate) struct OpeningArgs {
    /// Port of the page on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = retake_gui::DEFAULT_PAGE_PORT)]
    pub(crate) port: u16,
    /// Address and port of the page, in place of --port; whoever comes needs a token
    #[arg(long, value_name = "ADDR:PORT", conflicts_with = "port")]
    pub(crate) listen: Option<SocketAddr>,
    /// Name or address by which others open the page; can be given several times
    #[arg(long, value_name = "NAME", requires = "listen", conflicts_with = "port")]
    pub(crate) name: Vec<String>,
    /// File of tokens: a role (viewer, editor, admin) and a token on each line; made and printed
    /// when it is not given
    #[arg(long, value_name = "FILE", requires = "listen", conflicts_with = "port")]
    pub(crate) token_file: Option<PathBuf>,
    /// Certificate of the page, with those that vouch for it (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_key"], conflicts_with = "port")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_cert"], conflicts_with = "port")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Serve other machines without encryption: everybody on the way can read along
    #[arg(long, requires = "listen", conflicts_with_all = ["tls_cert", "port"])]
    pub(crate) insecure: bool,
}
