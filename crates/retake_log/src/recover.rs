//! Writing what can be read of a log into a new one.

use std::collections::BTreeMap;
use std::path::Path;

use retake_msgs::{TypeDescriptor, names};

use crate::damage::Damage;
use crate::error::LogError;
use crate::facts::FACTS;
use crate::read::{Log, Place, Walk};
use crate::write::LogWriter;

/// What was saved of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Messages in the new log.
    pub messages: u64,
    /// Attachments in the new log.
    pub attachments: usize,
    /// Bytes of the new log.
    pub bytes: u64,
    /// What could not be read.
    pub lost: Vec<Damage>,
}

/// Writes what can be read of a log into a new, whole one.
///
/// # Errors
/// [`LogError`] when the old one cannot be read or the new one cannot be written; what was
/// written of it is removed then.
pub fn recover(from: &Path, to: &Path) -> Result<Recovered, LogError> {
    let log = Log::open(from)?;
    let writer = LogWriter::create(to, log.facts())?;
    let copied = copy(&log, writer);
    if copied.is_err() {
        // What stopped the copy is what is told.
        std::fs::remove_file(to).ok();
    }
    copied
}

fn copy(log: &Log, mut writer: LogWriter) -> Result<Recovered, LogError> {
    let mut attachments = 0;
    for found in log.attachments() {
        match log.attachment(&found.name) {
            Ok(data) => {
                writer.attach(&found.name, &found.media_type, &data)?;
                attachments += 1;
            }
            // It is in the list of damage.
            Err(LogError::DamagedAttachment { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    for name in log.metadata_names().filter(|name| *name != FACTS) {
        writer.metadata(name, log.metadata(name).cloned().unwrap_or_default())?;
    }
    let messages = copy_messages(log, &mut writer)?;
    let bytes = writer.finish()?;
    Ok(Recovered { messages, attachments, bytes, lost: log.damage() })
}

fn copy_messages(log: &Log, writer: &mut LogWriter) -> Result<u64, LogError> {
    let full = log.channels_of(&[&names::log_full_state(&log.facts().world)]);
    let channels = log.all_channels();
    let schemas = log.protobuf_schemas();
    let mut walk = Walk::of(channels, Place::START);
    let mut messages = 0;
    while let Some(step) = walk.next(log)? {
        let message = log.message(&step.content, &step.entry);
        let Some(schema) = schemas.get(&step.entry.channel) else {
            let text = format!("The topic {} is no protobuf and is not copied", message.topic);
            log.damaged(0, 0, text);
            continue;
        };
        // Full states begin chunks, as in the log that was recorded.
        if full.contains(&step.entry.channel) {
            writer.cut()?;
        }
        writer.write(&message.topic, schema, message.stamp, &message.bytes)?;
        messages += 1;
    }
    Ok(messages)
}

impl Log {
    /// Returns the schemas of the channels that this program could have written.
    fn protobuf_schemas(&self) -> BTreeMap<u16, TypeDescriptor> {
        let described = self.all_channels().into_iter().filter_map(|channel| {
            // Where the type is lost, the messages are kept without.
            let described = self.schema_of(channel).map(|schema| TypeDescriptor {
                type_name: schema.name.clone(),
                file_descriptor_set: schema.data.clone(),
            });
            self.is_protobuf(channel).then(|| (channel, described.unwrap_or_default()))
        });
        described.collect()
    }
}
