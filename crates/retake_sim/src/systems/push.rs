//! Pushing links at a place.

use retake_components::{ExternalWrench, Inertia, world_pose};
use retake_ecm::{Ecm, EntityId};
use retake_math::Vec3;

/// Pushes a link at a place in the world during the next step, all in world axes.
pub(super) fn push_at(ecm: &mut Ecm, link: EntityId, place: Vec3, force: Vec3, torque: Vec3) {
    let centre = ecm.get::<Inertia>(link).map(|inertia| inertia.0.link_from_com.position);
    let centre = world_pose(ecm, link).transform_point(centre.unwrap_or_default());
    let torque = torque + (place - centre).cross(force);
    // What is not finite comes of numbers beyond all bounds, and pushes nothing.
    if force.is_finite() && torque.is_finite() {
        ExternalWrench::add(ecm, link, force, torque);
    }
}
