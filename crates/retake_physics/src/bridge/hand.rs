//! Links that somebody pulls: the force of a damped spring at the place where they are held.
//!
//! The spring is made for the mass that comes along, so that 0.1 kg and 50 kg feel the same: it has
//! one natural frequency and critical damping. Both act on one link, which may be far lighter than
//! all that hangs on it; there they are eased so that no step overshoots even if the link were free.
//! Joints and contacts only make it heavier than that, so it is stable at any step. What the link
//! cannot take of the damping brakes the common centre of mass instead.

use retake_components::{Inertia, Pull};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Mat3, Pose, Twist, Vec3};

use crate::Engine;

/// Natural frequency of the spring in rad/s: a weight that hangs on it lowers it by 2.5 cm.
const FREQUENCY: f64 = 20.0;
/// Most that it pulls with, in weights of the mass that comes along, wherever that is.
const MOST_WEIGHTS: f64 = 30.0;
/// Gravity on Earth in m/s², that weights are counted in.
const EARTH_GRAVITY: f64 = 9.81;
/// How quickly a hand stops the link from turning about the place that it holds, per second.
const TURNING_LOSS: f64 = 4.0;

/// Pushes every link that is pulled, and what comes along, for the next step.
pub(super) fn pull_links(engine: &mut dyn Engine, ecm: &Ecm, dt_secs: f64) {
    for (link, pull) in ecm.iter::<Pull>() {
        let along = Along::of(engine, ecm, &pull.along);
        let Some(held) = Held::of(engine, ecm, (link, pull)) else { continue };
        let Some(force_n) = held.spring_force(pull, along.mass_kg, dt_secs) else { continue };
        let torque_nm = held.lever.cross(force_n) - held.braking_torque(dt_secs);
        // A link that the engine does not have, or numbers beyond all bounds: nothing is pulled.
        engine.apply_wrench(link, force_n, torque_nm).ok();
        let loss = held.missing_damping(along.mass_kg, dt_secs);
        along.brake(engine, loss / (1.0 + loss * dt_secs));
    }
}

/// All that comes along with a link that is pulled.
struct Along {
    masses: Vec<(EntityId, f64)>,
    mass_kg: f64,
    /// Of the common centre of mass, in m/s.
    velocity: Vec3,
}

impl Along {
    fn of(engine: &dyn Engine, ecm: &Ecm, links: &[EntityId]) -> Self {
        let (mut masses, mut mass_kg, mut momentum) = (Vec::new(), 0.0, Vec3::ZERO);
        for link in links {
            let Some(inertial) = ecm.get::<Inertia>(*link).map(|own| own.0) else { continue };
            let Some(body) = engine.body_state(*link) else { continue };
            let pose = body.world_from_link;
            let centre = pose.transform_point(inertial.link_from_com.position);
            momentum += velocity_at(&pose, &body.twist, centre) * inertial.mass_kg;
            mass_kg += inertial.mass_kg;
            masses.push((*link, inertial.mass_kg));
        }
        Self { masses, mass_kg, velocity: momentum / mass_kg }
    }

    /// Brakes the common centre of mass, as gravity does: nothing turns or bends by it.
    fn brake(&self, engine: &mut dyn Engine, loss_per_sec: f64) {
        for (link, mass_kg) in &self.masses {
            let force_n = self.velocity * (-loss_per_sec * mass_kg);
            // As above.
            engine.apply_wrench(*link, force_n, Vec3::ZERO).ok();
        }
    }
}

/// A link at the place where it is held, in world axes.
struct Held {
    point: Vec3,
    velocity: Vec3,
    /// In rad/s.
    turning: Vec3,
    /// From the centre of mass to the place.
    lever: Vec3,
    /// Moments of inertia about the centre of mass.
    moments: Mat3,
    mass_kg: f64,
}

impl Held {
    fn of(engine: &dyn Engine, ecm: &Ecm, (link, pull): (EntityId, &Pull)) -> Option<Self> {
        let (body, inertial) = (engine.body_state(link)?, ecm.get::<Inertia>(link)?.0);
        let pose = body.world_from_link;
        let point = pose.transform_point(pull.point_in_link);
        let centre = pose.transform_point(inertial.link_from_com.position);
        let axes = Mat3::from_quat(pose.rotation * inertial.link_from_com.rotation);
        Some(Self {
            point,
            velocity: velocity_at(&pose, &body.twist, point),
            turning: body.twist.angular,
            lever: point - centre,
            moments: axes * inertial.matrix() * axes.transpose(),
            mass_kg: inertial.mass_kg,
        })
    }

    /// Mean force over the step, in N; none when the numbers give none.
    fn spring_force(&self, pull: &Pull, mass_kg: f64, dt_secs: f64) -> Option<Vec3> {
        let most_n = MOST_WEIGHTS * EARTH_GRAVITY * mass_kg;
        let stiffness = mass_kg * FREQUENCY * FREQUENCY;
        let damping = 2.0 * mass_kg * FREQUENCY;
        // Stretched further it pulls no harder, and so never faster than its damping lets it.
        let stretch = (pull.target_in_world - self.point).clamp_length_max(most_n / stiffness);
        let mobility = self.mobility();
        // Neither may change the velocity within a step by more than what it acts on.
        let eased = |per_step: f64| (Mat3::IDENTITY + mobility * per_step).inverse();
        let force = eased(stiffness * dt_secs * dt_secs) * stretch * stiffness
            - eased(damping * dt_secs) * self.velocity * damping;
        force.is_finite().then(|| force.clamp_length_max(most_n))
    }

    /// The damping that a link too light for it could not take, per second.
    fn missing_damping(&self, mass_kg: f64, dt_secs: f64) -> f64 {
        let mobility = self.mobility();
        let columns = [mobility.x_axis, mobility.y_axis, mobility.z_axis];
        let most = columns.iter().map(|column| column.length()).fold(0.0, f64::max);
        let eased = 2.0 * mass_kg * FREQUENCY * dt_secs * most;
        2.0 * FREQUENCY * eased / (1.0 + eased)
    }

    /// What stops the link from turning in the hand, in N m.
    fn braking_torque(&self, dt_secs: f64) -> Vec3 {
        self.moments * self.turning * (TURNING_LOSS / (1.0 + TURNING_LOSS * dt_secs))
    }

    /// Velocity that the place gains for each N s, if the link is free.
    fn mobility(&self) -> Mat3 {
        let around = skew(self.lever);
        // The engine never turns what has no moments.
        let turns = Some(self.moments.inverse()).filter(Mat3::is_finite).unwrap_or(Mat3::ZERO);
        Mat3::IDENTITY * self.mass_kg.recip() - around * turns * around
    }
}

fn velocity_at(pose: &Pose, twist: &Twist, point: Vec3) -> Vec3 {
    twist.linear + twist.angular.cross(point - pose.position)
}

/// Matrix that makes the cross product with `v`.
fn skew(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}
