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
    // The models first: the other links are placed relative to where these are now.
    for (link, state) in moved {
        if let Some((model, model_from_link)) = index.place(*link).and_then(|at| at.carries) {
            let world_from_model = state.world_from_link * model_from_link.inverse();
            write(ecm, model, LocalPose(world_from_model));
        }
        write(ecm, *link, BodyTwist(state.twist));
    }
    let mut holder_pose: Option<(EntityId, Pose)> = None;
    for (link, state) in moved {
        let Some(place) = index.place(*link).filter(|at| at.carries.is_none()) else { continue };
        let holder_from_world = match holder_pose {
            Some((holder, pose)) if holder == place.holder => pose,
            _ => world_pose(ecm, place.holder).inverse(),
        };
        holder_pose = Some((place.holder, holder_from_world));
        write(ecm, *link, LocalPose(holder_from_world * state.world_from_link));
    }
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

fn write<T: Component>(ecm: &mut Ecm, entity: EntityId, value: T) {
    // The engine only knows entities that the Ecm has; one that is gone is removed next.
    ecm.set(entity, value).ok();
}
