//! What a model becomes: bodies with coordinates, as plain values without a word of MuJoCo.
//!
//! The frame of a body that moves has its origin at the centre of mass and is turned as its first
//! link. Everything is told at the poses of the insertion; where things are now is in
//! [`super::place::Now`].

mod body;
mod builder;
mod closure;
mod freedoms;

use retake_description::{JointAxis, JointKind, Surface, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Inertial, Pose, Vec3};
use serde::{Deserialize, Serialize};

use self::builder::Builder;
pub(super) use self::closure::{can_close, closure, closure_refusal};
use super::forms::Form;
use super::ties::Tie;
use crate::plan::{self, Motion};
use crate::{Assembly, EngineError, EngineNote, check};

/// A model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) entity: EntityId,
    /// Bodies; each comes after the one that carries it.
    pub(super) bodies: Vec<Body>,
    /// Joints in the order of their entities.
    pub(super) joints: Vec<Joint>,
    /// Coordinates that follow others.
    pub(super) ties: Vec<Tie>,
    /// Joints that close a loop.
    pub(super) closures: Vec<Closure>,
    /// Pairs of bodies that never touch.
    pub(super) apart: Vec<(usize, usize)>,
    /// How many numbers its position and its velocity have.
    pub(super) size: (usize, usize),
}

/// Links that never move against each other, or an anchor in the world without links.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) links: Vec<LinkOffset>,
    pub(super) motion: Motion,
    /// The body that carries it; none is the world.
    pub(super) carrier: Option<usize>,
    /// Pose in the carrier, or in the world, at the insertion.
    pub(super) carrier_from_body: Pose,
    pub(super) coords: Vec<Coord>,
    /// Mass properties in the body's frame.
    pub(super) inertial: Inertial,
    pub(super) gravity: bool,
    pub(super) decay: VelocityDecay,
    pub(super) geoms: Vec<Geom>,
}

/// A link in its body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LinkOffset {
    pub(super) link: EntityId,
    pub(super) body_from_link: Pose,
    /// The link's own centre of mass in the body.
    pub(super) body_com: Vec3,
}

/// Coordinates of a body, in MuJoCo's order.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Coord {
    pub(super) freedom: Freedom,
    /// First place among the model's positions and velocities.
    pub(super) at: (usize, usize),
}

/// What a coordinate lets move, in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Freedom {
    /// Everything: seven numbers for the position, six for the velocity.
    Free,
    /// Every rotation: four and three.
    Ball { anchor: Vec3 },
    /// Rotation about an axis; at the insertion it is at `zero`.
    Turn { anchor: Vec3, axis: Vec3, zero: f64 },
    /// Translation along an axis.
    Slide { axis: Vec3, zero: f64 },
}

impl Freedom {
    /// How many numbers position and velocity have.
    pub(super) fn size(self) -> (usize, usize) {
        match self {
            Self::Free => (7, 6),
            Self::Ball { .. } => (4, 3),
            Self::Turn { .. } | Self::Slide { .. } => (1, 1),
        }
    }
}

/// A shape that collides.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Geom {
    pub(super) collision: EntityId,
    pub(super) body_from_collision: Pose,
    pub(super) form: Form,
    pub(super) surface: Surface,
    /// What a library made the form from.
    pub(super) source: Option<u128>,
}

/// A joint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Joint {
    pub(super) entity: EntityId,
    pub(super) axes: Vec<Axis>,
}

/// An axis of a joint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Axis {
    pub(super) axis: JointAxis,
    pub(super) place: AxisPlace,
}

/// Where the position of an axis is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum AxisPlace {
    /// Among the coordinates of a body.
    Coord { body: usize, coord: usize },
    /// Nowhere: it cannot move.
    Frozen { position: f64 },
    /// Between the frames of the closure with this number.
    Closure { index: usize },
}

/// A joint outside of the tree: two bodies that are kept together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Closure {
    pub(super) joint: EntityId,
    pub(super) kind: JointKind,
    /// Links of the parent (none is the world) and the child, with the joint's frame in each; its x
    /// is the axis. The frame of the child is turned by the position.
    pub(super) parent: (Option<EntityId>, Pose),
    pub(super) child: (EntityId, Pose),
    pub(super) position: f64,
}

/// Makes a model of an assembly.
pub(super) fn model(
    assembly: &Assembly,
    notes: &mut Vec<EngineNote>,
) -> Result<Model, EngineError> {
    check::assembly(assembly)?;
    let plan = plan::plan(assembly)?;
    let mut builder = Builder::new(assembly, &plan, notes)?;
    for tree in &plan.trees {
        for edge in &tree.edges {
            builder.add_edge(edge);
        }
    }
    builder.add_free_roots();
    builder.add_still_joints();
    builder.add_closures();
    builder.finish()
}
