//! Decides when pages get what: poses up to 60 times a second, changes 10 times, statistics 5
//! times, and at once what a person waits for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::{PendingActions, Timeline, UserCmdStats, WorldStatistics};

use super::poses::moving_entities;
use super::{Delta, LogMessages, PoseSet};
use crate::link::{Connection, View};
use crate::wire;

/// Shortest time between two pose frames.
pub(crate) const FRAME: Duration = Duration::from_micros(16_600);
/// Shortest time between two deltas, unless entities come or go.
const DELTA: Duration = Duration::from_millis(100);
/// Shortest time between two statistics, unless the world starts or stops.
const STATS: Duration = Duration::from_millis(200);

/// The newest of everything that pages follow. Parts that did not change are the same `Arc`.
#[derive(Clone)]
pub(crate) struct Broadcast {
    /// Which entities the poses are of.
    pub(crate) set: Arc<PoseSet>,
    /// The newest pose frame.
    pub(crate) poses: Arc<Bytes>,
    /// The newest step from view to view.
    pub(crate) delta: Arc<Delta>,
    /// The newest statistics.
    pub(crate) stats: Arc<Bytes>,
    /// Whether the host has its server.
    pub(crate) connection: Arc<Bytes>,
    /// What can be undone and redone.
    pub(crate) history: Arc<Bytes>,
    /// What is kept of the past.
    pub(crate) timeline: Arc<Bytes>,
    /// What GUIs hold until the world goes on.
    pub(crate) pending: Arc<Bytes>,
    /// What is recorded, and what is shown of a log.
    pub(crate) logs: LogMessages,
}

impl Broadcast {
    /// Says whether nothing differs.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.set, &other.set)
            && Arc::ptr_eq(&self.poses, &other.poses)
            && Arc::ptr_eq(&self.delta, &other.delta)
            && Arc::ptr_eq(&self.stats, &other.stats)
            && Arc::ptr_eq(&self.connection, &other.connection)
            && Arc::ptr_eq(&self.history, &other.history)
            && Arc::ptr_eq(&self.timeline, &other.timeline)
            && Arc::ptr_eq(&self.pending, &other.pending)
            && self.logs.is_same(&other.logs)
    }
}

/// Makes broadcasts of views.
pub(crate) struct Pacer {
    newest: Broadcast,
    stats: WorldStatistics,
    connection: Connection,
    history: Arc<UserCmdStats>,
    timeline: Arc<Timeline>,
    pending: Arc<PendingActions>,
    delta_at: Instant,
    stats_at: Instant,
}

impl Pacer {
    pub(crate) fn new(view: &Arc<View>, now: Instant) -> Self {
        let set = Arc::new(PoseSet::new(1, moving_entities(&view.ecm)));
        let newest = Broadcast {
            poses: Arc::new(set.frame(&view.ecm)),
            delta: Arc::new(Delta::first(Arc::clone(view), Arc::clone(&set))),
            set,
            stats: Arc::new(wire::encode(Body::Stats(view.stats.clone()))),
            connection: Arc::new(connection_message(&view.connection)),
            history: Arc::new(history_message(&view.history)),
            timeline: Arc::new(timeline_message(&view.timeline)),
            pending: Arc::new(pending_message(&view.pending)),
            logs: LogMessages::new(view),
        };
        let (stats, connection) = (view.stats.clone(), view.connection.clone());
        let (history, pending) = (Arc::clone(&view.history), Arc::clone(&view.pending));
        let timeline = Arc::clone(&view.timeline);
        let (delta_at, stats_at) = (now, now);
        Self { newest, stats, connection, history, timeline, pending, delta_at, stats_at }
    }

    /// Returns the newest broadcast.
    pub(crate) fn newest(&self) -> Broadcast {
        self.newest.clone()
    }

    /// Takes a view; returns when to call again with it even if no newer one comes.
    pub(crate) fn advance(&mut self, view: &Arc<View>, now: Instant) -> Option<Instant> {
        let set_changed = self.take_poses(view);
        let delta_due = self.take_changes(view, now, set_changed);
        let stats_due = self.take_stats(view, now);
        if self.connection != view.connection {
            self.connection = view.connection.clone();
            self.newest.connection = Arc::new(connection_message(&view.connection));
        }
        if !Arc::ptr_eq(&self.history, &view.history) {
            self.history = Arc::clone(&view.history);
            self.newest.history = Arc::new(history_message(&view.history));
        }
        if !Arc::ptr_eq(&self.timeline, &view.timeline) {
            self.timeline = Arc::clone(&view.timeline);
            self.newest.timeline = Arc::new(timeline_message(&view.timeline));
        }
        if !Arc::ptr_eq(&self.pending, &view.pending) {
            self.pending = Arc::clone(&view.pending);
            self.newest.pending = Arc::new(pending_message(&view.pending));
        }
        self.newest.logs.advance(view);
        [delta_due, stats_due].into_iter().flatten().min()
    }

    fn take_poses(&mut self, view: &Arc<View>) -> bool {
        let moving = moving_entities(&view.ecm);
        let set_changed = moving != self.newest.set.entities;
        if set_changed {
            let id = self.newest.set.id.wrapping_add(1);
            self.newest.set = Arc::new(PoseSet::new(id, moving));
        }
        let frame = self.newest.set.frame(&view.ecm);
        if frame != *self.newest.poses {
            self.newest.poses = Arc::new(frame);
        }
        set_changed
    }

    /// A page must know an entity before a pose set names it, so a new set brings its delta along.
    fn take_changes(&mut self, view: &Arc<View>, now: Instant, at_once: bool) -> Option<Instant> {
        let from = &self.newest.delta.to;
        if Arc::ptr_eq(from, view) {
            return None;
        }
        let due = self.delta_at + DELTA;
        if now < due && !at_once {
            return Some(due);
        }
        let set = Arc::clone(&self.newest.set);
        let delta = Delta::between(Arc::clone(from), Arc::clone(view), set);
        self.newest.delta = Arc::new(delta);
        self.delta_at = now;
        None
    }

    fn take_stats(&mut self, view: &Arc<View>, now: Instant) -> Option<Instant> {
        if self.stats == view.stats {
            return None;
        }
        let due = self.stats_at + STATS;
        if now < due && !is_urgent(&self.stats, &view.stats) {
            return Some(due);
        }
        self.stats = view.stats.clone();
        self.newest.stats = Arc::new(wire::encode(Body::Stats(view.stats.clone())));
        self.stats_at = now;
        None
    }
}

/// Says whether a person waits to see this change.
fn is_urgent(old: &WorldStatistics, new: &WorldStatistics) -> bool {
    old.paused != new.paused
        || old.target_real_time_factor != new.target_real_time_factor
        || old.failed_systems != new.failed_systems
        || (new.paused && old.iterations != new.iterations)
}

fn connection_message(connection: &Connection) -> Bytes {
    let (connected, reason) = match connection {
        Connection::Connected => (true, String::new()),
        Connection::Lost { reason } => (false, reason.clone()),
    };
    wire::encode(Body::ServerLink(retake_msgs::ServerLink { connected, reason }))
}

fn pending_message(pending: &PendingActions) -> Bytes {
    wire::encode(Body::Pending(pending.clone()))
}

fn timeline_message(timeline: &Timeline) -> Bytes {
    wire::encode(Body::Timeline(timeline.clone()))
}

fn history_message(history: &UserCmdStats) -> Bytes {
    wire::encode(Body::History(history.clone()))
}
