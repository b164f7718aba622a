//! How a host sees its server, wherever that runs.

mod attach;
mod bus_link;
mod desk;
mod feed;
mod follower;
mod replica;
mod requests;
mod seat;
mod server;
mod text_commands;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use retake_ecm::EcmSnapshot;
use retake_log::Log;
use retake_msgs::{
    DiscardAction, EditConflict, LogStart, LogStatus, LogStop, Notification, Past, PastRequest,
    PendingActions, PhysicsProfilesRequest, Playback, PlaybackControl, PlaybackFile,
    TextCommandFired, TimeJumped, Timeline, TimelineEdit, UndoRedo, UndoSettings, UserCmd,
    UserCmdReply, UserCmdStats, WorldControl, WorldStatistics,
};
use retake_transport::Bus;
use tokio::sync::{broadcast, watch};

pub use bus_link::{BusLink, BusLinkGuard};
pub use feed::{Feed, FeedLink, ReplyTo, ShowTo};
pub use server::log_reply;
pub use text_commands::text_command;

/// The server, as a host sees it.
pub trait ServerLink: Send + Sync + 'static {
    /// Returns the views of the world; only the newest is kept.
    fn views(&self) -> watch::Receiver<Arc<View>>;

    /// Returns the events from now on. A reader that falls behind is told so and cut off.
    fn events(&self) -> broadcast::Receiver<Event>;

    /// Returns how the server knows this GUI, when it has an Ecm of its own.
    fn gui(&self) -> Option<u64> {
        None
    }

    /// Returns the bus that the server is on, while it is there.
    fn bus(&self) -> Option<Arc<dyn Bus>>;

    /// Returns the log that is shown in place of a world.
    fn log(&self) -> Option<Arc<Log>> {
        None
    }

    /// Returns the folders that a server in another process takes files from. It may wait for the
    /// answer.
    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Sends a request; the reply says what happened or why nothing did.
    ///
    /// Requests reach the server in the order of these calls, whenever the replies are awaited.
    fn request(&self, request: LinkRequest) -> ReplyFuture;

    /// Asks how the world was. It does not keep requests waiting.
    fn look_back(&self, request: PastRequest) -> PastFuture {
        drop(request);
        let refused = Err("There is no timeline to look back in".to_owned());
        Box::pin(std::future::ready(refused))
    }
}

/// The world as it was.
#[derive(Clone)]
pub struct PastView {
    /// Its entities.
    pub ecm: EcmSnapshot,
    /// When, and what else is known; without the entities.
    pub at: Past,
}

/// The world as it was, later; or why it cannot be shown.
pub type PastFuture = Pin<Box<dyn Future<Output = Result<PastView, String>> + Send>>;

/// The reply to a request, later.
pub type ReplyFuture = Pin<Box<dyn Future<Output = UserCmdReply> + Send>>;

/// The world at one instant.
#[derive(Clone)]
pub struct View {
    /// Which world it is.
    pub world: Arc<WorldTitle>,
    /// Its state.
    pub ecm: EcmSnapshot,
    /// Its statistics.
    pub stats: WorldStatistics,
    /// What can be undone and redone; the same `Arc` until it changes.
    pub history: Arc<UserCmdStats>,
    /// What is kept of the past; the same `Arc` until it changes.
    pub timeline: Arc<Timeline>,
    /// What GUIs hold until the world goes on; the same `Arc` until it changes.
    pub pending: Arc<PendingActions>,
    /// What is recorded.
    pub recording: Arc<LogStatus>,
    /// The log that the view is of; none of a world that runs.
    pub playback: Option<Arc<Shown>>,
    /// Whether the server is there.
    pub connection: Connection,
}

/// A log that is being shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What does not change while it plays; the same `Arc` for as long as that holds.
    pub file: Arc<PlaybackFile>,
    /// Where it is.
    pub at: Playback,
}

/// Which world it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldTitle {
    /// Name of the world.
    pub name: String,
    /// File it comes from, as the user named it.
    pub file: String,
}

/// Whether the server is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It is.
    Connected,
    /// It is not, and the view is the last one seen.
    Lost {
        /// Why, for people to read.
        reason: String,
    },
}

/// What every page is told at once, and in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Something that people should know.
    Notification(Notification),
    /// The world went to another time.
    TimeJumped(TimeJumped),
    /// Two clients gave one field different values.
    Conflict(Box<EditConflict>),
    /// The time of a text command of a motion has come.
    TextCommand(Box<TextCommandFired>),
}

/// What a page asks of the server.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkRequest {
    /// Play, pause, step.
    Control(WorldControl),
    /// An edit.
    Command(UserCmd),
    /// Undo, redo, or a jump to any command.
    UndoRedo(UndoRedo),
    /// How much of the past is kept.
    UndoSettings(UndoSettings),
    /// Bookmarks, names and limits of the timeline.
    EditTimeline(TimelineEdit),
    /// The physics profiles and the values in force.
    Physics(PhysicsProfilesRequest),
    /// An action that is held here is to be dropped.
    Discard(DiscardAction),
    /// A recording is to begin.
    LogStart(LogStart),
    /// The recording is to end.
    LogStop(LogStop),
    /// Play, pause, seek in the log that is shown.
    Playback(PlaybackControl),
}
