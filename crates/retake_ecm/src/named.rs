//! Components by name, for whoever does not know their types.

use rmpv::Value;

use crate::{ApplyError, Ecm, EntityId, NoSuchEntity};

impl Ecm {
    /// Says whether a component is one of those that this program knows; others are mere bytes.
    pub fn knows(&self, component: &str) -> bool {
        self.registry.names().any(|name| name == component)
    }

    /// Returns a component as a tree of named fields, exact to the bit.
    pub fn value_of(&self, entity: EntityId, component: &str) -> Option<Value> {
        let column = self.columns.iter().find(|column| column.name() == component)?;
        let mut bytes = Vec::new();
        column.encode(entity, &mut bytes).ok().filter(|there| *there)?;
        rmpv::decode::read_value(&mut bytes.as_slice()).ok()
    }

    /// Gives an entity a component from a tree of named fields; an equal value is no change.
    ///
    /// # Errors
    /// [`SetValueError`] when the entity or the type does not exist, or the tree does not fit it.
    pub fn set_value(
        &mut self,
        entity: EntityId,
        component: &str,
        value: &Value,
    ) -> Result<(), SetValueError> {
        if !self.exists(entity) {
            return Err(NoSuchEntity { entity }.into());
        }
        let index = self.columns.iter().position(|column| column.name() == component);
        let unknown = || SetValueError::Unknown { component: component.to_owned() };
        let index = index.ok_or_else(unknown)?;
        let mut bytes = Vec::new();
        let bad = |reason: String| {
            let component = component.to_owned();
            SetValueError::Bad(ApplyError::BadValue { component, entity, reason })
        };
        rmpv::encode::write_value(&mut bytes, value).map_err(|error| bad(error.to_string()))?;
        let tick = self.tick;
        self.any_column_mut(index).decode(entity, &bytes, tick).map_err(bad)
    }
}

/// A component that cannot be set by name; the Ecm is as it was.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetValueError {
    /// The entity does not exist.
    #[error(transparent)]
    Gone(#[from] NoSuchEntity),
    /// No type has the name.
    #[error("no component is called {component:?}")]
    Unknown {
        /// The name.
        component: String,
    },
    /// The value does not fit the type.
    #[error(transparent)]
    Bad(ApplyError),
}
