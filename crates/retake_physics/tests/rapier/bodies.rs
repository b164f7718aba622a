//! Free bodies: falling, bouncing, sliding, stacking.

use retake_description::Geometry;
use retake_math::{Pose, Twist, Vec3};
use retake_physics::{AfterTeleport, Engine, EngineSettings, Visit};

use crate::world::{DT, GRAVITY, World, assert_near};

#[test]
fn a_free_body_falls_by_half_g_t_squared() {
    let mut world = World::new();
    let link = world.add_box(1.0, Vec3::new(0.0, 0.0, 100.0));
    world.run_secs(1.0);
    // The semi-implicit rule falls g * substep / 2 per second more: 2.5 mm at half a millisecond.
    assert_near(world.position(link).z, 100.0 - 0.5 * GRAVITY, 3e-3);
    assert_near(world.state(link).twist.linear.z, -GRAVITY, 1e-9);
}

#[test]
fn a_body_without_gravity_keeps_its_velocity() {
    let mut world = World::new();
    let mut body = world.box_link(1.0, Vec3::ZERO);
    body.gravity = false;
    body.twist = Twist { linear: Vec3::X, angular: Vec3::ZERO };
    let link = body.link;
    world.add(vec![body], vec![]);
    world.run_secs(1.0);
    assert_near(world.position(link).x, 1.0, 1e-9);
}

#[test]
fn velocity_decay_slows_a_body_down() {
    let mut world = World::new();
    let mut body = world.box_link(1.0, Vec3::ZERO);
    body.gravity = false;
    body.velocity_decay.linear = 1.0;
    body.twist.linear = Vec3::X;
    let link = body.link;
    world.add(vec![body], vec![]);
    world.run_secs(1.0);
    // exp(-1), within the first order of the sub-step.
    assert_near(world.state(link).twist.linear.x, (-1.0f64).exp(), 1e-3);
}

#[test]
fn restitutions_multiply() {
    let height_after_bounce = |ball: f64, ground: f64| {
        let mut world = World::new();
        let plane = Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] };
        let mut floor = world.link(plane, Pose::IDENTITY);
        floor.colliders[0].surface.bounce.restitution = ground;
        world.add_static(vec![floor]);
        let start = Pose::from_position(Vec3::new(0.0, 0.0, 1.1));
        let mut body = world.link(Geometry::Sphere { radius: 0.1 }, start);
        body.colliders[0].surface.bounce.restitution = ball;
        let link = body.link;
        world.add(vec![body], vec![]);
        // The first bounce is at 0.45 s; the highest point after it comes before 0.95 s.
        world.run_secs(0.46);
        let mut highest: f64 = 0.0;
        for _ in 0..490 {
            world.run(1);
            highest = highest.max(world.position(link).z - 0.1);
        }
        highest
    };
    // e² of the height, within the 1 % that the engine keeps.
    assert_near(height_after_bounce(0.8, 1.0), 0.64, 0.01);
    assert_near(height_after_bounce(0.5, 1.0), 0.25, 0.01);
    assert_near(height_after_bounce(0.8, 0.0), 0.0, 0.002);
}

/// A slope of 20 degrees with a box on it; returns how far the box slid in 2 s.
fn slide(mu_box: f64, mu_slope: f64) -> f64 {
    let mut world = World::new();
    let angle = 20f64.to_radians();
    let tilt = Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, angle, 0.0));
    let plane = Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] };
    let mut slope = world.link(plane, tilt);
    slope.colliders[0].surface.friction.mu = mu_slope;
    slope.colliders[0].surface.friction.mu2 = mu_slope;
    world.add_static(vec![slope]);
    let mut body = world.box_link(0.2, Vec3::ZERO);
    body.world_from_link = tilt * Pose::from_position(Vec3::new(0.0, 0.0, 0.1));
    body.colliders[0].surface.friction.mu = mu_box;
    body.colliders[0].surface.friction.mu2 = mu_box;
    let (link, start) = (body.link, body.world_from_link.position);
    world.add(vec![body], vec![]);
    world.run_secs(2.0);
    world.position(link).distance(start)
}

