//! A motion while it is read: what every format gives, with places, checked in one place.

use std::collections::BTreeSet;

use super::findings::{Findings, Spot};
use super::limits::{MAX_ACTIONS, MAX_JOINTS, MAX_NUMBERS, MAX_TEXT_BYTES};
use super::tree::{Node, Numbers, shortened};
use crate::{Interpolation, KeptJoint, Motion, TimedAction, Tolerance, Waypoint};

/// What a file says about one motion.
#[derive(Default)]
pub(super) struct Draft {
    pub at: Spot,
    pub name: String,
    pub description: String,
    pub interpolation: Interpolation,
    pub goal_time_tolerance_secs: Option<f64>,
    pub joints: Vec<(Spot, String)>,
    /// Whether there are too many joints to keep.
    joints_refused: bool,
    /// Joints that are not moved, but whose positions are kept.
    pub kept: Vec<(Spot, String)>,
    /// One for each joint and then each kept one, or fewer when the rest have none.
    pub tolerances: Vec<Tolerance>,
    pub points: Vec<DraftPoint>,
    pub actions: Vec<(Spot, TimedAction)>,
}

/// What a file says about one waypoint.
pub(super) struct DraftPoint {
    pub at: Spot,
    /// NaN when it was told already that there is none.
    pub time_secs: f64,
    pub time_at: Spot,
    /// None when it was told already that there are none.
    pub positions: Option<Numbers>,
    pub velocities: Option<Numbers>,
    pub accelerations: Option<Numbers>,
    /// Of joints that are not moved.
    pub kept: Option<Numbers>,
    pub enabled: bool,
    pub note: String,
}

impl DraftPoint {
    /// Makes a waypoint with positions alone.
    pub fn new(at: Spot, time_secs: f64, positions: Numbers) -> Self {
        Self {
            at,
            time_secs,
            time_at: at,
            positions: Some(positions),
            velocities: None,
            accelerations: None,
            kept: None,
            enabled: true,
            note: String::new(),
        }
    }

    fn lists(&self) -> [(&'static str, Option<&Numbers>); 3] {
        [
            ("positions", self.positions.as_ref()),
            ("velocities", self.velocities.as_ref()),
            ("accelerations", self.accelerations.as_ref()),
        ]
    }
}

impl Draft {
    /// Begins with a name alone.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Takes the joints from a list of texts; too many are told at once and not kept, because
    /// other lists are looked up in them.
    pub fn take_joints(&mut self, node: &Node, what: &str, findings: &mut Findings<'_>) {
        self.joints = node.texts(what, findings).unwrap_or_default();
        self.refuse_many_joints(node, findings);
    }

    /// Takes the joints that are not moved, but whose positions are kept; like [`take_joints`].
    ///
    /// [`take_joints`]: Self::take_joints
    pub fn take_kept(&mut self, node: &Node, findings: &mut Findings<'_>) {
        self.kept = node.texts("kept", findings).unwrap_or_default();
        self.refuse_many_joints(node, findings);
    }

    fn refuse_many_joints(&mut self, node: &Node, findings: &mut Findings<'_>) {
        let count = self.joints.len() + self.kept.len();
        if count > MAX_JOINTS {
            let message = format!("there are {count} joints");
            let help = format!("At most {MAX_JOINTS} are read; split the motion");
            findings.error("motion-limit", node.at, message, &help);
            self.joints_refused = true;
            self.joints.clear();
            self.kept.clear();
        }
    }

    /// Checks everything and makes the motion; none after any error in its file.
    pub fn finish(mut self, findings: &mut Findings<'_>) -> Option<Motion> {
        self.check_name(findings);
        self.check_joints(findings);
        self.check_amounts(findings);
        self.check_sizes(findings);
        self.check_times(findings);
        self.check_actions(findings);
        if findings.has_errors() {
            return None;
        }
        self.actions.sort_by(|(_, a), (_, b)| a.time_secs.total_cmp(&b.time_secs));
        self.tolerances.resize(self.joints.len() + self.kept.len(), Tolerance::default());
        let kept_tolerances = self.tolerances.split_off(self.joints.len());
        let kept = self.kept.into_iter().zip(kept_tolerances);
        let kept = kept.map(|((_, name), tolerance)| KeptJoint { name, tolerance });
        Some(Motion {
            name: self.name,
            description: self.description,
            interpolation: self.interpolation,
            joints: self.joints.into_iter().map(|(_, joint)| joint).collect(),
            tolerances: self.tolerances,
            goal_time_tolerance_secs: self.goal_time_tolerance_secs,
            waypoints: self.points.into_iter().map(waypoint).collect(),
            actions: self.actions.into_iter().map(|(_, action)| action).collect(),
            kept: kept.collect(),
        })
    }

    fn check_name(&self, findings: &mut Findings<'_>) {
        if !super::is_plain_name(&self.name) {
            let message = format!("{:?} cannot be the name of a motion", shortened(&self.name));
            findings.error("motion-name", self.at, message, "Use letters, digits, - and _");
        }
    }

