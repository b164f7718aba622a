//! What an engine does not take is said with names, never with numbers.

use retake_components::{find, registry, spawn_world};
use retake_description::{
    Collision, Geometry, Joint, JointAxis, JointKind, Link, Model, Surface, WORLD_LINK, World,
};
use retake_ecm::Ecm;
use retake_math::{Pose, Vec3};
use retake_physics::{EngineSettings, Physics, RapierEngine, unsupported};

use crate::stage::{link, world};

fn said(world: &World) -> Vec<String> {
    unsupported(world).into_iter().map(|r| format!("{}: {}", r.path, r.message)).collect()
}

/// Compares what is said of a world that an engine with forces does not take.
fn check(world: &World, expected: &str) {
    assert_eq!(said(world), [expected]);
    let mut ecm = Ecm::new(registry().build());
    spawn_world(&mut ecm, world, 1).unwrap();
    let mut physics = Physics::new(Box::new(RapierEngine::new(EngineSettings::default()).unwrap()));
    assert_eq!(physics.follow(&mut ecm).refusals.len(), 1);
    physics.step(&mut ecm, 0.001).unwrap();
}

fn hinge(world: &World) -> Joint {
    world.models[0].joints[0].clone()
}

#[test]
fn a_model_with_too_many_joints_is_left_out_and_the_rest_goes_on() {
    let mut world = world("rapier");
    let hinge = hinge(&world);
    let robot = &mut world.models[0];
    robot.links.extend((0..2000).map(|i| link(&format!("l{i}"), Vec3::ZERO)));
    robot.joints.extend((0..2000).map(|i| Joint {
        name: format!("j{i}"),
        child: format!("l{i}"),
        ..hinge.clone()
    }));
    check(
        &world,
        "robot: 2007 degrees of freedom hang together in a tree of joints, and at most 1024 can be simulated: the memory that they take grows with their square. Make several models of it, or fix joints that need not move",
    );
}

#[test]
fn a_screw_without_a_thread_is_named() {
    let mut world = world("rapier");
    let joint = &mut world.models[0].joints[0];
    (joint.kind, joint.thread_pitch) = (JointKind::Screw, -0.0);
    check(
        &world,
        "robot: thread_pitch of robot::hinge is 0; it must be 1e-9 to 1e9 radians for each metre, either way round",
    );
}

#[test]
fn a_link_that_cannot_turn_is_named() {
    let mut world = world("rapier");
    world.models[0].links[1].inertial.products = Vec3::splat(5.0);
    check(
        &world,
        "robot: inertial, ixx * iyy - ixy², of robot::rod is -24.99; it must be greater than 0",
    );
}

#[test]
fn a_joint_of_the_world_with_what_is_not_simulated_is_named() {
    let mut world = world("rapier");
    world.models[0].links[0].inertial.mass_kg = 0.0;
    world.joints.push(Joint {
        name: "anchor".to_owned(),
        parent: WORLD_LINK.to_owned(),
        child: "robot::cart".to_owned(),
        axes: vec![JointAxis::default()],
        ..hinge(&world)
    });
    assert_eq!(
        said(&world),
        [
            "robot: inertial.mass of robot::cart is 0; it must be 1e-9 to 1e12 kg",
            "anchor: link robot::cart is not simulated",
            "anchor: joint anchor is not simulated",
        ]
    );
}

fn ellipsoids(link: &mut Link, from: u32, count: u32) {
    link.collisions.extend((from..from + count).map(|number| Collision {
        name: format!("c{number}"),
        link_from_collision: Pose::IDENTITY,
        geometry: Geometry::Ellipsoid {
            radii: Vec3::new(1.0, 2.0, 3.0 + f64::from(number) * 1e-6),
        },
        surface: Surface::default(),
        extras: Vec::new(),
    }));
}

#[test]
fn shapes_too_large_together_are_refused_before_they_are_made() {
    let mut world = world("rapier");
    let mut heap = Model { name: "heap".to_owned(), is_static: true, ..Model::default() };
    heap.links.push(link("body", Vec3::X * 50.0));
    ellipsoids(&mut heap.links[0], 0, 11_900);
    let mut egg = Model { name: "egg".to_owned(), is_static: true, ..Model::default() };
    egg.links.push(link("body", Vec3::X * -50.0));
    ellipsoids(&mut egg.links[0], 20_000, 1);
    world.models.extend([heap, egg]);
    let mut ecm = Ecm::new(registry().build());
    spawn_world(&mut ecm, &world, 1).unwrap();
    let mut physics = Physics::new(Box::new(RapierEngine::new(EngineSettings::default()).unwrap()));
    // Only the egg of the other model is made.
    let held = physics.prepare(&ecm, &|_| ());
    assert_eq!(held.len(), 1);
    let refusals = physics.follow(&mut ecm).refusals;
    let said: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "the meshes and terrain of all models would take 2050 MiB with it, and at most 2048 can be simulated. Take smaller ones, use them at the same scale, or remove models first"
        ]
    );
    let is_there = |path: &str| physics.engine().body_state(find(&ecm, path).unwrap()).is_some();
    assert!(!is_there("heap::body"), "a refused model is simulated");
    assert!(is_there("egg::body") && is_there("robot::cart"), "the others are not simulated");
    physics.step(&mut ecm, 0.001).unwrap();
}
