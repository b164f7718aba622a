//! A log as a host sees it: in place of a server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use retake_ecm::Registry;
use retake_log::{Log, LogStates};
use retake_msgs::notification::Level;
use retake_msgs::{
    LogStatus, Notification, PendingActions, PlaybackFile, TimeJumped, Timeline, UserCmdReply,
    UserCmdStats,
};
use retake_transport::Bus;
use tokio::sync::{broadcast, oneshot, watch};

use super::file;
use super::player::Player;
use crate::link::{
    Connection, Event, Feed, LinkRequest, ReplyFuture, ServerLink, Shown, View, WorldTitle,
};

/// Requests that may wait; further ones are refused at once.
const MAX_WAITING: usize = 256;
/// How often a log that plays is shown.
const PERIOD: Duration = Duration::from_micros(16_666);
/// How often one that stands is looked after.
const IDLE: Duration = Duration::from_millis(500);

/// A log in place of a server.
pub struct LogLink {
    log: Arc<Log>,
    feed: Arc<Feed>,
    requests: SyncSender<Asked>,
}

/// Keeps the thread that plays; dropping it ends the thread.
pub struct LogLinkGuard {
    requests: SyncSender<Asked>,
    thread: Option<JoinHandle<()>>,
}

enum Asked {
    Request(Box<LinkRequest>, oneshot::Sender<UserCmdReply>),
    Stop,
}

impl LogLink {
    /// Shows a log from its first state on, paused. `files` says where files are that were
    /// elsewhere when it was recorded.
    ///
    /// # Errors
    /// A sentence that says what of it cannot be read.
    pub fn start(
        log: Arc<Log>,
        path: &Path,
        registry: Arc<Registry>,
        files: BTreeMap<PathBuf, PathBuf>,
    ) -> Result<(Self, LogLinkGuard), String> {
        let states = LogStates::new(Arc::clone(&log), registry);
        let player = Player::new(Arc::clone(&log), states, files);
        let player = player.map_err(|error| error.to_string())?;
        let title =
            WorldTitle { name: log.facts().world.clone(), file: path.display().to_string() };
        let mut stage = Stage {
            player,
            title: Arc::new(title),
            file: Arc::new(file::describe(&log, path)),
            feed: None,
            history: Arc::default(),
            timeline: Arc::default(),
            pending: Arc::default(),
            recording: Arc::default(),
        };
        let feed = Arc::new(Feed::new(stage.view()));
        stage.feed = Some(Arc::clone(&feed));
        let (requests, asked) = sync_channel(MAX_WAITING);
        let run = move || stage.run(&asked);
        let thread = std::thread::Builder::new().name("retake-playback".to_owned()).spawn(run);
        let thread = thread.map_err(|cause| format!("Could not start a thread: {cause}"))?;
        let guard = LogLinkGuard { requests: requests.clone(), thread: Some(thread) };
        Ok((Self { log, feed, requests }, guard))
    }
}

impl ServerLink for LogLink {
    fn views(&self) -> watch::Receiver<Arc<View>> {
        self.feed.views()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.feed.events()
    }

    fn bus(&self) -> Option<Arc<dyn Bus>> {
        None
    }

    fn log(&self) -> Option<Arc<Log>> {
        Some(Arc::clone(&self.log))
    }

    fn request(&self, request: LinkRequest) -> ReplyFuture {
        let (send, reply) = oneshot::channel();
        let refused = |text: &str| -> ReplyFuture {
            Box::pin(std::future::ready(UserCmdReply::refused(text)))
        };
        match self.requests.try_send(Asked::Request(Box::new(request), send)) {
            Ok(()) => Box::pin(async move {
                let gone = || UserCmdReply::refused("The log is not shown any more");
                reply.await.unwrap_or_else(|_| gone())
            }),
            Err(TrySendError::Full(_)) => refused("Too many requests wait. Try again in a moment"),
            Err(TrySendError::Disconnected(_)) => refused("The log is not shown any more"),
        }
    }
}

impl Drop for LogLinkGuard {
    fn drop(&mut self) {
        // An error means that the thread is already gone.
        self.requests.send(Asked::Stop).ok();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the playback's thread panicked");
        }
    }
}

