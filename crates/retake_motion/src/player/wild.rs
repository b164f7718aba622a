//! Numbers that nobody means: they are refused before they get anywhere.

use super::check::{FARTHEST, MAX_SECS, Order};
use crate::{ErrorCode, Goal, GoalPoint, JointTolerance, Refusal};

/// Refuses an order with a number that is not finite or beyond all measure where nothing else looks:
/// in how late it may be, and in the goals that its actions may start later.
pub(super) fn check_wild(order: &Order) -> Result<(), Refusal> {
    let late = order.goal.goal_time_tolerance_secs;
    if !is_tame(late) {
        return Err(invalid(format!(
            "its goal time tolerance is {late} s; write up to {MAX_SECS} s, 0 for the default, or \
             less for no limit"
        )));
    }
    for (at, goal) in order.nested.iter().enumerate() {
        if let Some((path, wild)) = wild_field(goal) {
            return Err(invalid(format!(
                "nested[{at}].{path} is {wild}, in the motion {:?} that it plays; write a number \
                 within ±{FARTHEST:e}",
                goal.name
            )));
        }
    }
    Ok(())
}

fn is_tame(number: f64) -> bool {
    number.abs() <= FARTHEST
}

/// Finds the first field of a goal with a wild number, by its path in messages.
fn wild_field(goal: &Goal) -> Option<(String, f64)> {
    let field = |path: &str, value: f64| (!is_tame(value)).then(|| (path.to_owned(), value));
    field("goal_time_tolerance", goal.goal_time_tolerance_secs)
        .or_else(|| field("trajectory.stamp", goal.stamp_secs?))
        .or_else(|| in_list("trajectory.points", &goal.points, of_point))
        .or_else(|| in_list("path_tolerance", &goal.path_tolerance, of_tolerance))
        .or_else(|| in_list("goal_tolerance", &goal.goal_tolerance, of_tolerance))
        .or_else(|| in_list("actions", &goal.actions, |action| of_time(action.time_secs)))
}

fn in_list<T>(
    name: &str,
    list: &[T],
    of: impl Fn(&T) -> Option<(String, f64)>,
) -> Option<(String, f64)> {
    let mut found = list.iter().enumerate().filter_map(|(at, part)| Some((at, of(part)?)));
    found.next().map(|(at, (path, value))| (format!("{name}[{at}].{path}"), value))
}

fn of_time(secs: f64) -> Option<(String, f64)> {
    (!is_tame(secs)).then(|| ("time_from_start".to_owned(), secs))
}

fn of_point(point: &GoalPoint) -> Option<(String, f64)> {
    let lists = [
        ("positions", &point.positions),
        ("velocities", &point.velocities),
        ("accelerations", &point.accelerations),
        ("effort", &point.effort),
    ];
    let wild = |(name, list): (&str, &Vec<f64>)| {
        let at = list.iter().position(|value| !is_tame(*value))?;
        Some((format!("{name}[{at}]"), list[at]))
    };
    of_time(point.time_secs).or_else(|| lists.into_iter().find_map(wild))
}

fn of_tolerance(tolerance: &JointTolerance) -> Option<(String, f64)> {
    let numbers = [
        ("position", tolerance.position),
        ("velocity", tolerance.velocity),
        ("acceleration", tolerance.acceleration),
    ];
    let (name, value) = numbers.into_iter().find(|(_, value)| !is_tame(*value))?;
    Some((name.to_owned(), value))
}

fn invalid(text: String) -> Refusal {
    Refusal::new(ErrorCode::InvalidGoal, text)
}
