//! A page that looks back: it is shown the world as it was in place of the present one.
//!
//! A past world is a view like any other, for one session: the page gets what leads from what it saw
//! last to that view, and its poses. Everything else it hears goes on as it is now.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::{Past, Reply};

use crate::link::{PastFuture, PastView, View};
use crate::stream::{PoseSet, moving_entities};
use crate::wire;

/// Sets of past poses are numbered from here, so that none is taken for one of the present.
const FIRST_SET: u32 = 1 << 31;

/// What a session shows of the past, and what it is looking for.
#[derive(Default)]
pub(super) struct LookBack {
    under_way: Option<(u64, PastFuture)>,
    shown: bool,
    sets: u32,
}

/// What came of looking for an instant.
pub(super) struct Looked {
    request_id: u64,
    pub(super) past: Result<PastView, String>,
}

impl LookBack {
    /// Says whether the page sees the past.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Says whether an instant is being looked for.
    pub(super) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Looks for an instant; returns the reply to the request that it overtakes.
    pub(super) fn begin(&mut self, request_id: u64, look: PastFuture) -> Option<Bytes> {
        let overtaken = self.under_way.replace((request_id, look));
        overtaken.map(|(id, _)| refused(id, "A newer instant was asked for"))
    }

    /// Goes back to the present; returns the replies to what was under way and to this.
    pub(super) fn end(&mut self, request_id: u64) -> Vec<Bytes> {
        self.shown = false;
        let given_up = self.under_way.take();
        let mut replies: Vec<Bytes> =
            given_up.map(|(id, _)| refused(id, "The page shows the present")).into_iter().collect();
        let reply = Reply { request_id, ok: true, ..Reply::default() };
        replies.push(wire::encode(Body::Reply(reply)));
        replies
    }

    /// Waits until what is looked for is there.
    pub(super) fn looked(&mut self) -> impl Future<Output = Looked> + '_ {
        std::future::poll_fn(|context| self.poll(context))
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Looked> {
        let Some((request_id, look)) = &mut self.under_way else { return Poll::Pending };
        let request_id = *request_id;
        Pin::new(look).poll(context).map(|past| {
            self.under_way = None;
            Looked { request_id, past }
        })
    }

    /// Shows an instant: returns its view and the entities that move in it.
    pub(super) fn show(&mut self, past: &PastView, seen: &View) -> (Arc<View>, Arc<PoseSet>) {
        self.shown = true;
        self.sets = self.sets.wrapping_add(1);
        let view = Arc::new(View { ecm: past.ecm.clone(), ..seen.clone() });
        let set = PoseSet::new(FIRST_SET | self.sets, moving_entities(&view.ecm));
        (view, Arc::new(set))
    }
}

impl Looked {
    /// Answers the page.
    pub(super) fn reply(&self) -> Bytes {
        let request_id = self.request_id;
        match &self.past {
            Ok(PastView { at, .. }) => {
                let past = Some(Box::new(Past { state: None, ..at.clone() }));
                let message = at.message.clone();
                let reply = Reply { request_id, ok: true, message, past, ..Reply::default() };
                wire::encode(Body::Reply(reply))
            }
            Err(reason) => refused(request_id, reason),
        }
    }
}

fn refused(request_id: u64, reason: &str) -> Bytes {
    let message = reason.to_owned();
    wire::encode(Body::Reply(Reply { request_id, message, ..Reply::default() }))
}
