//! A thread for what takes a disk or much time, so that neither steps nor topics wait for it.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use crate::inbox::Reply;
use crate::{InboxSender, Response};

/// Requests that may wait for the thread; beyond it new ones are refused, and told so.
const CAPACITY: usize = 16;

/// What a desk is asked to do, with all that is needed of the world.
pub(crate) type Work = Box<dyn FnOnce() -> Response + Send>;

/// The thread; it starts with the first request and ends with the desk.
pub(crate) struct Desk {
    /// What it looks at, in words.
    about: &'static str,
    jobs: Option<SyncSender<Job>>,
}

struct Job {
    work: Work,
    reply: Reply,
    /// Keeps the runner running until this is answered.
    _door: InboxSender,
}

impl Desk {
    /// Makes a desk that looks at what is named `about`; its thread has that name too.
    pub(crate) fn new(about: &'static str) -> Self {
        Self { about, jobs: None }
    }

    /// Lets the thread do something and answer it; answers at once when that cannot be.
    pub(crate) fn start(&mut self, work: Work, reply: Reply, door: InboxSender) {
        let about = self.about;
        let job = Job { work, reply, _door: door };
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => match start_thread(about) {
                Ok(jobs) => self.jobs.insert(jobs),
                Err(error) => {
                    let text = format!("No thread to look at {about} on: {error}");
                    return (job.reply)(Response::Failed(text));
                }
            },
        };
        let (job, text) = match jobs.try_send(job) {
            Ok(()) => return,
            Err(TrySendError::Full(job)) => (
                job,
                format!("The server is busy: {CAPACITY} requests about {about} wait. Try again"),
            ),
            Err(TrySendError::Disconnected(job)) => {
                (job, format!("What looks at {about} has stopped"))
            }
        };
        (job.reply)(Response::Failed(text));
    }
}

fn start_thread(about: &'static str) -> std::io::Result<SyncSender<Job>> {
    let (sender, receiver) = sync_channel(CAPACITY);
    let name = format!("retake-{about}");
    thread::Builder::new().name(name).spawn(move || serve(&receiver, about))?;
    Ok(sender)
}

fn serve(jobs: &Receiver<Job>, about: &'static str) {
    while let Ok(Job { work, reply, .. }) = jobs.recv() {
        // Files and shapes are strangers': whatever they do, the next request finds its thread.
        let done = panic::catch_unwind(AssertUnwindSafe(work));
        let gave_up = |_| Response::Failed(format!("What looks at {about} gave up"));
        // The answer to a list reads files, too.
        let told = AssertUnwindSafe(|| reply(done.unwrap_or_else(gave_up)));
        if panic::catch_unwind(told).is_err() {
            tracing::error!("an answer about {about} was lost");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use retake_msgs::UserCmdReply;

    use super::*;
    use crate::inbox;

    fn work() -> Work {
        Box::new(|| Response::Done(UserCmdReply::done("looked")))
    }

    #[test]
    fn more_than_fits_is_refused_and_the_rest_is_answered() {
        let (door, _inbox) = inbox::inbox();
        let mut desk = Desk::new("motions");
        let (go, gate) = channel::<()>();
        let (entered, is_in) = channel::<()>();
        let held: Reply = Box::new(move |_| {
            entered.send(()).unwrap();
            // Ends when the test lets go of the other end.
            gate.recv().ok();
        });
        desk.start(work(), held, door.clone());
        is_in.recv().unwrap();
        let (send, answers) = channel();
        for _ in 0..CAPACITY + 1 {
            let send = send.clone();
            let reply = move |response: Response| send.send(response.into_reply().message).unwrap();
            desk.start(work(), Box::new(reply), door.clone());
        }
        let busy = "The server is busy: 16 requests about motions wait. Try again";
        assert_eq!(answers.recv().unwrap(), busy);
        drop(go);
        for _ in 0..CAPACITY {
            assert_eq!(answers.recv().unwrap(), "looked");
        }
        drop(send);
        assert!(answers.recv().is_err());
    }

    #[test]
    fn a_panic_ends_nothing_but_itself() {
        let (door, _inbox) = inbox::inbox();
        let mut desk = Desk::new("motions");
        desk.start(work(), Box::new(|_| panic!("on purpose")), door.clone());
        let (send, answers) = channel();
        let failing: Work = Box::new(|| panic!("on purpose"));
        for work in [failing, work()] {
            let send = send.clone();
            let reply = move |response: Response| drop(send.send(response.into_reply().message));
            desk.start(work, Box::new(reply), door.clone());
        }
        assert_eq!(answers.recv().unwrap(), "What looks at motions gave up");
        assert_eq!(answers.recv().unwrap(), "looked");
    }
}
