//! Who asks: programs, and GUIs with a copy of the world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fastrand::Rng;
use retake_assets::ResourceRoots;
use retake_ecm::{Ecm, StateHash};
use retake_gui::GuiUserCommands;
use retake_msgs::{
    GuiJoin, StampedState, UndoRedo, UserCmd, UserCmdReply, UserCmdStats, WorldControl,
};
use retake_sim::{Editor, Request, Response, Server};

use crate::deeds;
use crate::line::{Down, Line, Paused, Up};
use crate::model::key_of;

/// Ticks after which a request is sent again.
const PATIENCE: u64 = 60;

/// A client and its line.
pub struct Client {
    pub name: String,
    pub line: Line,
    pub gui: Option<Gui>,
    made: u64,
    pub calls: BTreeMap<u64, Call>,
    history: Arc<UserCmdStats>,
}

/// Something that was asked for.
pub struct Call {
    pub request: Request,
    sent_at: u64,
    pub reply: Option<UserCmdReply>,
}

/// A copy of the world, and what was done to it while that stood still.
pub struct Gui {
    pub id: u64,
    token: String,
    commands: GuiUserCommands,
    replica: Ecm,
    seen: u64,
    /// Ids of the actions by their numbers, as they were offered.
    pub offered: BTreeMap<u64, String>,
    /// Ids of what it took and was not told of yet.
    pub held: BTreeSet<String>,
    pub refused: BTreeSet<String>,
}

impl Client {
    pub fn new(name: &str) -> Self {
        let (calls, history) = Default::default();
        Self { name: name.to_owned(), line: Line::new(), gui: None, made: 0, calls, history }
    }

    /// Makes it a GUI, which knows nothing and holds nothing.
    pub fn become_gui(&mut self, server: &mut Server) {
        self.made += 1;
        let token = format!("{} {}", self.name, self.made);
        let replica = Ecm::new(retake_sim::systems::registry());
        let editor = Editor::new(ResourceRoots::new());
        let commands = GuiUserCommands::new(editor, replica.snapshot());
        let (offered, held, refused) = Default::default();
        let gui = Gui { id: 0, token, commands, replica, seen: 0, offered, held, refused };
        self.gui = Some(gui);
        self.sit_down(server);
    }

    /// Takes its seat at the server, for the first time or again.
    pub fn sit_down(&mut self, server: &mut Server) {
        let Some(gui) = &mut self.gui else { return };
        let join = GuiJoin { name: self.name.clone(), token: gui.token.clone() };
        let Response::GuiJoined(joined) = server.handle(Request::JoinGui(join)) else {
            panic!("GUIs may join");
        };
        assert!(joined.ok, "{}", joined.message);
        gui.id = joined.gui;
        if gui.commands.sit_down(&joined) > 0 {
            // Of another run: what it held was meant for a world that is gone.
            gui.held.clear();
        }
    }

    /// The server died: nothing of what was known of it holds.
    pub fn start_over(&mut self, server: &mut Server) {
        self.line.reset();
        self.history = Arc::default();
        if let Some(gui) = &mut self.gui {
            gui.replica = Ecm::new(retake_sim::systems::registry());
            gui.seen = 0;
            gui.held.clear();
            gui.offered.clear();
        }
        self.sit_down(server);
    }

    fn next_id(&mut self) -> String {
        self.made += 1;
        format!("{}-{}", self.name, self.made)
    }

    /// Wants something, by chance.
    pub fn act(&mut self, now: u64, rng: &mut Rng) {
        match rng.u8(..20) {
            0..10 => self.command(now, rng),
            10..14 => {
                if let Some(undo) = deeds::undo_redo(&self.history, rng) {
                    let (request_id, author) = (self.next_id(), self.name.clone());
                    let undo = UndoRedo { request_id, author, ..undo };
                    self.call(now, Request::UndoRedo(undo), rng);
                }
            }
            14..17 => self.control(now, true, rng),
            _ => self.control(now, false, rng),
        }
    }

    pub fn control(&mut self, now: u64, pause: bool, rng: &mut Rng) {
        let control = WorldControl { pause: Some(pause), ..WorldControl::default() };
        self.call(now, Request::Control(control), rng);
    }

