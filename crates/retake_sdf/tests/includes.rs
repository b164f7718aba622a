//! Files that include one another.

use std::path::Path;

use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_description::{Geometry, World};
use retake_diag::Diagnostics;
use retake_sdf::{load_world_file, parse_world, print_world};

const LINK: &str = "<link name='l'/>";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().expect("the name is inside the folder");
        std::fs::create_dir_all(parent).expect("the temporary folder is writable");
        std::fs::write(path, text).expect("the temporary folder is writable");
    }
}

fn load(folder: &Path) -> (Option<World>, String) {
    let mut diagnostics = Diagnostics::new();
    let path = folder.join("w.sdf");
    let world = load_world_file(&path, &ResourceRoots::new(), &mut diagnostics);
    let said = diagnostics.to_string().replace(&format!("{}/", folder.display()), "");
    (world, said)
}

fn check(files: &[(&str, &str)], expected: Expect) -> World {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    write(folder.path(), files);
    let (world, said) = load(folder.path());
    let world = world.expect("there is a world");
    let models: Vec<String> = world
        .models
        .iter()
        .map(|m| {
            format!("{} {:?} {}", m.name, m.parent_from_model.position.to_array(), m.is_static)
        })
        .collect();
    expected.assert_eq(&format!("{said}{}\n", models.join("\n")));
    world
}

fn world_with(inside: &str) -> String {
    format!("<sdf version='1.9'>\n<world name='w'>{inside}</world></sdf>")
}

fn model_with(inside: &str) -> String {
    format!(
        "<sdf version='1.9'><model name='box'><pose>1 0 0 0 0 0</pose>{LINK}{inside}</model></sdf>"
    )
}

