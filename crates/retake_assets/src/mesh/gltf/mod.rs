//! glTF 2.0, as text and as one binary file.
//!
//! Of a scene its nodes, triangles and base colours are read; morph targets, skins in other poses,
//! cameras and lights are left out. Coordinates stay as they are, y up, as Gazebo leaves them.

mod data;
mod images;
mod look;

#[cfg(test)]
pub(super) mod tests;

use std::collections::{BTreeMap, HashMap};

use glam::{DMat4, DQuat, DVec3};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Node, Root};

use super::neighbours::{Looks, Neighbours};
use super::parts::{Budget, Mesh, MeshPart, unit};
use super::{Fault, push_part};
use data::Buffers;
use images::Images;

/// Most nodes inside one another; a circle of nodes ends here.
const MAX_DEPTH: usize = 128;
/// Most nodes that are visited: a node may be a child of many.
const MAX_VISITS: usize = 200_000;
/// Extensions that a file may require: those that change only what is not read anyway.
const EXTENSIONS: [&str; 8] = [
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
];

/// Reads a glTF file of either form.
pub(super) fn parse(bytes: &[u8], files: &Neighbours) -> Result<Mesh, Fault> {
    let (json, binary) = split(bytes)?;
    let root: Root = gltf_json::deserialize::from_slice(json)
        .or_else(|error| malformed(format!("not readable glTF: {error}")))?;
    if !root.asset.version.starts_with("2.") {
        return malformed(format!("glTF version {:?} is not read, only 2.0", root.asset.version));
    }
    let unread = |name: &&String| !EXTENSIONS.contains(&name.as_str());
    if let Some(name) = root.extensions_required.iter().find(unread) {
        return malformed(format!("the file needs the extension {name:?}, which is not read"));
    }
    let mut mesh = Mesh::default();
    let buffers = Buffers::new(&root, binary, files);
    let mut reader = Reader {
        root: &root,
        buffers,
        images: (files.looks() == Looks::Wanted).then(|| Images::new(files)),
        mesh: &mut mesh,
        shapes: HashMap::new(),
        materials: BTreeMap::new(),
        budget: Budget::default(),
        visits: 0,
    };
    reader.scene()?;
    Ok(mesh)
}

/// Splits a binary file into its JSON and its data.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let Some(rest) = bytes.strip_prefix(b"glTF") else { return Ok((bytes, None)) };
    let (version, rest) = number(rest)?;
    let (_length, rest) = number(rest)?;
    if version != 2 {
        return malformed(format!("glTF version {version} is not read, only 2"));
    }
    let (kind, json, rest) = chunk(rest)?;
    if kind != *b"JSON" {
        return malformed("the first chunk is not JSON");
    }
    let binary = if rest.is_empty() { None } else { Some(chunk(rest)?) };
    Ok((json, binary.filter(|(kind, ..)| kind == b"BIN\0").map(|(_, data, _)| data)))
}

type Chunk<'a> = ([u8; 4], &'a [u8], &'a [u8]);

fn chunk(bytes: &[u8]) -> Result<Chunk<'_>, Fault> {
    let (length, rest) = number(bytes)?;
    let kind = rest.split_first_chunk::<4>();
    let data = kind.and_then(|(kind, rest)| Some((*kind, rest.split_at_checked(length as usize)?)));
    match data {
        Some((kind, (data, rest))) => Ok((kind, data, rest)),
        None => malformed("a chunk claims more bytes than the file holds"),
    }
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8]), Fault> {
    match bytes.split_first_chunk::<4>() {
        Some((number, rest)) => Ok((u32::from_le_bytes(*number), rest)),
        None => malformed("the file ends within its header"),
    }
}

struct Reader<'a, 'm> {
    root: &'a Root,
    buffers: Buffers<'a>,
    /// Images of materials; none when looks are not wanted.
    images: Option<Images<'a>>,
    mesh: &'m mut Mesh,
    /// Meshes that were read, before their transforms.
    shapes: HashMap<usize, Vec<MeshPart>>,
    /// Places of materials that were read.
    materials: BTreeMap<usize, usize>,
    budget: Budget,
    visits: usize,
}

impl Reader<'_, '_> {
    fn scene(&mut self) -> Result<(), Fault> {
        let shown = self.root.scene.map_or(0, |scene| scene.value());
        match self.root.scenes.get(shown) {
            Some(scene) => {
                scene.nodes.iter().try_for_each(|node| self.node(*node, DMat4::IDENTITY, 0))
            }
            None if self.root.scene.is_some() => malformed("the scene that is shown is not there"),
            None => (0..self.root.meshes.len())
                .try_for_each(|mesh| self.place(mesh, None, &DMat4::IDENTITY)),
        }
    }

    fn node(
        &mut self,
        index: Index<Node>,
        mesh_from_parent: DMat4,
        depth: usize,
    ) -> Result<(), Fault> {
        self.visits += 1;
        if depth > MAX_DEPTH {
            return malformed(format!("nodes are nested deeper than {MAX_DEPTH}, or in a circle"));
        }
        if self.visits > MAX_VISITS {
            return malformed(format!("the scene has more than {MAX_VISITS} nodes"));
        }
        let Some(node) = self.root.nodes.get(index.value()) else {
            return malformed(format!("there is no node {}", index.value()));
        };
        let mesh_from_node = mesh_from_parent * transform(node);
        if let Some(mesh) = node.mesh {
            self.place(mesh.value(), node.name.as_deref(), &mesh_from_node)?;
        }
        let children = node.children.iter().flatten();
        children.copied().try_for_each(|child| self.node(child, mesh_from_node, depth + 1))
    }

