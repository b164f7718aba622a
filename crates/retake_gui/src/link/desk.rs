//! What a host with an Ecm of its own shows: the server's state, and what was done here since.
//!
//! The replica's thread brings news of the server, the requests' thread what pages do, the bus's
//! threads the server's questions; each change is shown before the lock is free again.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use retake_ecm::EcmSnapshot;
use retake_msgs::notification::Level;
use retake_msgs::{
    GuiJoined, GuiPending, LogStatus, Notification, PausedActionsCleared, PausedActionsTaken,
    PendingAction, PendingActions, SerializedStateV, Timeline, UndoRedo, UserCmd, UserCmdReply,
    UserCmdStats, WorldStatistics,
};
use retake_sim::Editor;
use retake_transport::Publisher;

use super::{Connection, Event, Feed, View, WorldTitle};
use crate::lock::locked;
use crate::{Cleared, GuiUserCommands, Undone};

/// Surprises of one take-over that are told one by one; all are listed as pending anyway.
const MAX_TOLD: usize = 8;

/// The state that the threads of a link share.
pub(super) struct Desk {
    pub(super) feed: Arc<Feed>,
    papers: Mutex<Papers>,
}

/// What is known of the server, and what was done here.
pub(super) struct Papers {
    pub(super) title: Arc<WorldTitle>,
    pub(super) stats: WorldStatistics,
    pub(super) recording: Arc<LogStatus>,
    pub(super) timeline: Arc<Timeline>,
    /// What all GUIs hold, as the server knows it, and as it is shown.
    pending: Arc<PendingActions>,
    shown_pending: Arc<PendingActions>,
    commands: GuiUserCommands,
    /// Where others hear of what is held here.
    teller: Option<Publisher<GuiPending>>,
    told: GuiPending,
}

impl Papers {
    pub(super) fn new(title: Arc<WorldTitle>, commands: GuiUserCommands) -> Self {
        Self {
            title,
            stats: WorldStatistics::default(),
            recording: Arc::default(),
            timeline: Arc::default(),
            pending: Arc::default(),
            shown_pending: Arc::default(),
            commands,
            teller: None,
            told: GuiPending::default(),
        }
    }

    /// Takes the server's state, which is at `tick`.
    pub(super) fn follow(&mut self, base: EcmSnapshot, tick: u64) {
        self.commands.follow(base, tick, self.stats.paused);
    }

    /// Takes note that the server's state is at `tick`, with nothing changed.
    pub(super) fn arrive(&mut self, tick: u64) {
        self.commands.arrive(tick);
    }

    /// Edits with the files of another server from now on.
    pub(super) fn edit_with(&mut self, editor: Editor) {
        self.commands.edit_with(editor);
    }

    /// Takes what can be undone and redone at the server.
    pub(super) fn follow_history(&mut self, history: UserCmdStats) {
        self.commands.follow_history(Arc::new(history));
    }

    /// Takes what all GUIs hold, as the server knows it.
    pub(super) fn follow_pending(&mut self, pending: PendingActions) {
        self.pending = Arc::new(pending);
        self.shown_pending = Arc::new(self.all_pending());
    }

    /// Takes what a server gave that was found, perhaps once more; returns how many actions were
    /// meant for another run of it.
    pub(super) fn attach(
        &mut self,
        title: &Arc<WorldTitle>,
        joined: &GuiJoined,
        teller: Publisher<GuiPending>,
    ) -> usize {
        self.teller = Some(teller);
        self.told = GuiPending::default();
        self.title = Arc::clone(title);
        self.commands.sit_down(joined)
    }

    fn view(&self, connection: Connection) -> View {
        View {
            world: Arc::clone(&self.title),
            ecm: self.commands.ecm().clone(),
            stats: self.stats.clone(),
            history: self.commands.history(),
            timeline: Arc::clone(&self.timeline),
            pending: Arc::clone(&self.shown_pending),
            recording: Arc::clone(&self.recording),
            playback: None,
            connection,
        }
    }

    /// What all GUIs hold, with the newest of this one.
    fn all_pending(&self) -> PendingActions {
        let mut all = PendingActions::clone(&self.pending);
        let known = all.gui.iter().find(|gui| gui.gui == self.told.gui);
        let name = known.map(|gui| gui.name.clone()).unwrap_or_default();
        all.gui.retain(|gui| gui.gui != self.told.gui);
        if !self.told.action.is_empty() {
            all.gui.push(GuiPending { name, ..self.told.clone() });
            all.gui.sort_by_key(|gui| gui.gui);
        }
        all
    }

