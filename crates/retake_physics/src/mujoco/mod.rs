//! The MuJoCo engine: the quickest one for robots.
//!
//! Robots have joint coordinates, as in Rapier, at a fraction of the time; heaps of free bodies are
//! what Rapier is better at. Models are kept as plain values ([`model`]) with where they are
//! ([`place`]); from them a MuJoCo model is compiled whenever the set of models has changed
//! ([`compile`]), and stepped ([`step`]). So a snapshot is a copy of numbers, and whatever is
//! inserted or removed leaves the others as they were.
//!
//! Deliberately not here: sleeping, contacts of triangle meshes (they collide as their hulls),
//! several threads, drives and limits of joints that close a loop, and continuous collision. A link
//! that moves by command pushes others, but does not carry them along by friction.

mod compile;
mod contacts;
mod drives;
mod edit;
mod forms;
mod model;
mod place;
mod raw;
mod saved;
mod state;
mod step;
mod ties;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use retake_description::Surface;
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

use self::compile::Built;
use self::model::AxisPlace;
use self::state::{Simulated, State};
use crate::{
    AfterTeleport, Assembly, BodySpec, BodyState, ContactState, Engine, EngineError, EngineNote,
    EngineSettings, EngineSnapshot, EngineState, FindShape, JointDrive, JointSpec, JointState,
    RapierEngine, ShapeMaker, StepError, Visit, check,
};

/// Simulates with MuJoCo: robots at high speed, bit-exact restore.
pub struct MujocoEngine {
    state: State,
    /// Made from the state when it is needed; never part of it.
    built: Option<Built>,
    /// Whether models or joints between them may be others than `built` was made from.
    stale: bool,
    /// Models that were put somewhere since the last step although they do not move.
    moved: BTreeSet<EntityId>,
    needs_restore: bool,
}

impl MujocoEngine {
    /// Makes an empty world with SDF's default gravity.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] for a setting out of range.
    pub fn new(settings: EngineSettings) -> Result<Self, EngineError> {
        let mut engine = Self::default();
        engine.set_settings(&settings)?;
        Ok(engine)
    }

    /// Returns the settings of the preset called `name`: MuJoCo needs fewer sub-steps than others.
    pub fn preset(name: &str) -> Option<EngineSettings> {
        let (substeps, solver_iterations) = match name {
            "fast" => (1, 8),
            "default" => (1, 32),
            "accurate" => (4, 32),
            _ => return None,
        };
        Some(EngineSettings { substeps, solver_iterations, ..EngineSettings::default() })
    }

    /// Compiles what is there unless that has been done.
    fn build(&mut self) -> Result<(), String> {
        if !self.stale && self.built.is_some() {
            return Ok(());
        }
        let models = || self.state.models.values().map(|simulated| &simulated.model);
        let bonds = || self.state.bonds.values().map(|bond| &bond.closure);
        let is_built = |built: &Built| built.is_of(models(), bonds());
        if !self.built.as_ref().is_some_and(is_built) {
            let (models, bonds) = (models().cloned().collect(), bonds().cloned().collect());
            self.built = Some(compile::compile(models, bonds)?);
        }
        self.stale = false;
        Ok(())
    }

    fn wrap(&self, state: State) -> EngineSnapshot {
        EngineSnapshot::new(self.name(), self.version(), state.bytes(), state)
    }
}

impl Default for MujocoEngine {
    /// Makes an empty world with default settings and SDF's default gravity.
    fn default() -> Self {
        raw::quiet();
        Self {
            state: State {
                settings: Self::preset("default").unwrap_or_default(),
                gravity: Vec3::new(0.0, 0.0, -9.8),
                models: BTreeMap::new(),
                bonds: BTreeMap::new(),
                owners: Arc::default(),
                contacts: Vec::new(),
            },
            built: None,
            stale: true,
            moved: BTreeSet::new(),
            needs_restore: false,
        }
    }
}

