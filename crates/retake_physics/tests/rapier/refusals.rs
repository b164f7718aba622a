//! What the engine refuses, and in which words.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};
use retake_physics::{
    AfterTeleport, Assembly, BodySpec, Engine, EngineError, JointDrive, JointSpec, StepError,
};

use crate::world::{DT, World};

fn refused(change: impl FnOnce(&mut BodySpec)) -> String {
    let mut world = World::new();
    let mut body = world.box_link(1.0, Vec3::ZERO);
    change(&mut body);
    let assembly = world.assembly(vec![body], vec![]);
    let before = world.hash();
    let text = world.engine.insert_assembly(&assembly).unwrap_err().to_string();
    assert_eq!(world.hash(), before, "a refused model left traces");
    text
}

#[test]
fn numbers_that_are_none_are_refused_by_field() {
    let nan = f64::NAN;
    assert_eq!(
        refused(|body| body.world_from_link.position.x = nan),
        "pose of entity #2 is not a finite number"
    );
    assert_eq!(
        refused(|body| body.inertial.mass_kg = f64::INFINITY),
        "inertial.mass of entity #2 is not a finite number"
    );
    assert_eq!(
        refused(|body| body.inertial.mass_kg = 0.0),
        "inertial.mass of entity #2 is 0; it must be 1e-9 to 1e12 kg"
    );
    assert_eq!(
        refused(|body| body.inertial.moments.y = -1.0),
        "inertial.iyy of entity #2 is -1; it must be 1e-21 to 1e18 kg m²"
    );
    assert_eq!(
        refused(|body| body.colliders[0].surface.friction.mu = nan),
        "surface.friction.mu of entity #3 is not a finite number"
    );
    assert_eq!(
        refused(|body| body.twist.linear.z = nan),
        "twist of entity #2 is not a finite number"
    );
}

#[test]
fn shapes_that_are_none_are_refused() {
    let shape = |geometry: Geometry| refused(|body| body.colliders[0].geometry = geometry);
    assert_eq!(
        shape(Geometry::Sphere { radius: 0.0 }),
        "radius of entity #3 is 0; it must be 1e-6 to 1e6 m"
    );
    assert_eq!(
        shape(Geometry::Box { size: Vec3::new(1.0, -1.0, 1.0) }),
        "size.y of entity #3 is -1; it must be 1e-6 to 1e6 m"
    );
    assert_eq!(
        shape(Geometry::Cylinder { radius: 1.0, length: f64::NAN }),
        "length of entity #3 is not a finite number"
    );
}

#[test]
fn numbers_that_no_engine_can_step_are_refused_with_their_range() {
    for (refusal, expected) in [
        (
            refused(|body| body.inertial.mass_kg = 1e13),
            "inertial.mass of entity #2 is 10000000000000; it must be 1e-9 to 1e12 kg",
        ),
        (
            refused(|body| body.inertial.moments.x = 1e-30),
            "inertial.ixx of entity #2 is 0.000000000000000000000000000001; \
             it must be 1e-21 to 1e18 kg m²",
        ),
        (
            refused(|body| body.world_from_link.position.z = -2e9),
            "pose of entity #2 is -2000000000; it must be -1e9 to 1e9 m",
        ),
        (
            refused(|body| body.twist.angular.x = 1e8),
            "twist of entity #2 is 100000000; it must be -1e7 to 1e7 per second",
        ),
        (
            refused(|body| body.colliders[0].geometry = Geometry::Sphere { radius: 1e7 }),
            "radius of entity #3 is 10000000; it must be 1e-6 to 1e6 m",
        ),
        (
            refused(|body| body.velocity_decay.linear = 1e10),
            "velocity_decay.linear of entity #2 is 10000000000; it must be 0 to 1e9",
        ),
    ] {
        assert_eq!(refusal, expected);
    }
    for extreme in [f64::MAX, 1e308, 1e200] {
        let text = refused(|body| body.inertial.moments = Vec3::splat(extreme));
        assert!(text.starts_with("inertial.moments of entity #2 is 1"), "{text}");
        let text = refused(|body| body.inertial.mass_kg = extreme);
        assert!(text.ends_with("it must be 1e-9 to 1e12 kg"), "{text}");
    }
}

