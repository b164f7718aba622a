//! Whether a robot would get in its own way, before anything moves.
//!
//! Links are put where a trajectory wants them, at instants close to one another, and their
//! collision shapes compared. Whether the simulation lets links of a model touch does not count:
//! those of a real robot do. What is left out: links that a joint connects, those that are fixed to
//! one another or to such neighbours, and what is in one place already as the robot stands now; the
//! world around the robot; and the way from where it stands now to where the trajectory begins.

mod instants;
mod pairs;

use std::collections::BTreeMap;

use retake_components::path_of;
use retake_ecm::{Ecm, EntityId};
use retake_math::Pose;
use retake_motion::Goal;
use retake_motion::curve::{CurveSet, Knots, Sample};
use retake_msgs::{MotionChecked, MotionCollision};
use retake_physics::{Overlaps, ShapeLibrary, colliders_of};

use crate::kinematics::Skeleton;
use instants::Way;

/// How much deeper than it is now a pair must be to count, in m.
const DEEPER: f64 = 1e-3;
/// Columns that move nothing: weights on limbs.
const SUPPORT: &str = "support/";
/// Collisions that are told of; beyond it only their number is.
const MAX_TOLD: usize = 256;

/// The links of a robot with their shapes.
pub(crate) struct SelfCheck {
    robot: String,
    skeleton: Skeleton,
    /// Paths of the links below the model.
    names: Vec<String>,
    overlaps: Overlaps,
    /// How deep each pair is now.
    now: Vec<f64>,
}

impl SelfCheck {
    /// Takes the robot as it stands; none when it has no links.
    pub(crate) fn new(ecm: &Ecm, model: EntityId, shapes: &ShapeLibrary) -> Option<Self> {
        let skeleton = Skeleton::of(ecm, model)?;
        let links: Vec<EntityId> = skeleton.links().collect();
        let mut notes = Vec::new();
        let bodies = links.iter().map(|link| colliders_of(ecm, *link, shapes, &mut notes));
        let bodies: Vec<_> = bodies.collect();
        let pairs = pairs::apart(ecm, model, &links);
        // Whoever inserted the robot was told of shapes that cannot be had.
        let overlaps = Overlaps::new(&bodies, pairs, &mut notes);
        let robot = path_of(ecm, model);
        let scope = format!("{robot}::");
        let name = |link: &EntityId| {
            let path = path_of(ecm, *link);
            path.strip_prefix(&scope).unwrap_or(&path).to_owned()
        };
        let names = links.iter().map(name).collect();
        let now = vec![0.0; overlaps.pairs().len()];
        let mut check = Self { robot, skeleton, names, overlaps, now };
        let poses = check.skeleton.place(&check.skeleton.positions(&|_| None));
        let now = &mut check.now;
        check.overlaps.find(&poses, &mut |pair, depth| now[pair] = depth);
        Some(check)
    }

    /// Follows a trajectory from its first to its last point.
    pub(crate) fn look(&mut self, goal: &Goal) -> MotionChecked {
        let refused = |message: String| MotionChecked { message, ..MotionChecked::default() };
        let (curves, places) = match self.curves(goal) {
            Ok(curves) => curves,
            Err(reason) => return refused(reason),
        };
        let linear = places.iter().map(|place| self.skeleton.joints()[*place].kind.is_linear());
        let times: Vec<f64> = goal.points.iter().map(|point| point.time_secs).collect();
        let way = Way::new(&curves, linear.collect());
        let (instants, coarser) = way.instants(&times);
        let mut told = vec![None; self.skeleton.joints().len()];
        let mut samples = vec![Sample::default(); curves.len()];
        let mut found = Found::default();
        for time in &instants {
            curves.sample_all(*time, &mut samples);
            for (place, sample) in places.iter().zip(&samples) {
                told[*place] = Some(sample.position);
            }
            let poses: Vec<Pose> = self.skeleton.place(&self.skeleton.completed(&told));
            let now = &self.now;
            found.next_instant(*time);
            self.overlaps.find(&poses, &mut |pair, depth| {
                if depth > now[pair] + DEEPER {
                    found.meet(pair, depth);
                }
            });
        }
        self.answer(found, instants.len(), coarser)
    }

