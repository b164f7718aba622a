//! Values of running programs that others can watch.
//!
//! A program offers items by an [`IntrospectionManager`]; others find it on the bus, ask for a
//! filter with the items they want, and get one message with all of them at each update, through an
//! [`IntrospectionClient`]. The simulator's own manager shares the bookkeeping, [`Filters`].
//! [`fields`] finds numbers in the messages of any topic.
//!
//! Deliberately not here: what a world offers (`retake_sim`), and keeping samples
//! (`retake_series`).

mod any;
mod client;
pub mod fields;
mod filters;
mod item;
mod lease;
mod manager;
mod numbers;
mod signal;
mod watch;

pub use any::Any;
pub use client::IntrospectionClient;
pub use filters::{FilterSample, Filters, Update, list_items};
pub use item::{Item, ItemType};
pub use lease::{LEASE, Leases};
pub use manager::{IntrospectionManager, ManagerError};
pub use numbers::{NumberError, NumberOf};
pub use signal::{Signal, SignalError};
pub use watch::{Sampled, Watch, WatchError};
