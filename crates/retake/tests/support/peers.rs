//! Programs of others that the bridges are tried with, installed into a cache folder.
#![allow(clippy::print_stdout, reason = "what is left out is told")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::root;

/// Packages of PyPI.
const PYTHON: [&str; 2] = ["roslibpy==2.1.0", "rosbags==0.11.9"];
/// A real DDS, as nodes of ROS 2 have it; by itself, because it is there for fewer systems.
const CYCLONEDDS: [&str; 1] = ["cyclonedds==11.0.1"];
/// Packages of npm.
const NODE: [&str; 5] = [
    "roslib@2.1.0",
    "@foxglove/ws-protocol@0.8.0",
    "@foxglove/rosmsg@5.0.5",
    "@foxglove/rosmsg2-serialization@3.1.0",
    "ws@8.23.0",
];

/// Returns a Python that has the packages of PyPI; says so and gives none when there is none.
pub fn python() -> Option<PathBuf> {
    python_with("python", &PYTHON)
}

/// Returns a Python that has CycloneDDS; says so and gives none when there is none.
pub fn cyclonedds() -> Option<PathBuf> {
    python_with("cyclonedds", &CYCLONEDDS)
}

fn python_with(name: &str, packages: &[&str]) -> Option<PathBuf> {
    let folder = installed(name, &packages.join(" "), |folder| {
        let folder = folder.to_str().unwrap();
        succeeds(Command::new("python3").args(["-m", "venv", folder]))
            && succeeds(
                Command::new(format!("{folder}/bin/pip"))
                    .args(["install", "--quiet", "--retries", "1", "--timeout", "20"])
                    .args(packages),
            )
    })?;
    Some(folder.join("bin/python"))
}

/// Returns a folder whose `node_modules` has the packages of npm; says so and gives none when there
/// is none.
pub fn node() -> Option<PathBuf> {
    installed("node", &NODE.join(" "), |folder| {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("package.json"), r#"{"type": "module", "private": true}"#).unwrap();
        let npm = ["install", "--silent", "--no-audit", "--no-fund", "--fetch-retries", "1"];
        succeeds(Command::new("npm").args(npm).args(NODE).current_dir(folder))
    })
}

/// Installs something once for all tests, whoever comes first.
fn installed(name: &str, what: &str, install: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    fs::create_dir_all(&cache).unwrap();
    let lock = File::create(cache.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let (folder, mark) = (cache.join(name), cache.join(format!("{name}.installed")));
    if fs::read_to_string(&mark).is_ok_and(|there| there == what) {
        return Some(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    if install(&folder) {
        fs::write(&mark, what).unwrap();
        return Some(folder);
    }
    println!("SKIPPED: {what} cannot be installed here, so this is not tried with them");
    None
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a script of `tests/peers` to its end, and fails with what it said when it fails.
pub fn run(command: &mut Command, script: &str, arguments: &[&str]) -> String {
    let path = root().join("crates/retake/tests/peers").join(script);
    let output = command.arg(path).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} failed:\n{said}\n{complained}");
    said
}

/// Packages of Debian that make up a real ROS 1, all of them Python.
const ROS1: [&str; 22] = [
    "python3-actionlib",
    "python3-actionlib-msgs",
    "python3-catkin",
    "python3-catkin-pkg",
    "python3-defusedxml",
    "python3-distro",
    "python3-genmsg",
    "python3-genpy",
    "python3-geometry-msgs",
    "python3-roscpp-msg",
    "python3-rosgraph",
    "python3-rosgraph-msgs",
    "python3-roslib",
    "python3-rosmaster",
    "python3-rospkg",
    "python3-rospy",
    "python3-sensor-msgs",
    "python3-std-msgs",
    "python3-std-srvs",
    "python3-tf2-msgs",
    "python3-trajectory-msgs",
    "python3-yaml",
];

/// Returns the folder of the Python modules of a real ROS 1, unpacked beside the system; says so
/// and gives none when there is none.
pub fn ros1() -> Option<PathBuf> {
    let folder = installed("ros1", &ROS1.join(" "), |folder| {
        fs::create_dir_all(folder).unwrap();
        let download =
            || succeeds(Command::new("apt-get").arg("download").args(ROS1).current_dir(folder));
        if !download() {
            succeeds(Command::new("apt-get").args(["update", "--quiet"]));
            if !download() {
                return false;
            }
        }
        let packages = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let packages: Vec<PathBuf> = packages.filter(|path| path.extension().is_some()).collect();
        packages
            .iter()
            .all(|package| succeeds(Command::new("dpkg").arg("-x").arg(package).arg(folder)))
    })?;
    let modules = folder.join("usr/lib/python3/dist-packages");
    let works = succeeds(
        Command::new("/usr/bin/python3")
            .args(["-c", "import rospy, actionlib, rosmaster, genpy"])
            .env("PYTHONPATH", &modules)
            .stderr(Stdio::null()),
    );
    if !works {
        println!("SKIPPED: the packages of ROS 1 do not work with this system's Python");
    }
    works.then_some(modules)
}
