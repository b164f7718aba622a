//! Numbers of messages that this program was not compiled with.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write;

use expect_test::expect;
use proptest::prelude::*;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, Value};
use retake_introspection::fields::{FieldPath, Walker, children};

const SCHEMA: &str = r#"
    syntax = "proto3";
    package test;
    enum Mode { OFF = 0; ON = 1; }
    message Vector { double x = 1; double y = 2; }
    message Part { string name = 1; Vector at = 2; repeated sint32 turns = 3; Mode mode = 4; }
    message Robot {
      repeated Part part = 1;
      float weight = 2;
      optional int64 serial = 3;
      bool on = 4;
      repeated double loose = 5 [packed = false];
      sfixed32 low = 6;
      fixed64 high = 7;
      map<string, Vector> named = 8;
      Robot twin = 9;
      string note = 10;
      oneof choice { uint32 left = 11; double right = 12; }
    }
"#;

fn robot() -> MessageDescriptor {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("test.proto"), SCHEMA).unwrap();
    let files = protox::compile(["test.proto"], [folder.path()]).unwrap();
    let pool = DescriptorPool::decode(files.encode_to_vec().as_slice()).unwrap();
    pool.get_message_by_name("test.Robot").unwrap()
}

fn encoded(descriptor: &MessageDescriptor, json: &str) -> Vec<u8> {
    let mut text = serde_json::Deserializer::from_str(json);
    DynamicMessage::deserialize(descriptor.clone(), &mut text).unwrap().encode_to_vec()
}

const SAMPLE: &str = r#"{
    "part": [
        { "name": "arm", "at": { "x": 1.5 }, "turns": [-3, 4], "mode": "ON" },
        { "name": "leg", "turns": [7] },
        {}
    ],
    "weight": 2.5, "on": true, "loose": [0.5, 0.25], "low": -9, "high": "12",
    "named": { "hip": { "x": 8, "y": 9 } },
    "twin": { "serial": "-5", "right": 0 }
}"#;

