//! Mass properties.

use serde::{Deserialize, Serialize};

use crate::{Mat3, Pose, Vec3};

/// Mass, centre of mass and moments of inertia of a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inertial {
    /// Mass in kg.
    pub mass_kg: f64,
    /// Frame of the inertia matrix; its origin is the centre of mass.
    pub link_from_com: Pose,
    /// Diagonal of the inertia matrix about the centre of mass: ixx, iyy, izz in kg m².
    pub moments: Vec3,
    /// Off-diagonal of the inertia matrix: ixy, ixz, iyz in kg m².
    pub products: Vec3,
}

impl Default for Inertial {
    /// SDF's default: one kilogram, unit moments.
    fn default() -> Self {
        Self {
            mass_kg: 1.0,
            link_from_com: Pose::IDENTITY,
            moments: Vec3::ONE,
            products: Vec3::ZERO,
        }
    }
}

impl Inertial {
    /// Returns the inertia matrix about the centre of mass, in the frame of `link_from_com`.
    pub fn matrix(&self) -> Mat3 {
        let (m, p) = (self.moments, self.products);
        Mat3::from_cols(
            Vec3::new(m.x, p.x, p.y),
            Vec3::new(p.x, m.y, p.z),
            Vec3::new(p.y, p.z, m.z),
        )
    }

    /// Returns the mass properties of two rigidly joined parts given in one frame.
    pub fn combined(&self, other: &Self) -> Self {
        let mass_kg = self.mass_kg + other.mass_kg;
        if mass_kg <= 0.0 {
            return *self;
        }
        let weighted = self.link_from_com.position * self.mass_kg
            + other.link_from_com.position * other.mass_kg;
        let com = weighted / mass_kg;
        let matrix = self.matrix_about(com) + other.matrix_about(com);
        Self {
            mass_kg,
            link_from_com: Pose::from_position(com),
            moments: Vec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z),
            products: Vec3::new(matrix.y_axis.x, matrix.z_axis.x, matrix.z_axis.y),
        }
    }

    /// Returns the same mass properties seen from a frame that holds this link at `outer_from_link`.
    pub fn moved(&self, outer_from_link: Pose) -> Self {
        Self { link_from_com: outer_from_link * self.link_from_com, ..*self }
    }

    /// Returns the mass properties of the same material scaled along the link's axes.
    pub fn scaled(&self, factor: Vec3) -> Self {
        let growth = factor.element_product();
        let rotation = Mat3::from_quat(self.link_from_com.rotation);
        let inertia = rotation * self.matrix() * rotation.transpose();
        let trace = |m: &Mat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        // Squares of distances scale simply, moments of inertia are sums of two of them.
        let squares = Mat3::IDENTITY * (trace(&inertia) / 2.0) - inertia;
        let stretch = Mat3::from_diagonal(factor);
        let squares = stretch * squares * stretch * growth;
        let matrix = Mat3::IDENTITY * trace(&squares) - squares;
        Self {
            mass_kg: self.mass_kg * growth,
            link_from_com: Pose::from_position(self.link_from_com.position * factor),
            moments: Vec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z),
            products: Vec3::new(matrix.y_axis.x, matrix.z_axis.x, matrix.z_axis.y),
        }
    }

    /// Says whether the mass is positive and the moments fit a real body.
    pub fn is_physical(&self) -> bool {
        let m = self.moments;
        let finite = self.mass_kg.is_finite() && m.is_finite() && self.products.is_finite();
        finite && self.mass_kg > 0.0 && m.min_element() > 0.0
    }

    /// Says whether a body can have these moments: none is negative, and none is more than the
    /// other two together.
    pub fn is_realizable(&self) -> bool {
        let m = self.principal_moments();
        let slack = 1e-12 * m.abs().max_element();
        m.min_element() >= -slack && 2.0 * m.max_element() <= m.element_sum() + slack
    }

    /// Returns the moments about the principal axes, in no particular order.
    pub fn principal_moments(&self) -> Vec3 {
        const SWEEPS: usize = 12;
        let mut a = self.matrix();
        for _ in 0..SWEEPS {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                a = without_product(a, p, q);
            }
        }
        Vec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z)
    }

    /// Inertia matrix in link axes about the point `point` of the link.
    fn matrix_about(&self, point: Vec3) -> Mat3 {
        let rotation = Mat3::from_quat(self.link_from_com.rotation);
        let d = self.link_from_com.position - point;
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        let parallel_axis = (Mat3::IDENTITY * d.length_squared() - outer) * self.mass_kg;
        rotation * self.matrix() * rotation.transpose() + parallel_axis
    }
}

