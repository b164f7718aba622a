use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;

use retake_description::{ConvexParts, MeshUse, Polyline};

use super::*;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn prepared<T: std::any::Any + Send + Sync>(bytes: usize, shape: T) -> PreparedShape {
    PreparedShape::new(bytes, Vec::new(), shape, |_| false)
}

/// Makes shapes that count how many there are.
fn counting(source: &ShapeSource<'_>) -> Result<PreparedShape, String> {
    MADE.fetch_add(1, Ordering::Relaxed);
    match source {
        ShapeSource::Mesh { mesh, .. } => Ok(prepared(100, mesh.positions.clone())),
        ShapeSource::Terrain { .. } => Ok(prepared(100, ())),
        ShapeSource::Plain(Geometry::Ellipsoid { radii }) if radii.x < 0.0 => Err("no".to_owned()),
        ShapeSource::Plain(_) => Ok(prepared(100, ())),
    }
}

static MADE: AtomicUsize = AtomicUsize::new(0);

fn mesh(path: &Path, scale: f64, collide_as: MeshUse) -> Geometry {
    Geometry::Mesh {
        uri: "t.obj".to_owned(),
        path: path.to_owned(),
        scale: Vec3::splat(scale),
        submesh: None,
        center_submesh: false,
        collide_as,
    }
}

fn ellipsoid(x: f64) -> Geometry {
    Geometry::Ellipsoid { radii: Vec3::new(x, 1.0, 1.0) }
}

fn extent_of(shape: &PreparedShape) -> Vec3 {
    shape.shape::<Vec<Vec3>>().unwrap().iter().copied().reduce(Vec3::max).unwrap()
}

/// One test, because the counter is shared: what is made how often.
#[test]
fn shapes_are_made_once_for_equal_contents_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (path, twin) = (folder.path().join("t.obj"), folder.path().join("twin.obj"));
    std::fs::write(&path, TETRAHEDRON).unwrap();
    std::fs::write(&twin, TETRAHEDRON).unwrap();
    let library = ShapeLibrary::new(counting);
    let made = || MADE.swap(0, Ordering::Relaxed);
    for scale in [1.0, 2.0, 2.0] {
        let shape = library.prepare(&mesh(&path, scale, MeshUse::Triangles)).unwrap();
        assert_eq!(extent_of(&shape), Vec3::splat(scale));
    }
    assert_eq!(made(), 2);
    // Another name for the same content is the same shape.
    library.prepare(&mesh(&twin, 2.0, MeshUse::Triangles)).unwrap();
    assert_eq!(made(), 0);
    library.prepare(&mesh(&path, 2.0, MeshUse::ConvexHull)).unwrap();
    let parts = |most_parts| MeshUse::ConvexParts(ConvexParts { most_parts, voxels: 1000 });
    library.prepare(&mesh(&path, 2.0, parts(3))).unwrap();
    library.prepare(&mesh(&path, 2.0, parts(4))).unwrap();
    library.prepare(&mesh(&path, 2.0, parts(4))).unwrap();
    assert_eq!(made(), 3);
    for x in [1.0, 2.0, 1.0] {
        library.get(&ellipsoid(x)).unwrap();
    }
    assert_eq!(made(), 2);
    // A failure is remembered like a shape.
    assert_eq!(library.get(&ellipsoid(-1.0)).unwrap_err(), "no");
    assert_eq!(library.prepare(&ellipsoid(-1.0)).unwrap_err(), "no");
    assert_eq!(made(), 1);
}

fn silent(source: &ShapeSource<'_>) -> Result<PreparedShape, String> {
    match source {
        ShapeSource::Mesh { mesh, .. } => Ok(prepared(100, mesh.positions.clone())),
        _ => Ok(prepared(200 << 20, ())),
    }
}

#[test]
fn who_loads_sees_a_changed_file_and_who_steps_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.obj");
    let library = ShapeLibrary::new(silent);
    let wanted = mesh(&path, 1.0, MeshUse::Triangles);
    assert!(library.prepare(&wanted).unwrap_err().contains("cannot read"));
    std::fs::write(&path, TETRAHEDRON).unwrap();
    // A step remembers the failure: it does not look at the disk.
    assert!(library.get(&wanted).is_err());
    assert_eq!(extent_of(&library.prepare(&wanted).unwrap()), Vec3::ONE);
    std::fs::write(&path, TETRAHEDRON.replace("v 1 0 0", "v 7.5 0 0")).unwrap();
    assert_eq!(extent_of(&library.get(&wanted).unwrap()), Vec3::ONE);
    assert_eq!(extent_of(&library.prepare(&wanted).unwrap()), Vec3::new(7.5, 1.0, 1.0));
    assert_eq!(extent_of(&library.get(&wanted).unwrap()), Vec3::new(7.5, 1.0, 1.0));
}

#[test]
fn what_was_not_found_is_said() {
    let library = ShapeLibrary::new(silent);
    let wrong = library.prepare(&mesh(Path::new(""), 1.0, MeshUse::Triangles)).unwrap_err();
    assert_eq!(wrong, "\"t.obj\" was not found, so the shape does not collide");
    let position = Vec3::ZERO;
    let terrain = Geometry::Heightmap {
        uri: "hill.tif".to_owned(),
        path: PathBuf::new(),
        size: Vec3::ONE,
        position,
    };
    let wrong = library.prepare(&terrain).unwrap_err();
    assert_eq!(wrong, "\"hill.tif\" was not found, so the shape does not collide");
}

