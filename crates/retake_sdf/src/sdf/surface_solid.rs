//! Mass properties of shapes that are given by their surface: meshes and outlines.

use retake_assets::{Submesh, cut_outlines, load_mesh};
use retake_description::{Geometry, Polyline};
use retake_math::{Inertial, Vec3, mesh_is_closed, mesh_mass_properties};

/// Returns the mass properties of what a surface encloses with a density of one, and what makes
/// them doubtful; or why it encloses nothing.
pub(super) fn of_unit_density(geometry: &Geometry) -> Result<(Inertial, Option<String>), String> {
    match geometry {
        Geometry::Mesh { .. } => mesh(geometry),
        Geometry::Polyline(outlines) => prism(outlines).map(|solid| (solid, None)),
        other => Err(format!("a {} has no volume", other.kind())),
    }
}

fn mesh(geometry: &Geometry) -> Result<(Inertial, Option<String>), String> {
    let Geometry::Mesh { path, scale, submesh, center_submesh, .. } = geometry else {
        return Err(format!("a {} is no mesh", geometry.kind()));
    };
    if path.as_os_str().is_empty() {
        return Err("its file was not found".to_owned());
    }
    let part = submesh.as_deref().map(|name| Submesh { name, center: *center_submesh });
    let mesh = load_mesh(path, part).map_err(|error| error.to_string())?;
    let corner = |p: &[f32; 3]| Vec3::from_array(p.map(f64::from)) * *scale;
    let positions: Vec<Vec3> = mesh.positions.iter().map(corner).collect();
    let solid = mesh_mass_properties(&positions, &mesh.indices)
        .ok_or_else(|| "its surface encloses no volume".to_owned())?;
    let closed = mesh_is_closed(&positions, &mesh.indices);
    Ok((solid, (!closed).then(|| "its surface has gaps or turned triangles".to_owned())))
}

fn prism(polyline: &Polyline) -> Result<Inertial, String> {
    let area = cut_outlines(&polyline.outlines).map_err(|error| error.to_string())?;
    let (corners, triangles) = area.extruded(polyline.height);
    let positions: Vec<Vec3> = corners.into_iter().map(Vec3::from_array).collect();
    mesh_mass_properties(&positions, &triangles).ok_or_else(|| "it has no volume".to_owned())
}