    fn check_joints(&self, findings: &mut Findings<'_>) {
        let mut seen = BTreeSet::new();
        for (at, joint) in self.joints.iter().chain(&self.kept) {
            if joint.is_empty() {
                let message = "a joint has no name".to_owned();
                findings.error("motion-joint", *at, message, "Write its name");
            } else if !seen.insert(joint.as_str()) {
                let message = format!("joint {:?} is named twice", shortened(joint));
                findings.error("motion-joint", *at, message, "Name each joint once");
            }
        }
        let missing = self.joints.is_empty() && self.kept.is_empty() && !self.joints_refused;
        if let (true, Some(point)) = (missing, self.points.first()) {
            let message = "there are waypoints, but no joints".to_owned();
            findings.error("motion-joint", point.at, message, "Name the joints that move");
        }
    }

    fn check_amounts(&self, findings: &mut Findings<'_>) {
        let lists = self.points.iter().flat_map(DraftPoint::lists).filter_map(|(_, list)| list);
        let lists = lists.chain(self.points.iter().filter_map(|point| point.kept.as_ref()));
        let numbers = lists.map(|list| list.values.len()).sum();
        for (what, count, most) in [
            ("joints", self.joints.len() + self.kept.len(), MAX_JOINTS),
            ("numbers", numbers, MAX_NUMBERS),
            ("actions", self.actions.len(), MAX_ACTIONS),
        ] {
            if count > most {
                let message = format!("there are {count} {what}");
                let help = format!("At most {most} are read; split the motion");
                findings.error("motion-limit", self.at, message, &help);
            }
        }
    }

    fn check_sizes(&self, findings: &mut Findings<'_>) {
        let joints = self.joints.len();
        for (index, point) in self.points.iter().enumerate() {
            let lists = point.lists().into_iter().filter_map(|(what, list)| Some((what, list?)));
            for (what, list) in lists {
                let count = list.values.len();
                // Derivatives may be left out of a waypoint by an empty list, as in messages.
                let left_out = count == 0 && what != "positions";
                if !self.lacks_joints() && count != joints && !left_out {
                    let message = format!(
                        "waypoint {} has {count} {what}, and there are {joints} joints",
                        index + 1
                    );
                    findings.error("motion-size", list.at, message, "Write one for each joint");
                }
            }
            self.check_kept(index, point, findings);
            if point.note.len() > MAX_TEXT_BYTES {
                let message = format!("the note of waypoint {} is too long", index + 1);
                let help = format!("Shorten it to {MAX_TEXT_BYTES} bytes");
                findings.error("motion-limit", point.at, message, &help);
            }
        }
    }

    /// Says whether there is nothing to measure lists by, which was told already.
    fn lacks_joints(&self) -> bool {
        self.joints_refused || self.joints.is_empty() && self.kept.is_empty()
    }

    fn check_kept(&self, index: usize, point: &DraftPoint, findings: &mut Findings<'_>) {
        let (count, at) =
            point.kept.as_ref().map_or((0, point.at), |list| (list.values.len(), list.at));
        let kept = self.kept.len();
        if count != kept && !self.joints_refused {
            let number = index + 1;
            let message = format!(
                "waypoint {number} keeps {count} positions, and there are {kept} kept joints"
            );
            let help = match kept {
                0 => "Name those joints in kept at the top, or leave it out",
                _ => "Write kept = [...] with one for each joint that is kept",
            };
            findings.error("motion-size", at, message, help);
        }
    }

    fn check_times(&self, findings: &mut Findings<'_>) {
        let mut before: Option<f64> = None;
        for (index, point) in self.points.iter().enumerate() {
            let time = point.time_secs;
            let number = index + 1;
            if time < 0.0 {
                let message = format!("waypoint {number} is at {time} s");
                findings.error("motion-time", point.time_at, message, "Times begin at 0");
            } else if let Some(before) = before.filter(|before| time <= *before) {
                let message = format!("waypoint {number} is at {time} s, not after {before} s");
                let help = "Write waypoints in the order of time";
                findings.error("motion-time", point.time_at, message, help);
            }
            // A time that could not be read is no measure for the next.
            before = if time.is_nan() { before } else { Some(time) };
        }
    }

    fn check_actions(&self, findings: &mut Findings<'_>) {
        for (at, action) in &self.actions {
            if action.time_secs < 0.0 {
                let message = format!("an action is at {} s", action.time_secs);
                findings.error("motion-time", *at, message, "Times begin at 0");
            }
        }
    }
}

fn waypoint(point: DraftPoint) -> Waypoint {
    let values = |list: Option<Numbers>| list.map(|list| list.values).unwrap_or_default();
    Waypoint {
        time_secs: point.time_secs,
        positions: values(point.positions),
        velocities: values(point.velocities),
        accelerations: values(point.accelerations),
        enabled: point.enabled,
        note: point.note,
        kept: values(point.kept),
    }
}
