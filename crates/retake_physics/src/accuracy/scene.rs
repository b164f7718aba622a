//! Worlds of the cases, as plain values.

use std::f64::consts::PI;

use retake_description::{Geometry, JointAxis, JointKind, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};

use super::{AccuracyError, Measurement, STEP_SECS};
use crate::{
    Assembly, AxisSpec, BodySpec, BodyState, ColliderSpec, Engine, JointDrive, JointSpec,
    JointState,
};

/// Gravity in m/s².
pub(super) const GRAVITY: f64 = 9.8;

/// An engine that is being filled, and gives out ids.
pub(super) struct Scene<'a> {
    pub(super) engine: &'a mut dyn Engine,
    next: u64,
}

impl<'a> Scene<'a> {
    pub(super) fn new(engine: &'a mut dyn Engine) -> Self {
        Self { engine, next: 0 }
    }

    fn id(&mut self) -> EntityId {
        self.next += 1;
        EntityId::from_raw(self.next)
    }

    /// A link without a shape.
    pub(super) fn link(&mut self, mass_kg: f64, moments: Vec3, at: Pose) -> BodySpec {
        BodySpec {
            link: self.id(),
            world_from_link: at,
            twist: Twist::ZERO,
            inertial: Inertial { mass_kg, moments, ..Inertial::default() },
            gravity: true,
            kinematic: false,
            self_collide: false,
            velocity_decay: VelocityDecay::default(),
            colliders: Vec::new(),
        }
    }

    /// A link with a shape of even density.
    pub(super) fn solid(&mut self, mass_kg: f64, geometry: Geometry, at: Pose) -> BodySpec {
        let mut body = self.link(mass_kg, moments(&geometry) * mass_kg, at);
        body.colliders.push(ColliderSpec {
            collision: self.id(),
            link_from_collision: Pose::IDENTITY,
            geometry,
            prepared: None,
            surface: Surface::default(),
        });
        body
    }

    /// A hinge or slide at a point of the world.
    pub(super) fn joint(
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

    /// Adds a model; nothing of it may be left out.
    pub(super) fn add(
        &mut self,
        bodies: Vec<BodySpec>,
        joints: Vec<JointSpec>,
    ) -> Result<(), AccuracyError> {
        self.insert(bodies, joints, false)
    }

    /// Adds a model that never moves.
    pub(super) fn add_static(&mut self, body: BodySpec) -> Result<(), AccuracyError> {
        self.insert(vec![body], Vec::new(), true)
    }

    fn insert(
        &mut self,
        bodies: Vec<BodySpec>,
        joints: Vec<JointSpec>,
        is_static: bool,
    ) -> Result<(), AccuracyError> {
        let model = self.id();
        let assembly =
            Assembly { model, is_static, self_collide: false, may_sleep: false, bodies, joints };
        self.engine.insert_assembly(&assembly)?;
        Ok(())
    }

    /// Adds a ground plane through the origin, tilted about y so that x leads down.
    pub(super) fn add_slope(&mut self, angle: f64, surface: Surface) -> Result<(), AccuracyError> {
        let geometry = Geometry::Plane { normal: Vec3::Z, size: [100.0, 100.0] };
        let mut ground = self.solid(1.0, geometry, slope(angle));
        ground.colliders[0].surface = surface;
        self.add_static(ground)
    }

    pub(super) fn step(&mut self) -> Result<(), AccuracyError> {
        Ok(self.engine.step(STEP_SECS)?)
    }

    pub(super) fn run(&mut self, secs: f64) -> Result<(), AccuracyError> {
        for _ in 0..(secs / STEP_SECS).round() as usize {
            self.step()?;
        }
        Ok(())
    }

    pub(super) fn state(&self, link: EntityId) -> Result<BodyState, AccuracyError> {
        self.engine.body_state(link).ok_or(AccuracyError::Missing { what: "a link" })
    }

    pub(super) fn position(&self, link: EntityId) -> Result<Vec3, AccuracyError> {
        Ok(self.state(link)?.world_from_link.position)
    }

    pub(super) fn joint_state(&self, joint: EntityId) -> Result<JointState, AccuracyError> {
        let states = self.engine.joint_states(joint);
        let first = states.and_then(|all| all.first().copied());
        first.ok_or(AccuracyError::Missing { what: "a joint" })
    }

    pub(super) fn drive(
        &mut self,
        joint: EntityId,
        drive: JointDrive,
    ) -> Result<(), AccuracyError> {
        Ok(self.engine.set_joint_drive(joint, 0, drive)?)
    }
}

/// The frame of a plane tilted about y: its x leads down.
pub(super) fn slope(angle: f64) -> Pose {
    Pose::from_xyz_rpy(Vec3::ZERO, Vec3::new(0.0, angle, 0.0))
}

/// A result.
pub(super) fn measured(
    quantity: &'static str,
    error: f64,
    unit: &'static str,
    allowed: [f64; 3],
) -> Measurement {
    Measurement { quantity, error: error.abs(), unit, allowed }
}

/// Moments of inertia of a solid of 1 kg.
fn moments(geometry: &Geometry) -> Vec3 {
    match geometry {
        Geometry::Box { size } => {
            let s = *size * *size;
            Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 12.0
        }
        Geometry::Sphere { radius } => Vec3::splat(0.4 * radius * radius),
        Geometry::Cylinder { radius, length } => {
            let across = radius * radius / 4.0 + length * length / 12.0;
            Vec3::new(across, across, radius * radius / 2.0)
        }
        _ => Vec3::ONE,
    }
}

/// Moments of a thin rod along x about its middle, with a little thickness.
pub(super) fn rod_moments(mass_kg: f64, length: f64) -> Vec3 {
    let across = mass_kg * length * length / 12.0;
    Vec3::new(across * 1e-2, across, across)
}

/// Arithmetic-geometric mean.
pub(super) fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// Radians of degrees.
pub(super) fn degrees(value: f64) -> f64 {
    value * PI / 180.0
}
