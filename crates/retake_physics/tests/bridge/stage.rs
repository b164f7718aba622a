//! An Ecm with its physics.

use retake_components::{
    AxisCommand, BodyTwist, CurrentProfile, JointCommand, JointPosition, find, registry,
    spawn_world, world_entity, world_pose,
};
use retake_description::{
    Joint, JointAxis, JointKind, JointLimits, Link, Model, PhysicsProfile, World,
};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Inertial, Pose, Twist, Vec3};
use retake_physics::{EngineSettings, Physics, RapierEngine};

pub const DT: f64 = 0.001;

pub fn link(name: &str, at: Vec3) -> Link {
    Link {
        name: name.to_owned(),
        model_from_link: Pose::from_position(at),
        inertial: Inertial { moments: Vec3::splat(0.1), ..Inertial::default() },
        gravity: true,
        ..Link::default()
    }
}

/// A cart that carries a rod, and profiles for both engines.
pub fn world(engine: &str) -> World {
    let hinge = Joint {
        name: "hinge".to_owned(),
        kind: JointKind::Revolute,
        parent: "cart".to_owned(),
        child: "rod".to_owned(),
        child_from_joint: Pose::from_position(-Vec3::X * 0.5),
        axes: vec![JointAxis {
            xyz: Vec3::Z,
            limits: JointLimits {
                upper: 2.0,
                lower: -2.0,
                velocity: 1.0,
                ..JointLimits::default()
            },
            ..JointAxis::default()
        }],
        thread_pitch: 1.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    };
    let robot = Model {
        name: "robot".to_owned(),
        links: vec![link("cart", Vec3::ZERO), link("rod", Vec3::X * 0.5)],
        joints: vec![hinge],
        ..Model::default()
    };
    let profile = |name: &str, engine: &str| PhysicsProfile {
        name: name.to_owned(),
        engine: engine.to_owned(),
        is_default: name == engine,
        ..PhysicsProfile::default()
    };
    let mut profiles = vec![profile("tpe", "tpe"), profile("rapier", "rapier")];
    profiles.iter_mut().for_each(|profile| profile.is_default = profile.name == engine);
    World { models: vec![robot], profiles, gravity: Vec3::ZERO, ..World::default() }
}

pub struct Stage {
    pub ecm: Ecm,
    pub physics: Physics,
}

impl Stage {
    pub fn new(engine: &str) -> Self {
        Self::of(&world(engine))
    }

    pub fn of(world: &World) -> Self {
        let mut ecm = Ecm::new(registry().build());
        spawn_world(&mut ecm, world, 1).unwrap();
        let rapier = RapierEngine::new(EngineSettings::default()).unwrap();
        let mut stage = Self { ecm, physics: Physics::new(Box::new(rapier)) };
        stage.follow();
        stage
    }

    pub fn follow(&mut self) {
        let followed = self.physics.follow(&mut self.ecm);
        assert!(followed.refusals.is_empty(), "{:?}", followed.refusals);
    }

    pub fn run(&mut self, steps: usize) {
        self.follow();
        for _ in 0..steps {
            self.physics.step(&mut self.ecm, DT).unwrap();
        }
    }

    pub fn id(&self, path: &str) -> EntityId {
        find(&self.ecm, path).unwrap()
    }

    pub fn use_profile(&mut self, name: &str) {
        let world = world_entity(&self.ecm).unwrap();
        self.ecm.set(world, CurrentProfile(name.to_owned())).unwrap();
        self.follow();
    }

    pub fn angle(&self) -> f64 {
        self.ecm.get::<JointPosition>(self.id("robot::hinge")).unwrap().0[0]
    }

    pub fn place(&self, link: &str) -> Vec3 {
        world_pose(&self.ecm, self.id(link)).position
    }

    pub fn command(&mut self, command: AxisCommand) {
        let joint = self.id("robot::hinge");
        self.ecm.set(joint, JointCommand(vec![command])).unwrap();
    }

    pub fn push_off(&mut self, linear: Vec3) {
        let cart = self.id("robot::cart");
        let twist = Twist { linear, angular: Vec3::ZERO };
        self.ecm.set(cart, BodyTwist(twist)).unwrap();
    }
}
