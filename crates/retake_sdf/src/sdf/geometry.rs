//! `<geometry>`.

use std::path::{Path, PathBuf};

use retake_description::bounds::{self, Bound};
use retake_description::{ConvexParts, Geometry, MeshUse, Polyline};
use retake_diag::Diagnostic;
use retake_math::{Vec3, unit_vec};

use super::context::Context;
use crate::xml::{Node, Use};

/// Reads the shape of a collision or visual; a missing one is an error and empty.
pub(super) fn geometry(cx: &mut Context<'_>, owner: Node<'_>) -> Geometry {
    let Some(node) = owner.take("geometry") else {
        let message = format!("<{}> has no <geometry>", owner.name());
        cx.warning("sdf-missing-geometry", owner.place(), message);
        return Geometry::Empty;
    };
    let is_shape = |name: &str| name != "empty" && Geometry::KINDS.contains(&name);
    let Some(shape) = node.children().find(|child| is_shape(child.name())) else {
        return no_shape(cx, node);
    };
    shape.mark(Use::Value);
    match shape.name() {
        "box" => Geometry::Box { size: extent3(cx, shape, "size", Vec3::ONE) },
        "sphere" => Geometry::Sphere { radius: extent(cx, shape, "radius", 1.0) },
        "cylinder" => {
            let (radius, length) = radius_and_length(cx, shape, 1.0);
            Geometry::Cylinder { radius, length }
        }
        "capsule" => {
            let (radius, length) = radius_and_length(cx, shape, 0.5);
            Geometry::Capsule { radius, length }
        }
        "cone" => {
            let (radius, length) = radius_and_length(cx, shape, 0.5);
            Geometry::Cone { radius, length }
        }
        "ellipsoid" => Geometry::Ellipsoid { radii: extent3(cx, shape, "radii", Vec3::ONE) },
        "plane" => plane(cx, shape),
        "mesh" => mesh(cx, shape),
        "heightmap" => heightmap(cx, shape),
        _ => polyline(cx, node),
    }
}

fn no_shape(cx: &mut Context<'_>, node: Node<'_>) -> Geometry {
    let empty = node.take("empty").is_some();
    if let Some(child) = node.children().next().filter(|_| !empty) {
        let message =
            format!("<{}> is not a shape that Retake has; it is left empty", child.name());
        cx.warning("sdf-unused-geometry", child.place(), message);
    }
    Geometry::Empty
}

/// Reads a length of a shape.
fn extent(cx: &mut Context<'_>, node: Node<'_>, name: &'static str, default: f64) -> f64 {
    cx.number_in(node, name, default, &bounds::SIZE_M)
}

fn extent3(cx: &mut Context<'_>, node: Node<'_>, name: &'static str, default: Vec3) -> Vec3 {
    cx.vec3_in(node, name, default, &bounds::SIZE_M)
}

fn radius_and_length(cx: &mut Context<'_>, node: Node<'_>, default_radius: f64) -> (f64, f64) {
    (extent(cx, node, "radius", default_radius), extent(cx, node, "length", 1.0))
}

fn plane(cx: &mut Context<'_>, node: Node<'_>) -> Geometry {
    let written = cx.vec3(node, "normal", Vec3::Z);
    let normal = unit_vec(written).unwrap_or_else(|| {
        let message = "the normal of a plane has no length; it points up now";
        cx.error("sdf-bad-value", node.place(), message);
        Vec3::Z
    });
    let size = node.take("size").and_then(|child| pair(cx, child, &bounds::COORDINATE_M));
    let size = size.unwrap_or([1.0; 2]);
    Geometry::Plane { normal, size }
}

fn mesh(cx: &mut Context<'_>, node: Node<'_>) -> Geometry {
    let (uri, path) = resource(cx, node);
    let submesh = node.take("submesh");
    let collide_as = match node.attribute("optimization").unwrap_or_default() {
        "convex_hull" => MeshUse::ConvexHull,
        "convex_decomposition" => MeshUse::ConvexParts(convex_parts(cx, node)),
        _ => MeshUse::Triangles,
    };
    Geometry::Mesh {
        uri,
        path,
        scale: scale(cx, node),
        submesh: submesh.and_then(|part| cx.text(part, "name")),
        center_submesh: submesh.is_some_and(|part| cx.flag(part, "center", false)),
        collide_as,
    }
}

/// Reads the scale of a mesh; without any there would be nothing left of it.
fn scale(cx: &mut Context<'_>, mesh: Node<'_>) -> Vec3 {
    let scale = cx.vec3_in(mesh, "scale", Vec3::ONE, &bounds::SCALE);
    if scale.to_array().iter().all(|along| bounds::UNSIGNED_SCALE.contains(along.abs())) {
        return scale;
    }
    cx.replaced(mesh, "scale", &bounds::UNSIGNED_SCALE, "1 1 1");
    Vec3::ONE
}

