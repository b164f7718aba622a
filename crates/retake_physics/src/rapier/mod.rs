//! The Rapier engine.
//!
//! Robots are multibodies (reduced coordinates), everything else is free bodies. What SDF says and
//! this engine does not do is told in notes when a model is inserted. Deliberately not here:
//! contact stiffness `kp`, `kd` (contacts are as stiff as the step allows) and torsional friction.
//! Two surfaces rub with the lower of their friction coefficients and bounce with the product of their
//! restitutions, as Gazebo's default engine does.

mod assembly;
mod bare;
mod build;
mod convert;
mod couplings;
mod decay;
mod filter;
mod gaps;
mod joints;
mod live;
mod loops;
mod motion;
#[cfg(feature = "mujoco")]
mod neutral;
mod overlap;
mod parts;
mod read;
mod records;
mod saved;
mod shapes;
mod solids;
mod speed_limits;
mod state;
mod step;
mod surfaces;
mod tables;
mod threads;

use std::io::Write;

use rapier3d_f64::prelude::{CCDSolver, JointAxesMask, PhysicsPipeline, RigidBodyHandle};
use retake_description::Surface;
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

pub use self::bare::BareRapier;
#[cfg(feature = "mujoco")]
pub(crate) use self::neutral::{Solid, Terrain, solid_of};
pub use self::overlap::Overlaps;
use self::records::{Record, Records};
use self::state::State;
#[cfg(feature = "mujoco")]
pub(crate) use self::surfaces::remarks as surface_remarks;
use self::threads::Threads;
use crate::{
    AfterTeleport, Assembly, BodySpec, BodyState, ContactState, Engine, EngineError, EngineNote,
    EngineSettings, EngineSnapshot, EngineState, FindShape, JointDrive, JointSpec, JointState,
    ShapeMaker, StepError, Visit,
};

/// Simulates with Rapier: robots as multibodies, bit-exact restore.
pub struct RapierEngine {
    state: State,
    /// Workspaces: made anew on restore, never part of the state.
    pipeline: PhysicsPipeline,
    ccd: CCDSolver,
    threads: Threads,
    /// Bodies to show in [`Visit::Moved`]; the first `awake` of them were awake.
    moved: Vec<RigidBodyHandle>,
    awake: usize,
    needs_restore: bool,
    /// Whether the state was put together piece by piece and lies in memory accordingly.
    scattered: bool,
    records: Records,
    /// Joints with a speed limit; none when they must be looked for again.
    limited: Option<Vec<EntityId>>,
}

impl RapierEngine {
    /// What makes shapes for this engine.
    pub(crate) const SHAPE_MAKER: ShapeMaker = solids::make;

    /// Makes an empty world with SDF's default gravity.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] for a setting out of range, [`EngineError::NoThreads`] when the
    /// system gives too few threads.
    pub fn new(settings: EngineSettings) -> Result<Self, EngineError> {
        let mut engine = Self::default();
        engine.set_settings(&settings)?;
        Ok(engine)
    }

    /// Makes an edit by which joints may come or go.
    fn change_joints<T>(&mut self, edit: impl FnOnce(&mut State) -> T) -> T {
        self.limited = None;
        let before = self.state.joints.len();
        let done = edit(&mut self.state);
        self.state.joints_changed |= self.state.stepped && self.state.joints.len() != before;
        done
    }

    fn visit_moved(&self, visitor: &mut dyn FnMut(EntityId, &BodyState)) {
        let records = self.records.of(&self.state.tables).unwrap_or_default();
        for handle in &self.moved {
            // A body can be removed after it moved.
            let Some(body) = self.state.bodies.get(*handle) else { continue };
            let slot = body.user_data as u32;
            match records.get(slot as usize) {
                Some(Record::Gone) => {}
                Some(Record::Alone(link)) => visitor(*link, &read::free_link_state(body)),
                Some(Record::Other(record)) => {
                    read::visit_body(&self.state, body, record, visitor);
                }
                // The tables changed since the last step.
                None => {
                    let Some(record) = self.state.tables.bodies.get(&slot) else { continue };
                    read::visit_body(&self.state, body, record, visitor);
                }
            }
        }
    }

