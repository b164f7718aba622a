//! Step cost: the whole simulator against the bare engine on the same scenes.

use retake_description::World;
use retake_ecm::Ecm;
use retake_physics::{BareRapier, EngineSettings, Physics, RapierEngine};
use retake_sim::{Simulation, SimulationOptions};
use serde::Serialize;

use super::scenes;
use crate::output::{Outcome, Printer};
use crate::replica;

/// What the aim of the design is.
const AIM: f64 = 1.05;
/// Steps that are timed together.
const BLOCK: u32 = 20;

/// How much is measured.
pub(super) struct Size {
    pub(super) boxes: u32,
    pub(super) steps: u32,
}

/// What came of one scene.
#[derive(Serialize)]
struct Cost {
    scene: String,
    steps: u32,
    bare_us_per_step: f64,
    retake_us_per_step: f64,
    ratio: f64,
    aim: f64,
}

/// Measures every scene.
pub(super) fn run(size: Size, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let scenes = [
        (format!("{} falling boxes", size.boxes), scenes::falling_boxes(size.boxes)),
        ("10 stacks of 10 boxes".to_owned(), scenes::stacks()),
        ("10 arms of 6 joints".to_owned(), scenes::arms()),
        ("quadruped of 12 joints".to_owned(), scenes::quadruped()),
    ];
    let mut costs = Vec::new();
    for (name, world) in scenes {
        costs.push(measure(name, &world, size.steps)?);
    }
    printer.print(&costs, |out| {
        writeln!(out, "CPU time per step in µs, medians over {} steps of 1 ms", size.steps)?;
        writeln!(
            out,
            "{:<26} {:>9} {:>9} {:>7}  (aim: {AIM})",
            "scene", "bare", "Retake", "ratio"
        )?;
        for cost in &costs {
            let Cost { scene, bare_us_per_step: bare, retake_us_per_step: ours, ratio, .. } = cost;
            writeln!(out, "{scene:<26} {bare:>9.1} {ours:>9.1} {ratio:>7.3}")?;
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}

/// Steps both in turn, a few steps each, so that what else the machine does falls on both.
fn measure(scene: String, world: &World, steps: u32) -> anyhow::Result<Cost> {
    let mut bare = bare_engine(world, EngineSettings::default())?;
    let mut ours = Simulation::load(world, &SimulationOptions::default())?;
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for _ in 0..steps.div_ceil(BLOCK).max(1) {
        let start = cpu_micros();
        (0..BLOCK).for_each(|_| bare.step());
        let middle = cpu_micros();
        for _ in 0..BLOCK {
            ours.step()?;
        }
        blocks.push((middle - start, cpu_micros() - middle));
    }
    let per_step =
        |pick: fn(&(f64, f64)) -> f64| median(blocks.iter().map(pick).collect()) / f64::from(BLOCK);
    Ok(Cost {
        scene,
        steps,
        bare_us_per_step: per_step(|block| block.0),
        retake_us_per_step: per_step(|block| block.1),
        ratio: median(blocks.iter().map(|(bare, ours)| ours / bare).collect()),
        aim: AIM,
    })
}

/// CPU time of this thread: what other programs do does not count.
pub(super) fn cpu_micros() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// The library's own world, built from the same description.
pub(super) fn bare_engine(world: &World, settings: EngineSettings) -> anyhow::Result<BareRapier> {
    let mut ecm: Ecm = replica::empty();
    retake_components::spawn_world(&mut ecm, world, 1)?;
    let engine = RapierEngine::new(settings)?;
    let mut physics = Physics::new(Box::new(engine));
    physics.follow(&mut ecm);
    let mut copy = RapierEngine::new(settings)?;
    retake_physics::Engine::restore(&mut copy, &physics.engine().snapshot())?;
    Ok(BareRapier::copy_of(&copy))
}

/// Returns the middle one of some values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
