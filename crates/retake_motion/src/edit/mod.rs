//! Motions while they are taught: a table of waypoints that is edited, and can be undone.
//!
//! A [`WaypointsList`] is whole at all times: sorted, within the bounds of files and players, with
//! markers that make sense. The only way to change one is an [`Edit`], which is done whole or
//! refused with a reason. A [`Draft`] is a list that remembers what it was. Robots are not known
//! here: poses come from outside, and so do limits and what is left and right.

mod apply;
mod change;
mod check;
mod convert;
mod draft;
mod error;
mod goal;
mod label;
mod limits;
mod list;
mod markers;

pub use change::{Edit, Made, MirrorJoint, Pasted, Pose};
pub use draft::Draft;
pub use error::EditError;
pub use goal::Way;
pub use limits::{FASTEST, MAX_POINTS, MAX_TEXTS_BYTES, MAX_UNDO, SLOWEST};
pub use list::{ListAction, ListJoint, ListPoint, WaypointsList};
