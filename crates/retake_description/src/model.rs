//! Models.

use retake_math::Pose;
use serde::{Deserialize, Serialize};

use crate::{Element, Joint, Link, Plugin};

/// A robot, a thing, or a part that holds others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Name, unique among its siblings.
    pub name: String,
    /// Pose in the frame of what holds it.
    pub parent_from_model: Pose,
    /// Whether it never moves.
    pub is_static: bool,
    /// Whether its links collide with one another.
    pub self_collide: bool,
    /// Whether it may fall asleep.
    pub allow_auto_disable: bool,
    /// Whether wind pushes it.
    pub enable_wind: bool,
    /// The link that carries the model's frame; none means the first one.
    pub canonical_link: Option<String>,
    /// Links.
    pub links: Vec<Link>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Nested models.
    pub models: Vec<Model>,
    /// Named frames.
    pub frames: Vec<Frame>,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// The `<actor>` that the file has for it, when it is no model there.
    pub actor: Option<Element>,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// A named frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Name, unique among its siblings.
    pub name: String,
    /// What it moves with: a link, or empty for the frame of what holds it.
    pub attached_to: String,
    /// Pose in the frame of what it is attached to.
    pub attached_from_frame: Pose,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}
