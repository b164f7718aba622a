//! Catching up with a reference within limits of velocity, acceleration and jerk.
//!
//! Each cycle plans anew, by `rsruckig`, the quickest way from the last output to the reference, and
//! goes along it for the length of the cycle. The plan is made in a frame that moves as the reference
//! does, where the reference is a point at rest: a plan towards where the reference is now would
//! arrive where it no longer is.
//!
//! - A frame that has the reference's velocity and acceleration meets it exactly. When a plan in it
//!   ends within the cycle, the reference is reached within the limits, and blending is over.
//! - Limits of velocity cannot be told in a frame that accelerates. When the first plan would exceed
//!   them, or the reference itself does, the frame only has the reference's velocity, kept a little
//!   below the limit.
//! - When that fails as well, which only numbers far apart in size bring about, a critically damped
//!   regulator does one cycle, cut off at the limits.
//!
//! The solver's parts are used directly instead of through its `Ruckig` and `Trajectory`, because
//! these hold lists and so would allocate in every cycle, or be state that cannot be saved.

use rsruckig::block::Block;
use rsruckig::position_third_step1::PositionThirdOrderStep1;
use rsruckig::profile::Profile;

use crate::curve::Sample;

/// How near to the limit of velocity a frame may go: the rest is for catching up.
const SHARE_OF_VELOCITY: f64 = 0.95;

/// How far beyond a limit rounding may lead.
const ROUNDING: f64 = 1e-9;

/// The closest that the solver can tell apart, in rad and rad/s, or m and m/s.
const CAUGHT_UP: f64 = 1e-9;

/// States with larger numbers than this are left to the regulator, and larger limits are cut to it:
/// the solver takes the fourth power of some of its numbers.
const LARGEST: f64 = 1e9;

/// What the output keeps to.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    velocity: f64,
    acceleration: f64,
    jerk: f64,
}

/// Limits of velocity and acceleration as seen from a frame.
#[derive(Clone, Copy)]
struct Bounds {
    velocity: (f64, f64),
    acceleration: (f64, f64),
    jerk: f64,
}

impl Limits {
    pub(super) fn new(velocity: f64, acceleration: f64, jerk: f64) -> Self {
        // `max` turns what is no number into the smallest limit.
        let sensible = |limit: f64| {
            let large_enough = limit.max(1e-6);
            large_enough.min(LARGEST)
        };
        Self {
            velocity: sensible(velocity),
            acceleration: sensible(acceleration),
            jerk: sensible(jerk),
        }
    }

    /// Returns what comes after `before`; none when the reference is reached.
    pub(super) fn chase(self, before: Sample, reference: Sample, dt_secs: f64) -> Option<Sample> {
        if self.hold(reference) {
            let frame = reference;
            let start = seen_from(frame, before, -dt_secs);
            if self.is_close(start, dt_secs) {
                return None;
            }
            match self.plan(start, frame) {
                Some(plan) if plan.duration_secs() <= dt_secs => return None,
                Some(plan) => {
                    let output = told_from(frame, plan.at(dt_secs));
                    if self.hold(output) {
                        return Some(output);
                    }
                }
                None => {}
            }
        }
        let fastest = SHARE_OF_VELOCITY * self.velocity;
        let frame = Sample {
            position: reference.position,
            velocity: reference.velocity.clamp(-fastest, fastest),
            acceleration: 0.0,
        };
        let plan = self.plan(seen_from(frame, before, -dt_secs), frame);
        let planned = plan.map(|plan| told_from(frame, plan.at(dt_secs)));
        Some(planned.unwrap_or_else(|| self.regulate(before, frame, dt_secs)))
    }

    /// Says whether a state is within the limits, and will be when it stops accelerating.
    fn hold(self, state: Sample) -> bool {
        let speed =
            state.velocity + 0.5 * state.acceleration * state.acceleration.abs() / self.jerk;
        let most = 1.0 + ROUNDING;
        state.velocity.abs() <= self.velocity * most
            && speed.abs() <= self.velocity * most
            && state.acceleration.abs() <= self.acceleration * most
    }

    /// Says whether a state in the frame of the reference is the reference, as far as numbers go.
    fn is_close(self, state: Sample, dt_secs: f64) -> bool {
        state.position.abs() <= CAUGHT_UP
            && state.velocity.abs() <= CAUGHT_UP
            && state.acceleration.abs() <= self.jerk * dt_secs
    }

    /// Plans the quickest way to rest in the origin of a frame.
    fn plan(self, start: Sample, frame: Sample) -> Option<Plan> {
        let bounds = Bounds {
            velocity: (-self.velocity - frame.velocity, self.velocity - frame.velocity),
            acceleration: (
                -self.acceleration - frame.acceleration,
                self.acceleration - frame.acceleration,
            ),
            jerk: self.jerk,
        };
        let sensible = |value: f64| value.abs() <= LARGEST;
        let all = [start.position, start.velocity, start.acceleration];
        all.into_iter().all(sensible).then(|| Plan::to_origin(start, bounds)).flatten()
    }

