//! Asking GUIs for what they hold, beside the step thread.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use retake_msgs::{PausedActionsTaken, SerializedStateV};

use super::Taken;
use crate::Response;
use crate::inbox::{Envelope, Item};

/// The way to the GUIs that have an Ecm of their own. Called on threads that may wait.
pub trait GuiActions: Send + Sync {
    /// Asks a GUI for all actions that it holds.
    ///
    /// # Errors
    /// Why there is no answer.
    fn collect(&self, gui: u64) -> Result<SerializedStateV, NoAnswer>;

    /// Lets a GUI know what became of them. A GUI that does not hear it is told again when it
    /// offers them again.
    fn acknowledge(&self, gui: u64, taken: &PausedActionsTaken);
}

/// Why a GUI gave no actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It is not there any more.
    Gone,
    /// It did not answer, for a reason that people can read.
    Silent(String),
}

/// What a GUI answered when it was asked.
#[derive(Debug)]
pub struct Offer {
    /// The GUI.
    pub gui: u64,
    /// Its actions, or why there is no answer.
    pub answer: Result<SerializedStateV, NoAnswer>,
}

/// Actions that were collected, on their way to the step thread.
pub(crate) struct Offered {
    pub(crate) offers: Vec<Offer>,
    /// The request that made it necessary, carried out afterwards.
    pub(crate) then: Envelope,
    /// Where what became of them goes.
    pub(crate) taken: Sender<Vec<Taken>>,
}

/// One round of asking.
pub(crate) struct Collection {
    pub(crate) guis: Vec<u64>,
    pub(crate) from: Arc<dyn GuiActions>,
    pub(crate) then: Envelope,
}

impl Collection {
    /// Asks all GUIs at once and brings what they say to the step thread, then tells them.
    ///
    /// Says whether it has begun; when there is no thread, the request is answered with that.
    pub(crate) fn start(self) -> bool {
        let (send, receive) = channel::<Self>();
        let run = move || receive.recv().into_iter().for_each(Self::run);
        let spawned = thread::Builder::new().name("collect".to_owned()).spawn(run);
        if let Err(error) = spawned {
            let text = format!("No thread to ask the GUIs on: {error}");
            (self.then.reply)(Response::Failed(text));
            return false;
        }
        // The thread waits for just this.
        send.send(self).is_ok()
    }

    fn run(self) {
        let Self { guis, from, then } = self;
        let offers = thread::scope(|scope| {
            let ask = |gui: u64| {
                let from = &from;
                let asking = move || from.collect(gui);
                (gui, thread::Builder::new().spawn_scoped(scope, asking))
            };
            let asked: Vec<_> = guis.iter().map(|gui| ask(*gui)).collect();
            let failed = || Err(NoAnswer::Silent("Asking it failed".to_owned()));
            let answer = |(gui, asked): (u64, std::io::Result<thread::ScopedJoinHandle<'_, _>>)| {
                let answer = asked
                    .map_or_else(|_| failed(), |asked| asked.join().unwrap_or_else(|_| failed()));
                Offer { gui, answer }
            };
            asked.into_iter().map(answer).collect()
        });
        let door = then.door.clone();
        let (taken, outcomes) = channel();
        door.hand_back(Item::Offered(Box::new(Offered { offers, then, taken })));
        drop(door);
        // An error means that the server has ended; the GUIs keep what they have.
        for Taken { gui, taken } in outcomes.recv().into_iter().flatten() {
            from.acknowledge(gui, &taken);
        }
    }
}
