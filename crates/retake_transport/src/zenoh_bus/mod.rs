//! The bus between processes, by zenoh.

mod beyond;
mod calls;
mod causes;
mod config;
mod handles;
mod keys;
mod outbox;
mod publisher;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use prost::Message as _;
use retake_msgs::TypeDescriptor;
use zenoh::query::{ConsolidationMode, Query, QueryTarget};
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait};

use crate::bus::{
    Bus, Client, ClientChange, ClientWatcher, Delivery, Guard, Handler, Message, MessageRef,
    RawPublisher, Service, ServiceTypes, Subscriber, Topic,
};
use crate::error::{BusError, CallError, ConnectError};
use crate::limits::{Subscriptions, check_descriptors, check_size};
use crate::name::{Name, shortened};
use crate::{callback, rendezvous};
pub use beyond::{BeyondError, May, OpenBus, RemoteBus};
use outbox::Outbox;

/// How long questions to others on the bus may take.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(3);

/// How often another free port is tried when one was snatched away.
const PORT_TRIES: usize = 8;

/// A bus between processes of this machine: one listens, the others connect to it.
pub struct ZenohBus {
    // Declared before the session, so that what waits is sent before the session ends.
    outbox: Outbox,
    session: Session,
    role: Role,
    address: SocketAddrV4,
    id: String,
    next_token: AtomicU64,
    under_way: Arc<AtomicUsize>,
    subscriptions: Subscriptions,
    descriptors: Arc<Mutex<BTreeMap<String, TypeDescriptor>>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Server,
    Client,
}

impl ZenohBus {
    /// Listens on 127.0.0.1 at `port`; 0 picks a free port.
    ///
    /// # Errors
    /// [`BusError::PortBusy`] when the port is taken, with its owner if that is a Retake server;
    /// [`BusError::TooFewHandles`] where no bus can be opened.
    pub fn listen(port: u16) -> Result<Self, BusError> {
        Self::listen_opened(port, None)
    }

    /// Listens as [`ZenohBus::listen`] does, and beyond this machine where `open` says so.
    ///
    /// # Errors
    /// As [`ZenohBus::listen`], and [`BusError::Network`] when the addresses or certificates of
    /// `open` cannot be used.
    pub fn listen_opened(port: u16, open: Option<&OpenBus>) -> Result<Self, BusError> {
        handles::check()?;
        let mut tries = if port == 0 { PORT_TRIES } else { 1 };
        loop {
            let address = free_address(port)?;
            let mut config = config::server(address).map_err(network("set up the bus"))?;
            if let Some(open) = open {
                beyond::open_up(&mut config, open).map_err(network("set up the bus"))?;
            }
            tries -= 1;
            match zenoh::open(config).wait() {
                Ok(session) => return Self::over(session, Role::Server, address),
                Err(cause) if tries == 0 => return Err(network("open the bus")(cause)),
                Err(cause) => tracing::debug!(%address, %cause, "trying another port"),
            }
        }
    }

    /// Connects to the bus that listens at `address`.
    ///
    /// # Errors
    /// [`BusError::Unreachable`] when nobody answers there; [`BusError::TooFewHandles`] where no bus
    /// can be opened.
    pub fn connect(address: SocketAddrV4) -> Result<Self, BusError> {
        handles::check()?;
        let config = config::client(address).map_err(network("set up the bus"))?;
        let session = zenoh::open(config).wait().map_err(|source| BusError::Unreachable {
            address: address.to_string(),
            source: causes::in_words(&source),
        })?;
        Self::over(session, Role::Client, address)
    }

