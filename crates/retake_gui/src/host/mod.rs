//! The HTTP server that pages come to: on loopback, and beyond it for those who have a token.

mod accept;
mod access;
mod door;
mod guide;
mod http;
mod hub;
mod mesh;
mod past;
mod plot_files;
mod plot_requests;
mod plot_views;
mod server_requests;
mod session;
mod sound;
mod teach_requests;
mod topic_views;
mod visit;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use retake_assets::ResourceRoots;
use retake_msgs::PlotLayout;
use retake_transport::Bus;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::link::ServerLink;
use crate::plots::Plots;
pub use door::{NoSuchRole, Opening, Role, Tls, TlsError, Tokens, TokensError};
use hub::Hub;

/// Port on 127.0.0.1 where the page is served unless told otherwise.
pub const DEFAULT_PAGE_PORT: u16 = 8642;

/// Threads that serve pages; the step thread is none of them.
const THREADS: usize = 2;
/// Threads for what must wait for the disk: mesh files, and the look at when they were written.
const BLOCKING_THREADS: usize = 4;
/// How long pages have to take their leave.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// Why pages cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The port is in use.
    #[error("Port {port} is taken. Stop the other program or choose another port with --port")]
    PortBusy {
        /// Port on 127.0.0.1.
        port: u16,
    },
    /// The address can be reached from other machines.
    #[error(
        "Pages are served on this machine only, not on {address}. Use 127.0.0.1, or open up with \
         tokens and TLS: --tls-cert and --tls-key, or --insecure"
    )]
    NotLoopback {
        /// Address that was asked for.
        address: SocketAddr,
    },
    /// The system refused.
    #[error("Could not serve pages on {address}: {source}")]
    Io {
        /// Address that was asked for.
        address: SocketAddr,
        /// Cause.
        source: io::Error,
    },
}

/// Limits of a host, and where it may read.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Pages that may be connected; further ones are refused.
    pub max_clients: usize,
    /// How long a page may take to accept a message before it is cut off.
    pub write_timeout: Duration,
    /// How long a new connection may take for its request and its greeting.
    pub handshake_timeout: Duration,
    /// Where images may lie that meshes name, besides a mesh's own folder, and sounds that robots
    /// play.
    pub roots: ResourceRoots,
    /// Plots to start with, recorded from the first step on.
    pub layout: Option<PlotLayout>,
    /// Writes into the world's file; without it pages cannot.
    pub saver: Option<WorldSaver>,
    /// Who is let in.
    pub opening: Opening,
}

/// What of a world is written into its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedPart {
    /// All of it, as it is now.
    World,
    /// Its physics profiles alone.
    Profiles,
}

/// A way to write the world of the server on a bus into its file.
#[derive(Clone)]
pub struct WorldSaver(Arc<Save>);

type Save = dyn Fn(Arc<dyn Bus>, SavedPart) -> Result<String, String> + Send + Sync;

impl WorldSaver {
    /// Takes what saves: it returns what happened, or why nothing did, and may wait for the disk.
    pub fn new(
        save: impl Fn(Arc<dyn Bus>, SavedPart) -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(save))
    }

    fn save(&self, bus: Arc<dyn Bus>, part: SavedPart) -> Result<String, String> {
        (self.0)(bus, part)
    }
}

impl fmt::Debug for WorldSaver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorldSaver")
    }
}

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            max_clients: 64,
            write_timeout: Duration::from_secs(10),
            handshake_timeout: Duration::from_secs(10),
            roots: ResourceRoots::new(),
            layout: None,
            saver: None,
            opening: Opening::Machine,
        }
    }
}

/// A server for pages that has its port and waits to be started.
pub struct Host {
    listener: TcpListener,
    address: SocketAddr,
    link: Arc<dyn ServerLink>,
    options: HostOptions,
}

impl Host {
    /// Takes the port; 0 picks a free one.
    ///
    /// # Errors
    /// [`HostError::PortBusy`] when somebody else has it.
    pub fn bind(
        address: SocketAddr,
        link: Arc<dyn ServerLink>,
        options: HostOptions,
    ) -> Result<Self, HostError> {
        let for_machine = matches!(options.opening, Opening::Machine);
        if for_machine && !address.ip().is_loopback() {
            return Err(HostError::NotLoopback { address });
        }
        let listen = || -> io::Result<_> {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        match listen() {
            Ok((address, listener)) => Ok(Self { listener, address, link, options }),
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => {
                Err(HostError::PortBusy { port: address.port() })
            }
            Err(source) => Err(HostError::Io { address, source }),
        }
    }

    /// Returns the address that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves pages on threads of its own until the guard is dropped.
    ///
    /// # Errors
    /// [`HostError::Io`] when the threads can't be started.
    pub fn spawn(self) -> Result<HostGuard, HostError> {
        let address = self.address;
        let failed = |source| HostError::Io { address, source };
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(THREADS).max_blocking_threads(BLOCKING_THREADS);
        let runtime = builder.thread_name("retake-gui").enable_all().build().map_err(failed)?;
        let (stop, stopped) = watch::channel(false);
        let entered = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
        drop(entered);
        let hub = Hub::new(self.link, self.options, address.port(), stopped);
        let (plots, url) = (Arc::clone(&hub.plots), hub.door.url(address));
        runtime.spawn(hub::run(Arc::clone(&hub)));
        runtime.spawn(accept::run(listener, hub));
        Ok(HostGuard { address, url, stop, runtime: Some(runtime), plots })
    }
}

/// Keeps a host running; dropping it closes the pages' connections and frees the port.
///
/// Drop it outside of asynchronous code: it waits for the pages to be told.
pub struct HostGuard {
    address: SocketAddr,
    url: String,
    stop: watch::Sender<bool>,
    runtime: Option<Runtime>,
    plots: Arc<Plots>,
}

impl HostGuard {
    /// Waits until the plots hear all they need; says whether they do.
    pub fn wait_for_plots(&self, timeout: Duration) -> bool {
        self.plots.wait_until_heard(timeout)
    }

    /// Returns where the page is opened.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns the address where the host listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for HostGuard {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(async {
                // Every task holds a receiver; the channel closes when the last one has ended.
                tokio::time::timeout(SHUTDOWN, self.stop.closed()).await.ok();
            });
            runtime.shutdown_background();
        }
    }
}
