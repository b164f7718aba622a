//! Where things end up.

mod common;

use std::f64::consts::FRAC_PI_2;

use common::clean_world;
use retake_description::{Model, World};
use retake_math::{Pose, Vec3};

const QUARTER: &str = "1.5707963267948966";

/// Rounding of a handful of rotations.
const TOLERANCE: f64 = 1e-12;

fn assert_pose(found: Pose, xyz: [f64; 3], yaw: f64) {
    let expected = Pose::from_xyz_rpy(Vec3::from_array(xyz), Vec3::new(0.0, 0.0, yaw));
    assert!(
        found.position.distance(expected.position) < TOLERANCE,
        "{found:?} is not {expected:?}"
    );
    let same = found.rotation.dot(expected.rotation).abs();
    assert!((same - 1.0).abs() < TOLERANCE, "{found:?} is not {expected:?}");
}

fn model(version: &str, inside: &str) -> Model {
    let inside = inside.replace("QUARTER", QUARTER);
    let mut world: World = clean_world(version, &format!("<model name='m'>{inside}</model>"));
    world.models.pop().expect("there is one model")
}

#[test]
fn links_are_relative_to_what_they_name() {
    let m = model(
        "1.9",
        "<pose>5 0 0 0 0 0</pose>
         <link name='a'><pose>1 0 0 0 0 QUARTER</pose></link>
         <link name='b'><pose relative_to='a'>1 0 0 0 0 0</pose></link>
         <link name='c'><pose relative_to='j'>0 0 1 0 0 0</pose></link>
         <link name='d'><pose relative_to='__model__'>0 0 7 0 0 0</pose></link>
         <joint name='j' type='fixed'><parent>a</parent><child>b</child><pose>0 2 0 0 0 0</pose></joint>",
    );
    assert_pose(m.links[1].model_from_link, [1.0, 1.0, 0.0], FRAC_PI_2);
    assert_pose(m.links[2].model_from_link, [-1.0, 1.0, 1.0], FRAC_PI_2);
    assert_pose(m.links[3].model_from_link, [0.0, 0.0, 7.0], 0.0);
    assert_pose(m.joints[0].child_from_joint, [0.0, 2.0, 0.0], 0.0);
}

#[test]
fn shapes_and_inertia_follow_their_frames() {
    let m = model(
        "1.9",
        "<frame name='f'><pose>0 3 0 0 0 0</pose></frame>
         <link name='a'><pose>1 0 0 0 0 QUARTER</pose>
           <inertial><pose relative_to='f'>0 0 1 0 0 0</pose><mass>1</mass></inertial>
           <collision name='c'><pose relative_to='f'/><geometry><empty/></geometry></collision>
           <visual name='v'><pose>0 0 4 0 0 0</pose><geometry><empty/></geometry></visual>
           <light name='l' type='point'><pose relative_to='a'>0 0 5 0 0 0</pose></light></link>",
    );
    let link = &m.links[0];
    assert_pose(link.inertial.link_from_com, [3.0, 1.0, 1.0], -FRAC_PI_2);
    assert_pose(link.collisions[0].link_from_collision, [3.0, 1.0, 0.0], -FRAC_PI_2);
    assert_pose(link.visuals[0].link_from_visual, [0.0, 0.0, 4.0], 0.0);
    assert_pose(link.lights[0].parent_from_light, [0.0, 0.0, 5.0], 0.0);
}

#[test]
fn frames_attach_to_links_through_anything() {
    let m = model(
        "1.9",
        "<link name='a'><pose>1 0 0 0 0 0</pose></link>
         <model name='n'><pose>0 1 0 0 0 0</pose><link name='x'><pose>0 0 1 0 0 0</pose></link>
           <frame name='g' attached_to='x'/></model>
         <joint name='j' type='fixed'><parent>a</parent><child>n::x</child></joint>
         <frame name='own'/>
         <frame name='via' attached_to='own'/>
         <frame name='to_joint' attached_to='j'/>
         <frame name='to_model' attached_to='n'><pose>0 0 2 0 0 0</pose></frame>
         <frame name='to_inner' attached_to='n::g'><pose relative_to='a'/></frame>",
    );
    let attached: Vec<(&str, &str)> =
        m.frames.iter().map(|frame| (frame.name.as_str(), frame.attached_to.as_str())).collect();
    assert_eq!(
        attached,
        [
            ("own", ""),
            ("via", ""),
            ("to_joint", "n::x"),
            ("to_model", "n::x"),
            ("to_inner", "n::x")
        ]
    );
    assert_pose(m.frames[3].attached_from_frame, [0.0, 0.0, 1.0], 0.0);
    assert_pose(m.frames[4].attached_from_frame, [1.0, -1.0, -1.0], 0.0);
}

