//! Edits as people make them.

use expect_test::{Expect, expect};
use retake_diag::Diagnostics;
use retake_motion::edit::{Edit, MAX_POINTS, MirrorJoint, Pasted, WaypointsList};
use retake_motion::file::{self, Format, MAX_FILE_BYTES};
use retake_motion::{Interpolation, Motion, TextCommand, Tolerance, Waypoint};

fn pose(pan: f64, lift: f64) -> Vec<(String, f64)> {
    vec![("pan".into(), pan), ("lift".into(), lift)]
}

fn say(word: &str) -> TextCommand {
    TextCommand { kind: "voice/say".into(), command: word.into(), options: String::new() }
}

/// Waypoints 1 to 5 at 0 to 4 s, actions 6 and 7 at 0.5 and 2.5 s.
fn wave() -> WaypointsList {
    let mut list = WaypointsList::new("wave", vec!["pan".into(), "lift".into()]).unwrap();
    for at in 0..5 {
        list.apply(&Edit::AddPoint { time_secs: None, pose: pose(f64::from(at), 0.5) }).unwrap();
    }
    for time_secs in [0.5, 2.5] {
        list.apply(&Edit::AddAction { time_secs, command: say("Hello") }).unwrap();
    }
    list
}

/// A line for each waypoint and action: time, id, positions, marks.
fn shown(list: &WaypointsList) -> String {
    let mark = |is: bool, mark: &str| if is { format!(" {mark}") } else { String::new() };
    let points = list.points().iter().map(|point| {
        let marks = mark(list.start() == Some(point.id), "start")
            + &mark(list.end() == Some(point.id), "end")
            + &mark(!point.enabled, "off");
        format!("{} s: {} {:?}{marks}", point.time_secs, point.id, point.positions)
    });
    let actions =
        list.actions().iter().map(|at| format!("{} s: {} {}", at.time_secs, at.id, at.command));
    points.chain(actions).collect::<Vec<_>>().join("\n")
}

fn check(edits: &[Edit], expected: Expect) {
    let mut list = wave();
    let mut labels = String::new();
    for edit in edits {
        labels += &format!("{}\n", edit.label(&list));
        list.apply(edit).unwrap();
    }
    expected.assert_eq(&(labels + &shown(&list)));
}