/// The thread that plays.
struct Stage {
    player: Player,
    title: Arc<WorldTitle>,
    file: Arc<PlaybackFile>,
    feed: Option<Arc<Feed>>,
    /// What a log has none of; one for all views, so that nobody is told of a change.
    history: Arc<UserCmdStats>,
    timeline: Arc<Timeline>,
    pending: Arc<PendingActions>,
    recording: Arc<LogStatus>,
}

impl Stage {
    fn run(mut self, asked: &Receiver<Asked>) {
        let mut last = Instant::now();
        loop {
            let wait = match self.player.playing() {
                true => PERIOD.saturating_sub(last.elapsed()),
                false => IDLE,
            };
            match asked.recv_timeout(wait) {
                Ok(Asked::Request(request, reply)) => {
                    // Time up to now belongs to how it was played so far.
                    self.pass(&mut last);
                    let done = self.answer(&request);
                    self.show();
                    // An error means that the page is gone.
                    reply.send(done).ok();
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.player.playing() {
                        self.pass(&mut last);
                        self.show();
                    }
                }
                Ok(Asked::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            }
            if !self.player.playing() {
                last = Instant::now();
            }
        }
    }

    fn pass(&mut self, last: &mut Instant) {
        let elapsed = last.elapsed();
        *last = Instant::now();
        let before = self.player.shown();
        match self.player.advance(elapsed) {
            Ok(jumps) => {
                jumps.into_iter().for_each(|jump| self.tell(Event::TimeJumped(jump)));
                let after = self.player.shown();
                if after.at_secs < before.at_secs {
                    // It begins anew.
                    self.tell(Event::TimeJumped(sought(&before, &after)));
                }
            }
            Err(reason) => {
                self.stop_playing();
                self.complain(reason);
            }
        }
    }

    fn stop_playing(&mut self) {
        let pause = retake_msgs::PlaybackControl { play: Some(false), ..Default::default() };
        // It cannot be refused: nothing is read for it.
        self.player.control(&pause).ok();
    }

    fn answer(&mut self, request: &LinkRequest) -> UserCmdReply {
        let before = self.player.shown();
        let done = match request {
            LinkRequest::Control(control) => self.player.control_world(control),
            LinkRequest::Playback(control) => self.player.control(control),
            LinkRequest::LogStart(_) | LinkRequest::LogStop(_) => {
                Err("A recording is shown; there is nothing to record".to_owned())
            }
            _ => Err("A recording cannot be edited. Go on from here with: retake run --resume"
                .to_owned()),
        };
        let after = self.player.shown();
        if done.is_ok() && before.epoch != after.epoch {
            self.tell(Event::TimeJumped(sought(&before, &after)));
        }
        match done {
            Ok(()) => UserCmdReply::done(""),
            Err(reason) => UserCmdReply::refused(reason),
        }
    }

    fn show(&mut self) {
        let view = self.view();
        if let Some(feed) = &self.feed {
            feed.publish(view);
        }
    }

    fn view(&mut self) -> View {
        let (ecm, stats, at) = (self.player.ecm(), self.player.stats(), self.player.shown());
        View {
            world: Arc::clone(&self.title),
            ecm,
            stats,
            history: Arc::clone(&self.history),
            timeline: Arc::clone(&self.timeline),
            pending: Arc::clone(&self.pending),
            recording: Arc::clone(&self.recording),
            playback: Some(Arc::new(Shown { file: Arc::clone(&self.file), at })),
            connection: Connection::Connected,
        }
    }

    fn complain(&self, text: String) {
        let level = Level::Error.into();
        self.tell(Event::Notification(Notification { level, text, ..Notification::default() }));
    }

    fn tell(&self, event: Event) {
        if let Some(feed) = &self.feed {
            feed.emit(event);
        }
    }
}

/// What pages hear when a seek leads to another stretch.
fn sought(before: &retake_msgs::Playback, after: &retake_msgs::Playback) -> TimeJumped {
    let time = |secs: f64| Some(retake_math::SimTime::from_secs_f64(secs).into());
    TimeJumped {
        from: time(before.sim_secs),
        to: time(after.sim_secs),
        cause: "seek".to_owned(),
        epoch: after.epoch,
        parent_epoch: before.epoch,
        ..TimeJumped::default()
    }
}
