//! The timeline, as requests: looking back, going on from the past, names.

use std::sync::Arc;

use retake_msgs::notification::Level;
use retake_msgs::undo_redo::StuckSystems as Wanted;
use retake_msgs::{
    Past, PastRequest, ResumeTimeline, TimelineEdit, UserCmd, UserCmdReply, logged_input, user_cmd,
};

use super::{MAX_ID_BYTES, Server};
use crate::preparation::{Prepared, ReadyInstant};
use crate::timeline::{Landing, Left, PastWork, WatchWork};
use crate::{CommandError, JumpCause, Keyframe, Response};

impl Server {
    /// Returns what is kept of the past; the same `Arc` until something changes but the present
    /// time.
    pub fn timeline(&mut self) -> Arc<retake_msgs::Timeline> {
        self.timeline.told()
    }

    /// Lets a thread squeeze what is kept, so that the step thread need not.
    pub fn squeeze_on_thread(&mut self) {
        self.timeline.squeeze_on_thread();
    }

    /// Starts to keep the past, from now on.
    pub(super) fn begin_timeline(&mut self) {
        if self.timeline.is_on() {
            self.timeline.begin(self.simulation.capture());
        }
    }

    /// Lets the timeline follow a step: to the next instant, or back to the last good one.
    pub(super) fn keep_step(&mut self, epoch: u64, parent: u64) {
        if !self.timeline.is_on() {
            return;
        }
        let simulation = &self.simulation;
        if simulation.epoch() == epoch {
            self.timeline.step(simulation.clock(), || simulation.capture());
        } else {
            let left = Left { cause: "failed step".to_owned(), ..Left::default() };
            self.keep_jump(parent, Landing::Wherever, left);
        }
        self.tell_timeline_remarks();
    }

    /// Lets the timeline follow a jump to a state of the stretch `parent`.
    pub(super) fn keep_jump(&mut self, parent: u64, landing: Landing, left: Left) {
        if self.timeline.is_on() {
            self.timeline.jump(self.simulation.capture(), parent, landing, left);
            self.tell_timeline_remarks();
        }
    }

    /// Lets the timeline follow a reset, of which `before` is left.
    pub(super) fn keep_reset(&mut self, command: &UserCmd, before: &Keyframe) {
        let author = command.author.clone();
        let left = Left { author, cause: "reset".to_owned(), state: Some(before.clone()) };
        let parent = self.simulation.epoch_of_initial();
        self.keep_jump(parent, Landing::Wherever, left);
    }

    fn tell_timeline_remarks(&mut self) {
        for remark in self.timeline.drain_remarks() {
            self.notify(Level::Warning, remark);
        }
    }

    pub(super) fn edit_timeline(&mut self, edit: &TimelineEdit) -> UserCmdReply {
        if edit.author.len() > MAX_ID_BYTES {
            return UserCmdReply::refused(format!("author may have {MAX_ID_BYTES} bytes"));
        }
        let simulation = &self.simulation;
        let done = self.timeline.edit(edit, || simulation.capture());
        self.tell_timeline_remarks();
        match done {
            Ok(done) => UserCmdReply::done(done),
            Err(error) => UserCmdReply::refused(error.to_string()),
        }
    }

    /// Takes what is needed to show an instant, so that it can be done on another thread.
    ///
    /// # Errors
    /// The answer when the instant is not kept.
    pub(crate) fn past_work(&self, request: &PastRequest) -> Result<PastWork, Box<Past>> {
        let instant = request.instant.clone().unwrap_or_default();
        match self.timeline.find(&instant) {
            Ok(way) => Ok(PastWork { way, preparer: self.simulation.preparer() }),
            Err(error) => Err(Box::new(Past { message: error.to_string(), ..Past::default() })),
        }
    }

    /// Takes what is needed to watch items on the way to an instant.
    ///
    /// # Errors
    /// The answer when the instant is not kept.
    pub(crate) fn watch_work(&self, request: &PastRequest) -> Result<WatchWork, Box<Past>> {
        let instant = request.instant.clone().unwrap_or_default();
        match self.timeline.find_all(&instant) {
            Ok(way) => Ok(WatchWork { way, preparer: self.simulation.preparer() }),
            Err(error) => Err(Box::new(Past { message: error.to_string(), ..Past::default() })),
        }
    }

