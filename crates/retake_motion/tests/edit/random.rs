//! Random lists, and random edits of them, good and bad.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use retake_motion::edit::{Edit, ListPoint, MirrorJoint, Pasted, WaypointsList};
use retake_motion::{Interpolation, Motion, TextCommand, Tolerance};

use crate::motions;

/// How many kinds of edits there are.
const KINDS: usize = 28;

/// A random motion that players take at any speed.
pub fn motion() -> impl Strategy<Value = Motion> {
    motions::motion().prop_map(|mut motion| {
        for point in &mut motion.waypoints {
            let lists = [&mut point.positions, &mut point.velocities, &mut point.accelerations];
            let values = lists.into_iter().chain([&mut point.kept]).flatten();
            values.for_each(|value| *value = value.clamp(-1e3, 1e3));
        }
        motion
    })
}

/// A random list, perhaps with markers inside.
pub fn list() -> impl Strategy<Value = WaypointsList> {
    (motion(), any::<Index>(), any::<Index>()).prop_map(|(motion, start, end)| {
        let mut list = WaypointsList::from_motion(&motion).unwrap();
        for (mark, index) in [(Edit::MarkStart as fn(u64) -> Edit, start), (Edit::MarkEnd, end)] {
            if !list.points().is_empty() {
                let id = list.points()[index.index(list.points().len())].id;
                // Not every waypoint can be marked.
                list.apply(&mark(id)).ok();
            }
        }
        list
    })
}

/// What an edit is made from, once the list is known.
#[derive(Clone, Debug)]
pub struct Seed {
    kind: usize,
    picks: [Index; 3],
    numbers: [f64; 3],
    flag: bool,
    text: String,
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        12 => (0..40i32).prop_map(|quarters| f64::from(quarters) / 4.0),
        3 => -3.0..3.0,
        1 => proptest::sample::select(vec![f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 1e6]),
    ]
}

fn seed() -> impl Strategy<Value = Seed> {
    let picks = [any::<Index>(), any::<Index>(), any::<Index>()];
    (0..KINDS, picks, [number(), number(), number()], any::<bool>(), motions::text())
        .prop_map(|(kind, picks, numbers, flag, text)| Seed { kind, picks, numbers, flag, text })
}

/// Seeds of edits one after another.
pub fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    vec(seed(), 0..40)
}

impl Seed {
    /// Makes the edit; most fit the list.
    pub fn edit(&self, list: &WaypointsList) -> Edit {
        let [x, y, z] = self.numbers;
        let (id, other) = (self.point(0, list), self.point(1, list));
        let (joint, flag) = (self.joint(0, list), self.flag);
        let given = |value: f64| (value > 1.0).then_some(value);
        match self.kind {
            0 => Edit::SetName(self.text.clone()),
            1 => Edit::SetDescription(self.text.repeat(if x > 9.0 { 9000 } else { 1 })),
            2 => Edit::SetInterpolation(
                Interpolation::ALL[self.picks[0].index(Interpolation::ALL.len())].0,
            ),
            3 => Edit::SetGoalTime(given(x)),
            4 => Edit::SetTolerance {
                joint: flag.then_some(joint),
                tolerance: Tolerance { path: given(x), goal: given(y) },
            },
            5 => Edit::Mute { joint, muted: flag },
            6 => Edit::AddJoint { joint: format!("new_{}", self.picks[0].index(3)), position: x },
            7 => Edit::RemoveJoint(joint),
            8 => Edit::AddPoint { time_secs: flag.then_some(x), pose: self.pose(list) },
            9 => Edit::SetPose { id, pose: self.pose(list) },
            10 => Edit::SetTime { id, time_secs: x },
            11 => Edit::SetPosition { id, joint, position: x },
            12 => Edit::SetEnabled { id, enabled: flag },
            13 => Edit::SetNote { id, note: self.text.clone() },
            14 => Edit::DeletePoints(vec![id, other]),
            15 => Edit::MovePoints { ids: vec![id, other], by_secs: x - y },
            16 => Edit::MarkStart(id),
            17 => Edit::MarkEnd(id),
            18 => Edit::ScaleSpeed(x),
            19 => Edit::Reverse,
            20 => self.paste(list),
            21 => self.mirror(list),
            22 => Edit::SetTimes(vec![(id, x), (other, y)]),
            23 => Edit::AppendPoints(vec![(x, self.pose(list)), (y, self.pose(list))]),
            24 => Edit::AddAction { time_secs: x, command: self.command() },
            25 => Edit::SetAction { id: self.action(list), time_secs: x, command: self.command() },
            26 => Edit::DeleteActions(vec![self.action(list)]),
            _ => Edit::SetLimits { max_velocity: given(y), max_acceleration: given(z) },
        }
    }

