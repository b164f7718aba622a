//! Names and directions as the file writes them, beside the description that has them resolved.
//!
//! Nobody needs them to simulate; `crate::resolved` shows them.

use std::collections::BTreeMap;

use retake_description::{JointAxis, JointKind};
use retake_math::{Pose, Vec3};

/// What one world's file says, by the scoped name of the thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsWritten {
    /// Joints by the model that holds them, in the order of the file, also those left out.
    pub(crate) joints: BTreeMap<String, Vec<JointRecord>>,
    /// What each frame is attached to.
    pub(crate) frames: BTreeMap<String, String>,
    /// Frame that each model is placed by.
    pub(crate) placements: BTreeMap<String, String>,
}

/// A joint as written, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointRecord {
    pub(crate) name: String,
    pub(crate) kind: JointKind,
    pub(crate) parent: String,
    pub(crate) child: String,
    /// Link that the parent means; none when it means none.
    pub(crate) resolved_parent: Option<String>,
    pub(crate) resolved_child: Option<String>,
    pub(crate) world_from_joint: Option<Pose>,
    /// `<axis>` and `<axis2>`, as far as the file has them.
    pub(crate) axes: [Option<AxisRecord>; 2],
}

/// An axis as written, and in the joint's frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisRecord {
    /// Unit direction in the frame that it is expressed in.
    pub(crate) written: Vec3,
    pub(crate) axis: JointAxis,
}
