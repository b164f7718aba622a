//! Random worlds with random edits: a restore must continue bit by bit from any moment.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};
use retake_physics::{
    AfterTeleport, BodySpec, Engine, EngineError, JointDrive, JointSpec, StepError,
};

use crate::world::{DT, World};

/// A small generator of numbers: the same seed gives the same story.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    /// From -1 to 1.
    fn unit(&mut self) -> f64 {
        self.roll(2_000_001) as f64 / 1e6 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit())
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.roll(items.len() as u64) as usize]) }
    }
}

/// What the story can touch.
#[derive(Clone, Default)]
struct Cast {
    models: Vec<EntityId>,
    links: Vec<EntityId>,
    joints: Vec<EntityId>,
}

fn shape(dice: &mut Dice) -> Geometry {
    let size = 0.1 + 0.05 * dice.unit();
    match dice.roll(5) {
        0 => Geometry::Sphere { radius: size },
        1 => Geometry::Capsule { radius: 0.6 * size, length: size },
        2 => Geometry::Cylinder { radius: size, length: 1.5 * size },
        3 => Geometry::Ellipsoid { radii: Vec3::new(size, 0.7 * size, 1.2 * size) },
        _ => Geometry::Box { size: Vec3::new(2.0 * size, size, 1.4 * size) },
    }
}

fn body(world: &mut World, dice: &mut Dice, around: Vec3) -> BodySpec {
    let at = around + dice.vector() * 0.1;
    let geometry = shape(dice);
    let mut body = world.link(geometry, Pose::from_xyz_rpy(at, dice.vector()));
    body.inertial.moments = Vec3::splat(0.004);
    body.twist = Twist { linear: dice.vector(), angular: dice.vector() };
    body
}

/// A thing, or a chain of two to four links, on the world or free.
fn insert_model(world: &mut World, dice: &mut Dice, cast: &mut Cast) {
    let start = dice.vector() * Vec3::new(0.8, 0.8, 0.5) + Vec3::Z * 1.2;
    let mut bodies: Vec<BodySpec> = vec![body(world, dice, start)];
    let mut joints: Vec<JointSpec> = Vec::new();
    if dice.roll(4) == 0 {
        let kind = [JointKind::Revolute, JointKind::Ball, JointKind::Fixed][dice.roll(3) as usize];
        joints.push(world.joint(kind, None, &bodies[0]));
    }
    for i in 0..dice.roll(4) {
        let child = body(world, dice, start + Vec3::X * 0.4 * (i + 1) as f64);
        let kind = match dice.roll(6) {
            0 => JointKind::Prismatic,
            1 => JointKind::Ball,
            2 => JointKind::Universal,
            3 => JointKind::Fixed,
            _ => JointKind::Revolute,
        };
        let mut joint = world.joint(kind, bodies.last(), &child);
        for (i, axis) in joint.axes.iter_mut().enumerate() {
            axis.axis.xyz = if i == 0 { Vec3::Y } else { Vec3::X };
            axis.axis.dynamics.damping = 0.01 * (1.0 + dice.unit());
            if dice.roll(2) == 0 {
                (axis.axis.limits.lower, axis.axis.limits.upper) = (-0.5, 0.7);
            }
        }
        bodies.push(child);
        joints.push(joint);
    }
    let mut assembly = world.assembly(bodies, joints);
    assembly.self_collide = dice.roll(3) == 0;
    world.insert(&assembly);
    cast.models.push(assembly.model);
    cast.links.extend(assembly.bodies.iter().map(|body| body.link));
    let movable = assembly.joints.iter().filter(|joint| joint.axes.len() == 1);
    cast.joints.extend(movable.map(|joint| joint.joint));
}

fn remove_model(world: &mut World, dice: &mut Dice, cast: &mut Cast) {
    if let Some(model) = dice.pick(&cast.models) {
        world.engine.remove_assembly(model).unwrap();
        cast.models.retain(|other| *other != model);
        let engine = &world.engine;
        cast.links.retain(|link| engine.body_state(*link).is_some());
        cast.joints.retain(|joint| engine.joint_states(*joint).is_some());
    }
}

