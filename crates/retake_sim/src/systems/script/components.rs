//! What a world keeps of a script.

use std::sync::Arc;

use retake_ecm::{Component, EntityId};
use retake_script::Memory;
use serde::{Deserialize, Serialize};

/// Text of a script, read once when its plugin came; on its plugin entity.
///
/// Part of the world, so that logs, replicas and jumps in time have the text that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptSource {
    /// What the plugin calls the file.
    pub uri: String,
    /// The file that it was read from; empty when the text came with a command.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
    /// Why there is no text; empty when there is one.
    pub fault: String,
    /// How often it was given a text since its plugin came.
    pub reloads: u64,
}

impl Component for ScriptSource {
    const NAME: &'static str = "script_source";
}

/// All that a script knows of the past; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptState(pub Memory);

impl Component for ScriptState {
    const NAME: &'static str = "script_state";
}

/// Axes that a script has commanded, sorted, so that they can be let go of; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptDrives(pub Vec<(EntityId, usize)>);

impl Component for ScriptDrives {
    const NAME: &'static str = "script_drives";
}

/// What users told a script that it has not heard yet, oldest first; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptCommands(pub Vec<String>);

impl ScriptCommands {
    /// Most commands that wait; a script hears them before its next step.
    pub const MOST: usize = 64;
}

impl Component for ScriptCommands {
    const NAME: &'static str = "script_commands";
}

/// Messages that a script published between two steps; sent with those of the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptOutbox(pub Vec<(String, String, Vec<u8>)>);

impl ScriptOutbox {
    /// Most messages that wait; beyond it the oldest is dropped.
    pub const MOST: usize = 256;
}

impl Component for ScriptOutbox {
    const NAME: &'static str = "script_outbox";
}

/// Topics that a script publishes to, sorted; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptTopics(pub Vec<String>);

impl ScriptTopics {
    /// Most topics that one script can publish to: each is announced to every program on the bus.
    pub const MOST: usize = 64;
}

impl Component for ScriptTopics {
    const NAME: &'static str = "script_topics";
}

/// Names of the numbers that a script shows, sorted; on its plugin entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptItemNames(pub Vec<String>);

impl ScriptItemNames {
    /// Most numbers that one script can show.
    pub const MOST: usize = 64;
}

impl Component for ScriptItemNames {
    const NAME: &'static str = "script_item_names";
}

/// The numbers that a script shows, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptItems(pub Vec<f64>);

impl Component for ScriptItems {
    const NAME: &'static str = "script_items";
}
