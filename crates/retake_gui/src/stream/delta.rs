//! What changed between two views, without what the pose frames carry anyway.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Bytes;
use retake_components::{
    BodyTwist, JointCommand, JointEffort, JointPosition, JointVelocity, LocalPose, WorldClock,
};
use retake_ecm::{Component, EntityId};
use retake_msgs::host_message::Message as Body;
use retake_msgs::{ComponentState, EntityState, SerializedState};

use super::PoseSet;
use crate::link::View;
use crate::wire;

/// Components of what moves that change with every step; pose frames carry the rest.
const OF_MOVING: [&str; 2] = [LocalPose::NAME, BodyTwist::NAME];

/// Components of anything that change with every step.
const OF_ALL: [&str; 5] = [
    JointPosition::NAME,
    JointVelocity::NAME,
    JointEffort::NAME,
    JointCommand::NAME,
    WorldClock::NAME,
];

/// The step from one view to another.
pub(crate) struct Delta {
    /// Where it starts; none for the very first view.
    from: Option<Arc<View>>,
    /// Where it leads.
    pub(crate) to: Arc<View>,
    set: Arc<PoseSet>,
    /// Every change.
    raw: SerializedState,
    /// The message for pages that watch nothing; none when it would be empty.
    plain: Option<Bytes>,
}

impl Delta {
    /// Starts with a view.
    pub(crate) fn first(to: Arc<View>, set: Arc<PoseSet>) -> Self {
        Self { from: None, to, set, raw: SerializedState::default(), plain: None }
    }

    /// Finds what leads from one view to another.
    pub(crate) fn between(from: Arc<View>, to: Arc<View>, set: Arc<PoseSet>) -> Self {
        let raw = to.ecm.encode_difference(&from.ecm);
        let mut delta = Self { from: Some(from), to, set, raw, plain: None };
        delta.plain = delta.without_fast(&BTreeSet::new());
        delta
    }

    /// Says whether it starts at `view`.
    pub(crate) fn starts_at(&self, view: &Arc<View>) -> bool {
        self.from.as_ref().is_some_and(|from| Arc::ptr_eq(from, view))
    }

    /// Returns the message for a page that watches `watched`; none when nothing changed for it.
    pub(crate) fn message(&self, watched: &BTreeSet<EntityId>) -> Option<Bytes> {
        if watched.is_empty() { self.plain.clone() } else { self.without_fast(watched) }
    }

    fn without_fast(&self, watched: &BTreeSet<EntityId>) -> Option<Bytes> {
        let of_moving = self.types_named(&OF_MOVING);
        let of_all = self.types_named(&OF_ALL);
        let keep = |entity: &EntityState| -> Option<EntityState> {
            let id = EntityId::from_raw(entity.id);
            if entity.removed || self.is_new(id) || watched.contains(&id) {
                return Some(entity.clone());
            }
            let moves = self.set.contains(id);
            let slow = |component: &&ComponentState| {
                let kind = &component.type_index;
                !(of_all.contains(kind) || moves && of_moving.contains(kind))
            };
            let components: Vec<_> = entity.components.iter().filter(slow).cloned().collect();
            let kept = EntityState { id: entity.id, components, ..EntityState::default() };
            (!kept.components.is_empty()).then_some(kept)
        };
        let entities: Vec<_> = self.raw.entities.iter().filter_map(keep).collect();
        if entities.is_empty() {
            return None;
        }
        let state = SerializedState {
            types: self.raw.types.clone(),
            entities,
            tick: self.raw.tick,
            base_tick: self.raw.base_tick,
            ..SerializedState::default()
        };
        Some(wire::encode(Body::State(state)))
    }

    /// Says whether the page that follows has never heard of the entity.
    fn is_new(&self, entity: EntityId) -> bool {
        self.from.as_ref().is_some_and(|from| !from.ecm.exists(entity))
    }

    /// Positions of the types called one of `names`.
    fn types_named(&self, names: &[&str]) -> BTreeSet<u32> {
        let named = (0..).zip(&self.raw.types).filter(|(_, t)| names.contains(&t.name.as_str()));
        named.map(|(index, _)| index).collect()
    }
}
