//! Messages as world files of Gazebo write them: types by Gazebo's names, contents as text.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

/// What Gazebo calls otherwise.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("StringMsg", "Text"),
    ("Vector3d", "Vector3"),
    ("Vector2d", "Vector2"),
    ("Float", "Double"),
    ("Pose_V", "PoseV"),
];

/// Finds the message type that Gazebo gives a name, or the reason why there is none.
pub(super) fn message_type(name: &str) -> Result<MessageDescriptor, String> {
    let short = ["gz.msgs.", "ignition.msgs.", "retake.msgs."]
        .iter()
        .find_map(|package| name.strip_prefix(package))
        .unwrap_or(name);
    let ours = OTHER_NAMES.iter().find(|(theirs, _)| *theirs == short);
    let full = format!("retake.msgs.{}", ours.map_or(short, |(_, ours)| ours));
    retake_msgs::descriptor_pool()
        .get_message_by_name(&full)
        .ok_or_else(|| format!("there are no messages of type {name:?}; use another, as Double"))
}

/// Reads a message out of its text.
pub(super) fn read(kind: &MessageDescriptor, text: &str) -> Result<DynamicMessage, String> {
    DynamicMessage::parse_text_format(kind.clone(), text)
        .map_err(|error| format!("{text:?} is no {}: {error}", kind.name()))
}

/// A field within a message, and what it is to be.
pub(super) struct FieldMatch {
    /// From the message down to the field.
    path: Vec<FieldDescriptor>,
    value: Value,
}

impl FieldMatch {
    /// Reads what the field called `name`, with dots between parts, is to be.
    pub(super) fn read(kind: &MessageDescriptor, name: &str, text: &str) -> Result<Self, String> {
        let mut path = Vec::new();
        let mut holder = kind.clone();
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            let field = holder.get_field_by_name(part).ok_or_else(|| {
                let known: Vec<String> = holder.fields().map(|f| f.name().to_owned()).collect();
                format!("{} has no field {part:?}. Known: {}", holder.name(), known.join(", "))
            })?;
            path.push(field.clone());
            if parts.peek().is_none() {
                let inner = text.trim();
                let inner = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
                let written = match field.kind() {
                    Kind::Message(_) => format!("{part} {{ {} }}", inner.unwrap_or(text)),
                    _ => format!("{part}: {text}"),
                };
                let value = read(&holder, &written)?.get_field(&field).into_owned();
                return Ok(Self { path, value });
            }
            holder = match field.kind() {
                Kind::Message(inner) if !field.is_list() && !field.is_map() => inner,
                _ => return Err(format!("{part:?} of {} has no fields", holder.name())),
            };
        }
        Err("the name of the field is empty".to_owned())
    }

    /// Says whether a message has it; of a list, whether it is in there.
    pub(super) fn fits(&self, message: &DynamicMessage, tolerance: f64) -> bool {
        let Some((last, holders)) = self.path.split_last() else { return false };
        let mut holder = message.clone();
        for field in holders {
            let Value::Message(inner) = holder.get_field(field).into_owned() else { return false };
            holder = inner;
        }
        let value = holder.get_field(last).into_owned();
        match (&value, &self.value) {
            (Value::List(all), Value::List(wanted)) => {
                wanted.iter().all(|one| all.iter().any(|other| same_value(one, other, tolerance)))
            }
            (value, wanted) => same_value(value, wanted, tolerance),
        }
    }
}

/// Says whether two messages are the same, numbers within a tolerance.
pub(super) fn same(a: &DynamicMessage, b: &DynamicMessage, tolerance: f64) -> bool {
    use prost_reflect::ReflectMessage;
    a.descriptor().fields().all(|field| {
        let presence = !field.supports_presence() || a.has_field(&field) == b.has_field(&field);
        presence && same_value(&a.get_field(&field), &b.get_field(&field), tolerance)
    })
}

fn same_value(a: &Value, b: &Value, tolerance: f64) -> bool {
    match (a, b) {
        (Value::F64(a), Value::F64(b)) => a == b || (a - b).abs() <= tolerance,
        (Value::F32(a), Value::F32(b)) => a == b || f64::from((a - b).abs()) <= tolerance,
        (Value::Message(a), Value::Message(b)) => same(a, b, tolerance),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b, tolerance))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, text: &str) -> DynamicMessage {
        read(&message_type(kind).unwrap(), text).unwrap()
    }

    #[test]
    fn fields_and_whole_messages_are_compared_within_the_tolerance() {
        let twist = message("gz.msgs.Twist", "linear: {x: 2.0}, angular: {z: 0.5}");
        let kind = message_type("gz.msgs.Twist").unwrap();
        let fits = |field: &str, text: &str, tolerance: f64| {
            FieldMatch::read(&kind, field, text).unwrap().fits(&twist, tolerance)
        };
        assert!(fits("linear.x", "2.05", 0.1) && !fits("linear.x", "2.05", 0.01));
        assert!(fits("linear", "{x: 2}", 1e-8) && !fits("linear", "{x: 2, y: 1}", 1e-8));
        assert!(same(&twist, &message("Twist", "linear {x: 2} angular {z: 0.5}"), 1e-8));
        assert!(!same(&twist, &message("Twist", "linear {x: 2}"), 1e-8));
        let list = message("gz.msgs.Actuators", "velocity: [1, 2]");
        let kind = message_type("gz.msgs.Actuators").unwrap();
        let has = |text| FieldMatch::read(&kind, "velocity", text).unwrap().fits(&list, 0.0);
        assert!(has("2") && has("[2, 1]") && !has("3"));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = |outcome: Result<FieldMatch, String>| outcome.err().unwrap();
        let kind = message_type("gz.msgs.Twist").unwrap();
        let expected = "Twist has no field \"speed\". Known: linear, angular";
        assert_eq!(error(FieldMatch::read(&kind, "speed", "1")), expected);
        let expected = "\"x\" of Vector3 has no fields";
        assert_eq!(error(FieldMatch::read(&kind, "linear.x.y", "1")), expected);
        assert!(message_type("gz.msgs.Teapot").unwrap_err().contains("gz.msgs.Teapot"));
    }
}
