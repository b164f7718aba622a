//! The settings that a physics profile can have: one table for refusals, sliders and reports.
//!
//! Keys are SDF's names as a path below `<physics>`. What SDF knows and no engine here uses is in
//! the table too: it can be set and is kept, and [`unused_settings`] says that it has no effect.

mod table;
mod unused;

use retake_math::Vec3;

pub use table::PROFILE_KEYS;
pub use unused::{UnusedSetting, unused_settings};

/// Name of the engine that does everything.
pub(crate) const RAPIER: &str = "rapier";
/// Name of the kinematic engine.
pub(crate) const TPE: &str = "tpe";
/// Name of the engine that is quickest with robots, in builds that have it.
pub(crate) const MUJOCO: &str = "mujoco";
/// Whether this build has MuJoCo.
pub(crate) const HAS_MUJOCO: bool = cfg!(feature = "mujoco");
/// What to do about a build without MuJoCo.
const NO_MUJOCO: &str = "this build has no MuJoCo; build it with --features mujoco";

/// A setting of a physics profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfileKey {
    /// Path below `<physics>`, as in `rapier/substeps`; `type` is the attribute.
    pub key: &'static str,
    /// What its value can be.
    pub kind: KeyKind,
    /// Unit; empty for a plain number.
    pub unit: &'static str,
    /// Value when the profile says nothing and is not named like a preset.
    pub default: &'static str,
    /// What it does, one sentence without a period.
    pub about: &'static str,
    /// Engines that use it.
    pub engines: &'static [&'static str],
}

/// What the value of a setting can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyKind {
    /// A number from the first to the second.
    Number(f64, f64),
    /// Zero, or a number from the first to the second.
    ZeroOrNumber(f64, f64),
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// True or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Three numbers, each from the first to the second.
    Vector(f64, f64),
}

impl ProfileKey {
    /// Finds a setting by its path.
    pub fn find(key: &str) -> Option<&'static Self> {
        PROFILE_KEYS.iter().find(|known| known.key == key)
    }

    /// Says what is allowed, fitting after "write".
    pub fn allowed(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match self.kind {
            KeyKind::Number(least, most) => {
                format!("a number from {} to {}{unit}", brief(least), brief(most))
            }
            KeyKind::ZeroOrNumber(least, most) => {
                format!("0, or a number from {} to {}{unit}", brief(least), brief(most))
            }
            KeyKind::Count(least, most) => format!("a whole number from {least} to {most}{unit}"),
            KeyKind::Flag => "true or false".to_owned(),
            KeyKind::Choice(words) => format!("one of: {}", words.join(", ")),
            KeyKind::Vector(least, most) => {
                format!("three numbers from {} to {}{unit}", brief(least), brief(most))
            }
        }
    }

    /// Says what is allowed instead of `value`, which is not.
    pub fn allowed_instead_of(&self, value: &str) -> String {
        let allowed = self.allowed();
        match self.key == "type" && value.trim() == MUJOCO && !HAS_MUJOCO {
            true => format!("{allowed}. As for mujoco, {NO_MUJOCO}"),
            false => allowed,
        }
    }

    /// Returns the value that a text means, as SDF writes it; none when it is not allowed.
    pub fn normalized(&self, text: &str) -> Option<String> {
        let text = text.trim();
        match self.kind {
            KeyKind::Number(least, most) => {
                number(text).filter(|value| (least..=most).contains(value)).map(shown)
            }
            KeyKind::ZeroOrNumber(least, most) => {
                let fits = |value: &f64| *value == 0.0 || (least..=most).contains(value);
                number(text).filter(fits).map(shown)
            }
            KeyKind::Count(least, most) => {
                let (least, most) = (f64::from(least), f64::from(most));
                let fits = |value: &f64| value.fract() == 0.0 && (least..=most).contains(value);
                number(text).filter(fits).map(shown)
            }
            KeyKind::Flag => flag(text).map(|value| value.to_string()),
            KeyKind::Choice(words) => words.contains(&text).then(|| text.to_owned()),
            KeyKind::Vector(least, most) => {
                let fits = |v: &Vec3| v.to_array().iter().all(|x| (least..=most).contains(x));
                let vector = vector(text).filter(fits);
                vector.map(|v| v.to_array().map(shown).join(" "))
            }
        }
    }
}