    /// A waypoint, or rarely none.
    fn point(&self, pick: usize, list: &WaypointsList) -> u64 {
        let points = list.points();
        points.get(self.picks[pick].index(points.len() + 1)).map_or(u64::MAX, |point| point.id)
    }

    fn action(&self, list: &WaypointsList) -> u64 {
        let actions = list.actions();
        actions.get(self.picks[0].index(actions.len() + 1)).map_or(0, |action| action.id)
    }

    fn joint(&self, pick: usize, list: &WaypointsList) -> String {
        let joints = list.joints();
        let joint = joints.get(self.picks[pick].index(joints.len() + 1));
        joint.map_or("nobody".to_owned(), |joint| joint.name.clone())
    }

    fn command(&self) -> TextCommand {
        let kind = if self.flag { "voice/say".to_owned() } else { self.text.clone() };
        TextCommand { kind, command: self.text.clone(), options: String::new() }
    }

    /// The pose of a robot that may lack one of the joints.
    fn pose(&self, list: &WaypointsList) -> Vec<(String, f64)> {
        let missing = (self.picks[2].index(4) == 0).then(|| self.joint(1, list));
        let names = list.joints().iter().map(|joint| joint.name.clone()).chain(["more".to_owned()]);
        let names = names.filter(|name| Some(name) != missing.as_ref());
        let value = |at: usize| self.numbers[at % 2 + 1] - 4.0;
        names.enumerate().map(|(at, name)| (name, value(at))).collect()
    }

    fn paste(&self, list: &WaypointsList) -> Edit {
        let mut joints: Vec<String> =
            list.joints().iter().map(|joint| joint.name.clone()).collect();
        joints.reverse();
        let copy = |point: &ListPoint| {
            let turned = |list: &Vec<f64>| list.iter().rev().copied().collect();
            Pasted {
                time_secs: point.time_secs,
                positions: turned(&point.positions),
                velocities: turned(&point.velocities),
                accelerations: turned(&point.accelerations),
                enabled: point.enabled,
                note: point.note.clone(),
            }
        };
        let count = self.picks[0].index(4);
        let points = list.points().iter().take(count).map(copy).collect();
        Edit::Paste { joints, points, at_secs: self.numbers[0] + 0.1 }
    }

    fn mirror(&self, list: &WaypointsList) -> Edit {
        let ids = if self.flag { vec![self.point(0, list)] } else { Vec::new() };
        Edit::Mirror { ids, pairs: self.pairs(list) }
    }

    /// Pairs that fit each other: neighbours, and the last alone; named in both directions or not.
    pub fn pairs(&self, list: &WaypointsList) -> Vec<MirrorJoint> {
        let both = self.picks[1].index(2) == 0;
        let sign = if self.picks[2].index(2) == 0 { -1.0 } else { 1.0 };
        let pair = |pair: &[retake_motion::edit::ListJoint]| {
            let (one, other) = (pair[0].name.clone(), pair[pair.len() - 1].name.clone());
            let back = MirrorJoint { joint: other.clone(), partner: one.clone(), sign };
            [Some(MirrorJoint { joint: one, partner: other, sign }), both.then_some(back)]
        };
        list.joints().chunks(2).flat_map(pair).flatten().collect()
    }
}
