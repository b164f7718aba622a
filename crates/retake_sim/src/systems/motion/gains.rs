//! How strongly joints are driven: as their controllers do.

use std::collections::BTreeMap;

use retake_components::PluginConfig;
use retake_ecm::{Ecm, EntityId};

use super::components::Gains;
use crate::systems::Params;

/// Returns the gains that the controllers and waves of a model give to its joints.
pub(super) fn of_controllers(ecm: &Ecm, model: EntityId) -> BTreeMap<String, Gains> {
    let mut all = BTreeMap::new();
    for plugin in ecm.children(model) {
        let Some(config) = ecm.get::<PluginConfig>(*plugin) else { continue };
        let defaults = match config.0.name.rsplit("::").next() {
            Some("JointPositionController") => (1.0, 0.01),
            Some("JointWave") => (1000.0, 100.0),
            _ => continue,
        };
        let params = Params::new(&config.0);
        let Some(gains) = read(&params, defaults) else { continue };
        for joint in params.texts("joint_name") {
            all.insert(joint.trim().to_owned(), gains);
        }
    }
    all
}

/// Reads gains; what makes no sense is the affair of the system that has it.
fn read(params: &Params<'_>, (p_gain, d_gain): (f64, f64)) -> Option<Gains> {
    let number = |name: &str| params.number(name).ok().flatten();
    let stiffness = number("p_gain").unwrap_or(p_gain);
    let damping = number("d_gain").unwrap_or(d_gain).max(0.0);
    let bound = |name: &str| number(name).map_or(f64::INFINITY, f64::abs);
    let max_effort = bound("cmd_max").max(bound("cmd_min"));
    (stiffness > 0.0).then_some(Gains { stiffness, damping, max_effort })
}
