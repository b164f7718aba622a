//! This GUI's place at the server, and the services by which the server reaches it.

use std::sync::Arc;

use retake_msgs::{
    PausedActionsCleared, PausedActionsRequest, PausedActionsTaken, SerializedStateV, UserCmd,
    UserCmdReply, names,
};
use retake_transport::{BusError, Delivery, Guard, Publisher, typed};

use super::WorldTitle;
use super::desk::Desk;
use super::server::Server;

/// How this program introduces itself.
const NAME: &str = "gui";

/// Makes this GUI known to the server; returns what keeps it so, and how many actions were meant
/// for another run of the server.
///
/// # Errors
/// A sentence that says why there is no place; pages can still send everything to the server.
pub(super) fn take(
    server: &Server,
    desk: &Arc<Desk>,
    title: &Arc<WorldTitle>,
    token: &str,
) -> Result<(Vec<Guard>, usize), String> {
    let joined = server.join(NAME, token)?;
    let guards = offer_services(server, desk, joined.gui).map_err(|cause| cause.to_string())?;
    let teller = Publisher::new(&*server.bus, &names::gui_pending(&server.world), Delivery::Newest)
        .map_err(|cause| cause.to_string())?;
    // Last, because from now on commands are kept here for the server to ask for.
    let lost = desk.change(|papers| papers.attach(title, &joined, teller));
    Ok((guards, lost))
}

fn offer_services(server: &Server, desk: &Arc<Desk>, gui: u64) -> Result<Vec<Guard>, BusError> {
    let bus = &*server.bus;
    let (all, cleared, appended) = (Arc::clone(desk), Arc::clone(desk), Arc::clone(desk));
    let actions = move |_: PausedActionsRequest, reply: typed::Reply<SerializedStateV>| {
        reply.answer(&all.all());
    };
    let clear = move |taken: PausedActionsTaken, reply: typed::Reply<PausedActionsCleared>| {
        reply.answer(&cleared.clear(&taken));
    };
    let append = move |command: UserCmd, reply: typed::Reply<UserCmdReply>| {
        let running = || UserCmdReply::refused("The world is not paused. Send it to the server");
        reply.answer(&appended.append(&command).unwrap_or_else(running));
    };
    Ok(vec![
        typed::serve(bus, &names::gui_actions(gui), actions)?,
        typed::serve(bus, &names::gui_clear(gui), clear)?,
        typed::serve(bus, &names::gui_append(gui), append)?,
        bus.join(&names::gui_client(gui))?,
    ])
}
