//! Physics profiles of a running world: the manager, the commands and what they answer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use prost::Message;
use retake_assets::ResourceRoots;
use retake_components::{registry, spawn_world};
use retake_description::World;
use retake_diag::Diagnostics;
use retake_ecm::Ecm;
use retake_msgs::{
    CreateProfile, PhysicsParam, PhysicsProfilesRequest, PhysicsState, SetCurrentProfile,
    SetPhysics, SetProfileParam, UserCmd, UserCmdReply, names, user_cmd,
};
use retake_sim::{
    PresetManager, Request, Response, Server, ServerOptions, Simulation, SimulationOptions,
    service_table,
};

fn world() -> World {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/worlds/presets.sdf");
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(&file, &ResourceRoots::new(), &mut found).unwrap();
    assert!(!found.has_errors(), "{found}");
    world
}

fn ecm() -> Ecm {
    let mut ecm = Ecm::new(registry().build());
    spawn_world(&mut ecm, &world(), 1).unwrap();
    ecm
}

fn server() -> Server {
    let simulation = Simulation::load(&world(), &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions { paused: true, ..ServerOptions::default() })
}

fn command(server: &mut Server, command: user_cmd::Command) -> UserCmdReply {
    let command = UserCmd { command: Some(command), ..UserCmd::default() };
    match server.handle(Request::Command(Box::new(command))) {
        Response::Done(reply) => reply,
        _ => panic!("no reply"),
    }
}

fn physics(server: &mut Server) -> PhysicsState {
    match server.handle(Request::Physics(PhysicsProfilesRequest {})) {
        Response::Physics(state) => *state,
        _ => panic!("no state"),
    }
}

fn set(profile: &str, params: &[(&str, &str)]) -> user_cmd::Command {
    let param = params.iter();
    let param = param.map(|(k, v)| PhysicsParam { key: (*k).to_owned(), value: (*v).to_owned() });
    let (profile, param) = (profile.to_owned(), param.collect());
    user_cmd::Command::SetProfileParam(SetProfileParam { profile, param })
}

#[test]
fn parameters_are_read_as_they_would_be_in_force() {
    let ecm = ecm();
    let presets = PresetManager::new(&ecm).unwrap();
    assert_eq!(presets.all_profiles(), ["quick", "careful", "moon", "ghost"]);
    assert_eq!(presets.current_profile(), "careful");
    for (profile, key, value, written) in [
        ("quick", "type", "ode", true),
        ("quick", "max_step_size", "0.002", true),
        ("quick", "ode/solver/iters", "50", true),
        ("quick", "ode/solver/sor", "1.3", false),
        ("quick", "rapier/substeps", "1", true),
        ("careful", "rapier/contact_damping_ratio", "10", false),
        ("careful", "gravity", "", false),
        ("moon", "gravity", "0 0 -1.62", true),
    ] {
        let param = presets.profile_param(profile, key).unwrap();
        assert_eq!((param.value.as_str(), param.written), (value, written), "{profile} {key}");
    }
}

#[test]
fn whatever_is_set_is_read_back_and_nothing_else_changes() {
    let mut ecm = ecm();
    let keys: Vec<&str> = retake_physics::PROFILE_KEYS.iter().map(|key| key.key).collect();
    let all = |ecm: &Ecm| -> Vec<String> {
        let presets = PresetManager::new(ecm).unwrap();
        keys.iter().map(|key| presets.profile_param("careful", key).unwrap().value).collect()
    };
    for (index, key) in retake_physics::PROFILE_KEYS.iter().enumerate() {
        use retake_physics::KeyKind;
        let before = all(&ecm);
        let value = match key.kind {
            KeyKind::Number(least, most) | KeyKind::ZeroOrNumber(least, most) => {
                let middle = (least + most) / 2.0;
                if middle.abs() < 1e9 { middle.to_string() } else { "7.5".to_owned() }
            }
            KeyKind::Count(..) => "9".to_owned(),
            KeyKind::Flag => (before[index] == "false").to_string(),
            KeyKind::Choice(words) => words[words.len() - 1].to_owned(),
            KeyKind::Vector(..) => "1 -2 3.5".to_owned(),
        };
        let mut presets = PresetManager::new(&mut ecm).unwrap();
        presets.set_current_profile_param(key.key, &value).unwrap();
        let mut expected = before;
        expected[index] = value;
        assert_eq!(all(&ecm), expected, "{}", key.key);
    }
}

#[test]
fn a_profile_survives_the_way_through_text() {
    let mut ecm = ecm();
    let mut presets = PresetManager::new(&mut ecm).unwrap();
    presets.set_profile_param("quick", "bullet/constraints/erp", "0.4").unwrap();
    let text = presets.profile_sdf("quick").unwrap();
    let name = presets.create_named_from_sdf("again", &text).unwrap();
    let renamed = presets.profile_sdf(&name).unwrap();
    assert_eq!(renamed.replace("\"again\"", "\"quick\""), text);
    presets.set_profile_sdf("moon", &text).unwrap();
    assert_eq!(presets.profile_sdf("moon").unwrap().replace("\"moon\"", "\"quick\""), text);
    // Only one profile is what a world starts with.
    let marked = presets.create_profile_from_sdf("<physics name='m' default='true'/>").unwrap();
    assert!(!presets.profile(&marked).unwrap().is_default);
    let nameless = presets.create_profile_from_sdf("<physics type='ode'/>").unwrap();
    assert_eq!(nameless, "default_physics");
    assert_eq!(presets.create_profile_from_sdf("<physics/>").unwrap(), "default_physics_2");
}

