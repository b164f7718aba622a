//! Real robots across processes: a world, the server of its robot's twin outside, the command line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::cell::Cell;
use std::net::SocketAddrV4;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use expect_test::expect;
use retake_msgs::motion_result::State;
use retake_msgs::{JointPose, MotionKeepAlive, MotionResult, names};
use retake_transport::{Guard, ZenohBus, typed};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::{Ended, Running, Sandbox};

/// Longest that anything may take; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the robot goes on alone in these tests, in s: longer than a busy machine stutters.
const KEEP_ALIVE_SECS: f64 = 1.5;

/// A world and the world of its real robot, each in a process.
struct Place {
    sandbox: Sandbox,
    real: Running,
    here: Running,
    heard: Heard,
}

/// What somebody hears who listens to the real robot.
struct Heard {
    said: Receiver<Said>,
    /// Simulated time as the robot told it last, and when it heard from its sender last.
    now: Cell<f64>,
    last_beat: Cell<f64>,
    _bus: ZenohBus,
    _guards: Vec<Guard>,
}

enum Said {
    Joints(JointPose),
    Beat,
    Ended(MotionResult),
}

impl Place {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let real = start_real(&sandbox);
        let file = world(&sandbox, "here");
        let arguments = [
            "server",
            &file,
            "--bus-port",
            "0",
            "--robot",
            "arm=retake:real/arm",
            "--robot-patience",
            "3",
        ];
        let here = sandbox.start(&arguments);
        let heard = Heard::new(&real);
        let place = Self { sandbox, real, here, heard };
        place.until("connected", |robot| robot["connected"] == true);
        place
    }

    fn retake(&self, arguments: &[&str]) -> Ended {
        self.sandbox.retake(&[&["--server", "here"], arguments].concat())
    }

    fn robot(&self) -> Value {
        json(self.retake(&["robot", "state", "--format", "json"]))
    }

    /// Waits until something holds of the robot as the gateway tells of it.
    fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        // Each look starts a program, which takes its time.
        for _ in 0..400 {
            last = self.robot();
            if holds(&last) {
                return last;
            }
        }
        panic!("not {what}: {last:#}");
    }

    /// How many goals the real robot was ever given.
    fn goals_taken(&self) -> u64 {
        let shown =
            self.sandbox.retake(&["--server", "real", "entity", "show", "arm", "--format", "json"]);
        let shown = json(shown);
        find(&shown, "taken").and_then(Value::as_u64).unwrap_or_else(|| panic!("{shown:#}"))
    }

    /// Arms the robot, and sends it on a long way until it moves.
    fn set_off(&self) {
        self.retake(&["robot", "arm"]).success();
        let goal = self.goal("long.json", 2.5, 40.0);
        let keep_alive = KEEP_ALIVE_SECS.to_string();
        let sent = ["robot", "goal", &goal, "--no-wait", "--keep-alive", &keep_alive];
        self.retake(&sent).success();
        self.heard.until_joints(|pose| pose.position[0] > 0.05);
    }

    /// Writes a trajectory that moves the shoulder.
    fn goal(&self, name: &str, to: f64, secs: f64) -> String {
        let text = format!(
            r#"{{"name": "reach", "interpolation": "linear", "trajectory": {{"joint_names": ["shoulder"],
                "points": [{{"positions": [{to}], "time_from_start": {secs}}}]}}}}"#
        );
        self.sandbox.write(name, &text)
    }
}

impl Heard {
    fn new(real: &Running) -> Self {
        let address = real.first_line.rsplit(' ').next().unwrap();
        let bus = ZenohBus::connect(address.parse::<SocketAddrV4>().unwrap()).unwrap();
        let (send, said) = channel();
        let (joints, beats, ends): (Sender<Said>, _, _) = (send.clone(), send.clone(), send);
        let guards = vec![
            typed::subscribe(&bus, &names::joints_virtual("arm"), move |pose: JointPose| {
                drop(joints.send(Said::Joints(pose)));
            })
            .unwrap(),
            typed::subscribe(&bus, &names::motion_keep_alive("arm"), move |_: MotionKeepAlive| {
                drop(beats.send(Said::Beat));
            })
            .unwrap(),
            typed::subscribe(&bus, &names::motion_result("arm"), move |end: MotionResult| {
                drop(ends.send(Said::Ended(end)));
            })
            .unwrap(),
        ];
        let (now, last_beat) = (Cell::default(), Cell::default());
        Self { said, now, last_beat, _bus: bus, _guards: guards }
    }

