//! Bodies with their coordinates and masses.

use mujoco_rs::prelude::MjtJoint;
use mujoco_rs::wrappers::mj_editing::{MjsBody, MjtLimited};
use retake_description::JointAxis;
use retake_math::{Mat3, Vec3};

use super::holds::{Sites, add_site};
use super::shapes::add_geom;
use super::{RIGID, body_name, coord_name, set_name};
use crate::mujoco::model::{AxisPlace, Body, Freedom, Model};
use crate::mujoco::place::quat;
use crate::mujoco::ties::Place;
use crate::plan::Motion;

/// One model on its way into the tree of bodies.
pub(super) struct Tree<'a> {
    pub(super) model: &'a Model,
    pub(super) sites: &'a Sites,
}

impl Tree<'_> {
    pub(super) fn add(&self, carrier: &mut MjsBody, index: usize) {
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
