//! Every shape carries a ball at the height that geometry says.

use std::io::Cursor;

use retake_assets::{Heightmap, load_heightmap};
use retake_description::{ConvexParts, Geometry, MeshUse, Polyline};
use retake_math::{Pose, Vec3};
use retake_physics::{BodySpec, Engine, MeshData, PreparedShape, ShapeSource};

use crate::world::{World, assert_near};

const BALL: f64 = 0.1;

/// Puts a shape into an empty world, drops a ball on it at `x`, `y` and returns where it rests.
fn resting_on(mut world: World, shape: BodySpec, [x, y]: [f64; 2], from: f64) -> Vec3 {
    world.add_static(vec![shape]);
    let at = Pose::from_position(Vec3::new(x, y, from + BALL + 0.02));
    let ball = world.link(Geometry::Sphere { radius: BALL }, at);
    let link = ball.link;
    world.add(vec![ball], vec![]);
    world.run_secs(0.5);
    world.position(link)
}

fn on_plain(geometry: Geometry, height: f64) -> Vec3 {
    let mut world = World::new();
    let shape = world.link(geometry, Pose::IDENTITY);
    resting_on(world, shape, [0.0, 0.0], height)
}

fn on_prepared(shape: &ShapeSource<'_>, at: [f64; 2], from: f64) -> Vec3 {
    let mut world = World::new();
    let prepared = world.engine.shape_maker()(shape).unwrap();
    let mut body = world.link(mesh_geometry(), Pose::IDENTITY);
    body.colliders[0].prepared = Some(prepared);
    resting_on(world, body, at, from)
}

fn mesh_geometry() -> Geometry {
    Geometry::Mesh {
        uri: String::new(),
        path: std::path::PathBuf::new(),
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::Triangles,
    }
}

#[test]
fn a_ball_rests_on_top_of_every_plain_shape() {
    let outline = vec![[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]];
    for (geometry, top) in [
        (Geometry::Box { size: Vec3::new(1.0, 1.0, 0.6) }, 0.3),
        (Geometry::Sphere { radius: 0.4 }, 0.4),
        (Geometry::Cylinder { radius: 0.3, length: 0.8 }, 0.4),
        (Geometry::Capsule { radius: 0.3, length: 0.8 }, 0.7),
        (Geometry::Cone { radius: 0.3, length: 0.8 }, 0.4),
        (Geometry::Ellipsoid { radii: Vec3::new(0.5, 0.4, 0.3) }, 0.3),
        (Geometry::Ellipsoid { radii: Vec3::splat(0.25) }, 0.25),
        (Geometry::Plane { normal: Vec3::Z, size: [1.0, 1.0] }, 0.0),
        (Geometry::Polyline(Polyline { outlines: vec![outline], height: 0.5 }), 0.5),
    ] {
        let rest = on_plain(geometry.clone(), top);
        assert!(
            (rest.z - top - BALL).abs() < 1e-3 && rest.truncate().length() < 1e-3,
            "on a {}: {rest}",
            geometry.kind()
        );
    }
}

#[test]
fn a_standing_ellipsoid_carries_on_each_axis() {
    for (turned, top) in [(Vec3::X, 0.5), (Vec3::Y, 0.4), (Vec3::Z, 0.3)] {
        let mut world = World::new();
        let up = retake_math::Quat::from_rotation_arc(turned, Vec3::Z);
        let radii = Vec3::new(0.5, 0.4, 0.3);
        let shape = world.link(Geometry::Ellipsoid { radii }, Pose::new(Vec3::ZERO, up));
        let rest = resting_on(world, shape, [0.0, 0.0], top);
        assert_near(rest.z, top + BALL, 1e-3);
    }
}

/// A ring in the plane: a square of 2 m with a hole of 1 m.
fn ring() -> Polyline {
    let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
    Polyline { outlines: vec![square(1.0), square(0.5)], height: 0.4 }
}

#[test]
fn outlines_have_holes() {
    let on_ring = |x: f64| {
        let mut world = World::with_ground();
        let shape = world.link(Geometry::Polyline(ring()), Pose::IDENTITY);
        resting_on(world, shape, [x, 0.0], 0.4)
    };
    assert_near(on_ring(0.75).z, 0.4 + BALL, 1e-3);
    assert_near(on_ring(0.0).z, BALL, 1e-3);
}

