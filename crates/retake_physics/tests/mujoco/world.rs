//! Small worlds in the MuJoCo engine.

use retake_description::{Geometry, JointAxis, JointKind, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};
use retake_physics::{
    Assembly, AxisSpec, BodySpec, ColliderSpec, Engine, JointSpec, JointState, MujocoEngine,
};

pub const DT: f64 = 0.001;

/// An engine that gives out ids.
#[derive(Default)]
pub struct World {
    pub engine: MujocoEngine,
    next: u64,
}

impl World {
    pub fn with_ground() -> Self {
        let mut world = Self::default();
        let plane = Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] };
        let ground = world.link(plane, Vec3::ZERO);
        let assembly = Assembly { is_static: true, ..world.assembly(vec![ground], vec![]) };
        assert_eq!(world.engine.insert_assembly(&assembly).unwrap(), vec![]);
        world
    }

    pub fn id(&mut self) -> EntityId {
        self.next += 1;
        EntityId::from_raw(self.next)
    }

    /// A link of 1 kg with one collision.
    pub fn link(&mut self, geometry: Geometry, at: Vec3) -> BodySpec {
        let (link, collision) = (self.id(), self.id());
        let collider = ColliderSpec {
            collision,
            link_from_collision: Pose::IDENTITY,
            geometry,
            prepared: None,
            surface: Surface::default(),
        };
        BodySpec {
            link,
            world_from_link: Pose::from_position(at),
            twist: Twist::ZERO,
            inertial: Inertial { moments: Vec3::splat(0.01), ..Inertial::default() },
            gravity: true,
            kinematic: false,
            self_collide: false,
            velocity_decay: VelocityDecay::default(),
            colliders: vec![collider],
        }
    }

    pub fn assembly(&mut self, bodies: Vec<BodySpec>, joints: Vec<JointSpec>) -> Assembly {
        let model = self.id();
        Assembly { model, is_static: false, self_collide: false, may_sleep: true, bodies, joints }
    }

    /// Adds a model of which nothing is left out.
    pub fn add(&mut self, bodies: Vec<BodySpec>, joints: Vec<JointSpec>) -> EntityId {
        let assembly = self.assembly(bodies, joints);
        assert_eq!(self.engine.insert_assembly(&assembly).unwrap(), vec![]);
        assembly.model
    }

    pub fn boxed(&mut self, edge: f64, at: Vec3) -> BodySpec {
        self.link(Geometry::Box { size: Vec3::splat(edge) }, at)
    }

    /// A joint with one axis at a point of the world.
    pub fn joint(
        &mut self,
        kind: JointKind,
        (parent, child): (Option<&BodySpec>, &BodySpec),
        (point, xyz): (Vec3, Vec3),
    ) -> JointSpec {
        let axis = JointAxis { xyz, ..JointAxis::default() };
        JointSpec {
            joint: self.id(),
            kind,
            parent: parent.map(|body| body.link),
            child: child.link,
            child_from_joint: child.world_from_link.inverse() * Pose::from_position(point),
            axes: vec![AxisSpec { axis, ..AxisSpec::default() }; kind.axis_count()],
            thread_pitch: 1.0,
            gearbox: None,
        }
    }

    /// A row of hinged capsules on the world; returns the model and its joints.
    pub fn add_arm(&mut self, count: u32, at: Vec3) -> (EntityId, Vec<EntityId>) {
        let (mut bodies, mut joints): (Vec<BodySpec>, Vec<JointSpec>) = (Vec::new(), Vec::new());
        for i in 0..count {
            let point = at + Vec3::X * 0.3 * f64::from(i);
            let shape = Geometry::Capsule { radius: 0.04, length: 0.1 };
            let link = self.link(shape, point + Vec3::X * 0.15);
            let axis = if i == 0 { Vec3::Z } else { Vec3::Y };
            joints.push(self.joint(JointKind::Revolute, (bodies.last(), &link), (point, axis)));
            bodies.push(link);
        }
        let ids = joints.iter().map(|joint| joint.joint).collect();
        (self.add(bodies, joints), ids)
    }

    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.engine.step(DT).unwrap();
        }
    }

    pub fn position(&self, link: EntityId) -> Vec3 {
        self.engine.body_state(link).unwrap().world_from_link.position
    }

    pub fn joint_state(&self, joint: EntityId) -> JointState {
        self.engine.joint_states(joint).unwrap()[0]
    }

    pub fn hash(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.engine.hash_state(&mut bytes).unwrap();
        bytes
    }
}