    /// The curves of the joints that move links, and the places of these joints.
    fn curves(&self, goal: &Goal) -> Result<(CurveSet, Vec<usize>), String> {
        let mut moved: Vec<(usize, usize)> = Vec::new();
        for (column, name) in goal.joints.iter().enumerate() {
            if name.starts_with(SUPPORT) {
                continue;
            }
            let mut joints = self.skeleton.joints().iter();
            let place = joints.position(|joint| joint.name == *name).ok_or_else(|| {
                format!("{:?} has no joint {name:?} that turns or slides", self.robot)
            })?;
            moved.push((column, place));
        }
        let times: Vec<f64> = goal.points.iter().map(|point| point.time_secs).collect();
        let columns: Result<Vec<Columns>, String> =
            moved.iter().map(|(column, _)| Columns::of(goal, *column)).collect();
        let columns = columns?;
        let knots: Vec<Knots<'_>> = columns.iter().map(Columns::knots).collect();
        let curves = CurveSet::new(goal.interpolation, &times, &knots);
        let curves = curves.map_err(|error| error.to_string())?;
        Ok((curves, moved.into_iter().map(|(_, place)| place).collect()))
    }

    fn answer(&self, found: Found, instants: usize, coarser: Option<f64>) -> MotionChecked {
        let mut stays = found.over();
        let all = stays.len();
        stays.truncate(MAX_TOLD);
        let collision = stays.into_iter().map(|stay| {
            let (first, second) = self.overlaps.pairs()[stay.pair];
            MotionCollision {
                first: self.names[first].clone(),
                second: self.names[second].clone(),
                from: stay.from,
                to: stay.to,
                deepest: stay.deepest,
                depth: stay.depth,
            }
        });
        let mut remarks = Vec::new();
        if let Some(times) = coarser {
            remarks.push(format!(
                "It is a long way: joints move up to {:.3} rad or {:.4} m between two looks",
                instants::STEP_RAD * times,
                instants::STEP_M * times,
            ));
        }
        if all > MAX_TOLD {
            remarks.push(format!("There are {all} collisions; the first {MAX_TOLD} are told"));
        }
        MotionChecked {
            ok: true,
            message: remarks.join(". "),
            collision: collision.collect(),
            instants: u32::try_from(instants).unwrap_or(u32::MAX),
        }
    }
}

/// The numbers of one joint at all points of a goal.
struct Columns {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Columns {
    fn of(goal: &Goal, column: usize) -> Result<Self, String> {
        let read = |what: &str, list: fn(&retake_motion::GoalPoint) -> &Vec<f64>, needed: bool| {
            let given = goal.points.iter().filter(|point| !list(point).is_empty()).count();
            // Some points without are as none with: a curve needs them of all.
            if !needed && given < goal.points.len() {
                return Ok(Vec::new());
            }
            let value = |(at, point): (usize, &retake_motion::GoalPoint)| {
                let short = || format!("point {at} has no {what} of {:?}", goal.joints[column]);
                list(point).get(column).copied().ok_or_else(short)
            };
            goal.points.iter().enumerate().map(value).collect()
        };
        Ok(Self {
            positions: read("position", |point| &point.positions, true)?,
            velocities: read("velocity", |point| &point.velocities, false)?,
            accelerations: read("acceleration", |point| &point.accelerations, false)?,
        })
    }

    fn knots(&self) -> Knots<'_> {
        Knots {
            positions: &self.positions,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            stepwise: false,
        }
    }
}

/// A pair that stays in one place for a while.
struct Stay {
    pair: usize,
    from: f64,
    to: f64,
    deepest: f64,
    depth: f64,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    over: Vec<Stay>,
    /// Those that were met at the last instant, and whether they were at this one.
    open: BTreeMap<usize, (Stay, bool)>,
    time: f64,
}

impl Found {
    fn next_instant(&mut self, time: f64) {
        self.close();
        self.time = time;
    }

    fn meet(&mut self, pair: usize, depth: f64) {
        let time = self.time;
        let fresh = Stay { pair, from: time, to: time, deepest: time, depth };
        let (stay, is_met) = self.open.entry(pair).or_insert((fresh, true));
        (stay.to, *is_met) = (time, true);
        if depth > stay.depth {
            (stay.deepest, stay.depth) = (time, depth);
        }
    }

    /// Ends the stays of pairs that were not met at this instant.
    fn close(&mut self) {
        for (pair, (stay, is_met)) in std::mem::take(&mut self.open) {
            match is_met {
                true => drop(self.open.insert(pair, (stay, false))),
                false => self.over.push(stay),
            }
        }
    }

    /// Returns all stays, in the order in which they begin.
    fn over(mut self) -> Vec<Stay> {
        self.over.extend(self.open.into_values().map(|(stay, _)| stay));
        self.over.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.pair.cmp(&b.pair)));
        self.over
    }
}