    /// One cycle of a regulator that is slow enough for the limits to matter little.
    fn regulate(self, before: Sample, frame: Sample, dt_secs: f64) -> Sample {
        let quickness =
            0.3 * (self.acceleration / self.velocity).min(self.jerk / self.acceleration);
        let wanted = quickness * quickness * (frame.position - before.position)
            + 2.0 * quickness * (frame.velocity - before.velocity);
        let most = self.acceleration;
        let change = self.jerk * dt_secs;
        let eased = (wanted.clamp(-most, most) - before.acceleration).clamp(-change, change);
        let acceleration = before.acceleration + eased;
        // Whoever comes in too fast may brake, and not become faster.
        let fastest = self.velocity.max(before.velocity.abs());
        let mean_acceleration = before.acceleration + 0.5 * eased;
        let velocity = (before.velocity + mean_acceleration * dt_secs).clamp(-fastest, fastest);
        let position = before.position + 0.5 * (before.velocity + velocity) * dt_secs;
        Sample { position, velocity, acceleration }
    }
}

/// A way in seven stretches of constant jerk, with up to two before it that lead into the limits.
struct Plan {
    profile: Profile,
}

impl Plan {
    fn to_origin(start: Sample, bounds: Bounds) -> Option<Self> {
        let ((v_min, v_max), (a_min, a_max), jerk) =
            (bounds.velocity, bounds.acceleration, bounds.jerk);
        let mut profile = Profile::default();
        profile.set_boundary(start.position, start.velocity, start.acceleration, 0.0, 0.0, 0.0);
        let brake = &mut profile.brake;
        brake.get_position_brake_trajectory(
            start.velocity,
            start.acceleration,
            v_max,
            v_min,
            a_max,
            a_min,
            jerk,
        );
        brake.finalize(&mut profile.p[0], &mut profile.v[0], &mut profile.a[0]);
        let (p, v, a) = (profile.p[0], profile.v[0], profile.a[0]);
        let mut solver =
            PositionThirdOrderStep1::new(p, v, a, 0.0, 0.0, 0.0, v_max, v_min, a_max, a_min, jerk);
        let mut block = Block::default();
        let plan =
            solver.get_profile(&profile, &mut block).then_some(Self { profile: block.p_min })?;
        plan.duration_secs().is_finite().then_some(plan)
    }

    fn duration_secs(&self) -> f64 {
        self.profile.brake.duration + self.profile.t_sum[6]
    }

    /// Where it is after a time; at its end it stands in the origin.
    fn at(&self, time_secs: f64) -> Sample {
        let brake = &self.profile.brake;
        if time_secs < brake.duration {
            let second = time_secs >= brake.t[0];
            let (index, since) = if second { (1, time_secs - brake.t[0]) } else { (0, time_secs) };
            let from = state(brake.p[index], brake.v[index], brake.a[index]);
            return moved(from, brake.j[index], since);
        }
        let time_secs = time_secs - brake.duration;
        let profile = &self.profile;
        let Some(index) = profile.t_sum.iter().position(|end| time_secs < *end) else {
            return Sample::default();
        };
        let since = time_secs - if index > 0 { profile.t_sum[index - 1] } else { 0.0 };
        let from = state(profile.p[index], profile.v[index], profile.a[index]);
        moved(from, profile.j[index], since)
    }
}

fn state(position: f64, velocity: f64, acceleration: f64) -> Sample {
    Sample { position, velocity, acceleration }
}

/// Goes on with constant jerk.
fn moved(from: Sample, jerk: f64, secs: f64) -> Sample {
    let Sample { position, velocity, acceleration } = from;
    state(
        position + secs * (velocity + secs * (acceleration / 2.0 + secs * jerk / 6.0)),
        velocity + secs * (acceleration + secs * jerk / 2.0),
        acceleration + secs * jerk,
    )
}

/// Tells a state at `secs` in the frame whose origin moves like `frame`, which is it at 0.
fn seen_from(frame: Sample, at: Sample, secs: f64) -> Sample {
    let origin = moved(frame, 0.0, secs);
    state(
        at.position - origin.position,
        at.velocity - origin.velocity,
        at.acceleration - origin.acceleration,
    )
}

/// Tells a state at 0 in the frame whose origin is `frame` then.
fn told_from(frame: Sample, seen: Sample) -> Sample {
    state(
        frame.position + seen.position,
        frame.velocity + seen.velocity,
        frame.acceleration + seen.acceleration,
    )
}
