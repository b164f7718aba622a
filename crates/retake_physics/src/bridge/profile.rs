//! From a physics profile to engine settings.

use retake_components::{CurrentProfile, Gravity, PhysicsProfiles};
use retake_description::{PhysicsProfile, bounds};
use retake_ecm::{Ecm, EntityId};
use retake_math::Vec3;
use thiserror::Error;

use crate::FrictionModel;
use crate::keys::{self, ProfileKey};

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
    /// A value is none of those that there are.
    #[error("profile {profile:?}: {key} is {text:?}; write {allowed}")]
    NotAllowed {
        /// Name of the profile.
        profile: String,
        /// Path of the element below `<physics>`.
        key: String,
        /// What stands there.
        text: String,
        /// What would have been accepted.
        allowed: String,
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
    #[cfg(feature = "mujoco")]
    if keys::engine_for(&profile.engine) == keys::MUJOCO {
        return mujoco_settings(profile);
    }
    let mut settings = EngineSettings::preset(&profile.name).unwrap_or_default();
    let block = Block { profile };
    block.count("substeps", &mut settings.substeps)?;
    block.count("solver_iterations", &mut settings.solver_iterations)?;
    block.number("contact_frequency_factor", &mut settings.contact_frequency_factor)?;
    block.number("contact_damping_ratio", &mut settings.contact_damping_ratio)?;
    block.flag("rapier/continuous_collision", &mut settings.continuous_collision)?;
    block.flag("rapier/sleeping", &mut settings.sleeping)?;
    if let Some(word) = block.allowed("rapier/friction_model")? {
        settings.friction_model = match word.as_str() {
            "coulomb" => FrictionModel::Coulomb,
            _ => FrictionModel::Patch,
        };
    }
    settings.validate().map_err(|source| out_of_range(profile, source))?;
    gravity_of_profile(profile)?;
    Ok(settings)
}

/// Returns the settings for MuJoCo: its own presets, changed by a `<mujoco>` block.
#[cfg(feature = "mujoco")]
fn mujoco_settings(profile: &PhysicsProfile) -> Result<EngineSettings, ProfileError> {
    let preset = crate::MujocoEngine::preset;
    let named = preset(&profile.name).or_else(|| preset("default"));
    let mut settings = named.unwrap_or_default();
    let block = Block { profile };
    let count = |path: &str, into: &mut u32| -> Result<(), ProfileError> {
        let read = block.allowed(path)?;
        *into = read.and_then(|text| text.parse().ok()).unwrap_or(*into);
        Ok(())
    };
    count("mujoco/substeps", &mut settings.substeps)?;
    count("mujoco/solver_iterations", &mut settings.solver_iterations)?;
    gravity_of_profile(profile)?;
    Ok(settings)
}

/// Returns the gravity in m/s² that a profile asks for instead of the world's.
///
/// # Errors
/// [`ProfileError::NotAllowed`] when it has one that cannot be used.
pub fn gravity_of_profile(profile: &PhysicsProfile) -> Result<Option<Vec3>, ProfileError> {
    let text = Block { profile }.allowed("gravity")?;
    Ok(text.as_deref().and_then(keys::vector))
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

/// The elements of a profile.
struct Block<'a> {
    profile: &'a PhysicsProfile,
}

impl Block<'_> {
    /// Returns the value of a setting as the table of keys reads it, if the profile has it.
    fn allowed(&self, path: &str) -> Result<Option<String>, ProfileError> {
        let Some(element) = self.profile.extra(path) else { return Ok(None) };
        let Some(key) = ProfileKey::find(path) else { return Ok(None) };
        let refused = || ProfileError::NotAllowed {
            profile: self.profile.name.clone(),
            key: path.to_owned(),
            text: element.text.clone(),
            allowed: key.allowed(),
        };
        key.normalized(&element.text).map(Some).ok_or_else(refused)
    }

    /// Takes over true or false if the profile has it.
    fn flag(&self, path: &str, into: &mut bool) -> Result<(), ProfileError> {
        let read = self.allowed(path)?;
        *into = read.as_deref().and_then(keys::flag).unwrap_or(*into);
        Ok(())
    }

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

/// Returns the gravity that acts: the profile's when it has one, else the world's.
pub(super) fn gravity_in_force(ecm: &Ecm, world: EntityId) -> Option<Vec3> {
    // One that cannot be used was refused when the profile was.
    let own = current_profile(ecm, world).and_then(|p| gravity_of_profile(p).ok().flatten());
    own.or_else(|| ecm.get::<Gravity>(world).map(|gravity| gravity.0))
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
        let values = ["3", "5", "0.2", "7", "coulomb", "false", "0"];
        let keys: Vec<_> = PhysicsProfile::RAPIER_KEYS.into_iter().zip(values).collect();
        let settings = settings_of_profile(&profile(&keys)).unwrap();
        assert_eq!((settings.substeps, settings.solver_iterations), (3, 5));
        assert_eq!(settings.contact_frequency_factor, 0.2);
        assert_eq!(settings.contact_damping_ratio, 7.0);
        assert_eq!(settings.friction_model, FrictionModel::Coulomb);
        assert!(!settings.continuous_collision && !settings.sleeping);
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
                 contact_frequency_factor, contact_damping_ratio, friction_model, \
                 continuous_collision, sleeping",
            ),
            ("sleeping", "maybe", "rapier/sleeping is \"maybe\"; write true or false"),
            (
                "friction_model",
                "cone",
                "rapier/friction_model is \"cone\"; write one of: patch, coulomb",
            ),
        ] {
            assert_eq!(refusal(&profile(&[(key, text)])), format!("profile \"p\": {said}"));
        }
    }

    #[test]
    fn a_profile_may_have_gravity() {
        assert_eq!(gravity_of_profile(&profile(&[])), Ok(None));
        let mut moon = profile(&[]);
        moon.set_extra("gravity", "0 0 -1.6");
        assert_eq!(gravity_of_profile(&moon), Ok(Some(Vec3::new(0.0, 0.0, -1.6))));
        moon.set_extra("gravity", "down");
        let said = "profile \"p\": gravity is \"down\"; write three numbers from -1e6 to 1e6 m/s²";
        assert_eq!(refusal(&moon), said);
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
