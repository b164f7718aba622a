//! One system of a schedule, with its failures contained.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retake_diag::panic_message;
use retake_ecm::{Ecm, EntityId};

use crate::system::{Rewind, System, SystemError};
use crate::systems::{self, Attachment, Known};
use crate::whereabouts::{Callback, Whereabouts};

/// A system and the plugin that it was made from.
pub(super) struct Entry {
    pub(super) plugin: EntityId,
    /// What it listens to, asked once when it is made.
    pub(super) topics: Vec<String>,
    /// Always there; taken out to end it.
    system: Option<Box<dyn System>>,
    whereabouts: Whereabouts,
}

impl Entry {
    pub(super) fn new(
        plugin: EntityId,
        system: Box<dyn System>,
        topics: Vec<String>,
        whereabouts: &Whereabouts,
    ) -> Self {
        Self { plugin, topics, system: Some(system), whereabouts: whereabouts.clone() }
    }

    pub(super) fn system(&mut self) -> &mut dyn System {
        self.system.as_deref_mut().expect("it is taken out by drop alone")
    }

    /// Lets it go of what it moves.
    pub(super) fn release(&mut self, ecm: &mut Ecm) {
        self.whereabouts.enter(self.plugin, Callback::Release);
        // One that panics here has let go of all that it will.
        let release = || {
            self.system().release(ecm);
            Ok(())
        };
        guarded(release).ok();
        self.whereabouts.leave();
    }

    /// Returns why it cannot go to another time, if so.
    pub(super) fn stuck_because(&self) -> Result<Option<String>, SystemError> {
        let Some(system) = &self.system else { return Ok(None) };
        self.whereabouts.enter(self.plugin, Callback::Rewind);
        let rewind = guarded(|| Ok(system.rewind()));
        self.whereabouts.leave();
        Ok(match rewind? {
            Rewind::Follows => None,
            Rewind::Cannot { reason } => Some(reason),
        })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let system = self.system.take();
        let end = || {
            drop(system);
            Ok(())
        };
        self.whereabouts.enter(self.plugin, Callback::Drop);
        let ended = guarded(end);
        self.whereabouts.leave();
        if let Err(error) = ended {
            // It is gone, and its plugin says nothing more of it.
            tracing::warn!(plugin = self.plugin.raw(), %error, "a system failed at its end");
        }
    }
}

/// Makes the system of a plugin, if it asks for one.
pub(super) fn make(
    ecm: &mut Ecm,
    plugin: EntityId,
    whereabouts: &Whereabouts,
) -> Result<Option<Entry>, SystemError> {
    let Some(attachment) = Attachment::of(ecm, plugin) else { return Ok(None) };
    let Known::System(kind) = systems::find(&attachment.config) else { return Ok(None) };
    whereabouts.enter(plugin, Callback::Make);
    let made = guarded(|| {
        let system = (kind.make)(&attachment, ecm)?;
        let topics = system.subscriptions();
        Ok(Some(Entry::new(plugin, system, topics, whereabouts)))
    });
    whereabouts.leave();
    made
}

/// Turns a panic into an error, so that one system's bug stops that system alone.
pub(super) fn guarded<T>(act: impl FnOnce() -> Result<T, SystemError>) -> Result<T, SystemError> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|payload| {
        Err(SystemError::Panicked { message: panic_message(payload.as_ref()) })
    })
}
