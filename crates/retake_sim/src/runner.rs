//! The step thread: drains the inbox, steps at the pace of real time, gives views out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use retake_msgs::notification::Level;
use retake_msgs::{LogStatus, WorldStatistics};

use crate::inbox::{Inbox, Senders};
use crate::intake::Intake;
use crate::introspection::Measured;
use crate::pace::Pace;
use crate::recording::{Pressure, Recording, ended_message};
use crate::stats::Meter;
use crate::watchdog::{Crier, HeldWorld, LastSeen, Place, Sinks, Watchdog};
use crate::{Event, GuiActions, RealTimeFactor, Recorder, Response, Server, View, ViewSink};

/// Views are given out at most this often.
const VIEW_PERIOD: Duration = Duration::from_micros(16_666);
/// While nothing happens, views still go out this often, so that statistics stay alive.
const IDLE_PERIOD: Duration = Duration::from_millis(200);

/// How long a world without a pace lets its recording catch up at once.
const RECORDING_PAUSE: Duration = Duration::from_millis(2);
/// A recording that has not moved for this long is not waited for.
const STUCK_AFTER: Duration = Duration::from_secs(2);

/// How long controllers have for a turn unless told otherwise.
const LOCKSTEP_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs a server.
pub struct Runner {
    server: Server,
    inbox: Inbox,
    intake: Intake,
    sinks: Sinks,
    /// What the watchdog knows of the world.
    last_seen: Arc<LastSeen>,
    /// Number of the step after which it ends; none runs until told to stop.
    last: Option<u64>,
    stop: Arc<AtomicBool>,
    meter: Meter,
    pace: Pace,
    last_view: Option<Instant>,
    /// Whether something changed since the last view.
    stale: bool,
    /// Whether somebody was told something that the watchdog does not know of yet.
    told_more: bool,
    recording: Option<Recording>,
    /// Whether it was recorded when somebody looked last.
    records: bool,
    /// How long controllers have for each turn.
    lockstep_timeout: Duration,
    /// When controllers were asked that have not all answered yet.
    asked: Option<Instant>,
    /// Since when a recording that is waited for has not moved, and where it was.
    stuck: Option<(Instant, u64)>,
}

/// Stops a runner and waits for its thread.
pub struct RunnerHandle {
    stop: Arc<AtomicBool>,
    last_seen: Arc<LastSeen>,
    thread: JoinHandle<Server>,
}

impl RunnerHandle {
    /// Asks the runner to end after its present step.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Says whether the runner has ended.
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Says which system holds the world up by not coming back, if one does; then waiting for the
    /// end could take forever.
    pub fn held_up(&self) -> Option<String> {
        self.last_seen.held_up()
    }

    /// Waits for the end and returns the server.
    ///
    /// # Errors
    /// When the step thread panicked.
    pub fn join(self) -> Result<Server, String> {
        self.thread.join().map_err(|_| "the step thread panicked".to_owned())
    }
}

impl Runner {
    /// Makes a runner.
    pub fn new(server: Server, inbox: Inbox, sinks: Vec<Box<dyn ViewSink>>) -> Self {
        Self {
            server,
            inbox,
            intake: Intake::default(),
            sinks: Arc::new(Mutex::new(sinks)),
            last_seen: Arc::default(),
            last: None,
            stop: Arc::default(),
            meter: Meter::new(),
            pace: Pace::new(Instant::now()),
            last_view: None,
            stale: true,
            told_more: false,
            recording: None,
            records: false,
            stuck: None,
            lockstep_timeout: LOCKSTEP_TIMEOUT,
            asked: None,
        }
    }

    /// Gives the controllers that steps wait for this long for each turn.
    pub fn lockstep_timeout(mut self, timeout: Duration) -> Self {
        self.lockstep_timeout = timeout;
        self
    }

    /// Lets others record the world.
    pub fn recorder(mut self, recorder: Arc<Recorder>) -> Self {
        self.recording = Some(Recording::new(recorder));
        self
    }

    /// Asks GUIs that have an Ecm of their own through `guis` before the world goes on.
    pub fn guis(mut self, guis: Arc<dyn GuiActions>) -> Self {
        self.intake.ask_guis(guis);
        self
    }

    /// Ends after this many steps.
    pub fn iterations(mut self, iterations: Option<u64>) -> Self {
        // A world that goes on from a log has made some before.
        let made = self.server.simulation().clock().iterations;
        self.last = iterations.map(|more| made.saturating_add(more));
        self
    }

