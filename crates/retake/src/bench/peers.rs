//! The other side of `make bench-peers`: scenes for other engines, and Retake as one of them.
//!
//! A driver reads orders from standard input and answers each with one line of JSON, so that the
//! engines can take turns. The programs that drive the others are in `bench/peers`.

use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use retake_components::{EntityName, Kind, world_pose};
use retake_description::{Geometry, Link, Model, PhysicsProfile, WORLD_LINK, World};
use retake_diag::Diagnostics;
use retake_ecm::{EntityId, Parent};
use retake_math::{Pose, Quat, Vec3};
use retake_physics::{BareRapier, EngineSettings, engine_for};
use retake_sdf::{LoadOptions, load_file};
use retake_sim::{Simulation, SimulationOptions};
use serde_json::{Value, json};

use super::scenes::{BOX_WIDTH, PER_COLUMN, STEP_SECS, Scene};
use super::step::{bare_engine, cpu_micros};
use crate::output::{Outcome, Printer};
use crate::world_file;

/// Who takes the orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Driver {
    /// Retake, whole
    Retake,
    /// The engine's library alone, on what Retake built
    Rapier,
    /// The loader of world files
    Loader,
}

/// What a driver is to do.
#[derive(Args)]
pub(crate) struct DriveArgs {
    /// Who takes the orders
    driver: Driver,
    /// The scene, unless files are loaded
    scene: Option<Scene>,
    /// Engine of Retake
    #[arg(long, default_value = "rapier")]
    engine: String,
    /// Preset of the engine
    #[arg(long, default_value = "default")]
    preset: String,
    /// Folder that files may be taken from; can be given several times
    #[arg(long, value_name = "DIR")]
    resource_path: Vec<PathBuf>,
}

/// Writes a scene as `bench/peers/scene.py` reads it.
pub(super) fn write_scene(scene: Scene, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let lines = lines_of(scene)?;
    printer.print(&lines, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Outcome::Done)
}

/// Takes orders until there are no more.
pub(super) fn drive(args: &DriveArgs, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let version = env!("CARGO_PKG_VERSION");
    let scene = || args.scene.context("name a scene: boxes, stacks, arms or quadruped");
    match args.driver {
        Driver::Retake => {
            let mut simulation = simulate(scene()?.world(), &args.engine, &args.preset)?;
            let name = format!("Retake {version} on {} {}", args.engine, args.preset);
            serve(&name, printer, |order| steps(&mut simulation, order))
        }
        Driver::Rapier => {
            let settings = EngineSettings::preset(&args.preset);
            let settings = settings.with_context(|| format!("no preset {:?}", args.preset))?;
            let mut bare = bare_engine(&scene()?.world(), settings)?;
            let name = format!("bare Rapier, as {}", args.preset);
            serve(&name, printer, |order| bare_steps(&mut bare, order))
        }
        Driver::Loader => {
            let roots = world_file::roots(&args.resource_path)?;
            let name = format!("Retake {version}");
            serve(&name, printer, |path| {
                let start = cpu_micros();
                let mut found = Diagnostics::new();
                let options = LoadOptions { keep_going: true, ..LoadOptions::default() };
                let contents = load_file(path.as_ref(), &roots, &options, &mut found);
                let loaded = contents.is_some();
                // Letting go counts, as it does on the other side.
                drop(contents);
                Ok(json!({ "cpu_us": cpu_micros() - start, "loaded": loaded }))
            })
        }
    }
}

/// Tells who it is, then answers every line of standard input.
fn serve(
    engine: &str,
    printer: &mut Printer<'_>,
    mut answer: impl FnMut(&str) -> anyhow::Result<Value>,
) -> anyhow::Result<Outcome> {
    let mut tell = |value: &Value| -> anyhow::Result<()> {
        writeln!(printer.out, "{value}")?;
        Ok(printer.out.flush()?)
    };
    tell(&json!({ "engine": engine }))?;
    for line in std::io::stdin().lock().lines() {
        tell(&answer(line?.trim())?)?;
    }
    Ok(Outcome::Done)
}

fn simulate(world: World, engine: &str, preset: &str) -> anyhow::Result<Simulation> {
    // Another one would stand in for it, which is no measurement of this one.
    anyhow::ensure!(engine_for(engine) == engine, "this build has no engine {engine:?}");
    let profile = PhysicsProfile {
        name: preset.to_owned(),
        engine: engine.to_owned(),
        max_step_size_secs: STEP_SECS,
        ..PhysicsProfile::default()
    };
    let world = World { profiles: vec![profile], ..world };
    Ok(Simulation::load(&world, &SimulationOptions::default())?)
}

fn steps(simulation: &mut Simulation, order: &str) -> anyhow::Result<Value> {
    match order.split_once(' ') {
        Some(("step", count)) => {
            let count: u32 = count.parse().context("step wants a number")?;
            let start = cpu_micros();
            for _ in 0..count {
                simulation.step()?;
            }
            Ok(json!({ "cpu_us": cpu_micros() - start }))
        }
        None if order == "state" => Ok(json!({ "positions": positions(simulation) })),
        _ => bail!("{order:?} is neither `step N` nor `state`"),
    }
}

