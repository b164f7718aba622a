//! Encodes views, events and messages for the bus, on a thread of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use retake_components::{
    BodyTwist, EntityName, JointEffort, JointPosition, JointSpec, JointVelocity, Kind, path_of,
    world_pose,
};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_introspection::{FilterSample, Leases};
use retake_msgs::{
    Clock, EditConflict, EntityPose, JointState, JointStateV, LockstepTurn, LogStatus,
    MotionFeedback, MotionResult, Name as _, Notification, PendingActions, PoseV, RemoveFilter,
    StampedState, TextCommandFired, TimeJumped, Timeline, UserCmdStats, WorldStatistics, names,
};
use retake_transport::typed::Typed;
use retake_transport::{Bus, BusError, Delivery, Guard, Name, RawPublisher};

use crate::echoes::Echoes;
use crate::gaps::Gaps;
use crate::{Event, InboxSender, OutMessage, Request, View};

/// Statistics go out at most this often, but at once when the world pauses or plays.
const STATS_PERIOD: Duration = Duration::from_millis(200);

/// How long the samples of one turn wait for room on the bus. A reader that is gone or does not read
/// is cut off sooner, so that only a bus that stands still makes samples go missing.
const SAMPLE_PATIENCE: Duration = Duration::from_secs(5);

/// Publishes a world.
pub(crate) struct Publisher {
    bus: Arc<dyn Bus>,
    inbox: InboxSender,
    clock: Topic<Clock>,
    stats: Topic<WorldStatistics>,
    poses: Topic<PoseV>,
    states: Topic<StampedState>,
    notifications: Topic<Notification>,
    jumps: Topic<TimeJumped>,
    history: Topic<UserCmdStats>,
    timeline: Topic<Timeline>,
    conflicts: Topic<EditConflict>,
    pending: Topic<PendingActions>,
    recording: Topic<LogStatus>,
    joints: BTreeMap<String, Topic<JointStateV>>,
    systems: BTreeMap<String, (Box<dyn RawPublisher>, Delivery)>,
    /// Messages of systems that others of them have had, until the bus brings them back.
    echoes: Arc<Echoes>,
    listening: BTreeMap<String, Guard>,
    /// Filters of what is watched, by id with their topics.
    filters: Vec<(String, String)>,
    leases: Leases,
    /// Samples that readers miss.
    gaps: Gaps,
    /// Tick that the last state delta brought its readers to.
    sent_tick: Option<u64>,
    last_stats: Option<(Instant, bool)>,
    last_history: Option<Arc<UserCmdStats>>,
    last_timeline: Option<Arc<Timeline>>,
    last_pending: Option<Arc<PendingActions>>,
    last_recording: Option<Arc<LogStatus>>,
}

type Topic<M> = retake_transport::Publisher<M>;

impl Publisher {
    pub(crate) fn new(
        bus: Arc<dyn Bus>,
        world: &str,
        inbox: InboxSender,
    ) -> Result<Self, BusError> {
        Ok(Self {
            clock: newest(bus.as_ref(), names::CLOCK)?,
            stats: newest(bus.as_ref(), &names::stats(world))?,
            poses: newest(bus.as_ref(), &names::poses(world))?,
            states: all(bus.as_ref(), &names::state_delta(world))?,
            notifications: all(bus.as_ref(), &names::notifications(world))?,
            jumps: all(bus.as_ref(), &names::time_jumped(world))?,
            history: all(bus.as_ref(), &names::history(world))?,
            timeline: newest(bus.as_ref(), &names::timeline(world))?,
            conflicts: all(bus.as_ref(), &names::conflicts(world))?,
            pending: all(bus.as_ref(), &names::pending(world))?,
            recording: all(bus.as_ref(), &names::log_status(world))?,
            joints: BTreeMap::new(),
            systems: BTreeMap::new(),
            echoes: Arc::default(),
            listening: BTreeMap::new(),
            filters: Vec::new(),
            leases: Leases::default(),
            gaps: Gaps::default(),
            sent_tick: None,
            last_stats: None,
            last_history: None,
            last_timeline: None,
            last_pending: None,
            last_recording: None,
            inbox,
            bus,
        })
    }

    pub(crate) fn publish(
        &mut self,
        view: Option<&View>,
        events: &[Event],
        messages: &[OutMessage],
    ) {
        for event in events {
            match event {
                Event::Notified(message) => send(&self.notifications, message),
                Event::TimeJumped(message) => send(&self.jumps, message),
                Event::Conflict(message) => send(&self.conflicts, message.as_ref()),
            }
        }
        messages.iter().for_each(|message| self.publish_raw(message));
        if let Some(view) = view {
            self.publish_view(view);
        }
    }

