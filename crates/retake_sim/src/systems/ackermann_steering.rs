//! Steers a vehicle by its front wheels, as Gazebo's AckermannSteering.
//!
//! The wheels on the inside of a bend are turned more and roll slower, so that all roll about one
//! centre.

use retake_components::{AxisCommand, JointPosition};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{Pose, Twist, Vec3};
use retake_msgs::{Actuators, Odometry, names};
use serde::{Deserialize, Serialize};

use super::diff_drive::limiter::Limiter;
use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::joint_topic::{absolute, read_number, topic_or};
use super::rate::Rate;
use super::{Attachment, Params, SystemKind, VelocityCommand, message};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::AckermannSteering", "ignition::gazebo::systems::AckermannSteering"],
    register: |builder| builder.with::<AckermannState>(),
    make: |attachment, ecm| AckermannSteering::make(attachment, ecm),
};

/// What the drive remembers; on its plugin entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AckermannState {
    /// What is commanded; of a drive that only steers, `angular` is the angle in rad.
    pub wanted: VelocityCommand,
    /// What was commanded in the last step, after the limits.
    pub last: VelocityCommand,
    /// That of the step before, for the jerk limit.
    pub before_last: VelocityCommand,
    /// Position since the start, in m, and heading, in rad.
    pub travelled: [f64; 3],
    /// Forward and turning velocity, in m/s and rad/s.
    pub velocity: [f64; 2],
    /// Mean angle of the wheels when they were last read, in rad.
    pub wheels_rad: f64,
}

impl Component for AckermannState {
    const NAME: &'static str = "ackermann_steering";
}

/// Turning slower than this, in rad/s, a vehicle goes straight.
const STRAIGHT: f64 = 1e-3;

struct AckermannSteering {
    plugin: EntityId,
    /// Wheels that are driven, left and right; none of a drive that only steers.
    wheels: [Vec<EntityId>; 2],
    steering: [Vec<EntityId>; 2],
    geometry: Geometry,
    gain: f64,
    limits: [Limiter; 2],
    command: Command,
    topic: String,
    odometry: (String, Rate, String, String),
}

/// What commands are.
enum Command {
    Twist,
    Angle,
    Actuator(usize),
}

#[derive(Clone, Copy)]
struct Geometry {
    wheel_separation: f64,
    kingpin_width: f64,
    wheel_base: f64,
    wheel_radius: f64,
    steering_limit: f64,
}

impl Geometry {
    fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        Ok(Self {
            wheel_separation: params.positive_or("wheel_separation", 1.0)?,
            kingpin_width: params.at_least_zero("kingpin_width", 0.8)?,
            wheel_base: params.positive_or("wheel_base", 1.0)?,
            wheel_radius: params.positive_or("wheel_radius", 0.2)?,
            steering_limit: params.positive_or("steering_limit", 0.5)?,
        })
    }

    /// Returns one over the radius of the bend, of the middle of the rear axle; left is positive.
    fn curvature(&self, command: VelocityCommand) -> f64 {
        let tightest = self.steering_limit.sin() / self.wheel_base;
        match command {
            VelocityCommand { angular, .. } if angular.abs() < STRAIGHT => 0.0,
            VelocityCommand { linear: 0.0, angular } => tightest.copysign(angular),
            VelocityCommand { linear, angular } => (angular / linear).clamp(-tightest, tightest),
        }
    }

    /// Returns the angles of the left and the right steered wheel.
    fn steer(&self, curvature: f64, width: f64) -> [f64; 2] {
        [-0.5, 0.5]
            .map(|side| (self.wheel_base * curvature / (1.0 + side * width * curvature)).atan())
    }

    /// Returns how fast the left and the right wheels turn.
    fn roll(&self, linear: f64, curvature: f64) -> [f64; 2] {
        [-0.5, 0.5].map(|side| {
            linear * (1.0 + side * self.wheel_separation * curvature) / self.wheel_radius
        })
    }
}