    pub(super) fn show_past(&self, request: &PastRequest) -> Response {
        let shown = match request.watch.is_empty() {
            true => self.past_work(request).map(|work| work.show(request)),
            false => self.watch_work(request).map(|work| work.watch(request)),
        };
        shown.unwrap_or_else(|refusal| Response::Past(Err(refusal)))
    }

    /// Takes what is needed to go on from the past; none when the command will be refused, or is
    /// another one.
    pub(crate) fn resume_work(&self, command: &UserCmd) -> Option<PastWork> {
        let Some(user_cmd::Command::ResumeTimeline(resume)) = &command.command else { return None };
        let known = self.recent.find(&command.author, &command.id).is_some();
        let work = || self.work_of(resume).ok();
        (!known && super::has_short_names(command)).then(work).flatten()
    }

    fn work_of(&self, resume: &ResumeTimeline) -> Result<PastWork, CommandError> {
        if !resume.fork.is_empty() {
            self.timeline.check_new_branch(&resume.fork)?;
        }
        let way = self.timeline.find(&resume.instant.clone().unwrap_or_default())?;
        Ok(PastWork { way, preparer: self.simulation.preparer() })
    }

    /// Goes on from an instant of the past, which is come to now unless it is ready.
    pub(super) fn resume_timeline(
        &mut self,
        command: &UserCmd,
        resume: &ResumeTimeline,
        ready: Prepared,
    ) -> UserCmdReply {
        let reply = match self.try_resume(command, resume, ready) {
            Ok(done) => UserCmdReply::done(done),
            Err(reason) => UserCmdReply::refused(reason),
        };
        self.recent.remember(&command.author, &command.id, &reply);
        self.note_edit(|| logged_input::Input::Command(command.clone()), Some(&reply));
        reply
    }

    fn try_resume(
        &mut self,
        command: &UserCmd,
        resume: &ResumeTimeline,
        ready: Prepared,
    ) -> Result<String, String> {
        let wanted = Wanted::try_from(resume.stuck_systems).unwrap_or(Wanted::Refuse);
        let stuck = self.stuck_policy(wanted)?;
        let instant = match ready {
            Prepared::Instant(instant) => *instant,
            _ => {
                let work = self.work_of(resume).map_err(|error| error.to_string())?;
                work.prepare().map_err(|error| error.to_string())?
            }
        };
        let landing = self.landing(resume, &instant)?;
        let ReadyInstant { keyframe, .. } = instant;
        let done = told(&landing, &keyframe, resume);
        let author = command.author.clone();
        let before = self.simulation.capture();
        let cause =
            JumpCause { cause: "resume", author: author.clone(), description: done.clone() };
        self.simulation.restore_with(&keyframe, cause, stuck);
        let left = Left { author, cause: done.clone(), state: Some(before.clone()) };
        self.keep_jump(keyframe.epoch, landing, left);
        self.history.push(command, &done, before);
        self.writers.forget();
        self.steps_due = 0;
        self.follow_profile_pace();
        Ok(done)
    }

    /// Decides which branch goes on; meanwhile others may have changed their names.
    fn landing(&self, resume: &ResumeTimeline, instant: &ReadyInstant) -> Result<Landing, String> {
        if !resume.fork.is_empty() {
            let free = self.timeline.check_new_branch(&resume.fork);
            free.map_err(|error| error.to_string())?;
            return Ok(Landing::Fork(resume.fork.clone()));
        }
        Ok(match self.timeline.check_new_branch(&instant.branch).is_err() {
            true => Landing::Branch(instant.branch.clone()),
            false => Landing::Wherever,
        })
    }
}

fn told(landing: &Landing, keyframe: &Keyframe, resume: &ResumeTimeline) -> String {
    let at = keyframe.sim_time();
    let wanted = resume.instant.as_ref();
    let bookmark = wanted.map(|instant| instant.bookmark.as_str()).unwrap_or_default();
    let branch = wanted.map(|instant| instant.branch.as_str()).unwrap_or_default();
    match landing {
        Landing::Fork(name) => format!("Fork {name} at {at}"),
        _ if !bookmark.is_empty() => format!("Resume from {bookmark}, {at}"),
        Landing::Branch(name) if !branch.is_empty() => format!("Switch to {name} at {at}"),
        _ => format!("Resume from {at}"),
    }
}
