//! What pages are told of robots and drafts.

use retake_ecm::Ecm;
use retake_motion::Motion;
use retake_motion::edit::WaypointsList;
use retake_motion::review::{curves, draw};
use retake_msgs::{JointCurve, MotionCurves, MotionDraft, TeachRobot, TeachState};

use super::desk::Desk;
use super::robot::SeenRobot;
use super::{Teaching, check, convert};
use crate::lock::locked;

/// Points of a curve that pages draw.
const SAMPLES: usize = 240;

impl Teaching {
    /// Returns all robots and drafts.
    pub(super) fn state(&self, ecm: &Ecm) -> TeachState {
        let robots = SeenRobot::all(ecm);
        let desks = locked(&self.desks);
        let draft = desks.iter().map(|(name, desk)| {
            let robot = robots.iter().find(|(known, _)| known == name);
            draft(name, desk, robot.map(|(_, robot)| robot))
        });
        let draft = draft.collect();
        let robot = robots.iter().map(|(name, robot)| TeachRobot {
            robot: name.clone(),
            stores: robot.stores(),
            real: self.twins.of(name).is_some(),
        });
        TeachState { robot: robot.collect(), draft }
    }
}

fn draft(name: &str, desk: &Desk, robot: Option<&SeenRobot<'_>>) -> MotionDraft {
    let list = desk.draft.list();
    let mut warning = check::warnings(list, robot);
    // What a check found holds until the draft is another.
    let found = desk.found.as_ref().filter(|(revision, _)| *revision == desk.draft.revision());
    warning.extend(found.into_iter().flat_map(|(_, found)| found.clone()));
    MotionDraft {
        robot: name.to_owned(),
        revision: desk.draft.revision(),
        author: desk.author.clone(),
        motion: Some(convert::taught_motion(list, robot)),
        undo: desk.draft.undo_label().unwrap_or_default().to_owned(),
        redo: desk.draft.redo_label().unwrap_or_default().to_owned(),
        file: desk.file.clone(),
        unsaved: !desk.draft.is_saved(),
        warning,
        curves: motion_curves(list, &list.to_motion()),
        duration: duration_secs(list),
    }
}

/// Returns how long the way from the start marker to the end marker is, in s.
fn duration_secs(list: &WaypointsList) -> f64 {
    let time = |id: Option<u64>| {
        let point = list.points().iter().find(|point| Some(point.id) == id);
        point.map_or(0.0, |point| point.time_secs)
    };
    time(list.end()) - time(list.start())
}

fn motion_curves(list: &WaypointsList, motion: &Motion) -> Option<MotionCurves> {
    // A curve that cannot be drawn is one that a warning or a player speaks of.
    let curves = curves(motion).ok().flatten()?;
    let drawn = draw(&curves, SAMPLES);
    let joint = list.joints().iter().map(|joint| {
        let place = motion.joints.iter().position(|name| *name == joint.name);
        let samples = place.and_then(|place| drawn.joints.get(place)).map_or(&[][..], |all| all);
        JointCurve {
            position: samples.iter().map(|sample| sample.position as f32).collect(),
            velocity: samples.iter().map(|sample| sample.velocity as f32).collect(),
            acceleration: samples.iter().map(|sample| sample.acceleration as f32).collect(),
        }
    });
    Some(MotionCurves { joint: joint.collect(), from: drawn.from_secs, to: drawn.to_secs })
}
