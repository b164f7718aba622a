//! Offers the values of a program.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use retake_math::SimTime;
use retake_msgs::{
    GetFilter, IntrospectionFilter, IntrospectionItems, ItemsRequest, RemoveFilter, SetFilter,
    names,
};
use retake_transport::rendezvous::{self, RendezvousError};
use retake_transport::{Bus, BusError, Guard, ZenohBus, typed};
use thiserror::Error;

use crate::lease::Leases;
use crate::{Any, Filters, Item, Update, list_items};

/// Offers the values of a program to whoever wants to watch them.
///
/// ```no_run
/// # use retake_introspection::{IntrospectionManager, Item, ItemType};
/// # use retake_math::SimTime;
/// let mut manager = IntrospectionManager::connect("controller")?;
/// manager.register(Item::new("gain", ItemType::Double).unit("N/m"), || 12.0.into())?;
/// manager.update(SimTime::ZERO);
/// # Ok::<(), retake_introspection::ManagerError>(())
/// ```
pub struct IntrospectionManager {
    bus: Arc<dyn Bus>,
    shared: Arc<Mutex<Offers>>,
    leases: Leases,
    updates: u64,
    last: Option<SimTime>,
    epoch: u64,
    _services: Vec<Guard>,
}

/// Why something cannot be offered.
#[derive(Debug, Error)]
pub enum ManagerError {
    /// Another manager has the id.
    #[error("There is a manager called {id:?} already. Choose another name")]
    IdTaken {
        /// The id.
        id: String,
    },
    /// Another item has the name.
    #[error("There is an item called {name:?} already. Unregister it first")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Nobody could write the name in a plot.
    #[error("{name:?} is no name of an item; leave out . # \" ` and control characters")]
    BadName {
        /// The name.
        name: String,
    },
    /// There are too many items.
    #[error("A manager offers {limit} items at most")]
    TooMany {
        /// How many it may offer.
        limit: usize,
    },
    /// No item has the name.
    #[error("No item called {name:?} is registered")]
    NoSuchItem {
        /// The name.
        name: String,
    },
    /// No server runs whose bus could be joined.
    #[error(transparent)]
    NoServer(#[from] RendezvousError),
    /// The bus refuses.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// Items that one manager may offer.
const MAX_ITEMS: usize = 1_000_000;

/// What the services of a manager share with it.
struct Offers {
    items: BTreeMap<String, Offer>,
    filters: Filters<String>,
    /// Another number whenever items came or went.
    version: u64,
}

struct Offer {
    item: Item,
    value: Box<dyn FnMut() -> Any + Send>,
}

impl IntrospectionManager {
    /// Offers values on the bus of the only server that runs, under an id that nobody else has.
    ///
    /// # Errors
    /// [`ManagerError`] when no server runs or the id is taken.
    pub fn connect(id: &str) -> Result<Self, ManagerError> {
        let address = rendezvous::pick_server(None)?;
        Self::new(Arc::new(ZenohBus::connect(address)?), id)
    }

    /// Offers values on a bus, under an id that nobody else has.
    ///
    /// # Errors
    /// [`ManagerError`] when the id is taken or the bus is closed.
    pub fn new(bus: Arc<dyn Bus>, id: &str) -> Result<Self, ManagerError> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", std::process::id(), started.as_millis());
        let shared = Arc::new(Mutex::new(Offers {
            items: BTreeMap::new(),
            filters: Filters::new(id, &run),
            version: 0,
        }));
        let services = serve(bus.as_ref(), id, &shared).map_err(|error| match error {
            BusError::ServiceTaken { .. } => ManagerError::IdTaken { id: id.to_owned() },
            other => ManagerError::Bus(other),
        })?;
        Ok(Self {
            bus,
            shared,
            leases: Leases::default(),
            updates: 0,
            last: None,
            epoch: 0,
            _services: services,
        })
    }

    /// Offers an item; `value` is called at updates while somebody watches it.
    ///
    /// # Errors
    /// [`ManagerError::BadName`], [`ManagerError::NameTaken`] or [`ManagerError::TooMany`].
    pub fn register(
        &mut self,
        item: Item,
        value: impl FnMut() -> Any + Send + 'static,
    ) -> Result<(), ManagerError> {
        let is_bad = |c: char| c.is_control() || ['.', '#', '"', '`'].contains(&c);
        if item.name.is_empty() || item.name.contains(is_bad) {
            return Err(ManagerError::BadName { name: item.name });
        }
        let mut offers = lock(&self.shared);
        if offers.items.contains_key(&item.name) {
            return Err(ManagerError::NameTaken { name: item.name });
        }
        if offers.items.len() >= MAX_ITEMS {
            return Err(ManagerError::TooMany { limit: MAX_ITEMS });
        }
        offers.items.insert(item.name.clone(), Offer { item, value: Box::new(value) });
        offers.changed();
        Ok(())
    }

    /// Takes an item back; whoever watches it sees a gap.
    ///
    /// # Errors
    /// [`ManagerError::NoSuchItem`].
    pub fn unregister(&mut self, name: &str) -> Result<(), ManagerError> {
        let mut offers = lock(&self.shared);
        if offers.items.remove(name).is_none() {
            return Err(ManagerError::NoSuchItem { name: name.to_owned() });
        }
        offers.changed();
        Ok(())
    }

    /// Sends what is watched, with the values of now; `stamp` is the program's own time.
    ///
    /// A stamp before the last one begins another stretch of time. Never waits for a reader.
    pub fn update(&mut self, stamp: SimTime) {
        self.epoch += u64::from(self.last.is_some_and(|last| stamp < last));
        self.last = Some(stamp);
        self.updates += 1;
        let update = Update { stamp, number: self.updates, epoch: self.epoch };
        let mut offers = lock(&self.shared);
        let Offers { items, filters, .. } = &mut *offers;
        let samples = filters.sample(update, |name, numbers| {
            let value = (items.get_mut(name)?.value)();
            value.push_numbers(numbers);
            match value {
                Any::Text(text) => Some(text),
                _ => None,
            }
        });
        match self.leases.keep(self.bus.as_ref(), filters.topics(), Instant::now()) {
            Ok(over) => over.iter().for_each(|id| {
                filters.remove(id);
            }),
            Err(error) => tracing::warn!(%error, "a filter cannot be served"),
        }
        drop(offers);
        for sample in &samples {
            // The program's own loop waits for nobody; readers see by the number what is missing.
            self.leases.publish(sample, Duration::ZERO);
        }
    }
}

impl Offers {
    fn changed(&mut self) {
        self.version += 1;
        let Self { items, filters, .. } = self;
        filters.refresh(|name| find(items, name));
    }

