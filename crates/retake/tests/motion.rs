//! Motions as their user has them: a server, the command line, and files that change meanwhile.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use expect_test::expect;
use serde_json::Value;
use support::{Ended, Running, Sandbox, root};

/// The demo arm with folders of its own.
struct Cell {
    sandbox: Sandbox,
    server: Option<Running>,
}

impl Cell {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        fs::copy(root().join("worlds/arm.sdf"), sandbox.folder.path().join("arm.sdf")).unwrap();
        let folder = sandbox.folder.path().join("motions/arm");
        fs::create_dir_all(&folder).unwrap();
        let mut cell = Self { sandbox, server: None };
        cell.write("lift", &lift(-0.4));
        let world = cell.sandbox.folder.path().join("arm.sdf").display().to_string();
        // As fast as it can, so that nobody waits for the arm.
        let arguments = ["server", &world, "--bus-port", "0", "--rtf", "0"];
        cell.server = Some(cell.sandbox.start(&arguments));
        cell
    }

    fn file(&self, name: &str) -> PathBuf {
        self.sandbox.folder.path().join("motions/arm").join(format!("{name}.motion.toml"))
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.sandbox.retake(arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        serde_json::from_str(&self.run(&all).stdout).unwrap()
    }
}

/// A motion that lifts the forearm.
fn lift(elbow: f64) -> String {
    format!(
        "format = 1\njoints = [\"elbow\"]\npath_tolerance = 0.3\ngoal_tolerance = 0.05\n\
         waypoints = [{{ time = 1.0, positions = [{elbow}] }}]\n"
    )
}

