//! A mesh as plain numbers: parts with their looks, and the triangles of all of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{DMat3, DMat4, DVec3};

use super::{Fault, MAX_TRIANGLES};

/// Triangles with shared vertices, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// Corners; every number is finite.
    pub positions: Vec<[f32; 3]>,
    /// Triangles as indices of corners, counter-clockwise seen from outside; all in range.
    pub indices: Vec<[u32; 3]>,
}

/// A mesh file: its parts and how they look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Parts in the order of the file.
    pub parts: Vec<MeshPart>,
    /// Looks that parts name by index.
    pub materials: Vec<MeshMaterial>,
    /// Images that materials name by index.
    pub textures: Vec<Texture>,
    /// What was asked for and is left out: textures that are not there, features not read.
    pub warnings: Vec<String>,
}

/// Triangles of one look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPart {
    /// Name of the object, group or node; several parts of one thing have the same.
    pub name: String,
    /// Corners in metres; every number is finite.
    pub positions: Vec<[f32; 3]>,
    /// Triangles as indices of corners, counter-clockwise seen from outside; all in range.
    pub indices: Vec<[u32; 3]>,
    /// Unit normals, one for each corner, or none at all.
    pub normals: Vec<[f32; 3]>,
    /// Places in the texture, one for each corner, or none at all; (0, 0) is its lower left.
    pub uvs: Vec<[f32; 2]>,
    /// Index of the look, when the file gives one.
    pub material: Option<usize>,
}

/// How a part looks.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshMaterial {
    /// Name in the file.
    pub name: String,
    /// Red, green, blue as screens show them, and opacity, each from 0 to 1.
    pub base_color: [f32; 4],
    /// Colour that it emits.
    pub emissive: [f32; 3],
    /// Index of the image that the colour is multiplied with.
    pub texture: Option<usize>,
    /// 0 is an insulator, 1 a metal; none when the format does not say.
    pub metalness: Option<f32>,
    /// 0 is a mirror, 1 is chalk; none when the format does not say.
    pub roughness: Option<f32>,
    /// Whether the back of its triangles is seen too.
    pub double_sided: bool,
    /// Pixels with less opacity than this are not drawn at all.
    pub alpha_cutoff: Option<f32>,
}

/// An image of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum Texture {
    /// A file under the resource roots.
    File(PathBuf),
    /// A PNG or JPEG image inside of the mesh file.
    Embedded(Arc<[u8]>),
}

impl Default for MeshMaterial {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            emissive: [0.0; 3],
            texture: None,
            metalness: None,
            roughness: None,
            double_sided: false,
            alpha_cutoff: None,
        }
    }
}

impl Mesh {
    /// Joins all parts, and corners at the same place into one, for collisions.
    pub fn triangles(&self) -> TriMesh {
        let mut joined = TriMesh::default();
        let mut index_of = HashMap::new();
        for part in &self.parts {
            let mut index = |corner: u32| {
                let position = part.positions[corner as usize];
                // Adding zero makes the two zeros one.
                let key = position.map(|value| (value + 0.0).to_bits());
                *index_of.entry(key).or_insert_with(|| {
                    joined.positions.push(position);
                    // The limit on triangles keeps three times their number far below u32.
                    joined.positions.len() as u32 - 1
                })
            };
            let triangles: Vec<_> = part.indices.iter().map(|t| t.map(&mut index)).collect();
            joined.indices.extend(triangles);
        }
        joined
    }

    /// Adds an image, or finds it among those that are there.
    pub(super) fn texture(&mut self, texture: Texture) -> usize {
        let known = self.textures.iter().position(|known| *known == texture);
        known.unwrap_or_else(|| {
            self.textures.push(texture);
            self.textures.len() - 1
        })
    }

