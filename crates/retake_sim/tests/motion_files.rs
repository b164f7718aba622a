//! Motions of a running server: read, saved and checked over its services.

#![allow(clippy::unwrap_used, reason = "a test ends with the first thing that is not there")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use expect_test::{Expect, expect};
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_motion::Motion;
use retake_motion::file::{Format, Shelf, read_as};
use retake_msgs::{
    MotionCheckRequest, MotionChecked, MotionFile, MotionList, MotionListRequest,
    MotionReadRequest, MotionSaveRequest, MotionSaved, names,
};
use retake_sim::{
    BusFront, Runner, RunnerHandle, Server, ServerOptions, Simulation, SimulationOptions, inbox,
    trajectory_message,
};
use retake_transport::typed::{Typed, call};
use retake_transport::{Bus, InProcessBus};
use support::worlds;

/// Long enough for a busy machine; nothing here waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

const NOD: &str = "format = 1\n\
    # Written by hand.\n\
    joints = [\"head_tilt\"]\n\
    waypoints = [{ time = 0.0, positions = [0.0] }, { time = 1.0, positions = [0.1] }]\n";

/// A demo world with folders of its own, served on a bus.
struct Site {
    folder: tempfile::TempDir,
    world: String,
    bus: Arc<dyn Bus>,
    runner: Option<RunnerHandle>,
    _front: BusFront,
    _door: retake_sim::InboxSender,
}

impl Site {
    /// Serves a world whose player has these folders; `a` and `b` are there.
    fn new(file: &str, robot: &str, folders: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let original = worlds().into_iter().find(|world| world.ends_with(file)).unwrap();
        let named = |name: &&str| format!("<trajectories_path>{name}</trajectories_path>");
        let named: String = folders.iter().map(named).collect();
        let shipped = format!("<trajectories_path>motions/{robot}</trajectories_path>");
        let text = fs::read_to_string(&original).unwrap();
        assert!(text.contains(&shipped));
        let world = folder.path().join(file);
        fs::write(&world, text.replace(&shipped, &named)).unwrap();
        let roots = ResourceRoots::new().with_first(folder.path());
        let mut found = Diagnostics::new();
        let description = retake_sdf::load_world_file(&world, &roots, &mut found).unwrap();
        let options = SimulationOptions { roots, ..SimulationOptions::default() };
        let simulation = Simulation::load(&description, &options).unwrap();
        let options = ServerOptions { paused: true, ..ServerOptions::default() };
        let server = Server::new(simulation, &options);
        let world = server.world_name().to_owned();
        let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
        let (door, inbox) = inbox();
        let (front, feed) = BusFront::open(&bus, &world, &door).unwrap();
        let runner = Runner::new(server, inbox, vec![feed]).spawn().unwrap();
        Self { folder, world, bus, runner: Some(runner), _front: front, _door: door }
    }

    fn quadruped() -> Self {
        Self::new("quadruped.sdf", "quadruped", &["a", "b"])
    }

    fn call<Q: Typed, R: Typed>(&self, name: fn(&str) -> String, request: &Q) -> R {
        call(self.bus.as_ref(), &name(&self.world), request, PATIENCE).unwrap()
    }

    fn save(&self, name: &str, text: &str, replace: bool) -> MotionSaved {
        self.save_for("quadruped", name, text, replace)
    }

    fn save_for(&self, robot: &str, name: &str, text: &str, replace: bool) -> MotionSaved {
        let (robot, name, text) = (robot.to_owned(), name.to_owned(), text.to_owned());
        self.call(names::motion_save, &MotionSaveRequest { robot, name, text, replace })
    }

    fn read(&self, robot: &str, motion: &str) -> MotionFile {
        let (robot, motion) = (robot.to_owned(), motion.to_owned());
        self.call(names::motion_read, &MotionReadRequest { robot, motion })
    }

    fn check(&self, robot: &str, motion: &Motion) -> MotionChecked {
        let trajectory = Some(trajectory_message(&motion.goal()));
        let robot = robot.to_owned();
        self.call(names::motion_check, &MotionCheckRequest { robot, trajectory })
    }