#[test]
fn joints_may_name_frames_and_models() {
    let m = model(
        "1.9",
        "<link name='a'/>
         <frame name='f' attached_to='a'><pose>0 0 1 0 0 QUARTER</pose></frame>
         <model name='n'><link name='x'><pose>0 2 0 0 0 0</pose></link></model>
         <joint name='j' type='revolute'><parent>n</parent><child>f</child>
           <axis><xyz>1 0 0</xyz></axis></joint>
         <joint name='k' type='universal'><parent>world</parent><child>a</child>
           <axis><xyz expressed_in='f'>1 0 0</xyz></axis>
           <axis2><xyz expressed_in='n::x'>0 0 3</xyz></axis2></joint>",
    );
    let j = &m.joints[0];
    assert_eq!((j.parent.as_str(), j.child.as_str()), ("n::x", "a"));
    assert_pose(j.child_from_joint, [0.0, 0.0, 1.0], FRAC_PI_2);
    assert_eq!(j.axes[0].xyz, Vec3::X);
    let k = &m.joints[1];
    assert_eq!((k.parent.as_str(), k.child.as_str()), ("world", "a"));
    assert!(k.axes[0].xyz.distance(Vec3::Y) < TOLERANCE);
    assert_eq!(k.axes[1].xyz, Vec3::Z);
}

#[test]
fn models_are_placed_by_the_frame_they_name() {
    let inside = "<frame name='shelf'><pose>0 0 1 0 0 0</pose></frame>
        <model name='m' placement_frame='n::x'><pose relative_to='shelf'>2 0 0 0 0 0</pose>
          <link name='l'/>
          <model name='n' placement_frame='x'><pose>0 0 3 0 0 0</pose>
            <link name='x'><pose>0 0 9 0 0 0</pose></link></model></model>
        <light name='lamp' type='point'><pose relative_to='m::l'>0 0 1 0 0 0</pose></light>
        <joint name='tie' type='fixed'><parent>world</parent><child>m::n::x</child></joint>";
    let world = clean_world("1.11", inside);
    let m = &world.models[0];
    assert_pose(m.models[0].parent_from_model, [0.0, 0.0, -6.0], 0.0);
    assert_pose(m.parent_from_model, [2.0, 0.0, -2.0], 0.0);
    assert_pose(world.lights[0].parent_from_light, [2.0, 0.0, -1.0], 0.0);
    assert_eq!(world.joints[0].child, "m::n::x");
}

#[test]
fn old_versions_keep_their_rules() {
    let axis = |version: &str, more: &str| {
        let m = model(
            version,
            &format!(
                "<link name='a'/><link name='b'><pose>0 0 0 0 0 QUARTER</pose></link>
                 <joint name='j' type='revolute'><parent>a</parent><child>b</child>
                 <axis><xyz>1 0 0</xyz>{more}</axis></joint>"
            ),
        );
        m.joints[0].axes[0].xyz
    };
    let in_model = Vec3::NEG_Y;
    for (version, more, expected) in [
        ("1.4", "", in_model),
        ("1.5", "", Vec3::X),
        ("1.6", "<use_parent_model_frame>true</use_parent_model_frame>", in_model),
        ("1.7", "", Vec3::X),
    ] {
        let found = axis(version, more);
        assert!(found.distance(expected) < TOLERANCE, "{version}: {found}");
    }
    let m = model(
        "1.6",
        "<link name='a'><pose>1 0 0 0 0 0</pose></link>
         <link name='b'><pose frame='a'>1 0 0 0 0 0</pose></link>",
    );
    assert_pose(m.links[1].model_from_link, [2.0, 0.0, 0.0], 0.0);
    let old = "<physics type='ode'><gravity>0 0 -1</gravity></physics>";
    assert_eq!(clean_world("1.5", old).gravity, Vec3::NEG_Z);
}

#[test]
fn poses_come_in_three_forms() {
    for pose in [
        format!("<pose>1 2 3 0 0 {QUARTER}</pose>"),
        "<pose degrees='true'>1 2 3 0 0 90</pose>".to_owned(),
        "<pose rotation_format='quat_xyzw'>1 2 3 0 0 1 1</pose>".to_owned(),
    ] {
        let m = model("1.9", &format!("<link name='l'>{pose}</link>"));
        assert_pose(m.links[0].model_from_link, [1.0, 2.0, 3.0], FRAC_PI_2);
    }
}

#[test]
fn inertia_can_be_computed() {
    let m = model(
        "1.11",
        "<link name='l'><inertial auto='true'><density>2</density></inertial>
         <collision name='a'><pose>0 0 0.5 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
         <collision name='b'><density>6</density><pose>0 0 1.5 0 0 0</pose>
           <geometry><box><size>1 1 1</size></box></geometry></collision></link>",
    );
    let inertial = m.links[0].inertial;
    assert!((inertial.mass_kg - 8.0).abs() < TOLERANCE);
    assert_pose(inertial.link_from_com, [0.0, 0.0, 1.25], 0.0);
    // Two cubes of 2 and 6 kg, 0.75 and 0.25 m from the common centre.
    let expected = 8.0 / 6.0 + 2.0 * 0.5625 + 6.0 * 0.0625;
    assert!((inertial.moments.x - expected).abs() < TOLERANCE, "{inertial:?}");
}
