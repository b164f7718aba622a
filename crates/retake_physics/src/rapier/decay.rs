//! Loss of velocity of links with joints.
//!
//! The engine brakes only bodies that stand alone. Links of a robot are braked by a force and a
//! torque for each step, chosen so that a link on its own would lose as much as a body does.

use rapier3d_f64::prelude::RigidBodyHandle;
use retake_description::VelocityDecay;
use retake_math::Vec3;

use super::read;
use super::state::State;

/// Pushes every braked link against its motion for the coming step.
pub(super) fn brake(state: &mut State, dt_secs: f64) {
    if state.tables.decaying.is_empty() {
        return;
    }
    let pushes: Vec<_> = state
        .tables
        .decaying
        .iter()
        .map(|(slot, decay)| {
            let record = state.tables.body(*slot);
            let (force, torque) = braking_wrench(state, record.handle, *decay, dt_secs);
            (record.handle, force, torque)
        })
        .collect();
    for (handle, force, torque) in pushes {
        state.push(handle, force, torque);
    }
}

fn braking_wrench(
    state: &State,
    handle: RigidBodyHandle,
    decay: VelocityDecay,
    dt_secs: f64,
) -> (Vec3, Vec3) {
    let body = &state.bodies[handle];
    let (linear, angular) = read::velocity_of(state, handle);
    // Exactly what dividing the velocity by 1 + decay * dt takes away.
    let share = |decay: f64| decay / (1.0 + decay * dt_secs);
    let inertia = body.mass_properties().effective_angular_inertia();
    (-linear * body.mass() * share(decay.linear), -(inertia * angular) * share(decay.angular))
}
