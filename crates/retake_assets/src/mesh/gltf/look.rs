//! Materials: base colour, its image, metalness and roughness.

use gltf_json::material::AlphaMode;
use gltf_json::validation::Checked;
use gltf_json::{Image, Material};

use super::super::neighbours::{Looks, Neighbours};
use super::super::parts::{Mesh, MeshMaterial, Texture};
use super::super::{Fault, screen_color};
use super::data::{Buffers, inline};

/// Longest image inside of a file, in bytes.
const MAX_IMAGE_BYTES: u64 = 64 << 20;

/// Reads a material; none when looks are not wanted.
pub(super) fn read(
    material: &Material,
    buffers: &mut Buffers<'_>,
    files: &Neighbours,
    mesh: &mut Mesh,
) -> Option<MeshMaterial> {
    if files.looks() == Looks::Unwanted {
        return None;
    }
    let pbr = &material.pbr_metallic_roughness;
    let [red, green, blue, alpha] = pbr.base_color_factor.0.map(bounded);
    let opaque = material.alpha_mode != Checked::Valid(AlphaMode::Blend);
    let cutoff = material.alpha_cutoff.map_or(0.5, |cutoff| bounded(cutoff.0));
    let texture = pbr.base_color_texture.as_ref().and_then(|info| {
        let image = buffers.image_of(info.index.value())?;
        match texture(image, buffers, files) {
            Ok(texture) => Some(mesh.texture(texture)),
            Err(warning) => {
                mesh.warn(warning);
                None
            }
        }
    });
    Some(MeshMaterial {
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
    })
}

fn texture(
    image: &Image,
    buffers: &mut Buffers<'_>,
    files: &Neighbours,
) -> Result<Texture, String> {
    let bytes = match (&image.uri, image.buffer_view) {
        (_, Some(view)) => buffers.view(view.value()).map_err(said)?.to_vec(),
        (Some(uri), None) => match inline(uri, MAX_IMAGE_BYTES).map_err(said)? {
            Some(bytes) => bytes,
            None => return files.image(uri).map(Texture::File),
        },
        (None, None) => return Err("an image has no data".to_owned()),
    };
    match bytes.len() as u64 <= MAX_IMAGE_BYTES {
        true => Ok(Texture::Embedded(bytes.into())),
        false => Err(format!("an image has more bytes than the limit of {MAX_IMAGE_BYTES}")),
    }
}

fn said(fault: Fault) -> String {
    match fault {
        Fault::Malformed(what) => what,
        other => format!("{other:?}"),
    }
}

fn bounded(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }
}
