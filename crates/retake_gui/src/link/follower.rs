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

use retake_assets::ResourceRoots;
use retake_ecm::Registry;
use retake_msgs::{Notification, StampedState, WorldStatistics};
use retake_sim::Editor;

use super::attach::{Attached, Connect, Intake, News};
use super::desk::{Desk, Papers};
use super::replica::{Followed, Replica, Resync};
use super::requests::{CurrentServer, Requests};
use super::server::Server;
use super::text_commands::TextCommands;
use super::{Event, seat};
use crate::GuiUserCommands;
use crate::lock::locked;

/// How long to wait before the server is looked for again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// How often the server is asked whether it is there when it says nothing.
const CHECK_AFTER: Duration = Duration::from_secs(2);

/// The replica's thread.
pub(super) struct Follower {
    registry: Arc<Registry>,
    roots: ResourceRoots,
    /// By it a server knows this GUI again.
    token: String,
    connect: Connect,
    intake: Intake,
    pub(super) desk: Arc<Desk>,
    pub(super) server: CurrentServer,
    requests: Requests,
    replica: Replica,
    resync: Resync,
    text_commands: TextCommands,
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
        roots: ResourceRoots,
        connect: Connect,
        intake: Intake,
    ) -> Result<(Self, Attached), String> {
        let mut attached = Attached::new(&connect, &intake)?;
        let replica = joined(&registry, &attached.server)?;
        let editor = editor(&roots, &attached.server);
        let commands = GuiUserCommands::new(editor, replica.ecm.snapshot());
        let desk = Arc::new(Desk::new(Papers::new(Arc::clone(&attached.title), commands)));
        let server = Arc::new(Mutex::new(Some(Arc::clone(&attached.server))));
        let requests = Requests::start(Arc::clone(&server), Arc::clone(&desk))?;
        let (resync, token) = (Resync::default(), uuid::Uuid::now_v7().to_string());
        let follower = Self {
            registry,
            roots,
            token,
            connect,
            intake,
            desk,
            server,
            requests,
            replica,
            resync,
            text_commands: TextCommands::default(),
        };
        follower.sit_down(&mut attached)?;
        Ok((follower, attached))
    }

    /// Returns where requests of pages go.
    pub(super) fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Makes this GUI known to the server, and shows what the server has.
    fn sit_down(&self, attached: &mut Attached) -> Result<(), String> {
        let history = attached.server.history()?;
        let (base, tick) = (self.replica.ecm.snapshot(), self.replica.tick());
        match seat::take(&attached.server, &self.desk, &attached.title, &self.token) {
            Ok((guards, lost)) => {
                attached.guards.extend(guards);
                if lost > 0 {
                    let text = format!(
                        "{lost} actions were meant for another run of the server and are gone"
                    );
                    self.desk.feed.emit(warning(text));
                }
            }
            Err(reason) => {
                let text = format!("Edits go to the server at once, also while paused: {reason}");
                self.desk.feed.emit(warning(text));
            }
        }
        // An older server has none.
        let pending = attached.server.pending().unwrap_or_default();
        let recording = attached.server.recording().unwrap_or_default();
        let timeline = attached.server.timeline().unwrap_or_default();
        self.desk.change(|papers| {
            papers.stats = WorldStatistics::default();
            papers.follow_history(history);
            papers.follow_pending(pending);
            papers.recording = Arc::new(recording);
            papers.timeline = Arc::new(timeline);
            papers.follow(base, tick);
        });
        Ok(())
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
        }
    }

    /// Takes news until the server is lost.
    fn follow(&mut self, news: &Receiver<News>, attached: &Attached) -> Ended {
        self.text_commands = TextCommands::default();
        loop {
            self.text_commands.follow(&self.replica.ecm, &*attached.server.bus, &self.intake);
            if let Some(complaint) = self.intake.complaint() {
                self.desk.feed.emit(complaint);
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
            return self.take_full(attached).map_err(Ended::Lost);
        }
        match news.recv_timeout(due_in.unwrap_or(CHECK_AFTER)) {
            Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return Err(Ended::Stopped),
            Ok(News::ServerGone) => return Err(Ended::Lost("The server is gone".to_owned())),
            Ok(News::State(state)) => self.take_state(&state),
            Ok(News::Stats(stats)) => self.take_stats(stats),
            Ok(News::History(history)) => {
                self.desk.change(|papers| papers.follow_history(history));
            }
            Ok(News::Timeline(timeline)) => {
                self.desk.change(|papers| papers.timeline = Arc::new(timeline));
            }
            Ok(News::Pending(pending)) => {
                self.desk.change(|papers| papers.follow_pending(pending));
            }
            Ok(News::Recording(status)) => {
                self.desk.change(|papers| papers.recording = Arc::new(status));
            }
            Ok(News::Event(event)) => self.desk.feed.emit(event),
            Err(RecvTimeoutError::Timeout) if due_in.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                Server::info(&*attached.server.bus).map_err(Ended::Lost)?;
            }
        }
        Ok(())
    }

    /// Takes statistics. A world that starts or stops is shown with or without what is held here.
    fn take_stats(&self, stats: WorldStatistics) {
        let (base, tick) = (self.replica.ecm.snapshot(), self.replica.tick());
        self.desk.change(|papers| {
            let turned = papers.stats.paused != stats.paused;
            papers.stats = stats;
            if turned {
                papers.follow(base, tick);
            }
        });
        if self.desk.is_late() {
            // The world went on before the server heard of them.
            self.requests.hand_over();
        }
    }

    /// Takes a state of the stream; what does not fit makes the full state wanted.
    fn take_state(&mut self, state: &StampedState) {
        if self.resync.due_in(Instant::now()).is_some() {
            // The full state that is about to be asked for has this in it.
            return;
        }
        match self.replica.follow(state) {
            Ok(Followed::Applied) => {
                let (base, tick) = (self.replica.ecm.snapshot(), self.replica.tick());
                let changed = state.state.as_ref().is_some_and(|state| !state.entities.is_empty());
                self.desk.change(|papers| match changed {
                    true => papers.follow(base, tick),
                    false => papers.arrive(tick),
                });
            }
            Ok(Followed::Known) => {}
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
        let history = attached.server.history()?;
        self.replica.join(&full).map_err(|cause| cause.to_string())?;
        let (base, tick) = (self.replica.ecm.snapshot(), self.replica.tick());
        self.desk.change(|papers| {
            papers.follow_history(history);
            papers.follow(base, tick);
        });
        Ok(())
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
        let mut attached = Attached::new(&self.connect, &self.intake)?;
        self.replica = joined(&self.registry, &attached.server)?;
        self.resync = Resync::default();
        let editor = editor(&self.roots, &attached.server);
        self.desk.change(|papers| papers.edit_with(editor));
        self.sit_down(&mut attached)?;
        Ok(attached)
    }

    /// Refuses requests from now on and tells the pages, which keep what they saw last.
    ///
    /// The replica itself is not looked at: it may be what failed.
    fn show_lost(&self, reason: String) {
        *locked(&self.server) = None;
        self.desk.show_lost(reason);
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.show_lost("This program does not follow the server any more. Restart it".to_owned());
    }
}

/// Makes an editor that finds files where the server does.
fn editor(own: &ResourceRoots, server: &Server) -> Editor {
    // Its folders come first and in its order, so that a name means what it means there. A server on
    // another machine has other folders, which hold nothing here.
    let folders = server.folders();
    Editor::new(folders.iter().rev().fold(own.clone(), |roots, folder| roots.with_first(folder)))
}

/// Makes a replica from a server's full state.
fn joined(registry: &Arc<Registry>, server: &Server) -> Result<Replica, String> {
    let mut replica = Replica::new(registry);
    replica.join(&server.full_state()?).map_err(|cause| cause.to_string())?;
    Ok(replica)
}

fn warning(text: String) -> Event {
    let level = retake_msgs::notification::Level::Warning.into();
    Event::Notification(Notification { level, text, ..Notification::default() })
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
