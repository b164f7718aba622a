//! Physics profiles of a running server: the command line, and what is saved.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;

use expect_test::expect;
use serde_json::Value;
use support::{Running, Sandbox};

const WORLD: &str = r#"<?xml version="1.0"?>
<!-- A ball -->
<sdf version="1.11">
  <world name="yard">
    <!-- The first of two -->
    <physics name="plain" type="ode">
      <max_step_size>1e-3</max_step_size> <!-- a millisecond -->
      <ode><solver><iters>50</iters></solver></ode>
    </physics>
    <physics   name="moon" default="true">
      <gravity>0 0 -1.62</gravity>
    </physics>
    <gravity>0 0 -9.80</gravity>
    <model name="ball"><pose>0 0 5.0 0 0 0</pose><link name="l"/></model>
  </world>
</sdf>
"#;

fn serve(sandbox: &Sandbox) -> (Running, String) {
    let file = sandbox.write("yard.sdf", WORLD);
    let server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused"]);
    (server, file)
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&sandbox.retake(&arguments).success()).unwrap()
}

#[test]
fn profiles_are_listed_shown_and_switched() {
    let sandbox = Sandbox::new();
    let (_server, _) = serve(&sandbox);
    expect![[r#"
        profile  type  step     speed
        plain    ode   0.001 s  1
        moon     ode   0.001 s  1      in force, default
    "#]]
    .assert_eq(&sandbox.retake(&["physics", "list"]).success());
    sandbox.retake(&["physics", "--profile", "plain"]).success();
    expect![[r#"
        profile plain, in force:
        type                             rapier
        max_step_size                    0.001 s
        real_time_factor                 1
        gravity                          0 0 -9.8 m/s²
        rapier/substeps                  2
        rapier/solver_iterations         8
        rapier/contact_frequency_factor  0.1
        rapier/contact_damping_ratio     10
        rapier/friction_model            patch
        rapier/continuous_collision      true
        rapier/sleeping                  true
        not used:
          type              ode  it is not here; rapier stands in for it
          ode/solver/iters  50   no engine here uses it
    "#]]
    .assert_eq(&sandbox.retake(&["physics", "show"]).success());
    let said = json(&sandbox, &["physics", "set", "rapier/substeps", "3"]);
    assert_eq!(said["in_force"]["rapier/substeps"], "3");
    assert_eq!(said["not_used"][1]["key"], "ode/solver/iters");
    let moon = json(&sandbox, &["physics", "show", "moon"]);
    assert_eq!(moon["values"]["gravity"]["value"], "0 0 -1.62");
    assert_eq!(moon["values"]["rapier/substeps"]["written"], false);
    let printed = sandbox.retake(&["physics", "show", "moon", "--sdf"]).success();
    assert!(printed.starts_with("<physics name=\"moon\" default=\"true\""), "{printed}");
    let refused = sandbox.retake(&["physics", "--profile", "sun"]);
    assert_eq!(
        refused.complaint(),
        "exit 1\nretake: No profile named \"sun\" in this world. Known: plain, moon\n"
    );
    assert_eq!(json(&sandbox, &["physics", "keys"])[1]["unit"], "s");
}

#[test]
fn only_the_profiles_are_saved_in_place() {
    let sandbox = Sandbox::new();
    let (server, file) = serve(&sandbox);
    let said = sandbox.retake(&["physics", "save"]).success();
    assert_eq!(said.trim(), format!("{file} holds the world already"));
    // What else was edited is not the profiles' affair.
    sandbox.retake(&["entity", "move", "ball", "--to", "1", "2", "3"]).success();
    sandbox.retake(&["physics", "set", "gravity", "0", "0", "-1.7"]).success();
    sandbox.retake(&["physics", "set", "--profile", "plain", "max_step_size", "0.002"]).success();
    sandbox.retake(&["physics", "create", "tuned", "--from", "moon"]).success();
    sandbox.retake(&["physics", "set", "--profile", "tuned", "rapier/substeps", "6"]).success();
    let saved = sandbox.retake(&["physics", "save"]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let text = fs::read_to_string(&file).unwrap();
    let expected = WORLD
        .replace("<max_step_size>1e-3<", "<max_step_size>0.002<")
        .replace("<gravity>0 0 -1.62<", "<gravity>0 0 -1.7<");
    let (before, after) = expected.split_at(expected.find("    <gravity>0 0 -9.80").unwrap());
    assert!(text.starts_with(before.trim_end()), "{text}");
    assert!(text.ends_with(after), "{text}");
    assert!(text.contains("<rapier>") && text.contains("name=\"tuned\""), "{text}");
    drop(server);
    let _server = sandbox.start(&["server", &file, "--bus-port", "0", "--paused", "-o", "tuned"]);
    let shown = json(&sandbox, &["physics", "show"]);
    assert_eq!(shown["current"], "tuned");
    assert_eq!(shown["in_force"]["rapier/substeps"], "6");
    assert_eq!(shown["in_force"]["gravity"], "0 0 -1.7");
}

#[test]
fn profiles_are_saved_into_a_copy_and_loaded_from_it() {
    let sandbox = Sandbox::new();
    let (_server, file) = serve(&sandbox);
    sandbox.retake(&["physics", "set", "rapier/substeps", "6"]).success();
    let copy = sandbox.folder.path().join("copy.sdf").display().to_string();
    sandbox.retake(&["physics", "save", &copy]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), WORLD);
    sandbox.retake(&["physics", "set", "rapier/substeps", "1"]).success();
    let said = json(&sandbox, &["physics", "load", &copy]);
    assert_eq!(said["in_force"]["rapier/substeps"], "6");
    let message = said["message"].as_str().unwrap();
    assert!(message.starts_with("Load profiles: replace plain, moon. In force:"), "{message}");
    // A file that someone else changed is not overwritten.
    fs::write(&file, WORLD.replace("A ball", "Mine")).unwrap();
    let refused = sandbox.retake(&["physics", "save"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("was changed by someone else"), "{}", refused.stderr);
}

#[test]
fn check_lists_what_is_not_used_and_is_content() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("yard.sdf", WORLD);
    let ended = sandbox.retake(&["sdf", "check", &file]);
    assert_eq!(ended.code, 0, "{}", ended.stdout);
    let said = ended.stdout.replace(&sandbox.folder.path().display().to_string(), "$DIR");
    expect![[r#"
        $DIR/yard.sdf: no findings
        not used:
          physics[plain]/ode/solver/iters  50: no engine here uses it
    "#]]
    .assert_eq(&said);
    let said = json(&sandbox, &["sdf", "check", &file]);
    assert_eq!(said["not_used"][0]["path"], "physics[plain]/ode/solver/iters");
}
