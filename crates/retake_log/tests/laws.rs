//! Laws of logs: what was written is read, and seeking is reading up to there.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, reason = "tests have names")]

mod common;

use std::sync::Arc;

use proptest::prelude::*;
use retake_log::{Log, LogError, LogStates, LogWriter, check, recover};
use retake_math::SimTime;
use tempfile::TempDir;

use common::{STEP, Truth, facts, hash, recorded, registry};

fn log_of(seed: u64, steps: usize) -> (TempDir, Arc<Log>, Truth) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let truth = recorded(&path, seed, steps);
    let log = Arc::new(Log::open(&path).unwrap());
    (folder, log, truth)
}

fn read(log: &Log) -> Vec<retake_log::LogMessage> {
    log.messages(&[], ..).collect::<Result<_, _>>().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_is_read(seed in any::<u64>(), steps in 1..200usize) {
        let (_folder, log, truth) = log_of(seed, steps);
        prop_assert_eq!(&read(&log), &truth.messages);
        prop_assert!(log.finished() && log.damage().is_empty());
        prop_assert_eq!(log.facts(), &facts());
        prop_assert_eq!(log.length(), truth.messages.last().unwrap().stamp.recorded);
        prop_assert_eq!(log.attachment("world.sdf").unwrap(), b"<sdf version='1.11'/>");
        let counted: u64 = log.topics().iter().map(|topic| topic.messages).sum();
        prop_assert_eq!(counted, truth.messages.len() as u64);
        prop_assert!(check(log.path()).unwrap().whole());
    }

    #[test]
    fn a_span_of_topics_is_a_filter(seed in any::<u64>(), from in 0..150u32, long in 0..60u32) {
        let (_folder, log, truth) = log_of(seed, 120);
        let from = SimTime::from_nanos(i64::from(from) * STEP.as_nanos());
        let to = from + SimTime::from_nanos(i64::from(long) * STEP.as_nanos());
        for topics in [&["/clock"][..], &["/clock", "/timeline"], &["/none"]] {
            let found: Vec<_> = log.messages(topics, from..to).map(Result::unwrap).collect();
            let expected = truth.messages.iter().filter(|message| {
                topics.contains(&&*message.topic) && (from..to).contains(&message.stamp.recorded)
            });
            prop_assert_eq!(found, expected.cloned().collect::<Vec<_>>());
        }
        let last = truth.messages.iter().rfind(|message| {
            &*message.topic == "/clock" && message.stamp.recorded <= from
        });
        prop_assert_eq!(log.last_before("/clock", from).unwrap(), last.cloned());
    }

    #[test]
    fn seeking_is_reading_up_to_there(
        seed in any::<u64>(), seeks in prop::collection::vec(0..2_200u32, 1..30),
    ) {
        let (_folder, log, truth) = log_of(seed, 200);
        let mut states = LogStates::new(Arc::clone(&log), registry());
        for millis in seeks {
            let at = SimTime::from_nanos(i64::from(millis) * 1_000_000);
            states.seek(at).unwrap();
            let expected = truth.states.iter().rfind(|state| state.stamp.recorded <= at).unwrap();
            prop_assert_eq!(states.stamp(), expected.stamp);
            prop_assert_eq!(states.epoch(), expected.epoch);
            prop_assert_eq!(hash(states.ecm()), expected.hash);
            prop_assert!(states.complete());
        }
    }

    #[test]
    fn steps_go_from_state_to_state(seed in any::<u64>(), steps in prop::collection::vec(-40..60i64, 1..20)) {
        let (_folder, log, truth) = log_of(seed, 150);
        let mut states = LogStates::new(log, registry());
        states.seek(SimTime::ZERO).unwrap();
        let last = truth.states.len() as i64 - 1;
        let mut at = truth.states.iter().rposition(|s| s.stamp.recorded == SimTime::ZERO).unwrap() as i64;
        for step in steps {
            let to = (at + step).clamp(0, last);
            prop_assert_eq!(states.step(step).unwrap(), to - at);
            at = to;
            prop_assert_eq!(hash(states.ecm()), truth.states[at as usize].hash);
            prop_assert_eq!(states.stamp(), truth.states[at as usize].stamp);
            prop_assert_eq!(states.epoch(), truth.states[at as usize].epoch);
            let next = truth.states.get(at as usize + 1).map(|state| state.stamp.recorded);
            prop_assert_eq!(states.next_at().unwrap(), next);
        }
    }

    #[test]
    fn passes_over_a_time_come_in_order(seed in any::<u64>(), at in 0..150u32) {
        let (_folder, log, truth) = log_of(seed, 200);
        let at = SimTime::from_nanos(i64::from(at) * STEP.as_nanos());
        let passes = log.passes(at);
        prop_assert!(passes.is_sorted());
        // The first state of each epoch that is of this time, in the order of the recording.
        let mut expected: Vec<common::TrueState> = Vec::new();
        for state in truth.states.iter().filter(|state| state.stamp.sim_time == at) {
            if expected.last().is_none_or(|last| last.epoch != state.epoch) {
                expected.push(state.clone());
            }
        }
        let recorded: Vec<_> = expected.iter().map(|state| state.stamp.recorded).collect();
        prop_assert_eq!(&passes, &recorded);
        let mut states = LogStates::new(log, registry());
        for (pass, expected) in expected.iter().enumerate() {
            prop_assert!(states.seek_sim_time(at, pass).unwrap());
            prop_assert_eq!(states.stamp(), expected.stamp);
            prop_assert_eq!(states.epoch(), expected.epoch);
            prop_assert_eq!(hash(states.ecm()), expected.hash);
        }
        prop_assert!(!states.seek_sim_time(at, expected.len()).unwrap());
    }

    #[test]
    fn simulated_time_is_known_from_recording_time(seed in any::<u64>()) {
        let (_folder, log, truth) = log_of(seed, 200);
        for message in truth.messages.iter().filter(|message| &*message.topic == "/clock") {
            // At a jump the time after it counts.
            let (sim_time, _) = log.sim_time_at(message.stamp.recorded - SimTime::from_nanos(1));
            prop_assert_eq!(sim_time + SimTime::from_nanos(1), message.stamp.sim_time);
        }
        let last = truth.states.last().unwrap();
        prop_assert_eq!(log.sim_time_at(last.stamp.recorded), (last.stamp.sim_time, last.epoch));
    }

    #[test]
    fn what_was_recovered_from_a_whole_log_is_that_log(seed in any::<u64>()) {
        let (folder, log, truth) = log_of(seed, 60);
        let to = folder.path().join("again.mcap");
        let recovered = recover(log.path(), &to).unwrap();
        prop_assert_eq!(recovered.messages, truth.messages.len() as u64);
        prop_assert_eq!(recovered.lost, vec![]);
        let again = Log::open(&to).unwrap();
        prop_assert_eq!(read(&again), truth.messages);
        prop_assert_eq!(again.facts(), log.facts());
        prop_assert!(check(&to).unwrap().whole());
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    std::fs::write(&path, "precious").unwrap();
    let refused = LogWriter::create(&path, &facts()).err().unwrap();
    assert!(matches!(refused, LogError::Exists { .. }), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    let refused = Log::open(&path).unwrap_err();
    assert!(matches!(refused, LogError::NotALog { .. }), "{refused}");
    let refused = Log::open(folder.path()).unwrap_err();
    assert!(matches!(refused, LogError::Read { .. }), "{refused}");
}

#[test]
fn a_log_that_is_still_written_can_be_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.mcap");
    let mut recorder = common::Recorder::new(&path, 3);
    recorder.run(50);
    recorder.writer.sync().unwrap();
    let bytes = recorder.writer.bytes();
    assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
    let log = Log::open(&path).unwrap();
    assert_eq!(read(&log), recorder.truth.messages);
    assert!(!log.finished());
    assert_eq!(log.damage().len(), 1, "{:?}", log.damage());
    assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
}