    /// Connects to a bus on another machine.
    ///
    /// # Errors
    /// [`BusError::Unreachable`] when nobody answers there, or one side does not trust the other;
    /// [`BusError::TooFewHandles`] where no bus can be opened.
    pub fn connect_beyond(remote: &RemoteBus) -> Result<Self, BusError> {
        handles::check()?;
        let config = beyond::client(remote).map_err(network("set up the bus"))?;
        let session = zenoh::open(config).wait().map_err(|source| BusError::Unreachable {
            address: remote.connect.clone(),
            source: causes::in_words(&source),
        })?;
        // Its address here is of no use to anybody.
        Self::over(session, Role::Client, SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0))
    }

    /// Connects to the server that `wanted` means: the only one that runs, one by world, address or
    /// process, or one on another machine by a file that ends in `.json`.
    ///
    /// # Errors
    /// [`ConnectError`], with what to do.
    pub fn connect_to(wanted: Option<&str>) -> Result<Self, ConnectError> {
        match wanted.filter(|wanted| wanted.ends_with(".json")) {
            Some(file) => Ok(Self::connect_beyond(&RemoteBus::read(Path::new(file))?)?),
            None => Ok(Self::connect(rendezvous::pick_server(wanted)?)?),
        }
    }

    /// Returns the address on this machine where this bus listens or to which it is connected.
    pub fn address(&self) -> SocketAddrV4 {
        self.address
    }

    /// Says whether the bus has its server; a server always has itself.
    pub fn is_connected(&self) -> bool {
        self.role == Role::Server || self.session.info().routers_zid().wait().next().is_some()
    }

    fn over(session: Session, role: Role, address: SocketAddrV4) -> Result<Self, BusError> {
        let bus = Self {
            outbox: Outbox::start()?,
            id: session.zid().to_string(),
            session,
            role,
            address,
            next_token: AtomicU64::new(0),
            under_way: Arc::default(),
            subscriptions: Subscriptions::default(),
            descriptors: Arc::default(),
        };
        bus.answer_type_questions()?;
        Ok(bus)
    }

    fn answer_type_questions(&self) -> Result<(), BusError> {
        let offered = Arc::clone(&self.descriptors);
        let answer = move |query: Query| {
            let Some(type_name) = keys::type_of_query(query.key_expr().as_str()) else { return };
            let Some(found) = own_descriptor(&offered, &type_name) else { return };
            let reply = query.reply(query.key_expr().clone(), found.encode_to_vec());
            if let Err(cause) = reply.wait() {
                tracing::debug!(type_name, %cause, "a schema could not be sent");
            }
        };
        let declared = self.session.declare_queryable(keys::ALL_TYPES).callback(answer);
        declared.background().wait().map_err(network("offer the message types"))
    }

    /// Declares a token that lives as long as what is returned.
    fn token(&self, key: String) -> Result<zenoh::liveliness::LivelinessToken, BusError> {
        self.session.liveliness().declare_token(key).wait().map_err(network("announce a name"))
    }

    /// Returns a text that tells this token's owner from all others.
    fn owner(&self) -> String {
        format!("{}.{}", self.id, self.next_token.fetch_add(1, Ordering::Relaxed))
    }

    /// Asks everybody for the tokens that match `pattern`.
    fn tokens(&self, pattern: &str, what: &'static str) -> Result<Vec<String>, BusError> {
        if !self.is_connected() {
            return Err(BusError::Closed);
        }
        let (send, replies) = mpsc::channel();
        let take = move |reply: zenoh::query::Reply| {
            // The receiver is gone when it has given up; then nobody misses the answer.
            drop(send.send(reply.result().map(|sample| sample.key_expr().to_string()).ok()));
        };
        let asked = self.session.liveliness().get(pattern).timeout(DISCOVERY_TIMEOUT);
        asked.callback(take).wait().map_err(network("ask who is there"))?;
        let mut tokens = Vec::new();
        // The channel closes when everybody has answered.
        while let Ok(token) = replies.recv() {
            tokens.push(token.ok_or(BusError::NoAnswer { what, timeout: DISCOVERY_TIMEOUT })?);
        }
        tokens.sort();
        tokens.dedup();
        Ok(tokens)
    }
}

impl Bus for ZenohBus {
    fn advertise(
        &self,
        topic: &Name,
        type_name: &str,
        delivery: Delivery,
    ) -> Result<Box<dyn RawPublisher>, BusError> {
        publisher::advertise(self, topic, type_name, delivery)
    }

    fn subscribe(&self, topic: &Name, subscriber: Subscriber) -> Result<Guard, BusError> {
        let counted = self.subscriptions.begin()?;
        let name = topic.clone();
        let take = move |sample: Sample| {
            let encoding = sample.encoding().to_string();
            let bytes = sample.payload().to_bytes();
            if let Err(cause) = check_size(name.as_str(), bytes.len()) {
                return tracing::warn!(%cause, "a message is left out");
            }
            let message = MessageRef { type_name: calls::schema(&encoding), bytes: &bytes };
            callback::run(name.as_str(), || subscriber(message));
        };
        let declared = self.session.declare_subscriber(keys::topic(topic)).callback(take).wait();
        Ok(Guard::keeping((declared.map_err(network("subscribe"))?, counted)))
    }

    fn serve(
        &self,
        service: &Name,
        types: ServiceTypes,
        handler: Handler,
    ) -> Result<Guard, BusError> {
        calls::serve(self, service, types, handler)
    }

    fn call(
        &self,
        service: &Name,
        request: &Message,
        timeout: Duration,
    ) -> Result<Message, CallError> {
        calls::call(self, service, request, timeout)
    }

    fn topics(&self) -> Result<Vec<Topic>, BusError> {
        let mut topics = BTreeMap::<(String, String), usize>::new();
        for token in self.tokens(keys::ALL_TOPICS, "topics")? {
            if let Some(known) = keys::read_topic(&token) {
                *topics.entry(known).or_default() += 1;
            }
        }
        let topic = |((name, type_name), publishers)| Topic { name, type_name, publishers };
        Ok(topics.into_iter().map(topic).collect())
    }