#[test]
fn gains_beyond_any_material_are_refused() {
    let mut world = World::new();
    let wheel = world.ghost(Pose::IDENTITY);
    let joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::X);
    let mut stiff = joint.clone();
    stiff.axes[0].axis.dynamics.spring_stiffness = 1e13;
    let id = joint.joint;
    let assembly = world.assembly(vec![wheel.clone()], vec![stiff]);
    let text = world.engine.insert_assembly(&assembly).unwrap_err().to_string();
    let range = "it must be 0 to 1e12";
    assert!(text.starts_with("dynamics.spring_stiffness of") && text.ends_with(range), "{text}");
    world.add(vec![wheel], vec![joint]);
    let drive = JointDrive::Velocity { target: 1.0, damping: 1e13, max_effort: f64::INFINITY };
    let text = world.engine.set_joint_drive(id, 0, drive).unwrap_err().to_string();
    assert!(text.starts_with("drive.damping of") && text.ends_with(range), "{text}");
    assert!(world.engine.set_joint_velocity(id, 0, 1e8).is_err());
    assert!(world.engine.set_joint_position(id, 0, 1e10).is_err());
}

/// The ends of every range: what is let in can be stepped.
#[test]
fn what_is_within_the_ranges_can_be_stepped() {
    for (mass, moment, size) in [(1e-9, 1e-21, 1e-6), (1e12, 1e18, 1e6), (1e-9, 1e18, 1.0)] {
        let mut world = World::with_ground();
        let mut body = world.box_link(size, Vec3::Z * size * 0.5);
        body.inertial.mass_kg = mass;
        body.inertial.moments = Vec3::splat(moment);
        world.add(vec![body], vec![]);
        world.add_box(1.0, Vec3::new(1e9, 0.0, 1.0));
        for secs in [1e-9, 0.001, 0.1] {
            for _ in 0..20 {
                world.engine.step(secs).unwrap();
            }
        }
    }
}

#[test]
fn what_the_engine_lacks_is_said_by_name() {
    let mut world = World::new();
    let (a, b) = (world.ghost(Pose::IDENTITY), world.ghost(Pose::from_position(Vec3::X)));
    let gear = world.joint(JointKind::Gearbox, Some(&a), &b);
    let text = world.engine.insert_joint(&gear).unwrap_err().to_string();
    assert_eq!(text, "the engine has no link #3");
    world.add(vec![a], vec![]);
    world.add(vec![b], vec![]);
    let text = world.engine.insert_joint(&gear).unwrap_err().to_string();
    assert_eq!(text, "entity #4: a gearbox cannot connect two models; put it into one");

    let ground = Geometry::Heightmap {
        uri: "hills.png".into(),
        path: std::path::PathBuf::new(),
        size: Vec3::ONE,
        position: Vec3::ZERO,
    };
    let mut world = World::new();
    let mut body = world.link(ground, Pose::IDENTITY);
    body.colliders[0].surface.friction.slip1 = 0.1;
    let collision = body.colliders[0].collision;
    let assembly = world.assembly(vec![body], vec![]);
    let notes = world.insert(&assembly);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].entity, collision);
    assert_eq!(notes[0].message, "the heightmap is not loaded, so it does not collide");
}

