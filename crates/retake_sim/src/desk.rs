//! The thread that files of motions are read and written on.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use super::MotionWork;
use crate::inbox::Reply;
use crate::{InboxSender, Response};

/// Requests that may wait for the thread; beyond it new ones are refused, and told so.
const CAPACITY: usize = 16;

/// The thread; it starts with the first request and ends with the desk.
#[derive(Default)]
pub(crate) struct Desk {
    jobs: Option<SyncSender<Job>>,
}

struct Job {
    work: MotionWork,
    reply: Reply,
    /// Keeps the runner running until this is answered.
    _door: InboxSender,
}

impl Desk {
    /// Lets the thread do something and answer it; answers at once when that cannot be.
    pub(crate) fn start(&mut self, work: MotionWork, reply: Reply, door: InboxSender) {
        let job = Job { work, reply, _door: door };
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => match start_thread() {
                Ok(jobs) => self.jobs.insert(jobs),
                Err(error) => {
                    let text = format!("No thread to look at motions on: {error}");
                    return (job.reply)(Response::Failed(text));
                }
            },
        };
        let (job, text) = match jobs.try_send(job) {
            Ok(()) => return,
            Err(TrySendError::Full(job)) => (
                job,
                format!("The server is busy: {CAPACITY} requests about motions wait. Try again"),
            ),
            Err(TrySendError::Disconnected(job)) => {
                (job, "What looks at motions has stopped".to_owned())
            }
        };
        (job.reply)(Response::Failed(text));
    }
}

fn start_thread() -> std::io::Result<SyncSender<Job>> {
    let (sender, receiver) = sync_channel(CAPACITY);
    thread::Builder::new().name("retake-motions".to_owned()).spawn(move || work(&receiver))?;
    Ok(sender)
}

fn work(jobs: &Receiver<Job>) {
    while let Ok(Job { work, reply, .. }) = jobs.recv() {
        // Files and shapes are strangers': whatever they do, the next request finds its thread.
        let done = panic::catch_unwind(AssertUnwindSafe(|| work.done()));
        let gave_up = |_| Response::Failed("What looks at motions gave up".to_owned());
        // The answer to a list reads files, too.
        let told = AssertUnwindSafe(|| reply(done.unwrap_or_else(gave_up)));
        if panic::catch_unwind(told).is_err() {
            tracing::error!("an answer about motions was lost");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use retake_msgs::MotionReadRequest;

    use super::super::PlayerShelf;
    use super::*;
    use crate::inbox;
    use crate::preparation::Preparer;

    fn work() -> MotionWork {
        let preparer = Preparer::without_shapes(retake_assets::ResourceRoots::new());
        let shelf = PlayerShelf { preparer, folders: Err("nobody stores".to_owned()) };
        MotionWork::Read { shelf, request: MotionReadRequest::default() }
    }

    #[test]
    fn more_than_fits_is_refused_and_the_rest_is_answered() {
        let (door, _inbox) = inbox::inbox();
        let mut desk = Desk::default();
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
            let reply = move |response: Response| {
                send.send(match response {
                    Response::MotionFile(file) => file.message,
                    other => other.into_reply().message,
                })
                .unwrap();
            };
            desk.start(work(), Box::new(reply), door.clone());
        }
        let busy = "The server is busy: 16 requests about motions wait. Try again";
        assert_eq!(answers.recv().unwrap(), busy);
        drop(go);
        for _ in 0..CAPACITY {
            assert_eq!(answers.recv().unwrap(), "nobody stores");
        }
        drop(send);
        assert!(answers.recv().is_err());
    }

    #[test]
    fn a_panic_ends_nothing_but_itself() {
        let (door, _inbox) = inbox::inbox();
        let mut desk = Desk::default();
        desk.start(work(), Box::new(|_| panic!("on purpose")), door.clone());
        let (send, answer) = channel();
        desk.start(work(), Box::new(move |response| drop(send.send(response))), door);
        assert!(matches!(answer.recv().unwrap(), Response::MotionFile(_)));
    }
}
