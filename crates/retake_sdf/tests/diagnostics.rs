//! What the loader says, text included.

mod common;

use common::{RICH, read};
use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_description::Geometry;
use retake_diag::Diagnostics;
use retake_sdf::{Fragment, load_world_file, parse_fragment};

/// Compares everything said about a text, and whether it gave a world.
fn check(text: &str, expected: Expect) {
    let (world, said) = read(text);
    let result = if world.is_some() { "world" } else { "nothing" };
    expected.assert_eq(&format!("{said}{result}\n"));
}

/// The same, for the inside of a model.
fn check_model(inside: &str, expected: Expect) {
    check(
        &format!(
            "<sdf version='1.9'><world name='w'><model name='m'>\n{inside}\n</model></world></sdf>"
        ),
        expected,
    );
}

#[test]
fn a_good_world_needs_no_words() {
    check(RICH, expect![["world\n"]]);
}

#[test]
fn what_stands_beside_the_root_is_told() {
    let world = "<sdf version='1.9'><world name='w'/></sdf>";
    check(
        &format!("{world}\n{world}\n <!-- c -->\n"),
        expect![[r#"
            w.sdf:2:1: warning[sdf-several-roots]: there is another <sdf>, which is not read. Put it into a file of its own
            world
        "#]],
    );
    check(
        &format!("\u{feff}{world}\n  and &amp; <x/> more\n"),
        expect![[r#"
        w.sdf:2:3: warning[xml-stray-text]: text outside of all elements is not read. Take it out
        w.sdf:2:18: warning[xml-stray-text]: text outside of all elements is not read. Take it out
        w.sdf:2:13: warning[sdf-several-roots]: <x> outside of <sdf> is not read. Put it into a file of its own
        world
    "#]],
    );
    check(
        &format!("words {world}"),
        expect![[r#"
        w.sdf:1:1: warning[xml-stray-text]: text outside of all elements is not read. Take it out
        world
    "#]],
    );
    check(
        "<robot name='r'><link name='l'/></robot>\n<robot name='s'/>",
        expect![[r#"
        w.sdf:2:1: warning[sdf-several-roots]: there is another <robot>, which is not read. Put it into a file of its own
        w.sdf:1:17: warning[urdf-no-mass]: link "l" has no mass; it is left out. Give it an <inertial> with a mass
        w.sdf:1:1: note[sdf-lone-model]: the file holds no world; one is made for its model
        w.sdf:1:1: error[sdf-model-without-link]: model "r" has no link
        world
    "#]],
    );
}

#[test]
fn broken_xml_names_both_places() {
    check(
        "<sdf version='1.9'>\n <world name='ä'></wörld>\n</sdf>",
        expect![[r#"
            w.sdf:2:18: error[xml-mismatched-tag]: </wörld> does not match <world> at line 2, column 2
            nothing
        "#]],
    );
    check(
        "<sdf version='1.9'>\n  <world name='w'>\n    <model name='m'>",
        expect![[r#"
            w.sdf:3:5: error[xml-unclosed-tag]: <model> is never closed
            nothing
        "#]],
    );
    check(
        "<sdf version='1.9'><world name='w'",
        expect![[r#"
            w.sdf:1:20: error[xml-syntax]: syntax error: tag not closed: `>` not found before end of input
            nothing
        "#]],
    );
    check(
        "<sdf version=1.9><world name='w'/></sdf>",
        expect![[r#"
            w.sdf:1:14: error[xml-attribute]: an attribute is not written as name="value"
            nothing
        "#]],
    );
    check(
        "<sdf version='1.9'><world name='w' a='1' a='2'/></sdf>",
        expect![[r#"
            w.sdf:1:42: error[xml-attribute]: attribute "a" is written twice
            nothing
        "#]],
    );
    let many: String = (0..20).map(|number| format!(" a{number}='1'")).collect();
    check(
        &format!("<sdf version='1.9'><world{many} a7='2' name='w'/></sdf>"),
        expect![[r#"
            w.sdf:1:177: error[xml-attribute]: attribute "a7" is written twice
            nothing
        "#]],
    );
}

#[test]
fn lenient_as_tinyxml() {
    let text = "\u{feff}\n<?xml version='1.0'?><!-- a -- b --><?xml version='1.0'?><sdf version='1.9' xmlns:a='b'>\
        <world name='w'><plugin name='p' filename='f'><gz::x b:c='1'>a & b &unknown; <![CDATA[<raw>]]></gz::x>\
        </plugin></world></sdf></sdf>";
    check(
        text,
        expect![[r#"
            w.sdf:2:211: warning[xml-stray-tag]: </sdf> closes nothing
            world
        "#]],
    );
    let (world, _) = read(text);
    let body = &world.unwrap().plugins[0].body[0];
    assert_eq!((body.name.as_str(), body.text.as_str()), ("gz::x", "a & b &unknown; <raw>"));
    assert_eq!(body.attribute("b:c"), Some("1"));
}

#[test]
fn entities_are_never_expanded() {
    check(
        "<!DOCTYPE s [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><sdf version='1.9'><world name='&b;'/></sdf>",
        expect![[r#"
            w.sdf:1:11: error[xml-entity-declaration]: the file declares entities, which are not expanded
            nothing
        "#]],
    );
    check(
        "<!DOCTYPE sdf SYSTEM 'file:///etc/passwd'><sdf version='1.9'><world name='w'/></sdf>",
        expect![[r#"
            w.sdf:1:11: warning[xml-doctype]: the document type is ignored
            world
        "#]],
    );
}

#[test]
fn what_is_not_a_world() {
    check(
        "",
        expect![[r#"
        error[sdf-empty]: w.sdf is empty
        nothing
    "#]],
    );
    check(
        "just words",
        expect![[r#"
            w.sdf:1:1: warning[xml-stray-text]: text outside of all elements is not read. Take it out
            error[sdf-empty]: w.sdf is empty
            nothing
        "#]],
    );
    check(
        "<robot name='r'/>",
        expect![[r#"
            w.sdf:1:1: error[urdf-no-links]: the robot has no <link>
            nothing
        "#]],
    );
    check(
        "<html/>",
        expect![[r#"
        w.sdf:1:1: error[sdf-no-root]: the file starts with <html> and not with <sdf>
        nothing
    "#]],
    );
    check(
        "<sdf version='1.9'/>",
        expect![[r#"
        w.sdf:1:1: error[sdf-no-world]: w.sdf holds no world, model or light
        nothing
    "#]],
    );
    check(
        "<sdf><world name='w'/></sdf>",
        expect![[r#"
        w.sdf:1:1: error[sdf-missing-version]: <sdf> has no version that can be read; 1.11 is taken. Write <sdf version="1.11">
        world
    "#]],
    );
    check(
        "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>",
        expect![[r#"
        w.sdf:1:20: note[sdf-lone-model]: the file holds no world; one is made for its model
        world
    "#]],
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.sdf");
    std::fs::write(&bad, b"<sdf>\xff</sdf>").unwrap();
    let mut said = String::new();
    for path in [folder.path().join("none.sdf"), folder.path().to_owned(), bad] {
        let mut diagnostics = Diagnostics::new();
        assert!(load_world_file(&path, &ResourceRoots::new(), &mut diagnostics).is_none());
        said += &diagnostics.to_string().replace(&folder.path().display().to_string(), "DIR");
    }
    expect![[r#"
        error[sdf-no-such-file]: there is no file DIR/none.sdf
        error[sdf-no-such-file]: DIR is not a file. Name a world file
        error[sdf-not-utf8]: DIR/bad.sdf is not UTF-8 text: byte 5 does not belong there
    "#]]
    .assert_eq(&said);
}

#[test]
fn bad_values_are_named_and_replaced() {
    check_model(
        "<pose>1 2 nan 0 0 0</pose>\n<link name='l'>\n<gravity>yes</gravity>\n\
         <inertial><mass>-1</mass></inertial>\n\
         <collision name='c'><geometry><sphere><radius>-1</radius></sphere></geometry></collision>\n\
         <visual name='v'><geometry><box><size>1 2</size></box></geometry>\n\
         <material><diffuse>red</diffuse></material></visual>\n</link>",
        expect![[r#"
            w.sdf:2:1: error[sdf-bad-value]: <pose> is "1 2 nan 0 0 0". Write 6 finite numbers
            w.sdf:6:39: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/sphere/radius is "-1". It must be 1e-6 to 1e6 m
            w.sdf:5:11: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/mass is "-1". It must be 1e-9 to 1e12 kg
            w.sdf:7:33: error[sdf-bad-value]: <size> is "1 2". Write 3 finite numbers
            w.sdf:8:11: error[sdf-bad-value]: <diffuse> is "red". Write a colour: red, green, blue and perhaps alpha from 0 to 1
            w.sdf:4:1: error[sdf-bad-value]: <gravity> is "yes". Write true or false
            world
        "#]],
    );
}

#[test]
fn numbers_that_cannot_be_simulated_are_named_with_their_range() {
    check_model(
        "<pose>0 0 1e200 0 0 0</pose>\n<link name='l'><inertial><mass>1e308</mass>\n\
         <inertia><ixx>1e308</ixx><iyy>1e-300</iyy><ixy>-1e30</ixy></inertia></inertial>\n\
         <collision name='c'><geometry><box><size>1e300 .2 .2</size></box></geometry>\n\
         <surface><friction><ode><mu>-1</mu></ode></friction></surface></collision>\n\
         <visual name='v'><geometry><polyline><point>1e7 0</point></polyline></geometry></visual>\n\
         <velocity_decay><linear>-1</linear></velocity_decay></link>\n\
         <link name='k'/><joint name='j' type='revolute'><parent>l</parent><child>k</child><axis>\n\
         <dynamics><damping>1e300</damping>\n<spring_stiffness>1e300</spring_stiffness></dynamics>\n\
         <mimic joint='i'><multiplier>1e99</multiplier></mimic></axis></joint>",
        expect![[r#"
            w.sdf:2:1: error[sdf-out-of-range]: sdf/world[w]/model[m]/pose is "0 0 1e200 0 0 0". It must be -1e9 to 1e9 m
            w.sdf:5:36: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/box/size is "1e300 .2 .2". It must be 1e-6 to 1e6 m
            w.sdf:6:25: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/surface/friction/ode/mu is "-1". It must be 0 to 1e16
            w.sdf:3:26: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/mass is "1e308". It must be 1e-9 to 1e12 kg
            w.sdf:4:10: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/inertia/ixx is "1e308". It must be 1e-21 to 1e18 kg m²
            w.sdf:4:26: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/inertia/iyy is "1e-300". It must be 1e-21 to 1e18 kg m²
            w.sdf:4:43: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/inertia/ixy is "-1e30". It must be -1e18 to 1e18 kg m²
            w.sdf:7:38: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/visual[v]/geometry/polyline/point is "1e7 0". It must be -1e6 to 1e6 m
            w.sdf:8:17: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/velocity_decay/linear is "-1". It must be 0 to 1e9
            w.sdf:10:11: error[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/axis/dynamics/damping is "1e300". It must be 0 to 1e12
            w.sdf:11:1: error[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/axis/dynamics/spring_stiffness is "1e300". It must be 0 to 1e12
            w.sdf:12:18: error[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/axis/mimic/multiplier is "1e99". It must be -1e9 to 1e9
            world
        "#]],
    );
}

#[test]
fn steps_and_paces_must_be_possible() {
    let physics = |inside: &str| {
        format!(
            "<sdf version='1.9'><world name='w'><physics name='p'>\n{inside}</physics></world></sdf>"
        )
    };
    for (step, pace) in [("0.5", "1e-300"), ("1e9", "-1"), ("1e-12", "1001")] {
        let (world, said) = read(&physics(&format!(
            "<max_step_size>{step}</max_step_size>\n<real_time_factor>{pace}</real_time_factor>"
        )));
        let expected = format!(
            "w.sdf:2:1: error[sdf-out-of-range]: sdf/world[w]/physics[p]/max_step_size is {step:?}. \
             It must be 1e-9 to 0.1 s\n\
             w.sdf:3:1: error[sdf-out-of-range]: sdf/world[w]/physics[p]/real_time_factor is {pace:?}. \
             It must be 0, or from 0.001 to 1000\n"
        );
        assert_eq!(said, expected);
        let profile = &world.unwrap().profiles[0];
        assert_eq!((profile.max_step_size_secs, profile.real_time_factor), (0.001, 1.0));
    }
    check(
        &physics("<rapier>\n<substepz>9</substepz><substeps>2</substeps></rapier>"),
        expect![[r#"
            w.sdf:3:1: warning[sdf-unknown-setting]: <rapier> has no setting <substepz>; the profile cannot be used. Known: substeps, solver_iterations, contact_frequency_factor, contact_damping_ratio, friction_model, continuous_collision, sleeping
            world
        "#]],
    );
}

#[test]
fn names_that_look_like_something_else_are_left_out() {
    let long = "n".repeat(257);
    check_model(
        &format!(
            "<link name='a&#27;[31m'/>\n<link name='b\u{202e}'/>\n<link name='c::d'/>\n\
             <frame name='e/f'/>\n<frame name='{long}'/>\n<joint name='g\th' type='fixed'/>\n\
             <link name='l'>\n<collision name='::'/>\n<visual name='/'/>\n<light name='&#127;'/>\n\
             <sensor name='\u{2066}'/></link>\n<model name='x::y'/>"
        ),
        expect![[r#"
            w.sdf:2:7: error[sdf-bad-name]: <link> "a\u{1b}[31m" is left out: its name has U+001B, which changes how text is shown. Give it another name
            w.sdf:3:7: error[sdf-bad-name]: <link> "b\u{202e}" is left out: its name has U+202E, which changes how text is shown. Give it another name
            w.sdf:4:7: error[sdf-bad-name]: <link> "c::d" is left out: its name has "::", which is reserved for paths since SDF 1.8, and which libsdformat refuses as well. Give it another name
            w.sdf:9:12: error[sdf-bad-name]: <collision> "::" is left out: its name has "::", which is reserved for paths since SDF 1.8, and which libsdformat refuses as well. Give it another name
            w.sdf:10:1: warning[sdf-missing-geometry]: <visual> has no <geometry>
            w.sdf:11:8: error[sdf-bad-name]: <light> "\u{7f}" is left out: its name has U+007F, which changes how text is shown. Give it another name
            w.sdf:12:9: error[sdf-bad-name]: <sensor> "\u{2066}" is left out: its name has U+2066, which changes how text is shown. Give it another name
            w.sdf:13:8: error[sdf-bad-name]: <model> "x::y" is left out: its name has "::", which is reserved for paths since SDF 1.8, and which libsdformat refuses as well. Give it another name
            w.sdf:6:8: error[sdf-bad-name]: <frame> "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" is left out: its name has more than 256 characters. Give it another name
            w.sdf:7:8: error[sdf-bad-name]: <joint> "g\th" is left out: its name has U+0009, which changes how text is shown. Give it another name
            world
        "#]],
    );
    check(
        "<sdf version='1.9'><world name='a::b'>\n<physics name='p&#7;'/></world></sdf>",
        expect![[r#"
            w.sdf:1:27: error[sdf-bad-name]: <world> "a::b" gets another name: its name has "::", which is reserved for paths since SDF 1.8, and which libsdformat refuses as well. Give it another name
            w.sdf:2:10: error[sdf-bad-name]: <physics> "p\u{7}" is left out: its name has U+0007, which changes how text is shown. Give it another name
            world
        "#]],
    );
    let (world, said) = read(
        "<sdf version='1.7'><world name='w'><model name='m'><link name='a::b'/></model></world></sdf>",
    );
    assert_eq!(said, "");
    assert_eq!(world.unwrap().models[0].links[0].name, "a::b");
    check(
        "<sdf version='1.9'><world name='w'><a\u{1b}b/></world></sdf>",
        expect![[r#"
            w.sdf:1:36: error[xml-syntax]: a tag has a control character
            nothing
        "#]],
    );
}

#[test]
fn unknown_words_are_kept_and_said() {
    check_model(
        "<link name='l' colour='red'/>\n<frame name='f' atached_to='l'>\n<size/></frame>\n\
         <link name='k' colour='red'/>",
        expect![[r#"
            w.sdf:2:16: warning[sdf-unknown-attribute]: SDF has no attribute "colour" of <link>; it is kept and not used
            w.sdf:3:17: warning[sdf-unknown-attribute]: SDF has no attribute "atached_to" of <frame>; it is kept and not used. Did you mean "attached_to"?
            w.sdf:4:1: warning[sdf-unknown-element]: SDF has no <size> in <frame>; it is kept and not used
            world
        "#]],
    );
}

#[test]
fn unknown_elements_are_said_once_with_a_hint() {
    check_model(
        "<link name='l'>\n<colision name='c'/><colision name='d'/>\n<mystery/><a:b/>\n<battery name='b'/></link>",
        expect![[r#"
            w.sdf:3:1: warning[sdf-unknown-element]: SDF has no <colision> in <link>; it is kept and not used. Did you mean <collision>?
            w.sdf:4:1: warning[sdf-unknown-element]: SDF has no <mystery> in <link>; it is kept and not used
            world
        "#]],
    );
}

#[test]
fn names_must_be_there_and_differ() {
    check_model(
        "<link name='l'/>\n<link name='l'/>\n<link/>\n<link name='__x__'/>\n<pose/>\n<pose/>",
        expect![[r#"
            w.sdf:3:1: error[sdf-duplicate-name]: <link> "l" is left out: the name is in use at w.sdf:2:1. Give each a name of its own
            w.sdf:4:1: error[sdf-missing-name]: <link> has no name. Add a name attribute
            w.sdf:5:7: error[sdf-reserved-name]: the name "__x__" of <link> is reserved
            w.sdf:7:1: warning[sdf-repeated-element]: only the first <pose> is used
            world
        "#]],
    );
}

#[test]
fn joints_must_join_links() {
    check_model(
        "<link name='a'/><link name='b'/>\n\
         <joint name='j1' type='hinge'><parent>a</parent><child>b</child></joint>\n\
         <joint name='j2' type='fixed'><parent>a</parent></joint>\n\
         <joint name='j3' type='fixed'><parent>a</parent><child>bb</child></joint>\n\
         <joint name='j4' type='fixed'><parent>a</parent><child>a</child></joint>\n\
         <joint name='j5' type='fixed'><parent>a</parent><child>world</child></joint>\n\
         <joint name='j6' type='revolute'><parent>a</parent><child>b</child></joint>\n\
         <joint name='j7' type='revolute'><parent>a</parent><child>b</child>\n\
         <axis><xyz>0 0 0</xyz><limit><lower>2</lower><upper>1</upper></limit></axis></joint>",
        expect![[r#"
            w.sdf:3:18: error[sdf-unknown-joint-type]: a joint of type "hinge" is not known; it is left out. Known: fixed, revolute, continuous, prismatic, ball, universal, revolute2, screw, gearbox
            w.sdf:4:1: error[sdf-missing-link]: the joint names no child; it is left out. Add <child>name of a link</child>
            w.sdf:8:1: warning[sdf-missing-axis]: the joint has no <axis>; it turns about z now
            w.sdf:10:1: error[sdf-bad-value]: the axis has no direction; it points along z now
            w.sdf:10:23: error[sdf-bad-limits]: the lower limit 2 is above the upper limit 1; neither is used
            w.sdf:5:49: error[sdf-unknown-link]: no link "bb" in model "m"; joint "j3" is left out. Did you mean "b"?
            w.sdf:6:49: error[sdf-bad-joint]: parent and child of joint "j4" are one link; it is left out
            w.sdf:7:49: error[sdf-bad-joint]: the child of joint "j5" is the world; it is left out. Exchange parent and child
            world
        "#]],
    );
}

#[test]
fn screws_must_have_a_thread() {
    let thread = |tag: &str, value: &str| {
        let (world, said) = read(&format!(
            "<sdf version='1.9'><world name='w'><model name='m'><link name='a'/><link name='b'/>\
             <joint name='j' type='screw'><parent>a</parent><child>b</child>\
             <axis><xyz>1 0 0</xyz></axis>\n<{tag}>{value}</{tag}></joint></model></world></sdf>"
        ));
        format!("{said}{}\n", world.unwrap().models[0].joints[0].thread_pitch)
    };
    let mut all = String::new();
    for (tag, value) in [
        ("thread_pitch", "-5"),
        ("thread_pitch", "0"),
        ("thread_pitch", "1e-300"),
        ("screw_thread_pitch", "-0.5"),
        ("screw_thread_pitch", "0"),
    ] {
        all += &thread(tag, value);
    }
    expect![[r#"
        5
        w.sdf:2:1: warning[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/thread_pitch is "0"; it counts as 1 now. It must be 1e-9 to 1e9 radians for each metre, either way round
        -1
        w.sdf:2:1: warning[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/thread_pitch is "1e-300"; it counts as 1 now. It must be 1e-9 to 1e9 radians for each metre, either way round
        -1
        -12.566370614359172
        w.sdf:2:1: warning[sdf-out-of-range]: sdf/world[w]/model[m]/joint[j]/screw_thread_pitch is "0"; it counts as not written now. It must be 1e-8 m or more for each turn, either way round
        -1
    "#]]
    .assert_eq(&all);
}

#[test]
fn masses_must_be_of_a_body() {
    let inertia = |numbers: [&str; 6]| {
        let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        let written = names.iter().zip(numbers);
        let written: String = written.map(|(n, v)| format!("<{n}>{v}</{n}>")).collect();
        let (world, said) = read(&format!(
            "<sdf version='1.9'><world name='w'><model name='m'><link name='l'>\n\
             <inertial><inertia>{written}</inertia></inertial></link></model></world></sdf>"
        ));
        let inertial = world.unwrap().models[0].links[0].inertial;
        format!("{said}{} {}\n", inertial.moments, inertial.products)
    };
    let mut all = String::new();
    for numbers in [
        ["1", "1", "1", "0.1", "0", "0"],
        ["1", "1", "1", "5", "5", "5"],
        ["1", "1", "1", "1", "0", "0"],
        ["1", "1", "9", "0.1", "0", "0"],
        ["-1", "1", "1", "0.1", "0", "0"],
    ] {
        all += &inertia(numbers);
    }
    expect![[r#"
        [1, 1, 1] [0.1, 0, 0]
        w.sdf:2:1: error[sdf-bad-inertia]: no body has these products of inertia: the matrix is not positive definite; they are left out
        [1, 1, 1] [0, 0, 0]
        w.sdf:2:1: error[sdf-bad-inertia]: no body has these products of inertia: the matrix is not positive definite; they are left out
        [1, 1, 1] [0, 0, 0]
        w.sdf:2:1: error[sdf-bad-inertia]: no real body has these moments of inertia: one is more than the other two
        [1, 1, 9] [0.1, 0, 0]
        w.sdf:2:20: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/inertial/inertia/ixx is "-1". It must be 1e-21 to 1e18 kg m²
        [1, 1, 1] [0.1, 0, 0]
    "#]]
    .assert_eq(&all);
}

#[test]
fn terrain_and_meshes_must_have_a_size() {
    let shape = |inside: &str| {
        let (world, said) = read(&format!(
            "<sdf version='1.9'><world name='w'><model name='m'><link name='l'>\
             <collision name='c'><geometry>\n{inside}</geometry></collision>\
             </link></model></world></sdf>"
        ));
        let geometry = &world.unwrap().models[0].links[0].collisions[0].geometry;
        let size = match geometry {
            Geometry::Heightmap { size, .. } => size.to_string(),
            Geometry::Mesh { scale, .. } => scale.to_string(),
            other => format!("{other:?}"),
        };
        format!("{said}{size}\n")
    };
    let mut all = String::new();
    for size in ["9 9 -2", "9 9 0", "0 0 0", "-1 -1 -1", "1 1 1e9"] {
        all += &shape(&format!("<heightmap><size>{size}</size></heightmap>"));
    }
    for scale in ["-1 0.001 1", "0 0 0", "1 1 0", "1e-300 1e-300 1e-300", "1 1 1e7"] {
        all += &shape(&format!("<mesh><scale>{scale}</scale></mesh>"));
    }
    // That they name no file is another matter.
    let all: String = all
        .lines()
        .filter(|line| !line.contains("sdf-missing-uri"))
        .map(|l| format!("{l}\n"))
        .collect();
    expect![[r#"
        [9, 9, -2]
        [9, 9, 0]
        w.sdf:2:12: warning[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/heightmap/size is "0 0 0"; it counts as 1 1 1 now. It must be 1e-6 to 1e6 m along x and y
        [1, 1, 1]
        w.sdf:2:12: warning[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/heightmap/size is "-1 -1 -1"; it counts as 1 1 1 now. It must be 1e-6 to 1e6 m along x and y
        [1, 1, 1]
        w.sdf:2:12: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/heightmap/size is "1 1 1e9". It must be -1e6 to 1e6 m
        [1, 1, 1]
        [-1, 0.001, 1]
        w.sdf:2:7: warning[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/mesh/scale is "0 0 0"; it counts as 1 1 1 now. It must be 1e-12 to 1e6 along each axis, negative to mirror
        [1, 1, 1]
        w.sdf:2:7: warning[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/mesh/scale is "1 1 0"; it counts as 1 1 1 now. It must be 1e-12 to 1e6 along each axis, negative to mirror
        [1, 1, 1]
        w.sdf:2:7: warning[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/mesh/scale is "1e-300 1e-300 1e-300"; it counts as 1 1 1 now. It must be 1e-12 to 1e6 along each axis, negative to mirror
        [1, 1, 1]
        w.sdf:2:7: error[sdf-out-of-range]: sdf/world[w]/model[m]/link[l]/collision[c]/geometry/mesh/scale is "1 1 1e7". It must be -1e6 to 1e6
        [1, 1, 1]
    "#]]
    .assert_eq(&all);
}

#[test]
fn frames_must_exist_and_end() {
    check_model(
        "<link name='a'><pose relative_to='aa'/></link>\n\
         <frame name='f'><pose relative_to='g'/></frame>\n\
         <frame name='g'><pose relative_to='f'/></frame>\n\
         <frame name='h' attached_to='i'/>\n<frame name='i' attached_to='h'/>\n\
         <model name='n'/>",
        expect![[r#"
            w.sdf:2:22: error[sdf-unknown-frame]: no frame "aa" in model "m". Did you mean "a"?
            w.sdf:3:23: error[sdf-frame-cycle]: poses go round in a circle: f → g → f. Make one of them relative to something else
            w.sdf:5:17: error[sdf-frame-cycle]: poses go round in a circle: h → i → h. Make one of them relative to something else
            w.sdf:5:1: error[sdf-frame-cycle]: frame "h" is attached to nothing that has a link
            w.sdf:6:1: error[sdf-frame-cycle]: frame "i" is attached to nothing that has a link
            w.sdf:7:1: error[sdf-model-without-link]: model "n" has no link
            world
        "#]],
    );
}

#[test]
fn physics_profiles_follow_the_rules() {
    let profiles = |inside: &str| {
        let (world, said) =
            read(&format!("<sdf version='1.9'>\n<world name='w'>{inside}</world></sdf>"));
        let world = world.unwrap();
        let names: Vec<&str> = world.profiles.iter().map(|p| p.name.as_str()).collect();
        let current = &world.default_profile().unwrap().name;
        format!("{said}{} starts with {current}\n", names.join(" "))
    };
    let mut all = String::new();
    for inside in [
        "",
        "<physics name='a'/><physics name='b'/>",
        "<physics name='a'/><physics name='b' default='1'/>",
        "<physics name='a'/><physics/><physics name='default_physics'/>",
        "<physics name='a' default='true'/><physics name='b' default='true'/><physics name='c' default='true'/>",
        "\n<physics name='a'/>\n<physics name='a'/>",
        "<physics name='a'><max_step_size>0</max_step_size></physics>",
    ] {
        all += &profiles(inside);
    }
    expect![[r#"
        default_physics starts with default_physics
        a b starts with a
        a b starts with b
        a default_physics_2 default_physics starts with default_physics_2
        w.sdf:2:17: warning[sdf-several-default-profiles]: more than one physics profile is marked as default: "a" is used, not "b", "c"
        a b c starts with a
        w.sdf:4:1: error[sdf-duplicate-profile]: there is already a physics profile "a" at w.sdf:3:1; this one is left out. Give each profile a name of its own
        a starts with a
        w.sdf:2:35: error[sdf-out-of-range]: sdf/world[w]/physics[a]/max_step_size is "0". It must be 1e-9 to 0.1 s
        a starts with a
    "#]]
    .assert_eq(&all);
}

#[test]
fn fragments_are_models_or_lights() {
    let read = |text: &str| {
        let mut diagnostics = Diagnostics::new();
        let found = parse_fragment(text, "f", &ResourceRoots::new(), &mut diagnostics);
        let found = match found {
            Some(Fragment::Model(model)) => format!("model {}", model.name),
            Some(Fragment::Light(light)) => format!("light {}", light.name),
            None => "nothing".to_owned(),
        };
        format!("{diagnostics}{found}\n")
    };
    let mut all = String::new();
    for text in [
        "<model name='m'><link name='l'/></model>",
        "<sdf version='1.6'><light name='l' type='spot'/></sdf>",
        "<sdf version='1.6'><world name='w'/></sdf>",
        "<model name='m'><pose relative_to='x'/><link name='l'/></model>",
        "<model name='m'><link name='l'><inertial><mass>1e308</mass></inertial></link></model>",
        "<model",
    ] {
        all += &read(text);
    }
    expect![[r#"
        model m
        light l
        f:1:1: error[sdf-no-fragment]: there is neither a <model> nor a <light> to insert
        nothing
        f:1:23: error[sdf-unknown-frame]: no frame "x" in the world. Name a link, joint, frame or model beside it
        model m
        f:1:42: error[sdf-out-of-range]: model[m]/link[l]/inertial/mass is "1e308". It must be 1e-9 to 1e12 kg
        model m
        f:1:1: error[xml-syntax]: syntax error: tag not closed: `>` not found before end of input
        nothing
    "#]]
    .assert_eq(&all);
}
