//! Components of models, links and what hangs on them.

use retake_description::{
    Element, Geometry, LightSource, Material, Plugin, Surface, VelocityDecay,
};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::{Inertial, SimTime, Twist, Vec3};
use serde::{Deserialize, Serialize};

/// Velocity of a link in the world frame, at its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyTwist(pub Twist);

impl Component for BodyTwist {
    const NAME: &'static str = "twist";
}

/// Shape of a collision or visual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape(pub Geometry);

impl Component for Shape {
    const NAME: &'static str = "geometry";
}

/// Behaviour of a collision on contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeSurface(pub Surface);

impl Component for ShapeSurface {
    const NAME: &'static str = "surface";
}

/// Look of a visual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisualMaterial(pub Material);

impl Component for VisualMaterial {
    const NAME: &'static str = "material";
}

/// How a visual is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisualProperties {
    /// 0 is opaque, 1 cannot be seen.
    pub transparency: f64,
    /// Whether it throws shadows.
    pub cast_shadows: bool,
}

impl Component for VisualProperties {
    const NAME: &'static str = "visual";
}

/// What a light emits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LightEmission(pub LightSource);

impl Component for LightEmission {
    const NAME: &'static str = "light";
}

/// Mass properties of a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inertia(pub Inertial);

impl Component for Inertia {
    const NAME: &'static str = "inertial";
}

/// How a link takes part in physics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkProperties {
    /// Whether gravity pulls it.
    pub gravity: bool,
    /// Whether it moves only by command.
    pub kinematic: bool,
    /// Whether it collides with other links of its model.
    pub self_collide: bool,
    /// Loss of velocity per second.
    pub velocity_decay: VelocityDecay,
}

impl Component for LinkProperties {
    const NAME: &'static str = "link";
}

/// On a link that somebody pulls, as by hand: a damped spring between a place on it and one in the
/// world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pull {
    /// Where the link is held, in its own frame.
    pub point_in_link: Vec3,
    /// Where that place is pulled to, in the world frame.
    pub target_in_world: Vec3,
    /// What comes along, the link itself included: the spring is made for their mass.
    pub along: Vec<EntityId>,
    /// Simulated time at which it ends unless it is renewed.
    pub until: SimTime,
}

impl Component for Pull {
    const NAME: &'static str = "pull";
}

/// What systems push a link with during the next step, in world axes, at its centre of mass; zero
/// again after it. Whoever pushes adds to what others push with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExternalWrench {
    /// Force in N.
    pub force: Vec3,
    /// Torque in N m.
    pub torque: Vec3,
}

impl ExternalWrench {
    /// Adds a push of a link; one that is gone is not pushed.
    pub fn add(ecm: &mut Ecm, link: EntityId, force: Vec3, torque: Vec3) {
        let mut wrench = ecm.get::<Self>(link).copied().unwrap_or_default();
        wrench.force += force;
        wrench.torque += torque;
        ecm.set(link, wrench).ok();
    }
}

impl Component for ExternalWrench {
    const NAME: &'static str = "external_wrench";
}

/// How a model takes part in physics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelProperties {
    /// Whether it never moves.
    pub is_static: bool,
    /// Whether its links collide with one another.
    pub self_collide: bool,
    /// Whether it may fall asleep.
    pub allow_auto_disable: bool,
    /// Whether wind pushes it.
    pub enable_wind: bool,
}

impl Component for ModelProperties {
    const NAME: &'static str = "model";
}

/// The link that carries a model's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonicalLink(pub EntityId);

impl Component for CanonicalLink {
    const NAME: &'static str = "canonical_link";
}

/// The model or world whose frame an entity of that kind is; the link that it is attached to holds
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameScope(pub EntityId);

impl Component for FrameScope {
    const NAME: &'static str = "frame_scope";
}

/// What a sensor is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorProperties {
    /// Kind, as SDF names it.
    pub kind: String,
    /// Measurements per second; 0 means every step.
    pub update_rate_hz: f64,
}

impl Component for SensorProperties {
    const NAME: &'static str = "sensor";
}

/// Which system a plugin entity stands for, and what the file tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginConfig(pub Plugin);

impl Component for PluginConfig {
    const NAME: &'static str = "plugin";
}

/// What the file says about an entity that no component knows; written back as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extras(pub Vec<Element>);

impl Component for Extras {
    const NAME: &'static str = "extras";
}

/// The `<actor>` that the world file has for a model, without name and pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActorText(pub Element);

impl Component for ActorText {
    const NAME: &'static str = "actor_text";
}
