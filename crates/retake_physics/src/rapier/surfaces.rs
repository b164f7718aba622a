//! Surfaces where the engine's own contact law is not enough.
//!
//! The engine bounces whatever restitution says, however slow. A collision with a bounce threshold
//! is asked about in every step, and does not bounce when it comes slower than that.

use rapier3d_f64::prelude::{ContactModificationContext, RigidBodyHandle, RigidBodySet};
use retake_description::{Bounce, Friction, Surface};
use retake_math::Vec3;
use serde::{Deserialize, Serialize};

use super::filter::Tag;
use super::tables::Tables;

/// What a contact must be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpecialSurface {
    /// Approach speed below which nothing bounces, in m/s.
    bounce_threshold: f64,
}

impl SpecialSurface {
    /// Returns what is special about a surface; none when the engine does it all by itself.
    pub(super) fn of(surface: &Surface) -> Option<Self> {
        let Bounce { restitution, threshold } = surface.bounce;
        // The default threshold of the format would forbid every bounce; whoever writes a
        // restitution and no threshold means it to bounce.
        let given = threshold > 0.0 && threshold < Bounce::default().threshold;
        (given && restitution > 0.0).then_some(Self { bounce_threshold: threshold })
    }
}

/// Stiffness from which a contact is as hard as the engine makes it, in N/m.
const HARD: f64 = 1e6;

/// Says what a surface asks for that is not simulated.
pub(crate) fn remarks(surface: &Surface, mut say: impl FnMut(&str)) {
    let friction = &surface.friction;
    if friction.mu != friction.mu2 {
        say("friction is the same in all directions: mu counts, mu2 does not");
    }
    if friction.slip1 != 0.0 || friction.slip2 != 0.0 {
        say("slip1 and slip2 are not simulated");
    }
    if friction.torsional != Friction::default().torsional {
        say("torsional friction is not simulated");
    }
    if surface.contact.kp < HARD {
        say("contact kp and kd are not simulated: contacts are as stiff as the step allows");
    }
}

/// Changes a contact as the surfaces of both sides ask.
pub(super) fn modify(tables: &Tables, context: &mut ContactModificationContext<'_>) {
    let special = [context.collider1, context.collider2].map(|handle| {
        let tag = Tag::unpack(context.colliders[handle].user_data);
        tables.surfaces.get(&tag.collision).copied()
    });
    let thresholds = special.iter().flatten().map(|surface| surface.bounce_threshold);
    let threshold = thresholds.fold(0.0, f64::max);
    let speed = approach_speed(context);
    if let Some(contact) = context.rigid_mut()
        && speed < threshold
    {
        *contact.restitution = 0.0;
    }
}

/// The speed at which the fastest contact point closes, in m/s.
fn approach_speed(context: &ContactModificationContext<'_>) -> f64 {
    let Some(contact) = context.rigid() else { return 0.0 };
    let closing = contact.solver_contacts.iter().map(|point| {
        let first = velocity_at(context.bodies, context.rigid_body1, point.anchor1);
        let second = velocity_at(context.bodies, context.rigid_body2, point.anchor2);
        (first - second).dot(*contact.normal)
    });
    closing.fold(0.0, f64::max)
}

fn velocity_at(bodies: &RigidBodySet, body: Option<RigidBodyHandle>, point: Vec3) -> Vec3 {
    let body = body.and_then(|handle| bodies.get(handle));
    body.map_or(Vec3::ZERO, |body| body.velocity_at_point(point))
}
