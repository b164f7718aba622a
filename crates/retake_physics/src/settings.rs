//! Settings of an engine, and the presets that ship.

use serde::{Deserialize, Serialize};

use crate::EngineError;

/// Settings of a physics engine.
///
/// They say how a step of any size is solved; the step size itself comes with each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Real sub-steps of each step, 1 to 64.
    pub substeps: u32,
    /// Sweeps of the constraint solver in each sub-step, 1 to 64.
    pub solver_iterations: u32,
    /// Stiffness of contacts: their natural frequency times the sub-step, 0.001 to 0.25.
    ///
    /// The frequency is recomputed when the step changes. Above 0.25 heavy things on light ones
    /// become unstable; below 0.01 stacks sink visibly.
    pub contact_frequency_factor: f64,
    /// Damping ratio of contacts, 0.1 to 100.
    pub contact_damping_ratio: f64,
    /// Greatest number of threads, 1 to 64; the results do not depend on it.
    pub worker_threads: u32,
    /// Whether fast bodies are stopped at what never moves, however thin it is.
    pub continuous_collision: bool,
    /// How friction is solved between free bodies.
    pub friction_model: FrictionModel,
    /// Whether free bodies that rest may fall asleep.
    pub sleeping: bool,
}

/// How friction is solved between free bodies; articulated ones always use [`Self::Coulomb`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrictionModel {
    /// One friction constraint and one twist constraint for each patch of contacts.
    #[default]
    Patch,
    /// One friction constraint for each contact point.
    Coulomb,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            substeps: 2,
            solver_iterations: 8,
            contact_frequency_factor: 0.1,
            contact_damping_ratio: 10.0,
            worker_threads: 1,
            continuous_collision: true,
            friction_model: FrictionModel::default(),
            sleeping: true,
        }
    }
}

impl EngineSettings {
    /// Names of the presets that ship, from the quickest to the most exact.
    pub const PRESET_NAMES: [&'static str; 3] = ["fast", "default", "accurate"];

    /// Returns the preset called `name`.
    pub fn preset(name: &str) -> Option<Self> {
        let (substeps, solver_iterations) = match name {
            "fast" => (1, 8),
            "default" => (2, 8),
            "accurate" => (4, 16),
            _ => return None,
        };
        Some(Self { substeps, solver_iterations, ..Self::default() })
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), EngineError> {
        check_count("substeps", f64::from(self.substeps))?;
        check_count("solver_iterations", f64::from(self.solver_iterations))?;
        let factor = self.contact_frequency_factor;
        within("contact_frequency_factor", factor, 0.001, 0.25, "0.001 to 0.25")?;
        within("contact_damping_ratio", self.contact_damping_ratio, 0.1, 100.0, "0.1 to 100")?;
        check_count("worker_threads", f64::from(self.worker_threads))
    }
}

/// Checks a setting that counts something, before it becomes a whole number.
pub(crate) fn check_count(field: &'static str, value: f64) -> Result<(), EngineError> {
    within(field, value, 1.0, 64.0, "1 to 64")
}

fn within(
    field: &'static str,
    value: f64,
    least: f64,
    most: f64,
    allowed: &'static str,
) -> Result<(), EngineError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(EngineError::BadSetting { field, value, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_known_by_name_and_valid() {
        for name in EngineSettings::PRESET_NAMES {
            EngineSettings::preset(name).unwrap().validate().unwrap();
        }
        assert_eq!(EngineSettings::preset("default"), Some(EngineSettings::default()));
        assert_eq!(EngineSettings::preset("quick"), None);
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let none = EngineSettings { substeps: 0, ..EngineSettings::default() };
        let text = none.validate().unwrap_err().to_string();
        assert_eq!(text, "physics setting substeps is 0; it must be 1 to 64");
        let nan = EngineSettings { contact_frequency_factor: f64::NAN, ..Default::default() };
        assert!(nan.validate().is_err());
    }
}
