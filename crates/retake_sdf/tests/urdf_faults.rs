//! Broken, hostile and unexpanded URDF files: errors with their place, no panic, bounded.
#![allow(missing_docs)]

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::{parse_fragment, parse_world, print_world};

/// Checks what is said of a text, and whether it loads.
fn check(text: &str, expected: &Expect) {
    let mut found = Diagnostics::new();
    let fragment = parse_fragment(text, "r.urdf", &ResourceRoots::new(), &mut found);
    let loaded = if fragment.is_some() { "loaded" } else { "not loaded" };
    expected.assert_eq(&format!("{found}{loaded}"));
}

/// Checks what is said of the inside of a robot.
fn check_inside(inside: &str, expected: &Expect) {
    check(&format!("<robot name=\"r\">\n{inside}\n</robot>"), expected);
}

const MASS: &str = "<inertial><mass value=\"1\"/>\
    <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";

fn link(name: &str) -> String {
    format!("<link name=\"{name}\">{MASS}</link>\n")
}

fn joint(name: &str, kind: &str, (parent, child): (&str, &str)) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\">\n  <parent link=\"{parent}\"/>\n  \
         <child link=\"{child}\"/>\n</joint>\n"
    )
}

#[test]
fn a_robot_needs_a_name_a_known_version_and_a_link() {
    check(
        "<robot><link name=\"a\"/></robot>",
        &expect![[r#"
        r.urdf:1:1: error[urdf-missing-name]: the robot has no name. Write <robot name="…">
        not loaded"#]],
    );
    check(
        "<robot name=\"r\" version=\"3.0\"><link name=\"a\"/></robot>",
        &expect![[r#"
        r.urdf:1:17: error[urdf-version]: URDF has no version "3.0". Known: 1.0, 1.1, 1.2
        not loaded"#]],
    );
    check(
        "<robot name=\"r\"/>",
        &expect![[r#"
        r.urdf:1:1: error[urdf-no-links]: the robot has no <link>
        not loaded"#]],
    );
}

#[test]
fn names_are_there_and_different() {
    check_inside(
        &format!("{}{}<link/>", link("a"), link("a")),
        &expect![[r#"
        r.urdf:4:1: error[urdf-missing-name]: <link> has no name
        r.urdf:3:1: error[urdf-duplicate-name]: there are two <link> called "a"; the other is at r.urdf:2:1
        not loaded"#]],
    );
    let twice =
        [link("a"), link("b"), joint("j", "fixed", ("a", "b")), joint("j", "fixed", ("a", "b"))];
    check_inside(
        &twice.concat(),
        &expect![[r#"
        r.urdf:8:1: error[urdf-duplicate-name]: there are two <joint> called "j"; the other is at r.urdf:4:1
        not loaded"#]],
    );
    let materials = "<material name=\"m\"/><material name=\"m\"/>";
    check_inside(
        &format!("{materials}{}", link("a")),
        &expect![[r#"
        r.urdf:2:21: error[urdf-duplicate-name]: there are two materials called "m"
        not loaded"#]],
    );
    check_inside(
        &link(&"x".repeat(300)),
        &expect![[r#"
            r.urdf:2:7: error[urdf-bad-name]: the name of <link> has more than 256 characters
            not loaded"#]],
    );
}

#[test]
fn joints_name_links_that_are_there() {
    let parts = [link("base"), link("wheel"), joint("j", "continuous", ("bsae", "wheel"))];
    check_inside(
        &parts.concat(),
        &expect![[r#"
        r.urdf:5:3: error[urdf-unknown-link]: there is no link "bsae"
        not loaded"#]],
    );
    check_inside(
        &format!("{}<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>", link("a")),
        &expect![[r#"
            r.urdf:3:1: error[urdf-bad-joint]: joint "j" cannot be read: it has no <child link="…"/>
            not loaded"#]],
    );
}

#[test]
fn links_form_one_tree() {
    check_inside(
        &[link("a"), link("b")].concat(),
        &expect![[r#"
        r.urdf:3:1: error[urdf-two-roots]: links "a" and "b" hang on no joint; a robot has one such link. Join them, or put them into files of their own
        not loaded"#]],
    );
    let circle = [
        link("a"),
        link("b"),
        joint("j1", "continuous", ("a", "b")),
        joint("j2", "continuous", ("b", "a")),
    ];
    check_inside(
        &circle.concat(),
        &expect![[r#"
        r.urdf:1:1: error[urdf-cycle]: no link hangs on no other: the joints go round in a circle
        not loaded"#]],
    );
    check_inside(
        &[link("root"), circle.concat()].concat(),
        &expect![[r#"
        r.urdf:3:1: error[urdf-cycle]: link "a" hangs on itself by a circle of joints. It is left out; break the circle
        r.urdf:4:1: error[urdf-cycle]: link "b" hangs on itself by a circle of joints. It is left out; break the circle
        loaded"#]],
    );
    let self_held = [link("a"), joint("j", "continuous", ("a", "a"))];
    check_inside(
        &self_held.concat(),
        &expect![[r#"
        r.urdf:1:1: error[urdf-cycle]: no link hangs on no other: the joints go round in a circle
        not loaded"#]],
    );
    let two_parents = [
        link("a"),
        link("b"),
        link("c"),
        joint("j1", "continuous", ("a", "b")),
        joint("j2", "continuous", ("a", "c")),
        joint("j3", "continuous", ("b", "c")),
    ];
    check_inside(
        &two_parents.concat(),
        &expect![[r#"
        r.urdf:13:1: error[urdf-two-parents]: link "c" hangs on two joints; only "j3" counts
        loaded"#]],
    );
    let world_inside = [link("a"), link("world"), joint("j", "continuous", ("a", "world"))];
    check_inside(
        &world_inside.concat(),
        &expect![[r#"
        r.urdf:3:1: error[urdf-reserved-name]: link "world" stands for the world and cannot hang on another link
        not loaded"#]],
    );
}

/// Two links with a joint between them that has `more` in its second line.
fn with(kind: &str, more: &str) -> String {
    let ends = "<parent link=\"a\"/><child link=\"b\"/>";
    let (a, b) = (link("a"), link("b"));
    format!("{a}{b}<joint name=\"j\" type=\"{kind}\">{ends}\n{more}</joint>")
}

#[test]
fn joints_need_a_known_type_and_readable_numbers() {
    check_inside(
        &with("revolut", ""),
        &expect![[r#"
        r.urdf:4:17: error[urdf-unknown-joint-type]: URDF has no joint of type "revolut", which "j" is. Did you mean "revolute"?
        not loaded"#]],
    );
    check_inside(
        &with("revolute", ""),
        &expect![[r#"
        r.urdf:4:1: error[urdf-bad-joint]: joint "j" cannot be read: a joint that slides or is revolute needs a <limit>
        not loaded"#]],
    );
    check_inside(
        &with("revolute", "<limit lower=\"nan\" effort=\"1\" velocity=\"1\"/>"),
        &expect![[r#"
            r.urdf:5:8: error[urdf-bad-joint]: joint "j" cannot be read: lower="nan" of <limit> is not a finite number
            not loaded"#]],
    );
    check_inside(
        &with("prismatic", "<limit effort=\"1\"/>"),
        &expect![[r#"
        r.urdf:5:1: error[urdf-bad-joint]: joint "j" cannot be read: <limit> has no velocity
        not loaded"#]],
    );
    check_inside(
        &with("continuous", "<origin xyz=\"0 0 inf\"/>"),
        &expect![[r#"
        r.urdf:5:9: error[urdf-bad-joint]: joint "j" cannot be read: xyz="0 0 inf" of <origin> is not three finite numbers
        not loaded"#]],
    );
    check_inside(
        &with("continuous", "<axis xyz=\"1 0\"/>"),
        &expect![[r#"
        r.urdf:5:7: error[urdf-bad-joint]: joint "j" cannot be read: xyz="1 0" of <axis> is not three finite numbers
        not loaded"#]],
    );
    check_inside(
        &with("continuous", "<dynamics/>"),
        &expect![[r#"
        r.urdf:5:1: error[urdf-bad-joint]: joint "j" cannot be read: <dynamics> has neither damping nor friction
        not loaded"#]],
    );
    check_inside(
        &with("continuous", "<mimic/>"),
        &expect![[r#"
        r.urdf:5:1: error[urdf-bad-joint]: joint "j" cannot be read: <mimic> names no joint
        not loaded"#]],
    );
    check_inside(
        &with("continuous", "<safety_controller/>"),
        &expect![[r#"
        r.urdf:5:1: error[urdf-bad-joint]: joint "j" cannot be read: <safety_controller> has no k_velocity
        not loaded"#]],
    );
}

#[test]
fn joints_that_sdf_does_not_have_are_said() {
    check_inside(
        &with("floating", ""),
        &expect![[r#"
        r.urdf:4:17: error[urdf-joint-type]: joint "j" is of a type that SDF does not have; nothing holds link "b". Use a fixed, revolute, continuous or prismatic joint
        loaded"#]],
    );
    check_inside(
        &with("planar", ""),
        &expect![[r#"
        r.urdf:4:17: error[urdf-joint-type]: joint "j" is of a type that SDF does not have; nothing holds link "b". Use a fixed, revolute, continuous or prismatic joint
        loaded"#]],
    );
}

#[test]
fn faults_in_extensions_have_a_place() {
    let inside = format!(
        "{}<gazebo reference=\"b\"/>\n<gazebo reference=\"a\">\n <mu1>much</mu1>\n <bananas/></gazebo>",
        link("a")
    );
    check_inside(
        &inside,
        &expect![[r#"
        r.urdf:5:2: error[urdf-bad-number]: <mu1> is "much", which is not a number
        r.urdf:3:9: warning[urdf-unknown-reference]: there is no link or joint "b"; it is left out
        r.urdf:6:2: warning[sdf-unknown-element]: SDF has no <bananas> in <link>; it is kept and not used
        loaded"#]],
    );
    // What is found later, by the reader of SDF, has its place in the URDF file too.
    let inside = "<link name=\"a\">\n <inertial><mass value=\"-5\"/>\n\
        <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>";
    check_inside(
        inside,
        &expect![[r#"
        r.urdf:3:2: error[sdf-out-of-range]: sdf/model[r]/link[a]/inertial/mass is "-5.0". It must be 1e-9 to 1e12 kg
        loaded"#]],
    );
}

#[test]
fn xacro_files_say_how_to_expand_them() {
    let text = |inside: &str| {
        format!(
            "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n{inside}</robot>"
        )
    };
    check(
        &text("<xacro:include filename=\"arm.xacro\"/><xacro:arm/>"),
        &expect![[r#"
        r.urdf:2:1: error[urdf-xacro]: r.urdf has xacro macros, which are not expanded here. Expand it first: xacro r.urdf > expanded.urdf
        not loaded"#]],
    );
    check(
        &text("<link name=\"${prefix}base\"/>"),
        &expect![[r#"
        r.urdf:2:1: error[urdf-xacro]: r.urdf has xacro macros, which are not expanded here. Expand it first: xacro r.urdf > expanded.urdf
        not loaded"#]],
    );
    // The name space alone is no macro.
    check(&text(&link("base")), &expect!["loaded"]);
}

fn chain(length: usize, kind: &str) -> String {
    let mut text = "<robot name=\"chain\">".to_owned();
    for index in 0..=length {
        text.push_str(&link(&format!("l{index}")));
    }
    for index in 0..length {
        let ends = (format!("l{index}"), format!("l{}", index + 1));
        text.push_str(&joint(&format!("j{index}"), kind, (&ends.0, &ends.1)));
    }
    text + "</robot>"
}

fn world_of(text: &str) -> (Option<retake_description::World>, Diagnostics) {
    let mut found = Diagnostics::new();
    let world = parse_world(text, "r.urdf", &ResourceRoots::new(), &mut found);
    (world, found)
}

#[test]
fn deep_chains_are_bounded() {
    let (world, found) = world_of(&chain(10_000, "continuous"));
    assert!(!found.has_errors(), "{found}");
    assert_eq!(world.unwrap().models[0].links.len(), 10_001);
    let (world, found) = world_of(&chain(10_000, "fixed"));
    assert!(world.is_none());
    expect![[r#"
        r.urdf:258:1: error[urdf-too-deep]: more than 256 fixed joints in a row. Join the links that do not move against one another
    "#]].assert_eq(&found.to_string());
    let (world, _) = world_of(&chain(200, "fixed"));
    let link = &world.unwrap().models[0].links[0];
    assert_eq!(link.inertial.mass_kg, 201.0);
}

#[test]
fn extensions_cannot_be_multiplied_without_bound() {
    let count = 2_000;
    let mut text = format!("<robot name=\"bomb\"><link name=\"a\">{MASS}");
    for _ in 0..count {
        text.push_str("<collision><geometry><sphere radius=\"1\"/></geometry></collision>");
    }
    text.push_str("</link>");
    for _ in 0..count {
        text.push_str("<gazebo reference=\"a\"><collision><x/></collision></gazebo>");
    }
    let (world, found) = world_of(&(text + "</robot>"));
    assert!(world.is_none());
    expect![[r#"
        r.urdf:1:1: error[urdf-too-large]: the <gazebo> elements make too much of the shapes they refer to
    "#]].assert_eq(&found.to_string());
}

#[test]
fn many_values_for_one_link_take_no_longer_than_few() {
    let count = 20_000;
    let sphere = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let values = "<gazebo reference=\"a\"><selfCollide>1</selfCollide><b/></gazebo>\
        <gazebo><static>1</static><b/></gazebo>";
    let text = format!(
        "<robot name=\"r\"><link name=\"a\">{MASS}{}</link>{}</robot>",
        sphere.repeat(3),
        values.repeat(count)
    );
    let (world, found) = world_of(&text);
    assert!(!found.has_errors(), "{found}");
    let model = &world.unwrap().models[0];
    assert!(model.is_static && model.links[0].self_collide);
    assert_eq!((model.extras.len(), model.links[0].extras.len()), (count, count));
}

/// A robot of random parts, most of them almost right.
fn any_robot() -> impl Strategy<Value = String> {
    let name =
        || prop_oneof![8 => "[a-e]", 1 => Just("world".to_owned()), 1 => Just(String::new())];
    let number = || {
        prop_oneof![
            8 => (-3.0..3.0f64).prop_map(|value| value.to_string()),
            1 => Just("0".to_owned()),
            1 => Just("1e308".to_owned()),
            1 => prop_oneof![Just("nan"), Just("inf"), Just("x"), Just("")].prop_map(str::to_owned),
        ]
    };
    let vector =
        move || (number(), number(), number()).prop_map(|(x, y, z)| format!("{x} {y} {z}"));
    let origin = move || {
        (vector(), vector()).prop_map(|(xyz, rpy)| format!("<origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>"))
    };
    let shape = move || {
        (prop_oneof![Just("visual"), Just("collision")], origin(), vector(), name()).prop_map(
            |(tag, origin, size, name)| {
                format!("<{tag} name=\"{name}\">{origin}<geometry><box size=\"{size}\"/></geometry></{tag}>")
            },
        )
    };
    let link = (name(), origin(), number(), prop::collection::vec(shape(), 0..3)).prop_map(
        |(name, origin, kg, shapes)| {
            let inertia = "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>";
            let shapes = shapes.concat();
            format!(
                "<link name=\"{name}\"><inertial>{origin}<mass value=\"{kg}\"/>{inertia}</inertial>{shapes}</link>"
            )
        },
    );
    let kinds =
        ["fixed", "fixed", "continuous", "revolute", "prismatic", "floating", "planar", "?"];
    let joint = ("[j-n]", prop::sample::select(kinds.to_vec()), name(), name(), origin(), vector())
        .prop_map(|(joint, kind, parent, child, origin, axis)| {
            format!(
                "<joint name=\"{joint}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
                 {origin}<axis xyz=\"{axis}\"/><limit effort=\"1\" velocity=\"1\"/></joint>"
            )
        });
    let extension = (name(), prop::sample::select(EXTENSIONS.to_vec()), number()).prop_map(
        |(reference, tag, value)| {
            format!("<gazebo reference=\"{reference}\"><{tag}>{value}</{tag}></gazebo>")
        },
    );
    let part = prop_oneof![5 => link, 4 => joint, 1 => extension];
    prop::collection::vec(part, 0..12)
        .prop_map(|parts| format!("<robot name=\"r\">{}</robot>", parts.concat()))
}

const EXTENSIONS: [&str; 8] =
    ["mu1", "kp", "static", "preserveFixedJoint", "maxContacts", "sensor", "plugin", "pose"];

/// A tree of links with mass, each on one before it, half of the joints fixed.
fn any_tree() -> impl Strategy<Value = String> {
    let part = (any::<prop::sample::Index>(), any::<bool>(), prop::array::uniform6(-2.0..2.0f64));
    prop::collection::vec(part, 1..12).prop_map(|parts| {
        let mut text = format!("<robot name=\"r\">{}", link("l0"));
        for (index, (parent, fixed, [x, y, z, roll, pitch, yaw])) in parts.iter().enumerate() {
            let kind = if *fixed { "fixed" } else { "continuous" };
            let (parent, child) = (parent.index(index + 1), index + 1);
            text.push_str(&link(&format!("l{child}")));
            text.push_str(&format!(
                "<joint name=\"j{child}\" type=\"{kind}\"><parent link=\"l{parent}\"/><child link=\"l{child}\"/>\
                 <origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/></joint>"
));
        }
        text + "</robot>"
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_robot_loads_or_says_why_not(text in any_robot()) {
        let (world, found) = world_of(&text);
        prop_assert!(world.is_some() || found.has_errors(), "{text}");
        for item in found.items() {
            prop_assert!(item.place.is_some(), "{item}");
        }
    }

    #[test]
    fn cut_or_flipped_robots_do_not_panic(
        text in any_robot(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        world_of(&String::from_utf8_lossy(&bytes));
        world_of(&String::from_utf8_lossy(&bytes[..at]));
    }

    #[test]
    fn lumping_keeps_mass_and_every_tree_prints_and_reads_back(text in any_tree()) {
        let (world, found) = world_of(&text);
        prop_assert!(!found.has_errors(), "{found}");
        let world = world.unwrap();
        let kg: f64 = world.models[0].links.iter().map(|link| link.inertial.mass_kg).sum();
        prop_assert!((kg - text.matches("<link ").count() as f64).abs() < 1e-9);
        let (again, found) = world_of(&print_world(&world));
        prop_assert!(!found.has_errors(), "{found}");
        prop_assert_eq!(again.unwrap(), world);
    }
}
