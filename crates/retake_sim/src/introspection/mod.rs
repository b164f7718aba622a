//! What a world lets others watch.
//!
//! Items are found by name when a filter is made and whenever entities came, went or were renamed;
//! at each update their numbers are read. Looking leaves no trace in the state: what the engine
//! must measure for it is asked of the engine alone.

mod known;
mod quantity;
mod reader;
mod sampler;

use retake_components::{EntityName, Finder, JointSpec, path_of, world_entity};
use retake_ecm::{Ecm, EcmSnapshot, EntityId, Parent, Tick};
use retake_introspection::{FilterSample, Filters, Item, Update, list_items};
use retake_math::SimTime;
use retake_msgs::{IntrospectionFilter, IntrospectionItems, ItemsRequest, SetFilter};
use retake_physics::{Readings, Watched};

use crate::systems::script::ScriptItemNames;
use quantity::find_by;
pub use quantity::{Motion, Offered, Point, Quantity, find, offered};
pub use reader::{Measured, Reader, Reading};
pub use sampler::Sampler;

/// The filters of a world.
pub(crate) struct WorldIntrospection {
    filters: Filters<Reading>,
    /// Names up to this tick are known.
    seen: Tick,
    /// What only a clock on the wall knows; told by whoever has one.
    measured: Measured,
    /// Whether what the engine must measure may have changed.
    changed: bool,
}

impl WorldIntrospection {
    pub(crate) fn new(world: &str, run: &str) -> Self {
        Self {
            filters: Filters::new(world, run),
            seen: 0,
            measured: Measured::default(),
            changed: false,
        }
    }

    /// Returns what a clock on the wall said last.
    pub(crate) fn measured(&self) -> Measured {
        self.measured
    }

    pub(crate) fn measure(&mut self, measured: Measured) {
        self.measured = measured;
    }

    pub(crate) fn set(
        &mut self,
        ecm: &Ecm,
        request: &SetFilter,
        step: SimTime,
    ) -> IntrospectionFilter {
        self.changed = true;
        let mut finder = Finder::of(ecm);
        self.filters.set(request, Some(step), |name| lookup(ecm, &mut finder, name))
    }

    pub(crate) fn get(&self, id: &str) -> IntrospectionFilter {
        self.filters.get(id)
    }

    pub(crate) fn remove(&mut self, id: &str) -> IntrospectionFilter {
        self.changed = true;
        self.filters.remove(id)
    }

    /// Returns ids and topics of all filters.
    pub(crate) fn topics(&self) -> Vec<(String, String)> {
        let topics = self.filters.topics();
        topics.map(|(id, topic)| (id.to_owned(), topic.to_owned())).collect()
    }

    /// Finds items anew when names changed; returns what the engine must measure when that changed.
    pub(crate) fn follow(&mut self, ecm: &Ecm) -> Option<Watched> {
        if !self.filters.is_empty() && names_changed(ecm, self.seen) {
            let mut finder = Finder::of(ecm);
            self.filters.refresh(|name| lookup(ecm, &mut finder, name));
            self.changed = true;
        }
        // The present tick goes on: what changes in it from now on is to be seen too.
        self.seen = ecm.tick().saturating_sub(1);
        std::mem::take(&mut self.changed).then(|| watched(self.filters.references()))
    }

    /// Returns the samples that are due.
    pub(crate) fn sample(
        &mut self,
        ecm: &Ecm,
        readings: &Readings,
        update: Update,
    ) -> Vec<FilterSample> {
        if self.filters.is_empty() {
            return Vec::new();
        }
        let mut reader = Reader::new(ecm, readings, self.measured);
        self.filters.sample(update, |reading, numbers| {
            reader.read(reading, numbers);
            None
        })
    }
}

/// The items of a world, listed by whoever sends them, so that the step thread need not.
pub struct ItemsAnswer {
    pub(crate) view: EcmSnapshot,
    pub(crate) request: ItemsRequest,
}

impl ItemsAnswer {
    /// Lists what was asked for.
    pub fn list(&self) -> IntrospectionItems {
        let items = items_of(&self.view);
        // A world has no count of its own of what came and went; its tick only ever grows.
        let mut reply = list_items(items.iter().map(|(item, _)| item), &self.request, 0);
        reply.version = self.view.tick();
        if self.request.values {
            let readings = Readings::default();
            let mut reader = Reader::new(&self.view, &readings, Measured::default());
            let mut finder = Finder::of(&self.view);
            let values = reply.item.iter();
            let values =
                values.map(|item| value_of(&self.view, &mut finder, &mut reader, &item.name));
            reply.value = values.collect();
        }
        reply
    }
}

/// Lists all items of a world with what they mean, in the order of their names.
fn items_of(ecm: &Ecm) -> Vec<(Item, EntityId)> {
    let world = world_entity(ecm);
    let mut items: Vec<(Item, EntityId)> = Vec::new();
    for entity in ecm.entities() {
        let path = match Some(entity) == world {
            true => String::new(),
            false => path_of(ecm, entity),
        };
        items.extend(offered(ecm, entity).iter().map(|offered| (offered.item(&path), entity)));
    }
    items.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    // A collision and a visual may have one name; both are where their link is.
    items.dedup_by(|(a, _), (b, _)| a.name == b.name);
    items
}

fn value_of(
    ecm: &Ecm,
    finder: &mut Finder<'_>,
    reader: &mut Reader<'_>,
    name: &str,
) -> retake_msgs::Any {
    let Some((entity, offered)) = find_by(ecm, finder, name) else {
        return retake_msgs::Any::default();
    };
    let mut numbers = Vec::new();
    reader.read(&Reading { entity, quantity: offered.quantity }, &mut numbers);
    retake_introspection::Any::from_numbers(offered.kind, &numbers)
        .map_or_else(retake_msgs::Any::default, |any| (&any).into())
}

fn lookup(ecm: &Ecm, finder: &mut Finder<'_>, name: &str) -> Option<(Item, Reading)> {
    let (entity, offered) = find_by(ecm, finder, name)?;
    let item = Item { name: name.to_owned(), ..offered.item("") };
    Some((item, Reading { entity, quantity: offered.quantity }))
}

/// Says whether a name may mean something else than at `seen`.
fn names_changed(ecm: &Ecm, seen: Tick) -> bool {
    ecm.removed_since(seen).is_none_or(|removed| !removed.is_empty())
        || ecm.column::<EntityName>().any_changed_since(seen)
        || ecm.column::<Parent>().any_changed_since(seen)
        || ecm.column::<JointSpec>().any_changed_since(seen)
        || ecm.column::<ScriptItemNames>().any_changed_since(seen)
}

fn watched<'a>(readings: impl Iterator<Item = &'a Reading>) -> Watched {
    let mut watched = Watched::default();
    for Reading { entity, quantity } in readings {
        match quantity {
            Quantity::JointForce | Quantity::JointTorque => {
                watched.joints.insert(*entity);
            }
            Quantity::Motion(
                Motion::LinearAcceleration
                | Motion::AngularAcceleration
                | Motion::Force
                | Motion::Torque,
                _,
            ) => {
                watched.links.insert(*entity);
            }
            _ => {}
        }
    }
    watched
}
