//! Undo and redo, as requests.

use retake_msgs::undo_redo::StuckSystems as Wanted;
use retake_msgs::{UndoRedo, UndoSettings, UserCmdReply, logged_input};

use super::{MAX_ID_BYTES, Server};
use crate::JumpCause;
use crate::history::TimeTravel;
use crate::system::StuckSystems;
use crate::timeline::{Landing, Left};

impl Server {
    /// Goes back to before a command, or forward to when it was undone.
    pub(super) fn undo_redo(&mut self, request: &UndoRedo) -> UserCmdReply {
        if request.author.len() > MAX_ID_BYTES || request.request_id.len() > MAX_ID_BYTES {
            let text = format!("author and request_id may have {MAX_ID_BYTES} bytes each");
            return UserCmdReply::refused(text);
        }
        if let Some(reply) = self.recent.find(&request.author, &request.request_id) {
            return reply;
        }
        let stuck = match self.stuck_policy(request.stuck_systems()) {
            Ok(stuck) => stuck,
            Err(reason) => return UserCmdReply::refused(reason),
        };
        let simulation = &self.simulation;
        let reply = match self.history.travel(request, || simulation.capture()) {
            Ok(travel) => {
                self.last_travel = Some(request.clone());
                self.travel(request, &travel, stuck)
            }
            Err(reason) => UserCmdReply::refused(self.who_was_first(request, reason)),
        };
        self.recent.remember(&request.author, &request.request_id, &reply);
        self.note_edit(|| logged_input::Input::UndoRedo(request.clone()), Some(&reply));
        reply
    }

    /// Adds to a refusal who did just that a moment before.
    fn who_was_first(&self, request: &UndoRedo, reason: String) -> String {
        let same = |last: &&UndoRedo| last.id == request.id && last.undo == request.undo;
        let Some(first) = self.last_travel.as_ref().filter(same) else { return reason };
        let who: &str = if first.author.is_empty() { "Somebody else" } else { &first.author };
        format!("{reason}. {who} was first")
    }

    /// Changes how much of the past is kept.
    pub(super) fn set_undo(&mut self, settings: &UndoSettings) -> UserCmdReply {
        match self.history.limits().changed(settings) {
            Ok(limits) => {
                self.history.set_limits(limits);
                UserCmdReply::done(match limits.enabled {
                    true => format!(
                        "Up to {} commands and {} MiB can be undone",
                        limits.max_steps,
                        limits.max_bytes / (1024 * 1024)
                    ),
                    false => "Undo is off, and the history is empty".to_owned(),
                })
            }
            Err(error) => UserCmdReply::refused(error.to_string()),
        }
    }

    /// Decides about systems that cannot follow; unless the user has, that is a refusal.
    pub(super) fn stuck_policy(&self, wanted: Wanted) -> Result<StuckSystems, String> {
        match wanted {
            Wanted::Restart => return Ok(StuckSystems::Restart),
            Wanted::GoOn => return Ok(StuckSystems::GoOn),
            Wanted::Refuse => {}
        }
        match self.simulation.stuck_systems().as_slice() {
            [] => Ok(StuckSystems::Restart),
            stuck => Err(format!(
                "These systems cannot go to another time: {}. Let them begin anew there \
                 (--stuck restart) or go on as they are (--stuck go-on)",
                stuck.join(", ")
            )),
        }
    }

    fn travel(
        &mut self,
        request: &UndoRedo,
        travel: &TimeTravel,
        stuck: StuckSystems,
    ) -> UserCmdReply {
        let (cause, done) = if request.undo { ("undo", "Undone") } else { ("redo", "Redone") };
        let description = match travel.count {
            1 => travel.description.clone(),
            count => format!("{count} commands, up to {}", travel.description),
        };
        let reply = UserCmdReply::done(format!("{done}: {description}"));
        let author = request.author.clone();
        let left =
            Left { author: author.clone(), cause: format!("{cause}: {description}"), state: None };
        let jump = JumpCause { cause, author, description };
        self.simulation.restore_with(&travel.to, jump, stuck);
        self.keep_jump(travel.to.epoch, Landing::Wherever, left);
        // Values of the time that is left are in nobody's way any more.
        self.writers.forget();
        // Steps that were asked for belong to the time that is left.
        self.steps_due = 0;
        reply
    }
}
