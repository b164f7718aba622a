//! Printing and reading gives the same world, to the bit.

mod common;
mod edited;
mod generate;

use std::path::{Path, PathBuf};

use common::{RICH, collect_files, read};
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
fn unknown_attributes_stay() {
    let marked = "<sdf version='1.9'><world name='w' a='1'><physics name='p' b='2'><ode c='3'/>\
        </physics><plugin name='n' filename='f' d='4'>text<e/></plugin><frame name='f' g='5'><h/></frame>\
        <model name='m' i='6'><static j='7'>true</static><link name='l'><gravity k='8'>true</gravity>\
        <pose m='9'/><inertial><mass n='10'>2.0</mass></inertial></link></model></world></sdf>";
    let (marked, _) = read(marked);
    let marked = marked.unwrap();
    assert_same(&marked, &ResourceRoots::new());
    let attributes = print_world(&marked);
    for kept in [
        r#"name="w" a="1""#,
        r#"b="2""#,
        r#"<ode c="3"/>"#,
        r#"d="4">text"#,
        "<e/>",
        r#"g="5""#,
        "<h/>",
        r#"i="6""#,
        r#"<static j="7">true"#,
        r#"<gravity k="8">true"#,
        r#"<pose m="9"/>"#,
        r#"<mass n="10">2<"#,
    ] {
        assert!(attributes.contains(kept), "{kept} is lost:\n{attributes}");
    }
}

#[test]
fn names_with_colons_stay() {
    let (world, _) = read(
        "<sdf version='1.6'><world name='w'><plugin name='a::b' filename='c'/>\
         <model name='m'><link name='l::k'/></model></world></sdf>",
    );
    let world = world.unwrap();
    assert_eq!(world.models[0].links[0].name, "l::k");
    assert_same(&world, &ResourceRoots::new());
}

/// Files of other projects; they are not part of this one, and may not be there.
#[test]
fn files_of_others_stay_the_same() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut paths = Vec::new();
    collect_files(&corpus.join("open"), &mut paths);
    let mut roots = ResourceRoots::new();
    if paths.is_empty() || roots.add(&corpus.join("models")).is_err() {
        println!("skipped: there is no corpus at {}", corpus.display());
        return;
    }
    let mut faults = Vec::new();
    let mut loaded = 0;
    for path in &paths {
        let world = load_world_file(path, &roots, &mut Diagnostics::new());
        let Some(world) = world else { continue };
        loaded += 1;
        // The printed text stands where the file does: it names others relative to its folder.
        let mut near = ResourceRoots::new();
        near.add(path.parent().unwrap()).unwrap();
        roots.folders().iter().for_each(|folder| near.add(folder).unwrap());
        let (again, said) = reread(&world, &near);
        if again.as_ref() != Some(&world) {
            faults.push(format!("{}\n{said}", path.display()));
        }
    }
    println!("{loaded} of {} files load and stay the same", paths.len());
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
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
