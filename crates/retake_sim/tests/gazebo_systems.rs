//! How many of Gazebo's example worlds have all of their systems here, and which ones are missing.
//!
//! The corpus lies beside the project; without it there is nothing to count. The table is printed
//! with `--nocapture`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use retake_assets::ResourceRoots;
use retake_components::{PluginConfig, spawn_world};
use retake_description::Plugin;
use retake_diag::Diagnostics;
use retake_sdf::{Contents, LoadOptions, load_file};
use retake_sim::Simulation;
use retake_sim::systems::{Known, find};

/// Worlds in which all that moves has its systems, and those that have all of them; less is a step
/// back.
const MOVING: usize = 56;
const COMPLETE: usize = 41;

/// The short names of the systems that a world asks for and Retake has not.
#[derive(Default)]
struct Lacking {
    /// Without them something moves otherwise.
    moving: BTreeSet<String>,
    /// Without them something is not measured or not drawn.
    unseen: BTreeSet<String>,
}

fn lacking_systems(file: &Path, roots: &ResourceRoots) -> Option<Lacking> {
    let options = LoadOptions { keep_going: true, ..LoadOptions::default() };
    let contents = load_file(file, roots, &options, &mut Diagnostics::new())?;
    let mut ecm = Simulation::empty_ecm();
    spawn_world(&mut ecm, &Contents::into_world(contents), 1).unwrap();
    let mut names: BTreeSet<String> = named_in(&std::fs::read_to_string(file).unwrap());
    names.extend(ecm.iter::<PluginConfig>().map(|(_, plugin)| plugin.0.name.clone()));
    let mut lacking = Lacking::default();
    for name in names {
        let short = name.rsplit("::").next().unwrap_or_default().to_owned();
        match find(&Plugin { name, ..Plugin::default() }) {
            Known::No => lacking.moving.insert(short),
            Known::Unseen => lacking.unseen.insert(short),
            Known::System(_) | Known::BuiltIn => continue,
        };
    }
    Some(lacking)
}

/// Finds the names of plugins in a file's text: those of actors and of models that are not in the
/// corpus are not loaded, and count all the same. The GUI's own are left out.
fn named_in(text: &str) -> BTreeSet<String> {
    let text = without(&without(text, "<!--", "-->"), "<gui", "</gui>");
    let tags = text.split("<plugin").skip(1).filter_map(|rest| rest.split('>').next());
    let name = |tag: &str| {
        let rest =
            tag.split(|c: char| c.is_whitespace()).find_map(|part| part.strip_prefix("name="));
        rest.map(|rest| rest.trim_matches(['"', '\'', '/']).to_owned())
    };
    tags.filter_map(name).collect()
}

/// Takes out all that stands between two marks.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut parts = text.split(from);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(to).map_or("", |(_, rest)| rest))
}

#[test]
fn worlds_of_gazebo_have_their_systems() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/open/gz-sim-examples");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("there is no corpus beside the project; nothing is counted");
        return;
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "sdf"));
    files.sort();
    let mut roots = ResourceRoots::new();
    roots.add(&folder).unwrap();
    let (mut missing, mut unseen) = (BTreeMap::new(), BTreeMap::new());
    let (mut worlds, mut moving, mut complete, mut as_before) = (0, 0, 0, 0);
    for file in &files {
        let Some(lacking) = lacking_systems(file, &roots) else { continue };
        worlds += 1;
        moving += usize::from(lacking.moving.is_empty());
        complete += usize::from(lacking.moving.is_empty() && lacking.unseen.is_empty());
        as_before += usize::from(
            lacking.moving.is_empty() && lacking.unseen.iter().all(|name| name == "Sensors"),
        );
        if !lacking.moving.is_empty() {
            println!("{}: {:?}", file.file_name().unwrap().display(), lacking.moving);
        }
        lacking.moving.into_iter().for_each(|name| *missing.entry(name).or_default() += 1);
        lacking.unseen.into_iter().for_each(|name| *unseen.entry(name).or_default() += 1);
    }
    println!("{complete} of {worlds} worlds have all of their systems");
    println!("{as_before} have all but cameras and lidars, and 41 had before there were so many");
    println!(
        "{moving} of {worlds} have all by which something moves; missing: {:?}",
        by_count(missing)
    );
    println!("not measured and not drawn: {:?}", by_count(unseen));
    assert!(worlds > 40, "only {worlds} worlds could be read");
    assert!(moving >= MOVING, "everything moves in {moving} worlds, and did in {MOVING}");
    assert!(complete >= COMPLETE, "{complete} worlds are complete, and were {COMPLETE}");
}

fn by_count(names: BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let mut by_count: Vec<_> = names.into_iter().collect();
    by_count.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name.clone()));
    by_count
}