#[test]
fn text_that_cannot_be_used_is_refused_and_says_why() {
    let mut ecm = ecm();
    let before = ecm.snapshot();
    let mut presets = PresetManager::new(&mut ecm).unwrap();
    for (text, said) in [
        ("", "profile is empty"),
        ("<physics", "The SDF text cannot be used: profile:1:"),
        ("<physics/><physics/>", "it holds 2 profiles; one is expected"),
        (
            "<physics name='p'><max_step_size>9</max_step_size></physics>",
            "max_step_size is \"9\". It must be 1e-9 to 0.1 s",
        ),
        (
            "<physics name='p'><rapier><substeps>0</substeps></rapier></physics>",
            "physics setting substeps is 0; it must be 1 to 64",
        ),
        (
            "<physics name='p'><rapier><turbo>1</turbo></rapier></physics>",
            "rapier/turbo is no setting. Known: substeps",
        ),
        (
            "<physics name='p'><gravity>9.8</gravity></physics>",
            "gravity is \"9.8\"; write three numbers",
        ),
        (
            "<physics name='p'><ode><solver><iters>x</iters></solver></ode></physics>",
            "ode/solver/iters is \"x\"; write a whole number from 0 to 1000000",
        ),
        ("<physics name='moon'/>", "There is a profile named \"moon\" already"),
        ("<physics name='a&#7;'/>", "which changes how text is shown"),
    ] {
        let refused = presets.create_profile_from_sdf(text).unwrap_err().to_string();
        assert!(refused.contains(said), "{text}: {refused}");
    }
    let long = format!("<physics name='p'><note>{}</note></physics>", "x".repeat(70_000));
    let refused = presets.create_profile_from_sdf(&long).unwrap_err().to_string();
    assert!(refused.contains("bytes of SDF; at most 65536 can be kept"), "{refused}");
    let refused = presets.create_profile("\u{202e}evil").unwrap_err().to_string();
    assert!(refused.contains("is no name for a profile"), "{refused}");
    assert_eq!(ecm.snapshot().encode_full(), before.encode_full());
}

#[test]
fn the_answer_to_a_change_lists_what_is_in_force() {
    let mut server = server();
    let switch = SetCurrentProfile { name: "quick".to_owned() };
    let reply = command(&mut server, user_cmd::Command::SetCurrentProfile(switch));
    assert!(reply.ok, "{}", reply.message);
    assert_eq!(
        reply.message,
        "Switch to profile quick. In force: type rapier, max_step_size 0.002 s, \
         real_time_factor 1, gravity 0 0 -9.81 m/s², rapier/substeps 1, \
         rapier/solver_iterations 8, rapier/contact_frequency_factor 0.1, \
         rapier/contact_damping_ratio 10, rapier/friction_model patch, \
         rapier/continuous_collision true, rapier/sleeping true. Not used: type, \
         ode/solver/type, ode/solver/iters"
    );
    let state = physics(&mut server);
    assert_eq!((&reply.in_force, &reply.not_used), (&state.in_force, &state.not_used));
    assert_eq!(state.current, "quick");
    assert_eq!(state.profiles.len(), 4);
    assert_eq!(state.keys.len(), retake_physics::PROFILE_KEYS.len());
    // What the history shows is short.
    assert_eq!(server.history().undo[0].description, "Switch to profile quick");
}

#[test]
fn several_parameters_are_set_whole_or_not_at_all() {
    let mut server = server();
    let before = physics(&mut server);
    let reply = command(&mut server, set("", &[("max_step_size", "0.004"), ("gravity", "up")]));
    assert!(!reply.ok);
    assert_eq!(physics(&mut server), before);
    let reply = command(&mut server, set("", &[]));
    assert_eq!(reply.message, "The command names no parameter to set");
    let reply = command(&mut server, set("", &[("max_step_size", "0.004"); 100]));
    assert!(reply.message.starts_with("The command sets 100 parameters;"), "{}", reply.message);
    let reply = command(&mut server, set("", &[("max_step_size", "0.004"), ("type", "tpe")]));
    assert!(reply.ok, "{}", reply.message);
    let value = |key: &str| {
        let found = reply.in_force.iter().find(|param| param.key == key);
        found.map(|param| param.value.clone())
    };
    assert_eq!(value("type").as_deref(), Some("tpe"));
    assert_eq!(value("max_step_size").as_deref(), Some("0.004"));
    assert_eq!(value("gravity"), None);
}

#[test]
fn sdf_and_a_copy_are_not_asked_for_at_once() {
    let mut server = server();
    let create = |name: &str, sdf: &str, copy_of: &str| {
        user_cmd::Command::CreateProfile(CreateProfile {
            name: name.to_owned(),
            sdf: sdf.to_owned(),
            copy_of: copy_of.to_owned(),
        })
    };
    let refused = command(&mut server, create("x", "<physics/>", "moon"));
    assert!(refused.message.contains("not both"), "{}", refused.message);
    let refused = command(&mut server, create("", "", "moon"));
    assert_eq!(refused.message, "create_profile.name is missing");
}

#[test]
fn set_physics_as_gazebo_has_it() {
    let mut server = server();
    let table = service_table("presets");
    let entry = table.iter().find(|entry| entry.name == names::set_physics("presets")).unwrap();
    let request = SetPhysics { max_step_size: Some(0.005), real_time_factor: None };
    let request = (entry.decode)(&request.encode_to_vec()).unwrap();
    let Response::Done(reply) = server.handle(request) else { panic!("no reply") };
    assert!(reply.ok, "{}", reply.message);
    assert_eq!(server.simulation().clock().step_size.as_secs_f64(), 0.005);
}
