//! What all sessions share, and the task that makes their broadcasts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::body::Bytes;
use retake_components::fields::component_fields;
use retake_msgs::Clients;
use retake_msgs::host_message::Message as Body;
use tokio::sync::{Semaphore, watch};

use super::HostOptions;
use super::door::Door;
use super::mesh::MeshCache;
use crate::link::{ServerLink, View};
use crate::lock::locked;
use crate::plots::Plots;
use crate::stream::{Broadcast, FRAME, Pacer};
use crate::teaching::Teaching;
use crate::topics::Topics;
use crate::wire;

/// Shared by every session of a host.
pub(super) struct Hub {
    pub(super) link: Arc<dyn ServerLink>,
    pub(super) options: HostOptions,
    pub(super) door: Door,
    pub(super) stopped: watch::Receiver<bool>,
    pub(super) places: Arc<Semaphore>,
    /// Pictures and tables of plots are made one after the other: a large one takes much memory.
    pub(super) drawing: Semaphore,
    pub(super) meshes: MeshCache,
    pub(super) plots: Arc<Plots>,
    pub(super) teaching: Arc<Teaching>,
    pub(super) topics: Arc<Topics>,
    /// The message that says what can be edited.
    pub(super) fields: Bytes,
    broadcasts: watch::Sender<Broadcast>,
    /// Counts arrivals, so that the broadcaster wakes up for each.
    arrivals: watch::Sender<u64>,
    names: watch::Sender<Vec<(u64, String)>>,
    next_client: AtomicU64,
    full: Mutex<Option<(Arc<View>, Bytes)>>,
}

impl Hub {
    pub(super) fn new(
        link: Arc<dyn ServerLink>,
        options: HostOptions,
        port: u16,
        stopped: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let view = Arc::clone(&link.views().borrow());
        let (broadcasts, _) = watch::channel(Pacer::new(&view, Instant::now()).newest());
        Arc::new(Self {
            places: Arc::new(Semaphore::new(options.max_clients)),
            drawing: Semaphore::new(1),
            plots: Plots::start(&link, options.layout.clone()),
            teaching: Teaching::start(&link),
            topics: Topics::new(Arc::clone(&link)),
            door: Door::new(options.opening.clone(), port),
            link,
            options,
            stopped,
            meshes: MeshCache::default(),
            fields: wire::encode(Body::Fields(component_fields())),
            broadcasts,
            arrivals: watch::channel(0).0,
            names: watch::channel(Vec::new()).0,
            next_client: AtomicU64::new(1),
            full: Mutex::new(None),
        })
    }

    /// Returns the newest view of the world.
    pub(super) fn view(&self) -> Arc<View> {
        Arc::clone(&self.link.views().borrow())
    }

    /// Gives out the identity of a session.
    pub(super) fn next_client(&self) -> u64 {
        self.next_client.fetch_add(1, Ordering::Relaxed)
    }

    /// Follows the broadcasts, starting with a fresh one.
    pub(super) async fn follow(
        &self,
    ) -> Result<watch::Receiver<Broadcast>, watch::error::RecvError> {
        let mut broadcasts = self.broadcasts.subscribe();
        self.arrivals.send_modify(|count| *count += 1);
        broadcasts.changed().await?;
        Ok(broadcasts)
    }

    /// Returns the message with everything in a view; made once for pages that come together.
    pub(super) fn full_state(&self, view: &Arc<View>) -> Bytes {
        let mut full = locked(&self.full);
        match &*full {
            Some((known, bytes)) if Arc::ptr_eq(known, view) => bytes.clone(),
            _ => {
                let bytes = wire::encode(Body::State(view.ecm.encode_full()));
                *full = Some((Arc::clone(view), bytes.clone()));
                bytes
            }
        }
    }

    /// Lists a page under its name until the guard is dropped.
    pub(super) fn list(self: &Arc<Self>, client: u64, name: String) -> Listed {
        self.names.send_modify(|names| names.push((client, name)));
        Listed { hub: Arc::clone(self), client }
    }

    /// Returns the pages' names as they come and go.
    pub(super) fn names(&self) -> watch::Receiver<Vec<(u64, String)>> {
        self.names.subscribe()
    }
}

/// Makes the message with the pages' names.
pub(super) fn clients_message(names: &[(u64, String)]) -> Bytes {
    let name = names.iter().map(|(_, name)| name.clone()).collect();
    wire::encode(Body::Clients(Clients { name }))
}

/// Keeps a page in the list of names.
pub(super) struct Listed {
    hub: Arc<Hub>,
    client: u64,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.hub.names.send_modify(|names| names.retain(|(client, _)| *client != self.client));
    }
}

/// Makes broadcasts of views until the host stops; rests while no page is there.
pub(super) async fn run(hub: Arc<Hub>) {
    let mut stopped = hub.stopped.clone();
    tokio::select! {
        () = broadcast(&hub) => tracing::debug!("the link to the server has ended"),
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
}

async fn broadcast(hub: &Hub) {
    let mut views = hub.link.views();
    let mut arrivals = hub.arrivals.subscribe();
    // A page may have come before this task ran for the first time.
    arrivals.mark_changed();
    let mut pacer = Pacer::new(&Arc::clone(&views.borrow()), Instant::now());
    let mut due = None;
    loop {
        let idle = hub.broadcasts.receiver_count() == 0;
        let arrived = tokio::select! {
            changed = views.changed(), if !idle => match changed {
                Ok(()) => false,
                Err(_) => return,
            },
            () = sleep_until(due), if !idle => false,
            arrived = arrivals.changed() => arrived.is_ok(),
        };
        let view = Arc::clone(&views.borrow_and_update());
        let now = Instant::now();
        due = pacer.advance(&view, now);
        publish(hub, pacer.newest(), arrived);
        tokio::time::sleep_until((now + FRAME).into()).await;
    }
}

/// Wakes the sessions only for something new, or for one that just came.
fn publish(hub: &Hub, newest: Broadcast, arrived: bool) {
    hub.broadcasts.send_if_modified(|current| {
        let changed = arrived || !current.is_same(&newest);
        *current = newest;
        changed
    });
}

/// Sleeps until `due`, or for ever when nothing is due.
async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due.into()).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use retake_ecm::Ecm;
    use retake_msgs::WorldStatistics;

    use super::*;
    use crate::link::{Connection, Feed, FeedLink, WorldTitle};

    fn hub() -> (Arc<Hub>, watch::Sender<bool>) {
        let view = View {
            world: Arc::new(WorldTitle { name: "test".into(), file: "worlds/test.sdf".into() }),
            ecm: Ecm::new(retake_components::registry().build()).snapshot(),
            stats: WorldStatistics::default(),
            history: Arc::default(),
            timeline: Arc::default(),
            pending: Arc::default(),
            recording: Arc::default(),
            playback: None,
            connection: Connection::Connected,
        };
        let link = FeedLink::new(Arc::new(Feed::new(view)), |_, _| {});
        let (stop, stopped) = watch::channel(false);
        (Hub::new(Arc::new(link), HostOptions::default(), 0, stopped), stop)
    }

    #[test]
    fn a_page_that_comes_before_the_broadcaster_is_not_forgotten() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (hub, _stop) = hub();
        let followed = runtime.block_on(async {
            let both = async {
                tokio::select! {
                    biased;
                    followed = hub.follow() => followed.is_ok(),
                    () = broadcast(&hub) => false,
                }
            };
            tokio::time::timeout(Duration::from_secs(10), both).await
        });
        assert_eq!(followed, Ok(true));
    }
}
