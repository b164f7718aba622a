//! Links and what hangs on them.

use retake_description::{
    Collision, Element, Light, LightKind, Link, Plugin, Sensor, VelocityDecay, Visual,
};
use retake_math::Inertial;

use super::shape::{geometry, material, surface};
use super::tree::{Build, element};
use super::value::{color_leaf, flag_leaf, number_leaf, pose, vec3_leaf};

/// Writes `<link>`.
pub(super) fn link(link: &Link) -> Element {
    let mut children = Vec::new();
    children.extend(pose(link.model_from_link));
    if !link.gravity {
        children.push(flag_leaf("gravity", false));
    }
    if link.kinematic {
        children.push(flag_leaf("kinematic", true));
    }
    if link.self_collide {
        children.push(flag_leaf("self_collide", true));
    }
    if link.velocity_decay != VelocityDecay::default() {
        children.push(element("velocity_decay").holding(vec![
            number_leaf("linear", link.velocity_decay.linear),
            number_leaf("angular", link.velocity_decay.angular),
        ]));
    }
    children.push(inertial(&link.inertial));
    children.extend(link.collisions.iter().map(collision));
    children.extend(link.visuals.iter().map(visual));
    children.extend(link.lights.iter().map(light));
    children.extend(link.sensors.iter().map(sensor));
    children.extend(link.plugins.iter().map(plugin));
    let defaults = vec![
        flag_leaf("gravity", true),
        flag_leaf("kinematic", false),
        flag_leaf("self_collide", false),
    ];
    let element = element("link").with("name", &link.name).holding(children);
    element.by_default(&link.extras, defaults).merged(&link.extras)
}

fn inertial(inertial: &Inertial) -> Element {
    let (m, p) = (inertial.moments, inertial.products);
    let matrix =
        [("ixx", m.x), ("ixy", p.x), ("ixz", p.y), ("iyy", m.y), ("iyz", p.z), ("izz", m.z)];
    let matrix = matrix.map(|(name, value)| number_leaf(name, value)).to_vec();
    let mut children = Vec::new();
    children.extend(pose(inertial.link_from_com));
    children.push(number_leaf("mass", inertial.mass_kg));
    children.push(element("inertia").holding(matrix));
    element("inertial").holding(children)
}

fn collision(collision: &Collision) -> Element {
    let mut children = Vec::new();
    children.extend(pose(collision.link_from_collision));
    children.push(geometry(&collision.geometry));
    children.push(surface(&collision.surface));
    element("collision").with("name", &collision.name).holding(children).merged(&collision.extras)
}

fn visual(visual: &Visual) -> Element {
    let mut children = Vec::new();
    children.extend(pose(visual.link_from_visual));
    children.push(geometry(&visual.geometry));
    children.extend(visual.material.as_ref().map(material));
    children.push(number_leaf("transparency", visual.transparency));
    children.push(flag_leaf("cast_shadows", visual.cast_shadows));
    element("visual").with("name", &visual.name).holding(children).merged(&visual.extras)
}

fn sensor(sensor: &Sensor) -> Element {
    let mut children = Vec::new();
    children.extend(pose(sensor.link_from_sensor));
    children.push(number_leaf("update_rate", sensor.update_rate_hz));
    children.extend(sensor.plugins.iter().map(plugin));
    let element = element("sensor").with("name", &sensor.name).with("type", &sensor.kind);
    element.holding(children).merged(&sensor.extras)
}

/// Writes `<light>`.
pub(super) fn light(light: &Light) -> Element {
    let source = &light.source;
    let (fade, cone) = (&source.attenuation, &source.spot);
    let kind = match source.kind {
        LightKind::Point => "point",
        LightKind::Directional => "directional",
        LightKind::Spot => "spot",
    };
    let mut children = Vec::new();
    children.extend(pose(light.parent_from_light));
    children.extend([
        color_leaf("diffuse", source.diffuse),
        color_leaf("specular", source.specular),
        number_leaf("intensity", source.intensity),
        element("attenuation").holding(vec![
            number_leaf("range", fade.range),
            number_leaf("constant", fade.constant),
            number_leaf("linear", fade.linear),
            number_leaf("quadratic", fade.quadratic),
        ]),
        vec3_leaf("direction", source.direction),
        element("spot").holding(vec![
            number_leaf("inner_angle", cone.inner_angle),
            number_leaf("outer_angle", cone.outer_angle),
            number_leaf("falloff", cone.falloff),
        ]),
        flag_leaf("cast_shadows", source.cast_shadows),
    ]);
    let element = element("light").with("name", &light.name).with("type", kind);
    element.holding(children).merged(&light.extras)
}

/// Writes `<plugin>`.
pub(super) fn plugin(plugin: &Plugin) -> Element {
    let (own, body): (Vec<_>, Vec<_>) =
        plugin.body.iter().cloned().partition(|part| part.name.is_empty());
    let text = own.first().map(|own| own.text.clone()).unwrap_or_default();
    let element = Element { text, ..element("plugin") };
    let element = element.with("name", &plugin.name).with("filename", &plugin.filename);
    element.merged(&own).holding(body)
}
