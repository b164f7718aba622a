//! `retake topic …`

use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor};
use retake_introspection::fields::message_descriptor;
use retake_transport::{Bus, Delivery, Guard, Message, Name};
use serde_json::json;

use crate::cli::TopicCommand;
use crate::link::Link;
use crate::output::{Printer, write_table};

/// Messages that may wait to be printed; beyond it new ones are left out.
const WAITING: usize = 1024;
/// How long to look for a subscriber before a single message is published.
const FIND_SUBSCRIBER: Duration = Duration::from_secs(2);

pub(super) fn run(
    command: &TopicCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    match command {
        TopicCommand::List => list(link.need_bus("topic list")?.as_ref(), printer),
        TopicCommand::Info { topic } => info(link.need_bus("topic info")?.as_ref(), topic, printer),
        TopicCommand::Echo { topic, count } => {
            echo(link.need_bus("topic echo")?.as_ref(), topic, *count, printer)
        }
        TopicCommand::Hz { topic, seconds } => {
            hz(link.need_bus("topic hz")?.as_ref(), topic, *seconds, printer)
        }
        TopicCommand::Pub { topic, type_name, message } => {
            let descriptor = descriptor(link.bus().as_deref(), type_name)?;
            let bytes = from_json(descriptor, message)?;
            link.publish_raw(topic, Message { type_name: type_name.clone(), bytes })?;
            printer.print(&json!({ "topic": topic }), |out| writeln!(out, "Published on {topic}"))
        }
    }
}

/// Returns the schema of a message type, from this program or from whoever has it.
pub(crate) fn descriptor(
    bus: Option<&dyn Bus>,
    type_name: &str,
) -> anyhow::Result<MessageDescriptor> {
    if let Some(known) = retake_msgs::descriptor_pool().get_message_by_name(type_name) {
        return Ok(known);
    }
    let bus = bus.with_context(|| format!("No message type is called {type_name:?}"))?;
    Ok(message_descriptor(bus, type_name)?)
}

/// Encodes a message that is written as JSON.
pub(super) fn from_json(descriptor: MessageDescriptor, text: &str) -> anyhow::Result<Vec<u8>> {
    let name = descriptor.full_name().to_owned();
    let mut reader = serde_json::Deserializer::from_str(text);
    let message = DynamicMessage::deserialize(descriptor, &mut reader)
        .with_context(|| format!("This is no {name} as JSON"))?;
    reader.end().with_context(|| format!("This is no {name} as JSON"))?;
    Ok(prost::Message::encode_to_vec(&message))
}

/// Decodes a message to JSON.
pub(super) fn to_json(
    descriptor: MessageDescriptor,
    bytes: &[u8],
) -> anyhow::Result<serde_json::Value> {
    Ok(serde_json::to_value(DynamicMessage::decode(descriptor, bytes)?)?)
}

/// Publishes one message once somebody listens, or after a while all the same.
pub(crate) fn publish_once(bus: &dyn Bus, topic: &str, message: Message) -> anyhow::Result<()> {
    let publisher = bus.advertise(&Name::new(topic)?, &message.type_name, Delivery::All)?;
    let start = Instant::now();
    while !publisher.wanted() && start.elapsed() < FIND_SUBSCRIBER {
        std::thread::sleep(Duration::from_millis(5));
    }
    publisher.publish(message.bytes)?;
    Ok(())
}

fn list(bus: &dyn Bus, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let topics = bus.topics()?;
    let value: Vec<_> =
        topics.iter().map(|t| json!({ "name": t.name, "type": t.type_name })).collect();
    printer.print(&value, |out| {
        let rows: Vec<_> =
            topics.iter().map(|t| vec![t.name.clone(), t.type_name.clone()]).collect();
        write_table(out, &rows)
    })
}

pub(crate) fn type_of(bus: &dyn Bus, topic: &str) -> anyhow::Result<String> {
    let topics = bus.topics()?;
    match topics.iter().find(|known| known.name == topic) {
        Some(known) => Ok(known.type_name.clone()),
        None => {
            let known: Vec<&str> = topics.iter().map(|known| known.name.as_str()).collect();
            bail!("No topic {topic:?}. Known: {}", known.join(", "))
        }
    }
}

fn info(bus: &dyn Bus, topic: &str, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let type_name = type_of(bus, topic)?;
    let descriptor = descriptor(Some(bus), &type_name)?;
    let fields: Vec<(String, String)> =
        descriptor.fields().map(|field| (field.name().to_owned(), kind_name(&field))).collect();
    let value = json!({ "name": topic, "type": type_name, "fields": fields });
    printer.print(&value, |out| {
        writeln!(out, "{topic}  {type_name}")?;
        let rows: Vec<_> =
            fields.iter().map(|(name, kind)| vec![format!("  {name}"), kind.clone()]).collect();
        write_table(out, &rows)
    })
}

fn kind_name(field: &prost_reflect::FieldDescriptor) -> String {
    let kind = match field.kind() {
        Kind::Message(message) => message.full_name().to_owned(),
        Kind::Enum(of) => of.full_name().to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    if field.is_list() { format!("{kind} []") } else { kind }
}

fn listen(bus: &dyn Bus, topic: &str) -> anyhow::Result<(Guard, Receiver<Vec<u8>>)> {
    let (sender, receiver) = sync_channel(WAITING);
    let subscriber = Arc::new(move |message: retake_transport::MessageRef<'_>| {
        // A reader that cannot keep up sees fewer messages; nothing else waits for it.
        sender.try_send(message.bytes.to_vec()).ok();
    });
    Ok((bus.subscribe(&Name::new(topic)?, subscriber)?, receiver))
}

fn echo(
    bus: &dyn Bus,
    topic: &str,
    count: Option<u64>,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let descriptor = descriptor(Some(bus), &type_of(bus, topic)?)?;
    let (_guard, messages) = listen(bus, topic)?;
    let most = usize::try_from(count.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    for bytes in messages.iter().take(most) {
        let value = to_json(descriptor.clone(), &bytes)?;
        printer.print(&value, |out| writeln!(out, "{value}"))?;
    }
    Ok(())
}

fn hz(bus: &dyn Bus, topic: &str, seconds: f64, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    type_of(bus, topic)?;
    if !(seconds > 0.0 && seconds <= 3600.0) {
        bail!("--seconds is {seconds}; write a number above 0, up to 3600");
    }
    let (_guard, messages) = listen(bus, topic)?;
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut count = 0u64;
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        count += u64::from(messages.recv_timeout(left).is_ok());
    }
    let rate = count as f64 / seconds;
    let value = json!({ "topic": topic, "messages": count, "hz": rate });
    printer.print(&value, |out| writeln!(out, "{rate:.1} Hz ({count} messages)"))
}
