//! The figures that the specs ask for, where each is found and what it should be.

use serde_json::Value;

use crate::cli::BenchCommand;

/// What a figure should be.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    AtMost(f64),
    AtLeast(f64),
    /// The spec asks for the number, and names no limit.
    None,
}

/// A number in what a part prints as JSON.
#[derive(Clone, Copy)]
pub(super) struct Figure {
    pub(super) what: &'static str,
    pub(super) unit: &'static str,
    pub(super) of: fn(&[Value]) -> Option<f64>,
    pub(super) aim: Aim,
}

/// A benchmark and what counts of it.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) command: fn() -> BenchCommand,
    pub(super) figures: &'static [Figure],
}

macro_rules! figures {
    ($($what:literal, $unit:literal, $of:expr, $aim:expr;)*) => {
        &[$(Figure { what: $what, unit: $unit, of: $of, aim: $aim }),*]
    };
}

pub(super) static PARTS: [Part; 14] = [
    Part {
        name: "step",
        command: || BenchCommand::Step { boxes: 1000, steps: 1000 },
        figures: figures![
            "1,000 falling boxes", "× bare Rapier", |all| at(all, "/0/0/ratio"), Aim::AtMost(1.05);
            "10 stacks of 10 boxes", "× bare Rapier", |all| at(all, "/0/1/ratio"), Aim::AtMost(1.05);
            "10 arms of 6 joints", "× bare Rapier", |all| at(all, "/0/2/ratio"), Aim::AtMost(1.05);
            "quadruped of 12 joints", "× bare Rapier", |all| at(all, "/0/3/ratio"), Aim::AtMost(1.05);
        ],
    },
    Part {
        name: "accuracy",
        command: || BenchCommand::Accuracy,
        figures: figures![
            "cases beyond their limit", "", |all| refused(all, "passes"), Aim::AtMost(0.0);
        ],
    },
    Part {
        name: "scale",
        command: || BenchCommand::Scale { bodies: vec![10, 100, 1000, 10_000] },
        figures: figures![
            "worst growth of a cost per body", "×", |all| at(all, "/0/worst_growth_per_body"), Aim::AtMost(1.5);
            "the same, of a plain copy", "×", |all| at(all, "/0/copy_growth_per_body"), Aim::None;
            "worst growth against that of the copy", "×", |all| at(all, "/0/worst_growth_against_copy"), Aim::None;
            "step of 10,000 bodies", "µs", |all| at(all, "/0/costs/3/step_us"), Aim::None;
            "memory of 10,000 bodies", "KiB", |all| at(all, "/0/costs/3/memory_kib"), Aim::None;
        ],
    },
    Part {
        name: "load",
        command: || BenchCommand::Load { file: None },
        figures: figures![
            "a shape of 100,000 against one of 1,000", "×", |all| at(all, "/2/ratio_to_first"), Aim::AtMost(1.5);
            "100,000 shapes", "s", |all| at(all, "/2/seconds"), Aim::None;
        ],
    },
    Part {
        name: "keyframe",
        command: || BenchCommand::Keyframe { cycles: 10_000 },
        figures: figures![
            "capture of 100 bodies", "steps", |all| at(all, "/0/capture_steps"), Aim::AtMost(2.0);
            "restore of 100 bodies", "steps", |all| at(all, "/0/restore_steps"), Aim::AtMost(2.0);
            "capture of 1,000 bodies", "steps", |all| at(all, "/1/capture_steps"), Aim::AtMost(2.0);
            "restore of 1,000 bodies", "steps", |all| at(all, "/1/restore_steps"), Aim::AtMost(2.0);
            "capture of 10,000 bodies", "steps", |all| at(all, "/2/capture_steps"), Aim::AtMost(2.0);
            "restore of 10,000 bodies", "steps", |all| at(all, "/2/restore_steps"), Aim::AtMost(2.0);
            "capture of 1,000 bodies", "× a copy", |all| at(all, "/1/capture_copies"), Aim::None;
            "last of 10,000 undos and redos", "× first", |all| at(all, "/3/ratio"), Aim::AtMost(1.1);
            "memory that they grew by", "KiB", |all| at(all, "/3/memory_grown_kib"), Aim::AtMost(1024.0);
        ],
    },
    Part {
        name: "undo-laws",
        command: || BenchCommand::UndoLaws {
            scenes: 10,
            instants: 10,
            steps: 500,
            operations: 2000,
        },
        figures: figures![
            "restores that went on bit by bit", "", |all| at(all, "/0/restores"), Aim::AtLeast(200.0);
        ],
    },
    Part {
        name: "timeline",
        command: || BenchCommand::Timeline { steps: 20_000 },
        figures: figures![
            "share of a step of 100 bodies", "%", |all| at(all, "/0/thread_percent"), Aim::AtMost(3.0);
            "share of a step of 1,000 bodies", "%", |all| at(all, "/1/thread_percent"), Aim::AtMost(3.0);
            "share of a step of 10,000 bodies", "%", |all| at(all, "/2/thread_percent"), Aim::AtMost(3.0);
            "an instant of 1,000 bodies, p50", "ms", |all| at(all, "/1/look_p50_ms"), Aim::None;
            "an instant of 1,000 bodies, p99", "ms", |all| at(all, "/1/look_p99_ms"), Aim::None;
            "memory of a minute, 1,000 bodies", "B", |all| at(all, "/1/bytes_per_minute"), Aim::None;
        ],
    },
    Part {
        name: "sync",
        command: || BenchCommand::Sync { bodies: 1000, actions: vec![1, 100, 10_000] },
        figures: figures![
            "10,000 actions taken over", "× their bytes sent", |all| at(all, "/0/take_over/2/ratio"), Aim::None;
            "bytes of one action", "× full state", |all| share(all, "/0/take_over/0"), Aim::None;
            "1,000 moving bodies on the wire", "× 28 B at 60 Hz", |all| at(all, "/0/running/ratio"), Aim::None;
        ],
    },
    Part {
        name: "introspection",
        command: || BenchCommand::Introspection { bodies: 1000, items: 10_000, steps: 1000 },
        figures: figures![
            "10,000 items of 1,000 bodies", "of a step", |all| at(all, "/0/share_of_step"), Aim::AtMost(0.05);
            "sampling", "× a copy", |all| at(all, "/0/sampling_to_copy"), Aim::None;
        ],
    },
    Part {
        name: "plot-store",
        command: || BenchCommand::PlotStore { samples: 10_000_000 },
        figures: figures![
            "view of 10 million samples", "× faster than a scan", |all| at(all, "/0/queries/0/ratio"), Aim::AtLeast(100.0);
            "extremes lost", "", |all| most(all, "/0/queries", "lost_extremes"), Aim::AtMost(0.0);
            "memory", "B a sample", |all| at(all, "/0/bytes_per_sample"), Aim::None;
        ],
    },
    Part {
        name: "motion",
        command: || BenchCommand::Motion { cycles: 20_000 },
        figures: figures![
            "evaluation of a curve, worst way", "× bare polynomial", |all| most(all, "/0/curves", "ratio"), Aim::None;
            "30 joints, p99, worst blend", "% of 1 ms", |all| most(all, "/0/periods", "p99_share"), Aim::None;
            "goal to first reference", "cycles", |all| most(all, "/0/periods", "first_reference_cycles"), Aim::AtMost(1.0);
            "100 joints × 1,000 waypoints", "ms", |all| at(all, "/0/long_build_ms"), Aim::None;
        ],
    },
    Part {
        name: "log",
        command: || BenchCommand::Log { bodies: 1000, steps: 500, seconds: 3600 },
        figures: figures![
            "recording 1,000 bodies", "of a step", |all| at(all, "/0/share_of_step"), Aim::AtMost(0.03);
            "bytes of a body and step", "× 56 B", |all| at(all, "/0/to_raw_poses"), Aim::None;
            "seek in an hour, p50", "× one chunk", |all| at(all, "/0/seek_to_chunk"), Aim::None;
            "writing", "× copying", |all| at(all, "/0/write_to_copy"), Aim::None;
        ],
    },
    Part {
        name: "profiles",
        command: || BenchCommand::Profiles { steps: 1000 },
        figures: figures![
            "switch between presets, worst world", "steps", |all| most(all, "/0", "switch_steps"), Aim::None;
            "switch of engines, worst world", "steps", |all| most(all, "/0", "engine_switch_steps"), Aim::None;
        ],
    },
    Part {
        name: "script",
        command: || BenchCommand::Script { plugins: 100, steps: 1000 },
        figures: figures![
            "a driver in Luau", "µs a step", |all| at(all, "/0/luau_us"), Aim::None;
            "the same in Rust", "µs a step", |all| at(all, "/0/rust_us"), Aim::None;
        ],
    },
];

