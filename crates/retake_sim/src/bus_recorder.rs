//! A recorder's services on the bus.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use retake_msgs::{LogStart, LogStatus, LogStatusRequest, LogStop, names};
use retake_transport::typed::{self, Reply};
use retake_transport::{Bus, BusError, Guard};

use crate::Recorder;

/// Lets others start and end recordings of the world called `world`.
pub(crate) fn serve(
    bus: &dyn Bus,
    world: &str,
    recorder: &Arc<Recorder>,
) -> Result<Vec<Guard>, BusError> {
    let (starts, stops) = (Helper::new(recorder), Helper::new(recorder));
    let asked = Arc::clone(recorder);
    Ok(vec![
        typed::serve(bus, &names::log_start(world), move |request: LogStart, reply| {
            starts.help(reply, move |recorder| recorder.start(&request));
        })?,
        typed::serve(bus, &names::log_stop(world), move |_: LogStop, reply| {
            stops.help(reply, |recorder| recorder.stop());
        })?,
        typed::serve(bus, &names::log_status_get(world), move |_: LogStatusRequest, reply| {
            reply.answer(&LogStatus { ok: true, ..LogStatus::clone(&asked.status()) });
        })?,
    ])
}

/// Asks the recorder on a thread of its own, because the disk may take its time; one at once.
struct Helper {
    recorder: Arc<Recorder>,
    busy: Arc<AtomicBool>,
}

impl Helper {
    fn new(recorder: &Arc<Recorder>) -> Self {
        Self { recorder: Arc::clone(recorder), busy: Arc::default() }
    }

    fn help(
        &self,
        reply: Reply<LogStatus>,
        ask: impl FnOnce(&Arc<Recorder>) -> LogStatus + Send + 'static,
    ) {
        if self.busy.swap(true, Ordering::AcqRel) {
            return reply.refuse("Somebody else asks for the same just now. Try again");
        }
        let (recorder, busy) = (Arc::clone(&self.recorder), Arc::clone(&self.busy));
        let run = move || {
            let status = ask(&recorder);
            busy.store(false, Ordering::Release);
            reply.answer(&status);
        };
        if let Err(error) = thread::Builder::new().name("ask recorder".to_owned()).spawn(run) {
            // The reply was dropped with the closure, which tells the caller.
            self.busy.store(false, Ordering::Release);
            tracing::warn!(%error, "no thread for a recording");
        }
    }
}
