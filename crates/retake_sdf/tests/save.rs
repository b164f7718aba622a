//! Saving changes what differs and nothing else.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;

use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_description::{Element, Light, Model, PhysicsProfile, World};
use retake_diag::Diagnostics;
use retake_math::{Pose, Quat, Vec3};
use retake_sdf::save::{Original, Patched, patched};
use retake_sdf::{Fragment, load_world_file, parse_fragment, parse_world};

/// A world as a person would write it.
const WORLD: &str = r#"<?xml version="1.0"?>
<!-- A yard -->
<sdf version="1.9">
  <world name="yard">
    <!-- Earth -->
    <gravity>0 0 -9.80</gravity>

    <physics name="fast" type="ode">   <!-- quick -->
      <max_step_size>0.002</max_step_size>
    </physics>

    <!-- Boxes -->
    <model name="a"> <!-- first -->
      <pose>1.0 2.0 0.50 0 0 0.10</pose>
      <link name="l">
        <collision name="c"><geometry><box><size>1.0 1.0 1.0</size></box></geometry></collision>
      </link>
    </model>
    <model name="b">
      <pose relative_to="a">0 0 1 0 0 0</pose>
      <link name="l"/>
    </model>

    <!-- The last one -->
    <model name='c'><link name='l'/></model>
    <frame name="f" attached_to="a"/>
  </world>
</sdf>
"#;

fn read(text: &str) -> World {
    parse_world(text, "w.sdf", &ResourceRoots::new(), &mut Diagnostics::new()).unwrap()
}

fn save(text: &str, after: &World) -> Patched {
    let roots = ResourceRoots::new();
    patched(&Original { text, path: Path::new(""), roots: &roots }, after)
}

/// Edits the world of a text and shows which lines of it change.
fn check_text(text: &str, edit: impl FnOnce(&mut World), expected: Expect) {
    let mut after = read(text);
    edit(&mut after);
    let saved = save(text, &after);
    assert!(saved.is_exact);
    assert_eq!(read(&saved.text), after);
    let mut shown: String =
        saved.changes.iter().map(|change| format!("{} {}\n", change.path, change.kind)).collect();
    shown.extend(saved.reprinted.map(|reason| format!("printed anew: {reason}\n")));
    if saved.reprinted.is_none() {
        shown.push_str(&changed_lines(text, &saved.text));
    }
    expected.assert_eq(&shown);
}

fn check(edit: impl FnOnce(&mut World), expected: Expect) {
    check_text(WORLD, edit, expected);
}

/// Shows lines that are only in one of two texts, by their longest common rest.
fn changed_lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut length = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            length[i][j] = match a == b {
                true => length[i + 1][j + 1] + 1,
                false => length[i + 1][j].max(length[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut shown) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && length[i + 1][j] >= length[i][j + 1]) {
            shown.push_str(&format!("-{}\n", old[i]));
            i += 1;
        } else {
            shown.push_str(&format!("+{}\n", new[j]));
            j += 1;
        }
    }
    shown
}

fn model(text: &str) -> Model {
    let roots = ResourceRoots::new();
    match parse_fragment(text, "m.sdf", &roots, &mut Diagnostics::new()).unwrap() {
        Fragment::Model(model) => model,
        Fragment::Light(_) => panic!("it is a light"),
    }
}

#[test]
fn what_is_not_edited_stays_byte_for_byte() {
    for text in [WORLD, common::RICH] {
        let saved = save(text, &read(text));
        assert_eq!(saved.text, text);
        assert_eq!(saved.changes, []);
    }
}

