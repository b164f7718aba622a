//! The thread that goes to instants of the past, for those who look and those who go on from there.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use retake_msgs::{Past, PastRequest, UserCmd};

use super::along::LongWay;
use super::find::Way;
use super::viewer::{Viewer, WayError};
use crate::inbox::{Item, Reply};
use crate::loader::Ready;
use crate::preparation::{Prepared, Preparer, ReadyInstant};
use crate::{CommandError, InboxSender, Response};

/// Requests that may wait for the thread; beyond it new ones are refused, and told so.
const CAPACITY: usize = 16;
/// A world that nobody looks into for this long is let go of.
const IDLE: Duration = Duration::from_secs(60);

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
    shared: Option<Arc<Shared>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Box<Job>>,
    /// Who looks just now, and how to tell that it is not wanted any more.
    running: Option<(String, Arc<AtomicBool>)>,
    over: bool,
}

struct Job {
    task: Task,
    reply: Reply,
    /// Keeps the runner running until this is answered, and leads back to it.
    door: InboxSender,
}

enum Task {
    Show(PastWork, PastRequest),
    Watch(WatchWork, PastRequest),
    Resume(PastWork, Box<UserCmd>),
}

impl PastWork {
    /// Shows the instant, on this thread.
    pub(crate) fn show(&self, request: &PastRequest) -> Response {
        show(&mut Viewer::default(), self, request, &|| false)
    }

    /// Goes to the instant to go on from it, on this thread.
    pub(crate) fn prepare(&self) -> Result<ReadyInstant, WayError> {
        prepare(&mut Viewer::default(), self)
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
        self.answer(Job { task: Task::Show(work, request), reply, door });
    }

    /// Lets the thread watch items on the way to an instant; answers at once when that cannot be.
    pub(crate) fn watch(
        &mut self,
        work: WatchWork,
        request: PastRequest,
        reply: Reply,
        door: InboxSender,
    ) {
        self.answer(Job { task: Task::Watch(work, request), reply, door });
    }

    fn answer(&mut self, job: Job) {
        if let Err((job, text)) = self.start(Box::new(job)) {
            (job.reply)(refused(text));
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
        let job = Job { task: Task::Resume(work, command), reply, door };
        self.start(Box::new(job)).map_err(|(job, text)| (job.reply, text))
    }

    fn start(&mut self, job: Box<Job>) -> Result<(), (Box<Job>, String)> {
        let shared = match &self.shared {
            Some(shared) => shared,
            None => match start_thread() {
                Ok(shared) => self.shared.insert(shared),
                Err(error) => return Err((job, format!("No thread to look back on: {error}"))),
            },
        };
        let overtaken = lock(&shared.queue).push(job)?;
        shared.changed.notify_one();
        // Outside of the lock: an answer may take its time.
        if let Some(older) = overtaken {
            (older.reply)(refused(WayError::Overtaken.to_string()));
        }
        Ok(())
    }
}

impl Drop for TimelineDesk {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            lock(&shared.queue).over = true;
            shared.changed.notify_one();
        }
    }
}

impl Queue {
    /// Takes a job; returns one that it overtakes.
    ///
    /// # Errors
    /// The job and the reason when too many wait.
    fn push(&mut self, job: Box<Job>) -> Result<Option<Box<Job>>, (Box<Job>, String)> {
        let viewer = job.viewer().to_owned();
        if !viewer.is_empty() {
            if let Some((_, overtaken)) = self.running.as_ref().filter(|(who, _)| *who == viewer) {
                overtaken.store(true, Ordering::Relaxed);
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
}

impl Job {
    /// Who looks; a resume is nobody's and is never overtaken.
    fn viewer(&self) -> &str {
        match &self.task {
            Task::Show(_, request) | Task::Watch(_, request) => &request.viewer,
            Task::Resume(..) => "",
        }
    }

    fn run(self, viewer: &mut Viewer, overtaken: &AtomicBool) {
        let Self { task, reply, door } = self;
        let is_over = || overtaken.load(Ordering::Relaxed);
        match task {
            Task::Show(work, request) => {
                answer(viewer, reply, |viewer| show(viewer, &work, &request, &is_over));
            }
            Task::Watch(work, request) => {
                answer(viewer, reply, |viewer| watch(viewer, &work, &request, &is_over));
            }
            Task::Resume(work, command) => {
                let insert = match guarded(viewer, |viewer| prepare(viewer, &work)) {
                    Some(Ok(instant)) => Ok(Prepared::Instant(Box::new(instant))),
                    Some(Err(error)) => Err(CommandError::Past { reason: error.to_string() }),
                    None => Err(CommandError::Past { reason: gave_up() }),
                };
                door.hand_back(Item::Ready(Box::new(Ready { command, insert, reply })));
            }
        }
    }
}

/// Answers with what comes of `work`.
fn answer(viewer: &mut Viewer, reply: Reply, work: impl FnOnce(&mut Viewer) -> Response) {
    let shown = guarded(viewer, work).unwrap_or_else(|| refused(gave_up()));
    if panic::catch_unwind(AssertUnwindSafe(|| reply(shown))).is_err() {
        tracing::error!("an answer about the past was lost");
    }
}

/// Does `work`; none when it panics.
///
/// What is simulated again is a stranger's: whatever it does, the next request finds its thread, with
/// a fresh world.
fn guarded<T>(viewer: &mut Viewer, work: impl FnOnce(&mut Viewer) -> T) -> Option<T> {
    let done = panic::catch_unwind(AssertUnwindSafe(|| work(viewer))).ok();
    if done.is_none() {
        *viewer = Viewer::default();
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

fn prepare(viewer: &mut Viewer, work: &PastWork) -> Result<ReadyInstant, WayError> {
    let arrived = viewer.go(&work.way, &work.preparer, &|| false)?;
    Ok(ReadyInstant { keyframe: arrived.keyframe(), branch: work.way.branch().to_owned() })
}

fn start_thread() -> std::io::Result<Arc<Shared>> {
    let shared = Arc::new(Shared::default());
    let theirs = Arc::clone(&shared);
    thread::Builder::new().name("timeline".to_owned()).spawn(move || do_all(&theirs))?;
    Ok(shared)
}

fn do_all(shared: &Shared) {
    let mut viewer = Viewer::default();
    loop {
        let mut queue = lock(&shared.queue);
        let job = loop {
            if let Some(job) = queue.jobs.pop_front() {
                break job;
            }
            if queue.over {
                return;
            }
            let waited = shared.changed.wait_timeout(queue, IDLE);
            let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            queue = woken;
            if timeout.timed_out() {
                viewer = Viewer::default();
            }
        };
        let overtaken = Arc::new(AtomicBool::new(false));
        queue.running = Some((job.viewer().to_owned(), Arc::clone(&overtaken)));
        drop(queue);
        job.run(&mut viewer, &overtaken);
        lock(&shared.queue).running = None;
    }
}

/// A panic while the lock was held leaves plain data behind, which is still good.
fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
