//! ROS 2 over DDS: tried with CycloneDDS, and with a node of `ros2-client` in this process.

#![cfg(feature = "ros2")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs::File;
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use futures_util::{StreamExt, pin_mut};
use ros2_client::action::{ActionClient, ActionClientQosPolicies, GoalId, GoalStatusEnum};
use ros2_client::action_msgs::CancelGoalResponseEnum;
use ros2_client::builtin_interfaces::Time;
use ros2_client::dds::rustdds::DomainParticipantBuilder;
use ros2_client::qos::{Durability, History, QosProfile, Reliability, WhenFull};
use ros2_client::{
    ActionTypeName, Context, Message, Name, Node, NodeName, NodeOptions, ServiceMapping,
    ServiceTypeName,
};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use serde::{Deserialize, Serialize};
use socket2::{SockRef, Type};
use support::{Running, Sandbox, peers};

/// Longest that anything may take; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keeps CycloneDDS on loopback, where it asks for others instead of calling to all.
const CYCLONE: &str = "<General><Interfaces><NetworkInterface name='lo' multicast='false'/></Interfaces>\
    <AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>\
    <Peers><Peer Address='127.0.0.1'/></Peers></Discovery>";

/// A domain that no other test uses while this is there.
struct Domain {
    number: u16,
    _kept: File,
}

impl Domain {
    fn free() -> Self {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
        std::fs::create_dir_all(&cache).unwrap();
        // Further ones have ports that the system gives to whoever asks for any.
        for number in 1..100 {
            let kept = File::create(cache.join(format!("domain-{number}.lock"))).unwrap();
            let port = 7400 + 250 * number + 10;
            let is_free = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port)).is_ok();
            if is_free && kept.try_lock().is_ok() {
                return Self { number, _kept: kept };
            }
        }
        panic!("all domains are in use");
    }
}

/// A world with the arm, as a node of a domain of its own.
fn serve(sandbox: &Sandbox) -> (Running, Domain) {
    let (world, domain) = (sandbox.arm(), Domain::free());
    let number = domain.number.to_string();
    let arguments = ["server", &world, "--bus-port", "0", "--ros2", "--ros2-domain", &number];
    let running = sandbox.start_telling(&arguments, 2);
    let expected = format!("ROS 2: node /retake of domain {number}, on this machine only");
    assert_eq!(running.lines[1], expected);
    (running, domain)
}

