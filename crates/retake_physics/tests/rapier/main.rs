//! The Rapier engine seen through the `Engine` trait.

// The helpers of the tests are tests too.
#![allow(clippy::unwrap_used)]

mod bodies;
mod joints;
mod refusals;
mod snapshots;
mod structure;
mod world;