#[test]
fn an_outline_that_crosses_itself_is_a_hull_and_says_so() {
    let outlines = vec![vec![[-1.0, -1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]]];
    let bow = Geometry::Polyline(Polyline { outlines, height: 0.3 });
    let made = World::new().engine.shape_maker()(&ShapeSource::Plain(&bow)).unwrap();
    let said = "the outline crosses itself or another one; its convex hull collides";
    assert_eq!(made.remarks(), [said]);
}

/// A terrain of 3 by 2 points; the brightest is the second of the lower row.
fn terrain() -> Heightmap {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0, 50, 100, 150, 200, 0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("terrain.png");
    std::fs::write(&path, bytes.into_inner()).unwrap();
    load_heightmap(&path).unwrap()
}

/// Height of the terrain's surface at a point, by lowering a ball on a rail.
fn height_at([x, y]: [f64; 2], position: Vec3, from: f64) -> f64 {
    let mut world = World::new();
    let size = Vec3::new(4.0, 2.0, 0.8);
    let heights = terrain();
    let source = ShapeSource::Terrain { heights: &heights, size, position };
    let prepared = world.engine.shape_maker()(&source).unwrap();
    let mut ground = world.link(mesh_geometry(), Pose::IDENTITY);
    ground.colliders[0].prepared = Some(prepared);
    world.add_static(vec![ground]);
    let radius = 0.02;
    let at = Pose::from_position(Vec3::new(x, y, from + 0.1));
    let post = world.link(Geometry::Sphere { radius }, at);
    let rail = world.axis_joint(
        retake_description::JointKind::Prismatic,
        (None, &post),
        Vec3::ZERO,
        Vec3::Z,
    );
    let link = post.link;
    world.add(vec![post], vec![rail]);
    world.run_secs(1.0);
    world.position(link).z - radius
}

#[test]
fn terrain_lies_with_the_top_of_the_image_at_the_greatest_y() {
    // Brightness over the brightest, times 0.8 m; a little in from the edge.
    let tolerance = 0.03;
    for (x, y, expected) in [
        (-1.96, 0.96, 0.0),
        (0.0, 0.96, 0.2),
        (1.96, 0.96, 0.4),
        (-1.96, -0.96, 0.6),
        (0.0, -0.96, 0.8),
        (1.96, -0.96, 0.0),
        // On the diagonal from the lower left to the upper right of the first cell.
        (-1.0, 0.0, 0.4),
    ] {
        let found = height_at([x, y], Vec3::ZERO, expected);
        assert!((found - expected).abs() < tolerance, "at {x} {y}: {found}, not {expected}");
    }
    let lifted = height_at([1.0, 0.2 - 0.96], Vec3::new(1.0, 0.2, 3.0), 3.8);
    assert_near(lifted, 0.8 + 3.0, tolerance);
}

/// An open bowl: a ring of eight corners one metre above a ring of eight at the bottom.
fn bowl() -> MeshData {
    let ring = |radius: f64, z: f64| {
        (0..8).map(move |i| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 8.0).sin_cos();
            Vec3::new(radius * cos, radius * sin, z)
        })
    };
    let mut positions: Vec<Vec3> = ring(1.0, 1.0).chain(ring(0.4, 0.0)).collect();
    positions.push(Vec3::ZERO);
    let mut indices = Vec::new();
    for i in 0..8 {
        let next = (i + 1) % 8;
        indices.extend([[i, i + 8, next], [next, i + 8, next + 8], [i + 8, 16, next + 8]]);
    }
    MeshData { positions, indices }
}

#[test]
fn a_ball_falls_into_a_bowl_of_triangles_and_lies_on_its_hull() {
    let bowl = bowl();
    let triangles = ShapeSource::Mesh { mesh: &bowl, collide_as: MeshUse::Triangles };
    assert_near(on_prepared(&triangles, [0.05, 0.02], 1.0).z, BALL, 2e-3);
    let hull = ShapeSource::Mesh { mesh: &bowl, collide_as: MeshUse::ConvexHull };
    assert_near(on_prepared(&hull, [0.05, 0.02], 1.0).z, 1.0 + BALL, 2e-3);
}

