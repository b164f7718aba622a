//! Bounds that hold on every bus.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use retake_msgs::{MAX_MESSAGE_BYTES, TypeDescriptor};

use crate::bus::Message;
use crate::callback;
use crate::error::{BusError, CallError};
use crate::name::Name;

/// How many foreign schemas one program may offer.
const MAX_DESCRIPTORS: usize = 1024;

/// How many topics one program may listen to, counted for each subscription.
pub const MAX_SUBSCRIPTIONS: usize = 4096;

/// Counts the subscriptions of one program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscriptions(Arc<AtomicUsize>);

/// One subscription, counted while it is kept.
pub(crate) struct Subscription(Arc<AtomicUsize>);

impl Subscriptions {
    /// Counts one more, unless there are too many.
    pub(crate) fn begin(&self) -> Result<Subscription, BusError> {
        let one = Subscription(Arc::clone(&self.0));
        match self.0.fetch_add(1, Ordering::Relaxed) < MAX_SUBSCRIPTIONS {
            true => Ok(one),
            false => {
                let (what, limit) = ("subscriptions", MAX_SUBSCRIPTIONS);
                Err(BusError::LimitReached { what, limit })
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(crate) fn check_size(name: &str, bytes: usize) -> Result<(), BusError> {
    match bytes <= MAX_MESSAGE_BYTES {
        true => Ok(()),
        false => Err(BusError::TooLarge { name: name.to_owned(), bytes, limit: MAX_MESSAGE_BYTES }),
    }
}

pub(crate) fn check_request(service: &Name, request: &Message) -> Result<(), CallError> {
    let name = service.to_string();
    if callback::is_inside() {
        return Err(CallError::InsideCallback { name });
    }
    match request.bytes.len() {
        bytes if bytes > MAX_MESSAGE_BYTES => {
            Err(CallError::TooLarge { name, bytes, limit: MAX_MESSAGE_BYTES })
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_descriptors(
    offered: &BTreeMap<String, TypeDescriptor>,
    new: &str,
) -> Result<(), BusError> {
    match offered.len() < MAX_DESCRIPTORS || offered.contains_key(new) {
        true => Ok(()),
        false => Err(BusError::LimitReached { what: "offered types", limit: MAX_DESCRIPTORS }),
    }
}