/// Turns a symmetric matrix so that its element at `p`, `q` vanishes: one step of Jacobi's method.
fn without_product(a: Mat3, p: usize, q: usize) -> Mat3 {
    let product = a.col(q)[p];
    if product == 0.0 {
        return a;
    }
    let half_cot = (a.col(q)[q] - a.col(p)[p]) / (2.0 * product);
    let tan = half_cot.signum() / (half_cot.abs() + (1.0 + half_cot * half_cot).sqrt());
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    let mut turn = Mat3::IDENTITY;
    turn.col_mut(p)[p] = cos;
    turn.col_mut(q)[q] = cos;
    turn.col_mut(p)[q] = -tan * cos;
    turn.col_mut(q)[p] = tan * cos;
    turn.transpose() * a * turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_moments_do_not_depend_on_the_frame() {
        let plate = Vec3::new(1.0, 2.0, 3.0);
        for angles in [Vec3::ZERO, Vec3::new(0.3, -1.2, 2.0), Vec3::new(1.5, 0.1, -0.7)] {
            let turn = Mat3::from_quat(crate::quat_from_rpy(angles));
            let m = turn * Mat3::from_diagonal(plate) * turn.transpose();
            let inertial = Inertial {
                moments: Vec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z),
                products: Vec3::new(m.y_axis.x, m.z_axis.x, m.z_axis.y),
                ..Inertial::default()
            };
            let mut found = inertial.principal_moments().to_array();
            found.sort_by(f64::total_cmp);
            assert!((Vec3::from_array(found) - plate).length() < 1e-14, "{found:?}");
            // A flat plate is the limit of what can be.
            assert!(inertial.is_realizable());

            let less = Inertial { moments: Vec3::new(1.0, 1.0, 2.0 + 1e-9), ..Inertial::default() };
            assert!(!less.is_realizable());
        }
    }

    #[test]
    fn two_half_rods_make_one_rod() {
        let half = |x: f64| Inertial {
            mass_kg: 1.0,
            link_from_com: Pose::from_position(Vec3::new(x, 0.0, 0.0)),
            moments: Vec3::new(1e-6, 1.0 / 12.0, 1.0 / 12.0),
            products: Vec3::ZERO,
        };
        let rod = half(-0.5).combined(&half(0.5));
        assert!((rod.mass_kg - 2.0).abs() < 1e-12);
        // A rod of 2 kg and 2 m has m l² / 12.
        assert!((rod.moments.y - 2.0 * 4.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn a_scaled_box_is_the_box_of_that_size() {
        let of_box = |mass_kg: f64, e: Vec3| {
            let squares = e * e * mass_kg / 12.0;
            let moments = Vec3::splat(squares.element_sum()) - squares;
            let link_from_com = Pose::from_position(Vec3::new(0.1, 0.2, 0.3));
            Inertial { mass_kg, link_from_com, moments, products: Vec3::ZERO }
        };
        let factor = Vec3::new(2.0, 1.0, 0.5);
        let found = of_box(3.0, Vec3::new(1.0, 2.0, 3.0)).scaled(factor);
        let expected = of_box(3.0, Vec3::new(2.0, 2.0, 1.5));
        assert!((found.moments - expected.moments).length() < 1e-12);
        assert_eq!((found.mass_kg, found.products), (3.0, Vec3::ZERO));
        assert_eq!(found.link_from_com.position, Vec3::new(0.2, 0.2, 0.15));
    }
}
