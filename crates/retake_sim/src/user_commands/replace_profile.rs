//! Puts what SDF says in place of what a physics profile has.

use retake_ecm::Ecm;
use retake_msgs::ReplaceProfile;

use super::{Applied, CommandError};
use crate::PresetManager;

pub(super) fn apply(ecm: &mut Ecm, command: &ReplaceProfile) -> Result<Applied, CommandError> {
    PresetManager::new(ecm)?.set_profile_sdf(&command.name, &command.sdf)?;
    Ok(Applied::to_world(format!("Replace profile {}", command.name)))
}
