//! `retake log start`, `stop` and `status`.

use anyhow::bail;
use retake_math::SimTime;
use retake_msgs::{LogStart, LogStatus, LogStatusRequest, LogStop, names};
use serde_json::json;

use crate::cli::LogCommand;
use crate::link::Link;
use crate::logs;
use crate::output::{Printer, printable};

pub(super) fn run(
    command: &LogCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let world = link.world();
    let status: LogStatus = match command {
        LogCommand::Start(args) => {
            let file = args.name.clone().unwrap_or_default();
            let request = LogStart { file, rate_hz: args.rate, topic: args.topic.clone() };
            link.call(&names::log_start(&world), &request)?
        }
        LogCommand::Stop => link.call(&names::log_stop(&world), &LogStop {})?,
        LogCommand::Status => link.call(&names::log_status_get(&world), &LogStatusRequest {})?,
        _ => return logs::run(command, printer).map(drop),
    };
    if !status.ok {
        bail!("{}", status.message);
    }
    show(&status, printer)
}

fn show(status: &LogStatus, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let recorded = status.recorded.as_ref().map(SimTime::from).unwrap_or_default();
    let value = json!({
        "message": status.message,
        "recording": status.recording,
        "file": status.file,
        "bytes": status.bytes,
        "recorded_secs": recorded.as_secs_f64(),
        "dropped": status.dropped,
        "ended": status.ended,
    });
    let text = match (status.message.is_empty(), status.recording) {
        (false, _) => status.message.clone(),
        (true, false) => "Nothing is being recorded".to_owned(),
        (true, true) => {
            let secs = recorded.as_secs_f64();
            let left_out = match status.dropped {
                0 => String::new(),
                dropped => format!(", {dropped} records left out"),
            };
            format!("Recording to {}: {secs:.3} s, {} bytes{left_out}", status.file, status.bytes)
        }
    };
    printer.print(&value, |out| writeln!(out, "{}", printable(&text)))
}
