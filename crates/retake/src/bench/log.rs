//! Cost of recording a world, size of its log, speed of the disk under it, and seeking in a long one.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use retake_components::LocalPose;
use retake_log::{Log, LogFacts, LogStates, LogWriter, Stamp};
use retake_math::SimTime;
use retake_msgs::{LogStart, Name, StampedState, names, type_descriptor};
use retake_sim::systems::registry;
use retake_sim::{
    Recorder, Recording, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits,
    WhenFull,
};
use serde::Serialize;

use super::scenes;
use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// Greatest share of a step that recording should take.
const AIM_SHARE: f64 = 0.03;
/// Bytes of a pose: position and orientation.
const RAW_BYTES: f64 = 56.0;
/// Steps that are timed together.
const BLOCK: u32 = 10;
/// Instants that are sought.
const SEEKS: u32 = 200;
/// States per second of the long log.
const LONG_HZ: u64 = 100;

#[derive(Serialize)]
struct Cost {
    bodies: u32,
    step_us: f64,
    recording_us: f64,
    share_of_step: f64,
    aim_share: f64,
    dropped: u64,
    bytes: u64,
    bytes_per_body_step: f64,
    to_raw_poses: f64,
    write_mb_per_s: f64,
    copy_mb_per_s: f64,
    write_to_copy: f64,
    long_bytes: u64,
    long_open_ms: f64,
    seek_p50_ms: f64,
    seek_p99_ms: f64,
    chunk_ms: f64,
    seek_to_chunk: f64,
}

/// Measures a world of boxes, and a synthetic log of so many seconds.
pub(super) fn run(
    bodies: u32,
    steps: u32,
    seconds: u32,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let mut cost = record(bodies, steps, folder.path())?;
    rates(&mut cost, folder.path())?;
    seek(&mut cost, seconds, folder.path())?;
    printer.print(&cost, |out| {
        writeln!(
            out,
            "{bodies} bodies, {steps} steps of 1 ms; CPU time of the step thread, medians"
        )?;
        writeln!(out, "step without recording  {:>10.1} µs", cost.step_us)?;
        writeln!(out, "recording adds          {:>10.1} µs", cost.recording_us)?;
        writeln!(out, "share of a step         {:>10.4}  (aim: {AIM_SHARE})", cost.share_of_step)?;
        writeln!(out, "bytes per body and step {:>10.1}", cost.bytes_per_body_step)?;
        writeln!(out, "against 56 raw bytes    {:>10.2}", cost.to_raw_poses)?;
        writeln!(out, "left out                {:>10}", cost.dropped)?;
        writeln!(out, "writing                 {:>10.1} MB/s of the file", cost.write_mb_per_s)?;
        writeln!(out, "copying the same bytes  {:>10.1} MB/s", cost.copy_mb_per_s)?;
        writeln!(out, "writing / copying       {:>10.3}", cost.write_to_copy)?;
        writeln!(out, "A log of {seconds} s, {} bytes", cost.long_bytes)?;
        writeln!(out, "open                    {:>10.2} ms", cost.long_open_ms)?;
        writeln!(
            out,
            "seek p50, p99           {:>10.2} {:.2} ms",
            cost.seek_p50_ms, cost.seek_p99_ms
        )?;
        writeln!(out, "reading one chunk       {:>10.2} ms", cost.chunk_ms)?;
        writeln!(out, "seek / chunk            {:>10.2}", cost.seek_to_chunk)
    })?;
    Ok(Outcome::Done)
}

/// Steps two equal worlds, one of which is recorded.
fn record(bodies: u32, steps: u32, folder: &Path) -> anyhow::Result<Cost> {
    let world = scenes::falling_boxes(bodies);
    let load = || -> anyhow::Result<Server> {
        let simulation = Simulation::load(&world, &SimulationOptions::default())?;
        // What is measured here is not the timeline.
        let timeline = TimelineLimits::OFF;
        let options = ServerOptions { timeline, ..ServerOptions::default() };
        Ok(Server::new(simulation, &options))
    };
    let (mut plain, mut recorded) = (load()?, load()?);
    let recorder = Arc::new(Recorder::new(recorded.log_facts(), folder, WhenFull::Wait));
    let file = folder.join("recorded.mcap");
    let started = recorder.start_at(&file, &LogStart::default());
    anyhow::ensure!(started.ok, "{}", started.message);
    let mut recording = Recording::new(Arc::clone(&recorder));
    recording.follow(&mut recorded);
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for _ in 0..steps.div_ceil(BLOCK).max(1) {
        let start = thread_micros()?;
        (0..BLOCK).for_each(|_| plain.step());
        let middle = thread_micros()?;
        for _ in 0..BLOCK {
            recorded.step();
            recording.follow(&mut recorded);
        }
        blocks.push((middle - start, thread_micros()? - middle));
    }
    let status = recording.stop(&mut recorded);
    let per_step = |values: Vec<f64>| median(values) / f64::from(BLOCK);
    let step_us = per_step(blocks.iter().map(|block| block.0).collect());
    // Both worlds are the same bit by bit, so that what differs in each block is the recording.
    let recording_us = per_step(blocks.iter().map(|(plain, both)| both - plain).collect());
    let body_steps = f64::from(bodies) * f64::from(steps);
    let bytes_per_body_step = status.bytes as f64 / body_steps;
    Ok(Cost {
        bodies,
        step_us,
        recording_us,
        share_of_step: recording_us / step_us,
        aim_share: AIM_SHARE,
        dropped: status.dropped,
        bytes: status.bytes,
        bytes_per_body_step,
        to_raw_poses: bytes_per_body_step / RAW_BYTES,
        write_mb_per_s: 0.0,
        copy_mb_per_s: 0.0,
        write_to_copy: 0.0,
        long_bytes: 0,
        long_open_ms: 0.0,
        seek_p50_ms: 0.0,
        seek_p99_ms: 0.0,
        chunk_ms: 0.0,
        seek_to_chunk: 0.0,
    })
}

