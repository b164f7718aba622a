//! Topics of others that are recorded too.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use retake_transport::{Bus, BusError, Guard, Name};

use super::tap::SideDoor;
use super::tape::Happening;
use crate::OutMessage;

/// How often new topics are looked for.
const LOOK: Duration = Duration::from_secs(1);

/// Listens to topics until the recording is over, on a thread of its own: asking the bus takes time.
///
/// Those that the world itself writes into every log are left out.
pub(super) fn follow(bus: &Arc<dyn Bus>, patterns: Vec<String>, world: &str, door: SideDoor) {
    let own = [format!("/world/{world}/"), format!("/introspection/{world}/")];
    let mut listener = Listener { bus: Arc::clone(bus), patterns, own, heard: BTreeMap::new() };
    let run = move || {
        while !door.is_closed() {
            listener.look(&door);
            thread::sleep(LOOK);
        }
    };
    if let Err(error) = thread::Builder::new().name("record topics".to_owned()).spawn(run) {
        tracing::warn!(%error, "topics are not recorded");
    }
}

struct Listener {
    bus: Arc<dyn Bus>,
    patterns: Vec<String>,
    /// What topics of the world begin with.
    own: [String; 2],
    heard: BTreeMap<String, Guard>,
}

impl Listener {
    /// Listens to what is there and was not when this looked last.
    fn look(&mut self, door: &SideDoor) {
        let topics = match self.bus.topics() {
            Ok(topics) => topics,
            Err(error) => {
                tracing::debug!(%error, "topics cannot be listed now");
                return;
            }
        };
        for topic in topics {
            let wanted = self.patterns.iter().any(|pattern| fits(pattern, &topic.name));
            let own = self.own.iter().any(|start| topic.name.starts_with(start));
            if !wanted || own || self.heard.contains_key(&topic.name) {
                continue;
            }
            match listen(self.bus.as_ref(), &topic.name, door) {
                Ok(guard) => drop(self.heard.insert(topic.name, guard)),
                Err(error) => tracing::warn!(%error, "a topic is not recorded"),
            }
        }
    }
}

fn listen(bus: &dyn Bus, topic: &str, door: &SideDoor) -> Result<Guard, BusError> {
    let (door, name) = (door.clone(), topic.to_owned());
    bus.subscribe(
        &Name::new(topic)?,
        Arc::new(move |message| {
            let type_name = message.type_name.to_owned();
            let message = OutMessage::encoded(name.clone(), type_name, message.bytes.to_vec());
            door.pour(Happening::Message(message));
        }),
    )
}

/// Says whether a topic is meant; a `*` at the end stands for anything.
fn fits(pattern: &str, topic: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => topic.starts_with(start),
        None => topic == pattern,
    }
}
