//! From the engine to the Ecm: where everything is after a step.

use retake_components::{
    BodyTwist, JointEffort, JointPosition, JointVelocity, LocalPose, world_pose,
};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Pose;

use super::index::BodyIndex;
use crate::{BodyState, Engine, JointState};

/// Writes poses and velocities of links, and the poses of the models they carry.
pub(super) fn write_bodies(moved: &[(EntityId, BodyState)], index: &BodyIndex, ecm: &mut Ecm) {
    let mut carried = Vec::with_capacity(moved.len());
    let mut hung = Vec::new();
    let mut hint = 0;
    for (link, state) in moved {
        let Some(place) = index.place(*link, &mut hint) else { continue };
        match place.carries {
            Some((model, model_from_link)) => {
                let world_from_model = state.world_from_link * model_from_link.inverse();
                carried.push((model, LocalPose(world_from_model)));
            }
            None => hung.push((*link, place.holder, state.world_from_link)),
        }
    }
    // The models first: the other links are placed relative to where these are now.
    ecm.overwrite(carried);
    ecm.overwrite(moved.iter().map(|(link, state)| (*link, BodyTwist(state.twist))));
    let placed = place_in_holders(&hung, ecm);
    ecm.overwrite(placed);
}

/// Turns world poses of links into poses in the models that hold them.
fn place_in_holders(hung: &[(EntityId, EntityId, Pose)], ecm: &Ecm) -> Vec<(EntityId, LocalPose)> {
    let mut last: Option<(EntityId, Pose)> = None;
    let place = |(link, holder, world_from_link): &(EntityId, EntityId, Pose)| {
        // Links of one model come one after the other.
        let holder_from_world = match last {
            Some((known, pose)) if known == *holder => pose,
            _ => world_pose(ecm, *holder).inverse(),
        };
        last = Some((*holder, holder_from_world));
        (*link, LocalPose(holder_from_world * *world_from_link))
    };
    hung.iter().map(place).collect()
}

/// Writes positions, velocities and efforts of joints.
pub(super) fn pull_joints(engine: &dyn Engine, ecm: &mut Ecm) {
    engine.visit_joints(&mut |joint, axes| {
        write_axes::<JointPosition>(ecm, joint, axes, |axis| axis.position);
        write_axes::<JointVelocity>(ecm, joint, axes, |axis| axis.velocity);
        write_axes::<JointEffort>(ecm, joint, axes, |axis| axis.effort);
    });
}

/// A component with one number for each axis.
pub(super) trait PerAxis: Component {
    fn values(&self) -> &[f64];
    fn values_mut(&mut self) -> &mut Vec<f64>;
}

macro_rules! per_axis {
    ($($component:ty),*) => {$(
        impl PerAxis for $component {
            fn values(&self) -> &[f64] {
                &self.0
            }

            fn values_mut(&mut self) -> &mut Vec<f64> {
                &mut self.0
            }
        }
    )*};
}

per_axis!(JointPosition, JointVelocity, JointEffort);

fn write_axes<T: PerAxis>(
    ecm: &mut Ecm,
    joint: EntityId,
    axes: &[JointState],
    value: fn(&JointState) -> f64,
) {
    let Some(current) = ecm.get::<T>(joint) else { return };
    if current.values().iter().copied().eq(axes.iter().map(value)) {
        return;
    }
    if let Some(current) = ecm.get_mut::<T>(joint) {
        let values = current.values_mut();
        values.clear();
        values.extend(axes.iter().map(value));
    }
}