    fn next(&self) -> Said {
        let said = self.said.recv_timeout(PATIENCE).unwrap();
        match &said {
            Said::Joints(pose) => self.now.set(secs(pose.stamp)),
            Said::Beat => self.last_beat.set(self.now.get()),
            Said::Ended(_) => {}
        }
        said
    }

    fn until_joints(&self, holds: impl Fn(&JointPose) -> bool) -> JointPose {
        loop {
            match self.next() {
                Said::Joints(pose) if holds(&pose) => return pose,
                _ => {}
            }
        }
    }

    fn until_ended(&self) -> MotionResult {
        loop {
            if let Said::Ended(end) = self.next() {
                return end;
            }
        }
    }

    /// Checks that the robot holds where it is when it has come to rest.
    fn holds_after(&self, end: &MotionResult) {
        // Joints come to rest within 0.3 s and settle.
        let ended = secs(end.stamp);
        let before = self.until_joints(|pose| secs(pose.stamp) > ended + 1.0);
        let after = self.until_joints(|pose| secs(pose.stamp) > ended + 2.0);
        for (before, after) in before.position.iter().zip(&after.position) {
            assert!((before - after).abs() < 1e-4, "it moved from {before} to {after}");
        }
        assert!(after.position[0] < 2.0, "it arrived at {}", after.position[0]);
    }
}

fn start_real(sandbox: &Sandbox) -> Running {
    sandbox.start(&["server", &world(sandbox, "real"), "--bus-port", "0"])
}

fn world(sandbox: &Sandbox, name: &str) -> String {
    let template = include_str!("worlds/two_joint_arm.sdf");
    sandbox.write(&format!("{name}.sdf"), &template.replace("NAME", name))
}

fn json(ended: Ended) -> Value {
    serde_json::from_str(&ended.success()).unwrap()
}

fn secs(time: Option<retake_msgs::Time>) -> f64 {
    time.map_or(0.0, |time| time.sec as f64 + f64::from(time.nsec) / 1e9)
}

/// Finds a key anywhere in a value.
fn find<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(key).or_else(|| map.values().find_map(|v| find(v, key))),
        Value::Array(list) => list.iter().find_map(|v| find(v, key)),
        _ => None,
    }
}

