//! A participant of a DDS domain on this machine, and its ends of topics.
//!
//! Messages pass as they are on the wire; what they mean is not known here.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use rustdds::bytes::Bytes;
use rustdds::no_key::{
    DataWriter, Decode, DefaultDecoder, DeserializerAdapter, SerializerAdapter, SimpleDataReader,
};
use rustdds::policy::{Durability, History, Reliability};
use rustdds::{
    DomainParticipant, DomainParticipantBuilder, Duration, Publisher, QosPolicies,
    QosPolicyBuilder, RepresentationIdentifier, Subscriber, Topic, TopicKind,
};

use super::loopback::Open;

/// How long a message that must arrive may wait for slow listeners before it is given up.
const PATIENCE: Duration = Duration::from_millis(100);

/// Sockets that a participant has at least: for discovery, for data, and to send.
const LEAST_SOCKETS: usize = 3;

/// A message as it is on the wire, without the four bytes before it.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    /// The message.
    pub(super) body: Bytes,
    /// Order of its bytes.
    pub(super) little_endian: bool,
}

impl Raw {
    /// Takes a message that [`crate::message`] has encoded.
    pub(super) fn from_cdr(mut bytes: Vec<u8>) -> Self {
        let body = bytes.split_off(bytes.len().min(4));
        Self { body: body.into(), little_endian: true }
    }

    /// Returns the message, from a place on, as [`crate::message`] decodes it.
    pub(super) fn to_cdr(&self, from: usize) -> Vec<u8> {
        let header = [0, u8::from(self.little_endian), 0, 0];
        [&header, self.body.get(from..).unwrap_or_default()].concat()
    }
}

/// Leaves messages as they are.
pub(super) struct AsIs;

impl SerializerAdapter<Raw> for AsIs {
    type Error = Infallible;

    fn output_encoding() -> RepresentationIdentifier {
        RepresentationIdentifier::CDR_LE
    }

    fn to_bytes(value: &Raw) -> Result<Bytes, Infallible> {
        Ok(value.body.clone())
    }
}

impl DeserializerAdapter<Raw> for AsIs {
    type Error = Infallible;
    type Decoded = Raw;

    fn supported_encodings() -> &'static [RepresentationIdentifier] {
        &[RepresentationIdentifier::CDR_LE, RepresentationIdentifier::CDR_BE]
    }

    fn transform_decoded(decoded: Raw) -> Raw {
        decoded
    }
}

impl DefaultDecoder<Raw> for AsIs {
    type Decoder = Copying;
    const DECODER: Copying = Copying;
}

/// Copies the bytes of a message.
#[derive(Clone)]
pub(super) struct Copying;

impl Decode<'_, Raw> for Copying {
    type Error = Infallible;

    fn decode_bytes(
        self,
        bytes: &[u8],
        encoding: RepresentationIdentifier,
    ) -> Result<Raw, Infallible> {
        let little_endian = encoding == RepresentationIdentifier::CDR_LE;
        Ok(Raw { body: Bytes::copy_from_slice(bytes), little_endian })
    }
}

pub(super) type Writer = DataWriter<Raw, AsIs>;
pub(super) type Reader = SimpleDataReader<Raw, AsIs>;

/// What is promised of a topic; all arrives as long as so many wait at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Whoever comes later begins with what comes then.
    FromNow(i32),
    /// Whoever comes later gets the last.
    LastToo,
}

impl Promise {
    fn qos(self) -> QosPolicies {
        let (durability, depth) = match self {
            Self::FromNow(depth) => (Durability::Volatile, depth),
            Self::LastToo => (Durability::TransientLocal, 1),
        };
        QosPolicyBuilder::new()
            .reliability(Reliability::Reliable { max_blocking_time: PATIENCE })
            .durability(durability)
            .history(History::KeepLast { depth })
            .build()
    }
}

/// A participant of a domain.
pub(crate) struct Domain {
    pub(super) participant: DomainParticipant,
    publisher: Publisher,
    subscriber: Subscriber,
}

impl Domain {
    /// Joins a domain, on loopback only.
    ///
    /// # Errors
    /// A line for people, without the option that is meant.
    pub(crate) fn join(number: u16) -> Result<Self, String> {
        let sentence = |error: &dyn std::fmt::Display| format!("domain {number}: {error}");
        let open = Open::now().map_err(|error| sentence(&error))?;
        let participant = DomainParticipantBuilder::new(number)
            .with_only_networks([IpAddr::V4(Ipv4Addr::LOCALHOST)])
            // What the system gives will do for one machine.
            .socket_receive_buffer_size(0)
            .socket_send_buffer_size(0)
            .build()
            .map_err(|error| sentence(&error))?;
        let tied = open.tie_newer().map_err(|error| {
            format!(
                "its sockets cannot be tied to loopback: {error}. In a container, allow the call \
                 pidfd_getfd (as --cap-add SYS_PTRACE does), or use --rosbridge"
            )
        })?;
        if tied < LEAST_SOCKETS {
            return Err(format!("only {tied} of its sockets were found to tie them to loopback"));
        }
        let qos = Promise::FromNow(1).qos();
        let publisher = participant.create_publisher(&qos).map_err(|error| sentence(&error))?;
        let subscriber = participant.create_subscriber(&qos).map_err(|error| sentence(&error))?;
        Ok(Self { participant, publisher, subscriber })
    }

    /// Makes an end of a topic that messages are sent by.
    ///
    /// # Errors
    /// A line for people.
    pub(super) fn writer(
        &self,
        topic: &str,
        type_name: &str,
        promise: Promise,
    ) -> Result<Writer, String> {
        let topic = self.topic(topic, type_name, promise)?;
        let made = self.publisher.create_datawriter_no_key(&topic, Some(promise.qos()));
        made.map_err(|error| format!("{}: {error}", topic_name(&topic)))
    }

    /// Makes an end of a topic that messages come by.
    ///
    /// # Errors
    /// A line for people.
    pub(super) fn reader(
        &self,
        topic: &str,
        type_name: &str,
        promise: Promise,
    ) -> Result<Reader, String> {
        let topic = self.topic(topic, type_name, promise)?;
        let made = self.subscriber.create_simple_datareader_no_key(&topic, Some(promise.qos()));
        made.map_err(|error| format!("{}: {error}", topic_name(&topic)))
    }

    fn topic(&self, name: &str, type_name: &str, promise: Promise) -> Result<Topic, String> {
        let (name, type_name) = (name.to_owned(), type_name.to_owned());
        let made = self.participant.create_topic(name, type_name, &promise.qos(), TopicKind::NoKey);
        made.map_err(|error| error.to_string())
    }
}

fn topic_name(topic: &Topic) -> String {
    rustdds::TopicDescription::name(topic)
}

#[cfg(test)]
mod tests {
    use std::sync::PoisonError;

    use super::super::loopback::tests::ALONE;
    use super::*;

    #[test]
    fn no_socket_of_a_participant_hears_other_machines() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let before = Open::now().unwrap();
        let _domain = Domain::join(101).unwrap();
        let devices = before.devices().unwrap();
        assert!(devices.len() >= LEAST_SOCKETS, "{devices:?}");
        assert!(devices.iter().all(|device| device.as_deref() == Some("lo")), "{devices:?}");
    }
}
