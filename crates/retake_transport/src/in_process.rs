//! A bus inside one process: deterministic, synchronous, without threads of its own.
//!
//! Publishing calls the subscribers at once, in the order they subscribed, on the publisher's
//! thread. Scenarios and tests use it; so does anything that needs no second process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use retake_msgs::TypeDescriptor;

use crate::bus::{
    Bus, Client, ClientChange, ClientWatcher, Delivery, Guard, Handler, Message, MessageRef,
    RawPublisher, Responder, Service, ServiceTypes, Subscriber, Topic,
};
use crate::callback;
use crate::error::{BusError, CallError};
use crate::limits::{Subscriptions, check_descriptors, check_request, check_size};
use crate::name::Name;

/// A bus for the threads of one process.
#[derive(Default)]
pub struct InProcessBus {
    shared: Arc<Shared>,
}

impl InProcessBus {
    /// Makes a bus with nobody on it.
    pub fn new() -> Self {
        Self::default()
    }
}

#[derive(Default)]
struct Shared {
    /// All are one program here.
    subscriptions: Subscriptions,
    state: Mutex<State>,
    next_id: AtomicU64,
}

/// Everything is keyed by a running number, so that order of registration is order of iteration.
#[derive(Default)]
struct State {
    publishers: BTreeMap<u64, (String, String)>,
    subscribers: BTreeMap<String, BTreeMap<u64, Subscriber>>,
    services: BTreeMap<String, (ServiceTypes, Handler)>,
    clients: BTreeMap<u64, Client>,
    watchers: BTreeMap<u64, ClientWatcher>,
    descriptors: BTreeMap<String, TypeDescriptor>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // No callback runs under the lock, so a poisoned state is still a whole one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    fn tell_watchers(&self, change: &ClientChange) {
        let watchers: Vec<_> = self.state().watchers.values().cloned().collect();
        for watcher in watchers {
            callback::run("client watcher", || watcher(change));
        }
    }
}

impl Bus for InProcessBus {
    fn advertise(
        &self,
        topic: &Name,
        type_name: &str,
        _delivery: Delivery,
    ) -> Result<Box<dyn RawPublisher>, BusError> {
        let id = self.shared.next_id();
        let mut state = self.shared.state();
        let other = state.publishers.values().find(|(name, _)| name == topic.as_str());
        if let Some((name, theirs)) = other.filter(|(_, theirs)| theirs != type_name) {
            return Err(BusError::TypeMismatch {
                name: name.clone(),
                ours: type_name.to_owned(),
                theirs: theirs.clone(),
            });
        }
        state.publishers.insert(id, (topic.to_string(), type_name.to_owned()));
        Ok(Box::new(InProcessPublisher {
            shared: Arc::clone(&self.shared),
            topic: topic.to_string(),
            type_name: type_name.to_owned(),
            id,
        }))
    }

    fn subscribe(&self, topic: &Name, subscriber: Subscriber) -> Result<Guard, BusError> {
        let counted = self.shared.subscriptions.begin()?;
        let id = self.shared.next_id();
        let topic = topic.to_string();
        self.shared.state().subscribers.entry(topic.clone()).or_default().insert(id, subscriber);
        Ok(self.until_dropped(move |state| {
            drop(counted);
            if let Some(others) = state.subscribers.get_mut(&topic) {
                others.remove(&id);
            }
            state.subscribers.retain(|_, others| !others.is_empty());
        }))
    }

    fn serve(
        &self,
        service: &Name,
        types: ServiceTypes,
        handler: Handler,
    ) -> Result<Guard, BusError> {
        let name = service.to_string();
        let mut state = self.shared.state();
        if state.services.contains_key(&name) {
            return Err(BusError::ServiceTaken { name });
        }
        state.services.insert(name.clone(), (types, handler));
        drop(state);
        Ok(self.until_dropped(move |state| {
            state.services.remove(&name);
        }))
    }

    fn call(
        &self,
        service: &Name,
        request: &Message,
        timeout: Duration,
    ) -> Result<Message, CallError> {
        check_request(service, request)?;
        let found = self.shared.state().services.get(service.as_str()).cloned();
        let Some((types, handler)) = found else {
            let known = self.shared.state().services.keys().cloned().collect();
            return Err(CallError::NoSuchService { name: service.to_string(), known });
        };
        let (send, replies) = mpsc::channel();
        // The receiver may have given up waiting; then nobody misses the answer.
        let responder = Responder::new(Box::new(move |outcome| drop(send.send(outcome))));
        callback::hand_over(service, &types, request.clone(), responder, &handler);
        match replies.recv_timeout(timeout) {
            Ok(Ok(bytes)) => Ok(Message { type_name: types.reply, bytes }),
            Ok(Err(message)) => Err(CallError::Refused { message }),
            Err(_) => Err(CallError::Timeout { name: service.to_string(), timeout }),
        }
    }

