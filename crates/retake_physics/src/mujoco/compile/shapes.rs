//! Shapes that collide.

use mujoco_rs::prelude::{MjSpec, MjtGeomBase};
use mujoco_rs::wrappers::mj_editing::{MjsBody, MjsGeom};
use retake_math::{Pose, Quat, Vec3};

use super::{geom_name, set_name};
use crate::mujoco::forms::Form;
use crate::mujoco::model::{Geom, Model};
use crate::mujoco::place::quat;
use crate::rapier::Terrain;

pub(super) fn add_geom(body: &mut MjsBody, geom: &Geom) {
    let place = |pose: Pose| geom.body_from_collision * pose;
    match &geom.form {
        Form::Box(half) => {
            simple(body, geom, MjtGeomBase::mjGEOM_BOX, half.to_array());
        }
        Form::Ball(radius) => simple(body, geom, MjtGeomBase::mjGEOM_SPHERE, [*radius, 0.0, 0.0]),
        Form::Cylinder { radius, half } => {
            simple(body, geom, MjtGeomBase::mjGEOM_CYLINDER, [*radius, *half, 0.0]);
        }
        Form::Capsule { radius, half } => {
            simple(body, geom, MjtGeomBase::mjGEOM_CAPSULE, [*radius, *half, 0.0]);
        }
        Form::Ellipsoid(radii) => {
            simple(body, geom, MjtGeomBase::mjGEOM_ELLIPSOID, radii.to_array());
        }
        Form::Plane(normal) => {
            let upright = Pose::new(Vec3::ZERO, Quat::from_rotation_arc(Vec3::Z, *normal));
            let made = started(body, geom, 0, place(upright));
            made.set_type(MjtGeomBase::mjGEOM_PLANE);
            // Without an end.
            *made.size_mut() = [0.0, 0.0, 1.0];
        }
        Form::Hulls(parts) => {
            for number in 0..parts.len() {
                let made = started(body, geom, number, place(Pose::IDENTITY));
                made.set_type(MjtGeomBase::mjGEOM_MESH);
                made.set_meshname(&geom_name(geom, number));
            }
        }
        Form::Terrain(terrain) => {
            let lowest = Vec3::Z * lowest(terrain);
            let made =
                started(body, geom, 0, place(Pose::from_position(terrain.position + lowest)));
            made.set_type(MjtGeomBase::mjGEOM_HFIELD);
            made.set_hfieldname(&geom_name(geom, 0));
        }
        // Filled in when a state is read.
        Form::Elsewhere(_) => {}
    }
}

fn simple(body: &mut MjsBody, geom: &Geom, kind: MjtGeomBase, size: [f64; 3]) {
    let made = started(body, geom, 0, geom.body_from_collision);
    made.set_type(kind);
    *made.size_mut() = size;
}

fn started<'b>(body: &'b mut MjsBody, geom: &Geom, part: usize, pose: Pose) -> &'b mut MjsGeom {
    let made = body.add_geom();
    set_name(made, &geom_name(geom, part));
    *made.pos_mut() = pose.position.to_array();
    *made.quat_mut() = quat(pose.rotation);
    let mask = geom.surface.contact.collide_bitmask as i32;
    made.set_contype(mask);
    made.set_conaffinity(mask);
    made.set_condim(3);
    made.set_mass(0.0);
    made
}

pub(super) fn add_assets(spec: &mut MjSpec, model: &Model) {
    for geom in model.bodies.iter().flat_map(|body| &body.geoms) {
        match &geom.form {
            Form::Hulls(parts) => {
                for (number, corners) in parts.iter().enumerate() {
                    let mesh = spec.add_mesh();
                    set_name(mesh, &geom_name(geom, number));
                    let flat = corners.iter().flat_map(|corner| corner.to_array());
                    mesh.set_uservert(&flat.map(|x| x as f32).collect::<Vec<f32>>());
                }
            }
            Form::Terrain(terrain) => {
                let field = spec.add_hfield();
                set_name(field, &geom_name(geom, 0));
                let lowest = lowest(terrain);
                let highest = terrain.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                // A field without hills still needs a height to scale by.
                let rise = (highest - lowest).max(1e-6);
                let [x, y] = terrain.size;
                *field.size_mut() = [x * 0.5, y * 0.5, rise, GROUND_DEPTH];
                field.set_nrow(terrain.rows as i32);
                field.set_ncol(terrain.columns as i32);
                let heights = terrain.heights.iter().map(|height| (height - lowest) as f32);
                field.set_userdata(heights.collect::<Vec<f32>>());
            }
            _ => {}
        }
    }
}

/// How deep the ground below the lowest point of a terrain is, in metres.
const GROUND_DEPTH: f64 = 10.0;

fn lowest(terrain: &Terrain) -> f64 {
    terrain.heights.iter().copied().fold(f64::INFINITY, f64::min)
}
