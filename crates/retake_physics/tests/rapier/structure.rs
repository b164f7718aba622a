//! How models are built up: lumps, loops, world joints, collisions within a model.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};
use retake_physics::{Assembly, BodySpec, Engine, JointDrive};

use crate::world::{GRAVITY, World, assert_near};

#[test]
fn links_fixed_together_move_as_one_body_of_the_same_mass() {
    // Two half rods fixed together, and one whole rod, thrown the same way.
    let spin = Twist { linear: Vec3::X, angular: Vec3::new(0.3, 1.0, 2.0) };
    let mut world = World::new();
    let half = |world: &mut World, x: f64| {
        let mut body = world.ghost(Pose::from_position(Vec3::new(x, 0.0, 0.0)));
        body.inertial.moments = Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0);
        body
    };
    let (mut left, right) = (half(&mut world, -0.5), half(&mut world, 0.5));
    left.twist =
        Twist { linear: spin.linear + spin.angular.cross(Vec3::X * -0.5), angular: spin.angular };
    let joint = world.joint(JointKind::Fixed, Some(&left), &right);
    let ends = [left.link, right.link];
    world.add(vec![left, right], vec![joint]);
    let mut rod = world.ghost(Pose::from_position(Vec3::new(0.0, 5.0, 0.0)));
    rod.inertial = Inertial {
        mass_kg: 2.0,
        moments: Vec3::new(2e-3, 2.0 * 4.0 / 12.0, 2.0 * 4.0 / 12.0),
        ..Inertial::default()
    };
    rod.twist = spin;
    let whole = rod.link;
    world.add(vec![rod], vec![]);
    world.run_secs(2.0);
    let middle = (world.position(ends[0]) + world.position(ends[1])) * 0.5;
    let expected = world.state(whole);
    assert!((middle + Vec3::Y * 5.0).distance(expected.world_from_link.position) < 1e-9);
    let turned = world.state(ends[0]).world_from_link.rotation;
    assert!(turned.angle_between(expected.world_from_link.rotation) < 1e-6);
    assert_near(world.position(ends[0]).distance(world.position(ends[1])), 1.0, 1e-12);
}

#[test]
fn a_wrench_on_a_lumped_link_acts_at_that_links_centre() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let left = world.ghost(Pose::from_position(Vec3::X * -1.0));
    let right = world.ghost(Pose::from_position(Vec3::X));
    let joint = world.joint(JointKind::Fixed, Some(&left), &right);
    let link = right.link;
    world.add(vec![left, right], vec![joint]);
    world.engine.apply_wrench(link, Vec3::Y * 1000.0, Vec3::ZERO).unwrap();
    world.run(1);
    // 1 N s at 1 m from the centre of 2 kg with a moment of 2 * (0.1 + 1).
    assert_near(world.state(link).twist.angular.z, 1.0 / 2.2, 1e-6);
}

#[test]
fn a_model_fixed_to_the_world_stays() {
    let mut world = World::new();
    let base = world.ghost(Pose::from_position(Vec3::Z));
    let arm = world.ghost(Pose::from_position(Vec3::new(1.0, 0.0, 1.0)));
    let fixed = world.joint(JointKind::Fixed, None, &base);
    let hinge = world.axis_joint(JointKind::Revolute, (Some(&base), &arm), Vec3::Z, Vec3::Y);
    let (base_link, arm_link) = (base.link, arm.link);
    world.add(vec![base, arm], vec![fixed, hinge]);
    world.run_secs(0.5);
    assert_eq!(world.position(base_link), Vec3::Z);
    assert_near(world.position(arm_link).distance(Vec3::Z), 1.0, 1e-9);
    assert!(world.position(arm_link).z < 0.5);
}

