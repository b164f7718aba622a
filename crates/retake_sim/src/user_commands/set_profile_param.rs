//! Sets parameters of a physics profile.

use retake_ecm::Ecm;
use retake_msgs::{PhysicsParam, SetProfileParam};
use retake_physics::PROFILE_KEYS;

use super::{Applied, CommandError};
use crate::{PresetError, PresetManager};

pub(super) fn apply(ecm: &mut Ecm, command: &SetProfileParam) -> Result<Applied, CommandError> {
    let mut presets = PresetManager::new(ecm)?;
    let profile = match command.profile.as_str() {
        "" => presets.current_profile().to_owned(),
        name => name.to_owned(),
    };
    if command.param.is_empty() {
        return Err(PresetError::NoParam.into());
    }
    let (count, known) = (command.param.len(), PROFILE_KEYS.len());
    if count > known {
        return Err(PresetError::TooManyParams { count, known }.into());
    }
    let mut set = Vec::new();
    for PhysicsParam { key, value } in &command.param {
        presets.set_profile_param(&profile, key, value)?;
        set.push(format!("{key} to {}", presets.profile_param(&profile, key)?.value));
    }
    Ok(Applied::to_world(format!("Set {} in profile {profile}", set.join(", "))))
}
