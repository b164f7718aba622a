//! Snapshots and bytes: equal bits or nothing.

use retake_ecm::EntityId;
use retake_math::Vec3;
use retake_physics::{Engine, JointDrive, MujocoEngine, Visit};

use crate::world::World;

/// Boxes that fall and an arm that stirs them.
fn busy_world() -> (World, Vec<EntityId>) {
    let mut world = World::with_ground();
    for i in 0..12 {
        let (layer, place) = (i / 4, i % 4);
        let x = 0.11 * f64::from(place % 2) + 0.013 * f64::from(layer % 3);
        let y = 0.11 * f64::from(place / 2) - 0.017 * f64::from(layer % 2);
        let body = world.boxed(0.1, Vec3::new(x, y, 0.06 + 0.105 * f64::from(layer)));
        world.add(vec![body], vec![]);
    }
    let (_, joints) = world.add_arm(3, Vec3::new(-0.8, 0.05, 0.15));
    (world, joints)
}

fn aim(world: &mut World, joints: &[EntityId], target: f64) {
    for joint in joints {
        let drive = JointDrive::Position {
            target,
            velocity: 0.0,
            stiffness: 200.0,
            damping: 20.0,
            max_effort: 20.0,
        };
        world.engine.set_joint_drive(*joint, 0, drive).unwrap();
    }
}

/// The rest of a story: new targets, an insertion, a push, a removal.
fn continue_story(world: &mut World, joints: &[EntityId]) -> Vec<Vec<u8>> {
    let mut hashes = Vec::new();
    world.run(30);
    hashes.push(world.hash());
    aim(world, joints, -0.6);
    world.run(30);
    hashes.push(world.hash());
    let body = world.boxed(0.12, Vec3::new(0.05, 0.05, 1.5));
    let link = body.link;
    let model = world.add(vec![body], vec![]);
    world.engine.apply_wrench(link, Vec3::X * 5.0, Vec3::Z).unwrap();
    world.run(50);
    hashes.push(world.hash());
    world.engine.remove_assembly(model).unwrap();
    world.engine.set_joint_position(joints[1], 0, 0.1).unwrap();
    world.run(50);
    hashes.push(world.hash());
    hashes
}

#[test]
fn a_restored_world_continues_bit_by_bit() {
    let (mut world, joints) = busy_world();
    aim(&mut world, &joints, 0.5);
    world.run(100);
    let (snapshot, there) = (world.engine.snapshot(), world.hash());
    let first = continue_story(&mut world, &joints);
    // A fresh engine gives out the same ids, and goes on as the used one did.
    let mut fresh = busy_world().0;
    fresh.engine.restore(&snapshot).unwrap();
    assert_eq!(fresh.hash(), there);
    assert_eq!(continue_story(&mut fresh, &joints), first);
    world.engine.restore(&snapshot).unwrap();
    world.run(30);
    assert_eq!(world.hash(), first[0]);
}

#[test]
fn a_state_as_bytes_continues_bit_by_bit() {
    let (mut world, joints) = busy_world();
    aim(&mut world, &joints, 0.5);
    world.run(60);
    let state = world.engine.snapshot().encode().unwrap();
    world.run(60);
    let mut other = MujocoEngine::default();
    let nothing = |_| Err("no shape comes from a file".to_owned());
    let snapshot = other.decode(&state, &nothing).unwrap();
    other.restore(&snapshot).unwrap();
    for _ in 0..60 {
        other.step(crate::world::DT).unwrap();
    }
    let mut bytes = Vec::new();
    other.hash_state(&mut bytes).unwrap();
    assert_eq!(bytes, world.hash());
    assert_eq!(other.snapshot().encode().unwrap(), world.engine.snapshot().encode().unwrap());
}

#[test]
fn damaged_bytes_are_refused() {
    let (world, _) = busy_world();
    let state = world.engine.snapshot().encode().unwrap();
    let nothing = |_| Err(String::new());
    let mut cut = state.clone();
    cut.bytes.truncate(cut.bytes.len() / 2);
    assert!(world.engine.decode(&cut, &nothing).is_err());
    let mut foreign = state;
    foreign.version = "mujoco 9".to_owned();
    assert!(world.engine.decode(&foreign, &nothing).is_err());
}

#[test]
fn two_runs_are_equal_and_what_is_far_away_changes_nothing() {
    let story = |far: bool| {
        let (mut world, joints) = busy_world();
        aim(&mut world, &joints, 0.4);
        world.run(40);
        if far {
            let body = world.boxed(0.1, Vec3::new(500.0, 0.0, 3.0));
            world.add(vec![body], vec![]);
        }
        world.run(40);
        let mut poses = Vec::new();
        world.engine.visit_bodies(Visit::All, &mut |_, state| {
            if state.world_from_link.position.x < 400.0 {
                poses.push(state.world_from_link);
            }
        });
        poses
    };
    assert_eq!(story(false), story(false));
    for (alone, beside) in story(false).iter().zip(&story(true)) {
        let apart = (alone.position - beside.position).length();
        assert!(apart < 1e-6, "moved by {apart} m by what is half a kilometre away");
    }
}
