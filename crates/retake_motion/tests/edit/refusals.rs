//! What people read when an edit is refused.

use std::fmt::Write;

use expect_test::expect;
use retake_motion::edit::{Edit, EditError, MAX_POINTS, MirrorJoint, Pasted, Way, WaypointsList};
use retake_motion::{Motion, TextCommand, Tolerance, Waypoint};

/// Four waypoints of two joints, the third off, and an action: ids 1 to 5.
fn wave() -> WaypointsList {
    let mut list = WaypointsList::new("wave", vec!["pan".into(), "lift".into()]).unwrap();
    for time in [0.0, 1.0, 2.0, 3.5] {
        list.apply(&Edit::AddPoint { time_secs: Some(time), pose: pose(&["lift", "pan"]) })
            .unwrap();
    }
    let command = TextCommand { kind: "voice/say".into(), command: "Hello".into(), ..say("") };
    list.apply(&Edit::AddAction { time_secs: 0.5, command }).unwrap();
    list.apply(&Edit::SetEnabled { id: 3, enabled: false }).unwrap();
    list
}

fn pose(joints: &[&str]) -> Vec<(String, f64)> {
    joints.iter().map(|joint| ((*joint).to_owned(), 0.5)).collect()
}

fn say(kind: &str) -> TextCommand {
    TextCommand { kind: kind.into(), command: "Hello".into(), options: String::new() }
}

fn pair(joint: &str, partner: &str, sign: f64) -> MirrorJoint {
    MirrorJoint { joint: joint.into(), partner: partner.into(), sign }
}

fn mirror(pairs: Vec<MirrorJoint>) -> Edit {
    Edit::Mirror { ids: Vec::new(), pairs }
}

fn paste(joints: &[&str], positions: usize) -> Edit {
    let joints = joints.iter().map(|joint| (*joint).to_owned()).collect();
    let points = vec![Pasted { positions: vec![0.0; positions], ..Pasted::default() }];
    Edit::Paste { joints, points, at_secs: 9.0 }
}

fn tell(edits: Vec<Edit>) -> String {
    let mut told = String::new();
    for edit in edits {
        let mut list = wave();
        let error = list.apply(&edit).expect_err(&format!("{edit:?} is to be refused"));
        assert_eq!(list, wave(), "{edit:?} changed something");
        let _ = writeln!(told, "{error}");
    }
    told
}

