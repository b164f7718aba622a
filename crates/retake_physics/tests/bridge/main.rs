//! Engines behind the bridge to the Ecm.

// The helpers of the tests are tests too.
#![allow(clippy::unwrap_used)]

mod hand;
mod live;
mod nowhere;
mod readings;
mod refused;
mod stage;
mod tpe;
mod untouched;
