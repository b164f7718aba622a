//! Small worlds for the tests, as plain data.

use std::io::{self, Write};

use retake_description::{Geometry, JointAxis, JointKind, MeshUse, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};
use retake_physics::{
    Assembly, AxisSpec, BodySpec, BodyState, ColliderSpec, Engine, EngineNote, JointSpec,
    JointState, MeshData, PreparedShape, RapierEngine, ShapeSource,
};
use xxhash_rust::xxh3::Xxh3;

pub const DT: f64 = 0.001;
pub const GRAVITY: f64 = 9.8;

/// An engine that gives out ids.
pub struct World {
    pub engine: RapierEngine,
    next: u64,
}

impl World {
    pub fn new() -> Self {
        Self { engine: RapierEngine::default(), next: 1 }
    }

    pub fn with_ground() -> Self {
        let mut world = Self::new();
        let plane = Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] };
        let mut body = world.link(plane, Pose::IDENTITY);
        body.inertial = Inertial::default();
        world.add_static(vec![body]);
        world
    }

    pub fn id(&mut self) -> EntityId {
        self.next += 1;
        EntityId::from_raw(self.next)
    }

    /// The number that the next id follows; ids are part of a story that is told again.
    pub fn next_id(&self) -> u64 {
        self.next
    }

    pub fn set_next_id(&mut self, next: u64) {
        self.next = next;
    }

    /// A link of 1 kg with one collision.
    pub fn link(&mut self, geometry: Geometry, world_from_link: Pose) -> BodySpec {
        let (link, collision) = (self.id(), self.id());
        let collider = ColliderSpec {
            collision,
            link_from_collision: Pose::IDENTITY,
            geometry,
            prepared: None,
            surface: Surface::default(),
        };
        BodySpec { colliders: vec![collider], ..self.bare_link(link, world_from_link) }
    }

    /// The shape of a mesh as a loader makes it.
    pub fn prepared(&self, mesh: &MeshData, collide_as: MeshUse) -> PreparedShape {
        self.engine.shape_maker()(&ShapeSource::Mesh { mesh, collide_as }).unwrap()
    }

    /// A link of 1 kg without a shape.
    pub fn ghost(&mut self, world_from_link: Pose) -> BodySpec {
        let link = self.id();
        self.bare_link(link, world_from_link)
    }

    fn bare_link(&self, link: EntityId, world_from_link: Pose) -> BodySpec {
        BodySpec {
            link,
            world_from_link,
            twist: Twist::ZERO,
            inertial: Inertial { moments: Vec3::splat(0.1), ..Inertial::default() },
            gravity: true,
            kinematic: false,
            self_collide: false,
            velocity_decay: VelocityDecay::default(),
            colliders: Vec::new(),
        }
    }

    pub fn assembly(&mut self, bodies: Vec<BodySpec>, joints: Vec<JointSpec>) -> Assembly {
        let model = self.id();
        Assembly { model, is_static: false, self_collide: false, may_sleep: true, bodies, joints }
    }

    pub fn add(&mut self, bodies: Vec<BodySpec>, joints: Vec<JointSpec>) -> EntityId {
        let assembly = self.assembly(bodies, joints);
        let notes = self.insert(&assembly);
        assert_eq!(notes, vec![]);
        assembly.model
    }

    pub fn add_static(&mut self, bodies: Vec<BodySpec>) -> EntityId {
        let assembly = Assembly { is_static: true, ..self.assembly(bodies, Vec::new()) };
        self.insert(&assembly);
        assembly.model
    }

    pub fn insert(&mut self, assembly: &Assembly) -> Vec<EngineNote> {
        self.engine.insert_assembly(assembly).unwrap()
    }

    /// Adds a free box of 1 kg and returns its link.
    pub fn add_box(&mut self, size: f64, position: Vec3) -> EntityId {
        let body = self.box_link(size, position);
        let link = body.link;
        self.add(vec![body], vec![]);
        link
    }

    pub fn box_link(&mut self, size: f64, position: Vec3) -> BodySpec {
        let geometry = Geometry::Box { size: Vec3::splat(size) };
        let mut body = self.link(geometry, Pose::from_position(position));
        body.inertial.moments = Vec3::splat(size * size / 6.0);
        body
    }

    /// A joint whose frame is at `position` of the world, turned as the child is not.
    pub fn joint(
        &mut self,
        kind: JointKind,
        parent: Option<&BodySpec>,
        child: &BodySpec,
    ) -> JointSpec {
        JointSpec {
            joint: self.id(),
            kind,
            parent: parent.map(|body| body.link),
            child: child.link,
            child_from_joint: Pose::IDENTITY,
            axes: vec![AxisSpec::default(); kind.axis_count()],
            thread_pitch: 1.0,
            gearbox: None,
        }
    }

    /// A one-axis joint at a point of the world.
    pub fn axis_joint(
        &mut self,
        kind: JointKind,
        ends: (Option<&BodySpec>, &BodySpec),
        point: Vec3,
        xyz: Vec3,
    ) -> JointSpec {
        let mut joint = self.joint(kind, ends.0, ends.1);
        let world_from_joint = Pose::from_position(point);
        joint.child_from_joint = ends.1.world_from_link.inverse() * world_from_joint;
        joint.axes[0].axis = JointAxis { xyz, ..JointAxis::default() };
        joint
    }

    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.engine.step(DT).unwrap();
        }
    }

    pub fn run_secs(&mut self, secs: f64) {
        self.run((secs / DT).round() as usize);
    }

    pub fn state(&self, link: EntityId) -> BodyState {
        self.engine.body_state(link).unwrap()
    }

    pub fn position(&self, link: EntityId) -> Vec3 {
        self.state(link).world_from_link.position
    }

    pub fn joint_state(&self, joint: EntityId) -> JointState {
        self.engine.joint_states(joint).unwrap()[0]
    }

    pub fn hash(&self) -> u64 {
        let mut sink = Hasher(Xxh3::new());
        self.engine.hash_state(&mut sink).unwrap();
        sink.0.digest()
    }
}

/// Refuses a difference above the tolerance.
pub fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} ± {tolerance}");
}

struct Hasher(Xxh3);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