impl Engine for MujocoEngine {
    fn name(&self) -> &'static str {
        "mujoco"
    }

    fn version(&self) -> &'static str {
        "mujoco 3.17.0"
    }

    fn shape_maker(&self) -> ShapeMaker {
        // One library serves all engines, so that a change of the engine reads no file again.
        RapierEngine::SHAPE_MAKER
    }

    fn insert_assembly(&mut self, assembly: &Assembly) -> Result<Vec<EngineNote>, EngineError> {
        let notes = edit::insert(&mut self.state, assembly)?;
        self.stale = true;
        self.moved.insert(assembly.model);
        Ok(notes)
    }

    fn remove_assembly(&mut self, model: EntityId) -> Result<Vec<EntityId>, EngineError> {
        let hung = edit::remove(&mut self.state, model)?;
        self.stale = true;
        self.moved.remove(&model);
        Ok(hung)
    }

    fn insert_joint(&mut self, joint: &JointSpec) -> Result<Vec<EngineNote>, EngineError> {
        let notes = edit::insert_bond(&mut self.state, joint)?;
        self.stale = true;
        Ok(notes)
    }

    fn remove_joint(&mut self, joint: EntityId) -> Result<(), EngineError> {
        if self.state.bonds.remove(&joint).is_some() {
            self.stale = true;
            return Ok(());
        }
        if self.state.owners.contains_key(&joint) {
            let what = "the joint is part of a model; remove or rebuild the model".to_owned();
            return Err(EngineError::Unsupported { entity: joint, what });
        }
        Err(EngineError::Unknown { entity: joint, what: "joint" })
    }

    fn set_assembly_pose(
        &mut self,
        link: EntityId,
        world_from_link: Pose,
        velocities: AfterTeleport,
    ) -> Result<(), EngineError> {
        let model = edit::teleport(&mut self.state, link, world_from_link, velocities)?;
        self.moved.insert(model);
        Ok(())
    }

    fn set_body_twist(&mut self, link: EntityId, twist: Twist) -> Result<(), EngineError> {
        edit::set_twist(&mut self.state, link, twist)
    }

    fn set_joint_position(
        &mut self,
        joint: EntityId,
        axis: usize,
        position: f64,
    ) -> Result<(), EngineError> {
        edit::set_position(&mut self.state, joint, axis, position)
    }

    fn set_joint_velocity(
        &mut self,
        joint: EntityId,
        axis: usize,
        velocity: f64,
    ) -> Result<(), EngineError> {
        edit::set_velocity(&mut self.state, joint, axis, velocity)
    }

    fn set_joint_drive(
        &mut self,
        joint: EntityId,
        axis: usize,
        drive: JointDrive,
    ) -> Result<(), EngineError> {
        edit::set_drive(&mut self.state, joint, axis, drive)
    }

    fn apply_wrench(
        &mut self,
        link: EntityId,
        force_n: Vec3,
        torque_nm: Vec3,
    ) -> Result<(), EngineError> {
        edit::apply_wrench(&mut self.state, link, force_n, torque_nm)
    }

    fn set_surface(
        &mut self,
        collision: EntityId,
        surface: &Surface,
    ) -> Result<Vec<EngineNote>, EngineError> {
        check::surface(collision, surface)?;
        Err(edit::rebuild(collision, "a surface"))
    }

    fn set_link(&mut self, link: &BodySpec) -> Result<(), EngineError> {
        check::body(link)?;
        self.state.owner(link.link, "link")?;
        Err(edit::rebuild(link.link, "a link"))
    }

    fn set_joint_axes(&mut self, joint: &JointSpec) -> Result<(), EngineError> {
        check::joint(joint)?;
        Err(edit::rebuild(joint.joint, "the axes of a joint"))
    }

    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), EngineError> {
        if !gravity.is_finite() {
            let (field, allowed) = ("gravity", "finite");
            return Err(EngineError::BadSetting { field, value: f64::NAN, allowed });
        }
        self.state.gravity = gravity;
        Ok(())
    }

    fn gravity(&self) -> Vec3 {
        self.state.gravity
    }

    fn set_settings(&mut self, settings: &EngineSettings) -> Result<EngineSettings, EngineError> {
        settings.validate()?;
        self.state.settings = *settings;
        Ok(*settings)
    }

    fn settings(&self) -> EngineSettings {
        self.state.settings
    }

    fn step(&mut self, dt_secs: f64) -> Result<(), StepError> {
        self.run_step(dt_secs)
    }

    fn visit_bodies(&self, which: Visit, visitor: &mut dyn FnMut(EntityId, &BodyState)) {
        for (entity, Simulated { model, now }) in &self.state.models {
            let all = which == Visit::All || self.moved.contains(entity);
            for (body, now) in model.bodies.iter().zip(&now.bodies) {
                if all || body.motion != crate::plan::Motion::Fixed {
                    body.links.iter().for_each(|offset| visitor(offset.link, &now.link(offset)));
                }
            }
        }
    }

    fn visit_joints(&self, visitor: &mut dyn FnMut(EntityId, &[JointState])) {
        let mut states = Vec::new();
        for simulated in self.state.models.values() {
            let mut drive = 0;
            for joint in simulated.model.joints.iter().filter(|joint| !joint.axes.is_empty()) {
                self.axis_states(simulated, joint, drive, &mut states);
                drive += joint.axes.len();
                visitor(joint.entity, &states);
            }
        }
        for joint in self.state.bonds.keys() {
            let states = self.joint_states(*joint).unwrap_or_default();
            if !states.is_empty() {
                visitor(*joint, &states);
            }
        }
    }

    fn visit_contacts(&self, visitor: &mut dyn FnMut(&ContactState<'_>)) {
        contacts::visit(&self.state.contacts, visitor);
    }

    fn body_state(&self, link: EntityId) -> Option<BodyState> {
        let simulated = self.state.owner(link, "link").ok()?;
        let (body, offset) = place::Now::find(&simulated.model, link)?;
        Some(simulated.now.bodies[body].link(&offset))
    }

    fn joint_states(&self, joint: EntityId) -> Option<Vec<JointState>> {
        if let Some(bond) = self.state.bonds.get(&joint) {
            let (position, velocity) = self.state.closure_angle(&bond.closure, bond.seen)?;
            return Some(vec![JointState { position, velocity, effort: 0.0 }; bond.axes]);
        }
        let simulated = self.state.owner(joint, "joint").ok()?;
        let (found, drive) = edit::find_joint(&simulated.model, joint)?;
        let mut states = Vec::new();
        self.axis_states(simulated, found, drive, &mut states);
        Some(states)
    }

    fn snapshot(&self) -> EngineSnapshot {
        self.wrap(self.state.clone())
    }

    fn restore(&mut self, snapshot: &EngineSnapshot) -> Result<(), EngineError> {
        let foreign =
            EngineError::ForeignSnapshot { snapshot: snapshot.engine(), engine: self.name() };
        let worker_threads = self.state.settings.worker_threads;
        self.state = snapshot.state::<State>().ok_or(foreign)?.clone();
        self.state.settings.worker_threads = worker_threads;
        (self.stale, self.needs_restore) = (true, false);
        self.moved.clear();
        Ok(())
    }

    fn decode(
        &self,
        state: &EngineState,
        shapes: FindShape<'_>,
    ) -> Result<EngineSnapshot, EngineError> {
        let read = saved::decode(state.open(self.name(), self.version())?, shapes)?;
        Ok(self.wrap(read))
    }

    fn hash_state(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        self.state.write_hashed(sink)
    }
}

impl MujocoEngine {
    fn axis_states(
        &self,
        simulated: &Simulated,
        joint: &model::Joint,
        drive: usize,
        into: &mut Vec<JointState>,
    ) {
        let Simulated { model, now } = simulated;
        into.clear();
        for (axis, drive) in joint.axes.iter().zip(&now.drives[drive..]) {
            let (position, velocity) = match axis.place {
                AxisPlace::Frozen { position } => (position, 0.0),
                AxisPlace::Coord { body, coord } => {
                    let (q, v) = model.bodies[body].coords[coord].at;
                    (now.positions[q], now.velocities[v])
                }
                AxisPlace::Closure { index } => {
                    let found = self.state.closure_angle(&model.closures[index], drive.seen);
                    found.unwrap_or((drive.seen, 0.0))
                }
            };
            into.push(drives::state(drive, &axis.axis, position, velocity));
        }
    }
}

/// Adds a note.
fn note(notes: &mut Vec<EngineNote>, entity: EntityId, message: &str) {
    notes.push(EngineNote { entity, message: message.to_owned() });
}
