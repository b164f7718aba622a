//! What one page sees of the bus, and what it asks and says there.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use retake_msgs::host_message::Message as Body;
use retake_msgs::request::Request;
use retake_msgs::{Reply, TopicRates, WatchTopics};

use crate::topics::{self, Listening, RatesWatch, Topics, Voice};
use crate::wire;

/// Messages are sent at most this often.
pub(super) const PERIOD: Duration = Duration::from_millis(100);

/// What a page looks at, and what it was sent of it.
#[derive(Default)]
pub(super) struct TopicViews {
    rates: Option<RatesWatch>,
    sent: Option<Arc<TopicRates>>,
    listening: Option<Listening>,
    voice: Voice,
}

impl TopicViews {
    /// Takes what the page looks at from now on.
    pub(super) fn watch(&mut self, topics: &Arc<Topics>, wanted: WatchTopics) {
        match (wanted.rates, &self.rates) {
            (true, None) => {
                self.sent = None;
                self.rates = Some(topics.watch_rates());
            }
            (true, Some(_)) => {}
            (false, _) => self.rates = None,
        }
        if self.listening.as_ref().map_or("", Listening::topic) != wanted.topic {
            let topic = Some(wanted.topic).filter(|topic| !topic.is_empty());
            self.listening = topic.map(Listening::new);
        }
    }

    /// Says whether the page looks at anything.
    pub(super) fn is_empty(&self) -> bool {
        self.rates.is_none() && self.listening.is_none()
    }

    /// Returns what the page does not have yet.
    pub(super) fn due(&mut self, topics: &Topics) -> Vec<Bytes> {
        let rates = self.rates.as_ref().and_then(RatesWatch::newest);
        let news = rates.filter(|rates| !self.sent.as_ref().is_some_and(|s| Arc::ptr_eq(s, rates)));
        let mut due = Vec::new();
        if let Some(rates) = news {
            due.push(wire::encode(Body::TopicRates(TopicRates::clone(&rates))));
            self.sent = Some(rates);
        }
        let message = self.listening.as_mut().and_then(|l| l.due(topics, Instant::now()));
        due.extend(message.map(|message| wire::encode(Body::TopicMessage(Box::new(message)))));
        due
    }

    /// Answers a request about topics and services, where waiting is allowed.
    pub(super) fn answer(
        &self,
        topics: &Arc<Topics>,
        request_id: u64,
        request: Request,
    ) -> impl Future<Output = Bytes> + Send + use<> {
        let (topics, voice) = (Arc::clone(topics), self.voice.clone());
        async move {
            let answer = move || carry_out(&topics, &voice, request);
            let answered = tokio::task::spawn_blocking(answer).await;
            let answered = answered.unwrap_or_else(|_| Err("The bus gave no answer".to_owned()));
            let reply = match answered {
                Ok(reply) => Reply { ok: true, request_id, ..reply },
                Err(message) => Reply { request_id, message, ..Reply::default() },
            };
            wire::encode(Body::Reply(reply))
        }
    }
}

/// Says whether a request is about topics and services.
pub(super) fn is_about_topics(request: &Request) -> bool {
    matches!(
        request,
        Request::DescribeType(_)
            | Request::Publish(_)
            | Request::Call(_)
            | Request::Findings(_)
            | Request::Library(_)
    )
}

fn carry_out(topics: &Topics, voice: &Voice, request: Request) -> Result<Reply, String> {
    let bus = topics.bus()?;
    let mut reply = Reply::default();
    match request {
        Request::DescribeType(request) => {
            let described = topics::describe(bus.as_ref(), &request.type_name)?;
            reply.descriptor = Some(Box::new(described));
        }
        Request::Publish(request) => reply.message = voice.publish(bus, request)?,
        Request::Call(request) => {
            reply.called = Some(Box::new(topics::call(bus.as_ref(), request)?));
        }
        Request::Findings(_) => {
            reply.findings = Some(topics::findings(bus.as_ref(), &topics.world())?);
        }
        Request::Library(_) => {
            reply.library = Some(Box::new(topics::library(bus.as_ref(), &topics.world())?));
        }
        _ => return Err("This is no request about topics".to_owned()),
    }
    Ok(reply)
}
