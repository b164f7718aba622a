//! Speed limits of joints.
//!
//! The engine knows none. Before a step, a position drive that would run faster than its joint may
//! becomes a drive at the limit, as strong as the position drive would have been. After a step,
//! what is faster all the same, by a push or by gravity, loses the excess to an impulse in that
//! joint, through the inverse mass matrix of its robot, as a stop would give it.

use std::collections::BTreeMap;

use rapier3d_f64::na::DVector;
use rapier3d_f64::prelude::{JointMotor, Multibody, MultibodyJointHandle};
use retake_description::JointAxis;
use retake_ecm::EntityId;

use super::joints;
use super::loops;
use super::read;
use super::state::State;
use super::tables::{AxisPlace, AxisRecord, JointRecord};
use crate::JointDrive;

/// How hard a drive at the limit insists, in N m s/rad: its effort is cut anyway.
const INSISTENCE: f64 = 1e6;
/// Sweeps over the joints of a robot that are too fast at once.
const SWEEPS: usize = 4;

/// Returns the joints that have a speed limit, in the order of their ids.
pub(super) fn limited_joints(state: &State) -> Vec<EntityId> {
    let limited = state.joints.iter().filter(|(_, record)| record.axes.iter().any(is_limited));
    limited.map(|(joint, _)| *joint).collect()
}

/// Sets the motors of limited position drives for the coming step.
pub(super) fn prepare(state: &mut State, limited: &[EntityId], dt_secs: f64) {
    let substep = dt_secs / f64::from(state.settings.substeps);
    let joints = std::mem::take(&mut state.joints);
    for axis in limited_axes(&joints, limited) {
        if matches!(axis.drive, JointDrive::Position { .. }) {
            set_motor(state, axis, substep);
        }
    }
    state.joints = joints;
}

/// Takes away speed beyond the limits.
pub(super) fn enforce(state: &mut State, limited: &[EntityId]) {
    let joints = std::mem::take(&mut state.joints);
    for _ in 0..SWEEPS {
        let slowed = limited_axes(&joints, limited).filter(|axis| slow_down(state, axis)).count();
        if slowed <= 1 {
            break;
        }
    }
    state.joints = joints;
}

fn limited_axes<'a>(
    joints: &'a BTreeMap<EntityId, JointRecord>,
    limited: &'a [EntityId],
) -> impl Iterator<Item = &'a AxisRecord> {
    let records = limited.iter().filter_map(|joint| joints.get(joint));
    records.flat_map(|record| &record.axes).filter(|axis| is_limited(axis))
}

fn is_limited(axis: &AxisRecord) -> bool {
    axis.axis.limits.velocity.is_finite()
}

fn set_motor(state: &mut State, axis: &AxisRecord, substep: f64) {
    let now = read::axis_state(state, axis);
    let Some(motor) = joints::motor(&axis.drive, &axis.axis) else { return };
    let limited = limited_motor(motor, &axis.axis, (now.position, now.velocity), substep);
    match axis.place {
        AxisPlace::Multibody { handle, spatial, .. } => {
            let Some((multibody, id)) = state.multibody_joints.get_mut(handle) else { return };
            let Some(link) = multibody.link_mut(id) else { return };
            joints::set_motor(&mut link.joint.data, spatial, Some(limited.unwrap_or(motor)));
        }
        AxisPlace::Impulse { handle, spatial, .. } => {
            let driving = limited.unwrap_or(motor);
            let whole = loops::motor_in_force(driving, &axis.axis, (spatial, now.position));
            let Some(joint) = state.impulse_joints.get_mut(handle, false) else { return };
            joints::set_motor(&mut joint.data, spatial, Some(whole));
        }
        AxisPlace::Frozen { .. } => {}
    }
}

/// The drive at the limit, when the position drive would pass it.
fn limited_motor(
    motor: JointMotor,
    axis: &JointAxis,
    (position, velocity): (f64, f64),
    substep: f64,
) -> Option<JointMotor> {
    let limit = axis.limits.velocity;
    let pull = motor.stiffness * (motor.target_pos - position);
    // The speed at which the implicit law gives no effort any more: it drives towards this one.
    let aim =
        (pull + motor.damping * motor.target_vel) / (motor.damping + motor.stiffness * substep);
    let effort = pull + motor.damping * (motor.target_vel - velocity);
    (aim.abs() > limit).then(|| JointMotor {
        target_vel: limit.copysign(aim),
        stiffness: 0.0,
        damping: INSISTENCE,
        max_force: effort.abs().min(motor.max_force),
        ..motor
    })
}

/// Slows one axis down to its limit and says whether it was too fast.
fn slow_down(state: &mut State, axis: &AxisRecord) -> bool {
    let AxisPlace::Multibody { handle, dof, .. } = axis.place else { return false };
    let limit = axis.axis.limits.velocity;
    let Some((multibody, first)) = first_coordinate(state, handle) else { return false };
    let (place, velocity) = (first + dof, multibody.generalized_velocity()[first + dof]);
    // A share of rounding is left, or two joints would slow each other down for ever.
    if velocity.abs() <= limit * (1.0 + 1e-12) {
        return false;
    }
    let excess = velocity - limit.copysign(velocity);
    let mut change = DVector::zeros(multibody.ndofs());
    change[place] = 1.0;
    multibody.inv_augmented_mass().solve_mut(&mut change);
    let share = change[place];
    if share > 0.0 && change.iter().all(|value| value.is_finite()) {
        let before = multibody.generalized_velocity().clone_owned();
        multibody.generalized_velocity_mut().copy_from(&(before - change * (excess / share)));
    }
    if dof > 0 {
        // The slide of a screw goes with its turn.
        multibody.generalized_velocity_mut()[first] *= limit / velocity.abs();
        multibody.generalized_velocity_mut()[place] = limit.copysign(velocity);
    }
    true
}

fn first_coordinate(
    state: &mut State,
    handle: MultibodyJointHandle,
) -> Option<(&mut Multibody, usize)> {
    let (multibody, id) = state.multibody_joints.get_mut(handle)?;
    let first = multibody.link(id)?.assembly_id();
    Some((multibody, first))
}
