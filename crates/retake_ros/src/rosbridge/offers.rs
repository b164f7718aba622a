//! Services that clients of rosbridge offer to each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::web::{Out, Outbox};

/// Most services that are offered, and most calls that wait for an answer.
const MOST: usize = 256;

/// A client, by its number, and the way to it.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) number: u64,
    pub(super) outbox: Outbox<Message>,
}

impl Client {
    fn say(&self, message: &Value) {
        self.outbox.push(Out::Message(Message::text(message.to_string())));
    }
}

/// Services that are offered; cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Offers(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    services: BTreeMap<String, Client>,
    calls: BTreeMap<String, Call>,
    made: u64,
}

/// A call that waits for its answer.
struct Call {
    caller: Client,
    id: Option<String>,
    service: String,
    /// Number of the client that is to answer.
    server: u64,
}

impl Call {
    fn end(&self, values: &Value, ok: bool) {
        let mut told = json!({
            "op": "service_response", "service": self.service, "values": values, "result": ok,
        });
        if let Some(id) = &self.id {
            told["id"] = json!(id);
        }
        self.caller.say(&told);
    }
}

impl Offers {
    /// Gives a new client its number.
    pub(super) fn number(&self) -> u64 {
        let mut table = self.lock();
        table.made += 1;
        table.made
    }

    /// Offers a service.
    ///
    /// # Errors
    /// A line for people: another client has it, or there are too many.
    pub(super) fn offer(&self, client: Client, service: &str) -> Result<(), String> {
        let mut table = self.lock();
        if table.services.get(service).is_some_and(|other| other.number != client.number) {
            return Err(format!("Another client offers {service:?} already"));
        }
        if table.services.len() >= MOST {
            return Err(format!("{MOST} services are offered already. Unadvertise some"));
        }
        table.services.insert(service.to_owned(), client);
        Ok(())
    }

    /// Takes an offer back; one of somebody else stays.
    pub(super) fn withdraw(&self, client: u64, service: &str) {
        self.lock().services.retain(|name, offer| name != service || offer.number != client);
    }

    /// Asks whoever offers a service; none when nobody does.
    pub(super) fn call(
        &self,
        caller: Client,
        service: &str,
        id: Option<String>,
        args: &Value,
    ) -> Option<()> {
        let mut table = self.lock();
        let server = table.services.get(service)?.clone();
        table.made += 1;
        let asked = format!("call_service:{service}:{}", table.made);
        let call = Call { caller, id, service: service.to_owned(), server: server.number };
        if table.calls.len() >= MOST {
            call.end(&json!(format!("{MOST} calls wait for an answer already")), false);
            return Some(());
        }
        table.calls.insert(asked.clone(), call);
        server.say(&json!({"op": "call_service", "id": asked, "service": service, "args": args}));
        Some(())
    }

    /// Takes the answer of whoever offers a service to whoever asked.
    ///
    /// # Errors
    /// A line for people: nobody asked.
    pub(super) fn answer(&self, client: u64, message: &Value) -> Result<(), String> {
        let id = message["id"].as_str().unwrap_or_default();
        let mut table = self.lock();
        if table.calls.get(id).is_none_or(|call| call.server != client) {
            return Err(format!("No call {id:?} waits for an answer"));
        }
        if let Some(call) = table.calls.remove(id) {
            call.end(&message["values"], message["result"].as_bool().unwrap_or(true));
        }
        Ok(())
    }

    /// Ends what a client has left behind.
    pub(super) fn leave(&self, client: u64) {
        let mut table = self.lock();
        table.services.retain(|_, offer| offer.number != client);
        table.calls.retain(|_, call| {
            if call.server == client {
                call.end(&json!("Whoever offered the service has left"), false);
            }
            call.server != client && call.caller.number != client
        });
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Nothing under the lock can panic half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
