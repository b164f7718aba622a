//! Numbers that are none, endless or beyond all reason, in every field of every request and topic.
//!
//! Commands by users have a test of their own, `wild_numbers`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use prost::Message as _;
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, ReflectMessage as _, Value};
use retake_components::{Kind as EntityKind, world_pose};
use retake_msgs::descriptor_pool;
use retake_sim::{Response, Server, ServerOptions, ServiceEntry, service_table};
use support::{load, worlds};

const WILD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308];

/// Requests with numbers that are taken as they stand, by the end of their service's name.
const REQUESTS: &[(&str, &str)] = &[
    ("/control", r#"{"realTimeFactor":1}"#),
    (
        "/create",
        r#"{"sdf":"<sdf version='1.9'><model name='new'><link name='l'/></model></sdf>",
            "pose":{"position":{"x":1},"orientation":{"w":1}}}"#,
    ),
    ("/set_pose", r#"{"entity":{"name":"mug"},"pose":{"position":{"x":1},"orientation":{"w":1}}}"#),
    ("/set_physics", r#"{"maxStepSize":0.001,"realTimeFactor":1}"#),
    ("/set_filter", r#"{"item":["sim_time"],"rateHz":10}"#),
    (
        "/goal",
        r#"{"robot":"arm","speed":0.5,"keepAliveSecs":1,"trajectory":{"goalTimeTolerance":1,
            "trajectory":{"jointNames":["elbow"],"points":[{"positions":[0.5],"timeFromStart":1}]}}}"#,
    ),
    ("/timeline/edit", r#"{"settings":{"maxAgeSecs":60}}"#),
];

/// Says whether a robot would get in its own way; it changes nothing, and looks at positions alone.
const ONLY_ASKS: &str = "/motion/check";

fn world(name: &str) -> std::path::PathBuf {
    worlds().into_iter().find(|world| world.ends_with(name)).unwrap()
}

fn server(file: &std::path::Path) -> Server {
    let options = ServerOptions { paused: true, ..ServerOptions::default() };
    let mut server = Server::new(load(file), &options);
    (0..10).for_each(|_| server.step());
    server
}

fn message(name: &str) -> MessageDescriptor {
    descriptor_pool().get_message_by_name(name).unwrap()
}

/// Puts a number into each numeric field of a message in turn, down to `depth` messages inside.
fn spoiled(message: &DynamicMessage, wild: f64, depth: usize) -> Vec<(String, DynamicMessage)> {
    let mut all = Vec::new();
    for field in message.descriptor().fields() {
        let name = field.name().to_owned();
        let mut with = |path: String, value: Value| {
            let value = if field.is_list() { Value::List(vec![value]) } else { value };
            let mut copy = message.clone();
            copy.set_field(&field, value);
            all.push((path, copy));
        };
        match field.kind() {
            _ if field.is_map() => {}
            Kind::Double => with(name, Value::F64(wild)),
            Kind::Float => with(name, Value::F32(wild as f32)),
            Kind::Message(inner) if depth > 0 => {
                let old = match &*message.get_field(&field) {
                    Value::List(items) => items.first().cloned(),
                    value => Some(value.clone()),
                };
                let old = match old {
                    Some(Value::Message(old)) => old,
                    _ => DynamicMessage::new(inner),
                };
                for (path, part) in spoiled(&old, wild, depth - 1) {
                    with(format!("{name}.{path}"), Value::Message(part));
                }
            }
            _ => {}
        }
    }
    all
}

/// Says whether a request was done, as its answer says.
fn is_done(entry: &ServiceEntry, response: &Response) -> bool {
    let Ok(bytes) = response.encode() else { return false };
    let answer = DynamicMessage::decode(message(&entry.reply_type), bytes.as_slice()).unwrap();
    match answer.get_field_by_name("ok").as_deref() {
        Some(Value::Bool(ok)) => *ok,
        _ => true,
    }
}

fn example(entry: &ServiceEntry) -> Option<DynamicMessage> {
    let (_, json) = REQUESTS.iter().find(|(end, _)| entry.name.ends_with(end))?;
    let mut reader = serde_json::Deserializer::from_str(json);
    Some(DynamicMessage::deserialize(message(&entry.request_type), &mut reader).unwrap())
}

fn send(server: &mut Server, entry: &ServiceEntry, message: &DynamicMessage) -> bool {
    match (entry.decode)(&message.encode_to_vec()) {
        Ok(request) => is_done(entry, &server.handle(request)),
        Err(_) => false,
    }
}

#[test]
fn wild_numbers_are_refused_in_every_field_of_every_request() {
    let file = world("arm.sdf");
    let (mut taken, mut tried, mut with_example) = (Vec::new(), 0, 0);
    for entry in service_table("arm") {
        if entry.request_type == "retake.msgs.UserCmd" {
            continue;
        }
        let good = example(&entry);
        let mut server = server(&file);
        if let Some(good) = &good {
            assert!(send(&mut server, &entry, good), "{} is to be taken", entry.name);
            with_example += 1;
            server = self::server(&file);
        }
        let plain = good.unwrap_or_else(|| DynamicMessage::new(message(&entry.request_type)));
        let before = server.simulation().hash().unwrap();
        for wild in WILD {
            for (path, spoiled) in spoiled(&plain, wild, 6) {
                tried += 1;
                let done = send(&mut server, &entry, &spoiled) && !entry.name.ends_with(ONLY_ASKS);
                if done || server.simulation().hash().unwrap() != before {
                    taken.push(format!("{} {path} = {wild}", entry.name));
                    server = self::server(&file);
                }
            }
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
    assert_eq!(with_example, REQUESTS.len(), "every example is for a service");
    assert!(tried > 100, "{tried} fields were tried");
}

/// Types whose numbers systems could mean to use.
fn types_with_numbers() -> Vec<MessageDescriptor> {
    let pool = descriptor_pool();
    let all = pool.all_messages().filter(|message| message.full_name().starts_with("retake.msgs."));
    let has_numbers = |message: &MessageDescriptor| {
        !spoiled(&DynamicMessage::new(message.clone()), 0.0, 2).is_empty()
    };
    all.filter(has_numbers).collect()
}

fn assert_sane(server: &Server, topic: &str) {
    let ecm = server.simulation().ecm();
    for (entity, _) in ecm.iter::<EntityKind>().filter(|(_, kind)| **kind == EntityKind::Link) {
        let place = world_pose(ecm, entity).position;
        let numbers = [place.x, place.y, place.z];
        assert!(numbers.iter().all(|n| n.is_finite() && n.abs() < 1e9), "{topic}: {place:?}");
    }
}

#[test]
fn wild_numbers_on_topics_never_reach_the_state() {
    let types = types_with_numbers();
    let mut heard = 0;
    for file in worlds() {
        let mut server = server(&file);
        for topic in server.simulation().subscriptions() {
            heard += 1;
            for wild in WILD {
                for kind in &types {
                    for (_, message) in spoiled(&DynamicMessage::new(kind.clone()), wild, 2) {
                        let (topic, bytes) = (topic.clone(), message.encode_to_vec());
                        server.handle(retake_sim::Request::Message { topic, bytes });
                    }
                    drop(server.drain_events());
                }
                server.step();
                drop(server.drain_messages());
                assert!(!server.failed(), "{topic} with {wild} made a step fail");
                assert_sane(&server, &topic);
            }
        }
    }
    assert!(heard > 5, "{heard} topics were tried");
}
