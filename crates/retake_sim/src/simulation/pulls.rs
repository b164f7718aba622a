//! Pulls that nobody renews end by themselves: whoever held on may be gone.

use retake_components::Pull;
use retake_ecm::{Ecm, EntityId};
use retake_math::SimTime;

/// Lets go of every link whose pull is over at `now`.
pub(super) fn end_pulls(ecm: &mut Ecm, now: SimTime) {
    let over = ecm.iter::<Pull>().filter(|(_, pull)| pull.until <= now);
    let over: Vec<EntityId> = over.map(|(link, _)| link).collect();
    for link in over {
        ecm.remove::<Pull>(link);
    }
}
