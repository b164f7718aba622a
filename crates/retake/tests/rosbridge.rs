//! rosbridge, tried with the clients that people have.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use support::{Running, Sandbox, peers};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// Longest that anything may take; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A world with the arm, served to clients of rosbridge.
fn serve(sandbox: &Sandbox, more: &[&str]) -> (Running, String) {
    let world = sandbox.arm();
    let arguments = ["server", &world, "--bus-port", "0", "--rosbridge", "0"];
    let running = sandbox.start_telling(&[&arguments, more].concat(), 2);
    let port = running.lines[1].rsplit(':').next().unwrap().to_owned();
    (running, port)
}

#[test]
fn roslibpy_listens_asks_and_moves_the_arm() {
    let Some(python) = peers::python() else { return };
    let sandbox = Sandbox::new();
    let (_running, port) = serve(&sandbox, &[]);
    let said = peers::run(&mut Command::new(python), "rosbridge_client.py", &[&port]);
    assert!(said.ends_with("all is well\n"), "{said}");
    let saved = sandbox.folder.path().join("motions/arm/from_ros.motion.toml");
    let saved = std::fs::read_to_string(saved).unwrap();
    assert!(saved.contains("Executed on request of ROS"), "{saved}");
    let listed = sandbox.retake(&["motion", "list"]).success();
    assert!(listed.contains("from_ros"), "{listed}");
}

#[test]
fn roslib_listens_asks_and_moves_the_arm() {
    let Some(folder) = peers::node() else { return };
    let sandbox = Sandbox::new();
    let (_running, port) = serve(&sandbox, &[]);
    let modules = folder.join("node_modules");
    let arguments = [port.as_str(), modules.to_str().unwrap()];
    let said = peers::run(&mut Command::new("node"), "rosbridge_client.mjs", &arguments);
    assert!(said.ends_with("all is well\n"), "{said}");
}

/// A client that knows nothing of ROS.
struct Client(WebSocket<TcpStream>);

impl Client {
    fn connect(port: &str) -> Self {
        let address = format!("127.0.0.1:{port}");
        let stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(tungstenite::client(format!("ws://{address}"), stream).unwrap().0)
    }

    fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// Reads until something is said that `wanted` takes.
    fn until<T>(&mut self, mut wanted: impl FnMut(&Value) -> Option<T>) -> T {
        loop {
            let heard = self.0.read().unwrap();
            let Ok(text) = heard.to_text() else { continue };
            let said: Value = serde_json::from_str(text).unwrap();
            if let Some(found) = wanted(&said) {
                return found;
            }
        }
    }

    /// Returns the first time on the clock that `holds` of, in s.
    fn clock(&mut self, holds: impl Fn(f64) -> bool) -> f64 {
        self.until(|said| {
            let clock = said["msg"]["clock"].as_object()?;
            let secs = clock["sec"].as_f64()? + clock["nanosec"].as_f64()? / 1e9;
            holds(secs).then_some(secs)
        })
    }
}

/// Lets the world go back while a goal is followed; returns what was told: the clock before, what
/// was said of the jump, how the goal ended, and the clock after.
fn go_back(policy: &str) -> (f64, String, Value, f64) {
    let sandbox = Sandbox::new();
    let (_running, port) = serve(&sandbox, &["--ros-clock", policy]);
    let mut client = Client::connect(&port);
    client.say(&json!({"op": "subscribe", "topic": "/clock"}));
    client.say(&json!({"op": "subscribe", "topic": "/retake/time_jumped"}));
    sandbox.retake(&["entity", "move", "can", "--to", "2", "0", "0.1"]).success();
    let moved = client.clock(|_| true);
    client.clock(|secs| secs > moved + 1.0);
    client.say(&json!({
        "op": "send_action_goal", "id": "far", "feedback": true,
        "action": "/arm/follow_joint_trajectory",
        "action_type": "control_msgs/action/FollowJointTrajectory",
        "args": {"trajectory": {"joint_names": ["elbow"], "points": [
            {"positions": [0.5], "time_from_start": {"sec": 50}}]}},
    }));
    client.until(|said| (said["op"] == "action_feedback").then_some(()));
    let before = client.clock(|_| true);
    sandbox.retake(&["undo"]).success();
    let (mut jump, mut end) = (None, None);
    client.until(|said| {
        if said["topic"] == "/retake/time_jumped" {
            jump = said["msg"]["data"].as_str().map(str::to_owned);
        }
        if said["op"] == "action_result" {
            end = Some(said.clone());
        }
        (jump.is_some() && end.is_some()).then_some(())
    });
    let after = client.clock(|_| true);
    (before, jump.unwrap(), end.unwrap(), after)
}

