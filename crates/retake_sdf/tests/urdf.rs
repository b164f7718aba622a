//! URDF files load as libsdformat converts them, and say what is wrong with them.
#![allow(missing_docs)]

use std::path::Path;

use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_description::{Element, Geometry, Joint, Link, Model};
use retake_diag::Diagnostics;
use retake_math::Pose;
use retake_sdf::{FixedJoints, Fragment, LoadOptions, load_file, load_world_file, parse_fragment};

/// Reads the inside of a robot and returns its model with all that was said but notes.
fn read(inside: &str) -> (Option<Model>, String) {
    let text = format!("<robot name=\"r\">\n{inside}\n</robot>");
    let mut found = Diagnostics::new();
    let fragment = parse_fragment(&text, "r.urdf", &ResourceRoots::new(), &mut found);
    let model = fragment.map(|fragment| match fragment {
        Fragment::Model(model) => model,
        Fragment::Light(_) => panic!("URDF has no lights"),
    });
    (model, found.to_string())
}

/// Reads the inside of a robot of which nothing is to be said.
fn clean(inside: &str) -> Model {
    let (model, said) = read(inside);
    assert_eq!(said, "");
    model.expect("nothing is wrong with it")
}

/// Checks what is said of the inside of a robot, and whether it loads.
fn check_said(inside: &str, expected: &Expect) {
    let (model, said) = read(inside);
    let loaded = if model.is_some() { "loaded" } else { "not loaded" };
    expected.assert_eq(&format!("{said}{loaded}"));
}

/// Numbers with few digits: the cases are about the rules, not about rounding.
fn short(pose: Pose) -> String {
    let (p, r) = (pose.position, pose.rpy_rad());
    let numbers = [p.x, p.y, p.z, r.x, r.y, r.z];
    numbers.map(|value| format!("{}", (value * 1e4).round() / 1e4 + 0.0)).join(" ")
}

fn told(model: &Model) -> String {
    let links = model.links.iter().map(told_link);
    let joints = model.joints.iter().map(told_joint);
    links.chain(joints).collect()
}

fn told_link(link: &Link) -> String {
    let (mass, moments) = (link.inertial.mass_kg, link.inertial.moments);
    let mut lines = vec![
        format!("link {} at {}", link.name, short(link.model_from_link)),
        format!("  {mass} kg at {} {moments}", short(link.inertial.link_from_com)),
    ];
    let placed = |name: &str, pose: Pose| format!("  {name} at {}", short(pose));
    lines.extend(link.collisions.iter().map(|c| placed(&c.name, c.link_from_collision)));
    lines.extend(link.visuals.iter().map(|v| placed(&v.name, v.link_from_visual)));
    lines.extend(link.sensors.iter().map(|s| placed(&s.name, s.link_from_sensor)));
    lines.join("\n") + "\n"
}

fn told_joint(joint: &Joint) -> String {
    let axes = joint.axes.iter().map(|axis| {
        let (limits, dynamics) = (&axis.limits, &axis.dynamics);
        format!(
            " about {} {}..{} {} N {} m/s damping {} friction {}",
            axis.xyz,
            limits.lower,
            limits.upper,
            limits.effort,
            limits.velocity,
            dynamics.damping,
            dynamics.friction
        )
    });
    let (name, kind) = (&joint.name, joint.kind.name());
    let axes: String = axes.collect();
    format!("{kind} {name}: {} → {}{axes}\n", joint.parent, joint.child)
}

fn check(inside: &str, expected: &Expect) {
    expected.assert_eq(&told(&clean(inside)));
}

/// A link of one kilogram with a box for visual and collision.
fn link(name: &str) -> String {
    let boxed = "<geometry><box size=\"1 1 1\"/></geometry>";
    format!(
        "<link name=\"{name}\">{}<visual>{boxed}</visual><collision>{boxed}</collision></link>",
        mass(1.0)
    )
}

fn mass(kg: f64) -> String {
    format!(
        "<inertial><mass value=\"{kg}\"/>\
         <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
    )
}

fn joint(name: &str, kind: &str, (parent, child): (&str, &str), more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/>\
         <child link=\"{child}\"/>{more}</joint>"
    )
}