#[test]
fn a_joint_listed_backwards_moves_the_same_way() {
    // The hinge's parent hangs on the hinge's child, which is fixed to the world.
    let mut world = World::new();
    let base = world.ghost(Pose::IDENTITY);
    let arm = world.ghost(Pose::from_position(Vec3::X));
    let fixed = world.joint(JointKind::Fixed, None, &base);
    let mut hinge = world.axis_joint(JointKind::Revolute, (Some(&arm), &base), Vec3::ZERO, Vec3::Y);
    hinge.axes[0].axis.limits.lower = -0.25;
    let (id, link) = (hinge.joint, arm.link);
    world.add(vec![base, arm], vec![fixed, hinge]);
    world.run_secs(2.0);
    // The arm falls about +y; seen from the arm, the base turns about -y.
    assert_near(world.joint_state(id).position, -0.25, 1e-3);
    assert_near(world.position(link).z, -0.25f64.sin(), 1e-3);
}

#[test]
fn a_four_bar_loop_stays_closed() {
    let mut world = World::new();
    let bar = |world: &mut World, from: Vec3, to: Vec3| {
        let mut body = world.ghost(Pose::from_position((from + to) * 0.5));
        body.inertial.moments = Vec3::splat(0.05);
        body
    };
    let [a, b, c, d] = [Vec3::ZERO, Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::X];
    let (left, top, right) = (bar(&mut world, a, b), bar(&mut world, b, c), bar(&mut world, c, d));
    let hinge = |world: &mut World, ends: (Option<&BodySpec>, &BodySpec), point| {
        world.axis_joint(JointKind::Revolute, ends, point, Vec3::Y)
    };
    let joints = vec![
        hinge(&mut world, (None, &left), a),
        hinge(&mut world, (Some(&left), &top), b),
        hinge(&mut world, (Some(&top), &right), c),
        hinge(&mut world, (None, &right), d),
    ];
    let (drive, closing, link) = (joints[0].joint, joints[3].joint, right.link);
    world.add(vec![left, top, right], joints);
    let motor = JointDrive::Velocity { target: 1.0, damping: 100.0, max_effort: 1e3 };
    world.engine.set_joint_drive(drive, 0, motor).unwrap();
    world.run_secs(0.5);
    let lower_end = world.state(link).world_from_link.transform_point(Vec3::Z * -0.5);
    // 4e-6 to 1.5e-4 m were measured.
    assert!(lower_end.distance(d) < 5e-4, "gap of {}", lower_end.distance(d));
    // Opposite bars of a parallelogram turn alike.
    let turned = world.joint_state(drive).position;
    assert_near(turned, 0.5, 0.01);
    assert_near(world.joint_state(closing).position, turned, 2e-3);
}

#[test]
fn a_joint_between_two_models_holds_them_and_can_be_removed() {
    let mut world = World::new();
    let (upper, lower) = (
        world.box_link(0.2, Vec3::new(0.0, 0.0, 2.0)),
        world.box_link(0.2, Vec3::new(0.0, 0.0, 1.5)),
    );
    let links = [upper.link, lower.link];
    let hang = world.joint(JointKind::Fixed, None, &upper);
    let tie = world.joint(JointKind::Fixed, Some(&upper), &lower);
    let (hang_id, tie_id) = (hang.joint, tie.joint);
    let model = world.add(vec![upper], vec![]);
    world.add(vec![lower], vec![]);
    assert_eq!(world.engine.insert_joint(&hang), Ok(vec![]));
    assert_eq!(world.engine.insert_joint(&tie), Ok(vec![]));
    world.run_secs(1.0);
    assert!(world.position(links[0]).distance(Vec3::Z * 2.0) < 1e-3);
    assert!(world.position(links[1]).distance(Vec3::Z * 1.5) < 1e-3);
    world.engine.remove_joint(tie_id).unwrap();
    world.run_secs(0.5);
    assert_near(world.position(links[1]).z, 1.5 - 0.5 * GRAVITY * 0.25, 5e-3);
    assert_eq!(world.engine.remove_assembly(model), Ok(vec![hang_id]));
    assert_eq!(world.engine.joint_states(hang_id), None);
    world.run(10);
}

