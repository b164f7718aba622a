//! Protobuf schemas, generated types and the descriptor pool.
//!
//! The schemas are in `proto/`; the page generates its types from the same files. Conversions to
//! and from our own value types are in [`convert`], the names of topics and services in [`names`],
//! numbers that nobody can mean are found in [`numbers`], schemas of others are read in [`schemas`].

pub mod convert;
pub mod names;
pub mod numbers;
pub mod schemas;

use std::sync::LazyLock;

use prost::Message;
pub use prost::Name;
use prost_reflect::prost_types::FileDescriptorSet;
use prost_reflect::{DescriptorPool, FileDescriptor};

#[allow(missing_docs, reason = "the schemas carry the documentation")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/retake.msgs.rs"));
}

pub use generated::*;

/// The message types by which Foxglove and others draw a world.
#[allow(missing_docs, reason = "the schema carries the documentation")]
pub mod foxglove {
    include!(concat!(env!("OUT_DIR"), "/foxglove.rs"));
}

/// Version of the protocol between server, GUI host and page; both sides refuse another one.
pub const PROTOCOL_VERSION: u32 = 5;

/// Greatest size of one message in bytes, on every transport.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// The encoded `FileDescriptorSet` of every schema here.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Returns the descriptors of every message type of Retake.
pub fn descriptor_pool() -> &'static DescriptorPool {
    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
        DescriptorPool::decode(DESCRIPTORS).expect("our own build made these bytes")
    });
    &POOL
}

/// Returns the schema of `type_name` with the files it needs and no others.
pub fn type_descriptor(type_name: &str) -> Option<TypeDescriptor> {
    let message = descriptor_pool().get_message_by_name(type_name)?;
    let mut wanted = Vec::new();
    add_with_dependencies(message.parent_file(), &mut wanted);
    let file = wanted.iter().map(|file| file.file_descriptor_proto().clone()).collect();
    let file_descriptor_set = FileDescriptorSet { file }.encode_to_vec();
    Some(TypeDescriptor { type_name: type_name.to_owned(), file_descriptor_set })
}

/// Adds a file after all that it depends on, for many readers take them in order.
fn add_with_dependencies(file: FileDescriptor, wanted: &mut Vec<FileDescriptor>) {
    if !wanted.contains(&file) {
        for dependency in file.dependencies() {
            add_with_dependencies(dependency, wanted);
        }
        wanted.push(file);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_descriptor_stands_alone() {
        let descriptor = type_descriptor(&WorldStatistics::full_name()).unwrap();
        let pool = DescriptorPool::decode(descriptor.file_descriptor_set.as_slice()).unwrap();
        let message = pool.get_message_by_name(&descriptor.type_name).unwrap();
        assert!(message.get_field_by_name("sim_time").is_some());
        assert!(type_descriptor("retake.msgs.NoSuchThing").is_none());
    }

    #[test]
    fn files_come_after_what_they_import() {
        for message in descriptor_pool().all_messages() {
            let descriptor = type_descriptor(message.full_name()).unwrap();
            let set = FileDescriptorSet::decode(descriptor.file_descriptor_set.as_slice()).unwrap();
            let mut seen = BTreeSet::new();
            for file in &set.file {
                let (name, needs) = (file.name(), &file.dependency);
                assert!(needs.iter().all(|need| seen.contains(need.as_str())), "{name} {needs:?}");
                assert!(seen.insert(name), "{name} is there twice");
            }
        }
    }
}
