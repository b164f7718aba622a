//! Joints outside of multibodies: those that close a loop, hang on a kinematic link, or connect
//! two models.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use rapier3d_f64::prelude::{
    GenericJoint, ImpulseJointHandle, JointAxesMask, JointMotor, MotorModel, RigidBodyHandle,
    RigidBodySet,
};
use retake_ecm::EntityId;
use retake_math::Pose;

use super::assembly;
use super::build::{Inserter, SelfContacts};
use super::convert::from_rapier;
use super::joints::{self, ANGULAR_X, Freedom, Segment, unwrapped};
use super::live::JointFrame;
use super::note;
use super::state::State;
use super::tables::{AxisPlace, AxisRecord, JointRecord};
use crate::{Assembly, EngineError, EngineNote, JointDrive, JointSpec, check as door};

/// Says whether a joint can be outside of a multibody.
pub(super) fn can_hold(segments: &[Segment]) -> bool {
    segments.len() == 1 && !matches!(segments[0].freedom, Freedom::Screw { .. })
}

/// Why a joint cannot be outside of a multibody.
pub(super) fn refusal(spec: &JointSpec) -> String {
    let kind = spec.kind.name();
    format!("a {kind} joint cannot close a loop or connect two models in rapier; it is left out")
}

/// Adds a joint between two models, or a model and the world.
pub(super) fn insert_between_models(
    state: &mut State,
    spec: &JointSpec,
) -> Result<Vec<EngineNote>, EngineError> {
    door::joint(spec)?;
    if state.joints.contains_key(&spec.joint) {
        return Err(EngineError::Duplicate { entity: spec.joint, what: "joint" });
    }
    let (child, offset) = state.tables.link(spec.child)?;
    let child_slot = super::filter::slot(&state.bodies, child.handle);
    let child_end = (child_slot, child.handle);
    let world_from_child = pose(&state.bodies, child.handle) * offset.body_from_link;
    let parent = spec.parent.map(|link| state.tables.link(link)).transpose()?;
    let parent =
        parent.map(|(body, _)| (super::filter::slot(&state.bodies, body.handle), body.handle));
    let segments = joints::segments(spec, world_from_child)?;
    if !can_hold(&segments) {
        return Err(EngineError::Unsupported { entity: spec.joint, what: refusal(spec) });
    }
    if parent.is_some_and(|(slot, _)| slot == child_slot) {
        let what = "the joint connects links that are fixed together".to_owned();
        return Err(EngineError::Unsupported { entity: spec.joint, what });
    }
    let parent_end = parent.unwrap_or_else(|| anchor(state, spec.joint, &segments[0]));
    let ends = [parent_end, child_end];
    let joint = segments[0].joint(pose(&state.bodies, ends[0].1), pose(&state.bodies, ends[1].1));
    insert(state, spec, joint, ends, None);
    let mut found = Vec::new();
    notes(spec, &mut found);
    Ok(found)
}

/// Puts a joint into the engine.
pub(super) fn insert(
    state: &mut State,
    spec: &JointSpec,
    mut joint: GenericJoint,
    ends: [(u32, RigidBodyHandle); 2],
    model: Option<EntityId>,
) {
    let spatial = if spec.kind.is_linear() { joints::LINEAR_X } else { ANGULAR_X };
    for given in &spec.axes {
        let limits = joints::limits(&given.axis);
        let near = limits.map(|limits| near_limits(spatial, limits, given.position));
        joints::set_limits(&mut joint, spatial, near);
        joints::set_motor(&mut joint, spatial, joints::with_passive_forces(None, &given.axis));
    }
    let friction = spec.axes.first().map_or(0.0, |given| given.axis.dynamics.friction);
    let friction = (friction > 0.0).then(|| {
        let brake = brake(&joint, spatial, friction);
        state.impulse_joints.insert(ends[0].1, ends[1].1, brake, true)
    });
    let handle = state.impulse_joints.insert(ends[0].1, ends[1].1, joint, true);
    let axes = spec.axes.iter().map(|given| AxisRecord {
        axis: Arc::new(given.axis.clone()),
        place: AxisPlace::Impulse { handle, spatial, position: given.position },
        drive: JointDrive::Free,
    });
    let slots = ends.map(|(slot, _)| slot);
    let record = JointRecord {
        model,
        slots,
        frame: JointFrame::of(spec),
        impulse: Some(handle),
        brake: friction,
        axes: axes.collect(),
    };
    state.joints.insert(spec.joint, record);
}

