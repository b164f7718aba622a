//! What a file says, with the names of frames still in it.
//!
//! Each draft wraps the description it will become; poses in it are as written, and the names
//! beside it say relative to what.

use retake_description::{Frame, Joint, JointAxis, Light, Link, Model, World};
use retake_diag::Place;

/// A name that the file uses, and where.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) place: Place,
}

/// Something with a pose relative to a named frame.
#[derive(Clone, Debug)]
pub(crate) struct Drafted<T> {
    pub(crate) thing: T,
    /// Frame of the written pose; none means the default of its kind.
    pub(crate) relative_to: Option<Named>,
}

/// A link with the frames of its poses.
#[derive(Debug)]
pub(crate) struct LinkDraft {
    pub(crate) link: Link,
    pub(crate) relative_to: Option<Named>,
    /// Things on the link whose poses are not in the link's frame.
    pub(crate) inner: Vec<(Slot, Named)>,
}

/// Which thing on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Collision(usize),
    Visual(usize),
    Light(usize),
    Sensor(usize),
    Inertial,
}

/// A joint with the frames it names.
#[derive(Debug)]
pub(crate) struct JointDraft {
    pub(crate) joint: Joint,
    pub(crate) relative_to: Option<Named>,
    pub(crate) parent: Named,
    pub(crate) child: Named,
    /// `<axis>` and `<axis2>` as far as the file has them, whether or not the kind has a use for
    /// them.
    pub(crate) written_axes: [Option<AxisDraft>; 2],
}

/// An axis of a joint with the frame it is expressed in; none means the joint's own.
#[derive(Clone, Debug)]
pub(crate) struct AxisDraft {
    pub(crate) axis: JointAxis,
    pub(crate) expressed_in: Option<Named>,
}

/// A frame with the frames it names.
#[derive(Debug)]
pub(crate) struct FrameDraft {
    pub(crate) frame: Frame,
    pub(crate) relative_to: Option<Named>,
    pub(crate) attached_to: Option<Named>,
    pub(crate) place: Place,
}

/// Everything in a scope that frames can name.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) links: Vec<LinkDraft>,
    pub(crate) joints: Vec<JointDraft>,
    pub(crate) frames: Vec<FrameDraft>,
    pub(crate) models: Vec<ModelDraft>,
}

/// A model with the frames it names.
#[derive(Debug)]
pub(crate) struct ModelDraft {
    pub(crate) model: Model,
    pub(crate) relative_to: Option<Named>,
    pub(crate) placement_frame: Option<Named>,
    pub(crate) canonical_link: Option<Named>,
    pub(crate) place: Place,
    pub(crate) parts: Parts,
}

/// A world with the frames it names.
#[derive(Debug)]
pub(crate) struct WorldDraft {
    pub(crate) world: World,
    pub(crate) lights: Vec<Drafted<Light>>,
    pub(crate) parts: Parts,
}
