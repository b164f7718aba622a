//! Topics by which joints are commanded, named as Gazebo names them.

use super::{Params, message};
use crate::system::SystemError;

/// Greatest number that is taken: far beyond any joint, far from overflow.
const GREATEST: f64 = 1e9;

/// Returns the topic of a joint: `<topic>`, `<sub_topic>` below the model, or what Gazebo calls the
/// joint's own: `/model/<model>/joint/<joint>/<verb>`.
pub(super) fn joint_topic(params: &Params<'_>, model: &str, (joint, verb): (&str, &str)) -> String {
    let given = params.text("topic").filter(|topic| !topic.is_empty());
    let below = params.text("sub_topic").filter(|topic| !topic.is_empty());
    match (given, below) {
        (Some(topic), _) if topic.starts_with('/') => topic.to_owned(),
        (Some(topic), _) => format!("/{topic}"),
        (None, Some(topic)) => format!("/model/{model}/{topic}"),
        (None, None) => format!("/model/{model}/joint/{joint}/{verb}"),
    }
}

/// Returns a topic with its leading slash.
pub(super) fn absolute(topic: &str) -> String {
    format!("/{}", topic.trim().trim_start_matches('/'))
}

/// Returns the topic that a parameter names, or `own`.
pub(super) fn topic_or(params: &Params<'_>, name: &str, own: &str) -> String {
    absolute(params.text(name).filter(|topic| !topic.trim().is_empty()).unwrap_or(own))
}

/// Reads a message that is one number.
pub(super) fn read_number(topic: &str, bytes: &[u8]) -> Result<f64, SystemError> {
    let bad = |reason: String| SystemError::BadMessage { topic: topic.to_owned(), reason };
    let message: retake_msgs::Double = message::read(topic, bytes)?;
    match message.data.abs() <= GREATEST {
        true => Ok(message.data),
        false => Err(bad(format!("data is {}; write a number within ±{GREATEST:e}", message.data))),
    }
}
