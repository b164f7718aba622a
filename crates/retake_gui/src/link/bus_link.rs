//! A link to a server in another process, over the bus.
//!
//! One thread keeps a replica: it takes the full state by a service, follows the deltas, asks for
//! the full state again when one is missing, and starts over when the server is lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use retake_ecm::Registry;
use retake_msgs::{
    Notification, PROTOCOL_VERSION, ServerInfo, ServerInfoRequest, StampedState, StateRequest,
    TimeJumped, UserCmd, UserCmdReply, WorldControl, WorldStatistics, names,
};
use retake_transport::{Bus, ClientChange, Guard, SERVER_CLIENT, typed};
use tokio::sync::{broadcast, watch};

use super::feed::refusal;
use super::replica::{Followed, Replica};
use super::{Connection, Event, Feed, LinkRequest, ReplyFuture, ServerLink, View, WorldTitle};

/// How long the server may take for a reply.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait before the server is looked for again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// How often the server is asked whether it is there when it says nothing.
const CHECK_AFTER: Duration = Duration::from_secs(2);

/// News that may wait for the replica; past it deltas are dropped, and the gap is noticed.
const MAX_NEWS: usize = 1024;

/// Connects to the bus of a server; called again whenever the connection is lost.
type Connect = Box<dyn Fn() -> Result<Arc<dyn Bus>, String> + Send>;

/// A link over the bus.
pub struct BusLink {
    feed: Arc<Feed>,
    server: Arc<Mutex<Option<Server>>>,
}

/// Keeps the replica's thread; dropping it ends the thread.
pub struct BusLinkGuard {
    news: SyncSender<News>,
    thread: Option<JoinHandle<()>>,
}

/// Where requests go.
#[derive(Clone)]
struct Server {
    bus: Arc<dyn Bus>,
    world: String,
}

enum News {
    State(StampedState),
    Stats(WorldStatistics),
    Event(Event),
    ServerGone,
    Stop,
}

impl BusLink {
    /// Starts to keep a replica of the server that `connect` finds.
    ///
    /// The first connection is awaited, so that a missing server is an error at once; later losses
    /// are told to the pages, and the server is looked for until it is back.
    ///
    /// # Errors
    /// A sentence that says why there is no server, or that its thread could not be started.
    pub fn start(
        registry: Arc<Registry>,
        connect: impl Fn() -> Result<Arc<dyn Bus>, String> + Send + 'static,
    ) -> Result<(Self, BusLinkGuard), String> {
        let (send, news) = sync_channel(MAX_NEWS);
        let intake = Intake { send: send.clone(), overflowed: Arc::default() };
        let (mut follower, first) = Follower::connect(registry, Box::new(connect), intake)?;
        let link = Self { feed: Arc::clone(&follower.feed), server: Arc::clone(&follower.server) };
        let run = move || follower.run(&news, first);
        let thread = std::thread::Builder::new().name("retake-replica".to_owned()).spawn(run);
        let thread = thread.map_err(|cause| format!("Could not start a thread: {cause}"))?;
        Ok((link, BusLinkGuard { news: send, thread: Some(thread) }))
    }
}

impl ServerLink for BusLink {
    fn views(&self) -> watch::Receiver<Arc<View>> {
        self.feed.views()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.feed.events()
    }

