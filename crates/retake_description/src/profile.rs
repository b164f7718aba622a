//! Physics profiles.

use serde::{Deserialize, Serialize};

use crate::Element;

/// A named set of physics settings: one `<physics>` element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhysicsProfile {
    /// Name, unique in the world.
    pub name: String,
    /// Whether the file marks it as the one to start with.
    pub is_default: bool,
    /// Engine, as SDF's `type` attribute names it.
    pub engine: String,
    /// Length of a step in seconds.
    pub max_step_size_secs: f64,
    /// Simulated seconds to aim at for each real second; 0 means as fast as possible.
    pub real_time_factor: f64,
    /// Everything else in the block, as it stood.
    pub extras: Vec<Element>,
}

impl Default for PhysicsProfile {
    fn default() -> Self {
        Self {
            name: "default_physics".to_owned(),
            is_default: false,
            engine: "ode".to_owned(),
            max_step_size_secs: 0.001,
            real_time_factor: 1.0,
            extras: Vec::new(),
        }
    }
}

impl PhysicsProfile {
    /// Names of the elements that a `<rapier>` block can have.
    pub const RAPIER_KEYS: [&'static str; 4] =
        ["substeps", "solver_iterations", "contact_frequency_factor", "contact_damping_ratio"];

    /// Finds an element of the block by its path, as in `rapier/substeps`.
    pub fn extra(&self, path: &str) -> Option<&Element> {
        let mut parts = path.split('/');
        let first = parts.next()?;
        let top = self.extras.iter().find(|element| element.name == first)?;
        parts.try_fold(top, |element, part| element.child(part))
    }
}