#[test]
fn the_ones_wanted_longest_ago_give_way_but_not_those_in_use() {
    let library = ShapeLibrary::new(silent);
    let held = library.prepare(&ellipsoid(1.0)).unwrap();
    for x in 2..20 {
        library.prepare(&ellipsoid(f64::from(x))).unwrap();
    }
    // One more of 200 MiB fits beside the one in use, which is the oldest.
    assert_eq!(lock(&library.kept).len(), 2);
    let again = library.get(&ellipsoid(1.0)).unwrap();
    let place = |shape: &PreparedShape| std::ptr::from_ref(shape.remarks());
    assert!(std::ptr::addr_eq(place(&held), place(&again)));
    drop(again);
    drop(held);
    let outline = |x: f64| {
        let outlines = vec![vec![[x, 0.0], [x, 1.0], [0.0, 0.0]]];
        Geometry::Polyline(Polyline { outlines, height: 1.0 })
    };
    for x in 0..2000 {
        library.prepare(&outline(f64::from(x))).unwrap();
    }
    assert_eq!(lock(&library.kept).len(), 2);
}

#[test]
fn many_are_made_on_several_threads_each_once_and_told() {
    let library = ShapeLibrary::new(silent_and_small);
    let wanted: Vec<Geometry> = (0..30).map(|x| ellipsoid(f64::from(x % 10))).collect();
    let plain = Geometry::Sphere { radius: 1.0 };
    let told = Mutex::new(Vec::new());
    let shapes = library.prepare_all(wanted.iter().chain([&plain]), &|progress| {
        lock(&told).push(progress);
    });
    let mut told = told.into_inner().unwrap();
    told.sort_by_key(|progress| progress.done);
    assert_eq!(shapes.len(), 10);
    let all: Vec<_> = (1..=10).map(|done| LoadProgress { done, total: 10 }).collect();
    assert_eq!(told, all);
    assert_eq!(told[2].to_string(), "Loading meshes 3/10");
}

fn silent_and_small(_: &ShapeSource<'_>) -> Result<PreparedShape, String> {
    Ok(prepared(1, ()))
}

fn too_many() -> usize {
    // Each ellipsoid is a hull of about 602 corners.
    (MOST_SHAPES_MIB << 20) / (602 * 300) + 1
}

#[test]
fn shapes_too_large_together_are_not_made() {
    let library = ShapeLibrary::new(silent_and_small);
    let mut wanted: Vec<Geometry> = (0..too_many()).map(|x| ellipsoid(x as f64)).collect();
    let told = AtomicUsize::new(0);
    let tell = |_: LoadProgress| {
        told.fetch_add(1, Ordering::Relaxed);
    };
    assert!(library.prepare_all(&wanted, &tell).is_empty());
    assert_eq!((told.load(Ordering::Relaxed), lock(&library.kept).len()), (0, 0));
    wanted.pop();
    assert_eq!(library.prepare_all(&wanted, &tell).len(), too_many() - 1);
}

#[test]
fn the_room_of_shapes_counts_equal_ones_once_and_others_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.obj");
    std::fs::write(&path, TETRAHEDRON).unwrap();
    let library = ShapeLibrary::new(silent_and_small);
    let bytes = |geometry: &Geometry| library.bytes(geometry, Look::Never);
    let triangles = mesh(&path, 1.0, MeshUse::Triangles);
    assert_eq!(bytes(&triangles), 4 * 48 + 4 * 200);
    assert_eq!(bytes(&mesh(&path, 1.0, MeshUse::ConvexHull)), 4 * 300);
    let terrain = folder.path().join("t.png");
    write_png(&terrain, 30, 20);
    let terrain = |x: f64| Geometry::Heightmap {
        uri: "t.png".to_owned(),
        path: terrain.clone(),
        size: Vec3::new(x, 1.0, 1.0),
        position: Vec3::ZERO,
    };
    assert_eq!(bytes(&terrain(1.0)), 30 * 20 * 9);
    // Other sizes of one image are terrains of their own, and copies of one are the same.
    let mut room = ShapeRoom::default();
    let many: Vec<Geometry> = (0..10).map(|x| terrain(f64::from(x % 5))).collect();
    room.fill(&library, &many);
    let mut all = ShapeRoom::default();
    let ellipsoids: Vec<Geometry> = (0..too_many()).map(|x| ellipsoid(x as f64)).collect();
    let mebibytes = all.add(&library, &ellipsoids).unwrap_err();
    assert_eq!(mebibytes, MOST_SHAPES_MIB + 1);
    all.add(&library, &ellipsoids[..too_many() - 1]).unwrap();
    all.add(&library, &ellipsoids[..too_many() - 1]).unwrap();
    assert_eq!(all.add(&library, &ellipsoids[too_many() - 1..]).unwrap_err(), MOST_SHAPES_MIB + 1);
    assert_eq!(room.bytes(), 5 * 30 * 20 * 9);
    // What fits is known without reading files again.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(bytes(&triangles), 4 * 48 + 4 * 200);
}

fn write_png(path: &Path, columns: u32, rows: u32) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, columns, rows);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; (columns * rows) as usize]).unwrap();
}
