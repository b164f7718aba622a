//! Automatic inertia of meshes and outlines.

#![allow(missing_docs)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use retake_assets::ResourceRoots;
use retake_description::World;
use retake_diag::Diagnostics;
use retake_math::{Inertial, Vec3};

/// A box of 1 by 2 by 3 with a corner at the origin.
const BOX: &str = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn load(folder: &Path, geometry: &str) -> (World, String) {
    let text = format!(
        "<sdf version='1.11'><world name='w'><model name='m'><link name='l'>\
         <inertial auto='true'><density>10</density></inertial>\
         <collision name='c'><pose>1 0 0 0 0 0</pose><geometry>{geometry}</geometry></collision>\
         </link></model></world></sdf>"
    );
    let path = folder.join("w.sdf");
    std::fs::write(&path, text).unwrap();
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(&path, &ResourceRoots::new(), &mut found).unwrap();
    (world, found.to_string())
}

fn inertial(world: &World) -> Inertial {
    world.models[0].links[0].inertial
}

fn assert_box(inertial: &Inertial, size: Vec3, low: Vec3) {
    let mass = size.element_product() * 10.0;
    let s = size * size;
    let moments = Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
    assert!((inertial.mass_kg - mass).abs() < 1e-9 * mass, "{inertial:?}");
    assert!(inertial.moments.distance(moments) < 1e-9 * moments.length(), "{inertial:?}");
    assert!(inertial.products.length() < 1e-9 * moments.length(), "{inertial:?}");
    assert!(inertial.link_from_com.position.distance(low + size / 2.0) < 1e-9, "{inertial:?}");
}

#[test]
fn a_mesh_weighs_what_it_encloses() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.obj"), BOX).unwrap();
    let (world, said) = load(folder.path(), "<mesh><uri>box.obj</uri></mesh>");
    assert_eq!(said, "");
    assert_box(&inertial(&world), Vec3::new(1.0, 2.0, 3.0), Vec3::X);
    // A mirrored one too.
    let scaled = "<mesh><uri>box.obj</uri><scale>-2 1 0.5</scale></mesh>";
    let (world, said) = load(folder.path(), scaled);
    assert_eq!(said, "");
    assert_box(&inertial(&world), Vec3::new(2.0, 2.0, 1.5), Vec3::new(-1.0, 0.0, 0.0));
}

#[test]
fn an_outline_weighs_what_it_encloses() {
    let folder = tempfile::tempdir().unwrap();
    let geometry = "<polyline><point>0 0</point><point>1 0</point><point>1 2</point>\
                    <point>0 2</point><height>3</height></polyline>";
    let (world, said) = load(folder.path(), geometry);
    assert_eq!(said, "");
    assert_box(&inertial(&world), Vec3::new(1.0, 2.0, 3.0), Vec3::X);
}

#[test]
fn what_encloses_nothing_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let open: String = BOX.lines().take(12).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.path().join("open.obj"), open).unwrap();
    std::fs::write(folder.path().join("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        .unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n")
        .unwrap();
    for (geometry, expected) in [
        (
            "<mesh><uri>open.obj</uri></mesh>",
            "is a guess: its surface has gaps or turned triangles",
        ),
        ("<mesh><uri>sheet.obj</uri></mesh>", "is not computed: its surface encloses no volume"),
        ("<mesh><uri>bad.obj</uri></mesh>", "is not computed: nan is not a finite number"),
        ("<mesh><uri>gone.obj</uri></mesh>", "is not computed: its file was not found"),
        ("<plane/>", "is not computed: a plane has no volume"),
    ] {
        let (_, said) = load(folder.path(), geometry);
        assert!(said.contains(expected), "{geometry}: {said}");
    }
}
