//! Rigid transforms.

use std::ops::Mul;

use serde::{Deserialize, Serialize};

use crate::{Quat, Vec3};

/// A rigid transform: `a_from_b` maps coordinates of `b` to coordinates of `a`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Translation in metres.
    pub position: Vec3,
    /// Unit quaternion, stored x, y, z, w.
    pub rotation: Quat,
}

// What is done for every body in every step is inlined: crates are compiled apart.
impl Pose {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// Makes a pose from a translation in metres and a unit quaternion.
    pub const fn new(position: Vec3, rotation: Quat) -> Self {
        Self { position, rotation }
    }

    /// Makes a pure translation, in metres.
    pub const fn from_position(position: Vec3) -> Self {
        Self { position, rotation: Quat::IDENTITY }
    }

    /// Makes a pose from a position in metres and roll, pitch, yaw in radians, as SDF writes it.
    pub fn from_xyz_rpy(position: Vec3, rpy_rad: Vec3) -> Self {
        Self { position, rotation: quat_from_rpy(rpy_rad) }
    }

    /// Returns roll, pitch and yaw in radians.
    pub fn rpy_rad(&self) -> Vec3 {
        rpy_from_quat(self.rotation)
    }

    /// Returns the opposite transform: `b_from_a` of an `a_from_b`.
    #[inline]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { position: -(rotation * self.position), rotation }
    }

    /// Maps a point of the inner frame to the outer one.
    #[inline]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.position
    }

    /// Turns a direction of the inner frame into the outer one.
    #[inline]
    pub fn transform_vector(&self, vector: Vec3) -> Vec3 {
        self.rotation * vector
    }

    /// Says whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }

    /// Returns the same pose with its quaternion scaled to length one.
    ///
    /// A quaternion of length zero becomes the identity rotation.
    pub fn normalized(&self) -> Self {
        let length = self.rotation.length();
        let rotation = if length > 0.0 { self.rotation / length } else { Quat::IDENTITY };
        Self { position: self.position, rotation }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Pose {
    type Output = Self;

    #[inline]
    fn mul(self, inner: Self) -> Self {
        Self {
            position: self.transform_point(inner.position),
            rotation: self.rotation * inner.rotation,
        }
    }
}

/// Makes the rotation of SDF's roll, pitch, yaw: about fixed x, then fixed y, then fixed z.
pub fn quat_from_rpy(rpy_rad: Vec3) -> Quat {
    let (sin_r, cos_r) = (rpy_rad.x * 0.5).sin_cos();
    let (sin_p, cos_p) = (rpy_rad.y * 0.5).sin_cos();
    let (sin_y, cos_y) = (rpy_rad.z * 0.5).sin_cos();
    Quat::from_xyzw(
        sin_r * cos_p * cos_y - cos_r * sin_p * sin_y,
        cos_r * sin_p * cos_y + sin_r * cos_p * sin_y,
        cos_r * cos_p * sin_y - sin_r * sin_p * cos_y,
        cos_r * cos_p * cos_y + sin_r * sin_p * sin_y,
    )
}

/// Returns roll, pitch and yaw of a unit quaternion, in radians.
pub fn rpy_from_quat(q: Quat) -> Vec3 {
    let roll = (2.0 * (q.w * q.x + q.y * q.z)).atan2(1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    let pitch = (2.0 * (q.w * q.y - q.z * q.x)).clamp(-1.0, 1.0).asin();
    let yaw = (2.0 * (q.w * q.z + q.x * q.y)).atan2(1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    Vec3::new(roll, pitch, yaw)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_pose() -> impl Strategy<Value = Pose> {
        (prop::array::uniform3(-10.0..10.0f64), -3.0..3.0f64, -1.5..1.5f64, -3.0..3.0f64).prop_map(
            |(p, roll, pitch, yaw)| {
                Pose::from_xyz_rpy(Vec3::from_array(p), Vec3::new(roll, pitch, yaw))
            },
        )
    }

    proptest! {
        #[test]
        fn inverse_undoes(a_from_b in any_pose()) {
            let same = a_from_b * a_from_b.inverse();
            prop_assert!(same.position.length() < 1e-12);
            prop_assert!(same.rotation.angle_between(Quat::IDENTITY) < 1e-7);
        }

        #[test]
        fn rpy_round_trips(pose in any_pose()) {
            let back = quat_from_rpy(pose.rpy_rad());
            // acos near one loses half of the digits, hence the wide tolerance.
            prop_assert!(back.angle_between(pose.rotation) < 1e-7);
        }
    }

    #[test]
    fn rpy_turns_about_fixed_axes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let turned = quat_from_rpy(Vec3::new(quarter, 0.0, quarter)) * Vec3::Y;
        // Roll takes y to z, and yaw leaves z alone.
        assert!(turned.distance(Vec3::Z) < 1e-12, "{turned}");
    }
}
