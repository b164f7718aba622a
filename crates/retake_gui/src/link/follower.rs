//! The thread that keeps a replica of a server in another process.
//!
//! It takes the full state by a service, follows the deltas, asks for the full state again when one
//! does not fit, and starts over when the server is lost or the replica fails. When it ends, for
//! whatever reason, the pages are told so.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use retake_ecm::Registry;
use retake_msgs::{StampedState, UserCmdStats, WorldStatistics};

use super::attach::{Attached, Connect, Intake, News};
use super::replica::{Followed, Replica, Resync};
use super::requests::CurrentServer;
use super::server::Server;
use super::{Connection, Feed, View, WorldTitle};
use crate::lock::locked;

/// How long to wait before the server is looked for again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// How often the server is asked whether it is there when it says nothing.
const CHECK_AFTER: Duration = Duration::from_secs(2);

/// The replica's thread.
pub(super) struct Follower {
    registry: Arc<Registry>,
    connect: Connect,
    intake: Intake,
    pub(super) feed: Arc<Feed>,
    pub(super) server: CurrentServer,
    replica: Replica,
    resync: Resync,
    stats: WorldStatistics,
    history: Arc<UserCmdStats>,
}

/// Why following a server ended.
enum Ended {
    Lost(String),
    Stopped,
}

impl Follower {
    /// Connects for the first time.
    ///
    /// # Errors
    /// A sentence that says why there is no server.
    pub(super) fn connect(
        registry: Arc<Registry>,
        connect: Connect,
        intake: Intake,
    ) -> Result<(Self, Attached), String> {
        let attached = Attached::new(&connect, &intake)?;
        let replica = joined(&registry, &attached.server)?;
        let stats = WorldStatistics::default();
        let history = Arc::new(attached.server.history()?);
        let view = View {
            world: Arc::clone(&attached.title),
            ecm: replica.ecm.snapshot(),
            stats: stats.clone(),
            history: Arc::clone(&history),
            connection: Connection::Connected,
        };
        let feed = Arc::new(Feed::new(view));
        let server = Arc::new(Mutex::new(Some(Arc::clone(&attached.server))));
        let resync = Resync::default();
        let follower =
            Self { registry, connect, intake, feed, server, replica, resync, stats, history };
        Ok((follower, attached))
    }

    /// Follows the server until told to stop.
    pub(super) fn run(&mut self, news: &Receiver<News>, first: Attached) {
        let mut attached = first;
        loop {
            let failed = |text| Ended::Lost(format!("The copy of the world failed: {text}"));
            let ended = caught(|| self.follow(news, &attached)).unwrap_or_else(failed);
            let reason = match ended {
                Ended::Stopped => return,
                Ended::Lost(reason) => reason,
            };
            tracing::info!(reason, "the server is lost");
            self.show_lost(reason);
            drop(attached);
            attached = match self.reattach(news) {
                Some(attached) => attached,
                None => return,
            };
            *locked(&self.server) = Some(Arc::clone(&attached.server));
            self.show(&attached.title);
        }
    }

    /// Takes news until the server is lost.
    fn follow(&mut self, news: &Receiver<News>, attached: &Attached) -> Ended {
        loop {
            if let Some(complaint) = self.intake.complaint() {
                self.feed.emit(complaint);
                // Deltas show their gaps, the history does not.
                self.resync.want();
            }
            if let Err(ended) = self.advance(news, attached) {
                return ended;
            }
        }
    }

    /// Takes the full state if it is time for it, else the next news.
    fn advance(&mut self, news: &Receiver<News>, attached: &Attached) -> Result<(), Ended> {
        let due_in = self.resync.due_in(Instant::now());
        if due_in == Some(Duration::ZERO) {
            self.take_full(attached).map_err(Ended::Lost)?;
            self.show(&attached.title);
            return Ok(());
        }
        match news.recv_timeout(due_in.unwrap_or(CHECK_AFTER)) {
            Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return Err(Ended::Stopped),
            Ok(News::ServerGone) => return Err(Ended::Lost("The server is gone".to_owned())),
            Ok(News::State(state)) => self.take_state(&state),
            Ok(News::Stats(stats)) => self.stats = stats,
            Ok(News::History(history)) => self.history = Arc::new(history),
            Ok(News::Event(event)) => {
                self.feed.emit(event);
                return Ok(());
            }
            Err(RecvTimeoutError::Timeout) if due_in.is_some() => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                Server::info(&*attached.server.bus).map_err(Ended::Lost)?;
            }
        }
        self.show(&attached.title);
        Ok(())
    }

    /// Takes a state of the stream; what does not fit makes the full state wanted.
    fn take_state(&mut self, state: &StampedState) {
        if self.resync.due_in(Instant::now()).is_some() {
            // The full state that is about to be asked for has this in it.
            return;
        }
        match self.replica.follow(state) {
            Ok(Followed::Applied | Followed::Known) => {}
            Ok(Followed::Gap) => {
                tracing::debug!("a delta does not fit; the full state is taken");
                self.resync.want();
            }
            Err(cause) => {
                tracing::warn!(%cause, "a delta cannot be used; the full state is taken");
                self.resync.want();
            }
        }
    }

    fn take_full(&mut self, attached: &Attached) -> Result<(), String> {
        self.resync.begin(Instant::now());
        let full = attached.server.full_state()?;
        self.history = Arc::new(attached.server.history()?);
        self.replica.join(&full).map_err(|cause| cause.to_string())
    }

    /// Looks for the server until it is back; none when told to stop.
    fn reattach(&mut self, news: &Receiver<News>) -> Option<Attached> {
        loop {
            // News of the old connection mean nothing any more; only the order to stop does.
            match news.recv_timeout(RETRY_AFTER) {
                Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => {}
            }
            match caught(|| self.try_reattach()).flatten() {
                Ok(attached) => return Some(attached),
                Err(reason) => tracing::debug!(reason, "the server is not back yet"),
            }
        }
    }

    fn try_reattach(&mut self) -> Result<Attached, String> {
        let attached = Attached::new(&self.connect, &self.intake)?;
        self.replica = joined(&self.registry, &attached.server)?;
        self.resync = Resync::default();
        self.stats = WorldStatistics::default();
        self.history = Arc::new(attached.server.history()?);
        Ok(attached)
    }

    fn show(&self, title: &Arc<WorldTitle>) {
        let ecm = self.replica.ecm.snapshot();
        let (world, stats) = (Arc::clone(title), self.stats.clone());
        let (history, connection) = (Arc::clone(&self.history), Connection::Connected);
        self.feed.publish(View { world, ecm, stats, history, connection });
    }

    /// Refuses requests from now on and tells the pages, which keep what they saw last.
    ///
    /// The replica itself is not looked at: it may be what failed.
    fn show_lost(&self, reason: String) {
        *locked(&self.server) = None;
        let connection = Connection::Lost { reason };
        self.feed.publish(View { connection, ..View::clone(&self.feed.view()) });
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.show_lost("This program does not follow the server any more. Restart it".to_owned());
    }
}

/// Makes a replica from a server's full state.
fn joined(registry: &Arc<Registry>, server: &Server) -> Result<Replica, String> {
    let mut replica = Replica::new(registry);
    replica.join(&server.full_state()?).map_err(|cause| cause.to_string())?;
    Ok(replica)
}

/// Runs `work`; a panic comes back as its text.
///
/// What the panic left half done must be made anew before it is looked at.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(&*panic))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied()).unwrap_or("no reason given").to_owned()
}