    /// Publishes samples of what is watched, and gives up filters that nobody listens to.
    ///
    /// When the bus has no room this waits: samples queue up behind, and the world goes on. Those
    /// that were `left_out` there, or are here, are told.
    pub(crate) fn watch<'a>(
        &mut self,
        filters: Option<Vec<(String, String)>>,
        samples: impl Iterator<Item = &'a FilterSample>,
        left_out: u64,
    ) {
        self.filters = filters.unwrap_or_else(|| std::mem::take(&mut self.filters));
        let filters = self.filters.iter().map(|(id, topic)| (id.as_str(), topic.as_str()));
        match self.leases.keep(self.bus.as_ref(), filters, Instant::now()) {
            Ok(over) => over.into_iter().for_each(|filter_id| {
                let request = Request::RemoveFilter(RemoveFilter { filter_id });
                // Nobody waits for the outcome.
                self.inbox.send(request, Box::new(|_| {}));
            }),
            Err(error) => tracing::warn!(%error, "a filter cannot be served"),
        }
        self.gaps.add(left_out);
        let until = Instant::now() + SAMPLE_PATIENCE;
        for sample in samples {
            let patience = until.saturating_duration_since(Instant::now());
            self.gaps.add(u64::from(!self.leases.publish(sample, patience)));
        }
        if let Some(text) = self.gaps.tell(Instant::now()) {
            tracing::warn!("{text}");
            self.inbox.tell(text);
        }
    }

    /// Listens to these topics, and no longer to others.
    pub(crate) fn listen(&mut self, topics: &[String]) {
        self.listening.retain(|topic, _| topics.contains(topic));
        for topic in topics {
            if self.listening.contains_key(topic) {
                continue;
            }
            match self.subscribe(topic) {
                Ok(guard) => {
                    self.listening.insert(topic.clone(), guard);
                }
                Err(error) => tracing::warn!(topic, %error, "a system's topic stays silent"),
            }
        }
    }

    fn subscribe(&self, topic: &str) -> Result<Guard, BusError> {
        let (inbox, name) = (self.inbox.clone(), topic.to_owned());
        let echoes = Arc::clone(&self.echoes);
        self.bus.subscribe(
            &Name::new(topic)?,
            Arc::new(move |message| {
                if echoes.take(&name, message.bytes) {
                    return;
                }
                let request =
                    Request::Message { topic: name.clone(), bytes: message.bytes.to_vec() };
                // Nobody waits for the outcome of a message on a topic.
                inbox.send(request, Box::new(|_| {}));
            }),
        )
    }

    fn publish_view(&mut self, view: &View) {
        let stamp = view.stats.sim_time;
        send(&self.clock, &Clock { sim: stamp });
        self.publish_stats(&view.stats);
        publish_changed(&self.history, &mut self.last_history, &view.history);
        publish_changed(&self.timeline, &mut self.last_timeline, &view.timeline);
        publish_changed(&self.pending, &mut self.last_pending, &view.pending);
        publish_changed(&self.recording, &mut self.last_recording, &view.recording);
        if self.poses.wanted() {
            send(&self.poses, &PoseV { stamp, pose: poses_of(&view.ecm) });
        }
        self.publish_state(view);
        self.publish_joints(view);
    }

    fn publish_stats(&mut self, stats: &WorldStatistics) {
        let due = self
            .last_stats
            .is_none_or(|(last, paused)| last.elapsed() >= STATS_PERIOD || paused != stats.paused);
        if due {
            self.last_stats = Some((Instant::now(), stats.paused));
            send(&self.stats, stats);
        }
    }

    fn publish_state(&mut self, view: &View) {
        let tick = view.ecm.tick();
        let since = self.sent_tick.replace(tick);
        let Some(since) = since.filter(|_| self.states.wanted()) else { return };
        let state = StampedState {
            sim_time: view.stats.sim_time,
            iterations: view.stats.iterations,
            state: Some(view.ecm.encode_since(since)),
        };
        send(&self.states, &state);
    }

    fn publish_joints(&mut self, view: &View) {
        let models = models_with_joints(&view.ecm);
        self.joints.retain(|name, _| models.iter().any(|(model, _)| model == name));
        for (model, joints) in models {
            if !self.joints.contains_key(&model) {
                match newest(self.bus.as_ref(), &names::joint_state(&model)) {
                    Ok(topic) => self.joints.insert(model.clone(), topic),
                    Err(error) => {
                        tracing::debug!(model, %error, "no topic for this model's joints");
                        continue;
                    }
                };
            }
            let Some(topic) = self.joints.get(&model).filter(|topic| topic.wanted()) else {
                continue;
            };
            let joint = joints.iter().map(|joint| joint_state(&view.ecm, *joint)).collect();
            send(topic, &JointStateV { stamp: view.stats.sim_time, model, joint });
        }
    }

    fn publish_raw(&mut self, message: &OutMessage) {
        // Of what comes back nothing may be missing.
        let delivery = match message.heard {
            true => Delivery::All,
            false => delivery_of(&message.type_name),
        };
        let known = self.systems.get(&message.topic);
        if known.is_none_or(|(_, known)| message.heard && *known != delivery) {
            let publisher = Name::new(&message.topic)
                .map_err(BusError::from)
                .and_then(|name| self.bus.advertise(&name, &message.type_name, delivery));
            match publisher {
                Ok(publisher) => {
                    self.systems.insert(message.topic.clone(), (publisher, delivery));
                }
                Err(error) => {
                    tracing::debug!(topic = message.topic, %error, "a system's topic is unusable");
                    return;
                }
            }
        }
        let comes_back = message.heard && self.listening.contains_key(&message.topic);
        if comes_back {
            self.echoes.expect(&message.topic, &message.bytes);
        }
        if let Some((publisher, _)) = self.systems.get(&message.topic)
            && let Err(error) = publisher.publish(message.bytes.clone())
        {
            if comes_back {
                self.echoes.take(&message.topic, &message.bytes);
            }
            tracing::debug!(topic = message.topic, %error, "a message was not published");
        }
    }
}

