//! The motions that come with the demo worlds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use retake_motion::Motion;
use retake_motion::file::{self, Format, Shelf};

fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds")
}

/// Returns the limits of each joint of a world, by a plain look at its text.
fn limits(world: &str) -> BTreeMap<String, (f64, f64)> {
    let text = fs::read_to_string(worlds().join(world)).unwrap();
    let between = |text: &str, start: &str, end: &str| -> Option<String> {
        let from = text.find(start)? + start.len();
        Some(text[from..from + text[from..].find(end)?].to_owned())
    };
    let joints = text.split("<joint ").skip(1).filter_map(|joint| {
        let lower = between(joint, "<lower>", "</lower>")?.parse().ok()?;
        let upper = between(joint, "<upper>", "</upper>")?.parse().ok()?;
        Some((between(joint, "name=\"", "\"")?, (lower, upper)))
    });
    joints.collect()
}

/// Checks what a robot needs of a motion: its joints, its limits, a moderate speed.
fn check(motion: &Motion, limits: &BTreeMap<String, (f64, f64)>, fastest: f64) {
    let name = &motion.name;
    assert!(!motion.description.is_empty(), "{name}");
    assert!(motion.tolerances.iter().all(|tolerance| tolerance.path.is_some()), "{name}");
    for (index, joint) in motion.joints.iter().enumerate() {
        let (lower, upper) = limits[joint];
        for waypoint in &motion.waypoints {
            let position = waypoint.positions[index];
            assert!((lower..=upper).contains(&position), "{name} {joint} {position}");
        }
        for pair in motion.waypoints.windows(2) {
            let way = (pair[1].positions[index] - pair[0].positions[index]).abs();
            // A curve that rests at both ends is half as fast again in the middle as a straight line.
            let peak = 1.5 * way / (pair[1].time_secs - pair[0].time_secs);
            assert!(peak <= fastest, "{name} {joint} {peak} rad/s at {} s", pair[1].time_secs);
        }
    }
    let end = motion.duration_secs();
    assert!(motion.actions.iter().all(|action| action.time_secs <= end), "{name}");
}

fn check_folder(folder: &str, world: &str, fastest: f64) -> Vec<String> {
    let mut shelf = Shelf::new(vec![worlds().join("motions").join(folder)]);
    assert!(shelf.refresh());
    assert_eq!(shelf.problems(), Vec::<String>::new());
    let limits = limits(world);
    for (name, path, motion) in shelf.motions() {
        check(motion, &limits, fastest);
        shelf.resolve(name).unwrap();
        assert!(path.to_str().unwrap().ends_with(Format::Native.ending()));
        assert!(file::write(motion, Format::Native).is_ok());
    }
    shelf.motions().map(|(name, ..)| name.to_owned()).collect()
}

#[test]
fn motions_of_the_arm_are_sound() {
    assert_eq!(check_folder("arm", "arm.sdf", 1.0), ["home", "pick", "wave"]);
}

#[test]
fn motions_of_the_quadruped_are_sound() {
    let names = check_folder("quadruped", "quadruped.sdf", 2.0);
    assert_eq!(names, ["bow", "greet", "nod", "sit", "stand", "stretch"]);
}
