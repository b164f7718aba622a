//! What holds bodies together or apart: closures of loops, joints between models, ties, exclusions.

use std::collections::BTreeMap;
use std::sync::Arc;

use mujoco_rs::prelude::{MjSpec, MjtEq, MjtObjBase};
use mujoco_rs::wrappers::mj_editing::MjsBody;
use retake_description::JointKind;
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};

use super::{RIGID, body_name, coord_name, set_name};
use crate::mujoco::model::{Closure, Freedom, Model};
use crate::mujoco::place::{Now, quat};
use crate::mujoco::ties::{Place, Tie};

/// Half of the way between the two points that hold a hinge which closes a loop, in metres.
const HINGE_HALF: f64 = 0.05;

/// Names of the sites that closures need, with their places, by link; none is the world.
pub(super) type Sites = BTreeMap<Option<EntityId>, Vec<(String, Pose)>>;

pub(super) fn sites(models: &[Arc<Model>], bonds: &[Arc<Closure>]) -> Sites {
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

pub(super) fn add_site(body: &mut MjsBody, name: &str, pose: Pose) {
    let site = body.add_site();
    set_name(site, name);
    *site.pos_mut() = pose.position.to_array();
    *site.quat_mut() = quat(pose.rotation);
}

pub(super) fn add_exclusions(spec: &mut MjSpec, model: &Model) {
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
pub(super) fn separate_bonds(spec: &mut MjSpec, models: &[Arc<Model>], bonds: &[Arc<Closure>]) {
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

pub(super) fn add_tie(spec: &mut MjSpec, model: &Model, number: usize, tie: &Tie) {
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

pub(super) fn add_closure(spec: &mut MjSpec, closure: &Closure) {
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