#[test]
fn the_first_pose_is_start_and_end_and_later_ones_move_the_end() {
    let mut list = WaypointsList::new("wave", vec!["pan".into(), "lift".into()]).unwrap();
    let mut told = String::new();
    for time_secs in [Some(1.0), None, Some(0.5)] {
        list.apply(&Edit::AddPoint { time_secs, pose: pose(0.0, 0.0) }).unwrap();
        told += &format!("{}\n\n", shown(&list));
    }
    expect![[r#"
        1 s: 1 [0.0, 0.0] start end

        1 s: 1 [0.0, 0.0] start
        2 s: 2 [0.0, 0.0] end

        0.5 s: 3 [0.0, 0.0] start
        1 s: 1 [0.0, 0.0]
        2 s: 2 [0.0, 0.0] end

    "#]]
    .assert_eq(&told);
}

#[test]
fn a_marker_inside_stays_when_a_waypoint_is_added() {
    check(
        &[Edit::MarkEnd(4), Edit::AddPoint { time_secs: None, pose: pose(9.0, 9.0) }],
        expect![[r#"
        End at waypoint 4
        Add waypoint
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [1.0, 0.5]
        2 s: 3 [2.0, 0.5]
        3 s: 4 [3.0, 0.5] end
        4 s: 5 [4.0, 0.5]
        5 s: 8 [9.0, 9.0]
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn deleting_a_marked_waypoint_moves_the_marker_inside() {
    let off = Edit::SetEnabled { id: 3, enabled: false };
    check(
        &[Edit::MarkStart(2), off, Edit::DeletePoints(vec![2])],
        expect![[r#"
        Start at waypoint 2
        Switch waypoint 3 off
        Delete waypoint 2
        0 s: 1 [0.0, 0.5]
        2 s: 3 [2.0, 0.5] off
        3 s: 4 [3.0, 0.5] start
        4 s: 5 [4.0, 0.5] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn a_stretch_of_which_too_little_is_left_is_the_whole_again() {
    check(
        &[Edit::MarkStart(2), Edit::MarkEnd(3), Edit::DeletePoints(vec![3])],
        expect![[r#"
        Start at waypoint 2
        End at waypoint 3
        Delete waypoint 3
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [1.0, 0.5]
        3 s: 4 [3.0, 0.5]
        4 s: 5 [4.0, 0.5] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn deleting_all_leaves_no_markers() {
    check(
        &[Edit::DeletePoints(vec![1, 2, 3, 4, 5])],
        expect![[r#"
        Delete 5 waypoints
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn reversing_swaps_markers_and_mirrors_actions() {
    check(
        &[Edit::MarkStart(2), Edit::Reverse],
        expect![[r#"
        Start at waypoint 2
        Reverse
        0 s: 5 [4.0, 0.5] start
        1 s: 4 [3.0, 0.5]
        2 s: 3 [2.0, 0.5]
        3 s: 2 [1.0, 0.5] end
        4 s: 1 [0.0, 0.5]
        1.5 s: 7 voice/say "Hello"
        3.5 s: 6 voice/say "Hello""#]],
    );
}

#[test]
fn retiming_takes_along_what_is_between() {
    let times = vec![(2, 1.0), (4, 7.0)];
    check(
        &[Edit::SetTimes(times)],
        expect![[r#"
        Change times
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [1.0, 0.5]
        4 s: 3 [2.0, 0.5]
        7 s: 4 [3.0, 0.5]
        8 s: 5 [4.0, 0.5] end
        0.5 s: 6 voice/say "Hello"
        5.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn twice_the_speed_is_half_the_time() {
    check(
        &[Edit::ScaleSpeed(2.0)],
        expect![[r#"
        Change speed to 2 times
        0 s: 1 [0.0, 0.5] start
        0.5 s: 2 [1.0, 0.5]
        1 s: 3 [2.0, 0.5]
        1.5 s: 4 [3.0, 0.5]
        2 s: 5 [4.0, 0.5] end
        0.25 s: 6 voice/say "Hello"
        1.25 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn copies_fit_between() {
    let copy = |time_secs: f64, pan: f64| Pasted {
        time_secs,
        positions: vec![7.0, pan],
        enabled: true,
        ..Pasted::default()
    };
    let joints = vec!["elbow".into(), "pan".into(), "lift".into()];
    let mut points = vec![copy(10.0, 1.0), copy(10.25, 2.0)];
    points.iter_mut().for_each(|point| point.positions.push(0.0));
    check(
        &[Edit::Paste { joints, points, at_secs: 1.5 }],
        expect![[r#"
        Paste 2 waypoints
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [1.0, 0.5]
        1.5 s: 8 [1.0, 0.0]
        1.75 s: 9 [2.0, 0.0]
        2 s: 3 [2.0, 0.5]
        3 s: 4 [3.0, 0.5]
        4 s: 5 [4.0, 0.5] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn a_recorded_path_comes_a_second_later() {
    let path = vec![(30.0, pose(1.0, 1.0)), (30.5, pose(2.0, 2.0))];
    check(
        &[Edit::AppendPoints(path)],
        expect![[r#"
        Add recorded path of 2 waypoints
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [1.0, 0.5]
        2 s: 3 [2.0, 0.5]
        3 s: 4 [3.0, 0.5]
        4 s: 5 [4.0, 0.5]
        5 s: 8 [1.0, 1.0]
        5.5 s: 9 [2.0, 2.0] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn one_entry_mirrors_both_sides() {
    let pairs = vec![
        MirrorJoint { joint: "pan".into(), partner: "lift".into(), sign: -1.0 },
        MirrorJoint { joint: "other".into(), partner: "robot".into(), sign: 1.0 },
    ];
    check(
        &[Edit::Mirror { ids: vec![2, 3], pairs }],
        expect![[r#"
        Mirror 2 waypoints
        0 s: 1 [0.0, 0.5] start
        1 s: 2 [-0.5, -1.0]
        2 s: 3 [-0.5, -2.0]
        3 s: 4 [3.0, 0.5]
        4 s: 5 [4.0, 0.5] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn joints_come_and_go_with_all_their_positions() {
    let add = Edit::AddJoint { joint: "elbow".into(), position: 1.25 };
    check(
        &[add, Edit::RemoveJoint("pan".into())],
        expect![[r#"
        Add joint elbow
        Remove joint pan
        0 s: 1 [0.5, 1.25] start
        1 s: 2 [0.5, 1.25]
        2 s: 3 [0.5, 1.25]
        3 s: 4 [0.5, 1.25]
        4 s: 5 [0.5, 1.25] end
        0.5 s: 6 voice/say "Hello"
        2.5 s: 7 voice/say "Hello""#]],
    );
}

#[test]
fn weights_on_limbs_are_carried_on() {
    let joints = vec!["pan".into(), "support/left".into()];
    let mut list = WaypointsList::new("step", joints).unwrap();
    for _ in 0..2 {
        list.apply(&Edit::AddPoint { time_secs: None, pose: pose(0.0, 0.0) }).unwrap();
    }
    let joint = "support/left".to_owned();
    list.apply(&Edit::SetPosition { id: 2, joint, position: 1.0 }).unwrap();
    list.apply(&Edit::AddPoint { time_secs: None, pose: pose(0.0, 0.0) }).unwrap();
    list.apply(&Edit::SetPose { id: 2, pose: pose(3.0, 0.0) }).unwrap();
    let rows: Vec<&[f64]> = list.points().iter().map(|point| point.positions.as_slice()).collect();
    assert_eq!(rows, [[0.0, 0.0], [3.0, 1.0], [0.0, 1.0]]);
}

#[test]
fn edits_in_a_few_words() {
    let list = wave();
    let joint = || "pan".to_owned();
    let edits = [
        Edit::SetName("nod".into()),
        Edit::SetDescription("x".into()),
        Edit::SetInterpolation(Interpolation::Akima),
        Edit::SetGoalTime(None),
        Edit::SetTolerance { joint: Some(joint()), tolerance: Tolerance::default() },
        Edit::SetTolerance { joint: None, tolerance: Tolerance::default() },
        Edit::Mute { joint: joint(), muted: true },
        Edit::Mute { joint: joint(), muted: false },
        Edit::SetPose { id: 2, pose: Vec::new() },
        Edit::SetTime { id: 3, time_secs: 1.5 },
        Edit::SetPosition { id: 3, joint: joint(), position: 0.0 },
        Edit::SetEnabled { id: 3, enabled: true },
        Edit::SetEnabled { id: 99, enabled: false },
        Edit::SetNote { id: 3, note: String::new() },
        Edit::DeletePoints(vec![3]),
        Edit::DeletePoints(vec![3, 4]),
        Edit::MovePoints { ids: vec![1, 2], by_secs: -0.25 },
        Edit::MarkStart(2),
        Edit::MarkEnd(2),
        Edit::Mirror { ids: Vec::new(), pairs: Vec::new() },
        Edit::SetAction { id: 6, time_secs: 1.0, command: say("x") },
        Edit::DeleteActions(vec![6, 7]),
        Edit::SetLimits { max_velocity: None, max_acceleration: None },
    ];
    let labels: Vec<String> = edits.iter().map(|edit| edit.label(&list)).collect();
    expect![[r#"
        Name nod
        Describe
        Interpolate akima
        Set goal time tolerance
        Set tolerance of pan
        Set all tolerances
        Mute pan
        Unmute pan
        Set pose of waypoint 2
        Move waypoint 3 to 1.5 s
        Set pan at waypoint 3
        Switch waypoint 3 on
        Switch a waypoint off
        Note at waypoint 3
        Delete waypoint 3
        Delete 2 waypoints
        Move 2 waypoints by -0.25 s
        Start at waypoint 2
        End at waypoint 2
        Mirror
        Change text action
        Delete 2 text actions
        Set limits"#]]
    .assert_eq(&labels.join("\n"));
}

/// The fullest list, with numbers and texts that take as much room as they can.
#[test]
fn the_largest_list_fits_a_file() {
    let count = 50;
    let hard = ",=\u{1}".repeat(1365);
    let joints: Vec<String> = (0..count).map(|at| format!("{}{at}", &hard[4000..])).collect();
    let waypoint = |at: usize| Waypoint {
        time_secs: at as f64 / 7.0,
        positions: vec![-1.234_567_890_123_456_7e-300; count],
        note: if at < 126 { hard.clone() } else { String::new() },
        enabled: true,
        ..Waypoint::default()
    };
    let mut motion = Motion {
        name: "large".into(),
        joints,
        tolerances: vec![Tolerance::default(); count],
        waypoints: (0..MAX_POINTS).map(waypoint).collect(),
        ..Motion::default()
    };
    let list = WaypointsList::from_motion(&motion).unwrap();
    let text = file::write(&list.to_motion(), Format::Native).unwrap().text;
    assert!(text.len() <= MAX_FILE_BYTES, "{} bytes", text.len());
    // Readers refuse 4 Mi values, which they count by these before they take the text apart.
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'=')).count();
    assert!(values <= 4 << 20, "{values} values");

    motion.waypoints[126].note = hard;
    let error = WaypointsList::from_motion(&motion).unwrap_err().to_string();
    expect!["there would be 524905 bytes in all texts, and at most 524288 can be saved; shorten or split the motion"].assert_eq(&error);
}

#[test]
fn a_list_that_moves_nothing_can_be_saved_and_read() {
    let mut list = wave();
    for joint in ["pan", "lift"] {
        list.apply(&Edit::Mute { joint: joint.into(), muted: true }).unwrap();
    }
    let written = file::write(&list.to_motion(), Format::Native).unwrap();
    let mut found = Diagnostics::new();
    let read = file::read(&written.text, "wave.motion.toml", &mut found);
    assert!(found.is_empty(), "{found}");
    assert_eq!(WaypointsList::from_motion(&read[0]).unwrap(), list);
    // Other formats would be read as something else, and refuse.
    let refused = Format::ALL.iter().filter(|(format, ..)| *format != Format::Native);
    assert!(
        refused.into_iter().all(|(format, ..)| file::write(&list.to_motion(), *format).is_err())
    );
}