#[test]
fn of_waypoints() {
    let path = |times: &[f64]| times.iter().map(|time| (*time, pose(&["pan", "lift"]))).collect();
    let told = tell(vec![
        Edit::AddPoint { time_secs: None, pose: pose(&["pan", "elbow"]) },
        Edit::AddPoint { time_secs: Some(1.0), pose: pose(&["pan", "lift"]) },
        Edit::AddPoint { time_secs: Some(-1.0), pose: pose(&["pan", "lift"]) },
        Edit::AddPoint { time_secs: Some(f64::NAN), pose: pose(&["pan", "lift"]) },
        Edit::AddPoint {
            time_secs: None,
            pose: vec![("pan".into(), 0.0), ("lift".into(), f64::NAN)],
        },
        Edit::SetPose { id: 2, pose: pose(&["pan"]) },
        Edit::SetPose { id: 99, pose: pose(&["pan", "lift"]) },
        Edit::SetTime { id: 2, time_secs: 2.0 },
        Edit::SetTime { id: 4, time_secs: 1.2 },
        Edit::SetTime { id: 1, time_secs: 0.1 + 0.2 + 0.7 },
        Edit::SetTime { id: 4, time_secs: 2e6 },
        Edit::SetPosition { id: 2, joint: "elbow".into(), position: 0.0 },
        Edit::SetPosition { id: 2, joint: "pan".into(), position: f64::INFINITY },
        Edit::SetNote { id: 2, note: "x".repeat(5000) },
        Edit::DeletePoints(vec![]),
        Edit::DeletePoints(vec![1, 99]),
        Edit::MovePoints { ids: vec![2], by_secs: 5.0 },
        Edit::MovePoints { ids: vec![1, 2], by_secs: -0.5 },
        Edit::MovePoints { ids: vec![1], by_secs: f64::NAN },
        Edit::SetTimes(vec![(1, 3.0), (4, 2.0)]),
        Edit::SetTimes(vec![]),
        Edit::AppendPoints(path(&[])),
        Edit::AppendPoints(path(&[0.0, 1.0, 1.0])),
        Edit::AppendPoints(path(&[0.0; MAX_POINTS])),
        paste(&["pan"], 1),
        paste(&["pan", "lift"], 1),
        Edit::Paste { joints: vec![], points: vec![], at_secs: 0.0 },
    ]);
    expect![[r#"
        the pose does not tell where joint "lift" is; take it from a robot that has this joint, or remove the joint from the list
        waypoint 2 is at 1 s already; choose another time, or take the pose into that waypoint
        waypoint 1 would be at -1 s; give a time from 0 to 1000000 s
        waypoint 5 would be at NaN s; give a time from 0 to 1000000 s
        the position of joint "lift" at waypoint 5 would be NaN; give a number within ±1000000
        the pose does not tell where joint "lift" is; take it from a robot that has this joint, or remove the joint from the list
        this waypoint is not in the list any more; choose another
        waypoint 2 would be at 2 s and waypoint 3 at 2 s, which is not after it; keep each between its neighbours
        waypoint 3 would be at 2 s and waypoint 4 at 1.2 s, which is not after it; keep each between its neighbours
        waypoint 1 would be at 1 s and waypoint 2 at 1 s, which is not after it; keep each between its neighbours
        waypoint 4 would be at 2000000 s; give a time from 0 to 1000000 s
        joint "elbow" is not in the list; add it first
        the position of joint "pan" at waypoint 2 would be inf; give a number within ±1000000
        the note of waypoint 2 would have 5000 bytes; shorten it to 4096
        there is nothing to delete; choose something first
        this waypoint is not in the list any more; choose another
        waypoint 2 would be at 6 s and waypoint 3 at 2 s, which is not after it; keep each between its neighbours
        waypoint 1 would be at -0.5 s; give a time from 0 to 1000000 s
        waypoints cannot be moved by NaN s; give a finite number
        waypoint 1 would be at 3 s and waypoint 2 at 2.714286 s, which is not after it; keep each between its neighbours
        there is nothing to retime; choose something first
        there is nothing to append; choose something first
        waypoint 6 would be at 5.5 s and waypoint 7 at 5.5 s, which is not after it; keep each between its neighbours
        there would be 20004 waypoints, and at most 20000 can be saved; shorten or split the motion
        the pose does not tell where joint "lift" is; take it from a robot that has this joint, or remove the joint from the list
        copy 1 has 1 numbers of position for 2 joints; copy it again
        there is nothing to paste; choose something first
    "#]].assert_eq(&told);
}

#[test]
fn of_markers() {
    let told = tell(vec![
        Edit::MarkStart(4),
        Edit::MarkEnd(1),
        Edit::MarkStart(3),
        Edit::MarkEnd(3),
        Edit::MarkEnd(99),
        Edit::SetEnabled { id: 1, enabled: false },
        Edit::SetEnabled { id: 4, enabled: false },
    ]);
    expect![[r#"
        the start at waypoint 4 would not be before the end at waypoint 4; move the other marker first
        the start at waypoint 1 would not be before the end at waypoint 1; move the other marker first
        waypoint 3 is off; switch it on before it is marked as the start
        waypoint 3 is off; switch it on before it is marked as the end
        this waypoint is not in the list any more; choose another
        waypoint 1 is the start of what is played; mark another before it is switched off
        waypoint 4 is the end of what is played; mark another before it is switched off
    "#]].assert_eq(&told);
}

#[test]
fn of_the_setup() {
    let tolerance = |path: f64| Tolerance { path: Some(path), goal: None };
    let limits =
        |max_velocity, max_acceleration| Edit::SetLimits { max_velocity, max_acceleration };
    let told = tell(vec![
        Edit::SetName("../wave".into()),
        Edit::SetName(String::new()),
        Edit::SetDescription("x".repeat(5000)),
        Edit::SetGoalTime(Some(f64::NAN)),
        Edit::SetTolerance { joint: Some("elbow".into()), tolerance: tolerance(0.1) },
        Edit::SetTolerance { joint: None, tolerance: tolerance(-1.0) },
        Edit::Mute { joint: "elbow".into(), muted: true },
        Edit::AddJoint { joint: "pan".into(), position: 0.0 },
        Edit::AddJoint { joint: String::new(), position: 0.0 },
        Edit::AddJoint { joint: "elbow".into(), position: f64::NAN },
        Edit::RemoveJoint("elbow".into()),
        limits(Some(0.0), None),
        limits(None, Some(f64::INFINITY)),
        Edit::ScaleSpeed(0.0),
        Edit::ScaleSpeed(f64::NAN),
        mirror(vec![pair("pan", "pan", -1.0), pair("l_knee", "lift", -1.0)]),
        mirror(vec![pair("pan", "lift", 1.0), pair("lift", "pan", -1.0)]),
        mirror(vec![pair("pan", "pan", 2.0)]),
        mirror(vec![pair("pan", "pan", 1.0), pair("pan", "lift", 1.0)]),
    ]);
    expect![[r#"
        "../wave" cannot be the name of a motion; use letters, digits, - and _
        "" cannot be the name of a motion; use letters, digits, - and _
        the description would have 5000 bytes; shorten it to 4096
        the goal time tolerance would be NaN s; give a number of seconds, negative for any
        joint "elbow" is not in the list; add it first
        the path tolerance of joint "pan" would be -1; give 0 or more, infinite for any
        joint "elbow" is not in the list; add it first
        joint "pan" is in the list already; unmute it if it is to move
        a joint has no name; name it as the robot does
        the position of joint "elbow" at waypoint 1 would be NaN; give a number within ±1000000
        joint "elbow" is not in the list; add it first
        the fastest speed would be 0; give a number above 0, or none
        the hardest acceleration would be inf; give a number above 0, or none
        the speed would be 0 times the taught one; give a number from 0.05 to 20
        the speed would be NaN times the taught one; give a number from 0.05 to 20
        joint "lift" has its partner "l_knee" not in the list; add it before mirroring
        joint "lift" has no clear partner; give it one, with the sign 1 or -1
        joint "pan" has no clear partner; give it one, with the sign 1 or -1
        joint "pan" has no clear partner; give it one, with the sign 1 or -1
    "#]]
    .assert_eq(&told);
}

#[test]
fn of_actions() {
    let told = tell(vec![
        Edit::AddAction { time_secs: -1.0, command: say("voice/say") },
        Edit::AddAction { time_secs: 1.0, command: say("") },
        Edit::AddAction { time_secs: 1.0, command: say(&"x".repeat(5000)) },
        Edit::SetAction { id: 1, time_secs: 1.0, command: say("voice/say") },
        Edit::SetAction { id: 5, time_secs: f64::INFINITY, command: say("voice/say") },
        Edit::DeleteActions(vec![1]),
        Edit::DeleteActions(vec![]),
    ]);
    expect![[r#"
        the action voice/say "Hello" would be at -1 s; give a time from 0 to 1000000 s
        a text action needs a type that says who acts, such as voice/say; choose one
        a text of an action would have 5000 bytes; shorten it to 4096
        this text action is not in the list any more; choose another
        the action voice/say "Hello" would be at inf s; give a time from 0 to 1000000 s
        this text action is not in the list any more; choose another
        there is nothing to delete; choose something first
    "#]]
    .assert_eq(&told);
}

#[test]
fn of_lists_and_goals() {
    let mut told = String::new();
    let mut tell = |error: EditError| writeln!(told, "{error}").unwrap();
    let joints = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    tell(WaypointsList::new("", joints(&["pan"])).unwrap_err());
    tell(WaypointsList::new("wave", joints(&["pan", "pan"])).unwrap_err());
    tell(WaypointsList::new("wave", vec!["pan".into(); 2000]).unwrap_err());

    let mut list = WaypointsList::new("wave", joints(&["pan"])).unwrap();
    tell(list.goal(Way::default()).unwrap_err());
    list.apply(&Edit::AddPoint { time_secs: None, pose: pose(&["pan"]) }).unwrap();
    tell(list.apply(&Edit::RemoveJoint("pan".into())).unwrap_err());
    list.apply(&Edit::Mute { joint: "pan".into(), muted: true }).unwrap();
    tell(list.goal(Way::default()).unwrap_err());

    let list = wave();
    tell(list.goal(Way { speed: 0.0, ..Way::default() }).unwrap_err());
    let at = |times: &[f64]| {
        let waypoint = |time_secs: &f64| Waypoint {
            time_secs: *time_secs,
            enabled: true,
            ..Waypoint::default()
        };
        let waypoint = |time| Waypoint { positions: vec![0.0], ..waypoint(time) };
        let waypoints = times.iter().map(waypoint).collect();
        Motion { name: "m".into(), joints: joints(&["pan"]), waypoints, ..Motion::default() }
    };
    let long = WaypointsList::from_motion(&at(&[0.0, 1e6])).unwrap();
    tell(long.goal(Way { speed: 0.5, ..Way::default() }).unwrap_err());
    let dense = WaypointsList::from_motion(&at(&[0.0, 2e-9])).unwrap();
    tell(dense.goal(Way { speed: 20.0, ..Way::default() }).unwrap_err());
    tell(WaypointsList::from_motion(&at(&[1.0, 0.5])).unwrap_err());
    let mut motion = at(&[0.0]);
    motion.waypoints[0].positions.clear();
    tell(WaypointsList::from_motion(&motion).unwrap_err());
    motion.joints.clear();
    tell(WaypointsList::from_motion(&motion).unwrap_err());
    expect![[r#"
        "" cannot be the name of a motion; use letters, digits, - and _
        joint "pan" is in the list already; unmute it if it is to move
        there would be 2000 joints, and at most 1024 can be saved; shorten or split the motion
        there is no waypoint that counts, so nothing to play; add one or switch one on
        waypoints need at least one joint; add a joint first, or delete the waypoints
        every joint is muted, so nothing moves; unmute those that are to move
        the speed would be 0 times the taught one; give a number from 0.05 to 20
        at 0.5 times its speed the motion takes longer than players go on for; choose a higher speed
        at 20 times its speed the motion has waypoints less than a nanosecond apart; choose a lower speed
        waypoint 1 would be at 1 s and waypoint 2 at 0.5 s, which is not after it; keep each between its neighbours
        waypoint 1 has 0 numbers of position for 1 joints; give one for each
        waypoints need at least one joint; add a joint first, or delete the waypoints
    "#]].assert_eq(&told);
}
