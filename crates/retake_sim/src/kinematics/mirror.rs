//! Which joint is which when left and right change places.

use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};
use retake_math::Vec3;

use super::Skeleton;
use super::sides::other_side;

/// A joint and the one that does the same on the other side.
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorJoint {
    /// Path below the model.
    pub joint: String,
    /// The joint on the other side, or itself.
    pub partner: String,
    /// 1 or -1: what a position of `joint` is multiplied with to be that of `partner` in the mirror.
    pub sign: f64,
}

/// How far an axis may be from the mirror image of another.
const SAME_DIRECTION: f64 = 1e-3;

/// Finds the joints of `model` that can be mirrored at the plane y = 0 of its base link.
///
/// Names tell which joints belong together: left and right, l and r, lf and rf and the like. A joint
/// without a partner is its own. Axes at zero tell the sign; joints whose axes are not the mirror
/// image of each other are left out, and so are those that follow others and screws, whose thread
/// would have to turn the other way.
pub fn mirror_joints(ecm: &Ecm, model: EntityId) -> Vec<MirrorJoint> {
    let Some(skeleton) = Skeleton::of(ecm, model) else { return Vec::new() };
    let joints = skeleton.joints();
    let axes: Vec<(usize, Vec3)> = skeleton.axes_at_zero();
    let can_mirror =
        |place: usize| !joints[place].follows() && joints[place].kind != JointKind::Screw;
    let axes: Vec<(usize, Vec3)> =
        axes.into_iter().filter(|(place, _)| can_mirror(*place)).collect();
    let find = |name: &str| axes.iter().find(|(place, _)| joints[*place].name == name);
    let other = |name: &str| other_side(name, &|name| find(name).is_some());
    let mirrored = axes.iter().filter_map(|(place, axis)| {
        let joint = &joints[*place];
        // Both must name each other; otherwise it is a coincidence of letters.
        let partner = other(&joint.name).filter(|p| other(p).as_deref() == Some(&joint.name));
        let partner = partner.unwrap_or_else(|| joint.name.clone());
        let (other_place, other_axis) = find(&partner)?;
        let is_same_kind = joints[*other_place].kind.is_linear() == joint.kind.is_linear();
        let sign = sign(joint.kind, *axis, *other_axis).filter(|_| is_same_kind)?;
        Some(MirrorJoint { joint: joint.name.clone(), partner, sign })
    });
    mirrored.collect()
}

/// A turn by an angle about an axis is, in the mirror, the opposite turn about the axis in the
/// mirror; a way along it stays what it is.
fn sign(kind: JointKind, axis: Vec3, partner: Vec3) -> Option<f64> {
    let mirrored = Vec3::new(axis.x, -axis.y, axis.z);
    let along = if kind.is_linear() { 1.0 } else { -1.0 };
    if partner.distance(mirrored) < SAME_DIRECTION {
        Some(along)
    } else if partner.distance(-mirrored) < SAME_DIRECTION {
        Some(-along)
    } else {
        None
    }
}
