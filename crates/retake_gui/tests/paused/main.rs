//! Editing while paused: GUIs with copies of their own and a real server, without a network.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod laws;
mod room;
mod rules;
