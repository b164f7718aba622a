//! Whether a goal may be sent to a robot at all.

use retake_msgs::{
    FollowJointTrajectoryWithActions, JointTrajectoryPoint, MotionGoal, motion_goal,
};

use retake_msgs::names::PLAYS_MOTION;

use crate::KEEP_ALIVE_SECS;

/// Shortest and longest time that a robot may go on without hearing from us, in s.
const KEEP_ALIVE: std::ops::RangeInclusive<f64> = 0.05..=5.0;
/// Fastest that a motion is played, against the taught speed.
const FASTEST: f64 = 10.0;
/// Most points of a goal; the bus carries no more anyway.
const MAX_POINTS: usize = 100_000;
/// Longest id of a goal, in bytes.
const MAX_ID_BYTES: usize = 256;
/// Columns that are no joints: weights on limbs.
const SUPPORT: &str = "support/";

const INVALID_GOAL: i32 = -1;
const INVALID_JOINTS: i32 = -2;

/// Why a goal is not sent: code of `FollowJointTrajectory` and text.
pub(crate) type Fault = (i32, String);

/// Checks a goal against the joints that the robot tells of, and fills in what it leaves open.
pub(crate) fn ready(mut goal: MotionGoal, joints: &[String]) -> Result<MotionGoal, Fault> {
    let Some(motion_goal::What::Trajectory(trajectory)) = &goal.what else {
        return Err(invalid("the goal has no trajectory"));
    };
    check_trajectory(trajectory, joints)?;
    if goal.goal_id.len() > MAX_ID_BYTES {
        return Err(invalid(format!("its id is longer than {MAX_ID_BYTES} bytes")));
    }
    match goal.speed {
        0.0 => {}
        speed if speed > 0.0 && speed <= FASTEST => {}
        speed => {
            let text = format!("its speed is {speed}; write a number above 0, at most {FASTEST}");
            return Err(invalid(text));
        }
    }
    if goal.keep_alive_secs == 0.0 {
        goal.keep_alive_secs = KEEP_ALIVE_SECS;
    }
    if !KEEP_ALIVE.contains(&goal.keep_alive_secs) {
        let (least, most) = KEEP_ALIVE.into_inner();
        let given = goal.keep_alive_secs;
        return Err(invalid(format!(
            "its keep-alive time is {given} s; write a number from {least} to {most}"
        )));
    }
    if goal.goal_id.is_empty() {
        goal.goal_id = uuid::Uuid::now_v7().to_string();
    }
    Ok(goal)
}

fn check_trajectory(
    goal: &FollowJointTrajectoryWithActions,
    joints: &[String],
) -> Result<(), Fault> {
    let trajectory = goal.trajectory.clone().unwrap_or_default();
    let names = &trajectory.joint_names;
    let is_unknown = |name: &&String| !joints.contains(name) && !name.starts_with(SUPPORT);
    let unknown: Vec<String> = names.iter().filter(is_unknown).map(|n| format!("{n:?}")).collect();
    if !unknown.is_empty() {
        let text =
            format!("the robot has no joint {}; it has {}", unknown.join(", "), joints.join(", "));
        return Err((INVALID_JOINTS, text));
    }
    if names.is_empty() || trajectory.points.is_empty() {
        return Err(invalid("it moves nothing; give it joints and points"));
    }
    if trajectory.points.len() > MAX_POINTS {
        let count = trajectory.points.len();
        return Err(invalid(format!("it has {count} points; at most {MAX_POINTS} are sent")));
    }
    if trajectory.stamp.is_some_and(|stamp| stamp.sec != 0 || stamp.nsec != 0) {
        // The robot's clock is another than that of this world.
        return Err(invalid("it begins at a given time; leave its stamp out to begin at once"));
    }
    for (number, point) in (1..).zip(&trajectory.points) {
        check_point(number, point, names.len())?;
    }
    check_actions(goal)
}

fn check_point(number: usize, point: &JointTrajectoryPoint, joints: usize) -> Result<(), Fault> {
    let lists = [&point.positions, &point.velocities, &point.accelerations, &point.effort];
    let fits = |list: &&Vec<f64>| list.is_empty() || list.len() == joints;
    if point.positions.len() != joints || !lists.iter().all(fits) {
        return Err(invalid(format!(
            "point {number} does not have one number for each of {joints} joints"
        )));
    }
    let finite = lists.into_iter().flatten().all(|number| number.is_finite());
    if !finite || !(0.0..=1e6).contains(&point.time_from_start) {
        return Err(invalid(format!(
            "point {number} has a number that is not finite, or a time beyond 0 to 1e6 s"
        )));
    }
    Ok(())
}

