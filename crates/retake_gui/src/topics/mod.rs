//! The bus as pages see it: topics with their rates, messages of any type, services.
//!
//! Whoever measures a topic listens to it, and some publishers work only for listeners; so nothing
//! here listens unless a page looks.

mod listening;
mod meter;
mod rates;
mod speaking;

use std::sync::{Arc, Condvar, Mutex};

use retake_msgs::TopicRates;
use retake_transport::Bus;
use tokio::sync::watch;

use crate::link::ServerLink;
use crate::lock::locked;

pub(crate) use listening::Listening;
pub(crate) use speaking::{Voice, call, describe, findings, library};

/// The bus of a host, for its pages.
pub(crate) struct Topics {
    link: Arc<dyn ServerLink>,
    /// None until somebody measured since pages began to look.
    rates: watch::Sender<Option<Arc<TopicRates>>>,
    watchers: Mutex<Watchers>,
    /// Told when the last page stops to look.
    alone: Condvar,
}

#[derive(Default)]
struct Watchers {
    /// Pages that look at the rates.
    count: usize,
    /// Whether a thread measures; it ends by itself once nobody looks.
    measured: bool,
}

/// Keeps the rates measured.
pub(crate) struct RatesWatch {
    topics: Arc<Topics>,
}

impl Topics {
    /// Makes it; nothing is heard yet.
    pub(crate) fn new(link: Arc<dyn ServerLink>) -> Arc<Self> {
        Arc::new(Self {
            link,
            rates: watch::channel(None).0,
            watchers: Mutex::default(),
            alone: Condvar::new(),
        })
    }

    /// Returns the bus, or says why there is none.
    pub(crate) fn bus(&self) -> Result<Arc<dyn Bus>, String> {
        if self.link.log().is_some() {
            return Err("A recording has no topics: what it holds is in Plots".to_owned());
        }
        let gone = || "The server is not there. Try again when it is back".to_owned();
        self.link.bus().ok_or_else(gone)
    }

    /// Returns the name of the world.
    pub(crate) fn world(&self) -> String {
        self.link.views().borrow().world.name.clone()
    }

    /// Measures topics until the guard is dropped.
    pub(crate) fn watch_rates(self: &Arc<Self>) -> RatesWatch {
        let mut watchers = locked(&self.watchers);
        watchers.count += 1;
        if !watchers.measured {
            watchers.measured = rates::start(Arc::clone(self));
        }
        RatesWatch { topics: Arc::clone(self) }
    }
}

impl RatesWatch {
    /// Returns the newest rates; the same `Arc` until they are measured again.
    pub(crate) fn newest(&self) -> Option<Arc<TopicRates>> {
        self.topics.rates.borrow().clone()
    }
}

impl Drop for RatesWatch {
    fn drop(&mut self) {
        let mut watchers = locked(&self.topics.watchers);
        watchers.count -= 1;
        if watchers.count == 0 {
            self.topics.alone.notify_all();
        }
    }
}
