//! Who showed a token and was let in: a cookie stands for it, so that the token is shown once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::tokens::{TokensError, secret};
use super::{Admitted, Role};
use crate::lock::locked;

/// Visits that are kept; past it the one that was seen longest ago ends.
const MOST: usize = 256;
/// A visit that is not seen for so long ends.
const IDLE: Duration = Duration::from_secs(12 * 3600);

/// The visits that go on.
#[derive(Default)]
pub(super) struct Visits {
    known: BTreeMap<String, Visit>,
}

struct Visit {
    role: Role,
    seen: Arc<Seen>,
    /// Nothing is ever said by it: it ends with the visit, and counts the pages that are open.
    lasts: watch::Sender<()>,
}

impl Visit {
    fn is_over(&self, now: Instant) -> bool {
        !self.has_page() && now.saturating_duration_since(self.seen.last()) >= IDLE
    }

    fn has_page(&self) -> bool {
        self.lasts.receiver_count() > 0
    }
}

/// When somebody was seen last.
struct Seen(Mutex<Instant>);

impl Seen {
    fn note(&self, now: Instant) {
        let mut last = locked(&self.0);
        *last = now.max(*last);
    }

    fn last(&self) -> Instant {
        *locked(&self.0)
    }
}

/// How long somebody may stay: until their visit ends, if it is by one that they came.
#[derive(Clone, Default)]
pub(in crate::host) struct Stay(Option<Visitor>);

#[derive(Clone)]
struct Visitor {
    lasts: watch::Receiver<()>,
    seen: Arc<Seen>,
}

impl Stay {
    /// Waits until the visit has ended.
    pub(in crate::host) async fn ended(&mut self) {
        match &mut self.0 {
            Some(visitor) => while visitor.lasts.changed().await.is_ok() {},
            None => std::future::pending().await,
        }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        // Whoever had a page open for days may come back for as long as all others.
        self.seen.note(Instant::now());
    }
}

impl Visits {
    /// Begins a visit; returns its name.
    ///
    /// # Errors
    /// [`TokensError::NoRandomness`] when no name can be made that nobody guesses.
    pub(super) fn begin(&mut self, role: Role, now: Instant) -> Result<String, TokensError> {
        self.known.retain(|_, visit| !visit.is_over(now));
        if self.known.len() >= MOST {
            // Pages that are open are far fewer than visits: it is none of theirs that ends.
            let oldest =
                self.known.iter().min_by_key(|(_, visit)| (visit.has_page(), visit.seen.last()));
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.map(|name| self.known.remove(&name));
        }
        let name = secret()?;
        let seen = Arc::new(Seen(Mutex::new(now)));
        self.known.insert(name.clone(), Visit { role, seen, lasts: watch::Sender::new(()) });
        Ok(name)
    }

    /// Returns what a visitor may do; none when there is no such visit.
    pub(super) fn find(&mut self, name: &str, now: Instant) -> Option<Admitted> {
        let visit = self.known.get(name)?;
        if visit.is_over(now) {
            self.known.remove(name);
            return None;
        }
        visit.seen.note(now);
        let visitor = Visitor { lasts: visit.lasts.subscribe(), seen: Arc::clone(&visit.seen) };
        Some(Admitted { role: visit.role, stay: Stay(Some(visitor)) })
    }

    /// Ends a visit, and the stay of all who came by it.
    pub(super) fn end(&mut self, name: &str) {
        self.known.remove(name);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn role_of(visits: &mut Visits, name: &str, now: Instant) -> Option<Role> {
        visits.find(name, now).map(|found| found.role)
    }

    #[test]
    fn visits_end_when_nobody_comes_and_are_bounded() {
        let (mut visits, start) = (Visits::default(), Instant::now());
        let first = visits.begin(Role::Editor, start).unwrap();
        assert_eq!(role_of(&mut visits, &first, start + IDLE / 2), Some(Role::Editor));
        assert_eq!(role_of(&mut visits, &first, start + IDLE), Some(Role::Editor), "it was seen");
        assert_eq!(role_of(&mut visits, &first, start + IDLE * 2), None);
        assert_eq!(role_of(&mut visits, "no such", start), None);
        for number in 0..1000 {
            visits.begin(Role::Viewer, start + Duration::from_millis(number)).unwrap();
        }
        assert_eq!(visits.known.len(), MOST);
    }

    #[test]
    fn who_has_a_page_open_stays_until_the_visit_is_ended() {
        let (mut visits, start) = (Visits::default(), Instant::now());
        let name = visits.begin(Role::Admin, start).unwrap();
        let mut page = visits.find(&name, start).unwrap().stay;
        for _ in 0..1000 {
            visits.begin(Role::Viewer, start + IDLE * 2).unwrap();
        }
        assert_eq!(visits.known.len(), MOST);
        assert!(page.ended().now_or_never().is_none(), "others come, and time goes by");
        let closed = start + IDLE * 2;
        page.0.as_ref().unwrap().seen.note(closed);
        drop(page);
        assert!(visits.find(&name, closed + IDLE / 2).is_some(), "the page was open until then");
        let mut page = visits.find(&name, closed + IDLE / 2).unwrap().stay;
        visits.end(&name);
        assert!(page.ended().now_or_never().is_some());
        assert!(Stay::default().ended().now_or_never().is_none(), "a token is no visit");
    }
}
