//! What the outside sees of a running world.

use std::sync::Arc;

use retake_ecm::EcmSnapshot;
use retake_introspection::FilterSample;
use retake_msgs::{LogStatus, PendingActions, Timeline, UserCmdStats, WorldStatistics};

use crate::{Event, OutMessage};

/// The world at an instant, for whoever wants to look.
#[derive(Clone)]
pub struct View {
    /// The state.
    pub ecm: EcmSnapshot,
    /// The statistics of the same instant.
    pub stats: WorldStatistics,
    /// What can be undone and redone; the same `Arc` until it changes.
    pub history: Arc<UserCmdStats>,
    /// What is kept of the past; the same `Arc` until something changes but the present time.
    pub timeline: Arc<Timeline>,
    /// What GUIs hold and the server does not have yet; the same `Arc` until it changes.
    pub pending: Arc<PendingActions>,
    /// How the recording goes; the same `Arc` until it changes.
    pub recording: Arc<LogStatus>,
}

/// Takes what a runner gives out. Called on the step thread: it must return at once.
pub trait ViewSink: Send {
    /// Takes a view; a newer one makes it stale.
    fn view(&mut self, view: &View);

    /// Takes an event; none may be dropped.
    fn event(&mut self, event: &Event);

    /// Takes the messages of systems, in order.
    fn messages(&mut self, messages: &[OutMessage]) {
        let _ = messages;
    }

    /// Takes samples of what is watched, in order.
    fn samples(&mut self, samples: &Arc<[FilterSample]>) {
        let _ = samples;
    }

    /// Takes the filters that there are from now on, by id with their topics.
    fn filters(&mut self, filters: &[(String, String)]) {
        let _ = filters;
    }

    /// Takes the topics that systems listen to from now on.
    fn subscriptions(&mut self, topics: &[String]) {
        let _ = topics;
    }
}
