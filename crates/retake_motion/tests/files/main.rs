//! Files of motions: what each format says, what is said of bad files, and folders of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod corpus;
mod examples;
mod faults;
mod hostile;
mod random;
mod round_trip;
mod shelf;
mod shipped;
