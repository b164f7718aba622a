//! Bad input gets one clear line and the right exit code.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use support::{Ended, Sandbox};

const WORLD: &str =
    r#"<sdf version="1.11"><world name="w"><model name="m"><link name="l"/></model></world></sdf>"#;

/// Runs the program and compares its complaint; the sandbox's folder is written as `$DIR`.
fn check(sandbox: &Sandbox, arguments: &[&str], expected: Expect) {
    let complaint = sandbox.retake(arguments).complaint();
    expected.assert_eq(&complaint.replace(&sandbox.folder.path().display().to_string(), "$DIR"));
}

#[test]
fn a_missing_file_is_named() {
    let sandbox = Sandbox::new();
    check(
        &sandbox,
        &["run", "no/such.sdf", "--headless", "--iterations", "1"],
        expect![[r#"
        exit 1
        retake: error[sdf-no-such-file]: there is no file no/such.sdf
    "#]],
    );
}

#[test]
fn broken_xml_is_placed() {
    let sandbox = Sandbox::new();
    let file = sandbox
        .write("broken.sdf", "<sdf version='1.11'>\n  <world name='w'>\n  </wrld>\n</sdf>\n");
    check(
        &sandbox,
        &["run", &file, "--headless", "--iterations", "1"],
        expect![[r#"
        exit 1
        retake: $DIR/broken.sdf:3:3: error[xml-mismatched-tag]: </wrld> does not match <world> at line 2, column 3
    "#]],
    );
}

#[test]
fn an_unknown_element_is_a_finding_with_a_hint() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "typo.sdf",
        &WORLD.replace("<link name=\"l\"/>", "<link name=\"l\"><colision name=\"c\"/></link>"),
    );
    let ended = sandbox.retake(&["sdf", "check", &file]);
    assert_eq!(ended.code, 1);
    let findings = ended.stdout.replace(&sandbox.folder.path().display().to_string(), "$DIR");
    expect![[r#"
        $DIR/typo.sdf:1:68: warning[sdf-unknown-element]: SDF has no <colision> in <link>; it is kept and not used. Did you mean <collision>?
    "#]].assert_eq(&findings);
    // A world with a warning runs all the same.
    let ran = sandbox.retake(&["run", &file, "--headless", "--iterations", "1", "--hash"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn an_unknown_profile_lists_the_known() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("world.sdf", WORLD);
    check(
        &sandbox,
        &["run", &file, "--headless", "--iterations", "1", "-o", "quick"],
        expect![[r#"
            exit 1
            retake: No profile named "quick" in this world. Known: default_physics
        "#]],
    );
}

#[test]
fn usage_is_exit_code_two() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.retake(&["frobnicate"]).code, 2);
    assert_eq!(sandbox.retake(&["entity", "move", "box"]).code, 2);
}

#[test]
fn no_server_says_how_to_start_one() {
    let sandbox = Sandbox::new();
    check(
        &sandbox,
        &["world", "stats"],
        expect![[r#"
        exit 1
        retake: No Retake server is running. Start one with: retake run WORLD
    "#]],
    );
}

#[test]
fn a_busy_page_port_is_named() {
    let sandbox = Sandbox::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let file = sandbox.write("world.sdf", WORLD);
    let log = sandbox.folder.path().join("a.mcap");
    let record = log.display().to_string();
    let start = ["run", &file, "--bus-port", "0", "--port", &port, "--record", &record];
    let ended = sandbox.retake(&start);
    // The next try would not overwrite it.
    assert!(!log.exists());
    let complaint = ended.complaint().replace(&port, "$PORT");
    expect![[r#"
        exit 1
        retake: Port $PORT is taken. Stop the other program or choose another port with --port
    "#]]
    .assert_eq(&complaint);
}

#[test]
fn a_second_server_on_the_same_port_is_told_who_has_it() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("world.sdf", WORLD);
    let first = sandbox.start(&["server", &file, "--bus-port", "0"]);
    let port = first.first_line.rsplit(':').next().unwrap().to_owned();
    let ended = sandbox.retake(&["server", &file, "--bus-port", &port]);
    let complaint = ended.complaint().replace(&port, "$PORT");
    let without_process = complaint.split("(process").next().unwrap();
    expect![[r#"
        exit 1
        retake: port $PORT is taken by the server of world "w" "#]]
    .assert_eq(without_process);
    assert_eq!(ended.code, 1);
}

#[test]
fn files_that_never_end_are_refused() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["run", "/dev/zero", "--headless", "--iterations", "1"] as &[&str],
        &["scenario", "/dev/zero"],
        &["motion", "check", "/dev/zero"],
        &["motion", "info", "/dev/zero"],
        &["plot", "run", "--layout", "/dev/zero", "--out", "plot.svg"],
    ] {
        let ended = sandbox.retake(arguments);
        assert!(ended.code == 1, "{arguments:?}: exit {}, {}", ended.code, ended.stderr);
        let told = ended.stdout + &ended.stderr;
        assert!(told.contains("/dev/zero"), "{arguments:?}: {told}");
        // One says how many were bad after that.
        assert!(told.lines().count() <= 2, "{arguments:?}: {told}");
    }
}

#[test]
fn a_private_key_that_everybody_may_read_is_told() {
    let sandbox = Sandbox::new();
    let key = sandbox.write("key.pem", "no key");
    let run = |mode: u32| {
        fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
        let tls = ["--listen", "127.0.0.1:0", "--tls-cert", &key, "--tls-key", &key];
        sandbox.retake(&[&["run", "--iterations", "1"][..], &tls[..]].concat()).stderr
    };
    let told = format!("Everybody on this machine may read {key}. Run: chmod o= {key}");
    assert!(run(0o604).contains(&told));
    assert!(!run(0o640).contains("may read"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_retake");
    let line = format!("set -o pipefail; {program} completions bash | head -n 1");
    let status = std::process::Command::new("bash").args(["-c", &line]).output().unwrap().status;
    assert!(status.success());
    drop(sandbox);
}

#[test]
fn what_holds_is_shown_with_what_changes_it() {
    let sandbox = Sandbox::new();
    let text = sandbox.retake(&["config", "show"]).success();
    for (name, value, changed_by) in [
        ("page", "http://127.0.0.1:8642/", "--port"),
        ("bus", "127.0.0.1:8643", "--bus-port"),
        ("undo", "200 commands, 512 MiB", "--undo-steps"),
        ("timeline", "256 MiB, 1800 s", "--timeline-memory"),
    ] {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains(value) && line.contains(changed_by), "{line}");
    }
    let json = sandbox.retake(&["config", "show", "--format", "json"]).success();
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["name"], "version");
}

/// A path that no text can name.
fn unnamable(sandbox: &Sandbox, ending: &str) -> PathBuf {
    let name = [b"b\xff", ending.as_bytes()].concat();
    sandbox.folder.path().join(OsStr::from_bytes(&name))
}

#[test]
fn files_whose_names_are_no_text_are_taken_as_others_are() {
    let sandbox = Sandbox::new();
    let (world, motion) = (unnamable(&sandbox, ".sdf"), unnamable(&sandbox, ".motion.toml"));
    fs::write(&world, WORLD).unwrap();
    let run = |words: &str, file: &Path| {
        let words: Vec<&str> = words.split(' ').collect();
        let ended = Ended::from(sandbox.command(&words).arg(file).output().unwrap());
        (ended.code, ended.stdout + &ended.stderr)
    };
    let wave = "worlds/motions/arm/wave.motion.toml";
    for (words, file) in [
        ("sdf check", &world),
        ("sdf check --format json", &world),
        ("sdf print --resolved", &world),
        ("--format json sdf print", &world),
        (&format!("motion convert {wave}"), &motion),
        (&format!("motion edit {wave} --reverse"), &motion),
        ("motion check", &motion),
    ] {
        let (code, told) = run(words, file);
        assert_eq!(code, 0, "{words}: {told}");
        assert!(told.contains("b\u{fffd}.") || words == "motion check", "{words}: {told}");
    }
}

#[test]
fn what_means_nothing_is_refused_in_a_line() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let odd = sandbox.write("odd.sdf", &WORLD.replace("name=\"w\"", "name=\"a*b\""));
    let log = sandbox.write("a.mcap", "\u{89}MCAP");
    let motion = sandbox.write("wave.motion.toml", "");
    let empty = sandbox.write("empty.json", "");
    let folder = sandbox.folder.path().display().to_string();
    let steps = format!("run {world} --headless --iterations 1");
    let plot = format!("plot {world} --item m::pose.position.x --out {folder}/a.svg");
    for (line, code, told) in [
        (format!("{steps} --at 1"), 2, "--at <SECONDS>"),
        (format!("{steps} --pass 2"), 2, "--pass <N>"),
        (format!("run --resume {log} --at nan"), 2, "write seconds from 0 on, as in 1.5"),
        (format!("run --resume {log} --at inf"), 2, "write seconds from 0 on, as in 1.5"),
        (format!("run --resume {log} --at -1"), 2, "write seconds from 0 on, as in 1.5"),
        (format!("run --resume {log} -o fast"), 2, "cannot be used with '--profile <NAME>'"),
        (format!("run --resume {log} --seed 7"), 2, "cannot be used with '--seed <SEED>'"),
        (
            format!("{steps} --record-rate 5"),
            1,
            "are for recordings, and nothing is recorded. Add --record",
        ),
        (
            format!("{steps} --record-topic /a"),
            1,
            "are for recordings, and nothing is recorded. Add --record",
        ),
        (format!("{steps} --layout no.json"), 1, "--layout needs the page. Without one, use: "),
        (format!("{steps} --rtf 1e308"), 1, "--rtf is 1e308; write 0 for as fast as possible"),
        (
            format!("{steps} --record {folder}/b.mcap --record-rate 1e308"),
            1,
            "--record-rate is 1e308; write 0 for each step",
        ),
        (format!("{steps} --rtf -1"), 1, "--rtf is -1; write 0 for as fast as possible"),
        (format!("{steps} --bus-port 0 --bus-open {empty}"), 1, "--bus-open: "),
        (format!("server {world} --lockstep "), 2, "write the name that the controller joins with"),
        ("world step 0".to_owned(), 2, "0 is not in 1.."),
        ("world step -1".to_owned(), 2, "-1 is not in 1.."),
        ("timeline delete ".to_owned(), 2, "write its name, as \"retake timeline show\" has it"),
        ("timeline switch ".to_owned(), 2, "write its name, as \"retake timeline show\" has it"),
        (format!("{plot} --rate 1e308"), 1, "--rate is 1e308; write 0 for each step"),
        (format!("{plot} --seconds 1e308"), 1, "--seconds is 1e308; write a number above 0"),
        (format!("{plot} --from nan"), 1, "--from is NaN; write an instant in seconds"),
        (format!("{plot} --to nan"), 1, "--to is NaN; write an instant in seconds"),
        (format!("{plot} --from=-inf"), 1, "--from is -inf; write an instant in seconds"),
        (
            format!("{plot} --from 5 --to 1"),
            1,
            "--from is 5 and --to is 1; write the earlier instant first",
        ),
        (
            format!("server {odd} --bus-port 0"),
            1,
            "The world is called \"a*b\". None of * $ ? # can be in the name",
        ),
        (format!("run {log} --headless"), 1, "is a log, not a world. Show it with: retake play"),
        (
            format!("run {motion}"),
            1,
            "is a motion, not a world. Check it with: retake motion check",
        ),
    ] {
        let ended = sandbox.retake(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, code, "{line}: {}", ended.stderr);
        assert!(ended.stderr.contains(told), "{line}: {}", ended.stderr);
        // Usage takes a few lines more.
        assert!(code == 2 || ended.stderr.lines().count() == 1, "{line}: {}", ended.stderr);
    }
    assert!(!sandbox.folder.path().join("a.svg").exists());
}

#[test]
fn what_opens_a_page_is_refused_where_none_is_opened() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    for (flags, told) in [
        ("--port 0 --token-file a", "cannot be used with"),
        ("--port 0 --tls-cert a --tls-key b", "cannot be used with"),
        ("--port 0 --name a", "cannot be used with"),
        ("--port 0 --insecure", "cannot be used with"),
        ("--insecure", "--listen <ADDR:PORT>"),
    ] {
        let ended =
            sandbox.retake(&[&["run", &world][..], &flags.split(' ').collect::<Vec<_>>()].concat());
        assert!(ended.code == 2 && ended.stderr.contains(told), "{flags}: {}", ended.stderr);
    }
}

#[test]
fn numbers_below_zero_are_numbers_and_no_options() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let _server = sandbox.start(&["server", &world, "--bus-port", "0", "--paused"]);
    for (line, told) in [
        ("world speed -1", "-1"),
        ("world play --rtf -1", "-1"),
        ("entity scale m -1", "-1"),
        ("entity scale m 1 -2 1", "-2"),
        ("entity move m --to 0 0 -inf", "position.z"),
        ("entity rotate m --by 0 -inf 0", "orientation.x"),
    ] {
        let refused = sandbox.retake(&line.split(' ').collect::<Vec<_>>());
        assert!(refused.stderr.contains(told), "{line}: {}", refused.stderr);
        assert_eq!((refused.code, refused.stderr.lines().count()), (1, 1), "{line}");
    }
    // What follows the numbers is an option as ever.
    let moved = ["entity", "move", "m", "--to", "0", "-1", "-0.5", "--keep-velocity"];
    sandbox.retake(&moved).success();
    let short = sandbox.retake(&["entity", "move", "m", "--to", "0", "1"]);
    assert!(short.code == 2 && short.stderr.contains("3 values required"), "{}", short.stderr);
}

#[test]
fn items_that_are_nowhere_are_refused() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let _server = sandbox.start(&["server", &world, "--bus-port", "0"]);
    // One that is known is printed, and the other is told.
    let watched = sandbox.retake(&["introspect", "watch", "sim_time", "nope", "--count", "1"]);
    assert!(watched.stderr.contains("No item \"nope\""), "{}", watched.stderr);
    assert_eq!(watched.success().lines().count(), 1);
    // By now there is a past.
    let values = sandbox.retake(&["timeline", "values", "sim_time", "nope"]);
    assert!(values.stderr.contains("No item \"nope\""), "{}", values.stderr);
    assert_eq!(values.code, 0, "{}", values.stderr);
    let told = "retake: No item \"nope\". See: retake introspect list\n";
    for verb in [["timeline", "values"], ["introspect", "watch"]] {
        let refused = sandbox.retake(&[verb[0], verb[1], "nope"]);
        assert_eq!((refused.code, refused.stderr.as_str()), (1, told), "{verb:?}");
        assert_eq!(refused.stdout, "");
    }
}

#[test]
fn a_run_in_which_a_system_stops_fails() {
    let sandbox = Sandbox::new();
    sandbox.write("syntax.luau", "function step(state, api\n");
    let plugin = "<plugin name=\"pid\" filename=\"retake-script\">\
                  <script>syntax.luau</script></plugin></model>";
    let world = sandbox.write("syntax.sdf", &WORLD.replace("</model>", plugin));
    let steps = ["run", &world, "--headless", "--bus-port", "0", "--iterations", "5"];
    // With a pace there is a bus, and without neither.
    for more in [&[][..], &["--rtf", "0"]] {
        let ended = sandbox.retake(&[&steps, more].concat());
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        let last = ended.stderr.lines().last().unwrap_or_default();
        assert_eq!(last, "The run failed: m::pid stopped before its end", "{}", ended.stderr);
        let why = ended.stderr.matches("System m::pid was stopped: syntax.luau").count();
        assert_eq!(why, 1, "{}", ended.stderr);
    }
}

#[test]
fn a_cause_is_said_once() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let folder = sandbox.folder.path().display().to_string();
    check(
        &sandbox,
        &["log", "info", &folder],
        expect![[r#"
            exit 1
            retake: The log cannot be read: this is not a regular file, in $DIR
        "#]],
    );
    check(
        &sandbox,
        &["server", &world, "--bus-port", "0", "--bus-open", &folder],
        expect![[r#"
            exit 1
            retake: --bus-open: Could not read $DIR: Is a directory (os error 21)
        "#]],
    );
}

#[test]
fn where_nobody_answers_no_source_code_is_named() {
    let sandbox = Sandbox::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let arguments = ["world", "stats", "--server", &address];
    let ended = sandbox.retake(&arguments);
    let told = format!("retake: no Retake server answers at {address}. Start one with: retake run");
    assert!(ended.code == 1 && ended.stderr.starts_with(&told), "{}", ended.stderr);
    assert!(!ended.stderr.contains(".rs:"), "{}", ended.stderr);
    // What is logged into a file has no colours.
    let logged = sandbox.command(&arguments).env("RUST_LOG", "debug").output().unwrap().stderr;
    let logged = String::from_utf8(logged).unwrap();
    assert!(logged.contains("DEBUG") && !logged.contains('\u{1b}'), "{logged}");
}

#[test]
fn a_kind_of_entity_that_is_none_lists_the_known() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("world.sdf", WORLD);
    let _server = sandbox.start(&["server", &world, "--bus-port", "0", "--paused"]);
    check(
        &sandbox,
        &["entity", "list", "--kind", "nosuch"],
        expect![[r#"
            exit 1
            retake: Entities are of no kind "nosuch". Known: world, model, link, joint, collision, visual, light, sensor, plugin, frame
        "#]],
    );
    // Of a kind that is known there may be none.
    assert_eq!(sandbox.retake(&["entity", "list", "--kind", "light"]).success(), "");
    assert!(sandbox.retake(&["entity", "list", "--kind", "link"]).success().contains("m::l"));
}

#[test]
fn a_scenario_that_cannot_be_read_fails_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("world.sdf", WORLD);
    let good = sandbox.write("good.scenario", "world world.sdf\nexpect entity m\n");
    let wild = sandbox.write("wild.scenario", "world world.sdf\nexpect pose m nan 9 9 ±inf\n");
    let gone = format!("{}/gone.scenario", sandbox.folder.path().display());
    let ended = sandbox.retake(&["scenario", &gone, &wild, &good]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    let told = ended.stdout.replace(&sandbox.folder.path().display().to_string(), "$DIR");
    expect![[r#"
        FAIL  $DIR/gone.scenario: Could not read $DIR/gone.scenario: No such file or directory (os error 2)
        FAIL  $DIR/wild.scenario:2: "inf" is not a finite number
        ok    $DIR/good.scenario (2 lines)
        1 passed, 2 failed
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_log_with_nothing_in_it_is_done_with_loss() {
    let sandbox = Sandbox::new();
    let [log, to] = ["empty.mcap", "recovered.mcap"]
        .map(|name| sandbox.folder.path().join(name).display().to_string());
    fs::write(&log, b"\x89MCAP0\r\n").unwrap();
    let info = sandbox.retake(&["log", "info", &log]);
    assert_eq!(info.code, 3, "{}", info.stderr);
    assert!(info.stdout.starts_with("Nothing of a world was recorded\n"), "{}", info.stdout);
    assert!(!info.stdout.contains("Made by"), "{}", info.stdout);
    let recovered = sandbox.retake(&["log", "recover", &log, &to]);
    assert_eq!(recovered.code, 3, "{}", recovered.stderr);
    let told = format!("Nothing could be recovered from {log}\n");
    assert!(recovered.stdout.contains(&told), "{}", recovered.stdout);
}
