//! The Rapier engine seen through the `Engine` trait.

// The helpers of the tests are tests too.
#![allow(clippy::unwrap_used)]

mod bodies;
mod fuzz;
mod joints;
mod overlap;
mod refusals;
mod said;
mod saved;
mod shapes;
mod snapshots;
mod structure;
mod vehicle;
mod world;