    fn services(&self) -> Result<Vec<Service>, BusError> {
        let tokens = self.tokens(keys::ALL_SERVICES, "services")?;
        let mut services: Vec<_> = tokens.iter().filter_map(|t| keys::read_service(t)).collect();
        services.sort();
        services.dedup();
        Ok(services)
    }

    fn descriptor(&self, type_name: &str) -> Result<TypeDescriptor, BusError> {
        if let Some(own) = own_descriptor(&self.descriptors, type_name) {
            return Ok(own);
        }
        let (send, replies) = mpsc::channel();
        let take = move |reply: zenoh::query::Reply| {
            let found = reply.result().ok().map(|sample| sample.payload().to_bytes().into_owned());
            // The receiver is gone when it has what it wants.
            drop(send.send(found));
        };
        let asked = self.session.get(keys::type_query(type_name)).target(QueryTarget::All);
        let asked = asked.consolidation(ConsolidationMode::None).timeout(DISCOVERY_TIMEOUT);
        asked.callback(take).wait().map_err(network("ask for a message type"))?;
        let decoded = replies.iter().flatten().find_map(|bytes| {
            TypeDescriptor::decode(bytes.as_slice()).ok().filter(|d| d.type_name == type_name)
        });
        decoded.ok_or_else(|| BusError::NoDescriptor { type_name: type_name.to_owned() })
    }

    fn offer_descriptor(&self, descriptor: TypeDescriptor) -> Result<(), BusError> {
        check_size(&descriptor.type_name, descriptor.file_descriptor_set.len())?;
        let mut offered = locked(&self.descriptors);
        check_descriptors(&offered, &descriptor.type_name)?;
        offered.insert(descriptor.type_name.clone(), descriptor);
        Ok(())
    }

    fn join(&self, name: &str) -> Result<Guard, BusError> {
        Ok(Guard::keeping(self.token(keys::client_token(&shortened(name), &self.owner()))?))
    }

    fn clients(&self) -> Result<Vec<Client>, BusError> {
        let tokens = self.tokens(keys::ALL_CLIENTS, "clients")?;
        let mut clients: Vec<_> = tokens.iter().filter_map(|t| keys::read_client(t)).collect();
        clients.sort();
        Ok(clients)
    }

    fn watch_clients(&self, watcher: ClientWatcher) -> Result<Guard, BusError> {
        // A client that comes while the present ones are listed is told of twice by the network.
        let present: Mutex<BTreeSet<Client>> = Mutex::default();
        let take = move |sample: Sample| {
            let Some(client) = keys::read_client(sample.key_expr().as_str()) else { return };
            let (is_news, change) = match sample.kind() {
                SampleKind::Put => {
                    (locked(&present).insert(client.clone()), ClientChange::Came(client))
                }
                SampleKind::Delete => {
                    (locked(&present).remove(&client), ClientChange::Went(client))
                }
            };
            if is_news {
                callback::run("client watcher", || watcher(&change));
            }
        };
        let liveliness = self.session.liveliness();
        let declared = liveliness.declare_subscriber(keys::ALL_CLIENTS).history(true);
        let declared = declared.callback(take).wait();
        Ok(Guard::keeping(declared.map_err(network("watch the clients"))?))
    }
}

impl Drop for ZenohBus {
    fn drop(&mut self) {
        tracing::debug!(address = %self.address, "closing the bus");
    }
}

/// Finds out that the port is free, or who has it.
fn free_address(port: u16) -> Result<SocketAddrV4, BusError> {
    let wanted = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
    // The listener is dropped at once; zenoh opens its own on the same port.
    let found = TcpListener::bind(wanted).and_then(|listener| listener.local_addr());
    match found {
        Ok(address) => Ok(SocketAddrV4::new(Ipv4Addr::LOCALHOST, address.port())),
        Err(cause) if cause.kind() == std::io::ErrorKind::AddrInUse => {
            Err(BusError::PortBusy { port, owner: rendezvous::owner_of_port(port) })
        }
        Err(cause) => Err(network("listen on 127.0.0.1")(Box::new(cause))),
    }
}

type Descriptors = Mutex<BTreeMap<String, TypeDescriptor>>;

fn own_descriptor(offered: &Descriptors, type_name: &str) -> Option<TypeDescriptor> {
    retake_msgs::type_descriptor(type_name).or_else(|| locked(offered).get(type_name).cloned())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under these locks can panic half way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn network(doing: &'static str) -> impl FnOnce(zenoh::Error) -> BusError {
    move |cause| BusError::Network { doing, source: causes::in_words(&cause) }
}
