//! A free-floating robot on the ground: chassis, two driven wheels, a caster.

use retake_description::{Geometry, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};
use retake_physics::{AfterTeleport, Engine, JointDrive};

use crate::world::{DT, GRAVITY, World, assert_near};

struct Vehicle {
    chassis: EntityId,
    wheels: [EntityId; 2],
}

/// 3 kg in all; wheels of 0.1 m at y = ±0.2, the caster in front.
fn add_vehicle(world: &mut World) -> Vehicle {
    let at = |x: f64, y: f64, z: f64| Pose::from_position(Vec3::new(x, y, z));
    let mut chassis =
        world.link(Geometry::Box { size: Vec3::new(0.4, 0.3, 0.1) }, at(0.1, 0.0, 0.15));
    chassis.inertial.moments = Vec3::new(0.01, 0.02, 0.02);
    let caster = {
        let collision = world.id();
        let mut collider = chassis.colliders[0].clone();
        collider.collision = collision;
        collider.geometry = Geometry::Sphere { radius: 0.05 };
        collider.link_from_collision = at(0.15, 0.0, -0.1);
        (collider.surface.friction.mu, collider.surface.friction.mu2) = (0.0, 0.0);
        collider
    };
    chassis.colliders.push(caster);
    let mut bodies = vec![chassis];
    let mut joints = Vec::new();
    for y in [0.2, -0.2] {
        let turned = Pose::from_xyz_rpy(
            Vec3::new(0.0, y, 0.1),
            Vec3::new(-std::f64::consts::FRAC_PI_2, 0.0, 0.0),
        );
        let mut wheel = world.link(Geometry::Cylinder { radius: 0.1, length: 0.04 }, turned);
        wheel.inertial.moments = Vec3::new(0.003, 0.003, 0.005);
        let mut joint = world.joint(JointKind::Continuous, Some(&bodies[0]), &wheel);
        joint.axes[0].axis.xyz = Vec3::Z;
        joints.push(joint);
        bodies.push(wheel);
    }
    let chassis = bodies[0].link;
    let wheels = [joints[0].joint, joints[1].joint];
    world.add(bodies, joints);
    Vehicle { chassis, wheels }
}

fn drive(world: &mut World, vehicle: &Vehicle, left: f64, right: f64) {
    for (wheel, target) in vehicle.wheels.iter().zip([left, right]) {
        let drive = JointDrive::Velocity { target, damping: 10.0, max_effort: 20.0 };
        world.engine.set_joint_drive(*wheel, 0, drive).unwrap();
    }
}

#[test]
fn a_vehicle_rolls_without_slipping() {
    let mut world = World::with_ground();
    let vehicle = add_vehicle(&mut world);
    world.run_secs(0.5);
    let start = world.position(vehicle.chassis);
    let mut impulse = 0.0;
    world.engine.visit_contacts(&mut |contact| {
        impulse += contact.points.iter().map(|p| p.impulse * p.normal.z.abs()).sum::<f64>();
    });
    // The ground carries 3 kg, up to what the contacts still settle.
    assert_near(impulse, 3.0 * GRAVITY * DT, 3.0 * GRAVITY * DT * 0.02);
    drive(&mut world, &vehicle, 5.0, 5.0);
    world.run_secs(2.0);
    let moved = world.position(vehicle.chassis) - start;
    // 0.5 m/s for 2 s less the start; a cylinder's rim is smooth, so it rolls true.
    assert_near(moved.x, 1.0, 0.03);
    assert_near(moved.y, 0.0, 5e-3);
    assert_near(moved.z, 0.0, 2e-3);
    drive(&mut world, &vehicle, -5.0, 5.0);
    world.run_secs(1.0);
    // Turning on the spot at r w / half the track: 0.1 * 5 / 0.2.
    assert_near(world.state(vehicle.chassis).twist.angular.z, 2.5, 0.1);
}

#[test]
fn a_vehicle_can_be_put_elsewhere_and_thrown() {
    let mut world = World::with_ground();
    let vehicle = add_vehicle(&mut world);
    drive(&mut world, &vehicle, 5.0, 5.0);
    world.run_secs(1.0);
    let wheels = vehicle.wheels.map(|wheel| world.joint_state(wheel).position);
    let there = Pose::from_position(Vec3::new(10.0, -5.0, 2.15));
    world.engine.set_assembly_pose(vehicle.chassis, there, AfterTeleport::Rest).unwrap();
    assert!(world.position(vehicle.chassis).distance(there.position) < 1e-12);
    assert_eq!(vehicle.wheels.map(|wheel| world.joint_state(wheel).position), wheels);
    assert_eq!(world.state(vehicle.chassis).twist, Twist::ZERO);
    let throw = Twist { linear: Vec3::Y * 2.0, angular: Vec3::ZERO };
    world.engine.set_body_twist(vehicle.chassis, throw).unwrap();
    world.run_secs(0.3);
    let now = world.position(vehicle.chassis);
    // In the air; the wheels turn on against the chassis, which nods a little.
    assert_near(now.y, -5.0 + 0.6, 0.02);
    assert_near(now.z, 2.15 - 0.5 * GRAVITY * 0.09, 0.05);
}
