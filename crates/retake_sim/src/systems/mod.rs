//! The systems that come with Retake: one module each.
//!
//! A world file asks for one by `<plugin name="…">`, with Retake's name or Gazebo's.

pub mod course_driver;
pub mod diff_drive;
mod joint_drive;
pub mod joint_position_controller;
pub mod joint_wave;
pub mod motion;
mod params;
mod random;
mod user_driven;
mod velocity_command;

use std::sync::Arc;

use retake_components::{EntityName, PluginConfig};
use retake_description::Plugin;
use retake_ecm::{Ecm, EntityId, Parent, Registry, RegistryBuilder};

use crate::system::{System, SystemError};
pub use params::Params;
pub use user_driven::UserDriven;
pub use velocity_command::VelocityCommand;

/// Where a system is attached.
pub struct Attachment {
    /// The plugin entity: state goes here.
    pub plugin: EntityId,
    /// The model, link or world that holds the plugin.
    pub holder: EntityId,
    /// Name of the holder.
    pub holder_name: String,
    /// What the world file tells the system.
    pub config: Plugin,
}

impl Attachment {
    pub(crate) fn of(ecm: &Ecm, plugin: EntityId) -> Option<Self> {
        let holder = ecm.get::<Parent>(plugin)?.0;
        let holder_name = ecm.get::<EntityName>(holder).map(|name| name.0.clone());
        Some(Self {
            plugin,
            holder,
            holder_name: holder_name.unwrap_or_default(),
            config: ecm.get::<PluginConfig>(plugin)?.0.clone(),
        })
    }

    /// Reads the parameters.
    pub fn params(&self) -> Params<'_> {
        Params::new(&self.config)
    }
}

/// A kind of system.
pub struct SystemKind {
    /// Names that world files use, Retake's own first.
    pub names: &'static [&'static str],
    /// Adds the component types of its state.
    pub register: fn(RegistryBuilder) -> RegistryBuilder,
    /// Makes the system for one plugin entity.
    pub make: MakeSystem,
}

/// Makes the system of a plugin entity, and its state when the entity has none yet.
pub type MakeSystem = fn(&Attachment, &mut Ecm) -> Result<Box<dyn System>, SystemError>;

/// Every kind of system.
pub const KINDS: &[SystemKind] = &[
    course_driver::KIND,
    diff_drive::KIND,
    joint_position_controller::KIND,
    joint_wave::KIND,
    motion::TRAJECTORY,
    motion::STORED,
    motion::FOLLOW,
];

/// Plugins of Gazebo worlds whose work Retake does anyway.
const BUILT_IN: &[&str] = &[
    "Physics",
    "UserCommands",
    "SceneBroadcaster",
    "Contact",
    "Sensors",
    "JointStatePublisher",
    "PosePublisher",
];

/// What Retake knows of a plugin.
pub enum Known {
    /// It is a system.
    System(&'static SystemKind),
    /// What it does is always done.
    BuiltIn,
    /// Nothing: it is kept and written back.
    No,
}

/// Finds the system that a plugin asks for.
pub fn find(plugin: &Plugin) -> Known {
    let name = plugin.name.as_str();
    if let Some(kind) = KINDS.iter().find(|kind| kind.names.contains(&name)) {
        return Known::System(kind);
    }
    let short = name.rsplit("::").next().unwrap_or(name);
    let is_gazebo = name.starts_with("gz::sim::") || name.starts_with("ignition::gazebo::");
    match is_gazebo && BUILT_IN.contains(&short) {
        true => Known::BuiltIn,
        false => Known::No,
    }
}

/// Returns every component type that a world or its log may have.
pub fn registry() -> Arc<Registry> {
    register(retake_components::registry()).build()
}

/// Adds the component types of every system's state.
pub fn register(builder: RegistryBuilder) -> RegistryBuilder {
    let builder = builder.with::<VelocityCommand>().with::<UserDriven>();
    let builder = builder.with::<crate::SystemFailure>();
    KINDS.iter().fold(builder, |builder, kind| (kind.register)(builder))
}
