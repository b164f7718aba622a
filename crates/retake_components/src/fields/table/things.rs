//! What every entity has, models, sensors and plugins.

use retake_description::bounds::Bound;
use retake_ecm::{Component, Parent};

use crate::fields::{EditableComponent, Field, FieldShape};
use crate::names::MAX_NAME;
use crate::{
    CanonicalLink, EntityName, Kind, LocalPose, ModelProperties, PluginConfig, SensorProperties,
};

const ALL_BUT_WORLDS: &[Kind] = {
    let [_world, held @ ..] = &Kind::ALL;
    held
};

pub(super) const NAME: EditableComponent = EditableComponent {
    name: EntityName::NAME,
    kinds: &[
        Kind::Model,
        Kind::Link,
        Kind::Joint,
        Kind::Collision,
        Kind::Visual,
        Kind::Light,
        Kind::Sensor,
        Kind::Frame,
    ],
    fields: &[Field::new("", "Name", FieldShape::Text { most: MAX_NAME })
        .help("What it is called; no other thing beside it may have the name")],
};

pub(super) const PARENT: EditableComponent = EditableComponent {
    name: Parent::NAME,
    kinds: ALL_BUT_WORLDS,
    fields: &[Field::new(
        "",
        "Parent",
        FieldShape::Entity(&[Kind::World, Kind::Model, Kind::Link, Kind::Sensor]),
    )
    .help("What holds it; it stays where it is in the world")],
};

pub(super) const POSE: EditableComponent = EditableComponent {
    name: LocalPose::NAME,
    kinds: &[
        Kind::Model,
        Kind::Link,
        Kind::Collision,
        Kind::Visual,
        Kind::Light,
        Kind::Sensor,
        Kind::Frame,
    ],
    fields: &[Field::new("", "Pose", FieldShape::Pose)
        .unit("m")
        .help("Where it is in the frame of what holds it")],
};

pub(super) const MODEL: EditableComponent = EditableComponent {
    name: ModelProperties::NAME,
    kinds: &[Kind::Model],
    fields: &[
        Field::flag("is_static", "Static").help("Whether it never moves"),
        Field::flag("self_collide", "Self-collide")
            .help("Whether its links collide with one another"),
        Field::flag("allow_auto_disable", "May sleep")
            .help("Whether it may fall asleep when nothing moves it"),
        Field::flag("enable_wind", "Wind").help("Whether wind pushes it"),
    ],
};

pub(super) const CANONICAL_LINK: EditableComponent = EditableComponent {
    name: CanonicalLink::NAME,
    kinds: &[Kind::Model],
    fields: &[Field::new("", "Canonical link", FieldShape::Entity(&[Kind::Link]))
        .help("The link that carries the model's frame")],
};

/// Kinds of sensors that SDF has.
const SENSORS: &[&str] = &[
    "air_pressure",
    "air_speed",
    "altimeter",
    "boundingbox",
    "boundingbox_camera",
    "camera",
    "contact",
    "custom",
    "depth",
    "depth_camera",
    "force_torque",
    "gps",
    "gpu_lidar",
    "gpu_ray",
    "imu",
    "lidar",
    "logical_camera",
    "magnetometer",
    "multicamera",
    "navsat",
    "ray",
    "rfid",
    "rfidtag",
    "rgbd",
    "rgbd_camera",
    "segmentation",
    "segmentation_camera",
    "sonar",
    "thermal",
    "thermal_camera",
    "wideanglecamera",
    "wireless_receiver",
    "wireless_transmitter",
];

const RATE_HZ: Bound = Bound { least: 0.0, most: 1e6, words: "0 to 1e6 Hz" };

pub(super) const SENSOR: EditableComponent = EditableComponent {
    name: SensorProperties::NAME,
    kinds: &[Kind::Sensor],
    fields: &[
        Field::choice("kind", "Kind", SENSORS).loose().help("What it measures"),
        Field::number("update_rate_hz", "Update rate", RATE_HZ)
            .unit("Hz")
            .loose()
            .help("Measurements per second; 0 is one in every step"),
    ],
};

pub(super) const PLUGIN: EditableComponent = EditableComponent {
    name: PluginConfig::NAME,
    kinds: &[Kind::Plugin],
    fields: &[
        Field::text("name", "Name").help("Name of the system"),
        Field::text("filename", "File name")
            .help("Library that Gazebo would load; a second way to find the system"),
        Field::new("body", "Parameters", FieldShape::Xml).help("What the system is told, as XML"),
    ],
};
