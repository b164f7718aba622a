//! What of a component people can edit, field by field.
//!
//! One table says for every component that a world file can describe which fields it has, what they
//! mean, their units and what they may be. The page makes its editors from it, the command line its
//! words, and edits are checked by it. Fields are found by their path in the tree that the
//! component is encoded as: `friction.mu`, `axes.0.limits.upper`; the empty path is the whole.
//! Physics profiles have commands of their own and are not here.

mod default;
mod judge;
#[cfg(test)]
mod law;
mod list;
mod message;
mod path;
mod set;
mod table;
mod tree;
mod words;

use retake_description::bounds::Bound;

use crate::Kind;
pub use default::default_component;
pub use list::{FieldAt, fields_of};
pub use message::component_fields;
pub use set::{FieldError, set_field};
pub use words::{WordsError, text_of, value_from_words};

pub(crate) use judge::{From as ComesFrom, fault};
pub(crate) use list::leaves;
pub(crate) use set::named;

/// A component that can be edited.
#[derive(Debug)]
pub struct EditableComponent {
    /// Its name.
    pub name: &'static str,
    /// What entities have it.
    pub kinds: &'static [Kind],
    /// Its fields.
    pub fields: &'static [Field],
}

/// A field of a component.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Where in the component; `*` stands for a position in a list.
    pub path: &'static str,
    /// What people read.
    pub label: &'static str,
    /// What it means, one sentence without a period.
    pub help: &'static str,
    /// What it may be.
    pub shape: FieldShape,
    /// Unit of its numbers; `rad|m` when that depends on the kind of a joint.
    pub unit: &'static str,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether files may go beyond the range, which then holds only for edits.
    pub loose: bool,
}

/// What a field may be.
#[derive(Clone, Copy, Debug)]
pub enum FieldShape {
    /// A number.
    Number {
        /// Its range.
        bound: Bound,
        /// Whether it may be infinite as well.
        infinite: bool,
    },
    /// A whole number.
    Integer {
        /// Its range.
        bound: Bound,
    },
    /// Yes or no.
    Flag,
    /// A group of fields that is there or not.
    Part,
    /// A text.
    Text {
        /// Most bytes.
        most: usize,
    },
    /// The name of a file, as a world file writes it.
    File,
    /// Elements of XML, written as text.
    Xml,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// One of some kinds, each with fields of its own below it.
    Variant(&'static [&'static str]),
    /// Numbers in a row.
    Vector {
        /// How many.
        count: usize,
        /// Range of each.
        bound: Bound,
        /// Whether only its direction counts.
        unit: bool,
    },
    /// Position and rotation.
    Pose,
    /// Red, green, blue and alpha from 0 to 1.
    Color,
    /// An entity.
    Entity(&'static [Kind]),
}

/// Returns every component that can be edited.
pub fn editable_components() -> &'static [&'static EditableComponent] {
    table::COMPONENTS
}

/// Finds a component that can be edited.
pub fn editable_component(name: &str) -> Option<&'static EditableComponent> {
    table::COMPONENTS.iter().copied().find(|component| component.name == name)
}

impl EditableComponent {
    /// Finds the field at a path.
    pub fn field(&self, path: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.is_at(path))
    }

    /// Says whether entities of this kind have it, or can have it.
    pub fn belongs_to(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }
}

impl Field {
    /// Says whether a path leads to this field.
    pub fn is_at(&self, path: &str) -> bool {
        let mut wanted = self.path.split('.');
        let mut given = path.split('.');
        loop {
            match (wanted.next(), given.next()) {
                (None, None) => return true,
                (Some("*"), Some(part)) if path::position(part).is_some() => {}
                (Some(wanted), Some(part)) if wanted == part => {}
                _ => return false,
            }
        }
    }

    /// Says whether it is an entry of a list that can grow and shrink.
    fn is_entry(&self) -> bool {
        self.optional && self.path.ends_with('*')
    }
}
