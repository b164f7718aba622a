//! How much of a solid is below a level surface.
//!
//! A ball has a formula. Everything else is a closed mesh of triangles whose size is set so that
//! its whole volume is exact; what is below the surface is summed over its triangles.

use std::f64::consts::{PI, TAU};

use retake_description::Geometry;
use retake_math::{Pose, Vec3};

use super::displaced::Displaced;

/// A solid around its own origin.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    Ball { radius: f64 },
    Faces { triangles: Vec<[Vec3; 3]>, volume: Displaced },
}

/// Sides of what is round.
const SIDES: usize = 24;

impl Solid {
    /// Makes the solid of a shape; none of those that are no solids or not known as such.
    pub(super) fn of(geometry: &Geometry) -> Option<Self> {
        match geometry {
            Geometry::Sphere { radius } => Some(Self::Ball { radius: *radius }),
            Geometry::Box { size } => {
                let half = *size / 2.0;
                let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
                let ring = |z: f64| corners.map(|(x, y)| Vec3::new(x * half.x, y * half.y, z));
                Self::turned(&[ring(-half.z).to_vec(), ring(half.z).to_vec()], None)
            }
            Geometry::Cylinder { radius, length } => {
                let half = length / 2.0;
                Self::turned(
                    &[ring(*radius, -half), ring(*radius, half)],
                    Some(PI * radius * radius * length),
                )
            }
            Geometry::Cone { radius, length } => {
                let half = length / 2.0;
                Self::turned(
                    &[ring(*radius, -half), ring(0.0, half)],
                    Some(PI * radius * radius * length / 3.0),
                )
            }
            Geometry::Capsule { radius, length } => {
                let volume = PI * radius * radius * (length + 4.0 / 3.0 * radius);
                let rings = arcs().map(|angle| {
                    let shift = if angle < 0.0 { -length / 2.0 } else { length / 2.0 };
                    ring(radius * angle.cos(), radius * angle.sin() + shift)
                });
                Self::turned(&rings.collect::<Vec<_>>(), Some(volume))
            }
            Geometry::Ellipsoid { radii } => {
                let volume = 4.0 / 3.0 * PI * radii.x * radii.y * radii.z;
                let scaled = |angle: f64| -> Vec<Vec3> {
                    let ring = ring(angle.cos(), angle.sin());
                    ring.into_iter().map(|point| point * *radii).collect()
                };
                Self::turned(&arcs().map(scaled).collect::<Vec<_>>(), Some(volume))
            }
            _ => None,
        }
    }

    /// Closes rings of as many points each, from the lowest up, and gives it a volume if one is told.
    fn turned(rings: &[Vec<Vec3>], volume: Option<f64>) -> Option<Self> {
        let mut triangles = Vec::new();
        for pair in rings.windows(2) {
            let (low, high) = (&pair[0], &pair[1]);
            for at in 0..low.len() {
                let next = (at + 1) % low.len();
                triangles.push([low[at], low[next], high[next]]);
                triangles.push([low[at], high[next], high[at]]);
            }
        }
        let (bottom, top) = (rings.first()?, rings.last()?);
        for at in 1..bottom.len() - 1 {
            triangles.push([bottom[0], bottom[at + 1], bottom[at]]);
            triangles.push([top[0], top[at], top[at + 1]]);
        }
        if let Some(volume) = volume {
            let factor = (volume / whole(&triangles).amount).cbrt();
            triangles.iter_mut().flatten().for_each(|point| *point *= factor);
        }
        let volume = whole(&triangles);
        (volume.amount > 0.0).then_some(Self::Faces { triangles, volume })
    }

    /// Returns the part of it that is below a height, with its centre, in the world.
    pub(super) fn below(&self, world_from_solid: &Pose, height: f64) -> Displaced {
        match self {
            Self::Ball { radius } => ball_below(*radius, world_from_solid.position, height),
            Self::Faces { triangles, volume } => match height.is_finite() {
                true => below(triangles, world_from_solid, height),
                false => {
                    let centre = volume.centre().unwrap_or_default();
                    Displaced::at(volume.amount, world_from_solid.transform_point(centre))
                }
            },
        }
    }
}

/// Sums all that triangles enclose.
fn whole(triangles: &[[Vec3; 3]]) -> Displaced {
    let highest = triangles.iter().flatten().map(|point| point.z).fold(0.0, f64::max);
    below(triangles, &Pose::IDENTITY, highest + 1.0)
}

/// Points around the z axis.
fn ring(radius: f64, z: f64) -> Vec<Vec3> {
    let angle = |at: usize| TAU * at as f64 / SIDES as f64;
    (0..SIDES).map(|at| Vec3::new(radius * angle(at).cos(), radius * angle(at).sin(), z)).collect()
}

/// Angles from the lowest to the highest ring of a ball.
fn arcs() -> impl Iterator<Item = f64> {
    // The equator is there twice, so that a capsule can be drawn apart at it.
    let half = SIDES / 4;
    let angle = move |at: usize| PI / 2.0 * at as f64 / half as f64;
    (0..=half).map(move |at| -angle(half - at) - f64::MIN_POSITIVE).chain((0..=half).map(angle))
}

