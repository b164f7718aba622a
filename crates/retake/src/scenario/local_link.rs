//! A client of the server in this process.

use std::sync::Arc;

use anyhow::{Context, bail};
use prost::Message as _;
use retake_msgs::{LogStart, LogStatus, StampedState, UndoRedo, UserCmd, UserCmdReply, names};
use retake_sim::{Recording, Request, Response, Server, service_table};
use retake_transport::{Bus, Message};

use super::client::{Client, take_over};
use crate::link::Link;

/// A client while it acts.
pub(super) struct LocalLink<'a> {
    pub(super) server: &'a mut Server,
    pub(super) clients: &'a mut [Client],
    /// Which of them acts.
    pub(super) acting: usize,
    /// Counts what happens, as a clock would.
    pub(super) now: i64,
    pub(super) recording: &'a mut Recording,
}

impl LocalLink<'_> {
    fn client(&mut self) -> &mut Client {
        &mut self.clients[self.acting]
    }

    /// Steps that were asked for are made at once, as a paused server makes them.
    fn make_due_steps(&mut self) -> anyhow::Result<()> {
        while self.server.paused() && self.server.wants_step() {
            self.server.step();
            self.recording.follow(self.server);
            if self.server.failed() {
                bail!("a step failed");
            }
        }
        Ok(())
    }

    /// Does what a GUI does by itself; none when the server is asked.
    fn answer_here(&mut self, service: &str, bytes: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
        let (world, now) = (self.server.world_name().to_owned(), self.now);
        let Some(gui) = &mut self.client().gui else { return Ok(None) };
        if service == names::state(&world) {
            // A GUI looks at its own Ecm.
            let state = Some(gui.commands.ecm().encode_full());
            return Ok(Some(StampedState { state, ..StampedState::default() }.encode_to_vec()));
        }
        if service == names::history_get(&world) {
            return Ok(Some(gui.commands.history().encode_to_vec()));
        }
        if service == names::user_command(&world) {
            let command = UserCmd::decode(bytes)?;
            if gui.commands.takes(&command) {
                return Ok(Some(gui.commands.append(&command, now).encode_to_vec()));
            }
            // What was done before comes first.
            let id = gui.id;
            take_over(self.server, self.clients, &[id]);
        }
        if service == names::undo_redo(&world) {
            let reply = self.undo_redo(bytes)?;
            return Ok(Some(reply.encode_to_vec()));
        }
        Ok(None)
    }

    /// Starts and ends recordings, which the step thread and another one do elsewhere.
    fn answer_recording(
        &mut self,
        service: &str,
        bytes: &[u8],
    ) -> anyhow::Result<Option<LogStatus>> {
        let world = self.server.world_name().to_owned();
        let recorder = Arc::clone(self.recording.recorder());
        Ok(if service == names::log_start(&world) {
            let started = recorder.start(&LogStart::decode(bytes)?);
            self.recording.follow(self.server);
            Some(started)
        } else if service == names::log_stop(&world) {
            match recorder.status().recording {
                true => Some(self.recording.stop(self.server)),
                false => Some(recorder.stop()),
            }
        } else if service == names::log_status_get(&world) {
            Some(LogStatus { ok: true, ..LogStatus::clone(&recorder.status()) })
        } else {
            None
        })
    }

    fn undo_redo(&mut self, bytes: &[u8]) -> anyhow::Result<UserCmdReply> {
        let request = UndoRedo::decode(bytes)?;
        let Some(gui) = &mut self.clients[self.acting].gui else { bail!("a GUI undoes") };
        let at_server = |rest| self.server.handle(Request::UndoRedo(rest)).into_reply();
        Ok(match gui.commands.undo_redo(&request) {
            Ok(undone) => undone.finish(at_server, || gui.commands.redo_here(&request.id)),
            Err(reason) => UserCmdReply::refused(reason),
        })
    }
}

impl Link for LocalLink<'_> {
    fn world(&self) -> String {
        self.server.world_name().to_owned()
    }

    fn author(&self) -> String {
        self.clients[self.acting].name.clone()
    }

    fn call_raw(&mut self, service: &str, request: Message) -> anyhow::Result<Vec<u8>> {
        if let Some(reply) = self.answer_here(service, &request.bytes)? {
            return Ok(reply);
        }
        if let Some(reply) = self.answer_recording(service, &request.bytes)? {
            return Ok(reply.encode_to_vec());
        }
        let table = service_table(self.server.world_name());
        let entry = table.iter().find(|entry| entry.name == service);
        let entry = entry.with_context(|| format!("No service {service:?}"))?;
        let request = (entry.decode)(&request.bytes).map_err(anyhow::Error::msg)?;
        let asked = self.server.guis_to_ask(&request);
        take_over(self.server, self.clients, &asked);
        let reply = self.server.handle(request).encode().map_err(anyhow::Error::msg)?;
        self.make_due_steps()?;
        Ok(reply)
    }

    fn publish_raw(&mut self, topic: &str, message: Message) -> anyhow::Result<()> {
        let heard = self.server.simulation().subscriptions();
        if !heard.iter().any(|known| known == topic) {
            bail!("No system listens to {topic:?}. Known: {}", heard.join(", "));
        }
        let request = Request::Message { topic: topic.to_owned(), bytes: message.bytes };
        self.server.handle(request);
        Ok(())
    }

    fn bus(&self) -> Option<Arc<dyn Bus>> {
        None
    }
}

/// The answer of a server that has no reason to fail.
pub(super) fn state_of(
    server: &mut Server,
    since_tick: Option<u64>,
) -> anyhow::Result<StampedState> {
    let request = Request::State(retake_msgs::StateRequest { since_tick });
    match server.handle(request) {
        Response::State(answer) => Ok(answer.stamped()),
        _ => bail!("the server sent no state"),
    }
}
