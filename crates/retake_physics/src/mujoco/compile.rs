//! From models to a compiled MuJoCo model with its memory.
//!
//! Everything is made in one order and from the models alone, so that equal models give equal bits.
//! Masses are always told: shapes only collide.

use std::collections::BTreeMap;
use std::sync::Arc;

use mujoco_rs::prelude::{
    MjData, MjModel, MjSpec, MjtCone, MjtDisableBit, MjtEq, MjtGeomBase, MjtJoint, MjtObjBase,
    SpecItem,
};
use mujoco_rs::wrappers::mj_editing::{MjsBody, MjsGeom, MjtLimited};
use retake_description::{JointAxis, JointKind, Surface};
use retake_ecm::EntityId;
use retake_math::{Mat3, Pose, Quat, Vec3};

use super::forms::Form;
use super::model::{AxisPlace, Body, Closure, Freedom, Geom, Model};
use super::place::{Now, quat};
use super::raw::Data;
use super::ties::{Place, Tie};
use crate::plan::Motion;
use crate::rapier::Terrain;

/// Bodies, positions and velocities of a model in the compiled one.
pub(super) struct Addresses {
    pub(super) bodies: Vec<usize>,
    /// Where each number of its positions is.
    pub(super) positions: Vec<usize>,
    /// Where each number of its velocities is.
    pub(super) velocities: Vec<usize>,
    /// Number of each kinematic body among those that are moved by hand.
    pub(super) mocaps: Vec<(usize, usize)>,
}

/// What a geom is.
#[derive(Clone, Copy)]
pub(super) struct Touching {
    pub(super) collision: EntityId,
    pub(super) surface: Surface,
}

/// An axis of a joint that is a coordinate.
pub(super) struct PulledAxis {
    /// Number of its model, and of its drive there.
    pub(super) model: usize,
    pub(super) drive: usize,
    /// Where its position and its velocity are.
    pub(super) at: (usize, usize),
    pub(super) axis: JointAxis,
}

/// A compiled model with what it was made from.
pub(super) struct Built {
    pub(super) data: Data,
    pub(super) models: Vec<Arc<Model>>,
    pub(super) bonds: Vec<Arc<Closure>>,
    pub(super) addresses: Vec<Addresses>,
    /// In the order of MuJoCo's geoms.
    pub(super) geoms: Vec<Touching>,
    pub(super) axes: Vec<PulledAxis>,
    /// Inverse inertia that each velocity feels when nothing drives it.
    pub(super) bare_weight: Vec<f64>,
}

/// Bytes of MuJoCo's memory for each body; what is not used costs nothing.
const BYTES_PER_BODY: usize = 1 << 20;
/// Least and most of its memory: with less than it needs it ends the process.
const MEMORY: (usize, usize) = (64 << 20, 2 << 30);
/// How hard equality constraints and limits are held: the share of an error that one step undoes.
const RIGID: [f64; 5] = [0.9999, 0.9999, 0.001, 0.5, 2.0];
/// Half of the way between the two points that hold a hinge which closes a loop, in metres.
const HINGE_HALF: f64 = 0.05;

/// Compiles models and the joints between them.
pub(super) fn compile(models: Vec<Arc<Model>>, bonds: Vec<Arc<Closure>>) -> Result<Built, String> {
    let mut spec = MjSpec::new();
    set_options(&mut spec, models.iter().map(|model| model.bodies.len()).sum());
    let sites = sites(&models, &bonds);
    for model in &models {
        add_model(&mut spec, model, &sites);
    }
    for (name, pose) in sites.get(&None).into_iter().flatten() {
        add_site(spec.world_body_mut(), name, *pose);
    }
    let closures = models.iter().flat_map(|model| &model.closures);
    for closure in closures.chain(bonds.iter().map(Arc::as_ref)) {
        add_closure(&mut spec, closure);
    }
    separate_bonds(&mut spec, &models, &bonds);
    let compiled = spec.compile().map_err(|error| error.to_string())?;
    let addresses = models.iter().map(|model| addresses(&compiled, model)).collect();
    let addresses: Option<Vec<Addresses>> = addresses;
    let addresses = addresses.ok_or("a body or joint was lost on the way")?;
    let geoms = geoms(&compiled, &models).ok_or("a shape was lost on the way")?;
    let axes = axes(&models, &addresses);
    let bare_weight = compiled.dof_invweight0().to_vec();
    let data = MjData::try_new(Box::new(compiled)).map_err(|error| error.to_string())?;
    Ok(Built { data, models, bonds, addresses, geoms, axes, bare_weight })
}

