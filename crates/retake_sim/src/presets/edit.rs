//! Single profiles: reading, checking and writing parameters.

use retake_description::{Element, PhysicsProfile};
use retake_physics::{
    EngineSettings, FrictionModel, PROFILE_KEYS, ProfileKey, engine_for, settings_of_profile,
};

use super::{PresetError, ProfileParam};

/// Finds a key.
pub(super) fn known(key: &str) -> Result<&'static ProfileKey, PresetError> {
    ProfileKey::find(key).ok_or_else(|| PresetError::UnknownKey { key: key.to_owned() })
}

/// A profile in which everything has its default.
pub(super) fn empty(name: &str) -> PhysicsProfile {
    let engine = engine_for("").to_owned();
    PhysicsProfile { name: name.to_owned(), engine, ..PhysicsProfile::default() }
}

/// Copies a profile under another name, with the same values in force.
pub(super) fn copy(of: &PhysicsProfile, name: &str) -> Result<PhysicsProfile, PresetError> {
    let mut copy = PhysicsProfile { name: name.to_owned(), is_default: false, ..of.clone() };
    // A profile named like a preset has its values from that; the copy must write them down.
    let wanted = settings_of_profile(of)?;
    let engine = engine_for(&of.engine);
    for key in PROFILE_KEYS.iter().filter(|key| key.engines.contains(&engine)) {
        let value = setting(&wanted, key.key);
        let differs = value != setting(&settings_of_profile(&copy)?, key.key);
        if let Some(value) = value.filter(|_| differs) {
            copy.set_extra(key.key, &value);
        }
    }
    Ok(copy)
}

/// Returns a parameter, as it would be in force.
pub(super) fn param(
    profile: &PhysicsProfile,
    key: &ProfileKey,
) -> Result<ProfileParam, PresetError> {
    let written = |value: String| ProfileParam { value, written: true };
    Ok(match key.key {
        "type" => written(profile.engine.clone()),
        "max_step_size" => written(profile.max_step_size_secs.to_string()),
        "real_time_factor" => written(profile.real_time_factor.to_string()),
        path => match profile.extra(path) {
            Some(element) => {
                let text = &element.text;
                written(key.normalized(text).unwrap_or_else(|| text.clone()))
            }
            None => {
                let value = setting(&settings_of_profile(profile)?, path);
                let value = value.unwrap_or_else(|| key.default.to_owned());
                ProfileParam { value, written: false }
            }
        },
    })
}

/// Sets a parameter after checking it.
pub(super) fn set_param(
    profile: &mut PhysicsProfile,
    key: &ProfileKey,
    value: &str,
) -> Result<(), PresetError> {
    let refused = || PresetError::BadValue {
        key: key.key.to_owned(),
        value: value.to_owned(),
        allowed: key.allowed_instead_of(value),
    };
    let value = key.normalized(value).ok_or_else(refused)?;
    // The table has let only numbers through.
    let number = || value.parse::<f64>().map_err(|_| refused());
    match key.key {
        "type" => profile.engine = value,
        "max_step_size" => profile.max_step_size_secs = number()?,
        "real_time_factor" => profile.real_time_factor = number()?,
        path => profile.set_extra(path, &value),
    }
    Ok(())
}

/// Checks everything in a profile that is known, used or not.
pub(super) fn check(profile: &PhysicsProfile) -> Result<(), PresetError> {
    settings_of_profile(profile)?;
    profile.extras.iter().try_for_each(|element| check_element(element, &element.name))
}

fn check_element(element: &Element, path: &str) -> Result<(), PresetError> {
    if let Some(key) = ProfileKey::find(path)
        && key.normalized(&element.text).is_none()
        && (!element.text.is_empty() || element.attributes.is_empty())
    {
        let (key, allowed) = (key.key.to_owned(), key.allowed());
        return Err(PresetError::BadValue { key, value: element.text.clone(), allowed });
    }
    let mut children = element.children.iter();
    children.try_for_each(|child| check_element(child, &format!("{path}/{}", child.name)))
}

/// Returns a setting of the engine by its key, as SDF writes it.
pub(super) fn setting(settings: &EngineSettings, key: &str) -> Option<String> {
    Some(match key {
        "rapier/substeps" | "mujoco/substeps" => settings.substeps.to_string(),
        "rapier/solver_iterations" | "mujoco/solver_iterations" => {
            settings.solver_iterations.to_string()
        }
        "rapier/contact_frequency_factor" => settings.contact_frequency_factor.to_string(),
        "rapier/contact_damping_ratio" => settings.contact_damping_ratio.to_string(),
        "rapier/friction_model" => match settings.friction_model {
            FrictionModel::Patch => "patch".to_owned(),
            FrictionModel::Coulomb => "coulomb".to_owned(),
        },
        "rapier/continuous_collision" => settings.continuous_collision.to_string(),
        "rapier/sleeping" => settings.sleeping.to_string(),
        _ => return None,
    })
}
