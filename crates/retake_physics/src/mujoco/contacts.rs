//! Contacts: how they rub and bounce, and what pushed whom.
//!
//! MuJoCo lets two surfaces rub with the greater of their coefficients and knows no restitution. Here
//! every contact gets its law after it was found: the lower of the coefficients, and the product of
//! the restitutions as a speed that the contact is to have after the sub-step.

use std::collections::BTreeMap;

use mujoco_rs::wrappers::mj_auxiliary::MjContact;
use retake_description::{Bounce, Surface};
use retake_ecm::EntityId;
use retake_math::Vec3;
use serde::{Deserialize, Serialize};

use super::compile::Built;
use super::raw;
use crate::{ContactPoint, ContactState};

/// How hard contacts are: the share of an error that the solver undoes, the same at every depth.
const HARD: [f64; 5] = [0.999, 0.999, 0.001, 0.5, 2.0];
/// Sub-steps in which a contact comes back to its surface.
const TIME_FACTOR: f64 = 2.0;
/// A contact that is slower than gravity makes it in so many sub-steps rests.
const RESTING_SUBSTEPS: f64 = 4.0;

/// Two collisions that touched in the last step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Touch {
    first: EntityId,
    second: EntityId,
    points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    position: Vec3,
    normal: Vec3,
    depth: f64,
    impulse: f64,
    friction: Vec3,
}

/// Gives every contact its law for a sub-step of `h` seconds.
pub(super) fn prepare(built: &mut Built, gravity: f64, h: f64) {
    let Built { data, geoms, .. } = built;
    let bounces = |contact: &MjContact| bounce(surfaces(geoms, contact)).0 > 0.0;
    let any_bounces = data.contact().iter().any(bounces);
    if any_bounces {
        // How fast bodies are is otherwise computed only later.
        data.com_vel();
    }
    let speeds: Vec<f64> = match any_bounces {
        true => data.contact().iter().map(|contact| approach(data, contact)).collect(),
        false => Vec::new(),
    };
    for (index, contact) in raw::contacts(data).iter_mut().enumerate() {
        let both = surfaces(geoms, contact);
        let mu = both.map(|surface| surface.friction.mu);
        // MuJoCo wants some friction in a contact that may have any.
        let mu = mu[0].min(mu[1]).max(1e-5);
        contact.friction[0] = mu;
        contact.friction[1] = mu;
        contact.solimp = HARD;
        contact.solref = [TIME_FACTOR * h, 1.0];
        let (restitution, threshold) = bounce(both);
        let speed = speeds.get(index).copied().unwrap_or(0.0);
        if restitution > 0.0 && speed > threshold.max(RESTING_SUBSTEPS * gravity * h) {
            // Direct stiffness and damping: no spring, and exactly this speed after the sub-step.
            contact.solref = [0.0, -(1.0 + restitution) / h * HARD[1]];
            // Along the surface it rubs as ever.
            contact.solreffriction = [TIME_FACTOR * h, 1.0];
        }
    }
}

fn surfaces<'s>(geoms: &'s [super::compile::Touching], contact: &MjContact) -> [&'s Surface; 2] {
    contact.geom.map(|geom| &geoms[geom.max(0) as usize].surface)
}

/// Restitution of two surfaces, and the speed below which they do not bounce.
fn bounce(both: [&Surface; 2]) -> (f64, f64) {
    let threshold = |bounce: &Bounce| {
        // The default threshold of the format would forbid every bounce; whoever writes a
        // restitution and no threshold means it to bounce.
        if bounce.threshold < Bounce::default().threshold { bounce.threshold } else { 0.0 }
    };
    let [first, second] = both.map(|surface| &surface.bounce);
    (first.restitution * second.restitution, threshold(first).max(threshold(second)))
}

/// The speed at which a contact closes, in m/s.
fn approach(data: &raw::Data, contact: &MjContact) -> f64 {
    let at = Vec3::from_array(contact.pos);
    let velocity = |geom: i32| {
        let body = data.model().geom_bodyid()[geom.max(0) as usize] as usize;
        let root = data.model().body_rootid()[body] as usize;
        let spatial = data.cvel()[body];
        let (angular, linear) = (Vec3::from_slice(&spatial[..3]), Vec3::from_slice(&spatial[3..]));
        linear + angular.cross(at - Vec3::from_array(data.subtree_com()[root]))
    };
    let normal = Vec3::from_slice(&contact.frame[..3]);
    (velocity(contact.geom[0]) - velocity(contact.geom[1])).dot(normal)
}

/// What touched in the sub-steps so far.
#[derive(Default)]
pub(super) struct Touches(BTreeMap<(EntityId, EntityId), Vec<Point>>);

impl Touches {
    /// Adds the contacts of a sub-step of `h` seconds that was just solved.
    pub(super) fn add(&mut self, built: &Built, h: f64) {
        let mut news: BTreeMap<(EntityId, EntityId), Vec<Point>> = BTreeMap::new();
        for (index, contact) in built.data.contact().iter().enumerate() {
            let ids = contact.geom.map(|geom| built.geoms[geom.max(0) as usize].collision);
            let swapped = ids[0] > ids[1];
            let key = if swapped { (ids[1], ids[0]) } else { (ids[0], ids[1]) };
            let point = point(built, index, contact, if swapped { -h } else { h });
            if point.depth >= 0.0 || point.impulse > 0.0 {
                news.entry(key).or_default().push(point);
            }
        }
        for (key, points) in news {
            let before = self.0.insert(key, points);
            if let Some(before) = before {
                let points = self.0.get_mut(&key);
                points.into_iter().for_each(|points| share(points, &before));
            }
        }
    }

    /// All that touched in the step.
    pub(super) fn finish(self) -> Vec<Touch> {
        let all = self.0.into_iter();
        all.map(|((first, second), points)| Touch { first, second, points }).collect()
    }
}

/// Adds what earlier sub-steps gave to the points of the last one, in equal parts.
fn share(points: &mut [Point], before: &[Point]) {
    let count = points.len() as f64;
    let impulse: f64 = before.iter().map(|point| point.impulse).sum();
    let friction: Vec3 = before.iter().map(|point| point.friction).sum();
    for point in points {
        point.impulse += impulse / count;
        point.friction += friction / count;
    }
}

/// A contact point; `signed_h` is negative when the two change places.
fn point(built: &Built, index: usize, contact: &MjContact, signed_h: f64) -> Point {
    let force = built.data.contact_force(index);
    let axis = |row: usize| Vec3::from_slice(&contact.frame[3 * row..3 * row + 3]);
    Point {
        position: Vec3::from_array(contact.pos),
        normal: axis(0) * signed_h.signum(),
        depth: -contact.dist,
        impulse: force[0] * signed_h.abs(),
        friction: (axis(1) * force[1] + axis(2) * force[2]) * signed_h,
    }
}

/// Visits all that touched.
pub(super) fn visit(touches: &[Touch], visitor: &mut dyn FnMut(&ContactState<'_>)) {
    let mut points = Vec::new();
    for touch in touches {
        points.clear();
        points.extend(touch.points.iter().map(|point| ContactPoint {
            position: point.position,
            normal: point.normal,
            depth: point.depth,
            impulse: point.impulse,
            friction: point.friction,
        }));
        visitor(&ContactState { first: touch.first, second: touch.second, points: &points });
    }
}

impl Touch {
    /// Says whether one of its collisions is among these.
    pub(super) fn is_of(&self, gone: &[EntityId]) -> bool {
        gone.contains(&self.first) || gone.contains(&self.second)
    }
}
