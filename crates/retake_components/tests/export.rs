//! Spawning a description and describing the entities gives the same description, to the bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_components::{
    JointPosition, LocalPose, export_world, find, registry, spawn_world, world_entity,
};
use retake_description::World;
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, StateHash};
use retake_math::{Pose, Vec3};
use retake_sdf::{load_world_file, parse_world, print_world};

#[path = "../../retake_sdf/tests/common/mod.rs"]
mod common;

fn spawned(world: &World) -> (Ecm, World) {
    let mut ecm = Ecm::new(registry().build());
    let entity = spawn_world(&mut ecm, world, 1).unwrap();
    let exported = export_world(&ecm, entity).unwrap();
    (ecm, exported)
}

/// What differs; none when nothing does.
fn fault(world: &World, roots: &ResourceRoots) -> Option<String> {
    let (ecm, exported) = spawned(world);
    if exported != *world {
        return Some(format!("exported {}", first_difference(&exported, world)));
    }
    let mut said = Diagnostics::new();
    let again = parse_world(&print_world(&exported), "printed", roots, &mut said)?;
    let (again, _) = spawned(&again);
    (hash(&again) != hash(&ecm)).then(|| format!("another hash: {said}"))
}

fn hash(ecm: &Ecm) -> String {
    let mut hash = StateHash::new();
    hash.add_ecm(ecm).unwrap();
    hash.to_string()
}

fn first_difference(a: &World, b: &World) -> String {
    let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
    let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    differs.map_or_else(String::new, |(a, b)| format!("{} for {}", a.trim(), b.trim()))
}

fn faults(folder: &Path, roots: &ResourceRoots) -> Vec<String> {
    let mut paths = Vec::new();
    common::collect_files(folder, &mut paths);
    let check = |path: &PathBuf| {
        let world = load_world_file(path, roots, &mut Diagnostics::new())?;
        let mut near = ResourceRoots::new();
        near.add(path.parent().unwrap()).unwrap();
        roots.folders().iter().for_each(|folder| near.add(folder).unwrap());
        fault(&world, &near).map(|fault| format!("{}: {fault}", path.display()))
    };
    paths.iter().filter_map(check).collect()
}

#[test]
fn a_rich_world_comes_back() {
    let (world, _) = common::read(common::RICH);
    assert_eq!(fault(&world.unwrap(), &ResourceRoots::new()), None);
}

#[test]
fn shipped_worlds_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let mut roots = ResourceRoots::new();
    roots.add(&folder).unwrap();
    assert_eq!(faults(&folder, &roots), Vec::<String>::new());
}

/// An arm of three links, as a file places them.
const ARM: &str = "<sdf version='1.9'><world name='w'><model name='arm'><pose>1 0 0 0 0 0</pose>\
    <link name='base'/><link name='upper'><pose>0 0 0.1 0 0.2 0</pose></link>\
    <link name='tool'><pose>0 0 0.3 0.1 0 0</pose></link>\
    <joint name='a' type='revolute'><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>\
    <joint name='b' type='fixed'><parent>upper</parent><child>tool</child></joint>\
    </model></world></sdf>";

#[test]
fn links_are_described_with_every_joint_at_zero() {
    let world = parse_world(ARM, "arm", &ResourceRoots::new(), &mut Diagnostics::new()).unwrap();
    let (mut ecm, _) = spawned(&world);
    let turned = Pose::from_xyz_rpy(Vec3::new(0.3, 0.2, 0.1), Vec3::new(0.0, 1.0, 0.0));
    for link in ["arm::upper", "arm::tool"] {
        ecm.set(find(&ecm, link).unwrap(), LocalPose(turned)).unwrap();
    }
    let joint = find(&ecm, "arm::a").unwrap();
    ecm.set(joint, JointPosition(vec![1.0])).unwrap();
    let described = export_world(&ecm, world_entity(&ecm).unwrap()).unwrap();
    assert_eq!(described, world);

    // What hangs on a link that was moved has gone with it.
    let moved = Pose::from_position(Vec3::new(0.0, 0.0, 0.5));
    ecm.set(find(&ecm, "arm::base").unwrap(), LocalPose(moved)).unwrap();
    let described = export_world(&ecm, world_entity(&ecm).unwrap()).unwrap();
    let tool = described.models[0].links[2].model_from_link;
    // One product of poses rounds by some 1e-16.
    let error = tool.position - Vec3::new(0.0, 0.0, 0.8);
    assert!(error.length() < 1e-12, "{tool:?}");
}

/// Files of other projects; they are not part of this one, and may not be there.
#[test]
fn files_of_others_come_back() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut roots = ResourceRoots::new();
    if roots.add(&corpus.join("models")).is_err() {
        println!("skipped: there is no corpus at {}", corpus.display());
        return;
    }
    assert_eq!(faults(&corpus.join("open"), &roots), Vec::<String>::new());
}
