//! Numbers that are none, endless or beyond all reason, in every field of every command.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, Value};
use retake_msgs::{UserCmd, UserCmdReply, descriptor_pool};
use retake_sim::{Request, Server, ServerOptions};
use support::spoil::{WILD, spoiled};
use support::{load, worlds};

/// Commands that are taken as they stand, with every number that a person would give.
const COMMANDS: &[(&str, &str)] = &[
    ("move_entity", r#"{"entity":{"name":"mug"},"position":{"x":1},"orientation":{"w":1}}"#),
    ("move_entities", r#"{"move":[{"entity":{"name":"mug"},"position":{"x":1}}]}"#),
    (
        "copy_entity",
        r#"{"entity":{"name":"mug"},"pose":{"position":{"x":1},"orientation":{"w":1}}}"#,
    ),
    ("scale_entity", r#"{"entity":{"name":"mug"},"factor":{"x":2,"y":2,"z":2}}"#),
    (
        "snap_entity",
        r#"{"from":{"entity":{"name":"mug"},"point":{"x":0},"normal":{"z":-1}},
            "to":{"entity":{"name":"ball"},"point":{"x":0},"normal":{"z":1}}}"#,
    ),
    (
        "insert_entity",
        r#"{"sdf":"<sdf version='1.9'><model name='new'><link name='l'/></model></sdf>",
            "pose":{"position":{"x":1},"orientation":{"w":1}}}"#,
    ),
    ("set_joint_position", r#"{"joint":{"name":"arm::elbow"},"position":0.5}"#),
    (
        "command_joint",
        r#"{"joint":{"name":"arm::elbow"},"position":0.5,"stiffness":100,"damping":10,"max_effort":50}"#,
    ),
    ("set_joint_positions", r#"{"robot":"arm","name":["elbow"],"position":[0.5]}"#),
    (
        "start_motion",
        r#"{"robot":"arm","speed":0.5,"keep_alive_secs":1,"goal":{"goal_time_tolerance":1,
            "trajectory":{"joint_names":["elbow"],"points":[{"positions":[0.5],"time_from_start":1}]}}}"#,
    ),
    ("set_motion_speed", r#"{"robot":"arm","factor":0.5}"#),
    (
        "set_component",
        r#"{"entity":{"name":"arm::forearm"},"component":"inertial",
            "change":[{"field":"mass_kg","value":{"number":2}}]}"#,
    ),
    ("pull_link", r#"{"link":"arm::forearm","point":{"x":0},"target":{"z":1},"lasts_secs":0.5}"#),
];

/// How many messages inside one another are looked into.
const DEPTH: usize = 8;

fn server() -> Server {
    let file = worlds().into_iter().find(|world| world.ends_with("arm.sdf")).unwrap();
    let options = ServerOptions { paused: true, ..ServerOptions::default() };
    let mut server = Server::new(load(&file), &options);
    (0..10).for_each(|_| server.step());
    server
}

fn user_cmd() -> MessageDescriptor {
    descriptor_pool().get_message_by_name("retake.msgs.UserCmd").unwrap()
}

fn descriptor(command: &str) -> MessageDescriptor {
    let field = user_cmd().get_field_by_name(command).unwrap();
    let Kind::Message(message) = field.kind() else { panic!("{command} is no command") };
    message
}

fn example(command: &str, json: &str) -> DynamicMessage {
    let mut reader = serde_json::Deserializer::from_str(json);
    DynamicMessage::deserialize(descriptor(command), &mut reader).unwrap()
}

fn send(server: &mut Server, id: &str, command: &str, message: DynamicMessage) -> UserCmdReply {
    let mut whole = DynamicMessage::new(user_cmd());
    whole.set_field_by_name(command, Value::Message(message));
    whole.set_field_by_name("id", Value::String(id.to_owned()));
    let decoded = UserCmd::decode(whole.encode_to_vec().as_slice()).unwrap();
    server.handle(Request::Command(Box::new(decoded))).into_reply()
}

/// What a refusal says of a field: its path, and in components the path there.
fn named(command: &str, path: &str, wild: f64) -> String {
    match command {
        "set_component" if path.ends_with("value.number") => format!("mass_kg is {wild};"),
        "set_component" => "mass_kg".to_owned(),
        _ => format!("{command}.{path} is {wild:e};"),
    }
}

#[test]
fn every_command_with_numbers_is_tried() {
    let has_numbers = |command: &str| {
        !spoiled(&DynamicMessage::new(descriptor(command)), f64::NAN, DEPTH).is_empty()
    };
    let whole = user_cmd();
    let commands = whole.fields().filter(|field| field.containing_oneof().is_some());
    let names: Vec<String> = commands.map(|field| field.name().to_owned()).collect();
    let tried: Vec<&str> = COMMANDS.iter().map(|(command, _)| *command).collect();
    let missed: Vec<&String> =
        names.iter().filter(|name| has_numbers(name) && !tried.contains(&name.as_str())).collect();
    assert!(missed.is_empty(), "no example of {missed:?}");
}

#[test]
fn wild_numbers_are_refused_in_every_field_of_every_command() {
    let mut taken = Vec::new();
    let mut tried = 0;
    for (command, json) in COMMANDS {
        let good = example(command, json);
        let reply = send(&mut server(), "good", command, good.clone());
        assert!(reply.ok, "{command} is to be taken: {}", reply.message);
        let mut server = server();
        let before = server.simulation().hash().unwrap();
        for (number, wild) in WILD.into_iter().enumerate() {
            for (path, message) in spoiled(&good, wild, DEPTH) {
                let id = format!("{path}-{number}");
                let reply = send(&mut server, &id, command, message);
                tried += 1;
                let is_named = reply.message.contains(&named(command, &path, wild));
                if reply.ok || !is_named || server.simulation().hash().unwrap() != before {
                    taken.push(format!("{command}.{path} = {wild}: {}", reply.message));
                    server = self::server();
                }
            }
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
    assert!(tried > 100, "{tried} fields were tried");
}

#[test]
fn numbers_beyond_the_bounds_of_their_field_are_refused_by_its_path() {
    let joint = r#""joint":{"name":"arm::elbow"},"position":0.5"#;
    let goal = r#""robot":"arm","goal":{"trajectory":{"joint_names":["elbow"],
        "points":[{"positions":[0.5],"time_from_start":1}]}}"#;
    let nested = r#""trajectory":{"points":[{"positions":[0]},{"positions":[0,1e7]}]}"#;
    let cases = [
        (
            "command_joint",
            format!("{{{joint},\"stiffness\":-1}}"),
            "command_joint.stiffness is -1;",
        ),
        ("command_joint", format!("{{{joint},\"damping\":1e20}}"), "command_joint.damping is 1000"),
        ("set_motion_speed", r#"{"robot":"arm","factor":11}"#.to_owned(), "factor is 11; write a"),
        (
            "start_motion",
            format!("{{{goal},\"nested\":[{{\"name\":\"wave\",{nested}}}]}}"),
            "nested[0].trajectory.points[1].positions[1] is 10000000, in the motion \"wave\"",
        ),
        (
            "start_motion",
            format!("{{{goal},\"nested\":[{{\"pathTolerance\":[{{\"velocity\":1e9}}]}}]}}"),
            "nested[0].path_tolerance[0].velocity is 1000000000,",
        ),
    ];
    let mut server = server();
    let before = server.simulation().hash().unwrap();
    for (number, (command, json, told)) in cases.into_iter().enumerate() {
        let reply = send(&mut server, &number.to_string(), command, example(command, &json));
        assert!(!reply.ok && reply.message.contains(told), "{json}: {}", reply.message);
    }
    assert_eq!(server.simulation().hash().unwrap(), before);
}
