//! Removes a physics profile that is not in force.

use retake_ecm::Ecm;
use retake_msgs::RemoveProfile;

use super::{Applied, CommandError};
use crate::PresetManager;

pub(super) fn apply(ecm: &mut Ecm, command: &RemoveProfile) -> Result<Applied, CommandError> {
    PresetManager::new(ecm)?.remove_profile(&command.name)?;
    Ok(Applied::to_world(format!("Remove profile {}", command.name)))
}
