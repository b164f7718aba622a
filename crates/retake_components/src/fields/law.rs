//! The law of the table: every leaf of every component that can be edited is described by exactly
//! one field, and every field describes some leaf.

use std::collections::BTreeSet;
use std::path::Path;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_ecm::Ecm;
use retake_sdf::{load_world_file, parse_world};

use super::list::{leaves, undescribed};
use super::{component_fields, editable_components};
use crate::{Kind, path_of, registry, spawn_world};

/// A world with every component, and every kind of shape and joint that has fields of its own.
const EVERYTHING: &str = r#"<sdf version="1.11"><world name="all">
  <spherical_coordinates><latitude_deg>60</latitude_deg></spherical_coordinates>
  <plugin name="p" filename="f"><a b="c">1</a></plugin>
  <light name="sun" type="directional"/>
  <frame name="corner"/>
  <model name="m">
    <link name="a">
      <collision name="box"><geometry><box/></geometry></collision>
      <collision name="sphere"><geometry><sphere/></geometry></collision>
      <collision name="cylinder"><geometry><cylinder/></geometry></collision>
      <collision name="capsule"><geometry><capsule/></geometry></collision>
      <collision name="ellipsoid"><geometry><ellipsoid/></geometry></collision>
      <collision name="cone"><geometry><cone/></geometry></collision>
      <collision name="plane"><geometry><plane/></geometry></collision>
      <collision name="mesh"><geometry><mesh optimization="convex_decomposition"><uri>a.stl</uri></mesh></geometry></collision>
      <collision name="hull"><geometry><mesh optimization="convex_hull"><uri>a.stl</uri></mesh></geometry></collision>
      <collision name="terrain"><geometry><heightmap><uri>a.png</uri></heightmap></geometry></collision>
      <collision name="line"><geometry><polyline><point>0 0</point><point>1 0</point><point>0 1</point></polyline></geometry></collision>
      <visual name="empty"><geometry><empty/></geometry><material><pbr><metal><albedo_map>a.png</albedo_map></metal></pbr></material></visual>
      <visual name="plain"><geometry><box/></geometry><material/></visual>
      <sensor name="imu" type="imu"/>
      <light name="lamp" type="spot"/>
    </link>
    <link name="b"/>
    <frame name="tip" attached_to="b"/>
    <joint name="hinge" type="universal"><parent>a</parent><child>b</child><axis><mimic joint="other"/></axis><axis2/></joint>
    <joint name="other" type="revolute"><parent>world</parent><child>a</child><axis/></joint>
  </model>
</world></sdf>"#;

fn worlds() -> Vec<(String, Ecm)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let mut roots = ResourceRoots::new();
    roots.add(&folder).unwrap();
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sdf"));
    files.sort();
    assert!(files.len() >= 5, "the demo worlds are in {}", folder.display());
    let mut found = Diagnostics::new();
    let demos = files.iter().map(|file| {
        (
            file.display().to_string(),
            load_world_file(file, &roots, &mut Diagnostics::new()).unwrap(),
        )
    });
    let everything = parse_world(EVERYTHING, "all", &ResourceRoots::new(), &mut found).unwrap();
    let all: Vec<_> = demos.chain([("all".to_owned(), everything)]).collect();
    assert!(!found.has_errors(), "{found}");
    let spawned = |(name, world)| {
        let mut ecm = Ecm::new(registry().build());
        spawn_world(&mut ecm, &world, 1).unwrap();
        (name, ecm)
    };
    all.into_iter().map(spawned).collect()
}

#[test]
fn every_leaf_has_one_field_and_every_field_a_leaf() {
    let mut used: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut wrong = Vec::new();
    for (world, ecm) in worlds() {
        for (entity, kind) in ecm.iter::<Kind>() {
            for component in editable_components().iter().filter(|c| c.belongs_to(*kind)) {
                let Some(tree) = ecm.value_of(entity, component.name) else { continue };
                let at = || format!("{world}: {} {}", path_of(&ecm, entity), component.name);
                wrong.extend(
                    undescribed(component, &tree).iter().map(|path| format!("{}.{path}", at())),
                );
                for leaf in leaves(component, &tree) {
                    let count = component.fields.iter().filter(|f| f.is_at(&leaf.path)).count();
                    if count != 1 {
                        wrong.push(format!("{}.{} has {count} fields", at(), leaf.path));
                    }
                    used.insert((component.name, leaf.field.path));
                }
            }
        }
    }
    for component in editable_components() {
        let idle = component.fields.iter().filter(|f| !used.contains(&(component.name, f.path)));
        wrong.extend(idle.map(|field| format!("nothing is {}.{}", component.name, field.path)));
    }
    let count = wrong.len();
    wrong.truncate(10);
    assert_eq!((count, wrong), (0, Vec::new()));
}

#[test]
fn what_belongs_to_a_kind_is_there_or_has_a_default() {
    for (world, ecm) in worlds() {
        for (entity, kind) in ecm.iter::<Kind>() {
            for component in editable_components().iter().filter(|c| c.belongs_to(*kind)) {
                let there = ecm.value_of(entity, component.name).is_some();
                let begins = super::default_component(component.name).is_some();
                assert!(there || begins, "{world}: {} {}", path_of(&ecm, entity), component.name);
            }
        }
    }
}

#[test]
fn the_message_says_what_people_need() {
    let message = component_fields();
    assert!(message.field.len() > 90, "{}", message.field.len());
    for row in &message.field {
        assert!(!row.label.is_empty() && !row.help.is_empty(), "{}.{}", row.component, row.field);
        assert!(!row.kind.is_empty() && row.r#type != 0);
    }
    let mu = message.field.iter().find(|row| row.field == "friction.mu").unwrap();
    assert_eq!((mu.min, mu.max, mu.infinite), (Some(0.0), Some(1e16), false));
    let upper = message.field.iter().find(|row| row.field == "axes.*.limits.upper").unwrap();
    assert_eq!((upper.infinite, upper.unit.as_str()), (true, "rad|m"));
}
