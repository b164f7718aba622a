//! Printing and reading gives the same world, to the bit.

mod common;
mod generate;

use std::path::{Path, PathBuf};

use common::{RICH, read};
use expect_test::expect;
use proptest::prelude::*;
use retake_assets::ResourceRoots;
use retake_description::World;
use retake_diag::Diagnostics;
use retake_sdf::{load_world_file, parse_world, print_world};

fn reread(world: &World, roots: &ResourceRoots) -> (Option<World>, String) {
    let mut diagnostics = Diagnostics::new();
    let text = print_world(world);
    let again = parse_world(&text, "printed", roots, &mut diagnostics);
    (again, diagnostics.to_string())
}

fn assert_same(world: &World, roots: &ResourceRoots) {
    let (again, said) = reread(world, roots);
    let Some(again) = again else { panic!("{said}") };
    // The whole comparison first; the parts only to make a failure readable.
    if again != *world {
        assert_eq!(again.models, world.models);
        assert_eq!(again, *world);
    }
}

#[test]
fn a_rich_world_stays_the_same() {
    let (world, _) = read(RICH);
    let world = world.unwrap();
    assert_same(&world, &ResourceRoots::new());
    let text = print_world(&world);
    for kept in ["<max_vel>0.1</max_vel>", "<normal_map>", "<ext:thing", "<time>10", "<bullet>"] {
        assert!(text.contains(kept), "{kept} is lost:\n{text}");
    }
}

#[test]
fn shipped_worlds_stay_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let mut roots = ResourceRoots::new();
    roots.add(&folder).unwrap();
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "sdf")) {
        let mut diagnostics = Diagnostics::new();
        let world = load_world_file(path, &roots, &mut diagnostics);
        assert_eq!(diagnostics.to_string(), "", "{}", path.display());
        assert_same(&world.unwrap(), &roots);
    }
}

#[test]
fn text_is_laid_out() {
    let (world, _) = read(
        "<sdf version='1.6'><world name='w'><model name='m'><pose>1 0 0 0 0 0.5</pose>\
         <link name='l'/></model></world></sdf>",
    );
    let text = print_world(&world.unwrap());
    let start = text.find("    <model").unwrap();
    expect![[r#"
            <model name="m">
              <pose>1 0 0 0 0 0.5</pose>
              <static>false</static>
              <self_collide>false</self_collide>
              <allow_auto_disable>true</allow_auto_disable>
              <enable_wind>false</enable_wind>
              <link name="l">
                <inertial>
                  <mass>1</mass>
                  <inertia>
                    <ixx>1</ixx>
                    <ixy>0</ixy>
                    <ixz>0</ixz>
                    <iyy>1</iyy>
                    <iyz>0</iyz>
                    <izz>1</izz>
                  </inertia>
                </inertial>
              </link>
            </model>
          </world>
        </sdf>
    "#]]
    .assert_eq(&text[start..]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_world_stays_the_same(world in generate::world()) {
        let (again, said) = reread(&world, &ResourceRoots::new());
        prop_assert_eq!(said, "");
        prop_assert_eq!(again.unwrap(), world);
    }
}