#[test]
fn cyclonedds_sees_the_arm_moves_it_and_asks() {
    let Some(python) = peers::cyclonedds() else { return };
    let sandbox = Sandbox::new();
    let (_running, domain) = serve(&sandbox);
    let mut python = Command::new(python);
    python.env("CYCLONEDDS_URI", CYCLONE);
    let said = peers::run(&mut python, "ros2_client.py", &[&domain.number.to_string()]);
    expect_test::expect_file!["peers/ros2_ends.txt"].assert_eq(&said);
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Header {
    stamp: (i32, u32),
    frame_id: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Point {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
    effort: Vec<f64>,
    time_from_start: (i32, u32),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Trajectory {
    header: Header,
    joint_names: Vec<String>,
    points: Vec<Point>,
}

/// Of joints with several axes; there are none.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct NoPoint {
    transforms: Vec<()>,
    velocities: Vec<()>,
    accelerations: Vec<()>,
    time_from_start: (i32, u32),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct NoTrajectory {
    header: Header,
    joint_names: Vec<String>,
    points: Vec<NoPoint>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tolerance {
    name: String,
    position: f64,
    velocity: f64,
    acceleration: f64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Goal {
    trajectory: Trajectory,
    multi_dof_trajectory: NoTrajectory,
    path_tolerance: Vec<Tolerance>,
    component_path_tolerance: Vec<()>,
    goal_tolerance: Vec<Tolerance>,
    component_goal_tolerance: Vec<()>,
    goal_time_tolerance: (i32, u32),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Ended {
    error_code: i32,
    error_string: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Feedback {
    header: Header,
    joint_names: Vec<String>,
    desired: Point,
    actual: Point,
    error: Point,
    multi_dof_joint_names: Vec<String>,
    multi_dof_desired: NoPoint,
    multi_dof_actual: NoPoint,
    multi_dof_error: NoPoint,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Text {
    kind: String,
    command: String,
    options: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Status {
    status: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Empty {
    structure_needs_at_least_one_member: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Triggered {
    success: bool,
    message: String,
}

impl Message for Goal {}
impl Message for Ended {}
impl Message for Feedback {}
impl Message for Text {}
impl Message for Status {}
impl Message for Empty {}
impl Message for Triggered {}

/// Promises of services, as nodes of ROS 2 make them.
fn reliable() -> QosProfile {
    QosProfile::publisher_default()
        .reliability(Reliability::Reliable { when_full: WhenFull::DEFAULT })
        .history(History::KeepLast { depth: 10 })
}

/// Another node in the domain.
struct Peer {
    node: Node,
    runtime: tokio::runtime::Runtime,
}

impl Peer {
    fn join(domain: &Domain) -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let participant = DomainParticipantBuilder::new(domain.number)
            .with_only_networks([Ipv4Addr::LOCALHOST])
            .build()
            .unwrap();
        let context = Context::from_domain_participant(participant).unwrap();
        let name = NodeName::new("/", "peer").unwrap();
        let mut node = context.new_node(name, NodeOptions::new()).unwrap();
        runtime.spawn(node.spinner().unwrap().spin());
        Self { node, runtime }
    }

    /// Waits for something to be done.
    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        let limited = async { tokio::time::timeout(PATIENCE, future).await };
        self.runtime.block_on(limited).expect("it takes too long")
    }

    fn action<G, F>(&mut self, name: &str, package: &str, kind: &str) -> Action<G, F>
    where
        G: Message + Clone + 'static,
        F: Message + 'static,
    {
        let kept = reliable().durability(Durability::TransientLocal);
        let qos = ActionClientQosPolicies {
            goal_service: reliable(),
            result_service: reliable(),
            cancel_service: reliable(),
            feedback_subscription: reliable(),
            status_subscription: kept.history(History::KeepLast { depth: 1 }),
        };
        let (name, kind) = (Name::parse(name).unwrap(), ActionTypeName::new(package, kind));
        let made = self.node.create_action_client(ServiceMapping::Enhanced, &name, &kind, qos);
        let action: Action<G, F> = made.unwrap();
        self.wait(async {
            action.goal_client().wait_for_service(&self.node).await;
            action.result_client().wait_for_service(&self.node).await;
            action.cancel_client().wait_for_service(&self.node).await;
        });
        action
    }
}

type Action<G, F> = ActionClient<G, Ended, F>;

/// A goal for the elbow.
fn elbow(to: f64, secs: i32) -> Goal {
    goal("elbow", to, secs)
}

fn goal(joint: &str, to: f64, secs: i32) -> Goal {
    let point = Point { positions: vec![to], time_from_start: (secs, 0), ..Point::default() };
    let trajectory = Trajectory {
        joint_names: vec![joint.to_owned()],
        points: vec![point],
        ..Trajectory::default()
    };
    Goal { trajectory, ..Goal::default() }
}

/// Sends a goal that is to be accepted.
async fn send(arm: &Action<Goal, Feedback>, goal: Goal) -> GoalId {
    let (id, response) = arm.async_send_goal(goal).await.unwrap();
    assert!(response.accepted);
    id
}

/// Waits for the first feedback of a goal.
async fn moves(arm: &Action<Goal, Feedback>, id: GoalId) -> Feedback {
    let feedback = arm.feedback_stream(id);
    pin_mut!(feedback);
    feedback.next().await.unwrap().unwrap()
}

/// Waits until a goal is told to be in a state.
async fn is_told(arm: &Action<Goal, Feedback>, id: GoalId, status: GoalStatusEnum) {
    let statuses = arm.status_stream(id);
    pin_mut!(statuses);
    while statuses.next().await.unwrap().unwrap().status != status {}
}

#[test]
fn a_goal_over_dds_is_accepted_told_of_and_ends() {
    let sandbox = Sandbox::new();
    let (_running, domain) = serve(&sandbox);
    let mut peer = Peer::join(&domain);
    let arm: Action<Goal, Feedback> =
        peer.action("/arm/follow_joint_trajectory", "control_msgs", "FollowJointTrajectory");
    peer.wait(async {
        let id = send(&arm, elbow(-0.5, 1)).await;
        let feedback = moves(&arm, id).await;
        assert_eq!(feedback.joint_names, ["elbow"]);
        let apart = feedback.desired.positions[0] - feedback.actual.positions[0];
        assert!((apart - feedback.error.positions[0]).abs() < 1e-9, "{feedback:?}");
        let (status, ended) = arm.async_request_result(id).await.unwrap();
        assert_eq!((status, ended.error_code), (GoalStatusEnum::Succeeded, 0), "{ended:?}");
        is_told(&arm, id, GoalStatusEnum::Succeeded).await;
        // The result can be asked for again, and a goal that was never sent has none.
        let (again, _) = arm.async_request_result(id).await.unwrap();
        assert_eq!(again, GoalStatusEnum::Succeeded);
        let (none, _) = arm.async_request_result(GoalId::new_random()).await.unwrap();
        assert_eq!(none, GoalStatusEnum::Unknown);
    });
}

#[test]
fn a_goal_over_dds_is_cancelled() {
    let sandbox = Sandbox::new();
    let (_running, domain) = serve(&sandbox);
    let mut peer = Peer::join(&domain);
    let arm: Action<Goal, Feedback> =
        peer.action("/arm/follow_joint_trajectory", "control_msgs", "FollowJointTrajectory");
    peer.wait(async {
        let id = send(&arm, elbow(0.5, 50)).await;
        moves(&arm, id).await;
        let response = arm.async_cancel_goal(id, Time::ZERO).await.unwrap();
        assert_eq!(response.return_code, CancelGoalResponseEnum::None);
        assert_eq!(response.goals_canceling[0].goal_id, id);
        let (status, _) = arm.async_request_result(id).await.unwrap();
        assert_eq!(status, GoalStatusEnum::Canceled);
        let late = arm.async_cancel_goal(id, Time::ZERO).await.unwrap();
        assert_eq!(late.return_code, CancelGoalResponseEnum::GoalTerminated);
        let unknown = arm.async_cancel_goal(GoalId::new_random(), Time::ZERO).await.unwrap();
        assert_eq!(unknown.return_code, CancelGoalResponseEnum::UnknownGoal);
        // Neither id nor time means all.
        let id = send(&arm, elbow(0.5, 50)).await;
        moves(&arm, id).await;
        let all = arm.async_cancel_goal(GoalId::ZERO, Time::ZERO).await.unwrap();
        assert_eq!(all.return_code, CancelGoalResponseEnum::None);
        let (status, _) = arm.async_request_result(id).await.unwrap();
        assert_eq!(status, GoalStatusEnum::Canceled);
    });
}

#[test]
fn goals_over_dds_are_refused_aborted_and_preempted_with_the_right_codes() {
    let sandbox = Sandbox::new();
    let (_running, domain) = serve(&sandbox);
    let mut peer = Peer::join(&domain);
    let arm: Action<Goal, Feedback> =
        peer.action("/arm/follow_joint_trajectory", "control_msgs", "FollowJointTrajectory");
    let strict = Tolerance { name: "elbow".to_owned(), position: 1e-6, ..Tolerance::default() };
    peer.wait(async {
        let (_, refused) = arm.async_send_goal(goal("knee", 0.0, 1)).await.unwrap();
        assert!(!refused.accepted);
        let path = Goal { path_tolerance: vec![strict.clone()], ..elbow(-1.0, 1) };
        let id = send(&arm, path).await;
        let (status, ended) = arm.async_request_result(id).await.unwrap();
        assert_eq!((status, ended.error_code), (GoalStatusEnum::Aborted, -4), "{ended:?}");
        let late = Goal {
            goal_tolerance: vec![strict],
            goal_time_tolerance: (0, 1_000_000),
            ..elbow(0.0, 1)
        };
        let id = send(&arm, late).await;
        let (status, ended) = arm.async_request_result(id).await.unwrap();
        assert_eq!((status, ended.error_code), (GoalStatusEnum::Aborted, -5), "{ended:?}");
        // Another goal takes the joints of the first.
        let first = send(&arm, elbow(0.5, 50)).await;
        moves(&arm, first).await;
        let second = send(&arm, elbow(-0.3, 1)).await;
        let (status, _) = arm.async_request_result(first).await.unwrap();
        assert_eq!(status, GoalStatusEnum::Aborted);
        let (status, _) = arm.async_request_result(second).await.unwrap();
        assert_eq!(status, GoalStatusEnum::Succeeded);
    });
}

#[test]
fn a_stored_motion_is_played_and_a_service_called_over_dds() {
    let sandbox = Sandbox::new();
    let (_running, domain) = serve(&sandbox);
    let mut peer = Peer::join(&domain);
    let player: Action<Text, Status> =
        peer.action("/arm/text_action", "sweetie_bot_text_msgs", "TextAction");
    peer.wait(async {
        let home = Text {
            kind: "motion/joint_trajectory".to_owned(),
            command: "home".to_owned(),
            options: String::new(),
        };
        let (id, response) = player.async_send_goal(home).await.unwrap();
        assert!(response.accepted);
        let (status, ended) = player.async_request_result(id).await.unwrap();
        assert_eq!((status, ended.error_code), (GoalStatusEnum::Succeeded, 0), "{ended:?}");
    });
    let (name, kind) =
        (Name::parse("/retake/undo").unwrap(), ServiceTypeName::new("std_srvs", "Trigger"));
    let undo = peer.node.create_client::<Empty, Triggered>(
        ServiceMapping::Enhanced,
        &name,
        &kind,
        reliable(),
        reliable(),
    );
    let undo = undo.unwrap();
    let said = peer.wait(async {
        undo.wait_for_service(&peer.node).await;
        undo.async_call_service(Empty::default()).await.unwrap()
    });
    let nothing = Triggered { success: false, message: "There is nothing to undo".to_owned() };
    assert_eq!(said, nothing);
}

#[test]
fn no_socket_of_dds_hears_other_machines() {
    let sandbox = Sandbox::new();
    let (running, _domain) = serve(&sandbox);
    let id = i32::try_from(running.id()).unwrap();
    let process = pidfd_open(Pid::from_raw(id).unwrap(), PidfdFlags::empty()).unwrap();
    let mut tied = 0;
    for entry in std::fs::read_dir(format!("/proc/{id}/fd")).unwrap() {
        let number: i32 = entry.unwrap().file_name().to_str().unwrap().parse().unwrap();
        // It may be closed by now, or be no socket.
        let Ok(copy) = pidfd_getfd(&process, number, PidfdGetfdFlags::empty()) else { continue };
        let socket = SockRef::from(&copy);
        let address = socket.local_addr().ok().and_then(|address| address.as_socket_ipv4());
        let is_datagram = socket.r#type().is_ok_and(|kind| kind == Type::DGRAM);
        if is_datagram && address.is_some_and(|address| !address.ip().is_loopback()) {
            assert_eq!(socket.device().unwrap().as_deref(), Some(&b"lo"[..]), "{address:?}");
            tied += 1;
        }
    }
    assert!(tied >= 3, "{tied}");
}

#[test]
fn a_domain_that_is_none_is_refused() {
    let sandbox = Sandbox::new();
    let arguments =
        ["server", "worlds/arm.sdf", "--bus-port", "0", "--ros2", "--ros2-domain", "233"];
    let ended = sandbox.retake(&arguments);
    expect_test::expect![[r"
        exit 1
        retake: --ros2: there is no domain 233; write one of 0 to 232
    "]]
    .assert_eq(&ended.complaint());
}
