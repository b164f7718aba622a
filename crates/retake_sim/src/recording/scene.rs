//! The world as Foxglove and others draw it: frames, shapes, joints and lines of text.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use prost_types::Timestamp;
use retake_components::{
    BodyTwist, EntityName, JointEffort, JointPosition, JointVelocity, Kind, Shape, VisualMaterial,
    path_of, pose_within, world_pose,
};
use retake_description::Color;
use retake_ecm::{Ecm, EntityId, Parent};
use retake_log::Stamp;
use retake_math::{Pose, SimTime};
use retake_msgs::notification::Level;
use retake_msgs::{Name, Notification, foxglove, names};

use super::shapes::{Look, Meshes, put_shape};

/// Frames and joints are written this often.
const FRAME_PERIOD: SimTime = SimTime::from_nanos(33_333_333);
/// The frame that all others are in.
const WORLD: &str = "world";

/// A message that is ready to be written: topic, type and bytes.
pub(super) type Ready = (String, String, Vec<u8>);

/// Follows what can be seen of a world.
#[derive(Default)]
pub(super) struct SceneWriter {
    /// Ids of the shapes that were written.
    shown: BTreeSet<String>,
    /// Links that move, with the names of their frames.
    frames: Vec<(EntityId, String)>,
    /// Models with joints, by topic.
    joints: BTreeMap<String, Vec<EntityId>>,
    meshes: Meshes,
    begun: bool,
    next_frame: SimTime,
}

impl SceneWriter {
    /// Tells everything anew with the next state.
    pub(super) fn forget(&mut self) {
        self.begun = false;
    }

    /// Returns what is to be written of a state; `tick` is that of the state before.
    pub(super) fn follow(&mut self, ecm: &Ecm, stamp: Stamp, tick: Option<u64>) -> Vec<Ready> {
        let mut ready = Vec::new();
        if !self.begun || tick.is_none_or(|tick| looks_changed(ecm, tick)) {
            self.begun = true;
            self.next_frame = stamp.recorded;
            self.look_anew(ecm);
            ready.push(message(names::LOG_SCENE.to_owned(), &self.scene(ecm, stamp.sim_time)));
        }
        if stamp.recorded >= self.next_frame {
            self.next_frame = stamp.recorded + FRAME_PERIOD;
            ready
                .push(message(names::LOG_FRAMES.to_owned(), &self.transforms(ecm, stamp.sim_time)));
            let joints = self.joints.iter();
            ready.extend(joints.map(|(topic, joints)| {
                message(topic.clone(), &joint_states(ecm, joints, stamp.sim_time))
            }));
        }
        ready
    }

    fn look_anew(&mut self, ecm: &Ecm) {
        let moving = ecm.iter::<BodyTwist>();
        self.frames = moving.map(|(link, _)| (link, path_of(ecm, link))).collect();
        self.joints.clear();
        for (joint, position) in ecm.iter::<JointPosition>() {
            let model = ecm.get::<Parent>(joint).map(|parent| parent.0);
            if let (Some(model), false) = (model, position.0.is_empty()) {
                let topic = names::log_joints(&path_of(ecm, model).replace("::", "/"));
                self.joints.entry(topic).or_default().push(joint);
            }
        }
    }

    /// Describes all shapes, and takes away those that are gone.
    ///
    /// All of them each time: whoever seeks looks at the last message alone.
    fn scene(&mut self, ecm: &Ecm, at: SimTime) -> foxglove::SceneUpdate {
        let timestamp = Some(timestamp(at));
        let visuals = ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Visual);
        let meshes = &mut self.meshes;
        let entities: Vec<_> = visuals
            .filter_map(|(visual, _)| scene_entity(ecm, visual, timestamp, meshes))
            .collect();
        let ids: BTreeSet<String> = entities.iter().map(|entity| entity.id.clone()).collect();
        let gone = self.shown.difference(&ids).map(|id| foxglove::SceneEntityDeletion {
            timestamp,
            r#type: foxglove::scene_entity_deletion::Type::MatchingId.into(),
            id: id.clone(),
        });
        let deletions = gone.collect();
        self.shown = ids;
        foxglove::SceneUpdate { deletions, entities }
    }

    fn transforms(&self, ecm: &Ecm, at: SimTime) -> foxglove::FrameTransforms {
        let timestamp = Some(timestamp(at));
        let frames = self.frames.iter().filter(|(link, _)| ecm.exists(*link));
        let transforms = frames.map(|(link, name)| {
            let pose = world_pose(ecm, *link);
            foxglove::FrameTransform {
                timestamp,
                parent_frame_id: WORLD.to_owned(),
                child_frame_id: name.clone(),
                translation: Some(vector(pose.position)),
                rotation: Some(quaternion(&pose)),
            }
        });
        foxglove::FrameTransforms { transforms: transforms.collect() }
    }
}

