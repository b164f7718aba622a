//! States as bytes: what they leave out, and what they refuse.

use std::cell::Cell;

use retake_description::{Geometry, JointKind, MeshUse};
use retake_ecm::EntityId;
use retake_math::{Pose, Vec3};
use retake_physics::{
    Engine, EngineError, EngineState, PreparedShape, RapierEngine, ShapeLibrary, TpeEngine,
};
use xxhash_rust::xxh3::xxh3_128;

use crate::world::World;

/// A spindle of enough triangles to be seen in bytes.
fn write_mesh(folder: &std::path::Path) -> Geometry {
    let mut text = String::new();
    let steps = 40;
    for ring in 0..=steps {
        for at in 0..steps {
            let (up, around) = (f64::from(ring) / 40.0, f64::from(at) / 40.0 * 6.2);
            let radius = 0.02 + 0.2 * (up * 3.1).sin();
            text += &format!("v {} {} {up}\n", radius * around.cos(), radius * around.sin());
        }
    }
    for ring in 0..steps {
        for at in 0..steps {
            let corner = |ring, at: i32| ring * steps + at % steps + 1;
            let (a, b) = (corner(ring, at), corner(ring, at + 1));
            let (c, d) = (corner(ring + 1, at), corner(ring + 1, at + 1));
            text += &format!("f {a} {b} {d}\nf {a} {d} {c}\n");
        }
    }
    let path = folder.join("spindle.obj");
    std::fs::write(&path, text).unwrap();
    Geometry::Mesh {
        uri: "spindle.obj".to_owned(),
        path,
        scale: Vec3::ONE,
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::Triangles,
    }
}

/// Spindles of one file that lie on each other, hulls of it, and a swing.
fn spindles(mut world: World, geometry: &Geometry, library: &ShapeLibrary) -> World {
    let hull = match geometry.clone() {
        Geometry::Mesh { uri, path, scale, submesh, center_submesh, .. } => Geometry::Mesh {
            uri,
            path,
            scale,
            submesh,
            center_submesh,
            collide_as: MeshUse::ConvexHull,
        },
        other => other,
    };
    for i in 0..6 {
        let shape = if i % 2 == 0 { geometry } else { &hull };
        let at = Vec3::new(0.1 * f64::from(i % 2), 0.0, 0.4 + 0.5 * f64::from(i));
        let mut body = world.link(shape.clone(), Pose::from_xyz_rpy(at, Vec3::X * 1.5));
        body.colliders[0].prepared = Some(library.get(shape).unwrap());
        let spindle = world.assembly(vec![body], vec![]);
        // The hull has fewer corners than the mesh, which is remarked.
        world.insert(&spindle);
    }
    let body = world.box_link(0.2, Vec3::new(2.0, 0.0, 1.0));
    let hinge =
        world.axis_joint(JointKind::Revolute, (None, &body), Vec3::new(2.0, 0.0, 1.4), Vec3::Y);
    world.add(vec![body], vec![hinge]);
    world
}

fn none(_: EntityId) -> Result<PreparedShape, String> {
    Err("there is no such file".to_owned())
}

/// The collision ids of the spindles, as `spindles` gives them out, with their shapes.
fn finder<'a>(
    geometry: &'a Geometry,
    library: &'a ShapeLibrary,
    asked: &'a Cell<u32>,
) -> impl Fn(EntityId) -> Result<PreparedShape, String> + 'a {
    move |collision| {
        asked.set(asked.get() + 1);
        let Geometry::Mesh { .. } = geometry else { return none(collision) };
        // The ground has the first three ids, each spindle the next three.
        let is_hull = (collision.raw() - 6) / 3 % 2 == 1;
        let mut wanted = geometry.clone();
        if let Geometry::Mesh { collide_as, .. } = &mut wanted
            && is_hull
        {
            *collide_as = MeshUse::ConvexHull;
        }
        library.get(&wanted)
    }
}

#[test]
fn meshes_are_found_again_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let geometry = write_mesh(folder.path());
    let library = ShapeLibrary::new(RapierEngine::default().shape_maker());
    let mut world = spindles(World::with_ground(), &geometry, &library);
    // Where nothing can be touched the shapes would be most of it: three are of 3200 triangles.
    let mut apart = spindles(World::new(), &geometry, &library);
    apart.run(1);
    let written = apart.engine.snapshot().encode().unwrap().bytes.len();
    assert!(written < 50_000, "{written} bytes");
    world.run(600);
    let state = world.engine.snapshot().encode().unwrap();

    let asked = Cell::new(0);
    let fresh = ShapeLibrary::new(RapierEngine::default().shape_maker());
    let mut other = World::new();
    let read = other.engine.decode(&state, &finder(&geometry, &fresh, &asked)).unwrap();
    assert_eq!(asked.get(), 2, "each shape is made once");
    assert!(read.encode().unwrap() == state, "the bytes differ");
    other.engine.restore(&read).unwrap();
    for _ in 0..6 {
        assert_eq!(other.hash(), world.hash());
        world.run(37);
        other.run(37);
    }
}

