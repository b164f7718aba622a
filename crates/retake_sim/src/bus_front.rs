//! A server's face on the bus: its services, its topics, and the topics its systems listen to.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use retake_introspection::FilterSample;
use retake_transport::{
    Bus, BusError, Guard, Message, Name, Responder, SERVER_CLIENT, ServiceTypes,
};

use crate::bus_guis::{self, BusGuis};
use crate::bus_recorder;
use crate::publisher::Publisher;
use crate::{
    Event, GuiActions, InboxSender, OutMessage, Recorder, Request, Response, ServiceEntry, View,
    ViewSink, service_table,
};

/// Keeps a server's services on the bus; dropping it takes them off.
pub struct BusFront {
    bus: Arc<dyn Bus>,
    services: Vec<Guard>,
    /// Lets clients see at once when the server is gone.
    _presence: Guard,
}

impl BusFront {
    /// Offers the services of the world called `world`, and returns what the runner feeds.
    ///
    /// # Errors
    /// [`BusError`] when a name is taken or the bus is closed.
    pub fn open(
        bus: &Arc<dyn Bus>,
        world: &str,
        inbox: &InboxSender,
    ) -> Result<(Self, Box<dyn ViewSink>), BusError> {
        let shared = Arc::new(Shared::default());
        let mut services = Vec::new();
        for entry in service_table(world) {
            services.push(serve(bus, entry, inbox, &shared)?);
        }
        services.extend(bus_guis::listen(bus.as_ref(), world, inbox)?);
        let presence = bus.join(SERVER_CLIENT)?;
        let feed = Feed::start(shared, Publisher::new(Arc::clone(bus), world, inbox.clone())?);
        let bus = Arc::clone(bus);
        Ok((Self { bus, services, _presence: presence }, Box::new(feed)))
    }

    /// Lets others record the world called `world`.
    ///
    /// # Errors
    /// [`BusError`] when a name is taken or the bus is closed.
    pub fn record(&mut self, world: &str, recorder: &Arc<Recorder>) -> Result<(), BusError> {
        self.services.extend(bus_recorder::serve(self.bus.as_ref(), world, recorder)?);
        Ok(())
    }

    /// Returns the way to the GUIs that have an Ecm of their own; each has `timeout` to answer.
    pub fn guis(&self, timeout: Duration) -> Arc<dyn GuiActions> {
        Arc::new(BusGuis::new(&self.bus, timeout))
    }
}

fn serve(
    bus: &Arc<dyn Bus>,
    entry: ServiceEntry,
    inbox: &InboxSender,
    shared: &Arc<Shared>,
) -> Result<Guard, BusError> {
    let types =
        ServiceTypes { request: entry.request_type.clone(), reply: entry.reply_type.clone() };
    let name = Name::new(&entry.name)?;
    let (inbox, shared) = (inbox.clone(), Arc::clone(shared));
    let handler = move |request: Message, responder: Responder| match read(&entry, &request.bytes) {
        Ok(request) => {
            let shared = Arc::clone(&shared);
            let reply = move |response| shared.answer(response, responder);
            inbox.send(request, Box::new(reply));
        }
        Err(reason) => responder.refuse(reason),
    };
    bus.serve(&name, types, Arc::new(handler))
}

fn read(entry: &ServiceEntry, bytes: &[u8]) -> Result<Request, String> {
    let request = (entry.decode)(bytes)?;
    match entry.wild_number(bytes) {
        Some(wild) => Err(wild.to_string()),
        None => Ok(request),
    }
}

fn answer_now(response: &Response, responder: Responder) {
    match response.encode() {
        Ok(bytes) => responder.answer(bytes),
        Err(reason) => responder.refuse(reason),
    }
}

/// Hands what the runner gives out to a thread that encodes and publishes it.
struct Feed {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    pending: Mutex<Pending>,
    changed: Condvar,
}

/// What waits to be published.
///
/// Of views only the newest is kept. Events and messages are all kept up to a bound that only a
/// publisher that has died can reach; beyond it the oldest are dropped.
#[derive(Default)]
struct Pending {
    view: Option<View>,
    events: Vec<Event>,
    messages: Vec<OutMessage>,
    subscriptions: Option<Vec<String>>,
    filters: Option<Vec<(String, String)>>,
    /// Of what is watched, with how many numbers they have in all.
    samples: VecDeque<Arc<[FilterSample]>>,
    numbers: usize,
    /// How many samples were dropped.
    left_out: u64,
    /// States and the like that were asked for; as many as requests fit into the inbox.
    answers: Vec<(Response, Responder)>,
    ended: bool,
}

const MAX_PENDING: usize = 16_384;
/// Numbers in samples that may wait; beyond it the oldest samples are dropped, and that is told.
const MAX_NUMBERS: usize = 1 << 23;

