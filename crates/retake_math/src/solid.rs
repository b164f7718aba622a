//! Mass properties of solids given by their surface.

use crate::{Inertial, Pose, Vec3};

/// Returns the mass properties of what a closed surface encloses, with a density of one.
///
/// Triangles are indices of corners and turn the same way round, either way. Every triangle makes
/// a tetrahedron with a point inside, and the integrals over those add up; what lies outside of
/// the solid cancels out. The inertia matrix has the axes of the corners' frame.
///
/// Returns nothing when no volume is enclosed, an index is out of range or a number not finite.
pub fn mesh_mass_properties(positions: &[Vec3], indices: &[[u32; 3]]) -> Option<Inertial> {
    let corner = |index: u32| positions.get(index as usize).copied();
    // Near the middle the tetrahedra are small, and so is the rounding.
    let middle = positions.iter().sum::<Vec3>() / positions.len().max(1) as f64;
    let (mut volume, mut first) = (0.0, Vec3::ZERO);
    let (mut squares, mut mixed) = (Vec3::ZERO, Vec3::ZERO);
    for &[a, b, c] in indices {
        let (a, b, c) = (corner(a)? - middle, corner(b)? - middle, corner(c)? - middle);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        squares += (a * a + b * b + c * c + sum * sum) * (part / 20.0);
        let pairs = |v: Vec3| Vec3::new(v.x * v.y, v.x * v.z, v.y * v.z);
        mixed += (pairs(a) + pairs(b) + pairs(c) + pairs(sum)) * (part / 20.0);
    }
    // Triangles that turn the other way round enclose the negative of the same.
    let sign = volume.signum();
    let (volume, first, squares, mixed) =
        (volume * sign, first * sign, squares * sign, mixed * sign);
    if !(volume.is_finite() && volume > 0.0) {
        return None;
    }
    let com = first / volume;
    let squares = squares - com * com * volume;
    let mixed = mixed - Vec3::new(com.x * com.y, com.x * com.z, com.y * com.z) * volume;
    let moments = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y);
    let solid = Inertial {
        mass_kg: volume,
        link_from_com: Pose::from_position(middle + com),
        moments,
        products: -mixed,
    };
    solid.is_physical().then_some(solid)
}

/// Says whether every edge of a surface belongs to two triangles that turn the same way round.
///
/// Corners at the same place count as one.
pub fn mesh_is_closed(positions: &[Vec3], indices: &[[u32; 3]]) -> bool {
    let place = |index: u32| positions.get(index as usize).map(|p| p.to_array().map(bits));
    let mut edges = Vec::with_capacity(indices.len() * 3);
    for &[a, b, c] in indices {
        let (Some(a), Some(b), Some(c)) = (place(a), place(b), place(c)) else { return false };
        // A triangle without an area is a seam, not a surface.
        if a != b && b != c && c != a {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    let mut turned: Vec<_> = edges.iter().map(|&(from, to)| (to, from)).collect();
    edges.sort_unstable();
    turned.sort_unstable();
    !edges.is_empty() && edges == turned
}

/// Bits by which equal numbers are equal: zero has two signs.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quat;

    const BOX: [[u32; 3]; 12] = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];

    fn box_corners(size: Vec3, at: Pose) -> Vec<Vec3> {
        let corner = |i: u32| {
            let unit = Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
            at.transform_point((unit - 0.5) * size)
        };
        (0..8).map(corner).collect()
    }

    #[test]
    fn a_box_weighs_what_the_book_says_wherever_it_is() {
        let (size, at) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(100.0, -20.0, 5.0));
        let corners = box_corners(size, Pose::from_position(at));
        let turned: Vec<[u32; 3]> = BOX.iter().map(|&[a, b, c]| [a, c, b]).collect();
        for indices in [&BOX[..], &turned] {
            let solid = mesh_mass_properties(&corners, indices).unwrap();
            assert!((solid.mass_kg - 6.0).abs() < 1e-12, "{solid:?}");
            assert!(solid.link_from_com.position.distance(at) < 1e-12);
            // m / 12 times the sum of the squares of the two other edges.
            let expected = Vec3::new(13.0, 10.0, 5.0) * 0.5;
            assert!(solid.moments.distance(expected) < 1e-10, "{solid:?}");
            assert!(solid.products.length() < 1e-10);
        }
    }

    #[test]
    fn a_turned_box_has_the_turned_matrix() {
        let rotation = Quat::from_rotation_z(0.7) * Quat::from_rotation_x(-0.4);
        let size = Vec3::new(1.0, 2.0, 3.0);
        let straight = mesh_mass_properties(&box_corners(size, Pose::IDENTITY), &BOX).unwrap();
        let at = Pose::new(Vec3::new(0.3, -1.0, 2.0), rotation);
        let turned = mesh_mass_properties(&box_corners(size, at), &BOX).unwrap();
        let axes = crate::Mat3::from_quat(rotation);
        let expected = axes * straight.matrix() * axes.transpose();
        let apart = turned.matrix() - expected;
        let worst = apart.to_cols_array().into_iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(worst < 1e-12, "{worst}");
    }

    #[test]
    fn what_encloses_nothing_has_no_mass() {
        let corners = box_corners(Vec3::ONE, Pose::IDENTITY);
        // The bottom of the box alone.
        assert_eq!(mesh_mass_properties(&corners[..4], &BOX[..2]), None);
        assert_eq!(mesh_mass_properties(&corners, &[[0, 1, 8]]), None);
        assert_eq!(mesh_mass_properties(&[], &[]), None);
        let mut broken = corners;
        broken[3].x = f64::NAN;
        assert_eq!(mesh_mass_properties(&broken, &BOX), None);
    }

    #[test]
    fn closed_means_every_edge_twice_however_corners_are_shared() {
        let corners = box_corners(Vec3::ONE, Pose::IDENTITY);
        assert!(mesh_is_closed(&corners, &BOX));
        assert!(!mesh_is_closed(&corners, &BOX[1..]));
        let loose: Vec<Vec3> = BOX.iter().flatten().map(|&i| corners[i as usize]).collect();
        let own: Vec<[u32; 3]> = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        assert!(mesh_is_closed(&loose, &own));
        let mut flipped = BOX;
        flipped[0].swap(0, 1);
        assert!(!mesh_is_closed(&corners, &flipped));
    }
}