#[test]
fn unknown_entities_and_axes_are_refused() {
    let mut world = World::new();
    let nobody = EntityId::from_raw(99);
    let unknown = |what| EngineError::Unknown { entity: nobody, what };
    let engine = &mut world.engine;
    assert_eq!(engine.remove_assembly(nobody), Err(unknown("model")));
    assert_eq!(engine.remove_joint(nobody), Err(unknown("joint")));
    assert_eq!(engine.set_body_twist(nobody, Twist::ZERO), Err(unknown("link")));
    assert_eq!(engine.set_joint_drive(nobody, 0, JointDrive::Free), Err(unknown("joint")));
    let place = engine.set_assembly_pose(nobody, Pose::IDENTITY, AfterTeleport::Rest);
    assert_eq!(place, Err(unknown("link")));

    let wheel = world.ghost(Pose::IDENTITY);
    let joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::X);
    let (id, link) = (joint.joint, wheel.link);
    let copy = (wheel.clone(), joint.clone());
    world.add(vec![wheel], vec![joint]);
    let engine = &mut world.engine;
    let text = engine.set_joint_position(id, 1, 0.0).unwrap_err().to_string();
    assert_eq!(text, format!("joint {id} has 1 axes, there is no axis 1"));
    assert!(engine.set_joint_position(id, 0, f64::NAN).is_err());
    assert!(engine.set_joint_drive(id, 0, JointDrive::Effort(f64::INFINITY)).is_err());
    assert!(engine.apply_wrench(link, Vec3::NAN, Vec3::ZERO).is_err());
    let text = engine.set_body_twist(link, Twist::ZERO).unwrap_err().to_string();
    assert!(text.ends_with("a joint holds the link; set the joint's velocity instead"), "{text}");
    let twice = world.assembly(vec![copy.0], vec![copy.1]);
    let text = world.engine.insert_assembly(&twice).unwrap_err().to_string();
    assert_eq!(text, format!("the engine has link {link} already; remove it first"));
}

#[test]
fn positions_outside_of_the_limits_are_refused() {
    let mut world = World::new();
    let wheel = world.ghost(Pose::IDENTITY);
    let mut joint = world.axis_joint(JointKind::Revolute, (None, &wheel), Vec3::ZERO, Vec3::X);
    joint.axes[0].axis.limits.upper = 1.0;
    let id = joint.joint;
    world.add(vec![wheel], vec![joint]);
    let text = world.engine.set_joint_position(id, 0, 2.0).unwrap_err().to_string();
    assert_eq!(text, format!("position of entity {id} is 2; it must be within the joint's limits"));
}

/// Links that hinges join to the one before, or all to the first one.
fn many(world: &mut World, joints: usize, parent_of: impl Fn(usize) -> usize) -> Assembly {
    let links: Vec<BodySpec> = (0..=joints).map(|_| world.ghost(Pose::IDENTITY)).collect();
    let hinge = |child: usize| {
        let ends = (Some(&links[parent_of(child)]), &links[child]);
        world.axis_joint(JointKind::Revolute, ends, Vec3::ZERO, Vec3::X)
    };
    let hinges = (1..=joints).map(hinge).collect();
    world.assembly(links, hinges)
}

#[test]
fn a_tree_too_large_for_its_matrices_is_refused_before_they_are_made() {
    let mut world = World::new();
    let before = world.hash();
    let star = many(&mut world, 50_000, |_| 0);
    let text = world.engine.insert_assembly(&star).unwrap_err().to_string();
    let expected = format!(
        "50006 degrees of freedom hang together in a tree of joints of model {}, and at most 1024 \
         can be simulated: the memory that they take grows with their square. Make several models \
         of it, or fix joints that need not move",
        star.model
    );
    assert_eq!(text, expected);
    assert_eq!(world.hash(), before, "a refused model left traces");
    world.add_box(1.0, Vec3::Z);
    world.run(1);
}

#[test]
fn trees_too_large_together_are_refused_before_their_matrices_are_made() {
    let mut world = World::new();
    // Ten chains of a thousand, each on a hinge of its own.
    let mut chains = many(&mut world, 9_999, |link| link - 1);
    for cut in (1000..10_000).step_by(1000) {
        chains.joints[cut - 1].parent = None;
    }
    let text = world.engine.insert_assembly(&chains).unwrap_err().to_string();
    let expected = format!(
        "with the trees of joints of model {} those of all models would take 1221 MiB, and at most \
         1024 can be simulated. Remove models with many joints first, or fix joints that need not \
         move",
        chains.model
    );
    assert_eq!(text, expected);
}

