//! Saving a running world: what the file holds, who may write it, and what happens half-way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Running, Sandbox};

const WORLD: &str = r#"<?xml version="1.0"?>
<!-- Two boxes -->
<sdf version="1.9">
  <world name="yard">
    <model name="ground"><static>true</static>
      <link name="l"><collision name="c"><geometry><plane/></geometry></collision></link>
    </model>
    <model name="a"> <!-- the first -->
      <pose>1.0 2.0 0.50 0 0 0</pose>
      <link name="l">
        <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>
      </link>
    </model>
    <model name="b">
      <pose>5 0 0.5 0 0 0</pose>
      <link name="l"/>
    </model>
  </world>
</sdf>
"#;

/// A paused server whose world is in a file of its own.
fn serve(sandbox: &Sandbox) -> (Running, String) {
    let file = sandbox.write("yard.sdf", WORLD);
    let server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    (server, file)
}

fn move_a(sandbox: &Sandbox, x: &str) {
    sandbox.retake(&["entity", "move", "a", "--to", x, "2", "0.5"]).success();
}

/// Names of the files in a folder that begin with a point: what a save writes first.
fn parts(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".part")).collect()
}

#[test]
fn a_world_that_ran_is_saved_in_place() {
    let sandbox = Sandbox::new();
    let world = fs::read_to_string(support::root().join("worlds/cones.sdf")).unwrap();
    let file = sandbox.write("cones.sdf", &world);
    let _server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    for _ in 0..3 {
        // Rotations of the rover are not quite of length one then.
        sandbox.retake(&["world", "step", "333"]).success();
        let saved = sandbox.retake(&["world", "save"]);
        // Wheels have turned, for which SDF has no place.
        assert_eq!(saved.code, 3, "{}", saved.stderr);
        assert!(!saved.stderr.contains("printed anew"), "{}", saved.stderr);
        assert!(fs::read_to_string(&file).unwrap().contains("<!--"), "comments are gone");
    }
}

#[test]
fn a_file_with_a_byte_order_mark_keeps_it() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("yard.sdf", &format!("\u{feff}{WORLD}"));
    let _server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    move_a(&sandbox, "3");
    sandbox.retake(&["world", "save"]).success();
    let saved = fs::read_to_string(&file).unwrap();
    let expected = WORLD.replace("1.0 2.0 0.50 0 0 0", "3 2.0 0.50 0 0 0");
    assert_eq!(saved, format!("\u{feff}{expected}"));
}

