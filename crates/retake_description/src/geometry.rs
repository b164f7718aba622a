//! Shapes of collisions and visuals.

use std::path::PathBuf;

use retake_math::Vec3;
use serde::{Deserialize, Serialize};

/// A shape in its own frame; lengths in metres. Round shapes have their axis along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// Nothing: no shape at all.
    Empty,
    /// A box around the origin.
    Box {
        /// Full edge lengths.
        size: Vec3,
    },
    /// A ball around the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder around the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Full length along z.
        length: f64,
    },
    /// A cylinder with a half ball on each end.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylindrical part along z.
        length: f64,
    },
    /// An ellipsoid around the origin.
    Ellipsoid {
        /// Half axes.
        radii: Vec3,
    },
    /// A cone with its tip up, the origin at half height.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Height along z.
        length: f64,
    },
    /// An infinite half space when it collides, a rectangle when it is seen.
    Plane {
        /// Unit normal; the solid is behind it.
        normal: Vec3,
        /// Edge lengths of the visible rectangle.
        size: [f64; 2],
    },
    /// Triangles from a file.
    Mesh {
        /// Address as the world file writes it.
        uri: String,
        /// The file it was resolved to; empty when it was not found.
        path: PathBuf,
        /// Scale along each axis.
        scale: Vec3,
        /// Name of the only part to use.
        submesh: Option<String>,
        /// Whether that part is moved to its own centre.
        center_submesh: bool,
        /// How the mesh collides.
        collide_as: MeshUse,
    },
    /// Terrain from a grey image.
    Heightmap {
        /// Address as the world file writes it.
        uri: String,
        /// The file it was resolved to; empty when it was not found.
        path: PathBuf,
        /// Extent along x, y and z.
        size: Vec3,
        /// Position of the centre.
        position: Vec3,
    },
    /// Outlines pushed up along z.
    Polyline(Polyline),
}

impl Geometry {
    /// Returns the shape scaled along its own axes; none when no shape of its kind is like that.
    pub fn scaled(&self, factor: Vec3) -> Option<Self> {
        let mut scaled = self.clone();
        let across = (factor.x == factor.y).then_some(factor.x);
        let even = across.filter(|across| *across == factor.z);
        match &mut scaled {
            Self::Empty => {}
            Self::Box { size } | Self::Ellipsoid { radii: size } => *size *= factor,
            Self::Sphere { radius } => match even {
                Some(even) => *radius *= even,
                None => return Some(Self::Ellipsoid { radii: factor * *radius }),
            },
            Self::Cylinder { radius, length } | Self::Cone { radius, length } => {
                *radius *= across?;
                *length *= factor.z;
            }
            Self::Capsule { radius, length } => {
                *radius *= even?;
                *length *= factor.z;
            }
            // What is infinite stays so; only what is seen of it has a size.
            Self::Plane { size, .. } => size.iter_mut().for_each(|edge| *edge *= factor.x),
            Self::Mesh { scale, .. } => *scale *= factor,
            Self::Heightmap { size, position, .. } => {
                *size *= factor;
                *position *= factor;
            }
            Self::Polyline(polyline) => {
                let points = polyline.outlines.iter_mut().flatten();
                points.for_each(|[x, y]| (*x, *y) = (*x * factor.x, *y * factor.y));
                polyline.height *= factor.z;
            }
        }
        Some(scaled)
    }
}

/// Outlines pushed up along z, as SDF's `<polyline>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Polyline {
    /// Closed outlines; inner ones are holes.
    pub outlines: Vec<Vec<[f64; 2]>>,
    /// Height along z.
    pub height: f64,
}

/// How a mesh takes part in collisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeshUse {
    /// Its triangles, hollow.
    #[default]
    Triangles,
    /// Its convex hull, solid.
    ConvexHull,
    /// A set of convex parts that together fill it.
    ConvexParts(ConvexParts),
}

/// How a mesh is cut into convex parts, as SDF's `<convex_decomposition>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvexParts {
    /// Most parts.
    pub most_parts: u32,
    /// Cells of the grid that it is cut on.
    pub voxels: u32,
}

impl Default for ConvexParts {
    /// SDF's defaults.
    fn default() -> Self {
        Self { most_parts: 16, voxels: 200_000 }
    }
}

impl Geometry {
    /// What [`Geometry::kind`] can say.
    pub const KINDS: [&str; 11] = [
        "empty",
        "box",
        "sphere",
        "cylinder",
        "capsule",
        "ellipsoid",
        "cone",
        "plane",
        "mesh",
        "heightmap",
        "polyline",
    ];

    /// Returns the name by which SDF and people call the shape.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Box { .. } => "box",
            Self::Sphere { .. } => "sphere",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Cone { .. } => "cone",
            Self::Plane { .. } => "plane",
            Self::Mesh { .. } => "mesh",
            Self::Heightmap { .. } => "heightmap",
            Self::Polyline(_) => "polyline",
        }
    }
}