    fn names(&self) -> Vec<String> {
        let all: MotionList = self.call(names::motion_list, &MotionListRequest::default());
        let motions = all.robot.iter().flat_map(|robot| &robot.motion);
        motions.map(|motion| motion.name.clone()).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Everything in the folders, by name.
    fn files(&self) -> Vec<String> {
        let list = |folder: &str| {
            let entries = fs::read_dir(self.path(folder)).unwrap();
            let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
            entries.map(|entry| format!("{folder}/{}", name(entry.unwrap()))).collect::<Vec<_>>()
        };
        let mut files = [list("a"), list("b")].concat();
        files.sort();
        files
    }

    /// Checks what a refusal says, with this machine's folder left out.
    fn says(&self, message: &str, expected: Expect) {
        let folder = self.folder.path().canonicalize().unwrap();
        let message = message.replace(&folder.display().to_string(), "…");
        expected.assert_eq(&message.replace(&self.folder.path().display().to_string(), "…"));
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(runner) = self.runner.take() {
            runner.stop();
            runner.join().unwrap();
        }
    }
}

#[test]
fn what_is_saved_can_be_read_and_is_listed_at_once() {
    let site = Site::quadruped();
    assert_eq!(site.names(), Vec::<String>::new());
    let saved = site.save("nod twice", NOD, false);
    assert_eq!((saved.ok, saved.message.as_str(), saved.exists), (true, "", false));
    assert_eq!(Path::new(&saved.file).file_name().unwrap(), "nod twice.motion.toml");
    assert_eq!(site.names(), ["nod twice"]);
    assert_eq!(fs::read_to_string(&saved.file).unwrap(), NOD, "to the letter");
    let read = site.read("quadruped", "nod twice");
    assert!(read.ok, "{}", read.message);
    assert_eq!(read.file, saved.file);
    assert_eq!(parsed(&read.text, "nod twice"), parsed(NOD, "nod twice"));
    // Without a name the only robot is meant.
    assert_eq!(site.read("", "nod twice"), read);
    assert_eq!(site.files(), ["a/nod twice.motion.toml"]);
}

#[test]
fn what_exists_is_replaced_only_when_asked_to() {
    let site = Site::quadruped();
    fs::write(site.path("b/nod.motion.toml"), NOD).unwrap();
    let again = NOD.replace("0.1]", "0.2]");
    let refused = site.save("nod", &again, false);
    assert!(!refused.ok && refused.exists);
    assert!(refused.file.ends_with("b/nod.motion.toml"), "{}", refused.file);
    site.says(&refused.message, expect![[r#"A motion named "nod" exists: …/b/nod.motion.toml. Replace it, or choose another name"#]]);
    assert_eq!(fs::read_to_string(site.path("b/nod.motion.toml")).unwrap(), NOD);
    let saved = site.save("nod", &again, true);
    assert!(saved.ok && !saved.exists, "{}", saved.message);
    assert_eq!(fs::read_to_string(site.path("b/nod.motion.toml")).unwrap(), again);
    assert_eq!(site.files(), ["b/nod.motion.toml"], "where it was, and nothing left behind");
}

#[test]
fn a_broken_file_is_there_all_the_same() {
    let site = Site::quadruped();
    fs::write(site.path("a/nod.motion.toml"), "format = ").unwrap();
    assert!(site.save("nod", NOD, false).exists);
    assert!(site.save("nod", NOD, true).ok);
    assert!(site.read("quadruped", "nod").ok);
}

#[test]
fn a_file_of_another_format_stays_in_it_or_stays_as_it_is() {
    let site = Site::quadruped();
    let table = "time,head_tilt\n0,0\n1,0.3\n";
    fs::write(site.path("a/nod.csv"), table).unwrap();
    let with_note = NOD.replace("[0.1] }", "[0.1], note = \"down\" }");
    let refused = site.save("nod", &with_note, true);
    assert!(!refused.ok && !refused.exists);
    site.says(&refused.message, expect!["…/a/nod.csv is csv, which cannot carry notes of waypoints. Save the motion by another name"]);
    assert_eq!(fs::read_to_string(site.path("a/nod.csv")).unwrap(), table);
    let saved = site.save("nod", NOD, true);
    assert!(saved.ok, "{}", saved.message);
    assert_eq!(site.files(), ["a/nod.csv"]);
    let read = site.read("quadruped", "nod");
    assert_eq!(parsed(&read.text, "nod").waypoints, parsed(NOD, "nod").waypoints);
}

#[test]
fn motions_that_share_a_file_are_left_alone() {
    let site = Site::quadruped();
    let file = "/**:\n  ros__parameters:\n    motions:\n\
        \x20     up:\n        joints: [head_tilt]\n        positions: [0.1]\n        times_from_start: [1.0]\n\
        \x20     down:\n        joints: [head_tilt]\n        positions: [0.0]\n        times_from_start: [1.0]\n";
    fs::write(site.path("a/both.yaml"), file).unwrap();
    assert_eq!(site.names(), ["down", "up"]);
    site.says(&site.save("up", NOD, true).message, expect!["…/a/both.yaml is play-motion, and has other motions, too. Save the motion by another name"]);
    assert_eq!(fs::read_to_string(site.path("a/both.yaml")).unwrap(), file);
}

#[test]
fn what_cannot_be_written_says_why() {
    let long = "x".repeat(300);
    for (folders, name, text, expected) in [
        (
            &["a"][..],
            "a/b",
            NOD,
            expect![[r#""a/b" is not the name of a motion; write a name without folders"#]],
        ),
        (
            &["a"],
            &long,
            NOD,
            expect!["A motion cannot have a name of 300 letters; write a shorter one"],
        ),
        (
            &["a"],
            "nod",
            "format = 1\njoints = 3\n",
            expect!["nod.motion.toml:2:10: error[motion-type]: joints is a number. Write a list"],
        ),
        (
            &["a"],
            "nod",
            "",
            expect![
                "nod.motion.toml:1:1: error[motion-format]: the file does not say its format. Write format = 1"
            ],
        ),
        (
            &["nowhere", "a"],
            "nod",
            NOD,
            expect![[
                r#"<trajectories_path>: nothing under the resource folders is called "nowhere""#
            ]],
        ),
        (&["file"], "nod", NOD, expect!["<trajectories_path>: …/file is no folder"]),
        (
            &[],
            "nod",
            NOD,
            expect!["The player names no folder of motions: give it <trajectories_path>"],
        ),
    ] {
        let site = Site::new("quadruped.sdf", "quadruped", folders);
        let refused = site.save(name, text, false);
        assert!(!refused.ok && !refused.exists && refused.file.is_empty());
        site.says(&refused.message, expected);
        assert_eq!(site.files(), Vec::<String>::new());
    }
    let site = Site::quadruped();
    site.says(
        &site.save_for("horse", "nod", NOD, false).message,
        expect![[
            r#"No entity named "horse". Known: ball, box, fill, ground, quadruped, rug, sun"#
        ]],
    );
    site.says(&site.save_for("ball", "nod", NOD, false).message, expect![[r#""ball" has no such motion player. Give it one: <plugin name="retake::AnimationStoredJointTrajectory" filename="retake"/>. Robots with players: quadruped"#]]);
}

#[test]
fn a_failure_on_the_disk_leaves_nothing_behind() {
    let site = Site::quadruped();
    // Not even who may write everything can put a file in the place of a folder.
    fs::create_dir(site.path("a/nod.motion.toml")).unwrap();
    site.says(
        &site.save("nod", NOD, true).message,
        expect!["…/a/nod.motion.toml is no file. Choose another name"],
    );
    assert_eq!(site.files(), ["a/nod.motion.toml"]);
    let file = site.path("a/still.motion.toml");
    fs::write(&file, NOD).unwrap();
    let mut rights = fs::metadata(&file).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&file, rights).unwrap();
    site.says(
        &site.save("still", "format = 1\n", true).message,
        expect!["…/a/still.motion.toml may not be written: it is read-only"],
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), NOD);
    assert_eq!(site.files().len(), 2);
}

#[cfg(unix)]
#[test]
fn what_is_replaced_keeps_its_rights_and_what_was_left_behind_is_in_nobodys_way() {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::quadruped();
    let longest = "n".repeat(retake_motion::file::MAX_NAME_BYTES);
    for name in ["nod", &longest] {
        let file = site.path(&format!("a/{name}.motion.toml"));
        fs::write(&file, "format = 1\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        // Of a process that had the same id and was killed while it saved the same motion.
        let id = std::process::id();
        let left = site.path(&format!("a/.{name}.motion.toml.{id}-0.part"));
        fs::write(&left, "left").unwrap();
        let saved = site.save(name, NOD, true);
        assert!(saved.ok, "{}", saved.message);
        assert_eq!(fs::read_to_string(&file).unwrap(), NOD);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(&left).unwrap(), "left", "it may be someone else's");
    }
    assert_eq!(site.names(), [longest.as_str(), "nod"], "what was left is no motion");
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let site = Site::quadruped();
    fs::write(site.path("outside.toml"), NOD).unwrap();
    fs::write(site.path("a/inside.motion.toml"), NOD).unwrap();
    symlink(site.path("outside.toml"), site.path("a/out.motion.toml")).unwrap();
    symlink(site.path("gone.toml"), site.path("a/gone.motion.toml")).unwrap();
    symlink("inside.motion.toml", site.path("a/in.motion.toml")).unwrap();
    let again = NOD.replace("0.1]", "0.2]");
    site.says(
        &site.save("out", &again, true).message,
        expect!["…/a/out.motion.toml: the link leads out of the folder. Choose another name"],
    );
    site.says(
        &site.save("gone", &again, true).message,
        expect!["…/a/gone.motion.toml: the link leads out of the folder. Choose another name"],
    );
    assert_eq!(fs::read_to_string(site.path("outside.toml")).unwrap(), NOD);
    assert!(!site.path("gone.toml").exists());
    assert!(site.save("in", &again, true).ok);
    assert_eq!(fs::read_to_string(site.path("a/inside.motion.toml")).unwrap(), again);
}

#[test]
fn what_is_not_there_is_read_with_the_words_of_playing_it() {
    let site = Site::quadruped();
    site.save("nod", NOD, false);
    fs::write(site.path("a/bad.motion.toml"), "format = 2\n").unwrap();
    for (robot, motion, expected) in [
        ("quadruped", "nodd", expect![[r#"no motion named "nodd". Did you mean "nod"?"#]]),
        (
            "quadruped",
            "a/nod",
            expect![[r#""a/nod" is not the name of a motion; write a name without folders"#]],
        ),
        (
            "quadruped",
            "bad",
            expect![[
                r#"motion "bad" cannot be read: …/a/bad.motion.toml:1:10: error[motion-format]: format 2 is not known. Write format = 1"#
            ]],
        ),
        (
            "horse",
            "nod",
            expect![[
                r#"No entity named "horse". Known: ball, box, fill, ground, quadruped, rug, sun"#
            ]],
        ),
        (
            "ball",
            "nod",
            expect![[
                r#""ball" has no such motion player. Give it one: <plugin name="retake::AnimationStoredJointTrajectory" filename="retake"/>. Robots with players: quadruped"#
            ]],
        ),
    ] {
        let refused = site.read(robot, motion);
        assert!(!refused.ok && refused.text.is_empty());
        site.says(&refused.message, expected);
    }
}

#[test]
fn a_motion_that_plays_one_that_is_gone_can_be_read() {
    let site = Site::quadruped();
    let action =
        "actions = [{ time = 0.0, type = \"motion/joint_trajectory\", command = \"gone\" }]";
    assert!(site.save("nod", &format!("{NOD}{action}\n"), false).ok);
    assert!(site.read("quadruped", "nod").ok);
}

#[test]
fn shipped_motions_do_not_get_in_their_own_way() {
    for robot in ["quadruped", "arm"] {
        let folder = worlds()[0].parent().unwrap().join("motions").join(robot);
        let mut shelf = Shelf::new(vec![folder]);
        shelf.refresh();
        let site = Site::new(&format!("{robot}.sdf"), robot, &["a"]);
        assert!(shelf.motions().count() >= 3);
        for (name, _, motion) in shelf.motions() {
            let checked = site.check(robot, motion);
            assert_eq!((checked.ok, checked.message.as_str()), (true, ""), "{name}");
            assert_eq!(checked.collision, [], "{name}");
            assert!(checked.instants > 20 || motion.waypoints.len() < 2, "{name}");
        }
    }
}

#[test]
fn crossing_legs_are_found() {
    let site = Site::quadruped();
    let text = "format = 1\n\
        joints = [\"lf_hip_roll\", \"rf_hip_roll\"]\n\
        waypoints = [\n\
          { time = 0.0, positions = [0.0, 0.0] },\n\
          { time = 1.0, positions = [-0.6, 0.6] },\n\
          { time = 3.0, positions = [0.0, 0.0] },\n\
        ]\n";
    let checked = site.check("quadruped", &parsed(text, "cross"));
    let line = |c: &retake_msgs::MotionCollision| {
        format!(
            "{} {} from {:.2} to {:.2}, {:.0} mm at {:.2}\n",
            c.first,
            c.second,
            c.from,
            c.to,
            c.depth * 1e3,
            c.deepest
        )
    };
    let found: String = checked.collision.iter().map(line).collect();
    expect![[r#"
        lf_shank rf_shank from 0.60 to 1.80, 53 mm at 0.69
    "#]]
    .assert_eq(&format!("{}{found}", checked.message));
}

#[test]
fn what_cannot_be_checked_says_why() {
    let site = Site::quadruped();
    let unknown = parsed(&NOD.replace("head_tilt", "wing"), "fly");
    site.says(
        &site.check("quadruped", &unknown).message,
        expect![[r#""quadruped" has no joint "wing" that turns or slides"#]],
    );
    site.says(
        &site.check("horse", &parsed(NOD, "nod")).message,
        expect![[
            r#"No entity named "horse". Known: ball, box, fill, ground, quadruped, rug, sun"#
        ]],
    );
    let robot = "quadruped".to_owned();
    let bare = MotionCheckRequest { robot: robot.clone(), trajectory: None };
    let refused: MotionChecked = site.call(names::motion_check, &bare);
    site.says(&refused.message, expect!["The request has no trajectory"]);
    for spoil in [
        (|points| points.clear()) as fn(&mut Vec<retake_msgs::JointTrajectoryPoint>),
        |points| points[1].positions.clear(),
        |points| points[1].time_from_start = 0.0,
    ] {
        let mut trajectory = trajectory_message(&parsed(NOD, "nod").goal());
        spoil(&mut trajectory.trajectory.as_mut().unwrap().points);
        let request = MotionCheckRequest { robot: robot.clone(), trajectory: Some(trajectory) };
        let refused: MotionChecked = site.call(names::motion_check, &request);
        assert!(!refused.ok && !refused.message.is_empty());
    }
    let mut trajectory = trajectory_message(&parsed(NOD, "nod").goal());
    trajectory.trajectory.as_mut().unwrap().points[1].positions[0] = f64::NAN;
    let request = MotionCheckRequest { robot, trajectory: Some(trajectory) };
    let service = names::motion_check(&site.world);
    let refused: Result<MotionChecked, _> = call(site.bus.as_ref(), &service, &request, PATIENCE);
    let told = refused.unwrap_err().to_string();
    assert!(told.contains("trajectory.trajectory.points[1].positions[0] is NaN;"), "{told}");
}

#[test]
fn a_very_long_way_is_looked_at_more_coarsely_and_says_so() {
    let site = Site::quadruped();
    let far = NOD.replace("0.1]", "1e6]");
    let checked = site.check("quadruped", &parsed(&far, "far"));
    assert!(checked.ok && (10_000..=20_001).contains(&checked.instants), "{}", checked.instants);
    site.says(&checked.message, expect!["It is a long way: joints move up to 112.500 rad or 28.1250 m between two looks. There are 2183 collisions; the first 256 are told"]);
}

fn parsed(text: &str, name: &str) -> Motion {
    let mut found = Diagnostics::new();
    let motion = read_as(Format::Native, text, &format!("{name}.motion.toml"), &mut found).pop();
    assert!(!found.has_errors(), "{found}");
    motion.unwrap()
}
