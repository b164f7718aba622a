//! Moves a joint along a sine, for demonstrations and tests of tracking.

use retake_components::AxisCommand;
use retake_ecm::{Ecm, EntityId};

use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::{Attachment, SystemKind};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["retake::JointWave"],
    // A wave is a function of time: there is nothing to remember.
    register: |builder| builder,
    make: |attachment, ecm| JointWave::make(attachment, ecm),
};

struct JointWave {
    joint: EntityId,
    offset: f64,
    amplitude: f64,
    rate_rad_per_sec: f64,
    phase_rad: f64,
    stiffness: f64,
    damping: f64,
}

impl JointWave {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let joint = find_joint(ecm, at.holder, params.required("joint_name")?)?;
        check_axis(ecm, joint, 0)?;
        let frequency_hz = params.positive_or("frequency", 0.5)?;
        Ok(Box::new(Self {
            joint,
            offset: params.number_or("offset", 0.0)?,
            amplitude: params.number_or("amplitude", 0.5)?,
            rate_rad_per_sec: std::f64::consts::TAU * frequency_hz,
            phase_rad: params.number_or("phase", 0.0)?,
            stiffness: params.positive_or("p_gain", 1000.0)?,
            damping: params.number_or("d_gain", 100.0)?.max(0.0),
        }))
    }
}

impl System for JointWave {
    fn release(&mut self, ecm: &mut Ecm) {
        release_axis(ecm, self.joint, 0);
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let angle = self.rate_rad_per_sec * step.sim_time.as_secs_f64() + self.phase_rad;
        let command = AxisCommand::Position {
            target: self.offset + self.amplitude * angle.sin(),
            stiffness: self.stiffness,
            damping: self.damping,
            max_effort: f64::INFINITY,
        };
        command_axis(ecm, self.joint, 0, command)
    }
}
