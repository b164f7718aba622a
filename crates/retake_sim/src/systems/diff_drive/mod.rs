//! Drives a vehicle by the speed difference of its wheels, as Gazebo's DiffDrive.
//!
//! Takes the same parameters; velocity commands come on `/model/<name>/cmd_vel` or from a driver
//! in the same world, odometry goes out on `/model/<name>/odometry`.

mod config;
pub(super) mod limiter;
mod odometry;

use retake_components::{AxisCommand, JointPosition};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{SimTime, Vec3};
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::{Attachment, SystemKind, VelocityCommand, message};
use crate::Outbox;
use crate::system::{StepInfo, System, SystemError};
use config::Config;
use limiter::Limiter;
pub use odometry::Odometer;

pub(super) const KIND: SystemKind = SystemKind {
    names: &[
        "retake::DiffDrive",
        "gz::sim::systems::DiffDrive",
        "ignition::gazebo::systems::DiffDrive",
    ],
    register: |builder| builder.with::<DiffDriveState>(),
    make: |attachment, ecm| DiffDrive::make(attachment, ecm),
};

/// What the drive remembers; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffDriveState {
    /// The velocity that was commanded in the last step, after the limits.
    pub last: VelocityCommand,
    /// The one of the step before, for the jerk limit.
    pub before_last: VelocityCommand,
    /// Where the wheels say that the vehicle is.
    pub odometer: Odometer,
    /// When odometry goes out next.
    pub next_odometry: SimTime,
}

impl Component for DiffDriveState {
    const NAME: &'static str = "diff_drive_state";
}

struct DiffDrive {
    plugin: EntityId,
    vehicle: EntityId,
    left: Vec<EntityId>,
    right: Vec<EntityId>,
    config: Config,
}

impl DiffDrive {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        params.required("left_joint")?;
        params.required("right_joint")?;
        let find = |name: &&str| {
            let joint = find_joint(ecm, at.holder, name)?;
            check_axis(ecm, joint, 0).map(|()| joint)
        };
        let left: Vec<_> = params.texts("left_joint").iter().map(find).collect::<Result<_, _>>()?;
        let right: Vec<_> =
            params.texts("right_joint").iter().map(find).collect::<Result<_, _>>()?;
        let config = Config::read(&params, &at.holder_name)?;
        if ecm.get::<DiffDriveState>(at.plugin).is_none() {
            let state = DiffDriveState {
                last: VelocityCommand::default(),
                before_last: VelocityCommand::default(),
                odometer: Odometer::at(wheel_angle(ecm, &left), wheel_angle(ecm, &right)),
                next_odometry: SimTime::ZERO,
            };
            // The plugin entity and its holder exist: this system is being made for them.
            ecm.set(at.plugin, state).ok();
            if ecm.get::<VelocityCommand>(at.holder).is_none() {
                ecm.set(at.holder, VelocityCommand::default()).ok();
            }
        }
        Ok(Box::new(Self { plugin: at.plugin, vehicle: at.holder, left, right, config }))
    }

    fn turn_wheels(&self, ecm: &mut Ecm, command: VelocityCommand) -> Result<(), SystemError> {
        let turn = command.angular * self.config.wheel_separation / 2.0;
        let speeds = [(&self.left, command.linear - turn), (&self.right, command.linear + turn)];
        for (joints, speed) in speeds {
            let target = speed / self.config.wheel_radius;
            for joint in joints {
                let drive = AxisCommand::Velocity { target, max_effort: f64::INFINITY };
                command_axis(ecm, *joint, 0, drive)?;
            }
        }
        Ok(())
    }
}

impl System for DiffDrive {
    fn release(&mut self, ecm: &mut Ecm) {
        let wheels = self.left.iter().chain(&self.right);
        wheels.for_each(|joint| release_axis(ecm, *joint, 0));
    }

    fn subscriptions(&self) -> Vec<String> {
        vec![self.config.topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: &str| SystemError::BadMessage {
            topic: topic.to_owned(),
            reason: reason.to_owned(),
        };
        let message: retake_msgs::Twist = message::read(topic, bytes)?;
        let twist = retake_math::Twist::from(&message);
        let command = VelocityCommand { linear: twist.linear.x, angular: twist.angular.z };
        if !command.is_valid() {
            return Err(bad("linear.x and angular.z must be numbers within ±1e6"));
        }
        ecm.set(self.vehicle, command).map_err(|error| bad(&error.to_string()))
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let wanted = ecm.get::<VelocityCommand>(self.vehicle).copied().unwrap_or_default();
        let Some(state) = ecm.get::<DiffDriveState>(self.plugin) else { return Ok(()) };
        let (last, before) = (state.last, state.before_last);
        let limit = |limiter: &Limiter, wanted, last, before| {
            limiter.limit(wanted, (last, before), step.dt_secs())
        };
        let command = VelocityCommand {
            linear: limit(&self.config.linear, wanted.linear, last.linear, before.linear),
            angular: limit(&self.config.angular, wanted.angular, last.angular, before.angular),
        };
        let wheels = (wheel_angle(ecm, &self.left), wheel_angle(ecm, &self.right));
        if let Some(state) = ecm.get_mut::<DiffDriveState>(self.plugin) {
            (state.before_last, state.last) = (last, command);
            state.odometer.roll(wheels, &self.config, step.dt_secs());
            if step.sim_time >= state.next_odometry {
                state.next_odometry = step.sim_time + self.config.odometry_period;
            }
        }
        self.turn_wheels(ecm, command)
    }

    fn post_update(
        &mut self,
        step: &StepInfo,
        ecm: &Ecm,
        out: &mut Outbox,
    ) -> Result<(), SystemError> {
        let Some(state) = ecm.get::<DiffDriveState>(self.plugin) else { return Ok(()) };
        // `pre_update` moved the due time exactly when this step is one that publishes.
        let began = step.sim_time - step.step_size;
        if state.next_odometry == began + self.config.odometry_period {
            let message = state.odometer.message(step.sim_time, &self.config);
            out.publish(&self.config.odometry_topic, &message);
        }
        Ok(())
    }
}

/// Mean angle of the wheels on one side, in radians.
fn wheel_angle(ecm: &Ecm, joints: &[EntityId]) -> f64 {
    let angle = |joint: &EntityId| {
        ecm.get::<JointPosition>(*joint).and_then(|position| position.0.first().copied())
    };
    let angles: Vec<f64> = joints.iter().filter_map(angle).collect();
    angles.iter().sum::<f64>() / angles.len().max(1) as f64
}

/// Makes the planar pose of an odometer.
fn planar(x: f64, y: f64, heading_rad: f64) -> retake_math::Pose {
    retake_math::Pose::from_xyz_rpy(Vec3::new(x, y, 0.0), Vec3::new(0.0, 0.0, heading_rad))
}
