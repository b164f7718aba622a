//! `<light>`.

use retake_description::{Attenuation, Light, LightKind, LightSource, SpotCone};
use retake_diag::Diagnostic;

use super::context::Context;
use super::draft::Drafted;
use super::leftovers::leftovers;
use crate::xml::Node;

/// Reads a light of a world or of a link; none when its name cannot be used.
pub(crate) fn light(cx: &mut Context<'_>, node: Node<'_>) -> Option<Drafted<Light>> {
    let name = cx.name_of(node)?;
    let (parent_from_light, relative_to) = cx.pose(node);
    let source = source(cx, node);
    let extras = leftovers(cx, node);
    Some(Drafted { thing: Light { name, parent_from_light, source, extras }, relative_to })
}

fn source(cx: &mut Context<'_>, node: Node<'_>) -> LightSource {
    let default = LightSource::default();
    LightSource {
        kind: kind(cx, node),
        diffuse: cx.color(node, "diffuse", default.diffuse),
        specular: cx.color(node, "specular", default.specular),
        intensity: cx.number(node, "intensity", default.intensity),
        attenuation: attenuation(cx, node),
        direction: cx.vec3(node, "direction", default.direction),
        spot: spot(cx, node),
        cast_shadows: cx.flag(node, "cast_shadows", default.cast_shadows),
    }
}

fn kind(cx: &mut Context<'_>, node: Node<'_>) -> LightKind {
    match node.attribute("type") {
        Some("point") | None => LightKind::Point,
        Some("directional") => LightKind::Directional,
        Some("spot") => LightKind::Spot,
        Some(other) => {
            let message =
                format!("lights of type {other:?} are not known; it is a point light now");
            let error =
                Diagnostic::error("sdf-bad-value", message).at(node.attribute_place("type"));
            cx.diagnostics.push(error.help("Known: point, directional, spot"));
            LightKind::Point
        }
    }
}

fn attenuation(cx: &mut Context<'_>, light: Node<'_>) -> Attenuation {
    let default = Attenuation::default();
    let Some(node) = light.take("attenuation") else { return default };
    Attenuation {
        range: cx.number(node, "range", default.range),
        constant: cx.number(node, "constant", default.constant),
        linear: cx.number(node, "linear", default.linear),
        quadratic: cx.number(node, "quadratic", default.quadratic),
    }
}

fn spot(cx: &mut Context<'_>, light: Node<'_>) -> SpotCone {
    let Some(node) = light.take("spot") else { return SpotCone::default() };
    SpotCone {
        inner_angle: cx.number(node, "inner_angle", 0.0),
        outer_angle: cx.number(node, "outer_angle", 0.0),
        falloff: cx.number(node, "falloff", 0.0),
    }
}