#[test]
fn joints_become_those_of_sdf() {
    let limit = "<limit lower=\"1\" upper=\"-1\" effort=\"5\" velocity=\"6\"/>";
    let parts = [
        link("base"),
        link("a"),
        link("b"),
        link("c"),
        joint("turns", "continuous", ("base", "a"), "<origin xyz=\"1 0 0\" rpy=\"0 0 0.5\"/>"),
        joint("lifts", "prismatic", ("a", "b"), &format!("<axis xyz=\"0 0 2\"/>{limit}")),
        joint("bends", "revolute", ("base", "c"), &format!("{limit}<dynamics damping=\"0.1\"/>")),
    ];
    let (model, said) = read(&parts.concat());
    expect![[r#"
        r.urdf:2:1301: warning[urdf-limits]: the lower limit of joint "bends" is above the upper; they change places
        r.urdf:2:1166: warning[urdf-limits]: the lower limit of joint "lifts" is above the upper; they change places
    "#]]
    .assert_eq(&said);
    expect![[r#"
        link base at 0 0 0 0 0 0
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          base_collision at 0 0 0 0 0 0
          base_visual at 0 0 0 0 0 0
        link c at 0 0 0 0 0 0
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          c_collision at 0 0 0 0 0 0
          c_visual at 0 0 0 0 0 0
        link a at 1 0 0 0 0 0.5
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          a_collision at 0 0 0 0 0 0
          a_visual at 0 0 0 0 0 0
        link b at 1 0 0 0 0 0.5
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          b_collision at 0 0 0 0 0 0
          b_visual at 0 0 0 0 0 0
        revolute bends: base → c about [1, 0, 0] -1..1 5 N 6 m/s damping 0.1 friction 0
        revolute turns: base → a about [1, 0, 0] -inf..inf inf N inf m/s damping 0 friction 0
        prismatic lifts: a → b about [0, 0, 1] -1..1 5 N 6 m/s damping 0 friction 0
    "#]]
    .assert_eq(&told(&model.unwrap()));
}

#[test]
fn fixed_joints_are_lumped() {
    let parts = [
        link("base"),
        link("arm"),
        format!(
            "<link name=\"tool\">{}<visual name=\"tip\"><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"1\"/></geometry></visual></link>",
            mass(2.0)
        ),
        link("finger"),
        link("base_plate"),
        joint(
            "j1",
            "fixed",
            ("base", "arm"),
            "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>",
        ),
        joint("j2", "fixed", ("arm", "tool"), "<origin xyz=\"1 0 0\"/>"),
        joint(
            "j3",
            "continuous",
            ("tool", "finger"),
            "<origin xyz=\"0 0 1\"/><axis xyz=\"0 0 1\"/>",
        ),
        joint("j0", "fixed", ("base", "base_plate"), ""),
    ];
    check(
        &parts.concat(),
        &expect![[r#"
        link base at 0 0 0 0 0 0
          5 kg at 0.6 0.4 0 0 0 0 [5.2, 5.200000000000001, 6.4]
          base_collision at 0 0 0 0 0 0
          base_plate_collision_1 at 0 0 0 0 0 0
          base_fixed_joint_lump__arm_collision_2 at 1 0 0 0 0 1.5708
          base_visual at 0 0 0 0 0 0
          base_plate_visual_1 at 0 0 0 0 0 0
          base_fixed_joint_lump__arm_visual_2 at 1 0 0 0 0 1.5708
          base_fixed_joint_lump__tip_visual_3 at 1 1 1 0 0 1.5708
        link finger at 1 1 1 0 0 1.5708
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          finger_collision at 0 0 0 0 0 0
          finger_visual at 0 0 0 0 0 0
        revolute j3: base → finger about [0, 0, 1] -inf..inf inf N inf m/s damping 0 friction 0
    "#]],
    );
}

#[test]
fn fixed_joints_stay_where_told() {
    let stays = |tag: &str, joint: &str| {
        format!("<gazebo reference=\"{joint}\"><{tag}>true</{tag}></gazebo>")
    };
    let parts = [
        link("base"),
        link("a"),
        link("b"),
        link("c"),
        joint("ja", "fixed", ("base", "a"), ""),
        joint("jb", "fixed", ("base", "b"), ""),
        joint("jc", "fixed", ("base", "c"), ""),
        stays("preserveFixedJoint", "ja"),
        stays("disableFixedJointLumping", "jb"),
        stays("preserveFixedJoint", "jc"),
        stays("disableFixedJointLumping", "jc"),
    ];
    let joints = told(&clean(&parts.concat()));
    let joints: Vec<&str> = joints.lines().filter(|line| line.contains('→')).collect();
    expect![[r#"
        fixed ja: base → a
        revolute jb: base → b about [0, 0, 1] 0..0 inf N inf m/s damping 0 friction 0
        fixed jc: base → c"#]]
    .assert_eq(&joints.join("\n"));
}

#[test]
fn the_loader_can_keep_fixed_joints() {
    let parts = [
        "<link name=\"footprint\"/>".to_owned(),
        link("base"),
        link("arm"),
        "<link name=\"tip\"/>".to_owned(),
        joint("j0", "fixed", ("footprint", "base"), "<origin xyz=\"0 0 1\"/>"),
        joint("j1", "fixed", ("base", "arm"), "<origin xyz=\"1 0 0\"/>"),
        joint("j2", "fixed", ("arm", "tip"), ""),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.urdf");
    std::fs::write(&path, format!("<robot name=\"r\">{}</robot>", parts.concat())).unwrap();
    let load = |fixed_joints| {
        let options = LoadOptions { fixed_joints, ..LoadOptions::default() };
        let mut found = Diagnostics::new();
        let contents = load_file(&path, &ResourceRoots::new(), &options, &mut found).unwrap();
        assert!(!found.has_errors(), "{found}");
        told(&contents.into_world().models[0])
    };
    expect![[r#"
        link footprint at 0 0 0 0 0 0
          2 kg at 0.5 0 1 0 0 0 [2, 2.5, 2.5]
          footprint_fixed_joint_lump__base_collision at 0 0 1 0 0 0
          footprint_fixed_joint_lump__arm_collision_1 at 1 0 1 0 0 0
          footprint_fixed_joint_lump__base_visual at 0 0 1 0 0 0
          footprint_fixed_joint_lump__arm_visual_1 at 1 0 1 0 0 0
    "#]]
    .assert_eq(&load(FixedJoints::Lumped));
    expect![[r#"
        link footprint at 0 0 0 0 0 0
          1 kg at 0 0 1 0 0 0 [1, 1, 1]
          footprint_fixed_joint_lump__base_collision at 0 0 1 0 0 0
          footprint_fixed_joint_lump__base_visual at 0 0 1 0 0 0
        link arm at 1 0 1 0 0 0
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          arm_collision at 0 0 0 0 0 0
          arm_visual at 0 0 0 0 0 0
        fixed j1: footprint → arm
    "#]]
    .assert_eq(&load(FixedJoints::Kept));
}

#[test]
fn the_link_called_world_holds_the_robot() {
    let parts = [
        "<origin xyz=\"5 0 0\"/><link name=\"world\"/>".to_owned(),
        link("base"),
        link("arm"),
        joint("ground", "fixed", ("world", "base"), "<origin xyz=\"0 0 1\"/>"),
        joint("lump", "fixed", ("base", "arm"), ""),
    ];
    let model = clean(&parts.concat());
    assert_eq!(short(model.parent_from_model), "5 0 0 0 0 0");
    expect![[r#"
        link base at 0 0 1 0 0 0
          2 kg at 0 0 0 0 0 0 [2, 2, 2]
          base_collision at 0 0 0 0 0 0
          base_fixed_joint_lump__arm_collision_1 at 0 0 0 0 0 0
          base_visual at 0 0 0 0 0 0
          base_fixed_joint_lump__arm_visual_1 at 0 0 0 0 0 0
        fixed ground: world → base
    "#]]
    .assert_eq(&told(&model));
}

#[test]
fn links_without_mass_are_left_out_with_what_hangs_on_them() {
    let parts = [
        link("base"),
        "\n<link name=\"mount\"/>".to_owned(),
        link("lidar"),
        "\n<link name=\"flag\"/>".to_owned(),
        joint("j1", "fixed", ("base", "mount"), ""),
        joint("j2", "continuous", ("mount", "lidar"), ""),
        joint("j3", "continuous", ("base", "flag"), ""),
    ];
    check_said(
        &parts.concat(),
        &expect![[r#"
        r.urdf:3:1: warning[urdf-no-mass]: link "mount" has no mass; what hangs on it is left out. Give it an <inertial> with a mass
        r.urdf:4:1: warning[urdf-no-mass]: link "flag" has no mass; it is left out. Give it an <inertial> with a mass
        loaded"#]],
    );
    let (model, _) = read(&parts.concat());
    assert_eq!(model.unwrap().links.len(), 1);
}

#[test]
fn a_link_keeps_what_comes_before_its_first_fault() {
    let boxed = "<geometry><box size=\"1 1 1\"/></geometry>";
    let inside = format!(
        "<link name=\"base\">{}<collision>{boxed}</collision><visual>{boxed}</visual>\n\
         <visual><geometry><box size=\"1 1\"/></geometry></visual></link>",
        mass(1.0)
    );
    let (model, said) = read(&inside);
    expect![[r#"
        r.urdf:3:24: warning[urdf-bad-link]: size="1 1" of <box> is not three finite numbers; it and what follows in link "base" is left out
    "#]].assert_eq(&said);
    let link = &model.unwrap().links[0];
    assert_eq!((link.visuals.len(), link.collisions.len()), (1, 0));
}

#[test]
fn shapes_and_colors_are_read() {
    let shape = |inside: &str, material: &str| {
        format!("<visual><geometry>{inside}</geometry>{material}</visual>")
    };
    let parts = [
        "<material name=\"red\"><color rgba=\"0.8 0 0.4 0.5\"/></material>".to_owned(),
        format!("<link name=\"base\">{}", mass(1.0)),
        shape("<sphere radius=\"0.5\"/>", "<material name=\"red\"/>"),
        shape(
            "<cylinder radius=\"0.5\" length=\"2\"/>",
            "<material name=\"own\"><color rgba=\"1 1 1 1\"/></material>",
        ),
        shape("<capsule radius=\"0.5\" length=\"2\"/>", "<material name=\"own\"/>"),
        shape("<box size=\"1 2 3\"/>", ""),
        "</link>".to_owned(),
    ];
    let model = clean(&parts.concat());
    let visuals = &model.links[0].visuals;
    let shapes: Vec<String> =
        visuals.iter().map(|visual| format!("{:?}", visual.geometry)).collect();
    expect![[r#"
        Sphere { radius: 0.5 }
        Cylinder { radius: 0.5, length: 2.0 }
        Capsule { radius: 0.5, length: 2.0 }
        Box { size: DVec3(1.0, 2.0, 3.0) }"#]]
    .assert_eq(&shapes.join("\n"));
    let diffuse =
        |index: usize| visuals[index].material.as_ref().map(|material| material.diffuse.0);
    assert_eq!(diffuse(0), Some([1.0, 0.0, 0.5, 0.5]));
    assert_eq!(diffuse(1), Some([1.0, 1.0, 1.0, 1.0]));
    assert_eq!(diffuse(2), diffuse(1), "the first definition of a name counts");
    assert_eq!(diffuse(3), None);
}

#[test]
fn extensions_of_links_and_joints_find_their_place() {
    let parts = [
        link("base"),
        link("arm"),
        link("tip"),
        joint("j1", "fixed", ("base", "arm"), "<origin xyz=\"1 0 0\"/>"),
        joint("j2", "continuous", ("arm", "tip"), ""),
        "<gazebo reference=\"base\"><mu1>0.3</mu1><mu2 value=\"0.4\"/><kp>1e5</kp><selfCollide>1</selfCollide>
           <turnGravityOff>true</turnGravityOff><dampingFactor>0.1</dampingFactor></gazebo>
         <gazebo reference=\"arm\"><mu1>0.7</mu1><material>Gazebo/Red</material>
           <visual><material><diffuse>0 1 0 1</diffuse></material></visual>
           <sensor name=\"eye\" type=\"camera\"><pose>0 0 1 0 0 0</pose><update_rate>5</update_rate></sensor></gazebo>
         <gazebo reference=\"j2\"><springStiffness>2</springStiffness><springReference>0.5</springReference>
           <stopErp>0.2</stopErp><provideFeedback>true</provideFeedback></gazebo>
         <gazebo><static>true</static><plugin name=\"p\" filename=\"f\"><bodyName>arm</bodyName></plugin></gazebo>"
            .to_owned(),
    ];
    let model = clean(&parts.concat());
    let base = &model.links[0];
    assert!(base.self_collide && !base.gravity && model.is_static);
    assert_eq!(base.velocity_decay.linear, 0.1);
    let friction: Vec<f64> = base.collisions.iter().map(|c| c.surface.friction.mu).collect();
    assert_eq!(friction, [0.3, 0.7]);
    let script = |index: usize| {
        base.visuals[index].material.as_ref().and_then(|material| material.script.clone())
    };
    assert_eq!((script(0), script(1)), (None, Some("Gazebo/Red".to_owned())));
    assert_eq!(short(base.sensors[0].link_from_sensor), "1 0 1 0 0 0");
    let spring = &model.joints[0].axes[0].dynamics;
    assert_eq!((spring.spring_stiffness, spring.spring_reference), (2.0, 0.5));
    expect![[r#"
        "<physics><ode><limit><erp>0.2<provide_feedback>true<provide_feedback>true"
        "<bodyName>base<xyzOffset>1.0 0 0<rpyOffset>0 0 0<ignition::corrected_offsets>1""#]]
    .assert_eq(&format!("{:?}\n{:?}", flat(&model.joints[0].extras), flat(&model.plugins[0].body)));
}

fn flat(elements: &[Element]) -> String {
    elements
        .iter()
        .map(|element| format!("<{}>{}{}", element.name, element.text, flat(&element.children)))
        .collect()
}

/// Writes files into a folder, loads the first, and returns its models with all that was said.
fn load_first(files: &[(&str, String)]) -> (Vec<Model>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        let parent = path.parent().expect("the files lie in the folder");
        std::fs::create_dir_all(parent).expect("the folder is ours");
        std::fs::write(path, text).expect("the folder is ours");
    }
    let mut found = Diagnostics::new();
    let path = folder.path().join(files[0].0);
    let world = load_world_file(&path, &ResourceRoots::new(), &mut found);
    let said = found.items().iter().map(|item| format!("{}\n", item.message)).collect();
    (world.map(|world| world.models).unwrap_or_default(), said)
}

const TRIANGLE: &str = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid t\n";

fn robot_with_mesh(file: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"base\">{}<visual><geometry>\
         <mesh filename=\"{file}\" scale=\"0.001 0.001 0.001\"/></geometry></visual></link></robot>",
        mass(1.0)
    )
}

#[test]
fn a_world_includes_urdf_files_and_folders_of_models() {
    let include = |name: &str, uri: &str| {
        format!(
            "<include><uri>{uri}</uri><name>{name}</name><pose>0 0 {} 0 0 0</pose></include>",
            name.len()
        )
    };
    let world = format!(
        "<sdf version=\"1.9\"><world name=\"w\">{}{}</world></sdf>",
        include("a", "robots/r.urdf"),
        include("bb", "model://robots")
    );
    let config = "<model><name>x</name><sdf version=\"1.6\">r.urdf</sdf></model>";
    let (models, said) = load_first(&[
        ("w.sdf", world),
        ("robots/model.config", config.to_owned()),
        ("robots/r.urdf", robot_with_mesh("m.stl")),
        ("robots/m.stl", TRIANGLE.to_owned()),
    ]);
    assert_eq!(said, "");
    let placed: Vec<String> = models
        .iter()
        .map(|model| format!("{} {} {}", model.name, short(model.parent_from_model), told(model)))
        .collect();
    expect![[r#"
        a 0 0 1 0 0 0 link base at 0 0 0 0 0 0
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          base_visual at 0 0 0 0 0 0
        bb 0 0 2 0 0 0 link base at 0 0 0 0 0 0
          1 kg at 0 0 0 0 0 0 [1, 1, 1]
          base_visual at 0 0 0 0 0 0
    "#]]
    .assert_eq(&placed.concat());
    let Geometry::Mesh { uri, path, scale, .. } = &models[0].links[0].visuals[0].geometry else {
        panic!("it is a mesh");
    };
    assert_eq!((uri.as_str(), scale.x), ("model://robots/m.stl", 0.001));
    assert!(path.ends_with("robots/m.stl"));
}

#[test]
fn meshes_come_from_the_package_that_holds_the_file() {
    let package = "<package><name>arm_description</name></package>";
    let (models, said) = load_first(&[
        ("checkout/urdf/arm.urdf", robot_with_mesh("package://arm_description/meshes/m.stl")),
        ("checkout/package.xml", package.to_owned()),
        ("checkout/meshes/m.stl", TRIANGLE.to_owned()),
    ]);
    assert_eq!(said, "the file holds no world; one is made for its model\n");
    let Geometry::Mesh { uri, path, .. } = &models[0].links[0].visuals[0].geometry else {
        panic!("it is a mesh");
    };
    assert_eq!(uri, "model://arm_description/meshes/m.stl");
    assert!(path.ends_with(Path::new("checkout/meshes/m.stl")));
}

#[test]
fn a_missing_mesh_is_said_at_its_place() {
    let mut found = Diagnostics::new();
    let text = robot_with_mesh("package://none/m.stl");
    let fragment = parse_fragment(&text, "r.urdf", &ResourceRoots::new(), &mut found);
    assert!(fragment.is_some());
    let place = found.items()[0].place.as_ref().unwrap();
    assert_eq!(place.column as usize, text.find("<mesh").unwrap() + 1);
}

#[test]
fn followers_follow() {
    let mimic = "<mimic joint=\"j1\" multiplier=\"-2\" offset=\"0.1\"/>";
    let parts = [
        link("base"),
        link("a"),
        link("b"),
        joint("j1", "continuous", ("base", "a"), ""),
        joint("j2", "continuous", ("base", "b"), mimic),
    ];
    let model = clean(&parts.concat());
    let mimic = model.joints[1].axes[0].mimic.as_ref().unwrap();
    assert_eq!((mimic.joint.as_str(), mimic.multiplier, mimic.offset), ("j1", -2.0, 0.1));
}
