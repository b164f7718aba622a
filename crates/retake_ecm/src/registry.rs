//! Which component types there are.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::column::{Codec, Column};
use crate::erased::AnyColumn;
use crate::{EntityId, Parent};

/// A value that an entity can have.
pub trait Component:
    Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Stable name in messages, logs and on the command line: snake case.
    const NAME: &'static str;
    /// Version of the value's shape; raise it when old values can no longer be read.
    const VERSION: u32 = 1;
}

/// The component types that an Ecm stores as values; others it carries as bytes.
pub struct Registry {
    /// Asked some hundred times in a step, so that a search in order would count.
    by_type: HashMap<TypeId, usize, BuildHasherDefault<TypeIdHasher>>,
    by_name: BTreeMap<&'static str, usize>,
    empty: Vec<Arc<dyn AnyColumn>>,
}

impl Registry {
    /// Starts a registry that knows [`Parent`].
    pub fn builder() -> RegistryBuilder {
        let registry =
            Self { by_type: HashMap::default(), by_name: BTreeMap::new(), empty: Vec::new() };
        RegistryBuilder { registry }.with::<Parent>()
    }

    /// Returns the registered names in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.by_name.keys().copied()
    }

    pub(crate) fn index_of<T: Component>(&self) -> Option<usize> {
        self.by_type.get(&TypeId::of::<T>()).copied()
    }

    pub(crate) fn empty_columns(&self) -> Vec<Arc<dyn AnyColumn>> {
        self.empty.clone()
    }
}

/// Takes the id of a type for its hash, which it is already.
#[derive(Default)]
struct TypeIdHasher(u64);

impl Hasher for TypeIdHasher {
    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }

    /// Not called for ids of types; whatever else comes is told apart all the same.
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Collects component types.
pub struct RegistryBuilder {
    registry: Registry,
}

impl RegistryBuilder {
    /// Adds a type; adding it twice changes nothing.
    ///
    /// # Panics
    /// When two types have one name: a mistake in the program, found by its first test.
    pub fn with<T: Component>(mut self) -> Self {
        let registry = &mut self.registry;
        let index = registry.empty.len();
        if registry.by_type.contains_key(&TypeId::of::<T>()) {
            return self;
        }
        let taken = registry.by_name.insert(T::NAME, index);
        assert!(taken.is_none(), "two component types are called {:?}", T::NAME);
        registry.by_type.insert(TypeId::of::<T>(), index);
        registry.empty.push(Arc::new(Column::<T>::new(Codec::of_component())));
        self
    }

    /// Ends the collection.
    pub fn build(self) -> Arc<Registry> {
        Arc::new(self.registry)
    }
}

/// Position of the [`Parent`] column, which [`Registry::builder`] adds first.
pub(crate) const PARENT_COLUMN: usize = 0;

/// Children of every entity that has some, in the order of their ids.
pub(crate) type ChildIndex = BTreeMap<EntityId, Vec<EntityId>>;
