//! Numbers inside protobuf messages of any type, by reflection.
//!
//! A [`FieldPath`] says which number is meant; a [`Walker`] made from it and a type's descriptor
//! finds it in encoded messages without decoding them; [`children`] lists what there is.

mod descriptor;
mod path;
mod tree;
mod walk;

pub use descriptor::{SchemaError, message_descriptor};
pub use path::{FieldPath, PathError, PathStep, Select};
pub use tree::{FieldNode, FieldNodes, children};
pub use walk::{FieldError, Walker};
