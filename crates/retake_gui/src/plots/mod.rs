//! The plots of this host: pages change and look at them, a thread hears what they need.

mod branch_tip;
mod browse;
mod keeper;
mod log_feed;
mod log_run;
mod log_topics;

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use retake_board::{Board, ExportError, Run, Window, Wish, layout_from_json};
use retake_msgs::{
    BrowseSignals, KeepPlotRun, LoadPlotRun, MeasurePlot, PastRequest, PlotFrame, PlotLayout,
    PlotLayoutState, PlotMeasures, PlotView, SetPlotLayout, SignalNodes, TimelineInstant,
};
use tokio::sync::watch;

use crate::link::ServerLink;
use crate::lock::locked;
use keeper::Keeper;
pub use log_feed::LogFeed;
pub use log_run::{LogRunError, is_log, run_of_log, signals_of};

/// How often somebody who waits for the plots looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// The plots of a host.
pub(crate) struct Plots {
    board: Arc<Mutex<Board>>,
    link: Arc<dyn ServerLink>,
    states: watch::Sender<Arc<PlotLayoutState>>,
    /// Wakes the thread that hears what is wanted.
    wake: SyncSender<()>,
    /// Whether all that is wanted is heard.
    heard: watch::Receiver<bool>,
}

impl Plots {
    /// Starts with a layout; a thread hears what it needs until the last clone is gone.
    pub(crate) fn start(link: &Arc<dyn ServerLink>, layout: Option<PlotLayout>) -> Arc<Self> {
        let mut board = if link.log().is_some() { Board::of_log() } else { Board::new() };
        if let Some(layout) = layout
            && let Err(error) = board.replace_layout(layout, "")
        {
            tracing::warn!(%error, "the layout is left out");
        }
        let (states, _) = watch::channel(Arc::new(board.state()));
        let board = Arc::new(Mutex::new(board));
        let (wake, heard) = Keeper::start(Arc::clone(&board), Arc::clone(link), states.clone());
        Arc::new(Self { board, link: Arc::clone(link), states, wake, heard })
    }

    /// Waits until all that is wanted is heard; says whether it is.
    pub(crate) fn wait_until_heard(&self, timeout: Duration) -> bool {
        let start = Instant::now();
        while !*self.heard.borrow() && start.elapsed() < timeout {
            std::thread::sleep(LOOK_AGAIN);
        }
        *self.heard.borrow()
    }

    /// Returns the layout as it changes.
    pub(crate) fn states(&self) -> watch::Receiver<Arc<PlotLayoutState>> {
        self.states.subscribe()
    }

    /// Changes the layout.
    pub(crate) fn set_layout(&self, request: SetPlotLayout, author: &str) -> Result<(), String> {
        let layout = request.layout.unwrap_or_default();
        let changed = self.board().set_layout(layout, request.base_revision, author);
        changed.map_err(|error| error.to_string())?;
        self.changed();
        Ok(())
    }

    /// Takes the layout of a file.
    pub(crate) fn load_layout(&self, json: &str, author: &str) -> Result<(), String> {
        let layout = layout_from_json(json).map_err(|error| error.to_string())?;
        self.board().replace_layout(layout, author).map_err(|error| error.to_string())?;
        self.changed();
        Ok(())
    }

    /// Prints the layout as a file.
    pub(crate) fn layout_file(&self) -> String {
        retake_board::layout_to_json(self.board().layout())
    }

    /// Keeps the present run for comparing, or what was heard of a branch; returns its id.
    pub(crate) fn keep_run(&self, request: &KeepPlotRun, author: &str) -> Result<String, String> {
        let kept = match request.branch.is_empty() {
            true => self.board().keep_run(&request.title, author),
            false => {
                let timeline = Arc::clone(&self.link.views().borrow().timeline);
                let tip = branch_tip::of(&timeline, &request.branch)?;
                let computed = self.compute_branch(&request.branch);
                self.board().keep_branch(&request.branch, tip, computed, author)
            }
        };
        let id = kept.map_err(|error| error.to_string())?;
        self.changed();
        Ok(id)
    }

    /// Lets the server compute again what the plots show of a branch; may take a while.
    ///
    /// None when it cannot, or when nothing of the world is plotted: what was heard has to do then.
    fn compute_branch(&self, branch: &str) -> Option<Run> {
        let (layout, wanted) = {
            let board = self.board();
            (board.layout().clone(), board.wanted())
        };
        let of_world = wanted.items.into_iter().filter(|((manager, _), _)| manager.is_none());
        let mut watch: Vec<String> = of_world.flat_map(|(_, items)| items).collect();
        watch.sort();
        watch.dedup();
        if watch.is_empty() {
            return None;
        }
        let instant = TimelineInstant { branch: branch.to_owned(), ..TimelineInstant::default() };
        let request = PastRequest { instant: Some(instant), watch, ..PastRequest::default() };
        let runtime = tokio::runtime::Handle::try_current().ok()?;
        let computed = match runtime.block_on(self.link.look_back(request)) {
            Ok(past) => Run::of_past(&layout, &past.at.samples?).map_err(|e| e.to_string()),
            Err(reason) => Err(reason),
        };
        computed.inspect_err(|reason| tracing::warn!(branch, reason, "not computed again")).ok()
    }

    /// Adds a run from a table.
    pub(crate) fn load_run(&self, request: &LoadPlotRun, author: &str) -> Result<(), String> {
        let run = match is_log(&request.name) {
            true => log_run::run_of_bytes(&request.data).map_err(|error| error.to_string())?,
            false => Run::from_table(&request.name, &request.data).map_err(|e| e.to_string())?,
        };
        let loaded = self.board().add_table_run(&request.name, run, author);
        loaded.map_err(|error| error.to_string())?;
        self.changed();
        Ok(())
    }

    /// Forgets all samples.
    pub(crate) fn clear(&self) {
        self.board().clear();
        self.changed();
    }

    /// Returns the nodes below a node of the tree of signals; may wait for the bus.
    pub(crate) fn browse(&self, request: &BrowseSignals) -> Result<SignalNodes, String> {
        browse::browse(self, request)
    }

    /// Measures between two cursors.
    pub(crate) fn measure(&self, request: &MeasurePlot) -> Result<PlotMeasures, String> {
        let MeasurePlot { plot_id, from_secs, to_secs } = request;
        let measured = self.board().measure(plot_id, *from_secs, *to_secs);
        measured.ok_or_else(|| no_plot(plot_id))
    }

    /// Returns a number that grows with all that comes.
    pub(crate) fn changes(&self) -> u64 {
        self.board().changes()
    }

    /// Returns what a page is to draw.
    pub(crate) fn frame(&self, view: &PlotView) -> Option<PlotFrame> {
        let window = Window {
            from_secs: view.from_secs,
            to_secs: view.to_secs,
            pixels: view.pixels as usize,
        };
        self.board().frame(&view.plot_id, window)
    }

    /// Makes a picture or a table of a plot, or of all plots of a tab.
    pub(crate) fn export(&self, wish: &Wish) -> Result<Vec<u8>, ExportError> {
        // The samples are gathered under the lock; drawing takes longer and needs none.
        let export = self.board().export(wish)?;
        export.write()
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        locked(&self.board)
    }

    fn changed(&self) {
        let state = self.board().state();
        self.states.send_replace(Arc::new(state));
        // A full channel wakes the thread all the same.
        self.wake.try_send(()).ok();
    }
}

fn no_plot(id: &str) -> String {
    format!("There is no plot {id:?} any more")
}