fn signal(process: &Running, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

/// The sender was not heard: the robot ended the goal by itself, in time, and holds.
fn stopped_by_itself(heard: &Heard) {
    let end = heard.until_ended();
    assert_eq!(end.state(), State::Aborted, "{end:?}");
    assert!(end.error_string.contains("its sender was not heard"), "{}", end.error_string);
    let alone = secs(end.stamp) - heard.last_beat.get();
    // Joints are told every 50 ms, so that the time of a beat is known no better; the rest is for
    // messages that come late on a busy machine.
    assert!(alone <= KEEP_ALIVE_SECS + 0.3, "it went on alone for {alone} s");
    heard.holds_after(&end);
}

#[test]
fn only_an_armed_robot_moves() {
    let place = Place::new();
    let goal = place.goal("reach.json", 0.4, 0.5);
    expect![[r#"
        exit 1
        retake: The robot is not armed: retake robot arm arm
    "#]]
    .assert_eq(&place.retake(&["robot", "goal", &goal]).complaint());
    expect![[r#"
        exit 1
        retake: The robot is not armed: retake robot arm arm
    "#]]
    .assert_eq(&place.retake(&["robot", "torque", "off"]).complaint());
    // Stopping needs nobody's leave.
    place.retake(&["robot", "stop"]).success();
    assert_eq!(place.goals_taken(), 0);

    place.retake(&["robot", "arm"]).success();
    let sent = place.retake(&["robot", "goal", &goal, "--keep-alive", "3"]);
    assert_eq!(sent.success(), "reach is done\n");
    place
        .until("there", |robot| (robot["joints"]["shoulder"].as_f64().unwrap() - 0.4).abs() < 0.01);
    assert_eq!(place.goals_taken(), 1);
    let wrong = place.goal("wrong.json", 9.0, 1.0);
    expect![[r#"
        exit 1
        retake: arm does not take wrong: point 1 has joint "shoulder" at 9, beyond its limits of -3 to 3 (error -1)
    "#]].assert_eq(&place.retake(&["robot", "goal", &wrong]).complaint());
    place.retake(&["robot", "torque", "off", "elbow"]).success();

    place.retake(&["robot", "disarm"]).success();
    assert_eq!(place.retake(&["robot", "goal", &goal]).code, 1);
    assert_eq!(place.goals_taken(), 1);
}

#[test]
fn time_jumps_send_nothing() {
    let place = Place::new();
    place.retake(&["robot", "arm"]).success();
    let goal = r#"{"robot": "arm", "trajectory": {"trajectory": {"joint_names": ["elbow"],
        "points": [{"positions": [1], "time_from_start": 0.2}]}}}"#;
    place.retake(&["service", "call", "/world/here/motion/goal", goal]).success();
    place.retake(&["entity", "move", "arm", "--to", "1", "0", "0"]).success();
    place.retake(&["undo"]).success();
    place.retake(&["redo"]).success();
    place.retake(&["undo"]).success();
    place.retake(&["world", "reset"]).success();
    place.retake(&["world", "step", "10"]).success();

    let robot = place.robot();
    assert_eq!((&robot["armed"], &robot["goal_id"]), (&Value::from(true), &Value::from("")));
    assert_eq!(place.goals_taken(), 0);
    let there = place.heard.until_joints(|_| true);
    assert!(there.position.iter().all(|joint| joint.abs() < 1e-6), "{there:?}");
}

#[test]
fn the_robot_stops_when_the_sender_is_killed() {
    let place = Place::new();
    place.set_off();
    signal(&place.here, Signal::KILL);
    stopped_by_itself(&place.heard);
}

#[test]
fn the_robot_stops_when_the_sender_stands_still() {
    let place = Place::new();
    place.set_off();
    signal(&place.here, Signal::STOP);
    stopped_by_itself(&place.heard);
    signal(&place.here, Signal::CONT);
    let robot = place.until("given up", |robot| robot["armed"] == false);
    assert!(robot["ended"][0]["message"].as_str().unwrap().contains("stood still"), "{robot:#}");
    assert_eq!(robot["ended"][0]["state"], "unknown");
    place.until("connected again", |robot| robot["connected"] == true);
    let goal = place.goal("reach.json", 0.0, 0.5);
    assert!(place.retake(&["robot", "goal", &goal]).stderr.contains("is not armed"));
    assert_eq!(place.goals_taken(), 1);
}

#[test]
fn the_robot_stops_when_the_sender_ends() {
    let place = Place::new();
    place.set_off();
    signal(&place.here, Signal::TERM);
    let end = place.heard.until_ended();
    assert_eq!(end.state(), State::Canceled, "{end:?}");
    place.heard.holds_after(&end);
}

#[test]
fn a_robot_that_is_gone_is_disarmed() {
    let place = Place::new();
    place.set_off();
    signal(&place.real, Signal::KILL);
    let robot = place.until("lost", |robot| robot["connected"] == false);
    assert!(robot["state"].as_str().unwrap().starts_with("link lost"), "{robot:#}");
    assert_eq!((&robot["armed"], &robot["goal_id"]), (&Value::from(false), &Value::from("")));
    assert_eq!(place.retake(&["robot", "arm"]).code, 1);

    // Another one in its place must be armed again, and is then commanded like the first.
    let _again = start_real(&place.sandbox);
    let robot = place.until("connected again", |robot| robot["connected"] == true);
    assert_eq!(robot["armed"], false);
    let goal = place.goal("reach.json", 0.2, 0.5);
    assert_eq!(place.retake(&["robot", "goal", &goal]).code, 1);
    place.retake(&["robot", "arm"]).success();
    place.retake(&["robot", "goal", &goal, "--keep-alive", "3"]).success();
}
