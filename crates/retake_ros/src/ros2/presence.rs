//! Tells ROS 2 that there is a node, and which ends of topics are its own.

use rustdds::{RTPSEntity, Timestamp};

use super::End;
use super::domain::{Domain, Promise, Raw, Writer};

/// Name of the node, in the root namespace.
const NODE: &str = "retake";

/// The node in the eyes of ROS 2.
pub(super) struct Presence {
    participant: [u8; 16],
    writer: Writer,
}

impl Presence {
    /// Makes the end that the node is told by.
    ///
    /// # Errors
    /// A line for people.
    pub(super) fn new(domain: &Domain) -> Result<Self, String> {
        let type_name = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
        let writer = domain.writer("ros_discovery_info", type_name, Promise::LastToo)?;
        Ok(Self { participant: domain.participant.guid().to_bytes(), writer })
    }

    /// Tells of the node.
    pub(super) async fn tell(&self, ends: impl Iterator<Item = &End>) {
        let (mut readers, mut writers) = (Vec::new(), Vec::new());
        for end in ends {
            match end {
                End::Reader(end) => readers.push(end.to_bytes()),
                End::Writer(end) => writers.push(end.to_bytes()),
            }
        }
        let body = message(&self.participant, &readers, &writers);
        let message = Raw { body: body.into(), little_endian: true };
        if let Err(error) = self.writer.async_write(message, Some(Timestamp::now())).await {
            tracing::warn!(error = %error.forget_data(), "ROS 2 is not told of the node");
        }
    }
}

/// Encodes `rmw_dds_common/ParticipantEntitiesInfo` with one node, as it is since ROS 2 Iron.
///
/// It is not among the definitions: its texts are bounded, which nothing else is.
fn message(participant: &[u8; 16], readers: &[[u8; 16]], writers: &[[u8; 16]]) -> Vec<u8> {
    let mut body = participant.to_vec();
    let count = |body: &mut Vec<u8>, count: usize| {
        body.resize(body.len().next_multiple_of(4), 0);
        // Counts are of our own few ends and short names.
        body.extend(u32::try_from(count).unwrap_or(0).to_le_bytes());
    };
    count(&mut body, 1);
    for text in ["/", NODE] {
        count(&mut body, text.len() + 1);
        body.extend(text.bytes().chain([0]));
    }
    for ends in [readers, writers] {
        count(&mut body, ends.len());
        body.extend(ends.iter().flatten());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_told_with_its_ends() {
        let body = message(&[1; 16], &[[2; 16]], &[[3; 16], [4; 16]]);
        let expected = [
            &[1; 16][..],
            &[1, 0, 0, 0],
            &[2, 0, 0, 0, b'/', 0, 0, 0],
            &[7, 0, 0, 0],
            b"retake\0\0",
            &[1, 0, 0, 0],
            &[2; 16],
            &[2, 0, 0, 0],
            &[3; 16],
            &[4; 16],
        ];
        assert_eq!(body, expected.concat());
    }
}
