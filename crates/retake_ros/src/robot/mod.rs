//! The robots of a world as ROS sees them: joints, frames, and a description in URDF.
//!
//! A robot is a model with a motion player. One robot alone has its names to itself, as programs
//! for one robot expect; of several, each has its own below its name.

mod frames;

use std::sync::Arc;

use retake_components::{
    JointEffort, JointPosition, JointSpec, JointVelocity, Kind, ModelProperties, export_model,
    find, path_of,
};
use retake_description::JointKind;
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Pose;
use retake_sdf::print_urdf;
use retake_sim::systems::motion::MotionRobot;
use serde_json::{Value, json};

pub use frames::{fixed_poses, fixed_transforms, loose_transforms, moved, transforms};

use crate::clock::RosTime;

/// A robot of a world.
#[derive(Clone, Debug)]
pub struct Robot {
    /// The model.
    pub model: EntityId,
    /// Path of the model, as the server knows it.
    pub path: String,
    /// Name in ROS.
    pub name: String,
    /// What stands before names of its frames: nothing, or its name and a slash.
    pub prefix: String,
    /// Joints with one coordinate, by name.
    pub joints: Vec<(String, EntityId)>,
    /// Links, each with the frame it hangs on.
    pub links: Vec<RobotLink>,
    /// Its description.
    pub urdf: Arc<str>,
    /// What the description cannot say.
    pub notes: Vec<String>,
}

/// A link of a robot.
#[derive(Clone, Debug)]
pub struct RobotLink {
    /// Frame that ROS has for it.
    pub frame: String,
    /// Frame it hangs on; none is the world.
    pub parent: Option<usize>,
    /// The link.
    pub entity: EntityId,
    /// Where ROS has its frame.
    pub link_from_frame: Pose,
    /// Whether it cannot move against what it hangs on.
    pub fixed: bool,
}

/// What robots are there, to notice when they change.
pub fn robot_models(ecm: &Ecm) -> Vec<(EntityId, Vec<EntityId>)> {
    let models = ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Model);
    models
        .filter_map(|(model, _)| Some((model, MotionRobot::of(ecm, model)?.joints.clone())))
        .collect()
}

impl Robot {
    /// Describes the robots of a world.
    pub fn all(ecm: &Ecm) -> Vec<Self> {
        let models = robot_models(ecm);
        let alone = models.len() == 1;
        models.into_iter().filter_map(|(model, _)| Self::of(ecm, model, alone)).collect()
    }

    fn of(ecm: &Ecm, model: EntityId, alone: bool) -> Option<Self> {
        let path = path_of(ecm, model);
        let name = ros_name(&path);
        let prefix = if alone { String::new() } else { format!("{name}/") };
        let urdf = print_urdf(&export_model(ecm, model)?);
        let mut links: Vec<RobotLink> = Vec::with_capacity(urdf.frames.len());
        for frame in &urdf.frames {
            let entity = find(ecm, &format!("{path}::{}", frame.link))?;
            let of = |name: &String| {
                links.iter().position(|link| link.frame == format!("{prefix}{name}"))
            };
            let parent = frame.parent.as_ref().and_then(of);
            let fixed = is_fixed(ecm, model, entity, parent.map(|parent| links[parent].entity));
            let (link_from_frame, frame) =
                (frame.link_from_frame, format!("{prefix}{}", frame.name));
            links.push(RobotLink { frame, parent, entity, link_from_frame, fixed });
        }
        let joints = joints(ecm, model, &path);
        Some(Self {
            model,
            path,
            name,
            prefix,
            joints,
            links,
            urdf: urdf.text.into(),
            notes: urdf.notes,
        })
    }

    /// Returns the frame that a link hangs on.
    fn above(&self, link: &RobotLink) -> &str {
        link.parent.map_or(frames::WORLD, |parent| &self.links[parent].frame)
    }

    /// Returns the name of a topic of this robot: its own when it is alone, else below its name.
    pub fn topic(&self, name: &str) -> String {
        match self.prefix.is_empty() {
            true => format!("/{name}"),
            false => format!("/{}/{name}", self.name),
        }
    }

    /// Tells where the joints are, as `sensor_msgs/JointState`.
    pub fn joint_states(&self, ecm: &Ecm, stamp: RosTime) -> Value {
        let names: Vec<&str> = self.joints.iter().map(|(name, _)| name.as_str()).collect();
        json!({
            "header": {"stamp": stamp.message(), "frame_id": ""},
            "name": names,
            "position": self.values::<JointPosition>(ecm, |all| &all.0),
            "velocity": self.values::<JointVelocity>(ecm, |all| &all.0),
            "effort": self.values::<JointEffort>(ecm, |all| &all.0),
        })
    }

    fn values<T: Component>(&self, ecm: &Ecm, of: fn(&T) -> &Vec<f64>) -> Vec<f64> {
        let value = |joint| ecm.get::<T>(joint).and_then(|all| of(all).first().copied());
        self.joints.iter().map(|(_, joint)| value(*joint).unwrap_or(0.0)).collect()
    }
}

/// Says whether a link cannot move against another one of its model, or against the world.
fn is_fixed(ecm: &Ecm, model: EntityId, link: EntityId, other: Option<EntityId>) -> bool {
    let is_static = ecm.get::<ModelProperties>(model).is_some_and(|model| model.is_static);
    let holds = |joint: &JointSpec| {
        let (parent, child) = (joint.parent, Some(joint.child));
        joint.kind == JointKind::Fixed
            && ((parent, child) == (other, Some(link)) || (parent, child) == (Some(link), other))
    };
    let joints = ecm.with_descendants(model).into_iter();
    is_static || joints.filter_map(|joint| ecm.get::<JointSpec>(joint)).any(holds)
}

/// Joints with one coordinate, below a model.
fn joints(ecm: &Ecm, model: EntityId, path: &str) -> Vec<(String, EntityId)> {
    let inside = ecm.with_descendants(model);
    let moves = |joint: &EntityId| ecm.get::<JointSpec>(*joint).is_some_and(|s| s.axes.len() == 1);
    let named = |joint: EntityId| {
        let name = path_of(ecm, joint);
        let below = name.strip_prefix(path).and_then(|rest| rest.strip_prefix("::"));
        (below.unwrap_or(&name).replace("::", "/"), joint)
    };
    inside.into_iter().filter(moves).map(named).collect()
}

/// Writes a name as ROS lets names be: letters, digits and underscores, no digit first.
pub fn ros_name(name: &str) -> String {
    let fits = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = name.replace("::", "_").chars().map(fits).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("m{name}"),
    }
}
