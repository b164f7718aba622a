//! A copy of a server's state, to read from.

use anyhow::Context;
use retake_ecm::Ecm;
use retake_msgs::{StampedState, StateRequest, names};

use crate::link::Link;

/// Makes an empty Ecm that knows every component type of this program.
pub(crate) fn empty() -> Ecm {
    Ecm::new(retake_sim::systems::registry())
}

/// Fetches the whole state of a server.
pub(crate) fn fetch(link: &mut dyn Link) -> anyhow::Result<(Ecm, StampedState)> {
    let request = StateRequest { since_tick: None };
    let mut stamped: StampedState = link.call(&names::state(&link.world()), &request)?;
    let state = stamped.state.take().context("the server sent no state")?;
    let mut ecm = empty();
    ecm.apply(&state)?;
    Ok((ecm, stamped))
}
