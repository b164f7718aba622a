//! What waits for the thread of a desk, and who refuses it while a system holds the thread up.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use retake_msgs::UserCmd;
use retake_msgs::notification::Level;

use super::{Task, gave_up, refused};
use crate::inbox::{Item, Reply};
use crate::loader::Ready;
use crate::preparation::Prepared;
use crate::timeline::viewer::Viewer;
use crate::watchdog::{Crier, HeldUp, Keeper};
use crate::whereabouts::Whereabouts;
use crate::{CommandError, InboxSender, Response};

/// Requests that may wait for the thread; beyond it new ones are refused, and told so.
const CAPACITY: usize = 16;
/// A world that nobody looks into for this long is let go of.
const IDLE: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(super) struct Shared {
    pub(super) queue: Mutex<Queue>,
    pub(super) changed: Condvar,
    /// Which system acts on the thread.
    pub(super) whereabouts: Whereabouts,
}

#[derive(Default)]
pub(super) struct Queue {
    jobs: VecDeque<Box<Job>>,
    pub(super) running: Option<Running>,
    /// Which system the thread waits for, while it does.
    held_up: Option<String>,
    pub(super) over: bool,
}

/// What the thread does just now.
pub(super) struct Running {
    viewer: String,
    /// How to tell that it is not wanted any more.
    overtaken: Arc<AtomicBool>,
    /// Taken out by whoever answers.
    pub(super) waiting: Option<Waiting>,
}

/// Something for the thread to do, and who waits for it.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) waiting: Waiting,
}

/// Who waits for a job.
pub(super) struct Waiting {
    /// The command that goes on from the past, if it is one.
    pub(super) command: Option<Box<UserCmd>>,
    pub(super) reply: Reply,
    /// Keeps the runner running until this is answered, and leads back to it.
    pub(super) door: InboxSender,
}

/// What came of a job.
pub(super) enum Outcome {
    Shown(Response),
    Come(Result<Prepared, CommandError>),
}

impl Shared {
    /// Waits for a job, and lets go of the viewer's world when there is none for long; none at the
    /// end of all.
    pub(super) fn next(&self, viewer: &mut Viewer) -> Option<(Task, Arc<AtomicBool>)> {
        let mut queue = lock(&self.queue);
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                let (name, overtaken) = (job.viewer().to_owned(), Arc::<AtomicBool>::default());
                let Job { task, waiting } = *job;
                queue.running = Some(Running {
                    viewer: name,
                    overtaken: Arc::clone(&overtaken),
                    waiting: Some(waiting),
                });
                return Some((task, overtaken));
            }
            if queue.over {
                return None;
            }
            let waited = self.changed.wait_timeout(queue, IDLE);
            let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            queue = woken;
            if timeout.timed_out() {
                // Outside of the lock: its systems are a stranger's, also at their end.
                drop(queue);
                viewer.forget();
                queue = lock(&self.queue);
            }
        }
    }
}

impl Queue {
    /// Takes a job; returns one that it overtakes.
    ///
    /// # Errors
    /// The job and the reason when too many wait, or the thread does.
    pub(super) fn push(&mut self, job: Box<Job>) -> Result<Option<Box<Job>>, (Box<Job>, String)> {
        if let Some(text) = &self.held_up {
            return Err((job, text.clone()));
        }
        let viewer = job.viewer().to_owned();
        if !viewer.is_empty() {
            if let Some(running) = self.running.as_ref().filter(|job| job.viewer == viewer) {
                running.overtaken.store(true, Ordering::Relaxed);
            }
            if let Some(older) = self.jobs.iter_mut().find(|older| older.viewer() == viewer) {
                return Ok(Some(std::mem::replace(older, job)));
            }
        }
        if self.jobs.len() >= CAPACITY {
            let text =
                format!("The server is busy: {CAPACITY} requests to look back wait. Try again");
            return Err((job, text));
        }
        self.jobs.push_back(job);
        Ok(None)
    }

    /// Refuses all who wait, and all who come from now on; returns whom to tell that.
    fn refuse_all(&mut self, text: &str) -> Vec<Reply> {
        self.held_up = Some(text.to_owned());
        let mut told = Vec::new();
        for Job { task, waiting } in std::mem::take(&mut self.jobs).into_iter().map(|job| *job) {
            if let Some(waiting) = waiting.refuse(text, &mut told) {
                self.jobs.push_back(Box::new(Job { task, waiting }));
            }
        }
        if let Some(running) = &mut self.running {
            // When it comes back after all, nobody wants it any more.
            running.overtaken.store(true, Ordering::Relaxed);
            running.waiting = running.waiting.take().and_then(|job| job.refuse(text, &mut told));
        }
        told
    }
}

impl Job {
    /// Who looks; a resume is nobody's and is never overtaken.
    fn viewer(&self) -> &str {
        match &self.task {
            Task::Show(_, request) | Task::Watch(_, request) => &request.viewer,
            Task::Resume(..) => "",
        }
    }
}

impl Waiting {
    /// Answers with what came of the job.
    pub(super) fn answer(self, outcome: Outcome) {
        let Self { command, reply, door } = self;
        match (outcome, command) {
            (Outcome::Come(insert), Some(command)) => {
                door.hand_back(Item::Ready(Box::new(Ready { command, insert, reply })));
            }
            (Outcome::Shown(shown), _) => {
                if panic::catch_unwind(AssertUnwindSafe(|| reply(shown))).is_err() {
                    tracing::error!("an answer about the past was lost");
                }
            }
            (Outcome::Come(_), None) => reply(refused(gave_up())),
        }
    }

    /// Refuses a command, or takes out who else is to be refused; gives back a command that has to
    /// wait on because the inbox is full.
    fn refuse(self, text: &str, others: &mut Vec<Reply>) -> Option<Self> {
        let Self { command, reply, door } = self;
        let Some(command) = command else {
            others.push(reply);
            return None;
        };
        let insert = Err(CommandError::Past { reason: text.to_owned() });
        let ready = door.try_hand_back(Box::new(Ready { command, insert, reply })).err()?;
        let Ready { command, reply, .. } = *ready;
        Some(Self { command: Some(command), reply, door })
    }
}

/// Refuses whoever waits for a thread that a system holds up.
pub(super) struct HeldDesk {
    pub(super) shared: Weak<Shared>,
    pub(super) crier: Crier,
}

impl Keeper for HeldDesk {
    fn hold(&mut self, held_up: &HeldUp<'_>) {
        // A step that takes long comes back, and whoever looks can wait for it.
        let Some(system) = held_up.system() else { return };
        let text = system.text("Looking back", "Nothing of the past can be shown", "the server");
        if held_up.is_news {
            tracing::error!("{text}");
            self.crier.tell(Level::Error, text.clone());
        }
        let Some(shared) = self.shared.upgrade() else { return };
        let refused_now = lock(&shared.queue).refuse_all(&text);
        // Outside of the lock: an answer may take its time.
        refused_now.into_iter().for_each(|reply| reply(refused(text.clone())));
    }

    fn let_go(&mut self, came_back: &HeldUp<'_>) {
        let Some(system) = came_back.system() else { return };
        if let Some(shared) = self.shared.upgrade() {
            lock(&shared.queue).held_up = None;
        }
        let text = system.came_back("looking back");
        tracing::info!("{text}");
        self.crier.tell(Level::Info, text);
    }
}

/// A panic while the lock was held leaves plain data behind, which is still good.
pub(super) fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
