//! From the engine to the Ecm: where everything is after a step.

use retake_components::{
    BodyTwist, JointEffort, JointPosition, JointVelocity, LocalPose, world_pose,
};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Pose;

use super::index::{BodyIndex, LinkPlace};
use crate::{BodyState, Engine, JointState, Visit};

/// What a pull reads of bodies, kept between steps so that its room is used again.
#[derive(Default)]
pub(super) struct BodiesRead {
    moved: Vec<(EntityId, BodyState)>,
    /// Links that carry no model, with their holder and where they are in the world.
    hung: Vec<(EntityId, EntityId, Pose)>,
}

impl BodiesRead {
    /// Writes poses and velocities of links, and the poses of the models they carry.
    pub(super) fn pull(&mut self, engine: &dyn Engine, index: &BodyIndex, ecm: &mut Ecm) {
        let Self { moved, hung } = self;
        moved.clear();
        engine.visit_bodies(Visit::Moved, &mut |link, state| moved.push((link, *state)));
        write_bodies(moved, index, ecm, hung);
    }
}

fn write_bodies(
    moved: &[(EntityId, BodyState)],
    index: &BodyIndex,
    ecm: &mut Ecm,
    hung: &mut Vec<(EntityId, EntityId, Pose)>,
) {
    hung.clear();
    let mut hint = 0;
    let carried = moved.iter().filter_map(|(link, state)| {
        let here = state.world_from_link;
        match index.place(*link, &mut hint)? {
            LinkPlace::Is(model) => Some((*model, LocalPose(here))),
            LinkPlace::Carries(model, link_from_model) => {
                Some((*model, LocalPose(here * **link_from_model)))
            }
            LinkPlace::HeldBy(holder) => {
                hung.push((*link, *holder, here));
                None
            }
        }
    });
    // The models first: the other links are placed relative to where these are now.
    ecm.overwrite(carried);
    ecm.overwrite(moved.iter().map(|(link, state)| (*link, BodyTwist(state.twist))));
    let placed = place_in_holders(hung, ecm);
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

/// What a pull reads of joints, kept between steps so that its room is used again.
#[derive(Default)]
pub(super) struct JointsRead {
    /// Every joint with how many axes it has.
    joints: Vec<(EntityId, usize)>,
    /// The axes of all, one joint after the other.
    axes: Vec<JointState>,
}

impl JointsRead {
    /// Writes positions, velocities and efforts of joints.
    pub(super) fn pull(&mut self, engine: &dyn Engine, ecm: &mut Ecm) {
        let Self { joints, axes } = self;
        joints.clear();
        axes.clear();
        engine.visit_joints(&mut |joint, its_axes| {
            joints.push((joint, its_axes.len()));
            axes.extend_from_slice(its_axes);
        });
        if joints.is_empty() {
            return;
        }
        self.write::<JointPosition>(ecm, |axis| axis.position);
        self.write::<JointVelocity>(ecm, |axis| axis.velocity);
        self.write::<JointEffort>(ecm, |axis| axis.effort);
    }

    /// One component after the other: looking a type up for each joint would cost more than the rest.
    fn write<T: PerAxis>(&self, ecm: &mut Ecm, value: impl Fn(&JointState) -> f64) {
        let mut rest = self.axes.as_slice();
        let news = self.joints.iter().map(|(joint, count)| {
            let (its_axes, others) = rest.split_at(*count);
            rest = others;
            (*joint, its_axes)
        });
        let differs = |current: &T, axes: &&[JointState]| {
            !current.values().iter().copied().eq(axes.iter().map(&value))
        };
        ecm.refresh(news, differs, |current: &mut T, axes| {
            let values = current.values_mut();
            // Its axes are mostly as many as they were.
            values.resize(axes.len(), 0.0);
            values.iter_mut().zip(axes).for_each(|(number, axis)| *number = value(axis));
        });
    }
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
