//! A server in another process: where it is, and how it is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use retake_msgs::{
    GuiJoin, GuiJoined, LogStatus, LogStatusRequest, Past, PastRequest, PendingActions,
    PendingActionsRequest, ServerInfo, ServerInfoRequest, StampedState, StateRequest,
    TakeOverRequest, Timeline, TimelineRequest, UserCmdReply, UserCmdStats, UserCmdStatsRequest,
    WorldSource, WorldSourceRequest, names, user_cmd,
};
use retake_transport::Bus;
use retake_transport::typed::{self, Typed};

use super::LinkRequest;
use super::feed::refusal;

/// How long the server may take for a reply.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long it may take when it has to ask other GUIs and take thousands of actions over first.
const TAKE_OVER_TIMEOUT: Duration = Duration::from_secs(30);

/// How long an instant of the past may take: thousands of steps may have to be made for it.
const LOOK_BACK_TIMEOUT: Duration = Duration::from_secs(60);

/// Where requests go.
pub(super) struct Server {
    pub(super) bus: Arc<dyn Bus>,
    pub(super) world: String,
}

/// Answers a page with what came of starting or ending a recording.
pub fn log_reply(status: LogStatus) -> UserCmdReply {
    UserCmdReply { ok: status.ok, message: status.message, ..UserCmdReply::default() }
}

impl Server {
    /// Passes a page's request on and waits for the reply.
    pub(super) fn call(&self, request: &LinkRequest) -> UserCmdReply {
        let reply = match request {
            LinkRequest::Control(control) => {
                self.ask_for(&names::control(&self.world), control, TAKE_OVER_TIMEOUT)
            }
            LinkRequest::Command(command) => {
                let patience = match &command.command {
                    // The instant may have to be simulated again.
                    Some(user_cmd::Command::ResumeTimeline(_)) => LOOK_BACK_TIMEOUT,
                    _ => CALL_TIMEOUT,
                };
                self.ask_for(&names::user_command(&self.world), command, patience)
            }
            LinkRequest::LogStart(request) => {
                self.ask(&names::log_start(&self.world), request).map(log_reply)
            }
            LinkRequest::LogStop(request) => {
                // The disk may take its time.
                let service = names::log_stop(&self.world);
                self.ask_for(&service, request, TAKE_OVER_TIMEOUT).map(log_reply)
            }
            LinkRequest::Playback(_) => Err("The world is no recording".to_owned()),
            LinkRequest::Discard(_) => Err("The server holds no actions".to_owned()),
            LinkRequest::UndoRedo(request) => self.ask(&names::undo_redo(&self.world), request),
            LinkRequest::UndoSettings(settings) => {
                self.ask(&names::undo_settings(&self.world), settings)
            }
            LinkRequest::EditTimeline(edit) => self.ask(&names::timeline_edit(&self.world), edit),
            LinkRequest::Physics(request) => {
                self.ask(&names::physics(&self.world), request).map(|physics| UserCmdReply {
                    physics: Some(Box::new(physics)),
                    ..UserCmdReply::done("")
                })
            }
        };
        reply.unwrap_or_else(refusal)
    }

    /// Returns what can be undone and redone.
    pub(super) fn history(&self) -> Result<UserCmdStats, String> {
        self.ask(&names::history_get(&self.world), &UserCmdStatsRequest {})
    }

    /// Returns what all GUIs hold.
    pub(super) fn pending(&self) -> Result<PendingActions, String> {
        self.ask(&names::pending_get(&self.world), &PendingActionsRequest {})
    }

    /// Returns what is kept of the past.
    pub(super) fn timeline(&self) -> Result<Timeline, String> {
        self.ask(&names::timeline_get(&self.world), &TimelineRequest {})
    }

    /// Asks how the world was.
    pub(super) fn past(&self, request: &PastRequest) -> Result<Past, String> {
        let past: Past =
            self.ask_for(&names::timeline_past(&self.world), request, LOOK_BACK_TIMEOUT)?;
        if past.ok { Ok(past) } else { Err(past.message) }
    }

    /// Returns how a recording goes.
    pub(super) fn recording(&self) -> Result<LogStatus, String> {
        self.ask(&names::log_status_get(&self.world), &LogStatusRequest {})
    }

    /// Returns the folders that the server takes files from; none when it does not say.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let source: Result<WorldSource, _> =
            self.ask(&names::source(&self.world), &WorldSourceRequest::default());
        let folders = source.map(|source| source.resource_folders).unwrap_or_default();
        folders.into_iter().map(PathBuf::from).collect()
    }

    /// Makes this GUI known.
    pub(super) fn join(&self, name: &str, token: &str) -> Result<GuiJoined, String> {
        let join = GuiJoin { name: name.to_owned(), token: token.to_owned() };
        let joined: GuiJoined = self.ask(&names::gui_join(&self.world), &join)?;
        if joined.ok { Ok(joined) } else { Err(joined.message) }
    }

    /// Asks the server to take over what this GUI holds.
    pub(super) fn take_over(&self, gui: u64) -> Result<UserCmdReply, String> {
        let service = names::gui_take_over(&self.world);
        self.ask_for(&service, &TakeOverRequest { gui }, TAKE_OVER_TIMEOUT)
    }

    fn ask<Q: Typed, R: Typed>(&self, service: &str, request: &Q) -> Result<R, String> {
        self.ask_for(service, request, CALL_TIMEOUT)
    }

    fn ask_for<Q: Typed, R: Typed>(
        &self,
        service: &str,
        request: &Q,
        timeout: Duration,
    ) -> Result<R, String> {
        typed::call(&*self.bus, service, request, timeout).map_err(|cause| cause.to_string())
    }

    pub(super) fn full_state(&self) -> Result<StampedState, String> {
        self.ask(&names::state(&self.world), &StateRequest { since_tick: None })
    }

    /// Asks who the server is, which also says whether it is there.
    pub(super) fn info(bus: &dyn Bus) -> Result<ServerInfo, String> {
        let request = ServerInfoRequest {};
        typed::call(bus, names::SERVER_INFO, &request, CALL_TIMEOUT)
            .map_err(|cause| cause.to_string())
    }
}
