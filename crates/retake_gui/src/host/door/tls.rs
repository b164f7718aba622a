//! Certificates for those who come from elsewhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retake_assets::open_named;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig, crypto};

use super::secret_file::{self, MAX_BYTES, Unread};

/// Why there is no encryption.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be used.
    #[error("The {what} cannot be read: {reason}, in {path}")]
    File {
        /// Certificate or key.
        what: &'static str,
        /// What is wrong.
        reason: String,
        /// The file.
        path: PathBuf,
    },
    /// A file is longer than any certificate or key.
    #[error(
        "{path} has more than {MAX_BYTES} bytes, which no {what} has. Name a PEM file with the \
         {what}"
    )]
    TooLong {
        /// Certificate or key.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// Certificate and key do not go together.
    #[error("Certificate and key cannot be used together: {0}")]
    Pair(#[from] rustls::Error),
}

/// A certificate with its key, ready to be used.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl Tls {
    /// Reads PEM files: the certificate with those that vouch for it, and its private key.
    ///
    /// # Errors
    /// [`TlsError`] names the file.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let pem = read("certificate", certificate)?;
        let chain = CertificateDer::pem_slice_iter(&pem)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| unusable("certificate", &error, certificate))?;
        if chain.is_empty() {
            return Err(unusable("certificate", &pem::Error::NoItemsFound, certificate));
        }
        let pem = read("key", key)?;
        let private = PrivateKeyDer::from_pem_slice(&pem).map_err(|e| unusable("key", &e, key))?;
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, private)?;
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(in crate::host) fn acceptor(&self) -> &TlsAcceptor {
        &self.0
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

fn read(what: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    let opened = open_named(path).map_err(Unread::Io);
    opened.and_then(secret_file::read).map_err(|unread| match unread {
        Unread::TooLong => TlsError::TooLong { what, path: path.to_owned() },
        Unread::Io(error) => unusable(what, &pem::Error::Io(error), path),
    })
}

fn unusable(what: &'static str, error: &pem::Error, path: &Path) -> TlsError {
    let reason = match error {
        pem::Error::NoItemsFound => "there is none".to_owned(),
        other => other.to_string(),
    };
    TlsError::File { what, reason, path: path.to_owned() }
}