#[test]
fn a_screw_without_a_thread_is_refused() {
    let mut world = World::new();
    let bolt = world.ghost(Pose::IDENTITY);
    let screw = world.axis_joint(JointKind::Screw, (None, &bolt), Vec3::ZERO, Vec3::X);
    let id = screw.joint;
    for pitch in [0.0, -0.0, 1e-300, -9e-10] {
        let screw = JointSpec { thread_pitch: pitch, ..screw.clone() };
        let assembly = world.assembly(vec![bolt.clone()], vec![screw]);
        let text = world.engine.insert_assembly(&assembly).unwrap_err().to_string();
        let range = "it must be 1e-9 to 1e9 radians for each metre, either way round";
        assert!(text.starts_with(&format!("thread_pitch of entity {id} is ")), "{text}");
        assert!(text.ends_with(range) && !text.contains("is -0;"), "{text}");
    }
}

#[test]
fn steps_of_no_length_are_refused_and_change_nothing() {
    let mut world = World::with_ground();
    world.add_box(1.0, Vec3::Z);
    let before = world.hash();
    for secs in [0.0, -DT, f64::NAN, f64::INFINITY, 2.0] {
        let refused = world.engine.step(secs);
        assert!(matches!(refused, Err(StepError::BadStepSize { .. })), "{secs}");
    }
    assert_eq!(world.hash(), before);
    world.run(1);
}

#[test]
fn an_explosion_is_noticed_and_asks_for_a_restore() {
    let mut world = World::new();
    let link = world.add_box(1.0, Vec3::ZERO);
    world.run(1);
    let snapshot = world.engine.snapshot();
    let failure = (0..100).find_map(|_| {
        world.engine.apply_wrench(link, Vec3::X * f64::MAX, Vec3::ZERO).unwrap();
        world.engine.step(0.1).err()
    });
    assert_eq!(failure, Some(StepError::TooFast { first: link, count: 1, most: 1e7 }));
    assert_eq!(world.engine.step(DT), Err(StepError::NeedsRestore));
    world.engine.restore(&snapshot).unwrap();
    world.run(1);
}

#[test]
fn what_ends_in_no_number_at_once_is_noticed() {
    // Pressed on the ground beyond all numbers, forces against each other give none.
    let mut world = World::with_ground();
    let mut light = world.box_link(1.0, Vec3::Z * 0.5);
    (light.inertial.mass_kg, light.inertial.moments) = (1e-9, Vec3::splat(1e-9));
    let link = light.link;
    world.add(vec![light], vec![]);
    world.run(3);
    let (snapshot, before) = (world.engine.snapshot(), world.hash());
    world.engine.apply_wrench(link, Vec3::Z * -f64::MAX, Vec3::ZERO).unwrap();
    let failure = world.engine.step(DT);
    assert_eq!(failure, Err(StepError::NotFinite { first: link, count: 1 }));
    assert_eq!(world.engine.step(DT), Err(StepError::NeedsRestore));
    world.engine.restore(&snapshot).unwrap();
    assert_eq!(world.hash(), before);
    world.run(3);
}

#[test]
fn an_overflow_in_a_robot_is_an_error_not_a_crash() {
    let mut world = World::new();
    let mut rod = world.ghost(Pose::from_position(Vec3::X));
    rod.inertial.mass_kg = 0.01;
    rod.inertial.moments = Vec3::splat(0.001);
    let link = rod.link;
    let mut joint = world.axis_joint(JointKind::Revolute, (None, &rod), Vec3::ZERO, Vec3::Y);
    joint.axes[0].axis.limits.upper = 1.0;
    let id = joint.joint;
    world.add(vec![rod], vec![joint]);
    world.run(1);
    let snapshot = world.engine.snapshot();
    let before = world.hash();
    world.engine.set_joint_drive(id, 0, JointDrive::Effort(1.0)).unwrap();
    world.engine.apply_wrench(link, Vec3::Z * f64::MAX, Vec3::ZERO).unwrap();
    assert!(world.engine.apply_wrench(link, Vec3::Z * f64::MAX, Vec3::ZERO).is_err());
    let failure = (0..100).find_map(|_| world.engine.step(DT).err());
    let expected = matches!(
        failure,
        Some(StepError::Panicked { .. } | StepError::NotFinite { .. } | StepError::TooFast { .. })
    );
    assert!(expected, "{failure:?}");
    assert_eq!(world.engine.step(DT), Err(StepError::NeedsRestore));
    world.engine.restore(&snapshot).unwrap();
    assert_eq!(world.hash(), before);
    world.run(10);
}
