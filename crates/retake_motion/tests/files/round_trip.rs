//! Writing and reading is doing nothing, for all that a format carries.

use proptest::prelude::*;
use retake_diag::Diagnostics;
use retake_motion::file::{self, Format};
use retake_motion::{Interpolation, Motion, Tolerance};

use crate::random;

/// Writes and reads again; nothing may be found.
fn again(motion: &Motion, format: Format) -> Motion {
    let written = file::write(motion, format).unwrap();
    let name = format!("folder/{}{}", motion.name, format.ending());
    let mut found = Diagnostics::new();
    let mut motions = file::read(&written.text, &name, &mut found);
    assert!(found.is_empty(), "{found}\n{}", written.text);
    assert_eq!(motions.len(), 1, "{}", written.text);
    motions.remove(0)
}

/// Takes away what formats without a word for it lose: points that are off, notes, and joints that
/// are only kept.
fn without_extras(motion: &Motion) -> Motion {
    let mut motion = motion.clone();
    motion.waypoints.retain(|waypoint| waypoint.enabled);
    motion.waypoints.iter_mut().for_each(|waypoint| {
        waypoint.note.clear();
        waypoint.kept.clear();
    });
    motion.kept.clear();
    motion.description.clear();
    motion
}

fn without_tolerances(motion: &mut Motion) {
    motion.tolerances = vec![Tolerance::default(); motion.joints.len()];
    motion.goal_time_tolerance_secs = None;
    motion.actions.clear();
}

fn without_derivatives(motion: &mut Motion) {
    for waypoint in &mut motion.waypoints {
        waypoint.velocities.clear();
        waypoint.accelerations.clear();
    }
}

fn given(motion: &Motion) -> Interpolation {
    let any = motion.waypoints.iter().any(|waypoint| !waypoint.velocities.is_empty());
    if any { Interpolation::Hermite } else { Interpolation::Monotone }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn native_carries_everything(motion in random::motion()) {
        let written = file::write(&motion, Format::Native).unwrap();
        prop_assert!(written.lost.is_empty());
        let again = again(&motion, Format::Native);
        // Debug tells -0 from 0, and all digits.
        prop_assert_eq!(format!("{again:?}"), format!("{motion:?}"));
    }

    #[test]
    fn a_goal_carries_what_is_played(motion in random::motion()) {
        let mut expected = without_extras(&motion);
        // Nanoseconds, and 0 is the default.
        let nanos = |secs: f64| (secs * 1e9).round() / 1e9;
        expected.goal_time_tolerance_secs = expected.goal_time_tolerance_secs.map(nanos);
        for tolerance in &mut expected.tolerances {
            tolerance.path = tolerance.path.filter(|value| *value != 0.0);
            tolerance.goal = tolerance.goal.filter(|value| *value != 0.0);
        }
        prop_assert_eq!(again(&motion, Format::GoalJson), expected);
    }

    #[test]
    fn play_motion_carries_positions(motion in random::motion()) {
        let mut expected = without_extras(&motion);
        expected.description = motion.description.clone();
        without_tolerances(&mut expected);
        without_derivatives(&mut expected);
        expected.interpolation = Interpolation::Monotone;
        prop_assume!(!expected.waypoints.is_empty());
        prop_assert_eq!(again(&motion, Format::PlayMotionYaml), expected);
    }

    #[test]
    fn webots_carries_positions_and_notes(mut motion in random::motion()) {
        motion.joints.iter_mut().for_each(|joint| *joint = joint.replace(',', ";"));
        let mut expected = without_extras(&motion);
        let enabled = motion.enabled().map(|waypoint| waypoint.note.clone());
        for (waypoint, note) in expected.waypoints.iter_mut().zip(enabled) {
            let cell = if note.trim() == note { note } else { format!(" {note}") };
            waypoint.note = cell.replace([',', '\n', '\r'], " ").trim().to_owned();
        }
        without_tolerances(&mut expected);
        without_derivatives(&mut expected);
        expected.interpolation = Interpolation::Linear;
        prop_assert_eq!(again(&motion, Format::Webots), expected);
    }

    #[test]
    fn csv_carries_positions_and_derivatives(motion in random::motion()) {
        let mut expected = without_extras(&motion);
        without_tolerances(&mut expected);
        expected.interpolation = given(&expected);
        prop_assert_eq!(again(&motion, Format::Csv), expected);
    }

    #[test]
    fn a_compound_carries_actions(actions in random::actions()) {
        let motion = Motion { name: "m".into(), actions, ..Motion::default() };
        let written = file::write(&motion, Format::CompoundJson).unwrap();
        prop_assert!(written.lost.is_empty());
        prop_assert_eq!(again(&motion, Format::CompoundJson), motion);
    }

    /// Whoever is told of no loss loses nothing.
    #[test]
    fn without_loss_reading_gives_the_same(motion in random::motion(), plain in any::<bool>()) {
        let mut motion = if plain { without_extras(&motion) } else { motion };
        if plain {
            without_tolerances(&mut motion);
            motion.interpolation = given(&motion);
        }
        for (format, ..) in Format::ALL {
            let Ok(written) = file::write(&motion, format) else { continue };
            if written.lost.is_empty() && format != Format::GoalJson {
                prop_assert_eq!(again(&motion, format), motion.clone());
            }
        }
    }
}
