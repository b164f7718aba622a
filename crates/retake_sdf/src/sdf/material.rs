//! `<material>` of a visual.

use std::path::PathBuf;

use retake_description::{Material, Pbr};
use retake_diag::Diagnostic;

use super::context::Context;
use crate::xml::Node;

/// Reads the look of a visual.
pub(super) fn material(cx: &mut Context<'_>, visual: Node<'_>) -> Option<Material> {
    let node = visual.take("material")?;
    let default = Material::default();
    check_script(cx, node);
    check_shader(cx, node);
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

/// Reports a material script that nobody could find.
fn check_script(cx: &mut Context<'_>, material: Node<'_>) {
    let Some(script) = material.children().find(|child| child.name() == "script") else { return };
    for tag in ["uri", "name"] {
        let says = |child: Node<'_>| !matches!(child.text(), "" | "__default__");
        if !script.children().any(|child| child.name() == tag && says(child)) {
            let message = format!("the material <script> has no <{tag}>");
            let error = Diagnostic::error("sdf-bad-material", message).at(script.place());
            cx.diagnostics.push(error.help("Give it a <uri> and a <name>, or take it out"));
        }
    }
}

/// Reports a shader that SDF does not have or that lacks its map.
fn check_shader(cx: &mut Context<'_>, material: Node<'_>) {
    const KINDS: [&str; 5] = [
        "pixel",
        "vertex",
        "normal_map_object_space",
        "normal_map_objectspace",
        "normal_map_tangent_space",
    ];
    let Some(shader) = material.children().find(|child| child.name() == "shader") else { return };
    let kind = shader.attribute("type").unwrap_or("pixel");
    if !KINDS.contains(&kind) {
        let message = format!("a <shader> of type {kind:?} is not known");
        let error = Diagnostic::error("sdf-bad-material", message);
        let help = format!("Known: {}", KINDS.join(", "));
        cx.diagnostics.push(error.at(shader.attribute_place("type")).help(help));
    }
    let has_map = shader.children().any(|child| child.name() == "normal_map");
    if kind.starts_with("normal_map") && !has_map {
        let message = format!("the <shader> of type {kind:?} has no <normal_map>");
        cx.error("sdf-bad-material", shader.place(), message);
    }
}

/// Reads the metalness workflow; the specular one is kept among what is left over.
fn pbr(cx: &mut Context<'_>, material: Node<'_>) -> Option<Pbr> {
    let metal = material.take("pbr")?.take("metal")?;
    let default = Pbr::default();
    let albedo_map = cx.text(metal, "albedo_map");
    let (albedo_map, albedo_path) = albedo_map.map_or((None, None), |uri| texture(cx, uri));
    Some(Pbr {
        metalness: cx.number(metal, "metalness", f64::from(default.metalness)) as f32,
        roughness: cx.number(metal, "roughness", f64::from(default.roughness)) as f32,
        albedo_map,
        albedo_path,
    })
}

/// Finds a texture; one that is not there is kept by name, and whoever draws says so.
///
/// A name that is relative to an included file is rewritten so that it holds in any file.
fn texture(cx: &Context<'_>, uri: String) -> (Option<String>, Option<PathBuf>) {
    let path = cx.roots.resolve(&uri, cx.folder()).ok();
    let portable = cx.is_included() && !uri.contains("://");
    let rewritten = path.as_ref().filter(|_| portable).and_then(|path| cx.roots.portable_uri(path));
    (Some(rewritten.unwrap_or(uri)), path)
}
