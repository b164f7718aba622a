//! One page: greeted, brought up to date, kept up to date, and heard.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use retake_ecm::EntityId;
use retake_msgs::host_message::Message as Body;
use retake_msgs::notification::Level;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    Hello, Notification, PROTOCOL_VERSION, PlotLayoutState, Reply, Request, UserCmdReply, Watch,
    Welcome, request,
};
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};

use super::hub::{Hub, clients_message};
use super::plot_requests;
use super::plot_views::PlotViews;
use super::server_requests;
use crate::link::{Event, View};
use crate::stream::{Broadcast, Delta, PoseSet};
use crate::wire;

/// Requests of one page that may be under way; further ones are refused at once.
///
/// A refusal is not kept: it is sent before the page's next message is read, so a page has at most
/// this many replies waiting, and one more message being written.
const MAX_UNDER_WAY: usize = 64;
/// Plots are drawn at most this often.
const PLOT_FRAME: Duration = Duration::from_millis(33);
/// Entities that one page may watch.
const MAX_WATCHED: usize = 256;
/// Characters of a page's name that are kept.
const MAX_NAME: usize = 64;

/// Serves one page until it leaves, misbehaves or is too slow.
pub(super) async fn run(hub: Arc<Hub>, socket: WebSocket, place: OwnedSemaphorePermit) {
    let client = hub.next_client();
    let mut wire = Socket { socket, write_timeout: hub.options.write_timeout };
    let mut stopped = hub.stopped.clone();
    let ended = tokio::select! {
        ended = serve(&hub, &mut wire, client) => ended,
        _ = stopped.wait_for(|stopped| *stopped) => Err(End::going_away()),
    };
    if let Err(end) = ended {
        tracing::debug!(client, ?end, "a page's session ends");
        if let End::Close { code, reason } = end {
            wire.close(code, reason).await;
        }
    }
    drop(place);
}

/// Why a session ends.
#[derive(Debug)]
enum End {
    /// The page is gone, or does not read any more: nothing can be said to it.
    Gone,
    /// The page is told why.
    Close { code: u16, reason: String },
}

impl End {
    fn because(code: u16, reason: impl Into<String>) -> Self {
        Self::Close { code, reason: reason.into() }
    }

    fn going_away() -> Self {
        Self::because(close_code::AWAY, "The host stops")
    }
}

async fn serve(hub: &Arc<Hub>, wire: &mut Socket, client: u64) -> Result<(), End> {
    // Subscribed before the first state is taken, so that no event falls in between.
    let events = hub.link.events();
    let view = hub.view();
    wire.send(welcome(&view, client)).await?;
    let hello = tokio::time::timeout(hub.options.handshake_timeout, wire.hello());
    let hello = hello.await.map_err(|_| End::because(close_code::POLICY, "No greeting came"))??;
    check_version(wire, &hello).await?;
    let name = client_name(&hello.client_name, hub.link.gui(), client);
    let _listed = hub.list(client, name.clone());
    let lost = |_| End::going_away();
    let broadcasts = hub.follow().await.map_err(lost)?;
    let newest = broadcasts.borrow().clone();
    let mut session = Session {
        hub: Arc::clone(hub),
        name,
        watched: BTreeSet::new(),
        plots: PlotViews::default(),
        sent: Sent::first(hub, wire, &newest).await?,
    };
    session.follow(wire, broadcasts, events).await
}

/// A page that has been greeted.
struct Session {
    hub: Arc<Hub>,
    name: String,
    watched: BTreeSet<EntityId>,
    plots: PlotViews,
    sent: Sent,
}

/// The newest of everything that the page has.
struct Sent {
    view: Arc<View>,
    broadcast: Broadcast,
}

