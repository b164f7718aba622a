//! Mass properties of links that become one.

use retake_math::{Mat3, Pose, Quat, Vec3, quat_from_rpy};

use super::value::urdf_rpy;

/// What a link weighs; the matrix is about the centre of mass, in the frame of `origin`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mass {
    pub(super) kg: f64,
    /// Pose of the centre of mass in the link.
    pub(super) origin: Pose,
    pub(super) inertia: Mat3,
    /// Where the file says it, in bytes.
    pub(super) offset: usize,
}

/// Mass properties about the origin of a frame.
struct AboutOrigin {
    kg: f64,
    center: Vec3,
    inertia: Mat3,
}

impl Mass {
    /// Lightest link that counts as having mass, in kilograms.
    const LIGHTEST_KG: f64 = 1e-6;

    /// Makes the mass of a link that has none.
    pub(super) fn none(offset: usize) -> Self {
        Self { kg: 0.0, origin: Pose::IDENTITY, inertia: Mat3::ZERO, offset }
    }

    /// Says whether there is enough of it to be simulated.
    pub(super) fn is_enough(&self) -> bool {
        self.kg.abs() > Self::LIGHTEST_KG
    }

    /// Adds the mass of a link that is fixed at `self_from_other`.
    pub(super) fn add(&mut self, other: &Mass, self_from_other: Pose) {
        let own = self.about_origin();
        let added = other.about_origin().seen_from(self_from_other);
        let kg = own.kg + added.kg;
        // Two links without mass have no centre of it.
        let center = match kg == 0.0 {
            true => own.center,
            false => (own.center * own.kg + added.center * added.kg) / kg,
        };
        let about_center = own.inertia + added.inertia - shifted(kg, center);
        let turned = turn(self.origin.rotation);
        self.kg = kg;
        self.origin.position = center;
        self.inertia = turned.transpose() * about_center * turned;
    }

    fn about_origin(&self) -> AboutOrigin {
        let turned = turn(self.origin.rotation);
        let center = self.origin.position;
        let inertia = turned * self.inertia * turned.transpose() + shifted(self.kg, center);
        AboutOrigin { kg: self.kg, center, inertia }
    }
}

impl AboutOrigin {
    fn seen_from(&self, outer_from_inner: Pose) -> Self {
        let turned = turn(outer_from_inner.rotation);
        let before = turned * self.center;
        let center = before + outer_from_inner.position;
        let moved = shifted(self.kg, center) - shifted(self.kg, before);
        let inertia = turned * self.inertia * turned.transpose() + moved;
        Self { kg: self.kg, center, inertia }
    }
}

/// The matrix of a rotation as URDF's library sees it.
fn turn(rotation: Quat) -> Mat3 {
    Mat3::from_quat(quat_from_rpy(urdf_rpy(rotation)))
}

/// What a point mass adds to the inertia about the origin.
fn shifted(kg: f64, center: Vec3) -> Mat3 {
    let outer = Mat3::from_cols(center * center.x, center * center.y, center * center.z);
    (Mat3::from_diagonal(Vec3::splat(center.length_squared())) - outer) * kg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mass(kg: f64, origin: Pose, moments: Vec3) -> Mass {
        Mass { kg, origin, inertia: Mat3::from_diagonal(moments), offset: 0 }
    }

    #[test]
    fn two_points_balance_between_them() {
        let mut left = mass(1.0, Pose::from_position(-Vec3::X), Vec3::ZERO);
        let right = mass(3.0, Pose::IDENTITY, Vec3::ZERO);
        left.add(&right, Pose::from_position(Vec3::X));
        assert_eq!((left.kg, left.origin.position), (4.0, Vec3::X * 0.5));
        // Reduced mass 3/4 kg at a distance of 2 m.
        let expected = Mat3::from_diagonal(Vec3::new(0.0, 3.0, 3.0));
        assert!(left.inertia.abs_diff_eq(expected, 1e-12), "{}", left.inertia);
    }

    #[test]
    fn a_turned_half_completes_its_other_half() {
        let turned = Pose::from_xyz_rpy(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.4, -0.5, 0.6));
        let mut whole = mass(2.0, turned, Vec3::new(0.1, 0.2, 0.25));
        whole.add(&mass(2.0, Pose::IDENTITY, Vec3::new(0.1, 0.2, 0.25)), turned);
        let expected = Mat3::from_diagonal(Vec3::new(0.2, 0.4, 0.5));
        assert!(whole.inertia.abs_diff_eq(expected, 1e-12), "{}", whole.inertia);
        assert!(whole.origin.position.abs_diff_eq(turned.position, 1e-15));
    }

    #[test]
    fn nothing_and_nothing_is_finite() {
        let mut none = Mass::none(0);
        none.add(&Mass::none(0), Pose::from_position(Vec3::X));
        assert!(none.inertia.is_finite() && none.origin.is_finite() && !none.is_enough());
    }
}