    fn list(&mut self, request: &ItemsRequest) -> IntrospectionItems {
        let items = self.items.values().map(|offer| &offer.item);
        let mut reply = list_items(items, request, self.version);
        if request.values {
            let mut value = |name: &str| Some((self.items.get_mut(name)?.value)());
            let values = reply.item.iter().filter_map(|item| value(&item.name));
            reply.value = values.map(|value| retake_msgs::Any::from(&value)).collect();
        }
        reply
    }
}

fn find(items: &BTreeMap<String, Offer>, name: &str) -> Option<(Item, String)> {
    items.get(name).map(|offer| (offer.item.clone(), name.to_owned()))
}

fn serve(bus: &dyn Bus, id: &str, shared: &Arc<Mutex<Offers>>) -> Result<Vec<Guard>, BusError> {
    let offers = Arc::clone(shared);
    let list = typed::serve(bus, &names::introspection_items(id), move |request, reply| {
        reply.answer(&lock(&offers).list(&request));
    })?;
    let offers = Arc::clone(shared);
    let set = typed::serve(
        bus,
        &names::introspection_set_filter(id),
        move |request: SetFilter, reply: typed::Reply<IntrospectionFilter>| {
            let mut offers = lock(&offers);
            let Offers { items, filters, .. } = &mut *offers;
            reply.answer(&filters.set(&request, None, |name| find(items, name)));
        },
    )?;
    let offers = Arc::clone(shared);
    let get = typed::serve(
        bus,
        &names::introspection_get_filter(id),
        move |request: GetFilter, reply: typed::Reply<IntrospectionFilter>| {
            reply.answer(&lock(&offers).filters.get(&request.filter_id));
        },
    )?;
    let offers = Arc::clone(shared);
    let remove = typed::serve(
        bus,
        &names::introspection_remove_filter(id),
        move |request: RemoveFilter, reply: typed::Reply<IntrospectionFilter>| {
            reply.answer(&lock(&offers).filters.remove(&request.filter_id));
        },
    )?;
    Ok(vec![list, set, get, remove])
}

/// A callback that panicked leaves plain data behind, which is still good.
fn lock(offers: &Mutex<Offers>) -> MutexGuard<'_, Offers> {
    offers.lock().unwrap_or_else(PoisonError::into_inner)
}
