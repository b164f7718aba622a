//! Step cost of falling boxes: the whole simulator against the bare engine on the same scene.

use retake_description::{
    Bounce, Collision, Friction, Geometry, Link, Model, Surface, Visual, World,
};
use retake_ecm::Ecm;
use retake_math::{Inertial, Pose, Vec3};
use retake_physics::{BareRapier, EngineSettings, Physics, RapierEngine};
use retake_sim::{Simulation, SimulationOptions};
use serde_json::json;

use crate::output::{Outcome, Printer};
use crate::replica;

/// What the aim of the design is.
const AIM: f64 = 1.15;
const STEP_SECS: f64 = 0.001;
/// Steps that are timed together.
const BLOCK: u32 = 20;

/// How much is measured.
pub(super) struct Size {
    pub(super) boxes: u32,
    pub(super) steps: u32,
}

/// Steps both in turn, a few steps each, so that what else the machine does falls on both.
pub(super) fn run(size: Size, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let world = falling_boxes(size.boxes);
    let mut bare = bare_engine(&world)?;
    let mut ours = Simulation::load(&world, &SimulationOptions::default())?;
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for _ in 0..size.steps.div_ceil(BLOCK).max(1) {
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
    let (bare, ours) = (per_step(|block| block.0), per_step(|block| block.1));
    let ratio = median(blocks.iter().map(|(bare, ours)| ours / bare).collect());
    let value = json!({
        "boxes": size.boxes,
        "steps": size.steps,
        "bare_us_per_step": bare,
        "retake_us_per_step": ours,
        "ratio": ratio,
        "aim": AIM,
    });
    printer.print(&value, |out| {
        writeln!(out, "{} falling boxes, {} steps, CPU time, medians", size.boxes, size.steps)?;
        writeln!(out, "bare Rapier  {bare:9.1} µs/step")?;
        writeln!(out, "Retake       {ours:9.1} µs/step")?;
        writeln!(out, "ratio        {ratio:9.3}  (aim: at most {AIM})")
    })?;
    Ok(Outcome::Done)
}

/// CPU time of this thread: what other programs do does not count.
fn cpu_micros() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// The library's own world, built from the same description.
fn bare_engine(world: &World) -> anyhow::Result<BareRapier> {
    let mut ecm: Ecm = replica::empty();
    retake_components::spawn_world(&mut ecm, world, 1)?;
    let engine = RapierEngine::new(EngineSettings::default())?;
    let mut physics = Physics::new(Box::new(engine));
    physics.follow(&mut ecm);
    let mut copy = RapierEngine::new(EngineSettings::default())?;
    retake_physics::Engine::restore(&mut copy, &physics.snapshot())?;
    Ok(BareRapier::copy_of(&copy))
}

/// Columns of boxes above a ground, a little apart so that they fall and pile up.
fn falling_boxes(count: u32) -> World {
    const PER_COLUMN: u32 = 10;
    let columns = count.div_ceil(PER_COLUMN).max(1);
    let side = f64::from(columns).sqrt().ceil() as u32;
    let mut world = World { name: "boxes".to_owned(), ..World::default() };
    world.profiles[0].max_step_size_secs = STEP_SECS;
    world.models.push(ground());
    world.models.extend((0..count).map(|index| {
        let (column, level) = (index / PER_COLUMN, index % PER_COLUMN);
        let (x, y) = (f64::from(column % side), f64::from(column / side));
        let position = Vec3::new(x * 1.5, y * 1.5, 0.3 + 0.6 * f64::from(level));
        falling_box(&format!("box_{index}"), position)
    }));
    world
}

fn falling_box(name: &str, position: Vec3) -> Model {
    const EDGE: f64 = 0.5;
    let geometry = Geometry::Box { size: Vec3::splat(EDGE) };
    let inertial = Inertial { moments: Vec3::splat(EDGE * EDGE / 6.0), ..Inertial::default() };
    Model {
        name: name.to_owned(),
        parent_from_model: Pose::from_position(position),
        links: vec![link(geometry, inertial)],
        ..Model::default()
    }
}

fn ground() -> Model {
    let geometry = Geometry::Plane { normal: Vec3::Z, size: [100.0, 100.0] };
    Model {
        name: "ground".to_owned(),
        is_static: true,
        links: vec![link(geometry, Inertial::default())],
        ..Model::default()
    }
}

fn link(geometry: Geometry, inertial: Inertial) -> Link {
    let surface = Surface {
        friction: Friction { mu: 0.8, ..Friction::default() },
        bounce: Bounce::default(),
        ..Surface::default()
    };
    Link {
        name: "link".to_owned(),
        inertial,
        gravity: true,
        collisions: vec![Collision {
            name: "collision".to_owned(),
            link_from_collision: Pose::IDENTITY,
            geometry: geometry.clone(),
            surface,
            extras: Vec::new(),
        }],
        visuals: vec![Visual {
            name: "visual".to_owned(),
            link_from_visual: Pose::IDENTITY,
            geometry,
            material: None,
            transparency: 0.0,
            cast_shadows: true,
            extras: Vec::new(),
        }],
        ..Link::default()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
