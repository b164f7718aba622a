//! Services over zenoh's queries.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use retake_msgs::MAX_MESSAGE_BYTES;
use zenoh::Wait;
use zenoh::bytes::Encoding;
use zenoh::query::{Query, Reply};

use super::outbox::Lanes;
use super::{ZenohBus, keys, network};
use crate::bus::{Bus, Guard, Handler, Message, Responder, ServiceTypes};
use crate::callback;
use crate::error::{BusError, CallError};
use crate::limits::check_request;
use crate::name::Name;

/// How many requests may be under way in one process; further ones are refused at once.
const MAX_UNDER_WAY: usize = 4096;

/// How much later than zenoh we give up ourselves, so that zenoh's own timeout comes first.
const GRACE: Duration = Duration::from_secs(1);

/// Marks a refusal by a service, as against an error of zenoh's.
const REFUSAL: &str = "text/plain;retake.refusal";

/// Answers calls to `service` until the guard is dropped.
pub(super) fn serve(
    bus: &ZenohBus,
    service: &Name,
    types: ServiceTypes,
    handler: Handler,
) -> Result<Guard, BusError> {
    if !bus.tokens(&keys::service_tokens(service), "services")?.is_empty() {
        return Err(BusError::ServiceTaken { name: service.to_string() });
    }
    let token_key = keys::service_token(service, &types, &bus.owner());
    let (name, lanes) = (service.clone(), Arc::clone(&bus.outbox.lanes));
    let under_way = Arc::clone(&bus.under_way);
    let take = move |query: Query| {
        let request = request_of(&query);
        let slot = Slot::take(&under_way);
        let responder = responder(query, types.reply.clone(), Arc::clone(&lanes), slot.clone());
        match (slot, request) {
            (None, _) => responder.refuse("The server has too many requests under way"),
            (_, Err(reason)) => responder.refuse(reason),
            (_, Ok(request)) => callback::hand_over(&name, &types, request, responder, &handler),
        }
    };
    let declared = bus.session.declare_queryable(keys::service(service)).callback(take);
    let queryable = declared.wait().map_err(network("serve"))?;
    // Announced last: whoever sees the token can call.
    let token = bus.token(token_key)?;
    Ok(Guard::keeping((token, queryable)))
}

/// Calls `service` and waits for its reply.
pub(super) fn call(
    bus: &ZenohBus,
    service: &Name,
    request: &Message,
    timeout: Duration,
) -> Result<Message, CallError> {
    check_request(service, request)?;
    let name = service.to_string();
    let (send, replies) = mpsc::channel();
    // The receiver is gone when the caller has given up; then nobody misses the reply.
    let take = move |reply: Reply| drop(send.send(outcome_of(&reply)));
    let asked = bus.session.get(keys::service(service)).payload(request.bytes.clone());
    let asked = asked.encoding(encoding(&request.type_name)).timeout(timeout);
    if let Err(cause) = asked.callback(take).wait() {
        tracing::debug!(name, %cause, "a call could not be sent");
        return Err(CallError::Closed { name });
    }
    match replies.recv_timeout(timeout + GRACE) {
        Ok(Outcome::Answered(reply)) => Ok(reply),
        Ok(Outcome::Refused(message)) => Err(CallError::Refused { message }),
        Ok(Outcome::Failed) | Err(mpsc::RecvTimeoutError::Timeout) => {
            Err(CallError::Timeout { name, timeout })
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(nobody_answered(bus, name)),
    }
}

/// Makes the encoding that carries a type's name.
pub(super) fn encoding(type_name: &str) -> Encoding {
    Encoding::APPLICATION_PROTOBUF.with_schema(type_name)
}

/// Returns the type's name in an encoding; empty when there is none.
pub(super) fn schema(encoding: &str) -> &str {
    encoding.split_once(';').map_or("", |(_, schema)| schema)
}

enum Outcome {
    Answered(Message),
    Refused(String),
    Failed,
}

fn outcome_of(reply: &Reply) -> Outcome {
    match reply.result() {
        Ok(sample) => Outcome::Answered(Message {
            type_name: schema(&sample.encoding().to_string()).to_owned(),
            bytes: sample.payload().to_bytes().into_owned(),
        }),
        Err(error) if error.encoding().to_string() == REFUSAL => {
            let reason = error.payload().to_bytes();
            Outcome::Refused(String::from_utf8_lossy(&reason).into_owned())
        }
        Err(_) => Outcome::Failed,
    }
}

/// Tells a service that is not there from a process that died during the call.
fn nobody_answered(bus: &ZenohBus, name: String) -> CallError {
    let Ok(services) = bus.services() else { return CallError::Closed { name } };
    let known: Vec<String> = services.into_iter().map(|service| service.name).collect();
    match known.contains(&name) {
        true => CallError::Closed { name },
        false => CallError::NoSuchService { name, known },
    }
}

fn request_of(query: &Query) -> Result<Message, String> {
    let encoding = query.encoding().map(Encoding::to_string).unwrap_or_default();
    let bytes = query.payload().map(|payload| payload.to_bytes()).unwrap_or_default();
    match bytes.len() {
        size if size > MAX_MESSAGE_BYTES => {
            Err(format!("The request of {size} bytes is over the limit of {MAX_MESSAGE_BYTES}"))
        }
        _ => Ok(Message { type_name: schema(&encoding).to_owned(), bytes: bytes.into_owned() }),
    }
}

fn responder(
    query: Query,
    reply_type: String,
    lanes: Arc<Lanes>,
    slot: Option<Arc<Slot>>,
) -> Responder {
    Responder::new(Box::new(move |outcome| {
        let send = move || {
            let sent = match outcome {
                Ok(bytes) => {
                    let key = query.key_expr().clone();
                    query.reply(key, bytes).encoding(encoding(&reply_type)).wait()
                }
                Err(reason) => query.reply_err(reason).encoding(REFUSAL).wait(),
            };
            if let Err(cause) = sent {
                tracing::debug!(service = %query.key_expr(), %cause, "the caller is gone");
            }
            drop(slot);
        };
        if lanes.reply(Box::new(send)).is_err() {
            tracing::debug!("the bus was closed before a request was answered");
        }
    }))
}

/// One of the requests that may be under way at once.
struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn take(under_way: &Arc<AtomicUsize>) -> Option<Arc<Self>> {
        let taken = under_way.fetch_add(1, Ordering::Relaxed);
        let slot = Self(Arc::clone(under_way));
        (taken < MAX_UNDER_WAY).then(|| Arc::new(slot))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
