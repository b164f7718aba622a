//! Everything that varies in the Rapier engine: what a snapshot holds and a hash covers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use rapier3d_f64::geometry::{Collider, ContactManifold, ContactPair};
use rapier3d_f64::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderSet, ImpulseJointSet, IntegrationParameters, IslandManager,
    MultibodyJointSet, NarrowPhase, PhysicsHooks, PhysicsPipeline, RigidBody, RigidBodyHandle,
    RigidBodySet, SoftBodySet, SpringCoefficients,
};
use retake_ecm::EntityId;
use retake_math::Vec3;
use serde::Serialize;

use super::build::activation;
use super::tables::{AxisPlace, AxisRecord, BodyRecord, JointRecord, LinkPlace, Tables};
use crate::{EngineError, EngineSettings, FrictionModel, JointDrive};

/// The complete state; the pipeline beside it is a workspace and is made anew on restore.
#[derive(Clone)]
pub(super) struct State {
    pub(super) settings: EngineSettings,
    pub(super) gravity: Vec3,
    pub(super) parameters: IntegrationParameters,
    pub(super) islands: IslandManager,
    pub(super) broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    pub(super) impulse_joints: ImpulseJointSet,
    pub(super) multibody_joints: MultibodyJointSet,
    pub(super) soft_bodies: SoftBodySet,
    pub(super) tables: Arc<Tables>,
    pub(super) joints: BTreeMap<EntityId, JointRecord>,
    /// Bodies pushed by a wrench that ends with the next step.
    pub(super) pushed: Vec<RigidBodyHandle>,
    /// Whether a step was made: the first one looks at all joints anew.
    pub(super) stepped: bool,
    /// Whether joints came or went since the last step. The library notes which, and does not write
    /// these notes.
    pub(super) joints_changed: bool,
}

impl State {
    pub(super) fn new() -> Self {
        let mut state = Self {
            settings: EngineSettings::default(),
            gravity: Vec3::new(0.0, 0.0, -9.8),
            parameters: IntegrationParameters::default(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            tables: Arc::new(Tables::default()),
            joints: BTreeMap::new(),
            pushed: Vec::new(),
            stepped: false,
            joints_changed: false,
        };
        state.tune(0.001);
        state
    }

    /// Derives the engine's parameters from the settings and the step size.
    pub(super) fn tune(&mut self, dt_secs: f64) {
        let settings = &self.settings;
        let contact_hz = settings.contact_frequency_factor * f64::from(settings.substeps) / dt_secs;
        let softness = |hz| SpringCoefficients::new(hz, settings.contact_damping_ratio);
        let parameters = &mut self.parameters;
        parameters.dt = dt_secs;
        parameters.num_solver_iterations = settings.substeps as usize;
        parameters.num_internal_pgs_iterations = settings.solver_iterations as usize;
        parameters.contact_softness = softness(contact_hz);
        // Contacts with what never moves bear the most and may be stiffer.
        parameters.static_contact_softness = softness(2.0 * contact_hz);
        parameters.max_ccd_substeps = usize::from(settings.continuous_collision);
        parameters.friction_model = match settings.friction_model {
            FrictionModel::Patch => rapier3d_f64::prelude::FrictionModel::Simplified,
            FrictionModel::Coulomb => rapier3d_f64::prelude::FrictionModel::Coulomb,
        };
        // A simulator must not brake fast things in secret.
        parameters.normalized_max_linear_velocity = f64::MAX;
    }

    /// Makes one step by the library.
    pub(super) fn run_pipeline(
        &mut self,
        pipeline: &mut PhysicsPipeline,
        ccd: &mut CCDSolver,
        hooks: &dyn PhysicsHooks,
    ) {
        pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            ccd,
            hooks,
            &(),
        );
    }

    /// Brings settings that live on bodies up to date.
    pub(super) fn apply_body_settings(&mut self) {
        let driven = self.driven_slots();
        for (slot, record) in &self.tables.bodies {
            let body = &mut self.bodies[record.handle];
            let may_sleep = record.may_sleep && !driven.contains(slot);
            set_may_sleep(body, may_sleep && self.settings.sleeping);
        }
        if !self.settings.sleeping {
            self.wake_all();
        }
    }

    /// Lets the two bodies of a joint between models sleep only while nothing drives them: a slow
    /// motor would otherwise come to a stop.
    pub(super) fn refresh_sleep(&mut self, slots: [u32; 2]) {
        let driven = self.driven_slots();
        for slot in slots {
            let Some(record) = self.tables.bodies.get(&slot) else { continue };
            let may_sleep = record.may_sleep && !driven.contains(&slot);
            let Some(body) = self.bodies.get_mut(record.handle) else { continue };
            set_may_sleep(body, may_sleep && self.settings.sleeping);
        }
    }

    /// Bodies that a driven joint outside of multibodies moves.
    fn driven_slots(&self) -> BTreeSet<u32> {
        let is_driven = |axis: &AxisRecord| axis.drive != JointDrive::Free;
        let outside = self.joints.values().filter(|record| record.impulse.is_some());
        outside.filter(|record| record.axes.iter().any(is_driven)).flat_map(|r| r.slots).collect()
    }

    /// Pushes a body during the next step.
    pub(super) fn push(&mut self, handle: RigidBodyHandle, force: Vec3, torque: Vec3) {
        let body = &mut self.bodies[handle];
        body.add_force(force, true);
        body.add_torque(torque, true);
        if !self.pushed.contains(&handle) {
            self.pushed.push(handle);
        }
    }

