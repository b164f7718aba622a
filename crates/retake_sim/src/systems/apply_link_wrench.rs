//! Pushes links as a world file or a topic says, as Gazebo's ApplyLinkWrench.

use retake_components::{CanonicalLink, Kind, path_of, resolve, world_entity, world_pose};
use retake_ecm::{Component, Ecm, EntityId};
use retake_math::Vec3;
use retake_msgs::{EntityRef, EntityWrench, entity_ref};
use serde::{Deserialize, Serialize};

use super::joint_topic::topic_or;
use super::push::push_at;
use super::{Attachment, Params, SystemKind, message};
use crate::system::{StepInfo, System, SystemError};

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::ApplyLinkWrench", "ignition::gazebo::systems::ApplyLinkWrench"],
    register: |builder| builder.with::<LinkWrenches>(),
    make: |attachment, ecm| ApplyLinkWrench::make(attachment, ecm),
};

/// What links are pushed with; on the plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkWrenches {
    /// In every step, until told otherwise.
    pub persistent: Vec<LinkWrench>,
    /// In the next step alone.
    pub once: Vec<LinkWrench>,
}

impl LinkWrenches {
    /// Most of each kind; beyond it new ones are refused, and told so.
    pub const MOST: usize = 1024;
}

impl Component for LinkWrenches {
    const NAME: &'static str = "link_wrenches";
}

/// A push; force and torque in world axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkWrench {
    /// Path of a link, or of a model whose main link is meant.
    pub entity: String,
    /// In N.
    pub force: Vec3,
    /// In N m.
    pub torque: Vec3,
    /// Where the force acts, from the link's origin, in its frame.
    pub offset: Vec3,
}

/// Greatest force or torque that is taken, in N or N m.
const GREATEST: f64 = 1e9;

struct ApplyLinkWrench {
    plugin: EntityId,
    topic: String,
    persistent_topic: String,
    clear_topic: String,
}

impl ApplyLinkWrench {
    fn make(at: &Attachment, ecm: &mut Ecm) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        if ecm.get::<LinkWrenches>(at.plugin).is_none() {
            let wrenches = params.elements("persistent").map(|element| read(&Params::of(element)));
            let persistent = wrenches.collect::<Result<_, _>>()?;
            // The plugin entity exists: this system is being made for it.
            ecm.set(at.plugin, LinkWrenches { persistent, once: Vec::new() }).ok();
        }
        let world = world_entity(ecm).map(|world| path_of(ecm, world)).unwrap_or_default();
        let base = format!("/world/{world}/wrench");
        Ok(Box::new(Self {
            plugin: at.plugin,
            topic: topic_or(&params, "topic", &base),
            persistent_topic: topic_or(&params, "topic_persistent", &format!("{base}/persistent")),
            clear_topic: topic_or(&params, "topic_clear", &format!("{base}/clear")),
        }))
    }
}

fn read(params: &Params<'_>) -> Result<LinkWrench, SystemError> {
    let vector = |name: &str| {
        let rows = params.rows::<3>(name, "three numbers, x, y and z")?;
        Ok::<_, SystemError>(rows.first().copied().map(Vec3::from_array).unwrap_or_default())
    };
    params.word_or("entity_type", "link", &["link", "model"])?;
    Ok(LinkWrench {
        entity: params.required("entity_name")?.to_owned(),
        force: vector("force")?,
        torque: vector("torque")?,
        offset: vector("force_offset")?,
    })
}

/// Reads what a message pushes.
fn wrench_of(ecm: &Ecm, bytes: &[u8]) -> Result<LinkWrench, String> {
    let message: EntityWrench = message::decode(bytes)?;
    let entity = message.entity.as_ref().ok_or("entity is missing")?;
    let wrench = message.wrench.as_ref().ok_or("wrench is missing")?;
    let vector =
        |vector: &Option<retake_msgs::Vector3>| vector.as_ref().map_or(Vec3::ZERO, Vec3::from);
    let (force, torque) = (vector(&wrench.force), vector(&wrench.torque));
    let offset = vector(&wrench.force_offset);
    let bounded = |all: Vec3| all.is_finite() && all.abs().max_element() <= GREATEST;
    match [force, torque, offset].into_iter().all(bounded) {
        true => Ok(LinkWrench { entity: name_of(ecm, entity)?, force, torque, offset }),
        false => Err(format!("a number of it is not within ±{GREATEST:e}")),
    }
}

fn name_of(ecm: &Ecm, entity: &EntityRef) -> Result<String, String> {
    match &entity.by {
        Some(entity_ref::By::Name(name)) => Ok(name.clone()),
        Some(entity_ref::By::Id(id)) => match EntityId::from_raw(*id) {
            entity if ecm.exists(entity) => Ok(path_of(ecm, entity)),
            _ => Err(format!("there is no entity {id}")),
        },
        None => Err("entity has neither name nor id".to_owned()),
    }
}

impl System for ApplyLinkWrench {
    fn subscriptions(&self) -> Vec<String> {
        vec![self.topic.clone(), self.persistent_topic.clone(), self.clear_topic.clone()]
    }

    fn on_message(&mut self, topic: &str, bytes: &[u8], ecm: &mut Ecm) -> Result<(), SystemError> {
        let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
        let Some(mut wrenches) = ecm.get::<LinkWrenches>(self.plugin).cloned() else {
            return Ok(());
        };
        if topic == self.clear_topic {
            let entity = message::read(topic, bytes)?;
            let name = name_of(ecm, &entity).map_err(bad)?;
            let cleared = link_of(ecm, &name);
            wrenches.persistent.retain(|wrench| {
                wrench.entity != name
                    && (cleared.is_none() || link_of(ecm, &wrench.entity) != cleared)
            });
        } else {
            let wrench = wrench_of(ecm, bytes).map_err(bad)?;
            let once = topic == self.topic;
            if once && link_of(ecm, &wrench.entity).is_none() {
                return Err(bad(format!("{:?} is no link or model", wrench.entity)));
            }
            let all = if once { &mut wrenches.once } else { &mut wrenches.persistent };
            if all.len() >= LinkWrenches::MOST {
                return Err(bad(format!("{} wrenches act already", LinkWrenches::MOST)));
            }
            all.push(wrench);
        }
        ecm.set(self.plugin, wrenches).map_err(|_| SystemError::NothingHeld)
    }

    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        let Some(wrenches) = ecm.get::<LinkWrenches>(self.plugin).cloned() else { return Ok(()) };
        for wrench in wrenches.once.iter().chain(&wrenches.persistent) {
            // What is not there yet is pushed once it is.
            let Some(link) = link_of(ecm, &wrench.entity) else { continue };
            let place = world_pose(ecm, link).transform_point(wrench.offset);
            push_at(ecm, link, place, wrench.force, wrench.torque);
        }
        if wrenches.once.is_empty() {
            return Ok(());
        }
        let left = LinkWrenches { once: Vec::new(), ..wrenches };
        ecm.set(self.plugin, left).map_err(|_| SystemError::NothingHeld)
    }
}

/// Finds a link, or the main link of a model.
fn link_of(ecm: &Ecm, name: &str) -> Option<EntityId> {
    let entity = resolve(ecm, name).ok()?;
    match ecm.get::<Kind>(entity)? {
        Kind::Link => Some(entity),
        Kind::Model => ecm.get::<CanonicalLink>(entity).map(|link| link.0),
        _ => None,
    }
}
