//! COLLADA: the shapes of a scene with their materials, as Gazebo reads them.
//!
//! Honoured: the unit, node transforms, instances of nodes, geometries and skins (in the pose they
//! were bound in), triangles, polygon lists, polygons, strips and fans, common profile effects.
//! Gazebo ignores which axis is up, and models are made to suit it, so it is ignored here too.

mod document;
mod effects;
mod geometry;
mod scene;
mod sources;

#[cfg(test)]
pub(super) mod tests;

use glam::{DMat4, DVec3};

use super::Fault;
use super::neighbours::Neighbours;
use super::parts::Mesh;
use document::Document;

/// Reads a COLLADA file.
pub(super) fn parse(bytes: &[u8], files: &Neighbours) -> Result<Mesh, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::read(&text)?;
    let Some(root) = document.root().filter(|root| root.name() == "COLLADA") else {
        return malformed("the file does not start with <COLLADA>");
    };
    let metres = match root.child("asset").and_then(|asset| asset.child("unit")) {
        Some(unit) => unit_metres(unit.attribute("meter"))?,
        None => 1.0,
    };
    let mut mesh = Mesh::default();
    let looks = effects::Looks::new(files);
    scene::Reader::new(&document, looks, &mut mesh)
        .read(root, DMat4::from_scale(DVec3::splat(metres)))?;
    Ok(mesh)
}

fn unit_metres(text: Option<&str>) -> Result<f64, Fault> {
    let Some(text) = text else { return Ok(1.0) };
    match text.trim().parse::<f64>() {
        Ok(metres) if metres.is_finite() && metres > 0.0 => Ok(metres),
        _ => malformed("the unit is not a positive number of metres"),
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Malformed(what.into()))
}
