//! The gravity that acts.

use retake_components::{Gravity, world_entity};
use retake_ecm::Ecm;
use retake_math::Vec3;
use retake_physics::gravity_of_profile;

use super::PresetManager;

/// Returns the gravity that acts in m/s²: the profile's when it has one, else the world's.
pub(crate) fn gravity_in_force(ecm: &Ecm) -> Vec3 {
    let presets = PresetManager::new(ecm).ok();
    let profile = presets.as_ref().and_then(|all| all.profile(all.current_profile()).ok());
    // One that cannot be used was refused when the profile was.
    let own = profile.and_then(|profile| gravity_of_profile(profile).ok().flatten());
    let of_world = world_entity(ecm).and_then(|world| ecm.get::<Gravity>(world));
    own.or_else(|| of_world.map(|gravity| gravity.0)).unwrap_or(Vec3::ZERO)
}
