//! Stands in for the step thread while it is held up.
//!
//! What can be told from the last view is. What would change the world is refused while a system
//! does not come back, so that nobody waits for an answer that never comes; while a step of physics
//! takes long it waits for its end, as a world of slow steps could not be changed otherwise.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use retake_components::{WorldClock, world_entity};
use retake_msgs::notification::Level;
use retake_msgs::{FailedSystem, Findings, Notification, ServerInfo, WorldSource, WorldStatistics};

use super::{HeldUp, Keeper, StuckSystem, lock};
use crate::inbox::SideDoor;
use crate::introspection::ItemsAnswer;
use crate::request::{StateAnswer, StatePart};
use crate::{Event, Request, Response, View, ViewSink};

/// How often pages are told that the world is still held up.
const REMINDER: Duration = Duration::from_secs(1);
/// Of so many steps that take long one is told, the first.
const SLOW_STEPS_TOLD: u64 = 100;

/// What takes views and events, shared with whoever stands in for the step thread.
pub(crate) type Sinks = Arc<Mutex<Vec<Box<dyn ViewSink>>>>;

/// What the step thread leaves for the watchdog.
#[derive(Default)]
pub(crate) struct LastSeen {
    view: Mutex<Option<(View, WorldSource)>>,
    held_up: Mutex<Option<String>>,
}

impl LastSeen {
    /// Keeps what the world was like last: what is answered while it is held up.
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

/// Answers for a world that is held up.
pub(crate) struct HeldWorld {
    door: SideDoor,
    crier: Crier,
    info: ServerInfo,
    findings: Arc<Findings>,
    /// How long it had lasted when pages were told last.
    reminded: Duration,
    /// How many steps took long.
    slow_steps: u64,
}

impl Keeper for HeldWorld {
    fn hold(&mut self, held_up: &HeldUp<'_>) {
        let holder = match held_up.system() {
            Some(system) => Holder::System(system, self.name(system, held_up.is_news)),
            None => {
                self.name_slow_step(held_up);
                Holder::Step(held_up.lasted)
            }
        };
        self.remind(&holder, held_up);
        let view = lock(&self.crier.last.view).clone();
        let Self { door, info, findings, .. } = self;
        let known = Known { view: view.as_ref(), info, findings, holder: &holder };
        door.answer(|| held_up.goes_on(), &|request| known.answer(request));
    }

    fn let_go(&mut self, came_back: &HeldUp<'_>) {
        let Some(system) = came_back.system() else { return };
        *lock(&self.crier.last.held_up) = None;
        let text = system.came_back("the world");
        tracing::info!("{text}");
        self.crier.tell(Level::Info, text);
    }
}

impl HeldWorld {
    /// Makes who answers what comes through `door`, and tells what it does through `crier`.
    pub(crate) fn new(
        door: SideDoor,
        crier: Crier,
        info: ServerInfo,
        findings: Arc<Findings>,
    ) -> Self {
        Self { door, crier, info, findings, reminded: Duration::ZERO, slow_steps: 0 }
    }

    /// Names a system to everybody when it is news; returns what is said of it.
    fn name(&self, system: StuckSystem<'_>, is_news: bool) -> String {
        let text = system.text("The world", "Nothing can be changed", "the server");
        *lock(&self.crier.last.held_up) = Some(text.clone());
        if is_news {
            let StuckSystem { name, callback, .. } = system;
            tracing::error!(system = name, callback, "{text}");
            self.crier.tell(Level::Error, text.clone());
        }
        text
    }

    /// Tells everybody that a step takes long; where many do, only now and then.
    fn name_slow_step(&mut self, held_up: &HeldUp<'_>) {
        if !held_up.is_news {
            return;
        }
        let number = self.slow_steps;
        self.slow_steps += 1;
        if !number.is_multiple_of(SLOW_STEPS_TOLD) {
            return;
        }
        let text = format!(
            "A step of physics takes long: {:.1} s so far. What the world was like before it is \
             told, all else waits for its end. Fewer joints and contacts make steps shorter",
            held_up.lasted.as_secs_f64()
        );
        tracing::warn!("{text}");
        self.crier.tell(Level::Warning, text);
    }