#[test]
fn includes_bring_models_and_override_them() {
    let config = "<model><sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>new.sdf</sdf>\
                  <sdf version='9.9'>future.sdf</sdf></model>";
    let world = world_with(
        "<include><uri>model://box</uri></include>
         <include><uri>box/new.sdf</uri><name>second</name><static>true</static>
           <pose>0 0 5 0 0 0</pose><plugin name='p' filename='q'/></include>
         <include><uri>model://box</uri><name>third</name><pose>0 0 0 0 0 0</pose>
           <placement_frame>top</placement_frame></include>",
    );
    let model = model_with(
        "<frame name='top'><pose>0 0 2 0 0 0</pose></frame><link name='k'><visual name='v'>\
         <geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry></visual></link>",
    );
    let files = [
        ("w.sdf", world.as_str()),
        ("box/model.config", config),
        ("box/new.sdf", &model),
        ("box/meshes/a.stl", ""),
    ];
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    let world = check(
        &files,
        expect![[r#"
            box [1.0, 0.0, 0.0] false
            second [0.0, 0.0, 5.0] true
            third [0.0, 0.0, -2.0] false
        "#]],
    );
    assert_eq!(world.models[1].plugins.len(), 1);
    let Geometry::Mesh { uri, path, .. } = &world.models[0].links[1].visuals[0].geometry else {
        panic!("not a mesh");
    };
    assert_eq!(uri, "model://box/meshes/a.stl");
    assert!(path.ends_with("box/meshes/a.stl"));
}

#[test]
fn the_images_of_included_models_are_found_and_named_for_any_file() {
    let map = |name: &str| {
        format!(
            "<link name='k'><visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry>\
             <material><pbr><metal><albedo_map>{name}</albedo_map></metal></pbr></material></visual></link>"
        )
    };
    let model = |name| model_with(&map(name));
    let world = world_with(
        "<include><uri>box/model.sdf</uri></include><include><uri>bare/model.sdf</uri><name>b</name></include>",
    );
    let files = [
        ("w.sdf", world.as_str()),
        ("box/model.sdf", &model("paint/red.png")),
        ("box/paint/red.png", ""),
        ("bare/model.sdf", &model("../../secret.png")),
    ];
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    write(folder.path(), &files);
    let world = load(folder.path()).0.expect("there is a world");
    let look = |model: usize| {
        let link = world.models[model].links.iter().find(|link| link.name == "k");
        let visual = link.and_then(|link| link.visuals.first()).expect("the visual is there");
        let pbr = visual.material.as_ref().and_then(|material| material.pbr.clone());
        let pbr = pbr.expect("the material is there");
        (pbr.albedo_map.unwrap_or_default(), pbr.albedo_path)
    };
    let (name, path) = look(0);
    assert_eq!(name, "model://box/paint/red.png");
    assert!(path.is_some_and(|path| path.ends_with("box/paint/red.png")));
    assert_eq!(look(1), ("../../secret.png".to_owned(), None));
}

#[test]
fn a_printed_world_finds_the_meshes_of_included_models() {
    let folder = tempfile::tempdir().unwrap();
    let model = model_with(
        "<link name='k'><visual name='v'><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual></link>",
    );
    let world = world_with("<include><uri>deep/box/m.sdf</uri></include>");
    let files = [("w.sdf", world.as_str()), ("deep/box/m.sdf", &model), ("deep/box/a.stl", "")];
    write(folder.path(), &files);
    let (world, said) = load(folder.path());
    assert_eq!(said, "");
    let mut roots = ResourceRoots::new();
    roots.add(folder.path()).unwrap();
    let mut diagnostics = Diagnostics::new();
    let text = print_world(world.as_ref().unwrap());
    assert_eq!(parse_world(&text, "printed", &roots, &mut diagnostics), world);
    assert_eq!(diagnostics.to_string(), "");
}

#[test]
fn what_an_include_cannot_keep_or_be_called_is_said() {
    let world = world_with(
        "<include>\n<uri>box.sdf</uri><statik/></include>\n\
         <include><uri>box.sdf</uri><name>a::b</name></include>",
    );
    check(
        &[("w.sdf", &world), ("box.sdf", &model_with(""))],
        expect![[r#"
            w.sdf:3:19: warning[sdf-unknown-element]: SDF has no <statik> in <include>; it is kept and not used. Did you mean <static>?
            w.sdf:4:28: error[sdf-bad-name]: <include> "a::b" is left out: its name has "::", which is reserved for paths since SDF 1.8, and which libsdformat refuses as well. Give it another name
            box [1.0, 0.0, 0.0] false
        "#]],
    );
}

#[test]
fn a_cycle_is_named() {
    let a = model_with("<include><uri>b.sdf</uri></include>");
    let b = model_with("<include><uri>model://a.sdf</uri></include>");
    let world = world_with("<include><uri>a.sdf</uri></include>");
    check(
        &[("w.sdf", &world), ("a.sdf", &a), ("b.sdf", &b)],
        expect![[r#"
            model://b.sdf:1:78: error[sdf-include-cycle]: files include one another: w.sdf → a.sdf → b.sdf → a.sdf
            box [1.0, 0.0, 0.0] false
        "#]],
    );
}

#[test]
fn includes_that_multiply_end() {
    // Each file includes the next one four times: 4^20 models without a bound.
    let names: Vec<String> = (0..20).map(|i| format!("m{i}.sdf")).collect();
    let texts: Vec<String> = (0..20)
        .map(|i| {
            let next = |k| format!("<include><uri>m{}.sdf</uri><name>n{k}</name></include>", i + 1);
            model_with(&if i < 19 { (0..4).map(next).collect() } else { String::new() })
        })
        .collect();
    let world = world_with("<include><uri>m0.sdf</uri></include>");
    let mut files: Vec<(&str, &str)> = vec![("w.sdf", &world)];
    files.extend(names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())));
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    let (_, said) = load(folder.path());
    assert!(said.contains("error[sdf-too-many-includes]: too many files are included"), "{said}");
}

#[test]
fn what_cannot_be_included_is_left_out() {
    let world = world_with(
        "
<include><uri>model://none</uri></include>
<include><uri>../../../etc/passwd</uri></include>
<include><uri>https://fuel.example/x</uri></include>
<include/>
<include><uri>empty</uri></include>
<include><uri>robot.urdf</uri></include>
<include><uri>broken.sdf</uri></include>
<include merge='true'><uri>broken.sdf</uri></include>
<model name='m'><link name='l'><visual name='v'><geometry><mesh><uri>no.stl</uri></mesh></geometry></visual></link></model>",
    );
    check(
        &[
            ("w.sdf", &world),
            ("empty/readme", ""),
            ("robot.urdf", "<robot/>"),
            ("broken.sdf", "<sdf version='1.9'>"),
        ],
        expect![[r#"
            w.sdf:3:1: error[sdf-include-not-found]: nothing under the resource folders is called "model://none". Check the name and --resource-path
            w.sdf:4:1: error[sdf-include-not-found]: nothing under the resource folders is called "../../../etc/passwd". Check the name and --resource-path
            w.sdf:5:1: error[sdf-include-not-found]: "https://fuel.example/x" is on the network, and Retake does not download. Download it with "gz fuel download -u" and its address, or put it into a resource folder
            w.sdf:6:1: error[sdf-missing-uri]: <include> has no <uri>; it is left out
            w.sdf:7:1: error[sdf-include-not-found]: the folder of "empty" has no model.config that names an SDF file
            model://robot.urdf:1:1: error[urdf-missing-name]: the robot has no name. Write <robot name="…">
            model://broken.sdf:1:1: error[xml-unclosed-tag]: <sdf> is never closed
            model://broken.sdf:1:1: error[xml-unclosed-tag]: <sdf> is never closed
            w.sdf:11:65: warning[sdf-resource-not-found]: nothing under the resource folders is called "no.stl". The shape is left out; check the name and --resource-path
            m [0.0, 0.0, 0.0] false
        "#]],
    );
}
