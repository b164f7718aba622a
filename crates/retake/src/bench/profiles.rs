//! The shipped profiles side by side on the demo worlds: speed, accuracy and what a switch costs.

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_components::{Kind, world_pose};
use retake_description::{PhysicsProfile, World};
use retake_diag::Diagnostics;
use retake_math::Vec3;
use retake_msgs::{SetCurrentProfile, UserCmd, user_cmd};
use retake_physics::EngineSettings;
use retake_sim::{Simulation, SimulationOptions};
use serde::Serialize;

use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// Steps that are timed together.
const BLOCK: u32 = 20;
/// How often each switch is made.
const SWITCHES: usize = 11;
/// Name of the profile that accuracy is measured against, and its sub-steps.
const REFERENCE: (&str, u32) = ("reference", 32);
/// Name of the profile of the other engine.
const KINEMATIC: &str = "kinematic";

const WORLDS: [(&str, &str); 6] = [
    ("cones", include_str!("../../../../worlds/cones.sdf")),
    ("arm", include_str!("../../../../worlds/arm.sdf")),
    ("quadruped", include_str!("../../../../worlds/quadruped.sdf")),
    ("stacks", include_str!("../../../../worlds/stacks.sdf")),
    ("domino", include_str!("../../../../worlds/domino.sdf")),
    ("pendulums", include_str!("../../../../worlds/pendulums.sdf")),
];

/// What came of one world; three numbers are those of the presets from `fast` to `accurate`.
#[derive(Serialize)]
struct Comparison {
    world: &'static str,
    steps: u32,
    us_per_step: [f64; 3],
    /// Greatest and mean distance of a link from where the reference has it, in mm.
    greatest_error_mm: [f64; 3],
    mean_error_mm: [f64; 3],
    /// A switch between presets, and one to the other engine or back; also in steps of `default`.
    switch_us: f64,
    switch_steps: f64,
    engine_switch_us: f64,
    engine_switch_steps: f64,
}

/// Measures every demo world.
pub(super) fn run(steps: u32, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let mut found = Vec::new();
    for (name, text) in WORLDS {
        found.push(compare(name, &load(name, text)?, steps.max(BLOCK))?);
    }
    printer.print(&found, |out| {
        let [fast, default, accurate] = EngineSettings::PRESET_NAMES;
        let seconds = f64::from(steps) / 1000.0;
        writeln!(
            out,
            "Left: CPU time of a step of 1 ms, in µs. Middle: distance in mm of the link"
        )?;
        writeln!(
            out,
            "that is farthest from where {} sub-steps have it after {seconds} s.",
            REFERENCE.1
        )?;
        writeln!(out, "Right: CPU time of a switch between presets, and to tpe or back.")?;
        let names = format!("{fast:>9} {default:>9} {accurate:>9}");
        writeln!(out, "{:<10} {names} | {names} | {:>20} | {:>20}", "world", "preset", "engine")?;
        for row in &found {
            let ([a, b, c], [x, y, z]) = (row.us_per_step, row.greatest_error_mm);
            let cost = |us: f64, steps: f64| format!("{us:.0} µs = {steps:.1} steps");
            let switch = cost(row.switch_us, row.switch_steps);
            let engine = cost(row.engine_switch_us, row.engine_switch_steps);
            let speed = format!("{a:>9.1} {b:>9.1} {c:>9.1}");
            let error = format!("{x:>9.3} {y:>9.3} {z:>9.3}");
            writeln!(out, "{:<10} {speed} | {error} | {switch:>20} | {engine:>20}", row.world)?;
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}

/// Reads a world and gives it the presets, the reference and the other engine.
fn load(name: &str, text: &str) -> anyhow::Result<World> {
    let mut found = Diagnostics::new();
    let world = retake_sdf::parse_world(text, name, &ResourceRoots::new(), &mut found);
    let world = world.with_context(|| format!("{name} was not loaded: {found}"))?;
    let profile = |name: &str, engine: &str| PhysicsProfile {
        name: name.to_owned(),
        engine: engine.to_owned(),
        ..PhysicsProfile::default()
    };
    let mut profiles = EngineSettings::PRESET_NAMES.map(|name| profile(name, "rapier")).to_vec();
    let mut reference = profile(REFERENCE.0, "rapier");
    reference.set_extra("rapier/substeps", &REFERENCE.1.to_string());
    reference.set_extra("rapier/solver_iterations", "16");
    profiles.extend([reference, profile(KINEMATIC, "tpe")]);
    Ok(World { profiles, ..world })
}

fn compare(name: &'static str, world: &World, steps: u32) -> anyhow::Result<Comparison> {
    let mut presets = Vec::new();
    for preset in EngineSettings::PRESET_NAMES {
        presets.push(simulate(world, preset)?);
    }
    let mut reference = simulate(world, REFERENCE.0)?;
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..steps / BLOCK {
        // In turn, so that what else the machine does falls on all.
        for (simulation, times) in presets.iter_mut().zip(&mut times) {
            times.push(timed_steps(simulation, BLOCK)?);
        }
        timed_steps(&mut reference, BLOCK)?;
    }
    let right = positions(&reference);
    let errors = |simulation: &Simulation| -> (f64, f64) {
        let all = positions(simulation).into_iter().zip(&right);
        let all: Vec<f64> = all.map(|(here, there)| here.distance(*there) * 1e3).collect();
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        (all.into_iter().fold(0.0, f64::max), mean)
    };
    let errors: Vec<(f64, f64)> = presets.iter().map(errors).collect();
    let us_per_step = times.map(median);
    let default = &mut presets[1];
    let switch_us = switch_cost(default, ["accurate", "default"])?;
    let engine_switch_us = switch_cost(default, [KINEMATIC, "default"])?;
    Ok(Comparison {
        world: name,
        steps,
        us_per_step,
        greatest_error_mm: [errors[0].0, errors[1].0, errors[2].0],
        mean_error_mm: [errors[0].1, errors[1].1, errors[2].1],
        switch_us,
        switch_steps: switch_us / us_per_step[1],
        engine_switch_us,
        engine_switch_steps: engine_switch_us / us_per_step[1],
    })
}

fn simulate(world: &World, profile: &str) -> anyhow::Result<Simulation> {
    let options =
        SimulationOptions { profile: Some(profile.to_owned()), ..SimulationOptions::default() };
    Ok(Simulation::load(world, &options)?)
}

/// Returns the CPU time of a step in µs.
fn timed_steps(simulation: &mut Simulation, count: u32) -> anyhow::Result<f64> {
    let began = cpu_micros();
    for _ in 0..count {
        simulation.step()?;
    }
    Ok((cpu_micros() - began) / f64::from(count))
}

/// Returns the median CPU time of a switch in µs, with a step between two of them.
fn switch_cost(simulation: &mut Simulation, profiles: [&str; 2]) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for name in profiles.iter().cycle().take(SWITCHES * 2) {
        let name = (*name).to_owned();
        let command = user_cmd::Command::SetCurrentProfile(SetCurrentProfile { name });
        let command = UserCmd { command: Some(command), ..UserCmd::default() };
        let began = cpu_micros();
        let reply = simulation.execute(&command);
        times.push(cpu_micros() - began);
        if !reply.ok {
            bail!("{}", reply.message);
        }
        simulation.step()?;
    }
    Ok(median(times))
}

/// Returns where every link is, in the order of their ids.
fn positions(simulation: &Simulation) -> Vec<Vec3> {
    let ecm = simulation.ecm();
    let links = ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Link);
    links.map(|(entity, _)| world_pose(ecm, entity).position).collect()
}
