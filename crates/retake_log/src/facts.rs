//! What a log says of itself, and the checksum by which its metadata are known to be unaltered.
//!
//! Chunks, attachments and the summary of an MCAP file have a checksum each; metadata have none.
//! So ours carry one as an entry, and metadata without it are not used.

use std::collections::BTreeMap;

use retake_math::SimTime;
use xxhash_rust::xxh3::Xxh3;

/// Name of the metadata record with the [`LogFacts`].
pub(crate) const FACTS: &str = "retake";

/// Key of the entry that holds the checksum of the others.
const CHECKSUM: &str = "checksum";

/// What a log says of itself (metadata `retake`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFacts {
    /// Name of the world.
    pub world: String,
    /// File that the world came from; empty when there is none.
    pub world_file: String,
    /// Run that was recorded.
    pub run: String,
    /// Version of the program that recorded.
    pub version: String,
    /// Seed of the world.
    pub seed: u64,
    /// Physics profile at the beginning.
    pub profile: String,
    /// Physics engine.
    pub engine: String,
    /// Version of the physics engine.
    pub engine_version: String,
    /// When the recording began, in nanoseconds since 1970: log times count from here.
    pub started_unix_nanos: u64,
}

/// When something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Recording time: what was simulated since the recording began, counted on through jumps.
    pub recorded: SimTime,
    /// Simulated time, which may jump.
    pub sim_time: SimTime,
}

impl LogFacts {
    pub(crate) fn entries(&self) -> BTreeMap<String, String> {
        let entries = [
            ("engine", self.engine.clone()),
            ("engine_version", self.engine_version.clone()),
            ("profile", self.profile.clone()),
            ("protocol", retake_msgs::PROTOCOL_VERSION.to_string()),
            ("run", self.run.clone()),
            ("seed", self.seed.to_string()),
            ("started_unix_nanos", self.started_unix_nanos.to_string()),
            ("version", self.version.clone()),
            ("world", self.world.clone()),
            ("world_file", self.world_file.clone()),
        ];
        entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    pub(crate) fn from_entries(entries: &BTreeMap<String, String>) -> Self {
        let text = |key: &str| entries.get(key).cloned().unwrap_or_default();
        let number = |key: &str| entries.get(key).and_then(|n| n.parse().ok()).unwrap_or_default();
        Self {
            world: text("world"),
            world_file: text("world_file"),
            run: text("run"),
            version: text("version"),
            seed: number("seed"),
            profile: text("profile"),
            engine: text("engine"),
            engine_version: text("engine_version"),
            started_unix_nanos: number("started_unix_nanos"),
        }
    }
}

/// Adds the checksum to metadata.
pub(crate) fn seal(name: &str, mut entries: BTreeMap<String, String>) -> BTreeMap<String, String> {
    entries.remove(CHECKSUM);
    let checksum = checksum(name, &entries);
    entries.insert(CHECKSUM.to_owned(), checksum);
    entries
}

/// Returns metadata without the checksum when that is right.
pub(crate) fn unseal(
    name: &str,
    mut entries: BTreeMap<String, String>,
) -> Option<BTreeMap<String, String>> {
    let found = entries.remove(CHECKSUM)?;
    (found == checksum(name, &entries)).then_some(entries)
}

fn checksum(name: &str, entries: &BTreeMap<String, String>) -> String {
    let mut hash = Xxh3::new();
    let mut add = |text: &str| {
        // The length parts texts from one another.
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add(name);
    for (key, value) in entries {
        add(key);
        add(value);
    }
    format!("{:016x}", hash.digest())
}
