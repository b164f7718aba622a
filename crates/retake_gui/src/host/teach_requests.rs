//! What a page asks about the motions that it teaches, and what it is told of them.

use std::future::Future;
use std::sync::Arc;

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::{Reply, TeachLive, TeachRequest, TeachState};

use crate::teaching::{Answered, Begun, Lives, Teaching, Watching};
use crate::wire;

/// Begins a request in its turn, and answers when it is done.
pub(super) fn answer(
    teaching: &Arc<Teaching>,
    author: &str,
    request_id: u64,
    request: TeachRequest,
) -> impl Future<Output = Bytes> + Send + use<> {
    let begun = teaching.begin(request, author);
    async move {
        let answered = match begun {
            Begun::Done(answered) => *answered,
            Begun::Later(work) => tokio::task::spawn_blocking(work)
                .await
                .unwrap_or_else(|_| Err("The request could not be carried out".to_owned())),
        };
        reply(request_id, answered)
    }
}

fn reply(request_id: u64, answered: Answered) -> Bytes {
    let reply = match answered {
        Ok(answer) => {
            let message = if answer.exists { "A motion has this name already" } else { "" };
            Reply {
                request_id,
                ok: !answer.exists,
                message: message.to_owned(),
                teach: Some(Box::new(answer)),
                ..Reply::default()
            }
        }
        Err(reason) => Reply { request_id, message: sentence(&reason), ..Reply::default() },
    };
    wire::encode(Body::Reply(reply))
}

/// Begins a reason as people begin a sentence; errors of libraries do not.
fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Makes the message with robots and drafts.
pub(super) fn state_message(state: &Arc<TeachState>) -> Bytes {
    wire::encode(Body::Teach(TeachState::clone(state)))
}

/// The robot that a page teaches.
#[derive(Default)]
pub(super) struct TaughtRobot {
    watching: Option<Watching>,
    sent: Option<Arc<TeachLive>>,
}

impl TaughtRobot {
    /// Takes which robot the page looks at from now on.
    pub(super) fn watch(&mut self, teaching: &Arc<Teaching>, robot: String) {
        self.sent = None;
        self.watching = (!robot.is_empty()).then(|| teaching.watch(robot));
    }

    /// Returns what the page does not have yet.
    pub(super) fn due(&mut self, lives: &Lives) -> Option<Bytes> {
        let live = lives.get(&self.watching.as_ref()?.robot)?;
        if self.sent.as_ref() == Some(live) {
            return None;
        }
        self.sent = Some(Arc::clone(live));
        Some(wire::encode(Body::TeachLive(Box::new(TeachLive::clone(live)))))
    }
}
