//! What an engine is told to simulate, as plain values.
//!
//! The caller resolves names, frames and files first: here are only entity ids, world poses and
//! shapes made ready. Lengths in metres, angles in radians, masses in kg.

use retake_description::{Geometry, JointAxis, JointKind, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Twist, Vec3};
use serde::{Deserialize, Serialize};

use crate::PreparedShape;

/// One top-level model with the links and joints of all models nested in it.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Entity of the top-level model.
    pub model: EntityId,
    /// Whether it never moves by itself.
    pub is_static: bool,
    /// Whether all of its links collide with one another.
    ///
    /// Links that a joint connects never collide with each other.
    pub self_collide: bool,
    /// Whether it may fall asleep when nothing moves; articulated models never do.
    pub may_sleep: bool,
    /// Links.
    pub bodies: Vec<BodySpec>,
    /// Joints between those links, or between one of them and the world.
    pub joints: Vec<JointSpec>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Entity of the link.
    pub link: EntityId,
    /// Pose of the link at this moment; it already contains the joints' positions.
    pub world_from_link: Pose,
    /// Velocity of the link's origin.
    ///
    /// Links that hang on a moving joint take theirs from the joint's velocity instead.
    pub twist: Twist,
    /// Mass properties.
    pub inertial: Inertial,
    /// Whether gravity pulls it.
    pub gravity: bool,
    /// Whether it moves only by command.
    pub kinematic: bool,
    /// Whether it collides with other links of the assembly.
    pub self_collide: bool,
    /// Loss of velocity.
    pub velocity_decay: VelocityDecay,
    /// Shapes that collide.
    pub colliders: Vec<ColliderSpec>,
}

/// A shape that collides.
#[derive(Clone, Debug)]
pub struct ColliderSpec {
    /// Entity of the collision.
    pub collision: EntityId,
    /// Pose of the shape in the link.
    pub link_from_collision: Pose,
    /// Shape.
    pub geometry: Geometry,
    /// The shape made ready, when it takes time to make.
    pub prepared: Option<PreparedShape>,
    /// Friction, restitution and filtering.
    pub surface: Surface,
}

/// Triangles of a mesh, scaled already, in the frame of the collision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Corners in metres.
    pub positions: Vec<Vec3>,
    /// Triangles as indices into `positions`, counter-clockwise seen from outside.
    pub indices: Vec<[u32; 3]>,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct JointSpec {
    /// Entity of the joint.
    pub joint: EntityId,
    /// Kind.
    pub kind: JointKind,
    /// Parent link; none means the world.
    pub parent: Option<EntityId>,
    /// Child link.
    pub child: EntityId,
    /// Pose of the joint in the child link.
    pub child_from_joint: Pose,
    /// One entry for each axis of the kind.
    pub axes: Vec<AxisSpec>,
    /// Radians turned for each metre moved, of a screw joint.
    pub thread_pitch: f64,
    /// What a gearbox joint couples; none for other kinds, or when its reference is not known.
    pub gearbox: Option<GearboxSpec>,
}

/// A gearbox: the parent turns by `-ratio` times what the child turns, both against a third link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GearboxSpec {
    /// The link that both angles count from; it carries parent and child by hinges.
    pub reference: EntityId,
    /// Turns of the parent, backwards, for each turn of the child.
    pub ratio: f64,
}

/// An axis of a joint and where it stands.
#[derive(Clone, Debug, Default)]
pub struct AxisSpec {
    /// Direction in the joint's frame, limits, passive forces, and what it follows.
    pub axis: JointAxis,
    /// Position that belongs to the links' world poses.
    ///
    /// The zero of a joint is the pose of its links in the description. So a caller that builds
    /// from the file gives 0, and one that rebuilds a moved robot gives the moved position.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Entity of the joint that this axis follows when it has a mimic; its first axis leads.
    pub leader: Option<EntityId>,
}
