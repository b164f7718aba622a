//! Places for connections: a bounded number of them, and who gives way when all are taken.
//!
//! Whoever lets the host wait, for a request, for its body or until an answer is read, gives way
//! to newcomers, the one first that has let it wait for longest: else whoever says half a word on
//! every connection, and comes back when it is closed, would keep all others out. A host at work
//! for somebody does not wait. No clock is asked: the order in which things happened is enough.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::lock::locked;

/// All places of a host.
pub(super) struct Places {
    free: Arc<Semaphore>,
    taken: Mutex<BTreeMap<u64, Arc<Place>>>,
    moments: Arc<AtomicU64>,
}

impl Places {
    /// Makes so many places.
    pub(super) fn new(count: usize) -> Arc<Self> {
        Arc::new(Self {
            free: Arc::new(Semaphore::new(count)),
            taken: Mutex::default(),
            moments: Arc::default(),
        })
    }

    /// Takes a place for a newcomer; none when the host is at work for all who have one.
    pub(super) async fn take(self: &Arc<Self>) -> Option<Taken> {
        let free = match Arc::clone(&self.free).try_acquire_owned() {
            Ok(free) => free,
            Err(_) if self.make_room() => Arc::clone(&self.free).acquire_owned().await.ok()?,
            Err(_) => return None,
        };
        let place = Arc::new(Place::new(Arc::clone(&self.moments)));
        let number = place.moved.load(Ordering::Relaxed);
        locked(&self.taken).insert(number, Arc::clone(&place));
        Some(Taken { place, number, places: Arc::clone(self), _free: free })
    }

    /// Lets the one give way that the host has waited for longest; says whether there is one.
    fn make_room(&self) -> bool {
        let mut taken = locked(&self.taken);
        // Whoever is seen at rest is seen to have moved just then.
        let waited_for = taken.iter().filter(|(_, place)| !place.at_work.load(Ordering::Acquire));
        let longest = waited_for.min_by_key(|(_, place)| place.moved.load(Ordering::Relaxed));
        let longest = longest.map(|(number, _)| *number);
        let Some(place) = longest.and_then(|number| taken.remove(&number)) else { return false };
        place.gives_way.notify_one();
        true
    }
}

/// What is known of one connection.
pub(super) struct Place {
    /// Numbers what happens to all connections, in order.
    moments: Arc<AtomicU64>,
    /// When the connection last did what it should.
    moved: AtomicU64,
    at_work: AtomicBool,
    gives_way: Notify,
}

impl Place {
    fn new(moments: Arc<AtomicU64>) -> Self {
        let moved = AtomicU64::new(moments.fetch_add(1, Ordering::Relaxed));
        Self { moments, moved, at_work: AtomicBool::new(false), gives_way: Notify::new() }
    }

    /// Takes note that the connection did what it should.
    pub(super) fn moves(&self) {
        self.moved.store(self.moments.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Takes note that the host works for the connection, until the guard is dropped.
    pub(super) fn work(self: &Arc<Self>) -> Work {
        self.at_work.store(true, Ordering::Relaxed);
        Work(Arc::clone(self))
    }
}

/// Keeps a connection from giving way.
pub(super) struct Work(Arc<Place>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.moves();
        self.0.at_work.store(false, Ordering::Release);
    }
}

/// A place that is taken until this is dropped.
pub(super) struct Taken {
    place: Arc<Place>,
    number: u64,
    places: Arc<Places>,
    /// Given back after the place is no longer listed.
    _free: OwnedSemaphorePermit,
}

impl Taken {
    pub(super) fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// Waits until the connection has to give way.
    pub(super) async fn gives_way(&self) {
        self.place.gives_way.notified().await;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        locked(&self.places.taken).remove(&self.number);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Takes a place that is free.
    fn take(places: &Arc<Places>) -> Taken {
        places.take().now_or_never().unwrap().unwrap()
    }

    fn must_go(taken: &Taken) -> bool {
        taken.gives_way().now_or_never().is_some()
    }

    #[test]
    fn who_let_the_host_wait_for_longest_gives_way() {
        let places = Places::new(3);
        let (first, second, third) = (take(&places), take(&places), take(&places));
        // The first reads its answer; the second is the oldest now.
        first.place().moves();
        let mut newcomer = Box::pin(places.take());
        assert!(newcomer.as_mut().now_or_never().is_none(), "never more than there are places");
        assert!(must_go(&second) && !must_go(&first) && !must_go(&third));
        drop(second);
        let newcomer = newcomer.now_or_never().unwrap().unwrap();
        let mut next = Box::pin(places.take());
        assert!(next.as_mut().now_or_never().is_none());
        assert!(must_go(&third) && !must_go(&first) && !must_go(&newcomer));
    }

    #[test]
    fn nobody_gives_way_whom_the_host_works_for() {
        let places = Places::new(2);
        let (first, second) = (take(&places), take(&places));
        let (work, other) = (first.place().work(), second.place().work());
        assert!(places.take().now_or_never().unwrap().is_none(), "the newcomer is refused");
        drop(work);
        let mut newcomer = Box::pin(places.take());
        assert!(newcomer.as_mut().now_or_never().is_none());
        assert!(must_go(&first) && !must_go(&second));
        drop((first, other, second));
        assert!(newcomer.now_or_never().unwrap().is_some());
        assert!(locked(&places.taken).is_empty(), "places are given back");
    }
}
