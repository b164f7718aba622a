//! Where the links of a robot would be, from the Ecm alone.
//!
//! No engine is asked: joints have a frame, a kind and axes, and the file says where links are with
//! every joint at zero. So a pose can be drawn, mirrored or looked at for collisions on any thread
//! that has a snapshot, and nothing moves. What only forces decide is not here: loops stay open
//! at the joint that closes them, and ball and universal joints stay as they are.

mod mirror;
mod sides;
mod skeleton;

use retake_ecm::{Ecm, EntityId};
use retake_math::Pose;

pub use mirror::{MirrorJoint, mirror_joints};
pub(crate) use skeleton::Skeleton;

/// Where the links of a model are when its joints are somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// The link that all others are told from.
    pub base: EntityId,
    /// Every link of the model in the frame that the base link has now, the base first.
    ///
    /// The base has the identity, unless it hangs on the world by a joint that was moved.
    pub links: Vec<(EntityId, Pose)>,
}

/// Returns where the links of `model` are when joints are at these positions, in rad or m.
///
/// `position` is asked by the names that players have for joints: paths below the model. Joints that
/// it does not know, or not as a finite number, stay as they are now; those that follow another
/// joint follow it. Limits do not count. None when the model has no links.
pub fn stance(
    ecm: &Ecm,
    model: EntityId,
    position: &dyn Fn(&str) -> Option<f64>,
) -> Option<Stance> {
    let skeleton = Skeleton::of(ecm, model)?;
    let positions = skeleton.positions(position);
    let links = skeleton.links().zip(skeleton.place(&positions)).collect();
    Some(Stance { base: skeleton.base(), links })
}
