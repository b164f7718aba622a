//! Whether a goal can be taken at all, whatever the joints do now.

use super::run::{GoalRun, Moved};
use super::wild::check_wild;
use super::{BadTolerances, Robot, Rules, nanos};
use crate::blend::Blend;
use crate::motion::is_support;
use crate::{ErrorCode, Goal, GoalPoint, JointTolerance, Refusal};

/// What a player is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What its sender calls it.
    pub goal_id: String,
    /// The player that is asked.
    pub player: u64,
    /// The rules of that player.
    pub rules: Rules,
    /// What is to be done.
    pub goal: Goal,
    /// Goals that actions of it may start, by name.
    pub nested: Vec<Goal>,
    /// The sender will say that it is there once in so many seconds; 0 never.
    pub keep_alive_secs: f64,
}

/// Most joints, points, actions and nested goals of a goal, most positions in all of its points, and
/// longest time in s: far beyond any motion.
const MAX_JOINTS: usize = 4096;
const MAX_POINTS: usize = 1_000_000;
const MAX_POSITIONS: usize = 4_000_000;
const MAX_ACTIONS: usize = 4096;
const MAX_NESTED: usize = 256;
pub(crate) const MAX_SECS: f64 = 1e6;
/// Most unknown joints that a refusal names.
const MAX_NAMED: usize = 8;
/// Farthest position, in rad or m: far beyond any joint, far from overflow.
pub(crate) const FARTHEST: f64 = 1e6;
/// How far beyond a limit a position may be, in rad or m: what rounding and teaching leave.
const LIMIT_SLACK: f64 = 1e-3;
/// Shortest pass of a goal that repeats, in s: others would be nothing but beginnings.
pub(crate) const SHORTEST_PASS_SECS: f64 = 0.1;

/// Checks a goal against the robot and the rules, and finds its joints.
pub(super) fn check(robot: &Robot, order: &Order, now_nanos: i64) -> Result<GoalRun, Refusal> {
    let Order { rules, goal, .. } = order;
    check_shape(order)?;
    check_wild(order)?;
    let (mut moved, supports) = find_joints(robot, goal)?;
    if !rules.partial_goals && moved.len() < robot.joints().len() {
        return Err(left_out(robot, &moved));
    }
    check_points(goal, rules)?;
    check_actions(goal)?;
    if rules.check_limits {
        check_limits(robot, goal, &moved)?;
    }
    fill_tolerances(robot, order, &mut moved)?;
    let begun_nanos = begun(goal, now_nanos)?;
    let run = GoalRun {
        goal: goal.clone(),
        nested: order.nested.clone(),
        moved,
        supports,
        begun_nanos,
        anchor: Vec::new(),
    };
    if run.end_nanos() < begun_nanos {
        return Err(Refusal::new(
            ErrorCode::OldHeaderTimestamp,
            "its time stamp is so old that it would be over already; send it with a newer one",
        ));
    }
    if goal.repeat {
        check_repeat(&run, rules)?;
    }
    Ok(run)
}

fn check_repeat(run: &GoalRun, rules: &Rules) -> Result<(), Refusal> {
    if run.end_nanos() < nanos(SHORTEST_PASS_SECS) {
        return Err(invalid(format!(
            "it repeats and lasts {} s; let it last {SHORTEST_PASS_SECS} s at least",
            super::secs(run.end_nanos())
        )));
    }
    let (Some(first), Some(last)) = (run.goal.points.first(), run.goal.points.last()) else {
        return Ok(());
    };
    let jumps = |moved: &&Moved| {
        (last.positions[moved.column] - first.positions[moved.column]).abs() > LIMIT_SLACK
    };
    let may_jump = rules.blend == Blend::None && first.time_secs == 0.0;
    match run.moved.iter().find(jumps).filter(|_| may_jump) {
        None => Ok(()),
        Some(Moved { column, .. }) => Err(invalid(format!(
            "it repeats, and joint {:?} ends at {} and begins at {}, where it would jump without a \
             blend; end where it begins, or give the first point a time above 0",
            run.goal.joints[*column], last.positions[*column], first.positions[*column]
        ))),
    }
}

