//! Parts of a world that is there: what they name is found around them, faults stand in their text.

use retake_assets::ResourceRoots;
use retake_description::{Joint, JointKind, Link, Model};
use retake_diag::Diagnostics;
use retake_math::{Pose, Vec3};
use retake_sdf::{Part, Surroundings, parse_part};

fn arm() -> Model {
    let link = |name: &str, x: f64| Link {
        name: name.to_owned(),
        model_from_link: Pose::from_position(Vec3::new(x, 0.0, 0.0)),
        ..Link::default()
    };
    let elbow = Joint {
        name: "elbow".to_owned(),
        kind: JointKind::Fixed,
        parent: "base".to_owned(),
        child: "upper".to_owned(),
        child_from_joint: Pose::IDENTITY,
        axes: Vec::new(),
        thread_pitch: 0.0,
        gearbox_ratio: 1.0,
        extras: Vec::new(),
    };
    Model {
        name: "arm".to_owned(),
        links: vec![link("base", 0.0), link("upper", 2.0)],
        joints: vec![elbow],
        ..Model::default()
    }
}

/// Places a part in the arm, or on its base; the result or what is wrong.
fn placed(text: &str, on_base: bool, pose: Option<Pose>) -> Result<Part, String> {
    let (arm, mut found) = (arm(), Diagnostics::new());
    let around = match on_base {
        true => Surroundings::Link { model: &arm, link: "base" },
        false => Surroundings::Model(&arm),
    };
    let draft = parse_part(text, "part", &ResourceRoots::new(), &mut found);
    let part = draft.and_then(|draft| draft.placed_in(around, pose, &mut found));
    match part {
        Some(part) if found.items().is_empty() => Ok(part),
        _ => Err(found.to_string()),
    }
}

fn x_of(part: Result<Part, String>) -> f64 {
    match part.expect("the part can be placed") {
        Part::Link(link) => link.model_from_link.position.x,
        Part::Joint(joint) => joint.child_from_joint.position.x,
        Part::Frame(frame) => frame.attached_from_frame.position.x,
        Part::Sensor(sensor) => sensor.link_from_sensor.position.x,
        Part::Model(model) => model.parent_from_model.position.x,
        other => panic!("{other:?} has no x here"),
    }
}

#[test]
fn poses_are_found_in_what_is_around() {
    let in_arm = |text: &str| x_of(placed(text, false, None));
    let posed = |tag: &str| format!("<{tag} name='n'><pose relative_to='elbow'>1 0 0 0 0 0</pose>");
    assert_eq!(in_arm(&format!("{}</link>", posed("link"))), 3.0);
    let model = format!("{}<link name='l'/></model>", posed("model"));
    assert_eq!(in_arm(&model), 3.0);
    assert_eq!(in_arm(&format!("{}</frame>", posed("frame"))), 3.0);
    assert_eq!(in_arm("<frame name='n' attached_to='upper'><pose>1 0 0 0 0 0</pose></frame>"), 1.0);
    let joint = "<joint name='n' type='fixed'><parent>base</parent><child>upper</child></joint>";
    assert_eq!(in_arm(joint), 0.0);
    let sensor = format!("{}</sensor>", posed("sensor"));
    assert_eq!(x_of(placed(&sensor, true, None)), 3.0);
}

#[test]
fn another_pose_is_in_the_frame_of_the_holder() {
    let five = Some(Pose::from_position(Vec3::new(5.0, 0.0, 0.0)));
    let joint = "<joint name='n' type='fixed'><parent>base</parent><child>upper</child></joint>";
    assert_eq!(x_of(placed(joint, false, five)), 3.0);
    assert_eq!(x_of(placed("<frame name='n' attached_to='upper'/>", false, five)), 3.0);
    assert_eq!(x_of(placed("<sensor name='n' type='imu'/>", true, five)), 5.0);
}

#[test]
fn a_link_that_is_renamed_keeps_what_hangs_on_it() {
    let text = "<link name='upper'><sensor name='s' type='imu'>\
                <pose relative_to='upper'>1 0 0 0 0 0</pose></sensor></link>";
    let mut found = Diagnostics::new();
    let mut draft = parse_part(text, "part", &ResourceRoots::new(), &mut found).unwrap();
    draft.rename("upper_1");
    let arm = arm();
    let part = draft.placed_in(Surroundings::Model(&arm), None, &mut found);
    let Some(Part::Link(link)) = part else { panic!("{part:?}") };
    assert_eq!(link.sensors[0].link_from_sensor.position.x, 1.0);
}

#[test]
fn faults_stand_in_the_text_of_the_part() {
    let fault = |text: &str| placed(text, false, None).unwrap_err();
    let joint =
        "<joint name='n' type='fixed'>\n <parent>base</parent>\n <child>uper</child></joint>";
    assert!(fault(joint).starts_with("part:3:2: error[sdf-unknown-link]"), "{}", fault(joint));
    let link = "<link name='n'>\n\n<pose relative_to='nowhere'/></link>";
    assert!(fault(link).starts_with("part:3:"), "{}", fault(link));
    assert!(fault("<link name='a'/><link name='b'/>").contains("only one element"));
    assert!(fault("<sdf version='1.11'><world name='w'/></sdf>").contains("nothing to insert"));
    let frame = placed("<frame name='n' attached_to='upper'/>", true, None).unwrap_err();
    assert!(frame.contains("attached to \"upper\", and not to \"base\""), "{frame}");
}
