//! The MuJoCo engine: accuracy, restoring, editing, changing engines.

// The helpers of the tests are tests too.
#![allow(clippy::unwrap_used)]

mod accuracy;
mod edits;
mod snapshots;
#[path = "../bridge/stage.rs"]
#[allow(dead_code)]
mod stage;
mod switch;
mod world;