impl Sent {
    /// Sends everything for the first time.
    async fn first(hub: &Hub, wire: &mut Socket, newest: &Broadcast) -> Result<Self, End> {
        let view = Arc::clone(&newest.delta.to);
        wire.send(Bytes::clone(&newest.connection)).await?;
        wire.send(hub.fields.clone()).await?;
        wire.send(hub.full_state(&view)).await?;
        wire.send(newest.set.message.clone()).await?;
        wire.send(Bytes::clone(&newest.poses)).await?;
        wire.send(Bytes::clone(&newest.history)).await?;
        wire.send(Bytes::clone(&newest.pending)).await?;
        for message in newest.logs.newer_than(None) {
            wire.send(message).await?;
        }
        wire.send(Bytes::clone(&newest.stats)).await?;
        Ok(Self { view, broadcast: newest.clone() })
    }
}

impl Session {
    async fn follow(
        &mut self,
        wire: &mut Socket,
        mut broadcasts: watch::Receiver<Broadcast>,
        mut events: broadcast::Receiver<Event>,
    ) -> Result<(), End> {
        let mut names = self.hub.names();
        names.mark_changed();
        let mut layouts = self.hub.plots.states();
        layouts.mark_changed();
        let mut frames = tokio::time::interval(PLOT_FRAME);
        frames.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut replies = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                event = events.recv() => wire.send(event_message(event)?).await?,
                Some(reply) = replies.next(), if !replies.is_empty() => wire.send(reply).await?,
                said = wire.receive() => {
                    if let Some(request) = self.take(wire, said?).await? {
                        match replies.len() < MAX_UNDER_WAY {
                            true => replies.push(self.answer(request)),
                            false => wire.send(too_many(&request)).await?,
                        }
                    }
                }
                changed = names.changed() => {
                    changed.map_err(|_| End::going_away())?;
                    let message = clients_message(&names.borrow_and_update());
                    wire.send(message).await?;
                }
                changed = layouts.changed() => {
                    changed.map_err(|_| End::going_away())?;
                    let state = PlotLayoutState::clone(&layouts.borrow_and_update());
                    self.plots.forget();
                    wire.send(wire::encode(Body::PlotLayout(state))).await?;
                }
                _ = frames.tick(), if !self.plots.is_empty() => {
                    for frame in self.plots.due(&self.hub.plots) {
                        wire.send(frame).await?;
                    }
                }
                changed = broadcasts.changed() => {
                    changed.map_err(|_| End::going_away())?;
                    let newest = broadcasts.borrow_and_update().clone();
                    self.catch_up(wire, newest).await?;
                }
            }
        }
    }

    /// Takes what the page says; returns a request that needs an answer.
    async fn take(&mut self, wire: &mut Socket, said: Said) -> Result<Option<Request>, End> {
        match said {
            Said::Request(request) => return Ok(Some(request)),
            Said::Watch(watch) => self.watch(wire, &watch).await?,
            Said::WatchPlots(watch) => self.plots.watch(watch),
            // A second greeting changes nothing.
            Said::Hello(_) => {}
        }
        Ok(None)
    }

    async fn watch(&mut self, wire: &mut Socket, watch: &Watch) -> Result<(), End> {
        if watch.entity.len() > MAX_WATCHED {
            let text = format!("No more than {MAX_WATCHED} entities can be watched at once");
            return wire.send(warning(text)).await;
        }
        let wanted: BTreeSet<_> = watch.entity.iter().copied().map(EntityId::from_raw).collect();
        let fresh: Vec<_> = wanted.difference(&self.watched).copied().collect();
        self.watched = wanted;
        // Their fast components were left out until now.
        let state = self.sent.view.ecm.encode_entities(fresh);
        match state.entities.is_empty() {
            true => Ok(()),
            false => wire.send(wire::encode(Body::State(state))).await,
        }
    }

    /// Sends what the page does not have yet; whatever it missed in between is not sent.
    async fn catch_up(&mut self, wire: &mut Socket, newest: Broadcast) -> Result<(), End> {
        let had = self.sent.broadcast.clone();
        if !Arc::ptr_eq(&had.connection, &newest.connection) {
            wire.send(Bytes::clone(&newest.connection)).await?;
        }
        if !Arc::ptr_eq(&self.sent.view, &newest.delta.to) {
            self.send_changes(wire, &newest.delta, &newest.set).await?;
        }
        if had.set.id != newest.set.id {
            wire.send(newest.set.message.clone()).await?;
        }
        if !Arc::ptr_eq(&had.poses, &newest.poses) {
            wire.send(Bytes::clone(&newest.poses)).await?;
        }
        if !Arc::ptr_eq(&had.history, &newest.history) {
            wire.send(Bytes::clone(&newest.history)).await?;
        }
        if !Arc::ptr_eq(&had.pending, &newest.pending) {
            wire.send(Bytes::clone(&newest.pending)).await?;
        }
        for message in newest.logs.newer_than(Some(&had.logs)) {
            wire.send(message).await?;
        }
        if !Arc::ptr_eq(&had.stats, &newest.stats) {
            wire.send(Bytes::clone(&newest.stats)).await?;
        }
        self.sent.broadcast = newest;
        Ok(())
    }

    async fn send_changes(
        &mut self,
        wire: &mut Socket,
        delta: &Delta,
        set: &Arc<PoseSet>,
    ) -> Result<(), End> {
        if self.sent.view.world != delta.to.world {
            // The page greets the new world as it did this one.
            return Err(End::because(close_code::RESTART, "The server has another world now"));
        }
        let message = match delta.starts_at(&self.sent.view) {
            true => delta.message(&self.watched),
            false => {
                // This page missed a step; it gets one of its own.
                let (from, to) = (Arc::clone(&self.sent.view), Arc::clone(&delta.to));
                Delta::between(from, to, Arc::clone(set)).message(&self.watched)
            }
        };
        self.sent.view = Arc::clone(&delta.to);
        match message {
            Some(message) => wire.send(message).await,
            None => Ok(()),
        }
    }

    /// Passes a request on; the author is who the session is, whatever the page says.
    fn answer(&self, asked: Request) -> Pin<Box<dyn Future<Output = Bytes> + Send>> {
        match asked.request {
            Some(request) if plot_requests::is_about_plots(&request) => {
                Box::pin(self.answer_about_plots(asked.request_id, request))
            }
            request => Box::pin(self.answer_by_server(Request { request, ..asked })),
        }
    }

    fn answer_about_plots(
        &self,
        request_id: u64,
        request: request::Request,
    ) -> impl Future<Output = Bytes> + Send + use<> {
        let (plots, name) = (Arc::clone(&self.hub.plots), self.name.clone());
        async move {
            let answer = move || plot_requests::answer(&plots, &name, request_id, request);
            let answered = tokio::task::spawn_blocking(answer).await;
            answered.unwrap_or_else(|_| refused(request_id, "The plots gave no answer"))
        }
    }

    fn answer_by_server(&self, asked: Request) -> impl Future<Output = Bytes> + Send + use<> {
        let request = asked.request.and_then(|request| server_requests::read(request, &self.name));
        let reply = request.map(|request| self.hub.link.request(request));
        async move {
            let Some(reply) = reply else {
                return refused(asked.request_id, "The request is empty");
            };
            let reply = reply.await;
            reply_message(asked.request_id, reply)
        }
    }
}

