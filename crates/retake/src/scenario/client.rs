//! The clients of a scenario, between their commands.

use std::sync::Arc;

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_ecm::Ecm;
use retake_gui::GuiUserCommands;
use retake_msgs::GuiJoin;
use retake_sim::{Editor, NoAnswer, Offer, Request, Response, Server, Taken};

use super::line::ClientKind;
use super::local_link::state_of;
use crate::replica;

/// A client.
pub(super) struct Client {
    pub(super) name: String,
    /// What a GUI has of its own.
    pub(super) gui: Option<Gui>,
}

/// A GUI, as one in another process: it has a copy of the state and keeps what it does to it.
pub(super) struct Gui {
    pub(super) id: u64,
    pub(super) commands: GuiUserCommands,
    replica: Ecm,
    seen: u64,
    /// Whether it answers when it is asked.
    pub(super) frozen: bool,
}

impl Client {
    /// A client that asks the server for everything.
    pub(super) fn cli(name: &str) -> Self {
        Self { name: name.to_owned(), gui: None }
    }

    /// Joins a server.
    pub(super) fn join(
        name: &str,
        kind: ClientKind,
        server: &mut Server,
        roots: ResourceRoots,
    ) -> anyhow::Result<Self> {
        if kind == ClientKind::Cli {
            return Ok(Self::cli(name));
        }
        let Response::GuiJoined(joined) = server
            .handle(Request::JoinGui(GuiJoin { name: name.to_owned(), token: name.to_owned() }))
        else {
            bail!("the server does not know GUIs");
        };
        if !joined.ok {
            bail!("{}", joined.message);
        }
        let replica = replica::empty();
        let mut commands = GuiUserCommands::new(Editor::new(roots), replica.snapshot());
        commands.sit_down(&joined);
        let gui = Gui { id: joined.gui, commands, replica, seen: 0, frozen: false };
        Ok(Self { name: name.to_owned(), gui: Some(gui) })
    }

    /// Brings a GUI's copy up to the server's state by a delta, as a state message would, and tells
    /// the server what the GUI holds.
    pub(super) fn follow(&mut self, server: &mut Server) -> anyhow::Result<()> {
        let Some(gui) = self.gui.as_mut().filter(|gui| !gui.frozen) else { return Ok(()) };
        let since_tick = (gui.seen > 0).then_some(gui.seen);
        let state = state_of(server, since_tick)?.state.context("the server sent no state")?;
        gui.replica.apply(&state)?;
        gui.seen = state.tick;
        gui.commands.follow_history(Arc::clone(server.history()));
        gui.commands.follow(gui.replica.snapshot(), gui.seen, server.paused());
        let pending = Box::new(gui.commands.pending());
        server.handle(Request::GuiPending(pending));
        Ok(())
    }
}

/// Lets the server take over what these GUIs did while it was paused.
pub(super) fn take_over(server: &mut Server, clients: &mut [Client], guis: &[u64]) {
    let asked = clients.iter_mut().filter_map(|client| client.gui.as_mut());
    let asked = asked.filter(|gui| guis.contains(&gui.id));
    let offers: Vec<Offer> = asked
        .map(|gui| Offer {
            gui: gui.id,
            answer: match gui.frozen {
                true => Err(NoAnswer::Silent("It did not answer within 2 s".to_owned())),
                false => Ok(gui.commands.all()),
            },
        })
        .collect();
    if offers.is_empty() {
        return;
    }
    for Taken { gui, taken } in server.take_over(offers) {
        let told = clients.iter_mut().filter_map(|client| client.gui.as_mut());
        if let Some(told) = told.into_iter().find(|told| told.id == gui) {
            told.commands.clear(&taken);
        }
    }
}