    fn topics(&self) -> Result<Vec<Topic>, BusError> {
        let mut topics = BTreeMap::<(String, String), usize>::new();
        for known in self.shared.state().publishers.values() {
            *topics.entry(known.clone()).or_default() += 1;
        }
        let topic = |((name, type_name), publishers)| Topic { name, type_name, publishers };
        Ok(topics.into_iter().map(topic).collect())
    }

    fn services(&self) -> Result<Vec<Service>, BusError> {
        let state = self.shared.state();
        let service = |(name, (types, _)): (&String, &(ServiceTypes, Handler))| Service {
            name: name.clone(),
            types: types.clone(),
        };
        Ok(state.services.iter().map(service).collect())
    }

    fn descriptor(&self, type_name: &str) -> Result<TypeDescriptor, BusError> {
        retake_msgs::type_descriptor(type_name)
            .or_else(|| self.shared.state().descriptors.get(type_name).cloned())
            .ok_or_else(|| BusError::NoDescriptor { type_name: type_name.to_owned() })
    }

    fn offer_descriptor(&self, descriptor: TypeDescriptor) -> Result<(), BusError> {
        check_size(&descriptor.type_name, descriptor.file_descriptor_set.len())?;
        let mut state = self.shared.state();
        check_descriptors(&state.descriptors, &descriptor.type_name)?;
        state.descriptors.insert(descriptor.type_name.clone(), descriptor);
        Ok(())
    }

    fn join(&self, name: &str) -> Result<Guard, BusError> {
        let id = self.shared.next_id();
        let client = Client { name: name.to_owned(), id: id.to_string() };
        self.shared.state().clients.insert(id, client.clone());
        self.shared.tell_watchers(&ClientChange::Came(client.clone()));
        let shared = Arc::clone(&self.shared);
        Ok(Guard::keeping(OnDrop::new(move || {
            shared.state().clients.remove(&id);
            shared.tell_watchers(&ClientChange::Went(client));
        })))
    }

    fn clients(&self) -> Result<Vec<Client>, BusError> {
        let mut clients: Vec<_> = self.shared.state().clients.values().cloned().collect();
        clients.sort();
        Ok(clients)
    }

    fn watch_clients(&self, watcher: ClientWatcher) -> Result<Guard, BusError> {
        let id = self.shared.next_id();
        let mut state = self.shared.state();
        let present: Vec<_> = state.clients.values().cloned().collect();
        state.watchers.insert(id, Arc::clone(&watcher));
        drop(state);
        for client in present {
            callback::run("client watcher", || watcher(&ClientChange::Came(client)));
        }
        Ok(self.until_dropped(move |state| {
            state.watchers.remove(&id);
        }))
    }
}

impl InProcessBus {
    fn until_dropped(&self, end: impl FnOnce(&mut State) + Send + Sync + 'static) -> Guard {
        let shared = Arc::clone(&self.shared);
        Guard::keeping(OnDrop::new(move || end(&mut shared.state())))
    }
}

struct InProcessPublisher {
    shared: Arc<Shared>,
    topic: String,
    type_name: String,
    id: u64,
}

impl RawPublisher for InProcessPublisher {
    fn publish(&self, bytes: Vec<u8>) -> Result<(), BusError> {
        check_size(&self.topic, bytes.len())?;
        let subscribers: Vec<_> = match self.shared.state().subscribers.get(&self.topic) {
            Some(subscribers) => subscribers.values().cloned().collect(),
            None => return Ok(()),
        };
        for subscriber in subscribers {
            let message = MessageRef { type_name: &self.type_name, bytes: &bytes };
            callback::run(&self.topic, || subscriber(message));
        }
        Ok(())
    }

    fn wanted(&self) -> bool {
        self.shared.state().subscribers.contains_key(&self.topic)
    }
}

impl Drop for InProcessPublisher {
    fn drop(&mut self) {
        self.shared.state().publishers.remove(&self.id);
    }
}

/// Runs a function once, when dropped.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> OnDrop<F> {
    fn new(end: F) -> Self {
        Self(Some(end))
    }
}

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}
