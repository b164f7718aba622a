//! Motions on the demo arm: what the engine makes of what players want.

#![allow(clippy::unwrap_used, reason = "a test ends with the first thing that is not there")]

mod support;

use retake_components::{JointPosition, JointVelocity, resolve};
use retake_motion::player::Owner;
use retake_motion::{Goal, GoalPoint, Interpolation};
use retake_msgs::{CancelMotion, SetTorque, StartMotion, UserCmd, UserCmdReply, user_cmd};
use retake_sim::systems::motion::{MotionProgress, MotionRobot};
use retake_sim::{Simulation, trajectory_message};
use support::{load, run, worlds};

const STEP_SECS: f64 = 0.001;

/// The demo arm, and what its elbow and wrist were told and did.
struct Arm {
    simulation: Simulation,
}

impl Arm {
    fn new() -> Self {
        let file = worlds().into_iter().find(|world| world.ends_with("arm.sdf")).unwrap();
        let mut simulation = load(&file);
        run(&mut simulation, 300);
        Self { simulation }
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.simulation.step().unwrap();
        }
    }

    fn send(&mut self, command: user_cmd::Command) -> UserCmdReply {
        let reply =
            self.simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
        assert!(reply.ok, "{}", reply.message);
        reply
    }

    /// Moves joints to places in a time.
    fn go(&mut self, joints: &[(&str, f64)], secs: f64) {
        let goal = Goal {
            name: "go".to_owned(),
            joints: joints.iter().map(|(joint, _)| (*joint).to_owned()).collect(),
            points: vec![GoalPoint {
                time_secs: secs,
                positions: joints.iter().map(|(_, position)| *position).collect(),
                ..GoalPoint::default()
            }],
            interpolation: Interpolation::Monotone,
            ..Goal::default()
        };
        let goal = Some(trajectory_message(&goal));
        let start = StartMotion { goal, ..StartMotion::default() };
        self.send(user_cmd::Command::StartMotion(Box::new(start)));
    }

    /// Returns what a joint is told: position and velocity; none when no player has it.
    fn told(&self, joint: &str) -> Option<(f64, f64)> {
        let ecm = self.simulation.ecm();
        let model = resolve(ecm, "arm").unwrap();
        let robot = MotionRobot::of(ecm, model).unwrap();
        let place = robot.robot.find(joint).unwrap();
        let drive = ecm.get::<MotionProgress>(model).unwrap().0.drives[place];
        (drive.owner != Owner::Released)
            .then_some((drive.reference.position, drive.reference.velocity))
    }

    fn measured(&self, joint: &str) -> (f64, f64) {
        let ecm = self.simulation.ecm();
        let joint = resolve(ecm, &format!("arm::{joint}")).unwrap();
        (
            ecm.get::<JointPosition>(joint).unwrap().0[0],
            ecm.get::<JointVelocity>(joint).unwrap().0[0],
        )
    }

    /// Steps, and returns the greatest change of the told velocity, of the measured one, and the
    /// greatest step of the told position beyond what its velocity explains.
    fn watch(&mut self, joint: &str, steps: usize) -> (f64, f64, f64) {
        let (mut told, mut measured) = (self.told(joint), self.measured(joint));
        let mut most = (0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..steps {
            self.steps(1);
            let now = self.told(joint);
            if let (Some(before), Some(now)) = (told, now) {
                most.0 = most.0.max((now.1 - before.1).abs());
                let explained = (now.1.abs() + before.1.abs()) / 2.0 * STEP_SECS;
                most.2 = most.2.max((now.0 - before.0).abs() - explained);
            }
            let moved = self.measured(joint);
            most.1 = most.1.max((moved.1 - measured.1).abs());
            (told, measured) = (now, moved);
        }
        most
    }
}

