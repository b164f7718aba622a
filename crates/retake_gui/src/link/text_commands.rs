//! Text commands of motions, on their way to the pages.

use std::collections::BTreeMap;

use prost::Message;
use retake_components::{PluginConfig, path_of};
use retake_ecm::{Ecm, Parent};
use retake_msgs::{Name, TextCommandFired, names};
use retake_transport::{Bus, Guard, typed};

use super::Event;
use super::attach::{Intake, News};

/// Models whose text commands are heard; of further ones none are.
const MAX_ROBOTS: usize = 256;

/// Returns the event for pages that a message of a system is; none when it is no text command.
pub fn text_command(type_name: &str, bytes: &[u8]) -> Option<Event> {
    if type_name != TextCommandFired::full_name() {
        return None;
    }
    let fired = TextCommandFired::decode(bytes).ok()?;
    Some(Event::TextCommand(Box::new(fired)))
}

/// What is heard of a server in another process: models with systems may have players.
#[derive(Default)]
pub(super) struct TextCommands {
    heard: BTreeMap<String, Option<Guard>>,
}

impl TextCommands {
    /// Hears of models that came; those that went say nothing more.
    pub(super) fn follow(&mut self, ecm: &Ecm, bus: &dyn Bus, intake: &Intake) {
        for (plugin, _) in ecm.iter::<PluginConfig>() {
            let Some(Parent(holder)) = ecm.get::<Parent>(plugin) else { continue };
            let name = path_of(ecm, *holder);
            if self.heard.contains_key(&name) || self.heard.len() >= MAX_ROBOTS {
                continue;
            }
            let news = intake.clone();
            let topic = names::text_command(&name);
            let guard = typed::subscribe(bus, &topic, move |fired: TextCommandFired| {
                news.take(News::Event(Event::TextCommand(Box::new(fired))));
            });
            let guard = guard.inspect_err(|cause| {
                tracing::warn!(%cause, topic, "text commands are not heard");
            });
            self.heard.insert(name, guard.ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_commands_become_events() {
        let fired = TextCommandFired { robot: "dog".to_owned(), ..TextCommandFired::default() };
        let bytes = fired.encode_to_vec();
        let expected = Some(Event::TextCommand(Box::new(fired)));
        assert_eq!(text_command("retake.msgs.TextCommandFired", &bytes), expected);
        assert_eq!(text_command("retake.msgs.JointReference", &bytes), None);
        assert_eq!(text_command("retake.msgs.TextCommandFired", b"\x0a\xff"), None);
    }
}