/// The page's end of the line.
struct Socket {
    socket: WebSocket,
    write_timeout: Duration,
}

impl Socket {
    /// Sends a message; a page that does not take it in time is cut off.
    async fn send(&mut self, message: Bytes) -> Result<(), End> {
        let sent = self.socket.send(Message::Binary(message));
        match tokio::time::timeout(self.write_timeout, sent).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                tracing::info!("a page does not read and is cut off");
                Err(End::Gone)
            }
        }
    }

    /// Waits for the next message.
    async fn receive(&mut self) -> Result<Said, End> {
        loop {
            let bytes = match self.socket.recv().await {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Text(_))) => {
                    return Err(End::because(close_code::UNSUPPORTED, "Messages are binary"));
                }
                // The library answers pings by itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_))) | None => return Err(End::Gone),
                Some(Err(cause)) => return Err(unreadable(&cause)),
            };
            let garbled = |text| End::because(close_code::PROTOCOL, text);
            let message = wire::decode(&bytes).map_err(garbled)?.message;
            // A message of a kind that only later versions know is passed over.
            if let Some(said) = message {
                return Ok(said);
            }
        }
    }

    async fn hello(&mut self) -> Result<Hello, End> {
        match self.receive().await? {
            Said::Hello(hello) => Ok(hello),
            _ => Err(End::because(close_code::PROTOCOL, "The greeting comes first")),
        }
    }

    async fn close(&mut self, code: u16, reason: String) {
        let frame = CloseFrame { code, reason: reason.into() };
        let sent = self.socket.send(Message::Close(Some(frame)));
        // A page that does not hear its farewell is gone all the same.
        tokio::time::timeout(self.write_timeout, sent).await.ok();
    }
}