#[test]
fn friction_holds_or_slides_by_the_lower_coefficient() {
    // tan 20° is 0.364: 0.5 holds. What is left is the contact settling.
    assert!(slide(0.5, 0.5) < 1e-4);
    let angle = 20f64.to_radians();
    let expected = 0.5 * GRAVITY * (angle.sin() - 0.3 * angle.cos()) * 4.0;
    // 0.1 % in the measurements this engine was chosen by; 0.3 % leaves room for the first contact.
    assert_near(slide(0.3, 1.0), expected, expected * 3e-3);
    assert_near(slide(1.0, 0.3), expected, expected * 3e-3);
    let frictionless = 0.5 * GRAVITY * angle.sin() * 4.0;
    assert_near(slide(0.0, 1.0), frictionless, frictionless * 3e-3);
}

#[test]
fn a_stack_of_ten_stands_in_every_preset() {
    // Contacts give way with the square of the sub-step: 0.3 mm were measured at a third of a
    // millisecond.
    for (preset, tolerance) in [("fast", 5e-3), ("default", 1.5e-3), ("accurate", 4e-4)] {
        let mut world = World::with_ground();
        world.engine.set_settings(&EngineSettings::preset(preset).unwrap()).unwrap();
        let links: Vec<_> = (0..10)
            .map(|i| world.add_box(0.2, Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(i))))
            .collect();
        world.run_secs(3.0);
        for (i, link) in links.iter().enumerate() {
            let expected = Vec3::new(0.0, 0.0, 0.1 + 0.2 * i as f64);
            let shift = world.position(*link).distance(expected);
            assert!(shift < tolerance, "{preset}: box {i} moved by {shift}");
        }
    }
}

#[test]
fn a_box_at_rest_falls_asleep_is_shown_so_once_and_wakes_when_its_floor_goes() {
    let mut world = World::new();
    let plate = world.box_link(1.0, Vec3::ZERO);
    let floor = world.add_static(vec![plate]);
    let link = world.add_box(0.2, Vec3::new(0.0, 0.0, 0.6));
    let mut shown_asleep = 0;
    for _ in 0..3000 {
        world.run(1);
        world.engine.visit_bodies(Visit::Moved, &mut |id, state| {
            shown_asleep += usize::from(id == link && state.asleep);
        });
    }
    assert!(world.state(link).asleep);
    assert_eq!(shown_asleep, 1);
    world.engine.remove_assembly(floor).unwrap();
    world.run(100);
    assert!(!world.state(link).asleep);
    assert!(world.position(link).z < 0.6 - 0.03);
}

#[test]
fn a_slow_roller_does_not_fall_asleep() {
    let mut world = World::with_ground();
    let mut body =
        world.link(Geometry::Sphere { radius: 0.1 }, Pose::from_position(Vec3::new(0.0, 0.0, 0.1)));
    body.inertial.moments = Vec3::splat(0.4 * 0.01);
    body.twist = Twist { linear: Vec3::X * 0.03, angular: Vec3::Y * 0.3 };
    let link = body.link;
    world.add(vec![body], vec![]);
    world.run_secs(3.0);
    assert!(!world.state(link).asleep);
    assert_near(world.position(link).x, 0.09, 0.005);
}

#[test]
fn a_wrench_lasts_one_step_and_acts_at_the_centre_of_mass() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let mut body = world.box_link(1.0, Vec3::ZERO);
    body.inertial.link_from_com = Pose::from_position(Vec3::X);
    let link = body.link;
    world.add(vec![body], vec![]);
    world.engine.apply_wrench(link, Vec3::Z * 100.0, Vec3::ZERO).unwrap();
    world.engine.apply_wrench(link, Vec3::Z * 100.0, Vec3::ZERO).unwrap();
    world.run(10);
    let twist = world.state(link).twist;
    // 200 N for 1 ms on 1 kg, and no turn.
    assert_near(twist.linear.z, 0.2, 1e-9);
    assert_near(twist.angular.length(), 0.0, 1e-12);
}

