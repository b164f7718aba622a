//! Entities, components, copy-on-write columns and the state codec.
//!
//! The [`Ecm`] is the only simulation state besides the engine's. Cloning it costs a reference
//! count per component type, so a keyframe, a view for the page and a log record are all just
//! clones. Nothing here knows a particular component, a file format or a network.

mod check;
mod codec;
mod column;
mod component_set;
mod ecm;
mod entity;
mod erased;
mod fields;
mod hash;
mod merge;
mod named;
mod refresh;
mod registry;
mod removals;
mod restore;
mod weigh;

pub use codec::ApplyError;
pub use column::{Column, Cursor, Tick};
pub use component_set::ComponentSet;
pub use ecm::{Ecm, EcmSnapshot, NoSuchEntity};
pub use entity::{EntityId, IdBlock, Parent};
pub use fields::{WrittenField, written_fields};
pub use hash::StateHash;
pub use merge::MergeError;
pub use named::SetValueError;
pub use registry::{Component, Registry, RegistryBuilder};