    fn place(
        &mut self,
        index: usize,
        name: Option<&str>,
        mesh_from_node: &DMat4,
    ) -> Result<(), Fault> {
        let Some(mesh) = self.root.meshes.get(index) else {
            return malformed(format!("there is no mesh {index}"));
        };
        let shape = match self.shapes.remove(&index) {
            Some(shape) => {
                for part in &shape {
                    self.budget.spend_corners(part.positions.len() as u64)?;
                    self.budget.spend(part.indices.len() as u64)?;
                }
                shape
            }
            None => {
                let mut parts = Vec::new();
                for primitive in &mesh.primitives {
                    parts.extend(self.primitive(primitive)?);
                }
                parts
            }
        };
        let name = name.or(mesh.name.as_deref()).unwrap_or_default();
        for part in &shape {
            let mut part = MeshPart { name: name.to_owned(), ..part.clone() };
            part.transform(mesh_from_node)?;
            push_part(self.mesh, part)?;
        }
        self.shapes.insert(index, shape);
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive) -> Result<Option<MeshPart>, Fault> {
        let attribute = |semantic| {
            primitive.attributes.get(&Checked::Valid(semantic)).map(|index| index.value())
        };
        let Some(at) = attribute(Semantic::Positions) else {
            self.mesh.warn("a primitive has no positions".to_owned());
            return Ok(None);
        };
        self.budget.spend_corners(self.buffers.count(at)?)?;
        let positions = self.buffers.floats::<3>(at)?;
        let count = positions.len();
        let normals = attribute(Semantic::Normals).map(|at| self.buffers.floats::<3>(at));
        let uvs = attribute(Semantic::TexCoords(0)).map(|at| self.buffers.floats::<2>(at));
        let normals = normals.transpose()?.unwrap_or_default();
        let uvs = uvs.transpose()?.unwrap_or_default();
        if [normals.len(), uvs.len()].iter().any(|&held| held != 0 && held != count) {
            return malformed("a primitive has fewer normals or texture places than positions");
        }
        let indices = match primitive.indices {
            Some(at) => self.buffers.indices(at.value())?,
            None => (0..count as u32).collect(),
        };
        if let Some(index) = indices.iter().find(|&&index| index as usize >= count) {
            return malformed(format!("a triangle names vertex {index} of {count}"));
        }
        let Checked::Valid(mode) = primitive.mode else { return malformed("a bad mode") };
        let indices = triangles(mode, &indices);
        self.budget.spend(indices.len() as u64)?;
        let material = primitive.material.and_then(|material| self.material(material.value()));
        Ok((!indices.is_empty()).then(|| MeshPart {
            name: String::new(),
            positions,
            indices,
            normals: normals.into_iter().map(unit).collect(),
            uvs: uvs.into_iter().map(|[u, v]| [u, 1.0 - v]).collect(),
            material,
        }))
    }

    fn material(&mut self, index: usize) -> Option<usize> {
        if let Some(&known) = self.materials.get(&index) {
            return Some(known);
        }
        let material = self.root.materials.get(index)?;
        let images = self.images.as_mut()?;
        let look = look::read(material, &mut self.buffers, images, self.mesh);
        self.mesh.materials.push(look);
        self.materials.insert(index, self.mesh.materials.len() - 1);
        Some(self.mesh.materials.len() - 1)
    }
}

/// Cuts an index list into triangles; points and lines give none.
fn triangles(mode: Mode, indices: &[u32]) -> Vec<[u32; 3]> {
    let windows = indices.windows(3).map(|window| [window[0], window[1], window[2]]);
    match mode {
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Vec::new(),
        Mode::Triangles => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
        // Every second triangle of a strip is turned around.
        Mode::TriangleStrip => {
            let turned = |(number, [a, b, c]): (usize, [u32; 3])| {
                if number % 2 == 0 { [a, b, c] } else { [b, a, c] }
            };
            windows.enumerate().map(turned).collect()
        }
        Mode::TriangleFan => windows.map(|[_, b, c]| [indices[0], b, c]).collect(),
    }
}

fn transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix.map(f64::from));
    }
    let vector = |numbers: Option<[f32; 3]>, otherwise| {
        numbers.map_or(otherwise, |numbers| DVec3::from_array(numbers.map(f64::from)))
    };
    let rotation = node.rotation.map(|rotation| DQuat::from_array(rotation.0.map(f64::from)));
    let rotation = rotation.filter(|rotation| rotation.length_squared() > 0.0);
    let rotation = rotation.map_or(DQuat::IDENTITY, |rotation| rotation.normalize());
    DMat4::from_scale_rotation_translation(
        vector(node.scale, DVec3::ONE),
        rotation,
        vector(node.translation, DVec3::ZERO),
    )
}

fn malformed<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Malformed(what.into()))
}
