//! The thread that goes to instants of the past, for those who look and those who go on from there.
//!
//! What is simulated again there are the world's own systems. When one of them does not come back,
//! the watchdog names it, and whoever waits for the thread is refused until it does.

mod queue;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use retake_msgs::{Past, PastRequest, UserCmd};

use super::along::LongWay;
use super::find::Way;
use super::viewer::{Viewer, WayError};
use crate::inbox::Reply;
use crate::preparation::{Prepared, Preparer, ReadyInstant};
use crate::watchdog::{Crier, Place};
use crate::{CommandError, InboxSender, Response};
use queue::{HeldDesk, Job, Outcome, Shared, Waiting, lock};

/// Something to be done about an instant, with all that it takes.
pub(crate) struct PastWork {
    pub(crate) way: Way,
    pub(crate) preparer: Preparer,
}

/// Items to be watched on the way to an instant, with all that it takes.
pub(crate) struct WatchWork {
    pub(crate) way: LongWay,
    pub(crate) preparer: Preparer,
}

/// The thread; it starts with the first request and ends with the desk.
#[derive(Default)]
pub(crate) struct TimelineDesk {
    shared: Arc<Shared>,
    started: bool,
}

enum Task {
    Show(PastWork, PastRequest),
    Watch(WatchWork, PastRequest),
    Resume(PastWork),
}

impl PastWork {
    /// Shows the instant, on this thread.
    pub(crate) fn show(&self, request: &PastRequest) -> Response {
        show(&mut Viewer::default(), self, request, &|| false)
    }

    /// Goes to the instant to go on from it, on this thread.
    pub(crate) fn prepare(&self) -> Result<ReadyInstant, WayError> {
        prepare(&mut Viewer::default(), self, &|| false)
    }
}

impl WatchWork {
    /// Watches on the way, on this thread.
    pub(crate) fn watch(&self, request: &PastRequest) -> Response {
        watch(&mut Viewer::default(), self, request, &|| false)
    }
}

impl TimelineDesk {
    /// Lets the thread show an instant; answers at once when that cannot be.
    pub(crate) fn show(
        &mut self,
        work: PastWork,
        request: PastRequest,
        reply: Reply,
        door: InboxSender,
    ) {
        let waiting = Waiting { command: None, reply, door };
        self.answer(Job { task: Task::Show(work, request), waiting });
    }

    /// Lets the thread watch items on the way to an instant; answers at once when that cannot be.
    pub(crate) fn watch(
        &mut self,
        work: WatchWork,
        request: PastRequest,
        reply: Reply,
        door: InboxSender,
    ) {
        let waiting = Waiting { command: None, reply, door };
        self.answer(Job { task: Task::Watch(work, request), waiting });
    }

    fn answer(&mut self, job: Job) {
        if let Err((job, text)) = self.start(Box::new(job)) {
            (job.waiting.reply)(refused(text));
        }
    }

    /// Lets the thread prepare a resume, which then comes back through the door.
    ///
    /// # Errors
    /// What waits for the answer, and the reason why there will be none.
    pub(crate) fn resume(
        &mut self,
        work: PastWork,
        command: Box<UserCmd>,
        reply: Reply,
        door: InboxSender,
    ) -> Result<(), (Reply, String)> {
        let waiting = Waiting { command: Some(command), reply, door };
        let job = Job { task: Task::Resume(work), waiting };
        self.start(Box::new(job)).map_err(|(job, text)| (job.waiting.reply, text))
    }

    /// Has the thread watched; `crier` tells everybody what holds it up.
    pub(crate) fn watched(&self, crier: &Crier) -> Place {
        let keeper = HeldDesk { shared: Arc::downgrade(&self.shared), crier: crier.clone() };
        Place::new(self.shared.whereabouts.clone(), keeper)
    }

    fn start(&mut self, job: Box<Job>) -> Result<(), (Box<Job>, String)> {
        if !self.started {
            if let Err(error) = start_thread(&self.shared) {
                return Err((job, format!("No thread to look back on: {error}")));
            }
            self.started = true;
        }
        let overtaken = lock(&self.shared.queue).push(job)?;
        self.shared.changed.notify_one();
        // Outside of the lock: an answer may take its time.
        if let Some(older) = overtaken {
            (older.waiting.reply)(refused(WayError::Overtaken.to_string()));
        }
        Ok(())
    }
}

