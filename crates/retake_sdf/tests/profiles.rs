//! Profiles as text of their own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use retake_description::PhysicsProfile;
use retake_diag::Diagnostics;
use retake_sdf::{parse_profiles, print_profile};

fn read(text: &str, taken: &[&str]) -> (Vec<PhysicsProfile>, String) {
    let mut said = Diagnostics::new();
    let taken: BTreeSet<&str> = taken.iter().copied().collect();
    let profiles = parse_profiles(text, "p.sdf", &taken, &mut said);
    (profiles, said.to_string())
}

const PROFILE: &str = "<physics name='p' default='true' type='dart' x:mark='m'>
  <max_step_size>0.002</max_step_size><gravity>0 0 -1.6</gravity>
  <rapier><substeps>3</substeps></rapier><dart><collision_detector>fcl</collision_detector></dart>
  <iterations>1000</iterations></physics>";

#[test]
fn a_profile_is_read_alone_in_sdf_and_in_a_world() {
    let (alone, said) = read(PROFILE, &[]);
    assert_eq!((alone.len(), said.as_str()), (1, ""));
    assert_eq!(alone[0].extra("gravity").unwrap().text, "0 0 -1.6");
    let in_sdf = format!("<sdf version='1.11'>{PROFILE}</sdf>");
    assert_eq!(read(&in_sdf, &[]).0, alone);
    let gravity = "<gravity>0 0 0</gravity>";
    let world = format!("<sdf version='1.11'><world name='w'>{PROFILE}{gravity}</world></sdf>");
    assert_eq!(read(&world, &[]).0, alone);
}

#[test]
fn printing_and_reading_gives_the_same_profile() {
    let (first, _) = read(PROFILE, &[]);
    let text = print_profile(&first[0]);
    assert!(text.starts_with("<physics name=\"p\" default=\"true\" type=\"dart\""), "{text}");
    assert_eq!(read(&text, &[]).0, first);
}

#[test]
fn nameless_ones_get_names_that_are_free() {
    let (profiles, said) =
        read("<physics/><physics name='a'/><physics/>", &["default_physics", "b"]);
    let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    assert_eq!(names, ["default_physics_2", "a", "default_physics_3"], "{said}");
}

#[test]
fn what_holds_no_profile_says_so() {
    for (text, expected) in [
        ("", "p.sdf is empty"),
        ("<sdf version='1.11'><model name='m'/></sdf>", "there is no <physics> element to take"),
        ("<model name='m'/>", "the file starts with <model> and not with <sdf>"),
        ("<physics name='p'", "p.sdf:1:"),
        (
            "<physics name='p'/><physics name='p'/>",
            "there is already a physics profile \"p\" at p.sdf:1:1",
        ),
    ] {
        let (_, said) = read(text, &[]);
        assert!(said.contains(expected), "{text}: {said}");
    }
}
