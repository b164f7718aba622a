//! Notices when a system does not come back, or a step of the engine takes long, and has somebody
//! say so.
//!
//! A thread beside those that call systems looks a few times a second which call is under way on
//! each of them. What is done about one that lasts is for its [`Keeper`]: [`world`] stands in for
//! the step thread, the desk of the timeline refuses who wants to look back, [`bystander`] only
//! says it. When it comes back after all, everything goes on as if nothing had been.

mod bystander;
mod world;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::whereabouts::{Acting, Actor, Whereabouts};

pub use bystander::SystemWatch;
pub(crate) use world::{Crier, HeldWorld, LastSeen, Sinks};

/// How often the watchdog looks. A look that comes late, as on a machine that slept or is very
/// busy, counts no more than twice this.
const LOOK: Duration = Duration::from_millis(100);
/// How often it does while it answers in place of another thread.
const SERVE: Duration = Duration::from_millis(10);
/// A call that lasts this long holds its thread up.
const PATIENCE: Duration = Duration::from_millis(700);

/// What is done about a call that does not come back.
pub(crate) trait Keeper: Send {
    /// Is told again and again while a call lasts too long.
    fn hold(&mut self, held_up: &HeldUp<'_>);

    /// Is told once when a call came back that lasted too long.
    fn let_go(&mut self, came_back: &HeldUp<'_>);
}

/// A call that lasts too long.
pub(crate) struct HeldUp<'a> {
    pub(crate) acting: Acting,
    pub(crate) lasted: Duration,
    /// Whether nobody was told of it yet.
    pub(crate) is_news: bool,
    whereabouts: &'a Whereabouts,
}

/// A system that does not come back.
#[derive(Clone, Copy)]
pub(crate) struct StuckSystem<'a> {
    pub(crate) name: &'a str,
    pub(crate) callback: &'a str,
    lasted: Duration,
}

impl HeldUp<'_> {
    /// Says whether the call still lasts.
    pub(crate) fn goes_on(&self) -> bool {
        self.whereabouts.turn() == Some(self.acting.turn)
    }

    /// Returns the system that does not come back; none when it is the engine, which will.
    pub(crate) fn system(&self) -> Option<StuckSystem<'_>> {
        match &self.acting.actor {
            Actor::System { name, callback } => {
                Some(StuckSystem { name, callback, lasted: self.lasted })
            }
            Actor::Engine => None,
        }
    }
}

impl StuckSystem<'_> {
    /// Says who holds what up, and what to do.
    pub(crate) fn text(&self, what: &str, until_then: &str, program: &str) -> String {
        let Self { name, callback, lasted } = self;
        format!(
            "{what} is held up: system {name} has not come back from {callback} for {:.1} s. \
             {until_then} until it does; if it never does, end {program} and mend the system",
            lasted.as_secs_f64()
        )
    }

    /// Says that it came back, and what goes on.
    pub(crate) fn came_back(&self, what: &str) -> String {
        let Self { name, callback, lasted } = self;
        let secs = lasted.as_secs_f64();
        format!("System {name} came back from {callback} after {secs:.1} s; {what} goes on")
    }
}

/// A thread that calls systems.
pub(crate) struct Place {
    whereabouts: Whereabouts,
    keeper: Box<dyn Keeper>,
    call: Option<Call>,
    /// Who holds it up.
    named: Option<Acting>,
}

/// A call that is under way, for how long it has been seen to be.
#[derive(Clone, Copy)]
struct Call {
    turn: u64,
    lasted: Duration,
}

/// Ends the watchdog's thread when it is dropped.
pub(crate) struct Watchdog {
    ended: Arc<AtomicBool>,
    thread: Option<Thread>,
}

impl Watchdog {
    /// Starts to watch; without a thread nobody does, and the world goes on unwatched.
    pub(crate) fn start(places: Vec<Place>) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&ended);
        let thread = thread::Builder::new().name("watchdog".to_owned());
        let spawned = thread.spawn(move || watch(places, &theirs));
        if let Err(error) = &spawned {
            tracing::warn!(%error, "no thread for the watchdog; systems are not watched");
        }
        let thread = spawned.ok().map(|handle| handle.thread().clone());
        Self { ended, thread }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.iter().for_each(Thread::unpark);
    }
}