/// Returns how messages of systems are delivered: what happened is not replaced by what happens next.
fn delivery_of(type_name: &str) -> Delivery {
    let events =
        [MotionResult::full_name(), TextCommandFired::full_name(), LockstepTurn::full_name()];
    // Of feedback the newest would do, were there not one for each goal on the same topic.
    let told_of_each = [MotionFeedback::full_name()];
    match events.iter().chain(&told_of_each).any(|known| known == type_name) {
        true => Delivery::All,
        false => Delivery::Newest,
    }
}

fn newest<M: Typed>(bus: &dyn Bus, topic: &str) -> Result<Topic<M>, BusError> {
    Topic::new(bus, topic, Delivery::Newest)
}

fn all<M: Typed>(bus: &dyn Bus, topic: &str) -> Result<Topic<M>, BusError> {
    Topic::new(bus, topic, Delivery::All)
}

/// Publishes a message that is shared until it changes, when it has changed.
fn publish_changed<M: Typed>(topic: &Topic<M>, last: &mut Option<Arc<M>>, new: &Arc<M>) {
    if !last.as_ref().is_some_and(|last| Arc::ptr_eq(last, new)) {
        *last = Some(Arc::clone(new));
        send(topic, new.as_ref());
    }
}

fn send<M: Typed>(topic: &Topic<M>, message: &M) {
    if let Err(error) = topic.publish(message) {
        // A replica that misses a delta notices by the tick and asks for the whole state.
        tracing::debug!(%error, "a message was not published");
    }
}

/// World poses of models and of links that can move.
fn poses_of(ecm: &Ecm) -> Vec<EntityPose> {
    let moves = |entity: EntityId, kind: &Kind| {
        *kind == Kind::Model || (*kind == Kind::Link && ecm.get::<BodyTwist>(entity).is_some())
    };
    let moving = ecm.iter::<Kind>().filter(|(entity, kind)| moves(*entity, kind));
    moving
        .map(|(entity, _)| EntityPose {
            id: entity.raw(),
            name: path_of(ecm, entity),
            pose: Some(world_pose(ecm, entity).into()),
            frame: String::new(),
        })
        .collect()
}

fn models_with_joints(ecm: &Ecm) -> Vec<(String, Vec<EntityId>)> {
    let mut models: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
    for (joint, spec) in ecm.iter::<JointSpec>() {
        let model = ecm.get::<Parent>(joint).map(|parent| parent.0);
        if let (Some(model), false) = (model, spec.axes.is_empty()) {
            models.entry(model).or_default().push(joint);
        }
    }
    let named = models.into_iter().map(|(model, joints)| (path_of(ecm, model), joints));
    named.map(|(name, joints)| (name.replace("::", "/"), joints)).collect()
}

pub(crate) fn joint_state(ecm: &Ecm, joint: EntityId) -> JointState {
    JointState {
        id: joint.raw(),
        name: ecm.get::<EntityName>(joint).map(|name| name.0.clone()).unwrap_or_default(),
        position: axes::<JointPosition>(ecm, joint, |all| &all.0),
        velocity: axes::<JointVelocity>(ecm, joint, |all| &all.0),
        effort: axes::<JointEffort>(ecm, joint, |all| &all.0),
    }
}

fn axes<T: Component>(ecm: &Ecm, joint: EntityId, values: fn(&T) -> &Vec<f64>) -> Vec<f64> {
    ecm.get::<T>(joint).map(|all| values(all).clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use retake_transport::InProcessBus;

    use super::*;
    use crate::inbox::{Item, inbox};

    #[test]
    fn what_gave_way_in_the_queue_is_told_to_everybody() {
        let (door, inbox) = inbox();
        let mut publisher = Publisher::new(Arc::new(InProcessBus::new()), "w", door).unwrap();
        publisher.watch(None, std::iter::empty(), 0);
        publisher.watch(None, std::iter::empty(), 7);
        let mut told = Vec::new();
        inbox.drain(&mut |item| match item {
            Item::Told(text) => told.push(text),
            _ => panic!("nothing else is asked"),
        });
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("7 samples of watched values were left out"), "{told:?}");
    }
}
