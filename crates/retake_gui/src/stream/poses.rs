//! Pose sets and pose frames: where everything that moves is, packed for the page.

use std::collections::BTreeMap;

use axum::body::Bytes;
use retake_components::{Kind, ModelProperties, WorldClock, world_entity, world_pose};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::host_message::Message as Body;

use crate::wire;

/// The entities of a pose frame, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PoseSet {
    /// Number that frames of this set carry.
    pub(crate) id: u32,
    /// Models and links that can move, in the order of their ids.
    pub(crate) entities: Vec<EntityId>,
    /// The message that tells a page of the set.
    pub(crate) message: Bytes,
}

impl PoseSet {
    pub(crate) fn new(id: u32, entities: Vec<EntityId>) -> Self {
        let entity = entities.iter().map(|entity| entity.raw()).collect();
        let message = wire::encode(Body::PoseSet(retake_msgs::PoseSet { set_id: id, entity }));
        Self { id, entities, message }
    }

    pub(crate) fn contains(&self, entity: EntityId) -> bool {
        self.entities.binary_search(&entity).is_ok()
    }

    /// Packs the world poses: a header of 16 bytes, then 7 numbers for each entity.
    pub(crate) fn frame(&self, ecm: &Ecm) -> Bytes {
        const HEADER_BYTES: usize = 16;
        const POSE_BYTES: usize = 7 * 4;
        let mut frame = Vec::with_capacity(HEADER_BYTES + self.entities.len() * POSE_BYTES);
        frame.extend_from_slice(&wire::POSES.to_le_bytes());
        frame.extend_from_slice(&self.id.to_le_bytes());
        frame.extend_from_slice(&sim_time_secs(ecm).to_le_bytes());
        for entity in &self.entities {
            let pose = world_pose(ecm, *entity);
            let (p, q) = (pose.position, pose.rotation);
            for number in [p.x, p.y, p.z, q.x, q.y, q.z, q.w] {
                // The page draws in f32; near the origin that is less than a micrometre off.
                frame.extend_from_slice(&(number as f32).to_le_bytes());
            }
        }
        frame.into()
    }
}

/// Finds the models and links that can move, in the order of their ids.
pub(crate) fn moving_entities(ecm: &Ecm) -> Vec<EntityId> {
    let mut fixed = BTreeMap::new();
    let candidates = ecm.iter::<Kind>().filter(|(_, k)| matches!(k, Kind::Model | Kind::Link));
    let moving = candidates.filter(|(entity, _)| !is_fixed(ecm, *entity, &mut fixed));
    moving.map(|(entity, _)| entity).collect()
}

/// Says whether the entity is, or is held by, a static model; remembers what it finds.
fn is_fixed(ecm: &Ecm, entity: EntityId, known: &mut BTreeMap<EntityId, bool>) -> bool {
    let mut path = Vec::new();
    let mut at = Some(entity);
    let found = loop {
        let Some(current) = at else { break false };
        if let Some(fixed) = known.get(&current) {
            break *fixed;
        }
        if path.contains(&current) {
            // A ring of parents can only come from a broken replica.
            break false;
        }
        path.push(current);
        if ecm.get::<ModelProperties>(current).is_some_and(|model| model.is_static) {
            break true;
        }
        at = ecm.get::<Parent>(current).map(|parent| parent.0);
    };
    // All below a static model are fixed; above it nothing was looked at.
    known.extend(path.into_iter().map(|entity| (entity, found)));
    found
}

fn sim_time_secs(ecm: &Ecm) -> f64 {
    let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world));
    clock.map_or(0.0, |clock| clock.sim_time.as_secs_f64())
}
