//! Snapshots, hashes and threads: equal bits or nothing.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Vec3};
use retake_physics::{BodySpec, Engine, EngineSettings, JointDrive, Visit};

use crate::world::{DT, World};

/// A heap of boxes and an arm that stirs it; returns the world and the arm's joints.
fn busy_world() -> (World, Vec<EntityId>) {
    let mut world = World::with_ground();
    for i in 0..40 {
        let (layer, place) = (i / 4, i % 4);
        let at = Vec3::new(
            0.11 * f64::from(place % 2) + 0.013 * f64::from(layer % 3),
            0.11 * f64::from(place / 2) - 0.017 * f64::from(layer % 2),
            0.06 + 0.105 * f64::from(layer),
        );
        world.add_box(0.1, at);
    }
    let mut bodies: Vec<BodySpec> = Vec::new();
    let mut joints = Vec::new();
    for i in 0..3 {
        let at = Vec3::new(-0.8 + 0.3 * f64::from(i), 0.05, 0.3);
        let shape = Geometry::Capsule { radius: 0.04, length: 0.1 };
        let mut link = world.link(shape, Pose::from_position(at));
        link.inertial.moments = Vec3::splat(0.01);
        let axis = if i == 0 { Vec3::Z } else { Vec3::Y };
        let ends = (bodies.last(), &link);
        joints.push(world.axis_joint(JointKind::Revolute, ends, at, axis));
        bodies.push(link);
    }
    let ids = joints.iter().map(|joint| joint.joint).collect();
    world.add(bodies, joints);
    (world, ids)
}

fn aim(world: &mut World, joints: &[EntityId], target: f64) {
    for joint in joints {
        let drive = JointDrive::Position {
            target,
            velocity: 0.0,
            stiffness: 200.0,
            damping: 20.0,
            max_effort: 50.0,
        };
        world.engine.set_joint_drive(*joint, 0, drive).unwrap();
    }
}

/// The rest of a story after a snapshot: new targets, an insertion, a removal, a push.
fn continue_story(world: &mut World, joints: &[EntityId]) -> Vec<u64> {
    let mut hashes = Vec::new();
    world.run(50);
    hashes.push(world.hash());
    aim(world, joints, -0.6);
    world.run(50);
    hashes.push(world.hash());
    let body = world.box_link(0.12, Vec3::new(0.05, 0.05, 1.5));
    let link = body.link;
    let model = world.add(vec![body], vec![]);
    world.engine.apply_wrench(link, Vec3::X * 5.0, Vec3::Z).unwrap();
    world.run(100);
    hashes.push(world.hash());
    world.engine.remove_assembly(model).unwrap();
    world.engine.set_joint_position(joints[1], 0, 0.1).unwrap();
    world.run(100);
    hashes.push(world.hash());
    hashes
}

#[test]
fn a_restored_world_continues_bit_by_bit() {
    let (mut world, joints) = busy_world();
    aim(&mut world, &joints, 0.5);
    world.run(150);
    let snapshot = world.engine.snapshot();
    let at_snapshot = world.hash();
    let first = continue_story(&mut world, &joints);
    let mut fresh = busy_world().0;
    for target in [&mut world, &mut fresh] {
        target.engine.restore(&snapshot).unwrap();
        assert_eq!(target.hash(), at_snapshot);
    }
    // The ids of what is inserted must come out the same, so the fresh world repeats the story.
    assert_eq!(continue_story(&mut fresh, &joints), first);
}

#[test]
fn a_snapshot_taken_between_edits_and_a_step_is_complete() {
    let (mut world, joints) = busy_world();
    world.run(20);
    aim(&mut world, &joints, 0.4);
    let body = world.box_link(0.1, Vec3::new(0.0, 0.0, 1.4));
    let link = body.link;
    world.add(vec![body], vec![]);
    world.engine.apply_wrench(link, Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO).unwrap();
    let snapshot = world.engine.snapshot();
    world.run(120);
    let expected = world.hash();
    world.engine.restore(&snapshot).unwrap();
    world.run(120);
    assert_eq!(world.hash(), expected);
    // And once more from the same snapshot: restoring does not wear it out.
    world.engine.restore(&snapshot).unwrap();
    world.run(120);
    assert_eq!(world.hash(), expected);
}

