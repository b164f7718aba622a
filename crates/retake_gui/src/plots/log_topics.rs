//! The topics of a log, as nodes of the tree of signals.

use retake_introspection::fields::children;
use retake_log::{Log, Topic};
use retake_msgs::SignalNodes;

use super::browse::{bounded, field_nodes, topic_node};
use super::log_feed::descriptor;

/// Lists the topics, or the fields of one.
pub(super) fn nodes(log: &Log, rest: &str) -> Result<SignalNodes, String> {
    // Samples of filters are offered as what they are samples of.
    let topics = || log.topics().iter().filter(|topic| !topic.name.starts_with("/introspection/"));
    if rest.is_empty() {
        let nodes = topics().map(|topic| topic_node(&topic.name, &topic.type_name));
        return Ok(bounded(nodes.collect()));
    }
    let is_it = |topic: &&Topic| {
        rest.strip_prefix(&*topic.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    };
    let topic = topics().find(is_it).ok_or_else(|| format!("The log has no topic {rest}"))?;
    let path = rest[topic.name.len()..].trim_start_matches(':');
    let described = descriptor(topic).ok_or("The log does not say what its messages look like")?;
    let sample = log.last_before(&topic.name, log.length()).map_err(|error| error.to_string())?;
    let sample = sample.map(|message| message.bytes);
    Ok(field_nodes(&topic.name, &children(&described, sample.as_deref(), path)))
}