/// Says why MuJoCo does not take a model on its own.
pub(super) fn check(model: &Model) -> Result<(), String> {
    let mut spec = MjSpec::new();
    set_options(&mut spec, model.bodies.len());
    let sites = Sites::new();
    add_model(&mut spec, model, &sites);
    spec.compile().map(|_| ()).map_err(|error| error.to_string())
}

fn add_model(spec: &mut MjSpec, model: &Model, sites: &Sites) {
    add_assets(spec, model);
    let tree = Tree { model, sites };
    for (index, body) in model.bodies.iter().enumerate() {
        if body.carrier.is_none() {
            tree.add(spec.world_body_mut(), index);
        }
    }
    add_exclusions(spec, model);
    for (number, tie) in model.ties.iter().enumerate() {
        add_tie(spec, model, number, tie);
    }
}

fn set_options(spec: &mut MjSpec, bodies: usize) {
    let memory = bodies.saturating_mul(BYTES_PER_BODY).clamp(MEMORY.0, MEMORY.1);
    spec.set_memory(memory as _);
    let compiler = spec.compiler_mut();
    compiler.set_degree(false);
    compiler.set_balanceinertia(true);
    let option = spec.option_mut();
    option.cone = MjtCone::mjCONE_ELLIPTIC as i32;
    option.impratio = 10.0;
    // No step is that long, so that the first one sets whatever depends on its length.
    option.timestep = 1.0;
    // Passive forces are added here, implicitly, together with the drives.
    option.disableflags = MjtDisableBit::mjDSBL_AUTORESET as i32
        | MjtDisableBit::mjDSBL_EULERDAMP as i32
        | MjtDisableBit::mjDSBL_SENSOR as i32;
}

/// Names of the sites that closures need, with their places, by link; none is the world.
type Sites = BTreeMap<Option<EntityId>, Vec<(String, Pose)>>;

fn sites(models: &[Arc<Model>], bonds: &[Arc<Closure>]) -> Sites {
    let mut found = Sites::new();
    let closures = models.iter().flat_map(|model| &model.closures);
    for closure in closures.chain(bonds.iter().map(Arc::as_ref)) {
        for (number, shift) in shifts(closure.kind).into_iter().enumerate() {
            let (near, far) = site_names(closure, number);
            let shift = Pose::from_position(Vec3::X * shift);
            let (parent, parent_from_near) = closure.parent;
            found.entry(parent).or_default().push((near, parent_from_near * shift));
            let (child, child_from_far) = closure.child;
            // Held whole, the frames must agree, so the position is turned away.
            let back = match closure.kind {
                JointKind::Fixed => Quat::from_rotation_x(-closure.position),
                _ => Quat::IDENTITY,
            };
            let place = child_from_far * Pose::new(Vec3::ZERO, back) * shift;
            found.entry(Some(child)).or_default().push((far, place));
        }
    }
    found
}

/// Where along its axis a closure is held.
fn shifts(kind: JointKind) -> Vec<f64> {
    match kind {
        JointKind::Revolute | JointKind::Continuous => vec![-HINGE_HALF, HINGE_HALF],
        _ => vec![0.0],
    }
}

fn site_names(closure: &Closure, number: usize) -> (String, String) {
    let joint = closure.joint.raw();
    (format!("near{joint}_{number}"), format!("far{joint}_{number}"))
}

/// Names an item, by which others are told of it and it is found again.
fn set_name(item: &mut impl SpecItem, text: &str) {
    // Names are made of ids that are there only once, so that none is refused; one that were would
    // not be found after the compilation, which is told.
    item.set_name(text).ok();
}

