//! From a physics profile to engine settings.

use retake_components::{CurrentProfile, PhysicsProfiles};
use retake_description::{PhysicsProfile, bounds};
use retake_ecm::{Ecm, EntityId};
use thiserror::Error;

use crate::settings::check_count;
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
    /// A value that counts something has a fraction.
    #[error("profile {profile:?}: rapier/{key} is {value}; write a whole number")]
    NotWhole {
        /// Name of the profile.
        profile: String,
        /// Name of the element below `<rapier>`.
        key: &'static str,
        /// What stands there.
        value: f64,
    },
    /// The block has an element that is no setting.
    #[error("profile {profile:?}: rapier/{key} is no setting. Known: {known}")]
    UnknownKey {
        /// Name of the profile.
        profile: String,
        /// Name of the element below `<rapier>`.
        key: String,
        /// Names that there are.
        known: String,
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
/// [`ProfileError`] names the value that cannot be used, also when it is the step size or the
/// real time factor.
pub fn settings_of_profile(profile: &PhysicsProfile) -> Result<EngineSettings, ProfileError> {
    check_pace(profile)?;
    check_keys(profile)?;
    let mut settings = EngineSettings::preset(&profile.name).unwrap_or_default();
    let block = Block { profile };
    block.count("substeps", &mut settings.substeps)?;
    block.count("solver_iterations", &mut settings.solver_iterations)?;
    block.number("contact_frequency_factor", &mut settings.contact_frequency_factor)?;
    block.number("contact_damping_ratio", &mut settings.contact_damping_ratio)?;
    settings.validate().map_err(|source| out_of_range(profile, source))?;
    Ok(settings)
}

fn out_of_range(profile: &PhysicsProfile, source: EngineError) -> ProfileError {
    ProfileError::OutOfRange { profile: profile.name.clone(), source }
}

/// Refuses step sizes that the engine does not take, and paces that nobody can keep.
fn check_pace(profile: &PhysicsProfile) -> Result<(), ProfileError> {
    let refused = |field, value, allowed| {
        Err(out_of_range(profile, EngineError::BadSetting { field, value, allowed }))
    };
    let (step, factor) = (profile.max_step_size_secs, profile.real_time_factor);
    if !bounds::STEP_SECS.contains(step) {
        return refused("max_step_size", step, bounds::STEP_SECS.words);
    }
    if factor != 0.0 && !bounds::REAL_TIME_FACTOR.contains(factor) {
        return refused("real_time_factor", factor, bounds::REAL_TIME_FACTOR.words);
    }
    Ok(())
}

/// Refuses elements of `<rapier>` that are no settings: they are most likely typing mistakes.
fn check_keys(profile: &PhysicsProfile) -> Result<(), ProfileError> {
    let known = PhysicsProfile::RAPIER_KEYS;
    let block = profile.extra("rapier").map(|block| block.children.as_slice()).unwrap_or_default();
    match block.iter().find(|element| !known.contains(&element.name.as_str())) {
        None => Ok(()),
        Some(unknown) => Err(ProfileError::UnknownKey {
            profile: profile.name.clone(),
            key: unknown.name.clone(),
            known: known.join(", "),
        }),
    }
}

/// The `<rapier>` block of a profile.
struct Block<'a> {
    profile: &'a PhysicsProfile,
}

impl Block<'_> {
    /// Takes over a number if the block has it.
    fn number(&self, key: &'static str, into: &mut f64) -> Result<(), ProfileError> {
        let Some(element) = self.profile.extra(&format!("rapier/{key}")) else { return Ok(()) };
        let read = element.text.parse::<f64>().ok().filter(|value| value.is_finite());
        *into = read.ok_or_else(|| ProfileError::NotANumber {
            profile: self.profile.name.clone(),
            key: key.to_owned(),
            text: element.text.clone(),
        })?;
        Ok(())
    }

    /// Takes over a whole number if the block has it.
    fn count(&self, key: &'static str, into: &mut u32) -> Result<(), ProfileError> {
        let mut value = f64::from(*into);
        self.number(key, &mut value)?;
        if value.fract() != 0.0 {
            let profile = self.profile.name.clone();
            return Err(ProfileError::NotWhole { profile, key, value });
        }
        check_count(key, value).map_err(|source| out_of_range(self.profile, source))?;
        *into = value as u32;
        Ok(())
    }
}