/// Says what such a joint does not do.
pub(super) fn notes(spec: &JointSpec, notes: &mut Vec<EngineNote>) {
    for given in &spec.axes {
        if given.axis.mimic.is_some() {
            note(
                notes,
                spec.joint,
                "mimic is not simulated in a joint that closes a loop or connects two models",
            );
        }
        if given.axis.limits.velocity.is_finite() {
            note(
                notes,
                spec.joint,
                "the velocity limit holds for drives only in a joint that closes a loop or connects two models",
            );
        }
    }
}

/// Removes a joint between models.
pub(super) fn remove(state: &mut State, joint: EntityId) -> Result<(), EngineError> {
    let unknown = EngineError::Unknown { entity: joint, what: "joint" };
    let record = state.joints.get(&joint).ok_or(unknown)?;
    if record.model.is_some() {
        let what = "the joint is part of a model; remove or rebuild the model".to_owned();
        return Err(EngineError::Unsupported { entity: joint, what });
    }
    let record = record.clone();
    state.joints.remove(&joint);
    for handle in [record.impulse, record.brake].into_iter().flatten() {
        state.impulse_joints.remove(handle, true);
    }
    // An anchor of its own goes with it: the only body without links that belongs to the joint.
    let slot = record.slots[0];
    if state.tables.bodies.get(&slot).is_some_and(|body| body.model == joint) {
        assembly::remove_body(state, slot);
    }
    Ok(())
}

/// Position and velocity of the one coordinate of such a joint.
pub(super) fn coordinate(state: &State, record: &AxisPlace) -> Option<(f64, f64)> {
    let AxisPlace::Impulse { handle, spatial, position } = record else { return None };
    let joint = state.impulse_joints.get(*handle)?;
    let (first, second) = (&state.bodies[joint.body1()], &state.bodies[joint.body2()]);
    let world_from_near = from_rapier(first.position()) * from_rapier(&joint.data.local_frame1);
    let world_from_far = from_rapier(second.position()) * from_rapier(&joint.data.local_frame2);
    let near_from_far = world_from_near.inverse() * world_from_far;
    let axis = world_from_near.transform_vector(retake_math::Vec3::X);
    if *spatial == ANGULAR_X {
        let turn = near_from_far.rotation;
        let angle = 2.0 * turn.x.atan2(turn.w);
        let speed = (second.angvel() - first.angvel()).dot(axis);
        Some((unwrapped(angle, *position), speed))
    } else {
        let point = world_from_far.position;
        let speed = (second.velocity_at_point(point) - first.velocity_at_point(point)).dot(axis);
        Some((near_from_far.position.x, speed))
    }
}

/// A second joint between the same bodies that only brakes: dry friction of an axis.
fn brake(joint: &GenericJoint, spatial: usize, friction: f64) -> GenericJoint {
    let mut brake = GenericJoint::new(JointAxesMask::empty());
    brake.local_frame1 = joint.local_frame1;
    brake.local_frame2 = joint.local_frame2;
    brake.contacts_enabled = false;
    let motor = JointMotor {
        model: MotorModel::ForceBased,
        damping: BRAKE_DAMPING,
        max_force: friction,
        ..JointMotor::default()
    };
    joints::set_motor(&mut brake, spatial, Some(motor));
    brake
}

/// How hard friction insists on standing still, in N m s/rad: its effort is cut anyway.
const BRAKE_DAMPING: f64 = 1e6;

/// The motor to give the engine, whose angles know no turns.
pub(super) fn motor_in_force(
    motor: JointMotor,
    axis: &retake_description::JointAxis,
    (spatial, position): (usize, f64),
) -> JointMotor {
    let whole = joints::with_passive_forces(Some(motor), axis).unwrap_or(motor);
    let target = whole.target_pos;
    let target_pos =
        if spatial == ANGULAR_X { within_half_a_turn(target, position) } else { target };
    JointMotor { target_pos, ..whole }
}

