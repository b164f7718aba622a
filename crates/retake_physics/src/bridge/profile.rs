//! From a physics profile to engine settings.

use retake_components::{CurrentProfile, PhysicsProfiles};
use retake_description::PhysicsProfile;
use retake_ecm::{Ecm, EntityId};
use thiserror::Error;

use crate::{EngineError, EngineSettings};

/// A profile that asks for something impossible.
#[derive(Debug, PartialEq, Error)]
pub enum ProfileError {
    /// A value is not a number.
    #[error("profile {profile:?}: rapier/{key} is {text:?}; write a number")]
    NotANumber {
        /// Name of the profile.
        profile: String,
        /// Name of the element below `<rapier>`.
        key: String,
        /// What stands there.
        text: String,
    },
    /// A value is out of range.
    #[error("profile {profile:?}: {source}")]
    OutOfRange {
        /// Name of the profile.
        profile: String,
        /// Which value, and what is allowed.
        source: EngineError,
    },
}

/// Returns the engine settings that a profile asks for.
///
/// A profile named like a preset (`fast`, `default`, `accurate`) starts from it, any other from
/// `default`; a `<rapier>` block changes single values.
///
/// # Errors
/// [`ProfileError`] names the value that cannot be used.
pub fn settings_of_profile(profile: &PhysicsProfile) -> Result<EngineSettings, ProfileError> {
    let mut settings = EngineSettings::preset(&profile.name).unwrap_or_default();
    let number = |key: &str| -> Result<Option<f64>, ProfileError> {
        let Some(element) = profile.extra(&format!("rapier/{key}")) else { return Ok(None) };
        element.text.parse().map(Some).map_err(|_| ProfileError::NotANumber {
            profile: profile.name.clone(),
            key: key.to_owned(),
            text: element.text.clone(),
        })
    };
    if let Some(value) = number("substeps")? {
        settings.substeps = value as u32;
    }
    if let Some(value) = number("solver_iterations")? {
        settings.solver_iterations = value as u32;
    }
    if let Some(value) = number("contact_frequency_factor")? {
        settings.contact_frequency_factor = value;
    }
    if let Some(value) = number("contact_damping_ratio")? {
        settings.contact_damping_ratio = value;
    }
    let checked = settings.validate().map(|()| settings);
    checked.map_err(|source| ProfileError::OutOfRange { profile: profile.name.clone(), source })
}

/// Returns the profile in force.
pub(super) fn current_profile(ecm: &Ecm, world: EntityId) -> Option<&PhysicsProfile> {
    let name = &ecm.get::<CurrentProfile>(world)?.0;
    ecm.get::<PhysicsProfiles>(world)?.0.iter().find(|profile| profile.name == *name)
}