fn unreadable(cause: &axum::Error) -> End {
    tracing::debug!(%cause, "a page's message could not be read");
    End::because(close_code::SIZE, "The message is too long or not a WebSocket message")
}

async fn check_version(wire: &mut Socket, hello: &Hello) -> Result<(), End> {
    let theirs = hello.protocol_version;
    if theirs == PROTOCOL_VERSION {
        return Ok(());
    }
    let text = format!("The page speaks protocol {theirs}, the host {PROTOCOL_VERSION}. Reload it");
    let mut notice = notification(text.clone());
    notice.level = Level::Error.into();
    wire.send(wire::encode(Body::Notification(notice))).await?;
    Err(End::because(close_code::POLICY, text))
}

/// Makes a page's name fit to be shown, and tells it from others of this host and of other GUIs.
fn client_name(said: &str, gui: Option<u64>, client: u64) -> String {
    let kept: String = said.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    let kept = if kept.is_empty() { "page" } else { &kept };
    match gui {
        Some(gui) => format!("{kept} {gui}.{client}"),
        None => format!("{kept} {client}"),
    }
}

fn welcome(view: &View, client_id: u64) -> Bytes {
    wire::encode(Body::Welcome(Welcome {
        protocol_version: PROTOCOL_VERSION,
        world: view.world.name.clone(),
        retake_version: env!("CARGO_PKG_VERSION").to_owned(),
        client_id,
        world_file: view.world.file.clone(),
    }))
}

/// A page that fell too far behind would miss events; it is cut off instead, and comes back.
fn event_message(event: Result<Event, broadcast::error::RecvError>) -> Result<Bytes, End> {
    match event {
        Ok(Event::Notification(event)) => Ok(wire::encode(Body::Notification(event))),
        Ok(Event::TimeJumped(event)) => Ok(wire::encode(Body::TimeJumped(event))),
        Ok(Event::Conflict(event)) => Ok(wire::encode(Body::Conflict(event))),
        Ok(Event::TextCommand(event)) => Ok(wire::encode(Body::TextCommand(event))),
        Err(broadcast::error::RecvError::Lagged(_)) => {
            Err(End::because(close_code::AGAIN, "The page is too slow for the events"))
        }
        Err(broadcast::error::RecvError::Closed) => Err(End::going_away()),
    }
}

fn too_many(request: &Request) -> Bytes {
    let text = "Too many requests are under way. Wait for their replies";
    refused(request.request_id, text)
}

fn refused(request_id: u64, reason: &str) -> Bytes {
    reply_message(request_id, UserCmdReply::refused(reason))
}

fn reply_message(request_id: u64, reply: UserCmdReply) -> Bytes {
    let UserCmdReply { ok, message, entities, physics, .. } = reply;
    let reply = Reply { request_id, ok, message, entities, physics, ..Reply::default() };
    wire::encode(Body::Reply(reply))
}

fn warning(text: String) -> Bytes {
    wire::encode(Body::Notification(notification(text)))
}

fn notification(text: String) -> Notification {
    Notification { level: Level::Warning.into(), text, ..Notification::default() }
}
