//! The systems that come with Retake: one module each.
//!
//! A world file asks for one by `<plugin name="…">`, with Retake's name or Gazebo's.

pub mod ackermann_steering;
mod added;
pub mod apply_joint_force;
pub mod apply_link_wrench;
mod buoyancy;
pub mod course_driver;
pub mod detachable_joint;
pub mod diff_drive;
pub mod joint_controller;
mod joint_drive;
pub mod joint_position_controller;
mod joint_state_publisher;
mod joint_topic;
pub mod joint_trajectory_controller;
pub mod joint_wave;
mod lift_drag;
pub mod linear_battery;
mod message;
mod message_text;
pub mod motion;
pub mod multicopter_motor_model;
pub mod odometry_publisher;
mod params;
pub mod pid;
mod pose_publisher;
mod push;
mod random;
mod rate;
pub mod script;
pub mod sensors;
pub mod thruster;
pub mod touch;
pub mod trajectory_follower;
pub mod triggered_publisher;
mod user_driven;
mod velocity_command;
pub mod velocity_control;

use std::sync::Arc;

use retake_components::{EntityName, PluginConfig};
use retake_description::Plugin;
use retake_ecm::{Ecm, EntityId, Parent, Registry, RegistryBuilder};

use crate::system::{System, SystemError};
pub use added::{NameTaken, add};
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
    ackermann_steering::KIND,
    apply_joint_force::KIND,
    apply_link_wrench::KIND,
    buoyancy::KIND,
    course_driver::KIND,
    detachable_joint::KIND,
    diff_drive::KIND,
    joint_controller::KIND,
    joint_position_controller::KIND,
    joint_state_publisher::KIND,
    joint_trajectory_controller::KIND,
    joint_wave::KIND,
    lift_drag::KIND,
    linear_battery::KIND,
    motion::TRAJECTORY,
    motion::STORED,
    motion::FOLLOW,
    multicopter_motor_model::KIND,
    odometry_publisher::KIND,
    pose_publisher::KIND,
    script::KIND,
    sensors::altimeter::KIND,
    sensors::contact::KIND,
    thruster::KIND,
    touch::KIND,
    trajectory_follower::KIND,
    triggered_publisher::KIND,
    velocity_control::KIND,
];

/// Plugins of Gazebo worlds whose work the server does for every world, or when it starts.
const BUILT_IN: &[&str] = &["Physics", "UserCommands", "SceneBroadcaster", "LogRecord"];

/// Plugins of Gazebo worlds by which things are measured or drawn, and nothing moves.
const UNSEEN: &[&str] = &[
    "AirPressure",
    "AirSpeed",
    "CameraVideoRecorder",
    "DopplerVelocityLogSystem",
    "EnvironmentPreload",
    "EnvironmentalSystem",
    "ForceTorque",
    "Imu",
    "Label",
    "LensFlare",
    "LogVideoRecorder",
    "LogicalAudioSensorPlugin",
    "LogicalCamera",
    "Magnetometer",
    "ModelPhotoShoot",
    "NavSat",
    "OpticalTactilePlugin",
    "ParticleEmitter",
    "Sensors",
    "ShaderParam",
    "Thermal",
    "ThermalSensor",
];

/// Plugins that say by which models the levels of a world are loaded. Without `--levels` Gazebo
/// loads all of them, and so does Retake.
const LEVELS: &[&str] = &["gz::sim", "ignition::gazebo"];

/// What Retake knows of a plugin.
pub enum Known {
    /// It is a system.
    System(&'static SystemKind),
    /// What it does is always done.
    BuiltIn,
    /// It measures or draws something, which is not done here; nothing moves otherwise for it.
    Unseen,
    /// Nothing: it is kept and written back.
    No,
}

/// Finds the system that a plugin asks for.
pub fn find(plugin: &Plugin) -> Known {
    let name = plugin.name.as_str();
    if let Some(kind) = KINDS.iter().find(|kind| kind.names.contains(&name)) {
        return Known::System(kind);
    }
    if let Some(kind) = added::added().into_iter().find(|kind| kind.names.contains(&name)) {
        return Known::System(kind);
    }
    if script::is_script(plugin) {
        return Known::System(&script::KIND);
    }
    let packages = ["gz::sim::systems::", "ignition::gazebo::systems::"];
    match packages.iter().find_map(|package| name.strip_prefix(package)) {
        Some(short) if BUILT_IN.contains(&short) => Known::BuiltIn,
        Some(short) if UNSEEN.contains(&short) => Known::Unseen,
        None if LEVELS.contains(&name) => Known::BuiltIn,
        _ => Known::No,
    }
}

/// Says whether a world asks to be recorded from its start on, by Gazebo's LogRecord.
pub fn asks_for_recording(ecm: &Ecm) -> bool {
    let names = ["gz::sim::systems::LogRecord", "ignition::gazebo::systems::LogRecord"];
    ecm.iter::<PluginConfig>().any(|(_, plugin)| names.contains(&plugin.0.name.as_str()))
}

/// Returns every component type that a world or its log may have.
pub fn registry() -> Arc<Registry> {
    register(retake_components::registry()).build()
}

/// Adds the component types of every system's state.
pub fn register(builder: RegistryBuilder) -> RegistryBuilder {
    let builder = builder.with::<VelocityCommand>().with::<UserDriven>();
    let builder = builder.with::<crate::SystemFailure>();
    let kinds = KINDS.iter().chain(added::added());
    kinds.fold(builder, |builder, kind| (kind.register)(builder))
}
