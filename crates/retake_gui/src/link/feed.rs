//! The near end of a link: whoever has the world puts views and events in here.

use std::sync::Arc;

use retake_msgs::{PastRequest, UserCmdReply};
use retake_transport::Bus;
use tokio::sync::{broadcast, oneshot, watch};

use super::{Event, LinkRequest, PastFuture, PastView, ReplyFuture, ServerLink, View};

/// Events that a page may be behind; past it the page is cut off.
const MAX_EVENTS_BEHIND: usize = 256;

/// Takes views and events from one thread and hands them to all pages; never waits.
pub struct Feed {
    views: watch::Sender<Arc<View>>,
    events: broadcast::Sender<Event>,
}

impl Feed {
    /// Makes a feed with its first view.
    pub fn new(view: View) -> Self {
        let (views, _) = watch::channel(Arc::new(view));
        let (events, _) = broadcast::channel(MAX_EVENTS_BEHIND);
        Self { views, events }
    }

    /// Replaces the view.
    pub fn publish(&self, view: View) {
        self.views.send_replace(Arc::new(view));
    }

    /// Tells every page of something.
    pub fn emit(&self, event: Event) {
        // An error means that no page is there to be told.
        self.events.send(event).ok();
    }

    /// Returns the newest view.
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.views.borrow())
    }

    /// Returns the views of the world; only the newest is kept.
    pub fn views(&self) -> watch::Receiver<Arc<View>> {
        self.views.subscribe()
    }

    /// Returns the events from now on.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }
}

/// Answers one request, now or later, from any thread.
///
/// Dropped without an answer it tells the page so.
pub struct ReplyTo(oneshot::Sender<UserCmdReply>);

impl ReplyTo {
    /// Replies.
    pub fn send(self, reply: UserCmdReply) {
        // An error means that the page is gone.
        self.0.send(reply).ok();
    }
}

/// Answers one look back, now or later, from any thread.
///
/// Dropped without an answer it tells the page so.
pub struct ShowTo(oneshot::Sender<Result<PastView, String>>);

impl ShowTo {
    /// Shows the world as it was, or says why not.
    pub fn send(self, past: Result<PastView, String>) {
        // An error means that the page is gone.
        self.0.send(past).ok();
    }
}

/// A link to a server in the same process.
pub struct FeedLink {
    feed: Arc<Feed>,
    requests: RequestHandler,
    looks: Option<LookHandler>,
    bus: Option<Arc<dyn Bus>>,
}

type RequestHandler = Box<dyn Fn(LinkRequest, ReplyTo) + Send + Sync>;
type LookHandler = Box<dyn Fn(PastRequest, ShowTo) + Send + Sync>;

impl FeedLink {
    /// Links to whoever fills `feed`; `requests` is called with every request and must not wait.
    pub fn new(
        feed: Arc<Feed>,
        requests: impl Fn(LinkRequest, ReplyTo) + Send + Sync + 'static,
    ) -> Self {
        Self { feed, requests: Box::new(requests), looks: None, bus: None }
    }

    /// Lets pages look back; `looks` is called with every such request and must not wait.
    pub fn looking_back(self, looks: impl Fn(PastRequest, ShowTo) + Send + Sync + 'static) -> Self {
        Self { looks: Some(Box::new(looks)), ..self }
    }

    /// Tells the bus that the server is on, so that its values can be watched.
    pub fn on_bus(self, bus: Arc<dyn Bus>) -> Self {
        Self { bus: Some(bus), ..self }
    }
}

impl ServerLink for FeedLink {
    fn views(&self) -> watch::Receiver<Arc<View>> {
        self.feed.views()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.feed.events()
    }

    fn bus(&self) -> Option<Arc<dyn Bus>> {
        self.bus.clone()
    }

    fn request(&self, request: LinkRequest) -> ReplyFuture {
        let (send, reply) = oneshot::channel();
        (self.requests)(request, ReplyTo(send));
        Box::pin(
            async move { reply.await.unwrap_or_else(|_| refusal("The server gave no answer")) },
        )
    }

    fn look_back(&self, request: PastRequest) -> PastFuture {
        let Some(looks) = &self.looks else {
            let refused = Err("There is no timeline to look back in".to_owned());
            return Box::pin(std::future::ready(refused));
        };
        let (send, shown) = oneshot::channel();
        looks(request, ShowTo(send));
        let silent = |_| Err("The server gave no answer".to_owned());
        Box::pin(async move { shown.await.unwrap_or_else(silent) })
    }
}

/// A reply that says no.
pub(crate) fn refusal(message: impl Into<String>) -> UserCmdReply {
    UserCmdReply::refused(message)
}
