//! Stands in for the step thread while a system holds it up.
//!
//! What can be told from the last view is, and what would change the world is refused, so that
//! nobody waits for an answer that never comes.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use retake_components::{WorldClock, world_entity};
use retake_msgs::notification::Level;
use retake_msgs::{FailedSystem, Findings, Notification, ServerInfo, WorldSource, WorldStatistics};

use super::{HeldUp, Keeper, lock};
use crate::inbox::{Envelope, SideDoor};
use crate::introspection::ItemsAnswer;
use crate::request::{StateAnswer, StatePart};
use crate::whereabouts::Acting;
use crate::{Event, Request, Response, View, ViewSink};

/// How often pages are told that the world is still held up.
const REMINDER: Duration = Duration::from_secs(1);

/// What takes views and events, shared with whoever stands in for the step thread.
pub(crate) type Sinks = Arc<Mutex<Vec<Box<dyn ViewSink>>>>;

/// What the step thread leaves for the watchdog.
#[derive(Default)]
pub(crate) struct LastSeen {
    view: Mutex<Option<(View, WorldSource)>>,
    held_up: Mutex<Option<String>>,
}

impl LastSeen {
    /// Keeps what the world was like last.
    pub(crate) fn note(&self, view: &View, source: &WorldSource) {
        *lock(&self.view) = Some((view.clone(), source.clone()));
    }

    /// Says which system holds the world up, if one does.
    pub(crate) fn held_up(&self) -> Option<String> {
        lock(&self.held_up).clone()
    }
}

/// Tells every client something without the step thread.
#[derive(Clone)]
pub(crate) struct Crier {
    sinks: Weak<Mutex<Vec<Box<dyn ViewSink>>>>,
    last: Arc<LastSeen>,
}

impl Crier {
    pub(crate) fn new(sinks: &Sinks, last: &Arc<LastSeen>) -> Self {
        Self { sinks: Arc::downgrade(sinks), last: Arc::clone(last) }
    }

    pub(crate) fn tell(&self, level: Level, text: String) {
        let sim_time = lock(&self.last.view).as_ref().and_then(|(view, _)| view.stats.sim_time);
        let author = String::new();
        let told = Notification { level: level.into(), text, author, sim_time };
        self.each_sink(|sink| sink.event(&Event::Notified(told.clone())));
    }

    fn each_sink(&self, act: impl Fn(&mut Box<dyn ViewSink>)) {
        // A runner that has ended has nobody left to tell.
        let Some(sinks) = self.sinks.upgrade() else { return };
        lock(&sinks).iter_mut().for_each(act);
    }
}

/// Answers for a world that a system holds up.
pub(crate) struct HeldWorld {
    pub(crate) door: SideDoor,
    pub(crate) crier: Crier,
    pub(crate) info: ServerInfo,
    pub(crate) findings: Arc<Findings>,
    /// How long it had lasted when pages were told last.
    pub(crate) told: Duration,
}

impl Keeper for HeldWorld {
    fn hold(&mut self, held_up: &HeldUp) {
        let text = held_up.text("The world", "Nothing can be changed", "the server");
        let acting = &held_up.acting;
        let last = Arc::clone(&self.crier.last);
        *lock(&last.held_up) = Some(text.clone());
        if held_up.is_news {
            tracing::error!(system = acting.system, callback = acting.callback, "{text}");
            self.crier.tell(Level::Error, text.clone());
        }
        let view = lock(&last.view).clone();
        self.remind(held_up, view.as_ref().map(|(view, _)| view));
        let Self { door, info, findings, .. } = self;
        door.answer(&mut |envelope| {
            let known = Known { view: view.as_ref(), info, findings, acting, text: &text };
            known.answer(envelope)
        });
    }

    fn let_go(&mut self, came_back: &HeldUp) {
        *lock(&self.crier.last.held_up) = None;
        let text = came_back.came_back("the world");
        tracing::info!("{text}");
        self.crier.tell(Level::Info, text);
    }
}

impl HeldWorld {
    /// Shows statistics that name the system, now and then.
    fn remind(&mut self, held_up: &HeldUp, view: Option<&View>) {
        if !held_up.is_news && held_up.lasted < self.told + REMINDER {
            return;
        }
        self.told = held_up.lasted;
        let Some(view) = view else { return };
        let stats = statistics(&view.stats, &held_up.acting);
        let view = View { stats, ..view.clone() };
        self.crier.each_sink(|sink| sink.view(&view));
    }
}

/// What can be said without the step thread.
struct Known<'a> {
    view: Option<&'a (View, WorldSource)>,
    info: &'a ServerInfo,
    findings: &'a Arc<Findings>,
    acting: &'a Acting,
    text: &'a str,
}

impl Known<'_> {
    /// Answers a request, or gives back what the step thread is to have later.
    fn answer(&self, envelope: Envelope) -> Option<Envelope> {
        if is_for_later(&envelope.request) {
            return Some(envelope);
        }
        let response = self.response(envelope.request);
        (envelope.reply)(response.unwrap_or_else(|| Response::Failed(self.text.to_owned())));
        None
    }

    /// Tells what is known of the last instant; nothing where only the world itself could.
    fn response(&self, request: Request) -> Option<Response> {
        let (view, source) = self.view?;
        Some(match request {
            Request::Info(_) => Response::Info(self.info.clone()),
            Request::Source(_) => Response::Source(source.clone()),
            Request::Findings => Response::Findings(Arc::clone(self.findings)),
            Request::Stats => Response::Stats(Box::new(statistics(&view.stats, self.acting))),
            Request::State(request) => {
                let part = request.since_tick.map_or(StatePart::Full, StatePart::Since);
                Response::State(state(view, part)?)
            }
            Request::Scene => Response::State(state(view, StatePart::Scene)?),
            Request::History => Response::History(Arc::clone(&view.history)),
            Request::Timeline => Response::Timeline(Arc::clone(&view.timeline)),
            Request::Pending => Response::Pending(Arc::clone(&view.pending)),
            Request::Items(request) => {
                Response::Items(ItemsAnswer { view: view.ecm.clone(), request })
            }
            _ => return None,
        })
    }
}

/// Says whether a request tells of something that has happened, and nobody waits for its answer.
fn is_for_later(request: &Request) -> bool {
    match request {
        Request::Message { .. } | Request::LeaveGui(_) | Request::GuiPending(_) => true,
        Request::Source(request) => request.saved_hash.is_some(),
        _ => false,
    }
}

fn state(view: &View, part: StatePart) -> Option<StateAnswer> {
    let ecm = view.ecm.clone();
    let clock = ecm.get::<WorldClock>(world_entity(&ecm)?).copied()?;
    Some(StateAnswer { view: ecm, clock, part })
}

fn statistics(stats: &WorldStatistics, acting: &Acting) -> WorldStatistics {
    let reason = format!("it has not come back from {}; the world waits for it", acting.callback);
    let mut stats = WorldStatistics { real_time_factor: 0.0, ..stats.clone() };
    stats.failed_systems.push(FailedSystem { name: acting.system.clone(), reason });
    stats
}
