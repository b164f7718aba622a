//! Definitions are whole, what is written reads back, and sums are those that others have.

use proptest::prelude::*;
use serde_json::json;

use super::definition::{Count, Field, Kind, Primitive};
use super::*;

/// Any value that a message type can have, with whole nanoseconds and finite numbers.
fn any_message(library: &'static Library, type_name: &str) -> BoxedStrategy<Value> {
    let fields = &library.find(type_name).unwrap().fields;
    let made: Vec<BoxedStrategy<(String, Value)>> = fields
        .iter()
        .map(|field| {
            let name = field.name.clone();
            any_field(library, field).prop_map(move |value| (name.clone(), value)).boxed()
        })
        .collect();
    made.prop_map(|fields| Value::Object(fields.into_iter().collect())).boxed()
}

fn any_field(library: &'static Library, field: &Field) -> BoxedStrategy<Value> {
    let one = any_element(library, &field.kind);
    match field.count {
        Count::One => one,
        Count::Any => prop::collection::vec(one, 0..3).prop_map(Value::Array).boxed(),
        Count::Exactly(many) => {
            prop::collection::vec(one, many..=many).prop_map(Value::Array).boxed()
        }
    }
}

fn any_element(library: &'static Library, kind: &Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Message(name) => any_message(library, name),
        Kind::Primitive(Primitive::Bool) => any::<bool>().prop_map(|v| json!(v)).boxed(),
        Kind::Primitive(Primitive::Int(bytes)) => {
            let bits = 64 - 8 * u32::from(*bytes);
            any::<i64>().prop_map(move |v| json!(v >> bits)).boxed()
        }
        Kind::Primitive(Primitive::Uint(bytes)) => {
            let bits = 64 - 8 * u32::from(*bytes);
            any::<u64>().prop_map(move |v| json!(v >> bits)).boxed()
        }
        Kind::Primitive(Primitive::Float(4)) => (-1e6f32..1e6).prop_map(|v| json!(v)).boxed(),
        Kind::Primitive(Primitive::Float(_)) => (-1e9f64..1e9).prop_map(|v| json!(v)).boxed(),
        Kind::Primitive(Primitive::Text) => "[a-zé ]{0,6}".prop_map(|v| json!(v)).boxed(),
        Kind::Primitive(Primitive::Time | Primitive::Duration) => {
            (0i64..1 << 30, 0i64..1_000_000_000)
                .prop_map(|(sec, nanosec)| json!({"sec": sec, "nanosec": nanosec}))
                .boxed()
        }
    }
}

