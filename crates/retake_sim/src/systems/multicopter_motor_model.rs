//! A rotor that lifts, drags and turns back on what holds it, as Gazebo's MulticopterMotorModel.
//!
//! Thrust is motor constant × ω²; the torque against the frame is thrust × moment constant.

use retake_components::{
    AxisCommand, BodyTwist, ExternalWrench, JointSpec, JointVelocity, Kind, WorldText, find,
    path_of, world_entity, world_pose,
};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Vec3;
use retake_msgs::Actuators;
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, gone, release_axis};
use super::joint_topic::absolute;
use super::{Attachment, Params, SystemKind, message};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "gz::sim::systems::MulticopterMotorModel",
        "ignition::gazebo::systems::MulticopterMotorModel",
    ],
    register: |builder| builder.with::<RotorState>(),
    make: |attachment, ecm| MulticopterMotorModel::make(attachment, ecm),
};

/// What a rotor is to do; on its plugin entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RotorState {
    /// Angular velocity that is commanded, in rad/s.
    pub commanded_rad_per_s: f64,
    /// What the motor has come to on the way there, in rad/s.
    pub reference_rad_per_s: f64,
}

impl Component for RotorState {
    const NAME: &'static str = "rotor";
}

struct MulticopterMotorModel {
    plugin: EntityId,
    joint: EntityId,
    link: EntityId,
    topic: String,
    actuator: usize,
    motor: Motor,
}

/// What a motor and its rotor are.
#[derive(Clone, Copy)]
struct Motor {
    /// 1 counter-clockwise, -1 clockwise.
    direction: f64,
    fastest: f64,
    thrust_per_spin2: f64,
    torque_per_thrust: f64,
    drag: f64,
    rolling: f64,
    /// Times to come to a higher and to a lower velocity, in s.
    rise_secs: (f64, f64),
    /// How much slower the joint turns than the rotor.
    slowdown: f64,
}

impl Motor {
    fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        params.required("turningDirection")?;
        params.word_or("motorType", "velocity", &["velocity"])?;
        let clockwise = params.word_or("turningDirection", "cw", &["cw", "ccw"])? == "cw";
        Ok(Self {
            direction: if clockwise { -1.0 } else { 1.0 },
            fastest: params.positive_or("maxRotVelocity", 838.0)?,
            thrust_per_spin2: params.at_least_zero("motorConstant", 8.54858e-06)?,
            torque_per_thrust: params.at_least_zero("momentConstant", 0.016)?,
            drag: params.at_least_zero("rotorDragCoefficient", 1e-4)?,
            rolling: params.at_least_zero("rollingMomentCoefficient", 1e-6)?,
            rise_secs: (
                params.positive_or("timeConstantUp", 1.0 / 80.0)?,
                params.positive_or("timeConstantDown", 1.0 / 40.0)?,
            ),
            slowdown: params.positive_or("rotorVelocitySlowdownSim", 10.0)?,
        })
    }

    /// Returns what the motor comes to in a step.
    fn approach(&self, from: f64, to: f64, dt_secs: f64) -> f64 {
        let secs = if to > from { self.rise_secs.0 } else { self.rise_secs.1 };
        let kept = (-dt_secs / secs).exp();
        kept * from + (1.0 - kept) * to
    }

    /// Returns the thrust of a rotor that turns so, along its axis.
    fn thrust(&self, spin: f64) -> f64 {
        self.direction * spin * spin.abs() * self.thrust_per_spin2
    }
}