    fn mark_moved(&mut self, handles: Vec<RigidBodyHandle>) {
        for handle in handles {
            if !self.moved.contains(&handle) {
                self.moved.push(handle);
            }
        }
    }
}

impl Default for RapierEngine {
    /// Makes an empty world with default settings and SDF's default gravity.
    fn default() -> Self {
        Self {
            state: State::new(),
            pipeline: PhysicsPipeline::new(),
            ccd: CCDSolver::new(),
            threads: Threads::single(),
            moved: Vec::new(),
            awake: 0,
            needs_restore: false,
            scattered: false,
            records: Records::default(),
            limited: None,
        }
    }
}

impl Engine for RapierEngine {
    fn name(&self) -> &'static str {
        "rapier"
    }

    fn version(&self) -> &'static str {
        "rapier3d-f64 0.36.1"
    }

    fn shape_maker(&self) -> ShapeMaker {
        Self::SHAPE_MAKER
    }

    fn insert_assembly(&mut self, assembly: &Assembly) -> Result<Vec<EngineNote>, EngineError> {
        self.scattered = true;
        self.change_joints(|state| assembly::insert(state, assembly))
    }

    fn remove_assembly(&mut self, model: EntityId) -> Result<Vec<EntityId>, EngineError> {
        self.change_joints(|state| assembly::remove(state, model))
    }

    fn insert_joint(&mut self, joint: &JointSpec) -> Result<Vec<EngineNote>, EngineError> {
        self.change_joints(|state| loops::insert_between_models(state, joint))
    }

    fn remove_joint(&mut self, joint: EntityId) -> Result<(), EngineError> {
        self.change_joints(|state| loops::remove(state, joint))
    }

    fn set_assembly_pose(
        &mut self,
        link: EntityId,
        world_from_link: Pose,
        velocities: AfterTeleport,
    ) -> Result<(), EngineError> {
        let moved = motion::set_assembly_pose(&mut self.state, link, world_from_link, velocities)?;
        self.mark_moved(moved);
        Ok(())
    }

    fn set_body_twist(&mut self, link: EntityId, twist: Twist) -> Result<(), EngineError> {
        let moved = motion::set_body_twist(&mut self.state, link, twist)?;
        self.mark_moved(vec![moved]);
        Ok(())
    }

    fn set_joint_position(
        &mut self,
        joint: EntityId,
        axis: usize,
        position: f64,
    ) -> Result<(), EngineError> {
        let moved = motion::set_joint_position(&mut self.state, joint, axis, position)?;
        self.mark_moved(moved);
        Ok(())
    }

    fn set_joint_velocity(
        &mut self,
        joint: EntityId,
        axis: usize,
        velocity: f64,
    ) -> Result<(), EngineError> {
        motion::set_joint_velocity(&mut self.state, joint, axis, velocity)
    }

    fn set_joint_drive(
        &mut self,
        joint: EntityId,
        axis: usize,
        drive: JointDrive,
    ) -> Result<(), EngineError> {
        motion::set_joint_drive(&mut self.state, joint, axis, drive)
    }

    fn apply_wrench(
        &mut self,
        link: EntityId,
        force_n: Vec3,
        torque_nm: Vec3,
    ) -> Result<(), EngineError> {
        motion::apply_wrench(&mut self.state, link, force_n, torque_nm)
    }

    fn set_surface(
        &mut self,
        collision: EntityId,
        surface: &Surface,
    ) -> Result<Vec<EngineNote>, EngineError> {
        live::set_surface(&mut self.state, collision, surface)
    }

    fn set_link(&mut self, link: &BodySpec) -> Result<(), EngineError> {
        live::set_link(&mut self.state, link)
    }

    fn set_joint_axes(&mut self, joint: &JointSpec) -> Result<(), EngineError> {
        self.limited = None;
        live::set_axes(&mut self.state, joint)
    }

    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), EngineError> {
        if !gravity.is_finite() {
            let (field, allowed) = ("gravity", "finite");
            return Err(EngineError::BadSetting { field, value: f64::NAN, allowed });
        }
        if gravity != self.state.gravity {
            self.state.gravity = gravity;
            self.state.wake_all();
        }
        Ok(())
    }

    fn gravity(&self) -> Vec3 {
        self.state.gravity
    }

    fn set_settings(&mut self, settings: &EngineSettings) -> Result<EngineSettings, EngineError> {
        settings.validate()?;
        self.threads.resize(settings.worker_threads as usize)?;
        self.state.settings = *settings;
        self.state.tune(self.state.parameters.dt);
        self.state.apply_body_settings();
        Ok(*settings)
    }

    fn settings(&self) -> EngineSettings {
        self.state.settings
    }

    fn step(&mut self, dt_secs: f64) -> Result<(), StepError> {
        self.run_step(dt_secs)
    }

    fn visit_bodies(&self, which: Visit, visitor: &mut dyn FnMut(EntityId, &BodyState)) {
        match which {
            Visit::All => {
                for record in self.state.tables.bodies.values() {
                    let body = &self.state.bodies[record.handle];
                    read::visit_body(&self.state, body, record, visitor);
                }
            }
            Visit::Moved => self.visit_moved(visitor),
        }
    }

    fn visit_joints(&self, visitor: &mut dyn FnMut(EntityId, &[JointState])) {
        let mut states = Vec::new();
        for (joint, record) in &self.state.joints {
            if !record.axes.is_empty() {
                read::joint_states(&self.state, &record.axes, &mut states);
                visitor(*joint, &states);
            }
        }
    }

    fn visit_contacts(&self, visitor: &mut dyn FnMut(&ContactState<'_>)) {
        let mut points = Vec::new();
        for pair in self.state.narrow_phase.contact_pairs() {
            read::visit_contact(&self.state, pair, &mut points, visitor);
        }
    }

    fn body_state(&self, link: EntityId) -> Option<BodyState> {
        read::body_state(&self.state, link)
    }

    fn joint_states(&self, joint: EntityId) -> Option<Vec<JointState>> {
        let record = self.state.joints.get(&joint)?;
        let mut states = Vec::new();
        read::joint_states(&self.state, &record.axes, &mut states);
        Some(states)
    }

    fn snapshot(&self) -> EngineSnapshot {
        let (name, version) = (self.name(), self.version());
        EngineSnapshot::new(name, version, self.state.bytes(), self.state.clone())
    }

    fn restore(&mut self, snapshot: &EngineSnapshot) -> Result<(), EngineError> {
        let foreign =
            EngineError::ForeignSnapshot { snapshot: snapshot.engine(), engine: self.name() };
        let worker_threads = self.state.settings.worker_threads;
        self.state = snapshot.state::<State>().ok_or(foreign)?.clone();
        // Threads belong to the machine, not to the state.
        self.state.settings.worker_threads = worker_threads;
        self.reset_workspaces();
        Ok(())
    }

    fn decode(
        &self,
        state: &EngineState,
        shapes: FindShape<'_>,
    ) -> Result<EngineSnapshot, EngineError> {
        let (name, version) = (self.name(), self.version());
        let read = saved::decode(state.open(name, version)?, shapes)?;
        Ok(EngineSnapshot::new(name, version, read.bytes(), read))
    }

    fn hash_state(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        self.state.write_hashed(sink)
    }
}

/// The mask of one of a joint's six coordinates.
fn axis_mask(spatial: usize) -> JointAxesMask {
    JointAxesMask::from_bits_truncate(1 << spatial)
}

/// Adds a note.
fn note(notes: &mut Vec<EngineNote>, entity: EntityId, message: &str) {
    notes.push(EngineNote { entity, message: message.to_owned() });
}
