//! Links that systems push: thrusters, lift, scripts.

use retake_components::ExternalWrench;
use retake_ecm::{Ecm, EntityId};

use crate::Engine;

/// Pushes every link that is to be pushed, for the next step.
pub(super) fn push_links(engine: &mut dyn Engine, ecm: &Ecm) {
    for (link, wrench) in ecm.iter::<ExternalWrench>() {
        if *wrench != ExternalWrench::default() {
            // A link that the engine does not have, or numbers beyond all bounds: nothing is pushed.
            engine.apply_wrench(link, wrench.force, wrench.torque).ok();
        }
    }
}

/// Ends every push: whoever wants it to go on says so again.
pub(super) fn let_go(ecm: &mut Ecm) {
    let pushed = ecm.iter::<ExternalWrench>();
    let pushed = pushed.filter(|(_, wrench)| **wrench != ExternalWrench::default());
    let pushed: Vec<EntityId> = pushed.map(|(link, _)| link).collect();
    if !pushed.is_empty() {
        ecm.overwrite(pushed.into_iter().map(|link| (link, ExternalWrench::default())));
    }
}