#[test]
fn two_runs_are_equal_and_a_small_push_is_not() {
    let story = |push: f64| {
        let (mut world, joints) = busy_world();
        aim(&mut world, &joints, 0.5);
        let mut first = None;
        world.engine.visit_bodies(Visit::All, &mut |link, state| {
            if state.world_from_link.position.z > 0.0 {
                first.get_or_insert(link);
            }
        });
        world.engine.apply_wrench(first.unwrap(), Vec3::X * push, Vec3::ZERO).unwrap();
        world.run(100);
        world.hash()
    };
    assert_eq!(story(0.0), story(0.0));
    assert_ne!(story(0.0), story(1e-9));
}

#[test]
fn threads_do_not_change_a_bit() {
    let story = |threads: u32| {
        let mut world = World::with_ground();
        let settings = EngineSettings { worker_threads: threads, ..EngineSettings::default() };
        world.engine.set_settings(&settings).unwrap();
        for i in 0..150 {
            let (layer, place) = (i / 25, i % 25);
            let at = Vec3::new(
                0.11 * f64::from(place % 5) + 0.01 * f64::from(layer),
                0.11 * f64::from(place / 5),
                0.06 + 0.12 * f64::from(layer),
            );
            world.add_box(0.1, at);
        }
        world.run(150);
        world.hash()
    };
    assert_eq!(story(1), story(2));
    assert_eq!(story(1), story(3));
}

#[test]
fn changing_settings_and_step_size_is_restored_too() {
    let (mut world, _) = busy_world();
    world.run(30);
    let snapshot = world.engine.snapshot();
    world.run(30);
    let expected = world.hash();
    let accurate = EngineSettings::preset("accurate").unwrap();
    assert_eq!(world.engine.set_settings(&accurate), Ok(accurate));
    for _ in 0..10 {
        world.engine.step(2.0 * DT).unwrap();
    }
    world.engine.restore(&snapshot).unwrap();
    assert_eq!(world.engine.settings(), EngineSettings::default());
    world.run(30);
    assert_eq!(world.hash(), expected);
}

#[test]
fn a_snapshot_says_about_how_large_it_is() {
    let (mut world, _) = busy_world();
    let empty = World::new().engine.snapshot().bytes();
    world.run(100);
    let bytes = world.engine.snapshot().bytes();
    // 100 bodies in contact were measured at 0.73 MiB; here are 43.
    assert!(empty < 1000 && (100_000..1_000_000).contains(&bytes), "{empty}, {bytes}");
}

#[test]
fn what_sleeps_is_restored_asleep_and_wakes_the_same_way() {
    let mut world = World::with_ground();
    let links: Vec<EntityId> = (0..12)
        .map(|i| {
            world
                .add_box(0.1, Vec3::new(0.5 * f64::from(i / 3), 0.0, 0.05 + 0.1 * f64::from(i % 3)))
        })
        .collect();
    world.run(2500);
    let asleep = |world: &World| links.iter().filter(|link| world.state(**link).asleep).count();
    assert_eq!(asleep(&world), 12);
    let snapshot = world.engine.snapshot();
    let push = |world: &mut World| {
        world.engine.apply_wrench(links[2], Vec3::new(2000.0, 0.0, 0.0), Vec3::ZERO).unwrap();
        world.run(1500);
        (world.hash(), asleep(world))
    };
    let first = push(&mut world);
    world.engine.restore(&snapshot).unwrap();
    assert_eq!(asleep(&world), 12);
    assert_eq!(push(&mut world), first);
}
