//! One connection to a server: who it is, and the news that it sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use retake_msgs::{
    EditConflict, LogStatus, Notification, PROTOCOL_VERSION, PendingActions, StampedState,
    TimeJumped, Timeline, UserCmdStats, WorldStatistics, names,
};
use retake_transport::{Bus, BusError, ClientChange, Guard, SERVER_CLIENT, typed};

use super::server::Server;
use super::{Event, WorldTitle};

/// News that may wait for the replica; past it deltas are dropped, and the gap is noticed.
const MAX_NEWS: usize = 1024;

/// Connects to the bus of a server; called again whenever the connection is lost.
pub(super) type Connect = Box<dyn Fn() -> Result<Arc<dyn Bus>, String> + Send>;

/// What a server says, in order.
pub(super) enum News {
    State(StampedState),
    Stats(WorldStatistics),
    History(UserCmdStats),
    Timeline(Timeline),
    Pending(PendingActions),
    Recording(LogStatus),
    Event(Event),
    ServerGone,
    Stop,
}

/// What one connection keeps alive.
pub(super) struct Attached {
    pub(super) server: Arc<Server>,
    pub(super) title: Arc<WorldTitle>,
    pub(super) guards: Vec<Guard>,
}

impl Attached {
    /// Connects, finds out which world it is and subscribes to its news.
    ///
    /// # Errors
    /// A sentence that says why there is no server.
    pub(super) fn new(connect: &Connect, intake: &Intake) -> Result<Self, String> {
        let bus = connect()?;
        let info = Server::info(&*bus)?;
        if info.protocol_version != PROTOCOL_VERSION {
            return Err(format!(
                "The server speaks protocol {}, this program {PROTOCOL_VERSION}. Use one version of both",
                info.protocol_version
            ));
        }
        let guards = subscribe(&*bus, &info.world, intake).map_err(|cause| cause.to_string())?;
        let title = Arc::new(WorldTitle { name: info.world.clone(), file: info.world_file });
        let server = Arc::new(Server { bus, world: info.world });
        Ok(Self { server, title, guards })
    }
}

fn subscribe(bus: &dyn Bus, world: &str, intake: &Intake) -> Result<Vec<Guard>, BusError> {
    let (states, stats, history) = (intake.clone(), intake.clone(), intake.clone());
    let (notifications, jumps, clients) = (intake.clone(), intake.clone(), intake.clone());
    let (pending, conflicts, recording) = (intake.clone(), intake.clone(), intake.clone());
    let timeline = intake.clone();
    let gone = move |change: &ClientChange| {
        if matches!(change, ClientChange::Went(client) if client.name == SERVER_CLIENT) {
            clients.take(News::ServerGone);
        }
    };
    Ok(vec![
        typed::subscribe(bus, &names::state_delta(world), move |state: StampedState| {
            states.take(News::State(state));
        })?,
        typed::subscribe(bus, &names::stats(world), move |new: WorldStatistics| {
            stats.take(News::Stats(new));
        })?,
        typed::subscribe(bus, &names::history(world), move |new: UserCmdStats| {
            history.take(News::History(new));
        })?,
        typed::subscribe(bus, &names::timeline(world), move |new: Timeline| {
            timeline.take(News::Timeline(new));
        })?,
        typed::subscribe(bus, &names::pending(world), move |new: PendingActions| {
            pending.take(News::Pending(new));
        })?,
        typed::subscribe(bus, &names::log_status(world), move |new: LogStatus| {
            recording.take(News::Recording(new));
        })?,
        typed::subscribe(bus, &names::conflicts(world), move |new: EditConflict| {
            conflicts.take(News::Event(Event::Conflict(Box::new(new))));
        })?,
        typed::subscribe(bus, &names::notifications(world), move |new: Notification| {
            notifications.take(News::Event(Event::Notification(new)));
        })?,
        typed::subscribe(bus, &names::time_jumped(world), move |new: TimeJumped| {
            jumps.take(News::Event(Event::TimeJumped(new)));
        })?,
        bus.watch_clients(Arc::new(gone))?,
    ])
}

/// Takes news on the bus's threads, which must not wait for the replica.
#[derive(Clone)]
pub(super) struct Intake {
    send: SyncSender<News>,
    overflowed: Arc<AtomicBool>,
}

impl Intake {
    /// Makes the queue of news, with its reader and the sender that stops the reader.
    pub(super) fn new() -> (Self, SyncSender<News>, Receiver<News>) {
        let (send, news) = sync_channel(MAX_NEWS);
        (Self { send: send.clone(), overflowed: Arc::default() }, send, news)
    }

    /// Leaves news out when too many wait. A missing delta is noticed as a gap; that events may be
    /// missing is told to the pages.
    pub(super) fn take(&self, news: News) {
        if self.send.try_send(news).is_err() {
            self.overflowed.store(true, Ordering::Relaxed);
        }
    }

    /// Says once that news were left out.
    pub(super) fn complaint(&self) -> Option<Event> {
        let text = "This program could not keep up with the server; some messages were lost";
        self.overflowed.swap(false, Ordering::Relaxed).then(|| {
            Event::Notification(Notification {
                level: retake_msgs::notification::Level::Warning.into(),
                text: text.to_owned(),
                ..Notification::default()
            })
        })
    }
}
