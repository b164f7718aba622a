//! What pages hear of logs: the one that is recorded, and the one that is shown.

use std::sync::Arc;

use axum::body::Bytes;
use retake_msgs::LogStatus;
use retake_msgs::host_message::Message as Body;

use crate::link::{Shown, View};
use crate::wire;

/// The newest messages about logs.
#[derive(Clone)]
pub(crate) struct LogMessages {
    recording: Arc<(Arc<LogStatus>, Bytes)>,
    shown: Option<ShownMessages>,
}

#[derive(Clone)]
struct ShownMessages {
    of: Arc<Shown>,
    file: Arc<Bytes>,
    place: Arc<Bytes>,
}

impl LogMessages {
    pub(crate) fn new(view: &View) -> Self {
        Self {
            recording: Arc::new(recording_message(&view.recording)),
            shown: view.playback.as_ref().map(ShownMessages::new),
        }
    }

    /// Takes a view; messages of what it does not change stay the same.
    pub(crate) fn advance(&mut self, view: &View) {
        let known = &self.recording.0;
        // A link that records nothing has no reason to keep one status.
        if !Arc::ptr_eq(known, &view.recording) && **known != *view.recording {
            self.recording = Arc::new(recording_message(&view.recording));
        }
        match (&mut self.shown, &view.playback) {
            (Some(known), Some(shown)) => known.advance(shown),
            (known, shown) => *known = shown.as_ref().map(ShownMessages::new),
        }
    }

    /// Says whether nothing differs.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.newer_than(Some(other)).is_empty()
    }

    /// Returns what a page needs that has `had`, in the order in which it needs it.
    pub(crate) fn newer_than(&self, had: Option<&Self>) -> Vec<Bytes> {
        let mut newer = Vec::new();
        if had.is_none_or(|had| !Arc::ptr_eq(&had.recording, &self.recording)) {
            newer.push(self.recording.1.clone());
        }
        if let Some(shown) = &self.shown {
            let had = had.and_then(|had| had.shown.as_ref());
            if had.is_none_or(|had| !Arc::ptr_eq(&had.file, &shown.file)) {
                newer.push(Bytes::clone(&shown.file));
            }
            if had.is_none_or(|had| !Arc::ptr_eq(&had.place, &shown.place)) {
                newer.push(Bytes::clone(&shown.place));
            }
        }
        newer
    }
}

impl ShownMessages {
    fn new(shown: &Arc<Shown>) -> Self {
        let file = Arc::new(wire::encode(Body::PlaybackFile((*shown.file).clone())));
        Self { of: Arc::clone(shown), file, place: Arc::new(place_message(shown)) }
    }

    fn advance(&mut self, shown: &Arc<Shown>) {
        if Arc::ptr_eq(&self.of, shown) {
            return;
        }
        if !Arc::ptr_eq(&self.of.file, &shown.file) {
            *self = Self::new(shown);
        } else if self.of.at != shown.at {
            self.place = Arc::new(place_message(shown));
        }
        self.of = Arc::clone(shown);
    }
}

fn recording_message(status: &Arc<LogStatus>) -> (Arc<LogStatus>, Bytes) {
    (Arc::clone(status), wire::encode(Body::Recording((**status).clone())))
}

fn place_message(shown: &Shown) -> Bytes {
    wire::encode(Body::Playback(shown.at))
}
