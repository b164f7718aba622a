//! The component vocabulary, and spawning a description into the Ecm.
//!
//! Components are bare nouns and plain values. How they come to be is in [`spawn`], how they
//! become a description again in [`export`], and how entities are found by name in [`lookup`].

mod bodies;
mod canonical;
mod check;
mod export;
pub mod fields;
mod joints;
mod kind;
mod lookup;
pub mod names;
mod poses;
mod readings;
mod rest_edit;
mod rest_pose;
mod spawn;
mod spawn_part;
mod worlds;

pub use bodies::{
    ActorText, BodyTwist, CanonicalLink, ExternalWrench, Extras, FrameScope, Inertia,
    LightEmission, LinkProperties, ModelProperties, PluginConfig, Pull, SensorProperties, Shape,
    ShapeSurface, VisualMaterial, VisualProperties,
};
pub use canonical::mend_canonical_links;
pub use check::{EditError, EditRules, check_edit, holders_of, may_hold};
pub use export::{
    describe_model_now, describe_world_now, export_light, export_model, export_world,
};
pub use joints::{AxisCommand, JointCommand, JointEffort, JointPosition, JointSpec, JointVelocity};
pub use kind::{EntityName, Kind};
pub use lookup::{Finder, LookupError, find, path_of, resolve, top_level_model, world_entity};
pub use names::NameError;
pub use poses::{LocalPose, RestPose, pose_within, set_world_pose, world_pose};
pub use readings::{ContactReading, Contacts, JointWrench, LinkAcceleration};
pub use rest_edit::keep_rest_poses;
pub use spawn::{SpawnError, spawn_light, spawn_model, spawn_world};
pub use spawn_part::spawn_part;
pub use worlds::{
    CurrentProfile, Gravity, PhysicsProfiles, Seed, WorldClock, WorldScene, WorldText,
};

use retake_ecm::{Registry, RegistryBuilder};

/// Starts a registry with the whole vocabulary; systems add the types of their own state.
pub fn registry() -> RegistryBuilder {
    let builder = Registry::builder();
    let builder = builder.with::<Kind>().with::<EntityName>().with::<LocalPose>();
    let builder = builder.with::<RestPose>().with::<FrameScope>();
    let builder = builder.with::<BodyTwist>().with::<Shape>().with::<ShapeSurface>();
    let builder = builder.with::<VisualMaterial>().with::<VisualProperties>();
    let builder = builder.with::<LightEmission>().with::<Inertia>().with::<LinkProperties>();
    let builder = builder.with::<ModelProperties>().with::<CanonicalLink>().with::<Extras>();
    let builder = builder.with::<ActorText>().with::<Pull>().with::<ExternalWrench>();
    let builder = builder.with::<SensorProperties>().with::<PluginConfig>();
    let builder = builder.with::<JointSpec>().with::<JointPosition>().with::<JointVelocity>();
    let builder = builder.with::<JointEffort>().with::<JointCommand>();
    let builder = builder.with::<Gravity>().with::<WorldScene>().with::<PhysicsProfiles>();
    let builder = builder.with::<CurrentProfile>().with::<WorldClock>().with::<Seed>();
    let builder = builder.with::<LinkAcceleration>().with::<JointWrench>().with::<Contacts>();
    builder.with::<WorldText>()
}
