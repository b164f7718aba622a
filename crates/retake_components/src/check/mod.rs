//! Whether the entities that an edit touched are still what a world can have.
//!
//! An edit may come from another process, so nothing is taken on trust: which components differ,
//! every number, every name and every reference is looked at. Only what an edit touched is, so that
//! it costs what it changes. What the physics engine cannot do it refuses by itself.

mod components;
mod nesting;
mod references;
mod state;
mod values;

use std::path::Path;

use retake_ecm::{Ecm, EntityId, Parent};
use thiserror::Error;

use crate::names::NamesInUse;
use crate::{Kind, NameError, path_of};
pub use nesting::{holders_of, may_hold};

/// What an edit is judged by beside the world itself.
#[derive(Clone, Copy)]
pub struct EditRules<'a> {
    /// Says whether shapes and materials may take the file.
    pub may_use_file: &'a dyn Fn(&Path) -> bool,
    /// Components of systems that commands change on entities that are there.
    pub commanded: &'a [&'a str],
}

/// Why an edit cannot be taken over; it is to be dropped whole.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EditError {
    /// The world entity came or went.
    #[error("A world has one world entity, which nobody can add or delete")]
    World,
    /// The component is none that people edit.
    #[error("{entity}: {component} of a {kind} cannot be edited")]
    NotEditable {
        /// Path of the entity.
        entity: String,
        /// What it is.
        kind: String,
        /// The component.
        component: String,
    },
    /// The entity lacks what makes it one.
    #[error("{entity}: a {kind} without {component} is none")]
    Incomplete {
        /// Path of the entity.
        entity: String,
        /// What it is.
        kind: String,
        /// The component.
        component: String,
    },
    /// A value is not what it may be.
    #[error("{entity}: {field} is {given}; {expected}")]
    Value {
        /// Path of the entity.
        entity: String,
        /// Component and field.
        field: String,
        /// What it is.
        given: String,
        /// What it may be.
        expected: String,
    },
    /// The holder cannot hold it.
    #[error("{entity}: a {kind} cannot be in {holder}; it needs a {allowed}")]
    Holder {
        /// Path of the entity.
        entity: String,
        /// What it is.
        kind: String,
        /// What holds it, and what that is.
        holder: String,
        /// What could hold it.
        allowed: String,
    },
    /// Models are nested too deep, or hold each other.
    #[error("{entity} is held by itself, or models are nested deeper than {most}")]
    TooDeep {
        /// Path of the entity.
        entity: String,
        /// How deep they may be.
        most: usize,
    },
    /// The name cannot be had.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A value of a type that this program does not know is too large.
    #[error("{entity}: {component} has {bytes} bytes; at most {most} are taken")]
    TooLarge {
        /// Path of the entity.
        entity: String,
        /// The component.
        component: String,
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
}

/// Checks what an edit made of the entities that it touched: those it made, changed or removed.
///
/// Only components that people can edit, and what follows from them, may differ of an entity that
/// was there before. `before` and `after` know the same component types.
///
/// # Errors
/// [`EditError`] names the entity, what is wrong and what would be right.
pub fn check_edit(
    before: &Ecm,
    after: &Ecm,
    touched: &[EntityId],
    rules: &EditRules<'_>,
) -> Result<(), EditError> {
    let (mut moved, mut names) = (false, NamesInUse::of(after));
    for &entity in touched {
        match (before.exists(entity), after.exists(entity)) {
            (_, true) => {
                let edit = Edit { before, after, entity, rules };
                edit.check(&mut names)?;
                moved |= before.exists(entity) && edit.differs::<Parent>();
            }
            (true, false) => {
                if before.get::<Kind>(entity) == Some(&Kind::World) {
                    return Err(EditError::World);
                }
                moved |= matches!(before.get(entity), Some(Kind::Link | Kind::Model));
            }
            (false, false) => {}
        }
    }
    // What refers to something that moved or went was perhaps not touched itself.
    if moved { references::check_all(after) } else { Ok(()) }
}

/// An entity that an edit made or changed.
#[derive(Clone, Copy)]
struct Edit<'a> {
    before: &'a Ecm,
    after: &'a Ecm,
    entity: EntityId,
    rules: &'a EditRules<'a>,
}

impl Edit<'_> {
    fn check(&self, names: &mut NamesInUse<'_>) -> Result<(), EditError> {
        let kind = self.after.get::<Kind>(self.entity).copied();
        let kind = kind.ok_or_else(|| self.incomplete("thing", "kind"))?;
        if kind == Kind::World && self.is_new() {
            return Err(EditError::World);
        }
        let changed = components::changed(self, kind)?;
        nesting::check(self, kind, &changed, names)?;
        for component in &changed {
            values::check(self, component)?;
        }
        state::check(self, &changed)?;
        references::check(self, &changed)
    }

    fn is_new(&self) -> bool {
        !self.before.exists(self.entity)
    }

    fn differs<T: retake_ecm::Component>(&self) -> bool {
        self.before.get::<T>(self.entity) != self.after.get::<T>(self.entity)
    }

    fn path(&self) -> String {
        path_of(self.after, self.entity)
    }

    fn incomplete(&self, kind: &str, component: &str) -> EditError {
        let (kind, component) = (kind.to_owned(), component.to_owned());
        EditError::Incomplete { entity: self.path(), kind, component }
    }

    fn value(
        &self,
        field: impl Into<String>,
        given: impl ToString,
        expected: impl Into<String>,
    ) -> EditError {
        EditError::Value {
            entity: self.path(),
            field: field.into(),
            given: given.to_string(),
            expected: expected.into(),
        }
    }
}
