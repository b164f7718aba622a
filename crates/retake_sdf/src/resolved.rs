//! A loaded file as a table of facts: everything resolved, in the world's frame.
//!
//! The layout is that of the answers of other SDF parsers, so that they can be compared: poses are
//! `[x y z qw qx qy qz]` with `qw >= 0`, infinities are strings.

use retake_description::{Frame, Geometry, Light, Link, Model, World};
use retake_diag::{Diagnostics, Severity};
use retake_math::Pose;
use serde_json::{Value, json};

use crate::as_written::{AsWritten, AxisRecord, JointRecord};
use crate::{Contents, Fragment};

/// Where SDF's joint limits end when none is written.
const UNLIMITED: f64 = 1e16;

/// Describes what a file was loaded to, with its errors.
///
/// Its status is `clean`, `errors-with-content` or `nothing-loaded`.
pub fn resolved(contents: Option<&Contents>, found: &Diagnostics) -> Value {
    let of_severity = |severity: Severity| {
        let items = found.items().iter().filter(move |item| item.severity == severity);
        items.map(|item| json!(item)).collect::<Vec<_>>()
    };
    let status = match (contents, found.has_errors()) {
        (None, _) => "nothing-loaded",
        (Some(_), true) => "errors-with-content",
        (Some(_), false) => "clean",
    };
    let (model, light) = match contents.and_then(|contents| contents.fragment.as_ref()) {
        Some(Fragment::Model(model)) => {
            let written = contents.map(|contents| contents.written.clone()).unwrap_or_default();
            let view = View { written: &written, scope: String::new(), frame: Pose::IDENTITY };
            (Some(view.model(model)), None)
        }
        Some(Fragment::Light(light)) => (None, Some(placed_light(light))),
        None => (None, None),
    };
    let worlds = contents.map(|contents| contents.worlds.as_slice()).unwrap_or_default();
    json!({
        "status": status,
        "errors": of_severity(Severity::Error),
        "warnings": of_severity(Severity::Warning),
        "worlds": worlds.iter().map(|(world, written)| of_world(world, written)).collect::<Vec<_>>(),
        "model": model,
        "light": light,
    })
}

fn of_world(world: &World, written: &AsWritten) -> Value {
    let view = View { written, scope: String::new(), frame: Pose::IDENTITY };
    let physics = world.profiles.iter().map(|profile| {
        json!({
            "name": profile.name,
            "default": profile.is_default,
            "type": profile.engine,
            "max_step_size": profile.max_step_size_secs,
            "real_time_factor": profile.real_time_factor,
        })
    });
    let (actors, models): (Vec<&Model>, Vec<&Model>) =
        world.models.iter().partition(|model| model.actor.is_some());
    json!({
        "name": world.name,
        "gravity": world.gravity.to_array(),
        "magnetic_field": world.magnetic_field.to_array(),
        "physics": physics.collect::<Vec<_>>(),
        "default_physics": world.default_profile().map(|profile| &profile.name),
        "lights": world.lights.iter().map(placed_light).collect::<Vec<_>>(),
        "actors": actors.iter().map(|actor| &actor.name).collect::<Vec<_>>(),
        "frames": view.frames(&world.frames, &[], &world.models),
        "joints": view.joints(),
        "models": models.iter().map(|model| view.model(model)).collect::<Vec<_>>(),
    })
}

fn placed_light(light: &Light) -> Value {
    json!({ "name": light.name, "pose_world": pose(light.parent_from_light) })
}

/// Where the walk through the models is.
struct View<'a> {
    written: &'a AsWritten,
    /// Names of the models around, each followed by `::`.
    scope: String,
    /// Frame of the innermost of them in the world.
    frame: Pose,
}

impl View<'_> {
    fn model(&self, model: &Model) -> Value {
        let scoped_name = format!("{}{}", self.scope, model.name);
        let inside = View {
            written: self.written,
            scope: format!("{scoped_name}::"),
            frame: self.frame * model.parent_from_model,
        };
        json!({
            "name": model.name,
            "static": model.is_static,
            "self_collide": model.self_collide,
            "canonical_link": canonical_link(model),
            "placement_frame": self.written.placements.get(&scoped_name).map_or("", String::as_str),
            "pose_world": pose(inside.frame),
            "links": model.links.iter().map(|link| inside.link(link)).collect::<Vec<_>>(),
            "joints": inside.joints(),
            "frames": inside.frames(&model.frames, &model.links, &model.models),
            "models": model.models.iter().map(|model| inside.model(model)).collect::<Vec<_>>(),
            "scoped_name": scoped_name,
        })
    }

    fn link(&self, link: &Link) -> Value {
        let world_from_link = self.frame * link.model_from_link;
        let shape = |name: &str, link_from_shape: Pose, geometry: &Geometry| {
            let placed = pose(world_from_link * link_from_shape);
            json!({ "name": name, "geometry": shape(geometry), "pose_world": placed })
        };
        let collisions =
            link.collisions.iter().map(|c| shape(&c.name, c.link_from_collision, &c.geometry));
        let visuals = link.visuals.iter().map(|v| shape(&v.name, v.link_from_visual, &v.geometry));
        let sensors = link.sensors.iter().map(|sensor| {
            json!({
                "name": sensor.name,
                "type": sensor_kind(&sensor.kind),
                "update_rate": sensor.update_rate_hz,
            })
        });
        json!({
            "name": link.name,
            "pose_world": pose(world_from_link),
            "mass": link.inertial.mass_kg,
            "inertia_diag": link.inertial.moments.to_array(),
            "inertia_offdiag": link.inertial.products.to_array(),
            "inertial_pose_world": pose(world_from_link * link.inertial.link_from_com),
            "collisions": collisions.collect::<Vec<_>>(),
            "visuals": visuals.collect::<Vec<_>>(),
            "sensors": sensors.collect::<Vec<_>>(),
        })
    }

    fn joints(&self) -> Vec<Value> {
        let holder = self.scope.strip_suffix("::").unwrap_or_default();
        let records = self.written.joints.get(holder).map(Vec::as_slice).unwrap_or_default();
        records.iter().map(joint).collect()
    }

    fn frames(&self, frames: &[Frame], links: &[Link], models: &[Model]) -> Vec<Value> {
        let each = frames.iter().map(|frame| {
            let carrier = pose_of_link(&frame.attached_to, links, models).unwrap_or(Pose::IDENTITY);
            let written = self.written.frames.get(&format!("{}{}", self.scope, frame.name));
            json!({
                "name": frame.name,
                "attached_to": written.unwrap_or(&frame.attached_to),
                "pose_world": pose(self.frame * carrier * frame.attached_from_frame),
            })
        });
        each.collect()
    }
}