fn add_site(body: &mut MjsBody, name: &str, pose: Pose) {
    let site = body.add_site();
    set_name(site, name);
    *site.pos_mut() = pose.position.to_array();
    *site.quat_mut() = quat(pose.rotation);
}

fn body_name(model: &Model, index: usize) -> String {
    format!("body{}_{index}", model.entity.raw())
}

fn coord_name(model: &Model, (body, coord): Place) -> String {
    format!("coord{}_{body}_{coord}", model.entity.raw())
}

fn geom_name(geom: &Geom, part: usize) -> String {
    format!("geom{}_{part}", geom.collision.raw())
}

/// One model on its way into the tree of bodies.
struct Tree<'a> {
    model: &'a Model,
    sites: &'a Sites,
}

impl Tree<'_> {
    fn add(&self, carrier: &mut MjsBody, index: usize) {
        let body = &self.model.bodies[index];
        let made = carrier.add_body();
        set_name(made, &body_name(self.model, index));
        *made.pos_mut() = body.carrier_from_body.position.to_array();
        *made.quat_mut() = quat(body.carrier_from_body.rotation);
        made.set_mocap(body.motion == Motion::Kinematic);
        if body.motion == Motion::Dynamic {
            set_mass(made, body);
        }
        for number in 0..body.coords.len() {
            self.add_coord(made, (index, number));
        }
        for geom in &body.geoms {
            add_geom(made, geom);
        }
        for offset in &body.links {
            for (name, link_from_site) in self.sites.get(&Some(offset.link)).into_iter().flatten() {
                add_site(made, name, offset.body_from_link * *link_from_site);
            }
        }
        let carried = self.model.bodies.iter().enumerate();
        for (child, _) in carried.filter(|(_, other)| other.carrier == Some(index)) {
            self.add(made, child);
        }
    }

    fn add_coord(&self, body: &mut MjsBody, place: Place) {
        let joint = body.add_joint();
        set_name(joint, &coord_name(self.model, place));
        *joint.solimp_limit_mut() = RIGID;
        *joint.solimp_friction_mut() = RIGID;
        let kind = match self.model.bodies[place.0].coords[place.1].freedom {
            Freedom::Free => MjtJoint::mjJNT_FREE,
            Freedom::Ball { anchor } => {
                *joint.pos_mut() = anchor.to_array();
                MjtJoint::mjJNT_BALL
            }
            Freedom::Turn { anchor, axis, zero } => {
                *joint.pos_mut() = anchor.to_array();
                *joint.axis_mut() = axis.to_array();
                *joint.ref_mut() = zero;
                MjtJoint::mjJNT_HINGE
            }
            Freedom::Slide { axis, zero } => {
                *joint.axis_mut() = axis.to_array();
                *joint.ref_mut() = zero;
                MjtJoint::mjJNT_SLIDE
            }
        };
        joint.set_type(kind);
        let Some(axis) = self.axis(place) else { return };
        joint.set_frictionloss(axis.dynamics.friction);
        let limits = &axis.limits;
        let limited = limits.lower.is_finite() || limits.upper.is_finite();
        joint.set_limited(if limited {
            MjtLimited::mjLIMITED_TRUE
        } else {
            MjtLimited::mjLIMITED_FALSE
        });
        *joint.range_mut() = [limits.lower.max(-FAR), limits.upper.min(FAR)];
    }

    fn axis(&self, (body, coord): Place) -> Option<&JointAxis> {
        let wanted = AxisPlace::Coord { body, coord };
        let axes = self.model.joints.iter().flat_map(|joint| &joint.axes);
        axes.into_iter().find(|axis| axis.place == wanted).map(|axis| &axis.axis)
    }
}

/// A position that no joint reaches.
const FAR: f64 = 1e9;

fn set_mass(made: &mut MjsBody, body: &Body) {
    let inertial = &body.inertial;
    made.set_explicitinertial(true);
    made.set_mass(inertial.mass_kg);
    made.set_gravcomp(if body.gravity { 0.0 } else { 1.0 });
    *made.ipos_mut() = inertial.link_from_com.position.to_array();
    if inertial.products == Vec3::ZERO {
        *made.iquat_mut() = quat(inertial.link_from_com.rotation);
        *made.inertia_mut() = inertial.moments.to_array();
        return;
    }
    let turned = Mat3::from_quat(inertial.link_from_com.rotation);
    let m = turned * inertial.matrix() * turned.transpose();
    *made.fullinertia_mut() =
        [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y];
}

