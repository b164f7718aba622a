//! Bounds that hold on every bus.

use std::collections::BTreeMap;

use retake_msgs::{MAX_MESSAGE_BYTES, TypeDescriptor};

use crate::bus::Message;
use crate::callback;
use crate::error::{BusError, CallError};
use crate::name::Name;

/// How many foreign schemas one program may offer.
const MAX_DESCRIPTORS: usize = 1024;

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
