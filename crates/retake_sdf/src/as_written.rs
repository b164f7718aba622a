//! Names and directions as the file writes them, beside the description that has them resolved.
//!
//! Nobody needs them to simulate; `crate::resolved` shows them.

use std::collections::BTreeMap;

use retake_math::Vec3;

/// What one world's file says, by the scoped name of the thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsWritten {
    pub(crate) joints: BTreeMap<String, WrittenJoint>,
    /// What each frame is attached to.
    pub(crate) frames: BTreeMap<String, String>,
    /// Frame that each model is placed by.
    pub(crate) placements: BTreeMap<String, String>,
}

/// A joint as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WrittenJoint {
    pub(crate) parent: String,
    pub(crate) child: String,
    /// Unit directions in the frames that they are expressed in.
    pub(crate) axes: Vec<Vec3>,
}