    /// Wakes every body.
    pub(super) fn wake_all(&mut self) {
        for record in self.tables.bodies.values() {
            self.islands.wake_up(&mut self.bodies, record.handle, true);
        }
    }

    /// Returns about how many bytes a clone takes.
    pub(super) fn bytes(&self) -> usize {
        let pair_bytes = |pair: &ContactPair| {
            let manifolds = pair.manifolds().len() + pair.solver_manifolds().len();
            size_of::<ContactPair>() + manifolds * (size_of::<ContactManifold>() + 4 * POINT_BYTES)
        };
        let contacts: usize = self.narrow_phase.contact_pairs().map(pair_bytes).sum();
        let robots: usize = self
            .multibody_joints
            .multibodies()
            .map(|robot| {
                robot.num_links() * (MULTIBODY_LINK_BYTES + 12 * 8 * robot.ndofs())
                    + 4 * 8 * robot.ndofs() * robot.ndofs()
            })
            .sum();
        self.bodies.len() * size_of::<RigidBody>()
            + self.colliders.len() * (size_of::<Collider>() + TREE_NODE_BYTES)
            + contacts
            + robots
            + self.joints.len() * size_of::<JointRecord>()
    }

    /// Names the first kind of thing that the tables know and the library does not.
    pub(super) fn first_stray(&self) -> Option<&'static str> {
        let Tables { bodies, links, assemblies, decaying, next_slot, .. } = self.tables.as_ref();
        let body_is_there = |(slot, record): (&u32, &BodyRecord)| {
            let body = self.bodies.get(record.handle);
            slot < next_slot && body.is_some_and(|body| body.user_data == u128::from(*slot))
        };
        let link_is_there = |place: &LinkPlace| {
            bodies.get(&place.slot).is_some_and(|body| place.index < body.links.len())
        };
        let joint_is_there = |record: &JointRecord| {
            let outside = record.impulse.iter().chain(&record.brake);
            outside.copied().all(|handle| self.impulse_joints.contains(handle))
                && record.axes.iter().all(|axis| self.axis_is_there(axis.place))
        };
        let slots = assemblies.values().flat_map(|assembly| &assembly.slots);
        let parts = assemblies.values().flat_map(|assembly| &assembly.joints);
        let colliders = self.bodies.iter().flat_map(|(_, body)| body.colliders());
        let all_there = [
            ("body", bodies.iter().all(body_is_there)),
            ("body", slots.chain(decaying.keys()).all(|slot| bodies.contains_key(slot))),
            ("body", self.pushed.iter().all(|handle| self.bodies.contains(*handle))),
            ("link", links.values().all(link_is_there)),
            ("joint", self.joints.values().all(joint_is_there)),
            ("joint", parts.into_iter().all(|joint| self.joints.contains_key(joint))),
            ("collision", colliders.into_iter().all(|handle| self.colliders.contains(*handle))),
        ];
        all_there.into_iter().find(|(_, there)| !there).map(|(what, _)| what)
    }

    fn axis_is_there(&self, place: AxisPlace) -> bool {
        match place {
            AxisPlace::Multibody { handle, spatial, dof } => {
                let found = self.multibody_joints.get(handle);
                let link = found.and_then(|(multibody, id)| multibody.link(id));
                spatial < 6 && dof < 6 && link.is_some()
            }
            AxisPlace::Impulse { handle, spatial, .. } => {
                spatial < 6 && self.impulse_joints.contains(handle)
            }
            AxisPlace::Frozen { .. } => true,
        }
    }

    /// Writes everything that decides about the future.
    pub(super) fn write_hashed(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        // The results do not depend on the threads, so the hash must not either.
        write(sink, &EngineSettings { worker_threads: 0, ..self.settings })?;
        write(sink, &self.gravity)?;
        write(sink, &self.parameters)?;
        write(sink, &self.islands)?;
        write(sink, &self.broad_phase)?;
        write(sink, &self.narrow_phase)?;
        write(sink, &self.bodies)?;
        write(sink, &self.colliders)?;
        write(sink, &self.impulse_joints)?;
        write(sink, &self.multibody_joints)?;
        for (joint, record) in &self.joints {
            write(sink, joint)?;
            for axis in &record.axes {
                if let AxisPlace::Impulse { position, .. } = axis.place {
                    write(sink, &position)?;
                }
            }
        }
        Ok(())
    }
}

/// About what one point of a manifold takes, its copy for the solver included.
const POINT_BYTES: usize = 300;
/// About what one link of a multibody takes without its matrices.
const MULTIBODY_LINK_BYTES: usize = 1500;
/// About what one leaf of the broad phase takes, its share of the inner nodes included.
const TREE_NODE_BYTES: usize = 200;

fn set_may_sleep(body: &mut RigidBody, may_sleep: bool) {
    let wanted = activation(may_sleep);
    let activation = body.activation_mut();
    activation.normalized_linear_threshold = wanted.normalized_linear_threshold;
    activation.angular_threshold = wanted.angular_threshold;
}

/// Writes one value; equal values give equal bytes.
pub(super) fn write(sink: &mut dyn Write, value: &impl Serialize) -> Result<(), EngineError> {
    let mut sink = sink;
    rmp_serde::encode::write(&mut sink, value)
        .map_err(|error| EngineError::Encode { reason: error.to_string() })
}
