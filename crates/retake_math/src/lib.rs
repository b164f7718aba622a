//! Poses, twists, inertia and simulated time.
//!
//! Pure values: no I/O, no clock, no engine types. SI units and radians throughout.

mod inertial;
mod pose;
mod solid;
mod time;
mod twist;
mod unit;

pub use glam::{DMat3 as Mat3, DQuat as Quat, DVec3 as Vec3};
pub use inertial::Inertial;
pub use pose::{Pose, quat_from_rpy, rpy_from_quat};
pub use solid::{mesh_is_closed, mesh_mass_properties};
pub use time::{ParseTimeError, SimTime};
pub use twist::Twist;
pub use unit::{unit_pose, unit_quat, unit_vec};
