//! From views of the world to what pages receive, made once for all pages.

mod delta;
mod logs;
mod pacer;
mod poses;

pub(crate) use delta::Delta;
pub(crate) use logs::LogMessages;
pub(crate) use pacer::{Broadcast, FRAME, Pacer};
pub(crate) use poses::{PoseSet, moving_entities};
