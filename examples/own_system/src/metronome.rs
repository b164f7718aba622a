//! A system of your own: pushes a joint to and fro, and counts the beats.
//!
//! What it remembers is the component [`Beat`], so that it goes back in time with the world.

use retake_components::{AxisCommand, JointCommand, JointSpec, find, path_of};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::SimTime;
use retake_sim::systems::{Attachment, SystemKind};
use retake_sim::{StepInfo, System, SystemError};
use serde::{Deserialize, Serialize};

/// What world files ask for: `<plugin name="example::Metronome" filename="own_system">`.
pub static KIND: SystemKind = SystemKind {
    names: &["example::Metronome"],
    register: |builder| builder.with::<Beat>(),
    make: Metronome::make,
};

/// How far the metronome is; on its plugin entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Beats so far.
    pub count: u64,
    /// When the next one is.
    pub next: SimTime,
}

impl Component for Beat {
    const NAME: &'static str = "example_beat";
}

/// Holds only what the world file says and what can be found again.
struct Metronome {
    plugin: EntityId,
    joint: EntityId,
    period: SimTime,
    effort: f64,
}

impl Metronome {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let name = params.required("joint_name")?;
        let path = format!("{}::{name}", path_of(ecm, at.holder));
        let joint = find(ecm, &path).filter(|joint| ecm.get::<JointSpec>(*joint).is_some());
        let joint = joint.ok_or_else(|| SystemError::MissingJoint {
            joint: name.to_owned(),
            holder: at.holder_name.clone(),
        })?;
        let period = SimTime::from_secs_f64(params.positive_or("period", 1.0)?);
        // Only when there is none: the system is made anew at every jump in time.
        if ecm.get::<Beat>(at.plugin).is_none() {
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, Beat { count: 0, next: period }).ok();
        }
        let effort = params.number_or("effort", 1.0)?;
        Ok(Box::new(Self { plugin: at.plugin, joint, period, effort }))
    }
}

impl System for Metronome {
    fn pre_update(&mut self, step: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(mut beat) = ecm.get::<Beat>(self.plugin).copied() else { return Ok(()) };
        if step.sim_time >= beat.next {
            beat = Beat { count: beat.count + 1, next: beat.next + self.period };
            ecm.set(self.plugin, beat).map_err(|_| SystemError::NothingHeld)?;
        }
        let sign = if beat.count % 2 == 0 { 1.0 } else { -1.0 };
        let command = AxisCommand::Effort { effort: sign * self.effort };
        if let Some(commands) = ecm.get_mut::<JointCommand>(self.joint)
            && let Some(axis) = commands.0.first_mut()
        {
            *axis = command;
        }
        Ok(())
    }

    fn release(&mut self, ecm: &mut Ecm) {
        if let Some(commands) = ecm.get_mut::<JointCommand>(self.joint) {
            commands.0.fill(AxisCommand::Free);
        }
    }
}
