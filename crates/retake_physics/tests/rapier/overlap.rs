//! How deep bodies are in one another, where geometry has an answer.

use proptest::prelude::*;
use retake_description::{Geometry, Surface};
use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};
use retake_physics::{ColliderSpec, Overlaps};

fn collider(geometry: Geometry, at: Vec3) -> ColliderSpec {
    ColliderSpec {
        collision: EntityId::from_raw(1),
        link_from_collision: Pose::from_position(at),
        geometry,
        prepared: None,
        surface: Surface::default(),
    }
}

fn ball(radius: f64, at: Vec3) -> ColliderSpec {
    collider(Geometry::Sphere { radius }, at)
}

/// How deep two bodies are in each other.
fn depth(bodies: &[Vec<ColliderSpec>], poses: &[Pose]) -> f64 {
    let mut notes = Vec::new();
    let mut overlaps = Overlaps::new(bodies, vec![(0, 1)], &mut notes);
    assert_eq!(notes, []);
    let mut deepest = 0.0;
    overlaps.find(poses, &mut |pair, depth| {
        assert_eq!(pair, 0);
        deepest = depth;
    });
    deepest
}

#[test]
fn plain_shapes_are_as_deep_as_their_sizes_say() {
    let radius = 0.3;
    let shapes = [
        (Geometry::Sphere { radius }, 0.3),
        (Geometry::Box { size: Vec3::splat(0.6) }, 0.3),
        (Geometry::Cylinder { radius, length: 0.8 }, 0.3),
        (Geometry::Capsule { radius, length: 0.8 }, 0.3),
        (Geometry::Ellipsoid { radii: Vec3::new(0.3, 0.5, 0.6) }, 0.3),
    ];
    for (geometry, reach) in shapes {
        let kind = geometry.kind();
        let bodies = [vec![collider(geometry, Vec3::ZERO)], vec![ball(0.2, Vec3::ZERO)]];
        for (x, wanted) in [(reach + 0.2 - 0.05, 0.05), (reach + 0.2 + 0.01, 0.0)] {
            let found = depth(&bodies, &[Pose::IDENTITY, Pose::from_position(Vec3::X * x)]);
            assert!((found - wanted).abs() < 2e-3, "{kind} at {x}: {found}");
        }
    }
}

/// Legs that cross: the axes of two capsules meet, so that no direction out is the shortest.
#[test]
fn shapes_whose_axes_meet_are_found() {
    let shapes = [
        Geometry::Capsule { radius: 0.018, length: 0.14 },
        Geometry::Cylinder { radius: 0.018, length: 0.14 },
        Geometry::Box { size: Vec3::new(0.036, 0.036, 0.14) },
    ];
    for shape in shapes {
        let bodies = [0, 1].map(|_| vec![collider(shape.clone(), Vec3::ZERO)]);
        for step in 0..=60 {
            let angle = f64::from(step) * 0.025;
            for along in [0.0, 0.01, 0.05] {
                let lean = |side: f64| {
                    let turn = Quat::from_rotation_x(side * angle);
                    Pose::new(turn * Vec3::Z * along, turn)
                };
                let found = depth(&bodies, &[lean(1.0), lean(-1.0)]);
                let kind = shape.kind();
                assert!(found > 0.0175, "{kind} {along} m along, leaning by {angle}: {found}");
            }
        }
    }
}

#[test]
fn the_deepest_shape_of_a_body_counts() {
    let far = Vec3::Y * 2.0;
    let bodies = [
        vec![ball(0.1, Vec3::ZERO), ball(0.3, far)],
        vec![ball(0.1, Vec3::X * 0.15), ball(0.3, far + Vec3::X * 0.5)],
    ];
    let found = depth(&bodies, &[Pose::IDENTITY; 2]);
    assert!((found - 0.1).abs() < 1e-9, "{found}");
}

#[test]
fn masks_without_a_common_bit_let_shapes_pass() {
    let mut other = ball(0.2, Vec3::ZERO);
    other.surface.contact.collide_bitmask = 0x1_0000;
    assert_eq!(depth(&[vec![ball(0.2, Vec3::ZERO)], vec![other]], &[Pose::IDENTITY; 2]), 0.0);
}

#[test]
fn what_is_not_there_is_in_no_place() {
    let bodies = [vec![ball(0.2, Vec3::ZERO)], vec![ball(0.2, Vec3::ZERO)], Vec::new()];
    let pairs = vec![(0, 1), (0, 2), (1, 7)];
    let mut overlaps = Overlaps::new(&bodies, pairs, &mut Vec::new());
    assert_eq!(overlaps.pairs(), [(0, 1)]);
    let nan = Pose::from_position(Vec3::splat(f64::NAN));
    for poses in [vec![], vec![Pose::IDENTITY], vec![Pose::IDENTITY, nan, Pose::IDENTITY]] {
        overlaps.find(&poses, &mut |pair, depth| panic!("{pair} by {depth}"));
    }
    overlaps.keep_pairs(|_| false);
    overlaps.find(&[Pose::IDENTITY; 3], &mut |pair, depth| panic!("{pair} by {depth}"));
}

#[test]
fn a_shape_that_cannot_be_made_is_told() {
    let mut notes = Vec::new();
    let bodies = [vec![ball(-1.0, Vec3::ZERO)], vec![ball(0.2, Vec3::ZERO)]];
    let overlaps = Overlaps::new(&bodies, vec![(0, 1)], &mut notes);
    assert_eq!(overlaps.pairs(), []);
    assert_eq!(notes.len(), 1, "{notes:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Where both are together, and which of them comes first, is all the same.
    #[test]
    fn depth_depends_on_how_two_lie_to_each_other(
        at in prop::array::uniform3(-0.3..0.3f64),
        turn in prop::array::uniform3(-3.0..3.0f64),
        away in prop::array::uniform3(-9.0..9.0f64),
    ) {
        let capsule = vec![collider(Geometry::Capsule { radius: 0.1, length: 0.4 }, Vec3::ZERO)];
        let cuboid = vec![collider(Geometry::Box { size: Vec3::new(0.3, 0.2, 0.4) }, Vec3::ZERO)];
        let pose = Pose::new(Vec3::from_array(at), Quat::from_scaled_axis(Vec3::from_array(turn)));
        let moved = Pose::new(Vec3::from_array(away), Quat::from_scaled_axis(Vec3::from_array(away)));
        let here = depth(&[capsule.clone(), cuboid.clone()], &[Pose::IDENTITY, pose]);
        let there = depth(&[cuboid, capsule], &[moved * pose, moved]);
        // Where two directions out are nearly as short, either may be found.
        prop_assert!((here - there).abs() < 1e-3, "{here} {there}");
    }
}