#[test]
fn a_jumping_clock_goes_back_with_the_world_and_says_so() {
    let (before, jump, end, after) = go_back("jump");
    assert!(after < before, "{before} {after}");
    assert!(jump.starts_with("undo: ") && jump.ends_with("stamps jump too"), "{jump}");
    assert_eq!(end["status"], 6, "{end}");
    assert_eq!(end["values"]["error_string"], "a jump in time took the goal away");
}

#[test]
fn a_monotonic_clock_goes_on_when_the_world_goes_back() {
    let (before, jump, end, after) = go_back("monotonic");
    assert!(after >= before, "{before} {after}");
    assert!(jump.ends_with("stamps go on"), "{jump}");
    assert_eq!(end["status"], 6, "{end}");
}

#[test]
fn pages_of_other_sites_are_refused_unless_they_are_named() {
    let sandbox = Sandbox::new();
    let (_running, port) = serve(&sandbox, &["--bridge-origin", "https://app.example"]);
    let enters = |origin: &str| {
        let address = format!("127.0.0.1:{port}");
        let mut request = format!("ws://{address}").into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        tungstenite::client(request, TcpStream::connect(address).unwrap()).is_ok()
    };
    assert!(enters("https://app.example") && enters("http://localhost:3000"));
    assert!(!enters("https://evil.example") && !enters("null"));
}

#[test]
fn what_makes_no_sense_is_answered_with_what_would() {
    let sandbox = Sandbox::new();
    let (_running, port) = serve(&sandbox, &[]);
    let mut client = Client::connect(&port);
    let mut refused = |message: Value| {
        client.say(&message);
        client.until(|said| {
            (said["op"] == "status").then(|| said["msg"].as_str().unwrap().to_owned())
        })
    };
    expect_test::expect![[r#"
        op is "dance"; understood are subscribe, unsubscribe, advertise, unadvertise, publish, call_service, advertise_service, unadvertise_service, service_response, send_action_goal, cancel_action_goal
        topic is missing
        type is "std_msgs/msg/String"; here it is "rosgraph_msgs/Clock"
        /arm/joint_trajectory: joint_names is 5; it must be a list
        Nobody listens to "/clock". Listened to: /arm/joint_trajectory, /arm/follow_joint_trajectory/goal, /arm/follow_joint_trajectory/cancel, /arm/text_action/goal, /arm/text_action/cancel
        No action "/leg". Known: /arm/follow_joint_trajectory, /arm/text_action
        No goal "x" is followed"#]]
    .assert_eq(
        &[
            refused(json!({"op": "dance"})),
            refused(json!({"op": "subscribe"})),
            refused(json!({"op": "subscribe", "topic": "/clock", "type": "std_msgs/msg/String"})),
            refused(json!({"op": "publish", "topic": "/arm/joint_trajectory", "msg": {"joint_names": 5}})),
            refused(json!({"op": "publish", "topic": "/clock", "msg": {}})),
            refused(json!({"op": "send_action_goal", "id": "x", "action": "/leg"})),
            refused(json!({"op": "cancel_action_goal", "id": "x"})),
        ]
        .join("\n"),
    );
}