    fn command(&mut self, now: u64, rng: &mut Rng) {
        let id = self.next_id();
        let what = deeds::command(self.made, rng);
        let command = UserCmd {
            id: id.clone(),
            author: self.name.clone(),
            command: Some(what),
            ..UserCmd::default()
        };
        if let Some(gui) = self.gui.as_mut().filter(|gui| gui.commands.takes(&command)) {
            let nanos = i64::try_from(now * 1_000_000).unwrap();
            if gui.commands.append(&command, nanos).ok {
                gui.held.insert(id);
            }
            return;
        }
        self.call(now, Request::Command(Box::new(command)), rng);
    }

    fn call(&mut self, now: u64, request: Request, rng: &mut Rng) {
        self.made += 1;
        self.line.up.send(now, Up::Call(self.made, request.clone()), rng);
        self.calls.insert(self.made, Call { request, sent_at: now, reply: None });
    }

    /// Sends what has no answer once more.
    pub fn insist(&mut self, now: u64, rng: &mut Rng) {
        for (number, call) in &mut self.calls {
            if call.reply.is_none() && now > call.sent_at + PATIENCE {
                call.sent_at = now;
                self.line.up.send(now, Up::Call(*number, call.request.clone()), rng);
            }
        }
    }

    /// Asks for what changed.
    pub fn follow(&mut self, now: u64, rng: &mut Rng) {
        let since = self.gui.as_ref().map(|gui| gui.seen).filter(|seen| *seen > 0);
        self.line.up.send(now, Up::Follow(since), rng);
    }

    /// Takes what arrived.
    pub fn hear(&mut self, now: u64, rng: &mut Rng) -> Result<(), String> {
        while let Some(told) = self.line.down.receive(now) {
            match told {
                Down::Reply(number, reply) => self.take_reply(number, reply)?,
                Down::State(state, history, paused) => {
                    self.history = Arc::clone(&history);
                    if let Some(gui) = &mut self.gui {
                        gui.take_state(&state, history, paused)?;
                    }
                }
                Down::WhatDoYouHold(round) => {
                    let Some(gui) = &mut self.gui else { continue };
                    let all = gui.offer();
                    self.line.up.send(now, Up::Offer(round, all), rng);
                }
                Down::Taken(taken) => {
                    let Some(gui) = &mut self.gui else { continue };
                    gui.take_outcome(&taken);
                }
            }
        }
        Ok(())
    }

    fn take_reply(&mut self, number: u64, reply: UserCmdReply) -> Result<(), String> {
        let Some(call) = self.calls.get_mut(&number) else {
            return Err(format!("{} got an answer to nothing", self.name));
        };
        let once = key_of(&call.request).is_some();
        match &call.reply {
            Some(known) if once && *known != reply => {
                Err(format!("{} was told {known:?} and then {reply:?}", self.name))
            }
            _ => {
                call.reply = Some(reply);
                Ok(())
            }
        }
    }

    pub fn has_all_answers(&self) -> bool {
        self.calls.values().all(|call| call.reply.is_some())
    }
}

impl Gui {
    fn offer(&mut self) -> retake_msgs::SerializedStateV {
        let all = self.commands.all();
        for action in &all.action {
            let id = action.command.as_ref().map(|command| command.id.clone());
            self.offered.insert(action.number, id.unwrap_or_default());
        }
        all
    }

    fn take_outcome(&mut self, taken: &retake_msgs::PausedActionsTaken) {
        let cleared = self.commands.clear(taken);
        for outcome in &taken.outcome {
            if let Some(id) = self.offered.get(&outcome.number) {
                self.held.remove(id);
            }
        }
        self.refused.extend(cleared.refused.into_iter().map(|action| action.id));
    }

    fn take_state(
        &mut self,
        state: &StampedState,
        history: Arc<UserCmdStats>,
        paused: Paused,
    ) -> Result<(), String> {
        let Some(state) = &state.state else { return Err("a state without one".to_owned()) };
        // What was asked for before a line broke may come after what was asked for later.
        if !state.full && state.base_tick > self.seen {
            return Ok(());
        }
        self.replica.apply(state).map_err(|error| format!("a state is refused: {error}"))?;
        self.seen = state.tick;
        self.commands.follow_history(history);
        self.commands.follow(self.replica.snapshot(), self.seen, paused == Paused::Yes);
        Ok(())
    }

    /// Returns the hash of the copy, and that of what is shown.
    pub fn hashes(&self) -> (String, String) {
        let of = |ecm: &Ecm| {
            let mut hash = StateHash::new();
            hash.add_ecm(ecm).unwrap();
            hash.to_string()
        };
        (of(&self.replica), of(self.commands.ecm()))
    }

    pub fn is_holding(&self) -> bool {
        self.commands.is_holding()
    }
}
