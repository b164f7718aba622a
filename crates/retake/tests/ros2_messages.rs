//! Bytes and hashes of messages of ROS 2, compared with those of `rosbags`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::process::Command;

use retake_ros::{
    Count, Field, Flavour, Kind, Library, Primitive, library, schema_text, type_hash,
};
use serde_json::{Value, json};
use support::{Sandbox, peers};

/// Makes a message whose fields all have values of their own.
fn sample(library: &Library, type_name: &str, seed: &mut i64) -> Value {
    let fields = &library.find(type_name).unwrap().fields;
    fields.iter().map(|field| (field.name.clone(), of_field(library, field, seed))).collect()
}

fn of_field(library: &Library, field: &Field, seed: &mut i64) -> Value {
    match field.count {
        Count::One => of_kind(library, &field.kind, seed),
        // One, two or three, so that what follows is aligned in every way.
        Count::Any => (0..*seed % 3 + 1).map(|_| of_kind(library, &field.kind, seed)).collect(),
        Count::Exactly(many) => (0..many).map(|_| of_kind(library, &field.kind, seed)).collect(),
    }
}

fn of_kind(library: &Library, kind: &Kind, seed: &mut i64) -> Value {
    *seed += 1;
    match kind {
        Kind::Message(name) => sample(library, name, seed),
        Kind::Primitive(Primitive::Bool) => json!(*seed % 2 == 0),
        Kind::Primitive(Primitive::Text) => json!("x".repeat((*seed % 7) as usize)),
        Kind::Primitive(Primitive::Float(_)) => json!(*seed as f64 / 8.0),
        Kind::Primitive(Primitive::Int(_)) => json!(-(*seed % 100)),
        Kind::Primitive(Primitive::Uint(_)) => json!(*seed % 200),
        Kind::Primitive(Primitive::Time | Primitive::Duration) => {
            json!({"sec": *seed, "nanosec": *seed * 3})
        }
    }
}

#[test]
fn bytes_and_hashes_are_those_of_rosbags() {
    let Some(python) = peers::python() else { return };
    let ros2 = library(Flavour::Ros2);
    let entry = |name: &str| {
        let message = sample(ros2, name, &mut 1);
        json!({
            "type": ros2.full_name(name),
            "text": schema_text(ros2, name),
            "hash": type_hash(ros2, name).unwrap(),
            "cdr": ros2.to_cdr(name, &message).unwrap(),
            "message": message,
        })
    };
    let all: Vec<Value> = ros2.names().map(entry).collect();
    let sandbox = Sandbox::new();
    let file = sandbox.write("messages.json", &json!(all).to_string());
    let said = peers::run(&mut Command::new(python), "ros2_messages.py", &[&file]);
    assert_eq!(said, format!("{} types are the same\n", all.len()));
}
