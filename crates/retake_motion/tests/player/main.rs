//! What players do with goals: a table of cases, and laws.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arbitration;
mod laws;
mod repeating;
mod script;
mod stage;
mod table;