fn watch(mut places: Vec<Place>, ended: &AtomicBool) {
    let mut looked = Instant::now();
    while !ended.load(Ordering::Relaxed) {
        let serves = places.iter().any(|place| place.named.is_some());
        thread::park_timeout(if serves { SERVE } else { LOOK });
        let passed = looked.elapsed().min(2 * LOOK);
        looked = Instant::now();
        places.iter_mut().for_each(|place| place.look(passed));
    }
    places.iter_mut().for_each(Place::let_go);
}

impl Place {
    /// Has a thread watched, with somebody to say what is found.
    pub(crate) fn new(whereabouts: Whereabouts, keeper: impl Keeper + 'static) -> Self {
        Self { whereabouts, keeper: Box::new(keeper), call: None, named: None }
    }

    fn look(&mut self, passed: Duration) {
        let now = self.whereabouts.turn();
        match &mut self.call {
            Some(known) if Some(known.turn) == now => known.lasted += passed,
            _ => {
                self.let_go();
                self.call = now.map(|turn| Call { turn, lasted: Duration::ZERO });
            }
        }
        if let Some(call) = self.call.filter(|call| call.lasted >= PATIENCE) {
            self.hold(call);
        }
    }

    /// Has it named who does not come back.
    fn hold(&mut self, Call { turn, lasted }: Call) {
        let acting = self.whereabouts.acting().filter(|acting| acting.turn == turn);
        let Some(acting) = acting else { return };
        let is_news = self.named.replace(acting.clone()).is_none();
        let whereabouts = &self.whereabouts;
        self.keeper.hold(&HeldUp { acting, lasted, is_news, whereabouts });
    }

    /// Has it said that somebody came back who was named before.
    fn let_go(&mut self) {
        let lasted = self.call.take().map_or(Duration::ZERO, |call| call.lasted);
        if let Some(acting) = self.named.take() {
            let whereabouts = &self.whereabouts;
            self.keeper.let_go(&HeldUp { acting, lasted, is_news: false, whereabouts });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere leaves plain data behind, which is still good.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc::{Sender, channel};

    use retake_ecm::EntityId;

    use super::*;
    use crate::whereabouts::Callback;

    struct Told(Sender<(bool, Duration)>);

    impl Keeper for Told {
        fn hold(&mut self, held_up: &HeldUp<'_>) {
            self.0.send((held_up.is_news, held_up.lasted)).unwrap();
        }

        fn let_go(&mut self, came_back: &HeldUp<'_>) {
            self.0.send((false, came_back.lasted)).unwrap();
        }
    }

    /// Looks every so often, until a system is named that began to act before the first look;
    /// returns how much time had passed by then.
    fn named_after(period: Duration) -> Duration {
        let (here, (tell, told)) = (Whereabouts::default(), channel());
        here.name(BTreeMap::from([(7, "arm::mover".to_owned())]), &[]);
        let mut place = Place::new(here.clone(), Told(tell));
        place.look(period);
        here.enter(EntityId::from_raw(7), Callback::PreUpdate);
        let mut passed = Duration::ZERO;
        while told.try_recv().is_err() {
            assert!(passed < Duration::from_secs(60), "it is never named");
            place.look(period);
            passed += period;
        }
        passed
    }

    #[test]
    fn who_does_not_come_back_is_named_within_a_second_and_nobody_sooner_than_needed() {
        for period in [LOOK, 2 * LOOK] {
            let passed = named_after(period);
            assert!(passed <= Duration::from_secs(1), "named after {passed:?}");
            assert!(passed >= PATIENCE, "named after {passed:?}");
        }
    }

    #[test]
    fn many_short_calls_are_no_long_one() {
        let (here, (tell, told)) = (Whereabouts::default(), channel());
        let mut place = Place::new(here.clone(), Told(tell));
        for _ in 0..1000 {
            here.enter(EntityId::from_raw(7), Callback::PreUpdate);
            place.look(LOOK);
            place.look(LOOK);
        }
        assert!(told.try_recv().is_err(), "each of them came back");
        (0..20).for_each(|_| place.look(LOOK));
        here.leave();
        place.look(LOOK);
        let told: Vec<bool> = told.try_iter().map(|(is_news, _)| is_news).collect();
        assert_eq!(told.iter().filter(|is_news| **is_news).count(), 1, "named once: {told:?}");
        assert!(told[0] && told.len() > 2, "and held until it came back: {told:?}");
    }
}
