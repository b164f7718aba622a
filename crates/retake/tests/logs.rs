//! Logs as their user has them: recorded by a real server, killed, gone on from, run again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::{Running, Sandbox};

const WORLD: &str = "worlds/cones.sdf";

struct Studio {
    sandbox: Sandbox,
}

impl Studio {
    fn new() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    fn file(&self, name: &str) -> String {
        self.sandbox.folder.path().join(name).display().to_string()
    }

    fn run(&self, arguments: &[&str]) -> String {
        self.sandbox.retake(arguments).success().trim().to_owned()
    }

    /// Runs a command to the server and reads what it prints.
    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        serde_json::from_str(&self.run(&all)).unwrap()
    }

    /// Starts a world that stands until it is told to step.
    fn server(&self, more: &[&str]) -> Running {
        let folder = self.sandbox.folder.path().display().to_string();
        let mut arguments = vec!["server", WORLD, "--paused", "--bus-port", "0"];
        arguments.extend(["--log-dir", &folder]);
        arguments.extend(more);
        self.sandbox.start(&arguments)
    }

    /// Steps a world and waits until the recording has that much.
    fn step_and_wait(&self, steps: u32, secs: f64) -> Value {
        self.run(&["world", "step", &steps.to_string()]);
        loop {
            let status = self.json(&["log", "status"]);
            if status["recorded_secs"].as_f64().unwrap() >= secs || status["recording"] == false {
                return status;
            }
        }
    }
}

