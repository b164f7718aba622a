//! Joints outside of the tree: those that close a loop or connect two models.

use retake_description::{JointAxis, JointKind};
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};

use super::Closure;
use crate::mujoco::note;
use crate::{EngineNote, JointSpec};

/// Says whether a joint can be outside of the tree.
pub(in crate::mujoco) fn can_close(kind: JointKind) -> bool {
    use JointKind::{Ball, Continuous, Fixed, Revolute};
    matches!(kind, Fixed | Revolute | Continuous | Ball)
}

/// Why a joint cannot be outside of the tree.
pub(in crate::mujoco) fn closure_refusal(kind: JointKind) -> String {
    format!(
        "a {} joint cannot close a loop or connect two models in mujoco; it is left out",
        kind.name()
    )
}

/// Makes a closure of a joint whose links have these poses, and says what it does not do.
pub(in crate::mujoco) fn closure(
    spec: &JointSpec,
    world_from_child: Pose,
    world_from_parent: Option<Pose>,
    notes: &mut Vec<EngineNote>,
) -> Closure {
    let axis = spec.axes.first();
    let to_axis = axis.map_or(Quat::IDENTITY, |given| {
        Quat::from_rotation_arc(Vec3::X, given.axis.xyz.normalize())
    });
    let child_from_far = spec.child_from_joint.normalized() * Pose::new(Vec3::ZERO, to_axis);
    let position = axis.map_or(0.0, |given| given.position);
    let turned_back = Pose::new(Vec3::ZERO, Quat::from_rotation_x(-position));
    let world_from_near = world_from_child * child_from_far * turned_back;
    let parent_from_world = world_from_parent.map_or(Pose::IDENTITY, |pose| pose.inverse());
    if let Some(given) = axis {
        closure_notes(spec.joint, &given.axis, notes);
    }
    Closure {
        joint: spec.joint,
        kind: spec.kind,
        parent: (spec.parent, parent_from_world * world_from_near),
        child: (spec.child, child_from_far),
        position,
    }
}

fn closure_notes(joint: EntityId, axis: &JointAxis, notes: &mut Vec<EngineNote>) {
    let (limits, dynamics) = (&axis.limits, &axis.dynamics);
    let mut say = |what: &str| {
        note(
            notes,
            joint,
            &format!(
                "{what} of a joint that closes a loop or connects two models is not simulated by mujoco"
            ),
        );
    };
    if limits.lower.is_finite() || limits.upper.is_finite() {
        say("the limit");
    }
    if dynamics.damping != 0.0 || dynamics.friction != 0.0 || dynamics.spring_stiffness != 0.0 {
        say("damping, friction or spring");
    }
    if axis.mimic.is_some() {
        say("mimic");
    }
}
