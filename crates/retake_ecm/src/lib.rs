//! Entities, components, copy-on-write columns and the state codec.
