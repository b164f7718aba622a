//! The thread that squeezes states and lets go of them, both of which take time.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use super::slot::Slot;

/// Work that may wait; past it states stay as large as they are for now, and are let go of here.
const CAPACITY: usize = 8;

/// Squeezes states: here, unless a thread is to do it, which starts with the first of them.
#[derive(Default)]
pub(super) struct Squeezer {
    wants_thread: bool,
    thread: Option<SyncSender<Work>>,
}

enum Work {
    Squeeze(Arc<Slot>),
    Free(Vec<Arc<Slot>>),
}

impl Squeezer {
    /// Makes one with a thread, which ends with it.
    pub(super) fn on_thread() -> Self {
        Self { wants_thread: true, thread: None }
    }

    fn thread(&mut self) -> Option<&SyncSender<Work>> {
        if self.wants_thread && self.thread.is_none() {
            let (thread, work) = sync_channel(CAPACITY);
            let run = move || do_all(&work);
            match thread::Builder::new().name("timeline squeeze".to_owned()).spawn(run) {
                Ok(_) => self.thread = Some(thread),
                Err(error) => {
                    tracing::warn!(%error, "no thread for the timeline; the step thread squeezes");
                    self.wants_thread = false;
                }
            }
        }
        self.thread.as_ref()
    }

    /// Squeezes a state, now or soon; says whether it will be done.
    pub(super) fn squeeze(&mut self, slot: &Arc<Slot>) -> bool {
        match self.thread() {
            Some(thread) => thread.try_send(Work::Squeeze(Arc::clone(slot))).is_ok(),
            None => {
                slot.squeeze();
                true
            }
        }
    }

    /// Lets go of states.
    pub(super) fn free(&mut self, slots: Vec<Arc<Slot>>) {
        let Some(thread) = self.thread() else { return };
        if let Err(TrySendError::Full(work) | TrySendError::Disconnected(work)) =
            thread.try_send(Work::Free(slots))
        {
            drop(work);
        }
    }
}

fn do_all(work: &Receiver<Work>) {
    while let Ok(work) = work.recv() {
        match work {
            Work::Squeeze(slot) => slot.squeeze(),
            Work::Free(slots) => drop(slots),
        }
    }
}
