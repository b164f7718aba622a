//! Stepping.
//!
//! MuJoCo's own step is taken apart: between finding contacts and solving, contacts get their laws,
//! and a solution is tried again when a drive reaches or leaves its greatest effort.

use mujoco_rs::prelude::MjtWarning;
use retake_description::bounds::{self, STEP_SECS};
use retake_math::{Pose, Quat, Twist, Vec3};

use super::MujocoEngine;
use super::compile::{Built, PulledAxis};
use super::contacts::{self, Touches};
use super::drives::{self, Motor};
use super::place::Now;
use super::raw;
use super::state::Simulated;
use crate::StepError;

/// Most times that a sub-step is solved while drives reach and leave their limits.
const TRIES: usize = 5;

/// The models in the order of the compiled one.
type Models<'m> = Vec<&'m mut Simulated>;

/// What drives an axis in a sub-step.
#[derive(Clone, Copy)]
struct Driven {
    motor: Motor,
    at_limit: i8,
}

impl MujocoEngine {
    pub(super) fn run_step(&mut self, dt_secs: f64) -> Result<(), StepError> {
        if self.needs_restore {
            return Err(StepError::NeedsRestore);
        }
        if !STEP_SECS.contains(dt_secs) {
            return Err(StepError::BadStepSize { secs: dt_secs });
        }
        if let Err(message) = self.build() {
            return Err(StepError::Panicked { message });
        }
        let outcome = self.advance(dt_secs);
        self.needs_restore = outcome.is_err();
        outcome
    }

    fn advance(&mut self, dt_secs: f64) -> Result<(), StepError> {
        let Self { state, built, .. } = self;
        let Some(built) = built.as_mut() else { return Ok(()) };
        let substeps = state.settings.substeps;
        let h = dt_secs / f64::from(substeps);
        tune(built, state.settings.solver_iterations, state.gravity, h);
        let mut models: Models<'_> = state.models.values_mut().collect();
        for (index, simulated) in models.iter().enumerate() {
            built.write(index, &simulated.now);
        }
        push(built, &mut models, dt_secs);
        let mut touches = Touches::default();
        for _ in 0..substeps {
            let mut driven = driven(built, &models, h);
            forward(built, &mut driven, state.gravity.length(), h);
            for (axis, driven) in built.axes.iter().zip(&driven) {
                models[axis.model].now.drives[axis.drive].at_limit = driven.at_limit;
            }
            touches.add(built, h);
            built.data.euler();
            move_kinematic(built, &mut models, h);
        }
        state.contacts = touches.finish();
        for (index, simulated) in models.iter_mut().enumerate() {
            built.read(index, &mut simulated.now);
            simulated.now.place(&simulated.model);
        }
        state.follow_closures();
        self.moved.clear();
        self.check()
    }

    /// Catches memory that ran out, numbers that ended, and a world that explodes.
    fn check(&self) -> Result<(), StepError> {
        let full = [MjtWarning::mjWARN_CONTACTFULL, MjtWarning::mjWARN_CNSTRFULL];
        let warnings = self.built.as_ref().map(|built| built.data.warning());
        if warnings.is_some_and(|all| full.iter().any(|kind| all[*kind as usize].number > 0)) {
            let message = "MuJoCo has no memory for so many contacts".to_owned();
            return Err(StepError::Panicked { message });
        }
        let most = bounds::SPEED.most;
        let (mut lost, mut fast) = (Vec::new(), Vec::new());
        for simulated in self.state.models.values() {
            for (body, now) in simulated.model.bodies.iter().zip(&simulated.now.bodies) {
                let entity = body.links.first().map_or(simulated.model.entity, |link| link.link);
                let Twist { linear, angular } = now.twist;
                let speed = linear.length_squared().max(angular.length_squared());
                if !(now.pose.is_finite() && speed.is_finite()) {
                    lost.push(entity);
                } else if speed > most * most {
                    fast.push(entity);
                }
            }
        }
        if let Some(first) = lost.first() {
            return Err(StepError::NotFinite { first: *first, count: lost.len() });
        }
        match fast.first() {
            None => Ok(()),
            Some(first) => Err(StepError::TooFast { first: *first, count: fast.len(), most }),
        }
    }
}

/// Sets what depends on the length of a sub-step.
fn tune(built: &mut Built, iterations: u32, gravity: Vec3, h: f64) {
    let option = built.data.model_opt_mut();
    option.iterations = iterations as i32;
    option.gravity = gravity.to_array();
    if option.timestep == h {
        return;
    }
    option.timestep = h;
    let soft = [2.0 * h, 1.0];
    let numbers = raw::numbers(&mut built.data);
    numbers.jnt_solref_mut().fill(soft);
    numbers.dof_solref_mut().fill(soft);
    numbers.eq_solref_mut().fill(soft);
}

