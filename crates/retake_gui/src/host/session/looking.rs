//! A page that looks at the past: its session shows that in place of the present.

use std::sync::Arc;

use axum::body::Bytes;
use retake_msgs::PastRequest;

use super::Session;
use super::socket::{End, Socket};
use crate::host::past::Looked;
use crate::stream::{Broadcast, Delta};

impl Session {
    /// Looks for an instant of the past, or shows the present again.
    pub(super) async fn look_back(
        &mut self,
        wire: &mut Socket,
        request_id: u64,
        look: retake_msgs::LookBack,
        newest: Broadcast,
    ) -> Result<(), End> {
        let Some(instant) = look.instant else {
            let was_shown = self.past.is_shown();
            for reply in self.past.end(request_id) {
                wire.send(reply).await?;
            }
            if was_shown {
                self.send_changes(wire, &newest.delta, &newest.set).await?;
                wire.send(newest.set.message.clone()).await?;
                wire.send(Bytes::clone(&newest.poses)).await?;
                let (set, poses) = (Arc::clone(&newest.set), Arc::clone(&newest.poses));
                (self.sent.broadcast.set, self.sent.broadcast.poses) = (set, poses);
            }
            return Ok(());
        };
        let (instant, viewer) = (Some(instant), self.name.clone());
        let request = PastRequest { instant, viewer, ..PastRequest::default() };
        match self.past.begin(request_id, self.hub.link.look_back(request)) {
            Some(overtaken) => wire.send(overtaken).await,
            None => Ok(()),
        }
    }

    /// Shows the page the world as it was, and tells it so.
    pub(super) async fn show_past(
        &mut self,
        wire: &mut Socket,
        looked: &Looked,
    ) -> Result<(), End> {
        if let Ok(past) = &looked.past {
            let (view, set) = self.past.show(past, &self.sent.view);
            let from = std::mem::replace(&mut self.sent.view, Arc::clone(&view));
            let delta = Delta::between(from, view, Arc::clone(&set));
            if let Some(message) = delta.message(&self.watched) {
                wire.send(message).await?;
            }
            wire.send(set.message.clone()).await?;
            wire.send(set.frame(&past.ecm)).await?;
        }
        wire.send(looked.reply()).await
    }
}
