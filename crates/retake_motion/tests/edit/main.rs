//! Lists of waypoints: laws over random edits, and what is said when one is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod examples;
mod goals;
mod laws;
#[path = "../files/random.rs"]
mod motions;
mod random;
mod refusals;
#[path = "../player/stage.rs"]
#[allow(dead_code, reason = "players of their own tests need more of it")]
mod stage;
mod undo;