fn ball_below(radius: f64, centre: Vec3, height: f64) -> Displaced {
    let depth = (height - (centre.z - radius)).clamp(0.0, 2.0 * radius);
    if depth >= 2.0 * radius {
        return Displaced::at(4.0 / 3.0 * PI * radius.powi(3), centre);
    }
    let volume = PI * depth * depth * (3.0 * radius - depth) / 3.0;
    let up = -3.0 * (2.0 * radius - depth).powi(2) / (4.0 * (3.0 * radius - depth));
    Displaced::at(volume, centre + Vec3::Z * up)
}

/// Sums what is between the triangles and a level surface above them; the surface itself closes it.
fn below(triangles: &[[Vec3; 3]], world_from_solid: &Pose, height: f64) -> Displaced {
    let mut sum = Displaced::default();
    for triangle in triangles {
        let corners = triangle.map(|point| world_from_solid.transform_point(point));
        let clipped = clip(&corners, height);
        for at in 1..clipped.len().saturating_sub(1) {
            sum = sum + column(&[clipped[0], clipped[at], clipped[at + 1]], height);
        }
    }
    sum
}

/// Cuts off what of a triangle is above a height.
fn clip(corners: &[Vec3; 3], height: f64) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(4);
    for (at, from) in corners.iter().enumerate() {
        let to = corners[(at + 1) % 3];
        if from.z <= height {
            kept.push(*from);
        }
        if (from.z <= height) != (to.z <= height) {
            kept.push(*from + (to - *from) * ((height - from.z) / (to.z - from.z)));
        }
    }
    kept
}

/// The column of fluid between a triangle and the surface, negative where the triangle looks up.
fn column(corners: &[Vec3; 3], height: f64) -> Displaced {
    let (a, b) = (corners[1] - corners[0], corners[2] - corners[0]);
    let area = (a.x * b.y - a.y * b.x) / 2.0;
    // The integrands are of second degree at most, for which the middles of the edges are exact.
    let middles = [0, 1, 2].map(|at| (corners[at] + corners[(at + 1) % 3]) / 2.0);
    let mut sum = Displaced::default();
    for middle in middles {
        let depth = height - middle.z;
        let share = -area / 3.0;
        sum.amount += share * depth;
        let up = (height * height - middle.z * middle.z) / 2.0;
        sum.moment += Vec3::new(middle.x * depth, middle.y * depth, up) * share;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned_pose() -> Pose {
        Pose::from_xyz_rpy(Vec3::new(0.3, -2.0, 5.0), Vec3::new(0.4, -0.9, 2.0))
    }

    #[test]
    fn whole_volumes_are_exact() {
        let shapes = [
            (Geometry::Box { size: Vec3::new(1.0, 2.0, 3.0) }, 6.0),
            (Geometry::Sphere { radius: 0.5 }, PI / 6.0),
            (Geometry::Cylinder { radius: 0.5, length: 2.0 }, PI / 2.0),
            (Geometry::Cone { radius: 1.0, length: 3.0 }, PI),
            (Geometry::Capsule { radius: 0.5, length: 1.0 }, PI / 4.0 + PI / 6.0),
            (Geometry::Ellipsoid { radii: Vec3::new(1.0, 2.0, 0.5) }, 4.0 / 3.0 * PI),
        ];
        for (geometry, volume) in shapes {
            let solid = Solid::of(&geometry).unwrap();
            for pose in [Pose::IDENTITY, turned_pose()] {
                let deep = solid.below(&pose, 100.0);
                assert!((deep.amount - volume).abs() < 1e-9, "{geometry:?} {deep:?}");
                let whole = solid.below(&pose, f64::INFINITY);
                assert!((whole.moment - deep.moment).length() < 1e-6, "{geometry:?}");
            }
        }
    }

    #[test]
    fn half_a_turned_box_is_below_its_middle() {
        let solid = Solid::of(&Geometry::Box { size: Vec3::new(1.0, 2.0, 3.0) }).unwrap();
        let half = solid.below(&turned_pose(), 5.0);
        assert!((half.amount - 3.0).abs() < 1e-9, "{half:?}");
        assert!(half.centre().unwrap().z < 5.0);
    }

    #[test]
    fn a_box_that_stands_is_below_by_its_depth() {
        let solid = Solid::of(&Geometry::Box { size: Vec3::new(1.0, 2.0, 3.0) }).unwrap();
        let pose = Pose::from_xyz_rpy(Vec3::new(4.0, 0.0, 1.0), Vec3::ZERO);
        let part = solid.below(&pose, 0.5);
        assert!((part.amount - 2.0).abs() < 1e-12, "{part:?}");
        assert!((part.centre().unwrap() - Vec3::new(4.0, 0.0, 0.0)).length() < 1e-12);
        assert_eq!(solid.below(&pose, -0.6).centre(), None);
    }

    #[test]
    fn a_ball_and_its_mesh_agree() {
        let ball = Solid::of(&Geometry::Sphere { radius: 1.0 }).unwrap();
        let mesh = Solid::of(&Geometry::Ellipsoid { radii: Vec3::ONE }).unwrap();
        for height in [-0.7, 0.0, 0.4] {
            let (a, b) = (ball.below(&Pose::IDENTITY, height), mesh.below(&Pose::IDENTITY, height));
            // The mesh has flat sides, which are off by about the square of the angle between them.
            assert!((a.amount - b.amount).abs() < 0.03, "{a:?} {b:?}");
            assert!((a.moment - b.moment).length() < 0.03, "{a:?} {b:?}");
        }
    }
}