impl MulticopterMotorModel {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let joint = find_joint(ecm, at.holder, params.required("jointName")?)?;
        check_axis(ecm, joint, 0)?;
        let path = format!("{}::{}", path_of(ecm, at.holder), params.required("linkName")?);
        let link = find(ecm, &path).filter(|link| ecm.get::<Kind>(*link) == Some(&Kind::Link));
        let unfit = || SystemError::Unfit { reason: format!("<linkName>: {path:?} is no link") };
        let link = link.ok_or_else(unfit)?;
        let number = ["actuator_number", "motorNumber"]
            .into_iter()
            .find(|name| params.text(name).is_some())
            .ok_or(SystemError::MissingParameter { parameter: "actuator_number" })?;
        if ecm.get::<RotorState>(at.plugin).is_none() {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, RotorState::default()).ok();
        }
        let given = |name: &str| params.text(name).filter(|text| !text.is_empty());
        let namespace = given("robotNamespace").unwrap_or(&at.holder_name);
        let below = given("commandSubTopic").unwrap_or_default();
        Ok(Box::new(Self {
            plugin: at.plugin,
            joint,
            link,
            topic: absolute(format!("{namespace}/{below}").trim_end_matches('/')),
            actuator: params.at_least_zero(number, 0.0)? as usize,
            motor: Motor::read(&params)?,
        }))
    }

    /// Pushes the rotor and what holds it, for a rotor that turns so.
    fn push(&self, ecm: &mut Ecm, spin: f64) -> Result<(), SystemError> {
        let spec = ecm.get::<JointSpec>(self.joint).ok_or_else(|| gone(ecm, self.joint))?;
        let (parent, from_joint) = (spec.parent, spec.child_from_joint);
        let axis = spec.axes.first().map_or(Vec3::Z, |axis| axis.xyz);
        let pose = world_pose(ecm, self.link);
        let thrust = self.motor.thrust(spin);
        let axis = (pose * from_joint).transform_vector(axis);
        let twist = ecm.get::<BodyTwist>(self.link).copied().unwrap_or_default().0;
        let wind = world_entity(ecm).and_then(|world| ecm.get::<WorldText>(world));
        let through_air = twist.linear - wind.map(|text| text.wind).unwrap_or_default();
        let across = through_air - axis * through_air.dot(axis);
        let force =
            pose.transform_vector(Vec3::Z * thrust) - across * (spin.abs() * self.motor.drag);
        let back = -self.motor.direction * thrust * self.motor.torque_per_thrust;
        let torque =
            pose.transform_vector(Vec3::Z * back) - across * (spin.abs() * self.motor.rolling);
        if force.is_finite() && torque.is_finite() {
            ExternalWrench::add(ecm, self.link, force, Vec3::ZERO);
            if let Some(parent) = parent {
                ExternalWrench::add(ecm, parent, Vec3::ZERO, torque);
            }
        }
        Ok(())
    }
}

impl System for MulticopterMotorModel {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let message: Actuators = message::read(topic, bytes)?;
        let velocity = message.velocity.get(self.actuator).copied().ok_or_else(|| {
            let count = message.velocity.len();
            bad(format!("it has {count} velocities, and number {} is wanted", self.actuator))
        })?;
        if let Some(state) = ecm.get_mut::<RotorState>(self.plugin) {
            state.commanded_rad_per_s = velocity.clamp(-self.motor.fastest, self.motor.fastest);
        }
        Ok(())
    }

    fn release(&mut self, ecm: &mut Ecm) {
        release_axis(ecm, self.joint, 0);
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<RotorState>(self.plugin).copied() else { return Ok(()) };
        let turns = ecm.get::<JointVelocity>(self.joint).and_then(|all| all.0.first().copied());
        let spin = turns.ok_or_else(|| gone(ecm, self.joint))? * self.motor.slowdown;
        self.push(ecm, spin)?;
        let (from, to) = (state.reference_rad_per_s, state.commanded_rad_per_s);
        state.reference_rad_per_s = self.motor.approach(from, to, step.dt_secs());
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)?;
        let target = self.motor.direction * state.reference_rad_per_s / self.motor.slowdown;
        let drive = AxisCommand::Velocity { target, max_effort: f64::INFINITY };
        command_axis(ecm, self.joint, 0, drive)
    }
}
