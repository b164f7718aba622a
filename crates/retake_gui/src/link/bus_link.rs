//! A link to a server in another process, over the bus.
//!
//! One thread keeps a replica, another sends the requests in order.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;

use retake_assets::ResourceRoots;
use retake_ecm::{Ecm, Registry};
use retake_msgs::PastRequest;
use retake_transport::Bus;
use tokio::sync::{broadcast, watch};

use super::attach::{Intake, News};
use super::desk::Desk;
use super::follower::Follower;
use super::requests::Requests;
use super::{Event, LinkRequest, PastFuture, PastView, ReplyFuture, ServerLink, View};

/// A link over the bus.
pub struct BusLink {
    registry: Arc<Registry>,
    desk: Arc<Desk>,
    requests: Requests,
}

/// Keeps the replica's thread; dropping it ends the thread.
pub struct BusLinkGuard {
    news: SyncSender<News>,
    thread: Option<JoinHandle<()>>,
}

impl BusLink {
    /// Starts to keep a replica of the server that `connect` finds. What is inserted while paused
    /// may take files from `roots` and from the server's own folders.
    ///
    /// The first connection is awaited, so that a missing server is an error at once; later losses
    /// are told to the pages, and the server is looked for until it is back.
    ///
    /// # Errors
    /// A sentence that says why there is no server, or that its thread could not be started.
    pub fn start(
        registry: Arc<Registry>,
        roots: ResourceRoots,
        connect: impl Fn() -> Result<Arc<dyn Bus>, String> + Send + 'static,
    ) -> Result<(Self, BusLinkGuard), String> {
        let (intake, stop, news) = Intake::new();
        let connect = Box::new(connect);
        let (mut follower, first) =
            Follower::connect(Arc::clone(&registry), roots, connect, intake)?;
        let (desk, requests) = (Arc::clone(&follower.desk), follower.requests().clone());
        let link = Self { registry, desk, requests };
        let run = move || follower.run(&news, first);
        let thread = std::thread::Builder::new().name("retake-replica".to_owned()).spawn(run);
        let thread = thread.map_err(|cause| format!("Could not start a thread: {cause}"))?;
        Ok((link, BusLinkGuard { news: stop, thread: Some(thread) }))
    }
}

impl ServerLink for BusLink {
    fn views(&self) -> watch::Receiver<Arc<View>> {
        self.desk.feed.views()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.desk.feed.events()
    }

    fn gui(&self) -> Option<u64> {
        self.desk.gui()
    }

    fn bus(&self) -> Option<Arc<dyn Bus>> {
        self.requests.bus()
    }

    fn folders(&self) -> Vec<PathBuf> {
        self.requests.folders()
    }

    fn request(&self, request: LinkRequest) -> ReplyFuture {
        self.requests.send(request)
    }

    fn look_back(&self, request: PastRequest) -> PastFuture {
        let (requests, registry) = (self.requests.clone(), Arc::clone(&self.registry));
        let look = move || {
            // All of it, because the page compares it with all of the present.
            let request = PastRequest { full: true, ..request };
            let mut past = requests.past(&request)?;
            let mut ecm = Ecm::new(registry);
            let state = past.state.take().unwrap_or_default();
            ecm.apply(&state).map_err(|error| error.to_string())?;
            Ok(PastView { ecm: ecm.snapshot(), at: past })
        };
        Box::pin(async {
            let looked = tokio::task::spawn_blocking(look).await;
            looked.unwrap_or_else(|_| Err("The look back failed".to_owned()))
        })
    }
}

impl Drop for BusLinkGuard {
    fn drop(&mut self) {
        // An error means that the thread is already gone.
        self.news.send(News::Stop).ok();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the replica's thread panicked");
        }
    }
}
