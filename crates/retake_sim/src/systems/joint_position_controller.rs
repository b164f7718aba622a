//! Holds joints at a position, as Gazebo's JointPositionController.
//!
//! The proportional and derivative gains become the stiffness and damping of the engine's implicit
//! drive: with the same numbers it goes where Gazebo's goes, and stays stable at any gain.

use retake_components::{AxisCommand, JointPosition};
use retake_ecm::{Component, Ecm, EntityId};
use retake_msgs::names;
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, gone, release_axis, write_command};
use super::{Attachment, Params, SystemKind, message};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "retake::JointPositionController",
        "gz::sim::systems::JointPositionController",
        "ignition::gazebo::systems::JointPositionController",
    ],
    register: |builder| builder.with::<JointPositionTarget>(),
    make: |attachment, ecm| JointPositionController::make(attachment, ecm),
};

/// What the controller aims at; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointPositionTarget {
    /// Joints that it controls.
    pub joints: Vec<ControlledJoint>,
    /// Axis of each joint that it controls.
    pub axis: usize,
}

/// A joint under control.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlledJoint {
    /// The joint.
    pub joint: EntityId,
    /// Where it is to go, in rad or m.
    pub target: f64,
    /// Integral of its error, in rad s or m s.
    pub integral: f64,
    /// Whether the user set the target: then a joint that the user has in hand is still its own.
    pub for_user: bool,
}

/// Farthest target that is taken, in rad or m: far beyond any joint, far from overflow.
const FARTHEST: f64 = 1e6;

impl Component for JointPositionTarget {
    const NAME: &'static str = "joint_position_target";
}

struct JointPositionController {
    plugin: EntityId,
    joints: Vec<EntityId>,
    axis: usize,
    topic: String,
    gains: Gains,
    offset: f64,
    by_velocity: bool,
}

#[derive(Clone, Copy)]
struct Gains {
    p: f64,
    i: f64,
    d: f64,
    integral_limits: (f64, f64),
    max_command: f64,
}

impl JointPositionController {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        params.required("joint_name")?;
        let names = params.texts("joint_name");
        let joints: Result<Vec<EntityId>, _> =
            names.iter().map(|name| find_joint(ecm, at.holder, name)).collect();
        let joints = joints?;
        let axis = params.number_or("joint_index", 0.0)?.max(0.0) as usize;
        joints.iter().try_for_each(|joint| check_axis(ecm, *joint, axis))?;
        let target = params.number_or("initial_position", 0.0)?;
        let state = ecm.get::<JointPositionTarget>(at.plugin);
        let aim = aim(state, (&joints, axis), target);
        if state != Some(&aim) {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, aim).ok();
        }
        Ok(Box::new(Self {
            plugin: at.plugin,
            topic: topic(&params, &at.holder_name, names[0], axis),
            joints,
            axis,
            gains: Gains::read(&params)?,
            offset: params.number_or("cmd_offset", 0.0)?,
            by_velocity: params.flag("use_velocity_commands")?,
        }))
    }

    fn command(&self, error: f64, position: f64, integral: f64, dt_secs: f64) -> AxisCommand {
        let gains = &self.gains;
        let (low, high) = gains.integral_limits;
        // An effort beside the drive becomes a shift of its target.
        let extra = (gains.i * integral).clamp(low, high) + self.offset;
        if self.by_velocity {
            let reach = gains.max_command * dt_secs;
            let target = error.clamp(-reach, reach) / dt_secs;
            return AxisCommand::Velocity { target, max_effort: f64::INFINITY };
        }
        if gains.p == 0.0 {
            return AxisCommand::Effort { effort: extra };
        }
        AxisCommand::Position {
            target: position + error + extra / gains.p,
            stiffness: gains.p,
            damping: gains.d,
            max_effort: gains.max_command,
        }
    }
}

/// What the controller aims at with these joints: as before where it had them, the start elsewhere.
fn aim(
    before: Option<&JointPositionTarget>,
    (joints, axis): (&[EntityId], usize),
    start: f64,
) -> JointPositionTarget {
    let before = before.filter(|state| state.axis == axis);
    let known = |index: usize| before.and_then(|state| state.joints.get(index)).copied();
    let controlled = |(index, &joint): (usize, &EntityId)| match known(index) {
        Some(known) if known.joint == joint => known,
        // Another joint of that name takes its place: it goes where the other one was to go.
        Some(known) => ControlledJoint { joint, integral: 0.0, for_user: false, ..known },
        None => ControlledJoint { joint, target: start, integral: 0.0, for_user: false },
    };
    JointPositionTarget { joints: joints.iter().enumerate().map(controlled).collect(), axis }
}