/// Finds a number by its place: first the number of the document, then the way in it.
fn at(all: &[Value], place: &str) -> Option<f64> {
    find(all, place)?.as_f64()
}

fn find<'a>(all: &'a [Value], place: &str) -> Option<&'a Value> {
    let (document, way) = place[1..].split_once('/').unwrap_or((&place[1..], ""));
    let document = all.get(document.parse::<usize>().ok()?)?;
    if way.is_empty() { Some(document) } else { document.pointer(&format!("/{way}")) }
}

/// The greatest number called `key` in a list.
fn most(all: &[Value], place: &str, key: &str) -> Option<f64> {
    let numbers = find(all, place)?.as_array()?.iter().filter_map(|one| one[key].as_f64());
    numbers.reduce(f64::max)
}

/// How many of a list say no to `key`.
fn refused(all: &[Value], key: &str) -> Option<f64> {
    let list = find(all, "/0")?.as_array()?;
    Some(list.iter().filter(|one| one[key] != Value::Bool(true)).count() as f64)
}

/// The bytes of actions against those of the whole state.
fn share(all: &[Value], place: &str) -> Option<f64> {
    let found = find(all, place)?;
    Some(found["bytes"].as_f64()? / found["full_state_bytes"].as_f64()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_found_by_document_and_way() {
        let all = [json!([{ "ratio": 1.5 }, { "ratio": 2.5 }]), json!({ "deep": { "er": 4 } })];
        assert_eq!(at(&all, "/0/1/ratio"), Some(2.5));
        assert_eq!(at(&all, "/1/deep/er"), Some(4.0));
        assert_eq!(at(&all, "/2/deep"), None);
        assert_eq!(most(&all, "/0", "ratio"), Some(2.5));
        let passes = [json!([{ "passes": true }, { "passes": false }, {}])];
        assert_eq!(refused(&passes, "passes"), Some(2.0));
    }
}