fn check_shape(order: &Order) -> Result<(), Refusal> {
    let goal = &order.goal;
    let only_actions = goal.joints.is_empty() && !goal.actions.is_empty();
    if goal.points.is_empty() && !only_actions {
        return Err(invalid("it has no points, so that there is nothing to follow; add some"));
    }
    let (joints, points) = (goal.joints.len(), goal.points.len());
    let counts = [
        ("joints", joints, MAX_JOINTS),
        ("points", points, MAX_POINTS),
        ("positions", joints.saturating_mul(points), MAX_POSITIONS),
        ("actions", goal.actions.len(), MAX_ACTIONS),
        ("nested motions", order.nested.len(), MAX_NESTED),
    ];
    match counts.into_iter().find(|(_, count, most)| count > most) {
        Some((what, count, most)) => Err(invalid(format!(
            "it has {count} {what}; at most {most} are taken, so cut it into several"
        ))),
        None => Ok(()),
    }
}

fn find_joints(robot: &Robot, goal: &Goal) -> Result<(Vec<Moved>, Vec<usize>), Refusal> {
    let (mut moved, mut supports, mut unknown) = (Vec::<Moved>::new(), Vec::new(), Vec::new());
    for (column, name) in goal.joints.iter().enumerate() {
        let joint = match robot.find(name) {
            Some(joint) => joint,
            None if is_support(name) => {
                supports.push(column);
                continue;
            }
            None => {
                unknown.push(format!("{name:?}"));
                continue;
            }
        };
        if moved.iter().any(|other| other.joint == joint) {
            return Err(invalid(format!("joint {name:?} is named twice; name it once")));
        }
        let any = f64::INFINITY;
        moved.push(Moved {
            joint,
            column,
            shift: 0.0,
            path: any,
            path_velocity: any,
            goal: any,
            goal_velocity: any,
        });
    }
    if unknown.is_empty() {
        return Ok((moved, supports));
    }
    let known: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
    let more = match unknown.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    unknown.truncate(MAX_NAMED);
    let text = format!(
        "the robot has no joint {}{more}; it has {}",
        unknown.join(", "),
        if known.is_empty() { "none".to_owned() } else { known.join(", ") }
    );
    Err(Refusal::new(ErrorCode::InvalidJoints, text))
}

fn left_out(robot: &Robot, moved: &[Moved]) -> Refusal {
    let missing = robot.joints().iter().enumerate();
    let missing = missing.filter(|(at, _)| !moved.iter().any(|moved| moved.joint == *at));
    let missing: Vec<&str> = missing.map(|(_, joint)| joint.name.as_str()).collect();
    let text = format!(
        "it leaves out {}; name every joint, or let the player take partial goals",
        missing.join(", ")
    );
    Refusal::new(ErrorCode::InvalidJoints, text)
}

fn check_points(goal: &Goal, rules: &Rules) -> Result<(), Refusal> {
    let mut before: Option<f64> = None;
    for (number, point) in (1..).zip(&goal.points) {
        check_sizes(goal, number, point)?;
        let time = point.time_secs;
        if !(0.0..=MAX_SECS).contains(&time) {
            return Err(invalid(format!(
                "point {number} is at {time} s; write a time from 0 to {MAX_SECS}"
            )));
        }
        if let Some(before) = before.filter(|before| nanos(time) <= nanos(*before)) {
            return Err(invalid(format!(
                "point {number} is at {time} s, not after the one before at {before} s; times must \
                 grow"
            )));
        }
        before = Some(time);
    }
    let last = goal.points.last().filter(|_| !rules.moving_end);
    let fast = last.and_then(|last| last.velocities.iter().position(|v| *v != 0.0).zip(Some(last)));
    match fast {
        Some((column, last)) => Err(invalid(format!(
            "the last point moves joint {:?} at {}; end with a velocity of 0, or let the player \
             take moving ends",
            goal.joints[column], last.velocities[column]
        ))),
        None => Ok(()),
    }
}

fn check_sizes(goal: &Goal, number: usize, point: &GoalPoint) -> Result<(), Refusal> {
    let joints = goal.joints.len();
    let lists = [
        ("positions", &point.positions, false),
        ("velocities", &point.velocities, true),
        ("accelerations", &point.accelerations, true),
    ];
    for (what, list, may_be_empty) in lists {
        if list.len() != joints && !(may_be_empty && list.is_empty()) {
            return Err(invalid(format!(
                "point {number} has {} {what} for {joints} joints",
                list.len()
            )));
        }
        if let Some(column) = list.iter().position(|value| value.abs() > FARTHEST || value.is_nan())
        {
            return Err(invalid(format!(
                "{what} of point {number} has {} for joint {:?}; write a number within ±{FARTHEST:e}",
                list[column], goal.joints[column]
            )));
        }
    }
    match point.effort.is_empty() {
        true => Ok(()),
        false => Err(invalid(format!(
            "point {number} gives efforts, and players move joints by position; leave them out"
        ))),
    }
}

