//! The plots of a host: which there are, where their values come from, and what is known of them.
//!
//! A [`Board`] holds the layout, takes samples from whoever hears them, and answers what a plot
//! shows. It knows no bus, no clock on the wall and no page: the GUI host and the command line put
//! those around it.

mod board;
mod bounds;
mod compare;
mod derived;
mod export;
mod facts;
mod feed;
mod frame;
mod layout;
mod live;
mod measure;
mod past;
mod run;
mod source;
mod topics;

pub use board::{Board, BoardError};
pub use export::{Export, ExportError, Format, Subject, Wish};
pub use frame::{Curve, Window};
pub use layout::{LayoutError, layout_from_json, layout_to_json};
pub use live::Wanted;
pub use run::{Run, RunError};
pub use source::SourceKey;
