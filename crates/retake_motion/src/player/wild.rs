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
    for goal in &order.nested {
        if let Some(wild) = numbers(goal).find(|number| !is_tame(*number)) {
            return Err(invalid(format!(
                "the motion {:?} that it plays has the number {wild}; write numbers within ±{FARTHEST:e}",
                goal.name
            )));
        }
    }
    Ok(())
}

fn is_tame(number: f64) -> bool {
    number.abs() <= FARTHEST
}

fn numbers(goal: &Goal) -> impl Iterator<Item = f64> {
    let tolerances = goal.path_tolerance.iter().chain(&goal.goal_tolerance);
    let of_tolerance = |tolerance: &JointTolerance| {
        [tolerance.position, tolerance.velocity, tolerance.acceleration]
    };
    std::iter::once(goal.goal_time_tolerance_secs)
        .chain(goal.stamp_secs)
        .chain(goal.points.iter().flat_map(of_point))
        .chain(tolerances.flat_map(of_tolerance))
        .chain(goal.actions.iter().map(|action| action.time_secs))
}

fn of_point(point: &GoalPoint) -> impl Iterator<Item = f64> {
    let lists = [&point.positions, &point.velocities, &point.accelerations, &point.effort];
    std::iter::once(point.time_secs).chain(lists.into_iter().flatten().copied())
}

fn invalid(text: String) -> Refusal {
    Refusal::new(ErrorCode::InvalidGoal, text)
}
