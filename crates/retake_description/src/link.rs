//! Links and what hangs on them.

use retake_math::{Inertial, Pose};
use serde::{Deserialize, Serialize};

use crate::{Element, Geometry, Light, Material, Plugin, Surface};

/// A rigid body of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name, unique in its model.
    pub name: String,
    /// Pose in the model's frame.
    pub model_from_link: Pose,
    /// Mass properties.
    pub inertial: Inertial,
    /// Whether gravity pulls it.
    pub gravity: bool,
    /// Whether it moves only by command.
    pub kinematic: bool,
    /// Whether it collides with other links of its model.
    pub self_collide: bool,
    /// Loss of velocity per second.
    pub velocity_decay: VelocityDecay,
    /// Shapes that collide.
    pub collisions: Vec<Collision>,
    /// Shapes that are seen.
    pub visuals: Vec<Visual>,
    /// Lights that it carries.
    pub lights: Vec<Light>,
    /// Sensors that it carries.
    pub sensors: Vec<Sensor>,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// Loss of velocity, as SDF's `<velocity_decay>`, in 1/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VelocityDecay {
    /// Of linear velocity.
    pub linear: f64,
    /// Of angular velocity.
    pub angular: f64,
}

/// A shape that collides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collision {
    /// Name, unique in its link.
    pub name: String,
    /// Pose in the link's frame.
    pub link_from_collision: Pose,
    /// Shape.
    pub geometry: Geometry,
    /// Behaviour on contact.
    pub surface: Surface,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// A shape that is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visual {
    /// Name, unique in its link.
    pub name: String,
    /// Pose in the link's frame.
    pub link_from_visual: Pose,
    /// Shape.
    pub geometry: Geometry,
    /// Look; none means the default grey.
    pub material: Option<Material>,
    /// 0 is opaque, 1 cannot be seen.
    pub transparency: f64,
    /// Whether it throws shadows.
    pub cast_shadows: bool,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// A sensor: kept and shown; what it measures is up to the systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensor {
    /// Name, unique in its link.
    pub name: String,
    /// Kind, as SDF names it.
    pub kind: String,
    /// Pose in the link's frame.
    pub link_from_sensor: Pose,
    /// Measurements per second; 0 means every step.
    pub update_rate_hz: f64,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// Everything else.
    pub extras: Vec<Element>,
}
