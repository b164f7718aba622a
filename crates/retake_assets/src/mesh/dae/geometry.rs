//! `<geometry>`: triangles out of the primitives of a mesh.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::Fault;
use super::super::parts::{Budget, MeshPart, NONE, PartBuilder, Streams};
use super::document::{Document, Node};
use super::malformed;
use super::sources::{indices, items};

/// Most index streams of one primitive: far more than any exporter writes.
const MAX_OFFSET: usize = 64;

type Items<const N: usize> = Rc<Vec<[f32; N]>>;

/// Sources by their place in the file: meshes share them among primitives and instances.
#[derive(Default)]
pub(super) struct SourceCache {
    triples: HashMap<usize, Items<3>>,
    pairs: HashMap<usize, Items<2>>,
}

/// Reads the parts of a geometry, each with the symbol of its material.
pub(super) fn parts(
    document: &Document<'_>,
    geometry: Node<'_>,
    cache: &mut SourceCache,
    budget: &mut Budget,
) -> Result<Vec<(Option<String>, MeshPart)>, Fault> {
    // Splines and convex hulls are no triangles.
    let Some(mesh) = geometry.child("mesh") else { return Ok(Vec::new()) };
    let mut parts = Vec::new();
    for primitive in mesh.children() {
        let cut: Cut = match primitive.name() {
            "triangles" => triangles,
            "polylist" => polylist,
            "polygons" => |inputs, primitive, add| each_list(inputs, primitive, add, whole),
            "trifans" => |inputs, primitive, add| each_list(inputs, primitive, add, whole),
            "tristrips" => |inputs, primitive, add| each_list(inputs, primitive, add, strip),
            _ => continue,
        };
        let inputs = Inputs::read(document, primitive, cache)?;
        let symbol = primitive.attribute("material").map(str::to_owned);
        let mut builder = PartBuilder::new(String::new(), None);
        let streams = inputs.streams();
        cut(&inputs, primitive, &mut |corners| builder.polygon(corners, streams, budget))?;
        parts.extend(builder.finish().map(|part| (symbol, part)));
    }
    Ok(parts)
}

type Add<'a> = &'a mut dyn FnMut(&[[u32; 3]]) -> Result<(), Fault>;
type Cut = fn(&Inputs, Node<'_>, Add<'_>) -> Result<(), Fault>;

fn triangles(inputs: &Inputs, primitive: Node<'_>, add: Add<'_>) -> Result<(), Fault> {
    for list in primitive.named("p") {
        inputs.corners(list)?.chunks_exact(3).try_for_each(&mut *add)?;
    }
    Ok(())
}

fn polylist(inputs: &Inputs, primitive: Node<'_>, add: Add<'_>) -> Result<(), Fault> {
    let counts = primitive.child("vcount").map(indices).transpose()?.unwrap_or_default();
    let corners = primitive.child("p").map(|list| inputs.corners(list)).transpose()?;
    let corners = corners.unwrap_or_default();
    let mut rest = corners.as_slice();
    for count in counts {
        let Some((polygon, after)) = rest.split_at_checked(count as usize) else {
            return malformed("<vcount> asks for more corners than <p> has");
        };
        add(polygon)?;
        rest = after;
    }
    Ok(())
}

fn each_list(
    inputs: &Inputs,
    primitive: Node<'_>,
    add: Add<'_>,
    cut: fn(&[[u32; 3]], Add<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // A polygon with holes has its outline in <ph><p>; the holes are filled.
    let holed = primitive.named("ph").filter_map(|ph| ph.child("p"));
    for list in primitive.named("p").chain(holed) {
        cut(&inputs.corners(list)?, add)?;
    }
    Ok(())
}

fn whole(corners: &[[u32; 3]], add: Add<'_>) -> Result<(), Fault> {
    add(corners)
}

fn strip(corners: &[[u32; 3]], add: Add<'_>) -> Result<(), Fault> {
    for (number, window) in corners.windows(3).enumerate() {
        let [a, b, c] = [window[0], window[1], window[2]];
        // Every second triangle of a strip is turned around.
        add(&if number % 2 == 0 { [a, b, c] } else { [b, a, c] })?;
    }
    Ok(())
}

/// What the index list of a primitive means.
#[derive(Default)]
struct Inputs {
    positions: Items<3>,
    normals: Items<3>,
    uvs: Items<2>,
    position_at: Option<usize>,
    normal_at: Option<usize>,
    uv_at: Option<usize>,
    /// How many indices make one corner.
    stride: usize,
}

impl Inputs {
    fn read(
        document: &Document<'_>,
        primitive: Node<'_>,
        cache: &mut SourceCache,
    ) -> Result<Self, Fault> {
        let mut inputs = Self::default();
        for input in primitive.named("input") {
            let offset = match input.attribute("offset").unwrap_or("0").trim().parse() {
                Ok(offset) if offset < MAX_OFFSET => offset,
                _ => return malformed("an <input> has a bad offset"),
            };
            inputs.stride = inputs.stride.max(offset + 1);
            let source = source_of(document, input)?;
            match input.attribute("semantic").unwrap_or_default() {
                "VERTEX" if source.name() == "vertices" => {
                    for inner in source.named("input") {
                        let source = source_of(document, inner)?;
                        inputs.take(inner, source, offset, cache)?;
                    }
                }
                _ => inputs.take(input, source, offset, cache)?,
            }
        }
        if inputs.position_at.is_none() {
            return malformed(format!("<{}> has no positions", primitive.name()));
        }
        Ok(inputs)
    }

    fn take(
        &mut self,
        input: Node<'_>,
        source: Node<'_>,
        offset: usize,
        cache: &mut SourceCache,
    ) -> Result<(), Fault> {
        match input.attribute("semantic").unwrap_or_default() {
            "POSITION" | "VERTEX" if self.position_at.is_none() => {
                self.positions = cached(&mut cache.triples, source)?;
                self.position_at = Some(offset);
            }
            "NORMAL" if self.normal_at.is_none() => {
                self.normals = cached(&mut cache.triples, source)?;
                self.normal_at = Some(offset);
            }
            "TEXCOORD" if self.uv_at.is_none() => {
                self.uvs = cached(&mut cache.pairs, source)?;
                self.uv_at = Some(offset);
            }
            _ => {}
        }
        Ok(())
    }

    fn streams(&self) -> Streams<'_> {
        Streams { positions: &self.positions, normals: &self.normals, uvs: &self.uvs }
    }

    /// Reads an index list as corners of position, normal and texture place.
    fn corners(&self, list: Node<'_>) -> Result<Vec<[u32; 3]>, Fault> {
        let indices = indices(list)?;
        let pick = |corner: &[u32], at: Option<usize>| at.map_or(NONE, |at| corner[at]);
        let corner = |corner: &[u32]| {
            [self.position_at, self.normal_at, self.uv_at].map(|at| pick(corner, at))
        };
        Ok(indices.chunks_exact(self.stride.max(1)).map(corner).collect())
    }
}

fn source_of<'d>(document: &'d Document<'_>, input: Node<'_>) -> Result<Node<'d>, Fault> {
    let address = input.attribute("source").unwrap_or_default();
    let missing = || Fault::Malformed(format!("no source is called {address:?}"));
    document.find(address).ok_or_else(missing)
}

fn cached<const N: usize>(
    known: &mut HashMap<usize, Items<N>>,
    source: Node<'_>,
) -> Result<Items<N>, Fault> {
    if let Some(items) = known.get(&source.index()) {
        return Ok(Rc::clone(items));
    }
    let read = Rc::new(items(source)?);
    known.insert(source.index(), Rc::clone(&read));
    Ok(read)
}
