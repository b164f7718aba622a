//! What drives an axis, solved with the step.
//!
//! A spring and damper that pull on one coordinate act as they will be at the end of the sub-step.
//! That is the same as a force now together with some inertia added to the coordinate, and since
//! MuJoCo's constraints feel that inertia too, drives are stable at any gain, limits and contacts
//! hold against them, and a drive at its greatest effort is a plain force. Which drives are at their
//! limit is found by trying.

use retake_description::JointAxis;
use serde::{Deserialize, Serialize};

use super::place::Drive;
use crate::{JointDrive, JointState};

/// How hard a drive at the speed limit of its joint insists, in N m s/rad.
const INSISTENCE: f64 = 1e5;

/// A spring and damper with a greatest effort, or a constant effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Motor {
    stiffness: f64,
    damping: f64,
    target: f64,
    speed: f64,
    constant: f64,
    most: f64,
}

/// A force on a coordinate and the inertia that it is felt with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pull {
    pub(super) force: f64,
    pub(super) inertia: f64,
}

impl Motor {
    /// The motor of a drive on an axis that is at a position and velocity.
    pub(super) fn of(drive: &JointDrive, axis: &JointAxis, state: (f64, f64), h: f64) -> Self {
        let limits = &axis.limits;
        let capped = |effort: f64| effort.min(limits.effort);
        match *drive {
            JointDrive::Free => Self::default(),
            JointDrive::Effort(effort) => {
                let constant = effort.clamp(-limits.effort, limits.effort);
                Self { constant, most: f64::INFINITY, ..Self::default() }
            }
            JointDrive::Velocity { target, damping, max_effort } => Self {
                damping,
                speed: target.clamp(-limits.velocity, limits.velocity),
                most: capped(max_effort),
                ..Self::default()
            },
            JointDrive::Position { target, velocity, stiffness, damping, max_effort } => Self {
                stiffness,
                damping,
                target,
                speed: velocity.clamp(-limits.velocity, limits.velocity),
                most: capped(max_effort),
                constant: 0.0,
            }
            .within_speed(limits.velocity, state, h),
        }
    }

    /// The same, unless it would run faster than the joint may.
    fn within_speed(self, limit: f64, (position, velocity): (f64, f64), h: f64) -> Self {
        let (k, d) = (self.stiffness, self.damping);
        if limit.is_infinite() || k * h + d <= 0.0 {
            return self;
        }
        let pull = k * (self.target - position);
        // The speed at which the implicit law gives no effort any more: it drives towards this one.
        let aim = (pull + d * self.speed) / (d + k * h);
        if aim.abs() <= limit {
            return self;
        }
        let effort = pull + d * (self.speed - velocity);
        let most = effort.abs().min(self.most);
        let speed = limit.copysign(aim);
        Self { damping: INSISTENCE, speed, most, ..Self::default() }
    }

    /// Its effort at a position and velocity, uncut.
    fn law(&self, position: f64, velocity: f64) -> f64 {
        self.constant
            + self.stiffness * (self.target - position)
            + self.damping * (self.speed - velocity)
    }

    /// What it does in a sub-step of `h` seconds.
    fn pull(&self, (position, velocity): (f64, f64), at_limit: i8, h: f64) -> Pull {
        if at_limit != 0 {
            return Pull { force: self.most * f64::from(at_limit), inertia: 0.0 };
        }
        Pull {
            force: self.law(position + h * velocity, velocity),
            inertia: h * self.damping + h * h * self.stiffness,
        }
    }

    /// Which limit it is at when the sub-step ends with this velocity.
    pub(super) fn limit_at(&self, (position, velocity): (f64, f64), at_limit: i8, h: f64) -> i8 {
        let effort = self.law(position + h * velocity, velocity);
        match at_limit {
            0 if effort.abs() > self.most * (1.0 + 1e-9) => effort.signum() as i8,
            0 => 0,
            side if effort * f64::from(side) < self.most => 0,
            side => side,
        }
    }
}

/// Everything that pulls on an axis: its drive, its spring and damper, and its speed limit.
pub(super) fn pull(
    motor: &Motor,
    axis: &JointAxis,
    state: (f64, f64),
    at_limit: i8,
    h: f64,
) -> Pull {
    let (position, velocity) = state;
    let driven = motor.pull(state, at_limit, h);
    let dynamics = &axis.dynamics;
    let (k, mut d, mut aim) = (dynamics.spring_stiffness, dynamics.damping, 0.0);
    let limit = axis.limits.velocity;
    if velocity.abs() > limit {
        // Too fast already, by a push or by gravity.
        (aim, d) = (INSISTENCE * limit.copysign(velocity), d + INSISTENCE);
    }
    let passive = k * (dynamics.spring_reference - position - h * velocity) + aim - d * velocity;
    Pull { force: driven.force + passive, inertia: driven.inertia + h * d + h * h * k }
}

/// State of an axis, with the effort that its drive has there.
pub(super) fn state(drive: &Drive, axis: &JointAxis, position: f64, velocity: f64) -> JointState {
    let motor = Motor::of(&drive.drive, axis, (position, velocity), 0.0);
    let effort = motor.law(position, velocity).clamp(-motor.most, motor.most);
    JointState { position, velocity, effort }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 0.001;

    fn servo(most: f64) -> Motor {
        let drive = JointDrive::Position {
            target: 1.0,
            velocity: 0.0,
            stiffness: 2000.0,
            damping: 200.0,
            max_effort: most,
        };
        Motor::of(&drive, &JointAxis::default(), (0.0, 0.0), H)
    }

    #[test]
    fn force_and_inertia_are_the_law_at_the_end() {
        let (motor, mass, state) = (servo(1e9), 0.01, (0.2, 3.0));
        let pull = motor.pull(state, 0, H);
        let acceleration = pull.force / (mass + pull.inertia);
        let end = state.1 + H * acceleration;
        let law = motor.law(state.0 + H * end, end);
        assert!((law - mass * acceleration).abs() < 1e-9 * law.abs());
    }

    #[test]
    fn a_drive_goes_to_its_limit_and_comes_back() {
        let motor = servo(10.0);
        assert_eq!(motor.limit_at((0.0, 0.0), 0, H), 1);
        assert_eq!(motor.pull((0.0, 0.0), 1, H), Pull { force: 10.0, inertia: 0.0 });
        assert_eq!(motor.limit_at((1.0, 0.0), 1, H), 0);
        assert_eq!(motor.limit_at((2.0, 0.0), 0, H), -1);
    }
}
