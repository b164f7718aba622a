//! Topics of a world in DDS.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use rustdds::{DataWriterStatus, StatusEvented, Timestamp};

use super::domain::{Promise, Raw, Reader, Writer};
use crate::hub::{Hub, HubGuard, Sample, TopicEntry};
use crate::message::{Flavour, library};
use crate::web::{Out, Outbox};

/// What is promised of a topic, as nodes of ROS 2 expect it by its name and type.
pub(super) fn promise(topic: &TopicEntry) -> Promise {
    match (topic.keeps_last, topic.type_name) {
        (true, _) => Promise::LastToo,
        (_, "rosgraph_msgs/Clock") => Promise::FromNow(1),
        (_, "tf2_msgs/TFMessage") => Promise::FromNow(100),
        _ => Promise::FromNow(10),
    }
}

/// Sends the messages of a topic until the future is dropped.
///
/// Nothing is made for a topic that nobody listens to, unless whoever comes later gets the last.
pub(super) async fn tell(writer: Writer, hub: Hub, topic: TopicEntry) {
    let outbox: Outbox<()> = Outbox::default();
    let begin = || listen(&hub, &topic, &outbox);
    let mut heard: Option<HubGuard> = topic.keeps_last.then(begin);
    let mut statuses = pin!(writer.as_async_status_stream());
    loop {
        tokio::select! {
            Some(status) = statuses.next() => {
                if let DataWriterStatus::PublicationMatched { current, .. } = status {
                    match (current.count() > 0 || topic.keeps_last, heard.is_some()) {
                        (true, false) => heard = Some(begin()),
                        (false, true) => heard = None,
                        _ => {}
                    }
                }
            }
            out = outbox.next() => match out {
                Some(Out::Newest(_, sample)) => send(&writer, &topic, &sample).await,
                Some(Out::Message(())) => {}
                None => return,
            },
        }
    }
}

fn listen(hub: &Hub, topic: &TopicEntry, outbox: &Outbox<()>) -> HubGuard {
    let (outbox, each) = (outbox.clone(), topic.counts_each);
    hub.subscribe(
        &topic.name,
        Arc::new(move |sample: &Arc<Sample>| match each {
            true => outbox.push(Out::Newest(0, Arc::clone(sample))),
            false => outbox.newest(0, sample),
        }),
    )
}

async fn send(writer: &Writer, topic: &TopicEntry, sample: &Sample) {
    let sent = match library(Flavour::Ros2).to_cdr(topic.type_name, &sample.message) {
        Ok(bytes) => {
            let sent = writer.async_write(Raw::from_cdr(bytes), Some(Timestamp::now())).await;
            sent.map_err(|error| error.forget_data().to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    if let Err(reason) = sent {
        tracing::debug!(topic = topic.name, reason, "a message is not sent");
    }
}

/// Takes the messages of a topic until the future is dropped.
pub(super) async fn hear(reader: Reader, hub: Hub, topic: TopicEntry) {
    let mut messages = pin!(reader.as_async_stream());
    while let Some(message) = messages.next().await {
        let taken = message.map_err(|error| error.to_string()).and_then(|message| {
            let bytes = message.sample.to_cdr(0);
            let message = library(Flavour::Ros2).from_cdr(topic.type_name, &bytes);
            hub.publish(&topic.name, message.map_err(|error| error.to_string())?)
        });
        if let Err(reason) = taken {
            tracing::warn!(topic = topic.name, reason, "a message is left out");
        }
    }
}
