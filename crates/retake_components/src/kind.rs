//! What an entity is, and what it is called.

use std::fmt;

use retake_ecm::Component;
use serde::{Deserialize, Serialize};

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The world; holds all else.
    World,
    /// A robot or a thing.
    Model,
    /// A rigid body.
    Link,
    /// A joint.
    Joint,
    /// A shape that collides.
    Collision,
    /// A shape that is seen.
    Visual,
    /// A light.
    Light,
    /// A sensor.
    Sensor,
    /// A system attached to what holds it.
    Plugin,
    /// A named frame.
    Frame,
}

impl Kind {
    /// Every kind, in the order of the tree.
    pub const ALL: [Self; 10] = [
        Self::World,
        Self::Model,
        Self::Link,
        Self::Joint,
        Self::Collision,
        Self::Visual,
        Self::Light,
        Self::Sensor,
        Self::Plugin,
        Self::Frame,
    ];
}

impl Component for Kind {
    const NAME: &'static str = "kind";
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::World => "world",
            Self::Model => "model",
            Self::Link => "link",
            Self::Joint => "joint",
            Self::Collision => "collision",
            Self::Visual => "visual",
            Self::Light => "light",
            Self::Sensor => "sensor",
            Self::Plugin => "plugin",
            Self::Frame => "frame",
        })
    }
}

/// What an entity is called; unique among the children of one parent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityName(pub String);

impl Component for EntityName {
    const NAME: &'static str = "name";
}
