//! Shapes that take time to make, made ready before an engine needs them.
//!
//! Reading a mesh, cutting it into convex parts or building its search tree can take seconds. An
//! engine offers its [`ShapeMaker`], which any thread may call; what it makes goes into a
//! [`crate::ColliderSpec`] and costs nothing more when the model is inserted.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use retake_assets::Heightmap;
use retake_description::{Geometry, MeshUse};
use retake_math::Vec3;

use crate::MeshData;

/// About what a corner of a triangle mesh takes, its normal included.
pub(crate) const CORNER_BYTES: usize = 48;
/// About what a triangle of a mesh takes, the normals of its edges and the search tree included.
pub(crate) const TRIANGLE_BYTES: usize = 200;
/// About what a corner of a hull takes, its edges and faces included.
pub(crate) const HULL_CORNER_BYTES: usize = 300;
/// Most corners of a hull: the engine looks at each one in every contact.
pub(crate) const MAX_HULL_CORNERS: usize = 1024;
/// What a point of terrain takes: its height, and the state of a cell.
pub(crate) const HEIGHT_BYTES: usize = 9;

/// Makes a shape of an engine, on any thread.
///
/// Equal sources give equal shapes, bit by bit. An error says why there is no such shape.
pub type ShapeMaker = fn(&ShapeSource<'_>) -> Result<PreparedShape, String>;

/// What a shape is made from, with all files read.
#[derive(Clone, Copy, Debug)]
pub enum ShapeSource<'a> {
    /// Triangles, scaled already.
    Mesh {
        /// The triangles.
        mesh: &'a MeshData,
        /// How they collide.
        collide_as: MeshUse,
    },
    /// Terrain.
    Terrain {
        /// Heights on a grid.
        heights: &'a Heightmap,
        /// Extent in metres.
        size: Vec3,
        /// Where the middle of its ground is.
        position: Vec3,
    },
    /// A shape that its numbers describe: an ellipsoid or outlines.
    Plain(&'a Geometry),
}

/// A shape that an engine's [`ShapeMaker`] made; cheap to clone.
#[derive(Clone)]
pub struct PreparedShape(Arc<Prepared>);

/// Says whether an engine still has a shape.
type IsUsed = dyn Fn(&dyn Any) -> bool + Send + Sync;

struct Prepared {
    bytes: usize,
    source: Option<u128>,
    remarks: Vec<String>,
    shape: Box<dyn Any + Send + Sync>,
    is_used: Box<IsUsed>,
}

impl PreparedShape {
    /// Wraps a shape that takes about `bytes` bytes; `remarks` say what is not as asked.
    ///
    /// `is_used` says whether an engine still has the shape.
    pub fn new<T: Any + Send + Sync>(
        bytes: usize,
        remarks: Vec<String>,
        shape: T,
        is_used: fn(&T) -> bool,
    ) -> Self {
        let is_used = Box::new(move |any: &dyn Any| any.downcast_ref::<T>().is_some_and(is_used));
        let shape = Box::new(shape);
        Self(Arc::new(Prepared { bytes, source: None, remarks, shape, is_used }))
    }

    /// Notes a digest of what it is made from, before anybody else has it.
    pub(crate) fn made_from(mut self, source: u128) -> Self {
        if let Some(prepared) = Arc::get_mut(&mut self.0) {
            prepared.source = Some(source);
        }
        self
    }

    /// Returns a digest of what it is made from, when a library made it: the contents of files and
    /// all numbers.
    pub fn source(&self) -> Option<u128> {
        self.0.source
    }

    /// Returns about how many bytes it keeps in memory.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// Says whether an engine has it, or somebody else a clone of it.
    pub(crate) fn is_used(&self) -> bool {
        Arc::strong_count(&self.0) > 1 || (self.0.is_used)(self.0.shape.as_ref())
    }

    /// Returns what is not as asked.
    pub fn remarks(&self) -> &[String] {
        &self.0.remarks
    }

    /// Returns the shape when it is of type `T`: engines know their own.
    pub fn shape<T: Any>(&self) -> Option<&T> {
        self.0.shape.downcast_ref()
    }
}

impl fmt::Debug for PreparedShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedShape({} bytes)", self.0.bytes)
    }
}
