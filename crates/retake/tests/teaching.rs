//! Motions that pages teach, with the server in their own process and in another, and with a robot
//! outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::{Path, PathBuf};

use retake_msgs::draft_edit::Edit;
use retake_msgs::host_message::Message as Told;
use retake_msgs::teach_request::What;
use retake_msgs::teach_run::State;
use retake_msgs::{
    AddPose, ArmTwin, CheckDraft, DraftEdit, DraftItems, DraftTorque, ExecuteDraft, ListMotions,
    LoadDraft, MirrorDraft, MotionDraft, MuteJoint, OpenDraft, PutPose, RecordPath, Reply,
    RetimeDraft, SaveDraft, SetDraftLimits, SetWaypointEnabled, SetWaypointPosition,
    SetWaypointTime, ShowPose, StopDraft, TaughtAction, TeachLive, TeachRequest, TextCommand, Twin,
    UndoDraft, WatchTeaching, page_message, request, show_pose,
};
use support::page::Page;
use support::{Sandbox, root};

const ROBOT: &str = "quadruped";

/// A copy of the robot's world, so that what is saved does not end up among those of the project.
fn world(sandbox: &Sandbox, name: &str) -> String {
    let folder = sandbox.folder.path().join(name);
    for part in ["motions/quadruped", "sounds"] {
        copy_files(&root().join("worlds").join(part), &folder.join(part));
    }
    let text = std::fs::read_to_string(root().join("worlds/quadruped.sdf")).unwrap();
    let text = text.replace("<world name=\"quadruped\">", &format!("<world name=\"{name}\">"));
    sandbox.write(&format!("{name}/quadruped.sdf"), &text)
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let file: PathBuf = entry.unwrap().path();
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

fn on_runtime(act: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(act);
}

/// A page with the motion panel open.
struct Teacher {
    page: Page,
}

impl Teacher {
    async fn new(address: &str) -> Self {
        let mut page = Page::open(address).await;
        let watch = WatchTeaching { robot: ROBOT.to_owned() };
        page.say(page_message::Message::WatchTeaching(watch)).await;
        Self { page }
    }

    async fn ask(&mut self, what: What) -> Reply {
        let request = TeachRequest { robot: ROBOT.to_owned(), what: Some(what) };
        self.page.call(request::Request::Teach(Box::new(request))).await
    }

    async fn done(&mut self, what: What) -> Reply {
        let told = format!("{what:?}");
        let reply = self.ask(what).await;
        assert!(reply.ok, "{told}: {}", reply.message);
        reply
    }

    async fn refused(&mut self, what: What) -> String {
        let told = format!("{what:?}");
        let reply = self.ask(what).await;
        assert!(!reply.ok, "{told}");
        reply.message
    }

    async fn draft_where(&mut self, fits: impl Fn(&MotionDraft) -> bool) -> MotionDraft {
        let told = self.page.until(|told| match told {
            Told::Teach(state) => state.draft.iter().find(|draft| fits(draft)).cloned(),
            _ => None,
        });
        told.await
    }

    async fn live_where(&mut self, fits: impl Fn(&TeachLive) -> bool) -> TeachLive {
        let told = self.page.until(|told| match told {
            Told::TeachLive(live) if fits(live) => Some(TeachLive::clone(live)),
            _ => None,
        });
        told.await
    }

    /// Begins a draft of the head alone with three poses; returns it, and the ids of its waypoints.
    async fn teach_head(&mut self) -> (Vec<u64>, MotionDraft) {
        self.done(What::Open(OpenDraft::default())).await;
        let draft = self.draft_where(|_| true).await;
        for joint in draft.motion.unwrap().joint {
            let muted = !["neck_pan", "head_tilt"].contains(&joint.name.as_str());
            if muted {
                self.done(edit(Edit::Mute(MuteJoint { joint: joint.name, muted }))).await;
            }
        }
        let mut ids = Vec::new();
        for position in [0.0, 0.4, -0.1] {
            let added = self.done(What::AddPose(AddPose::default())).await;
            let id = added.teach.unwrap().made[0];
            for (joint, position) in [("head_tilt", position), ("neck_pan", 0.0)] {
                let joint = joint.to_owned();
                let set = SetWaypointPosition { id, joint, position };
                self.done(edit(Edit::Position(set))).await;
            }
            ids.push(id);
        }
        let named = Edit::Name("look_down".to_owned());
        self.done(edit(named)).await;
        let is_named = |motion: &retake_msgs::TaughtMotion| motion.name == "look_down";
        let draft = self.draft_where(|draft| draft.motion.as_ref().is_some_and(is_named)).await;
        (ids, draft)
    }
}

fn edit(edit: Edit) -> What {
    What::Edit(DraftEdit { stroke: String::new(), edit: Some(edit) })
}

fn executed(twin: Twin) -> ExecuteDraft {
    ExecuteDraft { twin: twin.into(), speed: 2.0, approach: true, ..ExecuteDraft::default() }
}

fn state_of(live: &TeachLive, twin: Twin) -> Option<State> {
    let run = if twin == Twin::Virtual { &live.virtual_run } else { &live.real_run };
    run.as_ref().map(|run| run.state())
}

#[test]
fn a_motion_is_taught_saved_and_played_by_name() {
    let sandbox = Sandbox::new();
    let world = world(&sandbox, "lesson");
    let host = sandbox.start(&["run", &world, "--port", "0", "--bus-port", "0"]);
    on_runtime(async {
        let mut teacher = Teacher::new(&host.page()).await;
        let (ids, draft) = teacher.teach_head().await;
        assert_eq!(draft.duration, 2.0);
        assert!(draft.unsaved && draft.curves.is_some());

        teacher.done(What::Execute(executed(Twin::Virtual))).await;
        let live = teacher
            .live_where(|live| state_of(live, Twin::Virtual).is_some_and(|s| s != State::Running))
            .await;
        assert_eq!(state_of(&live, Twin::Virtual), Some(State::Succeeded), "{live:?}");
        // It is where the last waypoint is, and that is seen.
        teacher.live_where(|live| live.virtual_at.contains(&ids[2])).await;

        let save = |replace| SaveDraft { name: "look_down".into(), replace };
        teacher.done(What::Save(save(false))).await;
        let saved = teacher.draft_where(|draft| !draft.unsaved && !draft.file.is_empty()).await;
        assert!(saved.file.ends_with("lesson/motions/quadruped/look_down.motion.toml"));
        let again = teacher.ask(What::Save(save(false))).await;
        assert!(!again.ok && again.teach.unwrap().exists, "{}", again.message);
        teacher.done(What::Save(save(true))).await;
        let listed = sandbox.retake(&["motion", "list"]).success();
        assert!(listed.contains("look_down"), "{listed}");

        // Somebody else sees the same draft, and what is loaded can be undone.
        let mut other = Teacher::new(&host.page()).await;
        let seen = other.draft_where(|draft| draft.file == saved.file).await;
        assert_eq!(seen.motion.unwrap().waypoint.len(), 3);
        other.done(What::Load(LoadDraft { motion: "nod".into() })).await;
        teacher.draft_where(|draft| draft.motion.as_ref().is_some_and(|m| m.name == "nod")).await;
        teacher.done(What::Undo(UndoDraft { redo: false })).await;
        let back = other
            .draft_where(|draft| draft.motion.as_ref().is_some_and(|m| m.name == "look_down"))
            .await;
        assert_eq!(back.redo, "Load nod");
    });
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let sandbox = Sandbox::new();
    let world = world(&sandbox, "lesson");
    let folder = sandbox.folder.path().join("lesson/motions/quadruped");
    let strange =
        "format = 1\njoints = [\"wing\"]\nwaypoints = [{ time = 0.0, positions = [0.0] }]\n";
    std::fs::write(folder.join("fly.motion.toml"), strange).unwrap();
    let host = sandbox.start(&["run", &world, "--paused", "--port", "0", "--bus-port", "0"]);
    on_runtime(async {
        let mut teacher = Teacher::new(&host.page()).await;
        let before = teacher.refused(What::AddPose(AddPose::default())).await;
        let (ids, draft) = teacher.teach_head().await;
        let mut told = vec![before];
        let late = SetWaypointTime { id: ids[0], time: 1.5 };
        let off = SetWaypointEnabled { id: ids[0], enabled: false };
        let gone = SetWaypointTime { id: 4711, time: 1.5 };
        for wrong in [
            edit(Edit::Time(late)),
            edit(Edit::Enabled(off)),
            edit(Edit::MarkStart(ids[2])),
            edit(Edit::AddJoint("wing".into())),
            edit(Edit::Time(gone)),
            edit(Edit::Interpolation("wavy".into())),
            edit(Edit::ScaleSpeed(50.0)),
            edit(Edit::ScaleSpeed(f64::NAN)),
            What::Load(LoadDraft { motion: "fly".into() }),
            What::Load(LoadDraft { motion: "nothing".into() }),
            What::Save(SaveDraft { name: "../up".into(), replace: false }),
            What::Arm(ArmTwin { arm: true }),
            What::Execute(executed(Twin::Real)),
            What::Record(RecordPath { twin: Twin::Real.into(), on: true, ..Default::default() }),
            What::Record(RecordPath { on: false, ..RecordPath::default() }),
        ] {
            told.push(teacher.refused(wrong).await);
        }
        let told = told.join("\n").replace(&sandbox.folder.path().display().to_string(), "");
        expect_test::expect![[r#"
            There is no draft of "quadruped". Begin one first
            Waypoint 1 would be at 1.5 s and waypoint 2 at 1 s, which is not after it; keep each between its neighbours
            Waypoint 1 is the start of what is played; mark another before it is switched off
            The start at waypoint 3 would not be before the end at waypoint 3; move the other marker first
            Quadruped has no joint "wing". Its joints: lf_hip_roll, lf_hip_pitch, lf_knee, rf_hip_roll, rf_hip_pitch, rf_knee, lh_hip_roll, lh_hip_pitch, lh_knee, rh_hip_roll, rh_hip_pitch, rh_knee, neck_pan, head_tilt
            This waypoint is not in the list any more; choose another
            There is no interpolation "wavy". Known: monotone, akima, natural, clamped, linear, hermite
            The speed would be 50 times the taught one; give a number from 0.05 to 20
            teach.edit.scale_speed is NaN; write a finite number within ±1e100
            /lesson/motions/quadruped/fly.motion.toml cannot be loaded: quadruped has no joint "wing". Its joints: lf_hip_roll, lf_hip_pitch, lf_knee, rf_hip_roll, rf_hip_pitch, rf_knee, lh_hip_roll, lh_hip_pitch, lh_knee, rh_hip_roll, rh_hip_pitch, rh_knee, neck_pan, head_tilt
            No motion named "nothing"
            The motion cannot be written as native: "../up" cannot be the name of a file
            This server knows no real robot. Start it with: --robot VIRTUAL=retake:WORLD/MODEL
            This server knows no real robot. Start it with: --robot VIRTUAL=retake:WORLD/MODEL
            Quadruped has no robot outside. Start with: --robot quadruped=retake:WORLD/MODEL
            No path is being recorded"#]].assert_eq(&told);
        teacher.done(edit(Edit::Description("the same".into()))).await;
        let after = teacher
            .draft_where(|draft| draft.motion.as_ref().is_some_and(|m| !m.description.is_empty()))
            .await;
        let same = |draft: MotionDraft| {
            let motion = draft.motion.unwrap();
            retake_msgs::TaughtMotion { description: String::new(), ..motion }
        };
        assert_eq!(same(after), same(draft));
    });
}

#[test]
fn a_draft_is_mirrored_retimed_checked_looped_and_stopped() {
    let sandbox = Sandbox::new();
    let world = world(&sandbox, "lesson");
    let host = sandbox.start(&["run", &world, "--port", "0", "--bus-port", "0"]);
    on_runtime(async {
        let mut teacher = Teacher::new(&host.page()).await;
        let (ids, _) = teacher.teach_head().await;
        let shown = ShowPose { pose: Some(show_pose::Pose::Time(0.5)) };
        let ghost = teacher.done(What::Show(shown)).await.teach.unwrap().ghost.unwrap();
        assert_eq!(ghost.pose.len(), ghost.link.len() * 7);
        assert!(ghost.link.len() > 12, "{ghost:?}");

        let limits = SetDraftLimits { max_velocity: Some(2.0), max_acceleration: Some(8.0) };
        teacher.done(edit(Edit::Limits(limits))).await;
        teacher.done(What::Retime(RetimeDraft {})).await;
        let short = teacher.draft_where(|draft| draft.undo.to_lowercase().contains("time")).await;
        assert!(short.duration < 1.5, "{}", short.duration);
        teacher.done(What::Undo(UndoDraft { redo: false })).await;

        let turn = SetWaypointPosition { id: ids[1], joint: "neck_pan".into(), position: 0.3 };
        teacher.done(edit(Edit::Position(turn))).await;
        teacher.done(What::Mirror(MirrorDraft { waypoint: vec![] })).await;
        let pan = |draft: &MotionDraft| {
            let motion = draft.motion.as_ref()?;
            let column = motion.joint.iter().position(|joint| joint.name == "neck_pan")?;
            motion.waypoint.get(1)?.position.get(column).copied()
        };
        teacher.draft_where(|draft| pan(draft) == Some(-0.3)).await;

        let command = TextCommand {
            r#type: "eyes/emotion".into(),
            command: "happy".into(),
            ..Default::default()
        };
        let action = TaughtAction { id: 0, time: 0.5, command: Some(command) };
        teacher.done(edit(Edit::AddAction(action))).await;
        let found = teacher.done(What::Check(CheckDraft {})).await.teach.unwrap().finding;
        assert_eq!(found, []);

        let loops = ExecuteDraft { loops: true, ..executed(Twin::Virtual) };
        teacher.done(What::Execute(loops)).await;
        let first = teacher.live_where(|live| time_of(live).is_some_and(|time| time > 1.2)).await;
        assert!(first.virtual_run.unwrap().loops);
        teacher.live_where(|live| time_of(live).is_some_and(|time| time < 0.8)).await;
        teacher.done(What::Stop(StopDraft::default())).await;
        teacher.live_where(|live| state_of(live, Twin::Virtual) == Some(State::Canceled)).await;

        let delete = Edit::DeleteWaypoints(DraftItems { id: ids });
        teacher.done(edit(delete)).await;
        teacher.draft_where(|draft| draft.motion.as_ref().is_some_and(|m| m.start == 0)).await;
        let nothing = teacher.refused(What::Execute(executed(Twin::Virtual))).await;
        assert!(!nothing.is_empty());
    });
}

fn time_of(live: &TeachLive) -> Option<f64> {
    live.virtual_run.as_ref()?.time
}

#[test]
fn a_hand_guided_path_becomes_waypoints() {
    let sandbox = Sandbox::new();
    let world = world(&sandbox, "lesson");
    let _server = sandbox.start(&["server", &world, "--bus-port", "0"]);
    let host = sandbox.start(&["gui", "--port", "0"]);
    on_runtime(async {
        let mut teacher = Teacher::new(&host.page()).await;
        teacher.done(What::Open(OpenDraft::default())).await;
        let limp = DraftTorque { all: true, ..DraftTorque::default() };
        teacher.done(What::Torque(limp)).await;
        teacher
            .live_where(|live| !live.limp.is_empty() && live.limp.iter().all(|limp| *limp))
            .await;
        teacher.done(What::Record(RecordPath { on: true, ..RecordPath::default() })).await;
        // Without torque it falls down, which is a way as good as any.
        teacher.live_where(|live| live.recording.as_ref().is_some_and(|r| r.duration > 1.5)).await;
        let added = teacher.done(What::Record(RecordPath::default())).await.teach.unwrap().made;
        assert!((2..60).contains(&added.len()), "{added:?}");
        // Lying limp its joints are at their stops; what is taught is within them.
        let draft = teacher
            .draft_where(|draft| draft.motion.as_ref().is_some_and(|m| !m.waypoint.is_empty()))
            .await;
        assert!(!draft.warning.iter().any(|warning| warning.refused), "{:?}", draft.warning);
        let put = PutPose { waypoint: added[0] };
        teacher.done(What::PutPose(put)).await;
        let stored = teacher.done(What::List(ListMotions {})).await.teach.unwrap().motions.unwrap();
        assert!(stored.motion.iter().any(|motion| motion.name == "nod"));
    });
}

#[test]
fn a_draft_is_executed_on_the_robot_outside_once_it_is_armed() {
    let sandbox = Sandbox::new();
    let (here, real) = (world(&sandbox, "here"), world(&sandbox, "real"));
    let _real = sandbox.start(&["server", &real, "--bus-port", "0"]);
    let robot = ["--robot", "quadruped=retake:real/quadruped", "--robot-patience", "5"];
    let arguments =
        [&["run", here.as_str(), "--port", "0", "--bus-port", "0"][..], &robot].concat();
    let host = sandbox.start(&arguments);
    on_runtime(async {
        let mut teacher = Teacher::new(&host.page()).await;
        let (ids, _) = teacher.teach_head().await;
        teacher.live_where(|live| live.twin.as_ref().is_some_and(|twin| twin.connected)).await;
        let unarmed = teacher.refused(What::Execute(executed(Twin::Real))).await;
        assert!(unarmed.contains("not armed"), "{unarmed}");
        teacher.live_where(|live| state_of(live, Twin::Real) == Some(State::Refused)).await;

        teacher.done(What::Arm(ArmTwin { arm: true })).await;
        let armed = teacher.live_where(|live| live.twin.as_ref().is_some_and(|t| t.armed)).await;
        assert_eq!(armed.twin.unwrap().armed_by, "test 1");
        teacher.done(What::Execute(executed(Twin::Real))).await;
        teacher.live_where(|live| state_of(live, Twin::Real) == Some(State::Succeeded)).await;
        teacher.live_where(|live| live.real_at.contains(&ids[2])).await;
        let backward = ExecuteDraft { backward: true, approach: false, ..executed(Twin::Real) };
        teacher.done(What::Execute(backward)).await;
        teacher.live_where(|live| live.real_run.as_ref().is_some_and(|run| run.backward)).await;
        teacher.live_where(|live| state_of(live, Twin::Real) == Some(State::Succeeded)).await;
        teacher.live_where(|live| live.real_at.contains(&ids[0])).await;
        let added =
            teacher.done(What::AddPose(AddPose { twin: Twin::Real.into(), time: None })).await;
        assert_eq!(added.teach.unwrap().made.len(), 1);
        teacher.done(What::Arm(ArmTwin { arm: false })).await;
        teacher.live_where(|live| live.twin.as_ref().is_some_and(|twin| !twin.armed)).await;
    });
}
