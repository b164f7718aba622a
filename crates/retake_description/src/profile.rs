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
    pub const RAPIER_KEYS: [&'static str; 7] = [
        "substeps",
        "solver_iterations",
        "contact_frequency_factor",
        "contact_damping_ratio",
        "friction_model",
        "continuous_collision",
        "sleeping",
    ];

    /// Finds an element of the block by its path, as in `rapier/substeps`.
    pub fn extra(&self, path: &str) -> Option<&Element> {
        let mut parts = path.split('/');
        let first = parts.next()?;
        let top = self.extras.iter().find(|element| element.name == first)?;
        parts.try_fold(top, |element, part| element.child(part))
    }

    /// Sets the text of an element of the block by its path, and makes what is missing on the way.
    pub fn set_extra(&mut self, path: &str, text: &str) {
        let mut level = &mut self.extras;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let index = level.iter().position(|element| element.name == part);
            let index = index.unwrap_or_else(|| {
                level.push(Element { name: part.to_owned(), ..Element::default() });
                level.len() - 1
            });
            if parts.peek().is_none() {
                text.clone_into(&mut level[index].text);
            }
            level = &mut level[index].children;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_found_and_the_rest_stays() {
        let mut profile = PhysicsProfile::default();
        profile.set_extra("ode/solver/iters", "50");
        profile.set_extra("ode/solver/type", "quick");
        profile.set_extra("ode/solver/iters", "60");
        profile.set_extra("gravity", "0 0 -1");
        let text = |path: &str| profile.extra(path).map(|element| element.text.as_str());
        assert_eq!(text("ode/solver/iters"), Some("60"));
        assert_eq!(text("ode/solver/type"), Some("quick"));
        assert_eq!(text("gravity"), Some("0 0 -1"));
        assert_eq!(text("ode/solver/sor"), None);
        assert_eq!(profile.extras.len(), 2);
    }
}
