//! Properties that change while the world runs.

use retake_components::{
    BodyTwist, Inertia, JointSpec, JointVelocity, LinkProperties, ShapeSurface, world_pose,
};
use retake_description::{
    Collision, Friction, Geometry, Joint, JointAxis, JointKind, Model, Surface, WORLD_LINK, World,
};
use retake_ecm::Component;
use retake_math::{Pose, Twist, Vec3};

use crate::stage::{Stage, link};

fn cube(name: &str, place: Pose, mu: f64) -> Model {
    let mut body = link("body", Vec3::ZERO);
    let friction = Friction { mu, mu2: mu, ..Friction::default() };
    body.collisions.push(Collision {
        name: "skin".to_owned(),
        link_from_collision: Pose::IDENTITY,
        geometry: Geometry::Box { size: Vec3::splat(0.2) },
        surface: Surface { friction, ..Surface::default() },
        extras: Vec::new(),
    });
    Model { name: name.to_owned(), parent_from_model: place, links: vec![body], ..Model::default() }
}

fn slope() -> Pose {
    Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, 0.3, 0.0))
}

/// A slope with a box that rests on it, a wheel on an axle, and far away a stack of boxes.
fn world() -> World {
    let mut ground = cube("ground", slope(), 1.0);
    ground.is_static = true;
    ground.links[0].collisions[0].geometry = Geometry::Plane { normal: Vec3::Z, size: [9.0, 9.0] };
    let resting = cube("resting", slope() * Pose::from_position(Vec3::Z * 0.1), 0.6);
    let axle = Joint {
        name: "axle".to_owned(),
        kind: JointKind::Continuous,
        parent: WORLD_LINK.to_owned(),
        child: "body".to_owned(),
        child_from_joint: Pose::IDENTITY,
        axes: vec![JointAxis { xyz: Vec3::Y, ..JointAxis::default() }],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    };
    let wheel = Model {
        name: "wheel".to_owned(),
        parent_from_model: Pose::from_position(Vec3::Z * 5.0),
        links: vec![link("body", Vec3::ZERO)],
        joints: vec![axle],
        ..Model::default()
    };
    let mut models = vec![ground, resting, wheel];
    for level in 0..5u32 {
        let place = Vec3::new(0.0, 3.0 + 0.01 * f64::from(level), 0.11 + 0.21 * f64::from(level));
        models.push(cube(&format!("far_{level}"), slope() * Pose::from_position(place), 0.9));
    }
    World { models, ..World::default() }
}

impl Stage {
    fn change<T: Component>(&mut self, entity: &str, change: impl FnOnce(&mut T)) {
        let entity = self.id(entity);
        change(self.ecm.get_mut::<T>(entity).unwrap());
        self.follow();
    }

    fn twist(&self, link: &str) -> Twist {
        self.ecm.get::<BodyTwist>(self.id(link)).unwrap().0
    }

    fn spin(&self) -> f64 {
        self.ecm.get::<JointVelocity>(self.id("wheel::axle")).unwrap().0[0]
    }

    /// Bits of all that the stack does.
    fn far_away(&self) -> Vec<u64> {
        let mut bits = Vec::new();
        for level in 0..5 {
            let name = format!("far_{level}::body");
            let (pose, twist) = (world_pose(&self.ecm, self.id(&name)), self.twist(&name));
            let numbers = [pose.position, twist.linear, twist.angular];
            bits.extend(numbers.iter().flat_map(|v| v.to_array()).map(f64::to_bits));
            bits.extend(pose.rotation.to_array().map(f64::to_bits));
        }
        bits
    }
}

#[test]
fn friction_that_is_taken_away_lets_a_resting_box_slide() {
    let mut stage = Stage::of(&world());
    stage.run(3000);
    let start = stage.place("resting::body");
    assert!(stage.twist("resting::body").linear.length() < 1e-3);
    stage.change("resting::body::skin", |surface: &mut ShapeSurface| {
        surface.0.friction.mu = 0.1;
    });
    stage.run(1000);
    let way = (stage.place("resting::body") - start).length();
    let exact = 0.5 * 9.8 * (0.3f64.sin() - 0.1 * 0.3f64.cos());
    assert!((way / exact - 1.0).abs() < 0.02, "{way} is not {exact}");
}

#[test]
fn a_joint_that_gets_damping_keeps_its_speed_and_loses_it_from_then_on() {
    let mut stage = Stage::of(&world());
    let axle = stage.id("wheel::axle");
    stage.ecm.set(axle, JointVelocity(vec![10.0])).unwrap();
    stage.run(500);
    assert!((stage.spin() - 10.0).abs() < 1e-9);
    stage.change("wheel::axle", |joint: &mut JointSpec| joint.axes[0].dynamics.damping = 0.1);
    assert!((stage.spin() - 10.0).abs() < 1e-9);
    stage.run(1000);
    // 0.1 N m s/rad on 0.1 kg m²: a time constant of one second.
    assert!((stage.spin() - 10.0 * (-1f64).exp()).abs() < 1e-2, "{}", stage.spin());
    stage.change("wheel::axle", |joint: &mut JointSpec| joint.axes[0].limits.velocity = 1.0);
    stage.run(1);
    assert!(stage.spin() <= 1.0 + 1e-9);
}

#[test]
fn a_falling_link_that_loses_its_weight_flies_on() {
    let mut stage = Stage::of(&world());
    stage.change("resting", |pose: &mut retake_components::LocalPose| pose.0.position.z = 50.0);
    stage.run(100);
    let falling = stage.twist("resting::body").linear.z;
    assert!(falling < -0.9);
    stage.change("resting::body", |link: &mut LinkProperties| link.gravity = false);
    stage.run(100);
    assert!((stage.twist("resting::body").linear.z - falling).abs() < 1e-9);
    stage.change("resting::body", |link: &mut LinkProperties| link.velocity_decay.linear = 1.0);
    stage.run(1000);
    let slowed = stage.twist("resting::body").linear.z / falling;
    assert!((slowed - (-1f64).exp()).abs() < 1e-3, "{slowed}");
}

#[test]
fn what_is_not_changed_goes_on_bit_by_bit() {
    let (mut changed, mut left) = (Stage::of(&world()), Stage::of(&world()));
    for stage in [&mut changed, &mut left] {
        stage.run(150);
    }
    changed.change("resting::body::skin", |surface: &mut ShapeSurface| {
        surface.0.friction.mu = 0.1;
    });
    changed.change("resting::body", |inertia: &mut Inertia| inertia.0.mass_kg = 3.0);
    changed.change("wheel::axle", |joint: &mut JointSpec| joint.axes[0].limits.upper = 1.0);
    changed.change("wheel::body", |link: &mut LinkProperties| link.velocity_decay.angular = 0.5);
    // A rebuilt model leaves the others alone as well.
    changed.change("wheel::axle", |joint: &mut JointSpec| joint.axes[0].xyz = Vec3::X);
    for stage in [&mut changed, &mut left] {
        stage.run(500);
    }
    assert_ne!(changed.place("resting::body"), left.place("resting::body"));
    assert_eq!(changed.far_away(), left.far_away());
}
