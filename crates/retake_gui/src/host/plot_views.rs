//! The plots that one page shows.

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::{PlotView, WatchPlots};

use crate::plots::Plots;
use crate::wire;

/// Plots that one page may show at once.
const MAX_VIEWS: usize = 64;

/// What a page shows, and what it was sent of it.
#[derive(Default)]
pub(super) struct PlotViews {
    views: Vec<(PlotView, Option<u64>)>,
}

impl PlotViews {
    /// Takes what the page shows from now on; what did not change is not sent again.
    pub(super) fn watch(&mut self, watch: WatchPlots) {
        let known = std::mem::take(&mut self.views);
        let wanted = watch.view.into_iter().take(MAX_VIEWS);
        let sent = |view: &PlotView| known.iter().find(|(known, _)| known == view)?.1;
        self.views = wanted.map(|view| (sent(&view), view)).map(|(sent, v)| (v, sent)).collect();
    }

    /// Says whether the page shows any.
    pub(super) fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// Sends everything again.
    pub(super) fn forget(&mut self) {
        self.views.iter_mut().for_each(|(_, sent)| *sent = None);
    }

    /// Returns the frames that the page does not have yet.
    pub(super) fn due(&mut self, plots: &Plots) -> Vec<Bytes> {
        let changes = plots.changes();
        let mut frames = Vec::new();
        for (view, sent) in self.views.iter_mut().filter(|(_, sent)| *sent != Some(changes)) {
            *sent = Some(changes);
            frames.extend(plots.frame(view).map(|frame| wire::encode(Body::PlotFrame(frame))));
        }
        frames
    }
}