/// CPU time of this thread alone: the writing thread has its own.
fn thread_micros() -> anyhow::Result<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Ok(time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3)
}

/// Writes the messages of the recorded log once more, and copies the file.
fn rates(cost: &mut Cost, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("recorded.mcap");
    let log = Log::open(&file)?;
    let messages: Vec<_> = log.messages(&[], ..).collect::<Result<_, _>>()?;
    let schema = type_descriptor(&StampedState::full_name()).context("no schema")?;
    let start = Instant::now();
    let mut writer = LogWriter::create(&folder.join("again.mcap"), log.facts())?;
    for message in &messages {
        writer.write(&message.topic, &schema, message.stamp, &message.bytes)?;
    }
    let bytes = writer.finish()?;
    cost.write_mb_per_s = bytes as f64 / 1e6 / start.elapsed().as_secs_f64();
    let start = Instant::now();
    std::fs::copy(&file, folder.join("copy.mcap"))?;
    std::fs::File::open(folder.join("copy.mcap"))?.sync_all()?;
    cost.copy_mb_per_s = cost.bytes as f64 / 1e6 / start.elapsed().as_secs_f64();
    cost.write_to_copy = cost.write_mb_per_s / cost.copy_mb_per_s;
    Ok(())
}

/// Makes a long log of a few bodies and goes to instants all over it.
fn seek(cost: &mut Cost, seconds: u32, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("long.mcap");
    write_long(&file, seconds)?;
    let start = Instant::now();
    let log = Arc::new(Log::open(&file)?);
    cost.long_open_ms = start.elapsed().as_secs_f64() * 1e3;
    cost.long_bytes = log.bytes();
    let mut random = fastrand::Rng::with_seed(7);
    let mut states = LogStates::new(Arc::clone(&log), registry());
    let mut seeks = Vec::new();
    let mut chunks = Vec::new();
    for _ in 0..SEEKS {
        let to = SimTime::from_secs_f64(random.f64() * f64::from(seconds));
        let start = cpu_micros();
        states.seek(to)?;
        seeks.push((cpu_micros() - start) / 1e3);
        // A fresh reader keeps nothing, so that this reads and unpacks one chunk.
        let fresh = Log::open(&file)?;
        let start = cpu_micros();
        std::hint::black_box(fresh.last_before(&names::state_delta("long"), to)?);
        chunks.push((cpu_micros() - start) / 1e3);
    }
    seeks.sort_by(f64::total_cmp);
    cost.seek_p50_ms = seeks[seeks.len() / 2];
    cost.seek_p99_ms = seeks[seeks.len() * 99 / 100];
    cost.chunk_ms = median(chunks);
    cost.seek_to_chunk = cost.seek_p50_ms / cost.chunk_ms;
    Ok(())
}

/// Ten bodies that all move in each state, with a full state each ten seconds.
fn write_long(file: &Path, seconds: u32) -> anyhow::Result<()> {
    let world = scenes::falling_boxes(10);
    let mut simulation = Simulation::load(&world, &SimulationOptions::default())?;
    let facts = LogFacts { world: "long".to_owned(), ..LogFacts::default() };
    let mut writer = LogWriter::create(file, &facts)?;
    let schema = type_descriptor(&StampedState::full_name()).context("no schema")?;
    let mut ecm = retake_ecm::Ecm::clone(&simulation.view());
    let links: Vec<_> = ecm.iter::<LocalPose>().map(|(entity, pose)| (entity, *pose)).collect();
    let states = u64::from(seconds) * LONG_HZ;
    let mut tick = 0;
    for number in 0..=states {
        let time = SimTime::from_nanos((number * 1_000_000_000 / LONG_HZ) as i64);
        let phase = number as f64 * 0.013;
        for (place, (entity, pose)) in links.iter().enumerate() {
            let mut moved = *pose;
            moved.0.position.x += (phase + place as f64).sin();
            moved.0.position.z += (phase * 1.7 + place as f64).cos();
            ecm.set(*entity, moved)?;
        }
        let is_full = number % (10 * LONG_HZ) == 0;
        let state = if is_full { ecm.encode_full() } else { ecm.encode_since(tick) };
        tick = ecm.tick();
        ecm.close_tick();
        let topic = match is_full {
            true => names::log_full_state("long"),
            false => names::state_delta("long"),
        };
        if is_full {
            writer.cut()?;
        }
        let stamped =
            StampedState { sim_time: Some(time.into()), iterations: number, state: Some(state) };
        let stamp = Stamp { recorded: time, sim_time: time };
        writer.write(&topic, &schema, stamp, &prost::Message::encode_to_vec(&stamped))?;
    }
    writer.finish()?;
    Ok(())
}
