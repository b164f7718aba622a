//! Numbers that are none, endless or beyond all reason, in every field of every request and topic.
//!
//! Commands by users have a test of their own, `wild_numbers`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};
use retake_components::{Kind as EntityKind, world_pose};
use retake_msgs::{
    EntityRef, MoveEntity, Pose, SetPose, Twist, UserCmd, UserCmdReply, Vector3, WorldControl,
    descriptor_pool, names, user_cmd,
};
use retake_sim::{
    BusFront, Event, Request, Response, Runner, Server, ServerOptions, ServiceEntry, inbox,
    service_table,
};
use retake_transport::{Bus, CallError, InProcessBus, typed};
use support::spoil::{WILD, spoiled};
use support::{load, worlds};

/// Far longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

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
                let told = entry.wild_number(&spoiled.encode_to_vec());
                let told = told.map(|wild| wild.to_string()).unwrap_or_default();
                let is_named = told.starts_with(&format!("{path} is {wild:e};"));
                if done || !is_named || server.simulation().hash().unwrap() != before {
                    taken.push(format!("{} {path} = {wild}: {told}", entry.name));
                    server = self::server(&file);
                }
            }
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
    assert_eq!(with_example, REQUESTS.len(), "every example is for a service");
    assert!(tried > 100, "{tried} fields were tried");
}

#[test]
fn a_wild_number_in_a_request_over_the_bus_is_refused_by_its_path() {
    let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
    let (sender, inbox) = inbox();
    let (front, feed) = BusFront::open(&bus, "arm", &sender).unwrap();
    let runner = Runner::new(server(&world("arm.sdf")), inbox, vec![feed]).spawn().unwrap();
    let said = |done: Result<UserCmdReply, CallError>| done.unwrap_err().to_string();

    let control = WorldControl { real_time_factor: Some(f64::NAN), ..WorldControl::default() };
    let told = said(typed::call(&*bus, &names::control("arm"), &control, PATIENCE));
    assert!(told.contains("real_time_factor is NaN; write a finite number within"), "{told}");

    let position = Some(Vector3 { z: f64::INFINITY, ..Vector3::default() });
    let pose = Some(Pose { position, ..Pose::default() });
    let set = SetPose { entity: Some(EntityRef::named("mug")), pose };
    let told = said(typed::call(&*bus, &names::set_pose("arm"), &set, PATIENCE));
    assert!(told.contains("pose.position.z is inf;"), "{told}");

    // A command has its own reply.
    let moved = MoveEntity { entity: set.entity, position, ..MoveEntity::default() };
    let command = Some(user_cmd::Command::MoveEntity(moved));
    let command = UserCmd { command, ..UserCmd::default() };
    let service = names::user_command("arm");
    let reply: UserCmdReply = typed::call(&*bus, &service, &command, PATIENCE).unwrap();
    assert!(!reply.ok && reply.message.contains("move_entity.position.z is inf;"), "{reply:?}");

    runner.stop();
    drop((front, sender));
    runner.join().unwrap();
}

#[test]
fn a_wild_number_on_a_topic_is_told_by_its_path() {
    let mut server = server(&world("cones.sdf"));
    drop(server.drain_events());
    let topic = server.simulation().subscriptions().into_iter().find(|t| t.ends_with("cmd_vel"));
    let linear = Some(Vector3 { y: f64::NAN, ..Vector3::default() });
    let bytes = Twist { linear, angular: None }.encode_to_vec();
    server.handle(Request::Message { topic: topic.unwrap(), bytes });
    let told = server.drain_events().into_iter().find_map(|event| match event {
        Event::Notified(told) => Some(told.text),
        _ => None,
    });
    let told = told.expect("whoever listens is told");
    assert!(told.contains("cmd_vel cannot be read: linear.y is NaN; write a finite"), "{told}");
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
                        server.handle(Request::Message { topic, bytes });
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
