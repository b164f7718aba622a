//! What reaches a robot, and when: stories of a gateway and one robot, with a clock of their own.

use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use proptest::prelude::*;
use retake_msgs::{
    FollowJointTrajectoryWithActions, JointTrajectory, JointTrajectoryPoint, MotionCancel,
    SetTorque, Time,
};

use super::*;

/// How often a story's gateway looks.
const TICK: Duration = Duration::from_millis(10);
/// How often a story's robot tells its joints.
const JOINTS: Duration = Duration::from_millis(50);

/// What reached the link.
#[derive(Default)]
struct Reached {
    asks: Vec<Ask>,
    beats: Vec<String>,
}

struct FakeLink(Arc<Mutex<Reached>>);

impl RobotLink for FakeLink {
    fn address(&self) -> String {
        "nowhere".to_owned()
    }

    fn ask(&mut self, ask: Ask) {
        self.0.lock().unwrap().asks.push(ask);
    }

    fn keep_alive(&mut self, goal_id: &str) {
        self.0.lock().unwrap().beats.push(goal_id.to_owned());
    }
}

/// A gateway's side of one robot, and the world around it.
struct Story {
    now: Instant,
    twin: Twin,
    reached: Arc<Mutex<Reached>>,
    told: Arc<Mutex<Vec<String>>>,
    /// Whether the robot tells its joints.
    alive: bool,
    told_joints: Instant,
    stamp: i64,
    seen: usize,
    log: Vec<String>,
}

impl Story {
    fn new() -> Self {
        let now = Instant::now();
        let reached = Arc::<Mutex<Reached>>::default();
        let link = Box::new(FakeLink(Arc::clone(&reached)));
        let lost_after = Duration::from_secs_f64(crate::LOST_AFTER_SECS);
        let twin = Twin::new("arm".to_owned(), lost_after, link, now);
        Self {
            now,
            twin,
            reached,
            told: Arc::default(),
            alive: false,
            told_joints: now,
            stamp: 0,
            seen: 0,
            log: Vec::new(),
        }
    }

    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now += TICK;
            self.twin.wake(self.now);
            if self.alive && self.now >= self.told_joints + JOINTS {
                self.told_joints = self.now;
                self.stamp += 1;
                self.joints();
                let goal_id = self.twin.status().goal_id;
                self.twin.hear(self.now, RobotEvent::Follows(goal_id));
            }
            self.twin.tick(self.now);
        }
    }

    fn joints(&mut self) {
        let joints = JointPose {
            stamp: Some(Time { sec: self.stamp, nsec: 0 }),
            name: vec!["shoulder".to_owned(), "elbow".to_owned()],
            position: vec![0.0, 0.0],
            ..JointPose::default()
        };
        self.twin.hear(self.now, RobotEvent::Joints(joints));
    }

    fn reply(&self) -> Reply<RobotReply> {
        let told = Arc::clone(&self.told);
        Box::new(move |reply| {
            let word = if reply.ok { "ok" } else { "refused" };
            told.lock().unwrap().push(format!("{word}: {}", reply.message));
        })
    }

    fn command(&mut self, command: robot_command::Command) {
        let command = RobotCommand { command: Some(command), ..RobotCommand::default() };
        let reply = self.reply();
        self.twin.command(self.now, command, reply);
    }

    fn act(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let secs = |text: &str| Duration::from_secs_f64(text.parse().unwrap());
        match words.as_slice() {
            ["alive"] => self.alive = true,
            ["silent"] => self.alive = false,
            ["pass", time] => self.pass(secs(time)),
            ["sleep", time] => {
                self.now += secs(time);
                self.twin.wake(self.now);
                self.twin.tick(self.now);
            }
            ["arm", author] => self.arm(true, author),
            ["disarm"] => self.arm(false, ""),
            ["goal", id] => self.command(robot_command::Command::Goal(Box::new(goal(id)))),
            ["stop"] => self.command(robot_command::Command::Cancel(MotionCancel::default())),
            ["torque", joint] => self.command(robot_command::Command::Torque(SetTorque {
                robot: String::new(),
                joint: vec![(*joint).to_owned()],
                on: false,
            })),
            ["answer", rest @ ..] => self.answer(rest),
            ["ended", id, state] => self.twin.hear(
                self.now,
                RobotEvent::Ended(MotionResult {
                    goal_id: (*id).to_owned(),
                    state: State::from_str_name(state).unwrap() as i32,
                    error_string: "so the robot says".to_owned(),
                    ..MotionResult::default()
                }),
            ),
            ["back"] => {
                self.stamp -= 10;
                self.joints();
            }
            ["state"] => {
                let status = self.twin.status();
                let armed = if status.armed { "armed" } else { "not armed" };
                self.log.push(format!("  {armed}; {}", status.state));
            }
            _ => panic!("unknown line {line:?}"),
        }
        self.note();
    }

    fn arm(&mut self, arm: bool, author: &str) {
        let request = RobotArm { robot: String::new(), arm, author: author.to_owned() };
        let reply = self.twin.arm(&request);
        (self.reply())(reply);
    }

    /// The robot answers the oldest question that has no answer.
    fn answer(&mut self, words: &[&str]) {
        let ticket = *self.twin.asked.keys().next().unwrap();
        let answer = match words {
            ["done"] => Answer::Done("it begins".to_owned()),
            ["refused"] => Answer::Refused { code: -2, text: "no such joint".to_owned() },
            _ => Answer::Unknown("it did not answer".to_owned()),
        };
        self.twin.hear(self.now, RobotEvent::Answered(ticket, answer));
    }

    /// Writes down what reached the robot and whoever asked.
    fn note(&mut self) {
        self.log.extend(self.told.lock().unwrap().drain(..).map(|told| format!("  {told}")));
        let mut reached = self.reached.lock().unwrap();
        for ask in &reached.asks[self.seen..] {
            self.log.push(match &ask.order {
                Order::Follow(goal) => format!("  → follow {}", goal.goal_id),
                Order::Cancel(id) => format!("  → cancel {id:?}"),
                Order::SetTorque { joints, on } => format!("  → torque {joints:?} {on}"),
            });
        }
        self.seen = reached.asks.len();
        let beats = std::mem::take(&mut reached.beats);
        if let Some(goal) = beats.first() {
            self.log.push(format!("  → {} beats for {goal}", beats.len()));
        }
    }
}