impl AckermannSteering {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let (params, model) = (at.params(), &at.holder_name);
        let joints = |name: &'static str| {
            params.required(name)?;
            let find = |name: &&str| {
                let joint = find_joint(ecm, at.holder, name)?;
                check_axis(ecm, joint, 0).map(|()| joint)
            };
            params.texts(name).iter().map(find).collect::<Result<Vec<_>, SystemError>>()
        };
        let command = command(&params)?;
        let wheels = match command {
            Command::Twist => [joints("left_joint")?, joints("right_joint")?],
            Command::Angle | Command::Actuator(_) => [Vec::new(), Vec::new()],
        };
        let steering = [joints("left_steering_joint")?, joints("right_steering_joint")?];
        let own = match command {
            Command::Twist => names::cmd_vel(model),
            Command::Angle => format!("/model/{model}/steer_angle"),
            Command::Actuator(_) => "/actuators".to_owned(),
        };
        let below =
            params.text("sub_topic").map(|topic| absolute(&format!("model/{model}/{topic}")));
        let text = |name: &str, own: String| {
            params.text(name).filter(|text| !text.is_empty()).map_or(own, str::to_owned)
        };
        if ecm.get::<AckermannState>(at.plugin).is_none() {
            let wheels_rad = mean_angle(ecm, &wheels);
            let state = AckermannState { wheels_rad, ..AckermannState::default() };
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, state).ok();
        }
        Ok(Box::new(Self {
            plugin: at.plugin,
            wheels,
            steering,
            geometry: Geometry::read(&params)?,
            gain: params.positive_or("steer_p_gain", 1.0)?,
            limits: [Limiter::read(&params, "linear")?, Limiter::read(&params, "angular")?],
            command,
            topic: topic_or(&params, "topic", &below.unwrap_or(own)),
            odometry: (
                topic_or(&params, "odom_topic", &names::odometry(model)),
                Rate::hz(params.at_least_zero("odom_publish_frequency", 50.0)?),
                text("frame_id", format!("{model}/odom")),
                text("child_frame_id", model.clone()),
            ),
        }))
    }

    /// Turns wheels and steering as a command wants.
    fn drive(&self, ecm: &mut Ecm, command: VelocityCommand) -> Result<(), SystemError> {
        let geometry = &self.geometry;
        let (curvature, width) = match self.command {
            Command::Twist => (geometry.curvature(command), geometry.kingpin_width),
            Command::Angle | Command::Actuator(_) => {
                let limit = geometry.steering_limit;
                let angle = command.angular.clamp(-limit, limit);
                (angle.tan() / geometry.wheel_base, geometry.wheel_separation)
            }
        };
        for (joints, angle) in self.steering.iter().zip(geometry.steer(curvature, width)) {
            for joint in joints {
                let now = ecm.get::<JointPosition>(*joint).and_then(|all| all.0.first().copied());
                let target = self.gain * (angle - now.unwrap_or(angle));
                let drive = AxisCommand::Velocity { target, max_effort: f64::INFINITY };
                command_axis(ecm, *joint, 0, drive)?;
            }
        }
        for (joints, target) in self.wheels.iter().zip(geometry.roll(command.linear, curvature)) {
            for joint in joints {
                let drive = AxisCommand::Velocity { target, max_effort: f64::INFINITY };
                command_axis(ecm, *joint, 0, drive)?;
            }
        }
        Ok(())
    }

    /// Follows the wheels.
    fn travel(&self, ecm: &Ecm, state: &mut AckermannState, dt_secs: f64) {
        let wheels_rad = mean_angle(ecm, &self.wheels);
        let way = (wheels_rad - state.wheels_rad) * self.geometry.wheel_radius;
        let turn = way * mean_angle(ecm, &self.steering).tan() / self.geometry.wheel_base;
        let [x, y, heading] = state.travelled;
        let (sin, cos) = (heading + turn / 2.0).sin_cos();
        state.travelled = [x + way * cos, y + way * sin, heading + turn];
        state.velocity = [way / dt_secs, turn / dt_secs];
        state.wheels_rad = wheels_rad;
    }
}

fn command(params: &Params<'_>) -> Result<Command, SystemError> {
    if params.flag("use_actuator_msg")? {
        params.required("actuator_number")?;
        return Ok(Command::Actuator(params.at_least_zero("actuator_number", 0.0)? as usize));
    }
    Ok(if params.flag("steering_only")? { Command::Angle } else { Command::Twist })
}

fn mean_angle(ecm: &Ecm, joints: &[Vec<EntityId>; 2]) -> f64 {
    let angle = |joint: &EntityId| {
        ecm.get::<JointPosition>(*joint).and_then(|position| position.0.first().copied())
    };
    let angles: Vec<f64> = joints.iter().flatten().filter_map(angle).collect();
    angles.iter().sum::<f64>() / angles.len().max(1) as f64
}

