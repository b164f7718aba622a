//! GUIs with an Ecm of their own, over the bus.

use std::sync::Arc;
use std::time::Duration;

use retake_msgs::{
    GuiPending, PausedActionsCleared, PausedActionsRequest, PausedActionsTaken, SerializedStateV,
    names,
};
use retake_transport::{Bus, BusError, CallError, ClientChange, Guard, typed};

use crate::{GuiActions, InboxSender, NoAnswer, Request};

/// Reaches GUIs by their services.
pub(crate) struct BusGuis {
    bus: Arc<dyn Bus>,
    /// How long a GUI may take to answer.
    timeout: Duration,
}

impl BusGuis {
    pub(crate) fn new(bus: &Arc<dyn Bus>, timeout: Duration) -> Self {
        Self { bus: Arc::clone(bus), timeout }
    }
}

impl GuiActions for BusGuis {
    fn collect(&self, gui: u64) -> Result<SerializedStateV, NoAnswer> {
        let (service, request) = (names::gui_actions(gui), PausedActionsRequest {});
        let answer = typed::call(self.bus.as_ref(), &service, &request, self.timeout);
        answer.map_err(|error| match error {
            CallError::NoSuchService { .. } => NoAnswer::Gone,
            error => NoAnswer::Silent(error.to_string()),
        })
    }

    fn acknowledge(&self, gui: u64, taken: &PausedActionsTaken) {
        let service = names::gui_clear(gui);
        let cleared: Result<PausedActionsCleared, _> =
            typed::call(self.bus.as_ref(), &service, taken, self.timeout);
        if let Err(error) = cleared {
            tracing::debug!(gui, %error, "a GUI did not hear what became of its actions");
        }
    }
}

/// Listens to what GUIs say they hold, and to their going away.
pub(crate) fn listen(
    bus: &dyn Bus,
    world: &str,
    inbox: &InboxSender,
) -> Result<Vec<Guard>, BusError> {
    let (pending, gone) = (inbox.clone(), inbox.clone());
    let told = move |held: GuiPending| {
        // Nobody waits for the outcome of a message on a topic.
        pending.send(Request::GuiPending(Box::new(held)), Box::new(|_| {}));
    };
    let watch = move |change: &ClientChange| {
        let ClientChange::Went(client) = change else { return };
        if let Some(gui) = names::gui_of_client(&client.name) {
            gone.send(Request::LeaveGui(gui), Box::new(|_| {}));
        }
    };
    Ok(vec![
        typed::subscribe(bus, &names::gui_pending(world), told)?,
        bus.watch_clients(Arc::new(watch))?,
    ])
}