#[test]
fn a_world_goes_on_from_any_instant_of_its_log() {
    let studio = Studio::new();
    let log = studio.file("run.mcap");
    let hash = |arguments: &[&str]| {
        let mut all = vec!["run", "--headless", "--hash"];
        all.extend(arguments);
        studio.run(&all)
    };
    let whole = hash(&[WORLD, "--iterations", "3000", "--record", &log]);
    for (at, rest) in [("0", "3000"), ("0.001", "2999"), ("1.5", "1500"), ("2.999", "1")] {
        let resumed = hash(&["--resume", &log, "--at", at, "--iterations", rest]);
        assert_eq!(resumed, whole, "from {at}");
    }
    assert_eq!(hash(&["--resume", &log, "--iterations", "0"]), whole);
    let verified = studio.json(&["verify", &log]);
    assert_eq!((&verified["steps"], &verified["states"]), (&Value::from(3000), &Value::from(3001)));
    assert_eq!(verified["difference"], Value::Null);
    let missing = studio.sandbox.retake(&["run", "--headless", "--resume", &log, "--at", "9"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("The log has no state at 9.000 s"), "{}", missing.stderr);
}

#[test]
fn what_is_missing_of_a_log_is_told_when_it_is_run_again_or_gone_on_from() {
    let studio = Studio::new();
    let log = studio.file("run.mcap");
    studio.run(&["run", WORLD, "--headless", "--iterations", "3000", "--record", &log]);
    let whole = std::fs::read(&log).unwrap();
    assert!(studio.run(&["verify", &log]).ends_with("\nEqual, bit by bit"));
    let cut = whole[..whole.len() * 6 / 10].to_vec();
    let mut hit = whole.clone();
    let middle = whole.len() / 2;
    hit[middle..middle + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
    for (bytes, told) in [(cut, "The log ends within a record"), (hit, "A chunk is damaged")] {
        std::fs::write(&log, bytes).unwrap();
        let verified = studio.sandbox.retake(&["verify", &log]);
        assert_eq!(verified.code, 3, "{}", verified.stderr);
        assert!(verified.stdout.contains(told), "{}", verified.stdout);
        let end = "\nEqual, bit by bit, as far as the log is whole\n";
        assert!(verified.stdout.ends_with(end), "{}", verified.stdout);
        // What was not read was not missed either, so that it begins where something is missing.
        let from = verified.stdout.split_once("recorded from ").map(|(_, rest)| rest);
        let at = from.and_then(|from| from.split(' ').next()).unwrap_or("1");
        let resume = ["run", "--headless", "--iterations", "1", "--resume", &log, "--at", at];
        let resumed = studio.sandbox.retake(&resume);
        assert_eq!(resumed.code, 0, "{}", resumed.stderr);
        assert!(resumed.stderr.contains(told), "{}", resumed.stderr);
        assert!(resumed.stderr.contains("Going on from"), "{}", resumed.stderr);
    }
}

#[test]
fn what_a_damaged_log_lost_is_not_told_as_a_difference() {
    const PARTS: usize = 36;
    let studio = Studio::new();
    let _server = studio.server(&[]);
    // So few states that what people did is in chunks without any.
    studio.run(&["log", "start", "lossy", "--rate", "1"]);
    for (x, recorded) in [("1", 0.7), ("2", 1.4), ("3", 2.1)] {
        studio.step_and_wait(700, recorded);
        studio.run(&["entity", "move", "cone_1", "--to", x, "3", "0"]);
    }
    // Back to states that lie far from the jump in the file, and from one to the other.
    for recorded in [2.6, 3.1] {
        studio.run(&["undo"]);
        studio.run(&["undo"]);
        studio.step_and_wait(500, recorded);
        studio.run(&["redo"]);
    }
    studio.run(&["log", "stop"]);
    let log = studio.file("lossy.mcap");
    let whole = std::fs::read(&log).unwrap();
    assert!(studio.run(&["verify", &log]).ends_with("\nEqual, bit by bit"));
    for part in 1..PARTS {
        let mut hit = whole.clone();
        let place = whole.len() * part / PARTS;
        hit[place..place + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
        std::fs::write(&log, hit).unwrap();
        let verified = studio.sandbox.retake(&["verify", &log]);
        assert_eq!(verified.code, 3, "{part}: {}{}", verified.stdout, verified.stderr);
        assert!(!verified.stdout.contains("DIFFERENT"), "{part}: {}", verified.stdout);
    }
}

#[test]
fn a_log_is_plotted_and_exported_without_playing_it() {
    let studio = Studio::new();
    let (log, table) = (studio.file("run.mcap"), studio.file("x.csv"));
    let record = ["run", WORLD, "--headless", "--iterations", "500", "--record", &log];
    studio.run(&record);
    let item = "vehicle::pose.position.x";
    studio.run(&["log", "export", &log, "--item", item, "--out", &table]);
    let from_log = std::fs::read_to_string(&table).unwrap();
    assert_eq!(from_log.lines().count(), 502, "{from_log}");
    let (again, live) = (studio.file("again.csv"), studio.file("live.csv"));
    studio.run(&["plot", &log, "--item", item, "--out", &again]);
    assert_eq!(std::fs::read_to_string(&again).unwrap(), from_log);
    // The log has the same numbers as the world itself, and its first state besides.
    studio.run(&["plot", WORLD, "--seconds", "0.5", "--item", item, "--out", &live]);
    let live = std::fs::read_to_string(&live).unwrap();
    let rows =
        |text: &str, skip: usize| text.lines().skip(skip).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&from_log, 2), rows(&live, 1));
    studio.run(&["log", "export", &log, "--out", &table]);
    let all = std::fs::read_to_string(&table).unwrap();
    assert!(all.lines().next().unwrap().contains("vehicle::pose.position.x"));
    let picture = studio.file("x.png");
    studio.run(&["plot", &log, "--item", item, "--out", &picture]);
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_running_world_is_recorded_when_asked() {
    let studio = Studio::new();
    let _server = studio.server(&[]);
    let outside = studio.sandbox.retake(&["log", "start", "../outside"]);
    assert!(outside.stderr.contains("is no name for a log"), "{}", outside.stderr);
    studio.run(&["log", "start", "mine"]);
    let twice = studio.sandbox.retake(&["log", "start", "other"]);
    assert!(twice.stderr.contains("is being recorded already"), "{}", twice.stderr);
    studio.step_and_wait(200, 0.2);
    studio.run(&["entity", "move", "cone_1", "--to", "1", "3", "0"]);
    studio.step_and_wait(100, 0.3);
    studio.run(&["undo"]);
    studio.step_and_wait(100, 0.4);
    let stopped = studio.json(&["log", "stop"]);
    assert_eq!((&stopped["recording"], &stopped["dropped"]), (&false.into(), &0.into()));
    let log = studio.file("mine.mcap");
    let info = studio.json(&["log", "info", &log]);
    let stretches = info["stretches"].as_array().unwrap();
    let begun: Vec<_> =
        stretches.iter().map(|s| (&s["begins_with"], &s["sim_from_secs"])).collect();
    assert_eq!(begun, [(&Value::Null, &0.0.into()), (&"undo".into(), &0.2.into())]);
    assert_eq!(info["finished"], true);
    assert!(info["attachments"].as_array().unwrap().contains(&"world/cones.sdf".into()));
    let verified = studio.json(&["verify", &log]);
    assert_eq!((&verified["difference"], &verified["jumps"]), (&Value::Null, &1.into()));
}

#[test]
fn a_killed_recording_opens_without_repair() {
    let studio = Studio::new();
    let log = studio.file("killed.mcap");
    let server = studio.server(&["--record", &log]);
    let status = studio.step_and_wait(3000, 3.0);
    // As fast as possible is as fast as it can be recorded.
    assert_eq!((&status["recording"], &status["dropped"]), (&true.into(), &0.into()));
    // A look at the status is no sync; what is synced is on the disk about a second later.
    loop {
        let check = studio.sandbox.retake(&["log", "check", &log, "--format", "json"]);
        let check: Value = serde_json::from_str(&check.stdout).unwrap();
        if check["recorded_secs"].as_f64().unwrap() >= 2.0 {
            break;
        }
    }
    drop(server);
    let info = studio.json(&["log", "info", &log]);
    assert_eq!(info["finished"], false);
    assert!(info["recorded_secs"].as_f64().unwrap() >= 2.0, "{info}");
    // Where the kill came within a record, that one is missing.
    let verified = studio.sandbox.retake(&["verify", &log, "--format", "json"]);
    assert!([0, 3].contains(&verified.code), "{}", verified.stderr);
    let verified: Value = serde_json::from_str(&verified.stdout).unwrap();
    assert_eq!(verified["difference"], Value::Null);
    let mended = studio.file("mended.mcap");
    studio.run(&["log", "recover", &log, &mended]);
    assert_eq!(studio.json(&["log", "check", &mended])["whole"], true);
}

#[test]
fn a_disk_that_takes_no_more_ends_the_recording_and_not_the_world() {
    let studio = Studio::new();
    let log = studio.file("full.mcap");
    // Files may have 1000 KiB here; the system ends whoever writes more and has not asked to be told.
    let script = "ulimit -f 1000; exec \"$@\"";
    let program = studio.sandbox.command(&[]);
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", script, "bash"]).arg(program.get_program());
    shell.args(["server", WORLD, "--paused", "--bus-port", "0", "--record", &log]);
    shell.current_dir(support::root()).env("XDG_RUNTIME_DIR", studio.sandbox.folder.path());
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    let stdout = child.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
    let status = studio.step_and_wait(5000, f64::MAX);
    assert_eq!(status["recording"], false);
    let reason = status["ended"].as_str().unwrap();
    assert!(!reason.is_empty(), "{status}");
    let told = studio.run(&["log", "status"]);
    assert!(told.starts_with("Nothing is being recorded: ") && told.ends_with(reason), "{told}");
    let stats = studio.json(&["world", "stats"]);
    assert_eq!(stats["iterations"], 5000, "{stats}");
    assert!(Path::new(&log).is_file());
    let check = studio.sandbox.retake(&["log", "check", &log, "--format", "json"]);
    let check: Value = serde_json::from_str(&check.stdout).unwrap();
    assert!(check["recorded_secs"].as_f64().unwrap() > 0.1, "{check}");
    assert_eq!((&check["undecodable"], &check["whole"]), (&Value::from(0), &Value::from(true)));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_log_at_a_file_size_limit_is_whole() {
    for limit_kib in [1, 40, 200, 1000] {
        let studio = Studio::new();
        let log = studio.file("limited.mcap");
        let program = studio.sandbox.command(&[]);
        let mut shell = std::process::Command::new("bash");
        let script = format!("ulimit -f {limit_kib}; exec \"$@\"");
        shell.args(["-c", &script, "bash"]).arg(program.get_program());
        shell.args(["run", WORLD, "--headless", "--bus-port", "0", "--iterations", "3000"]);
        shell.args(["--record", &log]);
        shell.current_dir(support::root()).env("XDG_RUNTIME_DIR", studio.sandbox.folder.path());
        let told = String::from_utf8(shell.output().unwrap().stderr).unwrap();
        assert!(told.contains("The disk is full"), "{limit_kib} KiB: {told}");
        // Where not even its end has room there is no log at all.
        let bytes = std::fs::metadata(&log).map_or(0, |known| known.len());
        assert!(bytes <= limit_kib * 1024, "{limit_kib} KiB: {bytes}");
        assert_eq!(bytes > 0, limit_kib > 1, "{limit_kib} KiB: {told}");
        if bytes > 0 {
            assert_eq!(studio.json(&["log", "check", &log])["whole"], true, "{limit_kib} KiB");
            assert_eq!(studio.json(&["log", "info", &log])["finished"], true, "{limit_kib} KiB");
        }
    }
}

#[test]
fn a_run_that_is_interrupted_ends_its_log() {
    // A terminal that is closed, or a scheduler, often sends two at once.
    let alone = [&[Signal::INT][..], &[Signal::TERM], &[Signal::HUP]];
    for signals in alone.into_iter().chain([&[Signal::HUP, Signal::TERM][..]]) {
        let studio = Studio::new();
        let log = studio.file("interrupted.mcap");
        let steps = ["--iterations", "100000000", "--record", &log];
        let kind: &[&str] = match signals {
            // As others have it who can be asked meanwhile.
            [Signal::TERM] => &["server", WORLD, "--bus-port", "0"],
            _ => &["run", WORLD, "--headless"],
        };
        let mut run = studio.sandbox.command(&[kind, &steps].concat());
        let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Time passes once something of the world is in the file.
        let deadline = std::time::Instant::now() + Duration::from_secs(120);
        while std::fs::metadata(&log).map_or(0, |found| found.len()) < 100_000 {
            assert!(std::time::Instant::now() < deadline, "nothing is recorded");
            std::thread::yield_now();
        }
        let process = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        signals.iter().for_each(|signal| kill_process(process, *signal).unwrap());
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{signals:?}: {told}");
        assert!(told.contains("of 100000000"), "{signals:?}: {told}");
        assert!(told.contains("as was asked for"), "{signals:?}: {told}");
        assert_eq!(studio.json(&["log", "check", &log])["whole"], true, "{signals:?}");
    }
}

#[test]
fn a_log_brings_the_files_of_its_world_along() {
    let studio = Studio::new();
    let log = studio.file("meshes.mcap");
    let folder = studio.file("moved");
    let mut copied = std::process::Command::new("cp");
    copied.args(["-r", "worlds", &folder]);
    assert!(copied.current_dir(support::root()).status().unwrap().success());
    let world = format!("{folder}/shapes.sdf");
    studio.run(&["run", &world, "--headless", "--iterations", "300", "--record", &log]);
    let resume = ["run", "--resume", &log, "--at", "0.1", "--headless", "--iterations", "200"];
    let at_home = studio.sandbox.retake(&resume).complaint();
    assert!(!at_home.contains("Physics starts anew"), "{at_home}");
    // Physics goes on exactly from the files in the log, whatever became of them since.
    let shapes = format!("{folder}/models/shapes");
    std::fs::copy(format!("{shapes}/gear.stl"), format!("{shapes}/knot.obj")).unwrap();
    std::fs::write(format!("{shapes}/hills.png"), "a picture no more").unwrap();
    for gone in [false, true] {
        if gone {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        assert_eq!(studio.sandbox.retake(&resume).complaint(), at_home);
        assert_eq!(studio.json(&["verify", &log])["difference"], Value::Null);
    }
}

#[test]
fn a_rate_that_means_nothing_is_refused_in_short() {
    let studio = Studio::new();
    for (rate, shown) in [("1e-300", "1e-300"), ("1e300", "1e300"), ("0.0004", "0.0004")] {
        let table = studio.file("x.csv");
        let export = ["log", "export", "any.mcap", "--rate", rate, "--out", &table];
        let refused = studio.sandbox.retake(&export);
        let said = format!(
            "exit 1\nretake: --rate is {shown}; write 0 for each step, or 0.001 to 1e6 samples per \
             second\n"
        );
        assert_eq!(refused.complaint(), said);
    }
}

#[test]
fn a_pipe_in_the_place_of_a_log_is_refused() {
    let studio = Studio::new();
    let (pipe, other) = (studio.file("pipe.mcap"), studio.file("other.mcap"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for line in [&["log", "info", &pipe][..], &["log", "recover", &pipe, &other]] {
        let refused = studio.sandbox.retake(line);
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("this is not a regular file, in "), "{}", refused.stderr);
    }
    assert!(!Path::new(&other).exists());
}

#[test]
fn what_is_no_log_is_refused_with_its_name() {
    let studio = Studio::new();
    let text = studio.sandbox.write("note.mcap", "not a log");
    for verb in [["log", "info"], ["log", "check"]] {
        let refused = studio.sandbox.retake(&[verb[0], verb[1], &text]);
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains("note.mcap"), "{}", refused.stderr);
    }
    let mixed =
        studio.sandbox.retake(&["run", "--headless", "--iterations", "1", "--record", WORLD]);
    assert!(mixed.stderr.contains("must end in .mcap"), "{}", mixed.stderr);
}