impl Gains {
    fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        let p = params.number_or("p_gain", 1.0)?;
        let d = params.number_or("d_gain", 0.01)?;
        let cmd_max = params.number_or("cmd_max", f64::INFINITY)?;
        let cmd_min = params.number_or("cmd_min", f64::NEG_INFINITY)?;
        Ok(Self {
            p: non_negative("p_gain", p)?,
            i: params.number_or("i_gain", 0.0)?,
            d: non_negative("d_gain", d)?,
            integral_limits: integral_limits(params)?,
            // The engine's drive has one bound for both directions.
            max_command: cmd_max.abs().max(cmd_min.abs()),
        })
    }
}

fn integral_limits(params: &Params<'_>) -> Result<(f64, f64), SystemError> {
    let high = params.number_or("i_max", 1.0)?;
    let low = params.number_or("i_min", -1.0)?;
    match low <= high {
        true => Ok((low, high)),
        false => Err(SystemError::BadParameter {
            parameter: "i_min".to_owned(),
            text: low.to_string(),
            expected: "a number not above i_max",
        }),
    }
}

fn non_negative(name: &str, value: f64) -> Result<f64, SystemError> {
    if value >= 0.0 {
        return Ok(value);
    }
    let (parameter, text) = (name.to_owned(), value.to_string());
    Err(SystemError::BadParameter { parameter, text, expected: "a number that is not negative" })
}

fn topic(params: &Params<'_>, model: &str, joint: &str, axis: usize) -> String {
    let given = params.text("topic").filter(|topic| !topic.is_empty());
    let below = params.text("sub_topic").filter(|topic| !topic.is_empty());
    match (given, below) {
        (Some(topic), _) if topic.starts_with('/') => topic.to_owned(),
        (Some(topic), _) => format!("/{topic}"),
        (None, Some(topic)) => format!("/model/{model}/{topic}"),
        (None, None) => names::joint_cmd_pos(model, joint, axis),
    }
}

impl System for JointPositionController {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let message: retake_msgs::Double = message::read(topic, bytes)?;
        if message.data.abs() > FARTHEST {
            return Err(bad(format!(
                "data is {}; write a number within ±{FARTHEST:e}",
                message.data
            )));
        }
        if let Some(state) = ecm.get_mut::<JointPositionTarget>(self.plugin) {
            state.joints.iter_mut().for_each(|controlled| controlled.target = message.data);
        }
        Ok(())
    }

    fn release(&mut self, ecm: &mut Ecm) {
        self.joints.iter().for_each(|joint| release_axis(ecm, *joint, self.axis));
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(state) = ecm.get::<JointPositionTarget>(self.plugin) else { return Ok(()) };
        let (axis, joints) = (state.axis, state.joints.clone());
        for (at, controlled) in joints.into_iter().enumerate() {
            let ControlledJoint { joint, target, for_user, .. } = controlled;
            let position = ecm.get::<JointPosition>(joint).and_then(|p| p.0.get(axis).copied());
            let position = position.ok_or_else(|| gone(ecm, joint))?;
            let error = target - position;
            let integral = self.integrate(ecm, at, error * step.dt_secs());
            let command = self.command(error, position, integral, step.dt_secs());
            match for_user {
                true => write_command(ecm, joint, axis, command)?,
                false => command_axis(ecm, joint, axis, command)?,
            }
        }
        Ok(())
    }
}

impl JointPositionController {
    /// Adds to the integral of one joint and returns it; without an integral gain it stays zero.
    fn integrate(&self, ecm: &mut Ecm, at: usize, amount: f64) -> f64 {
        if self.gains.i == 0.0 {
            return 0.0;
        }
        let Some(state) = ecm.get_mut::<JointPositionTarget>(self.plugin) else { return 0.0 };
        let Some(controlled) = state.joints.get_mut(at) else { return 0.0 };
        let (low, high) = self.gains.integral_limits;
        let (a, b) = (low / self.gains.i, high / self.gains.i);
        controlled.integral = (controlled.integral + amount).clamp(a.min(b), a.max(b));
        controlled.integral
    }
}
