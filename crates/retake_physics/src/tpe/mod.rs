//! The kinematic engine: poses and velocities only.
//!
//! Nothing has weight and nothing collides: models keep the velocity they are given, joints go
//! where their drives tell them, at most as fast as their limits allow, and links follow their
//! joints. For motions that are to be looked at rather than fought for, at a fraction of the cost.
//! Deliberately not here: gravity, forces, efforts, contacts, and joints between models.

mod model;

use std::collections::BTreeMap;
use std::io::Write;

use retake_description::Surface;
use retake_description::bounds::STEP_SECS;
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};
use serde::{Deserialize, Serialize};

use self::model::{Axis, Model};
use crate::{
    AfterTeleport, Assembly, BodySpec, BodyState, CapturedState, ContactState, Engine, EngineError,
    EngineNote, EngineSettings, EngineSnapshot, EngineState, FindShape, JointDrive, JointSpec,
    JointState, RapierEngine, ShapeMaker, StepError, Visit, check,
};

/// Moves things as they are told, without forces and contacts.
#[derive(Default)]
pub struct TpeEngine {
    state: State,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct State {
    settings: EngineSettings,
    models: BTreeMap<EntityId, Model>,
    /// Which model a link or a joint is of.
    owners: BTreeMap<EntityId, EntityId>,
}

impl CapturedState for State {
    fn is_settled(&self) -> bool {
        // Edits leave nothing behind that a step would have to clear.
        true
    }

    fn encode(&self, sink: &mut Vec<u8>) -> Result<(), EngineError> {
        // Threads belong to the machine, not to the state.
        let settings = EngineSettings { worker_threads: 1, ..self.settings };
        rmp_serde::encode::write(sink, &(settings, &self.models, &self.owners))
            .map_err(|error| EngineError::Encode { reason: error.to_string() })
    }
}

impl TpeEngine {
    /// Makes an empty world.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] for a setting out of range.
    pub fn new(settings: EngineSettings) -> Result<Self, EngineError> {
        settings.validate()?;
        Ok(Self { state: State { settings, ..State::default() } })
    }

    fn wrap(&self, state: State) -> EngineSnapshot {
        let bytes = state.models.values().map(Model::bytes).sum();
        EngineSnapshot::new(self.name(), self.version(), bytes, state)
    }

    fn model_of(&self, entity: EntityId, what: &'static str) -> Result<&Model, EngineError> {
        let owner = self.state.owners.get(&entity);
        let model = owner.and_then(|owner| self.state.models.get(owner));
        model.ok_or(EngineError::Unknown { entity, what })
    }

    fn owner(&mut self, entity: EntityId, what: &'static str) -> Result<&mut Model, EngineError> {
        let owner = self.state.owners.get(&entity);
        let model = owner.and_then(|owner| self.state.models.get_mut(owner));
        model.ok_or(EngineError::Unknown { entity, what })
    }

    fn axis(&mut self, joint: EntityId, axis: usize) -> Result<&mut Axis, EngineError> {
        let found = self.owner(joint, "joint")?.joint_mut(joint);
        let found = found.ok_or(EngineError::Unknown { entity: joint, what: "joint" })?;
        let count = found.axes.len();
        found.axes.get_mut(axis).ok_or(EngineError::NoSuchAxis { joint, axis, count })
    }
}

impl Engine for TpeEngine {
    fn name(&self) -> &'static str {
        "tpe"
    }

