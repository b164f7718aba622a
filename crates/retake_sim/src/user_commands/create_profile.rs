//! Makes a physics profile: empty, from SDF or as a copy.

use retake_ecm::Ecm;
use retake_msgs::CreateProfile;

use super::{Applied, CommandError};
use crate::PresetManager;

pub(super) fn apply(ecm: &mut Ecm, command: &CreateProfile) -> Result<Applied, CommandError> {
    let mut presets = PresetManager::new(ecm)?;
    let (name, sdf, copy_of) = (&command.name, &command.sdf, &command.copy_of);
    let name = match (name.is_empty(), sdf.is_empty(), copy_of.is_empty()) {
        (_, false, false) => {
            let findings = "a profile is made from SDF or as a copy, not both".to_owned();
            return Err(CommandError::BadSdf { findings });
        }
        (true, false, true) => presets.create_profile_from_sdf(sdf)?,
        (false, false, true) => presets.create_named_from_sdf(name, sdf)?,
        (true, true, _) => return Err(CommandError::Missing { field: "create_profile.name" }),
        (false, true, false) => {
            presets.create_profile_copy(name, copy_of)?;
            name.clone()
        }
        (false, true, true) => {
            presets.create_profile(name)?;
            name.clone()
        }
    };
    Ok(Applied::to_world(format!("Create profile {name}")))
}
