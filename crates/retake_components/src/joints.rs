//! Components of joints.

use retake_description::{JointAxis, JointKind};
use retake_ecm::{Component, EntityId};
use serde::{Deserialize, Serialize};

/// What a joint is. Its `pose` component is relative to what holds it, as the file places it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointSpec {
    /// Kind.
    pub kind: JointKind,
    /// Parent link; none is the world.
    pub parent: Option<EntityId>,
    /// Child link.
    pub child: EntityId,
    /// Pose of the joint in the child link's frame.
    pub child_from_joint: retake_math::Pose,
    /// Axes in the joint's frame.
    pub axes: Vec<JointAxis>,
    /// Radians turned for each metre moved, of a screw joint.
    pub thread_pitch: f64,
    /// Ratio of a gearbox joint.
    pub gearbox_ratio: f64,
}

impl Component for JointSpec {
    const NAME: &'static str = "joint";
}

/// Position of each axis, in rad or m; zero is where the file places the links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointPosition(pub Vec<f64>);

impl Component for JointPosition {
    const NAME: &'static str = "joint_position";
}

/// Velocity of each axis, in rad/s or m/s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointVelocity(pub Vec<f64>);

impl Component for JointVelocity {
    const NAME: &'static str = "joint_velocity";
}

/// Effort that the drive of each axis gave in the last step, in N m or N.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointEffort(pub Vec<f64>);

impl Component for JointEffort {
    const NAME: &'static str = "joint_effort";
}

/// What each axis is told to do, until told otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointCommand(pub Vec<AxisCommand>);

impl Component for JointCommand {
    const NAME: &'static str = "joint_command";
}

/// What one axis is told to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisCommand {
    /// Nothing.
    #[default]
    Free,
    /// Go to a position by an implicit spring and damper.
    Position {
        /// Where to, in rad or m.
        target: f64,
        /// Stiffness in N m/rad or N/m.
        stiffness: f64,
        /// Damping in N m s/rad or N s/m.
        damping: f64,
        /// Greatest effort, in N m or N; the joint's limit counts as well.
        max_effort: f64,
    },
    /// Hold a velocity.
    Velocity {
        /// How fast, in rad/s or m/s.
        target: f64,
        /// Greatest effort, in N m or N; the joint's limit counts as well.
        max_effort: f64,
    },
    /// Push with an effort.
    Effort {
        /// How strongly, in N m or N.
        effort: f64,
    },
}

impl AxisCommand {
    /// Says whether every number is usable; efforts may be infinite.
    pub fn is_valid(&self) -> bool {
        match *self {
            Self::Free => true,
            Self::Position { target, stiffness, damping, max_effort } => {
                let gains =
                    [stiffness, damping].iter().all(|gain| gain.is_finite() && *gain >= 0.0);
                target.is_finite() && gains && max_effort >= 0.0
            }
            Self::Velocity { target, max_effort } => target.is_finite() && max_effort >= 0.0,
            Self::Effort { effort } => effort.is_finite(),
        }
    }
}
