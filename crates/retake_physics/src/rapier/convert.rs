//! Between our poses and the engine's.

use rapier3d_f64::math::Pose as RapierPose;
use retake_math::{Pose, Quat, Vec3};

/// Makes the engine's pose.
pub(super) fn to_rapier(pose: Pose) -> RapierPose {
    RapierPose::from_parts(pose.position, pose.rotation)
}

/// Makes our pose.
pub(super) fn from_rapier(pose: &RapierPose) -> Pose {
    Pose::new(pose.translation, pose.rotation)
}

/// The rotation that takes x to `axis`, which need not be of length one.
pub(super) fn x_to(axis: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::X, axis.normalize())
}
