//! Which entity belongs to which simulated model.

use std::collections::BTreeMap;

use retake_components::{CanonicalLink, Kind, ModelProperties, pose_within};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::Pose;

/// A cache over the Ecm: models that are simulated, and how their links hang in them.
#[derive(Clone, Default)]
pub(super) struct BodyIndex {
    /// Top-level model of every entity that takes part in physics.
    owners: BTreeMap<EntityId, EntityId>,
    /// Sorted by link. Looked up for every moving link in every step, mostly in this order.
    places: Vec<(EntityId, LinkPlace)>,
}

/// How a link hangs in its model. Small, because it is read for every moving link in every step.
#[derive(Clone)]
pub(super) enum LinkPlace {
    /// The model that holds the link, perhaps a nested one.
    HeldBy(EntityId),
    /// The link carries the frame of this top-level model, and both are at the same place.
    Is(EntityId),
    /// The link carries the frame of this top-level model, which is seen from the link there.
    Carries(EntityId, Box<Pose>),
}

impl LinkPlace {
    fn of(ecm: &Ecm, model: EntityId, link: EntityId) -> Option<Self> {
        if ecm.get::<CanonicalLink>(model).map(|link| link.0) != Some(link) {
            return ecm.get::<Parent>(link).map(|parent| Self::HeldBy(parent.0));
        }
        let link_from_model = pose_within(ecm, model, link).inverse();
        // Mostly a model is where its link is, and then nothing needs to be computed.
        Some(match link_from_model == Pose::IDENTITY {
            true => Self::Is(model),
            false => Self::Carries(model, Box::new(link_from_model)),
        })
    }
}

impl BodyIndex {
    /// Indexes every model that the world itself holds.
    pub(super) fn of(ecm: &Ecm) -> Self {
        let mut index = Self::default();
        let described = |model: &EntityId| ecm.get::<ModelProperties>(*model).is_some();
        for model in top_level_models(ecm).into_iter().filter(described) {
            index.add(ecm, model);
        }
        index
    }

    /// Adds a top-level model with all that it holds.
    pub(super) fn add(&mut self, ecm: &Ecm, model: EntityId) {
        for entity in ecm.with_descendants(model) {
            if !takes_part(ecm, entity) {
                continue;
            }
            self.owners.insert(entity, model);
            if ecm.get::<Kind>(entity) == Some(&Kind::Link)
                && let Some(place) = LinkPlace::of(ecm, model, entity)
            {
                self.insert(entity, place);
            }
        }
    }

    /// Puts a link in its place, which is the end when it is new.
    fn insert(&mut self, link: EntityId, place: LinkPlace) {
        let at = match self.places.last() {
            Some((last, _)) if *last > link => self.places.partition_point(|(l, _)| *l < link),
            _ => self.places.len(),
        };
        self.places.insert(at, (link, place));
    }

    /// Forgets a top-level model.
    pub(super) fn remove(&mut self, model: EntityId) {
        let owners = &self.owners;
        self.places.retain(|(link, _)| owners.get(link) != Some(&model));
        self.owners.retain(|_, owner| *owner != model);
    }

    /// Returns the top-level model that an entity belonged to when it was indexed.
    pub(super) fn owner(&self, entity: EntityId) -> Option<EntityId> {
        self.owners.get(&entity).copied()
    }

    /// Returns how a link hangs in its model.
    ///
    /// `hint` is where the last look ended; links in order are found without a search.
    pub(super) fn place(&self, link: EntityId, hint: &mut usize) -> Option<&LinkPlace> {
        let next = self.places.get(*hint).filter(|(there, _)| *there == link);
        if next.is_none() {
            *hint = self.places.binary_search_by_key(&link, |(there, _)| *there).ok()?;
        }
        let (_, place) = &self.places[*hint];
        *hint += 1;
        Some(place)
    }

    /// Returns the indexed top-level models in the order of their ids.
    pub(super) fn models(&self) -> impl Iterator<Item = EntityId> {
        self.owners.iter().filter(|(entity, owner)| entity == owner).map(|(entity, _)| *entity)
    }

    pub(super) fn contains_model(&self, model: EntityId) -> bool {
        self.owners.get(&model) == Some(&model)
    }
}

/// Says whether an engine has anything to do with an entity; sensors, visuals and the like may come
/// and go without a trace.
pub(super) fn takes_part(ecm: &Ecm, entity: EntityId) -> bool {
    let kind = ecm.get::<Kind>(entity);
    matches!(kind, Some(Kind::Model | Kind::Link | Kind::Joint | Kind::Collision))
}

/// Returns the models that the world itself holds, in the order of their ids.
pub(super) fn top_level_models(ecm: &Ecm) -> Vec<EntityId> {
    let is_world = |entity: EntityId| ecm.get::<Kind>(entity) == Some(&Kind::World);
    ecm.iter::<Kind>()
        .filter(|(_, kind)| **kind == Kind::Model)
        .filter(|(model, _)| ecm.get::<Parent>(*model).is_some_and(|parent| is_world(parent.0)))
        .map(|(model, _)| model)
        .collect()
}
