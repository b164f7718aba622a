//! Threads that prepare insertions and look up motions while the world steps on.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use retake_msgs::{UserCmd, user_cmd};
use retake_physics::LoadProgress;

use crate::inbox::{Item, Reply};
use crate::preparation::{Prepared, Preparer, ReadyInsert};
use crate::timeline::PastWork;
use crate::{CommandError, InboxSender};

/// Insertions that are prepared at once.
const THREADS: usize = 2;
/// Insertions that may wait for a thread; beyond it new ones are refused, and told so.
const CAPACITY: usize = 64;
/// How often clients hear how far an insertion has come; quick ones are not worth a word.
const TELL_PERIOD: Duration = Duration::from_millis(500);

/// An insertion to prepare.
pub(crate) struct Job {
    pub(crate) command: Box<UserCmd>,
    pub(crate) preparer: Preparer,
    /// Where the motion that it plays may be.
    pub(crate) folders: Vec<String>,
    /// The instant of the past that it goes on from.
    pub(crate) past: Option<Box<PastWork>>,
    /// What the file of a script is called that is to be read.
    pub(crate) script: Option<String>,
    /// Takes the answer once the command is applied.
    pub(crate) reply: Reply,
    /// Where the prepared insertion goes.
    pub(crate) door: InboxSender,
}

/// A command that can be carried out.
pub(crate) struct Ready {
    pub(crate) command: Box<UserCmd>,
    /// What was prepared, or why the command will be refused.
    pub(crate) insert: Result<Prepared, CommandError>,
    pub(crate) reply: Reply,
}

/// The threads; they start with the first insertion and end with the loader.
#[derive(Default)]
pub(crate) struct Loader {
    jobs: Option<SyncSender<Job>>,
}

impl Loader {
    /// Hands an insertion to a thread.
    ///
    /// # Errors
    /// Where the answer goes and the reason when too many wait or there are no threads.
    pub(crate) fn start(&mut self, job: Job) -> Result<(), (Reply, String)> {
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => match start_threads() {
                Ok(jobs) => self.jobs.insert(jobs),
                Err(error) => return Err((job.reply, format!("No thread to load on: {error}"))),
            },
        };
        jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(job) => {
                let text = format!("The server is busy: {CAPACITY} insertions wait. Try again");
                (job.reply, text)
            }
            TrySendError::Disconnected(job) => (job.reply, "The loader has stopped".to_owned()),
        })
    }
}

fn start_threads() -> std::io::Result<SyncSender<Job>> {
    let (sender, receiver) = sync_channel(CAPACITY);
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..THREADS {
        let receiver = Arc::clone(&receiver);
        thread::Builder::new().name("insert".to_owned()).spawn(move || work(&receiver))?;
    }
    Ok(sender)
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        // The lock is free again before the job is done, so that the others can take the next.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job.run();
    }
}

impl Job {
    /// Prepares the insertion and sends it to the step thread.
    pub(crate) fn run(self) {
        let Self { mut command, preparer, folders, script, reply, door, .. } = self;
        let insert = match &mut command.command {
            Some(user_cmd::Command::StartMotion(start)) => {
                panic::catch_unwind(AssertUnwindSafe(|| preparer.find_motion(start, &folders)))
                    .unwrap_or_else(|_| Err(CommandError::NoMotion { reason: gave_up_text() }))
                    .map(|()| Prepared::Nothing)
            }
            Some(user_cmd::Command::ReloadScript(reload)) => {
                let uri = script.unwrap_or_default();
                preparer.read_script(reload, &uri).map(|()| Prepared::Nothing)
            }
            Some(user_cmd::Command::InsertEntity(insert)) => {
                let teller = Teller::new(door.clone());
                let tell = |progress| teller.tell(progress);
                // A mesh is a stranger's: whatever it does, the next insertion finds its thread.
                let ready = panic::catch_unwind(AssertUnwindSafe(|| {
                    preparer.write_out(insert);
                    preparer.prepare(insert, &tell)
                }));
                let ready = ready.unwrap_or_else(|_| ReadyInsert::refused(gave_up()));
                Ok(Prepared::Insert(Box::new(ready)))
            }
            _ => Err(CommandError::Empty),
        };
        door.hand_back(Item::Ready(Box::new(Ready { command, insert, reply })));
    }
}

/// Says yes until so much time has passed.
pub(crate) fn within(limit: Duration) -> impl Fn() -> bool {
    let began = Instant::now();
    move || began.elapsed() < limit
}

fn gave_up() -> CommandError {
    CommandError::BadSdf { findings: gave_up_text() }
}

fn gave_up_text() -> String {
    "the reader gave up".to_owned()
}

/// Tells clients how far a long load has come.
struct Teller {
    door: InboxSender,
    last: Mutex<Instant>,
}

impl Teller {
    fn new(door: InboxSender) -> Self {
        Self { door, last: Mutex::new(Instant::now()) }
    }

    fn tell(&self, progress: LoadProgress) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= TELL_PERIOD && progress.done < progress.total {
            *last = Instant::now();
            self.door.tell(progress.to_string());
        }
    }
}
