//! A client of the server in this process.

use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use prost::Message as _;
use retake_ecm::Ecm;
use retake_msgs::{StampedState, StateRequest, names};
use retake_sim::{Request, Response, Server, service_table};
use retake_transport::{Bus, Message};

use super::line::ClientKind;
use crate::link::Link;
use crate::replica;

/// A client, between its commands.
pub(super) struct Client {
    pub(super) name: String,
    /// The replica of a GUI, and the tick that it is at.
    replica: Option<(Ecm, u64)>,
}

impl Client {
    pub(super) fn new(name: &str, kind: ClientKind) -> Self {
        let replica = (kind == ClientKind::Gui).then(|| (replica::empty(), 0));
        Self { name: name.to_owned(), replica }
    }

    /// Brings a GUI's replica up to the server's state by a delta, as a state message would.
    pub(super) fn follow(&mut self, server: &mut Server) -> anyhow::Result<()> {
        let Some((ecm, seen)) = &mut self.replica else { return Ok(()) };
        let since_tick = (*seen > 0).then_some(*seen);
        let response = server.handle(Request::State(StateRequest { since_tick }));
        let Response::State(answer) = response else {
            return Err(anyhow!("the server sent no state"));
        };
        let state = answer.stamped().state.context("the server sent no state")?;
        ecm.apply(&state)?;
        *seen = state.tick;
        Ok(())
    }
}

/// A client while it acts.
pub(super) struct LocalLink<'a> {
    pub(super) server: &'a mut Server,
    pub(super) client: &'a mut Client,
}

impl LocalLink<'_> {
    /// Steps that were asked for are made at once, as a paused server makes them.
    fn make_due_steps(&mut self) -> anyhow::Result<()> {
        while self.server.paused() && self.server.wants_step() {
            self.server.step();
            if self.server.failed() {
                bail!("a step failed");
            }
        }
        Ok(())
    }
}

impl Link for LocalLink<'_> {
    fn world(&self) -> String {
        self.server.world_name().to_owned()
    }

    fn author(&self) -> String {
        self.client.name.clone()
    }

    fn call_raw(&mut self, service: &str, request: Message) -> anyhow::Result<Vec<u8>> {
        if let Some((ecm, _)) = &self.client.replica
            && service == names::state(self.server.world_name())
        {
            // A GUI looks at its own Ecm.
            let state = Some(ecm.encode_full());
            return Ok(StampedState { state, ..StampedState::default() }.encode_to_vec());
        }
        let table = service_table(self.server.world_name());
        let entry = table.iter().find(|entry| entry.name == service);
        let entry = entry.with_context(|| format!("No service {service:?}"))?;
        let request = (entry.decode)(&request.bytes).map_err(anyhow::Error::msg)?;
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
