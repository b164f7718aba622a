//! Shapes, surfaces and materials.

use retake_description::{Element, Geometry, Material, MeshUse, Polyline, Surface};

use super::tree::{Build, element, leaf};
use super::value::{color_leaf, flag_leaf, number_leaf, numbers, vec3_leaf};

/// Writes `<geometry>`.
pub(super) fn geometry(geometry: &Geometry) -> Element {
    let shape = element(geometry.kind());
    let shapes = match geometry {
        Geometry::Empty => vec![shape],
        Geometry::Box { size } => vec![shape.holding(vec![vec3_leaf("size", *size)])],
        Geometry::Sphere { radius } => vec![shape.holding(vec![number_leaf("radius", *radius)])],
        Geometry::Cylinder { radius, length }
        | Geometry::Capsule { radius, length }
        | Geometry::Cone { radius, length } => {
            let sizes = vec![number_leaf("radius", *radius), number_leaf("length", *length)];
            vec![shape.holding(sizes)]
        }
        Geometry::Ellipsoid { radii } => vec![shape.holding(vec![vec3_leaf("radii", *radii)])],
        Geometry::Plane { normal, size } => {
            let size = leaf("size", numbers(size));
            vec![shape.holding(vec![vec3_leaf("normal", *normal), size])]
        }
        Geometry::Mesh { .. } => vec![mesh(shape, geometry)],
        Geometry::Heightmap { uri, size, position, .. } => {
            let uri = leaf("uri", uri);
            let sizes = vec![uri, vec3_leaf("size", *size), vec3_leaf("pos", *position)];
            vec![shape.holding(sizes)]
        }
        Geometry::Polyline(outlines) => polyline(outlines),
    };
    element("geometry").holding(shapes)
}

fn mesh(shape: Element, geometry: &Geometry) -> Element {
    let Geometry::Mesh { uri, scale, submesh, center_submesh, collide_as, .. } = geometry else {
        return shape;
    };
    let shape = match collide_as {
        MeshUse::Triangles => shape,
        MeshUse::ConvexHull => shape.with("optimization", "convex_hull"),
        MeshUse::ConvexParts(_) => shape.with("optimization", "convex_decomposition"),
    };
    let mut children = vec![leaf("uri", uri)];
    if submesh.is_some() || *center_submesh {
        let mut part = Vec::new();
        part.extend(submesh.as_ref().map(|name| leaf("name", name)));
        part.push(flag_leaf("center", *center_submesh));
        children.push(element("submesh").holding(part));
    }
    children.push(vec3_leaf("scale", *scale));
    if let MeshUse::ConvexParts(parts) = collide_as {
        let sizes = vec![
            number_leaf("max_convex_hulls", f64::from(parts.most_parts)),
            number_leaf("voxel_resolution", f64::from(parts.voxels)),
        ];
        children.push(element("convex_decomposition").holding(sizes));
    }
    shape.holding(children)
}

fn polyline(polyline: &Polyline) -> Vec<Element> {
    let outline = |points: &Vec<[f64; 2]>| {
        let mut children: Vec<Element> =
            points.iter().map(|point| leaf("point", numbers(point))).collect();
        children.push(number_leaf("height", polyline.height));
        element("polyline").holding(children)
    };
    polyline.outlines.iter().map(outline).collect()
}

/// Writes `<surface>`.
pub(super) fn surface(surface: &Surface) -> Element {
    let (friction, bounce, contact) = (&surface.friction, &surface.bounce, &surface.contact);
    let friction_ode = element("ode").holding(vec![
        number_leaf("mu", friction.mu),
        number_leaf("mu2", friction.mu2),
        vec3_leaf("fdir1", friction.fdir1),
        number_leaf("slip1", friction.slip1),
        number_leaf("slip2", friction.slip2),
    ]);
    let torsional =
        element("torsional").holding(vec![number_leaf("coefficient", friction.torsional)]);
    let contact_ode =
        element("ode").holding(vec![number_leaf("kp", contact.kp), number_leaf("kd", contact.kd)]);
    let mask = leaf("collide_bitmask", contact.collide_bitmask.to_string());
    element("surface").holding(vec![
        element("friction").holding(vec![friction_ode, torsional]),
        element("bounce").holding(vec![
            number_leaf("restitution_coefficient", bounce.restitution),
            number_leaf("threshold", bounce.threshold),
        ]),
        element("contact").holding(vec![mask, contact_ode]),
    ])
}

/// Writes `<material>`.
pub(super) fn material(material: &Material) -> Element {
    let mut children = vec![
        color_leaf("ambient", material.ambient),
        color_leaf("diffuse", material.diffuse),
        color_leaf("specular", material.specular),
        color_leaf("emissive", material.emissive),
    ];
    if let Some(script) = &material.script {
        children.push(element("script").holding(vec![leaf("name", script)]));
    }
    if let Some(pbr) = &material.pbr {
        let mut metal = vec![
            leaf("metalness", pbr.metalness.to_string()),
            leaf("roughness", pbr.roughness.to_string()),
        ];
        metal.extend(pbr.albedo_map.as_ref().map(|map| leaf("albedo_map", map)));
        let metal = element("metal").holding(metal);
        children.push(element("pbr").holding(vec![metal]));
    }
    element("material").holding(children)
}