/// Refuses motions that play others: those would go on without anybody being heard.
fn check_actions(goal: &FollowJointTrajectoryWithActions) -> Result<(), Fault> {
    let commands = goal.actions.iter().filter_map(|action| action.command.as_ref());
    let mut played = commands.filter(|command| command.r#type == PLAYS_MOTION);
    match played.next() {
        Some(command) => Err(invalid(format!(
            "it plays the motion {:?} beside itself, which real robots do not do. Play that one \
             by itself",
            command.command
        ))),
        None => Ok(()),
    }
}

fn invalid(text: impl Into<String>) -> Fault {
    (INVALID_GOAL, text.into())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use retake_msgs::{JointTrajectory, TextCommand, TextCommandStamped, Time};

    use super::*;

    fn goal(
        change: impl FnOnce(&mut MotionGoal, &mut FollowJointTrajectoryWithActions),
    ) -> MotionGoal {
        let point = |secs: f64| JointTrajectoryPoint {
            positions: vec![0.1, 0.2],
            time_from_start: secs,
            ..JointTrajectoryPoint::default()
        };
        let mut trajectory = FollowJointTrajectoryWithActions {
            trajectory: Some(JointTrajectory {
                joint_names: vec!["elbow".to_owned(), "support/left".to_owned()],
                points: vec![point(1.0), point(2.0)],
                ..JointTrajectory::default()
            }),
            ..FollowJointTrajectoryWithActions::default()
        };
        let mut goal = MotionGoal { goal_id: "g".to_owned(), ..MotionGoal::default() };
        change(&mut goal, &mut trajectory);
        goal.what = Some(motion_goal::What::Trajectory(trajectory));
        goal
    }

    fn check(
        change: impl FnOnce(&mut MotionGoal, &mut FollowJointTrajectoryWithActions),
        expected: Expect,
    ) {
        let joints = ["shoulder".to_owned(), "elbow".to_owned()];
        let shown = match ready(goal(change), &joints) {
            Ok(goal) => format!("{} with {} s", goal.goal_id, goal.keep_alive_secs),
            Err((code, text)) => format!("{code}: {text}"),
        };
        expected.assert_eq(&shown);
    }

    fn points(goal: &mut FollowJointTrajectoryWithActions) -> &mut Vec<JointTrajectoryPoint> {
        &mut goal.trajectory.as_mut().unwrap().points
    }

    #[test]
    fn a_goal_that_fits_is_sent() {
        check(|_, _| {}, expect!["g with 0.2 s"]);
        check(|goal, _| goal.keep_alive_secs = 1.5, expect!["g with 1.5 s"]);
    }

    #[test]
    fn a_goal_that_does_not_fit_is_told_why() {
        check(
            |_, what| what.trajectory = None,
            expect!["-1: it moves nothing; give it joints and points"],
        );
        check(
            |_, what| points(what).clear(),
            expect!["-1: it moves nothing; give it joints and points"],
        );
        check(
            |_, what| what.trajectory.as_mut().unwrap().joint_names[0] = "wing".to_owned(),
            expect![[r#"-2: the robot has no joint "wing"; it has shoulder, elbow"#]],
        );
        check(
            |_, what| points(what)[1].positions.truncate(1),
            expect!["-1: point 2 does not have one number for each of 2 joints"],
        );
        check(
            |_, what| points(what)[1].positions[0] = f64::NAN,
            expect!["-1: point 2 has a number that is not finite, or a time beyond 0 to 1e6 s"],
        );
        check(
            |_, what| points(what)[0].velocities = vec![f64::INFINITY, 0.0],
            expect!["-1: point 1 has a number that is not finite, or a time beyond 0 to 1e6 s"],
        );
        check(
            |_, what| points(what)[0].time_from_start = f64::NAN,
            expect!["-1: point 1 has a number that is not finite, or a time beyond 0 to 1e6 s"],
        );
        check(
            |goal, _| goal.speed = f64::NAN,
            expect!["-1: its speed is NaN; write a number above 0, at most 10"],
        );
        check(
            |goal, _| goal.speed = -1.0,
            expect!["-1: its speed is -1; write a number above 0, at most 10"],
        );
        check(
            |goal, _| goal.keep_alive_secs = 60.0,
            expect!["-1: its keep-alive time is 60 s; write a number from 0.05 to 5"],
        );
        check(
            |goal, _| goal.keep_alive_secs = f64::NAN,
            expect!["-1: its keep-alive time is NaN s; write a number from 0.05 to 5"],
        );
        check(
            |goal, _| goal.goal_id = "x".repeat(257),
            expect!["-1: its id is longer than 256 bytes"],
        );
        check(
            |_, what| {
                what.trajectory.as_mut().unwrap().stamp = Some(Time { sec: 5, nsec: 0 });
            },
            expect!["-1: it begins at a given time; leave its stamp out to begin at once"],
        );
        check(
            |_, what| {
                what.actions.push(TextCommandStamped {
                    time_from_start: 0.5,
                    command: Some(TextCommand {
                        r#type: PLAYS_MOTION.to_owned(),
                        command: "nod".to_owned(),
                        options: String::new(),
                    }),
                });
            },
            expect![[
                r#"-1: it plays the motion "nod" beside itself, which real robots do not do. Play that one by itself"#
            ]],
        );
    }
}