fn bare_steps(bare: &mut BareRapier, order: &str) -> anyhow::Result<Value> {
    match order.split_once(' ') {
        Some(("step", count)) => {
            let count: u32 = count.parse().context("step wants a number")?;
            let start = cpu_micros();
            (0..count).for_each(|_| bare.step());
            Ok(json!({ "cpu_us": cpu_micros() - start }))
        }
        // It is the engine of Retake: where its bodies are is what Retake says.
        _ => bail!("{order:?} is not `step N`"),
    }
}

/// Where the links are, in the order of the scene.
fn positions(simulation: &Simulation) -> Vec<[f64; 3]> {
    let ecm = simulation.ecm();
    let is_ground = |link: EntityId| {
        let model = ecm.get::<Parent>(link).map(|parent| parent.0);
        model.and_then(|model| ecm.get::<EntityName>(model)).is_some_and(|name| name.0 == "ground")
    };
    let links = ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Link);
    let moving = links.map(|(link, _)| link).filter(|link| !is_ground(*link));
    moving.map(|link| world_pose(ecm, link).position.to_array()).collect()
}

fn lines_of(scene: Scene) -> anyhow::Result<Vec<String>> {
    let world = scene.world();
    let moving = || world.models.iter().filter(|model| !model.is_static);
    let first = moving().flat_map(|model| &model.links).next().context("the scene is empty")?;
    let friction = first.collisions.first().map_or(1.0, |shape| shape.surface.friction.mu);
    let mut lines = vec![
        format!("step {STEP_SECS}"),
        format!("gravity {}", words(world.gravity)),
        format!("friction {friction}"),
    ];
    for model in moving() {
        for link in &model.links {
            lines.push(body_line(model, link)?);
        }
    }
    for model in moving() {
        for number in 0..model.joints.len() {
            lines.push(joint_line(model, number)?);
        }
    }
    let marked = moving().enumerate().flat_map(|(number, model)| mark_lines(scene, number, model));
    lines.extend(marked);
    Ok(lines)
}

fn body_line(model: &Model, link: &Link) -> anyhow::Result<String> {
    let place = upright(model.parent_from_model * link.model_from_link)?;
    let shape = match link.collisions.first().map(|collision| &collision.geometry) {
        Some(Geometry::Box { size }) => format!("box {}", words(*size)),
        Some(Geometry::Sphere { radius }) => format!("sphere {radius}"),
        Some(Geometry::Cylinder { radius, length }) => format!("cylinder {radius} {length}"),
        Some(Geometry::Empty) | None => "none".to_owned(),
        Some(other) => bail!("other engines are not told of {other:?}"),
    };
    let (mass, moments) = (link.inertial.mass_kg, words(link.inertial.moments));
    Ok(format!("body {} {} {mass} {moments} {shape}", full_name(model, &link.name), words(place)))
}

fn joint_line(model: &Model, number: usize) -> anyhow::Result<String> {
    let joint = &model.joints[number];
    let child = model.links.iter().find(|link| link.name == joint.child);
    let child = child.with_context(|| format!("{} holds nothing", joint.name))?;
    let world_from_child = model.parent_from_model * child.model_from_link;
    let anchor = upright(world_from_child * joint.child_from_joint)?;
    let axis = joint.axes.first().with_context(|| format!("{} has no axis", joint.name))?;
    let dynamics = &axis.dynamics;
    Ok(format!(
        "joint {} {} {} {} {} {} {} {}",
        full_name(model, &joint.name),
        full_name(model, &joint.parent),
        full_name(model, &joint.child),
        words(anchor),
        words(axis.xyz),
        dynamics.spring_stiffness,
        dynamics.damping,
        dynamics.spring_reference
    ))
}

/// What is looked at to say how exact an engine is.
fn mark_lines(scene: Scene, number: usize, model: &Model) -> Vec<String> {
    let name = |link: &Link| full_name(model, &link.name);
    match scene {
        Scene::Boxes | Scene::Stacks => {
            let level = f64::from(number as u32 % PER_COLUMN);
            let mut place = model.parent_from_model.position;
            place.z = BOX_WIDTH * (level + 0.5);
            model.links.iter().map(|link| format!("rest {} {}", name(link), words(place))).collect()
        }
        Scene::Arms => {
            model.links.last().map(|link| format!("tip {}", name(link))).into_iter().collect()
        }
        Scene::Quadruped => {
            let feet = model.links.iter().filter(|link| link.name.starts_with("shank"));
            feet.map(|link| format!("foot {}", name(link))).collect()
        }
    }
}

fn full_name(model: &Model, part: &str) -> String {
    match part {
        WORLD_LINK => WORLD_LINK.to_owned(),
        part => format!("{}::{part}", model.name),
    }
}

/// The format has no rotations, and no scene needs any.
fn upright(pose: Pose) -> anyhow::Result<Vec3> {
    anyhow::ensure!(pose.rotation == Quat::IDENTITY, "{pose:?} is not upright");
    Ok(pose.position)
}

fn words(vector: Vec3) -> String {
    vector.to_array().map(|number| number.to_string()).join(" ")
}
