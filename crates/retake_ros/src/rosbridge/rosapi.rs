//! The services by which clients of rosbridge look around.

use serde_json::{Value, json};

use crate::hub::Hub;
use crate::message::{Flavour, library};

/// What the world calls itself.
const NODE: &str = "/retake";

/// Answers a service of rosapi; none when it is another one.
pub(super) fn answer(
    hub: &Hub,
    service: &str,
    args: &Value,
    flavour: Flavour,
) -> Option<Result<Value, String>> {
    let asked = service.strip_prefix("/rosapi/")?;
    let graph = hub.graph();
    let all = || graph.topics.iter().chain(&graph.inputs);
    let full = |type_name: &str| match flavour {
        Flavour::Ros1 => type_name.to_owned(),
        Flavour::Ros2 => library(Flavour::Ros2).full_name(type_name),
    };
    let service_type = |type_name: &str| match flavour {
        Flavour::Ros1 => type_name.to_owned(),
        Flavour::Ros2 => type_name.replacen('/', "/srv/", 1),
    };
    let text = |name: &str| args[name].as_str().unwrap_or_default().to_owned();
    Some(Ok(match asked {
        "topics" => {
            let names: Vec<&str> = all().map(|topic| topic.name.as_str()).collect();
            let types: Vec<String> = all().map(|topic| full(topic.type_name)).collect();
            json!({"topics": names, "types": types})
        }
        "topic_type" => {
            let found = all().find(|topic| topic.name == text("topic"));
            json!({"type": found.map(|topic| full(topic.type_name)).unwrap_or_default()})
        }
        "topics_for_type" => {
            let found = all().filter(|topic| {
                let wanted = text("type");
                topic.type_name == wanted || full(topic.type_name) == wanted
            });
            json!({"topics": found.map(|topic| topic.name.as_str()).collect::<Vec<_>>()})
        }
        "services" => {
            json!({"services": graph.services.iter().map(|s| s.name.as_str()).collect::<Vec<_>>()})
        }
        "service_type" => {
            let found = graph.service(&text("service"));
            json!({"type": found.map(|s| service_type(s.type_name)).unwrap_or_default()})
        }
        "action_servers" => {
            let names: Vec<&str> = graph.actions.iter().map(|a| a.name.as_str()).collect();
            json!({"action_servers": names})
        }
        "nodes" => json!({"nodes": [NODE]}),
        "get_time" => {
            let value = json!({"time": hub.now().message()});
            let types = library(flavour).service("rosapi/GetTime");
            return Some(
                library(flavour).to_json(&types.response, &value).map_err(|e| e.to_string()),
            );
        }
        other => return Some(Err(format!("No service \"/rosapi/{other}\" here"))),
    }))
}