#[test]
fn every_kind_of_number_is_found() {
    let descriptor = robot();
    let message = encoded(&descriptor, SAMPLE);
    let mut table = String::new();
    for path in [
        "part[0].at.x",
        "part[0].at.y",
        "part[1].at.x",
        "part[2].mode",
        "part[3].mode",
        "part{name=arm}.mode",
        "part{name=leg}.turns[0]",
        "part{name=none}.mode",
        "part[0].turns[0]",
        "part[0].turns[2]",
        "weight",
        "on",
        "serial",
        "twin.serial",
        "twin.weight",
        "twin.twin.weight",
        "loose[1]",
        "loose[2]",
        "low",
        "high",
        "named{key=hip}.value.y",
        "left",
        "twin.right",
    ] {
        let walker = Walker::new(&descriptor, &FieldPath::parse(path).unwrap()).unwrap();
        writeln!(table, "{path}  {:?}", walker.read(&message)).unwrap();
    }
    expect![[r#"
        part[0].at.x  Some(1.5)
        part[0].at.y  Some(0.0)
        part[1].at.x  None
        part[2].mode  Some(0.0)
        part[3].mode  None
        part{name=arm}.mode  Some(1.0)
        part{name=leg}.turns[0]  Some(7.0)
        part{name=none}.mode  None
        part[0].turns[0]  Some(-3.0)
        part[0].turns[2]  None
        weight  Some(2.5)
        on  Some(1.0)
        serial  None
        twin.serial  Some(-5.0)
        twin.weight  Some(0.0)
        twin.twin.weight  None
        loose[1]  Some(0.25)
        loose[2]  None
        low  Some(-9.0)
        high  Some(12.0)
        named{key=hip}.value.y  Some(9.0)
        left  None
        twin.right  Some(0.0)
    "#]]
    .assert_eq(&table);
}

#[test]
fn wrong_paths_say_what_would_be_right() {
    let descriptor = robot();
    let mut table = String::new();
    for path in ["weigth", "part.mode", "weight[0]", "part[0]", "weight.x", "note", "loose{a=b}"] {
        let refused = Walker::new(&descriptor, &FieldPath::parse(path).unwrap()).unwrap_err();
        writeln!(table, "{path}: {refused}").unwrap();
    }
    expect![[r#"
        weigth: test.Robot has no field "weigth". Known: part, weight, serial, on, loose, low, high, named, twin, note, left, right
        part.mode: part of test.Robot has many values; write part[0]
        weight[0]: weight of test.Robot has one value; leave the brackets out
        part[0]: part of test.Robot is a message, not a number
        weight.x: weight of test.Robot is a number, not a message
        note: note of test.Robot is text, not a number
        loose{a=b}: loose of test.Robot is a list of numbers, not a list of messages
    "#]]
    .assert_eq(&table);
}

#[test]
fn the_tree_names_elements_and_takes_vectors_together() {
    let descriptor = robot();
    let message = encoded(&descriptor, SAMPLE);
    let mut table = String::new();
    for path in ["", "part", "part[0]", "part[0].turns", "twin.part"] {
        writeln!(table, "{path}:").unwrap();
        for node in children(&descriptor, Some(&message), path).nodes {
            let more = if node.expandable { ">" } else { "" };
            let numbers = node.numbers.join(" ");
            writeln!(table, "  {} ({}) {numbers} {more}", node.label, node.detail).unwrap();
        }
    }
    expect![[r#"
        :
          part[] (3 elements)  >
          weight () weight 
          serial () serial 
          on () on 
          loose[] (2 elements)  >
          low () low 
          high () high 
          twin (Robot)  >
          left () left 
          right () right 
        part:
          [0] (arm)  >
          [1] (leg)  >
          [2] (Part)  >
        part[0]:
          at (Vector) part[0].at.x part[0].at.y >
          turns[] (2 elements)  >
          mode (Mode) part[0].mode 
        part[0].turns:
          [0] () part[0].turns[0] 
          [1] () part[0].turns[1] 
        twin.part:
    "#]]
    .assert_eq(&table);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_walk_equals_decoding(parts in prop::collection::vec((any::<f64>(), any::<i32>()), 0..6), index in 0usize..7) {
        let descriptor = robot();
        let element = descriptor.get_field_by_name("part").unwrap();
        let part = element.kind().as_message().unwrap().clone();
        let vector = part.get_field_by_name("at").unwrap().kind().as_message().unwrap().clone();
        let mut message = DynamicMessage::new(descriptor.clone());
        let list = parts.iter().map(|(x, turn)| {
            let mut at = DynamicMessage::new(vector.clone());
            at.set_field_by_name("x", Value::F64(*x));
            let mut one = DynamicMessage::new(part.clone());
            one.set_field_by_name("at", Value::Message(at));
            one.set_field_by_name("turns", Value::List(vec![Value::I32(*turn)]));
            Value::Message(one)
        });
        message.set_field_by_name("part", Value::List(list.collect()));
        let bytes = message.encode_to_vec();
        for (path, expected) in [
            (format!("part[{index}].at.x"), parts.get(index).map(|(x, _)| *x)),
            (format!("part[{index}].turns[0]"), parts.get(index).map(|(_, turn)| f64::from(*turn))),
        ] {
            let walker = Walker::new(&descriptor, &FieldPath::parse(&path).unwrap()).unwrap();
            // A zero is not written, whatever its sign.
            prop_assert_eq!(walker.read(&bytes).map(f64::to_bits), expected.map(|number| (number + 0.0).to_bits()));
        }
    }

    #[test]
    fn damaged_messages_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let descriptor = robot();
        for path in ["part[1].turns[3]", "weight", "twin.twin.low", "part{name=a}.at.x"] {
            let walker = Walker::new(&descriptor, &FieldPath::parse(path).unwrap()).unwrap();
            walker.read(&bytes);
        }
        children(&descriptor, Some(&bytes), "");
    }
}