fn add_geom(body: &mut MjsBody, geom: &Geom) {
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

fn add_assets(spec: &mut MjSpec, model: &Model) {
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

fn add_exclusions(spec: &mut MjSpec, model: &Model) {
    let mut pairs: Vec<(usize, usize)> =
        model.apart.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for (a, b) in pairs {
        let exclude = spec.add_exclude();
        exclude.set_bodyname1(&body_name(model, a));
        exclude.set_bodyname2(&body_name(model, b));
    }
}

/// Links that a joint between models connects never touch.
fn separate_bonds(spec: &mut MjSpec, models: &[Arc<Model>], bonds: &[Arc<Closure>]) {
    let body_of = |link: EntityId| {
        models.iter().find_map(|model| {
            let (index, _) = Now::find(model, link)?;
            Some(body_name(model, index))
        })
    };
    for bond in bonds {
        let (Some(parent), Some(child)) = (bond.parent.0.and_then(body_of), body_of(bond.child.0))
        else {
            continue;
        };
        let exclude = spec.add_exclude();
        exclude.set_bodyname1(&parent);
        exclude.set_bodyname2(&child);
    }
}

fn add_tie(spec: &mut MjSpec, model: &Model, number: usize, tie: &Tie) {
    let zero = |(body, coord): Place| match model.bodies[body].coords[coord].freedom {
        Freedom::Turn { zero, .. } | Freedom::Slide { zero, .. } => zero,
        Freedom::Free | Freedom::Ball { .. } => 0.0,
    };
    let made = spec.add_equality();
    set_name(made, &format!("tie{}_{number}", model.entity.raw()));
    made.set_type(MjtEq::mjEQ_JOINT);
    made.set_objtype(MjtObjBase::mjOBJ_JOINT);
    made.set_name1(&coord_name(model, tie.follower));
    made.set_name2(&coord_name(model, tie.leader));
    *made.solimp_mut() = RIGID;
    // Both count from where they were at the insertion.
    let offset = tie.factor * zero(tie.leader) + tie.offset - zero(tie.follower);
    made.data_mut()[..5].copy_from_slice(&[offset, tie.factor, 0.0, 0.0, 0.0]);
}

fn add_closure(spec: &mut MjSpec, closure: &Closure) {
    for number in 0..shifts(closure.kind).len() {
        let (near, far) = site_names(closure, number);
        let made = spec.add_equality();
        set_name(made, &format!("closure{}_{number}", closure.joint.raw()));
        let whole = closure.kind == JointKind::Fixed;
        made.set_type(if whole { MjtEq::mjEQ_WELD } else { MjtEq::mjEQ_CONNECT });
        made.set_objtype(MjtObjBase::mjOBJ_SITE);
        made.set_name1(&near);
        made.set_name2(&far);
        *made.solimp_mut() = RIGID;
        if whole {
            // How much a turn counts beside a shift.
            made.data_mut()[10] = 1.0;
        }
    }
}

fn addresses(compiled: &MjModel, model: &Model) -> Option<Addresses> {
    let mut found = Addresses {
        bodies: Vec::new(),
        positions: Vec::new(),
        velocities: Vec::new(),
        mocaps: Vec::new(),
    };
    for (index, body) in model.bodies.iter().enumerate() {
        let id = compiled.name_to_id(MjtObjBase::mjOBJ_BODY, &body_name(model, index))?;
        found.bodies.push(id);
        if body.motion == Motion::Kinematic {
            let number = usize::try_from(compiled.body_mocapid()[id]).ok()?;
            found.mocaps.push((index, number));
        }
        for number in 0..body.coords.len() {
            let name = coord_name(model, (index, number));
            let joint = compiled.name_to_id(MjtObjBase::mjOBJ_JOINT, &name)?;
            let (positions, velocities) = body.coords[number].freedom.size();
            let q = usize::try_from(compiled.jnt_qposadr()[joint]).ok()?;
            let v = usize::try_from(compiled.jnt_dofadr()[joint]).ok()?;
            found.positions.extend(q..q + positions);
            found.velocities.extend(v..v + velocities);
        }
    }
    Some(found)
}

fn axes(models: &[Arc<Model>], addresses: &[Addresses]) -> Vec<PulledAxis> {
    let mut found = Vec::new();
    for (index, (model, places)) in models.iter().zip(addresses).enumerate() {
        let axes = model.joints.iter().flat_map(|joint| &joint.axes).enumerate();
        for (drive, axis) in axes {
            let AxisPlace::Coord { body, coord } = axis.place else { continue };
            let (q, v) = model.bodies[body].coords[coord].at;
            let at = (places.positions[q], places.velocities[v]);
            found.push(PulledAxis { model: index, drive, at, axis: axis.axis.clone() });
        }
    }
    found
}

fn geoms(compiled: &MjModel, models: &[Arc<Model>]) -> Option<Vec<Touching>> {
    let mut found = vec![None; compiled.geom_bodyid().len()];
    let all = models.iter().flat_map(|model| &model.bodies).flat_map(|body| &body.geoms);
    for geom in all {
        let parts = match &geom.form {
            Form::Hulls(parts) => parts.len(),
            Form::Elsewhere(_) => 0,
            _ => 1,
        };
        for part in 0..parts {
            let name = geom_name(geom, part);
            let id = compiled.name_to_id(MjtObjBase::mjOBJ_GEOM, &name)?;
            let touching = Touching { collision: geom.collision, surface: geom.surface };
            *found.get_mut(id)? = Some(touching);
        }
    }
    found.into_iter().collect()
}

impl Built {
    /// Says whether it was made from exactly these.
    pub(super) fn is_of<'m>(
        &self,
        models: impl Iterator<Item = &'m Arc<Model>>,
        bonds: impl Iterator<Item = &'m Arc<Closure>>,
    ) -> bool {
        models.map(Arc::as_ptr).eq(self.models.iter().map(Arc::as_ptr))
            && bonds.map(Arc::as_ptr).eq(self.bonds.iter().map(Arc::as_ptr))
    }

    /// Writes where a model is into MuJoCo's memory.
    pub(super) fn write(&mut self, index: usize, now: &Now) {
        let Self { data, models, addresses, .. } = self;
        let places = &addresses[index];
        scatter(data.qpos_mut(), &places.positions, &now.positions);
        scatter(data.qvel_mut(), &places.velocities, &now.velocities);
        scatter(data.qacc_warmstart_mut(), &places.velocities, &now.warm);
        for (body, number) in &places.mocaps {
            let pose = now.bodies[*body].pose;
            data.mocap_pos_mut()[*number] = pose.position.to_array();
            data.mocap_quat_mut()[*number] = quat(pose.rotation);
        }
        for (number, body) in models[index].bodies.iter().enumerate() {
            if body.motion == Motion::Fixed && body.carrier.is_none() {
                let pose = now.bodies[number].pose;
                let compiled = super::raw::numbers(data);
                compiled.body_pos_mut()[places.bodies[number]] = pose.position.to_array();
                compiled.body_quat_mut()[places.bodies[number]] = quat(pose.rotation);
            }
        }
    }

    /// Reads where a model is.
    pub(super) fn read(&self, index: usize, now: &mut Now) {
        let places = &self.addresses[index];
        gather(self.data.qpos(), &places.positions, &mut now.positions);
        gather(self.data.qvel(), &places.velocities, &mut now.velocities);
        gather(self.data.qacc_warmstart(), &places.velocities, &mut now.warm);
    }
}

fn scatter(into: &mut [f64], places: &[usize], from: &[f64]) {
    for (place, value) in places.iter().zip(from) {
        into[*place] = *value;
    }
}

fn gather(from: &[f64], places: &[usize], into: &mut [f64]) {
    for (place, value) in places.iter().zip(into) {
        *value = from[*place];
    }
}
