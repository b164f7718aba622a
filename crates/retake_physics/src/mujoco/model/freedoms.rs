//! What the kinds of joints let move.

use retake_description::JointKind;
use retake_math::{Pose, Quat, Vec3};

use super::Freedom;
use crate::JointSpec;

/// The coordinates of a joint in the body that it carries, each with the axis that it belongs to.
pub(super) fn freedoms(
    spec: &JointSpec,
    body_from_joint: Pose,
    reversed: bool,
) -> Vec<(Freedom, Option<usize>)> {
    let anchor = body_from_joint.position;
    let sign = if reversed { -1.0 } else { 1.0 };
    let along = |xyz: Vec3| body_from_joint.transform_vector(xyz.normalize()) * sign;
    let turn = |axis: Vec3, zero: f64| Freedom::Turn { anchor, axis, zero };
    let given = |index: usize| (spec.axes[index].axis.xyz, spec.axes[index].position);
    match spec.kind {
        JointKind::Ball => vec![(Freedom::Ball { anchor }, None)],
        JointKind::Revolute | JointKind::Continuous => {
            let (xyz, zero) = given(0);
            vec![(turn(along(xyz), zero), Some(0))]
        }
        JointKind::Prismatic => {
            let (xyz, zero) = given(0);
            vec![(Freedom::Slide { axis: along(xyz), zero }, Some(0))]
        }
        JointKind::Screw => {
            let (xyz, zero) = given(0);
            let slide = Freedom::Slide { axis: along(xyz), zero: zero / spec.thread_pitch };
            vec![(slide, None), (turn(along(xyz), zero), Some(0))]
        }
        JointKind::Universal | JointKind::Revolute2 => {
            let ((first, p0), (second, p1)) = (given(0), given(1));
            // The first axis is carried along by nothing; the second has turned under it.
            let back = Quat::from_axis_angle(second.normalize(), -p1);
            let mut both =
                vec![(turn(along(back * first), p0), Some(0)), (turn(along(second), p1), Some(1))];
            if reversed {
                both.reverse();
            }
            both
        }
        JointKind::Fixed | JointKind::Gearbox => Vec::new(),
    }
}