/// Returns the profile in force.
pub(super) fn current_profile(ecm: &Ecm, world: EntityId) -> Option<&PhysicsProfile> {
    let name = &ecm.get::<CurrentProfile>(world)?.0;
    ecm.get::<PhysicsProfiles>(world)?.0.iter().find(|profile| profile.name == *name)
}

#[cfg(test)]
mod tests {
    use retake_description::Element;

    use super::*;

    fn profile(keys: &[(&str, &str)]) -> PhysicsProfile {
        let element = |name: &str, text: &str| Element {
            name: name.to_owned(),
            text: text.to_owned(),
            ..Element::default()
        };
        let children = keys.iter().map(|(name, text)| element(name, text)).collect();
        let block = Element { children, ..element("rapier", "") };
        PhysicsProfile { name: "p".to_owned(), extras: vec![block], ..PhysicsProfile::default() }
    }

    fn refusal(profile: &PhysicsProfile) -> String {
        settings_of_profile(profile).unwrap_err().to_string()
    }

    #[test]
    fn every_key_is_taken_over() {
        let values = ["3", "5", "0.2", "7"];
        let keys: Vec<_> = PhysicsProfile::RAPIER_KEYS.into_iter().zip(values).collect();
        let settings = settings_of_profile(&profile(&keys)).unwrap();
        assert_eq!((settings.substeps, settings.solver_iterations), (3, 5));
        assert_eq!(settings.contact_frequency_factor, 0.2);
        assert_eq!(settings.contact_damping_ratio, 7.0);
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        for (key, text, said) in [
            ("substeps", "2.9", "rapier/substeps is 2.9; write a whole number"),
            ("substeps", "nan", "rapier/substeps is \"nan\"; write a number"),
            (
                "substeps",
                "1e30",
                "physics setting substeps is 1000000000000000000000000000000; it must be 1 to 64",
            ),
            ("substeps", "-3", "physics setting substeps is -3; it must be 1 to 64"),
            ("solver_iterations", "x", "rapier/solver_iterations is \"x\"; write a number"),
            (
                "substepz",
                "9",
                "rapier/substepz is no setting. Known: substeps, solver_iterations, \
                 contact_frequency_factor, contact_damping_ratio",
            ),
        ] {
            assert_eq!(refusal(&profile(&[(key, text)])), format!("profile \"p\": {said}"));
        }
    }

    #[test]
    fn steps_and_paces_that_cannot_be_are_refused() {
        let step = |secs| PhysicsProfile { max_step_size_secs: secs, ..profile(&[]) };
        for secs in [0.5, 1e9, 1e-12, 0.0, -0.001, f64::NAN] {
            let said = refusal(&step(secs));
            let expected = format!("setting max_step_size is {secs}; it must be 1e-9 to 0.1 s");
            assert!(said.ends_with(&expected), "{said}");
        }
        settings_of_profile(&step(1e-9)).unwrap();
        settings_of_profile(&step(0.1)).unwrap();
        let pace = |factor| PhysicsProfile { real_time_factor: factor, ..profile(&[]) };
        for factor in [1e-300, -1.0, 1001.0, f64::INFINITY] {
            let said = refusal(&pace(factor));
            let expected = "it must be 0, or from 0.001 to 1000";
            assert!(said.contains("real_time_factor is") && said.ends_with(expected), "{said}");
        }
        settings_of_profile(&pace(0.0)).unwrap();
    }
}
