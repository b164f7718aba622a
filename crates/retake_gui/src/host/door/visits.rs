//! Who showed a token and was let in: a cookie stands for it, so that the token is shown once.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::Role;
use super::tokens::{TokensError, secret};

/// Visits that are kept; past it the one that was seen longest ago ends.
const MOST: usize = 256;
/// A visit that is not seen for so long ends.
const IDLE: Duration = Duration::from_secs(12 * 3600);

/// The visits that go on.
#[derive(Default)]
pub(super) struct Visits {
    known: BTreeMap<String, (Role, Instant)>,
}

impl Visits {
    /// Begins a visit; returns its name.
    ///
    /// # Errors
    /// [`TokensError::NoRandomness`] when no name can be made that nobody guesses.
    pub(super) fn begin(&mut self, role: Role, now: Instant) -> Result<String, TokensError> {
        self.known.retain(|_, (_, seen)| now.saturating_duration_since(*seen) < IDLE);
        if self.known.len() >= MOST {
            let oldest = self.known.iter().min_by_key(|(_, (_, seen))| *seen);
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.map(|name| self.known.remove(&name));
        }
        let name = secret()?;
        self.known.insert(name.clone(), (role, now));
        Ok(name)
    }

    /// Returns what a visitor may do; none when there is no such visit.
    pub(super) fn role_of(&mut self, name: &str, now: Instant) -> Option<Role> {
        let (role, seen) = self.known.get_mut(name)?;
        if now.saturating_duration_since(*seen) >= IDLE {
            self.known.remove(name);
            return None;
        }
        *seen = now;
        Some(*role)
    }

    /// Ends a visit.
    pub(super) fn end(&mut self, name: &str) {
        self.known.remove(name);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn visits_end_when_nobody_comes_and_are_bounded() {
        let (mut visits, start) = (Visits::default(), Instant::now());
        let first = visits.begin(Role::Editor, start).unwrap();
        assert_eq!(visits.role_of(&first, start + IDLE / 2), Some(Role::Editor));
        assert_eq!(visits.role_of(&first, start + IDLE), Some(Role::Editor), "it was seen");
        assert_eq!(visits.role_of(&first, start + IDLE * 2), None);
        assert_eq!(visits.role_of("no such", start), None);
        for number in 0..1000 {
            visits.begin(Role::Viewer, start + Duration::from_millis(number)).unwrap();
        }
        assert_eq!(visits.known.len(), MOST);
    }
}
