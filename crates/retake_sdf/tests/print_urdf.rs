//! Models written as URDF are the same robots when they are read again.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::path::Path;

use expect_test::expect;
use retake_assets::ResourceRoots;
use retake_description::{JointKind, Model};
use retake_diag::Diagnostics;
use retake_math::Pose;
use retake_sdf::{load_world_file, parse_world, print_urdf};

fn world_models(name: &str) -> Vec<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(name);
    let mut found = Diagnostics::new();
    load_world_file(&path, &ResourceRoots::new(), &mut found).unwrap().models
}

fn again(urdf: &str) -> Model {
    let mut found = Diagnostics::new();
    let world = parse_world(urdf, "robot.urdf", &ResourceRoots::new(), &mut found).unwrap();
    world.models.into_iter().next().unwrap()
}

/// Poses are rounded to 1e-12 when they are written, and errors add up along a chain.
fn same(a: Pose, b: Pose) -> bool {
    (a.position - b.position).length() < 1e-9 && a.rotation.angle_between(b.rotation) < 1e-6
}

#[test]
fn robots_of_the_demo_worlds_read_back() {
    for (world, name) in [("arm.sdf", "arm"), ("quadruped.sdf", "quadruped")] {
        let models = world_models(world);
        let model = models.iter().find(|model| model.name == name).unwrap();
        let urdf = print_urdf(model);
        let read = again(&urdf.text);
        let links: Vec<&str> = read.links.iter().map(|link| link.name.as_str()).collect();
        let frames: Vec<&str> = urdf.frames.iter().map(|frame| frame.name.as_str()).collect();
        assert_eq!(links.len(), frames.len(), "{links:?}");
        let link_of = |model: &Model, name: &str| {
            model.links.iter().find(|link| link.name == name).unwrap().model_from_link
        };
        let base = &urdf.frames[0];
        let base_place = link_of(model, &base.link) * base.link_from_frame;
        for frame in &urdf.frames {
            let expected =
                base_place.inverse() * link_of(model, &frame.link) * frame.link_from_frame;
            let found = link_of(&read, &base.name).inverse() * link_of(&read, &frame.name);
            assert!(same(expected, found), "{}: {expected:?} {found:?}", frame.name);
        }
        for joint in model.joints.iter().filter(|joint| joint.kind != JointKind::Fixed) {
            let other = read.joints.iter().find(|other| other.name == joint.name).unwrap();
            assert_eq!((other.kind, &other.child), (joint.kind, &joint.child), "{}", joint.name);
            assert_eq!(other.axes[0].limits, joint.axes[0].limits, "{}", joint.name);
            assert!((other.axes[0].xyz - joint.axes[0].xyz).length() < 1e-9, "{}", joint.name);
        }
        let mass = |model: &Model| model.links.iter().map(|l| l.inertial.mass_kg).sum::<f64>();
        assert!((mass(model) - mass(&read)).abs() < 1e-9);
    }
}

#[test]
fn what_urdf_cannot_say_is_told() {
    let (world, _) = common::read(
        "<sdf version='1.11'><world name='w'><model name='odd'>
<link name='a'><collision name='c'><geometry><cone><radius>1</radius><length>2</length></cone></geometry></collision>
  <visual name='v'><geometry><plane><normal>0 0 1</normal></plane></geometry></visual></link>
<link name='b'/><link name='c'/>
<joint name='ball' type='ball'><parent>a</parent><child>b</child></joint>
<joint name='ring' type='revolute'><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name='loop' type='revolute'><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></world></sdf>",
    );
    let urdf = print_urdf(&world.unwrap().models[0]);
    expect![[r#"
        joint "loop" closes a loop, which URDF cannot: left out
        visual "v" of link "a" is a plane, which URDF has not: left out
        collision "c" of link "a" is a cone: written as the cylinder around it
        joint "ball" is ball, which URDF has not: written as floating"#]]
    .assert_eq(&urdf.notes.join("\n"));
    assert!(urdf.text.contains(r#"<joint name="ring" type="continuous">"#), "{}", urdf.text);
}