fn check_actions(goal: &Goal) -> Result<(), Refusal> {
    let times = || goal.actions.iter().map(|action| action.time_secs);
    if let Some(bad) = times().find(|time| !(0.0..=MAX_SECS).contains(time)) {
        return Err(invalid(format!("an action is at {bad} s; write a time from 0 to {MAX_SECS}")));
    }
    match times().is_sorted() {
        true => Ok(()),
        false => Err(invalid("its actions are not sorted by time")),
    }
}

fn check_limits(robot: &Robot, goal: &Goal, moved: &[Moved]) -> Result<(), Refusal> {
    for Moved { joint, column, .. } in moved {
        let joint = &robot.joints()[*joint];
        let (lower, upper) = joint.limits;
        let beyond = |value: f64| value < lower - LIMIT_SLACK || value > upper + LIMIT_SLACK;
        let bad = goal.points.iter().position(|point| beyond(point.positions[*column]));
        if let Some(at) = bad.filter(|_| !joint.continuous) {
            return Err(invalid(format!(
                "point {} has joint {:?} at {}, beyond its limits of {lower} to {upper}",
                at + 1,
                joint.name,
                goal.points[at].positions[*column]
            )));
        }
    }
    Ok(())
}

/// Returns how much of the goal's own time has passed: negative when it begins later.
fn begun(goal: &Goal, now_nanos: i64) -> Result<i64, Refusal> {
    match goal.stamp_secs.filter(|stamp| *stamp != 0.0) {
        None => Ok(0),
        Some(stamp) if stamp.is_finite() && stamp.abs() < 1e9 => {
            Ok(now_nanos.saturating_sub(nanos(stamp)))
        }
        Some(stamp) => Err(invalid(format!("its time stamp is {stamp} s; leave it out for now"))),
    }
}

fn fill_tolerances(robot: &Robot, order: &Order, moved: &mut [Moved]) -> Result<(), Refusal> {
    let Order { rules, goal, .. } = order;
    let good = match (check_tolerances(goal), rules.bad_tolerances) {
        (Ok(()), _) => true,
        (Err(_), BadTolerances::UseDefaults) => false,
        (Err(refusal), BadTolerances::Refuse) => return Err(refusal),
    };
    let given = |list: &'_ [JointTolerance], name: &str| {
        list.iter().find(|tolerance| good && tolerance.name == name).cloned().unwrap_or_default()
    };
    for moved in moved {
        let name = &robot.joints()[moved.joint].name;
        let own = rules.joint_tolerances.get(name).copied();
        let (path, at_goal) = own.unwrap_or((rules.path_tolerance, rules.goal_tolerance));
        let way = given(&goal.path_tolerance, name);
        moved.path = limit(way.position, path);
        moved.path_velocity = limit(way.velocity, 0.0);
        let end = given(&goal.goal_tolerance, name);
        moved.goal = limit(end.position, at_goal);
        // Who does not care where a joint ends does not care whether it has come to rest.
        let stopped = if moved.goal.is_finite() { rules.stopped_velocity } else { 0.0 };
        moved.goal_velocity = limit(end.velocity, stopped);
    }
    Ok(())
}

fn check_tolerances(goal: &Goal) -> Result<(), Refusal> {
    for tolerance in goal.path_tolerance.iter().chain(&goal.goal_tolerance) {
        let JointTolerance { name, position, velocity, acceleration } = tolerance;
        if !goal.joints.contains(name) {
            return Err(invalid(format!(
                "a tolerance is for joint {name:?}, which the goal does not move"
            )));
        }
        let bad = [position, velocity, acceleration];
        let bad = bad.into_iter().find(|value| !(**value >= 0.0 || **value == JointTolerance::OFF));
        if let Some(bad) = bad {
            return Err(invalid(format!(
                "a tolerance of joint {name:?} is {bad}; write a number above 0, 0 for the default \
                 or -1 for any distance"
            )));
        }
    }
    Ok(())
}

/// Returns what counts: the given value, or the default where it is 0; infinite is any distance.
fn limit(given: f64, default: f64) -> f64 {
    match given {
        0.0 if default > 0.0 => default,
        value if value > 0.0 => value,
        _ => f64::INFINITY,
    }
}

pub(super) fn invalid(text: impl Into<String>) -> Refusal {
    Refusal::new(ErrorCode::InvalidGoal, text)
}