impl Feed {
    fn start(shared: Arc<Shared>, publisher: Publisher) -> Self {
        let theirs = Arc::clone(&shared);
        let spawned = thread::Builder::new()
            .name("publish".to_owned())
            .spawn(move || publish_all(&theirs, publisher));
        if let Err(error) = spawned {
            tracing::error!(%error, "no thread for publishing; topics stay silent");
        }
        Self { shared }
    }

    fn change(&self, change: impl FnOnce(&mut Pending)) {
        self.shared.change(change);
    }
}

impl Shared {
    fn change(&self, change: impl FnOnce(&mut Pending)) {
        change(&mut lock(&self.pending));
        self.changed.notify_one();
    }

    /// Answers at once what is small, and leaves the rest to the publishing thread to encode.
    fn answer(&self, response: Response, responder: Responder) {
        match response {
            Response::State(_) | Response::Items(_) | Response::Contacts(_) => {
                self.change(|pending| pending.answers.push((response, responder)));
            }
            response => answer_now(&response, responder),
        }
    }
}

impl ViewSink for Feed {
    fn view(&mut self, view: &View) {
        self.change(|pending| pending.view = Some(view.clone()));
    }

    fn event(&mut self, event: &Event) {
        self.change(|pending| push_bounded(&mut pending.events, [event.clone()]));
    }

    fn messages(&mut self, messages: &[OutMessage]) {
        self.change(|pending| push_bounded(&mut pending.messages, messages.iter().cloned()));
    }

    fn samples(&mut self, samples: &Arc<[FilterSample]>) {
        self.change(|pending| pending.push_samples(Arc::clone(samples)));
    }

    fn filters(&mut self, filters: &[(String, String)]) {
        self.change(|pending| pending.filters = Some(filters.to_vec()));
    }

    fn subscriptions(&mut self, topics: &[String]) {
        self.change(|pending| pending.subscriptions = Some(topics.to_vec()));
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.change(|pending| pending.ended = true);
    }
}

fn push_bounded<T>(into: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    into.extend(more);
    let over = into.len().saturating_sub(MAX_PENDING);
    into.drain(..over);
}

fn publish_all(shared: &Shared, mut publisher: Publisher) {
    loop {
        let mut pending = lock(&shared.pending);
        while pending.is_empty() && !pending.ended {
            pending = shared.changed.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
        let ended = pending.ended;
        let work = std::mem::take(&mut *pending);
        drop(pending);
        for (response, responder) in work.answers {
            answer_now(&response, responder);
        }
        let samples = work.samples.iter().flat_map(|samples| samples.iter());
        publisher.watch(work.filters, samples, work.left_out);
        publisher.publish(work.view.as_ref(), &work.events, &work.messages);
        if let Some(topics) = work.subscriptions {
            publisher.listen(&topics);
        }
        if ended {
            return;
        }
    }
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.view.is_none()
            && self.events.is_empty()
            && self.messages.is_empty()
            && self.subscriptions.is_none()
            && self.filters.is_none()
            && self.samples.is_empty()
            && self.answers.is_empty()
    }

    fn push_samples(&mut self, samples: Arc<[FilterSample]>) {
        self.numbers += numbers_in(&samples);
        self.samples.push_back(samples);
        while self.numbers > MAX_NUMBERS {
            let Some(oldest) = self.samples.pop_front() else { break };
            self.numbers -= numbers_in(&oldest);
            self.left_out += oldest.len() as u64;
        }
    }
}

/// Every sample counts, also one without numbers.
fn numbers_in(samples: &[FilterSample]) -> usize {
    samples.iter().map(|sample| sample.sample.value.len() + 1).sum()
}

/// A panic while the lock was held leaves plain data behind, which is still good.
fn lock(pending: &Mutex<Pending>) -> MutexGuard<'_, Pending> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use retake_msgs::IntrospectionSample;

    use super::*;

    /// Samples of one step, each of so many numbers.
    fn step(update: u64, samples: usize, numbers: usize) -> Arc<[FilterSample]> {
        let value = vec![0.0; numbers];
        let sample = IntrospectionSample { update, value, ..IntrospectionSample::default() };
        let one = FilterSample { filter: "1".to_owned(), topic: "/t".to_owned(), sample };
        vec![one; samples].into()
    }

    #[test]
    fn samples_that_wait_have_a_bound_and_those_that_give_way_are_counted() {
        let (mut pending, quarter) = (Pending::default(), MAX_NUMBERS / 4);
        // Two samples of a step, which make a quarter of all that may wait.
        let step = |update| step(update, 2, quarter / 2 - 1);
        (0..4).for_each(|update| pending.push_samples(step(update)));
        assert_eq!((pending.samples.len(), pending.left_out), (4, 0), "so many wait");
        (4..7).for_each(|update| pending.push_samples(step(update)));
        assert_eq!((pending.samples.len(), pending.left_out), (4, 6));
        assert_eq!(pending.samples[0][0].sample.update, 3, "the oldest gave way");
        assert!(pending.numbers <= MAX_NUMBERS, "{}", pending.numbers);
        // Also those without a number take room.
        assert_eq!(numbers_in(&self::step(0, 3, 0)), 3);
    }
}