#[test]
fn a_mesh_that_is_gone_or_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let geometry = write_mesh(folder.path());
    let library = ShapeLibrary::new(RapierEngine::default().shape_maker());
    let mut world = spindles(World::with_ground(), &geometry, &library);
    world.run(10);
    let state = world.engine.snapshot().encode().unwrap();
    let said = |error: EngineError| error.to_string();
    assert_eq!(
        said(world.engine.decode(&state, &none).unwrap_err()),
        "the engine's state cannot be read: the shape of collision #6 is missing: there is no such \
         file. Start from the components alone"
    );
    let path = folder.path().join("spindle.obj");
    let text = std::fs::read_to_string(&path).unwrap().replacen("v 0.02 ", "v 0.021 ", 1);
    std::fs::write(&path, text).unwrap();
    let fresh = ShapeLibrary::new(RapierEngine::default().shape_maker());
    let asked = Cell::new(0);
    assert_eq!(
        said(world.engine.decode(&state, &finder(&geometry, &fresh, &asked)).unwrap_err()),
        "the engine's state cannot be read: the shape of collision #6 is another now; put the file \
         that it is made from back as it was. Start from the components alone"
    );
}

/// A few boxes, a hanging arm and its state.
fn small() -> (World, EngineState) {
    let mut world = World::with_ground();
    for i in 0..3 {
        world.add_box(0.2, Vec3::new(0.02 * f64::from(i), 0.0, 0.1 + 0.2 * f64::from(i)));
    }
    let body = world.box_link(0.1, Vec3::new(2.0, 0.0, 1.0));
    let hinge =
        world.axis_joint(JointKind::Revolute, (None, &body), Vec3::new(2.0, 0.0, 1.2), Vec3::Y);
    world.add(vec![body], vec![hinge]);
    world.run(40);
    let state = world.engine.snapshot().encode().unwrap();
    (world, state)
}

#[test]
fn joints_that_came_or_went_are_written_after_the_next_step() {
    let (mut world, state) = small();
    world.add_box(0.1, Vec3::Z * 3.0);
    assert!(world.engine.snapshot().is_settled(), "a box has no joints");
    let body = world.box_link(0.1, Vec3::new(4.0, 0.0, 1.0));
    let hinge =
        world.axis_joint(JointKind::Revolute, (None, &body), Vec3::new(4.0, 0.0, 1.2), Vec3::Y);
    let arm = world.add(vec![body], vec![hinge]);
    let edited = world.engine.snapshot();
    assert_eq!(
        edited.encode().unwrap_err().to_string(),
        "joints came or went since the last step, and the engine's state can be written only after \
         the next one. Make a step first"
    );
    // Whether it is settled is part of the state.
    let read = world.engine.decode(&state, &none).unwrap();
    world.engine.restore(&read).unwrap();
    assert!(world.engine.snapshot().is_settled());
    world.engine.restore(&edited).unwrap();
    assert!(!world.engine.snapshot().is_settled());
    world.run(1);
    assert!(world.engine.snapshot().is_settled());
    world.engine.remove_assembly(arm).unwrap();
    assert!(!world.engine.snapshot().is_settled());
}

#[test]
fn foreign_states_are_refused_by_name() {
    let (world, state) = small();
    let refused = |state: &EngineState| world.engine.decode(state, &none).unwrap_err().to_string();
    let old = EngineState { version: "rapier3d-f64 0.30.0".to_owned(), ..state.clone() };
    assert_eq!(
        refused(&old),
        "the engine's state was written by rapier (rapier3d-f64 0.30.0), and this is rapier \
         (rapier3d-f64 0.36.1). Start from the components alone, or use the version that wrote it"
    );
    let tpe = TpeEngine::default();
    let other = tpe.snapshot().encode().unwrap();
    assert!(refused(&other).starts_with("the engine's state was written by tpe (retake tpe "));
    assert!(tpe.decode(&state, &none).is_err());
}

#[test]
fn damaged_states_are_refused() {
    let (world, state) = small();
    let length = state.bytes.len();
    let refused = |bytes: Vec<u8>| {
        let damaged = EngineState { bytes, ..state.clone() };
        match world.engine.decode(&damaged, &none) {
            Err(EngineError::BadState { reason }) => {
                assert!(reason.contains("damaged"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    };
    for end in (0..length).step_by(length / 150).chain(0..40) {
        refused(state.bytes[..end].to_vec());
    }
    for at in (0..length).step_by(length / 150) {
        let mut bytes = state.bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        refused(bytes);
    }
}

/// Damage with a digest that matches, as by a program that writes nonsense.
#[test]
fn nonsense_with_a_good_digest_ends_in_an_error_or_a_state_that_can_be_put_in_place() {
    let (mut world, state) = small();
    let length = state.bytes.len() - 16;
    let good = world.engine.snapshot();
    let (mut read, mut refused) = (0, 0);
    for turn in 0..400 {
        let mut payload = state.bytes[16..].to_vec();
        let at = turn * 7919 % length;
        match turn % 3 {
            0 => payload.truncate(at),
            1 => payload[at] ^= 1 << (turn % 8),
            _ => payload[at] = 0xdd,
        }
        let mut bytes = xxh3_128(&payload).to_le_bytes().to_vec();
        bytes.extend(payload);
        let Ok(odd) = world.engine.decode(&EngineState { bytes, ..state.clone() }, &none) else {
            refused += 1;
            continue;
        };
        read += 1;
        world.engine.restore(&odd).unwrap();
        // A step over nonsense may fail, and says so; it does not take the program down.
        world.engine.step(crate::world::DT).ok();
        world.engine.restore(&good).unwrap();
    }
    assert!(read > 20 && refused > 150, "{read} read, {refused} refused");
}