#[test]
fn twists_are_those_of_the_links_origin() {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let mut body = world.box_link(1.0, Vec3::ZERO);
    body.inertial.link_from_com = Pose::from_position(Vec3::X);
    let link = body.link;
    world.add(vec![body], vec![]);
    let spin = Twist { linear: Vec3::NEG_Y, angular: Vec3::Z };
    world.engine.set_body_twist(link, spin).unwrap();
    // The centre of mass at x = 1 stands still and the origin circles around it.
    let shown = world.state(link).twist;
    assert!(shown.linear.distance(spin.linear) < 1e-12);
    world.run_secs(std::f64::consts::PI);
    // Half a turn, up to the last step that does not fit.
    assert!(world.position(link).distance(Vec3::X * 2.0) < 2e-3);
}

#[test]
fn a_kinematic_link_moves_by_command_and_carries_others() {
    let mut world = World::new();
    let mut plate = world.link(Geometry::Box { size: Vec3::new(2.0, 2.0, 0.2) }, Pose::IDENTITY);
    plate.kinematic = true;
    let lift = plate.link;
    world.add(vec![plate], vec![]);
    let load = world.add_box(0.2, Vec3::new(0.0, 0.0, 0.2));
    let up = Twist { linear: Vec3::Z * 0.1, angular: Vec3::ZERO };
    world.engine.set_body_twist(lift, up).unwrap();
    world.run_secs(1.0);
    assert_near(world.position(lift).z, 0.1, 1e-6);
    assert_near(world.position(load).z, 0.3, 1e-3);
}

#[test]
fn a_teleport_puts_a_body_where_it_is_told() {
    let mut world = World::with_ground();
    let link = world.add_box(0.2, Vec3::new(0.0, 0.0, 5.0));
    world.run_secs(0.5);
    let there = Pose::from_xyz_rpy(Vec3::new(3.0, 2.0, 1.0), Vec3::new(0.1, 0.2, 0.3));
    world.engine.set_assembly_pose(link, there, AfterTeleport::KeepVelocities).unwrap();
    assert!(world.position(link).distance(there.position) < 1e-12);
    assert_near(world.state(link).twist.linear.z, -GRAVITY * 0.5, 1e-9);
    world.engine.set_assembly_pose(link, there, AfterTeleport::Rest).unwrap();
    assert_eq!(world.state(link).twist, Twist::ZERO);
    let mut moved = Vec::new();
    world.engine.visit_bodies(Visit::Moved, &mut |id, _| moved.push(id));
    assert_eq!(moved, vec![link]);
}

#[test]
fn contacts_name_both_collisions_and_carry_the_weight() {
    let mut world = World::with_ground();
    let body = world.box_link(0.2, Vec3::new(0.0, 0.0, 0.1));
    let collision = body.colliders[0].collision;
    world.add(vec![body], vec![]);
    world.run_secs(0.5);
    let mut pairs = Vec::new();
    world.engine.visit_contacts(&mut |contact| {
        let up = |normal: Vec3| if contact.first == collision { -normal.z } else { normal.z };
        let impulse: f64 = contact.points.iter().map(|p| p.impulse * up(p.normal)).sum();
        pairs.push((contact.first, contact.second, contact.points.len(), impulse));
    });
    assert_eq!(pairs.len(), 1);
    let (first, second, points, impulse) = pairs[0];
    assert!(first == collision || second == collision);
    assert_eq!(points, 4);
    // The weight of 1 kg during one step, up to what the settled contact still moves.
    assert_near(impulse, GRAVITY * DT, GRAVITY * DT * 0.01);
}

#[test]
fn shapes_rest_at_their_heights() {
    let cases = [
        (Geometry::Sphere { radius: 0.3 }, 0.3),
        (Geometry::Cylinder { radius: 0.2, length: 1.0 }, 0.5),
        (Geometry::Capsule { radius: 0.2, length: 0.6 }, 0.5),
        (Geometry::Cone { radius: 0.3, length: 0.8 }, 0.4),
        (Geometry::Ellipsoid { radii: Vec3::new(0.5, 0.4, 0.2) }, 0.2),
        (Geometry::Box { size: Vec3::new(1.0, 0.5, 0.4) }, 0.2),
    ];
    for (geometry, height) in cases {
        let mut world = World::with_ground();
        let start = Pose::from_position(Vec3::new(0.0, 0.0, height + 0.01));
        let body = world.link(geometry.clone(), start);
        let link = body.link;
        world.add(vec![body], vec![]);
        world.run_secs(0.5);
        // The hull of an ellipsoid is up to 1 % smaller than its radius of 0.2 m.
        assert_near(world.position(link).z, height, 2e-3);
    }
}

