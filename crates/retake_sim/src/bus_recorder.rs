//! A recorder's services on the bus.

use std::sync::Arc;

use retake_msgs::{LogStart, LogStatus, LogStatusRequest, LogStop, names};
use retake_transport::{Bus, BusError, Guard, typed};

use crate::Recorder;

/// Lets others start and end recordings of the world called `world`.
pub(crate) fn serve(
    bus: &dyn Bus,
    world: &str,
    recorder: &Arc<Recorder>,
) -> Result<Vec<Guard>, BusError> {
    let (starts, stops, asked) = (Arc::clone(recorder), Arc::clone(recorder), Arc::clone(recorder));
    Ok(vec![
        typed::serve(bus, &names::log_start(world), move |request: LogStart, reply| {
            let start = move |recorder: &Arc<Recorder>| recorder.start(&request);
            starts.ask(start, move |status| reply.answer(&status));
        })?,
        typed::serve(bus, &names::log_stop(world), move |_: LogStop, reply| {
            stops.ask(|recorder| recorder.stop(), move |status| reply.answer(&status));
        })?,
        typed::serve(bus, &names::log_status_get(world), move |_: LogStatusRequest, reply| {
            reply.answer(&LogStatus { ok: true, ..LogStatus::clone(&asked.status()) });
        })?,
    ])
}