/// Writes a number so that reading gives the same bits; zero has no sign.
fn shown(value: f64) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    if value != 0.0 && !(1e-5..1e15).contains(&value.abs()) {
        return format!("{value:e}");
    }
    value.to_string()
}

/// Writes a bound.
fn brief(value: f64) -> String {
    let size = value.abs();
    if size >= 1e5 || (size > 0.0 && size < 1e-4) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Reads a flag as SDF writes it.
pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Reads three numbers.
pub(crate) fn vector(text: &str) -> Option<Vec3> {
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    match numbers?.as_slice() {
        [x, y, z] => Some(Vec3::new(*x, *y, *z)),
        _ => None,
    }
}

/// Returns the name of the engine that simulates a profile of this `type`.
///
/// Rapier stands in for every engine that is not here.
pub fn engine_for(profile_type: &str) -> &'static str {
    match profile_type {
        TPE => TPE,
        MUJOCO if HAS_MUJOCO => MUJOCO,
        _ => RAPIER,
    }
}

#[cfg(test)]
mod tests {
    use retake_description::PhysicsProfile;

    use super::*;

    #[test]
    fn defaults_are_allowed_and_keys_differ() {
        for (index, key) in PROFILE_KEYS.iter().enumerate() {
            // Gravity is the world's unless the profile says otherwise.
            if key.key != "gravity" {
                assert_eq!(key.normalized(key.default).as_deref(), Some(key.default), "{key:?}");
            }
            assert!(PROFILE_KEYS[..index].iter().all(|other| other.key != key.key), "{key:?}");
            assert!(!key.about.ends_with('.'), "{key:?}");
        }
    }

    #[test]
    fn the_table_has_what_a_rapier_block_can_have() {
        let below = PROFILE_KEYS.iter().filter_map(|key| key.key.strip_prefix("rapier/"));
        assert_eq!(below.collect::<Vec<_>>(), PhysicsProfile::RAPIER_KEYS);
    }

    #[test]
    fn values_are_read_by_kind() {
        let read = |key: &str, text: &str| ProfileKey::find(key).unwrap().normalized(text);
        for (key, text, value) in [
            ("max_step_size", " 2e-3 ", Some("0.002")),
            ("max_step_size", "1e-9", Some("1e-9")),
            ("max_step_size", "0", None),
            ("max_step_size", "fast", None),
            ("max_step_size", "inf", None),
            ("real_time_factor", "-0", Some("0")),
            ("real_time_factor", "0.0001", None),
            ("rapier/substeps", "4.0", Some("4")),
            ("rapier/substeps", "4.5", None),
            ("rapier/substeps", "65", None),
            ("rapier/sleeping", "1", Some("true")),
            ("rapier/sleeping", "yes", None),
            ("rapier/friction_model", "coulomb", Some("coulomb")),
            ("rapier/friction_model", "Coulomb", None),
            ("gravity", "0  0 -3.70", Some("0 0 -3.7")),
            ("gravity", "0 0", None),
            ("gravity", "0 0 1e9", None),
            ("type", "tpe", Some("tpe")),
            ("type", "havok", None),
            ("type", "mujoco", HAS_MUJOCO.then_some("mujoco")),
        ] {
            assert_eq!(read(key, text).as_deref(), value, "{key} {text}");
        }
    }

    #[test]
    fn a_build_without_mujoco_says_so() {
        let engine = ProfileKey::find("type").unwrap();
        let said = engine.allowed_instead_of("mujoco");
        assert_eq!(said.ends_with(NO_MUJOCO), !HAS_MUJOCO, "{said}");
        assert!(!engine.allowed_instead_of("havok").contains("MuJoCo"));
        assert_eq!(engine_for("mujoco"), if HAS_MUJOCO { MUJOCO } else { RAPIER });
    }

    #[test]
    fn what_is_allowed_is_said() {
        let said = |key: &str| ProfileKey::find(key).unwrap().allowed();
        assert_eq!(said("max_step_size"), "a number from 1e-9 to 0.1 s");
        assert_eq!(said("real_time_factor"), "0, or a number from 0.001 to 1000");
        assert_eq!(said("rapier/substeps"), "a whole number from 1 to 64");
        assert_eq!(said("gravity"), "three numbers from -1e6 to 1e6 m/s²");
        assert_eq!(said("rapier/friction_model"), "one of: patch, coulomb");
    }
}
