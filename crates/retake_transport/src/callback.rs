//! Runs callbacks so that their faults stay their own.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::bus::{Handler, Message, Responder, ServiceTypes};
use crate::name::Name;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `callback` of `whom`; a panic is logged and goes no further, because the thread belongs
/// to the transport and serves others too.
pub(crate) fn run(whom: &str, callback: impl FnOnce()) {
    DEPTH.set(DEPTH.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(callback));
    DEPTH.set(DEPTH.get() - 1);
    if outcome.is_err() {
        tracing::error!(whom, "a callback panicked; its message is lost");
    }
}

/// Says whether this thread is inside a callback.
pub(crate) fn is_inside() -> bool {
    DEPTH.get() > 0
}

/// Hands a request to a service's handler, or refuses one of the wrong type.
pub(crate) fn hand_over(
    service: &Name,
    types: &ServiceTypes,
    request: Message,
    responder: Responder,
    handler: &Handler,
) {
    if request.type_name != types.request {
        let (ours, theirs) = (&types.request, &request.type_name);
        return responder.refuse(format!("Service {service} wants {ours}, not {theirs}"));
    }
    run(service.as_str(), || handler(request, responder));
}