#[test]
fn a_move_changes_the_numbers_that_differ() {
    check(
        |world| world.models[0].parent_from_model.position.y = 7.25,
        expect![[r#"
        model[a]/pose edited
        model[b]/pose edited
        -      <pose>1.0 2.0 0.50 0 0 0.10</pose>
        +      <pose>1.0 7.25 0.50 0 0 0.10</pose>
        -      <pose relative_to="a">0 0 1 0 0 0</pose>
        +      <pose>1 2 1.5 0 0 0.1</pose>
    "#]],
    );
}

#[test]
fn a_turn_is_written_exactly() {
    check(
        |world| world.models[0].parent_from_model.rotation = Quat::from_rotation_x(0.3),
        expect![[r#"
            model[a]/pose edited
            model[b]/pose edited
            -      <pose>1.0 2.0 0.50 0 0 0.10</pose>
            +      <pose>1.0 2.0 0.50 0.3 0 0</pose>
            -      <pose relative_to="a">0 0 1 0 0 0</pose>
            +      <pose>1 2 1.5 0 0 0.1</pose>
        "#]],
    );
}

#[test]
fn what_was_relative_to_another_stays_where_it_should() {
    check(
        |world| world.models[1].parent_from_model = Pose::IDENTITY,
        expect![[r#"
        model[b]/pose edited
        -      <pose relative_to="a">0 0 1 0 0 0</pose>
        +      <pose>0 0 0 0 0 0</pose>
    "#]],
    );
}

#[test]
fn defaults_that_change_are_put_in_where_they_belong() {
    check(
        |world| {
            world.models[2].is_static = true;
            world.models[0].links[0].collisions[0].surface.friction.mu = 0.25;
            world.models[1].links[0].inertial.mass_kg = 3.0;
            world.wind = Vec3::X;
        },
        expect![[r#"
            model[a]/link[l]/collision[c]/surface inserted
            model[b]/link[l]/inertial inserted
            model[c]/static inserted
            wind inserted
            +    <wind>
            +      <linear_velocity>1 0 0</linear_velocity>
            +    </wind>
            -        <collision name="c"><geometry><box><size>1.0 1.0 1.0</size></box></geometry></collision>
            +        <collision name="c"><geometry><box><size>1.0 1.0 1.0</size></box></geometry><surface><friction><ode><mu>0.25</mu></ode></friction></surface></collision>
            -      <link name="l"/>
            +      <link name="l">
            +        <inertial>
            +          <mass>3</mass>
            +        </inertial>
            +      </link>
            -    <model name='c'><link name='l'/></model>
            +    <model name='c'><static>true</static><link name='l'/></model>
        "#]],
    );
}

#[test]
fn things_come_and_go_with_their_lines() {
    check(
        |world| {
            world.models.remove(2);
            world.models.push(model("<model name='new'><link name='k'/></model>"));
            world.lights.push(Light { name: "lamp".to_owned(), ..Light::default() });
        },
        expect![[r#"
            light[lamp] inserted
            model[c] removed
            model[new] inserted
            +    <light name="lamp" type="point">
            +      <diffuse>1 1 1 1</diffuse>
            +      <specular>0.1 0.1 0.1 1</specular>
            +      <intensity>1</intensity>
            +      <attenuation>
            +        <range>10</range>
            +        <constant>1</constant>
            +        <linear>1</linear>
            +        <quadratic>0</quadratic>
            +      </attenuation>
            +      <direction>0 0 -1</direction>
            +      <spot>
            +        <inner_angle>0</inner_angle>
            +        <outer_angle>0</outer_angle>
            +        <falloff>0</falloff>
            +      </spot>
            +      <cast_shadows>false</cast_shadows>
            +    </light>
            +    <model name="new">
            +      <static>false</static>
            +      <self_collide>false</self_collide>
            +      <allow_auto_disable>true</allow_auto_disable>
            +      <enable_wind>false</enable_wind>
            +      <link name="k">
            +        <inertial>
            +          <mass>1</mass>
            +          <inertia>
            +            <ixx>1</ixx>
            +            <ixy>0</ixy>
            +            <ixz>0</ixz>
            +            <iyy>1</iyy>
            +            <iyz>0</iyz>
            +            <izz>1</izz>
            +          </inertia>
            +        </inertial>
            +      </link>
            +    </model>
            -    <model name='c'><link name='l'/></model>
        "#]],
    );
    check(
        |world| {
            world.models.remove(0);
            world.frames.clear();
        },
        expect![[r#"
            frame[f] removed
            model[a] removed
            model[b]/pose edited
            -    <model name="a"> <!-- first -->
            -      <pose>1.0 2.0 0.50 0 0 0.10</pose>
            -      <link name="l">
            -        <collision name="c"><geometry><box><size>1.0 1.0 1.0</size></box></geometry></collision>
            -      </link>
            -    </model>
            -      <pose relative_to="a">0 0 1 0 0 0</pose>
            +      <pose>1 2 1.5 0 0 0.1</pose>
            -    <frame name="f" attached_to="a"/>
        "#]],
    );
}

#[test]
fn a_new_name_is_a_new_name() {
    check(
        |world| world.models[2].name = "d & e".to_owned(),
        expect![[r#"
        model[c] edited
        -    <model name='c'><link name='l'/></model>
        +    <model name='d &amp; e'><link name='l'/></model>
    "#]],
    );
}

#[test]
fn profiles_are_saved_in_place() {
    check(
        |world| {
            world.profiles[0].max_step_size_secs = 0.004;
            world.profiles.push(PhysicsProfile {
                name: "accurate".to_owned(),
                is_default: true,
                ..PhysicsProfile::default()
            });
        },
        expect![[r#"
            physics[accurate] inserted
            physics[fast]/max_step_size edited
            -      <max_step_size>0.002</max_step_size>
            +      <max_step_size>0.004</max_step_size>
            +    <physics name="accurate" default="true" type="ode">
            +      <max_step_size>0.001</max_step_size>
            +      <real_time_factor>1</real_time_factor>
            +    </physics>
        "#]],
    );
}

#[test]
fn the_profile_of_a_world_without_any_is_put_in() {
    check_text(
        "<sdf version='1.9'>\n  <world name='w'>\n    <!-- mine -->\n    <model name='m'><link name='l'/></model>\n  </world>\n</sdf>\n",
        |world| world.profiles[0].max_step_size_secs = 0.004,
        expect![[r#"
            physics[default_physics] inserted
            +    <physics name="default_physics" type="ode">
            +      <max_step_size>0.004</max_step_size>
            +    </physics>
        "#]],
    );
}

#[test]
fn a_profile_like_one_that_is_gone_is_put_in_at_its_own_place() {
    check_text(
        "<sdf version='1.9'>\n  <world name='w'>\n    <physics name='a' type='ode'/>\n    <!-- gone -->\n    <physics name='b' type='ode'/>\n    <physics name='c' type='ode'/>\n  </world>\n</sdf>\n",
        |world| {
            let gone = world.profiles.remove(1);
            world.profiles.push(PhysicsProfile { name: "d".to_owned(), ..gone });
        },
        expect![[r#"
            physics[b] removed
            physics[d] inserted
            -    <physics name='b' type='ode'/>
            +    <physics name="d" type="ode">
            +      <max_step_size>0.001</max_step_size>
            +      <real_time_factor>1</real_time_factor>
            +    </physics>
        "#]],
    );
}

#[test]
fn a_profile_gets_a_gravity_of_its_own() {
    check_text(
        "<sdf version='1.9'>\n  <world name='w'>\n    <physics name='a' type='ode'><!-- kept -->\n      <max_step_size>0.002</max_step_size>\n    </physics>\n  </world>\n</sdf>\n",
        |world| {
            let text = "0 0 -3".to_owned();
            let gravity = Element { name: "gravity".to_owned(), text, ..Element::default() };
            world.profiles[0].extras.push(gravity);
        },
        expect![[r#"
            gravity inserted
            physics[a]/gravity inserted
            +      <gravity>0 0 -3</gravity>
            +    <gravity>0 0 -9.8</gravity>
        "#]],
    );
}

#[test]
fn old_gravity_moves_out_of_its_profile() {
    check_text(
        "<sdf version='1.5'>\n  <world name='w'>\n    <physics type='ode'>\n      <gravity>0 0 -1</gravity>\n    </physics>\n  </world>\n</sdf>\n",
        |world| world.gravity.z = -2.0,
        expect![[r#"
            gravity inserted
            physics[default_physics]/gravity removed
            -      <gravity>0 0 -1</gravity>
            +    <gravity>0 0 -2</gravity>
        "#]],
    );
}

#[test]
fn one_line_stays_one_line_and_windows_stays_windows() {
    check_text(
        "<sdf version='1.9'><world name='w'><model name='m'><link name='l'/></model></world></sdf>",
        |world| world.models[0].links[0].inertial.mass_kg = 2.0,
        expect![[r#"
            model[m]/link[l]/inertial inserted
            -<sdf version='1.9'><world name='w'><model name='m'><link name='l'/></model></world></sdf>
            +<sdf version='1.9'><world name='w'><model name='m'><link name='l'><inertial><mass>2</mass></inertial></link></model></world></sdf>
        "#]],
    );
    let windows = WORLD.replace('\n', "\r\n");
    let mut after = read(&windows);
    after.models[2].is_static = true;
    after.models.push(model("<model name='new'><link name='l'/></model>"));
    let saved = save(&windows, &after);
    assert_eq!(saved.text.matches('\n').count(), saved.text.matches("\r\n").count());
}

#[test]
fn what_cannot_be_changed_in_place_is_rewritten_further_out() {
    check_text(
        "<sdf version='1.9'>\n  <world name='w'>\n    <model name='m'>\n      <link name='l'>\n        \
         <inertial auto='true'> <!-- lead -->\n          <density>11340</density>\n        </inertial>\n        \
         <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>\n      </link>\n    \
         </model>\n  </world>\n</sdf>\n",
        |world| world.models[0].links[0].inertial.mass_kg = 5.0,
        expect![[r#"
            model[m]/link[l]/inertial rewritten without its comment
            -        <inertial auto='true'> <!-- lead -->
            -          <density>11340</density>
            +        <inertial>
            +          <mass>5</mass>
            +          <inertia>
            +            <ixx>1890</ixx>
            +            <ixy>0</ixy>
            +            <ixz>0</ixz>
            +            <iyy>1890</iyy>
            +            <iyz>0</iyz>
            +            <izz>1890</izz>
            +          </inertia>
        "#]],
    );
}

#[test]
fn a_file_of_one_model_stays_one() {
    let text =
        "<sdf version='1.9'>\n  <model name='m'>\n    <link name='l'/>\n  </model>\n</sdf>\n";
    check_text(
        text,
        |world| world.models[0].is_static = true,
        expect![[r#"
            model[m]/static inserted
            +    <static>true</static>
        "#]],
    );
    check_text(
        text,
        |world| world.gravity.z = -1.0,
        expect![[r#"
        printed anew: the file could not be changed in part
    "#]],
    );
}

/// A folder with a world that includes a box twice, with the world's text.
fn including() -> (tempfile::TempDir, std::path::PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let text = "<sdf version='1.9'>\n  <world name='w'>\n    <!-- one -->\n    <include><uri>box.sdf</uri></include>\n    \
         <include>\n      <uri>box.sdf</uri>\n      <name>two</name> <!-- second -->\n      <pose>1 0 0 0 0 0</pose>\n    </include>\n  \
         </world>\n</sdf>\n";
    std::fs::write(
        folder.path().join("box.sdf"),
        "<sdf version='1.9'><model name='box'><pose>0 0 5 0 0 0</pose><link name='l'/></model></sdf>",
    )
    .unwrap();
    let path = folder.path().join("w.sdf");
    std::fs::write(&path, text).unwrap();
    (folder, path, text.to_owned())
}

fn check_included(edit: impl FnOnce(&mut World), expected: Expect) {
    let (_folder, path, text) = including();
    let roots = ResourceRoots::new();
    let mut after = load_world_file(&path, &roots, &mut Diagnostics::new()).unwrap();
    edit(&mut after);
    let saved = patched(&Original { text: &text, path: &path, roots: &roots }, &after);
    std::fs::write(&path, &saved.text).unwrap();
    assert_eq!(load_world_file(&path, &roots, &mut Diagnostics::new()), Some(after));
    let mut shown: String =
        saved.changes.iter().map(|change| format!("{} {}\n", change.path, change.kind)).collect();
    shown.push_str(&changed_lines(&text, &saved.text));
    expected.assert_eq(&shown);
}

#[test]
fn includes_keep_being_includes_when_they_can() {
    check_included(
        |world| {
            world.models[0].parent_from_model = Pose::IDENTITY;
            world.models[0].is_static = true;
            world.models[1].parent_from_model.position.x = 2.0;
            world.models[1].name = "zwei".to_owned();
        },
        expect![[r#"
            model[box] edited
            model[two] edited
            -    <include><uri>box.sdf</uri></include>
            +    <include><uri>box.sdf</uri><pose>0 0 0 0 0 0</pose><static>true</static></include>
            -      <name>two</name> <!-- second -->
            -      <pose>1 0 0 0 0 0</pose>
            +      <name>zwei</name> <!-- second -->
            +      <pose>2 0 0 0 0 0</pose>
        "#]],
    );
    check_included(
        |world| world.models[1].links[0].inertial.mass_kg = 2.0,
        expect![[r#"
        model[two] expanded
        -    <include>
        -      <uri>box.sdf</uri>
        -      <name>two</name> <!-- second -->
        +    <model name="two">
        -    </include>
        +      <static>false</static>
        +      <self_collide>false</self_collide>
        +      <allow_auto_disable>true</allow_auto_disable>
        +      <enable_wind>false</enable_wind>
        +      <link name="l">
        +        <inertial>
        +          <mass>2</mass>
        +          <inertia>
        +            <ixx>1</ixx>
        +            <ixy>0</ixy>
        +            <ixz>0</ixz>
        +            <iyy>1</iyy>
        +            <iyz>0</iyz>
        +            <izz>1</izz>
        +          </inertia>
        +        </inertial>
        +      </link>
        +    </model>
    "#]],
    );
    check_included(
        |world| drop(world.models.remove(0)),
        expect![[r#"
        model[box] removed
        -    <include><uri>box.sdf</uri></include>
    "#]],
    );
}

/// Files of other projects; they are not part of this one, and may not be there.
#[test]
fn files_of_others_are_saved() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut paths = Vec::new();
    common::collect_files(&corpus.join("open"), &mut paths);
    let mut roots = ResourceRoots::new();
    if paths.is_empty() || roots.add(&corpus.join("models")).is_err() {
        println!("skipped: there is no corpus at {}", corpus.display());
        return;
    }
    let (mut saved_count, mut whole) = (0, Vec::new());
    for path in &paths {
        let Some(world) = load_world_file(path, &roots, &mut Diagnostics::new()) else { continue };
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let original = Original { text: &text, path, roots: &roots };
        assert_eq!(patched(&original, &world).text, text, "{}", path.display());
        let mut after = world.clone();
        for model in &mut after.models {
            model.parent_from_model.position += Vec3::new(0.25, 0.0, 1.0);
        }
        // A file of one model has no place for another.
        if text.contains("<world") {
            after.models.push(model("<model name='added here'><link name='l'/></model>"));
        }
        let saved = patched(&original, &after);
        assert!(saved.is_exact, "{}", path.display());
        saved_count += 1;
        if let Some(reason) = saved.reprinted {
            whole.push(format!("{}: {reason}", path.display()));
        }
    }
    println!("{saved_count} files saved");
    assert!(whole.is_empty(), "printed anew:\n{}", whole.join("\n"));
}
