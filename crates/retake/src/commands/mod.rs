//! Verbs that start something or work on files.

mod bridges;
pub(crate) mod config;
pub(crate) mod gui;
mod opening;
mod page_link;
pub(crate) mod play;
mod record;
mod reporter;
mod robots;
pub(crate) mod run;
pub(crate) mod sdf;
mod sdf_convert;
pub(crate) mod server;
pub(crate) mod signals;
