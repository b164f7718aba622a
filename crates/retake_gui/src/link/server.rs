//! A server in another process: where it is, and how it is asked.

use std::sync::Arc;
use std::time::Duration;

use retake_msgs::{
    ServerInfo, ServerInfoRequest, StampedState, StateRequest, UserCmd, UserCmdReply, WorldControl,
    names,
};
use retake_transport::{Bus, typed};

use super::LinkRequest;
use super::feed::refusal;

/// How long the server may take for a reply.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Where requests go.
pub(super) struct Server {
    pub(super) bus: Arc<dyn Bus>,
    pub(super) world: String,
}

impl Server {
    /// Passes a page's request on and waits for the reply.
    pub(super) fn call(&self, request: &LinkRequest) -> UserCmdReply {
        let reply = match request {
            LinkRequest::Control(control) => typed::call::<WorldControl, UserCmdReply>(
                &*self.bus,
                &names::control(&self.world),
                control,
                CALL_TIMEOUT,
            ),
            LinkRequest::Command(command) => typed::call::<UserCmd, UserCmdReply>(
                &*self.bus,
                &names::user_command(&self.world),
                command,
                CALL_TIMEOUT,
            ),
        };
        reply.unwrap_or_else(|cause| refusal(cause.to_string()))
    }

    pub(super) fn full_state(&self) -> Result<StampedState, String> {
        let request = StateRequest { since_tick: None };
        typed::call(&*self.bus, &names::state(&self.world), &request, CALL_TIMEOUT)
            .map_err(|cause| cause.to_string())
    }

    /// Asks who the server is, which also says whether it is there.
    pub(super) fn info(bus: &dyn Bus) -> Result<ServerInfo, String> {
        let request = ServerInfoRequest {};
        typed::call(bus, names::SERVER_INFO, &request, CALL_TIMEOUT)
            .map_err(|cause| cause.to_string())
    }
}
