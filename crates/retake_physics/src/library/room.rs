//! How much memory shapes take together, known before any of them is made.
//!
//! What fits follows from the shapes alone, in their order, and not from what a library happens to
//! keep: who inserts the same again gets the same.

use std::collections::BTreeSet;

use retake_description::{Geometry, MeshUse};

use super::files::Size;
use super::{Look, ShapeLibrary, encoded};
use crate::shape::{
    CORNER_BYTES, HEIGHT_BYTES, HULL_CORNER_BYTES, MAX_HULL_CORNERS, TRIANGLE_BYTES,
};

/// Most memory that the shapes of all models take together, in MiB: fourteen terrains of the largest
/// size, or ten million triangles.
pub(crate) const MOST_SHAPES_MIB: usize = 2048;
const BYTES_PER_MIB: usize = 1 << 20;
/// About how many corners the hull of an ellipsoid has.
const ELLIPSOID_CORNERS: usize = 602;
/// About how many corners each convex part of a mesh has.
const PART_CORNERS: usize = 64;
/// Most parts that an engine makes, whatever is asked for.
const MAX_PARTS: u32 = 64;

/// The shapes that are in memory together; equal ones share it.
#[derive(Default)]
pub(crate) struct ShapeRoom {
    known: BTreeSet<Vec<u8>>,
    bytes: usize,
}

impl ShapeRoom {
    /// Returns about how many bytes they take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts shapes that are there.
    pub(crate) fn fill<'a>(
        &mut self,
        library: &ShapeLibrary,
        shapes: impl IntoIterator<Item = &'a Geometry>,
    ) {
        let (new, bytes) = self.new_ones(library, shapes);
        self.known.extend(new);
        self.bytes = bytes;
    }

    /// Adds shapes when all of them fit; otherwise says how many MiB there would be with them.
    pub(crate) fn add<'a>(
        &mut self,
        library: &ShapeLibrary,
        shapes: impl IntoIterator<Item = &'a Geometry>,
    ) -> Result<(), usize> {
        let (new, bytes) = self.new_ones(library, shapes);
        if bytes > MOST_SHAPES_MIB * BYTES_PER_MIB {
            return Err(bytes.div_ceil(BYTES_PER_MIB));
        }
        self.known.extend(new);
        self.bytes = bytes;
        Ok(())
    }

    /// Returns those that are not there yet, and how many bytes there would be with them.
    fn new_ones<'a>(
        &self,
        library: &ShapeLibrary,
        shapes: impl IntoIterator<Item = &'a Geometry>,
    ) -> (BTreeSet<Vec<u8>>, usize) {
        let (mut new, mut bytes) = (BTreeSet::new(), self.bytes);
        for geometry in shapes.into_iter().filter(|geometry| ShapeLibrary::is_slow(geometry)) {
            let key = encoded(geometry);
            if !self.known.contains(&key) && new.insert(key) {
                bytes = bytes.saturating_add(library.bytes(geometry, Look::Never));
            }
        }
        (new, bytes)
    }
}

/// Returns about how many bytes a shape takes; the size is that of its file, if it has one.
pub(super) fn shape_bytes(geometry: &Geometry, size: Size) -> usize {
    let hull = |corners: usize| corners.min(MAX_HULL_CORNERS) * HULL_CORNER_BYTES;
    match geometry {
        Geometry::Mesh { collide_as: MeshUse::Triangles, .. } => {
            size.corners * CORNER_BYTES + size.triangles * TRIANGLE_BYTES
        }
        Geometry::Mesh { collide_as: MeshUse::ConvexHull, .. } => hull(size.corners),
        Geometry::Mesh { collide_as: MeshUse::ConvexParts(wanted), .. } => {
            wanted.most_parts.clamp(1, MAX_PARTS) as usize * PART_CORNERS * HULL_CORNER_BYTES
        }
        Geometry::Heightmap { .. } => size.corners * HEIGHT_BYTES,
        Geometry::Ellipsoid { .. } => hull(ELLIPSOID_CORNERS),
        Geometry::Polyline(outlines) => {
            // Each corner is there below and above, and in about two of the pieces.
            let corners: usize = outlines.outlines.iter().map(Vec::len).sum();
            corners * 4 * HULL_CORNER_BYTES
        }
        _ => 0,
    }
}