/// Finds the pose of the link called `name`, `a::b` in nested models, in the frame of its holder.
fn pose_of_link(name: &str, links: &[Link], models: &[Model]) -> Option<Pose> {
    if let Some(link) = links.iter().find(|link| link.name == name) {
        return Some(link.model_from_link);
    }
    models.iter().find_map(|model| {
        let inner = name.strip_prefix(&model.name)?.strip_prefix("::")?;
        let pose = pose_of_link(inner, &model.links, &model.models)?;
        Some(model.parent_from_model * pose)
    })
}

/// Names the link that carries a model's frame; empty when there is none.
fn canonical_link(model: &Model) -> String {
    if let Some(named) = &model.canonical_link {
        return named.clone();
    }
    if let Some(first) = model.links.first() {
        return first.name.clone();
    }
    let nested = model.models.iter().map(|nested| (nested, canonical_link(nested)));
    let found = nested.into_iter().find(|(_, link)| !link.is_empty());
    found.map_or_else(String::new, |(nested, link)| format!("{}::{link}", nested.name))
}

fn joint(joint: &JointRecord) -> Value {
    let axis = |index: usize| {
        let record = joint.axes[index].as_ref()?;
        Some(of_axis(record, joint.world_from_joint.is_some()))
    };
    json!({
        "name": joint.name,
        "type": joint.kind.name(),
        "parent": joint.parent,
        "child": joint.child,
        "resolved_parent": joint.resolved_parent,
        "resolved_child": joint.resolved_child,
        "pose_world": joint.world_from_joint.map(pose),
        "axis": axis(0),
        "axis2": axis(1),
    })
}

fn of_axis(record: &AxisRecord, is_placed: bool) -> Value {
    let axis = &record.axis;
    json!({
        "xyz": record.written.to_array(),
        "xyz_joint_frame": is_placed.then(|| axis.xyz.to_array()),
        "lower": axis.limits.lower.max(-UNLIMITED),
        "upper": axis.limits.upper.min(UNLIMITED),
        "effort": number(axis.limits.effort),
        "velocity": number(axis.limits.velocity),
        "damping": axis.dynamics.damping,
        "friction": axis.dynamics.friction,
        "spring_reference": axis.dynamics.spring_reference,
        "spring_stiffness": axis.dynamics.spring_stiffness,
    })
}

/// Returns the name that newer files use for a kind of sensor.
fn sensor_kind(written: &str) -> &str {
    match written {
        "ray" => "lidar",
        "gpu_ray" => "gpu_lidar",
        "depth" => "depth_camera",
        "gps" => "navsat",
        "wideanglecamera" => "wide_angle_camera",
        other => other,
    }
}

fn number(value: f64) -> Value {
    if value.is_finite() {
        return json!(value);
    }
    json!(if value > 0.0 { "inf" } else { "-inf" })
}

fn shape(geometry: &Geometry) -> Value {
    let mut value = match geometry {
        Geometry::Box { size } => json!({ "size": size.to_array() }),
        Geometry::Sphere { radius } => json!({ "radius": radius }),
        Geometry::Cylinder { radius, length }
        | Geometry::Capsule { radius, length }
        | Geometry::Cone { radius, length } => json!({ "radius": radius, "length": length }),
        Geometry::Ellipsoid { radii } => json!({ "radii": radii.to_array() }),
        Geometry::Plane { normal, .. } => json!({ "normal": normal.to_array() }),
        Geometry::Mesh { uri, .. } => json!({ "uri": uri }),
        Geometry::Empty | Geometry::Heightmap { .. } | Geometry::Polyline(_) => json!({}),
    };
    value["type"] = json!(geometry.kind());
    value
}

fn pose(pose: Pose) -> [f64; 7] {
    let q = pose.rotation.normalize();
    let q = if q.w < 0.0 { -q } else { q };
    let p = pose.position;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
}
