//! Watches a world without a runner: one that is being loaded, or made again from a log.

use std::fmt;
use std::sync::Arc;

use super::{HeldUp, Keeper, Place, Watchdog};
use crate::Simulation;
use crate::whereabouts::Whereabouts;

/// Says which system does not come back where no [`crate::Runner`] watches: while a world is
/// loaded, goes on from a log or is made again.
///
/// For one world at a time: [`crate::SimulationOptions`] takes it there. It watches until the last
/// clone is gone.
#[derive(Clone)]
pub struct SystemWatch {
    whereabouts: Whereabouts,
    _watchdog: Arc<Watchdog>,
}

impl SystemWatch {
    /// Starts to watch; `what` is what a system would hold up, as it begins a sentence, and `tell` is
    /// called on another thread, with one line for people.
    pub fn start(what: &'static str, tell: impl Fn(String) + Send + 'static) -> Self {
        Self::at(Whereabouts::default(), what, tell)
    }

    /// Starts to watch a world that is there already, and that no runner steps.
    pub fn of(
        simulation: &Simulation,
        what: &'static str,
        tell: impl Fn(String) + Send + 'static,
    ) -> Self {
        Self::at(simulation.whereabouts(), what, tell)
    }

    fn at(
        whereabouts: Whereabouts,
        what: &'static str,
        tell: impl Fn(String) + Send + 'static,
    ) -> Self {
        let place = Place::new(whereabouts.clone(), Bystander { what, tell });
        Self { whereabouts, _watchdog: Arc::new(Watchdog::start(vec![place])) }
    }

    /// Returns where the thread that calls systems says which one.
    pub(crate) fn whereabouts(&self) -> Whereabouts {
        self.whereabouts.clone()
    }
}

impl fmt::Debug for SystemWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemWatch").finish_non_exhaustive()
    }
}

struct Bystander<T> {
    what: &'static str,
    tell: T,
}

impl<T: Fn(String) + Send> Keeper for Bystander<T> {
    fn hold(&mut self, held_up: &HeldUp<'_>) {
        // Nobody asks for anything here, so that nobody waits for a step that takes long.
        if let Some(system) = held_up.system().filter(|_| held_up.is_news) {
            (self.tell)(system.text(self.what, "Nothing goes on", "the program"));
        }
    }

    fn let_go(&mut self, came_back: &HeldUp<'_>) {
        if let Some(system) = came_back.system() {
            (self.tell)(system.came_back("all"));
        }
    }
}
