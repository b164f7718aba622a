//! Materials: base colour, its image, metalness and roughness.

use gltf_json::Material;
use gltf_json::material::AlphaMode;
use gltf_json::validation::Checked;

use super::super::parts::{Mesh, MeshMaterial};
use super::super::screen_color;
use super::data::Buffers;
use super::images::Images;

/// Reads a material.
pub(super) fn read(
    material: &Material,
    buffers: &mut Buffers<'_>,
    images: &mut Images<'_>,
    mesh: &mut Mesh,
) -> MeshMaterial {
    let pbr = &material.pbr_metallic_roughness;
    let [red, green, blue, alpha] = pbr.base_color_factor.0.map(bounded);
    let opaque = material.alpha_mode != Checked::Valid(AlphaMode::Blend);
    let cutoff = material.alpha_cutoff.map_or(0.5, |cutoff| bounded(cutoff.0));
    let texture = pbr.base_color_texture.as_ref();
    let texture = texture.and_then(|info| images.place(info.index.value(), buffers, mesh));
    MeshMaterial {
        name: material.name.clone().unwrap_or_default(),
        base_color: [
            screen_color(red),
            screen_color(green),
            screen_color(blue),
            if opaque { 1.0 } else { alpha },
        ],
        emissive: material.emissive_factor.0.map(bounded).map(screen_color),
        texture,
        metalness: Some(bounded(pbr.metallic_factor.0)),
        roughness: Some(bounded(pbr.roughness_factor.0)),
        double_sided: material.double_sided,
        alpha_cutoff: (material.alpha_mode == Checked::Valid(AlphaMode::Mask)).then_some(cutoff),
    }
}

fn bounded(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }
}