impl Drop for TimelineDesk {
    fn drop(&mut self) {
        lock(&self.shared.queue).over = true;
        self.shared.changed.notify_one();
    }
}

impl Task {
    fn run(self, viewer: &mut Viewer, overtaken: &AtomicBool) -> Outcome {
        let is_over = || overtaken.load(Ordering::Relaxed);
        let given_up = || refused(gave_up());
        match self {
            Self::Show(work, request) => {
                let shown = guarded(viewer, |viewer| show(viewer, &work, &request, &is_over));
                Outcome::Shown(shown.unwrap_or_else(given_up))
            }
            Self::Watch(work, request) => {
                let shown = guarded(viewer, |viewer| watch(viewer, &work, &request, &is_over));
                Outcome::Shown(shown.unwrap_or_else(given_up))
            }
            Self::Resume(work) => {
                let come = guarded(viewer, |viewer| prepare(viewer, &work, &is_over));
                Outcome::Come(match come {
                    Some(Ok(instant)) => Ok(Prepared::Instant(Box::new(instant))),
                    Some(Err(error)) => Err(CommandError::Past { reason: error.to_string() }),
                    None => Err(CommandError::Past { reason: gave_up() }),
                })
            }
        }
    }
}

/// Does `work`; none when it panics.
///
/// What is simulated again is a stranger's: whatever it does, the next request finds its thread, with
/// a fresh world.
fn guarded<T>(viewer: &mut Viewer, work: impl FnOnce(&mut Viewer) -> T) -> Option<T> {
    let done = panic::catch_unwind(AssertUnwindSafe(|| work(viewer))).ok();
    if done.is_none() {
        viewer.forget();
    }
    done
}

fn gave_up() -> String {
    "What looks back gave up".to_owned()
}

fn refused(message: String) -> Response {
    Response::Past(Err(Box::new(Past { message, ..Past::default() })))
}

fn show(
    viewer: &mut Viewer,
    work: &PastWork,
    request: &PastRequest,
    overtaken: &dyn Fn() -> bool,
) -> Response {
    match viewer.go(&work.way, &work.preparer, overtaken) {
        Ok(mut arrived) => Response::Past(Ok(Box::new(arrived.answer(request.hash, request.full)))),
        Err(error) => refused(error.to_string()),
    }
}

fn watch(
    viewer: &mut Viewer,
    work: &WatchWork,
    request: &PastRequest,
    overtaken: &dyn Fn() -> bool,
) -> Response {
    match viewer.watch(&work.way, &request.watch, &work.preparer, overtaken) {
        Ok((samples, mut arrived)) => {
            let answer = arrived.answer(request.hash, request.full);
            Response::Past(Ok(Box::new(answer.with_samples(samples))))
        }
        Err(error) => refused(error.to_string()),
    }
}

fn prepare(
    viewer: &mut Viewer,
    work: &PastWork,
    overtaken: &dyn Fn() -> bool,
) -> Result<ReadyInstant, WayError> {
    let arrived = viewer.go(&work.way, &work.preparer, overtaken)?;
    Ok(ReadyInstant { keyframe: arrived.keyframe(), branch: work.way.branch().to_owned() })
}

fn start_thread(shared: &Arc<Shared>) -> std::io::Result<()> {
    let theirs = Arc::clone(shared);
    thread::Builder::new().name("timeline".to_owned()).spawn(move || do_all(&theirs))?;
    Ok(())
}

fn do_all(shared: &Shared) {
    let mut viewer = Viewer::seen_at(shared.whereabouts.clone());
    while let Some((task, overtaken)) = shared.next(&mut viewer) {
        let outcome = task.run(&mut viewer, &overtaken);
        let running = lock(&shared.queue).running.take();
        // Nobody waits any more where the watchdog has answered.
        if let Some(waiting) = running.and_then(|running| running.waiting) {
            waiting.answer(outcome);
        }
    }
}
