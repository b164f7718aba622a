//! Where the wheels say that the vehicle is.

use retake_math::{SimTime, Twist, Vec3};
use retake_msgs::Odometry;
use serde::{Deserialize, Serialize};

use super::config::Config;
use super::planar;

/// Integrates the turning of the wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Odometer {
    /// Position since the start, in metres.
    pub x: f64,
    /// Position since the start, in metres.
    pub y: f64,
    /// Heading since the start, in radians.
    pub heading: f64,
    /// Forward velocity in m/s.
    pub linear: f64,
    /// Turning velocity in rad/s.
    pub angular: f64,
    /// Angles of the left and right wheels when they were last read, in radians.
    wheels: (f64, f64),
}

impl Odometer {
    /// Starts at the origin with the wheels at these angles.
    pub(super) fn at(left: f64, right: f64) -> Self {
        Self { x: 0.0, y: 0.0, heading: 0.0, linear: 0.0, angular: 0.0, wheels: (left, right) }
    }

    /// Takes new wheel angles into account.
    pub(super) fn roll(&mut self, wheels: (f64, f64), config: &Config, dt_secs: f64) {
        let left = (wheels.0 - self.wheels.0) * config.wheel_radius;
        let right = (wheels.1 - self.wheels.1) * config.wheel_radius;
        let forward = (left + right) / 2.0;
        let turn = (right - left) / config.wheel_separation;
        let middle = self.heading + turn / 2.0;
        self.x += forward * middle.cos();
        self.y += forward * middle.sin();
        self.heading += turn;
        (self.linear, self.angular) = (forward / dt_secs, turn / dt_secs);
        self.wheels = wheels;
    }

    pub(super) fn message(&self, now: SimTime, config: &Config) -> Odometry {
        let twist = Twist {
            linear: Vec3::new(self.linear, 0.0, 0.0),
            angular: Vec3::new(0.0, 0.0, self.angular),
        };
        Odometry {
            stamp: Some(now.into()),
            frame_id: config.frame_id.clone(),
            child_frame_id: config.child_frame_id.clone(),
            pose: Some(planar(self.x, self.y, self.heading).into()),
            twist: Some(twist.into()),
        }
    }
}