/// The part of the limits that the engine can see from here: less than half a turn either way.
pub(super) fn near_limits(spatial: usize, [lower, upper]: [f64; 2], now: f64) -> [f64; 2] {
    if spatial != ANGULAR_X {
        return [lower, upper];
    }
    let turns = TAU * (now / TAU).round();
    // Beyond a limit it still counts, from whatever side.
    let (lower, upper) = (lower.max(now - FARTHEST), upper.min(now + FARTHEST));
    [lower.min(now + FARTHEST) - turns, upper.max(now - FARTHEST) - turns]
}

/// Counts whole turns after a step, and turns position targets and limits with them.
pub(super) fn follow_turns(state: &mut State) {
    if state.impulse_joints.is_empty() {
        return;
    }
    let mut joints = std::mem::take(&mut state.joints);
    for axis in joints.values_mut().flat_map(|record| &mut record.axes) {
        let Some((now, _)) = coordinate(state, &axis.place) else { continue };
        let AxisPlace::Impulse { handle, spatial, position } = &mut axis.place else { continue };
        *position = now;
        turn_limits(state, (*handle, *spatial), &axis.axis, now);
        let Some(target) = target(&axis.drive, &axis.axis) else { continue };
        let wanted = if *spatial == ANGULAR_X { within_half_a_turn(target, now) } else { target };
        let known =
            state.impulse_joints.get(*handle).map(|joint| joint.data.motors[*spatial].target_pos);
        if known == Some(wanted) {
            continue;
        }
        if let Some(joint) = state.impulse_joints.get_mut(*handle, false) {
            joint.data.motors[*spatial].target_pos = wanted;
        }
    }
    state.joints = joints;
}

/// The farthest that a motor here looks ahead, in radians: the engine takes the shorter way round.
const FARTHEST: f64 = 3.0;

/// A target that the engine reaches in the right direction, on the turn that it knows.
fn within_half_a_turn(target: f64, now: f64) -> f64 {
    let turns = TAU * (now / TAU).round();
    if (target - now).abs() <= FARTHEST {
        target - turns
    } else {
        now - turns + FARTHEST.copysign(target - now)
    }
}

/// The position that the motor of an axis aims at, when it aims at one.
pub(super) fn target(drive: &JointDrive, axis: &retake_description::JointAxis) -> Option<f64> {
    let motor = joints::with_passive_forces(joints::motor(drive, axis), axis)?;
    (motor.stiffness > 0.0).then_some(motor.target_pos)
}

fn turn_limits(
    state: &mut State,
    (handle, spatial): (ImpulseJointHandle, usize),
    axis: &retake_description::JointAxis,
    now: f64,
) {
    let Some(limits) = joints::limits(axis) else { return };
    let [min, max] = near_limits(spatial, limits, now);
    let known = state.impulse_joints.get(handle).map(|joint| joint.data.limits[spatial]);
    if known.is_some_and(|known| known.min == min && known.max == max) {
        return;
    }
    if let Some(joint) = state.impulse_joints.get_mut(handle, false) {
        (joint.data.limits[spatial].min, joint.data.limits[spatial].max) = (min, max);
    }
}

fn pose(bodies: &RigidBodySet, handle: RigidBodyHandle) -> Pose {
    from_rapier(bodies[handle].position())
}

/// Inserts an anchor that belongs to the joint itself.
fn anchor(state: &mut State, joint: EntityId, segment: &Segment) -> (u32, RigidBodyHandle) {
    let owner = Assembly {
        model: joint,
        is_static: true,
        self_collide: false,
        may_sleep: true,
        bodies: Vec::new(),
        joints: Vec::new(),
    };
    let contacts = SelfContacts { tag: state.tables.next_slot, all: false, hooked: false };
    let mut inserter =
        Inserter { state, assembly: &owner, contacts, slots: Vec::new(), poses: BTreeMap::new() };
    inserter.insert_anchor(segment.world_from_near)
}
