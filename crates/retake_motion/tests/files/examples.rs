//! What each format says, told in the native one; and the other way round.

use expect_test::{Expect, expect};
use retake_diag::Diagnostics;
use retake_motion::file::{self, CompoundError, Format};
use retake_motion::{Interpolation, Motion, Waypoint};

/// Reads a file and writes its motions natively.
fn check(name: &str, text: &str, expected: Expect) {
    let mut found = Diagnostics::new();
    let mut told = String::new();
    for motion in file::read(text, name, &mut found) {
        told += &format!("# {}\n", motion.name);
        told += &file::write(&motion, Format::Native).unwrap().text;
    }
    expected.assert_eq(&format!("{told}{found}"));
}

#[test]
fn native_as_people_write_it() {
    check(
        "moves/wave.motion.toml",
        r#"# tables in the long form, whole numbers, comments
format = 1
joints = ["pan", "lift", "support/left"]
path_tolerance = { pan = 0.3, "support/left" = "any" }
goal_tolerance = 0.05
goal_time_tolerance = "any"

[[waypoints]]
time = 0
positions = [0, 1.25, 1]
note = 'start "here"'

[[waypoints]]
time = 1.5
positions = [-0.5, 1, 0]
velocities = [0, 0, 0]
enabled = false

[[actions]]
time = 1
type = "voice/say"
command = "Second"

[[actions]]
time = 0.5
type = "voice/say"
command = "First"
options = "loud"
"#,
        expect![[r##"
            # wave
            format = 1
            interpolation = "monotone"
            goal_time_tolerance = "any"
            joints = ["pan", "lift", "support/left"]
            path_tolerance = { pan = 0.3, "support/left" = "any" }
            goal_tolerance = 0.05

            waypoints = [
              { time = 0.0, positions = [ 0.0, 1.25, 1.0], note = "start \"here\"" },
              { time = 1.5, positions = [-0.5,  1.0, 0.0], velocities = [0.0, 0.0, 0.0], enabled = false },
            ]

            actions = [
              { time = 0.5, type = "voice/say", command = "First", options = "loud" },
              { time = 1.0, type = "voice/say", command = "Second" },
            ]
        "##]],
    );
}

#[test]
fn goals_of_ros_1_and_2() {
    check(
        "nod.json",
        r#"{
	"goal_time_tolerance": {"secs": 1, "nsecs": 500000000},
	"trajectory": {
		"header": {"stamp": {"secs": 1512914506, "nsecs": 170936935}, "frame_id": "", "seq": 0},
		"joint_names": ["tilt", "support/leg1"],
		"points": [
			{"positions": [-0.14731068969521396, 1.0], "accelerations": [], "velocities": [],
			 "effort": [], "time_from_start": {"secs": 0, "nsecs": 0}},
			{"positions": [0.25, 0.0], "time_from_start": {"secs": 1, "nsecs": 399999999}}
		]
	},
	"path_tolerance": [{"name": "tilt", "position": 0.5, "velocity": 0.0, "acceleration": 0.0}],
	"goal_tolerance": [{"name": "support/leg1", "position": -1.0}, {"name": "tilt", "position": 0.0}],
	"actions": [{"time_from_start": 0.25, "command":
		{"type": "voice/say", "command": "\ud83e\udd16 \u041f\/\\ud83e"}}]
}"#,
        expect![[r##"
            # nod
            format = 1
            interpolation = "monotone"
            goal_time_tolerance = 1.5
            joints = ["tilt", "support/leg1"]
            path_tolerance = { tilt = 0.5 }
            goal_tolerance = { "support/leg1" = "any" }

            waypoints = [
              { time =         0.0, positions = [-0.14731068969521396, 1.0] },
              { time = 1.399999999, positions = [                0.25, 0.0] },
            ]

            actions = [
              { time = 0.25, type = "voice/say", command = "🤖 П/\\ud83e" },
            ]
        "##]],
    );
    check(
        "bare.json",
        r#"{"header":{"frame_id":""},"joint_names":["a"],"points":[
{"positions":[0],"velocities":[0.5],"time_from_start":{"sec":0,"nanosec":500000000}},
{"positions":[1e-9],"velocities":[0],"time_from_start":{"sec":2,"nanosec":1}}]}"#,
        expect![[r##"
            # bare
            format = 1
            interpolation = "hermite"
            joints = ["a"]

            waypoints = [
              { time =         0.5, positions = [   0.0], velocities = [0.5] },
              { time = 2.000000001, positions = [1.0e-9], velocities = [0.0] },
            ]
        "##]],
    );
}

#[test]
fn parameters_of_play_motion_2_and_1() {
    check(
        "robot.yaml",
        "/**:
  ros__parameters:
    play_motion2:
      motions:
        wave:
          joints: [arm_1, arm_2]
          positions: [0.0, 1.0,
                      0.5, -1.0]
          times_from_start: [0.5, 2.0]
          meta:
            name: Wave
            usage: demo
            description: 'Waves *gently* & long'
        home:
          joints: [arm_1]
          positions: [0]
          times_from_start: [1]
",
        expect![[r##"
            # wave
            format = 1
            description = "Waves *gently* & long"
            interpolation = "monotone"
            joints = ["arm_1", "arm_2"]

            waypoints = [
              { time = 0.5, positions = [0.0,  1.0] },
              { time = 2.0, positions = [0.5, -1.0] },
            ]
            # home
            format = 1
            interpolation = "monotone"
            joints = ["arm_1"]

            waypoints = [
              { time = 1.0, positions = [0.0] },
            ]
        "##]],
    );
    check(
        "robot.yml",
        "play_motion:
  motions:
    nod:
      joints: [head]
      points:
      - positions: [0.1]
        time_from_start: 0.0
      - positions: [-0.1]
        velocities: [0.0]
        time_from_start: 1.0
",
        expect![[r##"
            # nod
            format = 1
            interpolation = "hermite"
            joints = ["head"]

            waypoints = [
              { time = 0.0, positions = [ 0.1] },
              { time = 1.0, positions = [-0.1], velocities = [0.0] },
            ]
        "##]],
    );
}

#[test]
fn poses_of_webots() {
    check(
        "hand_wave.motion",
        "#WEBOTS_MOTION,V1.0,RShoulderPitch,RElbow,Never
00:00:000,Pose1,0.5,*,*
1:000,up,*,1.0,*
01:01:000,Pose3,1.5,*,*
",
        expect![[r##"
            # hand_wave
            format = 1
            interpolation = "linear"
            joints = ["RShoulderPitch", "RElbow"]

            waypoints = [
              { time =  0.0, positions = [               0.5, 1.0] },
              { time =  1.0, positions = [0.5163934426229508, 1.0], note = "up" },
              { time = 61.0, positions = [               1.5, 1.0] },
            ]
            hand_wave.motion:1:43: warning[motion-left-out]: no pose names joint "Never". It is left out
        "##]],
    );
}

#[test]
fn tables() {
    check(
        "wave.csv",
        "\u{feff}time;pan;\"the \"\"lift\"\"\";pan:velocity;the \"lift\":velocity\r\n0;1;2;;\r\n\r\n0.5; 1.5;2e-3;0;-1\r\n",
        expect![[r##"
            # wave
            format = 1
            interpolation = "hermite"
            joints = ["pan", "the \"lift\""]

            waypoints = [
              { time = 0.0, positions = [1.0,   2.0] },
              { time = 0.5, positions = [1.5, 0.002], velocities = [0.0, -1.0] },
            ]
        "##]],
    );
}

#[test]
fn compounds_without_a_shelf() {
    check(
        "hello.json",
        r#"{"action_list": [
    {"cmd": {"type": "voice/say", "command": "b"}, "seq_delay": 1.0, "seq_num": 2},
    {"cmd": {"type": "motion/joint_trajectory", "command": "a"}, "seq_delay": 0.5, "seq_num": 0}
]}"#,
        expect![[r##"
            # hello
            format = 1
            interpolation = "monotone"
            joints = []

            actions = [
              { time = 0.5, type = "motion/joint_trajectory", command = "a" },
              { time = 1.5, type = "voice/say", command = "b" },
            ]
            hello.json:1:1: warning[motion-duration]: nobody knows how long motion/joint_trajectory "a" takes. It counts as 0 s
        "##]],
    );
}

#[test]
fn compounds_count_from_the_end() {
    let text = r#"[
    {"cmd": {"type": "voice/say", "command": "b"}, "seq_delay": 1.0, "seq_num": 2},
    {"cmd": {"type": "motion/joint_trajectory", "command": "a"}, "seq_delay": 0.5, "seq_num": 0}
]"#;
    let mut compound = file::read_compound(text, "hello.json", &mut Diagnostics::new()).unwrap();
    let flattened = compound.flatten(|command| (command.command == "a").then_some(2.0)).unwrap();
    let times: Vec<f64> = flattened.motion.actions.iter().map(|action| action.time_secs).collect();
    assert_eq!(times, [0.5, 3.5]);
    assert_eq!(flattened.end_secs, 3.5);
    assert!(flattened.unknown.is_empty(), "nobody waits for what has no duration");

    compound.elements[1].after = 9;
    let error = compound.flatten(|_| None).unwrap_err();
    assert_eq!(error, CompoundError::NoSuchElement { element: 2, after: 9, count: 2 });
    compound.elements[1].after = 2;
    let error = compound.flatten(|_| None).unwrap_err();
    assert_eq!(error.to_string(), "element 1 waits for itself");
}

/// A motion with something that each format lacks.
fn rich() -> Motion {
    let text = r#"
format = 1
description = "Rich"
interpolation = "akima"
goal_time_tolerance = 0.5
joints = ["pan", "lift"]
kept = ["knee"]
path_tolerance = 0.2
waypoints = [
  { time = 0, positions = [0, 1], kept = [0.5], note = "a, b" },
  { time = 0.5, positions = [0.1, 1], kept = [0.5], enabled = false },
  { time = 1.0001, positions = [0.2, 1], velocities = [0, 0], kept = [0.7] },
]
actions = [{ time = 0, type = "voice/say", command = "Hello" }]
"#;
    file::read(text, "rich.motion.toml", &mut Diagnostics::new()).remove(0)
}

#[test]
fn every_format_tells_what_it_loses() {
    let mut told = String::new();
    for (format, word, _) in Format::ALL {
        match file::write(&rich(), format) {
            Ok(written) => told += &format!("{word} loses {:#?}\n{}\n", written.lost, written.text),
            Err(error) => told += &format!("{error}\n"),
        }
    }
    expect![[r#"
        native loses []
        format = 1
        description = "Rich"
        interpolation = "akima"
        goal_time_tolerance = 0.5
        joints = ["pan", "lift"]
        kept = ["knee"]
        path_tolerance = 0.2

        waypoints = [
          { time =    0.0, positions = [0.0, 1.0], kept = [0.5], note = "a, b" },
          { time =    0.5, positions = [0.1, 1.0], kept = [0.5], enabled = false },
          { time = 1.0001, positions = [0.2, 1.0], velocities = [0.0, 0.0], kept = [0.7] },
        ]

        actions = [
          { time = 0.0, type = "voice/say", command = "Hello" },
        ]

        goal-json loses [
            "waypoints that are off (1)",
            "notes of waypoints",
            "positions of joints that it does not move (1)",
            "the description",
        ]
        {
            "goal_time_tolerance": {"secs": 0, "nsecs": 500000000},
            "interpolation": "akima",
            "trajectory": {
                "header": {"stamp": {"secs": 0, "nsecs": 0}, "frame_id": "", "seq": 0},
                "joint_names": ["pan", "lift"],
                "points": [
                    {"positions": [0.0, 1.0], "velocities": [], "accelerations": [], "effort": [], "time_from_start": {"secs": 0, "nsecs": 0}},
                    {"positions": [0.2, 1.0], "velocities": [0.0, 0.0], "accelerations": [], "effort": [], "time_from_start": {"secs": 1, "nsecs": 100000}}
                ]
            },
            "path_tolerance": [
                {"name": "pan", "position": 0.2, "velocity": 0.0, "acceleration": 0.0},
                {"name": "lift", "position": 0.2, "velocity": 0.0, "acceleration": 0.0}
            ],
            "goal_tolerance": [
                {"name": "pan", "position": 0.0, "velocity": 0.0, "acceleration": 0.0},
                {"name": "lift", "position": 0.0, "velocity": 0.0, "acceleration": 0.0}
            ],
            "actions": [
                {"time_from_start": {"secs": 0, "nsecs": 0}, "command": {"type": "voice/say", "command": "Hello"}}
            ]
        }

        play-motion loses [
            "waypoints that are off (1)",
            "notes of waypoints",
            "positions of joints that it does not move (1)",
            "velocities and accelerations",
            "text actions (1)",
            "the interpolation akima, which becomes monotone",
            "the tolerances",
            "the goal time tolerance",
        ]
        /**:
          ros__parameters:
            motions:
              "rich":
                joints: ["pan", "lift"]
                positions: [
                  0.0, 1.0,
                  0.2, 1.0]
                times_from_start: [0.0, 1.0001]
                meta:
                  name: "rich"
                  usage: ""
                  description: "Rich"

        webots loses [
            "waypoints that are off (1)",
            "positions of joints that it does not move (1)",
            "velocities and accelerations",
            "text actions (1)",
            "the interpolation akima, which becomes linear",
            "times, which are rounded to ms",
            "the description",
            "the tolerances",
            "the goal time tolerance",
            "commas and line ends in the note of waypoint 1",
        ]
        #WEBOTS_MOTION,V1.0,pan,lift
        00:00:000,a  b,0.0,1.0
        00:01:000,Pose2,0.2,1.0

        csv loses [
            "waypoints that are off (1)",
            "notes of waypoints",
            "positions of joints that it does not move (1)",
            "text actions (1)",
            "the interpolation akima, which becomes hermite",
            "the description",
            "the tolerances",
            "the goal time tolerance",
        ]
        time,pan,lift,pan:velocity,lift:velocity
        0.0,0.0,1.0,,
        1.0001,0.2,1.0,0.0,0.0

        the motion cannot be written as compound-json: it moves joints; write it in another format, and play it by a motion/joint_trajectory command
    "#]].assert_eq(&told);
}

#[test]
fn what_cannot_be_written_is_named() {
    let refused = |change: fn(&mut Motion), format: Format| {
        let mut motion = rich();
        change(&mut motion);
        file::write(&motion, format).unwrap_err().to_string()
    };
    let told = [
        refused(|motion| motion.joints[1] = "pan".into(), Format::Native),
        refused(|motion| motion.waypoints[2].time_secs = 0.5, Format::Native),
        refused(|motion| motion.waypoints[2].positions[0] = f64::NAN, Format::Native),
        refused(|motion| motion.waypoints[2].velocities.push(1.0), Format::Native),
        refused(|motion| motion.tolerances[0].path = Some(-1.0), Format::Native),
        refused(|motion| motion.actions[0].time_secs = -1.0, Format::Native),
        refused(|motion| motion.name = "../wave".into(), Format::Native),
        refused(|motion| motion.description = "x".repeat(5000), Format::Native),
        refused(|motion| motion.waypoints[2].time_secs = 1e-10, Format::GoalJson),
        refused(|motion| motion.waypoints[2].time_secs = 1e10, Format::GoalJson),
        refused(|motion| motion.waypoints[2].time_secs = 1e-4, Format::Webots),
        refused(|motion| motion.joints[1] = "a,b".into(), Format::Webots),
        refused(|motion| motion.joints[1] = "a:velocity".into(), Format::Csv),
        refused(|motion| motion.waypoints.clear(), Format::PlayMotionYaml),
    ];
    expect![[r#"
        motion "rich" is not whole: joint "pan" is named twice
        motion "rich" is not whole: waypoint 3 is at 0.5 s, not after 0.5 s
        motion "rich" is not whole: a value of positions is NaN; write a finite number
        motion "rich" is not whole: waypoint 3 has 3 velocities, and there are 2 joints
        motion "rich" is not whole: a tolerance is -1; write 0 or more, infinite for any
        motion "rich" is not whole: the time of an action is -1; write a finite number from 0 on
        the motion cannot be written as native: "../wave" cannot be the name of a file
        motion "rich" has 5000 bytes in a text, at most 4096 can be read
        motion "rich" is not whole: waypoint 3 is at 0.0000000001 s, not after 0.5 s
        the motion cannot be written as goal-json: 10000000000 s is more than a message can carry
        motion "rich" is not whole: waypoint 3 is at 0.0001 s, not after 0.5 s
        the motion cannot be written as webots: joint "a,b" has a comma, or blanks around it
        the motion cannot be written as csv: joint "a:velocity" would be read as something else
        the motion cannot be written as play-motion: it needs joints and waypoints
    "#]]
    .assert_eq(&(told.join("\n") + "\n"));
}

#[test]
fn words_and_endings_name_formats() {
    for (format, word, ending) in Format::ALL {
        assert_eq!(Format::from_word(word), Some(format));
        assert_eq!((format.word(), format.ending()), (word, ending));
        assert_eq!(Format::stem(&format!("a/b/wave.2{ending}")), "wave.2");
    }
    assert_eq!(Format::of_name("wave.motion"), Some(Format::Webots));
    assert_eq!(Format::of_name("wave.motion.toml"), Some(Format::Native));
    assert_eq!(Format::of_name("wave.yml"), Some(Format::PlayMotionYaml));
    assert_eq!(Format::of_name("wave.txt"), None);
    let sniffed =
        ["{\"action_list\": []}", "#WEBOTS_MOTION", "time,a", "a:\n  motions:\n", "format = 1"];
    let sniffed = sniffed.map(|text| Format::of("-", text).map_or("", Format::word));
    assert_eq!(sniffed, ["compound-json", "webots", "csv", "play-motion", "native"]);
}

#[test]
fn a_written_motion_is_pleasant_to_read() {
    let waypoint = |time_secs: f64, positions: [f64; 2]| Waypoint {
        time_secs,
        positions: positions.to_vec(),
        enabled: true,
        ..Waypoint::default()
    };
    let motion = Motion {
        name: "wave".into(),
        interpolation: Interpolation::Monotone,
        joints: vec!["pan".into(), "lift".into()],
        waypoints: vec![waypoint(0.0, [0.0, 1.25]), waypoint(10.5, [-0.123456789, 0.0])],
        ..Motion::default()
    };
    let written = file::write(&motion, Format::Native).unwrap();
    expect![[r#"
        format = 1
        interpolation = "monotone"
        joints = ["pan", "lift"]
        path_tolerance = {  }
        goal_tolerance = {  }

        waypoints = [
          { time =  0.0, positions = [         0.0, 1.25] },
          { time = 10.5, positions = [-0.123456789,  0.0] },
        ]
    "#]]
    .assert_eq(&written.text);
}

/// The guide shows files; each is read without a finding, but for what it says of compounds.
#[test]
fn examples_of_the_guide_are_read() {
    let guide = include_str!("../../../../docs/guide/motion-files.md");
    let blocks: Vec<&str> = guide.split("\n```").skip(1).step_by(2).collect();
    let mut read = Vec::new();
    for block in blocks {
        let (language, text) = block.split_once('\n').unwrap();
        if language == "sh" {
            continue;
        }
        let mut found = Diagnostics::new();
        assert_eq!(file::read(text, "example", &mut found).len(), 1, "{text}\n{found}");
        assert!(!found.has_errors(), "{found}");
        read.push(Format::of("example", text).map_or("", Format::word));
    }
    assert_eq!(read, ["native", "native", "play-motion", "webots", "csv", "compound-json"]);
}
