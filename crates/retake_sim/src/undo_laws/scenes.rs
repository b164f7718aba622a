//! Worlds made from a seed: a pile, a mobile that never rests, a robot with motors, a sleeper.

use std::fmt::Write;

use fastrand::Rng;
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::{
    CommandJoint, DeleteEntities, EntityRef, InsertEntity, MoveEntity, SetJointPosition, UserCmd,
    Vector3, command_joint, user_cmd,
};

use super::Violation;
use crate::{Simulation, SimulationOptions};

/// Most things of the pile.
const MOST_THINGS: u32 = 12;

const ROBOT: &str = "<model name='robot'><pose>4 0 0 0 0 0</pose>\
    <link name='upper'><pose>0 0 1.2 0 0 0</pose><inertial><mass>2</mass></inertial>\
    <collision name='c'><geometry><capsule><radius>0.05</radius><length>0.4</length></capsule></geometry></collision></link>\
    <link name='lower'><pose>0 0 0.7 0 0 0</pose><inertial><mass>1</mass></inertial>\
    <collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>\
    <joint name='shoulder' type='revolute'><parent>world</parent><child>upper</child>\
    <pose>0 0 0.25 0 0 0</pose><axis><xyz>0 1 0</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>\
    <joint name='elbow' type='revolute'><parent>upper</parent><child>lower</child>\
    <pose>0 0 0.25 0 0 0</pose><axis><xyz>0 1 0</xyz><limit><lower>-2</lower><upper>2</upper></limit></axis></joint>\
    </model>";

/// Loads the world of a seed.
pub(super) fn load(seed: u64, rng: &mut Rng) -> Result<Simulation, Violation> {
    let text = world(rng);
    let mut found = Diagnostics::new();
    let world = retake_sdf::parse_world(&text, "law.sdf", &ResourceRoots::new(), &mut found);
    let world = world.filter(|_| !found.has_errors());
    let world = world.ok_or_else(|| Violation::Scene { seed, reason: found.to_string() })?;
    let options = SimulationOptions { seed, ..SimulationOptions::default() };
    Simulation::load(&world, &options)
        .map_err(|error| Violation::Scene { seed, reason: error.to_string() })
}

/// Lets one thing happen, or nothing; what is refused changes nothing, which is fine too.
pub(super) fn happen(simulation: &mut Simulation, rng: &mut Rng) {
    if let Some(command) = command(rng) {
        simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
    }
}

/// Makes a command; none is a rest.
pub(super) fn command(rng: &mut Rng) -> Option<user_cmd::Command> {
    let thing = EntityRef::named(format!("thing_{}", rng.u32(0..MOST_THINGS)));
    let joint = Some(EntityRef::named(rng.choice(["robot::shoulder", "robot::elbow"])?));
    Some(match rng.u32(0..7) {
        0 => return None,
        1 | 2 => user_cmd::Command::MoveEntity(MoveEntity {
            entity: Some(thing),
            position: Some(Vector3 { x: part(rng), y: part(rng), z: 0.3 + 2.0 * rng.f64() }),
            keep_velocity: rng.bool(),
            ..MoveEntity::default()
        }),
        3 => user_cmd::Command::InsertEntity(InsertEntity {
            sdf: thing_sdf(rng, "extra"),
            allow_renaming: true,
            ..InsertEntity::default()
        }),
        4 => user_cmd::Command::DeleteEntities(DeleteEntities { entity: vec![thing] }),
        5 => user_cmd::Command::SetJointPosition(SetJointPosition {
            joint,
            axis: 0,
            position: part(rng),
        }),
        _ => user_cmd::Command::CommandJoint(CommandJoint {
            joint,
            command: Some(command_joint::Command::Position(part(rng))),
            ..CommandJoint::default()
        }),
    })
}

fn world(rng: &mut Rng) -> String {
    let mut text =
        "<sdf version='1.11'><world name='law'><model name='ground'><static>true</static>\
        <link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>"
            .to_owned();
    for number in 0..rng.u32(3..=MOST_THINGS) {
        text += &thing_sdf(rng, &format!("thing_{number}"));
    }
    // Far from everything, so that it comes to rest and sleeps.
    text += "<model name='sleeper'><pose>-9 0 0.25 0 0 0</pose><link name='l'><collision name='c'>\
             <geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>";
    text + ROBOT + "</world></sdf>"
}

fn thing_sdf(rng: &mut Rng, name: &str) -> String {
    let size = 0.1 + 0.3 * rng.f64();
    let geometry = match rng.u32(0..4) {
        0 => format!("<box><size>{size} {} {size}</size></box>", size * 1.5),
        1 => format!("<sphere><radius>{size}</radius></sphere>"),
        2 => format!("<cylinder><radius>{size}</radius><length>{size}</length></cylinder>"),
        _ => format!("<capsule><radius>{size}</radius><length>{size}</length></capsule>"),
    };
    let (x, y, z) = (part(rng), part(rng), 0.5 + 2.0 * rng.f64());
    let mut text = String::new();
    // Writing into a string cannot fail.
    write!(
        text,
        "<model name='{name}'><pose>{x} {y} {z} {} {} 0</pose><link name='l'>\
         <inertial auto='true'/><collision name='c'><density>{}</density>\
         <geometry>{geometry}</geometry></collision></link></model>",
        part(rng),
        part(rng),
        100.0 + 900.0 * rng.f64(),
    )
    .ok();
    text
}

/// A number from -1 to 1.
fn part(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}