    fn version(&self) -> &'static str {
        concat!("retake tpe ", env!("CARGO_PKG_VERSION"))
    }

    fn shape_maker(&self) -> ShapeMaker {
        // Nothing collides here; the shapes are ready for when the engine changes to one that does.
        RapierEngine::SHAPE_MAKER
    }

    fn insert_assembly(&mut self, assembly: &Assembly) -> Result<Vec<EngineNote>, EngineError> {
        check::assembly(assembly)?;
        let duplicate = |entity, what| Err(EngineError::Duplicate { entity, what });
        if self.state.models.contains_key(&assembly.model) {
            return duplicate(assembly.model, "model");
        }
        let links = assembly.bodies.iter().map(|body| (body.link, "link"));
        let joints = assembly.joints.iter().map(|joint| (joint.joint, "joint"));
        let mut new = BTreeMap::new();
        for (entity, what) in links.chain(joints) {
            let known = self.state.owners.contains_key(&entity);
            if known || new.insert(entity, assembly.model).is_some() {
                return duplicate(entity, what);
            }
        }
        let mut notes = Vec::new();
        let model = Model::new(assembly, &mut notes)?;
        self.state.owners.extend(new);
        self.state.models.insert(assembly.model, model);
        Ok(notes)
    }

    fn remove_assembly(&mut self, model: EntityId) -> Result<Vec<EntityId>, EngineError> {
        let gone = self.state.models.remove(&model);
        gone.ok_or(EngineError::Unknown { entity: model, what: "model" })?;
        self.state.owners.retain(|_, owner| *owner != model);
        Ok(Vec::new())
    }

    fn insert_joint(&mut self, joint: &JointSpec) -> Result<Vec<EngineNote>, EngineError> {
        check::joint(joint)?;
        let what = "a joint between models is not followed by tpe".to_owned();
        Err(EngineError::Unsupported { entity: joint.joint, what })
    }

    fn remove_joint(&mut self, joint: EntityId) -> Result<(), EngineError> {
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
        check::pose(link, "pose", &world_from_link)?;
        self.owner(link, "link")?.teleport(link, world_from_link.normalized(), velocities);
        Ok(())
    }

    fn set_body_twist(&mut self, link: EntityId, twist: Twist) -> Result<(), EngineError> {
        check::twist(link, &twist)?;
        if self.owner(link, "link")?.set_twist(link, twist) {
            return Ok(());
        }
        let what = "a joint holds the link; set the joint's velocity instead".to_owned();
        Err(EngineError::Unsupported { entity: link, what })
    }

    fn set_joint_position(
        &mut self,
        joint: EntityId,
        axis: usize,
        position: f64,
    ) -> Result<(), EngineError> {
        check::joint_position(joint, position)?;
        let found = self.axis(joint, axis)?;
        let limits = found.axis.limits;
        if position < limits.lower || position > limits.upper {
            let (field, allowed) = ("position", "within the joint's limits");
            return Err(EngineError::OutOfRange { entity: joint, field, value: position, allowed });
        }
        (found.position, found.velocity) = (position, 0.0);
        self.owner(joint, "joint")?.place_links();
        Ok(())
    }

    fn set_joint_velocity(
        &mut self,
        joint: EntityId,
        axis: usize,
        velocity: f64,
    ) -> Result<(), EngineError> {
        check::joint_velocity(joint, velocity)?;
        self.axis(joint, axis)?.velocity = velocity;
        self.owner(joint, "joint")?.place_links();
        Ok(())
    }

    fn set_joint_drive(
        &mut self,
        joint: EntityId,
        axis: usize,
        drive: JointDrive,
    ) -> Result<(), EngineError> {
        check::drive(joint, &drive)?;
        self.axis(joint, axis)?.drive = drive;
        Ok(())
    }

    fn apply_wrench(
        &mut self,
        link: EntityId,
        force_n: Vec3,
        torque_nm: Vec3,
    ) -> Result<(), EngineError> {
        check::vector(link, "force", force_n)?;
        check::vector(link, "torque", torque_nm)?;
        // Nothing has a mass here, so nothing can be pushed.
        self.model_of(link, "link").map(|_| ())
    }

    fn set_surface(
        &mut self,
        collision: EntityId,
        surface: &Surface,
    ) -> Result<Vec<EngineNote>, EngineError> {
        // Nothing touches anything here.
        check::surface(collision, surface).map(|()| Vec::new())
    }

    fn set_link(&mut self, link: &BodySpec) -> Result<(), EngineError> {
        check::body(link)?;
        self.model_of(link.link, "link").map(|_| ())
    }

    fn set_joint_axes(&mut self, joint: &JointSpec) -> Result<(), EngineError> {
        check::joint(joint)?;
        let what = "the axes of a joint cannot change in place".to_owned();
        Err(EngineError::Unsupported { entity: joint.joint, what })
    }

    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), EngineError> {
        if gravity.is_finite() {
            return Ok(());
        }
        let (field, allowed) = ("gravity", "finite");
        Err(EngineError::BadSetting { field, value: f64::NAN, allowed })
    }

    fn gravity(&self) -> Vec3 {
        Vec3::ZERO
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
        if !STEP_SECS.contains(dt_secs) {
            return Err(StepError::BadStepSize { secs: dt_secs });
        }
        self.state.models.values_mut().for_each(|model| model.step(dt_secs));
        let bodies = self.state.models.values().flat_map(Model::bodies);
        let lost = bodies.filter(|(_, body)| !body.pose.is_finite()).map(|(link, _)| link);
        let lost: Vec<EntityId> = lost.collect();
        match lost.first() {
            None => Ok(()),
            Some(first) => Err(StepError::NotFinite { first: *first, count: lost.len() }),
        }
    }

    fn visit_bodies(&self, which: Visit, visitor: &mut dyn FnMut(EntityId, &BodyState)) {
        for (link, body) in self.state.models.values().flat_map(Model::bodies) {
            if which == Visit::All || body.moved {
                visitor(link, &body.state());
            }
        }
    }

    fn visit_joints(&self, visitor: &mut dyn FnMut(EntityId, &[JointState])) {
        let mut states = Vec::new();
        for joint in self.state.models.values().flat_map(Model::joints) {
            states.clear();
            states.extend(joint.axes.iter().map(Axis::state));
            if !states.is_empty() {
                visitor(joint.entity, &states);
            }
        }
    }

    fn visit_contacts(&self, _visitor: &mut dyn FnMut(&ContactState<'_>)) {}

    fn body_state(&self, link: EntityId) -> Option<BodyState> {
        self.model_of(link, "link").ok()?.body(link).map(|body| body.state())
    }

    fn joint_states(&self, joint: EntityId) -> Option<Vec<JointState>> {
        let model = self.model_of(joint, "joint").ok()?;
        let joint = model.joints().find(|known| known.entity == joint)?;
        Some(joint.axes.iter().map(Axis::state).collect())
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
        Ok(())
    }

    fn decode(
        &self,
        state: &EngineState,
        _shapes: FindShape<'_>,
    ) -> Result<EngineSnapshot, EngineError> {
        let bad = |reason: String| EngineError::BadState { reason };
        let bytes = state.open(self.name(), self.version())?;
        let read: State = rmp_serde::from_slice(bytes).map_err(|error| bad(error.to_string()))?;
        read.settings.validate()?;
        if !read.models.values().all(Model::is_whole) {
            return Err(bad("a joint holds a link that is not there".to_owned()));
        }
        Ok(self.wrap(read))
    }

    fn hash_state(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        let mut sink = sink;
        for (id, model) in &self.state.models {
            rmp_serde::encode::write(&mut sink, &(id, model.hashed()))
                .map_err(|error| EngineError::Encode { reason: error.to_string() })?;
        }
        Ok(())
    }
}