/// Pushes bodies for the whole step: by hand, and against their motion where they lose velocity.
fn push(built: &mut Built, models: &mut Models<'_>, dt_secs: f64) {
    built.data.xfrc_applied_mut().fill([0.0; 6]);
    for (index, simulated) in models.iter_mut().enumerate() {
        let Simulated { model, now } = &mut **simulated;
        let places = &built.addresses[index].bodies;
        for (body, force, torque) in now.pushes.drain(..) {
            add_wrench(&mut built.data.xfrc_applied_mut()[places[body]], force, torque);
        }
        for (number, body) in model.bodies.iter().enumerate() {
            if body.decay.linear == 0.0 && body.decay.angular == 0.0 {
                continue;
            }
            // Exactly what dividing the velocity by 1 + decay * dt takes away.
            let share = |decay: f64| decay / (1.0 + decay * dt_secs);
            let BodyMotion { linear, momentum } = body_motion(body, now, number);
            let force = -linear * body.inertial.mass_kg * share(body.decay.linear);
            let torque = -momentum * share(body.decay.angular);
            add_wrench(&mut built.data.xfrc_applied_mut()[places[number]], force, torque);
        }
    }
}

struct BodyMotion {
    linear: Vec3,
    momentum: Vec3,
}

fn body_motion(body: &super::model::Body, now: &Now, number: usize) -> BodyMotion {
    let at = now.bodies[number];
    let turned = at.pose.rotation * body.inertial.link_from_com.rotation;
    let own = turned.inverse() * at.twist.angular;
    BodyMotion { linear: at.twist.linear, momentum: turned * (body.inertial.matrix() * own) }
}

fn add_wrench(sum: &mut [f64; 6], force: Vec3, torque: Vec3) {
    for (sum, more) in sum.iter_mut().zip(force.to_array().into_iter().chain(torque.to_array())) {
        *sum += more;
    }
}

/// What drives every axis at the beginning of a sub-step.
fn driven(built: &Built, models: &Models<'_>, h: f64) -> Vec<Driven> {
    let (positions, velocities) = (built.data.qpos(), built.data.qvel());
    let one = |axis: &PulledAxis| {
        let drive = &models[axis.model].now.drives[axis.drive];
        let state = (positions[axis.at.0], velocities[axis.at.1]);
        Driven { motor: Motor::of(&drive.drive, &axis.axis, state, h), at_limit: drive.at_limit }
    };
    built.axes.iter().map(one).collect()
}

/// Computes accelerations, with every drive within its effort.
fn forward(built: &mut Built, driven: &mut [Driven], gravity: f64, h: f64) {
    built.data.kinematics();
    built.data.com_pos();
    built.data.collision();
    contacts::prepare(built, gravity, h);
    for _ in 0..TRIES {
        apply(built, driven, h);
        solve(built);
        if !follow_limits(built, driven, h) {
            break;
        }
    }
}

/// The rest of MuJoCo's forward dynamics, in its order.
fn solve(built: &mut Built) {
    let data = &mut built.data;
    data.make_m();
    data.factor_m();
    data.make_constraint();
    data.island();
    data.transmission();
    data.project_constraint();
    data.fwd_velocity();
    data.fwd_actuation();
    data.fwd_acceleration();
    data.fwd_constraint();
}

/// Gives MuJoCo the forces and inertias of all drives.
fn apply(built: &mut Built, driven: &[Driven], h: f64) {
    let Built { data, axes, bare_weight, .. } = built;
    for (axis, Driven { motor, at_limit }) in axes.iter().zip(driven) {
        let (q, v) = axis.at;
        let pull = drives::pull(motor, &axis.axis, (data.qpos()[q], data.qvel()[v]), *at_limit, h);
        data.qfrc_applied_mut()[v] = pull.force;
        let numbers = raw::numbers(data);
        numbers.dof_armature_mut()[v] = pull.inertia;
        // Limits and friction are scaled by what they have to move.
        numbers.dof_invweight0_mut()[v] = bare_weight[v] / (1.0 + bare_weight[v] * pull.inertia);
    }
}

/// Takes note of drives that reach or leave their limit, and says whether any did.
fn follow_limits(built: &Built, driven: &mut [Driven], h: f64) -> bool {
    let data = &built.data;
    let mut changed = false;
    for (axis, driven) in built.axes.iter().zip(driven) {
        let (q, v) = axis.at;
        let end = data.qvel()[v] + h * data.qacc()[v];
        let limit = driven.motor.limit_at((data.qpos()[q], end), driven.at_limit, h);
        changed |= limit != driven.at_limit;
        driven.at_limit = limit;
    }
    changed
}

/// Moves what moves by command through a sub-step.
fn move_kinematic(built: &mut Built, models: &mut Models<'_>, h: f64) {
    for (index, simulated) in models.iter_mut().enumerate() {
        for (body, number) in &built.addresses[index].mocaps {
            let now = &mut simulated.now.bodies[*body];
            let Twist { linear, angular } = now.twist;
            let turn = Quat::from_scaled_axis(angular * h);
            let pose = Pose::new(now.pose.position + linear * h, turn * now.pose.rotation);
            now.pose = pose.normalized();
            built.data.mocap_pos_mut()[*number] = now.pose.position.to_array();
            built.data.mocap_quat_mut()[*number] = super::place::quat(now.pose.rotation);
        }
    }
}