    fn request(&self, request: LinkRequest) -> ReplyFuture {
        let server = locked(&self.server).clone();
        Box::pin(async move {
            let Some(server) = server else {
                return refusal("The server is not there. Try again when it is back");
            };
            let called = tokio::task::spawn_blocking(move || server.call(request)).await;
            called.unwrap_or_else(|_| refusal("The request failed"))
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

impl Server {
    fn call(&self, request: LinkRequest) -> UserCmdReply {
        let reply = match request {
            LinkRequest::Control(control) => typed::call::<WorldControl, UserCmdReply>(
                &*self.bus,
                &names::control(&self.world),
                &control,
                CALL_TIMEOUT,
            ),
            LinkRequest::Command(command) => typed::call::<UserCmd, UserCmdReply>(
                &*self.bus,
                &names::user_command(&self.world),
                &command,
                CALL_TIMEOUT,
            ),
        };
        reply.unwrap_or_else(|cause| refusal(cause.to_string()))
    }

    fn full_state(&self) -> Result<StampedState, String> {
        let request = StateRequest { since_tick: None };
        typed::call(&*self.bus, &names::state(&self.world), &request, CALL_TIMEOUT)
            .map_err(|cause| cause.to_string())
    }
}

/// What one connection keeps alive.
struct Attached {
    server: Server,
    title: Arc<WorldTitle>,
    _guards: Vec<Guard>,
}

/// The replica's thread.
struct Follower {
    registry: Arc<Registry>,
    connect: Connect,
    intake: Intake,
    feed: Arc<Feed>,
    server: Arc<Mutex<Option<Server>>>,
    replica: Replica,
    stats: WorldStatistics,
}

/// Why following a server ended.
enum Ended {
    Lost(String),
    Stopped,
}

impl Follower {
    fn connect(
        registry: Arc<Registry>,
        connect: Connect,
        intake: Intake,
    ) -> Result<(Self, Attached), String> {
        let attached = attach(&connect, &intake)?;
        let mut replica = Replica::new(&registry);
        let full = attached.server.full_state()?;
        replica.follow(&full).map_err(|cause| cause.to_string())?;
        let view = View {
            world: Arc::clone(&attached.title),
            ecm: replica.ecm.snapshot(),
            stats: WorldStatistics::default(),
            connection: Connection::Connected,
        };
        let feed = Arc::new(Feed::new(view));
        let server = Arc::new(Mutex::new(Some(attached.server.clone())));
        let stats = WorldStatistics::default();
        Ok((Self { registry, connect, intake, feed, server, replica, stats }, attached))
    }

    fn run(&mut self, news: &Receiver<News>, first: Attached) {
        let mut attached = first;
        loop {
            let reason = match self.follow(news, &attached) {
                Ended::Stopped => return,
                Ended::Lost(reason) => reason,
            };
            tracing::info!(reason, "the server is lost");
            *locked(&self.server) = None;
            self.show(&attached.title, Connection::Lost { reason });
            drop(attached);
            attached = match self.reattach(news) {
                Some(attached) => attached,
                None => return,
            };
            *locked(&self.server) = Some(attached.server.clone());
            self.show(&attached.title, Connection::Connected);
        }
    }

    /// Takes news until the server is lost.
    fn follow(&mut self, news: &Receiver<News>, attached: &Attached) -> Ended {
        loop {
            if let Some(complaint) = self.intake.complaint() {
                self.feed.emit(complaint);
            }
            let taken = match news.recv_timeout(CHECK_AFTER) {
                Ok(News::Stop) | Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
                Ok(News::ServerGone) => Err("The server is gone".to_owned()),
                Ok(News::State(state)) => self.take_state(attached, &state),
                Ok(News::Stats(stats)) => {
                    self.stats = stats;
                    Ok(())
                }
                Ok(News::Event(event)) => {
                    self.feed.emit(event);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => server_info(&*attached.server.bus).map(drop),
            };
            match taken {
                Ok(()) => self.show(&attached.title, Connection::Connected),
                Err(reason) => return Ended::Lost(reason),
            }
        }
    }

    fn take_state(&mut self, attached: &Attached, state: &StampedState) -> Result<(), String> {
        if self.replica.follow(state) == Ok(Followed::Gap) {
            tracing::debug!("a delta is missing; taking the full state");
            let full = attached.server.full_state()?;
            self.replica.follow(&full).map_err(|cause| cause.to_string())?;
        }
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
            match self.try_reattach() {
                Ok(attached) => return Some(attached),
                Err(reason) => tracing::debug!(reason, "the server is not back yet"),
            }
        }
    }

    fn try_reattach(&mut self) -> Result<Attached, String> {
        let attached = attach(&self.connect, &self.intake)?;
        let mut replica = Replica::new(&self.registry);
        let full = attached.server.full_state()?;
        replica.follow(&full).map_err(|cause| cause.to_string())?;
        self.replica = replica;
        self.stats = WorldStatistics::default();
        Ok(attached)
    }

    fn show(&self, title: &Arc<WorldTitle>, connection: Connection) {
        let ecm = self.replica.ecm.snapshot();
        let (world, stats) = (Arc::clone(title), self.stats.clone());
        self.feed.publish(View { world, ecm, stats, connection });
    }
}

/// Connects, finds out which world it is and subscribes to its news.
fn attach(connect: &Connect, intake: &Intake) -> Result<Attached, String> {
    let bus = connect()?;
    let info = server_info(&*bus)?;
    if info.protocol_version != PROTOCOL_VERSION {
        return Err(format!(
            "The server speaks protocol {}, this program {PROTOCOL_VERSION}. Use one version of both",
            info.protocol_version
        ));
    }
    let guards = subscribe(&*bus, &info.world, intake).map_err(|cause| cause.to_string())?;
    let title = Arc::new(WorldTitle { name: info.world.clone(), file: info.world_file });
    Ok(Attached { server: Server { bus, world: info.world }, title, _guards: guards })
}

fn server_info(bus: &dyn Bus) -> Result<ServerInfo, String> {
    let request = ServerInfoRequest {};
    typed::call(bus, names::SERVER_INFO, &request, CALL_TIMEOUT).map_err(|cause| cause.to_string())
}

fn subscribe(
    bus: &dyn Bus,
    world: &str,
    intake: &Intake,
) -> Result<Vec<Guard>, retake_transport::BusError> {
    let (states, stats) = (intake.clone(), intake.clone());
    let (notifications, jumps, clients) = (intake.clone(), intake.clone(), intake.clone());
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
struct Intake {
    send: SyncSender<News>,
    overflowed: Arc<AtomicBool>,
}

impl Intake {
    /// Leaves news out when too many wait. A missing delta is noticed as a gap; that events may be
    /// missing is told to the pages.
    fn take(&self, news: News) {
        if self.send.try_send(news).is_err() {
            self.overflowed.store(true, Ordering::Relaxed);
        }
    }

    /// Says once that news were left out.
    fn complaint(&self) -> Option<Event> {
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under this lock can panic half way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
