//! Recordings that begin with the world.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use retake_msgs::LogStart;
use retake_sim::{Recorder, Server, WhenFull, systems};
use retake_transport::Bus;

use crate::cli::RecordArgs;
use crate::output::{Outcome, remark, shown_number};

/// Most recorded states per simulated second.
const MAX_RATE_HZ: f64 = 1e6;

/// Makes the recorder of a server.
pub(super) fn recorder(
    server: &Server,
    args: &RecordArgs,
    when_full: WhenFull,
    bus: Option<&Arc<dyn Bus>>,
) -> Arc<Recorder> {
    let recorder = Recorder::new(server.log_facts(), &args.log_dir, when_full);
    Arc::new(match bus {
        Some(bus) => recorder.on_bus(Arc::clone(bus)),
        None => recorder,
    })
}

/// Begins the recording that was asked for, if one was. Last of all that may fail at a start: a log
/// of nothing would only be in the way of the next try.
pub(super) fn begin(
    recorder: &Arc<Recorder>,
    server: &Server,
    args: &RecordArgs,
) -> anyhow::Result<()> {
    let by_world = systems::asks_for_recording(server.simulation().ecm());
    if args.record.is_none() && by_world {
        remark("The world asks to be recorded (LogRecord)");
    }
    let Some(file) = args.record.as_ref().or(by_world.then_some(&None)) else {
        if args.record_rate.is_some() || !args.record_topic.is_empty() {
            bail!(
                "--record-rate and --record-topic are for recordings, and nothing is recorded. \
                 Add --record"
            );
        }
        return Ok(());
    };
    let rate_hz = args.record_rate.unwrap_or(0.0);
    if !(0.0..=MAX_RATE_HZ).contains(&rate_hz) {
        let shown = shown_number(rate_hz);
        bail!("--record-rate is {shown}; write 0 for each step, or states per second up to 1e6");
    }
    let request = LogStart { file: String::new(), rate_hz, topic: args.record_topic.clone() };
    let started = match file {
        Some(file) => recorder.start_at(checked(file)?, &request),
        None => recorder.start(&request),
    };
    if !started.ok {
        bail!("{}", started.message);
    }
    remark(started.message);
    Ok(())
}

/// Says how a recording ended; something that is missing is a loss.
pub(super) fn tell(recorder: &Recorder) -> Outcome {
    if recorder.status().file.is_empty() {
        return Outcome::Done;
    }
    let status = recorder.finish();
    remark(status.message);
    if status.ended.is_empty() && status.dropped == 0 { Outcome::Done } else { Outcome::Loss }
}

/// Refuses what is more likely the world file of a mixed up command line.
fn checked(file: &Path) -> anyhow::Result<&Path> {
    if file.extension().is_none_or(|ending| ending != "mcap") {
        bail!(
            "{} is no name of a log: it must end in .mcap. Write the world file first: \
             retake run WORLD --record",
            file.display()
        );
    }
    Ok(file)
}