#[test]
fn convex_parts_leave_a_hole_open_and_keep_to_their_number() {
    let area = retake_assets::cut_outlines(&ring().outlines).unwrap();
    let (corners, indices) = area.extruded(0.4);
    let mesh = MeshData { positions: corners.into_iter().map(Vec3::from_array).collect(), indices };
    let parts = |most_parts, voxels| MeshUse::ConvexParts(ConvexParts { most_parts, voxels });
    let rest = |collide_as, x: f64| {
        let mut world = World::with_ground();
        let mut body = world.link(mesh_geometry(), Pose::IDENTITY);
        body.colliders[0].prepared = Some(world.prepared(&mesh, collide_as));
        resting_on(world, body, [x, 0.0], 0.4).z
    };
    assert_near(rest(parts(16, 200_000), 0.0), BALL, 2e-3);
    assert_near(rest(parts(16, 200_000), 0.75), 0.4 + BALL, 0.02);
    // One part is the hull: the hole is closed.
    assert_near(rest(parts(1, 200_000), 0.0), 0.4 + BALL, 0.02);
    let made = World::new().prepared(&mesh, parts(1000, 4000));
    assert_eq!(made.remarks(), ["1000 convex parts are asked for; at most 64 are made"]);
}

#[test]
fn a_hull_of_too_many_corners_keeps_the_outermost() {
    // Points on a sphere, of which all are corners of the hull.
    let count = 3000;
    let golden = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    let point = |i: u32| {
        let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
        let (sin, cos) = (golden * f64::from(i)).sin_cos();
        Vec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
    };
    let positions: Vec<Vec3> = (0..count).map(point).collect();
    let indices = (0..count - 2).map(|i| [i, i + 1, i + 2]).collect();
    let ball = MeshData { positions, indices };
    let made = World::new().prepared(&ball, MeshUse::ConvexHull);
    let said = made.remarks().join(" ");
    assert!(said.starts_with("the convex hull has 3000 corners; the "), "{said}");
    let hull = ShapeSource::Mesh { mesh: &ball, collide_as: MeshUse::ConvexHull };
    assert_near(on_prepared(&hull, [0.0, 0.0], 1.0).z, 1.0 + BALL, 0.01);
}

#[test]
fn what_cannot_be_a_shape_never_reaches_the_engine() {
    let refused = |mesh: &MeshData, collide_as| -> String {
        let source = ShapeSource::Mesh { mesh, collide_as };
        World::new().engine.shape_maker()(&source).unwrap_err()
    };
    let flat = MeshData {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y],
        indices: vec![[0, 1, 2], [1, 3, 2]],
    };
    let mut nan = flat.clone();
    nan.positions[1].y = f64::NAN;
    let mut far = flat.clone();
    far.positions[1].y = 1e300;
    let mut wild = flat.clone();
    wild.indices[0][1] = u32::MAX;
    let parts = MeshUse::ConvexParts(ConvexParts::default());
    for collide_as in [MeshUse::Triangles, MeshUse::ConvexHull, parts] {
        assert!(refused(&nan, collide_as).contains("is outside of -1e6 to 1e6 m"));
        assert!(refused(&far, collide_as).contains("is outside of -1e6 to 1e6 m"));
        assert_eq!(refused(&wild, collide_as), "a triangle names a corner that is not there");
        assert_eq!(refused(&MeshData::default(), collide_as), "the mesh has no triangles");
    }
    let said = "its points are all in one plane or on one line";
    assert_eq!(refused(&flat, MeshUse::ConvexHull), said);
    assert!(!refused(&flat, parts).is_empty());
    let heights = terrain();
    let size = Vec3::new(f64::NAN, 1.0, 1.0);
    let source = ShapeSource::Terrain { heights: &heights, size, position: Vec3::ZERO };
    let said = World::new().engine.shape_maker()(&source).unwrap_err();
    assert_eq!(said, "size.x is NaN; it must be 1e-6 to 1e6 m");
}

#[test]
fn a_shape_is_the_same_whenever_it_is_made() {
    let area = retake_assets::cut_outlines(&ring().outlines).unwrap();
    let (corners, indices) = area.extruded(0.4);
    let mesh = MeshData { positions: corners.into_iter().map(Vec3::from_array).collect(), indices };
    let parts = MeshUse::ConvexParts(ConvexParts::default());
    let hash = || {
        let mut world = World::with_ground();
        let mut body = world.link(mesh_geometry(), Pose::IDENTITY);
        let prepared: PreparedShape = world.prepared(&mesh, parts);
        body.colliders[0].prepared = Some(prepared);
        world.add(vec![body], vec![]);
        world.hash()
    };
    assert_eq!(hash(), hash());
}
