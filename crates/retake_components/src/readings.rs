//! What is read from the physics only while somebody asks.
//!
//! Each of these costs time in every step, so none exists by itself: whoever wants a value puts
//! the component on the entity, and takes it away when done. The values are those of the last
//! step.

use retake_ecm::{Component, EntityId};
use retake_math::{Twist, Vec3};
use serde::{Deserialize, Serialize};

/// Acceleration of a link's origin in the world frame, mean over the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkAcceleration(pub Twist);

impl Component for LinkAcceleration {
    const NAME: &'static str = "acceleration";
}

/// What a joint's parent does to its child through the joint, mean over the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointWrench {
    /// Force in N, in world axes.
    pub force: Vec3,
    /// Torque in N m about the origin of the joint, in world axes.
    pub torque: Vec3,
    /// Whether the numbers are known: not in a joint that is part of a loop.
    pub known: bool,
}

impl Component for JointWrench {
    const NAME: &'static str = "joint_wrench";
}

/// Contacts of a collision, or of all that a link or model holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    /// Contact points, at most [`Contacts::MOST`].
    pub points: Vec<ContactReading>,
    /// How many more there were.
    pub left_out: u32,
}

impl Contacts {
    /// Most points that are kept; those that come after are only counted.
    pub const MOST: usize = 64;
}

impl Component for Contacts {
    const NAME: &'static str = "contacts";
}

/// A contact point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactReading {
    /// The collision of this side.
    pub collision: EntityId,
    /// The collision that it touches.
    pub other: EntityId,
    /// Position in the world.
    pub position: Vec3,
    /// Unit normal from the other to this one.
    pub normal: Vec3,
    /// How deep they overlap in metres; negative is a gap.
    pub depth: f64,
    /// Force on this one in N, friction included, mean over the last step.
    pub force: Vec3,
}
