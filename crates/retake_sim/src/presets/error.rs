//! Why a physics profile was not changed.

use retake_physics::{PROFILE_KEYS, ProfileError};
use thiserror::Error;

/// Why a change of profiles was refused; nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PresetError {
    /// There is no world to have profiles.
    #[error("There is no world")]
    NoWorld,
    /// No such profile.
    #[error("No profile named {name:?} in this world. Known: {}", known.join(", "))]
    UnknownProfile {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The name is taken.
    #[error("There is a profile named {name:?} already. Choose another name, or replace it")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The name cannot be used.
    #[error(
        "{name:?} is no name for a profile; use up to {most} characters without control characters"
    )]
    BadName {
        /// The name, cut short.
        name: String,
        /// How many characters it may have.
        most: usize,
    },
    /// There are enough.
    #[error("There are {most} profiles already; remove one first")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
    /// The profile is in force.
    #[error("Profile {name:?} is in force. Switch to another first: {}", listed(others))]
    InForce {
        /// The profile.
        name: String,
        /// The other profiles.
        others: Vec<String>,
    },
    /// No parameter was named.
    #[error("The command names no parameter to set")]
    NoParam,
    /// More parameters than there are.
    #[error("The command sets {count} parameters; there are {known}")]
    TooManyParams {
        /// How many it names.
        count: usize,
        /// How many there are.
        known: usize,
    },
    /// No such parameter.
    #[error("No physics parameter named {key:?}. {}", known_keys(key))]
    UnknownKey {
        /// What was asked for.
        key: String,
    },
    /// A value of the wrong type, or out of range.
    #[error("{key} is {value:?}; write {allowed}")]
    BadValue {
        /// The parameter.
        key: String,
        /// What was given.
        value: String,
        /// What would have been accepted.
        allowed: String,
    },
    /// The SDF text cannot be used.
    #[error("The SDF text cannot be used: {findings}")]
    BadSdf {
        /// What is wrong with it, each with its place.
        findings: String,
    },
    /// The profile is too long to be kept and sent.
    #[error("Profile {name:?} has {bytes} bytes of SDF; at most {most} can be kept")]
    TooLong {
        /// The profile.
        name: String,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// The profile asks for something impossible.
    #[error("{reason}")]
    Impossible {
        /// Which value, and what is allowed.
        reason: String,
    },
}

impl From<ProfileError> for PresetError {
    fn from(error: ProfileError) -> Self {
        Self::Impossible { reason: error.to_string() }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "there is none; create one".to_owned() } else { names.join(", ") }
}

/// Lists the keys with the same beginning, or those that have an effect when there are none.
fn known_keys(key: &str) -> String {
    let family = key.split_once('/').map(|(family, _)| format!("{family}/"));
    let in_family = |known: &&str| family.as_ref().is_some_and(|f| known.starts_with(f.as_str()));
    let keys = PROFILE_KEYS.iter().map(|known| known.key);
    let near: Vec<&str> = keys.filter(in_family).collect();
    if !near.is_empty() {
        return format!("Known: {}", near.join(", "));
    }
    let used = PROFILE_KEYS.iter().filter(|known| !known.engines.is_empty());
    let used: Vec<&str> = used.map(|known| known.key).collect();
    format!(
        "Known: {}; and without effect here ode/…, bullet/…, dart/… and simbody/… of SDF",
        used.join(", ")
    )
}