fn edit(world: &mut World, dice: &mut Dice, cast: &mut Cast) {
    match dice.roll(8) {
        0 => insert_model(world, dice, cast),
        1 => remove_model(world, dice, cast),
        2 => {
            if let Some(link) = dice.pick(&cast.links) {
                world.engine.apply_wrench(link, dice.vector() * 20.0, dice.vector()).unwrap();
            }
        }
        3 => {
            if let Some(link) = dice.pick(&cast.links) {
                let there = Pose::from_xyz_rpy(dice.vector() + Vec3::Z * 1.5, dice.vector());
                world.engine.set_assembly_pose(link, there, AfterTeleport::KeepVelocities).unwrap();
            }
        }
        4 => {
            if let Some(joint) = dice.pick(&cast.joints) {
                // Joints of lumps cannot move and say so.
                world.engine.set_joint_position(joint, 0, 0.4 * dice.unit()).ok();
            }
        }
        _ => {
            if let Some(joint) = dice.pick(&cast.joints) {
                let drive = match dice.roll(3) {
                    0 => JointDrive::Effort(dice.unit()),
                    1 => {
                        JointDrive::Velocity { target: dice.unit(), damping: 1.0, max_effort: 5.0 }
                    }
                    _ => JointDrive::Position {
                        target: dice.unit(),
                        velocity: 0.0,
                        stiffness: 20.0,
                        damping: 1.0,
                        max_effort: 10.0,
                    },
                };
                world.engine.set_joint_drive(joint, 0, drive).ok();
            }
        }
    }
}

/// Tells a story; how it ends is a hash, or how it failed.
fn story(world: &mut World, dice: &mut Dice, cast: &mut Cast) -> Result<u64, StepError> {
    for _ in 0..12 {
        edit(world, dice, cast);
        for _ in 0..1 + dice.roll(12) {
            world.engine.step(DT)?;
        }
    }
    Ok(world.hash())
}

/// A world in the middle of its story; none when it failed before.
fn begun(seed: u64) -> Option<(World, Cast, Dice)> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
    let mut world = World::with_ground();
    let mut cast = Cast::default();
    for _ in 0..6 {
        insert_model(&mut world, &mut dice, &mut cast);
    }
    story(&mut world, &mut dice, &mut cast).ok().map(|_| (world, cast, dice))
}

#[test]
fn restores_continue_bit_by_bit_from_any_moment() {
    let mut failed = 0;
    for seed in 1..=30 {
        let Some((mut world, mut cast, mut dice)) = begun(seed) else {
            failed += 1;
            continue;
        };
        // Half of the snapshots are taken right after an edit, before the next step.
        if seed % 2 == 0 {
            edit(&mut world, &mut dice, &mut cast);
        }
        let snapshot = world.engine.snapshot();
        let next_id = world.next_id();
        let run_on = |world: &mut World| {
            let (mut dice, mut cast) = (Dice(seed + 77), cast.clone());
            story(world, &mut dice, &mut cast)
        };
        let first = run_on(&mut world);
        world.engine.restore(&snapshot).unwrap();
        world.set_next_id(next_id);
        assert_eq!(run_on(&mut world), first, "seed {seed}");
        failed += usize::from(first.is_err());
    }
    // Robots thrown into each other can leave the finite numbers; most must not.
    assert!(failed <= 3, "{failed} of 30 worlds failed");
}

#[test]
fn states_from_bytes_continue_bit_by_bit_in_another_engine() {
    let no_shapes = |_| Err("this world has no meshes".to_owned());
    let mut written = 0;
    for seed in 31..=70 {
        let Some((mut world, mut cast, mut dice)) = begun(seed) else { continue };
        if seed % 2 == 0 {
            edit(&mut world, &mut dice, &mut cast);
        }
        let snapshot = world.engine.snapshot();
        if !snapshot.is_settled() {
            assert_eq!(snapshot.encode().err(), Some(EngineError::Unsettled));
            continue;
        }
        written += 1;
        let state = snapshot.encode().unwrap();
        let mut other = World::new();
        let read = other.engine.decode(&state, &no_shapes).unwrap();
        assert!(read.encode().unwrap() == state, "seed {seed}: the bytes differ");
        other.engine.restore(&read).unwrap();
        other.set_next_id(world.next_id());
        assert_eq!(other.hash(), world.hash(), "seed {seed}");
        let run_on = |world: &mut World| {
            let (mut dice, mut cast) = (Dice(seed + 77), cast.clone());
            story(world, &mut dice, &mut cast)
        };
        assert_eq!(run_on(&mut other), run_on(&mut world), "seed {seed}");
    }
    assert!(written > 25, "only {written} of 40 worlds could be written");
}

#[test]
fn states_before_the_first_step_are_complete() {
    let no_shapes = |_| Err("this world has no meshes".to_owned());
    for seed in 71..=80 {
        let (mut world, mut cast) = (World::with_ground(), Cast::default());
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        for turn in 0..12 {
            match turn % 3 {
                2 => edit(&mut world, &mut dice, &mut cast),
                _ => insert_model(&mut world, &mut dice, &mut cast),
            }
        }
        let state = world.engine.snapshot().encode().unwrap();
        let mut other = World::new();
        let read = other.engine.decode(&state, &no_shapes).unwrap();
        other.engine.restore(&read).unwrap();
        other.set_next_id(world.next_id());
        let run_on = |world: &mut World| {
            let (mut dice, mut cast) = (Dice(seed + 77), cast.clone());
            story(world, &mut dice, &mut cast)
        };
        assert_eq!(run_on(&mut other), run_on(&mut world), "seed {seed}");
    }
}