fn goal(id: &str) -> MotionGoal {
    let point = JointTrajectoryPoint {
        positions: vec![1.0],
        time_from_start: 1.0,
        ..JointTrajectoryPoint::default()
    };
    let trajectory = JointTrajectory {
        joint_names: vec!["elbow".to_owned()],
        points: vec![point],
        ..JointTrajectory::default()
    };
    let what = motion_goal::What::Trajectory(FollowJointTrajectoryWithActions {
        trajectory: Some(trajectory),
        name: "wave".to_owned(),
        ..FollowJointTrajectoryWithActions::default()
    });
    MotionGoal { goal_id: id.to_owned(), what: Some(what), ..MotionGoal::default() }
}

fn check(story: &str, expected: Expect) {
    let mut told = Story::new();
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        told.log.push(line.to_owned());
        told.act(line);
    }
    expected.assert_eq(&(told.log.join("\n") + "\n"));
}

#[test]
fn only_an_armed_robot_is_commanded() {
    check(
        "state
         arm anna
         alive
         pass 0.1
         goal g1
         torque elbow
         stop
         arm anna
         state
         goal g1
         answer done
         answer done
         torque elbow
         disarm
         goal g2",
        expect![[r#"
            state
              not armed; it is looked for
            arm anna
              refused: arm cannot be armed: it is looked for
            alive
            pass 0.1
            goal g1
              refused: The robot is not armed: retake robot arm arm
            torque elbow
              refused: The robot is not armed: retake robot arm arm
            stop
              → cancel ""
            arm anna
              ok: arm is armed: commands move the real robot
            state
              armed; armed by anna
            goal g1
              → follow g1
            answer done
              ok: it begins
            answer done
              ok: it begins
            torque elbow
              → torque ["elbow"] false
            disarm
              ok: arm is disarmed and stops
              → cancel "g1"
            goal g2
              refused: The robot is not armed: retake robot arm arm
        "#]],
    );
}

#[test]
fn a_goal_is_watched_until_its_end() {
    check(
        "alive
         pass 0.1
         arm anna
         goal g1
         answer done
         pass 1
         goal g2
         ended other SUCCEEDED
         ended g1 SUCCEEDED
         state
         pass 1
         goal g1
         goal g2
         answer refused
         state
         goal g3
         answer unknown
         state",
        expect![[r#"
            alive
            pass 0.1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            pass 1
              → 20 beats for g1
            goal g2
              refused: arm still follows wave. Wait, or stop it: retake robot stop
            ended other SUCCEEDED
            ended g1 SUCCEEDED
            state
              armed; wave is done
            pass 1
            goal g1
              refused: the goal "g1" was sent before
            goal g2
              → follow g2
            answer refused
              refused: no such joint
            state
              armed; wave was not begun: no such joint
            goal g3
              → follow g3
            answer unknown
              refused: it did not answer
              → cancel "g3"
            state
              not armed; it did not answer; it was disarmed
        "#]],
    );
}

#[test]
fn whoever_disarms_ends_what_runs() {
    check(
        "alive
         pass 0.1
         arm anna
         goal g1
         answer done
         disarm
         pass 1
         ended g1 CANCELED
         state",
        expect![[r#"
            alive
            pass 0.1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            disarm
              ok: arm is disarmed and stops
              → cancel "g1"
            pass 1
            ended g1 CANCELED
            state
              not armed; wave ended: so the robot says; not armed
        "#]],
    );
}

#[test]
fn a_stop_is_the_end_even_if_it_is_not_heard() {
    check(
        "alive
         pass 0.1
         arm anna
         goal g1
         answer done
         stop
         pass 0.5
         state",
        expect![[r#"
            alive
            pass 0.1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            stop
              → cancel ""
            pass 0.5
            state
              armed; follows wave
        "#]],
    );
}

#[test]
fn a_lost_link_disarms() {
    check(
        "alive
         pass 0.1
         arm anna
         goal g1
         answer done
         silent
         pass 0.6
         state
         ended g1 ABORTED
         arm anna
         alive
         pass 0.1
         state
         goal g2",
        expect![[r#"
            alive
            pass 0.1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            silent
            pass 0.6
              → cancel "g1"
              → 10 beats for g1
            state
              not armed; link lost: its joints were not heard for 0.5 s; it was disarmed; it is looked for
            ended g1 ABORTED
            arm anna
              refused: arm cannot be armed: link lost: its joints were not heard for 0.5 s; it was disarmed; it is looked for
            alive
            pass 0.1
            state
              not armed; not armed since the link was lost
            goal g2
              refused: The robot is not armed: retake robot arm arm
        "#]],
    );
}

#[test]
fn who_stood_still_does_not_go_on() {
    check(
        "alive
         pass 0.1
         arm anna
         goal g1
         answer done
         sleep 0.15
         sleep 0.3
         state
         pass 1",
        expect![[r#"
            alive
            pass 0.1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            sleep 0.15
              → 1 beats for g1
            sleep 0.3
              → cancel "g1"
            state
              not armed; this program stood still for 0.3 s; it was disarmed
            pass 1
        "#]],
    );
}

#[test]
fn a_robot_whose_time_goes_back_is_given_up() {
    check(
        "alive
         pass 1
         arm anna
         goal g1
         answer done
         back
         state
         pass 0.5",
        expect![[r#"
            alive
            pass 1
            arm anna
              ok: arm is armed: commands move the real robot
            goal g1
              → follow g1
            answer done
              ok: it begins
            back
              → cancel "g1"
            state
              not armed; its time went back; it was disarmed
            pass 0.5
        "#]],
    );
}

/// Lines of which stories are made at random.
const LINES: &[&str] = &[
    "alive",
    "silent",
    "pass 0.1",
    "pass 0.6",
    "sleep 0.1",
    "sleep 0.3",
    "sleep 0.9",
    "arm anna",
    "arm anna",
    "disarm",
    "goal a",
    "goal b",
    "goal c",
    "stop",
    "torque elbow",
    "ended a ABORTED",
    "ended b SUCCEEDED",
    "back",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Nothing but a stop reaches a robot that is not armed, and what was asked before it was
    /// disarmed may not be sent any more.
    #[test]
    fn without_arming_nothing_moves(picks in prop::collection::vec(0..LINES.len(), 1..40)) {
        let mut story = Story::new();
        let mut over = 0;
        for pick in picks {
            let armed_before = story.twin.status().armed;
            let asked_before = story.reached.lock().unwrap().asks.len();
            story.reached.lock().unwrap().beats.clear();
            story.act(LINES[pick]);
            let armed_after = story.twin.status().armed;
            let reached = story.reached.lock().unwrap();
            over = if armed_after { over } else { reached.asks.len() };
            for (at, ask) in reached.asks.iter().enumerate() {
                if matches!(ask.order, Order::Cancel(_)) {
                    continue;
                }
                prop_assert!(at < asked_before || armed_before, "{:?} reached it", ask.order);
                prop_assert!(at >= over || !ask.permit.holds(), "{:?} may be sent", ask.order);
            }
        }
    }
}