#[test]
fn preempting_in_mid_motion_jumps_neither_in_position_nor_in_velocity() {
    let mut arm = Arm::new();
    arm.go(&[("elbow", -0.8), ("wrist_2", 0.6)], 1.0);
    arm.steps(500);
    assert!(arm.told("elbow").unwrap().1 < -0.8, "it is moving fast: {:?}", arm.told("elbow"));
    let before = (arm.told("elbow").unwrap(), arm.measured("elbow"));
    // The other way round, in mid-motion.
    arm.go(&[("elbow", 0.2)], 1.0);
    assert_eq!(arm.told("elbow").unwrap(), before.0, "the new goal begins with the old reference");
    let (told, measured, position) = arm.watch("elbow", 1500);
    // Blending in half a second from -1.2 rad/s to the other way: 30 rad/s² at most, 0.03 a step.
    assert!(told < 0.05, "told velocity jumps by {told}");
    assert!(measured < 0.2, "velocity jumps by {measured}");
    assert!(position < 1e-4, "told position jumps by {position}");
    assert!((arm.measured("elbow").0 - 0.2).abs() < 0.02);
    // What the goal does not move came to rest and holds.
    let (position, velocity) = arm.told("wrist_2").unwrap();
    assert!(velocity == 0.0 && (0.2..0.6).contains(&position), "{position} {velocity}");
}

#[test]
fn stopping_comes_to_rest_without_turning_back() {
    let mut arm = Arm::new();
    arm.go(&[("elbow", -0.8)], 1.0);
    arm.steps(500);
    arm.send(user_cmd::Command::CancelMotion(CancelMotion::default()));
    let mut last = arm.told("elbow").unwrap().0;
    for _ in 0..2000 {
        arm.steps(1);
        let (position, velocity) = arm.told("elbow").unwrap();
        assert!(position <= last + 1e-12 && velocity <= 1e-12, "{position} after {last}");
        last = position;
    }
    assert_eq!(arm.told("elbow").unwrap().1, 0.0);
    assert!((arm.measured("elbow").0 - last).abs() < 0.01);
}

#[test]
fn torque_on_after_torque_off_moves_nothing() {
    let mut arm = Arm::new();
    let torque = |on: bool| {
        let robot = "arm".to_owned();
        user_cmd::Command::SetTorque(SetTorque { robot, joint: Vec::new(), on })
    };
    let stood = arm.measured("shoulder_lift").0;
    arm.send(torque(false));
    arm.steps(400);
    let (sunk, falling) = arm.measured("shoulder_lift");
    assert!((sunk - stood).abs() > 0.05 && falling.abs() > 0.1, "it sinks: {sunk} {falling}");
    arm.send(torque(true));
    let (_, measured, _) = arm.watch("shoulder_lift", 1);
    assert!(measured < 2.0, "the drive brakes it, {measured} in a step");
    arm.steps(1500);
    let (rests, velocity) = arm.measured("shoulder_lift");
    assert!((rests - sunk).abs() < 0.05, "it holds where it was switched on: {rests}, {sunk}");
    assert!(velocity.abs() < 0.01);
    // And goals are followed again.
    arm.go(&[("shoulder_lift", -0.2), ("elbow", -0.4)], 2.0);
    arm.steps(2500);
    assert!((arm.measured("elbow").0 + 0.4).abs() < 0.02, "{:?}", arm.measured("elbow"));
}

#[test]
fn a_trajectory_is_tracked_closely() {
    let mut arm = Arm::new();
    arm.go(&[("shoulder_lift", 0.4), ("elbow", -0.8)], 2.0);
    let mut worst = 0.0_f64;
    for _ in 0..2500 {
        arm.steps(1);
        for joint in ["shoulder_lift", "elbow"] {
            let off = arm.told(joint).unwrap().0 - arm.measured(joint).0;
            worst = worst.max(off.abs());
        }
    }
    // With damping against the wanted velocity; damping all motion lags by 0.1 rad and more.
    assert!(worst < 0.02, "{worst}");
}
