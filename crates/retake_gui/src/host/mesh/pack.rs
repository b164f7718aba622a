//! The form in which the page gets a mesh: a description in JSON, then plain numbers.
//!
//! Four bytes tell the length of the description, which is padded to a multiple of four. For each
//! part follow positions, normals, texture places when it has them, and indices; numbers are four
//! bytes each, little-endian.

use axum::body::Bytes;
use retake_assets::{Mesh, MeshMaterial, MeshPart};
use serde_json::{Value, json};

/// Packs a mesh whose parts all have normals.
pub(super) fn pack(mesh: &Mesh) -> Bytes {
    let description = json!({
        "parts": mesh.parts.iter().map(part).collect::<Vec<_>>(),
        "materials": mesh.materials.iter().map(material).collect::<Vec<_>>(),
        "warnings": mesh.warnings,
    });
    let mut text = description.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = Vec::with_capacity(4 + text.len() + mesh.parts.iter().map(size).sum::<usize>());
    // The limits of the reader keep the description far below what a u32 counts.
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    for part in &mesh.parts {
        part.positions.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        part.normals.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        part.uvs.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        part.indices.iter().flatten().for_each(|index| bytes.extend(index.to_le_bytes()));
    }
    bytes.into()
}

fn size(part: &MeshPart) -> usize {
    let corners = part.positions.len() * 12 + part.normals.len() * 12 + part.uvs.len() * 8;
    corners + part.indices.len() * 12
}

fn part(part: &MeshPart) -> Value {
    json!({
        "vertices": part.positions.len(),
        "triangles": part.indices.len(),
        "uvs": !part.uvs.is_empty(),
        "material": part.material,
    })
}

fn material(material: &MeshMaterial) -> Value {
    json!({
        "color": material.base_color,
        "emissive": material.emissive,
        "texture": material.texture,
        "metalness": material.metalness,
        "roughness": material.roughness,
        "doubleSided": material.double_sided,
        "alphaCutoff": material.alpha_cutoff,
    })
}