impl System for AckermannSteering {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let wanted = match self.command {
            Command::Twist => {
                let message: retake_msgs::Twist = message::read(topic, bytes)?;
                let twist = Twist::from(&message);
                VelocityCommand { linear: twist.linear.x, angular: twist.angular.z }
            }
            Command::Angle => VelocityCommand { linear: 0.0, angular: read_number(topic, bytes)? },
            Command::Actuator(number) => {
                let message: Actuators = message::read(topic, bytes)?;
                let angular = message.position.get(number).copied();
                let angular = angular.ok_or_else(|| bad(format!("it has no position {number}")))?;
                VelocityCommand { linear: 0.0, angular }
            }
        };
        if !wanted.is_valid() {
            return Err(bad("a number of it is not within ±1e6".to_owned()));
        }
        if let Some(state) = ecm.get_mut::<AckermannState>(self.plugin) {
            state.wanted = wanted;
        }
        Ok(())
    }

    fn release(&mut self, ecm: &mut Ecm) {
        let joints = self.wheels.iter().chain(&self.steering).flatten();
        joints.for_each(|joint| release_axis(ecm, *joint, 0));
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut state) = ecm.get::<AckermannState>(self.plugin).copied() else {
            return Ok(());
        };
        let (wanted, last, before) = (state.wanted, state.last, state.before_last);
        let [linear, angular] = &self.limits;
        let dt = step.dt_secs();
        let command = VelocityCommand {
            linear: linear.limit(wanted.linear, (last.linear, before.linear), dt),
            angular: angular.limit(wanted.angular, (last.angular, before.angular), dt),
        };
        (state.before_last, state.last) = (last, command);
        self.travel(ecm, &mut state, dt);
        ecm.set(self.plugin, state).map_err(|_| SystemError::NothingHeld)?;
        self.drive(ecm, command)
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let (topic, rate, frame_id, child_frame_id) = &self.odometry;
        let Some(state) = ecm.get::<AckermannState>(self.plugin) else { return Ok(()) };
        if !matches!(self.command, Command::Twist) || !rate.is_due(step) {
            return Ok(());
        }
        let ([x, y, heading], [linear, angular]) = (state.travelled, state.velocity);
        let pose = Pose::from_xyz_rpy(Vec3::new(x, y, 0.0), Vec3::new(0.0, 0.0, heading));
        let twist = Twist { linear: Vec3::X * linear, angular: Vec3::Z * angular };
        let message = Odometry {
            stamp: Some(step.sim_time.into()),
            frame_id: frame_id.clone(),
            child_frame_id: child_frame_id.clone(),
            pose: Some(pose.into()),
            twist: Some(twist.into()),
        };
        out.publish(topic, &message);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GEOMETRY: Geometry = Geometry {
        wheel_separation: 1.2,
        kingpin_width: 1.0,
        wheel_base: 1.0,
        wheel_radius: 0.3,
        steering_limit: 0.5,
    };

    #[test]
    fn the_steered_wheels_roll_about_one_centre() {
        // A bend of 4 m radius: the kingpins are 3.5 m and 4.5 m from the centre, 1 m before it.
        let curvature = GEOMETRY.curvature(VelocityCommand { linear: 1.0, angular: 0.25 });
        let [left, right] = GEOMETRY.steer(curvature, GEOMETRY.kingpin_width);
        assert!((left - (1.0f64 / 3.5).atan()).abs() < 1e-12, "{left}");
        assert!((right - (1.0f64 / 4.5).atan()).abs() < 1e-12, "{right}");
        let [left, right] = GEOMETRY.roll(1.0, curvature);
        assert!((left - 3.4 / 4.0 / 0.3).abs() < 1e-12, "{left}");
        assert!((right - 4.6 / 4.0 / 0.3).abs() < 1e-12, "{right}");
    }

    #[test]
    fn no_bend_is_tighter_than_the_steering_allows() {
        let tight = GEOMETRY.curvature(VelocityCommand { linear: 0.1, angular: 5.0 });
        assert!((tight - 0.5f64.sin()).abs() < 1e-12);
        let backwards = GEOMETRY.curvature(VelocityCommand { linear: -1.0, angular: 0.25 });
        assert!((backwards + 0.25).abs() < 1e-12);
        assert_eq!(GEOMETRY.curvature(VelocityCommand { linear: 1.0, angular: 1e-4 }), 0.0);
    }
}