    /// Tells others what is held here, if that has changed.
    fn tell(&mut self) {
        let held = self.commands.pending();
        if held == self.told {
            return;
        }
        if let Some(Err(error)) = self.teller.as_ref().map(|teller| teller.publish(&held)) {
            tracing::debug!(%error, "others do not hear what this GUI holds");
        }
        self.told = held;
        self.shown_pending = Arc::new(self.all_pending());
    }
}

impl Desk {
    pub(super) fn new(mut papers: Papers) -> Self {
        papers.tell();
        let feed = Arc::new(Feed::new(papers.view(Connection::Connected)));
        Self { feed, papers: Mutex::new(papers) }
    }

    /// Changes something and shows it.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Papers) -> T) -> T {
        let mut papers = locked(&self.papers);
        let done = change(&mut papers);
        papers.tell();
        self.feed.publish(papers.view(Connection::Connected));
        done
    }

    /// Refuses requests from now on and tells the pages, which keep what they saw last.
    pub(super) fn show_lost(&self, reason: String) {
        let connection = Connection::Lost { reason };
        self.feed.publish(View { connection, ..View::clone(&self.feed.view()) });
    }

    /// Returns how this GUI is known to the server.
    pub(super) fn gui(&self) -> Option<u64> {
        locked(&self.papers).commands.gui()
    }

    /// Returns how the server knows this GUI when it holds what the server does not have.
    pub(super) fn holder(&self) -> Option<u64> {
        let papers = locked(&self.papers);
        papers.commands.gui().filter(|_| papers.commands.is_holding())
    }

    /// Says whether actions are held although the world runs: they were made too late.
    pub(super) fn is_late(&self) -> bool {
        let papers = locked(&self.papers);
        papers.commands.is_holding() && !papers.stats.paused
    }

    /// Carries a command out here if this is the place for it.
    pub(super) fn append(&self, command: &UserCmd) -> Option<UserCmdReply> {
        if !locked(&self.papers).commands.takes(command) {
            return None;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        Some(self.change(|papers| papers.commands.append(command, now)))
    }

    /// Undoes or redoes what is held here.
    pub(super) fn undo_redo(&self, request: &UndoRedo) -> Result<Undone, String> {
        self.change(|papers| papers.commands.undo_redo(request))
    }

    /// Redoes what is held here, up to the command that is meant.
    pub(super) fn redo_here(&self, request: &UndoRedo) -> Result<UserCmdReply, String> {
        self.change(|papers| papers.commands.redo_here(&request.id))
    }

    /// Drops an action that waits or was refused.
    pub(super) fn discard(&self, id: &str) -> UserCmdReply {
        match self.change(|papers| papers.commands.discard(id)) {
            true => UserCmdReply::done("Discarded"),
            false => UserCmdReply::refused("This GUI does not hold that action any more"),
        }
    }

    /// Returns every action, for the server.
    pub(super) fn all(&self) -> SerializedStateV {
        locked(&self.papers).commands.all()
    }

    /// Lets go of what the server has, and tells the pages what they did not expect.
    pub(super) fn clear(&self, taken: &PausedActionsTaken) -> PausedActionsCleared {
        let Cleared { refused, too_late } = self.change(|papers| papers.commands.clear(taken));
        refused.iter().take(MAX_TOLD).for_each(|action| self.feed.emit(refusal_of(action)));
        if let Some(more) = refused.len().checked_sub(MAX_TOLD).filter(|more| *more > 0) {
            self.feed.emit(told(Level::Error, format!("{more} more actions were refused")));
        }
        for action in too_late.iter().take(MAX_TOLD) {
            let text = format!("{} was taken over before it was undone", action.description);
            self.feed.emit(told(Level::Warning, format!("{text}. Undo it once more")));
        }
        PausedActionsCleared { cleared: taken.outcome.len() as u32 }
    }
}

fn told(level: Level, text: String) -> Event {
    Event::Notification(Notification { level: level.into(), text, ..Notification::default() })
}

fn refusal_of(action: &PendingAction) -> Event {
    Event::Notification(Notification {
        level: Level::Error.into(),
        text: format!("{} was refused: {}", action.description, action.refused),
        author: action.author.clone(),
        sim_time: None,
    })
}
