//! `<world>`.

use retake_description::{Scene, SphericalCoordinates, World, bounds};
use retake_math::Vec3;

use super::context::Context;
use super::draft::{Parts, WorldDraft};
use super::leftovers::leftovers;
use super::light::light;
use super::model::{Brought, scope};
use super::names::Names;
use super::physics::profiles;
use super::plugin::plugins;
use crate::xml::Node;

/// Reads a world.
pub(crate) fn world(cx: &mut Context<'_>, node: Node<'_>) -> WorldDraft {
    // The world itself cannot be left out, so it gets the name of one that has none.
    let name = cx.name_of(node).unwrap_or_else(|| World::default().name);
    let mut names = Names::default();
    let mut parts = Parts::default();
    let included = scope(cx, node, &mut names, &mut parts);
    let mut lights = Vec::new();
    let mut light_names = Names::default();
    for read in included {
        if let Brought::Light(light) = read
            && light_names.claim(cx, &light.thing.name, node)
        {
            lights.push(*light);
        }
    }
    for child in node.take_things("light") {
        let read = light(cx, child);
        lights.extend(read.filter(|read| light_names.claim(cx, &read.thing.name, child)));
    }
    WorldDraft { world: settings(cx, node, name), lights, parts }
}

fn settings(cx: &mut Context<'_>, node: Node<'_>, name: String) -> World {
    let default = World::default();
    World {
        name,
        gravity: gravity(cx, node, default.gravity),
        magnetic_field: magnetic_field(cx, node, default.magnetic_field),
        wind: wind(cx, node),
        spherical_coordinates: spherical_coordinates(cx, node),
        profiles: profiles(cx, node),
        scene: scene(cx, node),
        plugins: plugins(cx, node),
        extras: leftovers(cx, node),
        ..default
    }
}

/// Reads gravity, which files before SDF 1.6 have inside `<physics>`.
fn gravity(cx: &mut Context<'_>, world: Node<'_>, default: Vec3) -> Vec3 {
    let physics = world.children().find(|child| child.name() == "physics");
    let own = world.children().any(|child| child.name() == "gravity");
    match physics {
        Some(physics) if !own => cx.vec3_in(physics, "gravity", default, &bounds::ACCELERATION),
        _ => cx.vec3_in(world, "gravity", default, &bounds::ACCELERATION),
    }
}

/// Reads the magnetic field, which old files have inside `<physics>` as well.
fn magnetic_field(cx: &mut Context<'_>, world: Node<'_>, default: Vec3) -> Vec3 {
    let physics = world.children().find(|child| child.name() == "physics");
    let own = world.children().any(|child| child.name() == "magnetic_field");
    match physics {
        Some(physics) if !own => cx.vec3(physics, "magnetic_field", default),
        _ => cx.vec3(world, "magnetic_field", default),
    }
}

fn wind(cx: &mut Context<'_>, world: Node<'_>) -> Vec3 {
    match world.take("wind") {
        Some(node) => cx.vec3_in(node, "linear_velocity", Vec3::ZERO, &bounds::SPEED),
        None => Vec3::ZERO,
    }
}

fn scene(cx: &mut Context<'_>, world: Node<'_>) -> Scene {
    let default = Scene::default();
    let Some(node) = world.take("scene") else { return default };
    Scene {
        ambient: cx.color(node, "ambient", default.ambient),
        background: cx.color(node, "background", default.background),
        shadows: cx.flag(node, "shadows", default.shadows),
        grid: cx.flag(node, "grid", default.grid),
        sky: node.take("sky").is_some(),
    }
}

fn spherical_coordinates(cx: &mut Context<'_>, world: Node<'_>) -> Option<SphericalCoordinates> {
    let node = world.take("spherical_coordinates")?;
    Some(SphericalCoordinates {
        surface_model: cx.text(node, "surface_model").unwrap_or_else(|| "EARTH_WGS84".to_owned()),
        latitude_deg: cx.number(node, "latitude_deg", 0.0),
        longitude_deg: cx.number(node, "longitude_deg", 0.0),
        elevation: cx.number(node, "elevation", 0.0),
        heading_deg: cx.number(node, "heading_deg", 0.0),
    })
}
