//! Models that are merged into the one that includes them.

use std::path::Path;

use expect_test::expect;
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_math::Vec3;
use retake_sdf::load_world_file;

const ARM: &str = "<sdf version='1.9'><model name='arm' canonical_link='upper'>
  <pose>0 0 5 0 0 0</pose>
  <link name='lower'><pose>0 0 1 0 0 0</pose>
    <collision name='c'><pose relative_to='__model__'>0 0 3 0 0 0</pose>
      <geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
  <link name='upper'><pose relative_to='lower'>0 0 1 0 0 0</pose></link>
  <frame name='tool' attached_to='upper'><pose relative_to='__model__'>1 0 0 0 0 0</pose></frame>
  <frame name='corner'><pose>0 2 0 0 0 0</pose></frame>
  <joint name='elbow' type='revolute'><parent>lower</parent><child>upper</child>
    <axis><xyz expressed_in='__model__'>0 0 1</xyz></axis></joint>
  <model name='hand'><pose>0 0 7 0 0 0</pose><link name='palm'/></model>
  <plugin name='own' filename='f'/>
</model></sdf>";

fn load(folder: &Path, include: &str) -> (retake_description::World, String) {
    let world = format!(
        "<sdf version='1.9'><world name='w'>\n<model name='robot'><link name='base'/>{include}\
         <joint name='mount' type='fixed'><parent>base</parent><child>lower</child></joint>\
         </model></world></sdf>"
    );
    std::fs::write(folder.join("arm.sdf"), ARM).expect("the files can be written and read");
    std::fs::write(folder.join("w.sdf"), world).expect("the files can be written and read");
    let mut found = Diagnostics::new();
    let path = folder.join("w.sdf");
    let world = load_world_file(&path, &ResourceRoots::new(), &mut found)
        .expect("the files can be written and read");
    (world, found.to_string().replace(&format!("{}/", folder.display()), ""))
}

#[test]
fn parts_stay_where_they_were_relative_to_their_model() {
    let folder = tempfile::tempdir().unwrap();
    let include = "<include merge='true'><uri>arm.sdf</uri><pose>10 0 0 0 0 1.5707963267948966</pose>\
                   <plugin name='extra' filename='g'/></include>";
    let (world, said) = load(folder.path(), include);
    assert_eq!(said, "");
    let robot = &world.models[0];
    let links: Vec<(&str, Vec3)> =
        robot.links.iter().map(|l| (l.name.as_str(), l.model_from_link.position)).collect();
    assert_eq!(
        links,
        [
            ("base", Vec3::ZERO),
            ("lower", Vec3::new(10.0, 0.0, 1.0)),
            ("upper", Vec3::new(10.0, 0.0, 2.0)),
        ]
    );
    assert_eq!(robot.links[1].collisions[0].link_from_collision.position, Vec3::new(0.0, 0.0, 2.0));
    let frames: Vec<(&str, &str)> =
        robot.frames.iter().map(|f| (f.name.as_str(), f.attached_to.as_str())).collect();
    assert_eq!(
        frames,
        [("_merged__arm__model__", "upper"), ("tool", "upper"), ("corner", "upper")]
    );
    let tool = robot.links[2].model_from_link * robot.frames[1].attached_from_frame;
    assert!((tool.position - Vec3::new(10.0, 1.0, 0.0)).length() < 1e-12, "{tool:?}");
    assert_eq!(robot.models[0].name, "hand");
    assert_eq!(robot.models[0].parent_from_model.position, Vec3::new(10.0, 0.0, 7.0));
    assert_eq!(robot.joints.len(), 2);
    let plugins: Vec<&str> = robot.plugins.iter().map(|plugin| plugin.name.as_str()).collect();
    assert_eq!(plugins, ["own", "extra"]);
}

#[test]
fn a_placement_frame_places_what_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let include = "<include merge='true'><uri>arm.sdf</uri><placement_frame>upper</placement_frame>\
                   <pose>0 0 0 0 0 0</pose></include>";
    let (world, said) = load(folder.path(), include);
    assert_eq!(said, "");
    let upper = &world.models[0].links[2];
    assert!(upper.model_from_link.position.length() < 1e-12, "{:?}", upper.model_from_link);
}

#[test]
fn names_that_meet_and_things_that_are_no_model_are_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("sun.sdf"),
        "<sdf version='1.9'><light name='sun' type='point'/></sdf>",
    )
    .unwrap();
    let include = "<link name='upper'/>\n<include merge='true'><uri>arm.sdf</uri></include>\n\
                   <include merge='true'><uri>sun.sdf</uri></include>";
    let (world, said) = load(folder.path(), include);
    assert_eq!(world.models[0].links.len(), 3);
    expect![[r#"
        w.sdf:3:1: error[sdf-duplicate-name]: <include> "upper" is left out: the name is in use at w.sdf:2:40. Give each a name of its own
        w.sdf:4:10: error[sdf-merge-include]: only a model can be merged; it is left out
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_world_takes_no_parts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("arm.sdf"), ARM).unwrap();
    let text = "<sdf version='1.9'><world name='w'>\n\
                <include merge='true'><uri>arm.sdf</uri></include></world></sdf>";
    let path = folder.path().join("w.sdf");
    std::fs::write(&path, text).unwrap();
    let mut found = Diagnostics::new();
    let world = load_world_file(&path, &ResourceRoots::new(), &mut found).unwrap();
    assert!(world.models.is_empty());
    let said = found.to_string().replace(&format!("{}/", folder.path().display()), "");
    expect![[r#"
        w.sdf:2:1: error[sdf-merge-include]: a model cannot be merged into a world; 7 parts are left out
    "#]]
    .assert_eq(&said);
}