#[test]
fn a_move_is_saved_in_place_and_the_rest_stays() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    let said = sandbox.retake(&["world", "save"]).success();
    assert_eq!(said.trim(), format!("{file} holds the world already"));
    move_a(&sandbox, "3");
    let said = sandbox.retake(&["world", "save"]).success();
    assert_eq!(said, format!("Saved {file}\n  model[a]/pose edited\n"));
    let moved = WORLD.replace("1.0 2.0 0.50 0 0 0", "3 2.0 0.50 0 0 0");
    assert_eq!(fs::read_to_string(&file).unwrap(), moved);
    // The server knows its own file again.
    sandbox.retake(&["entity", "delete", "b"]).success();
    let said = sandbox.retake(&["world", "save", "--format", "json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["changes"][0]["path"], "model[b]");
    assert_eq!(said["changes"][0]["kind"], "removed");
    assert_eq!(said["reprinted"], serde_json::Value::Null);
    let start = moved.find("    <model name=\"b\"").unwrap();
    let end = moved.find("  </world>").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{}{}", &moved[..start], &moved[end..]));
    assert!(parts(sandbox.folder.path()).is_empty());
}

/// The hash of entities and components; the engine also remembers that a body was moved.
fn component_hash(sandbox: &Sandbox) -> String {
    let said = sandbox.retake(&["world", "hash", "--format", "json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    said["component_hash"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_saved_loads_to_the_same_state() {
    let sandbox = Sandbox::new();
    let (server, _) = serve(&sandbox);
    let loaded = component_hash(&sandbox);
    let copy = sandbox.folder.path().join("copy.sdf").display().to_string();
    move_a(&sandbox, "-1.25");
    sandbox.retake(&["entity", "move", "ground", "--to", "0", "0", "-1"]).success();
    sandbox.retake(&["world", "save", &copy]).success();
    let printed = sandbox.retake(&["world", "save", "-"]).success();
    assert_eq!(printed, fs::read_to_string(&copy).unwrap());
    let live = component_hash(&sandbox);
    assert_ne!(live, loaded);
    drop(server);
    let _server = sandbox.start(&["server", &copy, "--bus-port", "0", "--paused"]);
    assert_eq!(component_hash(&sandbox), live);
}

#[test]
fn edits_of_many_kinds_are_saved_and_load_to_the_same_state() {
    let sandbox = Sandbox::new();
    let (server, _) = serve(&sandbox);
    let insert = |file: &str, text: &str, into: &str| {
        let file = sandbox.write(file, text);
        sandbox.retake(&["entity", "insert", &file, "--into", into]).success();
    };
    let set = |words: &[&str]| {
        let command = [&["entity", "set"], words].concat();
        sandbox.retake(&command).success();
    };
    insert(
        "arm.sdf",
        "<link name='arm'><pose relative_to='l'>0 0 1 0 0 0.5</pose>\
         <collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry></collision>\
         </link>",
        "a",
    );
    let joint = "<joint name='turn' type='revolute'><parent>l</parent><child>arm</child>\
                 <axis><xyz expressed_in='l'>0 1 0</xyz></axis></joint>";
    insert("turn.sdf", joint, "a");
    insert(
        "eye.sdf",
        "<sensor name='eye' type='camera'><update_rate>5</update_rate></sensor>",
        "a::arm",
    );
    insert(
        "grip.sdf",
        "<frame name='grip' attached_to='arm'><pose>0 0 1 0 0 0</pose></frame>",
        "a",
    );
    set(&["a::l::c", "surface.friction.mu", "0.25"]);
    set(&["a::turn", "joint.axes.0.limits.upper", "30deg"]);
    set(&["a::l", "inertial.mass_kg", "3"]);
    set(&["b", "name", "crate"]);
    set(&["a::arm::eye", "sensor.update_rate_hz", "20"]);
    sandbox.retake(&["entity", "delete", "ground::l::c"]).success();
    let copy = sandbox.folder.path().join("copy.sdf").display().to_string();
    sandbox.retake(&["world", "save", &copy]).success();
    let live = described(&sandbox);
    assert!(live.contains(r#""update_rate_hz":20"#) && live.contains("grip"), "{live}");
    drop(server);
    let _server = sandbox.start(&["server", &copy, "--bus-port", "0", "--paused"]);
    assert_eq!(described(&sandbox), live);
}

/// Everything that is in the world, by path: ids follow the order in which things were made, which
/// is another when they are loaded.
fn described(sandbox: &Sandbox) -> String {
    let said = sandbox.retake(&["world", "save", "-"]).success();
    let listed = sandbox.retake(&["entity", "list", "--format", "json"]).success();
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let mut paths: Vec<&str> = listed.iter().map(|row| row["name"].as_str().unwrap()).collect();
    paths.sort_unstable();
    let state = |path: &&str| {
        let shown = sandbox.retake(&["entity", "show", path, "--format", "json"]).success();
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let kept = ["inertial", "surface", "sensor", "pose", "rest_pose", "geometry"];
        let kept = kept.map(|name| shown["components"][name].to_string()).join(" ");
        format!("{path} {kept}\n")
    };
    said + &paths.iter().map(state).collect::<String>()
}

#[test]
fn a_file_of_someone_else_that_cannot_be_read_is_not_overwritten() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    move_a(&sandbox, "3");
    // Longer than any world that is read; it takes no room on the disk.
    let length = retake_sdf::MAX_FILE_BYTES + 1;
    fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(length).unwrap();
    let refused = sandbox.retake(&["world", "save"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("was changed by someone else"), "{}", refused.stderr);
    assert_eq!(fs::metadata(&file).unwrap().len(), length);
    // One that is gone is nobody's; what it said beside the world went with it.
    fs::remove_file(&file).unwrap();
    let saved = sandbox.retake(&["world", "save"]);
    assert_eq!(saved.code, 3, "{}", saved.stderr);
    assert!(saved.stderr.contains("is gone or no text"), "{}", saved.stderr);
    sandbox.retake(&["world", "save"]).success();
}

#[test]
fn a_file_that_someone_else_changed_is_not_overwritten() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    move_a(&sandbox, "3");
    let theirs = WORLD.replace("Two boxes", "Mine");
    fs::write(&file, &theirs).unwrap();
    let refused = sandbox.retake(&["world", "save"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("was changed by someone else"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    sandbox.retake(&["world", "save", "--force"]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs.replace("1.0 2.0 0.50", "3 2.0 0.50"));
}

#[test]
fn what_is_not_this_world_is_not_overwritten() {
    let sandbox = Sandbox::new();
    let (_server, _) = serve(&sandbox);
    let two = WORLD.replace("</world>", "</world>\n<world name=\"field\"/>");
    for (name, theirs) in [
        ("notes.txt", "Do not forget the milk\n"),
        ("run.mcap", "\u{89}MCAP0\r\n"),
        ("nothing.sdf", ""),
        ("other.sdf", &WORLD.replace("yard", "field")),
        // Many worlds have one name.
        ("namesake.sdf", &WORLD.replace("<pose>", "<!-- by hand --><pose>")),
        ("two.sdf", &two),
        ("model.sdf", "<sdf version='1.9'><model name='yard'><link name='l'/></model></sdf>"),
    ] {
        let file = sandbox.write(name, theirs);
        for what in ["world", "physics"] {
            let refused = sandbox.retake(&[what, "save", &file]);
            let told = format!(
                "retake: {file} is there, and what it holds is not known as a save of this server. \
                 Save into another file, or overwrite it with --force\n"
            );
            assert_eq!((refused.code, refused.stderr), (1, told));
            assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
        }
        sandbox.retake(&["world", "save", &file, "--force"]).success();
        assert_eq!(fs::read_to_string(&file).unwrap(), WORLD, "{name}");
    }
}

#[test]
fn what_an_earlier_save_wrote_may_be_overwritten() {
    let sandbox = Sandbox::new();
    let (_server, _) = serve(&sandbox);
    let copy = sandbox.folder.path().join("copy.sdf").display().to_string();
    for x in ["3", "4"] {
        move_a(&sandbox, x);
        sandbox.retake(&["world", "save", &copy]).success();
        let moved = WORLD.replace("1.0 2.0 0.50", &format!("{x} 2.0 0.50"));
        assert_eq!(fs::read_to_string(&copy).unwrap(), moved);
    }
    // A copy that somebody made of the world's own file is theirs.
    let backup = sandbox.write("backup.sdf", WORLD);
    assert_eq!(sandbox.retake(&["world", "save", &backup]).code, 1);
    assert_eq!(fs::read_to_string(&backup).unwrap(), WORLD);
    // So is one that was saved, once somebody works on it.
    let theirs = fs::read_to_string(&copy).unwrap().replace("<pose>", "<!-- by hand --><pose>");
    fs::write(&copy, &theirs).unwrap();
    assert_eq!(sandbox.retake(&["world", "save", &copy]).code, 1);
    assert_eq!(fs::read_to_string(&copy).unwrap(), theirs);
}

#[test]
fn a_copy_of_a_model_that_stands_alone_is_saved_again_too() {
    let sandbox = Sandbox::new();
    let model = "<sdf version='1.9'><model name='a'><link name='l'/></model></sdf>";
    let file = sandbox.write("model.sdf", model);
    let _server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    let copy = sandbox.folder.path().join("copy.sdf").display().to_string();
    for x in ["3", "4"] {
        move_a(&sandbox, x);
        sandbox.retake(&["world", "save", &copy]).success();
        assert!(fs::read_to_string(&copy).unwrap().contains(&format!("{x} ")));
    }
}

#[test]
fn a_damaged_file_is_written_anew_when_forced() {
    for damaged in ["", "<sdf version='1.9'><world name='ya", "no longer a world"] {
        let sandbox = Sandbox::new();
        let (_server, file) = serve(&sandbox);
        move_a(&sandbox, "3");
        fs::write(&file, damaged).unwrap();
        let refused = sandbox.retake(&["world", "save"]);
        assert!(refused.code == 1 && refused.stderr.contains("--force"), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), damaged);
        let saved = sandbox.retake(&["world", "save", "--force"]);
        // Comments went with the old text.
        assert_eq!(saved.code, 3, "{}", saved.stderr);
        assert!(saved.stderr.contains("printed anew"), "{}", saved.stderr);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("name=\"yard\"") && text.contains("3 2 0.5"), "{text}");
        sandbox.retake(&["world", "save"]).success();
    }
}

#[test]
fn a_robot_of_another_format_is_never_replaced_by_a_world() {
    let sandbox = Sandbox::new();
    let robot = "<robot name='r'><link name='l'><inertial><mass value='1'/><inertia ixx='1' \
                 iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    let file = sandbox.write("robot.urdf", robot);
    let _server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    sandbox.retake(&["entity", "move", "r", "--to", "1", "0", "0"]).success();
    // Also when somebody edits or damages it meanwhile.
    for there in [robot, &format!("<!-- mine -->{robot}"), "<robot"] {
        fs::write(&file, there).unwrap();
        for arguments in [&["world", "save"][..], &["world", "save", "--force"]] {
            let refused = sandbox.retake(arguments);
            assert!(refused.stderr.contains("is not SDF. Name a file"), "{}", refused.stderr);
            assert_eq!(fs::read_to_string(&file).unwrap(), there);
        }
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    move_a(&sandbox, "3");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = sandbox.retake(&["world", "save"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("yard.sdf is read-only. Make it writable"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), WORLD);
    let refused = sandbox.retake(&["world", "save", "/nowhere/at/all.sdf"]);
    assert!(refused.stderr.contains("Could not write /nowhere/at/all.sdf"), "{}", refused.stderr);
}

#[test]
fn a_resource_folder_that_went_away_does_not_keep_from_saving() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("yard.sdf", WORLD);
    let models = sandbox.folder.path().join("models");
    fs::create_dir(&models).unwrap();
    let folder = models.display().to_string();
    let serve = ["server", &file, "--bus-port", "0", "--paused", "--resource-path", &folder];
    let _server = sandbox.start(&serve);
    fs::remove_dir(&models).unwrap();
    move_a(&sandbox, "3");
    sandbox.retake(&["world", "save"]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), WORLD.replace("1.0 2.0 0.50", "3 2.0 0.50"));
    sandbox.retake(&["physics", "set", "rapier/substeps", "3"]).success();
    sandbox.retake(&["physics", "save"]).success();
}

#[test]
fn a_world_from_no_file_needs_a_name() {
    let sandbox = Sandbox::new();
    let _server = sandbox.start(&["server", "--bus-port", "0", "--paused"]);
    let refused = sandbox.retake(&["world", "save"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("comes from no file. Name one"), "{}", refused.stderr);
}

#[test]
fn killed_inside_a_save_the_file_is_the_old_one_or_the_new_one() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    move_a(&sandbox, "3");
    let new = WORLD.replace("1.0 2.0 0.50", "3 2.0 0.50");
    let mut killed_inside = 0;
    for _ in 0..20 {
        fs::write(&file, WORLD).unwrap();
        // What a killed save leaves behind must not be taken for that of this one.
        let before = parts(sandbox.folder.path());
        let mut child = sandbox.command(&["world", "save"]).stdout(Stdio::null()).spawn().unwrap();
        while parts(sandbox.folder.path()) == before && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        killed_inside += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read_to_string(&file).unwrap();
        assert!(found == WORLD || found == new, "{found}");
    }
    println!("{killed_inside} of 20 saves were killed before they ended");
    fs::write(&file, WORLD).unwrap();
    sandbox.retake(&["world", "save", "--force"]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), new);
}

#[test]
fn on_a_full_disk_the_old_file_stays() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    // A limit on the size of files fails as a full disk does, and needs no rights.
    for number in 0..8 {
        let at = format!("{}", 10 + number);
        let model = "worlds/models/barrel.sdf";
        sandbox.retake(&["entity", "insert", model, "--at", &at, "0", "0"]).success();
    }
    let program = env!("CARGO_BIN_EXE_retake");
    let limited = format!("trap '' XFSZ; ulimit -f 4; exec '{program}' world save");
    let mut command = Command::new("sh");
    command.args(["-c", &limited]).env("XDG_RUNTIME_DIR", sandbox.folder.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("What was there before is untouched"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), WORLD);
    assert!(parts(sandbox.folder.path()).is_empty());
    // And a disk that is really full, where one can be made.
    let disk = sandbox.folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let small = disk.join("small.sdf");
    fs::write(&small, "old").unwrap();
    let small_name = small.display().to_string();
    let refused = sandbox.retake(&["world", "save", &small_name, "--force"]);
    let left = fs::read_to_string(&small).unwrap();
    let unmounted = Command::new("umount").arg(&disk).status().unwrap().success();
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("No space left"), "{}", refused.stderr);
    assert_eq!((left.as_str(), unmounted), ("old", true));
}

#[test]
fn a_world_whose_file_no_text_can_name_is_saved_only_where_asked() {
    let sandbox = Sandbox::new();
    let folder = sandbox.folder.path();
    let file = folder.join(OsStr::from_bytes(b"b\xff.sdf"));
    fs::write(&file, WORLD).unwrap();
    let mut command = sandbox.command(&["server", "--bus-port", "0", "--paused"]);
    command.arg(&file);
    let _server = Running::start(command, 1);
    move_a(&sandbox, "3");
    let listed = || fs::read_dir(folder).unwrap().count();
    let before = listed();
    for what in ["world", "physics"] {
        let refused = sandbox.retake(&[what, "save"]);
        let told = "retake: The name of this world's file is no text. Name another file to save \
                    into\n";
        assert_eq!((refused.code, refused.stderr.as_str()), (1, told));
        assert_eq!(listed(), before);
    }
    // To a name that is given it goes, even to one that is no text.
    let other = folder.join(OsStr::from_bytes(b"c\xff.sdf"));
    let saved = sandbox.command(&["world", "save"]).arg(&other).output().unwrap();
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
    assert!(fs::read_to_string(&other).unwrap().contains("3 2 0.5"));
    assert_eq!(fs::read_to_string(&file).unwrap(), WORLD);
}
