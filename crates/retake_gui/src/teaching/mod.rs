//! The motions that pages of this host teach: one draft for each robot.
//!
//! Drafts are no part of the world. What is asked of them is done at once and in order; what has to
//! wait for the server, or for the robot outside, is done beside. A thread looks at the world and
//! tells pages how it is with the robots that they teach.

mod answer;
mod check;
mod convert;
mod desk;
mod execute;
mod ghost;
mod keeper;
mod live;
mod recorder;
mod robot;
mod runs;
mod state;
mod store;
mod twins;

use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};

use retake_msgs::{TeachAnswer, TeachLive, TeachState};
use retake_transport::Bus;
use tokio::sync::watch;

use crate::link::{ServerLink, View};
use crate::lock::locked;
use desk::Desk;
use twins::Twins;

/// Robots that may have a draft; one more is refused.
const MOST_DRAFTS: usize = 64;

/// How it is with each robot that is watched.
pub(crate) type Lives = Arc<BTreeMap<String, Arc<TeachLive>>>;

/// What came of a request about drafts: an answer, or why there is none.
pub(crate) type Answered = Result<TeachAnswer, String>;

/// A request about drafts, begun in the order in which pages made it.
pub(crate) enum Begun {
    /// It is done.
    Done(Box<Answered>),
    /// The rest waits for others: to be called where waiting is allowed.
    Later(Box<dyn FnOnce() -> Answered + Send>),
}

/// The drafts of a host.
pub(crate) struct Teaching {
    link: Arc<dyn ServerLink>,
    desks: Mutex<BTreeMap<String, Desk>>,
    states: watch::Sender<Arc<TeachState>>,
    lives: watch::Sender<Lives>,
    /// Robots that pages look at, each with how many do.
    watched: Mutex<BTreeMap<String, usize>>,
    twins: Arc<Twins>,
    marker: Mutex<Option<ghost::Marker>>,
    /// Wakes the thread that tells pages what changed.
    wake: SyncSender<()>,
}

/// Keeps a robot watched.
pub(crate) struct Watching {
    teaching: Arc<Teaching>,
    pub(crate) robot: String,
}

impl Teaching {
    /// Starts without drafts; threads follow the world until the last clone is gone.
    pub(crate) fn start(link: &Arc<dyn ServerLink>) -> Arc<Self> {
        let (wake, woken) = std::sync::mpsc::sync_channel(1);
        let teaching = Arc::new(Self {
            link: Arc::clone(link),
            desks: Mutex::default(),
            states: watch::channel(Arc::default()).0,
            lives: watch::channel(Arc::default()).0,
            watched: Mutex::default(),
            twins: Arc::default(),
            marker: Mutex::default(),
            wake,
        });
        // A recording cannot be taught anything.
        if link.log().is_none() {
            keeper::start(&teaching, woken);
            twins::start(&teaching.twins, link);
        }
        teaching
    }

    /// Returns robots and drafts as they change.
    pub(crate) fn states(&self) -> watch::Receiver<Arc<TeachState>> {
        self.states.subscribe()
    }

    /// Returns how it is with the robots that are watched.
    pub(crate) fn lives(&self) -> watch::Receiver<Lives> {
        self.lives.subscribe()
    }

    /// Has a robot looked at until the guard is dropped.
    pub(crate) fn watch(self: &Arc<Self>, robot: String) -> Watching {
        *locked(&self.watched).entry(robot.clone()).or_default() += 1;
        self.changed();
        Watching { teaching: Arc::clone(self), robot }
    }

    fn view(&self) -> Arc<View> {
        Arc::clone(&self.link.views().borrow())
    }

    fn bus(&self) -> Result<Arc<dyn Bus>, String> {
        self.link.bus().ok_or_else(|| "The server is not there. Try again when it is back".into())
    }

    /// Does something with the draft of a robot.
    fn with_desk<T>(
        &self,
        robot: &str,
        act: impl FnOnce(&mut Desk) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut desks = locked(&self.desks);
        let none = || format!("There is no draft of {robot:?}. Begin one first");
        act(desks.get_mut(robot).ok_or_else(none)?)
    }

    /// Lets pages be told soon.
    fn changed(&self) {
        // A full channel wakes the thread all the same.
        self.wake.try_send(()).ok();
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut watched = locked(&self.teaching.watched);
        if let Some(count) = watched.get_mut(&self.robot) {
            *count -= 1;
        }
        watched.retain(|_, count| *count > 0);
    }
}
