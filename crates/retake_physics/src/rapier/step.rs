//! Stepping, and what happens when a step fails.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rapier3d_f64::prelude::{CCDSolver, PhysicsPipeline, RigidBodyHandle};

use super::RapierEngine;
use super::decay;
use super::filter::ContactRules;
use super::loops;
use super::speed_limits;
use crate::StepError;
use retake_description::bounds::{self, STEP_SECS};
use retake_diag::panic_message;
use retake_ecm::EntityId;

impl RapierEngine {
    pub(super) fn run_step(&mut self, dt_secs: f64) -> Result<(), StepError> {
        if self.needs_restore {
            return Err(StepError::NeedsRestore);
        }
        // Never zero: a zero step loses the broad phase of the engine.
        if !STEP_SECS.contains(dt_secs) {
            return Err(StepError::BadStepSize { secs: dt_secs });
        }
        if dt_secs != self.state.parameters.dt {
            self.state.tune(dt_secs);
        }
        self.gather();
        decay::brake(&mut self.state, dt_secs);
        let limited = self.limited.take();
        let limited = limited.unwrap_or_else(|| speed_limits::limited_joints(&self.state));
        speed_limits::prepare(&mut self.state, &limited, dt_secs);
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| self.advance()));
        if let Err(panic) = outcome {
            self.needs_restore = true;
            return Err(StepError::Panicked { message: panic_message(panic.as_ref()) });
        }
        self.end_pushes();
        speed_limits::enforce(&mut self.state, &limited);
        self.limited = Some(limited);
        loops::follow_turns(&mut self.state);
        (self.state.stepped, self.state.joints_changed) = (true, false);
        self.collect_moved();
        self.records.follow(&self.state.tables);
        self.check_finite()
    }

    /// Makes the pipeline anew; what is awake counts as moved, as after any step.
    pub(super) fn reset_workspaces(&mut self) {
        self.pipeline = PhysicsPipeline::new();
        self.ccd = CCDSolver::new();
        self.moved = self.state.islands.active_bodies().collect();
        self.awake = self.moved.len();
        self.limited = None;
        (self.needs_restore, self.scattered) = (false, false);
    }

    /// Lays what was loaded piece by piece side by side in memory, before the first step.
    ///
    /// A copy has the same bits, and large worlds are stepped some hundredths faster in one. What
    /// comes later is not worth a copy of the whole world.
    fn gather(&mut self) {
        if self.scattered && !self.state.stepped {
            self.state = self.state.clone();
        }
        self.scattered = false;
    }

    fn advance(&mut self) {
        let state = &mut self.state;
        let has_robots = state.multibody_joints.multibodies().next().is_some();
        self.pipeline.set_thread_pool(self.threads.pool(has_robots));
        let tables = Arc::clone(&state.tables);
        let hooks = ContactRules { tables: &tables };
        state.run_pipeline(&mut self.pipeline, &mut self.ccd, &hooks);
    }

    fn end_pushes(&mut self) {
        for handle in self.state.pushed.drain(..) {
            if let Some(body) = self.state.bodies.get_mut(handle) {
                body.reset_forces(false);
                body.reset_torques(false);
            }
        }
    }

    /// What is awake now, and what was until this step.
    fn collect_moved(&mut self) {
        let state = &self.state;
        self.moved.truncate(self.awake);
        if state.islands.active_bodies().eq(self.moved.iter().copied()) {
            // Mostly the same are awake, and then nobody fell asleep: no need to look at each.
            return;
        }
        let before = std::mem::take(&mut self.moved);
        self.moved.reserve(before.len());
        self.moved.extend(state.islands.active_bodies());
        self.awake = self.moved.len();
        let fell_asleep = before
            .iter()
            .filter(|handle| state.bodies.get(**handle).is_some_and(|body| body.is_sleeping()));
        self.moved.extend(fell_asleep);
    }

    fn check_finite(&mut self) -> Result<(), StepError> {
        let lost = self.pipeline.quarantine().bodies();
        let Some(handle) = lost.first() else { return self.check_speeds() };
        let error = StepError::NotFinite { first: self.entity_of(*handle), count: lost.len() };
        self.needs_restore = true;
        Err(error)
    }

    /// Catches a world that explodes before its numbers end.
    fn check_speeds(&mut self) -> Result<(), StepError> {
        let most = bounds::SPEED.most;
        let is_fast = |handle: &RigidBodyHandle| {
            let body = &self.state.bodies[*handle];
            body.linvel().length_squared().max(body.angvel().length_squared()) > most * most
        };
        let mut fast = self.state.islands.active_bodies().filter(is_fast);
        let Some(first) = fast.next() else { return Ok(()) };
        let count = 1 + fast.count();
        let error = StepError::TooFast { first: self.entity_of(first), count, most };
        self.needs_restore = true;
        Err(error)
    }

    fn entity_of(&self, handle: RigidBodyHandle) -> EntityId {
        let slot = self.state.bodies[handle].user_data as u32;
        let record = self.state.tables.body(slot);
        record.links.first().map_or(record.model, |offset| offset.link)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use retake_description::{Geometry, Surface, VelocityDecay};
    use retake_math::{Inertial, Pose, Twist, Vec3};

    use super::*;
    use crate::{Assembly, BodySpec, ColliderSpec, Engine};

    /// Boxes that fall upon one another, put in one by one.
    fn heap() -> RapierEngine {
        let mut engine = RapierEngine::default();
        for index in 0..8 {
            let id = |number: u64| EntityId::from_raw(3 * index + number);
            // The lowest never moves; the others lean more and more.
            let place = Vec3::new(0.02 * (index * index) as f64, 0.0, 0.11 * index as f64);
            let collider = ColliderSpec {
                collision: id(3),
                link_from_collision: Pose::IDENTITY,
                geometry: Geometry::Box { size: Vec3::splat(0.1) },
                prepared: None,
                surface: Surface::default(),
            };
            let body = BodySpec {
                link: id(2),
                world_from_link: Pose::from_position(place),
                twist: Twist::ZERO,
                inertial: Inertial { moments: Vec3::splat(0.002), ..Inertial::default() },
                gravity: true,
                kinematic: false,
                self_collide: false,
                velocity_decay: VelocityDecay::default(),
                colliders: vec![collider],
            };
            let assembly = Assembly {
                model: id(1),
                is_static: index == 0,
                self_collide: false,
                may_sleep: true,
                bodies: vec![body],
                joints: Vec::new(),
            };
            engine.insert_assembly(&assembly).unwrap();
        }
        engine
    }

    fn bytes(engine: &RapierEngine) -> Vec<u8> {
        let mut bytes = Vec::new();
        engine.hash_state(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn gathering_leaves_no_trace() {
        let (mut gathered, mut as_built) = (heap(), heap());
        as_built.scattered = false;
        for step in 0..300 {
            gathered.step(0.001).unwrap();
            as_built.step(0.001).unwrap();
            assert!(bytes(&gathered) == bytes(&as_built), "step {step}");
        }
    }
}
