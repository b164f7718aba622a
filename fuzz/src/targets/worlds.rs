//! SDF and URDF.

use std::collections::BTreeSet;

use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::{
    Fragment, parse_elements, parse_fragment, parse_part, parse_profiles, parse_world,
    print_elements, print_model, print_profile, print_world,
};

use super::{Verdict, ensure, placed, seen, text};
use crate::samples::{files, root, texts};

const ROBOT: &str = r#"<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><inertial><mass value="2"/><origin xyz="0 0 0.1" rpy="0 0.1 0"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
    <collision><origin xyz="1 0 0"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
  <link name="arm"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>
  <link name="tip"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 1" rpy="0 0 1.57"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.1" friction="0.2"/>
    <mimic joint="wrist" multiplier="2" offset="0.1"/></joint>
  <joint name="wrist" type="fixed"><parent link="arm"/><child link="tip"/></joint>
  <transmission name="t"><type>x</type><joint name="elbow"/></transmission>
  <gazebo reference="arm"><mu1>0.5</mu1><kp>1e6</kp></gazebo>
  <gazebo><plugin name="p" filename="f"><a>1</a></plugin></gazebo></robot>"#;

const PROFILES: &str = r#"<sdf version="1.9"><world name="w">
  <physics name="fast" default="true" type="rapier"><max_step_size>0.002</max_step_size>
    <real_time_factor>1</real_time_factor><rapier><substeps>1</substeps></rapier></physics>
  <physics type="ode"><ode><solver><type>quick</type><iters>50</iters><sor>1.3</sor></solver>
    <constraints><cfm>0</cfm><erp>0.2</erp></constraints></ode></physics></world></sdf>"#;

pub(super) fn samples() -> Vec<Vec<u8>> {
    files(&["worlds", "scenarios/worlds"], &[".sdf"])
}

pub(super) fn part_samples() -> Vec<Vec<u8>> {
    files(&["worlds/models", "scenarios/worlds/parts"], &[".sdf"])
}

pub(super) fn urdf_samples() -> Vec<Vec<u8>> {
    texts(&[ROBOT])
}

pub(super) fn profile_samples() -> Vec<Vec<u8>> {
    let mut all = texts(&[
        PROFILES,
        "<physics name='a' type='tpe'><max_step_size>1</max_step_size></physics>",
    ]);
    all.extend(files(&["worlds"], &["mixed_profiles.sdf"]));
    all
}

/// The folder of the demo worlds, whose models samples include.
fn roots() -> ResourceRoots {
    let mut roots = ResourceRoots::new();
    // Without the folder includes are findings, and all else is as it was.
    roots.add(&root().join("worlds")).ok();
    roots
}

pub(super) fn read_world(input: &[u8]) -> Verdict {
    let (text, roots, mut found) = (text(input), roots(), Diagnostics::new());
    let world = parse_world(&text, "w.sdf", &roots, &mut found);
    placed(&found, world.is_some())?;
    let Some(world) = world else { return Ok(seen(false)) };
    let printed = print_world(&world);
    let again = parse_world(&printed, "printed", &roots, &mut Diagnostics::new());
    let Some(again) = again else { return Err(format!("what was printed is refused: {printed}")) };
    ensure(again == world, || difference(&printed, &print_world(&again)))?;
    Ok(seen(true))
}

/// The first lines that are not alike.
fn difference(before: &str, after: &str) -> String {
    let unlike = before.lines().zip(after.lines()).find(|(one, other)| one != other);
    match unlike {
        Some((one, other)) => format!("printed {one:?}, and after reading {other:?}"),
        None => format!("worlds differ that are printed alike: {before}"),
    }
}

pub(super) fn read_urdf(input: &[u8]) -> Verdict {
    let (text, roots, mut found) = (text(input), ResourceRoots::new(), Diagnostics::new());
    let model = parse_fragment(&text, "r.urdf", &roots, &mut found);
    placed(&found, model.is_some())?;
    if let Some(Fragment::Model(model)) = &model {
        // Whatever it says is lost, it must not panic.
        retake_sdf::print_urdf(model);
    }
    Ok(seen(model.is_some()))
}

pub(super) fn read_fragment(input: &[u8]) -> Verdict {
    let (text, roots, mut found) = (text(input), roots(), Diagnostics::new());
    let fragment = parse_fragment(&text, "m.sdf", &roots, &mut found);
    placed(&found, fragment.is_some())?;
    if let Some(Fragment::Model(model)) = &fragment {
        let printed = print_model(model);
        let again = parse_fragment(&printed, "printed", &roots, &mut Diagnostics::new());
        let Some(Fragment::Model(again)) = again else {
            return Err(format!("what was printed is refused: {printed}"));
        };
        ensure(again == *model, || difference(&printed, &print_model(&again)))?;
    }
    Ok(seen(fragment.is_some()))
}

pub(super) fn read_part(input: &[u8]) -> Verdict {
    let (text, mut found) = (text(input), Diagnostics::new());
    let part = parse_part(&text, "p.sdf", &roots(), &mut found);
    placed(&found, part.is_some())?;
    Ok(seen(part.is_some()))
}

pub(super) fn read_profiles(input: &[u8]) -> Verdict {
    let (text, mut found) = (text(input), Diagnostics::new());
    let profiles = parse_profiles(&text, "p.sdf", &BTreeSet::new(), &mut found);
    placed(&found, !profiles.is_empty())?;
    for profile in &profiles {
        let printed = print_profile(profile);
        let again = parse_profiles(&printed, "printed", &BTreeSet::new(), &mut Diagnostics::new());
        ensure(again == [profile.clone()], || format!("{profile:?} read back as {again:?}"))?;
    }
    Ok(seen(!profiles.is_empty()))
}

pub(super) fn read_elements(input: &[u8]) -> Verdict {
    let (text, mut found) = (text(input), Diagnostics::new());
    let elements = parse_elements(&text, "e.xml", &mut found);
    placed(&found, elements.is_some())?;
    let Some(elements) = elements else { return Ok(seen(false)) };
    let printed = print_elements(&elements);
    let again = parse_elements(&printed, "printed", &mut Diagnostics::new());
    ensure(again.as_ref() == Some(&elements), || {
        format!("{elements:?} read back as {again:?} from {printed:?}")
    })?;
    Ok(seen(true))
}
