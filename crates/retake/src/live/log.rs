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
    let text = in_a_line(status, recorded.as_secs_f64());
    printer.print(&value, |out| writeln!(out, "{}", printable(&text)))
}

fn in_a_line(status: &LogStatus, secs: f64) -> String {
    let LogStatus { file, bytes, ended, .. } = status;
    match (status.message.is_empty(), status.recording) {
        (false, _) => status.message.clone(),
        (true, false) if !ended.is_empty() => {
            format!("Nothing is being recorded: {file} ended at {secs:.3} s: {ended}")
        }
        (true, false) => "Nothing is being recorded".to_owned(),
        (true, true) => {
            let left_out = match status.dropped {
                0 => String::new(),
                dropped => format!(", {dropped} records left out"),
            };
            format!("Recording to {file}: {secs:.3} s, {bytes} bytes{left_out}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_that_ended_by_itself_says_why() {
        let file = "a.mcap".to_owned();
        let mut status = LogStatus { ok: true, file, bytes: 9, ..LogStatus::default() };
        assert_eq!(in_a_line(&status, 0.0), "Nothing is being recorded");
        status.ended = "No space left on device (os error 28)".to_owned();
        let told = "Nothing is being recorded: a.mcap ended at 1.500 s: No space left on device \
                    (os error 28)";
        assert_eq!(in_a_line(&status, 1.5), told);
        status = LogStatus { recording: true, dropped: 2, ended: String::new(), ..status };
        let told = "Recording to a.mcap: 1.500 s, 9 bytes, 2 records left out";
        assert_eq!(in_a_line(&status, 1.5), told);
    }
}