#[test]
fn a_hinge_between_models_counts_turns_and_reaches_far_targets() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let wheel = world.ghost(Pose::IDENTITY);
    let joint = world.axis_joint(JointKind::Continuous, (None, &wheel), Vec3::ZERO, Vec3::Z);
    let id = joint.joint;
    world.add(vec![wheel], vec![]);
    world.engine.insert_joint(&joint).unwrap();
    let target = 20.0;
    let drive = JointDrive::Position {
        target,
        velocity: 0.0,
        stiffness: 10.0,
        damping: 2.0,
        max_effort: f64::INFINITY,
    };
    world.engine.set_joint_drive(id, 0, drive).unwrap();
    world.run_secs(4.0);
    assert_near(world.joint_state(id).position, target, 1e-2);
}

#[test]
fn links_of_a_model_collide_only_when_asked() {
    // Nothing stops them: 0.6 m less 1 m/s² of each during one second.
    assert_near(squeeze(&|_| ()), 0.6 - 1.0, 2e-3);
    assert_near(squeeze(&|assembly| assembly.self_collide = true), 0.2, 2e-3);
    assert_near(squeeze(&|assembly| assembly.bodies[1].self_collide = true), 0.2, 2e-3);
    // Masks that share no bit part them again.
    let masked = squeeze(&|assembly| {
        assembly.self_collide = true;
        assembly.bodies[1].colliders[0].surface.contact.collide_bitmask = 0x0f;
        assembly.bodies[2].colliders[0].surface.contact.collide_bitmask = 0xf0;
    });
    assert!(masked < -0.3);
}

/// Drives two boxes of one model into each other and returns how far apart they end.
fn squeeze(change: &dyn Fn(&mut Assembly)) -> f64 {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let base = world.ghost(Pose::IDENTITY);
    let (left, right) = (world.box_link(0.2, Vec3::X * -0.3), world.box_link(0.2, Vec3::X * 0.3));
    let links = [left.link, right.link];
    let anchor = world.joint(JointKind::Fixed, None, &base);
    let a = world.axis_joint(JointKind::Prismatic, (Some(&base), &left), Vec3::X * -0.3, Vec3::X);
    let b = world.axis_joint(JointKind::Prismatic, (Some(&base), &right), Vec3::X * 0.3, Vec3::X);
    let ids = [a.joint, b.joint];
    let mut assembly = world.assembly(vec![base, left, right], vec![anchor, a, b]);
    change(&mut assembly);
    world.insert(&assembly);
    world.engine.set_joint_drive(ids[0], 0, JointDrive::Effort(1.0)).unwrap();
    world.engine.set_joint_drive(ids[1], 0, JointDrive::Effort(-1.0)).unwrap();
    world.run_secs(1.0);
    world.position(links[1]).x - world.position(links[0]).x
}

#[test]
fn loose_links_of_a_model_ignore_each_other_too() {
    let fall = |self_collide: bool| {
        let mut world = World::with_ground();
        let lower = world.box_link(0.2, Vec3::new(0.0, 0.0, 0.1));
        let upper = world.box_link(0.2, Vec3::new(0.0, 0.0, 0.3));
        let link = upper.link;
        let mut assembly = world.assembly(vec![lower, upper], vec![]);
        assembly.self_collide = self_collide;
        world.insert(&assembly);
        world.run_secs(1.0);
        world.position(link).z
    };
    assert_near(fall(true), 0.3, 1e-3);
    assert_near(fall(false), 0.1, 1e-3);
}

