//! Worlds.

use retake_description::{Element, PhysicsProfile, Scene, SphericalCoordinates, World};

use super::link::{light, plugin};
use super::model::{frame, joint, model};
use super::tree::{Build, element, leaf};
use super::value::{color_leaf, flag_leaf, number_leaf, vec3_leaf};

/// Writes `<world>`.
pub(crate) fn world(world: &World) -> Element {
    let mut children: Vec<Element> = world.profiles.iter().map(profile).collect();
    children.push(vec3_leaf("gravity", world.gravity));
    children.push(vec3_leaf("magnetic_field", world.magnetic_field));
    children.push(element("wind").holding(vec![vec3_leaf("linear_velocity", world.wind)]));
    children.extend(world.spherical_coordinates.as_ref().map(spherical_coordinates));
    children.push(scene(&world.scene));
    children.extend(world.plugins.iter().map(plugin));
    children.extend(world.lights.iter().map(light));
    children.extend(world.models.iter().map(model));
    children.extend(world.frames.iter().map(frame));
    children.extend(world.joints.iter().map(joint));
    element("world").with("name", &world.name).holding(children).merged(&world.extras)
}

/// Writes `<physics>`.
pub(super) fn profile(profile: &PhysicsProfile) -> Element {
    let mut root = element("physics").with("name", &profile.name);
    if profile.is_default {
        root = root.with("default", "true");
    }
    let children = vec![
        number_leaf("max_step_size", profile.max_step_size_secs),
        number_leaf("real_time_factor", profile.real_time_factor),
    ];
    root.with("type", &profile.engine).holding(children).merged(&profile.extras)
}

fn scene(scene: &Scene) -> Element {
    let mut children = vec![
        color_leaf("ambient", scene.ambient),
        color_leaf("background", scene.background),
        flag_leaf("shadows", scene.shadows),
        flag_leaf("grid", scene.grid),
    ];
    if scene.sky {
        children.push(element("sky"));
    }
    element("scene").holding(children)
}

fn spherical_coordinates(place: &SphericalCoordinates) -> Element {
    element("spherical_coordinates").holding(vec![
        leaf("surface_model", &place.surface_model),
        number_leaf("latitude_deg", place.latitude_deg),
        number_leaf("longitude_deg", place.longitude_deg),
        number_leaf("elevation", place.elevation),
        number_leaf("heading_deg", place.heading_deg),
    ])
}
