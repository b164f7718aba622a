//! Makes or replaces every physics profile of an SDF text.

use retake_ecm::Ecm;
use retake_msgs::LoadProfiles;

use super::{Applied, CommandError};
use crate::PresetManager;

pub(super) fn apply(ecm: &mut Ecm, command: &LoadProfiles) -> Result<Applied, CommandError> {
    let (made, replaced) = PresetManager::new(ecm)?.load_profiles(&command.sdf)?;
    let list = |verb: &str, names: Vec<String>| {
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    let done: Vec<String> =
        list("create", made).into_iter().chain(list("replace", replaced)).collect();
    Ok(Applied::to_world(format!("Load profiles: {}", done.join("; "))))
}