fn convex_parts(cx: &mut Context<'_>, mesh: Node<'_>) -> ConvexParts {
    let default = ConvexParts::default();
    let Some(node) = mesh.take("convex_decomposition") else { return default };
    let mut count =
        |name, default: u32| cx.number_in(node, name, f64::from(default), &COUNT) as u32;
    ConvexParts {
        most_parts: count("max_convex_hulls", default.most_parts),
        voxels: count("voxel_resolution", default.voxels),
    }
}

/// A count that an engine may still cut down to what it can do.
const COUNT: Bound = Bound { least: 1.0, most: 1e9, words: "1 to 1e9" };

fn heightmap(cx: &mut Context<'_>, node: Node<'_>) -> Geometry {
    let (uri, path) = resource(cx, node);
    Geometry::Heightmap {
        uri,
        path,
        size: terrain_size(cx, node),
        position: cx.vec3_in(node, "pos", Vec3::ZERO, &bounds::COORDINATE_M),
    }
}

/// Reads the size of a terrain: it may be flat, or upside down, but needs a length and a width.
fn terrain_size(cx: &mut Context<'_>, terrain: Node<'_>) -> Vec3 {
    let size = cx.vec3_in(terrain, "size", Vec3::ONE, &bounds::POINT_M);
    if [size.x, size.y].iter().all(|&side| bounds::SIZE_M.contains(side)) {
        return size;
    }
    cx.replaced(terrain, "size", &TERRAIN_SIDE, "1 1 1");
    Vec3::ONE
}

/// A side of a terrain.
const TERRAIN_SIDE: Bound = Bound { words: "1e-6 to 1e6 m along x and y", ..bounds::SIZE_M };

/// Reads the `<uri>` of a shape and finds its file; the path is empty when there is none.
fn resource(cx: &mut Context<'_>, node: Node<'_>) -> (String, PathBuf) {
    let Some(child) = node.take("uri") else {
        let message = format!("<{}> has no <uri>", node.name());
        cx.error("sdf-missing-uri", node.place(), message);
        return (String::new(), PathBuf::new());
    };
    located(cx, child)
}

/// Finds the file that the text of an element names; the path is empty when there is none.
///
/// A name that is relative to an included file is rewritten so that it also holds in a file that
/// the whole world is written to.
pub(super) fn located(cx: &mut Context<'_>, child: Node<'_>) -> (String, PathBuf) {
    let uri = child.text().to_owned();
    match cx.roots.resolve(&uri, cx.folder()) {
        Ok(path) => {
            let portable = cx.is_included() && !uri.contains("://");
            let rewritten = if portable { cx.roots.portable_uri(&path) } else { None };
            (rewritten.unwrap_or(uri), path)
        }
        Err(error) => {
            let message = error.to_string();
            let warning = Diagnostic::warning("sdf-resource-not-found", message).at(child.place());
            let help = "The shape is left out; check the name and --resource-path";
            cx.diagnostics.push(warning.help(help));
            (uri, PathBuf::new())
        }
    }
}

fn polyline(cx: &mut Context<'_>, geometry: Node<'_>) -> Geometry {
    let mut outlines = Vec::new();
    let mut height = None;
    for node in geometry.children().filter(|child| child.name() == "polyline") {
        node.mark(Use::Value);
        let points = node.children().filter(|child| child.name() == "point");
        outlines.push(points.filter_map(|point| outline_point(cx, point)).collect());
        let own_height = extent(cx, node, "height", 1.0);
        height.get_or_insert(own_height);
    }
    Geometry::Polyline(Polyline { outlines, height: height.unwrap_or(1.0) })
}

fn outline_point(cx: &mut Context<'_>, node: Node<'_>) -> Option<[f64; 2]> {
    node.mark(Use::Value);
    pair(cx, node, &bounds::POINT_M)
}

/// Reads two numbers within a bound.
fn pair(cx: &mut Context<'_>, node: Node<'_>, bound: &Bound) -> Option<[f64; 2]> {
    let read = cx.numbers::<2>(node)?;
    if read.iter().all(|&number| bound.contains(number)) {
        return Some(read);
    }
    cx.report_range(node, bound);
    None
}

impl Context<'_> {
    /// Returns the folder of the file being read.
    pub(crate) fn folder(&self) -> Option<&Path> {
        let path = &self.files.last()?.path;
        path.parent().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// Says whether another file includes the one being read.
    pub(crate) fn is_included(&self) -> bool {
        self.files.last().is_some_and(|file| file.included)
    }
}
