//! What a page is told of a log before it plays.

use std::path::Path;

use prost::Message;
use retake_log::{Log, LogMessage};
use retake_math::SimTime;
use retake_msgs::{
    LogGap, LogMark, LogStretch, LoggedInput, PlaybackFile, TimeJumped, log_mark, logged_input,
    names,
};

/// Marks that are shown; a log with more of them shows the first.
const MAX_MARKS: usize = 2000;

/// Messages that are looked at for marks: commands to systems may come in each step.
const MAX_LOOKED: usize = 100_000;

/// Describes a log.
pub(super) fn describe(log: &Log, path: &Path) -> PlaybackFile {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let stretch = log.stretches().iter().map(|stretch| LogStretch {
        epoch: stretch.epoch,
        parent_epoch: stretch.parent_epoch,
        begin_secs: stretch.begin.as_secs_f64(),
        end_secs: stretch.end.as_secs_f64(),
        sim_secs: stretch.sim_begin.as_secs_f64(),
    });
    let mark = marks(log);
    PlaybackFile {
        file: name.into_owned(),
        length_secs: log.length().as_secs_f64(),
        stretch: stretch.collect(),
        mark,
        // Reading the marks may have found some more.
        damage: log.damage().iter().map(ToString::to_string).collect(),
    }
}

fn marks(log: &Log) -> Vec<LogMark> {
    let world = &log.facts().world;
    let (inputs, gaps) = (names::log_inputs(world), names::log_gaps(world));
    let topics = [names::LOG_TIMELINE, &inputs, &gaps];
    let messages = log.messages(&topics, ..).filter_map(Result::ok).take(MAX_LOOKED);
    messages.filter_map(|message| mark(&message, &inputs, &gaps)).take(MAX_MARKS).collect()
}

/// Makes a mark of a message; those that cannot be read have none.
fn mark(message: &LogMessage, inputs: &str, gaps: &str) -> Option<LogMark> {
    let at_secs = message.stamp.recorded.as_secs_f64();
    let topic = message.topic.as_ref();
    let mark = if topic == inputs {
        command(LoggedInput::decode(message.bytes.as_slice()).ok()?)?
    } else if topic == gaps {
        gap(&LogGap::decode(message.bytes.as_slice()).ok()?)
    } else {
        jump(TimeJumped::decode(message.bytes.as_slice()).ok()?)
    };
    Some(LogMark { at_secs, ..mark })
}

fn command(input: LoggedInput) -> Option<LogMark> {
    let reply = input.reply.unwrap_or_default();
    let mark = |text: String, author: String| LogMark {
        kind: log_mark::Kind::Command.into(),
        text,
        author,
        ..LogMark::default()
    };
    match input.input? {
        logged_input::Input::Command(command) if reply.ok => {
            Some(mark(reply.message, command.author))
        }
        logged_input::Input::TakeOver(taken) => {
            let text = format!("{} actions made while paused", taken.action.len());
            Some(mark(text, String::new()))
        }
        // Undo and redo show as jumps; what was refused changed nothing.
        _ => None,
    }
}

fn gap(gap: &LogGap) -> LogMark {
    let text = format!("{} states and {} other records are missing", gap.states, gap.others);
    LogMark {
        kind: log_mark::Kind::Gap.into(),
        text,
        from_secs: secs(gap.from.as_ref()),
        to_secs: secs(gap.to.as_ref()),
        ..LogMark::default()
    }
}

fn jump(jump: TimeJumped) -> LogMark {
    let text = match jump.description.is_empty() {
        true => jump.cause,
        false => format!("{}: {}", jump.cause, jump.description),
    };
    LogMark {
        kind: log_mark::Kind::Jump.into(),
        text,
        author: jump.author,
        from_secs: secs(jump.from.as_ref()),
        to_secs: secs(jump.to.as_ref()),
        ..LogMark::default()
    }
}

fn secs(time: Option<&retake_msgs::Time>) -> f64 {
    time.map(SimTime::from).unwrap_or_default().as_secs_f64()
}
