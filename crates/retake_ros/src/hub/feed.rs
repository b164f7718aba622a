//! What waits for the hub's thread: what the runner tells, and what fronts ask.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prost::{Message, Name};
use retake_msgs::{MotionFeedback, MotionResult, TimeJumped};
use retake_sim::{Event, OutMessage, Response, View, ViewSink};
use serde_json::Value;

use super::ServiceReply;
use super::actionlib::ActionlibEvent;
use super::goals::GoalWatcher;

/// What may wait before fronts are refused and feedback is left out. Ends, jumps and answers always
/// have room: there are no more of them than goals and requests that were let in.
const MOST: usize = 4096;

/// Something that a front asks.
pub(super) enum Ask {
    Publish { topic: String, message: Value },
    Call { service: String, request: Value, reply: ServiceReply },
    Goal { action: String, goal: Value, id: String, watcher: GoalWatcher },
    Cancel { id: String },
}

/// Something that the hub's thread carries out.
pub(super) enum Mail {
    Asked(Ask),
    Jumped(TimeJumped),
    Feedback(Box<MotionFeedback>),
    Ended(MotionResult),
    /// What came of a goal that was sent by topics.
    Actionlib(ActionlibEvent),
    /// What the server answered, and what to do with it.
    Answered(Response, Then),
}

/// What is done with an answer of the server.
pub(super) type Then = Box<dyn FnOnce(&mut super::worker::Worker, Response) + Send>;

/// All that came since the thread looked last.
pub(super) struct Post {
    pub(super) mail: VecDeque<Mail>,
    pub(super) view: Option<View>,
    pub(super) ended: bool,
}

/// The way to the hub's thread; cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Feed(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    mail: VecDeque<Mail>,
    view: Option<View>,
    ended: bool,
}

impl Feed {
    /// Returns what the runner feeds.
    pub(super) fn sink(&self) -> impl ViewSink + use<> {
        Sink(self.clone())
    }

    /// Puts something in that a front asks.
    pub(super) fn ask(&self, ask: Ask) -> Result<(), String> {
        self.try_ask(ask).map_err(|(_, reason)| reason)
    }

    /// Puts something in that a front asks; gives it back when there is no room.
    pub(super) fn try_ask(&self, ask: Ask) -> Result<(), (Ask, String)> {
        let mut waiting = self.lock();
        if waiting.ended {
            return Err((ask, "The world has ended".to_owned()));
        }
        if waiting.mail.len() >= MOST {
            return Err((ask, format!("The bridge is busy: {MOST} requests wait. Try again")));
        }
        waiting.mail.push_back(Mail::Asked(ask));
        drop(waiting);
        self.0.changed.notify_one();
        Ok(())
    }

    /// Puts in what the server answered.
    pub(super) fn answer(&self, response: Response, then: Then) {
        // There are no more answers than requests, which were counted when they came.
        self.lock().mail.push_back(Mail::Answered(response, then));
        self.0.changed.notify_one();
    }

    /// Takes what came, after at most `patience`; without one, when something comes.
    pub(super) fn take(&self, patience: Option<Duration>) -> Post {
        let idle = |waiting: &mut Waiting| {
            waiting.mail.is_empty() && waiting.view.is_none() && !waiting.ended
        };
        let (waiting, changed) = (self.lock(), &self.0.changed);
        let mut waiting = match patience {
            Some(patience) => {
                let woken = changed.wait_timeout_while(waiting, patience, idle);
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
            None => changed.wait_while(waiting, idle).unwrap_or_else(PoisonError::into_inner),
        };
        Post {
            mail: std::mem::take(&mut waiting.mail),
            view: waiting.view.take(),
            ended: waiting.ended,
        }
    }

    /// Tells the thread to end.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.0.changed.notify_one();
    }

    pub(super) fn tell(&self, mail: Mail) {
        let mut waiting = self.lock();
        // The next feedback says the same anew; whatever else is lost would be waited for in vain.
        if waiting.mail.len() >= MOST && matches!(mail, Mail::Feedback(_)) {
            return;
        }
        waiting.mail.push_back(mail);
        drop(waiting);
        self.0.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing under the lock can panic half way.
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Sink(Feed);

impl ViewSink for Sink {
    fn view(&mut self, view: &View) {
        self.0.lock().view = Some(view.clone());
        self.0.0.changed.notify_one();
    }

    fn event(&mut self, event: &Event) {
        if let Event::TimeJumped(jump) = event {
            // A view of before must not be taken for one of after; the next is there soon.
            self.0.lock().view = None;
            self.0.tell(Mail::Jumped(jump.clone()));
        }
    }

    fn messages(&mut self, messages: &[OutMessage]) {
        for message in messages {
            // What systems publish is encoded right; what is not for a bridge is left alone.
            if message.type_name == MotionResult::full_name()
                && let Ok(result) = MotionResult::decode(message.bytes.as_slice())
            {
                self.0.tell(Mail::Ended(result));
            } else if message.type_name == MotionFeedback::full_name()
                && let Ok(feedback) = MotionFeedback::decode(message.bytes.as_slice())
            {
                self.0.tell(Mail::Feedback(Box::new(feedback)));
            }
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_too_much_waits_feedback_is_left_out_and_nothing_else() {
        let feed = Feed::default();
        let ask = || Ask::Publish { topic: "/a".to_owned(), message: Value::Null };
        for _ in 0..MOST {
            feed.ask(ask()).unwrap();
        }
        assert_eq!(
            feed.ask(ask()).unwrap_err(),
            "The bridge is busy: 4096 requests wait. Try again"
        );
        feed.tell(Mail::Feedback(Box::default()));
        feed.tell(Mail::Ended(MotionResult::default()));
        feed.tell(Mail::Jumped(TimeJumped::default()));
        let mail = feed.take(None).mail;
        assert_eq!(mail.len(), MOST + 2);
        assert!(mail.iter().take(MOST).all(|mail| matches!(mail, Mail::Asked(_))));
        assert!(matches!(mail[MOST], Mail::Ended(_)));
        assert!(matches!(mail[MOST + 1], Mail::Jumped(_)));

        feed.tell(Mail::Feedback(Box::default()));
        assert_eq!(feed.take(None).mail.len(), 1);
    }
}