#[test]
fn motions_are_played_by_name_and_their_end_is_told() {
    let cell = Cell::new();
    let played = cell.run(&["motion", "play", "lift"]);
    assert_eq!((played.code, played.stdout.as_str()), (0, "Play lift on arm\nsucceeded\n"));
    let elbow = cell.json(&["joint", "show", "arm/elbow"])["position"][0].as_f64().unwrap();
    assert!((elbow + 0.4).abs() < 0.05, "{elbow}");
    let status = cell.json(&["motion", "status"]);
    assert_eq!(status[0]["ended"][0]["end"], "succeeded", "{status}");

    let unknown = cell.run(&["motion", "play", "lit"]);
    expect![[r#"
        exit 1
        retake: no motion named "lit". Did you mean "lift"?
    "#]]
    .assert_eq(&unknown.complaint());

    // Somebody holds the elbow: the motion fails, and so does the command.
    cell.run(&["joint", "command", "arm/elbow", "--position", "-1.5"]).success();
    let held = cell.run(&["motion", "play", "lift"]);
    assert_eq!(held.code, 1, "{}", held.stdout);
    assert!(held.stdout.contains("aborted: joint \"elbow\" is "), "{}", held.stdout);
}

#[test]
fn files_that_come_change_break_and_go_count_at_once() {
    let cell = Cell::new();
    let names = || {
        let list = cell.json(&["motion", "list"]);
        let motions = list[0]["motions"].as_array().unwrap().clone();
        motions.iter().map(|m| m["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(), ["lift"]);
    cell.write("drop", &lift(0.2));
    assert_eq!(names(), ["drop", "lift"]);
    assert_eq!(cell.run(&["motion", "play", "drop"]).code, 0);

    // Another length, so that the change is seen whatever the clock of the file system does.
    cell.write("drop", &lift(-0.25));
    assert_eq!(cell.run(&["motion", "play", "drop"]).code, 0);
    let elbow = cell.json(&["joint", "show", "arm/elbow"])["position"][0].as_f64().unwrap();
    assert!((elbow + 0.25).abs() < 0.05, "{elbow}");

    cell.write("drop", "format = 1\njoints = [\"elbow\"]\nwaypoints = [{ time = -1.0 }]\n");
    let list = cell.run(&["motion", "list"]);
    assert_eq!(list.code, 1, "a problem is told by the exit code too");
    assert!(list.stdout.contains("drop.motion.toml:3:"), "{}", list.stdout);
    let broken = cell.run(&["motion", "play", "drop"]);
    assert!(broken.stderr.contains("drop.motion.toml:3:"), "{}", broken.stderr);
    assert_eq!(cell.run(&["motion", "play", "lift"]).code, 0, "the others still play");

    fs::remove_file(cell.file("drop")).unwrap();
    assert_eq!(names(), ["lift"]);
}

#[test]
fn motions_go_through_every_format_and_back() {
    let sandbox = Sandbox::new();
    let path = |name: &str| sandbox.folder.path().join(name).display().to_string();
    let source = "worlds/motions/quadruped/bow.motion.toml";
    let first = path("bow.motion.toml");
    sandbox.retake(&["motion", "convert", source, &first]).success();
    for file in ["bow.json", "bow.yaml", "bow.motion", "bow.csv"] {
        let (there, back) = (path(file), path(&format!("{file}.toml")));
        let converted = sandbox.retake(&["motion", "convert", &first, &there]);
        // What it says of itself is lost in all of them, and that is told.
        assert_eq!(converted.code, 3, "{file}: {}{}", converted.stdout, converted.stderr);
        assert!(converted.stdout.contains("not kept: "), "{}", converted.stdout);
        sandbox.retake(&["motion", "convert", &there, &back]).success();
        let info = |file: &str| -> Value {
            let text = sandbox.retake(&["motion", "info", file, "--format", "json"]).success();
            serde_json::from_str(&text).unwrap()
        };
        assert_eq!(info(&first)[0]["joints"], info(&back)[0]["joints"], "{file}");
        assert_eq!(info(&first)[0]["seconds"], info(&back)[0]["seconds"], "{file}");
    }
    let bad = sandbox.write("bad.csv", "time,elbow\n0,1\n0,2\n");
    let check = sandbox.retake(&["motion", "check", &first, &bad]);
    assert_eq!(check.code, 1);
    assert!(check.stdout.contains("bad.csv:3:") && check.stdout.contains("1 good, 1 bad"));
}

#[test]
fn a_file_is_turned_around_scaled_and_retimed() {
    let sandbox = Sandbox::new();
    let source = sandbox.write(
        "lift.motion.toml",
        "format = 1\njoints = [\"elbow\"]\nwaypoints = [\n  { time = 0.0, positions = [0.0] },\n  \
         { time = 3.0, positions = [1.0] },\n  { time = 4.0, positions = [0.5] },\n]\n",
    );
    let out = sandbox.folder.path().join("drop.motion.toml").display().to_string();
    let edit = |more: &[&str]| sandbox.retake(&[&["motion", "edit", &source, &out], more].concat());
    let times = || {
        let text = fs::read_to_string(&out).unwrap();
        let points = text.lines().filter_map(|line| line.trim().strip_prefix("{ time = "));
        points.map(|line| line.trim_end_matches([' ', '}', ',']).to_owned()).collect::<Vec<_>>()
    };
    edit(&["--reverse", "--speed", "2"]).success();
    expect![[r#"
        0.0, positions = [0.5]
        0.5, positions = [1.0]
        2.0, positions = [0.0]"#]]
    .assert_eq(&times().join("\n"));
    edit(&["--retime", "--max-velocity", "1", "--interpolation", "linear"]).success();
    expect![[r#"
        0.0, positions = [0.0]
        1.0, positions = [1.0]
        1.5, positions = [0.5]"#]]
    .assert_eq(&times().join("\n"));
    let refused = [
        edit(&["--speed", "0"]).complaint(),
        edit(&["--interpolation", "wavy"]).complaint(),
        edit(&["--retime", "--max-velocity", "-1"]).complaint(),
    ];
    expect![[r#"
        exit 1
        retake: the speed would be 0 times the taught one; give a number from 0.05 to 20
        exit 1
        retake: There is no interpolation "wavy". Known: monotone, akima, natural, clamped, linear, hermite
        exit 1
        retake: max_velocity of joint "elbow" is -1; give a number above 0
    "#]].assert_eq(&refused.join(""));
}

#[test]
fn a_file_is_checked_against_a_robot() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "worlds/quadruped.sdf", "--bus-port", "0", "--paused"]);
    let crossed = sandbox.write(
        "cross.motion.toml",
        "format = 1\njoints = [\"lf_hip_pitch\", \"lf_knee\", \"lh_hip_pitch\", \"lh_knee\"]\n\
         waypoints = [\n  { time = 0.0, positions = [0.0, 0.0, 0.0, 0.0] },\n  \
         { time = 1.0, positions = [1.4, 1.0, -1.4, -1.2] },\n]\n",
    );
    let good = "worlds/motions/quadruped/bow.motion.toml";
    let check = |file: &str| sandbox.retake(&["motion", "check", file, "--against", "quadruped"]);
    expect![[r#"
        worlds/motions/quadruped/bow.motion.toml: no links collide in 76 instants
    "#]]
    .assert_eq(&check(good).success());
    let found = check(&crossed);
    assert_eq!(found.code, 1, "{}", found.stderr);
    let shown = found.stdout.replace(&sandbox.folder.path().display().to_string(), "");
    expect![[r#"
        /cross.motion.toml: 1 pair of links collides in 117 instants
          lf_shank runs into lh_shank from 0.45 s to 0.86 s, 46 mm deep
    "#]]
    .assert_eq(&shown);
}

#[test]
fn motions_are_shown_taken_out_and_put_in_under_other_names() {
    let cell = Cell::new();
    let path = |name: &str| cell.sandbox.folder.path().join(name).display().to_string();
    let shown = cell.json(&["motion", "show", "lift"]);
    assert_eq!((&shown[0]["name"], &shown[0]["joints"][0]), (&"lift".into(), &"elbow".into()));
    assert_eq!(shown[0]["waypoints"], 1);
    let unknown = cell.run(&["motion", "show", "lit"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("lit"), "{}", unknown.stderr);

    // CSV keeps no tolerances, which is told.
    let (table, other) = (path("lift.csv"), path("lift.motion.toml"));
    assert_eq!(cell.run(&["motion", "export", "lift", &table]).code, 3);
    cell.run(&["motion", "export", "lift", &other]).success();
    let stored = cell.json(&["motion", "import", &table, "--name", "raise"]);
    assert!(stored["file"].as_str().unwrap().ends_with("raise.motion.toml"), "{stored}");
    assert_eq!(cell.run(&["motion", "play", "raise"]).code, 0);

    let taken = cell.run(&["motion", "import", &other]);
    assert_eq!(taken.code, 1);
    let told = taken.complaint();
    assert!(told.contains("exists") && told.contains("--replace"), "{told}");
    cell.run(&["motion", "import", &other, "--replace"]).success();
    let outside = cell.run(&["motion", "import", &other, "--name", "../outside"]);
    assert_eq!(outside.code, 1, "{}", outside.stdout);
    assert!(!cell.sandbox.folder.path().join("motions/outside.motion.toml").exists());
}

#[test]
fn what_a_robot_does_is_recorded_and_plays_as_a_motion() {
    let cell = Cell::new();
    for (seconds, reason) in [("0", "above 0"), ("601", "at most 600"), ("NaN", "above 0")] {
        let refused = cell.run(&["motion", "record", "copy", "--seconds", seconds]);
        assert!(refused.code == 1 && refused.stderr.contains(reason), "{}", refused.stderr);
    }
    let unknown = cell.run(&["motion", "record", "copy", "--seconds", "1", "--joint", "wing"]);
    let told = unknown.complaint();
    assert!(told.contains("\"wing\"") && told.contains("elbow"), "{told}");

    // The arm sets out when somebody is listening.
    cell.run(&["world", "pause"]).success();
    cell.run(&["world", "speed", "1"]).success();
    cell.run(&["motion", "play", "lift", "--no-wait"]).success();
    let record = ["motion", "record", "copy", "--seconds", "1.2", "--joint", "elbow"];
    let mut recording = cell.sandbox.command(&record).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(recording.stderr.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), "Recording arm for 1.2 s of simulated time");
    cell.run(&["world", "play"]).success();
    assert!(recording.wait().unwrap().success(), "{:?}", told.next());

    let shown = cell.json(&["motion", "show", "copy"]);
    assert_eq!(shown[0]["joints"], serde_json::json!(["elbow"]));
    assert!(shown[0]["waypoints"].as_u64().unwrap() >= 2, "{shown}");
    cell.run(&["motion", "cancel"]).success();
    cell.run(&["world", "speed", "0"]).success();
    cell.run(&["motion", "pose", "elbow=0"]).success();
    assert_eq!(cell.run(&["motion", "play", "copy"]).stdout, "Play copy on arm\nsucceeded\n");
    let elbow = cell.json(&["joint", "show", "arm/elbow"])["position"][0].as_f64().unwrap();
    assert!((elbow + 0.4).abs() < 0.1, "{elbow}");
}
