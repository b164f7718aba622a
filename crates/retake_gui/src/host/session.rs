//! One page: greeted, brought up to date, kept up to date, and heard.

mod answers;
mod looking;
mod messages;
mod socket;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{WebSocket, close_code};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use retake_ecm::EntityId;
use retake_msgs::host_message::Message as Body;
use retake_msgs::notification::Level;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{Hello, PROTOCOL_VERSION, PlotLayoutState, Request, Watch, request};
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior};

use super::door::{Admitted, Role};
use super::hub::{Hub, clients_message};
use super::past::LookBack;
use super::plot_views::PlotViews;
use super::teach_requests::{self, TaughtRobot};
use super::topic_views::{self, TopicViews};
use crate::link::{Event, View};
use crate::stream::{Broadcast, Delta, PoseSet};
use crate::wire;
use messages::{
    client_name, event_message, notification, refused, too_many, warning, welcome,
    wild_number_refusal,
};
use socket::{End, Heard, Socket};

/// Requests of one page that may be under way; further ones are refused at once.
///
/// A refusal is not kept: it is sent before the page's next message is read, so a page has at most
/// this many replies waiting, and one more message being written.
const MAX_UNDER_WAY: usize = 64;
/// Plots are drawn at most this often.
const PLOT_FRAME: Duration = Duration::from_millis(33);
/// Entities that one page may watch.
const MAX_WATCHED: usize = 256;

/// Serves one page until it leaves, misbehaves or is too slow.
pub(super) async fn run(
    hub: Arc<Hub>,
    socket: WebSocket,
    admitted: Admitted,
    place: OwnedSemaphorePermit,
) {
    let Admitted { role, mut stay } = admitted;
    let client = hub.next_client();
    let mut wire = Socket::new(socket, hub.options.write_timeout);
    let mut stopped = hub.stopped.clone();
    let ended = tokio::select! {
        ended = serve(&hub, &mut wire, client, role) => ended,
        _ = stopped.wait_for(|stopped| *stopped) => Err(End::going_away()),
        () = stay.ended() => Err(End::because(close_code::POLICY, "The visit has ended")),
    };
    if let Err(end) = ended {
        tracing::debug!(client, ?end, "a page's session ends");
        wire.end(end).await;
    }
    drop(place);
}

async fn serve(hub: &Arc<Hub>, wire: &mut Socket, client: u64, role: Role) -> Result<(), End> {
    // Subscribed before the first state is taken, so that no event falls in between.
    let events = hub.link.events();
    let view = hub.view();
    wire.send(welcome(&view, client, role)).await?;
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
        role,
        watched: BTreeSet::new(),
        plots: PlotViews::default(),
        taught: TaughtRobot::default(),
        topics: TopicViews::default(),
        past: LookBack::default(),
        sent: Sent::first(hub, wire, &newest).await?,
    };
    session.follow(wire, broadcasts, events).await
}

/// A page that has been greeted.
struct Session {
    hub: Arc<Hub>,
    name: String,
    role: Role,
    watched: BTreeSet<EntityId>,
    plots: PlotViews,
    taught: TaughtRobot,
    topics: TopicViews,
    past: LookBack,
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
        wire.send(Bytes::clone(&newest.timeline)).await?;
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
        let (mut drafts, mut lives) = (self.hub.teaching.states(), self.hub.teaching.lives());
        drafts.mark_changed();
        let (mut frames, mut topics) = (every(PLOT_FRAME), every(topic_views::PERIOD));
        let mut replies = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                event = events.recv() => wire.send(event_message(event)?).await?,
                Some(reply) = replies.next(), if !replies.is_empty() => wire.send(reply).await?,
                looked = self.past.looked(), if self.past.is_under_way() => {
                    self.show_past(wire, &looked).await?;
                }
                heard = wire.receive() => {
                    if let Some(request) = self.take(wire, heard?).await? {
                        if let Some(request::Request::LookBack(look)) = request.request {
                            let newest = broadcasts.borrow().clone();
                            self.look_back(wire, request.request_id, look, newest).await?;
                            continue;
                        }
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
                changed = drafts.changed() => {
                    changed.map_err(|_| End::going_away())?;
                    let message = teach_requests::state_message(&drafts.borrow_and_update());
                    wire.send(message).await?;
                }
                changed = lives.changed() => {
                    changed.map_err(|_| End::going_away())?;
                    let due = self.taught.due(&lives.borrow_and_update());
                    if let Some(message) = due {
                        wire.send(message).await?;
                    }
                }
                _ = frames.tick(), if !self.plots.is_empty() => {
                    wire.send_all(self.plots.due(&self.hub.plots)).await?;
                }
                _ = topics.tick(), if !self.topics.is_empty() => {
                    wire.send_all(self.topics.due(&self.hub.topics)).await?;
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
    async fn take(&mut self, wire: &mut Socket, heard: Heard) -> Result<Option<Request>, End> {
        if let Some(answer) = wild_number_refusal(&heard) {
            wire.send(answer).await?;
            return Ok(None);
        }
        match heard.said {
            Said::Request(request) => return self.allow(wire, request).await,
            Said::Watch(watch) => self.watch(wire, &watch).await?,
            Said::WatchPlots(watch) => self.plots.watch(watch),
            Said::WatchTopics(watch) => self.topics.watch(&self.hub.topics, watch),
            Said::WatchTeaching(watch) => {
                self.taught.watch(&self.hub.teaching, watch.robot);
                let due = self.taught.due(&self.hub.teaching.lives().borrow());
                if let Some(message) = due {
                    wire.send(message).await?;
                }
            }
            // A second greeting changes nothing.
            Said::Hello(_) => {}
        }
        Ok(None)
    }

    /// Hands a request on that the page may make; refuses the others.
    async fn allow(&mut self, wire: &mut Socket, request: Request) -> Result<Option<Request>, End> {
        let needed = request.request.as_ref().map_or(Role::Viewer, Role::needed_for);
        if needed <= self.role {
            return Ok(Some(request));
        }
        let text = format!("You are here as {}; this takes the role {needed}", self.role);
        wire.send(refused(request.request_id, &text)).await?;
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
        if !self.past.is_shown() {
            self.catch_up_with_world(wire, &had, &newest).await?;
        } else if self.sent.view.world != newest.delta.to.world {
            return Err(another_world());
        }
        if !Arc::ptr_eq(&had.history, &newest.history) {
            wire.send(Bytes::clone(&newest.history)).await?;
        }
        if !Arc::ptr_eq(&had.timeline, &newest.timeline) {
            wire.send(Bytes::clone(&newest.timeline)).await?;
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

    async fn catch_up_with_world(
        &mut self,
        wire: &mut Socket,
        had: &Broadcast,
        newest: &Broadcast,
    ) -> Result<(), End> {
        if !Arc::ptr_eq(&self.sent.view, &newest.delta.to) {
            self.send_changes(wire, &newest.delta, &newest.set).await?;
        }
        if had.set.id != newest.set.id {
            wire.send(newest.set.message.clone()).await?;
        }
        if !Arc::ptr_eq(&had.poses, &newest.poses) {
            wire.send(Bytes::clone(&newest.poses)).await?;
        }
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
            return Err(another_world());
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
}

fn another_world() -> End {
    End::because(close_code::RESTART, "The server has another world now")
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

/// Ticks at most this often, whatever else takes time.
fn every(period: Duration) -> Interval {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