    /// Shows statistics that say what holds the world up, now and then.
    fn remind(&mut self, holder: &Holder<'_>, held_up: &HeldUp<'_>) {
        if !held_up.is_news && held_up.lasted < self.reminded + REMINDER {
            return;
        }
        self.reminded = held_up.lasted;
        let Some(sinks) = self.crier.sinks.upgrade() else { return };
        // First the sinks: whoever has them next shows what is newer.
        let mut sinks = lock(&sinks);
        let view = lock(&self.crier.last.view).as_ref().map(|(view, _)| view.clone());
        if let Some(view) = view.filter(|_| held_up.goes_on()) {
            let view = View { stats: holder.statistics(&view.stats), ..view };
            sinks.iter_mut().for_each(|sink| sink.view(&view));
        }
    }
}

/// What holds the world up.
enum Holder<'a> {
    /// A system that does not come back, perhaps never, and what is said of it.
    System(StuckSystem<'a>, String),
    /// A step of physics that has taken so long.
    Step(Duration),
}

impl Holder<'_> {
    /// Says of the last statistics what holds the world up.
    fn statistics(&self, stats: &WorldStatistics) -> WorldStatistics {
        let mut stats = WorldStatistics { real_time_factor: 0.0, ..stats.clone() };
        match self {
            Self::System(StuckSystem { name, callback, .. }, _) => {
                let reason =
                    format!("it has not come back from {callback}; the world waits for it");
                stats.failed_systems.push(FailedSystem { name: (*name).to_owned(), reason });
            }
            Self::Step(lasted) => {
                let waits = format!("a step of physics, {:.0} s so far", lasted.as_secs_f64());
                stats.waits_for = vec![waits];
            }
        }
        stats
    }
}

/// What can be said without the step thread.
struct Known<'a> {
    view: Option<&'a (View, WorldSource)>,
    info: &'a ServerInfo,
    findings: &'a Arc<Findings>,
    holder: &'a Holder<'a>,
}