#[test]
fn models_with_disjoint_masks_pass_through_each_other() {
    let mut world = World::new();
    let mut plate = world.box_link(1.0, Vec3::ZERO);
    plate.colliders[0].surface.contact.collide_bitmask = 1;
    world.add_static(vec![plate]);
    let drop = |world: &mut World, mask: u32, x: f64| -> EntityId {
        let mut body = world.box_link(0.1, Vec3::new(x, 0.0, 0.6));
        body.colliders[0].surface.contact.collide_bitmask = mask;
        let link = body.link;
        world.add(vec![body], vec![]);
        link
    };
    let (stays, falls) = (drop(&mut world, 3, -0.2), drop(&mut world, 2, 0.2));
    world.run_secs(1.0);
    assert_near(world.position(stays).z, 0.55, 1e-3);
    assert!(world.position(falls).z < -1.0);
}

#[test]
fn a_static_model_never_moves() {
    let mut world = World::new();
    let (a, b) = (world.box_link(0.2, Vec3::Z), world.box_link(0.2, Vec3::Z * 2.0));
    let links = [a.link, b.link];
    world.add_static(vec![a, b]);
    world.run(100);
    assert_eq!(links.map(|link| world.position(link).z), [1.0, 2.0]);
}

#[test]
fn removing_and_inserting_leaves_others_alone() {
    let run = |edit: bool| {
        let mut world = World::with_ground();
        let link = world.add_box(0.2, Vec3::new(0.0, 0.0, 0.5));
        let far = world.box_link(0.2, Vec3::new(50.0, 0.0, 0.5));
        let model = world.add(vec![far], vec![]);
        world.run(200);
        if edit {
            world.engine.remove_assembly(model).unwrap();
            world.add_box(0.3, Vec3::new(-50.0, 0.0, 3.0));
        }
        world.run(300);
        world.state(link)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_mesh_carries_what_lies_on_it() {
    use retake_description::MeshUse;
    let floor = retake_physics::MeshData {
        positions: vec![
            Vec3::new(-5.0, -5.0, 0.0),
            Vec3::new(5.0, -5.0, 0.0),
            Vec3::new(5.0, 5.0, 0.0),
            Vec3::new(-5.0, 5.0, 0.0),
        ],
        // One triangle each way round: meshes in the wild are like that.
        indices: vec![[0, 1, 2], [0, 3, 2]],
    };
    let mesh = Geometry::Mesh {
        uri: String::new(),
        path: std::path::PathBuf::new(),
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::Triangles,
    };
    let mut world = World::new();
    let mut ground = world.link(mesh, Pose::IDENTITY);
    ground.colliders[0].prepared = Some(world.prepared(&floor, MeshUse::Triangles));
    world.add_static(vec![ground]);
    let links = [Vec3::new(2.0, -2.0, 0.2), Vec3::new(-2.0, 2.0, 0.2), Vec3::new(0.0, 0.0, 0.2)]
        .map(|at| world.add_box(0.2, at));
    world.run_secs(1.0);
    for link in links {
        assert_near(world.position(link).z, 0.1, 1e-3);
    }
}

#[test]
fn a_joint_on_a_kinematic_link_follows_it() {
    let mut world = World::new();
    let mut base = world.ghost(Pose::IDENTITY);
    base.kinematic = true;
    let mut bob = world.ghost(Pose::from_position(Vec3::Z * -1.0));
    bob.inertial.moments = Vec3::splat(0.01);
    let hinge = world.axis_joint(JointKind::Revolute, (Some(&base), &bob), Vec3::ZERO, Vec3::Y);
    let (id, base_link, bob_link) = (hinge.joint, base.link, bob.link);
    world.add(vec![base, bob], vec![hinge]);
    let push = Twist { linear: Vec3::X * 0.5, angular: Vec3::ZERO };
    world.engine.set_body_twist(base_link, push).unwrap();
    world.run_secs(2.0);
    assert_near(world.position(base_link).x, 1.0, 1e-9);
    assert_near(world.position(bob_link).distance(world.position(base_link)), 1.0, 1e-3);
    let angle = world.joint_state(id).position;
    assert!(angle.abs() > 0.01 && angle.abs() < 1.0, "{angle}");
}