    /// Starts the step thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(self) -> std::io::Result<RunnerHandle> {
        let (stop, last_seen) = (Arc::clone(&self.stop), Arc::clone(&self.last_seen));
        let thread = thread::Builder::new().name("step".to_owned()).spawn(move || self.run())?;
        Ok(RunnerHandle { stop, last_seen, thread })
    }

    /// Runs on this thread until stopped, done, or nobody can send requests any more.
    pub fn run(mut self) -> Server {
        self.server.squeeze_on_thread();
        let _watchdog = self.watch();
        while !self.stop.load(Ordering::Relaxed) && !self.is_done() {
            if self.serve_inbox() == Senders::None {
                break;
            }
            self.record();
            self.publish_when_due();
            if self.server.wants_step() {
                self.step_when_due();
            } else {
                self.stand_still();
            }
        }
        self.record();
        self.publish();
        self.tell_events();
        if let Some(recording) = &mut self.recording {
            recording.let_go(&mut self.server);
        }
        self.intake.close();
        self.inbox.close();
        self.server
    }

    /// Lets somebody notice when a system or a step does not come back.
    fn watch(&self) -> Watchdog {
        let crier = Crier::new(&self.sinks, &self.last_seen);
        let (info, findings) = (self.server.info(), Arc::clone(self.server.findings()));
        let world = HeldWorld::new(self.inbox.side_door(), crier.clone(), info, findings);
        let mut places = vec![Place::new(self.server.simulation().whereabouts(), world)];
        places.extend(self.intake.watched(&crier));
        Watchdog::start(places)
    }

    fn each_sink(&self, act: impl FnMut(&mut Box<dyn ViewSink>)) {
        // A sink that panicked has lost what it was given, and takes the next.
        self.sinks.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(act);
    }

    fn is_done(&self) -> bool {
        let made = self.server.simulation().clock().iterations;
        // A run of a given length that failed would never come to its end.
        self.last.is_some_and(|last| made >= last || self.server.failed())
    }

    fn serve_inbox(&mut self) -> Senders {
        let (server, intake) = (&mut self.server, &mut self.intake);
        let (stale, told_more, meter) = (&mut self.stale, &mut self.told_more, &self.meter);
        self.inbox.drain(&mut |item| {
            *stale = true;
            *told_more |= item.shows_the_world();
            intake.take(server, item, &|response| with_meter(response, meter));
        })
    }

    fn step_when_due(&mut self) {
        let wait = self.pace.wait(Instant::now(), self.server.pace());
        if !wait.is_zero() {
            // Requests are answered while waiting, and the wait begins anew after each.
            // In parts, so that a slow world still hears that it is to stop.
            self.wait(wait.min(IDLE_PERIOD));
            return;
        }
        if self.waits_for_recording() {
            self.wait(RECORDING_PAUSE);
            return;
        }
        if self.waits_for_controllers() {
            return;
        }
        let before = self.server.simulation().clock();
        self.note_what_was_told();
        self.server.step();
        self.pace.stepped(before.step_size.as_secs_f64());
        self.stale = true;
        let messages = self.server.drain_messages();
        if !messages.is_empty() {
            self.each_sink(|sink| sink.messages(&messages));
        }
    }

    /// Asks the controllers that steps wait for, and waits a while when they have not answered.
    ///
    /// Requests are served while waiting. Says whether the step has to wait on.
    fn waits_for_controllers(&mut self) -> bool {
        let waits = self.server.lockstep_waits();
        let turns = self.server.take_turns();
        if !turns.is_empty() {
            self.asked = None;
            self.each_sink(|sink| sink.messages(&turns));
        }
        if !waits {
            self.asked = None;
            return false;
        }
        let asked = *self.asked.get_or_insert_with(Instant::now);
        let left = self.lockstep_timeout.saturating_sub(asked.elapsed());
        if left.is_zero() {
            self.asked = None;
            self.stale = true;
            return self.server.give_up_turn(self.lockstep_timeout);
        }
        self.wait(left.min(IDLE_PERIOD));
        true
    }

    fn record(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.follow(&mut self.server);
        }
    }

    /// Tells clients when a recording ended that nobody stopped.
    fn follow_recording(&mut self) -> Arc<LogStatus> {
        let recorder = self.recording.as_ref().map(Recording::recorder);
        let status = recorder.map(|recorder| recorder.status()).unwrap_or_default();
        if std::mem::replace(&mut self.records, status.recording)
            && !status.recording
            && !status.ended.is_empty()
        {
            self.server.notify(Level::Error, ended_message(&status));
        }
        status
    }

    /// Says whether a world without a pace of its own should let its recording catch up.
    ///
    /// Nothing is left out of a run that is as fast as possible; the thread itself goes on serving
    /// requests. A disk that does not move at all is not waited for.
    fn waits_for_recording(&mut self) -> bool {
        let pressure = self.recording.as_ref().and_then(Recording::pressure);
        let high = pressure.filter(|pressure| pressure.high);
        let unbounded = self.server.pace() == RealTimeFactor::UNBOUNDED;
        let Some(Pressure { written, .. }) = high.filter(|_| unbounded) else {
            self.stuck = None;
            return false;
        };
        let (since, seen) = *self.stuck.get_or_insert_with(|| (Instant::now(), written));
        if seen != written {
            self.stuck = Some((Instant::now(), written));
        }
        seen != written || since.elapsed() < STUCK_AFTER
    }

    fn stand_still(&mut self) {
        self.meter.stand_still();
        self.pace.restart(Instant::now());
        let until_view = if self.stale { VIEW_PERIOD } else { IDLE_PERIOD };
        self.wait(until_view);
    }

    fn wait(&mut self, most: Duration) {
        let (server, intake) = (&mut self.server, &mut self.intake);
        let (stale, told_more, meter) = (&mut self.stale, &mut self.told_more, &self.meter);
        // That nobody can send any more shows at the next drain.
        self.inbox.wait(most, &mut |item| {
            *stale = true;
            *told_more |= item.shows_the_world();
            intake.take(server, item, &|response| with_meter(response, meter));
        });
    }

    fn publish_when_due(&mut self) {
        let period = if self.stale { VIEW_PERIOD } else { IDLE_PERIOD };
        let due = self.last_view.is_none_or(|last| last.elapsed() >= period);
        if due {
            self.publish();
        }
        self.tell_events();
    }

    fn publish(&mut self) {
        let now = Instant::now();
        let clock = self.server.simulation().clock();
        if self.server.wants_step() {
            self.meter.sample(now, clock.sim_time);
        }
        let (real_time, real_time_factor) = (self.meter.ran(), self.meter.real_time_factor());
        self.server.measure(Measured { real_time, real_time_factor });
        let view = self.view();
        self.last_seen.note(&view, self.server.world_source());
        self.each_sink(|sink| sink.view(&view));
        self.last_view = Some(now);
        (self.stale, self.told_more) = (false, false);
    }

    /// Lets the watchdog know of all that somebody was told, so that while the coming step takes
    /// long nobody is told what was before.
    fn note_what_was_told(&mut self) {
        if std::mem::take(&mut self.told_more) {
            let view = self.view();
            self.last_seen.note(&view, self.server.world_source());
        }
    }

    fn view(&mut self) -> View {
        let mut stats = self.server.statistics();
        measure(&mut stats, &self.meter);
        let history = Arc::clone(self.server.history());
        let timeline = self.server.timeline();
        let pending = Arc::clone(self.server.pending());
        let recording = self.follow_recording();
        View { ecm: self.server.view(), stats, history, timeline, pending, recording }
    }

    fn tell_events(&mut self) {
        for event in self.server.drain_events() {
            if matches!(event, Event::TimeJumped(_)) {
                self.meter.jumped();
            }
            self.each_sink(|sink| sink.event(&event));
        }
        if let Some(filters) = self.server.changed_filters() {
            self.each_sink(|sink| sink.filters(&filters));
        }
        let samples: Arc<[_]> = self.server.drain_samples().into();
        if !samples.is_empty() {
            self.each_sink(|sink| sink.samples(&samples));
        }
        if let Some(topics) = self.server.changed_subscriptions() {
            self.each_sink(|sink| sink.subscriptions(&topics));
        }
    }
}

/// Adds to statistics what only a clock on the wall knows.
fn measure(stats: &mut WorldStatistics, meter: &Meter) {
    stats.real_time = Some(meter.ran().into());
    stats.real_time_factor = meter.real_time_factor();
}

fn with_meter(mut response: Response, meter: &Meter) -> Response {
    if let Response::Stats(stats) = &mut response {
        measure(stats, meter);
    }
    response
}
