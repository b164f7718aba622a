//! Puts a physics profile in force.

use retake_ecm::Ecm;
use retake_msgs::SetCurrentProfile;

use super::{Applied, CommandError};
use crate::PresetManager;

pub(super) fn apply(ecm: &mut Ecm, command: &SetCurrentProfile) -> Result<Applied, CommandError> {
    PresetManager::new(ecm)?.set_current_profile(&command.name)?;
    Ok(Applied::to_world(format!("Switch to profile {}", command.name)))
}
