//! SDF elements to drafts of the description.
//!
//! One file per subject. A draft holds what the file says, with the names of frames still in it;
//! `crate::frames` turns it into the description proper.

mod actor;
mod context;
mod draft;
mod geometry;
mod include;
mod inertial;
mod joint;
mod leftovers;
mod light;
mod link;
mod material;
mod merge;
mod model;
mod names;
mod physics;
mod plugin;
mod schema;
mod surface;
mod surface_solid;
mod value;
mod world;

pub(crate) use actor::actor;
pub(crate) use context::{Context, Origin, Version, nearest};
pub(crate) use draft::{
    AxisDraft, Drafted, FrameDraft, JointDraft, LinkDraft, ModelDraft, Named, Parts, Slot,
    WorldDraft,
};
pub use include::MAX_FILE_BYTES;
pub(crate) use include::{Included, include, parsed, parsed_version, root_of, warn_of_others};
pub(crate) use joint::joint;
pub(crate) use leftovers::element;
pub(crate) use light::light;
pub(crate) use link::{collision, link, sensor, visual};
pub(crate) use model::{frame, model};
pub(crate) use physics::profiles_of;
pub(crate) use plugin::plugin;
pub(crate) use world::world;
