//! Drives, limits, contacts, joints between models, and what is refused.

use retake_description::{Geometry, JointKind};
use retake_math::{Pose, Vec3};
use retake_physics::{AfterTeleport, Engine, EngineError, JointDrive};

use crate::world::{DT, World};

#[test]
fn a_stiff_drive_holds_a_light_link_within_its_effort() {
    let mut world = World::default();
    let (_, joints) = world.add_arm(2, Vec3::ZERO);
    let drive = JointDrive::Position {
        target: 0.3,
        velocity: 0.0,
        stiffness: 1e6,
        damping: 1e4,
        max_effort: 30.0,
    };
    for joint in &joints {
        world.engine.set_joint_drive(*joint, 0, drive).unwrap();
    }
    let mut most: f64 = 0.0;
    for _ in 0..1000 {
        world.run(1);
        most = most.max(world.joint_state(joints[1]).effort.abs());
    }
    let state = world.joint_state(joints[1]);
    assert!((state.position - 0.3).abs() < 1e-3 && state.velocity.abs() < 1e-3, "{state:?}");
    assert!(most <= 30.0, "{most}");
}

#[test]
fn a_limit_holds_against_a_drive_that_presses() {
    let mut world = World::default();
    let link = world.boxed(0.1, Vec3::X * 0.2);
    let mut hinge = world.joint(JointKind::Revolute, (None, &link), (Vec3::ZERO, Vec3::Z));
    (hinge.axes[0].axis.limits.lower, hinge.axes[0].axis.limits.upper) = (-0.5, 0.5);
    let joint = hinge.joint;
    world.add(vec![link], vec![hinge]);
    let drive = JointDrive::Velocity { target: 2.0, damping: 1e4, max_effort: 20.0 };
    world.engine.set_joint_drive(joint, 0, drive).unwrap();
    world.run(1000);
    let state = world.joint_state(joint);
    assert!((state.position - 0.5).abs() < 0.01 && state.velocity.abs() < 0.01, "{state:?}");
    assert_eq!(state.effort, 20.0);
    let beyond = world.engine.set_joint_position(joint, 0, 0.6);
    assert!(matches!(beyond, Err(EngineError::OutOfRange { field: "position", .. })));
}

#[test]
fn everything_rests_on_the_ground_and_weighs_what_it_weighs() {
    let mut world = World::with_ground();
    let shapes = [
        (Geometry::Box { size: Vec3::splat(0.2) }, 0.1),
        (Geometry::Sphere { radius: 0.1 }, 0.1),
        (Geometry::Cylinder { radius: 0.1, length: 0.2 }, 0.1),
        (Geometry::Capsule { radius: 0.1, length: 0.2 }, 0.2),
        (Geometry::Ellipsoid { radii: Vec3::new(0.1, 0.1, 0.05) }, 0.05),
    ];
    let mut links = Vec::new();
    for (index, (shape, height)) in shapes.into_iter().enumerate() {
        let at = Vec3::new(index as f64, 0.0, height + 0.001);
        let body = world.link(shape, at);
        links.push((body.link, body.colliders[0].collision, height));
        world.add(vec![body], vec![]);
    }
    world.run(1500);
    for (link, _, height) in &links {
        let z = world.position(*link).z;
        assert!((z - height).abs() < 2e-3, "{link}: {z} is not {height}");
    }
    let mut pushed = std::collections::BTreeMap::new();
    world.engine.visit_contacts(&mut |contact| {
        let impulse: f64 = contact.points.iter().map(|point| point.impulse).sum();
        *pushed.entry(contact.first.max(contact.second)).or_insert(0.0) += impulse / DT;
    });
    for (_, collision, _) in &links {
        let force = pushed[collision];
        assert!((force - 9.8).abs() < 0.2, "{collision}: {force} N");
    }
}

#[test]
fn a_joint_between_models_holds_and_goes_with_its_model() {
    let mut world = World::default();
    let (above, below) = (world.boxed(0.1, Vec3::Z), world.boxed(0.1, Vec3::ZERO));
    let links = [above.link, below.link];
    let pin = world.joint(JointKind::Fixed, (None, &above), (Vec3::Z, Vec3::Z));
    let hinge = world.joint(JointKind::Revolute, (Some(&above), &below), (Vec3::Z * 0.5, Vec3::Y));
    let screw = world.joint(JointKind::Screw, (Some(&above), &below), (Vec3::Z * 0.5, Vec3::Y));
    let upper = world.add(vec![above], vec![pin]);
    world.add(vec![below], vec![]);
    assert_eq!(world.engine.insert_joint(&hinge).unwrap(), vec![]);
    let refused = world.engine.insert_joint(&screw).unwrap_err().to_string();
    assert!(
        refused.contains("a screw joint cannot close a loop or connect two models"),
        "{refused}"
    );
    world.engine.apply_wrench(links[1], Vec3::X * 50.0, Vec3::ZERO).unwrap();
    world.run(500);
    let hung = world.position(links[1]);
    let reach = (hung - Vec3::Z * 0.5).length();
    assert!((reach - 0.5).abs() < 5e-3 && hung.x.abs() > 1e-3, "{hung}");
    assert!(world.joint_state(hinge.joint).position.abs() > 1e-3);
    assert_eq!(world.engine.remove_assembly(upper).unwrap(), vec![hinge.joint]);
    let before = world.position(links[1]).z;
    world.run(300);
    assert!(world.position(links[1]).z < before - 0.3, "nothing holds it any more");
}

#[test]
fn a_model_is_moved_whole_and_what_is_fixed_with_it() {
    let mut world = World::default();
    let (_, joints) = world.add_arm(2, Vec3::ZERO);
    world.engine.set_joint_position(joints[1], 0, 0.7).unwrap();
    let mut links = Vec::new();
    world.engine.visit_bodies(retake_physics::Visit::All, &mut |link, _| links.push(link));
    let before = world.position(links[1]);
    let there = world.engine.body_state(links[0]).unwrap().world_from_link;
    let moved = Pose::from_position(Vec3::new(3.0, 2.0, 1.0)) * there;
    world.engine.set_assembly_pose(links[0], moved, AfterTeleport::Rest).unwrap();
    let after = world.position(links[1]);
    assert!((after - before - Vec3::new(3.0, 2.0, 1.0)).length() < 1e-12);
    assert_eq!(world.joint_state(joints[1]).position, 0.7);
    world.run(10);
    assert!((world.position(links[0]) - moved.position).length() < 1e-3, "the anchor went along");
}

#[test]
fn what_mujoco_cannot_carry_is_refused_by_name() {
    let mut world = World::default();
    let plane = Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] };
    let body = world.link(plane, Vec3::ZERO);
    let assembly = world.assembly(vec![body], vec![]);
    let said = world.engine.insert_assembly(&assembly).unwrap_err().to_string();
    assert!(said.contains("planes and terrain only on what never moves"), "{said}");
    assert!(world.engine.remove_assembly(assembly.model).is_err(), "nothing was inserted");
    let mut heavy = world.boxed(0.1, Vec3::ZERO);
    heavy.inertial.mass_kg = f64::NAN;
    let assembly = world.assembly(vec![heavy], vec![]);
    assert!(world.engine.insert_assembly(&assembly).is_err());
    assert!(world.engine.step(0.0).is_err());
    world.run(1);
}