/// Shoots a ball at a thin plate and returns how far it got.
fn shoot(continuous_collision: bool) -> f64 {
    let mut world = World::new();
    world.engine.set_gravity(Vec3::ZERO).unwrap();
    let settings = EngineSettings { continuous_collision, ..EngineSettings::default() };
    world.engine.set_settings(&settings).unwrap();
    let size = Vec3::new(0.001, 2.0, 2.0);
    let plate = world.link(Geometry::Box { size }, Pose::from_position(Vec3::X));
    world.add_static(vec![plate]);
    let mut ball = world.link(Geometry::Sphere { radius: 0.05 }, Pose::IDENTITY);
    ball.twist.linear = Vec3::X * 300.0;
    let link = ball.link;
    world.add(vec![ball], vec![]);
    world.run(20);
    world.position(link).x
}

#[test]
fn fast_bodies_are_stopped_as_the_settings_say() {
    assert!(shoot(false) > 5.0);
    assert!(shoot(true) < 1.0);
}

#[test]
fn hulls_parts_and_outlines_rest_at_their_heights() {
    use retake_description::{ConvexParts, MeshUse, Polyline};
    use retake_physics::MeshData;
    // A pyramid with a square base of 0.4 m and 0.3 m high.
    let pyramid = MeshData {
        positions: vec![
            Vec3::new(-0.2, -0.2, 0.0),
            Vec3::new(0.2, -0.2, 0.0),
            Vec3::new(0.2, 0.2, 0.0),
            Vec3::new(-0.2, 0.2, 0.0),
            Vec3::new(0.0, 0.0, 0.3),
        ],
        indices: vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
    };
    let mesh = |collide_as| Geometry::Mesh {
        uri: String::new(),
        path: std::path::PathBuf::new(),
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as,
    };
    let outline = vec![[-0.2, -0.2], [0.2, -0.2], [0.0, 0.3]];
    let cases = [
        mesh(MeshUse::Triangles),
        mesh(MeshUse::ConvexHull),
        mesh(MeshUse::ConvexParts(ConvexParts::default())),
        Geometry::Polyline(Polyline { outlines: vec![outline], height: 0.2 }),
    ];
    for geometry in cases {
        let mut world = World::with_ground();
        let start = Pose::from_position(Vec3::new(0.0, 0.0, 0.01));
        let mut body = world.link(geometry.clone(), start);
        body.inertial.moments = Vec3::splat(0.02);
        body.inertial.link_from_com = Pose::from_position(Vec3::Z * 0.1);
        if let Geometry::Mesh { collide_as, .. } = geometry {
            body.colliders[0].prepared = Some(world.prepared(&pyramid, collide_as));
        }
        let link = body.link;
        world.add(vec![body], vec![]);
        world.run_secs(0.5);
        let height = world.position(link).z;
        // Convex parts come from a voxel grid and stick out a little.
        assert!(height.abs() < 0.02, "{} rests at {height}", geometry.kind());
    }
}

#[test]
fn cylinders_stacked_exactly_touching_stand() {
    let mut world = World::with_ground();
    let mut links = Vec::new();
    for level in 0..4 {
        let geometry = Geometry::Cylinder { radius: 0.1, length: 0.2 };
        let height = 0.1 + 0.2 * f64::from(level);
        let mut body = world.link(geometry, Pose::from_position(Vec3::Z * height));
        body.inertial.moments = Vec3::new(7e-3, 7e-3, 5e-3);
        links.push((body.link, height));
        world.add(vec![body], vec![]);
    }
    for _ in 0..1000 {
        world.run(1);
        for (link, height) in &links {
            assert_near(world.position(*link).z, *height, 1e-3);
        }
    }
}
