//! A node of ROS 1, tried with the real rosmaster, rospy and actionlib.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use retake_ros::{Flavour, library, md5_sum, schema_text};
use serde_json::json;
use support::{Sandbox, peers};

/// A real master, ended with the test.
struct Master {
    child: Child,
    uri: String,
}

impl Master {
    fn start(modules: &Path, sandbox: &Sandbox) -> Self {
        // A port that was free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let uri = format!("http://127.0.0.1:{port}");
        let child = python(modules, sandbox, &uri)
            .args(["-c", "import rosmaster; rosmaster.rosmaster_main()"])
            .args(["--core", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, uri }
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn python(modules: &Path, sandbox: &Sandbox, master: &str) -> Command {
    let mut python = Command::new("/usr/bin/python3");
    python.env("PYTHONPATH", modules).env("ROS_MASTER_URI", master).env("ROS_IP", "127.0.0.1");
    python.env("ROS_HOME", sandbox.folder.path()).env_remove("ROS_HOSTNAME");
    // What the programs share must leave nothing behind in the tree.
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// Writes the definitions that peers need, with their sums, as JSON.
fn definitions(sandbox: &Sandbox) -> String {
    let ros1 = library(Flavour::Ros1);
    let entry = |name: &str| {
        let sum = md5_sum(ros1, name).unwrap();
        (name.to_owned(), json!({"md5": sum, "text": schema_text(ros1, name)}))
    };
    let all: serde_json::Map<_, _> = ros1.names().map(entry).collect();
    sandbox.write("definitions.json", &json!(all).to_string())
}

#[test]
fn rospy_and_actionlib_move_the_arm() {
    let Some(modules) = peers::ros1() else { return };
    let sandbox = Sandbox::new();
    let master = Master::start(&modules, &sandbox);
    let world = sandbox.arm();
    let arguments = ["server", &world, "--bus-port", "0", "--ros1", &master.uri];
    let _running = sandbox.start_telling(&arguments, 2);
    let definitions = definitions(&sandbox);
    let mut python = python(&modules, &sandbox, &master.uri);
    let said = peers::run(&mut python, "ros1_client.py", &[&definitions]);
    assert!(said.ends_with("all is well\n"), "{said}");
}

#[test]
fn moveit_1_finds_what_it_needs() {
    let Some(modules) = peers::ros1() else { return };
    let sandbox = Sandbox::new();
    let master = Master::start(&modules, &sandbox);
    let world = sandbox.arm();
    let arguments = ["server", &world, "--bus-port", "0", "--ros1", &master.uri];
    let _running = sandbox.start_telling(&arguments, 2);
    let definitions = definitions(&sandbox);
    let mut python = python(&modules, &sandbox, &master.uri);
    let said = peers::run(&mut python, "ros1_moveit.py", &[&definitions]);
    assert!(said.ends_with("all is well\n"), "{said}");
}

#[test]
fn a_master_knows_nothing_of_a_node_that_has_ended() {
    let Some(modules) = peers::ros1() else { return };
    let sandbox = Sandbox::new();
    let master = Master::start(&modules, &sandbox);
    let world = sandbox.arm();
    let arguments = ["server", &world, "--bus-port", "0", "--ros1", &master.uri];
    let running = sandbox.start_telling(&arguments, 2);
    let mut python = python(&modules, &sandbox, &master.uri);
    let said = peers::run(&mut python, "ros1_leaving.py", &[&running.id().to_string()]);
    assert!(said.ends_with("all is well\n"), "{said}");
}

#[test]
fn an_address_that_makes_no_sense_is_refused() {
    let sandbox = Sandbox::new();
    let ended =
        sandbox.retake(&["server", "worlds/arm.sdf", "--bus-port", "0", "--ros1", "nowhere"]);
    expect_test::expect![[r#"
        exit 1
        retake: --ros1: "nowhere" is no address like http://127.0.0.1:11311
    "#]]
    .assert_eq(&ended.complaint());
}
