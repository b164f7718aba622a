//! `<material>` of a visual.

use retake_description::{Material, Pbr};

use super::context::Context;
use crate::xml::Node;

/// Reads the look of a visual.
pub(super) fn material(cx: &mut Context<'_>, visual: Node<'_>) -> Option<Material> {
    let node = visual.take("material")?;
    let default = Material::default();
    let script = node.take("script").and_then(|script| cx.text(script, "name"));
    Some(Material {
        ambient: cx.color(node, "ambient", default.ambient),
        diffuse: cx.color(node, "diffuse", default.diffuse),
        specular: cx.color(node, "specular", default.specular),
        emissive: cx.color(node, "emissive", default.emissive),
        pbr: pbr(cx, node),
        script,
    })
}

/// Reads the metalness workflow; the specular one is kept among what is left over.
fn pbr(cx: &mut Context<'_>, material: Node<'_>) -> Option<Pbr> {
    let metal = material.take("pbr")?.take("metal")?;
    let default = Pbr::default();
    Some(Pbr {
        metalness: cx.number(metal, "metalness", f64::from(default.metalness)) as f32,
        roughness: cx.number(metal, "roughness", f64::from(default.roughness)) as f32,
        albedo_map: cx.text(metal, "albedo_map"),
    })
}
