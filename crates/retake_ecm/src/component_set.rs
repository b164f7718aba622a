//! Component types that are asked about together.

use std::sync::Arc;

use crate::column::Tick;
use crate::{Component, Ecm, Registry};

/// Some component types, for whoever asks in every step whether any of them changed: looking each
/// up would take longer than the answer.
pub struct ComponentSet {
    registry: Arc<Registry>,
    columns: Vec<usize>,
}

impl ComponentSet {
    /// Makes an empty set for `ecm` and all that store the same types.
    pub fn of(ecm: &Ecm) -> Self {
        Self { registry: Arc::clone(&ecm.registry), columns: Vec::new() }
    }

    /// Adds a type. Nobody has one that was not registered, and so it never changes.
    pub fn with<T: Component>(mut self) -> Self {
        self.columns.extend(self.registry.index_of::<T>());
        self
    }

    /// Says whether the set can be asked about in `ecm`.
    pub fn is_of(&self, ecm: &Ecm) -> bool {
        Arc::ptr_eq(&self.registry, &ecm.registry)
    }
}

impl Ecm {
    /// Says whether a value of any type of `set` changed after `tick`, also one that is gone again.
    ///
    /// # Panics
    /// When the set was made for an Ecm that stores other types: a mistake in the program.
    pub fn any_changed_since(&self, set: &ComponentSet, tick: Tick) -> bool {
        assert!(set.is_of(self), "the set is of an Ecm that stores other types");
        set.columns.iter().any(|column| self.columns[*column].any_changed_since(tick))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    macro_rules! numbers {
        ($($name:ident $text:literal),*) => {$(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            struct $name(u8);

            impl Component for $name {
                const NAME: &'static str = $text;
            }
        )*};
    }

    numbers!(First "first", Second "second", Other "other", Unregistered "unregistered");

    #[test]
    fn only_the_types_of_a_set_count() {
        let registry = Registry::builder().with::<First>().with::<Second>().with::<Other>();
        let mut ecm = Ecm::new(registry.build());
        let entity = ecm.create();
        let set = ComponentSet::of(&ecm).with::<First>().with::<Second>().with::<Unregistered>();
        let seen = ecm.close_tick();
        ecm.set(entity, Other(1)).unwrap();
        assert!(!ecm.any_changed_since(&set, seen));
        ecm.set(entity, Second(1)).unwrap();
        assert!(ecm.any_changed_since(&set, seen));
        let seen = ecm.close_tick();
        assert!(!ecm.any_changed_since(&set, seen));
        assert!(!set.is_of(&Ecm::new(Registry::builder().with::<First>().build())));
    }
}
