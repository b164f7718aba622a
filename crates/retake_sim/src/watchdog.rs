//! Notices when a system does not come back, says which, and stands in for the step thread.
//!
//! A thread beside the step thread looks a few times a second which call of a system is under way.
//! One that lasts is named to every client; from then on what can be told from the last view is,
//! and what would change the world is refused, so that nobody waits for an answer that never comes.
//! When the system comes back after all, the step thread goes on as if nothing had been.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use retake_components::{WorldClock, world_entity};
use retake_msgs::notification::Level;
use retake_msgs::{FailedSystem, Findings, Notification, ServerInfo, WorldSource, WorldStatistics};

use crate::inbox::{Envelope, SideDoor};
use crate::introspection::ItemsAnswer;
use crate::request::{StateAnswer, StatePart};
use crate::whereabouts::{Acting, Whereabouts};
use crate::{Event, Request, Response, View, ViewSink};

/// How often the watchdog looks. A look that comes late, as on a machine that slept or is very
/// busy, counts no more than twice this.
const LOOK: Duration = Duration::from_millis(100);
/// How often it does while it answers in place of the step thread.
const SERVE: Duration = Duration::from_millis(10);
/// A call of a system that lasts this long holds the world up.
const PATIENCE: Duration = Duration::from_millis(700);
/// How often pages are told that it still does.
const REMINDER: Duration = Duration::from_secs(1);

/// What takes views and events, shared with whoever stands in for the step thread.
pub(crate) type Sinks = Arc<Mutex<Vec<Box<dyn ViewSink>>>>;

/// What the step thread leaves for the watchdog.
#[derive(Default)]
pub(crate) struct LastSeen {
    view: Mutex<Option<(View, WorldSource)>>,
    held_up: Mutex<Option<String>>,
    ended: AtomicBool,
}

/// What a watchdog watches, and what it answers with.
pub(crate) struct Watched {
    pub(crate) whereabouts: Whereabouts,
    pub(crate) door: SideDoor,
    pub(crate) sinks: Weak<Mutex<Vec<Box<dyn ViewSink>>>>,
    pub(crate) info: ServerInfo,
    pub(crate) findings: Arc<Findings>,
}

/// Ends the watchdog's thread when it is dropped.
pub(crate) struct Watchdog {
    last: Arc<LastSeen>,
    thread: Option<Thread>,
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

impl Watchdog {
    /// Starts to watch; without a thread nobody does, and the world goes on unwatched.
    pub(crate) fn start(watched: Watched, last: &Arc<LastSeen>) -> Self {
        let theirs = Arc::clone(last);
        let thread = thread::Builder::new().name("watchdog".to_owned());
        let watch = Watch { watched, last: theirs, named: None, told: None };
        let spawned = thread.spawn(move || watch.watch());
        if let Err(error) = &spawned {
            tracing::warn!(%error, "no thread for the watchdog; systems are not watched");
        }
        let thread = spawned.ok().map(|handle| handle.thread().clone());
        Self { last: Arc::clone(last), thread }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.last.ended.store(true, Ordering::Relaxed);
        self.thread.iter().for_each(Thread::unpark);
    }
}

struct Watch {
    watched: Watched,
    last: Arc<LastSeen>,
    /// Who holds the world up.
    named: Option<Acting>,
    /// When clients were told last.
    told: Option<Instant>,
}

/// A call that is under way, for how long it has been seen to be.
struct Call {
    turn: u64,
    lasted: Duration,
}

impl Watch {
    fn watch(mut self) {
        let mut call: Option<Call> = None;
        let mut looked = Instant::now();
        while !self.last.ended.load(Ordering::Relaxed) {
            thread::park_timeout(if self.named.is_some() { SERVE } else { LOOK });
            let passed = looked.elapsed().min(2 * LOOK);
            looked = Instant::now();
            call = match (self.watched.whereabouts.turn(), call.take()) {
                (Some(turn), Some(known)) if known.turn == turn => {
                    Some(Call { turn, lasted: known.lasted + passed })
                }
                (now, before) => {
                    self.let_go(before);
                    now.map(|turn| Call { turn, lasted: Duration::ZERO })
                }
            };
            if let Some(call) = call.as_ref().filter(|call| call.lasted >= PATIENCE) {
                self.hold(call);
            }
        }
        self.let_go(call);
    }

    /// Names the system that does not come back, and answers who asks.
    fn hold(&mut self, call: &Call) {
        let acting = self.watched.whereabouts.acting().filter(|acting| acting.turn == call.turn);
        let Some(acting) = acting else { return };
        let text = held_up(&acting, call.lasted);
        *lock(&self.last.held_up) = Some(text.clone());
        let is_news = self.named.is_none();
        if is_news {
            self.named = Some(acting.clone());
            tracing::error!(system = acting.system, callback = acting.callback, "{text}");
            self.tell(Level::Error, text.clone());
        }
        let view = lock(&self.last.view).clone();
        self.remind(&acting, view.as_ref().map(|(view, _)| view), is_news);
        let Watched { door, info, findings, .. } = &self.watched;
        door.answer(&mut |envelope| {
            let known = Known { view: view.as_ref(), info, findings, acting: &acting, text: &text };
            known.answer(envelope)
        });
    }

    /// Shows statistics that name the system, now and then.
    fn remind(&mut self, acting: &Acting, view: Option<&View>, is_news: bool) {
        if !is_news && self.told.is_some_and(|told| told.elapsed() < REMINDER) {
            return;
        }
        self.told = Some(Instant::now());
        let Some(view) = view else { return };
        let stats = statistics(&view.stats, acting);
        let view = View { stats, ..view.clone() };
        self.each_sink(|sink| sink.view(&view));
    }

    /// Says that a system came back that was named before.
    fn let_go(&mut self, call: Option<Call>) {
        *lock(&self.last.held_up) = None;
        let Some(Acting { system, callback, .. }) = self.named.take() else { return };
        let secs = call.map_or(0.0, |call| call.lasted.as_secs_f64());
        let text = format!(
            "System {system} came back from {callback} after {secs:.1} s; the world goes on"
        );
        tracing::info!("{text}");
        self.tell(Level::Info, text);
    }

    fn tell(&self, level: Level, text: String) {
        let sim_time = lock(&self.last.view).as_ref().and_then(|(view, _)| view.stats.sim_time);
        let author = String::new();
        let told = Notification { level: level.into(), text, author, sim_time };
        self.each_sink(|sink| sink.event(&Event::Notified(told.clone())));
    }

    fn each_sink(&self, act: impl Fn(&mut Box<dyn ViewSink>)) {
        // A runner that has ended has nobody left to tell.
        let Some(sinks) = self.watched.sinks.upgrade() else { return };
        lock(&sinks).iter_mut().for_each(act);
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

fn held_up(acting: &Acting, lasted: Duration) -> String {
    let Acting { system, callback, .. } = acting;
    format!(
        "The world is held up: system {system} has not come back from {callback} for {:.1} s. \
         Nothing can be changed until it does; if it never does, end the server and mend the system",
        lasted.as_secs_f64()
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere leaves plain data behind, which is still good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