    /// Notes what is left out, once, and not without end.
    pub(super) fn warn(&mut self, warning: String) {
        if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Keeps only the parts of one name.
    pub(super) fn select(&mut self, name: &str) -> Result<(), Fault> {
        if self.parts.iter().all(|part| part.name != name) {
            let mut names: Vec<&str> = Vec::new();
            for part in self.parts.iter().filter(|part| !part.name.is_empty()) {
                if !names.contains(&part.name.as_str()) && names.len() < MOST_NAMES {
                    names.push(&part.name);
                }
            }
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(Fault::NoSuchSubmesh { name: name.to_owned(), known });
        }
        self.parts.retain(|part| part.name == name);
        Ok(())
    }

    /// Moves the middle of the bounding box to the origin.
    pub(super) fn center(&mut self) {
        let mut corners = self.parts.iter().flat_map(|part| &part.positions);
        let Some(&first) = corners.next() else { return };
        let (mut low, mut high) = (first, first);
        for corner in corners {
            for axis in 0..3 {
                low[axis] = low[axis].min(corner[axis]);
                high[axis] = high[axis].max(corner[axis]);
            }
        }
        // The whole extent may be more than a number can tell; half of it never is.
        let middle = [0, 1, 2].map(|axis| low[axis].midpoint(high[axis]));
        for corner in self.parts.iter_mut().flat_map(|part| &mut part.positions) {
            for axis in 0..3 {
                corner[axis] -= middle[axis];
            }
        }
    }
}

/// How many warnings are kept.
const MOST_WARNINGS: usize = 100;
/// How many names an error lists.
const MOST_NAMES: usize = 20;

impl MeshPart {
    /// Moves the part into the frame of the mesh.
    pub(super) fn transform(&mut self, mesh_from_part: &DMat4) -> Result<(), Fault> {
        let linear = DMat3::from_mat4(*mesh_from_part);
        for position in &mut self.positions {
            let moved = mesh_from_part.transform_point3(DVec3::from_array(position.map(f64::from)));
            *position = finite(moved.to_array())?;
        }
        let turn = match linear.determinant() {
            0.0 => DMat3::IDENTITY,
            _ => linear.inverse().transpose(),
        };
        for normal in &mut self.normals {
            let turned = turn * DVec3::from_array(normal.map(f64::from));
            *normal = turned.normalize_or_zero().to_array().map(|value| value as f32);
        }
        if linear.determinant() < 0.0 {
            // A mirror turns every triangle inside out.
            self.indices.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(())
    }
}

fn finite(numbers: [f64; 3]) -> Result<[f32; 3], Fault> {
    let narrow = numbers.map(|value| value as f32);
    match narrow.iter().all(|value| value.is_finite()) {
        true => Ok(narrow),
        false => Err(Fault::Malformed("a vertex has a number that is not finite".to_owned())),
    }
}

/// Counts triangles against the limit, before memory is taken for them.
#[derive(Default)]
pub(super) struct Budget {
    triangles: u64,
    corners: u64,
}

impl Budget {
    pub(super) fn spend(&mut self, triangles: u64) -> Result<(), Fault> {
        self.triangles = self.triangles.saturating_add(triangles);
        match self.triangles > MAX_TRIANGLES {
            true => Err(Fault::TooManyTriangles(self.triangles)),
            false => Ok(()),
        }
    }

    /// Counts corners of formats that list them apart from the triangles.
    pub(super) fn spend_corners(&mut self, corners: u64) -> Result<(), Fault> {
        const LIMIT: u64 = 3 * MAX_TRIANGLES;
        self.corners = self.corners.saturating_add(corners);
        match self.corners > LIMIT {
            true => Err(Fault::Malformed(format!("the mesh has more than {LIMIT} vertices"))),
            false => Ok(()),
        }
    }
}

/// Marks a corner that has no normal or no place in the texture.
pub(super) const NONE: u32 = u32::MAX;

/// What the corners of a file index: positions, normals and places in the texture.
#[derive(Clone, Copy)]
pub(super) struct Streams<'a> {
    pub(super) positions: &'a [[f32; 3]],
    pub(super) normals: &'a [[f32; 3]],
    pub(super) uvs: &'a [[f32; 2]],
}

/// Makes a part out of corners that index each stream separately.
pub(super) struct PartBuilder {
    part: MeshPart,
    index_of: HashMap<[u32; 3], u32>,
    normals_missing: bool,
    uvs_missing: bool,
}

impl PartBuilder {
    pub(super) fn new(name: String, material: Option<usize>) -> Self {
        Self {
            part: MeshPart { name, material, ..MeshPart::default() },
            index_of: HashMap::new(),
            normals_missing: false,
            uvs_missing: false,
        }
    }

    /// Adds a polygon as a fan of triangles; corners are indices of position, normal and texture.
    pub(super) fn polygon(
        &mut self,
        corners: &[[u32; 3]],
        streams: Streams<'_>,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        let [first, rest @ ..] = corners else { return Ok(()) };
        for pair in rest.windows(2) {
            budget.spend(1)?;
            let triangle = [
                self.corner(*first, streams)?,
                self.corner(pair[0], streams)?,
                self.corner(pair[1], streams)?,
            ];
            self.part.indices.push(triangle);
        }
        Ok(())
    }

    /// Returns the part, or none when it has no triangle.
    pub(super) fn finish(mut self) -> Option<MeshPart> {
        if self.normals_missing {
            self.part.normals.clear();
        }
        if self.uvs_missing {
            self.part.uvs.clear();
        }
        (!self.part.indices.is_empty()).then_some(self.part)
    }

    fn corner(&mut self, key: [u32; 3], streams: Streams<'_>) -> Result<u32, Fault> {
        if let Some(&index) = self.index_of.get(&key) {
            return Ok(index);
        }
        let [position, normal, uv] = key;
        self.part.positions.push(*named(streams.positions, position, "vertex")?);
        match normal {
            NONE => self.normals_missing = true,
            normal => self.part.normals.push(unit(*named(streams.normals, normal, "normal")?)),
        }
        match uv {
            NONE => self.uvs_missing = true,
            uv => self.part.uvs.push(*named(streams.uvs, uv, "texture coordinate")?),
        }
        // The limit on triangles keeps three times their number far below u32.
        let index = self.part.positions.len() as u32 - 1;
        self.index_of.insert(key, index);
        Ok(index)
    }
}

fn named<'a, T>(stream: &'a [T], index: u32, what: &str) -> Result<&'a T, Fault> {
    stream.get(index as usize).ok_or_else(|| {
        let held = stream.len();
        let number = u64::from(index) + 1;
        Fault::Malformed(format!("a face names {what} {number}, but the file has {held}"))
    })
}

/// Makes a normal one long; one without a direction stays zero.
pub(super) fn unit(normal: [f32; 3]) -> [f32; 3] {
    let normal = DVec3::from_array(normal.map(f64::from));
    normal.normalize_or_zero().to_array().map(|value| value as f32)
}
