//! What is said of bad files: every fault, its place, and what to do.

use expect_test::{Expect, expect};
use retake_diag::Diagnostics;
use retake_motion::file;

fn check(name: &str, text: &str, expected: Expect) {
    let mut found = Diagnostics::new();
    let motions = file::read(text, name, &mut found);
    let outcome = if motions.is_empty() { "no motion" } else { "a motion" };
    expected.assert_eq(&format!("{found}{outcome}\n"));
}

#[test]
fn native() {
    check(
        "wave.motion.toml",
        r#"format = 2
descripton = "waves"
name = "wave"
description = 7
interpolation = "cubic"
goal_time_tolerance = "long"
joints = ["pan", "lift", "pan", "", 3]
path_tolerance = { pan = 0.1, lft = 0.2, lift = -1 }
goal_tolerance = "none"
waypoints = [
  { time = 0.5, positions = [0.0] },
  { time = 0.5, positions = [0.0, 1.0, 2.0, 3.0], velocites = [] },
  { time = -1, positions = [0.0, inf, 2.0, "up"], velocities = [0] },
  { time = nan, positions = [0.0, 1.0, 2.0, 3.0], enabled = 1, note = 2020-01-01 },
  { positions = 1 },
  [],
]
[[actions]]
time = -0.5
kind = "voice/say"
[[actions]]
type = "voice/say"
"#,
        expect![[r#"
            wave.motion.toml:1:10: error[motion-format]: format 2 is not known. Write format = 1
            wave.motion.toml:2:1: error[motion-unknown-key]: "descripton" is not known here. Did you mean "description"?
            wave.motion.toml:3:1: error[motion-unknown-key]: a motion has no "name". Name the file instead
            wave.motion.toml:4:15: error[motion-type]: description is a number. Write text in quotes
            wave.motion.toml:5:17: error[motion-interpolation]: there is no interpolation "cubic". Known: monotone, akima, natural, clamped, linear, hermite
            wave.motion.toml:6:23: error[motion-type]: goal_time_tolerance is text. Write a number
            wave.motion.toml:7:26: error[motion-joint]: joint "pan" is named twice. Name each joint once
            wave.motion.toml:7:33: error[motion-joint]: a joint has no name. Write its name
            wave.motion.toml:7:37: error[motion-type]: a value of joints is a number. Write text in quotes
            wave.motion.toml:8:31: error[motion-joint]: path_tolerance names "lft". Did you mean "lift"?
            wave.motion.toml:8:49: error[motion-tolerance]: path_tolerance of lift is -1. Write how far a joint may be off, or "any"
            wave.motion.toml:9:18: error[motion-tolerance]: goal_tolerance is "none". Write how far a joint may be off, or "any"
            wave.motion.toml:11:29: error[motion-size]: waypoint 1 has 1 positions, and there are 4 joints. Write one for each joint
            wave.motion.toml:12:12: error[motion-time]: waypoint 2 is at 0.5 s, not after 0.5 s. Write waypoints in the order of time
            wave.motion.toml:12:51: error[motion-unknown-key]: "velocites" is not known here. Did you mean "velocities"?
            wave.motion.toml:13:12: error[motion-time]: waypoint 3 is at -1 s. Times begin at 0
            wave.motion.toml:13:34: error[motion-number]: a value of positions is inf. Write a finite number
            wave.motion.toml:13:44: error[motion-type]: a value of positions is text. Write a number
            wave.motion.toml:13:64: error[motion-size]: waypoint 3 has 1 velocities, and there are 4 joints. Write one for each joint
            wave.motion.toml:14:12: error[motion-number]: time is NaN. Write a finite number
            wave.motion.toml:14:61: error[motion-type]: enabled is a number. Write true or false
            wave.motion.toml:14:71: error[motion-type]: note is a date. Write text in quotes
            wave.motion.toml:15:3: error[motion-missing]: a waypoint has no "time". Add time
            wave.motion.toml:15:17: error[motion-type]: positions is a number. Write a list
            wave.motion.toml:16:3: error[motion-type]: a waypoint is a list. Write a table of names and values
            wave.motion.toml:18:1: error[motion-missing]: an action has no "type". Add type
            wave.motion.toml:19:8: error[motion-time]: an action is at -0.5 s. Times begin at 0
            wave.motion.toml:20:1: error[motion-unknown-key]: "kind" is not known here. Known: time, type, command, options
            wave.motion.toml:21:1: error[motion-missing]: an action has no "time". Add time
            no motion
        "#]],
    );
}

#[test]
fn native_with_kept_joints() {
    check(
        "wave.motion.toml",
        r#"format = 1
joints = ["pan"]
kept = ["lift", "pan", "lift"]
path_tolerance = { pan = 0.1, lft = 0.2, lift = 0.3 }
waypoints = [
  { time = 0.5, positions = [0.0] },
  { time = 1.0, positions = [0.0, 1.0], kept = [nan, 1.0, 2.0] },
  { time = 1.5, positions = [0.0], kept = [1.0] },
]
"#,
        expect![[r#"
            wave.motion.toml:3:17: error[motion-joint]: joint "pan" is named twice. Name each joint once
            wave.motion.toml:3:24: error[motion-joint]: joint "lift" is named twice. Name each joint once
            wave.motion.toml:4:31: error[motion-joint]: path_tolerance names "lft". Did you mean "lift"?
            wave.motion.toml:6:3: error[motion-size]: waypoint 1 keeps 0 positions, and there are 3 kept joints. Write kept = [...] with one for each joint that is kept
            wave.motion.toml:7:29: error[motion-size]: waypoint 2 has 2 positions, and there are 1 joints. Write one for each joint
            wave.motion.toml:7:49: error[motion-number]: a value of kept is NaN. Write a finite number
            wave.motion.toml:8:43: error[motion-size]: waypoint 3 keeps 1 positions, and there are 3 kept joints. Write kept = [...] with one for each joint that is kept
            no motion
        "#]],
    );
    check(
        "wave.motion.toml",
        "format = 1\njoints = [\"pan\"]\nwaypoints = [{ time = 0, positions = [0], kept = [1] }]\n",
        expect![[r#"
            wave.motion.toml:3:50: error[motion-size]: waypoint 1 keeps 1 positions, and there are 0 kept joints. Name those joints in kept at the top, or leave it out
            no motion
        "#]],
    );
}

#[test]
fn native_as_a_whole() {
    check(
        "wave.motion.toml",
        "format = 1\njoints = [\"a\"\nwaypoints = 3\n",
        expect![[r#"
            wave.motion.toml:3:1: error[motion-syntax]: missing comma between array elements, expected `,`. Correct the TOML here
            no motion
        "#]],
    );
    check(
        "wave.motion.toml",
        "",
        expect![[r#"
        wave.motion.toml:1:1: error[motion-format]: the file does not say its format. Write format = 1
        no motion
    "#]],
    );
    check(
        "wave.motion.toml",
        "format = 1\nwaypoints = [{ time = 0, positions = [] }]",
        expect![[r#"
            wave.motion.toml:2:14: error[motion-joint]: there are waypoints, but no joints. Name the joints that move
            no motion
        "#]],
    );
    check(
        ".motion.toml",
        "format = 1",
        expect![[r#"
        .motion.toml:1:1: error[motion-name]: "" cannot be the name of a motion. Use letters, digits, - and _
        no motion
    "#]],
    );
    check(
        "wave.motion.toml",
        "format = 1\nformat = 1",
        expect![[r#"
            wave.motion.toml:2:1: error[motion-syntax]: duplicate key. Correct the TOML here
            no motion
        "#]],
    );
}

#[test]
fn goals() {
    check(
        "wave.json",
        r#"{
    "goal_time_tolerance": {"secs": "1", "nsecs": 0},
    "trajectory": {
        "joint_names": ["a", "b"],
        "pionts": [],
        "points": [
            {"positions": [1.0], "time_from_start": {"secs": 0, "nsecs": 0}},
            {"positions": [1.0, null], "effort": [1.0, 1.0], "time_from_start": {"sec": 1}},
            {"positions": [1.0, 2.0], "velocities": [1.0], "time_from_start": {"sec": 1}},
            {"velocities": [1.0, 2.0]}
        ]
    },
    "path_tolerance": [
        {"name": "c", "position": 0.5},
        {"name": "a", "position": 0.5, "velocity": 1.0},
        {"position": 0.5}
    ],
    "actions": [{"time_from_start": -1.0, "command": {"type": "voice/say"}}, {"command": {}}],
    "interpolation": "lineer"
}"#,
        expect![[r#"
            wave.json:2:37: error[motion-type]: goal_time_tolerance is text. Write a number
            wave.json:5:9: warning[motion-unknown-key]: "pionts" is not known here, it is left out. Did you mean "points"?
            wave.json:7:27: error[motion-size]: waypoint 1 has 1 positions, and there are 2 joints. Write one for each joint
            wave.json:8:33: error[motion-type]: a value of positions is empty. Write a number
            wave.json:8:50: warning[motion-left-out]: effort is left out. Motions have none
            wave.json:9:53: error[motion-size]: waypoint 3 has 1 velocities, and there are 2 joints. Write one for each joint
            wave.json:9:79: error[motion-time]: waypoint 3 is at 1 s, not after 1 s. Write waypoints in the order of time
            wave.json:10:13: error[motion-missing]: a point has no "time_from_start". Add time_from_start
            wave.json:10:13: error[motion-missing]: a point has no "positions". Add positions
            wave.json:14:18: warning[motion-joint]: path_tolerance names "c", which is no joint. It is left out
            wave.json:15:9: warning[motion-left-out]: the velocity in path_tolerance of "a" is left out. Motions have none
            wave.json:16:9: error[motion-missing]: a tolerance has no "name". Add name
            wave.json:18:37: error[motion-time]: an action is at -1 s. Times begin at 0
            wave.json:18:78: error[motion-missing]: an action has no "time_from_start". Add time_from_start
            wave.json:19:22: error[motion-interpolation]: there is no interpolation "lineer". Did you mean "linear"?
            no motion
        "#]],
    );
}

#[test]
fn goals_as_a_whole() {
    check(
        "wave.json",
        "{\"trajectory\": {\"joint_names\": [\"a\"],",
        expect![[r#"
            wave.json:2:1: error[motion-syntax]: while parsing a node, did not find expected node content. Correct the JSON here
            no motion
        "#]],
    );
    check(
        "wave.json",
        "{\"header\": {}, \"name\": [\"a\"], \"position\": [0.0]}",
        expect![[r#"
            wave.json:1:1: error[motion-format]: this is a pose, not a motion. Keep poses in another folder
            no motion
        "#]],
    );
    check(
        "wave.json",
        "{\"trajectory\": {}, \"trajectory\": {}}",
        expect![[r#"
            wave.json:1:20: error[motion-syntax]: duplicated key in mapping. Correct the JSON here
            no motion
        "#]],
    );
    check(
        "wave.json",
        "[1, 2]",
        expect![[r#"
        wave.json:1:1: error[motion-type]: the file is a list. Write a table of names and values
        no motion
    "#]],
    );
    check(
        "wave.json",
        "",
        expect![[r#"
        wave.json:1:1: error[motion-syntax]: there are 0 documents. Write one in each file
        no motion
    "#]],
    );
}

#[test]
fn play_motion() {
    check(
        "robot.yaml",
        "motions:
  wave:
    joints: [a, b]
    positions: [0.0, 0.0, 1.0]
    times_from_start: [0.0, 1.0]
  nod:
    joints: [a, a]
    positions: [0.0, .nan, 1.0, up]
    times_from_start: [1.0, 0.5]
    meta: {name: Nod, usage: demo, description: [1]}
  ../bow:
    joints: [a]
    points:
      - {positions: [0.0], time_from_start: 0.0}
      - {positions: [0.0, 1.0]}
  sit: 3
",
        expect![[r#"
            robot.yaml:4:16: error[motion-size]: there are 3 positions for 2 times of 2 joints. Write 4: all joints at the first time, then at the next
            robot.yaml:7:17: error[motion-joint]: joint "a" is named twice. Name each joint once
            robot.yaml:8:22: error[motion-number]: a value of positions is NaN. Write a finite number
            robot.yaml:8:33: error[motion-type]: a value of positions is text. Write a number
            robot.yaml:9:23: error[motion-time]: waypoint 2 is at 0.5 s, not after 1 s. Write waypoints in the order of time
            robot.yaml:10:49: error[motion-type]: description is a list. Write text in quotes
            robot.yaml:11:3: error[motion-name]: "../bow" cannot be the name of a motion. Use letters, digits, - and _
            robot.yaml:15:9: error[motion-missing]: a point has no "time_from_start". Add time_from_start
            robot.yaml:15:21: error[motion-size]: waypoint 2 has 2 positions, and there are 1 joints. Write one for each joint
            robot.yaml:16:8: error[motion-type]: motion "sit" is a number. Write a table of names and values
            no motion
        "#]],
    );
    check(
        "robot.yaml",
        "play_motion:\n  controllers: [a]\n",
        expect![[r#"
        robot.yaml:1:1: error[motion-missing]: there is no "motions". Write motions: with the names of motions below it
        no motion
    "#]],
    );
    check(
        "robot.yaml",
        "motions:\n  a: [1\n",
        expect![[r#"
            robot.yaml:3:1: error[motion-syntax]: while parsing a flow sequence, expected ',' or ']'. Correct the YAML here
            no motion
        "#]],
    );
    check(
        "robot.yaml",
        "a: 1\n---\nb: 1\n",
        expect![[r#"
        robot.yaml:1:1: error[motion-syntax]: there are 2 documents. Write one in each file
        no motion
    "#]],
    );
}

#[test]
fn webots() {
    check(
        "wave.motion",
        "#WEBOTS_MOTION,V1.0,a,b,c
00:00:000,Pose1,0.5,*,*
00:0x:500,Pose2,0.5,up,*
00:01:000,Pose3,0.5,1.0
00:01:000, Pose4, inf, 1.0,*
00:00:900,Pose5,0.5,1.0,*
",
        expect![[r#"
            wave.motion:1:25: warning[motion-left-out]: no pose names joint "c". It is left out
            wave.motion:3:1: error[motion-time]: "00:0x:500" is not a time. Write [[minutes:]seconds:]milliseconds
            wave.motion:3:21: error[motion-number]: "up" is not a position. Write a finite number, or *
            wave.motion:4:1: error[motion-size]: the pose has 2 values, and there are 3 joints. Write one for each joint, or *
            wave.motion:5:19: error[motion-number]: "inf" is not a position. Write a finite number, or *
            wave.motion:6:1: error[motion-time]: waypoint 4 is at 0.9 s, not after 1 s. Write waypoints in the order of time
            no motion
        "#]],
    );
    check(
        "wave.motion",
        "#WEBOTS_MOTION,V9.0,a\n0,p,1\n",
        expect![[r##"
        wave.motion:1:1: error[motion-format]: the file begins with "#WEBOTS_MOTION,V9.0,a". Begin with #WEBOTS_MOTION,V1.0 and the joints
        no motion
    "##]],
    );
    check(
        "wave.motion",
        "",
        expect![[r#"
        wave.motion:1:1: error[motion-format]: the file begins with "". Begin with #WEBOTS_MOTION,V1.0 and the joints
        no motion
    "#]],
    );
}

#[test]
fn csv() {
    check(
        "wave.csv",
        "time,a,\"b, c\",a:velocity
0,1,2,3
0.5,1,\"two\",
x,1,\"2\",1e999
0.2,1
",
        expect![[r#"
            wave.csv:1:15: error[motion-size]: columns of :velocity are not one for each joint. Name a column for each joint, or none
            no motion
        "#]],
    );
    check(
        "wave.csv",
        "t,a\n0,1\n",
        expect![[r#"
        wave.csv:1:1: error[motion-format]: the first column is "t". Begin with time and the joints
        no motion
    "#]],
    );
    check(
        "wave.csv",
        "",
        expect![[r#"
        wave.csv:1:1: error[motion-missing]: the file is empty. Begin with a line of time and the joints
        no motion
    "#]],
    );
    check(
        "wave.csv",
        "time,a,a\n0,1,1\n0,1,1\n",
        expect![[r#"
        wave.csv:1:8: error[motion-joint]: joint "a" is named twice. Name each joint once
        wave.csv:3:1: error[motion-time]: waypoint 2 is at 0 s, not after 0 s. Write waypoints in the order of time
        no motion
    "#]],
    );
}

#[test]
fn compounds() {
    check(
        "hello.json",
        r#"{"action_list": [
    {"cmd": {"type": "voice/say", "command": "Hello"}, "seq_delay": -1.0, "seq_num": 0},
    {"cmd": {"command": "Hello"}, "seq_delay": 0.0, "seq_num": 7},
    {"seq_num": 0.5},
    {"cmd": "say"}
]}"#,
        expect![[r#"
            hello.json:2:69: error[motion-time]: seq_delay is -1 s. Write 0 or more
            hello.json:3:13: error[motion-missing]: a command has no "type". Add type
            hello.json:3:64: error[motion-order]: seq_num is 7, and there are 4 elements. Write the number of an element from 1 on, or 0 for the start
            hello.json:4:5: error[motion-missing]: an element has no "cmd". Add cmd
            hello.json:4:17: error[motion-order]: seq_num is 0.5, and there are 4 elements. Write the number of an element from 1 on, or 0 for the start
            hello.json:5:13: error[motion-type]: a command is text. Write a table of names and values
            no motion
        "#]],
    );
    let element = |after: usize| {
        format!("{{\"cmd\": {{\"type\": \"a/b\", \"command\": \"c\"}}, \"seq_num\": {after}}}")
    };
    let list = |afters: &[usize]| {
        let elements: Vec<String> = afters.iter().map(|after| element(*after)).collect();
        format!("{{\"action_list\": [{}]}}", elements.join(",\n"))
    };
    check(
        "hello.json",
        &list(&[2, 1]),
        expect![[r#"
        hello.json:1:1: error[motion-order]: element 1 waits for itself. Let elements wait for earlier ones; 0 is the start
        no motion
    "#]],
    );
    check(
        "hello.json",
        &list(&[0, 1]),
        expect![[r#"
        hello.json:1:1: warning[motion-duration]: nobody knows how long a/b "c" takes. It counts as 0 s
        a motion
    "#]],
    );
}

#[test]
fn names_that_say_nothing() {
    check(
        "notes.txt",
        "Dear diary",
        expect![[r#"
        notes.txt:1:1: error[motion-format]: this is no motion in any known format. Known: native (.motion.toml), goal-json (.json), play-motion (.yaml), webots (.motion), csv (.csv), compound-json (.json)
        no motion
    "#]],
    );
    check(
        "wave",
        "format = 1\n",
        expect![[r#"
        a motion
    "#]],
    );
}

#[test]
fn poses() {
    let mut found = Diagnostics::new();
    let text = "{\n \"name\": [\"a\", \"a\"],\n \"position\": [1.0]\n}";
    assert!(file::read_pose(text, "home.json", &mut found).is_none());
    expect![[r#"
        home.json:2:16: error[motion-joint]: joint "a" has no name, or is named twice. Name each joint once
        home.json:3:14: error[motion-size]: there are 1 positions for 2 joints. Write one for each joint
    "#]].assert_eq(&found.to_string());
}