impl Known<'_> {
    /// Returns what is said to a request now; nothing when the step thread is to have it later.
    fn answer(&self, request: &Request) -> Option<Response> {
        if is_for_later(request) {
            return None;
        }
        self.response(request).or_else(|| match self.holder {
            Holder::System(_, text) => Some(Response::Failed(text.clone())),
            Holder::Step(_) => None,
        })
    }

    /// Tells what is known of the last instant; nothing where only the world itself could.
    fn response(&self, request: &Request) -> Option<Response> {
        let (view, source) = self.view?;
        Some(match request {
            Request::Info(_) => Response::Info(self.info.clone()),
            Request::Source(_) => Response::Source(source.clone()),
            Request::Findings => Response::Findings(Arc::clone(self.findings)),
            Request::Stats => Response::Stats(Box::new(self.holder.statistics(&view.stats))),
            Request::State(request) => {
                let part = request.since_tick.map_or(StatePart::Full, StatePart::Since);
                Response::State(state(view, part)?)
            }
            Request::Scene => Response::State(state(view, StatePart::Scene)?),
            Request::History => Response::History(Arc::clone(&view.history)),
            Request::Timeline => Response::Timeline(Arc::clone(&view.timeline)),
            Request::Pending => Response::Pending(Arc::clone(&view.pending)),
            Request::Items(request) => {
                Response::Items(ItemsAnswer { view: view.ecm.clone(), request: request.clone() })
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc::{Receiver, Sender, channel};

    use retake_ecm::{Ecm, EntityId};
    use retake_msgs::WorldControl;

    use super::*;
    use crate::inbox::{Inbox, InboxSender, Item, inbox};
    use crate::whereabouts::{Acting, Callback, Whereabouts};

    struct Told(Sender<String>);

    impl ViewSink for Told {
        fn view(&mut self, _: &View) {}

        fn event(&mut self, event: &Event) {
            if let Event::Notified(told) = event {
                self.0.send(told.text.clone()).unwrap();
            }
        }
    }

    struct Stage {
        world: HeldWorld,
        sender: InboxSender,
        inbox: Inbox,
        told: Receiver<String>,
        whereabouts: Whereabouts,
        acting: Option<Acting>,
        _sinks: Sinks,
    }

    impl Stage {
        fn new() -> Self {
            let (tell, told) = channel();
            let (last, sinks): (Arc<LastSeen>, Sinks) = Default::default();
            lock(&sinks).push(Box::new(Told(tell)));
            last.note(&view(), &WorldSource::default());
            let ((sender, inbox), crier) = (inbox(), Crier::new(&sinks, &last));
            let (info, findings) = (ServerInfo::default(), Arc::default());
            let world = HeldWorld::new(inbox.side_door(), crier, info, findings);
            let whereabouts = Whereabouts::default();
            Self { world, sender, inbox, told, whereabouts, acting: None, _sinks: sinks }
        }

        fn ask(&self, request: Request) -> Receiver<Response> {
            let (tell, answer) = channel();
            self.sender.send(request, Box::new(move |response| drop(tell.send(response))));
            answer
        }

        /// What acts now takes long, or what acted last did.
        fn hold(&mut self, is_news: bool) {
            let (whereabouts, lasted) = (&self.whereabouts, Duration::from_secs(2));
            self.acting = whereabouts.acting().or(self.acting.take());
            let acting = self.acting.clone().unwrap();
            self.world.hold(&HeldUp { acting, lasted, is_news, whereabouts });
        }
    }

    fn view() -> View {
        View {
            ecm: Ecm::new(crate::systems::registry()).snapshot(),
            stats: WorldStatistics { real_time_factor: 1.0, ..WorldStatistics::default() },
            history: Arc::default(),
            timeline: Arc::default(),
            pending: Arc::default(),
            recording: Arc::default(),
        }
    }

    fn change() -> Request {
        Request::Control(WorldControl { pause: Some(true), ..WorldControl::default() })
    }

    #[test]
    fn while_a_step_takes_long_what_looks_is_answered_and_changes_wait() {
        let mut stage = Stage::new();
        let (change, look) = (stage.ask(change()), stage.ask(Request::Stats));
        stage.whereabouts.enter_step();
        stage.hold(true);
        let Response::Stats(stats) = look.try_recv().unwrap() else { panic!("no statistics") };
        assert_eq!(stats.waits_for, ["a step of physics, 2 s so far"]);
        assert_eq!((stats.failed_systems.len(), stats.real_time_factor), (0, 0.0));
        assert!(change.try_recv().is_err(), "it is for the step thread");
        assert_eq!(stage.world.crier.last.held_up(), None);
        let mut left = 0;
        stage.inbox.drain(&mut |item| left += usize::from(matches!(item, Item::Request(_))));
        assert_eq!(left, 1, "which has it when the step is done");
    }

    #[test]
    fn what_came_first_is_taken_first_also_when_it_was_laid_aside() {
        let mut stage = Stage::new();
        let play = Request::Control(WorldControl { pause: Some(false), ..WorldControl::default() });
        let (_first, look) = (stage.ask(change()), stage.ask(Request::Stats));
        stage.whereabouts.enter_step();
        stage.hold(true);
        stage.whereabouts.leave();
        let (_second, late) = (stage.ask(play.clone()), stage.ask(Request::Stats));
        stage.hold(false);
        assert!(look.try_recv().is_ok(), "answered while the step took long");
        assert!(late.try_recv().is_err(), "the step is over: it is for the step thread");
        let mut taken = Vec::new();
        let mut take = |item| {
            let Item::Request(envelope) = item else { return };
            taken.push(envelope.request);
        };
        stage.inbox.wait(Duration::ZERO, &mut take);
        stage.inbox.drain(&mut take);
        assert_eq!(taken, [change(), play, Request::Stats]);
    }

    #[test]
    fn whoever_still_waits_at_the_end_is_told_that_it_is_over() {
        let mut stage = Stage::new();
        let laid_aside = stage.ask(change());
        stage.whereabouts.enter_step();
        stage.hold(true);
        let waiting = stage.ask(change());
        stage.inbox.close();
        for answer in [laid_aside, waiting] {
            let Response::Failed(text) = answer.try_recv().unwrap() else { panic!("not failed") };
            assert_eq!(text, "The server has stopped");
        }
    }

    #[test]
    fn while_a_system_does_not_come_back_changes_are_refused() {
        let mut stage = Stage::new();
        let change = stage.ask(change());
        let plugin = EntityId::from_raw(7);
        stage.whereabouts.name(BTreeMap::from([(7, "mover".to_owned())]), &[]);
        stage.whereabouts.enter(plugin, Callback::PreUpdate);
        stage.hold(true);
        let Response::Failed(text) = change.try_recv().unwrap() else { panic!("not refused") };
        assert!(
            text.contains("system mover has not come back from pre_update for 2.0 s"),
            "{text}"
        );
        assert!(stage.world.crier.last.held_up().is_some());
    }

    #[test]
    fn what_waited_for_a_long_step_is_refused_when_a_system_hangs_behind_it() {
        let mut stage = Stage::new();
        let message = Request::Message { topic: "cmd".to_owned(), bytes: Vec::new() };
        let (change, message) = (stage.ask(change()), stage.ask(message));
        stage.whereabouts.enter_step();
        stage.hold(true);
        assert!(change.try_recv().is_err(), "it waits for the end of the step");
        stage.whereabouts.enter(EntityId::from_raw(7), Callback::PostUpdate);
        stage.hold(true);
        let Response::Failed(text) = change.try_recv().unwrap() else { panic!("not refused") };
        assert!(text.contains("has not come back from post_update"), "{text}");
        assert!(message.try_recv().is_err(), "what systems are sent is theirs later");
    }

    #[test]
    fn of_many_steps_that_take_long_one_is_told() {
        let mut stage = Stage::new();
        for _ in 0..5 {
            stage.whereabouts.enter_step();
            stage.hold(true);
            stage.hold(false);
        }
        let told: Vec<String> = stage.told.try_iter().collect();
        assert!(told.len() == 1 && told[0].starts_with("A step of physics takes long"), "{told:?}");
    }
}
