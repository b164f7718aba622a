//! Moves a joint along a sine, for demonstrations and tests of tracking.

use retake_components::AxisCommand;
use retake_ecm::{Component, Ecm, EntityId};
use retake_motion::blend::{Blend, Blending};
use retake_motion::curve::Sample;
use serde::{Deserialize, Serialize};

use super::joint_drive::{check_axis, command_axis, find_joint, release_axis};
use super::motion::{Handover, PlayerDriven};
use super::{Attachment, SystemKind};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["retake::JointWave"],
    register: |builder| builder.with::<WaveBlending>(),
    make: |attachment, ecm| JointWave::make(attachment, ecm),
};

/// What is left of what the joint did before the wave got it back; on the plugin entity. Beside it a
/// wave is a function of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct WaveBlending(Blending);

impl Component for WaveBlending {
    const NAME: &'static str = "wave_blending";
}

/// How a wave goes on with a joint that it gets back.
const BLEND: Blend = Blend::Transient { time_secs: 1.0 };

struct JointWave {
    plugin: EntityId,
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
            plugin: at.plugin,
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

impl JointWave {
    /// Returns where the joint is to be: on the wave, or on the way there from where it was left.
    fn blended(&self, ecm: &mut Ecm, wave: Sample, step: &StepInfo) -> Sample {
        let now_nanos = step.sim_time.as_nanos();
        let has_joint = ecm.get::<PlayerDriven>(self.joint).is_none();
        let handover = ecm.get::<Handover>(self.joint).copied().filter(|_| has_joint);
        ecm.remove::<Handover>(self.joint);
        let fresh = handover.filter(|handover| handover.at_nanos == now_nanos);
        let blending = match fresh {
            Some(Handover { reference, .. }) => Some(BLEND.start(reference, wave)),
            None => ecm.get::<WaveBlending>(self.plugin).map(|blending| blending.0),
        };
        let Some(mut blending) = blending else { return wave };
        let blended = BLEND.cycle(&mut blending, wave, step.dt_secs());
        match BLEND.is_over(&blending) {
            true => drop(ecm.remove::<WaveBlending>(self.plugin)),
            // The plugin entity exists: the system is made from it.
            false => drop(ecm.set(self.plugin, WaveBlending(blending))),
        }
        blended
    }
}

impl System for JointWave {
    fn release(&mut self, ecm: &mut Ecm) {
        release_axis(ecm, self.joint, 0);
    }

    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let angle = self.rate_rad_per_sec * step.sim_time.as_secs_f64() + self.phase_rad;
        let wave = Sample {
            position: self.offset + self.amplitude * angle.sin(),
            velocity: self.amplitude * self.rate_rad_per_sec * angle.cos(),
            acceleration: -self.amplitude * self.rate_rad_per_sec.powi(2) * angle.sin(),
        };
        let command = AxisCommand::Position {
            target: self.blended(ecm, wave, step).position,
            stiffness: self.stiffness,
            damping: self.damping,
            max_effort: f64::INFINITY,
        };
        command_axis(ecm, self.joint, 0, command)
    }
}