fn any_of_all(flavour: Flavour) -> impl Strategy<Value = (String, Value)> {
    let library = library(flavour);
    let names: Vec<String> = library.names().map(str::to_owned).collect();
    prop::sample::select(names)
        .prop_flat_map(move |name| (Just(name.clone()), any_message(library, &name)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_for_ros1_reads_back((name, value) in any_of_all(Flavour::Ros1)) {
        let library = library(Flavour::Ros1);
        let bytes = library.to_ros1(&name, &value).unwrap();
        prop_assert_eq!(library.from_ros1(&name, &bytes).unwrap(), value);
    }

    #[test]
    fn what_is_written_as_cdr_reads_back((name, value) in any_of_all(Flavour::Ros2)) {
        let library = library(Flavour::Ros2);
        let bytes = library.to_cdr(&name, &value).unwrap();
        prop_assert_eq!(library.from_cdr(&name, &bytes).unwrap(), value);
    }

    #[test]
    fn what_rosbridge_is_told_reads_back((name, value) in any_of_all(Flavour::Ros1)) {
        let library = library(Flavour::Ros1);
        let told = library.to_json(&name, &value).unwrap();
        prop_assert_eq!(library.from_json(&name, &told).unwrap(), value);
    }

    #[test]
    fn bytes_that_are_cut_off_are_refused(
        (name, value) in any_of_all(Flavour::Ros1), share in 0.0f64..1.0
    ) {
        let library = library(Flavour::Ros1);
        let bytes = library.to_ros1(&name, &value).unwrap();
        let cut = (bytes.len() as f64 * share) as usize;
        prop_assert!(cut == bytes.len() || library.from_ros1(&name, &bytes[..cut]).is_err());
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for flavour in [Flavour::Ros1, Flavour::Ros2] {
            let library = library(flavour);
            for name in library.names() {
                // Whatever comes of it, it comes without a panic.
                drop(library.from_ros1(name, &bytes));
                drop(library.from_cdr(name, &[&[0, 1, 0, 0], &bytes[..]].concat()));
            }
        }
    }
}

#[test]
fn every_definition_is_read_and_complete() {
    for flavour in [Flavour::Ros1, Flavour::Ros2] {
        let library = library(flavour);
        for name in library.names() {
            library.to_json(name, &json!({})).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn sums_are_those_of_ros1() {
    let library = library(Flavour::Ros1);
    for (name, sum) in [
        ("std_msgs/Header", "2176decaecbce78abc3b96ef049fabed"),
        ("sensor_msgs/JointState", "3066dcd76a6cfaef579bd0f34173e9fd"),
        ("rosgraph_msgs/Clock", "a9c97c1d230cfc112e270351a944ee47"),
        ("tf2_msgs/TFMessage", "94810edda583a504dfda3829e70d7eec"),
        ("control_msgs/FollowJointTrajectoryGoal", "69636787b6ecbde4d61d711979bc7ecb"),
        ("control_msgs/FollowJointTrajectoryActionGoal", "cff5c1d533bf2f82dd0138d57f4304bb"),
        ("control_msgs/FollowJointTrajectoryAction", "bc4f9b743838566551c0390c65f1a248"),
    ] {
        assert_eq!(md5_sum(library, name).unwrap(), sum, "{name}");
    }
    assert_eq!(
        service_md5_sum(library, "std_srvs/Trigger").unwrap(),
        "937c9679a518e3a18d831e57125ea522"
    );
}

#[test]
fn hashes_are_those_of_ros2() {
    let library = library(Flavour::Ros2);
    for (name, start) in [
        ("sensor_msgs/msg/JointState", "RIHS01_a13ee3a330e346c9"),
        ("trajectory_msgs/msg/JointTrajectory", "RIHS01_179b33eba59d676f"),
        ("rosgraph_msgs/msg/Clock", "RIHS01_692f7a66e93a3c83"),
        ("tf2_msgs/msg/TFMessage", "RIHS01_e369d0f05a23ae52"),
        ("action_msgs/msg/GoalStatusArray", "RIHS01_6c1684b00f177d37"),
        ("control_msgs/action/FollowJointTrajectory_Goal", "RIHS01_8a906070"),
        ("control_msgs/action/FollowJointTrajectory_Result", "RIHS01_8002e99e"),
        ("control_msgs/action/FollowJointTrajectory_Feedback", "RIHS01_3fd0aaec"),
    ] {
        let hash = type_hash(library, name).unwrap();
        assert!(hash.starts_with(start), "{name}: {hash}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let ros2 = library(Flavour::Ros2);
    let refused = |name: &str, value: Value| ros2.from_json(name, &value).unwrap_err().to_string();
    assert_eq!(
        refused("trajectory_msgs/JointTrajectory", json!({"points": [{"positions": [1, "two"]}]})),
        "points[0].positions[1] is \"two\"; it must be a number"
    );
    assert_eq!(
        refused("simulation_interfaces/StepSimulation_Request", json!({"steps": -1})),
        "steps is -1; it must be a whole number of 64 bits, not negative"
    );
    assert_eq!(
        refused("unique_identifier_msgs/UUID", json!({"uuid": [1, 2]})),
        "uuid is a list; it must be a list of 16"
    );
    assert_eq!(
        refused("nothing/Like", json!({})),
        "no message type is called \"nothing/Like\" here"
    );
}
