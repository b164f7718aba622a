//! Logs.

use std::path::Path;
use std::sync::Arc;

use prost::Message;
use retake_ecm::{Ecm, Parent};
use retake_log::{Log, LogFacts, LogStates, LogWriter, Stamp, check, recover as repair};
use retake_math::SimTime;
use retake_msgs::{Clock, Name as _, StampedState, TimeJumped, names, type_descriptor};

use super::meshes::file;
use super::{Verdict, ensure, seen};

const WORLD: &str = "w";

/// One that was ended, and one that was cut off.
pub(super) fn samples() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("tests need a folder for their files");
    let path = folder.path().join("sample.mcap");
    let written = write(&path).and_then(|()| std::fs::read(&path).map_err(|e| e.to_string()));
    let whole = written.expect("a log can be written into a new folder");
    let cut = whole[..whole.len() * 2 / 3].to_vec();
    vec![whole, cut]
}

fn write(path: &Path) -> Result<(), String> {
    let facts = LogFacts { world: WORLD.to_owned(), run: "r".to_owned(), ..LogFacts::default() };
    let mut writer = LogWriter::create(path, &facts).map_err(|e| e.to_string())?;
    let mut ecm = Ecm::new(retake_components::registry().build());
    let world = ecm.create();
    let mut now = Stamp::default();
    let put = |writer: &mut LogWriter, now: Stamp, topic: &str, name: String, bytes: Vec<u8>| {
        let schema = Arc::new(type_descriptor(&name).ok_or("no such type")?);
        writer.write(topic, &schema, now, &bytes).map_err(|e| e.to_string())
    };
    writer.attach("world.sdf", "application/xml", b"<sdf/>").map_err(|e| e.to_string())?;
    for step in 0..60 {
        now.recorded += SimTime::from_nanos(1_000_000);
        now.sim_time += SimTime::from_nanos(1_000_000);
        let clock = Clock { sim: Some(now.sim_time.into()) };
        put(&mut writer, now, names::CLOCK, Clock::full_name(), clock.encode_to_vec())?;
        let base = ecm.close_tick();
        let child = ecm.create();
        ecm.set(child, Parent(world)).map_err(|e| e.to_string())?;
        let full = step % 10 == 0;
        let state = if full { ecm.encode_full() } else { ecm.encode_since(base) };
        let topic = if full { names::log_full_state(WORLD) } else { names::state_delta(WORLD) };
        let state = StampedState { state: Some(state), ..StampedState::default() };
        put(&mut writer, now, &topic, StampedState::full_name(), state.encode_to_vec())?;
        if step == 35 {
            let from = now.sim_time;
            now.sim_time = SimTime::from_nanos(5_000_000);
            let jump = TimeJumped {
                from: Some(from.into()),
                to: Some(now.sim_time.into()),
                epoch: 1,
                ..TimeJumped::default()
            };
            put(
                &mut writer,
                now,
                names::LOG_TIMELINE,
                TimeJumped::full_name(),
                jump.encode_to_vec(),
            )?;
        }
        if step % 20 == 19 {
            writer.cut().map_err(|e| e.to_string())?;
        }
    }
    writer.finish().map(|_| ()).map_err(|e| e.to_string())
}

pub(super) fn read(input: &[u8]) -> Verdict {
    let path = file("l.mcap", input)?;
    check(&path).ok();
    let log = match Log::open(&path) {
        Ok(log) => Arc::new(log),
        Err(error) => {
            let named = error.to_string().contains(&path.display().to_string());
            ensure(named, || format!("an error that names no file: {error}"))?;
            return Ok(seen(false));
        }
    };
    // Whatever of it is damaged is told and left out.
    let messages = log.messages(&[], ..).count();
    ensure(messages < 10_000, || format!("{messages} messages of 120"))?;
    for attachment in log.attachments() {
        log.attachment(&attachment.name).ok();
    }
    let mut states = LogStates::new(Arc::clone(&log), retake_components::registry().build());
    for millis in [0, 30, 5, 60, 1_000_000] {
        states.seek(SimTime::from_nanos(millis * 1_000_000)).ok();
    }
    states.step(-5).ok();
    states.step(10).ok();
    std::fs::read(&path)
        .map_or(Ok(()), |after| ensure(after == input, || "reading changed the file".to_owned()))?;
    Ok(seen(true))
}

/// What was recovered is a log without a fault.
pub(super) fn recover(input: &[u8]) -> Verdict {
    let path = file("l.mcap", input)?;
    let target = path.with_file_name("recovered.mcap");
    std::fs::remove_file(&target).ok();
    if let Err(error) = repair(&path, &target) {
        ensure(!error.to_string().is_empty(), || "refused without a word".to_owned())?;
        return Ok(seen(false));
    }
    let report = check(&target).map_err(|error| format!("what was recovered: {error}"))?;
    ensure(report.whole(), || format!("what was recovered is damaged: {:?}", report.damage))?;
    Ok(seen(true))
}
