//! Profiles that outlast a reset.

use retake_components::{CurrentProfile, PhysicsProfiles, world_entity};
use retake_ecm::Ecm;

use super::{PresetError, PresetManager};

/// The profiles of a world and which of them is in force.
pub(crate) struct KeptProfiles {
    profiles: PhysicsProfiles,
    current: CurrentProfile,
}

impl KeptProfiles {
    /// Copies them; none when there is no world.
    pub(crate) fn of(ecm: &Ecm) -> Option<Self> {
        let world = world_entity(ecm)?;
        let (profiles, current) = (ecm.get(world)?, ecm.get(world)?);
        Some(Self {
            profiles: PhysicsProfiles::clone(profiles),
            current: CurrentProfile::clone(current),
        })
    }

    /// Puts them in place.
    pub(crate) fn put_back(self, ecm: &mut Ecm) -> Result<(), PresetError> {
        let world = world_entity(ecm).ok_or(PresetError::NoWorld)?;
        if let Some(profiles) = ecm.get_mut::<PhysicsProfiles>(world) {
            *profiles = self.profiles;
        }
        PresetManager::new(ecm)?.set_current_profile(&self.current.0)
    }
}
