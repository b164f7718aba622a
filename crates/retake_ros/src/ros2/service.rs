//! Services of ROS 2: requests come by one topic, replies go by another.
//!
//! Who asked is told in two ways. Fast DDS and RustDDS have it beside the message, CycloneDDS in
//! sixteen bytes before it. Replies go back the way that the request came, so clients of both can
//! ask one server.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use rustdds::no_key::DeserializedCacheChange;
use rustdds::{GUID, SampleIdentity, SequenceNumber, Timestamp, WriteOptionsBuilder};
use serde_json::Value;
use tokio::sync::mpsc;

use super::domain::{Domain, Promise, Raw, Reader, Writer};
use super::names;
use crate::message::{Flavour, library};

/// Replies that may wait to be sent; further ones are lost, and told so.
const MOST: usize = 256;
/// Messages of a service that wait for slow listeners, as ROS 2 has it.
const DEPTH: i32 = 10;

/// What CycloneDDS puts before a message: who asked, and which request it was.
const HEADER: usize = 16;
/// How the identities of participants of CycloneDDS begin.
const CYCLONE: [u8; 2] = [1, 0x10];

/// A server of a service.
pub(super) struct Server {
    name: String,
    request_type: String,
    response_type: String,
    requests: Reader,
    replies: Writer,
}

/// The way back to whoever asked; dropping it leaves the question unanswered.
pub(super) struct Answer {
    caller: Caller,
    way: mpsc::Sender<(Caller, Value)>,
}

impl Answer {
    /// Answers.
    pub(super) fn give(self, response: Value) {
        if self.way.try_send((self.caller, response)).is_err() {
            tracing::warn!("{MOST} answers of a service wait already: one is lost");
        }
    }
}

/// Called with each request.
pub(super) type Handler = Arc<dyn Fn(Value, Answer) + Send + Sync>;

impl Server {
    /// Makes a server: the name of the service, and the types of its messages.
    ///
    /// # Errors
    /// A line for people.
    pub(super) fn new(
        domain: &Domain,
        name: &str,
        request_type: String,
        response_type: String,
    ) -> Result<Self, String> {
        let (ros2, promise) = (library(Flavour::Ros2), Promise::FromNow(DEPTH));
        let type_name = |name: &str| names::type_name(ros2, name);
        let requests = domain.reader(&names::requests(name), &type_name(&request_type), promise)?;
        let replies = domain.writer(&names::replies(name), &type_name(&response_type), promise)?;
        Ok(Self { name: name.to_owned(), request_type, response_type, requests, replies })
    }

    /// Returns the identities of its two ends: where requests come, where replies go.
    pub(super) fn ends(&self) -> (GUID, GUID) {
        (self.requests.guid(), rustdds::RTPSEntity::guid(&self.replies))
    }

    /// Serves until the future is dropped.
    pub(super) async fn serve(self, handler: Handler) {
        let (way, mut given) = mpsc::channel(MOST);
        let mut requests = pin!(self.requests.as_async_stream());
        loop {
            tokio::select! {
                Some(asked) = requests.next() => match asked {
                    Ok(asked) => self.take(&asked, &handler, &way),
                    Err(error) => tracing::debug!(service = self.name, %error, "not understood"),
                },
                Some((caller, response)) = given.recv() => self.reply(caller, &response).await,
                else => return,
            }
        }
    }

    fn take(
        &self,
        asked: &DeserializedCacheChange<Raw>,
        handler: &Handler,
        way: &mpsc::Sender<(Caller, Value)>,
    ) {
        let understood = Caller::of(asked).ok_or_else(|| "it has no header".to_owned());
        let understood = understood.and_then(|(caller, from)| {
            let bytes = asked.sample.to_cdr(from);
            let request = library(Flavour::Ros2).from_cdr(&self.request_type, &bytes);
            Ok((caller, request.map_err(|error| error.to_string())?))
        });
        match understood {
            Ok((caller, request)) => handler(request, Answer { caller, way: way.clone() }),
            // Services of ROS 2 have no word for it: the caller is left waiting.
            Err(reason) => tracing::warn!(service = self.name, reason, "a request is left out"),
        }
    }

    async fn reply(&self, caller: Caller, response: &Value) {
        let encoded = library(Flavour::Ros2).to_cdr(&self.response_type, response);
        let sent = match encoded {
            Ok(bytes) => {
                let options = WriteOptionsBuilder::new()
                    .source_timestamp(Timestamp::now())
                    .related_sample_identity(caller.identity)
                    .build();
                let message = caller.wrap(Raw::from_cdr(bytes));
                let sent = self.replies.async_write_with_options(message, options).await;
                sent.map(drop).map_err(|error| error.forget_data().to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = sent {
            tracing::warn!(service = self.name, reason, "a reply is not sent");
        }
    }
}

/// Who asked.
struct Caller {
    /// As it is told beside the message.
    identity: SampleIdentity,
    /// As CycloneDDS tells it.
    header: Option<[u8; HEADER]>,
}

impl Caller {
    /// Finds out who asked, and where the request begins.
    fn of(asked: &DeserializedCacheChange<Raw>) -> Option<(Self, usize)> {
        let own = SampleIdentity {
            writer_guid: asked.writer_guid(),
            sequence_number: asked.sequence_number,
        };
        if asked.writer_guid().to_bytes().starts_with(&CYCLONE) {
            let mut header = *asked.sample.body.first_chunk::<HEADER>()?;
            if !asked.sample.little_endian {
                header.chunks_mut(HEADER / 2).for_each(<[u8]>::reverse);
            }
            return Some((Self { identity: own, header: Some(header) }, HEADER));
        }
        let mut identity = asked.write_options.related_sample_identity().unwrap_or(own);
        // Fast DDS names only who asked; the number is that of the message.
        if identity.sequence_number == SequenceNumber::UNKNOWN {
            identity.sequence_number = own.sequence_number;
        }
        Some((Self { identity, header: None }, 0))
    }

    /// Puts before a reply what belongs there.
    fn wrap(&self, reply: Raw) -> Raw {
        match &self.header {
            Some(header) => Raw { body: [&header[..], &reply.body[..]].concat().into(), ..reply },
            None => reply,
        }
    }
}
