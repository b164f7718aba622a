//! Where things are in the compiled model, and the way in and out of its memory.

use std::sync::Arc;

use mujoco_rs::prelude::{MjModel, MjtObjBase};
use retake_description::{JointAxis, Surface};
use retake_ecm::EntityId;

use super::{body_name, coord_name, geom_name};
use crate::mujoco::forms::Form;
use crate::mujoco::model::{AxisPlace, Closure, Model};
use crate::mujoco::place::{Now, quat};
use crate::mujoco::raw::{self, Data};
use crate::plan::Motion;

/// Bodies, positions and velocities of a model in the compiled one.
pub(in crate::mujoco) struct Addresses {
    pub(in crate::mujoco) bodies: Vec<usize>,
    /// Where each number of its positions is.
    pub(in crate::mujoco) positions: Vec<usize>,
    /// Where each number of its velocities is.
    pub(in crate::mujoco) velocities: Vec<usize>,
    /// Number of each kinematic body among those that are moved by hand.
    pub(in crate::mujoco) mocaps: Vec<(usize, usize)>,
}

/// What a geom is.
#[derive(Clone, Copy)]
pub(in crate::mujoco) struct Touching {
    pub(in crate::mujoco) collision: EntityId,
    pub(in crate::mujoco) surface: Surface,
}

/// An axis of a joint that is a coordinate.
pub(in crate::mujoco) struct PulledAxis {
    /// Number of its model, and of its drive there.
    pub(in crate::mujoco) model: usize,
    pub(in crate::mujoco) drive: usize,
    /// Where its position and its velocity are.
    pub(in crate::mujoco) at: (usize, usize),
    pub(in crate::mujoco) axis: JointAxis,
}

/// A compiled model with what it was made from.
pub(in crate::mujoco) struct Built {
    pub(in crate::mujoco) data: Data,
    pub(in crate::mujoco) models: Vec<Arc<Model>>,
    pub(in crate::mujoco) bonds: Vec<Arc<Closure>>,
    pub(in crate::mujoco) addresses: Vec<Addresses>,
    /// In the order of MuJoCo's geoms.
    pub(in crate::mujoco) geoms: Vec<Touching>,
    pub(in crate::mujoco) axes: Vec<PulledAxis>,
    /// Inverse inertia that each velocity feels when nothing drives it.
    pub(in crate::mujoco) bare_weight: Vec<f64>,
}

pub(super) fn addresses(compiled: &MjModel, model: &Model) -> Option<Addresses> {
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

pub(super) fn axes(models: &[Arc<Model>], addresses: &[Addresses]) -> Vec<PulledAxis> {
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

pub(super) fn geoms(compiled: &MjModel, models: &[Arc<Model>]) -> Option<Vec<Touching>> {
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
    pub(in crate::mujoco) fn is_of<'m>(
        &self,
        models: impl Iterator<Item = &'m Arc<Model>>,
        bonds: impl Iterator<Item = &'m Arc<Closure>>,
    ) -> bool {
        models.map(Arc::as_ptr).eq(self.models.iter().map(Arc::as_ptr))
            && bonds.map(Arc::as_ptr).eq(self.bonds.iter().map(Arc::as_ptr))
    }

    /// Writes where a model is into MuJoCo's memory.
    pub(in crate::mujoco) fn write(&mut self, index: usize, now: &Now) {
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
                let compiled = raw::numbers(data);
                compiled.body_pos_mut()[places.bodies[number]] = pose.position.to_array();
                compiled.body_quat_mut()[places.bodies[number]] = quat(pose.rotation);
            }
        }
    }

    /// Reads where a model is.
    pub(in crate::mujoco) fn read(&self, index: usize, now: &mut Now) {
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