/// Says whether shapes may look or hang otherwise than at `tick`.
fn looks_changed(ecm: &Ecm, tick: u64) -> bool {
    ecm.removed_since(tick).is_none_or(|removed| !removed.is_empty())
        || ecm.column::<Shape>().any_changed_since(tick)
        || ecm.column::<VisualMaterial>().any_changed_since(tick)
        || ecm.column::<EntityName>().any_changed_since(tick)
        || ecm.column::<Parent>().any_changed_since(tick)
}

fn scene_entity(
    ecm: &Ecm,
    visual: EntityId,
    timestamp: Option<Timestamp>,
    meshes: &mut Meshes,
) -> Option<foxglove::SceneEntity> {
    let shape = ecm.get::<Shape>(visual)?;
    let link = ecm.get::<Parent>(visual)?.0;
    // What never moves hangs in the world itself, and needs no frame.
    let (frame_id, pose) = match ecm.get::<BodyTwist>(link) {
        Some(_) => (path_of(ecm, link), pose_within(ecm, link, visual)),
        None => (WORLD.to_owned(), world_pose(ecm, visual)),
    };
    let mut entity = foxglove::SceneEntity {
        timestamp,
        frame_id,
        id: path_of(ecm, visual),
        frame_locked: true,
        ..foxglove::SceneEntity::default()
    };
    let color = ecm.get::<VisualMaterial>(visual).map(|material| material.0.diffuse);
    let look = Look { pose, color: color.unwrap_or(Color::WHITE) };
    put_shape(&mut entity, &shape.0, look, meshes);
    Some(entity)
}

fn joint_states(ecm: &Ecm, joints: &[EntityId], at: SimTime) -> foxglove::JointStates {
    let mut states = foxglove::JointStates { timestamp: Some(timestamp(at)), joints: Vec::new() };
    for joint in joints {
        let name = ecm.get::<EntityName>(*joint).map(|name| name.0.clone()).unwrap_or_default();
        let positions = ecm.get::<JointPosition>(*joint).map(|all| all.0.as_slice());
        for (axis, position) in positions.unwrap_or_default().iter().enumerate() {
            let velocity = ecm.get::<JointVelocity>(*joint).and_then(|all| all.0.get(axis));
            let effort = ecm.get::<JointEffort>(*joint).and_then(|all| all.0.get(axis));
            states.joints.push(foxglove::JointState {
                name: if axis == 0 { name.clone() } else { format!("{name}_{axis}") },
                position: Some(*position),
                velocity: velocity.copied(),
                acceleration: None,
                effort: effort.copied(),
            });
        }
    }
    states
}

/// Tells a notification as others list it.
pub(super) fn log_line(said: &Notification) -> foxglove::Log {
    use foxglove::log::Level as Theirs;
    let level = match said.level() {
        Level::Error => Theirs::Error,
        Level::Warning => Theirs::Warning,
        Level::Info | Level::Unspecified => Theirs::Info,
    };
    let at = said.sim_time.as_ref().map(SimTime::from).unwrap_or_default();
    foxglove::Log {
        timestamp: Some(timestamp(at)),
        level: level.into(),
        message: said.text.clone(),
        name: "retake".to_owned(),
        ..foxglove::Log::default()
    }
}

fn message<M: Message + Name>(topic: String, message: &M) -> Ready {
    (topic, M::full_name(), message.encode_to_vec())
}

fn timestamp(at: SimTime) -> Timestamp {
    let nanos = at.as_nanos();
    let within = nanos.rem_euclid(1_000_000_000);
    Timestamp {
        seconds: nanos.div_euclid(1_000_000_000),
        nanos: i32::try_from(within).unwrap_or_default(),
    }
}

pub(super) fn vector(vector: retake_math::Vec3) -> foxglove::Vector3 {
    foxglove::Vector3 { x: vector.x, y: vector.y, z: vector.z }
}

pub(super) fn quaternion(pose: &Pose) -> foxglove::Quaternion {
    let rotation = pose.rotation;
    foxglove::Quaternion { x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w }
}
